"""What people have added to a game: a note, and a day of its own where the clock was wrong.

Rows are only added: the last one of a game stands. An empty note or day is none. The exception is forgetting somebody,
whose name goes from all notes (`forgetting.py`).
"""

import re
import sqlite3
from collections.abc import Iterable
from datetime import date, datetime, time
from typing import NamedTuple, TypeAlias

from firmware import local_time
from firmware.journal.rows import typed
from firmware.people.notes import dotted, without_names

SCHEMA = """
create table if not exists remark (id integer primary key, game integer not null, note text not null,
    day text not null default '', since text not null);
create index if not exists remark_by_game on remark (game, id);
"""
REMARK = "insert into remark (game, note, day, since) values (?, ?, ?, ?)"
LAST = "id in (select max(id) from {name}.remark group by game)"

# The header of such a row in an SQLite file: its own length, then the type of each column. A text of n bytes has the
# type 13 + 2n (sqlite.org/fileformat2.html, Record Format); `id` has type 0, a day has 0 or 10 bytes, a time 25.
HEADER = re.compile(
    rb"(?:\x06\x00([\x01-\x06\x08\x09])([\x0d-\x7f])|\x07\x00([\x01-\x06\x08\x09])([\x81-\xff][\x00-\x7f]))"
    rb"[\x0d\x21]\x3f",
    re.DOTALL,
)
INTEGER_BYTES = (0, 1, 2, 3, 4, 6, 8, 8, 0, 0)  # by the type of a column

RemarkRow: TypeAlias = tuple[str, str, str]  # the note, the day, and since when


class Remark(NamedTuple):
    """The note and the day of a game that count."""

    note: str = ""
    day: str = ""  # ISO 8601


def there(db: sqlite3.Connection, name: str = "main") -> bool:
    """Whether a journal, by the name that it is attached under, has remarks: older versions know none."""
    tables = f"select 1 from {name}.sqlite_master where type = 'table' and name = 'remark'"
    return db.execute(tables).fetchone() is not None


def rows(db: sqlite3.Connection, game: int) -> list[RemarkRow]:
    """The rows of a game, in order. Raises `sqlite3.DataError` where one is damaged."""
    if not there(db):
        return []
    found = db.execute("select note, day, since from remark where game = ? order by id", (game,))
    return list(typed(found, str, str, str))


def of(db: sqlite3.Connection, game: int) -> Remark:
    """The note and the day of a game that count. Raises `sqlite3.DataError`."""
    found = rows(db, game)
    return Remark(*found[-1][:2]) if found else Remark()


def days(db: sqlite3.Connection, name: str = "main") -> dict[int, str]:
    """By game the day that people have entered; others are left out."""
    if not there(db, name):
        return {}
    return dict(db.execute(f"select game, day from {name}.remark where {LAST.format(name=name)} and day != ''"))


def on(day: str, clock: datetime | None) -> datetime:
    """The moment on the day that people have entered, by the clock's time; at noon where that is not known."""
    noon = time(12)
    return local_time.at(date.fromisoformat(day), noon if clock is None else local_time.local(clock).time())


def any_of(db: sqlite3.Connection) -> bool:
    """Whether a journal has any notes."""
    return there(db) and db.execute("select 1 from remark where note != '' limit 1").fetchone() is not None


def forget(db: sqlite3.Connection, names: Iterable[str]) -> None:
    """Leave these names in no note."""
    names = tuple(names)
    if not there(db):
        return
    notes = typed(db.execute("select id, note from remark where note != ''").fetchall(), int, str)
    changed = [(left, id_) for id_, note in notes if (left := without_names(note, names)) != note]
    db.executemany("update remark set note = ? where id = ?", changed)


def without(found: Iterable[RemarkRow], names: Iterable[str]) -> list[RemarkRow]:
    """The same rows without these names."""
    names = tuple(names)
    return [(without_names(note, names), day, since) for note, day, since in found]


def wipe(data: bytearray, names: Iterable[str]) -> None:
    """Overwrite these names in all notes whose rows are found in these bytes of a file."""
    names = tuple(names)
    for header in HEADER.finditer(bytes(data)) if names else ():
        # the note's type has one byte for up to 57 bytes of text, else two with seven bits each, the high ones first
        integer, length = (header[1], header[2]) if header[1] else (header[3], header[4])
        kind = length[0] if len(length) == 1 else (length[0] & 0x7F) << 7 | length[1]
        # an even type from 12 on is a blob, a smaller one a number: bytes that only look like the header of a remark
        if kind < 13 or not kind % 2:
            continue
        # after the header come the columns: `id` has no bytes, then the number of the game, then the note
        start = header.end() + INTEGER_BYTES[integer[0]]
        note = bytes(data[start : start + (kind - 13) // 2])
        data[start : start + len(note)] = dotted(note, names)
