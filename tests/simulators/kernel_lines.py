"""GPIO lines of a simulated kernel on a virtual clock, under the product's own pin factory.

The kernel's side is simulated: requests of several lines, whose queues drop their oldest edges when they are full. All
above it is the product's: `GpiodFactory` with its pins, `GpioButtons`, and what gets their edges. Nothing sleeps.
"""

import os
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, ClassVar, NamedTuple
from unittest.mock import patch

import gpiod
from gpiod.line import Value
from msgspec import Struct

from hardware.parts.gpio import gpiod_factory, gpiod_pin, requested
from hardware.parts.gpio.gpiod_factory import GpiodFactory

CHIP = "/dev/gpiochip0"


class Event(Struct):
    """An edge in the queue, as the library gives it."""

    Type: ClassVar = gpiod.EdgeEvent.Type

    line_offset: int
    timestamp_ns: int
    event_type: gpiod.EdgeEvent.Type
    global_seqno: int
    line_seqno: int


class Request:
    """Some lines, and the queue of their edges."""

    def __init__(self, chip: "Chip", lines: Sequence[int], size: int) -> None:
        self.chip, self.lines = chip, tuple(lines)
        self.fd = os.eventfd(0)
        self.edges: deque[Event] = deque(maxlen=size)  # the oldest go
        self.drawn = 0  # numbers, up to now
        self._of_line = dict.fromkeys(lines, 0)

    def queue(self, line: int, at_ns: int, number: int, *, high: bool) -> None:
        """A thread of the kernel has read the level of a line that has moved."""
        self._of_line[line] += 1
        kind = Event.Type.RISING_EDGE if high else Event.Type.FALLING_EDGE
        self.edges.append(Event(line, at_ns, kind, number, self._of_line[line]))

    def read_edge_events(self, size: int) -> list[Event]:
        if not self.edges:
            raise BlockingIOError
        return [self.edges.popleft() for _ in range(min(size, len(self.edges)))]

    def get_value(self, line: int) -> Value:
        return Value.ACTIVE if self.chip.high(line) else Value.INACTIVE

    def reconfigure_lines(self, config: object) -> None:
        """Nothing depends on it here."""

    def release(self) -> None:
        os.close(self.fd)


class Info(NamedTuple):
    """What is known of a line."""

    used: bool
    consumer: str


class Chip:
    """A chip. `high`: the level of a line now."""

    path = CHIP

    def __init__(self, high: Callable[[int], bool]) -> None:
        self.high = high
        self.requests: list[Request] = []

    def get_line_info(self, line: int) -> Info:
        used = any(line in request.lines for request in self.requests)
        return Info(used, "gpiozero" if used else "")

    def request_lines(self, config: dict[int, object], *, consumer: str, event_buffer_size: int) -> Request:
        self.requests.append(Request(self, tuple(config), event_buffer_size))
        return self.requests[-1]

    def request_of(self, line: int) -> Request:
        """The request that has a line."""
        return next(request for request in self.requests if line in request.lines)

    def close(self) -> None:
        """Its requests are closed by their owners."""


class NoThread:
    """Stands for the thread that waits for edges: whoever has the clock reads them."""

    def __init__(self, read: Callable[[list[int], int], bool], ping: Callable[[], None]) -> None:
        """As the thread's."""

    def add(self, fd: int) -> None: ...

    def remove(self, fd: int) -> None: ...

    def close(self) -> None: ...

    def alive(self) -> bool:
        return True


class Factory(GpiodFactory):
    """The product's pin factory, read by `read`."""

    kernel: Chip

    def _unread(self) -> bool:
        return bool(self._pending) or any(request.edges for request in self.kernel.requests)

    def read(self, chip: Chip, waited_ns: int = 0) -> bool:
        """As its thread does once the kernel has woken it; whether it has to be called again at once.

        `waited_ns`: when it has pinged last, or begun to wait.
        """
        if not self._pending:
            for request in self._listening.values():
                request.empty(waited_ns)
        return self._read([request.fd for request in chip.requests if request.edges], waited_ns)


@contextmanager
def simulated(high: Callable[[int], bool], now_ns: Callable[[], int], size: int) -> Iterator[tuple[Chip, Factory]]:
    """A chip and its factory. `size`: how many edges each request's queue holds."""
    chip = Chip(high)

    def header(*_: Any) -> Path:
        return Path(CHIP)

    with (
        patch.object(gpiod, "Chip", lambda path: chip),
        patch.object(gpiod_factory, "header_chip", header),
        patch.object(gpiod_factory, "chip_labels", dict),
        patch.object(gpiod_factory, "_Reader", NoThread),
        patch.object(gpiod_pin, "monotonic_ns", now_ns),
        patch.object(requested, "monotonic_ns", now_ns),
    ):
        factory = Factory(event_buffer_size=size)
        factory.kernel = chip
        try:
            yield chip, factory
        finally:
            factory.close()
