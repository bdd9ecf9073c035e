"""The first touch on a real kernel with two processors: contacts that touch briefly, sparks, a thread kept waiting.

Whatever the kernel tells of them, a press or a release is stamped at its first move, or says that it may have been
earlier, and a spark is nothing.
"""

import os
import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import cycle, pairwise
from multiprocessing import get_context
from pathlib import Path
from queue import Empty, Queue
from random import Random
from typing import NamedTuple

import pytest

from hardware.parts import Report
from hardware.parts.buttons import Edge
from hardware.parts.buttons.gpio import GpioButtons
from hardware.parts.debounce import CLOSED_NS, LATE_NS, TOUCH_NS, Debounce
from hardware.parts.gpio.gpiod_factory import GpiodFactory
from hardware.parts.gpio.numbers import RECENT_NS
from tests.simulators.first_edge import FirstEdge
from tests.simulators.sim_chip import SimChip

PINS = {"P1": 5, "P2": 6, "P3": 22, "P4": 23, "P5": 24, "P6": 25}
PRESSES = 2_000
LONGEST_S = 150.0  # a busy machine makes fewer
TURN_NS = 12_000_000  # all lines in turn: 72 ms between two moves of one line
TOUCH_US = (60, 300)  # the simulator merges moves closer than 20 µs
SHORT, CLEAN, SPARK = "a short first touch", "one move", "a spark"
HOG_BUSY_S, HOG_IDLE_S = 0.004, 0.002
NAP_S = 0.001  # of a watcher of a processor
STALL_NS = 15_000_000  # what holds it up for so long holds up a thread, too


class Move(NamedTuple):
    """A change of a line, or a spark."""

    name: str
    kind: str
    down: bool
    begin_ns: int  # the clock before its first move
    second_ns: int  # before its second one; where there is none after the first
    end_ns: int  # after its last one

    @property
    def quick(self) -> bool:
        """Whether it went as fast as it was meant to: a busy machine makes a press of a spark."""
        return self.end_ns - self.begin_ns < CLOSED_NS


class Found(NamedTuple):
    """What came of all moves."""

    changes: dict[str, list[Edge]]
    before: dict[str, list[Edge]]  # by the rule the kit had before
    edges: int
    stalls_ns: list[int]  # the stamps of edges that came so late as only a machine that stands still delivers them


class Table:
    """Buttons on true lines, and what their edges mean."""

    def __init__(self, chip: SimChip, buttons: GpioButtons) -> None:
        self._chip, self._buttons = chip, buttons
        self._edges: Queue[Edge] = Queue()  # a SimpleQueue of CPython 3.11 may miss a limit of some µs
        self._debounce, self._before = Debounce(buttons.down), FirstEdge()
        self.found = Found({name: [] for name in PINS}, {name: [] for name in PINS}, 0, [])
        for name in PINS:
            self._debounce.listen(name, down=False)
        buttons.listen(self._came)

    def _came(self, edge: Edge) -> None:
        if time.monotonic_ns() - edge.at_ns > RECENT_NS:
            self.found.stalls_ns.append(edge.at_ns)
        self._edges.put(edge)

    def move(self, name: str, kind: str, gaps_us: list[float], *, down: bool) -> Move:
        """Move a contact: at once, and again after each gap."""
        clock = [time.monotonic_ns()]
        self._chip.pull(PINS[name], not down)
        clock.append(time.monotonic_ns())
        for n, gap_us in enumerate(gaps_us):
            until_ns = clock[-1] + round(gap_us * 1000)
            while time.monotonic_ns() < until_ns:
                pass
            clock.append(time.monotonic_ns())
            self._chip.pull(PINS[name], down if n % 2 == 0 else not down)
        second_ns = clock[2] if gaps_us else clock[1]
        return Move(name, kind, down, clock[0], second_ns, time.monotonic_ns())

    def wait(self, until_ns: int) -> None:
        """Take edges, and confirm changes when they are due."""
        while (now_ns := time.monotonic_ns()) < until_ns:
            due_ns = self._debounce.due_ns
            waits_ns = min(until_ns, until_ns if due_ns is None else due_ns) - now_ns
            try:
                edge = self._edges.get(timeout=max(waits_ns, 0) / 1e9)
            except Empty:
                self._keep(self._debounce.settle(time.monotonic_ns()), self.found.changes)
                self._keep(self._before.settle(time.monotonic_ns()), self.found.before)
                continue
            self._keep(self._debounce.edge(edge), self.found.changes)
            self._keep(self._before.edge(edge), self.found.before)
            self.found = self.found._replace(edges=self.found.edges + 1)

    def _keep(self, changes: tuple[Edge, ...], into: dict[str, list[Edge]]) -> None:
        for change in changes:
            into[change.button].append(change)


@pytest.fixture
def table(chip: SimChip, report: Report) -> Iterator[Table]:
    with GpiodFactory() as factory:
        buttons = GpioButtons(PINS, factory, "kernel", report)
        yield Table(chip, buttons)
        buttons.close()


def play(table: Table, seed: int) -> list[Move]:
    """Presses and releases with and without a short first touch, and sparks in between, all lines in turn."""
    dice, moves, down, presses = Random(seed), list[Move](), dict.fromkeys(PINS, False), 0
    at_ns, end_s = time.monotonic_ns(), time.monotonic() + LONGEST_S
    for name in cycle(PINS):
        at_ns = max(at_ns + TURN_NS, time.monotonic_ns())
        table.wait(at_ns)
        kind = dice.choice((SHORT, SHORT, SHORT, CLEAN, SPARK))
        short = [dice.uniform(*TOUCH_US), dice.uniform(100, 800)]
        gaps_us = {SHORT: short, CLEAN: [], SPARK: [dice.uniform(*TOUCH_US)]}
        moves.append(table.move(name, kind, gaps_us[kind], down=not down[name]))
        if kind != SPARK:
            down[name] = not down[name]
            presses += down[name] and moves[-1].quick
        if presses == PRESSES or time.monotonic() > end_s:
            break
    table.wait(time.monotonic_ns() + TOUCH_NS + 2 * LATE_NS)
    return moves


class Counted(NamedTuple):
    """How the changes compare with the moves that went as fast as they were meant to."""

    moves: int = 0
    sparks: int = 0  # of these
    pressed: int = 0  # sparks that became a change
    gone: int = 0  # others that became none, or more than one
    late: int = 0  # changes that are stamped after their second move
    unshown: int = 0  # of these, no edge said so
    shown: int = 0  # changes of which an edge said so


def count(moves: list[Move], changes: dict[str, list[Edge]], stalls_ns: list[tuple[int, int]]) -> Counted:
    """Compare, where the machine did not stall; `stalls_ns`: from when until when it did."""
    sums = [0] * len(Counted._fields)
    for name in PINS:
        made = [move for move in moves if move.name == name]
        for move, after in pairwise(made):
            told = [edge for edge in changes[name] if move.begin_ns <= edge.at_ns < after.begin_ns]
            spark, late, shown = move.kind == SPARK, told and told[0].at_ns > move.second_ns, told and told[0].replaced
            one = [True, spark, spark and told, not spark and [edge.down for edge in told] != [move.down]]
            one += [not spark and part for part in (late, late and not shown, shown)]
            around = move.begin_ns - LATE_NS, after.begin_ns + LATE_NS
            stalled = any(begin_ns < around[1] and end_ns > around[0] for begin_ns, end_ns in stalls_ns)
            if move.quick and not stalled:
                sums = [n + bool(part) for n, part in zip(sums, one, strict=True)]
    return Counted(*sums)


def spin(processor: int) -> None:
    """Keep a processor from everything else, at the highest priority, for a few ms at a time."""
    os.sched_setaffinity(0, {processor})
    os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(99))
    while True:
        end_s = time.monotonic() + HOG_BUSY_S
        while time.monotonic() < end_s:
            pass
        time.sleep(HOG_IDLE_S)


def watch(processor: int, path: Path) -> None:
    """Write down when a processor stood still: above the threads of its interrupts, below the hog."""
    os.sched_setaffinity(0, {processor})
    os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(98))
    last_ns = time.monotonic_ns()
    with path.open("a") as stalls:
        while True:
            time.sleep(NAP_S)
            now_ns = time.monotonic_ns()
            if now_ns - last_ns > STALL_NS:
                print(last_ns, now_ns, file=stalls, flush=True)
            last_ns = now_ns


@contextmanager
def watched(path: Path) -> Iterator[list[tuple[int, int]]]:
    """The times in which a processor stood still, once it is over: the host may take it away, and edges then merge."""
    path.touch()
    stalls = list[tuple[int, int]]()
    process = get_context("fork").Process
    watchers = [process(target=watch, args=(processor, path), daemon=True) for processor in (0, 1)]
    for watcher in watchers:
        watcher.start()
    try:
        yield stalls
    finally:
        for watcher in watchers:
            watcher.kill()
            watcher.join()
        for line in path.read_text().splitlines():
            begin_ns, end_ns = map(int, line.split())
            stalls.append((begin_ns, end_ns))


@contextmanager
def hog() -> Iterator[int]:
    """All threads of the lines' interrupts on one processor, and a hog with them. How many threads there are."""
    threads = [int(task.parent.name) for task in Path("/proc").glob("[0-9]*/comm") if task.read_text()[:4] == "irq/"]
    for thread in threads:
        os.sched_setaffinity(thread, {1})
    os.sched_setaffinity(0, {0})
    spinning = get_context("fork").Process(target=spin, args=(1,), daemon=True)
    spinning.start()
    try:
        yield len(threads)
    finally:
        assert spinning.pid is not None
        os.kill(spinning.pid, signal.SIGKILL)
        spinning.join()
        os.sched_setaffinity(0, {0, 1})


@pytest.mark.parametrize("hogged", [False, True], ids=["idle", "with a hog"])
def test_the_first_touch_counts_or_a_gap_is_shown_and_no_spark_is_a_press(
    table: Table, tmp_path: Path, hogged: bool
) -> None:
    with watched(tmp_path / "stalls") as stood_ns:
        if hogged:
            with hog() as threads:
                moves = play(table, 2)
            assert threads >= len(PINS)
        else:
            moves = play(table, 1)
    found = table.found
    stalls_ns = [*stood_ns, *((at_ns, at_ns) for at_ns in found.stalls_ns)]
    ours, before = (count(moves, changes, stalls_ns) for changes in (found.changes, found.before))
    kinds = {kind: sum(move.kind == kind for move in moves) for kind in (SHORT, CLEAN, SPARK)}
    print(f"\n{kinds}, {found.edges} edges, {len(found.stalls_ns)} of them late, {len(stood_ns)} stalls")
    print(f"ours   {ours}\nbefore {before}")
    assert ours.moves > 100  # those that a busy machine made in time; a quiet one nearly all
    assert (ours.pressed, ours.gone, ours.unshown) == (0, 0, 0)
    assert not hogged or (ours.shown > 0 and before.pressed + before.unshown > 0)  # the hog does keep threads waiting
