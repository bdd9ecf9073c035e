"""Wishes of games, this one and those of the past: who sat where, and what is noted of them."""

from __future__ import annotations

from datetime import date
from functools import partial
from typing import Annotated, ClassVar

from msgspec import Meta, structs

from engine.words import N_
from firmware.people.names import isolated
from firmware.people.notes import cleaned_day, cleaned_note
from firmware.translation import L_, LazyText, Words, dated, joined, lazy
from firmware.wishes.wish import Decision, Denied, Done, Id, Need, Number, Situation, Text, Was, Wish

MAX_SEATS = 64


class OfAGame(Wish, frozen=True):
    """Something about one game, by its number in the journal."""

    path: ClassVar[str] = "/games/{self.game}"
    gone: ClassVar[str] = N_("There is no such game, seat or person.")

    game: Number

    def needs(self) -> Need:
        return "sat"

    def _reseated(self, known: Situation, people: list[str | None]) -> Done:
        known.people.reseat(self.game, known.sat, dict(enumerate(people)))
        return Done(game=self.game)


class Sit(OfAGame, frozen=True, tag="sit"):
    """Who sits at a seat; whoever sat there changes places with them."""

    seat: Annotated[int, Meta(ge=0, lt=MAX_SEATS)]
    person: Id | None  # None: a guest

    def before(self, known: Situation) -> Was | None:
        return (() if known.sat is None else known.sat.people)[self.seat : self.seat + 1] or None

    def now(self, known: Situation) -> str | LazyText:
        return known.called(known.sat.people[self.seat])

    def decide(self, known: Situation) -> Decision:
        there = self.person is None or self.person in known.persons
        return self if there else Denied(lazy(self.gone))

    def do(self, known: Situation) -> Done:
        sat = known.sat.people
        left = [sat[self.seat] if one is not None and one == self.person else one for one in sat]
        return self._reseated(known, [*left[: self.seat], self.person, *left[self.seat + 1 :]])

    def line(self, known: Situation) -> Words:
        return L_("game {game}: {names}", game=self.game, names=known.called(self.person))


class ChangeSeats(OfAGame, frozen=True, tag="seats"):
    """Who sat where."""

    label: ClassVar[str] = N_("Save the seats")

    people: Annotated[tuple[Id | None, ...], Meta(max_length=MAX_SEATS)]  # by seat; None: a guest

    def before(self, known: Situation) -> Was | None:
        return None if known.sat is None or len(known.sat.people) != len(self.people) else known.sat.people

    def now(self, known: Situation) -> str:
        return ""

    def decide(self, known: Situation) -> Decision:
        here = [known.persons.get(id_) for id_ in self.people if id_ is not None]
        for n, one in enumerate(here):
            if one is None:
                return Denied(L_("Somebody of these is not known any more."))
            if one in here[:n]:
                return Denied(L_("{name} cannot sit on two seats.", name=isolated(one.name)))
        return self

    def do(self, known: Situation) -> Done:
        return self._reseated(known, [*self.people])

    def line(self, known: Situation) -> Words:
        return L_("game {game}: {names}", game=self.game, names=joined(map(known.called, self.people)))


class WriteRemark(OfAGame, frozen=True, tag="remark"):
    """A note, and a day where the clock was wrong; empty for none."""

    typed: ClassVar[tuple[str, ...]] = ("note", "day")

    note: Text
    day: Text

    def normal(self) -> WriteRemark:
        return structs.replace(self, note=cleaned_note(self.note), day=cleaned_day(self.day))

    def needs(self) -> Need:
        return "noted"

    def before(self, known: Situation) -> Was | None:
        return None if known.sat is None else known.sat.noted

    def do(self, known: Situation) -> Done:
        known.people.remark(self.game, known.sat, self.note, self.day)
        return Done(game=self.game)

    def line(self, known: Situation) -> Words:
        on = LazyText(partial(dated, date.fromisoformat(self.day))) if self.day else L_("no date")
        return L_("game {game}: note, {day}", game=self.game, day=on)
