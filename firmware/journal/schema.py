"""The journal's tables as this version has them, and whether a file has those: any file may lie in a journal's place.

SQLite runs what stands in a file's schema: triggers, views, checks, expressions. This program makes none of these, only
plain tables and plain indexes, and later versions of the format keep to that (see `file.py`). So a file that has
anything else is not opened as a journal: another program has changed it.
"""

import re
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from functools import cache
from pathlib import Path
from typing import NamedTuple

from firmware.journal import people, phones, remarks, run_notes, sheets
from firmware.journal.rows import MAX_ID, MAX_TEXT

BASE = """
create table run (id integer primary key, boot text not null, version text not null, started_at text not null);
create table game (id integer primary key, run integer not null, name text not null, started_at text not null);
create table event (id integer primary key, run integer not null, game integer not null, step integer not null,
    at_ns integer not null, name text not null, fields text not null);
create index event_by_game on event (game, id);
create table edge (id integer primary key, run integer not null, button text not null, down integer not null,
    at_ns integer not null, source text not null);
create index edge_by_run on edge (run);
"""
# by versions of this format after the first
ADDED = f"{people.SCHEMA}{phones.SCHEMA}{run_notes.SCHEMA}{sheets.SCHEMA}{remarks.SCHEMA}"
REQUIRED = ("run", "game", "event", "edge")
LARGE = ("event", "edge")
STEPS_AT_ONCE = 100_000  # of SQLite's machine
MANY_STEPS = 1_000_000, 20  # so many, and so many for each byte: reading everything takes 2 or 3
MAX_NAME = 40  # characters
MAX_SEATS = 64  # more than any table has

KEPT = "select type, name, tbl_name, sql from sqlite_master"

NAME = r'"?[a-z_][a-z0-9_]*"?'
LITERAL = r"(?:-?\d+(?:\.\d+)?|null|'(?:[^']|'')*')"
COLUMN = rf"{NAME}(?: (?:integer|text|real|blob))?(?: not null| primary key| default {LITERAL})*"
NAMES = rf"\({NAME}(?:, ?{NAME})*\)"
TABLE = re.compile(rf"create table {NAME} ?\({COLUMN}(?:, ?{COLUMN})*(?:, primary key {NAMES})?\)", re.IGNORECASE)
INDEX = re.compile(rf"create index {NAME} on {NAME} ?{NAMES}", re.IGNORECASE)


class Foreign(sqlite3.DatabaseError):
    """The file has what no version of this program makes."""


class Column(NamedTuple):
    """A column of a table, its words in small letters."""

    name: str
    type: str  # `integer`, `text` ...; it is how SQLite means it, which stores anything in any of them
    filled: bool  # `not null`
    default: str | None  # in SQL
    key: int  # its place in the primary key, from 1; 0: none

    @property
    def may_be_left(self) -> bool:
        """Whether a row can be written without it."""
        return not self.key and (self.default is not None or not self.filled)


def _begun() -> sqlite3.Connection:
    """A journal that this version has begun, in memory."""
    db = sqlite3.connect(":memory:", isolation_level=None)
    run(db, BASE)
    add(db)
    return db


@cache
def own() -> dict[str, dict[str, Column]]:
    """The tables of this version, by name, and their columns."""
    with closing(_begun()) as db:
        names = [name for (name,) in db.execute("select name from sqlite_master where type = 'table'")]
        return {name: dict(columns(db, "main", name)) for name in names}


def run(db: sqlite3.Connection, statements: str) -> None:
    """Run SQL that makes tables, in the transaction that is under way."""
    for statement in statements.split(";")[:-1]:
        db.execute(statement)


def add(db: sqlite3.Connection) -> None:
    """Make the tables that a journal of an older version lacks."""
    run(db, ADDED)


def columns(db: sqlite3.Connection, file: str, table: str) -> Iterator[tuple[str, Column]]:
    """The plain columns of a table of an attached file, by name: generated and hidden ones are left out."""
    rows = db.execute(f'pragma "{file}".table_xinfo("{table}")').fetchall()
    for _number, name, type_, filled, default, key, hidden in rows:
        if not hidden:
            yield name.lower(), Column(name.lower(), type_.lower(), bool(filled), default, key)


@cache
def _as_made() -> frozenset[tuple[str, str, str, str | None]]:
    """The schema of a journal that this version has begun, as SQLite keeps it."""
    with closing(_begun()) as db:
        return frozenset(db.execute(KEPT))


def check(db: sqlite3.Connection) -> None:
    """Raises `Foreign` for a file that this program cannot have made. Its rows are not looked at."""
    db.text_factory = any_text
    try:
        if frozenset(db.execute(KEPT)) == _as_made():  # as a rule: one question instead of twenty
            return
        _check_shapes(db)
        for table, ours in own().items():
            _check_columns(table, ours, dict(columns(db, "main", table)))
    finally:
        db.text_factory = str


def _check_shapes(db: sqlite3.Connection) -> None:
    """There is nothing but plain tables and plain indexes."""
    for kind, name, sql in db.execute("select type, name, sql from sqlite_master").fetchall():
        shape = {"table": TABLE, "index": INDEX}.get(kind)
        plain = shape is not None and (sql is None or shape.fullmatch(" ".join(str(sql).split())))  # None: of a key
        if not plain:
            raise Foreign(f"{kind} {in_plain(name)} is another program's")


def _check_columns(table: str, ours: dict[str, Column], there: dict[str, Column]) -> None:
    """A table of ours has our columns, and none that has to be filled by another program."""
    if not there and table not in REQUIRED:
        return
    for name, column in ours.items():
        if name not in there or there[name]._replace(default=column.default) != column:
            raise Foreign(f"column {name} of {table} is missing or another one")
    for name in there.keys() - ours.keys():
        if not there[name].may_be_left:
            raise Foreign(f"column {in_plain(name)} of {table} is another program's")


def any_text(data: bytes) -> str:
    """Text of a file that may be anybody's."""
    return data.decode(errors="replace")


def in_plain(name: str) -> str:
    """A name from a file for people: on one line, and not too long."""
    return "".join(char if char.isprintable() else "?" for char in str(name))[:MAX_NAME]


@contextmanager
def bounded(db: sqlite3.Connection, path: Path) -> Iterator[None]:
    """Meanwhile SQLite does no more with a file than its size explains: its pages may lead in circles.

    Raises `Foreign` where it does.
    """
    base, each = MANY_STEPS
    left = base + each * path.stat().st_size

    def too_many() -> bool:
        nonlocal left
        left -= STEPS_AT_ONCE
        return left < 0

    db.set_progress_handler(too_many, STEPS_AT_ONCE)
    try:
        yield
    except sqlite3.OperationalError as error:
        if error.sqlite_errorcode == sqlite3.SQLITE_INTERRUPT:
            raise Foreign("its pages lead in circles") from None
        raise
    finally:
        db.set_progress_handler(None, 0)


def numbered(columns: dict[str, Column]) -> str | None:
    """The column that numbers the rows of a table; None where their key is no number."""
    keys = [column for column in columns.values() if column.key]
    return keys[0].name if len(keys) == 1 and keys[0].type == "integer" else None


def check_rows(db: sqlite3.Connection) -> None:
    """Raises `Foreign` for a row that this program cannot have written. `db` knows the functions of `rows`.

    Of the large tables only the numbers are looked at: an event that is damaged costs its own game, once it is read.
    """
    for table, ours in own().items():
        if next(columns(db, "main", table), None) is None:
            continue
        if (key := numbered(ours)) is not None:
            (low,), (high,) = (db.execute(f"select {end}({key}) from {table}").fetchone() for end in ("min", "max"))
            if low is not None and not 1 <= low <= high <= MAX_ID:
                raise Foreign(f"a row of {table} has a number beyond 1 to 2^53")
        if (
            table not in LARGE
            and db.execute(f"select 1 from {table} where not {right(table, ours.values())}").fetchone()
        ):
            raise Foreign(f"a row of {table} is another program's")


def right(table: str, columns: Iterable[Column]) -> str:
    """In SQL: whether a row has only values that this program writes. Never null."""
    return f"(({' and '.join(sound(table, column) for column in columns)}) is 1)"


def sound(table: str, column: Column) -> str:
    """In SQL: whether a column's value in this row is one that this program writes."""
    name, text = f'"{column.name}"', f"typeof(\"{column.name}\") = 'text'"
    number, data = f"typeof({name}) = 'integer'", f"cast({name} as blob)"
    match table, column.name:
        case "run", "started_at":
            rule = f"{text} and ({name} = '' or is_time({data}))"  # of a run of which only the number is known
        case _, "started_at" | "wall":
            rule = f"{text} and is_time({data})"
        case "person", "name":
            rule = f"{text} and is_name({data})"
        case "person", "latin":
            rule = f"{text} and ({name} = '' or is_name({data}))"
        case "seat", "person":
            rule = f"{text} and length({data}) <= 64 and {name} not glob '*[^0-9a-f]*'"  # empty: forgotten
        case "remark", "note":
            rule = f"{text} and is_note({data})"
        case "remark", "day":
            rule = f"{text} and ({name} = '' or is_day({data}))"
        case "person" | "phone", "id":
            rule = f"{text} and length({data}) between 1 and 64 and {name} not glob '*[^0-9a-f]*'"
        case "run_bits", "bits":
            rule = f"{text} and length({data}) = 16 and {name} not glob '*[^0-9a-f]*'"
        case _, "digest":
            rule = f"{text} and length({data}) = 64 and {name} not glob '*[^0-9a-f]*'"
        case ("seat" | "sent" | "kept", "seat") | ("button", "place"):
            rule = f"{number} and {name} between 0 and {MAX_SEATS - 1}"
        case (_, "run" | "game") | ("evening", "event"):
            rule = f"{number} and {name} between 1 and {MAX_ID}"
        case _, "id":
            rule = f"{number} and {name} between 1 and {MAX_ID}"
        case _:
            rule = of_type(column.type, name, data)
    return f"({rule})" if column.filled or column.key else f"({name} is null or {rule})"


def of_type(type_: str, name: str, data: str) -> str:
    """In SQL: whether a value is of the type that its column was made for. `data`: the value as bytes."""
    match type_:
        case "integer":
            return f"typeof({name}) = 'integer'"
        case "text":
            return f"typeof({name}) = 'text' and is_text({data})"
        case "real":
            return f"typeof({name}) in ('real', 'integer')"
        case _:
            return f"length({data}) <= {MAX_TEXT}"
