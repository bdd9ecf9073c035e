"""The people in the journal: a row for each person, and who sat where, beside the events.

Rows of `seat` are only added: the last one of a game's seat stands. No person in it is a guest, the empty text is
somebody who was forgotten (in older journals a guest, too). The two exceptions are forgetting somebody
(`forgetting.py`) and merging two who are the same.
"""

import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import suppress
from typing import TypeAlias

from firmware.journal.rows import typed
from firmware.people.names import Person, harmless

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

FORGOTTEN = ""  # instead of an id

SeatRow: TypeAlias = tuple[int, str | None, str]  # the seat, a person's id or None for a guest, and since when


def known(db: sqlite3.Connection) -> tuple[Person, ...]:
    """Everybody: those of the latest game in front, as they sat down; at the end those who never played.

    Raises `sqlite3.DataError`, as all that reads here, where a row is damaged.
    """
    if not there(db):
        return ()
    latest = "select max({}) from seat where seat.person = person.id"
    order = f"({latest.format('game')}) desc nulls last, ({latest.format('id')}), rowid desc"
    rows = typed(db.execute(f"select id, name, latin, counted from person order by {order}"), str, str, str, int)
    return tuple(Person(id_, name, latin, bool(counted)) for id_, name, latin, counted in rows if harmless(name))


def seats(db: sqlite3.Connection, game: int) -> list[SeatRow]:
    """The rows of a game, in order."""
    if not there(db):
        return []
    rows = db.execute("select seat, person, since from seat where game = ? order by id", (game,))
    return list(typed(rows, int, str | None, str))


def write(db: sqlite3.Connection, people: Iterable[Person], since: str) -> None:
    """Add people, or change those that are there."""
    db.executemany(PERSON, [(one.id, one.name, one.latin, one.counted, since) for one in people])


def met(db: sqlite3.Connection, one: str, other: str) -> bool:
    """Whether two people sat in the same game."""
    if not there(db):
        return False
    latest = "id in (select max(id) from seat group by game, seat) and person = ?"
    both = f"select 1 from seat where {latest} and game in (select game from seat where {latest}) limit 1"
    return db.execute(both, (one, other)).fetchone() is not None


def merge(db: sqlite3.Connection, one: str, into: str) -> None:
    """Two who are the same person: all games of the one are the other's."""
    db.execute("update seat set person = ? where person = ?", (into, one))
    db.execute("delete from person where id = ?", (one,))


def forget(db: sqlite3.Connection, ids: Iterable[str]) -> None:
    """Nobody has these ids any more: their seats are those of somebody who was forgotten."""
    if there(db):
        for id_ in ids:
            db.execute("delete from person where id = ?", (id_,))
            db.execute("update seat set person = ? where person = ?", (FORGOTTEN, id_))


def without(rows: Iterable[SeatRow], one: str, by: str | None) -> list[SeatRow]:
    """The same rows with somebody else in the place of one."""
    return [(seat, by if person == one else person, since) for seat, person, since in rows]


def found(data: bytes, ids: Iterable[str]) -> Iterator[Person]:
    """These people, as rows in the bytes of a file have them."""
    for id_, at, lengths in _rows(data, ids):
        name, latin = data[at : at + lengths[0]], data[at + lengths[0] : at + sum(lengths)]
        with suppress(UnicodeDecodeError):
            yield Person(id_, name.decode(), latin.decode())


def wipe(data: bytearray, ids: Iterable[str]) -> None:
    """Overwrite the names of these people in the bytes of a file."""
    for _id, at, lengths in _rows(bytes(data), ids):
        data[at : at + sum(lengths)] = bytes(len(data[at : at + sum(lengths)]))


def _rows(data: bytes, ids: Iterable[str]) -> Iterator[tuple[str, int, tuple[int, int]]]:
    """Where the names follow these ids, and how many bytes name and short name have."""
    for id_ in ids:
        at = data.find(id_.encode())
        while at >= 0:
            if lengths := _lengths(data, at, len(id_)):
                yield id_, at + len(id_), lengths
            at = data.find(id_.encode(), at + len(id_))


def _lengths(data: bytes, at: int, id_bytes: int) -> tuple[int, int] | None:
    """How many bytes the names have that follow the id of a row of `person` at this place; None for no such row.

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
            name, latin, *_ = [max(0, (kind - 13) // 2) for kind in (*types, 0, 0)]
            return name, latin
    return None


def there(db: sqlite3.Connection) -> bool:
    """Whether an older version has not begun the file, or this one has added the tables."""
    return bool(db.execute(TABLES).fetchone()[0] == 2)
