"""The people in the journal: a row for each person, and who sat where, beside the events.

Rows of `seat` are only added: the last one of a game's seat stands. No person in it is a guest. The two exceptions are
forgetting somebody and merging two who are the same.
"""

import os
import sqlite3
from collections.abc import Iterable
from contextlib import closing
from pathlib import Path
from typing import TypeAlias

from firmware.journal.file import sync
from firmware.people import Person

SCHEMA = """
create table if not exists person (id text primary key, name text not null, latin text not null default '',
    counted integer not null default 1, since text not null default '');
create table if not exists seat (id integer primary key, game integer not null, seat integer not null, person text,
    since text not null);
create index if not exists seat_by_game on seat (game, id);
create index if not exists seat_by_person on seat (person, id);
"""
PERSON = (
    "insert into person (id, name, latin, counted, since) values (?, ?, ?, ?, ?) "
    "on conflict (id) do update set name = excluded.name, latin = excluded.latin, counted = excluded.counted"
)
SEAT = "insert into seat (game, seat, person, since) values (?, ?, ?, ?)"
TABLES = "select count(*) from sqlite_master where type = 'table' and name in ('person', 'seat')"

FORGOTTEN = "forgotten"  # beside the journal: the ids of those who were forgotten, for ever; a restored file obeys it
ID_BYTES = 16  # of a person's id

SeatRow: TypeAlias = tuple[int, str | None, str]  # the seat, a person's id or None for a guest, and since when


def begin(db: sqlite3.Connection) -> None:
    """Make the tables where an older version has begun the journal."""
    for statement in SCHEMA.split(";")[:-1]:
        db.execute(statement)


def known(db: sqlite3.Connection) -> tuple[Person, ...]:
    """Everybody: those of the latest game in front, as they sat down; at the end those who never played."""
    if not _there(db):
        return ()
    latest = "select max({}) from seat where seat.person = person.id"
    order = f"({latest.format('game')}) desc nulls last, ({latest.format('id')}), rowid desc"
    rows = db.execute(f"select id, name, latin, counted from person order by {order}")
    return tuple(Person(id_, name, latin, bool(counted)) for id_, name, latin, counted in rows)


def seats(db: sqlite3.Connection, game: int) -> list[SeatRow]:
    """The rows of a game, in order."""
    if not _there(db):
        return []
    return db.execute("select seat, person, since from seat where game = ? order by id", (game,)).fetchall()


def write(db: sqlite3.Connection, people: Iterable[Person], since: str) -> None:
    """Add people, or change those that are there."""
    db.executemany(PERSON, [(one.id, one.name, one.latin, one.counted, since) for one in people])


def forget(db: sqlite3.Connection, ids: Iterable[str]) -> None:
    """Delete people: their seats are guests' from now on."""
    for id_ in ids:
        db.execute("delete from person where id = ?", (id_,))
        db.execute("update seat set person = null where person = ?", (id_,))


def met(db: sqlite3.Connection, one: str, other: str) -> bool:
    """Whether two people sat in the same game."""
    if not _there(db):
        return False
    latest = "id in (select max(id) from seat group by game, seat) and person = ?"
    both = f"select 1 from seat where {latest} and game in (select game from seat where {latest}) limit 1"
    return db.execute(both, (one, other)).fetchone() is not None


def merge(db: sqlite3.Connection, one: str, into: str) -> None:
    """Two who are the same person: all games of the one are the other's."""
    db.execute("update seat set person = ? where person = ?", (into, one))
    db.execute("delete from person where id = ?", (one,))


def forgotten(folder: Path) -> dict[str, bool]:
    """Who was forgotten, by id: whether every copy in this folder has been cleaned since."""
    try:
        lines = (folder / FORGOTTEN).read_text().split("\n")
    except FileNotFoundError:
        return {}
    found: dict[str, bool] = {}
    for line in lines:
        id_, _, done = line.partition(" ")
        if len(id_) == ID_BYTES:
            found[id_] = found.get(id_, False) or done == "done"
    return found


def note_forgotten(folder: Path, ids: Iterable[str], *, done: bool) -> None:
    """Add to the list, synced. Raises `OSError`."""
    with (folder / FORGOTTEN).open("a") as file:
        file.writelines(f"{id_}{' done' * done}\n" for id_ in ids)
        file.flush()
        os.fsync(file.fileno())
    sync(folder)


def clean(db: sqlite3.Connection, journal: Path, ids: Iterable[str]) -> None:
    """Leave no byte of deleted people: not in free pages, not in the log, not in files that were set aside.

    Raises `sqlite3.Error` where somebody reads the journal just now, and `OSError`.
    """
    ids = tuple(ids)
    for path in sorted(journal.parent.glob("*.db")):
        if path.name != journal.name:
            _clean_aside(path, ids)
    db.execute("vacuum")
    if db.execute("pragma wal_checkpoint(truncate)").fetchone()[0]:
        raise Busy("the journal is being read")
    for path in (journal, journal.with_name(f"{journal.name}-wal"), journal.parent):
        sync(path)  # SQLite does not sync that the log is empty


class Busy(sqlite3.OperationalError):
    """The journal is read just now: to be tried again."""

    sqlite_errorcode = sqlite3.SQLITE_BUSY


def _clean_aside(path: Path, ids: Iterable[str]) -> None:
    """Forget people in a file that was set aside; where it is too damaged for that, wipe their rows."""
    try:
        with closing(sqlite3.connect(path, isolation_level=None)) as db:
            db.execute("pragma secure_delete = on")
            if _there(db):
                forget(db, ids)
            db.execute("vacuum")
            db.execute("pragma journal_mode = delete")
        sync(path.parent)
    except sqlite3.Error:
        for each in (path, path.with_name(f"{path.name}-wal")):
            if each.exists():
                _wipe(each, ids)


def _wipe(path: Path, ids: Iterable[str]) -> None:
    """Overwrite the names of people, whose rows are found by their ids: the names follow it in the file."""
    data = bytearray(path.read_bytes())
    for id_ in map(str.encode, ids):
        at = data.find(id_)
        while at >= 0:
            start, end = at + len(id_), at + len(id_) + _names(data, at, len(id_))
            data[start:end] = bytes(end - start)
            at = data.find(id_, end)
    with path.open("r+b") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())


def _names(data: bytearray, at: int, id_bytes: int) -> int:
    """How many bytes of names follow the id of a row of `person` at this place; 0 where it is no such row.

    A record of SQLite is its header, which has the header's length and the type of each column, and then the columns; a
    text of n bytes has the type 13 + 2n (sqlite.org/fileformat2.html, Record Format).
    """
    for length in range(6, 10):  # one byte or two for each column's type
        if at >= length and data[at - length] == length and data[at - length + 1] == 13 + 2 * id_bytes:
            types: list[int] = []
            value = 0
            for byte in data[at - length + 2 : at]:
                value = value << 7 | byte & 0x7F
                if byte < 0x80:
                    types.append(value)
                    value = 0
            return sum((kind - 13) // 2 for kind in types[:2] if kind >= 13)
    return 0


def _there(db: sqlite3.Connection) -> bool:
    return bool(db.execute(TABLES).fetchone()[0] == 2)
