"""Reading a journal: the games, their facts, the sources of their stamps."""

import sqlite3
from collections.abc import Container
from contextlib import suppress
from datetime import datetime
from functools import cached_property
from itertools import accumulate
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

import msgspec
from msgspec import Struct, field

from engine.game import Rules
from engine.play import GENERIC, Fact, Play, Started, fold, opened, replay
from engine.rules import Seat
from firmware.journal import edges, people, phones, remarks, run_notes, sheets
from firmware.journal.clocks import Clocks
from firmware.journal.file import open_to_read
from firmware.journal.rows import MAX_ID, is_time, typed
from firmware.people.names import Person
from hardware.parts import debounce
from hardware.parts.buttons import Edge

MAX_BRACKETS = 500  # of an event; none has a hundred. How deep Pythons read differs; all read so deep
LAST = "id = (select game from event order by id desc limit 1)"  # the game that was played last


EventRow: TypeAlias = tuple[int, int, str, str]  # a fact's step, stamp, name and fields


class GameRow(NamedTuple):
    """One game as the history lists it."""

    game: int
    name: str  # of the rules
    started_at: str  # what the wall clock showed, right or wrong, ISO 8601, UTC; `History.began` puts it right
    sheet: str = ""  # the digest of its score sheet, where it is one


def encode(fact: Fact) -> EventRow:
    """The columns of a fact's row: step, stamp, name and fields."""
    return fact.step, fact.at_ns, type(fact.event).__name__, msgspec.json.encode(fact.event).decode()


def decode(rules: Rules[Any, Any], step: int, at_ns: int, name: str, fields: str) -> Fact:
    """The fact of a row. Raises `ValueError` for an event that the rules do not know."""
    for kind in (*GENERIC, *rules.events):
        if kind.__name__ == name:
            break
    else:
        raise ValueError(f"event {name!r} is not one of {rules.title}")
    if fields.count("[") + fields.count("{") > MAX_BRACKETS:
        raise ValueError(f"the fields of {name} are damaged")
    if kind is not Started:
        return Fact(step, at_ns, msgspec.json.decode(fields, type=kind))
    raw = msgspec.json.decode(fields, type=_Started)
    return Fact(step, at_ns, Started(raw.players, msgspec.convert(raw.options, rules.options), raw.seed))


class _Started(msgspec.Struct):
    """`Started` with its options as they are stored."""

    players: tuple[str, ...]
    options: dict[str, Any]
    seed: int


class Replay(NamedTuple):
    """A game played again."""

    facts: tuple[Fact, ...]
    plays: tuple[Play, ...]  # as it stood after each fact

    @property
    def play(self) -> Play:
        """As it stands."""
        return self.plays[-1]


def _replayed(game: int, rules: Rules[Any, Any], facts: tuple[Fact, ...], boot: str) -> Replay:
    """The plays that these facts lead to. Raises `sqlite3.Error` where some are missing or wrong."""
    try:
        return Replay(facts, tuple(accumulate(facts[1:], fold, initial=opened(rules, facts[0], boot))))
    except Exception as error:  # impossible facts may raise anything
        raise _damaged(game) from error


def _played(game: int, rules: Rules[Any, Any], facts: tuple[Fact, ...], boot: str) -> Play:
    """The play that they lead to, alone. Raises the same."""
    try:
        return replay(rules, facts, boot)
    except Exception as error:
        raise _damaged(game) from error


def _damaged(game: int) -> sqlite3.DataError:
    return sqlite3.DataError(f"game {game}: some of its events are missing or damaged")


class Run(Struct, eq=False):
    """A run of the program, and its number on the disk once it has one."""

    boot: str
    version: str
    started_at: str
    id: int | None = None
    bits: str = ""  # as `run_notes.bits`


class Recorded(Struct, eq=False):
    """A game in memory, with all its rows. `id` is its number on the disk; until `placed` the one wanted."""

    number: int  # in this run
    id: int
    run: Run
    name: str
    started_at: str
    tried: bool = False  # it may be on the disk
    placed: bool = False  # it is looked up, and `saved` of its rows are there
    saved: int = 0
    rows: list[EventRow] = field(default_factory=list)  # as `encode` makes them
    runs: list[Run] = field(default_factory=list)  # the run that wrote each row
    seats: list[people.SeatRow] = field(default_factory=list)
    seats_saved: int = 0
    notes: list[remarks.RemarkRow] = field(default_factory=list)
    notes_saved: int = 0
    sent: tuple[phones.Answered, ...] = ()  # what phones have sent and no event has yet
    sent_saved: bool = True
    sheet: str = ""  # the text of its score sheet, where it is one

    @property
    def rules(self) -> Rules[Any, Any]:
        """Its rules. Raises `Refused`."""
        return sheets.rules(self.name, self.sheet)

    @property
    def persons(self) -> dict[Seat, str]:
        """Who sits where: the ids of people; guests are left out."""
        last = {seat: person for seat, person, _ in self.seats}
        return {seat: person for seat, person in last.items() if person}

    @property
    def remark(self) -> remarks.Remark:
        """The note and the day that stand for it."""
        return remarks.Remark(*self.notes[-1][:2]) if self.notes else remarks.Remark()

    def play(self, rules: Rules[Any, Any]) -> Play:
        """The game as it stood when it was read.

        Raises `ValueError` for an event that this version does not know, `sqlite3.Error` where it is damaged.
        """
        facts = tuple(decode(rules, *row) for row in self.rows)
        return _played(self.number, rules, facts, self.run.boot)


def most(db: sqlite3.Connection, table: str) -> int:
    """The highest number in a table; 0 for an empty one. Raises `sqlite3.DataError` where none can come after it."""
    number: int = db.execute(f"select coalesce(max(id), 0) from {table}").fetchone()[0]
    if number > MAX_ID:
        raise sqlite3.DataError(f"{table} {number} is damaged")
    return number


def recalled(db: sqlite3.Connection, which: str) -> Recorded | None:
    """A game with all its rows; None where there is none. Raises `sqlite3.DataError` where one is damaged."""
    found = typed(db.execute(f"select id, run, name, started_at from game where {which}"), int, int, str, str)
    if (row := next(found, None)) is None:
        return None
    number, begun_by, name, started_at = row
    select = "select run, step, at_ns, name, fields from event where game = ? order by id"
    events = list(typed(db.execute(select, (number,)), int, int, int, str, str))
    numbers = (number, begun_by, *(run for run, *_ in events))
    if min(numbers) < 1 or max(numbers) > MAX_ID or not is_time(started_at.encode()):
        raise sqlite3.DataError(f"game {number} is damaged")
    written = {run: Run("", "", "", run) for run in {begun_by, *(run for run, *_ in events)}}
    for run in written.values():
        known = typed(db.execute("select boot, version, started_at from run where id = ?", (run.id,)), str, str, str)
        run.boot, run.version, begun = next(known, ("", "", ""))
        run.started_at = begun if is_time(begun.encode()) else ""
        run.bits = run_notes.bits(db, run.id or 0)
    game = Recorded(number, number, written[begun_by], name, started_at, tried=True)
    game.rows = [(step, at_ns, event, fields) for _, step, at_ns, event, fields in events]
    game.runs = [written[run] for run, *_ in events]
    game.seats = people.seats(db, number)
    game.notes = remarks.rows(db, number)
    game.sent = phones.sent(db, number, len(game.rows))
    game.sheet = sheets.text(db, number)
    return game


class EventPlace(NamedTuple):
    """Where an event stands in the journal."""

    id: int
    run: int


class History:
    """Reads a journal; it may be written to at the same time."""

    def __init__(self, path: Path, *, first: bool = False) -> None:
        """`first` as in `open_to_read`.

        Raises `FileNotFoundError` where there is no journal yet, `sqlite3.Error` where it cannot be read.
        """
        self._db = open_to_read(path, first=first)

    def games(self) -> tuple[GameRow, ...]:
        """All games, the newest first."""
        sheet = "coalesce((select digest from game_sheet where game = game.id), '')" if sheets.there(self._db) else "''"
        rows = self._db.execute(
            f"select id, name, started_at, {sheet} from game "
            "where exists (select 1 from event where event.game = game.id) order by id desc"
        )
        return tuple(GameRow(*row) for row in typed(rows, int, str, str, str))

    def began(self, row: GameRow) -> datetime | None:
        """When a game began; None where no clock was right."""
        rows = self._db.execute("select run, at_ns from event where game = ? order by id limit 1", (row.game,))
        with suppress(sqlite3.DataError):  # its beginning is damaged
            for run, at_ns in typed(rows, int, int):
                return self._clocks.began(row.game, run, at_ns, row.started_at)
        return None

    @cached_property
    def _clocks(self) -> Clocks:
        return Clocks(self._db)

    def rules(self, row: GameRow) -> Rules[Any, Any]:
        """The rules of a game. Raises `Refused` where this version does not know them."""
        return sheets.rules(row.name, sheets.text(self._db, row.game) if row.sheet else "")

    def recalled(self, game: int) -> Recorded | None:
        """A game with all its rows, to go on with; None where it is not there."""
        return recalled(self._db, f"id = {game:d}")

    def facts(self, game: int, rules: Rules[Any, Any]) -> tuple[Fact, ...]:
        """All facts of one game, in order. Raises `sqlite3.Error` where one cannot be read."""
        rows = self._db.execute("select step, at_ns, name, fields from event where game = ? order by id", (game,))
        try:
            return tuple(decode(rules, *row) for row in typed(rows, int, int, str, str))
        except ValueError as error:
            raise sqlite3.DataError(f"game {game}: {error}") from None

    def people(self, game: int) -> dict[Seat, Person]:
        """Those who sat there; guests are left out."""
        persons = {person.id: person for person in people.known(self._db)}
        last = {seat: person for seat, person, _ in people.seats(self._db, game)}
        return {seat: persons[person] for seat, person in last.items() if person in persons}

    def forgotten(self, game: int) -> frozenset[Seat]:
        """The seats of those who were forgotten."""
        last = {seat: person for seat, person, _ in people.seats(self._db, game)}
        return frozenset(seat for seat, person in last.items() if person == people.FORGOTTEN)

    def remark(self, game: int) -> remarks.Remark:
        """The note and the day that people have added to a game."""
        return remarks.of(self._db, game)

    def everybody(self) -> tuple[Person, ...]:
        """All people, those of the latest game in front."""
        return people.known(self._db)

    def names(self, game: int) -> dict[Seat, str]:
        """The names of those who sat there; guests are left out."""
        return {seat: person.name for seat, person in self.people(game).items()}

    def met(self, one: str, other: str) -> bool:
        """Whether two people, by their ids, sat in the same game."""
        return people.met(self._db, one, other)

    def runs(self, game: int) -> tuple[int, ...]:
        """The run of the program that wrote each fact of a game, in order."""
        return tuple(run for (run,) in self._db.execute("select run from event where game = ? order by id", (game,)))

    def events(self, game: int) -> tuple[EventPlace, ...]:
        """The number and the run of each fact of a game, in order."""
        rows = self._db.execute("select id, run from event where game = ? order by id", (game,))
        return tuple(EventPlace(*row) for row in rows)

    def kit(self, run: int) -> str:
        """What times of two runs have to share to be compared; empty where an older version has not noted it."""
        return run_notes.kit(self._db, run)

    def buttons(self, game: int) -> tuple[str, ...]:
        """The names of the kit's buttons in the order of its description, when this game was played last."""
        runs = self.runs(game)
        return run_notes.buttons(self._db, runs[-1]) if runs else ()

    def sources(self, run: int, first_ns: int, last_ns: int) -> dict[tuple[str, int], str]:
        """The sources of a run's presses from one stamp to another: by button and stamp of the raw edge."""
        rows = self._db.execute(
            "select button, at_ns, source from edge where run = ? and down and at_ns between ? and ?",
            (run, first_ns, last_ns),
        )
        return {(button, at_ns): source for button, at_ns, source in rows}

    def pressed(self, boot: str, first_ns: int, last_ns: int) -> tuple[str, ...]:
        """The buttons that were pressed in this boot, by the raw edges from one stamp to another."""
        return tuple(sorted(debounce.pressed(edges.between(self._db, boot, first_ns, last_ns))))

    def latest_evening(self, buttons: Container[str]) -> tuple[tuple[Edge, ...], ...]:
        """The raw edges of these buttons on the latest evening, by run, each run's in the order stored."""
        return tuple(edges.latest_evening(self._db, buttons))

    def boot(self, game: int) -> str:
        """The boot in which the game was begun."""
        row = self._db.execute(
            "select boot from run join game on game.run = run.id where game.id = ?", (game,)
        ).fetchone()
        return "" if row is None else str(row[0])

    def play(self, game: int, rules: Rules[Any, Any]) -> Play:
        """The game as it stands. Raises `sqlite3.Error` where it cannot be read."""
        return _played(game, rules, self.facts(game, rules), self.boot(game))

    def replay(self, game: int, rules: Rules[Any, Any]) -> Replay:
        """The game, played again. Raises `sqlite3.Error` where it cannot be read."""
        return _replayed(game, rules, self.facts(game, rules), self.boot(game))

    def close(self) -> None:
        self._db.close()
