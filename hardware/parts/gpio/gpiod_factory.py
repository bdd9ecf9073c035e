"""A pin factory for gpiozero on the kernel's GPIO interface (gpiod): edges with the kernel's own stamps, no polling.

Any gpiozero program can use it: `GPIOZERO_PIN_FACTORY=gpiod`, or `pin_factory=GpiodFactory()`. It has no PWM: give such
a device gpiozero's `LGPIOFactory`; the two live side by side.

Each pin has its own request in the kernel, as gpiozero opens and closes pins one by one, unless `together` has named
its line: then it has one with one or two others. That does not keep their order: each line's edges are queued by their
own thread, so on two processors edges of two lines can leave one request in the wrong order. Edges that are read
together are therefore sorted by stamp before they are reported. An edge that the kernel queues later may still be
older than a reported one: to decide which line was first, compare stamps, and wait some time for late edges.
"""

import errno
import logging
import os
import select
from collections.abc import Callable, Sequence
from itertools import chain
from threading import RLock, Thread, current_thread
from time import monotonic, monotonic_ns
from typing import Any

import gpiod
from gpiod.line import Bias, Direction
from gpiozero.pins.local import LocalPiFactory

from hardware.parts.gpio.board import board
from hardware.parts.gpio.chips import chip_labels, header_chip
from hardware.parts.gpio.gpiod_pin import WAIT_S, Change, GpiodPin
from hardware.parts.gpio.numbers import shared
from hardware.parts.gpio.requested import Requested

logger = logging.getLogger(__name__)

# The kernel's maximum. A chattering line gives an edge in some 20 µs, as fast as its thread in the kernel runs: this
# holds 20 ms of it, longer than contacts bounce and than Python keeps a thread waiting.
EVENTS = 1024
HUNG_S = 1.0  # a thread that was woken and has not run for so long hangs
PING_S = 2.0  # before Linux 6.6 a chip that is removed wakes no reader


class GpiodFactory(LocalPiFactory):  # type: ignore[misc]
    """Pins of the Raspberry Pi's header through gpiod.

    Callbacks run on one thread, `gpiod-edges`, that sleeps until there is an edge, and checks every two seconds that
    the lines are still there. An error in a callback is logged once for each pin; the thread goes on. After the chip
    was removed, the next line is requested from the chip that is the header's then, whatever its number.
    """

    def __init__(self, event_buffer_size: int = EVENTS) -> None:
        """Open the header's chip, found by its label. Raises `PinUnknownPi` where there is none.

        `event_buffer_size` is how many unread edges of one request the kernel keeps; a power of 2, at least 2.
        """
        super().__init__()
        # Own pins, not those shared by all local factories: a pin belongs to this factory and is closed with it.
        self.pins: dict[Any, GpiodPin] = {}
        # Else gpiozero reads this while it holds its lock on all pins, long enough for a garbage collection: a device
        # that is collected then would wait for the same lock for ever.
        self._info = board()
        self.pin_class = GpiodPin
        self.event_buffer_size = event_buffer_size
        self.beside: list[Callable[[], None]] = []  # called with each ping, on the callbacks' thread
        self._chip = gpiod.Chip(str(header_chip(chip_labels())))
        self._together: dict[int, tuple[int, ...]] = {}  # by line: all that are to be asked for with it
        self._held: dict[int, Requested] = {}  # by line
        # Two re-entrant locks: a garbage collection may close a device at any moment, also while one is held.
        self._chip_lock = RLock()  # guards the chip and the requests
        self._lock = RLock()  # guards what follows
        self._listening: dict[int, Requested] = {}  # by file descriptor
        self._reader: _Reader | None = None
        self._pending: list[Change] = []  # on the reader's thread only
        self._reads = 0  # finished ones
        self._caught_up: int | None = None  # the count of reads after which the edges are reported that `behind` found

    @property
    def chip(self) -> str:
        """The path of the header's chip, `/dev/gpiochip0`. Raises `PinUnknownPi` where it is gone."""
        with self._chip_lock:
            self._reopen()
            return self._chip.path

    def close(self) -> None:
        """Close all pins and end the thread. A new factory may be opened at once."""
        super().close()
        with self._lock:
            reader, self._reader = self._reader, None
        if reader is not None:
            reader.close()
        if self._chip:
            self._chip.close()

    def alive(self) -> bool:
        """Whether the callbacks' thread is at work: a call wakes it, and it has to run within a second."""
        with self._lock:
            return self._reader is None or self._reader.alive()

    def behind(self) -> bool:
        """Whether the kernel has edges that are not reported yet: then nothing is known of the time up to now.

        Until they are reported, each further call is about the same edges, so a line that chatters without end delays
        nobody. Never blocks; to be called on one thread.
        """
        if not self._unread():
            self._caught_up = None
        elif self._caught_up is None:  # a read under way, one that takes all there is, one for what that keeps back
            self._caught_up = self._reads + 3
        elif self._reads >= self._caught_up:
            self._caught_up = None
        return self._caught_up is not None

    def _unread(self) -> bool:
        """Whether edges wait in the kernel or on the callbacks' thread."""
        with self._lock:
            return self._reader is not None and self._reader.unread()

    def together(self, lines: Sequence[int]) -> None:
        """Ask for these lines in requests of two or three, inputs that are pulled up: `numbers.shared` says which.

        Then the kernel's numbers tell which stamps were replaced (`GpiodPin.edge_replaced`). A line that is busy when
        the first one of its request is used is left out, and has a request of its own later.
        """
        with self._chip_lock:
            for group in shared(lines):
                self._together |= dict.fromkeys(group, group)

    def request(self, line: int, settings: gpiod.LineSettings) -> Requested:
        """The request that holds this line, for this factory alone.

        Raises `OSError`, with the consumer's name where the line is busy; `PinUnknownPi` where the chip is gone.
        """
        with self._chip_lock:
            self._reopen()
            if (held := self._held.get(line)) is not None:
                held.configure(line, settings)
                held.take(line)
                return held
            lines: dict[Any, Any] = {line: settings}
            unused = gpiod.LineSettings(direction=Direction.INPUT, bias=Bias.PULL_UP)
            for other in self._together.get(line, ()):
                if other != line and not self._chip.get_line_info(other).used:
                    lines[other] = unused
            try:
                request = self._chip.request_lines(lines, consumer="gpiozero", event_buffer_size=self.event_buffer_size)
            except OSError as error:
                if error.errno != errno.EBUSY:
                    raise
                holder = self._chip.get_line_info(line).consumer
            else:
                os.set_blocking(request.fd, False)
                held = Requested(request, lines)
                held.take(line)
                self._held |= dict.fromkeys(lines, held)
                return held
        raise OSError(errno.EBUSY, f"GPIO{line} is busy: {holder!r} has it")

    def release(self, request: Requested, line: int) -> None:
        """Let go of a line."""
        with self._chip_lock:
            if request.release(line):
                self._held = {n: held for n, held in self._held.items() if held is not request}

    def _reopen(self) -> None:
        """Open the header's chip again if it is gone; the lock is held."""
        try:
            self._chip.get_line_info(0)  # a call that the library does not answer from its cache
        except OSError:
            chip = gpiod.Chip(str(header_chip(chip_labels())))
            self._chip.close()
            self._chip = chip

    def listen(self, request: Requested, line: int, pin: GpiodPin) -> None:
        """Read this pin's edges from now on."""
        with self._lock:
            if not request.listen(line, pin):
                return
            self._listening[request.fd] = request
            if self._reader is None:
                self._reader = _Reader(self._read, self._ping)
            self._reader.add(request.fd)

    def ignore(self, request: Requested, line: int) -> None:
        """Stop reading this pin's edges."""
        with self._lock:
            last = request.ignore(line)
            if last and self._listening.pop(request.fd, None) is not None and self._reader is not None:
                self._reader.remove(request.fd)

    def _read(self, ready: list[int], waited_ns: int) -> bool:
        """Report the edges of requests that were ready at one moment, in the order of their stamps.

        `waited_ns`: that moment was not before this time; the other requests had no edges then.
        Returns whether edges are pending: then the next read must not wait. The pending edges and the first edge of
        each request were certainly there at that moment, so up to the newest of these none can be missing.
        """
        with self._lock:
            requests = [request for fd in ready if (request := self._listening.get(fd)) is not None]
            for fd, request in self._listening.items():
                if fd not in ready:
                    request.empty(waited_ns)
        queued = [changes for request in requests if (changes := self._changes(request))]
        there = self._pending + [changes[0] for changes in queued]
        until_ns = max((change.at_ns for change in there), default=0)
        changes = sorted(self._pending + list(chain(*queued)), key=lambda change: change.at_ns)
        self._pending = [change for change in changes if change.at_ns > until_ns]
        for change in changes[: len(changes) - len(self._pending)]:
            change.pin.deliver(change)
        self._reads += 1
        return bool(self._pending)

    def _changes(self, request: Requested) -> list[Change]:
        """The edges that wait in a request; none where the chip is gone."""
        try:
            return request.changes(self.event_buffer_size)
        except OSError as error:
            for pin in request.pins:
                pin.give_up(error)
            return []

    def _ping(self) -> None:
        """Check which lines are gone."""
        for ask in (*(pin.ping for pin in tuple(self.pins.values())), *self.beside):
            try:
                ask()
            except Exception:  # it would end the only thread
                logger.exception("%r: error while checking for lost lines", self)


class _Reader:
    """The one thread that waits for edges; a daemon, as a program may end while it sleeps."""

    def __init__(self, read: Callable[[list[int], int], bool], ping: Callable[[], None]) -> None:
        self._read, self._ping = read, ping
        self._closed = False
        self._epoll, self._queues = select.epoll(), select.epoll()  # the second one for whoever asks meanwhile
        self._busy = False  # with edges that it has taken from the kernel, or is about to
        self._wake = os.eventfd(0)
        self._epoll.register(
            self._wake, select.EPOLLIN | select.EPOLLET
        )  # edge-triggered: each write wakes once, unread
        self._has_run, self._woken_s = True, monotonic()
        self._thread = Thread(target=self._run, name="gpiod-edges", daemon=True)
        self._thread.start()

    def add(self, fd: int) -> None:
        for one in (self._epoll, self._queues):
            one.register(fd, select.EPOLLIN)

    def remove(self, fd: int) -> None:
        for one in (self._epoll, self._queues):
            one.unregister(fd)

    def unread(self) -> bool:
        """Whether edges wait here or in the kernel. The queues are asked first: what leaves them makes this busy."""
        return self._thread.is_alive() and (bool(self._queues.poll(0)) or self._busy)

    def alive(self) -> bool:
        now_s = monotonic()
        if self._has_run:  # else it is still being waited for, and whoever asks meanwhile is told that it is at work
            self._has_run, self._woken_s = False, now_s
            os.eventfd_write(self._wake, 1)
        return now_s - self._woken_s < HUNG_S and self._thread.is_alive()

    def close(self) -> None:
        """End the thread; waits for a callback under way, unless called from it."""
        self._closed = True
        os.eventfd_write(self._wake, 1)
        if self._thread is not current_thread():
            self._thread.join(WAIT_S)
        os.close(self._wake)
        self._queues.close()

    def _run(self) -> None:
        try:
            more = False
            while not self._closed:
                waited_ns = monotonic_ns()
                ready = self._epoll.poll(0 if more else PING_S)
                self._has_run = self._busy = True
                if not ready and not more:
                    waited_ns += round(PING_S * 1e9)
                    self._ping()
                more = self._busy = self._read([fd for fd, _ in ready], waited_ns)
        finally:
            self._epoll.close()
