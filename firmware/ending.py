"""How a program is ended: Ctrl-C, Ctrl-backslash, `kill`, a terminal that is closed, an ssh that is lost.

Each of them ends every command in the same way, so that its parts are closed: a tone of the kernel's PWM, a picture and
lamps of a strip stay on for ever where nobody switches them off.
"""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import TYPE_CHECKING, NoReturn

if TYPE_CHECKING:
    import asyncio

SIGNALS = (signal.SIGINT, signal.SIGQUIT, signal.SIGTERM, signal.SIGHUP)


class ProgramEnded(KeyboardInterrupt):
    """Somebody has ended the program."""

    def __init__(self, number: int) -> None:
        super().__init__()
        self.status = 128 + number  # as shells say it


def raise_ended() -> None:
    """From now on each of them raises `ProgramEnded` in the main thread; further ones do not cut the closing short."""
    for number in _heard():
        signal.signal(number, _raise)


@contextmanager
def deferred(on_end: Callable[[ProgramEnded], None]) -> Iterator[None]:
    """Meanwhile the first of them goes to this callback, which raises it where the main thread waits for something.

    For whoever has parts open. An exception between any two steps of the main thread may keep a part's lock locked:
    `Condition.__exit__` is Python, and begins with it; then the part's own thread waits for ever, and so does its
    `close`. `on_end` runs between two steps of the main thread, so it must not wait for a lock. Whatever it does,
    `ProgramEnded` is raised on leaving, also in place of an error such as that of a terminal that is gone.
    """
    ended: list[ProgramEnded] = []

    def note(number: int, _frame: FrameType | None) -> None:
        if not ended:
            ended.append(ProgramEnded(number))
            on_end(ended[0])

    for number in _heard():
        signal.signal(number, note)
    try:
        yield
    finally:
        if ended:
            _ignore()
            raise ended[0]
        raise_ended()


def call(loop: asyncio.AbstractEventLoop, end: Callable[[], None]) -> None:
    """While this loop is open each of them calls `end`."""
    for number in _heard():
        loop.add_signal_handler(number, end)


def _heard() -> tuple[signal.Signals, ...]:
    """All of them, also where whoever started the program ignores them, as a shell does in the background.

    But nohup, which ignores the end of the terminal, means what it says.
    """
    nohup = signal.getsignal(signal.SIGHUP) is signal.SIG_IGN
    return tuple(number for number in SIGNALS if not (nohup and number == signal.SIGHUP))


def _raise(number: int, _frame: FrameType | None) -> NoReturn:
    _ignore()
    raise ProgramEnded(number)


def _ignore() -> None:
    for each in SIGNALS:  # a terminal that is closed tells twice: by itself, and by its shell
        signal.signal(each, signal.SIG_IGN)
