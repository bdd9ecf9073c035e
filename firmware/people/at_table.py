"""The people of a table: who sits where, in this game and in those of the past; new, other and forgotten ones."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING

from msgspec import Struct, structs

from engine import play as plays
from engine.play import Play
from engine.rules import Seat
from firmware.journal.phones import without
from firmware.people.edits import (
    FORGET,
    REALLY,
    Add,
    Answer,
    AnyEdit,
    Ask,
    Count,
    Decision,
    Done,
    Forget,
    Merge,
    Refused,
    Remark,
    Rename,
    Seats,
    Short,
    decide,
)
from firmware.people.names import Person, in_capitals
from firmware.people.roster import Roster
from firmware.shelf import known
from firmware.table import past_games
from firmware.table.past_games import Carryover, Unfinished
from firmware.translation import _

if TYPE_CHECKING:
    from firmware.table.table import Table

# who sits at each seat from now on, by the game and who sat there; None where that cannot be
Change = Callable[[Play, Mapping[Seat, str]], dict[Seat, str | None] | None]


class People:
    """What a table does about its people. All methods on the loop's thread."""

    def __init__(self, table: Table, roster: Roster) -> None:
        self._table, self._roster = table, roster
        self._forgotten: int | None = None  # the ticket after which somebody is forgotten
        self._earlier: int | None = None  # a game to go on with, which is read again then

    def on_commit(self, ticket: int) -> None:
        """Everything written up to this ticket is on the disk."""
        if self._forgotten is not None and self._forgotten <= ticket:
            self._forgotten = None
            self._table.fresh.release()
            self._read_again()
            self._table.note(_("forgotten. Look after your backups, exports and people.txt yourself"))

    def sit(self, game: int, seat: Seat, person: str | None, then: Callable[[bool], None] = lambda done: None) -> None:
        """Put right who sits at a seat of a game, this one or one of the past. `then`: is told whether they fit.

        Whoever sat there changes places with this person. Seats and people that there are not change nothing.
        """
        self._reseat(game, lambda play, people: self._changed_places(play, people, seat, person), then)

    def seat(self, game: int, ids: Sequence[str | None], then: Callable[[bool], None]) -> None:
        """Put right who sits at all seats of a game, this one or one of the past. `then`: is told whether they fit."""
        self._reseat(game, lambda play, _: dict(enumerate(ids)) if len(ids) == len(play.players) else None, then)

    def _reseat(self, game: int, change: Change, then: Callable[[bool], None]) -> None:
        here = self._table.game
        if here is not None and here.number == game:
            people = change(here.play, here.people)
            if people is not None:
                here.sit(people)
            then(people is not None)
            return

        def read(found: Unfinished | None) -> None:
            if found is not None and self._table.game is not None and self._table.game.number == game:
                self._reseat(game, change, then)  # it came to the table meanwhile
                return
            people = None if found is None else change(found.play, found.people)
            if found is not None and people is not None:
                self.put_right(found, people)
            then(people is not None)

        self._table.read(partial(past_games.one, game), read, lambda: True)

    def remark(self, game: int, note: str, day: str, then: Callable[[bool], None]) -> None:
        """Add a note and a day to a game, this one or one of the past. `then` is told whether there is such a game."""

        def read(found: Unfinished | None) -> None:
            if found is not None:
                self._table.journal.remark(game if found.record is None else found.record, note, day)
            then(found is not None)

        if (here := self._table.game) is not None and here.number == game:
            self._table.journal.remark(game, note, day)
            then(True)
        else:
            self._table.read(partial(past_games.one, game), read, lambda: True)

    def _changed_places(
        self, play: Play, people: Mapping[Seat, str], seat: Seat, person: str | None
    ) -> dict[Seat, str | None] | None:
        """Everybody once this person sits at this seat; None where that cannot be."""
        if not 0 <= seat < len(play.players) or (person is not None and self._roster.person(person) is None):
            return None
        sat: dict[Seat, str | None] = {n: people.get(n) for n in range(len(play.players))}
        for other, one in sat.items():
            if one == person and person is not None:
                sat[other] = sat[seat]
        return sat | {seat: person}

    def put_right(self, game: Unfinished, people: Mapping[Seat, str | None]) -> Unfinished:
        """Other people sat in a game that is not on the table: the game with them."""
        changed = {seat: person for seat, person in people.items() if game.people.get(seat) != person}
        if changed:
            self._table.journal.seat(game.game if game.record is None else game.record, changed)
            if self._table.game is not None:
                self._table.game.evening = None
        game = game._replace(people={seat: one for seat, one in people.items() if one is not None})
        if self._table.unfinished is not None and self._table.unfinished.game == game.game:  # it may be gone on with
            self._table.unfinished = self._table.unfinished._replace(people=game.people)
        return game

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

    def introduce(self, button: str, person: str) -> None:
        """Who sits at this button has given a name."""
        if (game := self._table.game) is not None:
            if (seat := game.seating.seat(button)) is not None:
                self.sit(game.number, seat, person)
            return
        self._roster.last[button] = person
        for each in self._table.overlays:
            each.introduce(button, person)

    def known(self, button: str, person: str) -> None:
        """The guest at this button has a name now."""
        if self._table.phones is not None:
            self._table.phones.follow(button, person)

    def add(self, name: str, latin: str = "") -> str:
        """Somebody new: the id."""
        person = Person(os.urandom(8).hex(), name, latin)
        self.change(person)
        return person.id

    def change(self, person: Person) -> None:
        """Add a person, or change one, here and in the journal."""
        self._roster.change(person)
        self._table.journal.write_people((person,))

    def forget(self, id_: str) -> bool:
        """Forget somebody: refused while storage fails, announced once no copy is left in the state folder.

        What is open over the game, or in the menu, is closed: it may have games and score sheets as they were before.
        False: it was refused.
        """
        if not self._table.saved:
            self._table.refuse(_("not while saving fails"))
            return False
        self._table.fresh.hold()
        self._table.close_all()
        self._take_from_memory({*map(in_capitals, self._roster.names_of(id_))} - {""})
        self._replace(id_, None)
        self._forgotten = self._table.journal.forget(id_)
        self._table.saving(self._forgotten)
        return True

    def _take_from_memory(self, names: set[str]) -> None:
        """Games in memory would write again what is to be forgotten: they leave the table and are read anew.

        So does one that was read from the journal, with its notes and its score sheet, and one that knows a fancier
        with one of these names, in capitals. It may also have been given early on a phone.
        """
        table = self._table
        if table.game is not None:
            table.game.forget(names)
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
            for each in carryovers:
                self._table.carry_over(each)

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


def _knows(play: Play, names: Collection[str]) -> bool:
    """Whether one of these names stands in a game, also where undo and redo lead to, and as letters under way."""
    return play.rules.renamed is not None and any(_has(state, names) for state in plays.states(play))


def _has(value: object, names: Collection[str]) -> bool:
    """Whether one of these names stands in a state or a carryover."""
    if isinstance(value, Struct):
        value = structs.astuple(value)
    return any(_has(one, names) for one in value) if isinstance(value, tuple) else value in names


Told = Callable[[Answer], None]


class Editing:
    """Takes edits. All methods on the loop's thread."""

    def __init__(self, table: Table) -> None:
        self._table = table
        self._committed = 0  # ticket
        self._waiting: list[tuple[int, Done, Told]] = []  # for tickets

    def take(self, edit: AnyEdit, agreed: frozenset[str], tell: Told) -> None:
        """Do an edit, refuse it, or ask something first. `tell` is called once; where storage fails maybe never."""

        def decided(decision: Decision) -> None:
            if isinstance(decision, Refused | Ask):
                tell(decision)
            else:
                self._do(decision.edit, tell)

        self.look(edit, agreed, decided)

    def look(self, edit: AnyEdit, agreed: frozenset[str], then: Callable[[Decision], None]) -> None:
        """Say what comes of an edit, and change nothing. `then` is called once, maybe later."""
        if isinstance(edit, Merge):
            met = partial(past_games.met, edit.person, edit.into)
            self._table.read(met, lambda met: self._decide(edit, agreed, then, met=met), lambda: True)
        elif isinstance(edit, Forget) and FORGET in agreed and REALLY not in agreed:
            naming = partial(known.naming, self._table.roster.names_of(edit.person))
            self._table.read(naming, lambda files: self._decide(edit, agreed, then, sheets=files), lambda: True)
        else:
            self._decide(edit, agreed, then)

    def _decide(
        self,
        edit: AnyEdit,
        agreed: frozenset[str],
        then: Callable[[Decision], None],
        *,
        met: bool = False,
        sheets: Sequence[str] = (),
    ) -> None:
        game = self._table.game
        if isinstance(edit, Merge) and game is not None:
            met = met or {edit.person, edit.into} <= {*game.people.values()}
        then(decide(edit, self._table.roster.persons, agreed, met, sheets))

    def _do(self, edit: AnyEdit, tell: Told) -> None:
        people = self._table.people
        person = self._table.roster.person(getattr(edit, "person", None))
        match edit:
            case Add(name, latin):
                self._done(Done(people.add(name, latin)), tell)
            case Rename(id_, name, latin) if person is not None:
                people.change(structs.replace(person, name=name, latin=latin))
                self._done(Done(id_), tell)
            case Short(id_, latin) if person is not None:
                people.change(structs.replace(person, latin=latin))
                self._done(Done(id_), tell)
            case Count(id_, counted) if person is not None:
                people.change(structs.replace(person, counted=counted))
                self._done(Done(id_), tell)
            case Merge(id_, into):
                people.merge(id_, into)
                self._done(Done(into), tell)
            case Forget(id_) if not self._table.saved:
                tell(Refused(_("Nobody can be forgotten while saving fails.")))
            case Forget(id_):
                people.forget(id_)
                self._done(Done(), tell)
            case Seats(game, ids):
                people.seat(game, ids, partial(self._game_done, game, tell))
            case Remark(game, note, day):
                people.remark(game, note, day, partial(self._game_done, game, tell))

    def _game_done(self, game: int, tell: Told, done: bool) -> None:
        if done:
            self._done(Done(game=game), tell)
        else:
            tell(Refused(_("There is no such game, seat or person.")))

    def _done(self, done: Done, tell: Told) -> None:
        """It is done: told once all that was queued by now is on the disk."""
        self._waiting.append((self._table.journal.ticket, done, tell))
        self.on_commit(self._committed)

    def on_commit(self, ticket: int) -> None:
        """Everything written up to this ticket is on the disk."""
        self._committed = ticket
        waiting, self._waiting = self._waiting, []
        for until, done, tell in waiting:
            if until <= ticket:
                tell(done)
            else:
                self._waiting.append((until, done, tell))
