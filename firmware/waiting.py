"""The loop of the program, which wakes at the moment that it was asked for."""

import asyncio
import selectors
from collections.abc import Coroutine
from typing import Any, TypeVar

T = TypeVar("T")


def run(main: Coroutine[Any, Any, T]) -> T:
    """As `asyncio.run`, with a loop that waits for µs.

    By Python's epoll it waits for whole ms, rounded up: a press, which counts after 2 ms, would count up to 1 ms later.
    Select takes file numbers below 1024 only; this program has some hundred (`firmware.web.limits`).
    """
    with asyncio.Runner(loop_factory=_precise) as runner:
        return runner.run(main)


def _precise() -> asyncio.AbstractEventLoop:
    return asyncio.SelectorEventLoop(selectors.SelectSelector())
