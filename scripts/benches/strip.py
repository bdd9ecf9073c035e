"""Measure the strip: bytes per picture, pictures per second on its line, and whether faults of the line delay a game.

Each figure is compared with the usual way to send a picture, or with the same game without a strip, in the same run.
These are measurements, not tests: run them on a quiet machine.
"""

import argparse
import json
import statistics
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from engine import games
from firmware.output import strip_picture
from firmware.table.playing import Playing
from hardware.parts.strip import Pixels, wire
from tests.simulators import evenings
from tests.simulators.controller import micropython_controller
from tests.simulators.rig import Rig
from tests.simulators.serial_faults import StormyPort
from tests.simulators.strip_rig import StripRig

BYTES_S = wire.BAUD / 10


def quantile(values: Sequence[float], part: float) -> float:
    """The value below which this share lies."""
    return sorted(values)[min(len(values) - 1, int(len(values) * part))]


class Watched(Rig):
    """A table that records each picture of its strip, and whose turn it was."""

    def __init__(self, folder: Path) -> None:
        self.seen: list[tuple[Pixels, tuple[int, ...], str]] = []
        super().__init__(folder)

    def look(self) -> None:
        """Record the current picture."""
        light = self.app.table.light()
        board = light.board
        if board is None:
            return
        seen = (strip_picture.pixels(light, 60), board.turn, board.phase)
        if not self.seen or self.seen[-1] != seen:
            self.seen.append(seen)

    def after(self, ms: float) -> Rig:
        self.look()
        super().after(ms)
        self.look()
        return self


def pictures(name: str) -> dict[str, Any]:
    """The bytes of the pictures of a whole game, for 60 lamps."""
    with tempfile.TemporaryDirectory() as folder:
        rig = Watched(Path(folder))
        getattr(evenings, name)(rig)
        rig.close()
    steps = [(a, b) for a, b in zip(rig.seen, rig.seen[1:], strict=False) if a[0] != b[0]]
    full = [len(b"".join(wire.full(b[0], 1000))) for _, b in steps]
    change = [len(b"".join(wire.change(a[0], b[0]))) for a, b in steps]
    turns = [size for size, (a, b) in zip(change, steps, strict=True) if a[2] == b[2] and len(a[1]) == len(b[1]) == 1]
    middle = statistics.median(change)
    found = {
        "pictures": len(steps),
        "full_median": statistics.median(full),
        "full_longest": max(full),
        "change_median": middle,
        "change_longest": max(change),
        "changes_a_second": round(BYTES_S / middle),
        "adalight_frame": 6 + 3 * 60,
        "ratio_to_adalight": round(middle / (6 + 3 * 60), 2),
    }
    if turns:
        found |= {"turn_changes": len(turns), "turn_median": statistics.median(turns), "turn_goal": 60}
    return found


def decided(port: str | None, presses: int) -> list[float]:
    """From a press until the game has it, ms each; each press makes another picture of the strip."""
    found: list[float] = []
    take = Playing.take

    def taken(self: Playing, facts: Any, answered: Any = (), by: str = "") -> None:
        take(self, facts, answered, by)
        found.append((time.perf_counter() - began) * 1000)

    with tempfile.TemporaryDirectory() as folder:
        rig = StripRig(Path(folder), port)
        rig.begin("Kitty Paw", "P1", "P2", "P3")
        Playing.take = taken  # type: ignore[method-assign]
        try:
            for _ in range(presses):
                began = time.perf_counter()
                rig.down("P1")  # a hand on the button, and off again: the game takes both
                time.sleep(0.004)
                rig.after(60).up("P1").after(60)
        finally:
            Playing.take = take  # type: ignore[method-assign]
            rig.close()
    return found[::2]


@contextmanager
def quiet_line() -> Iterator[str]:
    with tempfile.TemporaryDirectory() as folder, micropython_controller(Path(folder), 60) as (port, _):
        yield port


@contextmanager
def stormy_line() -> Iterator[str]:
    with tempfile.TemporaryDirectory() as folder, StormyPort(Path(folder), 60).raging() as port:
        yield port


def delays(presses: int) -> dict[str, Any]:
    """From a press to its decision: without a strip, with one, and with one on a line in an endless storm."""
    rounds: dict[str, list[float]] = {"no strip": [], "strip": [], "strip in a storm": []}
    for _ in range(3):  # in turn, so that other load of the machine meets all of them
        rounds["no strip"] += decided(None, presses // 3)
        with quiet_line() as port:
            rounds["strip"] += decided(port, presses // 3)
        with stormy_line() as port:
            rounds["strip in a storm"] += decided(port, presses // 3)
    bare = statistics.median(rounds["no strip"])
    return {
        name: {
            "presses": len(values),
            "median_ms": round(statistics.median(values), 3),
            "p99_ms": round(quantile(values, 0.99), 3),
            "ratio": round(statistics.median(values) / bare, 2),
        }
        for name, values in rounds.items()
    }


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="scripts/bench strip", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--presses", type=int, default=1500, metavar="N", help="number of presses of each kind (default 1500)"
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    args = parser.parse_args()
    found = {"bytes": {name: pictures(name) for name in games.names()}, "press to decision": delays(args.presses)}
    if args.json:
        print(json.dumps(found))
        return
    print("The strip's line at 115,200 baud, measured in one run. Ratios count; absolute times are this machine's.")
    for part, rows in found.items():
        print(f"\n{part}")
        for name, row in rows.items():
            print(f"  {name:20} {'  '.join(f'{key} {value}' for key, value in row.items())}")


if __name__ == "__main__":
    main()
