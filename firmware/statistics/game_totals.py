"""The sums: places, points, categories and reaction times of every game, each replayed once.

They stand in a file of their own beside the journal, which may be deleted at any time: it is derived, and made again.
Where it cannot be written, as on a full disk, they are made in memory: reading the history must not need to write.
No person is in it: who sat where is read from the journal, so that names, guests and seats may change. A game is summed
again where the journal has more of it than before: after an undo, a correction, or what an older version has written.
"""

import contextlib
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

from engine import games
from engine.game import Rules
from engine.play import Play
from engine.racing import Pressed
from engine.rules import Refused
from firmware import VERSION
from firmware.journal import races, sheets
from firmware.journal.file import attach_to_read, code, damaged, look, of_storage
from firmware.journal.reader import GameRow, History
from firmware.journal.sheet import game_took, steps
from firmware.state_folder import JOURNAL, SUMS

FORMAT = 4  # of these tables and of what stands in them; a file of another one is made again
AT_ONCE = 50  # games in a commit
BUSY_S = 30.0
SCHEMA = """
create table game (id integer primary key, mark text not null, name text not null, players integer not null,
    over integer not null default 0, counted integer not null default 0, run integer, begun_ns integer,
    end_event integer, end_run integer, end_ns integer, took_ns integer, closest_round integer, closest_ns integer);
create table result (game integer not null, seat integer not null, label text not null, points integer not null,
    place integer not null, won integer not null, primary key (game, seat));
create table category (game integer not null, seat integer not null, name text not null, points integer not null);
create index category_by_game on category (game);
create table reaction (game integer not null, round integer not null, seat integer not null, kind text not null,
    won integer not null, after_ns integer, error_ns integer not null, signal text not null, kit text not null);
create index reaction_by_game on reaction (game);
"""
TABLES = ("result", "category", "reaction")


def up_to_date(folder: Path) -> sqlite3.Connection:
    """The sums of the journal in this folder, up to date; the journal is attached as `journal`, to be read.

    Raises `FileNotFoundError` where there is no journal yet, `sqlite3.Error`.
    """
    journal = folder / JOURNAL
    with closing(History(journal)) as history:
        try:
            return _caught_up(_open(folder / SUMS), journal, history)
        except sqlite3.Error as error:
            if not of_storage(error) or code(error) == sqlite3.SQLITE_BUSY:
                raise
        return _caught_up(_in_memory(folder / SUMS), journal, history)


def _caught_up(db: sqlite3.Connection, journal: Path, history: History) -> sqlite3.Connection:
    """The sums with all that the journal has."""
    try:
        db.execute("pragma temp_store = memory")
        attach_to_read(db, journal, "journal")
        _catch_up(db, history)
    except BaseException:
        db.close()
        raise
    return db


def _open(path: Path, *, again: bool = False) -> sqlite3.Connection:
    """The file, begun anew where it is of another format or damaged."""
    db = sqlite3.connect(path.absolute().as_uri(), uri=True, isolation_level=None, timeout=BUSY_S)
    try:
        db.execute("pragma journal_mode = wal")
        db.execute("pragma synchronous = normal")
        _begin(db)
    except sqlite3.Error as error:
        db.close()
        if not damaged(error) or again:
            raise
        for end in ("", "-wal", "-shm"):
            path.with_name(path.name + end).unlink(missing_ok=True)
        return _open(path, again=True)
    return db


def _in_memory(path: Path) -> sqlite3.Connection:
    """What the file has, in memory; all is summed anew where it cannot be read."""
    db = sqlite3.connect(":memory:", uri=True, isolation_level=None)
    with contextlib.suppress(sqlite3.Error):
        there, _format = look(path)
        with closing(there):
            there.backup(db)
    _begin(db)
    return db


def _begin(db: sqlite3.Connection) -> None:
    """Make the tables, where there are none of this format."""
    db.execute("begin immediate")
    if db.execute("pragma user_version").fetchone()[0] != FORMAT:
        for (name,) in db.execute("select name from sqlite_master where type = 'table'").fetchall():
            db.execute(f"drop table {name}")
        for statement in SCHEMA.split(";")[:-1]:
            db.execute(statement)
        db.execute(f"pragma user_version = {FORMAT}")
    db.execute("commit")


def _catch_up(db: sqlite3.Connection, history: History) -> None:
    """Sum what the journal has more, and drop what it has no longer."""
    marks = dict(db.execute("select id, mark from game"))
    there = dict(_marks(db))
    todo = [game for game, (mark, _) in there.items() if marks.get(game) != mark]
    for gone in marks.keys() - there.keys():
        _drop(db, gone)
    for first in range(0, len(todo), AT_ONCE):
        db.execute("begin immediate")
        for game in todo[first : first + AT_ONCE]:
            mark, name = there[game]
            _drop(db, game)
            _sum(db, history, game, mark, name)
        db.execute("commit")


def _marks(db: sqlite3.Connection) -> Iterator[tuple[int, tuple[str, str]]]:
    """By game what it is known by: it changes with every event; and the name of its rules."""
    rows = db.execute(
        "select game.id, game.name, game.started_at, event.id, event.at_ns from journal.game "
        "join journal.event on event.id = (select max(id) from journal.event as last where last.game = game.id)"
    )
    for game, name, started_at, event, at_ns in rows:
        yield game, (f"{started_at} {event} {at_ns}{'' if name in games.names() else f' {VERSION}'}", name)


def _drop(db: sqlite3.Connection, game: int) -> None:
    for table in TABLES:
        db.execute(f"delete from {table} where game = ?", (game,))
    db.execute("delete from game where id = ?", (game,))


def _sum(db: sqlite3.Connection, history: History, game: int, mark: str, name: str) -> None:
    """Replay a game and write its sums; of one that cannot be read only that it was seen."""
    db.execute("insert into game (id, mark, name, players) values (?, ?, ?, 0)", (game, mark, name))
    with contextlib.suppress(Refused, sqlite3.DataError):
        rules = sheets.rules(name, sheets.text(db, game, "journal"))
        _sum_replayed(db, history, game, rules)


def _sum_replayed(db: sqlite3.Connection, history: History, game: int, rules: Rules[Any, Any]) -> None:
    replay, events = history.replay(game, rules), history.events(game)
    facts, play = replay.facts, replay.play
    # the fact that ended it first
    ended = next((n for n, then in enumerate(replay.plays) if then.over), None) if play.over else None
    runs: dict[int, int] = {}  # by round, of its latest press
    if rules.reactions is not None:
        for fact, then, event in zip(facts, replay.plays, events, strict=True):
            if isinstance(fact.event, Pressed):
                runs[then.state.round.number] = event.run
    counted = play.over and not play.ended
    took_ns = game_took(replay)
    end = (None, None, None) if ended is None else (events[ended].id, events[ended].run, facts[ended].at_ns)
    db.execute(
        "update game set name = ?, players = ?, over = ?, counted = ?, run = ?, begun_ns = ?, end_event = ?, "
        "end_run = ?, end_ns = ?, took_ns = ? where id = ?",
        (rules.kind, len(play.players), play.over, counted, events[0].run, facts[0].at_ns, *end, took_ns, game),
    )
    if counted:
        _write(db, history, game, play, runs)
        row = GameRow(game, rules.name, "")
        if (closest := races.closest(races.finishes(history, row, replay, {}))) is not None:
            race, gap_ns = closest
            db.execute("update game set closest_round = ?, closest_ns = ? where id = ?", (race.round, gap_ns, game))


def _write(db: sqlite3.Connection, history: History, game: int, play: Play, runs: dict[int, int]) -> None:
    """The sums of a game that counts."""
    rules, points, places = play.rules, play.scores, play.places
    columns = zip(play.players, points, places, strict=True)
    results = [(game, seat, *column, seat in play.winners) for seat, column in enumerate(columns)]
    db.executemany("insert into result values (?, ?, ?, ?, ?, ?)", results)
    if rules.categories is not None:
        made = rules.categories(play.state)
        parts = [(game, seat, str(part.name), n) for part in made for seat, n in enumerate(part.points)]
        db.executemany("insert into category values (?, ?, ?, ?)", parts)
    if rules.reactions is not None:
        last = dict(rules.reactions(state) for _, _, state in steps(play))  # by round, as each was left
        kits = {number: history.kit(run) for number, run in runs.items()}
        times = [
            (game, number, seat, kind, won, after_ns, error_ns, signal, kits.get(number, ""))
            for number, reactions in last.items()
            for seat, kind, won, after_ns, error_ns, signal in reactions
        ]
        db.executemany("insert into reaction values (?, ?, ?, ?, ?, ?, ?, ?, ?)", times)
