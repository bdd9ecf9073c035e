"""What phones leave in the journal, beside the events: which phones have joined, and the numbers they have sent.

A number that a phone has sent stands here until its question is closed; then it is an event, and its row goes with the
same commit. So does what a seat has answered before its turn. Rows count only as long as the game has as many events as
when they were written: a version that knows no phones may have gone on with it.
"""

import sqlite3
from collections.abc import Collection, Iterable, Iterator
from contextlib import suppress
from itertools import groupby
from typing import NamedTuple, TypeAlias

import msgspec

from firmware.journal.rows import typed

SCHEMA = """
create table if not exists phone (id text primary key, token text not null, role text not null, holds text not null,
    nonces text not null default '', since text not null default '');
create table if not exists sent (game integer not null, seat integer not null, verb text not null,
    value integer not null, phone text not null, nonce text not null, events integer not null,
    primary key (game, seat));
create table if not exists kept (game integer not null, seat integer not null, answers text not null,
    events integer not null, primary key (game, seat));
"""
TABLES = "select count(*) from sqlite_master where type = 'table' and name in ('phone', 'sent')"
PHONE = (
    "insert into phone (id, token, role, holds, nonces, since) values (?, ?, ?, ?, ?, ?) on conflict (id) do update "
    "set token = excluded.token, role = excluded.role, holds = excluded.holds, nonces = excluded.nonces"
)
KEPT = "insert into kept (game, seat, answers, events) values (?, ?, ?, ?)"
SENT = "insert into sent (game, seat, verb, value, phone, nonce, events) values (?, ?, ?, ?, ?, ?, ?)"


WATCH, SEAT, TABLE = "watch", "seat", "table"  # roles


class Phone(msgspec.Struct, frozen=True):
    """A phone that has joined."""

    id: str
    token: str  # a hash of what its cookie holds
    role: str
    holds: tuple[str, ...] = ()  # the people it plays for, by id, and the buttons of guests
    nonces: tuple[str, ...] = ()  # of its latest answers that were entered: one that comes twice is entered once


class Sent(NamedTuple):
    """A number that a phone has sent for a seat."""

    seat: int
    verb: str
    value: int
    phone: str  # an id
    nonce: str  # of the message


class KeptAnswer(NamedTuple):
    """What was answered on a phone for a seat before its turn."""

    seat: int
    verb: str
    value: int | str | None  # a whole word where one is spelled, empty for none
    phone: str  # an id


Answered: TypeAlias = Sent | KeptAnswer


def there(db: sqlite3.Connection) -> bool:
    """Whether this version has added the tables."""
    return bool(db.execute(TABLES).fetchone()[0] == 2)


def known(db: sqlite3.Connection) -> tuple[Phone, ...]:
    """All phones that have joined, in that order."""
    if not there(db):
        return ()
    rows = typed(db.execute("select id, token, role, holds, nonces from phone order by rowid"), *(str,) * 5)
    return tuple(
        Phone(id_, token, role, tuple(filter(None, holds.split("\n"))), tuple(nonces.split()))
        for id_, token, role, holds, nonces in rows
    )


def write(db: sqlite3.Connection, phones: Iterable[Phone], since: str) -> None:
    """Add phones, or change those that are there."""
    rows = [(one.id, one.token, one.role, "\n".join(one.holds), " ".join(one.nonces), since) for one in phones]
    db.executemany(PHONE, rows)


def drop(db: sqlite3.Connection, phones: Iterable[str]) -> None:
    """Phones that were thrown out."""
    db.executemany("delete from phone where id = ?", [(id_,) for id_ in phones])


def sent(db: sqlite3.Connection, game: int, events: int) -> tuple[Answered, ...]:
    """The numbers that stand for the open question of a game that has so many events, and what was answered early."""
    if not there(db):
        return ()
    rows = db.execute(
        "select seat, verb, value, phone, nonce from sent where game = ? and events = ? order by seat", (game, events)
    )
    return (*(Sent(*row) for row in typed(rows, int, str, int, str, str)), *_kept(db, game, events))


def _kept(db: sqlite3.Connection, game: int, events: int) -> Iterator[KeptAnswer]:
    if not keeps(db):
        return
    rows = db.execute("select seat, answers from kept where game = ? and events = ? order by seat", (game, events))
    for seat, answers in typed(rows, int, str):
        with suppress(ValueError):
            for value, verb, phone in msgspec.json.decode(answers, type=list[tuple[int | str | None, str, str]]):
                yield KeptAnswer(seat, verb, value, phone)


def keeps(db: sqlite3.Connection) -> bool:
    """Whether the table of early answers is there: it is newer than the others."""
    return db.execute("select 1 from sqlite_master where type = 'table' and name = 'kept'").fetchone() is not None


def write_sent(db: sqlite3.Connection, game: int, events: int, standing: Iterable[Answered]) -> None:
    """The numbers and early answers that stand now; no others do."""
    standing = tuple(standing)
    for table in ("sent", "kept"):
        db.execute(f"delete from {table} where game = ?", (game,))
    db.executemany(SENT, [(game, *one, events) for one in standing if isinstance(one, Sent)])
    early = groupby((one for one in standing if isinstance(one, KeptAnswer)), key=lambda one: one.seat)
    for seat, answers in early:
        # the value in front: so a name is found as that of a fancier is (`forgetting`)
        text = msgspec.json.encode([(one.value, one.verb, one.phone) for one in answers]).decode()
        db.execute(KEPT, (game, seat, text, events))


def without(standing: Iterable[Answered], words: Collection[str]) -> tuple[Answered, ...]:
    """What stands but for these words, which are to be forgotten, and for what the same seat has answered since."""
    left: list[Answered] = []
    gone: set[int] = set()
    for one in standing:
        if isinstance(one, KeptAnswer) and (one.seat in gone or one.value in words):
            gone.add(one.seat)
        else:
            left.append(one)
    return tuple(left)
