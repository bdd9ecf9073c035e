"""The text of each score sheet that was played, once by its digest, whatever happens to its file; and by game its own.

A game is read by the text that it was begun with. A text that does not have its digest any more counts as missing.
Forgetting somebody puts another text, with its own digest, in the place of one that has the name. Ids and formulas
stay, so each game is replayed as before, and its kind is the same.
"""

import re
import sqlite3
from collections.abc import Iterable
from functools import lru_cache, partial
from hashlib import sha256
from typing import Any

from engine import games
from engine.game import Rules
from engine.rules import Refused
from engine.words import N_
from firmware.journal.rows import MAX_TEXT, typed
from firmware.people.notes import GONE, dotted, without_names

PREFIX = "sheet:"  # of the name of a game that is a sheet, before the name of its file
SMALL = "-"  # stands for a name of one or two letters, where "…" has more bytes
COMPILED = 32  # sheets that are kept
SCHEMA = """
create table if not exists sheet (digest text primary key, text text not null);
create table if not exists game_sheet (game integer primary key, digest text not null);
"""
LINES = re.compile(rb"[\t\n\r\x20-\x7e\x80-\xff]{32,}")  # of a text, in the bytes of a file
TABLES = "select count(*) from {}.sqlite_master where type = 'table' and name in ('sheet', 'game_sheet')"


def there(db: sqlite3.Connection, name: str = "main") -> bool:
    """Whether a journal, by the name that it is attached under, has sheets: older versions know none."""
    return bool(db.execute(TABLES.format(name)).fetchone()[0] == 2)


def digest(text: str) -> str:
    """What a text is known by."""
    return sha256(text.encode()).hexdigest()


def write(db: sqlite3.Connection, game: int, text: str) -> None:
    """Note the sheet of a game, unless it is noted."""
    if text:
        db.execute("insert or replace into sheet (digest, text) values (?, ?)", (digest(text), text))
        db.execute("insert or replace into game_sheet (game, digest) values (?, ?)", (game, digest(text)))


def text(db: sqlite3.Connection, game: int, name: str = "main") -> str:
    """The text of a game's sheet; empty where it has none, or where it is damaged."""
    if not there(db, name):
        return ""
    select = f"select sheet.digest, text from {name}.sheet join {name}.game_sheet using (digest) where game = ?"
    found = db.execute(select, (game,)).fetchone()
    return found[1] if found is not None and isinstance(found[1], str) and digest(found[1]) == found[0] else ""


def any_of(db: sqlite3.Connection) -> bool:
    """Whether a journal has any sheets."""
    return there(db) and db.execute("select 1 from sheet limit 1").fetchone() is not None


def without(text: str, names: Iterable[str]) -> str:
    """The text of a sheet without these names: titles, words, sentences and comments change.

    Where it would become one that cannot be read, only as long a sign stands for a name as fits in its place.
    """
    from firmware.people.sheet_texts import changed  # a start need not wait for it

    names = tuple(names)
    new = changed(text, partial(without_names, names=names))
    if new != text and (len(new.encode()) > MAX_TEXT or (_readable(text) and not _readable(new))):
        return changed(text, partial(without_names, names=names, by=lambda found: GONE if len(found) > 2 else SMALL))
    return new


def _readable(text: str) -> bool:
    """Whether a text is a sheet."""
    from engine.sheets.reading import SheetErrors, read

    try:
        read(text, known=True)
    except SheetErrors:
        return False
    return True


def naming(text: str, names: Iterable[str]) -> bool:
    """Whether a sheet's text has one of these names, also as an id."""
    from firmware.people.sheet_texts import ids

    names = tuple(names)
    return without(text, names) != text or any(without_names(one, names) != one for one in ids(text))


def forget(db: sqlite3.Connection, names: Iterable[str]) -> None:
    """Leave these names in no text. A game whose text changes has the new one."""
    names = tuple(names)
    if not names or not there(db):
        return
    for known, old in typed(db.execute("select digest, text from sheet").fetchall(), str, str):
        if (new := without(old, names)) == old:
            continue
        by = digest(new) if known == digest(old) else known  # a text that is damaged stays so
        db.execute("delete from sheet where digest = ?", (known,))
        db.execute("insert or replace into sheet (digest, text) values (?, ?)", (by, new))
        db.execute("update game_sheet set digest = ? where digest = ?", (by, known))


def wipe(data: bytearray, names: Iterable[str]) -> None:
    """Overwrite these names in the bytes of a file, wherever there are several lines of text."""
    names = tuple(names)
    for lines in LINES.finditer(bytes(data)) if names else ():
        if b"\n" in lines[0]:
            data[lines.start() : lines.end()] = dotted(lines[0], names)


@lru_cache(maxsize=COMPILED)
def rules(name: str, text: str = "") -> Rules[Any, Any]:
    """The rules of a game of the journal. Raises `Refused` (`bad_setup`) where this version does not know them."""
    if not name.startswith(PREFIX):
        return games.rules(name)
    if not text:
        raise Refused("bad_setup", N_("the score sheet of {name!r} is missing", name=name))
    from engine.sheets.reading import SheetErrors, read  # a start need not wait for it
    from engine.sheets.rules import rules as sheet_rules

    try:
        return sheet_rules(name, read(text, name.removeprefix(PREFIX), known=True), text)
    except SheetErrors as errors:
        raise Refused("bad_setup", str(errors.errors[0])) from None
