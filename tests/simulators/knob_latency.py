"""Turns of the knob on a running kit's page, and how long each picture takes: in stretches, quiet and under load."""

import json
import random
import re
import socket
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

from websockets.sync.client import ClientConnection, connect
from websockets.typing import Origin

SETTLE_S = 1.5  # what a load has begun is over


def quantile(values: list[float], part: float) -> float:
    """The value below which this share lies."""
    return sorted(values)[min(len(values) - 1, int(len(values) * part))]


def page(port: int) -> ClientConnection:
    """The kit's page, as a browser opens it: it takes in all that comes, also while nobody looks at it."""
    address = f"127.0.0.1:{port}"
    browser = connect(f"ws://{address}/ws", origin=Origin(f"http://{address}"), compression=None, max_queue=None)
    browser.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return browser


def press(browser: ClientConnection, down_s: float = 0.1) -> None:
    """OK, short or long."""
    for down in (True, False):
        browser.send(json.dumps({"ok": down}))
        time.sleep(down_s)


def words(browser: ClientConnection) -> dict[str, str]:
    """What the display says, once it says nothing new."""
    found: dict[str, str] = {}
    with suppress(TimeoutError):
        while True:
            found |= json.loads(browser.recv(timeout=0.3)).get("words", {})
    return found


def code(browser: ClientConnection) -> str:
    """The code on the display, from PHONES in the menu; then back, at that row."""
    words(browser)
    row = ""
    while not row.endswith(": Phones"):
        browser.send(json.dumps({"turn": 1, "knob": True}))
        row = words(browser)["chosen"]
    press(browser)
    found = re.search(r"code\. ([2-9A-HJKMNP-Z]{6})\b", words(browser)["display"])
    assert found is not None
    press(browser, 0.8)
    return found[1]


def stretch(browser: ClientConnection, turns: int) -> list[float]:
    """Turns of the knob in the menu, to and fro; the time until the picture of each is there, in ms."""
    times = []
    for n in range(turns):
        while True:  # what is still on its way belongs to no press
            try:
                browser.recv(timeout=0)
            except TimeoutError:
                break
        began_s = time.monotonic()
        browser.send(json.dumps({"turn": 1 if n % 2 else -1, "knob": True}))
        while "picture" not in json.loads(browser.recv(timeout=5)):
            pass
        times.append((time.monotonic() - began_s) * 1000)
        time.sleep(random.uniform(0.02, 0.05))
    return times


def paired(
    browser: ClientConnection, rounds: int, turns: int, loads: Sequence[str], load: Callable[[str], None]
) -> dict[str, Any]:
    """Rounds of stretches in a random order: two quiet ones, the second the control, and one under each load.

    `load` is called with its name before a stretch, and with an empty text before a quiet one.
    """

    def under(which: str) -> list[float]:
        load(which)
        time.sleep(SETTLE_S)
        return stretch(browser, turns)

    stretch(browser, turns)
    quiet = {"quiet": partial(under, ""), "control": partial(under, "")}
    found = compared(quiet | {which: partial(under, which) for which in loads}, rounds, "turns")
    load("")
    return found


def compared(stretches: Mapping[str, Callable[[], list[float]]], rounds: int, what: str) -> dict[str, Any]:
    """Rounds of stretches in a random order, each of them compared with the first one of its round.

    `stretches`: each returns how long things took, in ms; `what` these are.
    """
    times: dict[str, list[list[float]]] = {which: [] for which in stretches}
    for _ in range(rounds):
        for which in random.sample(sorted(times), len(times)):
            times[which].append(stretches[which]())
    found: dict[str, Any] = {}
    for which, each in times.items():
        ms = [ms for one in each for ms in one]
        p50, p99 = (round(quantile(ms, part), 2) for part in (0.5, 0.99))
        found[which] = {"p50_ms": p50, "p99_ms": p99, what: len(ms)}
    first, *others = times
    for which in others:
        row = found[f"{which} / {first}"] = {}
        for name, part in (("p50", 0.5), ("p99", 0.99)):
            pairs = zip(times[first], times[which], strict=True)
            ratios = [quantile(b, part) / quantile(a, part) for a, b in pairs]
            low, middle, high = (round(quantile(ratios, part), 2) for part in (0.1, 0.5, 0.9))
            row |= {f"{name}_ratio_median": middle, f"{name}_from": low, f"{name}_to": high}
    return found


def most_memory_mb(pid: int) -> float:
    """The most memory that a process has had."""
    rows = Path(f"/proc/{pid}/status").read_text().splitlines()
    return round(next(int(row.split()[1]) / 1024 for row in rows if row.startswith("VmHWM")), 1)
