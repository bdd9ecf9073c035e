"""A strip's serial line in virtual time: an hour of it takes seconds, and everything can go wrong on it."""

from collections.abc import Callable
from heapq import heappop, heappush
from typing import Protocol

from hardware.parts.strip import wire

BYTE_S = 10 / wire.BAUD


STEP_S = 0.002  # how exactly it is told when an answer comes
BUSY_S = 1.0  # a controller that was sent something may answer for so long


class Controller(Protocol):
    """The device at the end of the line."""

    def hear(self, now_s: float, data: bytes) -> bytes:
        """Take what comes from this time on, as fast as the line goes; what it has said by the end of that."""
        ...

    def tick(self, now_s: float) -> bytes:
        """Let time pass; what it has said by then."""
        ...


class Over(Exception):
    """The time of the test is up."""


def calm(now_s: float, data: bytes) -> bytes:
    """A line on which nothing goes wrong."""
    return data


class VirtualLine:
    """An open line, as `Talk` sees it. Time goes on only while somebody waits or sends."""

    def __init__(self, controller: Controller, until_s: float) -> None:
        self.at_s = 0.0
        self.controller = controller
        self.storm = calm  # what is sent, in either direction, and what of it arrives; it may raise `OSError`
        self.sent = b""  # by the host, since somebody emptied it
        self._until_s = until_s
        self._busy_s = BUSY_S
        self._free_s = 0.0  # when what was sent is on its way
        self._events: list[tuple[float, int, Callable[[], None]]] = []
        self._said = b""

    def at(self, at_s: float, event: Callable[[], None]) -> None:
        """Let something happen at a time; whoever waits is woken then."""
        heappush(self._events, (at_s, len(self._events), event))

    def now_s(self) -> float:
        return self.at_s

    def write(self, data: bytes) -> None:
        self.sent += data
        begins_s = max(self.at_s, self._free_s)
        self._free_s = begins_s + len(data) * BYTE_S
        self._said += self.controller.hear(begins_s, self.storm(begins_s, data))
        self._busy_s = self._free_s + BUSY_S

    def read(self, until_s: float) -> bytes:
        while True:
            busy_s = self.at_s + STEP_S if self.at_s < self._busy_s else until_s
            event_s = self._events[0][0] if self._events else until_s
            self.at_s = max(self.at_s, min(until_s, busy_s, event_s))
            if self.at_s >= self._until_s:
                raise Over
            said = self.storm(self.at_s, self._said + self.controller.tick(self.at_s))
            self._said = b""
            if self._events and event_s <= self.at_s:
                heappop(self._events)[2]()
                self._said = said
                return b""
            if said or self.at_s >= until_s:
                return said
