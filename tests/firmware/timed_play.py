"""`luckypaw play --emulated` with few files to open, a patient log, and a hand that notes how late presses are folded.

`python -m tests.firmware.timed_play FOLDER`. In a game the hand moves P4's button, as a driver's thread does: stamped
there, posted to the loop. At the end FOLDER/lateness.json has pairs: an edge's stamp, how many ns later it was folded.
"""

import asyncio
import json
import resource
import sys
from collections.abc import Callable
from pathlib import Path
from random import uniform
from threading import Event, Thread
from time import monotonic_ns
from unittest.mock import patch

import firmware.table.app
import firmware.table.table
from firmware.__main__ import main
from firmware.table.app import App
from firmware.table.playing import Playing
from hardware.parts.buttons import Edge
from hardware.parts.buttons.emulated import EmulatedButtons
from hardware.parts.debounce import Debounce

MAX_FILES = 192
VERY_SLOW_NS = 3600 * 10**9  # for a commit: storms starve a busy machine's disk for seconds
HAND = "P4"

run, fold = firmware.table.app.run, Debounce.edge
lateness: list[tuple[int, int]] = []


def noted(debounce: Debounce, edge: Edge) -> tuple[Edge, ...]:
    """Fold an edge and note when."""
    if edge.button == HAND:
        lateness.append((edge.at_ns, monotonic_ns() - edge.at_ns))
    return fold(debounce, edge)


async def run_with_a_hand(app: App, stop: asyncio.Event, ready: Callable[[], None]) -> None:
    """Run the kit with the hand."""
    over = Event()
    buttons = app.kit.buttons
    assert isinstance(buttons, EmulatedButtons)

    def move() -> None:
        down = False
        while not over.wait(uniform(0.01, 0.03)):
            if isinstance(app.table.top, Playing) or down:
                down = not down
                buttons.edge(HAND, down=down, at_ns=monotonic_ns())

    hand = Thread(target=move)
    hand.start()
    try:
        await run(app, stop, ready)
    finally:
        over.set()
        hand.join()


if __name__ == "__main__":
    resource.setrlimit(resource.RLIMIT_NOFILE, (MAX_FILES, MAX_FILES))
    try:
        with (
            patch.object(Debounce, "edge", noted),
            patch.object(firmware.table.app, "run", run_with_a_hand),
            patch.object(firmware.table.table, "SLOW_SAVING_NS", VERY_SLOW_NS),
        ):
            main(["play", "--emulated", "--port", "0"])
    finally:
        Path(sys.argv[1], "lateness.json").write_text(json.dumps(lateness))
