"""Measures how late the stamps of a button's line are: a spare pin, wired to the line, presses it at known times."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from queue import Empty, SimpleQueue
from random import uniform
from statistics import median
from time import monotonic, monotonic_ns, sleep
from typing import Any, NamedTuple

from gpiozero import InputDevice, OutputDevice

from hardware.buttons import Edge
from hardware.buttons.gpio import GpioButtons
from hardware.gpio import Factories, loss
from hardware.words import N_

PULSES = 2_000
PAUSE_S = (0.002, 0.006)  # between two writes, at random: no lock step with a timer's tick
PATIENCE_S = 0.5  # for a level to follow the wire, and for an edge to arrive
QUIET_S = 0.3  # a line that changes by itself does so in this time
SETTLE_S = 0.02  # for a line to take its level and for edges under way
TRIES = 5  # at the wire, before anything is measured
LONG_WRITE = 10  # times the median: the program was interrupted in the middle of the write
MAX_DROPPED_PERCENT = 10


class NotMeasured(Exception):
    """The measurement failed. The text gives the reason in one line."""


class Measurement(NamedTuple):
    """How late the stamps were."""

    latenesses_ns: tuple[int, ...]  # stamp minus the time just before the write, in the order of the pulses
    dropped: int  # pulses whose write was interrupted: the time of their edge is unknown


def measure(
    factories: Factories,
    wire: int,
    button: str,
    lines: Mapping[str, int],
    pulses: int = PULSES,
    progress: Callable[[int], None] = lambda done: None,
) -> Measurement:
    """Press the line of `button` through a wire from the spare pin `wire`.

    `lines` are the pins of all parts that the wire could be on by mistake, `button` included. `progress` is called
    with the number of pulses done. Takes about 10 ms a pulse. Raises `NotMeasured`.
    """
    lost: dict[str, str | None] = {}
    with closing(GpioButtons(lines, factories.inputs, factories.source, lost.__setitem__, part=N_("line"))) as buttons:
        if text := lost.get(f"line {button}"):
            raise NotMeasured(_with_hint(text))
        bench = _Bench(buttons, button, lines, wire)
        with _claimed(InputDevice, wire, factories, pull_up=True) as pin:
            bench.check_released(pin)
        with _claimed(OutputDevice, wire, factories, initial_value=True) as pin:
            bench.check_wire(pin)
            return uninterrupted([bench.pulse(pin, n, progress) for n in range(1, pulses + 1)])


class Pulse(NamedTuple):
    """One press through the wire."""

    late_ns: int
    write_ns: int  # how long the write took

    @property
    def unsure_ns(self) -> int:
        """How long the line may have moved: during the write, before the stamp."""
        return min(self.write_ns, self.late_ns)


class _Bench:
    """The line under test, and the other lines."""

    def __init__(self, buttons: GpioButtons, button: str, lines: Mapping[str, int], wire: int) -> None:
        self._buttons, self._button, self._lines, self._wire = buttons, button, lines, wire
        self._edges: SimpleQueue[Edge] = SimpleQueue()

        def keep(edge: Edge) -> None:
            if edge.button == button:
                self._edges.put(edge)

        buttons.listen(keep)

    def check_released(self, pin: Any) -> None:
        """Check that the line does not change by itself and that neither it nor the wire, an input here, is low."""
        sleep(SETTLE_S)
        self._forget()
        sleep(QUIET_S)
        self._check_quiet()
        if self._buttons.down(self._button):
            raise NotMeasured(f"{self._line_of(self._button)} is low before anything is written: let the button go")
        if not pin.state:  # driving it high would be a short circuit
            raise NotMeasured(f"GPIO {self._wire} is low before anything is written: does its wire go to ground?")

    def check_wire(self, pin: Any) -> None:
        """Check that the line, and no other, follows the wire, low and high."""
        sleep(SETTLE_S)
        released = [name for name in self._lines if self._buttons.down(name) is False]
        for _ in range(TRIES):
            pin.state = False
            follows = self._becomes(down=True)
            others = [name for name in released if name != self._button and self._buttons.down(name)]
            pin.state = True
            if others and not follows:
                raise NotMeasured(f"wrong line: the wire goes to {self._line_of(others[0])}, not to {self._button}'s")
            if others:
                raise NotMeasured(f"the wire goes to {self._line_of(others[0])} as well")
            if not follows:
                raise NotMeasured(
                    f"no wire: {self._line_of(self._button)} does not follow GPIO {self._wire} when that goes low"
                )
            if not self._becomes(down=False):
                raise NotMeasured(
                    f"{self._line_of(self._button)} goes low with GPIO {self._wire}, but not high again with it"
                )
        sleep(SETTLE_S)
        self._forget()

    def pulse(self, pin: Any, number: int, progress: Callable[[int], None]) -> Pulse:
        """Press and release once."""
        before_ns = monotonic_ns()
        pin.state = False
        after_ns = monotonic_ns()
        edge = self._edge(number, before_ns, down=True)
        sleep(uniform(*PAUSE_S))
        released_ns = monotonic_ns()
        pin.state = True
        self._edge(number, released_ns, down=False)
        sleep(uniform(*PAUSE_S))
        self._check_quiet()
        progress(number)
        return Pulse(edge.at_ns - before_ns, after_ns - before_ns)

    def _edge(self, number: int, written_ns: int, *, down: bool) -> Edge:
        try:
            edge = self._edges.get(timeout=PATIENCE_S)
        except Empty:
            raise NotMeasured(
                f"pulse {number} was not seen on {self._line_of(self._button)}: is the wire loose?"
            ) from None
        if edge.down is not down or edge.at_ns < written_ns:
            raise NotMeasured(self._floating())
        return edge

    def _check_quiet(self) -> None:
        if not self._edges.empty():
            raise NotMeasured(self._floating())

    def _floating(self) -> str:
        return f"floating: {self._line_of(self._button)} changes while nothing is written"

    def _becomes(self, *, down: bool) -> bool:
        """Whether the line takes a level soon."""
        end_s = monotonic() + PATIENCE_S
        while self._buttons.down(self._button) is not down:
            if monotonic() > end_s:
                return False
            sleep(0.001)
        return True

    def _forget(self) -> None:
        while not self._edges.empty():
            self._edges.get()

    def _line_of(self, name: str) -> str:
        return f"{name}'s line GPIO {self._lines[name]}"


@contextmanager
def _claimed(kind: Callable[..., Any], wire: int, factories: Factories, **how: bool) -> Iterator[Any]:
    """The pin of a device at the wire's end; an input again afterwards."""
    try:
        device = kind(wire, pin_factory=factories.outputs, **how)
    except Exception as error:  # the drivers' errors have no base in common
        raise NotMeasured(_with_hint(loss("wire", wire, error))) from error
    try:
        yield device.pin
    finally:
        with suppress(Exception):  # a lost pin cannot be released
            # some kernels leave an output on: a button pressed against it would be a short circuit
            device.pin.function = "input"
        device.close()


def _with_hint(text: str) -> str:
    return f"{text}: end the program that has it, such as the kit" if text.endswith("busy") else text


def uninterrupted(pulses: list[Pulse]) -> Measurement:
    """The pulses without an interrupted write. Raises `NotMeasured` where too many were interrupted."""
    longest_ns = LONG_WRITE * median(pulse.write_ns for pulse in pulses)
    latenesses_ns = tuple(pulse.late_ns for pulse in pulses if pulse.unsure_ns <= longest_ns)
    dropped = len(pulses) - len(latenesses_ns)
    if 100 * dropped > MAX_DROPPED_PERCENT * len(pulses):
        raise NotMeasured(
            f"{dropped} of {len(pulses):,} pulses were interrupted while they were written; "
            f"{MAX_DROPPED_PERCENT} % may be: end other programs"
        )
    return Measurement(latenesses_ns, dropped)
