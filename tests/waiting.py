"""Waiting for what another thread or process brings about."""

import time
from collections.abc import Callable


def comes(true: Callable[[], bool], seconds: float = 5.0) -> bool:
    """Whether it comes true in time."""
    end = time.monotonic() + seconds
    while not true():
        if time.monotonic() > end:
            return False
        time.sleep(0.001)
    return True


def until(true: Callable[[], bool], what: Callable[[], str], seconds: float = 15.0) -> None:
    """Wait for what must come; `what` says what has not."""
    assert comes(true, seconds), f"waited in vain until {what()}"
