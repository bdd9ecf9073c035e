"""Evenings: games that were over on the same one.

An evening ends with a gap of 6 hours between the end of a game and the next thing that happens in another one; a game
that is cut short and gone on with never ends one. Within one boot the stamps tell the gap. Between two boots the wall
clocks do, where both were right, else what people have answered.
"""

import sqlite3
from bisect import bisect_left, bisect_right
from datetime import datetime, timedelta
from typing import NamedTuple

from firmware.journal import remarks
from firmware.wall_clock import GAP


class Evening(NamedTuple):
    """The games of an evening, in the order of their ends."""

    number: int  # from 1
    day: str | None  # of its first game: ISO 8601, local; None where no clock was right
    games: tuple[int, ...]


class Clocks:
    """What the wall clocks of all runs showed."""

    def __init__(self, db: sqlite3.Connection) -> None:
        self._boots = dict(db.execute("select id, boot from journal.run"))
        self._moments: dict[int, list[tuple[int, str | None]]] = {}
        if db.execute("select 1 from journal.sqlite_master where name = 'clock'").fetchone():
            for run, at_ns, wall in db.execute("select run, at_ns, wall from journal.clock order by run, at_ns"):
                self._moments.setdefault(run, []).append((at_ns, wall))

    def noted(self, run: int) -> bool:
        """Whether a run noted its clock; an older version's did not."""
        return run in self._moments

    def wall(self, run: int, at_ns: int) -> datetime | None:
        """The wall time of a stamp, by the latest moment of its run that was known by then, else by the first."""
        known = [(then_ns, wall) for then_ns, wall in self._moments.get(run, ()) if wall is not None]
        if not known:
            return None
        then_ns, wall = known[max(0, bisect_right(known, (at_ns, "~")) - 1)]
        return datetime.fromisoformat(wall) + timedelta(microseconds=(at_ns - then_ns) // 1000)

    def apart(self, one: tuple[int, int], other: tuple[int, int]) -> timedelta | None:
        """How long after one stamp the other is, each with its run; None where no clock can tell."""
        walls = self.wall(*one), self.wall(*other)
        by_wall = None if None in walls else walls[1] - walls[0]  # type: ignore[operator]
        if self._boots.get(one[0]) != self._boots.get(other[0]):
            return by_wall
        by_stamp = timedelta(microseconds=(other[1] - one[1]) // 1000)
        return by_stamp if by_wall is None else max(by_stamp, by_wall)  # stamps stand still while a computer sleeps


def evenings(db: sqlite3.Connection) -> tuple[Evening, ...]:
    """All evenings, the latest last. `db`: as `game_totals.up_to_date` returns it."""
    clocks = Clocks(db)
    answers: list[tuple[int, int]] = []
    if db.execute("select 1 from journal.sqlite_master where name = 'evening'").fetchone():
        answers = db.execute("select event, new from journal.evening order by event").fetchall()
    rows = db.execute(
        "select sums.id, sums.run, begun_ns, end_event, end_run, end_ns, started_at from main.game as sums "
        "join journal.game as played on played.id = sums.id where end_event is not null order by end_event"
    ).fetchall()
    own = remarks.days(db, "journal")
    found: list[list[int]] = []
    days: list[str | None] = []
    before: tuple[int, int, int, datetime] | None = None
    for game, run, begun_ns, end_event, end_run, end_ns, started_at in rows:
        started = datetime.fromisoformat(started_at)
        if before is None or _is_new(db, clocks, answers, before, game, started):
            found.append([])
            wall = started if not clocks.noted(run) else clocks.wall(run, begun_ns)
            days.append(own.get(game) or (None if wall is None else f"{wall.astimezone():%Y-%m-%d}"))
        found[-1].append(game)
        days[-1] = days[-1] or own.get(game)
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
        return started - begun >= GAP
    apart = clocks.apart((end_run, end_ns), (run, at_ns))
    return apart is not None and apart >= GAP
