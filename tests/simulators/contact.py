"""A button's contact, and what a kernel tells of it: the interrupt's stamp, the level that a thread reads later.

The model of docs/decisions/0005. An edge is stamped in the hard interrupt, some 10 µs after the contact has moved. A
thread of the line then reads the level and queues the edge; another edge before that replaces the stamp. The numbers
of a request are drawn in the interrupt.
"""

from bisect import bisect_right
from collections.abc import Sequence
from itertools import accumulate, count
from math import log
from random import Random
from typing import NamedTuple

from hardware.parts.gpio.numbers import EdgeNumbers

US = 1_000
MS = 1_000_000

BOUNCE_NS, WORSE_NS = 6 * MS, 40 * MS  # it bounces up to 6 ms; one in 20 is worse, and some of those outlive the lock
WORSE_PART = 1 / 20
MAX_REOPENED = 5  # times
TOUCHED_US, OPENED_US = (5, 60), (50, 800)  # a short first touch, and the time until the contact closes again
SPARK_US = (5, 500)
SOONEST_NS, LATER_NS, LATEST_NS = 10 * US, 5 * US, 100 * US  # stamp minus contact: 10 µs + Exp(5 µs), cut at 100 µs
THREAD_CUT = 5  # times its mean: so long at most a thread takes, where nothing keeps it waiting
HELD_UP_NS = 20 * MS  # a thread that is kept waiting


class Told(NamedTuple):
    """An edge as the kernel tells it."""

    at_ns: int
    down: bool
    replaced: bool  # its numbers show that it may have replaced the stamp of an earlier edge of its line
    queued_ns: int


def lateness(dice: Random) -> int:
    """Stamp minus contact, in ns."""
    return min(SOONEST_NS + int(-log(1 - dice.random()) * LATER_NS), LATEST_NS)


def between(dice: Random, limits: tuple[int, int], unit_ns: int = US) -> int:
    """A time between two, in ns."""
    low, high = limits
    return int((low + (high - low) * dice.random()) * unit_ns)


def closing(dice: Random, at_ns: int, *, touched: bool = False) -> list[int]:
    """The times at which a contact moves that closes: the first closes it, the next opens it. It ends closed.

    `touched`: at first it only touches, and opens again.
    """
    chance, touch = dice.random, list[int]()
    if touched:
        touch = [at_ns, at_ns + between(dice, TOUCHED_US)]
        at_ns = touch[1] + between(dice, OPENED_US)
    length_ns = chance() * (WORSE_NS if chance() < WORSE_PART else BOUNCE_NS)
    moves = 2 * int(chance() * (MAX_REOPENED + 1))
    return [*touch, at_ns, *sorted([at_ns + int(chance() * length_ns) for _ in range(moves)])]


def spark(dice: Random, at_ns: int) -> list[int]:
    """The moves of a dip that is no press."""
    return [at_ns, at_ns + between(dice, SPARK_US)]


def told(
    dice: Random, lines: Sequence[Sequence[int]], thread_ns: int, *, held_up: float = 0.0, requests: int = 1
) -> tuple[list[Told], ...]:
    """What the kernel tells of the moves of some lines, by line.

    `thread_ns`: how long it takes until a thread runs, on average (Exp, cut). `held_up`: the part of the edges whose
    thread is kept waiting. Lines are in so many requests in turn, beside others that do not move.
    """
    stamps = [list(accumulate((move + lateness(dice) for move in moves), max)) for moves in lines]
    order = sorted((stamp, line, n) for line, each in enumerate(stamps) for n, stamp in enumerate(each))
    drawn = [count(1) for _ in range(requests)]
    numbers = {(line, n): next(drawn[line % requests]) for _, line, n in order}
    queued: list[tuple[int, int, int, int, bool]] = []  # queued at, line, number, stamp, level
    for line, moves in enumerate(lines):
        first, free_ns = 0, 0
        while first < len(moves):
            waits_ns = int(min(-log(1 - dice.random()), THREAD_CUT) * thread_ns)
            waits_ns += int(dice.random() * HELD_UP_NS) if held_up and dice.random() < held_up else 0
            runs_ns = free_ns = max(stamps[line][first] + waits_ns, free_ns)
            last = bisect_right(stamps[line], runs_ns) - 1
            down = bisect_right(moves, runs_ns) % 2 == 1
            queued.append((runs_ns, line, numbers[line, last], stamps[line][last], down))
            first = last + 1
    found: tuple[list[Told], ...] = tuple([] for _ in lines)
    known = [EdgeNumbers() for _ in range(requests)]
    for queued_ns, line, number, stamp, down in sorted(queued):
        replaced = known[line % requests].replaced(line, number, stamp)
        found[line].append(Told(stamp, down, replaced, queued_ns))
    return found
