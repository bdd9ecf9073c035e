"""Who sits where in a game, put right: while it is played, after its end, and for games of the past."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

from engine.rules import Seat
from engine.words import N_
from firmware.output import sounds
from firmware.output.screens.canvas import Text
from firmware.people.roster import NEW
from firmware.people.spelling import Letters
from firmware.table.listing import Listing
from firmware.table.overlay import downwards
from firmware.table.playing import Playing
from firmware.table.table import Table
from firmware.translation import _


class Sitting(Listing):
    """A row a seat: OK takes it up, the control chooses who sat there.

    `done` is called with the ids by seat, None for a guest.
    """

    title = N_("WHO SAT THERE?")

    def __init__(
        self,
        table: Table,
        labels: tuple[str, ...],
        people: Mapping[Seat, str],
        done: Callable[[dict[Seat, str | None]], None],
    ) -> None:
        super().__init__(table)
        self.labels, self.people, self.done = labels, dict(people), done
        self.editing = False

    def called(self, seat: Seat) -> str:
        """Who sits there, in words."""
        person = self.people.get(seat)
        if person == NEW:
            return _("new name")
        return self.table.roster.drawn(person) or (_("guest") if person is None else self.labels[seat])

    def rows(self) -> list[tuple[Text, Callable[[], None]]]:
        mark = "▲▼ " if self.editing else ""
        rows: list[tuple[Text, Callable[[], None]]] = [
            (f"{mark if n == self.at else ''}{label}: {self.called(n)}", self.edit)
            for n, label in enumerate(self.labels)
        ]
        return [*rows, (_("DONE"), self.finish)]

    def edit(self) -> None:
        """Take a seat up, or set it."""
        seat = self.at
        self.editing = not self.editing
        if self.people.get(seat) == NEW:
            del self.people[seat]
            self.table.open(
                Letters(self.table, self.labels[seat], partial(self.named, seat), known=self.table.roster.names)
            )

    def named(self, seat: Seat, name: str) -> None:
        """A new name has been entered."""
        self.people[seat] = self.table.people.add(name)

    def replace(self, id_: str, by: str | None) -> None:
        people = {seat: by if one == id_ else one for seat, one in self.people.items()}
        self.people = {seat: one for seat, one in people.items() if one is not None}

    def turn(self, steps: int, knob: bool) -> None:
        if not self.editing:
            super().turn(steps, knob)
            return
        ring = [None, *self.table.roster.known, NEW]
        now = ring.index(self.people.get(self.at)) if self.people.get(self.at) in ring else 0
        person = ring[(now + downwards(steps, knob)) % len(ring)]
        self.people.pop(self.at, None)
        if person is not None:
            self.people[self.at] = person
        self.table.sound(sounds.TURN)

    def finish(self) -> None:
        """Close it, unless somebody sits on two seats."""
        people = {seat: self.people.get(seat) for seat in range(len(self.labels))}
        here = [person for person in people.values() if person is not None]
        twice = [person for person in here if here.count(person) > 1]
        if twice:
            at = _(" and ").join(self.labels[seat] for seat, person in people.items() if person == twice[0])
            self.table.refuse(_("{seats}: same person", seats=at))
            return
        self.table.sound(sounds.DONE)
        self.table.close()
        self.done(people)

    def press(self, button: str, at_ns: int, error_ns: int) -> bool:
        return self.table.game is None or not self.table.game.racing()

    def ok_hold(self) -> None:
        """Back, without a change."""
        self.table.close()


def put_right(game: Playing) -> None:
    """Ask who sits where in the game on the table."""
    game.table.open(Sitting(game.table, game.play.players, game.people, game.sit))
