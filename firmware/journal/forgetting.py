"""Forgetting somebody: no byte of the name is left in the state folder, files that were set aside included.

Games stay, with nobody known in the seat. A name that was given to a fancier of CAT Pageant is replaced in the events,
too, and any name in the notes to games.
"""

import os
import sqlite3
from collections.abc import Iterable
from contextlib import closing, suppress
from pathlib import Path
from typing import NamedTuple

import msgspec

from engine import games
from firmware.journal import people, phones, remarks
from firmware.journal.reader import EventRow, decode
from firmware.journal.rows import MAX_ROW
from firmware.journal.set_aside import Busy, alone, remove_unfinished
from firmware.people.names import Person, in_capitals
from firmware.state_folder import FORGOTTEN, is_aside, names, sync, with_its_own, without_end

ID_BYTES = 16  # of a person's id
CHUNK, MARGIN = 1 << 20, 1 << 12  # bytes that are read at once, and of the next ones: a row may lie across


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


def forget(db: sqlite3.Connection, ids: Iterable[str]) -> tuple[Person, ...]:
    """Delete people: their seats are nobody's from now on. Returns who they were."""
    ids = tuple(ids)
    gone = tuple(person for person in people.known(db) if person.id in ids)
    for id_ in ids:
        db.execute("delete from person where id = ?", (id_,))
        db.execute("update seat set person = ? where person = ?", (people.FORGOTTEN, id_))
    replace_names(db, replacements(gone))
    remarks.forget(db, written(gone))
    return gone


def written(persons: Iterable[Person]) -> tuple[str, ...]:
    """The names that may stand for these people in notes."""
    return tuple(name for one in persons for name in (one.name, one.latin) if name)


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
        if phones.keeps(db):
            db.execute("update kept set answers = replace(answers, ?, ?)", (f'["{name}",', f'["{by}",'))


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
    """Add to the list what it does not have yet, synced. Raises `OSError`."""
    known = forgotten(folder)
    if new := [id_ for id_ in ids if known.get(id_) not in (done, True)]:
        with (folder / FORGOTTEN).open("a") as file:
            file.writelines(f"{id_}{' done' * done}\n" for id_ in new)
            file.flush()
            os.fsync(file.fileno())
        sync(folder)


def clean_aside(journal: Path, ids: Iterable[str], gone: Iterable[Person]) -> None:
    """Leave no byte of these people in files that were set aside, and none that a cut has left. Raises `OSError`.

    `gone`: as far as their names are known.
    """
    ids, gone = tuple(ids), tuple(gone)
    with suppress(Busy), alone(journal.parent):  # else it is being restored just now, which obeys the list
        remove_unfinished(journal.parent)
    for name in sorted({without_end(name) for name in names(journal.parent) if is_aside(name)}):
        _clean_aside(journal.with_name(name), ids, gone)


def clean(db: sqlite3.Connection, journal: Path) -> None:
    """Leave no byte of what was deleted in free pages and in the log.

    Raises `sqlite3.Error` where somebody reads the journal just now, and `OSError`.
    """
    db.execute("vacuum")
    if db.execute("pragma wal_checkpoint(truncate)").fetchone()[0]:
        raise Busy("the journal is being read")
    for path in (journal, journal.with_name(f"{journal.name}-wal"), journal.parent):
        sync(path)  # SQLite does not sync that the log is empty


def _clean_aside(path: Path, ids: tuple[str, ...], gone: tuple[Person, ...]) -> None:
    """Forget people in a file that was set aside; where it is too damaged for that, wipe their rows."""
    if path.is_file():
        with suppress(sqlite3.Error):
            _clean_rows(path, ids, gone)
    for each in with_its_own(path):
        if each.is_file():
            _wipe(each, ids, gone)


def _clean_rows(path: Path, ids: tuple[str, ...], gone: tuple[Person, ...]) -> None:
    """Forget people by SQL. The file may be another program's: nothing that it brings along is run."""
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        db.execute("pragma trusted_schema = off")
        db.execute("pragma ignore_check_constraints = on")
        db.execute("pragma secure_delete = on")
        db.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, MAX_ROW)
        events = db.execute("select 1 from sqlite_master where type = 'table' and name = 'event'").fetchone()
        if people.there(db) or events or remarks.there(db):
            for (name,) in db.execute("select name from sqlite_master where type = 'trigger'").fetchall():
                db.execute('drop trigger "{}"'.format(name.replace('"', '""')))
        if people.there(db):
            forget(db, ids)
        if events:
            replace_names(db, replacements(gone))
        remarks.forget(db, written(gone))
        db.execute("vacuum")
        db.execute("pragma journal_mode = delete")
    sync(path.parent)


def _wipe(path: Path, ids: Iterable[str], gone: tuple[Person, ...]) -> None:
    """Overwrite the names of people, whose rows are found by their ids: the names follow it in the file."""
    with path.open("r+b") as file:
        for at in range(0, path.stat().st_size, CHUNK):
            file.seek(at)
            before = file.read(CHUNK + MARGIN)
            if (after := _wiped(before, ids, gone)) != before:
                file.seek(at)
                file.write(after)
        file.flush()
        os.fsync(file.fileno())


def _wiped(found: bytes, ids: Iterable[str], gone: tuple[Person, ...]) -> bytes:
    """The same bytes without these names."""
    data = bytearray(found)
    for id_ in map(str.encode, ids):
        at = data.find(id_)
        while at >= 0:
            start, end = at + len(id_), at + len(id_) + _names(data, at, len(id_))
            data[start:end] = bytes(len(data[start:end]))
            at = data.find(id_, end)
    remarks.wipe(data, written(gone))
    for name, by in replacements(gone):
        data = data.replace(f'["{name}",'.encode(), f'["{by}",'.encode())  # a fancier
    return bytes(data)


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
