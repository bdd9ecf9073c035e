"""Wishes of people: new and other names, who counts, two who are one person, who is to be forgotten."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar, TypeVar

from msgspec import structs

from engine.words import N_
from firmware.people.names import Person, cleaned, cleaned_latin, drawable, isolated, key
from firmware.translation import L_, LazyText, Words
from firmware.wishes.wish import Agreed, AskFirst, Choice, Decision, Denied, Done, Id, Need, Situation, Text, Was, Wish

W = TypeVar("W", bound=Wish)
LATIN = "latin"
NAMED: Agreed = frozenset(("another",))  # by who has spelled a name at the kit, which asks then


def agreeing(wish: W, to: str) -> W:
    """The same wish, with one thing more agreed to."""
    return structs.replace(wish, agreed=wish.agreed | {to})


def alike(name: str, persons: Iterable[Person], but: str = "") -> list[Person]:
    """Who has this name already. `but`: the id of whoever gets it now."""
    return [one for one in persons if key(one.name) == key(name) and one.id != but]


class Add(Wish, frozen=True, tag="add"):
    """Somebody new."""

    label: ClassVar[str] = N_("Add")
    path: ClassVar[str] = "/people"
    typed: ClassVar[tuple[str, ...]] = ("name",)
    asks: ClassVar[bool] = True

    name: Text
    latin: Text = ""

    def normal(self) -> Add:
        return structs.replace(self, name=cleaned(self.name), latin=cleaned_latin(self.latin))

    def decide(self, known: Situation) -> Decision:
        return _named(self, known)

    def do(self, known: Situation) -> Done:
        return Done(known.people.add(self.name, self.latin))

    def line(self, known: Situation) -> Words:
        return L_("new name: {name}", name=_drawn(self))


class OfOne(Wish, frozen=True):
    """Something about somebody who is known."""

    path: ClassVar[str] = "/people/{self.person}"
    fields: ClassVar[tuple[str, ...]] = ("name",)  # of the person, that it changes or goes by

    person: Id

    def before(self, known: Situation) -> Was | None:
        person = known.persons.get(self.person)
        return None if person is None else tuple(getattr(person, field) for field in self.fields)

    def do(self, known: Situation) -> Done:
        new = {field: getattr(self, field) for field in self.fields}
        known.people.change(structs.replace(known.persons[self.person], **new))
        return Done(self.person)


class Rename(OfOne, frozen=True, tag="rename"):
    """Another name, or another short name in Latin letters for the display; that may be empty."""

    label: ClassVar[str] = N_("Rename")
    fields: ClassVar[tuple[str, ...]] = ("name", LATIN)
    typed: ClassVar[tuple[str, ...]] = ("name",)
    asks: ClassVar[bool] = True

    name: Text
    latin: Text = ""

    def normal(self) -> Rename:
        return structs.replace(self, name=cleaned(self.name), latin=cleaned_latin(self.latin))

    def decide(self, known: Situation) -> Decision:
        return _named(self, known)

    def line(self, known: Situation) -> Words:
        if self.name == known.persons[self.person].name:
            return L_("{name}: on the display {latin}", name=known.called(self.person), latin=self.latin or "-")
        return L_("{name}: rename to {new}", name=known.called(self.person), new=_drawn(self))


class CountGames(OfOne, frozen=True, tag="count"):
    """Whether somebody's games are in statistics."""

    fields: ClassVar[tuple[str, ...]] = ("counted",)

    counted: bool

    def now(self, known: Situation) -> LazyText:
        return L_("in statistics") if known.persons[self.person].counted else L_("not in statistics")

    def line(self, known: Situation) -> Words:
        name = known.called(self.person)
        return L_("{name}: statistics yes", name=name) if self.counted else L_("{name}: statistics no", name=name)


class Merge(OfOne, frozen=True, tag="merge"):
    """Two are the same person: all games of the first are the other's.

    `was`: both names; the second is empty where it was chosen in a form.
    """

    label: ClassVar[str] = N_("Merge")
    asks: ClassVar[bool] = True

    into: Id

    def needs(self) -> Need:
        return "met"

    def before(self, known: Situation) -> Was | None:
        one, other = known.persons.get(self.person), known.persons.get(self.into)
        chosen = other is None or (self.was or ())[1:] == ("",)
        return None if one is None else (one.name, "" if chosen or other is None else other.name)

    def decide(self, known: Situation) -> Decision:
        one, other = known.persons[self.person], known.persons.get(self.into)
        if other is None or one == other:
            return Denied(L_("Nobody else of this name is known any more."))
        names = {"one": isolated(one.name), "other": isolated(other.name)}
        if known.met:
            says = L_("{one} and {other} sat in the same game, so they are two.", **names)
            return Denied(says, L_("they sat in the same game"))
        if "merge" in self.agreed:
            return self
        lines = (
            L_("All games of {one} become games of {other}.", **names),
            L_("The name {one} goes. It cannot be undone.", **names),
        )
        wish = structs.replace(agreeing(self, "merge"), was=(one.name, other.name))
        yes = Choice(L_("They are one person"), wish, does=L_("one person"))
        short = L_("games go to {name}", name=known.called(self.into)), L_("it cannot be undone")
        return AskFirst(L_("THE SAME PERSON?"), lines, (yes,), short)

    def do(self, known: Situation) -> Done:
        known.people.merge(self.person, self.into)
        return Done(self.into)

    def line(self, known: Situation) -> Words:
        return L_("{name} is {other}", name=known.called(self.person), other=known.called(self.into))


class Forget(OfOne, frozen=True, tag="forget"):
    """Somebody is to be forgotten."""

    label: ClassVar[str] = N_("Forget")
    asks: ClassVar[bool] = True

    def needs(self) -> Need:
        return "sheets" if self.agreed == {"forget"} else ""

    def decide(self, known: Situation) -> Decision:
        name = isolated(known.persons[self.person].name)
        title, lines, short = L_("FORGET?"), list[LazyText](), L_("all games stay, as guest")
        if "forget" not in self.agreed:
            lines += [
                L_("The name {name} goes from everything in the kit. All games stay, without the name.", name=name)
            ]
        elif "really" not in self.agreed:
            title, short, files = L_("REALLY?"), L_("it cannot be undone"), ", ".join(known.sheets)
            lines += [L_("It cannot be undone.")]
            if files:
                lines += [
                    L_("Score sheets with the name: {files}. Remove them by hand, or the name in them.", files=files)
                ]
            lines += [L_("Notes to games may have a former name or a nickname: look after them yourself.")]
            lines += [L_("Backups, exports and people.txt are elsewhere: look after them yourself.")]
        else:
            return self
        more = agreeing(self, "really" if "forget" in self.agreed else "forget")
        yes = Choice(L_("Forget {name}", name=name), more, does=L_("forget"))
        return AskFirst(title, tuple(lines), (yes,), (short,), tuple(known.sheets))

    def do(self, known: Situation) -> Done:
        known.people.forget(self.person)
        return Done()

    def line(self, known: Situation) -> Words:
        return L_("forget {name}", name=known.called(self.person))


def _drawn(wish: Add | Rename) -> str | LazyText:
    return Person("", wish.name, wish.latin).drawn or L_("(other letters)")


def _named(wish: Add | Rename, known: Situation) -> Decision:
    """A name that is known already, or that the display cannot draw, is asked about."""
    name, own = isolated(wish.name), wish.person if isinstance(wish, OfOne) else ""
    same = alike(wish.name, known.persons.values(), own)
    if same and not (own and known.persons[own].name == wish.name) and "another" not in wish.agreed:
        choices = [
            Choice(
                L_("The same person: {name}", name=isolated(one.name)),
                Merge(own, one.id, was=(known.persons[own].name, one.name)) if own else None,
                person=one.id,
            )
            for one in same
        ]
        others = " ".join(dict.fromkeys(isolated(one.name) for one in same))
        line = L_("{others} is known. Is {name} the same person, or another one?", others=others, name=name)
        choices.append(Choice(L_("Another person"), agreeing(wish, "another")))
        return AskFirst(L_("ONE PERSON OR TWO?"), (line,), tuple(choices))
    if not Person("", wish.name, wish.latin).drawn and "undrawn" not in wish.agreed:
        lines = (
            L_("The display cannot draw {name}.", name=name),
            L_("It shows a short name in Latin letters instead, or without one the label of the button."),
        )
        short = Choice(L_("Take the short name"), wish, latin=True)
        return AskFirst(
            L_("A SHORT NAME?"), lines, (short, Choice(L_("Without a short name"), agreeing(wish, "undrawn")))
        )
    return structs.replace(wish, latin="") if drawable(wish.name) else wish
