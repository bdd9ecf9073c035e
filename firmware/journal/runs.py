"""What a run notes of itself, beside the events: its kit, what its wall clock knew, whether a new evening has begun.

Moments are rows of `clock`: a stamp of the run, and the wall time, null where it was not known. A run without rows is
an older version's. Where two runs cannot tell by their clocks how far they are apart, people are asked once: the
answer stands in `evening`, by the number of the last event before.
"""

import sqlite3
from collections.abc import Sequence

from firmware.wall_clock import Moment

SCHEMA = """
create table if not exists kit (run integer primary key, name text not null);
create table if not exists clock (id integer primary key, run integer not null, at_ns integer not null, wall text);
create index if not exists clock_by_run on clock (run, id);
create table if not exists evening (event integer primary key, new integer not null);
"""


def begin(db: sqlite3.Connection) -> None:
    """Make the tables where an older version has begun the journal."""
    for statement in SCHEMA.split(";")[:-1]:
        db.execute(statement)


def note(db: sqlite3.Connection, run: int, kit: str, moments: Sequence[Moment]) -> None:
    """Add what is missing of all that this run has noted."""
    db.execute("insert or ignore into kit (run, name) values (?, ?)", (run, kit))
    (there,) = db.execute("select count(*) from clock where run = ?", (run,)).fetchone()
    rows = [(run, *moment) for moment in moments[there:]]
    db.executemany("insert into clock (run, at_ns, wall) values (?, ?, ?)", rows)


def answer(db: sqlite3.Connection, *, new: bool) -> None:
    """Add whether what comes after the last event is a new evening's."""
    db.execute("insert or ignore into evening (event, new) select max(id), ? from event", (new,))


def time_known(db: sqlite3.Connection, run: int) -> bool:
    """Whether a run knew its wall time in the end; that of an older version is taken at its word."""
    if not _there(db):
        return True
    row = db.execute("select wall from clock where run = ? order by id desc limit 1", (run,)).fetchone()
    return row is None or row[0] is not None


def kit(db: sqlite3.Connection, run: int) -> str:
    """The kit of a run; empty where an older version has not noted it."""
    row = _there(db) and db.execute("select name from kit where run = ?", (run,)).fetchone()
    return str(row[0]) if row else ""


def answered(db: sqlite3.Connection, game: int) -> bool:
    """Whether it was said what comes after the latest event of this game."""
    later = "select 1 from evening where event >= (select max(id) from event where game = ?)"
    return _there(db) and db.execute(later, (game,)).fetchone() is not None


def _there(db: sqlite3.Connection) -> bool:
    tables = "select count(*) from sqlite_master where type = 'table' and name in ('kit', 'clock', 'evening')"
    return bool(db.execute(tables).fetchone()[0] == 3)
