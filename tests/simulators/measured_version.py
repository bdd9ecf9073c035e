"""One version of the program, measured in a process of its own, for `scripts/bench versions`.

Arguments: the folder with its engine, firmware and hardware, which comes first on the path, and `rules` or `start`. The
figures are one line of JSON; in each of them less is better.
"""

import json
import os
import re
import signal
import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from threading import Timer
from time import monotonic_ns, process_time, process_time_ns
from typing import Any, NoReturn

GAME_S = 0.4  # so long each game is played; its best time counts
SETTLES_S = 1.0  # from when the program is ready until its memory is measured
MS = 1_000_000


def rules() -> dict[str, float]:
    """Processor time of a decision through `act()`, in µs, by game. Raises `Unplayable`."""
    from engine import games
    from tests.simulators.decisions import player

    found = {}
    for name in games.names():
        play, times, end = player(games.rules(name), name), list[float](), process_time() + GAME_S
        while process_time() < end:
            begun = process_time()
            decisions = play()
            times.append((process_time() - begun) * 1e6 / decisions)
        found[f"{name}, µs a decision"] = min(times)
    return found


def start() -> NoReturn:
    """`luckypaw play` to its first picture and to its page: processor time and time, in ms; then its memory, in MB."""
    begun_ns, found = int(os.environ["BEGUN_NS"]), dict[str, float]()

    def reached(what: str) -> None:
        found[f"{what}, ms of the processor"] = process_time_ns() / MS
        found[f"{what}, ms"] = (monotonic_ns() - begun_ns) / MS

    class Page:
        """Standard output until the program says that it is ready."""

        def write(self, text: str) -> int:
            if "http://" in text:
                reached("ready")
                Timer(SETTLES_S, end).start()
            return len(text)

        def flush(self) -> None:
            pass

    def end() -> None:
        status = Path("/proc/self/status").read_text()
        found["memory with the panel, MB"] = int(re.findall(r"^VmRSS:\s+(\d+)", status, re.MULTILINE)[0]) / 1024
        print(json.dumps(found), file=out, flush=True)
        os.kill(os.getpid(), signal.SIGTERM)

    on_first_picture(lambda: reached("first picture"))
    out, sys.stdout = sys.stdout, Page()
    main: Callable[[list[str]], NoReturn] = import_module("firmware.__main__").main
    main(["play", "--emulated", "--port", "0"])


def on_first_picture(then: Callable[[], None]) -> None:
    """Call once the emulated display first shows something."""
    try:
        display: Any = import_module("hardware.parts.display.emulated").EmulatedDisplay
    except ModuleNotFoundError:  # of older versions
        display = import_module("hardware.display.emulated").EmulatedDisplay
    settled = display._settled  # noqa: SLF001 (as versions have no common way in)

    def seen(self: Any) -> None:
        settled(self)
        if self.picture().getbbox():
            display._settled = settled  # noqa: SLF001
            then()

    display._settled = seen  # noqa: SLF001


def main() -> None:
    tree, what = sys.argv[1:]
    for name in ("engine", "firmware", "hardware"):
        where = import_module(name).__file__
        if not Path(where or "").is_relative_to(tree):
            sys.exit(f"{name} is of {where}, not of {tree}")
    if what == "start":
        start()
    print(json.dumps(rules()))


if __name__ == "__main__":
    main()
