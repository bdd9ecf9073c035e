"""Waiting for what another thread or process brings about."""

import os
import time
from collections.abc import Callable
from contextlib import suppress
from typing import TypeVar

T = TypeVar("T")
MAX_STALLS = 3  # of the machine, while somebody pressed
SLOWER = 8 if os.environ.get("LUCKYPAW_LAB") == "arm64" else 1  # an emulated processor takes its time


def comes(true: Callable[[], bool], seconds: float = 5.0) -> bool:
    """Whether it comes true in time."""
    end = time.monotonic() + seconds * SLOWER
    while not true():
        if time.monotonic() > end:
            return False
        time.sleep(0.001)
    return True


def until(true: Callable[[], bool], what: Callable[[], str], seconds: float = 15.0) -> None:
    """Wait for what must come; `what` says what has not."""
    assert comes(true, seconds), f"waited in vain until {what()}"


class Stalled(Exception):
    """The machine stood still for so long that a bounce became two presses, or a short press a long one."""


def unstalled(play: Callable[[], T]) -> T:
    """Something that people do, done again if the machine stalls meanwhile. Raises `Stalled` if it keeps doing so."""
    for _ in range(MAX_STALLS):
        with suppress(Stalled):
            return play()
    return play()
