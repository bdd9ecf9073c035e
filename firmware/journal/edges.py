"""The raw edges of the latest evening: what the lines of buttons did."""

import sqlite3
from collections.abc import Container, Iterator
from typing import get_args

from firmware.journal import run_notes
from firmware.journal.rows import MAX_ID, typed
from firmware.journal.run_notes import Stamp
from firmware.wall_clock import Moment, ends_evening_ns
from hardware.parts.buttons import Edge, Source

MAX_EDGES = 50_000  # that are read of an evening, the latest ones
MAX_RUNS = 100  # likewise

ROWS = "select button, down, at_ns, source from edge where run = ? order by id desc limit ?"
RUN_BEFORE = "select max(run) from edge where run < ?"


def latest_evening(db: sqlite3.Connection, buttons: Container[str]) -> Iterator[tuple[Edge, ...]]:
    """The edges of these buttons by run, the latest run in front; those of a run in the order stored.

    The evening begins after a gap without edges, of any button. An earlier run belongs to it only where a clock tells
    that there was no gap. Raises `sqlite3.Error` where a row is damaged.
    """
    left, run, later = MAX_EDGES, MAX_ID + 1, None
    for _ in range(MAX_RUNS):
        (before,) = next(typed(db.execute(RUN_BEFORE, (run,)), int | None))
        if before is None or not left:
            return
        run, edges, first_ns = before, list[Edge](), None
        for button, down, at_ns, source in typed(db.execute(ROWS, (run, left)), str, int, int, str):
            if first_ns is None and later is not None and not _follows(run_notes.at(db, run, at_ns), later):
                return
            if first_ns is not None and ends_evening_ns(first_ns - at_ns):
                yield tuple(reversed(edges))
                return
            left, first_ns = left - 1, at_ns
            if button in buttons:
                edges.append(_edge(button, down, at_ns, source))
        yield tuple(reversed(edges))
        later = run_notes.at(db, run, first_ns or 0)


def between(db: sqlite3.Connection, boot: str, first_ns: int, last_ns: int) -> tuple[Edge, ...]:
    """The edges of a boot from one stamp to another, the latest ones, in the order stored.

    Raises `sqlite3.Error` where a row is damaged.
    """
    of_boot = "run in (select id from run where boot = ?) and at_ns between ? and ? order by id desc limit ?"
    rows = db.execute(
        f"select button, down, at_ns, source from edge where {of_boot}", (boot, first_ns, last_ns, MAX_EDGES)
    )
    return tuple(reversed([_edge(*row) for row in typed(rows, str, int, int, str)]))


def _edge(button: str, down: int, at_ns: int, source: str) -> Edge:
    for known in get_args(Source):
        if source == known:
            return Edge(button, bool(down), at_ns, known)
    raise sqlite3.DataError("an edge is damaged")


def _follows(one: Stamp, later: Stamp) -> bool:
    """Whether one stamp is known to be of the same evening as a later one."""
    wall = None if later.wall is None else later.wall.isoformat()
    ago_ns = one.ago_ns(later.boot, Moment(later.at_ns, wall))
    return ago_ns is not None and not ends_evening_ns(ago_ns)
