"""A journal taken over from a file that may be anybody's: row by row, into tables of this version's own making.

Of the file's schema only names and types are read; nothing that it would run is taken over, or ever run. A row counts
where each value is one that this program writes (`schema.sound`). One that is not costs its game, and no other. Tables
and columns of a later version are kept as long as they are plain ones.
"""

import re
import sqlite3
from pathlib import Path
from typing import NamedTuple

from firmware.journal import rows, schema
from firmware.journal.file import FORMAT, Damaged, OtherFormat, code
from firmware.journal.schema import Column, Foreign, columns, in_plain, own, right

EMPTY = "NULL value in "  # no damage, but a row that is not sound
LATER_NAME = re.compile(r"(?!sqlite_)[a-z_][a-z0-9_]{0,63}")
LATER_TYPES = ("integer", "text", "real", "blob", "")
NEEDED = ("game", "event")  # there are no games without


class RowsTaken(NamedTuple):
    """What is not as it was in the file."""

    without: tuple[int, ...]  # games that are left out, as a row of theirs is damaged
    rows: dict[str, int]  # how many other rows are, by table
    parts: tuple[str, ...]  # of the schema, in words: `trigger name`


def take(given: Path, into: sqlite3.Connection) -> RowsTaken:
    """Take over what a file has, which nobody else reads or writes. `into`: an empty database.

    Raises `sqlite3.DatabaseError` for a file that is no journal, or a damaged one.
    """
    into.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, rows.MAX_ROW)
    for switch in ("trusted_schema = off", "cell_size_check = on", "ignore_check_constraints = on"):
        into.execute(f"pragma {switch}")
    rows.teach(into)
    into.text_factory = schema.any_text
    with schema.bounded(into, given):
        try:
            into.execute("attach ? as given", (f"{given.absolute().as_uri()}?mode=ro",))
            into.execute("begin")
            taken = _take(into)
            into.execute("commit")
        except sqlite3.IntegrityError as error:
            raise Damaged(f"it has a row twice: {error}") from None
        except sqlite3.DatabaseError as error:
            if code(error) != sqlite3.SQLITE_CORRUPT or isinstance(error, Damaged):
                raise
            raise Damaged("its pages are damaged") from None
    into.execute("detach given")
    return taken


class _Table(NamedTuple):
    """A table of the file, and those of its columns that are taken over."""

    name: str
    columns: dict[str, Column]

    def rows(self, where: str) -> str:
        """In SQL: its rows for which this is true. No index of the file is asked."""
        return f'given."{self.name}" not indexed where {where}'

    @property
    def right(self) -> str:
        """In SQL: whether a row is sound."""
        return right(self.name, self.columns.values())

    def copy(self, db: sqlite3.Connection, where: str = "true") -> None:
        """Copy the sound rows for which this is true."""
        names = ", ".join(f'"{name}"' for name in self.columns)
        found = self.rows(f"{where} and {self.right}")
        db.execute(f'insert into main."{self.name}" ({names}) select {names} from {found}')

    def unsound(self, db: sqlite3.Connection) -> int:
        """How many rows are not sound."""
        many: int = db.execute(f"select count(*) from {self.rows(f'not {self.right}')}").fetchone()[0]
        return many


def _take(db: sqlite3.Connection) -> RowsTaken:
    version = db.execute("pragma given.user_version").fetchone()[0]
    if version not in (0, FORMAT):
        raise OtherFormat(version)
    kinds = _kinds(db)
    if version == 0:
        raise Damaged("this is another program's database" if kinds else "it is empty")
    schema.run(db, schema.BASE)
    schema.add(db)
    db.execute(f"pragma main.user_version = {FORMAT}")
    tables = {name: table for name in own() if (table := _own_table(db, name, kinds)) is not None}
    without = _games(db, tables)
    for name, table in tables.items():
        if "game" in own()[name]:  # its rows are left out where their game is
            table.copy(db, "game in (select id from main.game)")
        elif name != "game":
            table.copy(db)
    # a run of which nothing else is known keeps its number: else a later one would get it, and with it these events
    of_runs = " union ".join(f"select run from main.{table}" for table in ("game", "event", "edge", "run_bits"))
    db.execute(f"insert or ignore into main.run select run, '', '', '' from ({of_runs})")
    later, parts = _later_tables(db, kinds)
    others = {name: table for name, table in (tables | later).items() if name not in ("game", "event")}
    rows_ = {name: many for name, table in others.items() if (many := table.unsound(db))}
    missing = tuple(f"{kinds[name]} {name}" for name in own() if name in kinds and name not in tables)
    return RowsTaken(without, rows_, missing + parts)


def _kinds(db: sqlite3.Connection) -> dict[str, str]:
    """What the file's schema has, in words, by name; without indexes."""
    kind = "case when sql like 'create virtual%' then 'virtual table' else type end"
    return dict(db.execute(f"select lower(name), {kind} from given.sqlite_master where type != 'index'").fetchall())


def _games(db: sqlite3.Connection, tables: dict[str, _Table]) -> tuple[int, ...]:
    """Copy the games. Returns the games that are left out: of which a row is missing, or not sound."""
    game, event = tables["game"], tables["event"]
    db.execute("create temp table damaged (game integer primary key)")
    for column, table in (("id", game), ("game", event)):
        wrong = table.rows(f"not {table.right} and typeof({column}) = 'integer'")
        db.execute(f"insert or ignore into temp.damaged select {column} from {wrong}")
    game.copy(db, "id not in (select game from temp.damaged)")
    lost = event.rows("typeof(game) = 'integer' and game not in (select id from main.game)")
    db.execute(f"insert or ignore into temp.damaged select game from {lost}")
    found = tuple(number for (number,) in db.execute("select game from temp.damaged order by game"))
    db.execute("drop table temp.damaged")
    return found


def _own_table(db: sqlite3.Connection, name: str, kinds: dict[str, str]) -> _Table | None:
    """A table that this version knows; None where the file has none such. Columns of later versions are added to ours.

    Raises `Foreign` where there is no journal without it, `Damaged`.
    """
    ours, there = own()[name], dict(columns(db, "given", name))
    missing = [column for column in ours.values() if column.name not in there and not column.may_be_left]
    keys = [column.name for column in ours.values() if column.key and there.get(column.name, column).key != column.key]
    if kinds.get(name) != "table" or missing or keys:
        if name in NEEDED:
            raise Foreign(f"it has no table {name} of ours")
        return None
    _check_damage(db, name)
    taken = {column: ours[column] for column in ours if column in there}
    for column in there.values():
        if column.name not in ours and _is_plain(column) and column.may_be_left:
            db.execute(f'alter table main."{name}" add column {_defined(column)}')
            taken[column.name] = column
    return _Table(name, taken)


def _later_tables(db: sqlite3.Connection, kinds: dict[str, str]) -> tuple[dict[str, _Table], tuple[str, ...]]:
    """Copy the plain tables that later versions have added. Returns these, and what is left out, in words."""
    found: dict[str, _Table] = {}
    left: tuple[str, ...] = ()
    virtual = tuple(f"{name}_" for name, kind in kinds.items() if kind == "virtual table")  # theirs are named so
    for name, kind in kinds.items():
        if name in own() or name.startswith(("sqlite_", *virtual)):
            continue
        named = kind == "table" and LATER_NAME.fullmatch(name)
        there = dict(columns(db, "given", name)) if named else {}
        if not there or not all(map(_is_plain, there.values())):
            left += (f"{kind} {in_plain(name)}",)
            continue
        _check_damage(db, name)
        parts = [_defined(column) for column in there.values()]
        by_place = {column.key: f'"{column.name}"' for column in there.values() if column.key}
        if by_place:
            parts.append(f"primary key ({', '.join(by_place[place] for place in sorted(by_place))})")
        db.execute(f'create table main."{name}" ({", ".join(parts)})')
        found[name] = _Table(name, there)
        found[name].copy(db)
    return found, left


def _check_damage(db: sqlite3.Connection, table: str) -> None:
    """Raises `Damaged`. A table with generated columns is only read: this check would calculate them."""
    if not any(hidden for *_, hidden in db.execute(f'pragma given.table_xinfo("{table}")').fetchall()):
        for (found,) in db.execute(f'pragma given.quick_check("{table}")').fetchall():
            if found != "ok" and not found.startswith(EMPTY):
                raise Damaged(found)


def _is_plain(column: Column) -> bool:
    """Whether a column that this version does not know can be one of a later version."""
    sane = LATER_NAME.fullmatch(column.name) and column.type in LATER_TYPES
    return bool(sane) and (column.default is None or re.fullmatch(schema.LITERAL, column.default) is not None)


def _defined(column: Column) -> str:
    """In SQL: the definition of a column, but for a key."""
    default = "" if column.default is None else f" default {column.default}"
    return f'"{column.name}" {column.type}{" not null" * column.filled}{default}'.replace('"  ', '" ')
