"""What comes while people walk through a check, from whatever thread: edges or reports, typed lines, the end."""

import os
import threading
from collections import deque
from contextlib import suppress
from time import monotonic_ns
from typing import Any, Generic, TypeVar

from engine.stamps import S

Event = TypeVar("Event")


class Inbox(Generic[Event]):
    """Events, in the order in which they came. For any thread, and for a signal's handler.

    A handler runs in the middle of whatever its thread does, so it could wait for ever for the lock of a `Queue`.
    """

    def __init__(self) -> None:
        self._events: deque[Event] = deque()
        self._empty = threading.Lock()  # locked, unless something may have come
        self._empty.acquire()
        self._ended: BaseException | None = None

    def put(self, event: Event) -> None:
        """Add an event."""
        self._events.append(event)
        self._wake()

    def end(self, ended: BaseException) -> None:
        """Whoever waits for the next event leaves by this exception, or will, whatever else has come."""
        self._ended = ended
        self._wake()

    def _wake(self) -> None:
        with suppress(RuntimeError):  # it is unlocked already
            self._empty.release()

    def now_ns(self) -> int:
        """The clock that edges are stamped by."""
        return monotonic_ns()

    def next(self, until_ns: int) -> Event | None:
        """The next event; None if there is none by then."""
        while not self._events or self._ended is not None:
            if self._ended is not None:
                raise self._ended
            if not self._empty.acquire(timeout=max(0, until_ns - self.now_ns()) / S):
                return None
        return self._events.popleft()


def listen_to_keys(inbox: Inbox[Any]) -> None:
    """Put typed lines into the inbox, on a thread of their own."""

    def read() -> None:
        rest = b""
        with suppress(OSError):  # the terminal is gone
            while data := os.read(0, 4096):  # not sys.stdin: its lock, held by a thread, would break the program's end
                *lines, rest = (rest + data).split(b"\n")
                for line in lines:
                    inbox.put(line.decode(errors="replace").strip().lower())

    threading.Thread(target=read, name="keys", daemon=True).start()
