"""A pin of `GpiodFactory`: one GPIO line, an input whose edges carry the kernel's stamps, or an output without PWM."""

# pyright: reportIncompatibleMethodOverride=false
# gpiozero has no types: a method of its base class that only raises is taken for one that never returns

import logging
from collections.abc import Callable
from contextlib import suppress
from datetime import timedelta
from threading import RLock
from time import monotonic_ns
from typing import TYPE_CHECKING, Any, NamedTuple

import gpiod
from gpiod.line import Bias, Clock, Direction, Edge, Value
from gpiozero.exc import (
    PinFixedPull,
    PinInvalidBounce,
    PinInvalidEdges,
    PinInvalidFunction,
    PinInvalidPull,
    PinInvalidState,
    PinPWMUnsupported,
    PinSetInput,
)
from gpiozero.pins.local import LocalPiPin

from hardware.parts.gpio.numbers import RECENT_NS

if TYPE_CHECKING:
    from hardware.parts.gpio.gpiod_factory import GpiodFactory
    from hardware.parts.gpio.requested import Requested

logger = logging.getLogger(__name__)

WAIT_S = 1.0  # for a callback under way; one that never ends must not keep a program from ending

FUNCTIONS = ("input", "output")
BIASES = {"up": Bias.PULL_UP, "down": Bias.PULL_DOWN, "floating": Bias.DISABLED}
EDGES = {"both": Edge.BOTH, "rising": Edge.RISING, "falling": Edge.FALLING, "none": Edge.NONE}


class Change(NamedTuple):
    """An edge to report.

    `level` was read by the kernel a few µs after the stamp: in fast bounce two edges in a row may have the same.
    """

    at_ns: int
    level: bool
    replaced: bool  # its stamp may have replaced that of an earlier edge
    lost: int  # edges that were lost before this one, as far as it is known
    since_ns: int  # what was queued before that loss has been read
    read_ns: int  # when the line was read after the loss; 0: it was not; same as `at_ns`: this is that reading
    pin: "GpiodPin"
    watch: object  # the pin's `_watch` when it was read


class GpiodPin(LocalPiPin):  # type: ignore[misc]
    """One pin. Its line is requested on first use and released by `close`; then it may be used again.

    Once `close` has returned no callback of this pin runs, unless one was under way for more than a second.
    """

    def __init__(self, factory: "GpiodFactory", info: Any) -> None:
        super().__init__(factory, info)
        # Called with the number of lost edges, as far as it is known, on the callbacks' thread, before the next edge;
        # unset, a warning is logged. Reported edges and their stamps are true. But the line's level before the first
        # edge after a loss is unknown: it may have come to that level long before that stamp. So each line of
        # the request of which no edge is left is read then, and its level is reported with the time of that reading.
        self.when_lost: Callable[[int], None] | None = None
        # Called once when the line is gone with its chip, on any thread; unset, a warning is logged. The next use of
        # the pin requests the line from the chip that is there then; for edges set `when_changed` again.
        self.when_gone: Callable[[OSError], None] | None = None
        # Within a callback: the stamp of its edge, CLOCK_MONOTONIC ns. `when_changed` gets the same in seconds, but
        # that float is exact to the ns only up to 48 days after boot.
        self.edge_ns = 0
        # Within a callback: whether that stamp may have replaced the one of an earlier edge of this line, which then
        # came sooner. The kernel tells it where several lines are requested together; else it may be so at any time.
        self.edge_replaced = False
        # Within a callback: by how much sooner the line may have moved, as edges before this one were lost, and when it
        # was read after that loss. If that time is `edge_ns`, this is no edge, but that reading.
        self.edge_lost_ns = self.edge_read_ns = 0
        self._calling = RLock()  # held while a callback runs
        self._failed = False
        self._lock = RLock()  # guards what follows
        self._request: Requested | None = None
        self._seqno = 0  # of the last edge read
        self._since_ns = 0  # older edges are not reported
        self._read_ns = 0  # when the line was read last after a loss
        self._lost_since_ns = 0  # since when edges were lost then
        self._wanted = False  # a callback is set
        self._watch: object | None = None  # while edges are read; a new object each time reading begins
        self._set_defaults()

    def _set_defaults(self) -> None:
        self._function = "input"
        self._level = False
        self._pull: str = self.info.pull or "floating"
        self._edges = "both"
        self._bounce: float | None = None

    def close(self) -> None:
        """Make the line an input without pull, and release it. Has no effect on a closed pin."""
        self.when_changed = None  # from here on no callback begins
        if self._calling.acquire(timeout=WAIT_S):
            self._calling.release()
        with self._lock:
            self.when_lost = self.when_gone = None
            self._set_defaults()
            request, self._request = self._request, None
            if request is not None:
                with suppress(OSError):  # the chip is gone
                    request.configure(self._number, self._settings())  # else the kernel may leave an output on
                self.factory.release(request, self._number)

    # --- the line ----------------------------------------------------------------------------------------------------

    def _settings(self) -> gpiod.LineSettings:
        if self._function == "output":
            return gpiod.LineSettings(direction=Direction.OUTPUT, output_value=Value(self._level))
        return gpiod.LineSettings(
            direction=Direction.INPUT,
            bias=BIASES[self._pull],
            edge_detection=EDGES[self._edges] if self._wanted else Edge.NONE,
            debounce_period=timedelta(seconds=self._bounce or 0),
            event_clock=Clock.MONOTONIC,
        )

    def _line(self) -> "Requested":
        """The line's request, made if need be; the lock is held."""
        return self._open(self._settings()) if self._request is None else self._request

    def _open(self, settings: gpiod.LineSettings) -> "Requested":
        request: Requested = self.factory.request(self._number, settings)
        self._request = request
        self._seqno = 0
        return request

    def _apply(self) -> None:
        """Apply this pin's settings to its line; the lock is held."""
        listen = self._wanted and self._function == "input" and self._edges != "none"
        begin = listen and self._watch is None
        if not listen:
            self._stop_listening()
        if self._request is None:
            self._open(self._settings())
        else:
            self._request.configure(self._number, self._settings())
        if begin:
            self._watch, self._since_ns = object(), monotonic_ns()
            self.factory.listen(self._line(), self._number, self)

    def _stop_listening(self) -> None:
        if self._watch is not None:
            self.factory.ignore(self._line(), self._number)
            self._watch = None

    # --- gpiozero's properties ---------------------------------------------------------------------------------------

    def output_with_state(self, state: bool) -> None:
        """Make it an output that has this state from the start."""
        with self._lock:
            self._become_output(bool(state))

    def input_with_pull(self, pull: str) -> None:
        """Make it an input that has this pull from the start."""
        with self._lock:
            self._check_pull(pull)
            self._function, self._pull = "input", pull
            self._apply()

    def _get_function(self) -> str:
        return self._function

    def _set_function(self, value: str) -> None:
        if value not in FUNCTIONS:
            raise PinInvalidFunction(f"invalid function {value!r} for pin {self!r}")
        with self._lock:
            if value == self._function:
                self._line()
            elif value == "input":
                self._function = value
                self._apply()
            else:  # without a given state an output keeps the line's level
                line = self._open(gpiod.LineSettings()) if self._request is None else self._request
                self._become_output(line.value(self._number))

    def _become_output(self, level: bool) -> None:
        self._function, self._level = "output", level
        self._pull = self.info.pull or "floating"
        self._apply()

    def _get_state(self) -> bool:
        with self._lock:
            return self._line().value(self._number)

    def _set_state(self, value: float) -> None:
        with self._lock:
            if self._function == "input":
                raise PinSetInput(f"cannot set state of pin {self!r}")
            if value not in (0, 1):
                raise PinInvalidState(f"invalid state {value!r} for pin {self!r}: without PWM it is 0 or 1")
            self._level = bool(value)
            self._line().set_value(self._number, self._level)

    def _get_pull(self) -> str:
        return self._pull

    def _set_pull(self, value: str) -> None:
        with self._lock:
            if self._function != "input":
                raise PinFixedPull(f"cannot set pull on non-input pin {self!r}")
            self._check_pull(value)
            self._pull = value
            self._apply()

    def _check_pull(self, value: str) -> None:
        if self.info.pull not in (value, ""):
            raise PinFixedPull(f"{self!r} has a physical pull-{self.info.pull} resistor")
        if value not in BIASES:
            raise PinInvalidPull(f"invalid pull {value!r} for pin {self!r}")

    def _get_frequency(self) -> None:
        return None

    def _set_frequency(self, value: float | None) -> None:
        if value is not None:
            raise PinPWMUnsupported("gpiod has no PWM: install lgpio and use its pin factory for this device")

    def _get_bounce(self) -> float | None:
        return self._bounce

    def _set_bounce(self, value: float | None) -> None:
        # The kernel waits until the line has been quiet for this time: the stamp is the end of the bounce plus this
        # time, and shorter taps are lost.
        if value is not None and value < 0:
            raise PinInvalidBounce("bounce must be 0 or greater")
        with self._lock:
            self._bounce = value or None
            self._apply()

    def _get_edges(self) -> str:
        return self._edges

    def _set_edges(self, value: str) -> None:
        if value not in EDGES:
            raise PinInvalidEdges(f"invalid edges {value!r} for pin {self!r}")
        with self._lock:
            if value != self._edges:
                self._stop_listening()  # waiting edges are of the other kind
                self._edges = value
                self._apply()

    # --- edges -------------------------------------------------------------------------------------------------------

    def _enable_event_detect(self) -> None:
        with self._lock:
            self._wanted = True
            self._failed = False
            self._apply()

    def _disable_event_detect(self) -> None:
        with self._lock:
            self._wanted = False
            self._stop_listening()
            if self._request is not None:
                with suppress(OSError):  # the chip is gone
                    self._apply()

    def change(self, event: gpiod.EdgeEvent, *, replaced: bool, full: bool, since_ns: int) -> Change:
        """An edge of this line as it was queued; on the callbacks' thread.

        `full`: its queue was full, so edges may be lost since `since_ns`, when it was empty last.
        """
        lost = (event.line_seqno - self._seqno - 1) & 0xFFFFFFFF  # the kernel counts in 32 bits
        self._seqno = event.line_seqno
        read_ns = 0
        if not full:  # those before the reading; without one, what came before anybody listened
            lost, since_ns = lost if self._read_ns else 0, self._lost_since_ns
            read_ns = self._read_ns if event.timestamp_ns > self._read_ns else 0
        level = event.event_type is event.Type.RISING_EDGE
        watch = self._watch if event.timestamp_ns >= self._since_ns else None
        return Change(event.timestamp_ns, level, replaced, lost, since_ns, read_ns, self, watch)

    def reading(self, level: bool, at_ns: int, since_ns: int) -> Change:
        """The level of this line, read after a loss; on the callbacks' thread."""
        self._read_ns, self._lost_since_ns = at_ns, since_ns
        return Change(at_ns, level, True, 1, since_ns, at_ns, self, self._watch)

    def ping(self) -> None:
        """Check that a requested line is still there; one that is gone is released and reported. Never raises."""
        with self._lock:
            try:
                if self._request is not None:
                    self._request.value(self._number)
                return
            except OSError as error:
                gone = error
        self.give_up(gone)

    def give_up(self, error: OSError) -> None:
        """Release a line that is gone and report it, once; the lock is not held, as the callback may close the pin."""
        with self._lock:
            if self._request is None:
                return
            self._stop_listening()
            request, self._request = self._request, None
            self.factory.release(request, self._number)
            when_gone, self.when_gone = self.when_gone, None
        if when_gone is None:
            logger.warning("%r is gone: %s", self, error)
        else:
            self._call(when_gone, error)

    def deliver(self, change: Change) -> None:
        """Call back with a change, if still listening. Never raises."""
        with self._calling:
            if change.watch is None or self._watch is not change.watch:
                return
            if change.lost and change.read_ns in (0, change.at_ns):  # else it is reported
                self._call(self._report_loss, change.lost)
            if self._watch is change.watch:
                self.edge_ns, self.edge_replaced = change.at_ns, change.replaced
                self.edge_lost_ns = max(0, change.at_ns - change.since_ns) + RECENT_NS if change.lost else 0
                self.edge_read_ns = change.read_ns if change.lost else 0
                self._call(self._call_when_changed, change.at_ns / 1e9, change.level)

    def _report_loss(self, lost: int) -> None:
        if self.when_lost is not None:
            self.when_lost(lost)
        else:
            logger.warning("%r has lost edges: %d", self, lost)

    def _call_when_changed(self, ticks: float, state: bool) -> None:
        reference = self._when_changed  # another thread may set it to None at any time
        if reference is None:
            return
        callback = reference()
        if callback is not None:
            callback(ticks, state)
            return
        with self._when_changed_lock:
            if self._when_changed is reference:  # the callback's owner is gone, and no other callback is set
                self.when_changed = None

    def _call(self, callback: Callable[..., None], *args: object) -> None:
        try:
            callback(*args)
        except BaseException:  # sys.exit() in a callback, too, would end the only thread
            if not self._failed:
                self._failed = True
                logger.exception("%r: an error in a callback; further ones of this pin are not logged", self)
