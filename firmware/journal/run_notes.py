"""What a run notes of itself, beside the events: its kit, what its wall clock knew, whether a new evening has begun.

The names of the kit's buttons stand in `button` in the order of its description, which is the order of the colours: a
game has its buttons in the order of play.

It also has 64 random bits of its own, by which its games are known outside this journal: two runs of one boot may give
games the same number, where a backup is put back between them. A run of an older version has none.

Moments are rows of `clock`: a stamp of the run, and the wall time, null where it was not known. A run without rows is
an older version's. Where two runs cannot tell by their clocks how far they are apart, people are asked once: the
answer stands in `evening`, by the number of the last event before.
"""

import sqlite3
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import NamedTuple

from firmware.buttons import USUAL
from firmware.journal.rows import is_time, typed
from firmware.wall_clock import Moment

LATEST_RUN = "select max(run) from clock"
LATEST_FACT = "select run, at_ns from event order by id desc limit 1"

SCHEMA = """
create table if not exists kit (run integer primary key, name text not null);
create table if not exists button (run integer not null, place integer not null, name text not null,
    primary key (run, place));
create table if not exists clock (id integer primary key, run integer not null, at_ns integer not null, wall text);
create index if not exists clock_by_run on clock (run, id);
create table if not exists evening (event integer primary key, new integer not null);
create table if not exists run_bits (run integer primary key, bits text not null);
"""


class Stamp(NamedTuple):
    """A moment that can be compared with later ones, of this boot or of another."""

    boot: str
    at_ns: int
    wall: datetime | None  # None where it is not known

    def ago_ns(self, boot: str, now: Moment) -> int | None:
        """How long ago it was, ns; None where no clock can tell. Stamps stand still while a computer sleeps."""
        spans = []
        if boot == self.boot:
            spans.append(now.at_ns - self.at_ns)
        if self.wall is not None and now.wall is not None:
            spans.append((datetime.fromisoformat(now.wall) - self.wall) // timedelta(microseconds=1) * 1000)
        return max(spans, default=None)


def stamp(boot: str, at_ns: int, known: Moment | None) -> Stamp:
    """A stamp of a run of which a moment is known."""
    if known is None or known.wall is None:
        return Stamp(boot, at_ns, None)
    return Stamp(
        boot, at_ns, datetime.fromisoformat(known.wall) + timedelta(microseconds=(at_ns - known.at_ns) // 1000)
    )


def at(db: sqlite3.Connection, run: int, at_ns: int) -> Stamp:
    """A stamp of a run. Raises `sqlite3.DataError` where a row is damaged."""
    return stamp(_boot(db, run), at_ns, _known(db, run))


def latest(db: sqlite3.Connection) -> tuple[Stamp | None, Stamp | None]:
    """The latest fact, and the latest moment that a run has noted; None where there is none.

    Raises `sqlite3.DataError` where a row is damaged.
    """
    fact = next(typed(db.execute(LATEST_FACT), int, int), None)
    noted = None
    if _there(db) and (run := db.execute(LATEST_RUN).fetchone()[0]) is not None and (known := _known(db, run)):
        noted = stamp(_boot(db, run), known.at_ns, known)
    return None if fact is None else at(db, *fact), noted


def _boot(db: sqlite3.Connection, run: int) -> str:
    row = db.execute("select boot from run where id = ?", (run,)).fetchone()
    return "" if row is None else str(row[0])


def _known(db: sqlite3.Connection, run: int) -> Moment | None:
    """The latest moment of a run."""
    if not _there(db):
        return None
    rows = db.execute("select at_ns, wall from clock where run = ? order by id desc limit 1", (run,))
    row = next(typed(rows, int, str | None), None)
    if row is not None and row[1] is not None and not is_time(row[1].encode()):
        raise sqlite3.DataError(f"the clock of run {run} is damaged")
    return None if row is None else Moment(*row)


def bits(db: sqlite3.Connection, run: int, schema: str = "main") -> str:
    """The random bits of a run, as 16 hexadecimal digits; empty where an older version has begun it."""
    there = db.execute(f"select 1 from {schema}.sqlite_master where name = 'run_bits'").fetchone()
    row = there and db.execute(f"select bits from {schema}.run_bits where run = ?", (run,)).fetchone()
    return str(row[0]) if row else ""


def note(db: sqlite3.Connection, run: int, kit: str, buttons: Sequence[str], moments: Sequence[Moment]) -> None:
    """Add what is missing of all that this run has noted. `buttons`: in the order of the kit's description."""
    db.execute("insert or ignore into kit (run, name) values (?, ?)", (run, kit))
    places = [(run, place, name) for place, name in enumerate(buttons)]
    db.executemany("insert or ignore into button (run, place, name) values (?, ?, ?)", places)
    (there,) = db.execute("select count(*) from clock where run = ?", (run,)).fetchone()
    rows = [(run, *moment) for moment in moments[there:]]
    db.executemany("insert into clock (run, at_ns, wall) values (?, ?, ?)", rows)


def answer(db: sqlite3.Connection, *, new: bool) -> None:
    """Add whether what comes after the last event is a new evening's."""
    db.execute("insert or ignore into evening (event, new) select max(id), ? from event", (new,))


def time_known(db: sqlite3.Connection, run: int) -> bool:
    """Whether a run knew its wall time in the end; that of an older version is taken at its word."""
    known = _known(db, run)
    return known is None or known.wall is not None


def kit(db: sqlite3.Connection, run: int) -> str:
    """The kit of a run; empty where an older version has not noted it."""
    row = _there(db) and db.execute("select name from kit where run = ?", (run,)).fetchone()
    return str(row[0]) if row else ""


def buttons(db: sqlite3.Connection, run: int) -> tuple[str, ...]:
    """The names of a run's buttons in the order of the kit's description, as `firmware.buttons.numbers` takes them.

    Of an older version's run they are those of the latest run of the same kit; but one that is called P1 to P6 had that
    number then, so that name is left empty.
    """
    if db.execute("select 1 from sqlite_master where name = 'button'").fetchone() is None:
        return ()
    if noted := _buttons(db, run):
        return noted
    of_kit = "select max(run) from button where run in (select run from kit where name != '' and name = ?)"
    (latest,) = db.execute(of_kit, (kit(db, run),)).fetchone()
    return tuple("" if USUAL.fullmatch(name) else name for name in _buttons(db, latest or 0))


def _buttons(db: sqlite3.Connection, run: int) -> tuple[str, ...]:
    names = db.execute("select name from button where run = ? order by place", (run,))
    return tuple(name for (name,) in typed(names, str))


def answered(db: sqlite3.Connection, game: int) -> bool:
    """Whether it was said what comes after the latest event of this game."""
    later = "select 1 from evening where event >= (select max(id) from event where game = ?)"
    return _there(db) and db.execute(later, (game,)).fetchone() is not None


def _there(db: sqlite3.Connection) -> bool:
    tables = "select count(*) from sqlite_master where type = 'table' and name in ('kit', 'clock', 'evening')"
    return bool(db.execute(tables).fetchone()[0] == 3)
