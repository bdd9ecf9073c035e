"""Wishes of phones about themselves: a place, the role, the history, a name for a guest."""

from __future__ import annotations

from typing import Annotated, ClassVar, cast

from msgspec import Meta, structs

from engine.words import N_
from firmware.people.names import Person, cleaned, cleaned_latin, isolated
from firmware.translation import L_, NOTHING, Why, Words
from firmware.wishes.people import agreeing, alike
from firmware.wishes.wish import AskFirst, Choice, Decision, Denied, Done, Situation, Text, Wish

MINUTES = 15  # the history is open to a phone
Button = Annotated[str, Meta(max_length=40)]


class OfAPhone(Wish, frozen=True):
    """Something that only the page of a phone sends. Nothing that stood there before is lost by it."""

    def decide(self, known: Situation) -> Decision:
        why = self.against(known)
        return Denied(why) if why else self


class Take(OfAPhone, frozen=True, tag="take"):
    """A place to play for."""

    button: Button

    def against(self, known: Situation) -> Why:
        return cast("Why", known.phones.claims.against_place(known.by, self.button))

    def do(self, known: Situation) -> Done:
        place = known.phones.claims.place(known.by, self.button)
        known.phones.claims.hold(known.by, self.button)
        return Done(line=L_("You play for {name}.", name=place.name or place.label))

    def headline(self, known: Situation) -> Words:
        return L_("{place}?", place=known.phones.claims.place(known.by, self.button).label)

    def line(self, known: Situation) -> Words:
        name = known.phones.claims.sits_there(self.button)
        return L_("wants to play for {name}", name=name), L_("to play for {name}", name=name)


class Leave(OfAPhone, frozen=True, tag="leave"):
    """A place is free again."""

    button: Button

    def do(self, known: Situation) -> Done:
        known.phones.claims.leave(known.by, self.button)
        return Done()


class BeTable(OfAPhone, frozen=True, tag="table"):
    """To answer for the table, or no longer."""

    told: ClassVar[str] = "refused"

    table: bool

    def against(self, known: Situation) -> Why:
        return cast("Why", known.phones.claims.against_role(known.by, table=self.table))

    def do(self, known: Situation) -> Done:
        known.phones.claims.be_table(known.by, table=self.table)
        return Done()


class ReadHistory(OfAPhone, frozen=True, tag="history"):
    """The history, for a while."""

    title: ClassVar[str] = N_("HISTORY?")

    def do(self, known: Situation) -> Done:
        known.phones.history.begin(known.by, MINUTES)
        return Done()

    def line(self, known: Situation) -> Words:
        return L_("all games, {n} minutes", n=MINUTES), L_("all games")


class Introduce(OfAPhone, frozen=True, tag="introduce"):
    """A name for the guest at a place of this phone."""

    asks: ClassVar[bool] = True
    told: ClassVar[str] = "refused"

    button: Button
    name: Text
    latin: Text = ""

    def normal(self) -> Introduce:
        return structs.replace(self, name=cleaned(self.name), latin=cleaned_latin(self.latin))

    def decide(self, known: Situation) -> Decision:
        """A guest's phone learns whether a name is known, and is not offered to be that person."""
        name = isolated(self.name)
        if not Person("", self.name, self.latin).drawn and "undrawn" not in self.agreed:
            says = L_("The display cannot draw {name}: add a short name in Latin letters, or save it again.", name=name)
            return AskFirst(NOTHING, (says,), (Choice(NOTHING, agreeing(self, "undrawn")),))
        if alike(self.name, known.persons.values()) and "another" not in self.agreed:
            says = L_(
                "{name} is known. Is that you? Choose your name on the kit. Another {name}? Save it again.", name=name
            )
            return AskFirst(NOTHING, (says,), (Choice(NOTHING, agreeing(self, "another")),))
        return self

    def do(self, known: Situation) -> Done:
        person = known.people.add(self.name, self.latin)
        known.phones.claims.introduce(self.button, person)
        return Done(person)
