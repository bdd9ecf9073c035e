"""Rows as this program writes them. In a file that another program has written, any column may hold anything."""

import sqlite3
from collections.abc import Iterable, Iterator
from datetime import datetime
from types import UnionType
from typing import Any

from firmware.people.names import harmless
from firmware.people.notes import YEARS, cleaned_day, harmless_note

MAX_ID = 2**53  # of a game, an event, a run: so that there is room for more of them, and programs agree on it
MAX_TEXT = 100_000  # bytes; an event has some hundred
MAX_ROW = 10_000_000  # bytes of a row, whatever it is of


def typed(rows: Iterable[tuple[Any, ...]], *kinds: type | UnionType) -> Iterator[tuple[Any, ...]]:
    """The same rows. Raises `sqlite3.DataError` for one with another type in a column."""
    for row in rows:
        for value, kind in zip(row, kinds, strict=True):
            if not isinstance(value, kind):
                raise sqlite3.DataError("a row is damaged")
        yield row


def is_text(data: bytes | None) -> bool:
    """Whether bytes are a text that this program may have written. SQL asks of nothing, too."""
    if data is None or len(data) > MAX_TEXT or b"\0" in data:
        return False
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True


def is_name(data: bytes | None) -> bool:
    """Whether bytes are a name that can be shown."""
    return data is not None and is_text(data) and harmless(data.decode())


def is_note(data: bytes | None) -> bool:
    """Whether bytes are a note that can be shown."""
    return data is not None and is_text(data) and harmless_note(data.decode())


def is_day(data: bytes | None) -> bool:
    """Whether bytes are a day as this program writes it."""
    if data is None:
        return False
    try:
        return cleaned_day(day := data.decode("ascii")) == day
    except ValueError:
        return False


def is_time(data: bytes | None) -> bool:
    """Whether bytes are a wall time as this program writes it."""
    if data is None:
        return False
    try:
        time = datetime.fromisoformat(data.decode("ascii"))
    except ValueError:
        return False
    return time.tzinfo is not None and time.year in YEARS


def teach(db: sqlite3.Connection) -> None:
    """Let this connection call these functions."""
    for function in (is_text, is_name, is_note, is_day, is_time):
        db.create_function(function.__name__, 1, function, deterministic=True)
