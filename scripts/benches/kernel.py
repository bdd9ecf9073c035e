"""Measure the figures of docs/measurements.md for presses on real kernel lines, in the kernel lab.

    scripts/kernel-lab run scripts/bench kernel

Our pin factory is compared with gpiozero's own for lgpio in the same run; other figures are shown with their goal.
These are measurements, not tests: run them on a quiet machine.
"""

import argparse
import json
import multiprocessing
import os
import re
import select
import statistics
import struct
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, Literal, TypeAlias

import gpiod

from tests.simulators.real_table import PROGRAM, RealTable, real_table
from tests.simulators.sim_chip import SimChip
from tests.simulators.waiting import unstalled

MS = 1_000_000
LINES = (5, 6, 22, 23, 24, 25)
Driver: TypeAlias = Literal["gpiod", "lgpio", "bare"]  # bare: only the two system calls of an edge
DRIVERS: tuple[Driver, ...] = ("gpiod", "lgpio")
EDGES: tuple[Driver, ...] = (*DRIVERS, "bare")
TURNS = 3
APART_S = 0.005  # between two edges of which each is answered by itself
BURST = 10  # presses of each line, as fast as they can be made
REST_S = 0.03  # from one burst to the next: the kernel keeps 1,024 edges for all lines together
SETTLE_S = 0.1  # for the last edges to come through
LATEST_S = 5.0  # later edges count as lost
GAME = ("P1", "P2", "P3", "P4", "P5", "P6")
COUNTDOWN_S = 3.0
REACTION_S = 0.3

# The program of the kernel lab's games; at its end it prints the delay from each press's stamp to the game's state.
TIMED = f"""
import json, time
from firmware.table.table import Table

wrote, late_ns = Table.wrote, []

def timed(self, game, facts, *more):
    now_ns = time.monotonic_ns()  # facts are journaled as soon as they are folded
    late_ns.extend(now_ns - fact.event.at_ns for fact in facts if type(fact.event).__name__ in ("Jumped", "Pressed"))
    return wrote(self, game, facts, *more)

Table.wrote = timed
{PROGRAM}
print(json.dumps(late_ns))
"""


def spread(late_ns: list[int]) -> dict[str, float]:
    """Median, p99 and the longest, in ms."""
    ordered = sorted(late_ns)
    return {
        "median_ms": round(statistics.median(ordered) / MS, 3),
        "p99_ms": round(ordered[min(len(ordered) - 1, len(ordered) * 99 // 100)] / MS, 3),
        "max_ms": round(ordered[-1] / MS, 3),
    }


# --- a process that watches six lines ---------------------------------------------------------------------------------


def watch(driver: Driver | None, asked: Connection) -> None:
    """Watch the lines by a driver's factory, or none, until stopped; meanwhile answer requests.

    `begin` and `end` of an idle time: CPU seconds and wake-ups so far. `edges`: those since the last such request.
    """
    seen: list[tuple[int, int, int, int]] = []  # line, level, stamp, time of the callback
    handlers = []
    if driver == "bare":
        bare(seen)
    elif driver is not None:
        factory = factory_of(driver)
        for line in LINES:

            def changed(ticks_s: float, level: int, line: int = line) -> None:
                seen.append((line, level, round(ticks_s * 1e9), time.monotonic_ns()))

            pin = factory.pin(line)
            pin.input_with_pull("up")
            pin.edges = "both"
            pin.when_changed = changed
            handlers.append(changed)  # the pin keeps only a weak reference
    asked.send("ready")
    while (question := asked.recv()) != "stop":
        if question == "begin":
            wakes = wakeups()  # first, since reading them costs something, too
            asked.send((time.process_time(), wakes))
        elif question == "end":
            asked.send((time.process_time(), wakeups()))
        else:
            asked.send(sent := seen.copy())
            del seen[: len(sent)]  # there may be new ones


def bare(seen: list[tuple[int, int, int, int]]) -> None:
    """The lower bound for any driver: wait for an edge, read it."""
    epoll, event = select.epoll(), struct.Struct("=QIIII24x")  # struct gpio_v2_line_event
    settings = gpiod.LineSettings(edge_detection=gpiod.line.Edge.BOTH, bias=gpiod.line.Bias.PULL_UP)
    requests = [gpiod.request_lines("/dev/gpiochip0", {line: settings}) for line in LINES]
    for request in requests:
        epoll.register(request.fd, select.EPOLLIN)

    def read() -> None:
        while requests:  # they stay open
            for fd, _ in epoll.poll():
                at_ns, kind, line, _, _ = event.unpack_from(os.read(fd, event.size))
                seen.append((line, kind == 1, at_ns, time.monotonic_ns()))

    threading.Thread(target=read, daemon=True).start()


def factory_of(driver: Literal["gpiod", "lgpio"]) -> Any:
    """The pin factory alone, without that of a kit's buzzer."""
    if driver == "gpiod":
        from hardware.parts.gpio.gpiod_factory import GpiodFactory

        return GpiodFactory()
    from hardware.parts.gpio import open_factory

    return open_factory(driver).inputs


def wakeups() -> int:
    """How often the threads of this process have slept and been woken."""
    found = 0
    for task in Path("/proc/self/task").iterdir():
        switches = re.search(r"^voluntary_ctxt_switches:\s+(\d+)", (task / "status").read_text(), re.MULTILINE)
        found += int(switches[1]) if switches else 0
    return found


@contextmanager
def watcher(driver: Driver | None) -> Iterator[tuple[SimChip, Connection]]:
    """A chip whose lines are up, and a process that watches them."""
    fork = multiprocessing.get_context("fork")
    ours, theirs = fork.Pipe()
    with SimChip() as chip:
        for line in LINES:
            chip.pull(line, True)
        process = fork.Process(target=watch, args=(driver, theirs))
        process.start()
        theirs.close()  # so that its end is noticed if the process ends
        try:
            assert ours.recv() == "ready"
            yield chip, ours
        finally:
            ours.send("stop")
            process.join()


def ask(process: Connection, question: str) -> Any:
    """One question to the process that watches."""
    process.send(question)
    return process.recv()


def latency(edges: int) -> dict[str, Any]:
    """From the kernel's stamp to the callback in Python, one edge at a time; the drivers take turns."""
    late_ns: dict[str, list[int]] = {driver: [] for driver in EDGES}
    for driver in EDGES * TURNS:
        with watcher(driver) as (chip, process):
            for n in range(edges // TURNS):
                chip.pull(LINES[n % len(LINES)], n // len(LINES) % 2 == 1)
                time.sleep(APART_S)
            time.sleep(SETTLE_S)
            late_ns[driver] += [called_ns - at_ns for _, _, at_ns, called_ns in ask(process, "edges")]
    found: dict[str, Any] = {driver: {"edges": len(late), **spread(late)} for driver, late in late_ns.items()}
    found["times_sooner"] = round(found["lgpio"]["median_ms"] / found["gpiod"]["median_ms"], 1)
    found["goal_times_sooner"] = 5
    return found


def idle(seconds: float) -> dict[str, Any]:
    """The cost of watching six idle lines; `bare` is the same process without any driver."""
    found: dict[str, Any] = {}
    for driver in (*DRIVERS, None):
        with watcher(driver) as (_, process):
            time.sleep(SETTLE_S)
            cpu_s, wakes = ask(process, "begin")
            time.sleep(seconds)
            cpu_end_s, wakes_end = ask(process, "end")
        found[driver or "bare"] = {
            "cpu_percent": round(100 * (cpu_end_s - cpu_s) / seconds, 3),
            "wakeups_per_s": round((wakes_end - wakes - 1) / seconds, 2),  # 1: the second question
        }
    found["gpiod_over_bare_percent"] = round(found["gpiod"]["cpu_percent"] - found["bare"]["cpu_percent"], 3)
    found["goal_over_bare_percent"] = 0.05
    return found


def bursts(presses: int) -> dict[str, Any]:
    """Presses on six lines in bursts, as fast as the lines can be moved, by our factory."""
    made = 0
    with watcher("gpiod") as (chip, process):
        begin_s = time.monotonic()
        while made < presses:
            for _ in range(BURST):
                for up in (False, True):
                    for line in LINES:
                        chip.pull(line, up)
            made += BURST * len(LINES)
            time.sleep(REST_S)
        took_s = time.monotonic() - begin_s
        edges: list[tuple[int, int, int, int]] = []
        while len(edges) < 2 * made and time.monotonic() < begin_s + took_s + LATEST_S:
            time.sleep(SETTLE_S)
            edges += ask(process, "edges")
        seen = sorted(edges, key=lambda edge: edge[2])
    lost = doubled = 0
    for line in LINES:
        levels = [level for at, level, _, _ in seen if at == line]
        doubled += sum(before == after for before, after in zip([1, *levels], levels, strict=False))
        lost += max(0, made // len(LINES) - levels.count(0))
    return {
        "presses": made,
        "per_s": round(made / took_s),
        "seen": sum(not edge[1] for edge in seen),
        "lost": lost,
        "doubled": doubled,
    }


# --- the whole kit ----------------------------------------------------------------------------------------------------


def folded(starts: int, busy_loops: int) -> dict[str, Any]:
    """From the kernel's stamp of a press until the game's state has it: the whole kit, display and strip at work.

    Six players of Pack & Stack press through a countdown, each as often as the rules look at it, and then race.
    """
    return unstalled(lambda: evening(starts, busy_loops))


def evening(starts: int, busy_loops: int) -> dict[str, Any]:
    """One such game. Raises `Stalled`."""
    loops = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(busy_loops)]
    try:
        with tempfile.TemporaryDirectory() as folder, real_table(Path(folder), "gpiod", "knob", TIMED) as table:
            table.begin("pack_and_stack", *GAME, options=lambda: None).until("setup").tap("P1")
            for _ in range(starts):
                table.until("deal").ok()
                press_until(table, table.pulls[-1].after_ns / 1e9 + COUNTDOWN_S + REACTION_S)
                while table.phase != "deal":
                    table.ok_hold().ok().ok_hold().after(200)  # undone
            status, complaints = table.stop()
    finally:
        for loop in loops:
            loop.kill()
            loop.wait()
    if status or complaints:
        raise RuntimeError(f"the program ended with {status}: {complaints}")
    late_ns = json.loads(table.said)
    return {"presses": len(late_ns), **spread(late_ns), "goal_median_ms": 3.0, "goal_p99_ms": 8.0}


def press_until(table: RealTable, end_s: float) -> None:
    """Short presses of all buttons in turn, every 46 ms, until this time."""
    n = 0
    while time.monotonic() < end_s:
        name = GAME[n % len(GAME)]
        table.pull(name, True)
        time.sleep(0.034)  # longer than a line is locked
        table.pull(name, False)
        time.sleep(0.012)
        n += 1
    time.sleep(0.05)


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="scripts/bench kernel", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object instead of tables")
    parser.add_argument("--quick", action="store_true", help="fewer repetitions")
    args = parser.parse_args()
    found = {
        "stamp_to_python": latency(120 if args.quick else 1000),
        "idle": idle(2 if args.quick else 10),
        "bursts": bursts(1_200 if args.quick else 10_020),
        "press_to_folded": folded(1 if args.quick else 8, 0),
        "press_to_folded_two_busy_loops": folded(1 if args.quick else 8, 2),
    }
    if args.json:
        print(json.dumps(found))
        return
    print("Lucky Paw on kernel lines, measured in one run. Ratios count; absolute times are this machine's.")
    for name, rows in found.items():
        print(f"\n{name}")
        for key, value in rows.items():
            shown = "  ".join(f"{k} {v}" for k, v in value.items()) if isinstance(value, dict) else value
            print(f"  {key:26}{shown}")


if __name__ == "__main__":
    main()
