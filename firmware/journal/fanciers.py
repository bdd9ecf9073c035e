"""Names in the events of games: a fancier of CAT Pageant may be called like a person, in capitals.

Letters of such a name, and what a phone has answered early, go with it. No other event has text of people.
"""

import sqlite3
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import msgspec

from engine import games
from firmware.journal import phones
from firmware.journal.reader import EventRow, Recorded, decode
from firmware.people.names import Person, in_capitals


class Replaced(NamedTuple):
    """A name in the events of games, in capitals, and what stands there instead."""

    name: str
    by: str


def replacements(persons: Iterable[Person]) -> tuple[Replaced, ...]:
    """What stands for the names of these people."""
    return tuple(
        Replaced(name, one.id.upper()[: len(name)])
        for one in persons
        for name in dict.fromkeys(map(in_capitals, (one.name, one.latin)))
        if name
    )


def forget(db: sqlite3.Connection, persons: Iterable[Person]) -> None:
    """Leave the names of these people in no event, and in no early answer."""
    tables = {name for (name,) in db.execute("select name from sqlite_master where type = 'table'")}
    for replaced in replacements(persons):
        if {"game", "event"} <= tables:
            _forget(db, replaced)
        if phones.keeps(db):
            name, by = replaced
            db.execute("update kept set answers = replace(answers, ?, ?)", (f'["{name}",', f'["{by}",'))


def _forget(db: sqlite3.Connection, replaced: Replaced) -> None:
    named = "select distinct game.id, game.name from game join event on event.game = game.id where instr(fields, ?)"
    for game, rules in db.execute(named, (f'"{replaced.name}"',)).fetchall():
        ids = [id_ for (id_,) in db.execute("select id from event where game = ? order by id", (game,))]
        columns = "select step, at_ns, name, fields from event where game = ? order by id"
        before = db.execute(columns, (game,)).fetchall()
        after = renamed(rules, before, (replaced,))
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


def leave_out(game: Recorded, persons: Sequence[Person]) -> None:
    """The same of a game in memory."""
    if not (replaced := replacements(persons)):
        return
    game.rows = renamed(game.name, game.rows, replaced)
    if (left := phones.without(game.sent, [name for name, _ in replaced])) != game.sent:
        game.sent, game.sent_saved = left, False


def wipe(data: bytearray, persons: Iterable[Person]) -> None:
    """Overwrite these names in the bytes of a file."""
    for name, by in replacements(persons):
        data[:] = data.replace(f'["{name}",'.encode(), f'["{by}",'.encode())
