"""Waiting for what another thread or process brings about."""

import os
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from typing import TYPE_CHECKING, Any, TypeVar
from unittest.mock import patch

from tests.simulators.helpers import at_usual_priority

if TYPE_CHECKING:
    from firmware.table.app import App

T = TypeVar("T")
PATIENCE_S = 120.0  # ends a hang, and decides nothing else: what comes, comes in a fraction of that on a quiet machine
MAX_STALLS = 3  # of the machine, while somebody pressed
SLOWER = 8 if os.environ.get("LUCKYPAW_LAB") == "arm64" else 1  # an emulated processor takes its time

OF_SERVERS: dict[str, Any] = {  # how long they wait for a browser or a helper, and let a browser wait; the helpers
    "firmware.web.serving.PING_S": PATIENCE_S,
    "firmware.phones.server.PING_S": PATIENCE_S,
    "firmware.web.pages.MAKING_S": PATIENCE_S,
    "firmware.panel.server.SAVING_S": PATIENCE_S,
    "firmware.phones.server.DECIDING_S": PATIENCE_S,
    "firmware.shelf.helper.LONGEST_S": PATIENCE_S,
    "firmware.shelf.helper.WAIT_S": PATIENCE_S,
    "firmware.web.limits.LIFE_S": 2 * PATIENCE_S,
    "firmware.web.limits.IDLE_S": 4 * PATIENCE_S,
    "firmware.shelf.helper.PROGRAM": at_usual_priority("firmware.shelf.helper"),
    "firmware.statistics.process.PROGRAM": at_usual_priority("firmware.statistics.process"),
}


@contextmanager
def patient_servers() -> Iterator[None]:
    """Who has no processor for a while is not taken for gone, and not sent away."""
    with ExitStack() as patched:
        for where, value in OF_SERVERS.items():
            patched.enter_context(patch(where, value))
        yield


def nap() -> None:
    """A moment for the others."""
    time.sleep(0.001)


def comes(true: Callable[[], bool], seconds: float = PATIENCE_S, meanwhile: Callable[[], object] = nap) -> bool:
    """Whether it comes true in time. `meanwhile` is done between two looks."""
    end = time.monotonic() + seconds * SLOWER
    while not true():
        if time.monotonic() > end:
            return False
        meanwhile()
    return True


def until(
    true: Callable[[], bool],
    what: Callable[[], str],
    seconds: float = PATIENCE_S,
    meanwhile: Callable[[], object] = nap,
) -> None:
    """Wait for what must come; `what` says what has not."""
    assert comes(true, seconds, meanwhile), f"waited in vain until {what()}"


def at_rest(app: "App") -> bool:
    """Whether the threads have done all that the kit's loop has asked of them, and it has heard of it."""
    table = app.table
    reading = any(thread.name == "reader" for thread in threading.enumerate())
    unseen = table.signalling or (table.game is not None and table.game.unseen is not None)
    return not (table._saving or app._inbox or reading or unseen)  # noqa: SLF001


class Stalled(Exception):
    """The machine stood still for so long that a bounce became two presses, or a short press a long one."""


def unstalled(play: Callable[[], T]) -> T:
    """Something that people do, done again if the machine stalls meanwhile. Raises `Stalled` if it keeps doing so."""
    for _ in range(MAX_STALLS):
        with suppress(Stalled):
            return play()
    return play()
