"""The journal: every event of every game in SQLite, append-only, for ever. Raw edges stand beside them for 30 days.

One thread writes; whatever waits is committed together. What a game means is shown only once it is committed, so a
crash never takes back what players were told. Where storage fails, the game goes on in memory and what waits is
written as soon as storage is back.
"""

import contextlib
import queue
import sqlite3
import threading
import time
from collections.abc import Callable, Iterable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from engine.play import GENERIC, Fact, Play, Started, replay
from engine.rules import Rules
from firmware import VERSION
from hardware.buttons import Edge

SCHEMA_VERSION = 1
SCHEMA = """
create table run (id integer primary key, boot text not null, version text not null, started_at text not null);
create table game (id integer primary key, run integer not null, name text not null, started_at text not null);
create table event (id integer primary key, run integer not null, game integer not null, step integer not null,
    at_ns integer not null, name text not null, fields text not null);
create index event_by_game on event (game, id);
create table edge (id integer primary key, run integer not null, button text not null, down integer not null,
    at_ns integer not null, source text not null);
create index edge_by_run on edge (run);
"""
RETRY_S = 1.0
EDGES_DAYS = 30

Row = tuple[str, tuple[Any, ...]]  # a statement and its values


class GameRow(NamedTuple):
    """One game as the history lists it."""

    game: int
    name: str  # of the rules
    started_at: str  # wall time, ISO 8601, UTC


def encode(fact: Fact) -> tuple[int, int, str, str]:
    """Step, stamp, name and fields of a fact, as its row has them."""
    return fact.step, fact.at_ns, type(fact.event).__name__, msgspec.json.encode(fact.event).decode()


def decode(rules: Rules[Any, Any, Any], step: int, at_ns: int, name: str, fields: str) -> Fact:
    """The fact that a row holds. Raises `ValueError` for an event that the rules do not know."""
    for kind in (*GENERIC, *rules.events):
        if kind.__name__ == name:
            break
    else:
        raise ValueError(f"event {name!r} is not one of {rules.title}")
    if kind is Started:
        raw = msgspec.json.decode(fields)
        options = msgspec.convert(raw["options"], rules.options)
        return Fact(step, at_ns, Started(tuple(raw["players"]), options, raw["seed"]))
    return Fact(step, at_ns, msgspec.json.decode(fields, type=kind))


def now_text() -> str:
    """Wall time, for people only."""
    return datetime.now(UTC).isoformat(timespec="seconds")


class Journal:
    """Writes on a thread of its own.

    `on_commit(ticket)` is called on that thread once everything up to this ticket is on the disk; `on_trouble(text)`
    when storage fails, `on_trouble(None)` when it is whole again. With `threaded=False` all happens in the caller.
    """

    def __init__(
        self,
        path: Path,
        boot: str,
        on_commit: Callable[[int], None],
        on_trouble: Callable[[str | None], None],
        *,
        threaded: bool = True,
    ) -> None:
        self.path = path
        self._on_commit, self._on_trouble = on_commit, on_trouble
        self._queue: queue.SimpleQueue[tuple[int, list[Row]] | None] = queue.SimpleQueue()
        self._waiting: list[tuple[int, list[Row]]] = []
        self._edges: list[Row] = []
        self._promised: tuple[int, tuple[int, ...]] | None = None  # how many of these, and the ids they would lead to
        self._db: sqlite3.Connection | None = None
        self._troubled = False
        self._ticket = 0
        self._run, self._game = self._last_ids()
        self._run += 1
        self._thread = threading.Thread(target=self._work, name="journal") if threaded else None
        self._put([("insert into run values (?, ?, ?, ?)", (self._run, boot, VERSION, now_text())), *_prune()])
        if self._thread is not None:
            self._thread.start()

    def begin_game(self, name: str) -> int:
        """A new game's number."""
        self._game += 1
        self._put([("insert into game values (?, ?, ?, ?)", (self._game, self._run, name, now_text()))])
        return self._game

    def write(self, game: int, facts: Iterable[Fact]) -> int:
        """Queue facts; the ticket tells when they are committed. Never blocks."""
        statement = "insert into event (run, game, step, at_ns, name, fields) values (?, ?, ?, ?, ?, ?)"
        return self._put([(statement, (self._run, game, *encode(fact))) for fact in facts])

    def write_edge(self, edge: Edge) -> None:
        """Keep a raw edge: it is written together with what comes next, or by `flush`."""
        statement = "insert into edge (run, button, down, at_ns, source) values (?, ?, ?, ?, ?)"
        self._edges.append((statement, (self._run, edge.button, edge.down, edge.at_ns, edge.source)))

    def flush(self) -> None:
        """Queue the raw edges that nothing came after."""
        if self._edges:
            self._put([])

    def close(self) -> None:
        """Write what waits, once more even where storage failed, and end the thread."""
        self.flush()
        if self._thread is None:
            self._drain()
        else:
            self._queue.put(None)
            self._thread.join()
        if self._db is not None:
            self._db.close()

    def _last_ids(self) -> tuple[int, int]:
        try:
            db = self._open()
            run, game, *_ = _ids(db)
            db.close()
        except (sqlite3.Error, OSError):
            return int(time.time()), int(time.time())  # the thread will say so; numbers that no other run has taken
        return run, game

    def _open(self) -> sqlite3.Connection:
        self.path.parent.mkdir(parents=True, exist_ok=True)
        db = sqlite3.connect(self.path, isolation_level=None, check_same_thread=False)
        try:
            db.execute("pragma journal_mode = wal")
            db.execute("pragma synchronous = full")
            if _check_version(db) == 0:
                db.executescript(f"begin; {SCHEMA} pragma user_version = {SCHEMA_VERSION}; commit")
        except BaseException:
            db.close()
            raise
        return db

    def _put(self, rows: list[Row]) -> int:
        self._ticket += 1
        edges, self._edges = self._edges, []
        self._queue.put((self._ticket, edges + rows))
        if self._thread is None:
            self._drain()
        return self._ticket

    def _drain(self) -> None:
        while not self._queue.empty():
            if (item := self._queue.get()) is not None:
                self._waiting.append(item)
        self._commit()

    def _work(self) -> None:
        closing = False
        while not closing:
            try:
                item = self._queue.get(timeout=RETRY_S if self._waiting else None)
                while True:
                    if item is None:
                        closing = True
                    else:
                        self._waiting.append(item)
                    item = self._queue.get_nowait()
            except queue.Empty:
                pass
            self._commit()

    def _commit(self) -> None:
        """Commit all that waits, or say what is wrong and keep it."""
        if not self._waiting:
            return
        try:
            if self._db is None:
                self._db = self._open()
            ticket = self._waiting[-1][0]
            self._db.execute("begin immediate")
            self._skip(self._db)
            for _, rows in self._waiting:
                for statement, values in rows:
                    self._db.execute(statement, values)
            self._promised = len(self._waiting), _ids(self._db)
            self._db.execute("commit")
        except (sqlite3.Error, OSError) as error:
            self._forget()
            if not self._troubled:
                self._troubled = True
                self._on_trouble(f"cannot save: {getattr(error, 'strerror', None) or error}")
            return
        self._waiting.clear()
        self._promised = None
        if self._troubled:
            self._troubled = False
            self._on_trouble(None)
        self._on_commit(ticket)

    def _skip(self, db: sqlite3.Connection) -> None:
        """Do not write twice what a commit that failed has left on the disk all the same."""
        if self._promised is not None:
            count, ids = self._promised
            if _ids(db) == ids:
                del self._waiting[:count]
            self._promised = None

    def _forget(self) -> None:
        """Let go of a connection that failed; the next commit opens a new one."""
        db, self._db = self._db, None
        if db is not None:
            with contextlib.suppress(sqlite3.Error):
                db.close()


def _check_version(db: sqlite3.Connection) -> int:
    """The journal's version, 0 for an empty one. Raises `sqlite3.DatabaseError` if it is newer than this program."""
    version: int = db.execute("pragma user_version").fetchone()[0]
    if version > SCHEMA_VERSION:
        raise sqlite3.DatabaseError(f"the journal is of version {version}, newer than this program")
    return version


def _ids(db: sqlite3.Connection) -> tuple[int, ...]:
    """The latest row of each table."""
    tables = ("run", "game", "event", "edge")
    return tuple(db.execute(f"select coalesce(max(id), 0) from {table}").fetchone()[0] for table in tables)


def _prune() -> list[Row]:
    """Raw edges older than 30 days go: those of runs after which, as long ago, another one began.

    Wall time decides, since stamps are those of their own boot.
    """
    old = (datetime.now(UTC) - timedelta(days=EDGES_DAYS)).isoformat(timespec="seconds")
    followed = "exists (select 1 from run as later where later.id > run.id and later.started_at < ?)"
    statement = f"delete from edge where run in (select id from run where started_at < ? and {followed})"
    return [(statement, (old, old))]


# --- reading ---------------------------------------------------------------------------------------------------------


class History:
    """Reads a journal; it may be written to at the same time."""

    def __init__(self, path: Path) -> None:
        """Raises `FileNotFoundError` where there is no journal yet, `sqlite3.Error` where it cannot be read."""
        missing = FileNotFoundError(f"no journal at {path}: no game has been played yet")
        if not path.exists():
            raise missing
        self._db = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
        try:
            if _check_version(self._db) == 0:
                raise missing
        except BaseException:
            self._db.close()
            raise

    def games(self) -> tuple[GameRow, ...]:
        """All games, the newest first."""
        rows = self._db.execute(
            "select id, name, started_at from game where exists (select 1 from event where event.game = game.id) "
            "order by id desc"
        )
        return tuple(GameRow(*row) for row in rows)

    def facts(self, game: int, rules: Rules[Any, Any, Any]) -> tuple[Fact, ...]:
        """All facts of one game, in order. Raises `sqlite3.Error` where one cannot be read."""
        rows = self._db.execute("select step, at_ns, name, fields from event where game = ? order by id", (game,))
        try:
            return tuple(decode(rules, *row) for row in rows)
        except ValueError as error:
            raise sqlite3.DataError(f"game {game}: {error}") from None

    def runs(self, game: int) -> tuple[int, ...]:
        """The run of the program that wrote each fact of a game, in order."""
        return tuple(run for (run,) in self._db.execute("select run from event where game = ? order by id", (game,)))

    def sources(self, run: int, first_ns: int, last_ns: int) -> dict[tuple[str, int], str]:
        """Who stamped the raw edges of a run that went down from one stamp to another: by button and stamp."""
        rows = self._db.execute(
            "select button, at_ns, source from edge where run = ? and down and at_ns between ? and ?",
            (run, first_ns, last_ns),
        )
        return {(button, at_ns): source for button, at_ns, source in rows}

    def boot(self, game: int) -> str:
        """The boot in which the game was begun."""
        row = self._db.execute(
            "select boot from run join game on game.run = run.id where game.id = ?", (game,)
        ).fetchone()
        return str(row[0])

    def play(self, game: int, rules: Rules[Any, Any, Any]) -> Play:
        """The game as it stands."""
        return replay(rules, self.facts(game, rules), self.boot(game))

    def close(self) -> None:
        self._db.close()
