"""Names in the events of games: a fancier of CAT Pageant may be called like a person, in capitals.

Letters of such a name, and what a phone has answered early, go with it. No other event has text of people.
"""

import re
import sqlite3
from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

import msgspec

from engine import games
from engine.game import Event
from firmware.journal import phones
from firmware.journal.reader import EventRow, Recorded, decode
from firmware.people.names import Person, in_capitals

LETTER = re.compile(rb'"letter":"([A-Z0-9])"')  # as an event has it that was typed


class Replaced(NamedTuple):
    """A name in the events of games, in capitals, and what stands there instead."""

    name: str
    by: str


def replacements(persons: Iterable[Person]) -> tuple[Replaced, ...]:
    """What stands for the names of these people: another first letter, too, as it stands for each that was typed."""
    return tuple(
        Replaced(name, (one.id.upper().lstrip(name[0]) + ("Y" if name[0] == "X" else "X") * len(name))[: len(name)])
        for one in persons
        for name in dict.fromkeys(map(in_capitals, (one.name, one.latin)))
        if name
    )


def forget(db: sqlite3.Connection, persons: Iterable[Person]) -> None:
    """Leave the names of these people in no event, and in no early answer."""
    tables = {name for (name,) in db.execute("select name from sqlite_master where type = 'table'")}
    replaced = replacements(persons)
    if {"game", "event"} <= tables:
        _forget(db, replaced)
    if phones.keeps(db):
        for name, by in replaced:
            db.execute("update kept set answers = replace(answers, ?, ?)", (f'["{name}",', f'["{by}",'))


def _forget(db: sqlite3.Connection, replaced: Sequence[Replaced]) -> None:
    for game, rules in db.execute("select id, name from game").fetchall():
        if _rename(rules) is None:
            continue
        columns = "select step, at_ns, name, fields, id from event where game = ? order by id"
        rows = db.execute(columns, (game,)).fetchall()
        after = renamed(rules, [row[:4] for row in rows], replaced)
        changed = [(new[3], row[4]) for row, new in zip(rows, after, strict=True) if row[:4] != new]
        db.executemany("update event set fields = ? where id = ?", changed)


def _rename(game: str) -> Callable[[tuple[Event[Any], ...], str, str], tuple[Event[Any], ...]] | None:
    """What gives fanciers other names in a game, by the name of its rules; None where it has none."""
    return games.rules(game).renamed if game in games.names() else None


def renamed(game: str, rows: list[EventRow], replaced: Iterable[Replaced]) -> list[EventRow]:
    """The rows of a game, by the name of its rules, with other names; as they are where this version cannot read it."""
    if (rename := _rename(game)) is None:
        return rows
    try:
        before = after = tuple(decode(games.rules(game), *row).event for row in rows)
    except (ValueError, TypeError, AttributeError):  # a damaged row may have anything
        return rows
    for name, by in replaced:
        after = rename(after, name, by)
    return [
        row if new == old else (*row[:3], msgspec.json.encode(new).decode())
        for row, old, new in zip(rows, before, after, strict=True)
    ]


def leave_out(game: Recorded, persons: Sequence[Person]) -> None:
    """The same of a game in memory."""
    if not (replaced := replacements(persons)):
        return
    game.rows = renamed(game.name, game.rows, replaced)
    if (left := phones.without(game.sent, [name for name, _ in replaced])) != game.sent:
        game.sent, game.sent_saved = left, False


def wipe(data: bytearray, persons: Iterable[Person]) -> None:
    """Overwrite these names in the bytes of a file, and all letters that were typed, if they may spell one of them."""
    for name, by in replacements(persons):
        data[:] = data.replace(f'["{name}",'.encode(), f'["{by}",'.encode())
        typed = [letter.start(1) for letter in LETTER.finditer(data)]  # rows lie in any order
        if {*name} <= {chr(data[at]) for at in typed}:
            for at in typed:
                data[at] = ord(by[0])
