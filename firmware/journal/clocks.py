"""When games began: by the wall clock of the run, put right by what the run has noted; None where it never was right.

A Raspberry Pi begins with a wrong clock, and may learn its time in mid-game. Whoever shows when a game began asks here.
"""

import sqlite3
from bisect import bisect_right
from contextlib import suppress
from datetime import datetime, timedelta

from firmware.journal import remarks


class Clocks:
    """What the wall clocks of all runs showed."""

    def __init__(self, db: sqlite3.Connection, schema: str = "main") -> None:
        """`schema`: the name by which the journal is attached. Runs are read once they are asked for."""
        self._db, self._schema = db, schema
        notes = f"select 1 from {schema}.sqlite_master where name = 'clock'"
        self._there = db.execute(notes).fetchone() is not None
        self._days = remarks.days(db, schema)  # that people have entered stand before all clocks
        self._moments: dict[int, list[tuple[int, str | None]]] = {}

    def began(self, game: int, run: int, at_ns: int, started_at: str) -> datetime | None:
        """When a game began, by its first stamp; None where that is not known. `started_at`: what the clock showed.

        A run of an older version has noted nothing: what its clock showed is taken at its word.
        """
        clock = None
        with suppress(ValueError, TypeError):  # damaged
            clock = self.wall(run, at_ns) if self.noted(run) else datetime.fromisoformat(started_at)
        with suppress(ValueError, OverflowError):
            return remarks.on(self._days[game], clock) if game in self._days else clock
        return clock

    def entered(self, game: int) -> str | None:
        """The day that people have entered for a game, ISO 8601."""
        return self._days.get(game)

    def noted(self, run: int) -> bool:
        """Whether a run noted its clock; an older version's did not."""
        return bool(self._of(run))

    def wall(self, run: int, at_ns: int) -> datetime | None:
        """The wall time of a stamp, by the latest moment of its run that was known by then, else by the first."""
        known = [(then_ns, wall) for then_ns, wall in self._of(run) if wall is not None]
        if not known:
            return None
        then_ns, wall = known[max(0, bisect_right(known, (at_ns, "~")) - 1)]
        return datetime.fromisoformat(wall) + timedelta(microseconds=(at_ns - then_ns) // 1000)

    def apart(self, one: tuple[int, int], other: tuple[int, int]) -> timedelta | None:
        """How long after one stamp the other is, each with its run; None where no clock can tell."""
        walls = self.wall(*one), self.wall(*other)
        by_wall = None if None in walls else walls[1] - walls[0]  # type: ignore[operator]
        if self._boot(one[0]) != self._boot(other[0]):
            return by_wall
        by_stamp = timedelta(microseconds=(other[1] - one[1]) // 1000)
        return by_stamp if by_wall is None else max(by_stamp, by_wall)  # stamps stand still while a computer sleeps

    def _of(self, run: int) -> list[tuple[int, str | None]]:
        """The moments of a run."""
        if self._there and run not in self._moments:
            select = f"select at_ns, wall from {self._schema}.clock where run = ? order by at_ns"
            self._moments[run] = self._db.execute(select, (run,)).fetchall()
        return self._moments.get(run, [])

    def _boot(self, run: int) -> str | None:
        row = self._db.execute(f"select boot from {self._schema}.run where id = ?", (run,)).fetchone()
        return None if row is None else str(row[0])
