"""Evenings: games that were over on the same one.

An evening ends with a gap of 6 hours between the end of a game and the next thing that happens in another one; a game
that is cut short and gone on with never ends one. Within one boot the stamps tell the gap. Between two boots the wall
clocks do, where both were right, else what people have answered.
"""

import sqlite3
from bisect import bisect_left
from datetime import datetime
from typing import NamedTuple

from firmware import local_time
from firmware.journal.clocks import Clocks
from firmware.wall_clock import ends_evening


class Evening(NamedTuple):
    """The games of an evening, in the order of their ends."""

    number: int  # from 1
    day: str | None  # of its first game: ISO 8601, local; None where no clock was right
    games: tuple[int, ...]


def evenings(db: sqlite3.Connection) -> tuple[Evening, ...]:
    """All evenings, the latest last. `db`: as `game_totals.up_to_date` returns it."""
    clocks = Clocks(db, "journal")
    answers: list[tuple[int, int]] = []
    if db.execute("select 1 from journal.sqlite_master where name = 'evening'").fetchone():
        answers = db.execute("select event, new from journal.evening order by event").fetchall()
    rows = db.execute(
        "select sums.id, sums.run, begun_ns, end_event, end_run, end_ns, started_at from main.game as sums "
        "join journal.game as played on played.id = sums.id where end_event is not null order by end_event"
    ).fetchall()
    found: list[list[int]] = []
    days: list[str | None] = []
    before: tuple[int, int, int, datetime] | None = None
    for game, run, begun_ns, end_event, end_run, end_ns, started_at in rows:
        started = datetime.fromisoformat(started_at)
        if before is None or _is_new(db, clocks, answers, before, game, started):
            found.append([])
            began = clocks.began(game, run, begun_ns, started_at)
            days.append(None if began is None else f"{local_time.local(began):%Y-%m-%d}")
        found[-1].append(game)
        days[-1] = days[-1] or clocks.entered(game)
        before = end_event, end_run, end_ns, started
    return tuple(Evening(n, day, tuple(each)) for n, (day, each) in enumerate(zip(days, found, strict=True), 1))


def _is_new(
    db: sqlite3.Connection,
    clocks: Clocks,
    answers: list[tuple[int, int]],
    before: tuple[int, int, int, datetime],
    game: int,
    started: datetime,
) -> bool:
    """Whether a game is the first of an evening. `before`: the end of the game before it, and when that was begun."""
    end_event, end_run, end_ns, begun = before
    event, run, at_ns = db.execute(
        "select id, run, at_ns from journal.event where game = ? and id > ? order by id limit 1", (game, end_event)
    ).fetchone()
    said = answers[bisect_left(answers, (end_event, 0)) : bisect_left(answers, (event, 0))]
    if said:
        return any(new for _, new in said)
    if not clocks.noted(end_run) or not clocks.noted(run):  # an older version: taken at its word
        return ends_evening(started - begun)
    return ends_evening(clocks.apart((end_run, end_ns), (run, at_ns)))
