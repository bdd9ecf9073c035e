"""Who sits where in a game, put right: while it is played, after its end, and for games of the past."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import TypeAlias

from engine.rules import Seat
from engine.words import N_
from firmware.output import sounds
from firmware.people.roster import NEW
from firmware.table.listing import Editable, Rows
from firmware.table.overlay import downwards
from firmware.table.playing import Playing
from firmware.table.table import Table
from firmware.table.wishing import new_name, wish
from firmware.translation import L_, _
from firmware.wishes.games import ChangeSeats

Sitters: TypeAlias = Mapping[Seat, str]  # ids, without guests
Seated: TypeAlias = Callable[[Sitters], None]


class Sitting(Editable):
    """A row a seat: OK takes it up, the control chooses who sat there."""

    title = N_("WHO SAT THERE?")
    one_back = True

    def __init__(
        self, table: Table, game: int, labels: tuple[str, ...], people: Sitters, done: Seated = lambda people: None
    ) -> None:
        """`game`: its number; `people`: who sits there. `done` is called with who does from now on."""
        super().__init__(table)
        self.game, self.labels, self.people, self.done = game, labels, dict(people), done
        self.was = tuple(people.get(seat) for seat in range(len(labels)))

    def called(self, seat: Seat) -> str:
        """Who sits there, in words."""
        person = self.people.get(seat)
        if person == NEW:
            return _("new name")
        return self.table.roster.beside(person, self.labels) or (_("guest") if person is None else self.labels[seat])

    def rows(self) -> Rows:
        mark = "▲▼ " if self.editing else ""
        rows: Rows = [
            (f"{mark if n == self.at else ''}{label}: {self.called(n)}", self.edit)
            for n, label in enumerate(self.labels)
        ]
        return [*rows, (_("DONE"), self.finish)]

    def edit(self) -> None:
        """Take a seat up, or set it."""
        seat = self.at
        super().edit()
        if self.people.get(seat) == NEW:
            del self.people[seat]
            new_name(self.table, self.labels[seat], partial(self.named, seat))

    def named(self, seat: Seat, person: str) -> None:
        """Somebody new sits there."""
        self.people[seat] = person

    def replace(self, id_: str, by: str | None) -> None:
        self.was = tuple(by if one == id_ else one for one in self.was)
        people = {seat: by if one == id_ else one for seat, one in self.people.items()}
        self.people = {seat: one for seat, one in people.items() if one is not None}

    def change(self, steps: int, knob: bool) -> None:
        ring = [None, *self.table.roster.known, NEW]
        now = ring.index(self.people.get(self.at)) if self.people.get(self.at) in ring else 0
        person = ring[(now + downwards(steps, knob)) % len(ring)]
        self.people.pop(self.at, None)
        if person is not None:
            self.people[self.at] = person
        self.table.sound(sounds.TURN)

    def finish(self) -> None:
        """Close it, unless somebody sits on two seats."""
        people, seats = dict(self.people), range(len(self.labels))
        here = [*people.values()]
        twice = [person for person in here if here.count(person) > 1]
        if twice:
            at = _(" and ").join(self.labels[seat] for seat in seats if people.get(seat) == twice[0])
            self.table.refuse(L_("{seats}: same person", seats=at), lambda: dict(self.people) == people)
            return
        sit = ChangeSeats(self.game, tuple(map(people.get, seats)), was=self.was)
        wish(self.table, sit, lambda _: self.finished(people))

    def finished(self, people: Sitters) -> None:
        """They sit there from now on."""
        self.table.sound(sounds.DONE)
        if self.table.top is self:
            self.table.close()
        self.done(people)

    def press(self, button: str, at_ns: int, error_ns: int) -> bool:
        return self.table.game is None or not self.table.game.question.racing


def put_right(game: Playing) -> None:
    """Ask who sits where in the game on the table."""
    game.table.open(Sitting(game.table, game.number, game.play.players, game.people))
