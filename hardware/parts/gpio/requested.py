"""Lines that one request in the kernel holds. Each pin uses its own line of it; the request ends with the last one."""

from threading import RLock
from time import monotonic_ns
from typing import TYPE_CHECKING, Any

import gpiod
from gpiod.line import Value

from hardware.parts.gpio.numbers import EdgeNumbers

if TYPE_CHECKING:
    from hardware.parts.gpio.gpiod_pin import Change, GpiodPin


class Requested:
    """One request, of a single line or of several. Any thread. Errors of a chip that is gone are `OSError`."""

    def __init__(self, request: gpiod.LineRequest, settings: dict[int, gpiod.LineSettings]) -> None:
        self.fd: int = request.fd  # to wait for its edges
        self._request = request
        self._alone = len(settings) == 1  # then its edges' numbers tell nothing
        self._lock = RLock()  # guards what follows
        self._settings = settings
        self._taken: set[int] = set()  # the lines that a pin has
        self._listening: dict[int, GpiodPin] = {}
        self._numbers = EdgeNumbers()
        self._read_ns = monotonic_ns()  # when its queue was empty last

    @property
    def lines(self) -> tuple[int, ...]:
        """All lines of the request."""
        return tuple(self._settings)

    def take(self, line: int) -> None:
        """A pin has this line from now on."""
        with self._lock:
            self._taken.add(line)

    def release(self, line: int) -> bool:
        """A pin lets go of this line. Whether it was the last one: then the request has ended."""
        with self._lock:
            self._taken.discard(line)
            self._listening.pop(line, None)
            if not self._taken:
                self._request.release()
            return not self._taken

    def configure(self, line: int, settings: gpiod.LineSettings) -> None:
        """Change one line; the others stay as they are."""
        with self._lock:
            self._settings[line] = settings
            config: dict[Any, Any] = {**self._settings}  # a line that is left out would get its defaults
            self._request.reconfigure_lines(config)

    def value(self, line: int) -> bool:
        """The level of a line."""
        return self._request.get_value(line) is Value.ACTIVE

    def set_value(self, line: int, level: bool) -> None:
        """Set the level of an output."""
        self._request.set_value(line, Value(level))

    def listen(self, line: int, pin: "GpiodPin") -> bool:
        """Give this pin the line's edges from now on. Whether it is the first one that listens."""
        with self._lock:
            first = not self._listening
            self._listening[line] = pin
            return first

    def ignore(self, line: int) -> bool:
        """Give nobody the line's edges. Whether nobody listens any more."""
        with self._lock:
            self._listening.pop(line, None)
            return not self._listening

    @property
    def pins(self) -> "tuple[GpiodPin, ...]":
        """The pins that listen."""
        with self._lock:
            return tuple(self._listening.values())

    def empty(self, at_ns: int) -> None:
        """Its queue has no edges that were queued before this time."""
        self._read_ns = max(self._read_ns, at_ns)

    def changes(self, size: int) -> "list[Change]":
        """All queued edges of pins that listen, as they were queued; never waits.

        A queue that is full drops its oldest edges, of any line. Then each line of which it has none left is read.
        `size`: how many edges the queue holds.
        """
        with self._lock:
            if not self._listening:  # it may have been released since it was ready
                return []
            try:
                events = self._request.read_edge_events(size)  # its default is 64
            except BlockingIOError:  # none
                return []
            since_ns, self._read_ns = self._read_ns, monotonic_ns()
            found, full = [], len(events) >= size
            for event in events:
                line, at_ns = event.line_offset, event.timestamp_ns
                replaced = self._alone or self._numbers.replaced(line, event.global_seqno, at_ns)
                if (pin := self._listening.get(line)) is not None:
                    found.append(pin.change(event, replaced=replaced, full=full, since_ns=since_ns))
            if full:
                told = {event.line_offset for event in events}
                unknown = [(line, pin) for line, pin in self._listening.items() if line not in told]
                found += [pin.reading(self.value(line), monotonic_ns(), since_ns) for line, pin in unknown]
            return found
