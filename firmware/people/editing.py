"""Edits of people and games are done at the table, and answered once they are on the disk."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from msgspec import structs

from firmware.people.edits import (
    Add,
    Answer,
    AnyEdit,
    Ask,
    Count,
    Done,
    Forget,
    Merge,
    Refused,
    Remark,
    Rename,
    Short,
    Sit,
    decide,
)
from firmware.table import past_games
from firmware.table.table import Table
from firmware.translation import _

Told = Callable[[Answer], None]


class Editing:
    """Takes edits. All methods on the loop's thread."""

    def __init__(self, table: Table) -> None:
        self._table = table
        self._committed = 0  # ticket
        self._waiting: list[tuple[int, Done, Told]] = []  # for tickets

    def take(self, edit: AnyEdit, agreed: frozenset[str], tell: Told) -> None:
        """Do an edit, refuse it, or ask something first. `tell` is called once; where storage fails maybe never."""
        if isinstance(edit, Merge):
            met = partial(past_games.met, edit.person, edit.into)
            self._table.read(met, partial(self._decide, edit, agreed, tell), lambda: True)
        else:
            self._decide(edit, agreed, tell, False)

    def _decide(self, edit: AnyEdit, agreed: frozenset[str], tell: Told, met: bool) -> None:
        game = self._table.game
        if isinstance(edit, Merge) and game is not None:
            met = met or {edit.person, edit.into} <= {*game.people.values()}
        decision = decide(edit, self._table.roster.persons, agreed, met)
        if isinstance(decision, Refused | Ask):
            tell(decision)
        else:
            self._do(decision.edit, tell)

    def _do(self, edit: AnyEdit, tell: Told) -> None:
        people, known = self._table.people, self._table.roster.person
        person = known(getattr(edit, "person", None))
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
            case Sit(game, seat, id_):
                people.sit(game, seat, id_, partial(self._game_done, game, tell))
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
