"""The people of a table: who sits where, in this game and in those of the past; new, other and forgotten ones."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

from msgspec import Struct, structs

from engine import play as plays
from engine.play import Play
from engine.rules import Seat
from firmware.journal.phones import without
from firmware.journal.reader import Recorded
from firmware.people.names import Person, in_capitals
from firmware.people.roster import Roster
from firmware.table import past_games
from firmware.table.past_games import Carryover, Sat, Unfinished
from firmware.translation import L_

if TYPE_CHECKING:
    from firmware.table.table import Table


class People:
    """What a table does about its people. All methods on the loop's thread."""

    def __init__(self, table: Table, roster: Roster) -> None:
        self._table, self._roster = table, roster
        self._forgotten: int | None = None  # the ticket after which somebody is forgotten
        self._earlier: int | None = None  # a game to go on with, which is read again then
        # by game what of `Sat` is not on the disk yet, and the ticket
        self._unsaved: dict[int, tuple[int, dict[str, Any]]] = {}

    def on_commit(self, ticket: int) -> None:
        """Everything written up to this ticket is on the disk."""
        self._unsaved = {game: one for game, one in self._unsaved.items() if one[0] > ticket}
        if self._forgotten is not None and self._forgotten <= ticket:
            self._forgotten = None
            self._table.fresh.release()
            self._read_again()
            self._table.note(L_("forgotten. Look after your backups, exports and people.txt yourself"))

    def sat(self, game: int, then: Callable[[Sat | None], None]) -> None:
        """Who sits where in a game, this one or one of the past; None: there is none. What is not saved yet counts.

        `then` is called once, maybe later.
        """
        here = self._table.game
        if here is not None and here.number == game:
            then(Sat(self._seats(here.play, here.people)))
            return

        def read(found: Unfinished | None) -> None:
            if self._table.game is not None and self._table.game.number == game:
                self.sat(game, then)  # it came to the table meanwhile
            elif found is None:
                then(None)
            else:
                last = self._table.unfinished
                people = last.people if last is not None and last.game == game else found.people
                then(self._newest(game, Sat(self._seats(found.play, people), found=found)))

        self._table.read(partial(past_games.one, game), read, lambda: True)

    def noted(self, game: int, then: Callable[[Sat | None], None]) -> None:
        """What is noted of a game, likewise."""

        def read(found: Recorded | None) -> None:
            then(None if found is None else self._newest(game, Sat((), found.remark, found)))

        self._table.read(partial(past_games.record, game), read, lambda: True)

    def _newest(self, game: int, sat: Sat) -> Sat:
        """The same with what is not on the disk yet."""
        return sat._replace(**self._unsaved[game][1]) if game in self._unsaved else sat

    def _seats(self, play: Play, people: Mapping[Seat, str]) -> tuple[str | None, ...]:
        """By seat the ids of those who are known."""
        ids = (people.get(seat) for seat in range(len(play.players)))
        return tuple(None if self._roster.person(id_) is None else id_ for id_ in ids)

    def _saving(self, game: int, **new: object) -> None:
        """This of `Sat` is not on the disk yet."""
        _ticket, known = self._unsaved.get(game, (0, {}))
        self._unsaved[game] = self._table.journal.ticket, {**known, **new}

    def met(self, two: Collection[str], then: Callable[[bool], None]) -> None:
        """Whether two people, by their ids, sat in the same game; also where that cannot be read."""

        def read(met: bool) -> None:
            game = self._table.game
            then(met or (game is not None and {*two} <= {*game.people.values()}))

        one, other = two
        self._table.read(partial(past_games.met, one, other), read, lambda: True)

    def reseat(self, game: int, sat: Sat, people: Mapping[Seat, str | None]) -> None:
        """Other people sit in a game, or sat there. `sat`: as `sat` has found it."""
        here = self._table.game
        if here is not None and here.number == game:
            here.sit(people)
            return
        found: Unfinished = sat.found
        changed = {seat: person for seat, person in people.items() if found.people.get(seat) != person}
        if changed:
            self._table.journal.seat(game if found.record is None else found.record, changed)
            if here is not None:
                here.end.put_right()
        if self._table.unfinished is not None and self._table.unfinished.game == game:  # it may be gone on with
            there = {seat: one for seat, one in people.items() if one is not None}
            self._table.unfinished = self._table.unfinished._replace(people=there)
        self._saving(game, people=tuple(people.values()))

    def remark(self, game: int, sat: Sat, note: str, day: str) -> None:
        """Add a note and a day to a game, this one or one of the past. `sat`: as `sat` has found it."""
        here = self._table.game
        self._table.journal.remark(game if here is not None and here.number == game else sat.found, note, day)
        self._saving(game, noted=(note, day))

    def places(self) -> tuple[tuple[str, str, str | None], ...]:
        """The places of this table: the button, the label, and the id of who sits there; None for a guest.

        Without a game they are those who join, or who sat there last.
        """
        if (game := self._table.game) is not None:
            seats = enumerate(game.play.players)
            return tuple((game.seating.button(seat), label, game.people.get(seat)) for seat, label in seats)
        joining = next((there for each in self._table.overlays if (there := each.places()) is not None), None)
        people = {name: self._roster.last.get(name) for name in self._table.names} if joining is None else joining
        return tuple((button, button, person) for button, person in people.items())

    def place(self, button: str) -> tuple[str, str | None]:
        """The label at this button, and who sits there; no label where it is no place of this table."""
        return next(((label, person) for name, label, person in self.places() if name == button), ("", None))

    def introduce(self, button: str, person: str) -> None:
        """Who sits at this button has given a name."""
        if (game := self._table.game) is not None:
            if (seat := game.seating.seat(button)) is not None:
                game.sit({n: person if n == seat else game.people.get(n) for n in range(len(game.play.players))})
            return
        self._roster.last[button] = person
        for each in self._table.overlays:
            each.introduce(button, person)

    def add(self, name: str, latin: str = "") -> str:
        """Somebody new: the id."""
        person = Person(os.urandom(8).hex(), name, latin)
        self.change(person)
        return person.id

    def change(self, person: Person) -> None:
        """Add a person, or change one, here and in the journal."""
        self._roster.change(person)
        self._table.journal.write_people((person,))

    def forget(self, id_: str) -> None:
        """Forget somebody, which is announced once no copy is left in the state folder.

        What is open over the game, or in the menu, is closed: it may have games and score sheets as they were before.
        """
        self._table.fresh.hold()
        self._table.close_all()
        self._take_from_memory({*map(in_capitals, self._roster.names_of(id_))} - {""})
        self._replace(id_, None)
        self._forgotten = self._table.journal.forget(id_)
        self._table.saving(self._forgotten)

    def _take_from_memory(self, names: set[str]) -> None:
        """Games in memory would write again what is to be forgotten: they leave the table and are read anew.

        So does one that was read from the journal, with its notes and its score sheet, and one that knows a fancier
        with one of these names, in capitals. It may also have been given early on a phone.
        """
        table = self._table
        if table.game is not None:
            table.game.early.forget(names, table.game.play)
            if _knows(table.game.play, names):
                table.put_away(table.game)
                table.go_home()
        if (there := table.unfinished) is not None:
            table.unfinished = there._replace(sent=without(there.sent, names))
            if there.record is not None or _knows(there.play, names):
                self._earlier, table.unfinished = there.game, None
                if table.game is None:
                    table.go_home()  # it may ask whether to go on with it
        table.carryovers = {kind: each for kind, each in table.carryovers.items() if not _has(each.value, names)}

    def _read_again(self) -> None:
        """Read what was taken from memory."""

        def carried_over(carryovers: tuple[Carryover, ...]) -> None:
            past_games.carry_over(self._table.carryovers, carryovers)

        def taken(again: Unfinished | None) -> None:
            if self._table.game is None and self._table.unfinished is None:
                self._table.unfinished = again

        self._table.read(past_games.carryovers, carried_over, lambda: True)
        if self._earlier is not None:
            self._table.read(partial(past_games.one, self._earlier), taken, lambda: True)
            self._earlier = None

    def merge(self, one: str, into: str) -> None:
        """Two who never met are the same person."""
        self._replace(one, into)
        self._table.saving(self._table.journal.merge(one, into))

    def _replace(self, id_: str, by: str | None) -> None:
        """Somebody is a guest from now on, or somebody else."""
        if self._table.phones is not None:  # before nobody knows where they sit
            self._table.phones.replace(id_, by)
        self._roster.forget(id_)
        for each in self._table.overlays:
            each.replace(id_, by)

        def replaced(people: Mapping[Seat, str]) -> dict[Seat, str]:
            new = {seat: by if person == id_ else person for seat, person in people.items()}
            return {seat: person for seat, person in new.items() if person is not None}

        if self._table.game is not None:
            self._table.game.people = replaced(self._table.game.people)
        if self._table.unfinished is not None:
            self._table.unfinished = self._table.unfinished._replace(people=replaced(self._table.unfinished.people))
        for _ticket, known in self._unsaved.values():
            if "people" in known:
                known["people"] = tuple(by if one == id_ else one for one in known["people"])


def _knows(play: Play, names: Collection[str]) -> bool:
    """Whether one of these names stands in a game, also where undo and redo lead to, and as letters under way."""
    return play.rules.renamed is not None and any(_has(state, names) for state in plays.states(play))


def _has(value: object, names: Collection[str]) -> bool:
    """Whether one of these names stands in a state or a carryover."""
    if isinstance(value, Struct):
        value = structs.astuple(value)
    return any(_has(one, names) for one in value) if isinstance(value, tuple) else value in names
