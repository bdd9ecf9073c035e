"""Questions to the journal; answers from before somebody was forgotten do not come into memory."""

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import TypeVar

from firmware.table.interfaces import Read

T = TypeVar("T")


class FreshReads:
    """Reads the journal without blocking, as `Read`. All methods on the loop's thread.

    What is in memory may be written. So from the moment when somebody is to be forgotten until that is on the disk no
    question is asked, and one that was asked before is asked again.
    """

    def __init__(self, ask: Read) -> None:
        self._ask = ask
        self._held = False
        self._times = 0  # that somebody was to be forgotten
        self._waiting: list[Callable[[], None]] = []

    def __call__(
        self, read: Callable[[Path], Iterator[T]], then: Callable[[T], None], wanted: Callable[[], bool]
    ) -> None:
        """Ask; `then` and `wanted` as of `Read`."""
        if self._held:
            self._waiting.append(partial(self, read, then, wanted))
            return
        times, again = self._times, False

        def found(result: T) -> None:
            nonlocal again
            if times == self._times:
                then(result)
            elif not again:
                again = True
                self(read, then, wanted)

        self._ask(read, found, lambda: not again and wanted())  # until an answer comes by which it is asked again

    def hold(self) -> None:
        """Somebody is to be forgotten."""
        self._held = True
        self._times += 1

    def release(self) -> None:
        """It is on the disk."""
        self._held = False
        waiting, self._waiting = self._waiting, []
        for ask in waiting:
            ask()
