"""Forgetting somebody: no byte of the name is left in the state folder, files that were set aside included.

Games stay, with a guest in the seat. A name that was given to a fancier of CAT Pageant is replaced in the events, too.
"""

import os
import sqlite3
from collections.abc import Iterable
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

import msgspec

from engine import games
from firmware.journal import people
from firmware.journal.file import sync
from firmware.journal.reader import EventRow, decode
from firmware.people import Person, in_capitals

FORGOTTEN = "forgotten"  # beside the journal: the ids of those who were forgotten, for ever; a restored file obeys it
ID_BYTES = 16  # of a person's id


class Replaced(NamedTuple):
    """A name in the events of games, in capitals, and what stands there instead."""

    name: str
    by: str


def replacements(persons: Iterable[Person]) -> tuple[Replaced, ...]:
    """What forgetting these people replaces in events."""
    return tuple(
        Replaced(name, one.id.upper()[: len(name)])
        for one in persons
        for name in dict.fromkeys(map(in_capitals, (one.name, one.latin)))
        if name
    )


def forget(db: sqlite3.Connection, ids: Iterable[str]) -> tuple[Replaced, ...]:
    """Delete people: their seats are guests' from now on. Returns what was replaced in events."""
    ids = tuple(ids)
    replaced = replacements(person for person in people.known(db) if person.id in ids)
    for id_ in ids:
        db.execute("delete from person where id = ?", (id_,))
        db.execute("update seat set person = null where person = ?", (id_,))
    replace_names(db, replaced)
    return replaced


def replace_names(db: sqlite3.Connection, replaced: Iterable[Replaced]) -> None:
    """Replace names in the events of all games in which they were entered."""
    named = "select distinct game.id, game.name from game join event on event.game = game.id where instr(fields, ?)"
    for name, by in replaced:
        for game, rules in db.execute(named, (f'"{name}"',)).fetchall():
            ids = [id_ for (id_,) in db.execute("select id from event where game = ? order by id", (game,))]
            columns = "select step, at_ns, name, fields from event where game = ? order by id"
            before = db.execute(columns, (game,)).fetchall()
            after = renamed(rules, before, (Replaced(name, by),))
            changed = [(new[3], id_) for id_, old, new in zip(ids, before, after, strict=True) if old != new]
            db.executemany("update event set fields = ? where id = ?", changed)


def renamed(game: str, rows: list[EventRow], replaced: Iterable[Replaced]) -> list[EventRow]:
    """The rows of a game, by the name of its rules, with other names; as they are where this version cannot read it."""
    if game not in games.names() or (rename := games.rules(game).renamed) is None:
        return rows
    try:
        events = tuple(decode(games.rules(game), *row).event for row in rows)
    except ValueError:
        return rows
    for name, by in replaced:
        events = rename(events, name, by)
    return [
        (step, at_ns, kind, msgspec.json.encode(event).decode())
        for (step, at_ns, kind, _), event in zip(rows, events, strict=True)
    ]


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


def clean_aside(journal: Path, ids: Iterable[str], replaced: Iterable[Replaced]) -> None:
    """Leave no byte of these people in files that were set aside. Raises `OSError`."""
    ids, replaced = tuple(ids), tuple(replaced)
    for path in sorted(journal.parent.glob("*.db")):
        if path.name != journal.name:
            _clean_aside(path, ids, replaced)


def clean(db: sqlite3.Connection, journal: Path) -> None:
    """Leave no byte of what was deleted in free pages and in the log.

    Raises `sqlite3.Error` where somebody reads the journal just now, and `OSError`.
    """
    db.execute("vacuum")
    if db.execute("pragma wal_checkpoint(truncate)").fetchone()[0]:
        raise Busy("the journal is being read")
    for path in (journal, journal.with_name(f"{journal.name}-wal"), journal.parent):
        sync(path)  # SQLite does not sync that the log is empty


class Busy(sqlite3.OperationalError):
    """The journal is read just now: to be tried again."""

    sqlite_errorcode = sqlite3.SQLITE_BUSY


def _clean_aside(path: Path, ids: tuple[str, ...], replaced: tuple[Replaced, ...]) -> None:
    """Forget people in a file that was set aside; where it is too damaged for that, wipe their rows."""
    try:
        with closing(sqlite3.connect(path, isolation_level=None)) as db:
            db.execute("pragma secure_delete = on")
            if people.there(db):
                forget(db, ids)
            if db.execute("select count(*) from sqlite_master where name = 'event'").fetchone()[0]:
                replace_names(db, replaced)
            db.execute("vacuum")
            db.execute("pragma journal_mode = delete")
        sync(path.parent)
    except sqlite3.Error:
        for each in (path, path.with_name(f"{path.name}-wal")):
            if each.exists():
                _wipe(each, ids, replaced)


def _wipe(path: Path, ids: Iterable[str], replaced: Iterable[Replaced]) -> None:
    """Overwrite the names of people, whose rows are found by their ids: the names follow it in the file."""
    data = bytearray(path.read_bytes())
    for id_ in map(str.encode, ids):
        at = data.find(id_)
        while at >= 0:
            start, end = at + len(id_), at + len(id_) + _names(data, at, len(id_))
            data[start:end] = bytes(end - start)
            at = data.find(id_, end)
    for name, by in replaced:
        data = data.replace(f'["{name}",'.encode(), f'["{by}",'.encode())  # a fancier
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
