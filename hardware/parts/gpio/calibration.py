"""Measures how late the stamps of a button's line are: a spare pin, wired to the line, presses it at known times.

Single pulses give the lateness of a stamp. Double moves, a press and its end in a row, give the delay up to which the
kernel replaces the stamp of an edge by that of the next one (hardware/parts/gpio/numbers.py).
"""

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from queue import Empty, SimpleQueue
from random import sample, uniform
from statistics import median
from time import monotonic, monotonic_ns, sleep
from typing import Any, NamedTuple

from gpiozero import InputDevice, OutputDevice

from hardware.parts.buttons import Edge
from hardware.parts.buttons.gpio import GpioButtons
from hardware.parts.gpio import Factories, loss
from hardware.words import N_

PULSES = 2_000
PAUSE_S = (0.002, 0.006)  # between two writes, at random: no lock step with a timer's tick
PATIENCE_S = 0.5  # for a level to follow the wire, and for an edge to arrive
QUIET_S = 0.3  # a line that changes by itself does so in this time
SETTLE_S = 0.02  # for a line to take its level and for edges under way
TRIES = 5  # at the wire, before anything is measured
LONG_WRITE = 10  # times the median: the program was interrupted in the middle of the write
MAX_DROPPED_PERCENT = 10

DOUBLES = 400  # double moves
APART_NS = (20_000, 2_000_000)  # between the two moves: the nearest and the furthest, the others between on a log scale
UNSEEN_S = 0.03  # for the first edge of a double move: no thread of the kernel is kept waiting for longer
MAX_LEFT_OUT_PERCENT = 10  # of the double moves; with more they say nothing


class NotMeasured(Exception):
    """The measurement failed. The text gives the reason in one line."""


class Double(NamedTuple):
    """What became of a double move."""

    late_ns: int  # the first stamp minus the time just before the first write
    apart_ns: int  # between the two moves, at most
    overwritten: bool  # no stamp is from before the second write
    shown: bool  # the first edge said that its stamp may have replaced an earlier one


class Measurement(NamedTuple):
    """How late the stamps were, and which of them were overwritten."""

    latenesses_ns: tuple[int, ...]  # stamp minus the time just before the write, in the order of the pulses
    dropped: int  # pulses whose write was interrupted: the time of their edge is unknown
    doubles: tuple[Double, ...] = ()  # empty where that is not measured


def measure(
    factories: Factories,
    wire: int,
    button: str,
    lines: Mapping[str, int],
    pulses: int = PULSES,
    progress: Callable[[int], None] = lambda done: None,
    between: Callable[[], None] = lambda: None,
) -> Measurement:
    """Press the line of `button` through a wire from the spare pin `wire`.

    `lines` are the pins of all parts that the wire could be on by mistake, `button` included. `progress` is called
    with the number of pulses done, `between` before each further write; what they raise ends the measurement. Takes
    about 10 ms a pulse. Double moves are made only where the kernel makes the stamps, at the end. Raises `NotMeasured`.
    """
    lost: dict[str, str | None] = {}
    with closing(GpioButtons(lines, factories.inputs, factories.source, lost.__setitem__, part=N_("line"))) as buttons:
        if text := lost.get(f"line {button}"):
            raise NotMeasured(_with_hint(text))
        bench = _Bench(buttons, button, lines, wire, between)
        with _claimed(InputDevice, wire, factories, pull_up=True) as pin:
            bench.check_released(pin)
        with _claimed(OutputDevice, wire, factories, initial_value=True) as pin:
            bench.check_wire(pin)
            found = uninterrupted([bench.pulse(pin, n, progress) for n in range(1, pulses + 1)])
            return found._replace(doubles=bench.doubles(pin)) if factories.source == "kernel" else found


class Pulse(NamedTuple):
    """One press through the wire."""

    late_ns: int
    write_ns: int  # how long the write took

    @property
    def unsure_ns(self) -> int:
        """How long the line may have moved: during the write, before the stamp."""
        return min(self.write_ns, self.late_ns)


class Moves(NamedTuple):
    """A double move through the wire: the clock before and after each write, in ns."""

    before_ns: int
    after_ns: int
    second_ns: int
    end_ns: int


class _Bench:
    """The line under test, and the other lines."""

    def __init__(
        self, buttons: GpioButtons, button: str, lines: Mapping[str, int], wire: int, between: Callable[[], None]
    ) -> None:
        self._buttons, self._button, self._lines, self._wire = buttons, button, lines, wire
        self._between = between
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
        self._pause()
        released_ns = monotonic_ns()
        pin.state = True
        self._edge(number, released_ns, down=False)
        self._pause()
        self._check_quiet()
        progress(number)
        return Pulse(edge.at_ns - before_ns, after_ns - before_ns)

    def doubles(self, pin: Any) -> tuple[Double, ...]:
        """Press and release in a row, at many distances. Empty where the line did not show it often enough."""
        moves, edges, unseen = list[Moves](), list[Edge](), 0
        for apart_ns in sample(distances_ns(), DOUBLES):
            edges += self._forget()
            moves.append(self._double(pin, apart_ns))
            unseen += self._edges.empty()
            self._pause()
            if 100 * unseen > MAX_LEFT_OUT_PERCENT * DOUBLES:
                return ()
        sleep(QUIET_S)
        # an edge may come late: its stamp says of which double move it is
        found = doubles_of(moves, [*edges, *self._forget()])
        return found if 100 * (DOUBLES - len(found)) <= MAX_LEFT_OUT_PERCENT * DOUBLES else ()

    def _pause(self) -> None:
        self._between()
        sleep(uniform(*PAUSE_S))

    def _double(self, pin: Any, apart_ns: int) -> Moves:
        before_ns = monotonic_ns()
        pin.state = False
        after_ns = monotonic_ns()
        while (second_ns := monotonic_ns()) < before_ns + apart_ns:
            pass  # a sleep would take too long
        pin.state = True
        end_ns, end_s = monotonic_ns(), monotonic() + UNSEEN_S
        while self._edges.empty() and monotonic() < end_s:
            sleep(0.001)
        return Moves(before_ns, after_ns, second_ns, end_ns)

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

    def _forget(self) -> list[Edge]:
        """Empty the queue: what was in it."""
        return [self._edges.get() for _ in range(self._edges.qsize())]

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


def distances_ns() -> list[int]:
    """How far apart the two moves of the double moves are, the nearest first."""
    nearest, furthest = APART_NS
    return [round(nearest * (furthest / nearest) ** (n / (DOUBLES - 1))) for n in range(DOUBLES)]


def doubles_of(moves: Sequence[Moves], edges: Iterable[Edge]) -> tuple[Double, ...]:
    """What the edges tell of these double moves, in their order.

    Those that brought no edge are left out, and those whose first write was interrupted: the time of their first move
    is unknown.
    """
    longest_ns = LONG_WRITE * median(move.after_ns - move.before_ns for move in moves)
    begun_ns = [move.before_ns for move in moves]
    first: dict[int, Edge] = {}  # by number of the double move
    for stamped in sorted(edges, key=lambda edge: edge.at_ns):
        first.setdefault(bisect_right(begun_ns, stamped.at_ns) - 1, stamped)
    found = list[Double]()
    for n, move in enumerate(moves):
        if (edge := first.get(n)) is not None and move.after_ns - move.before_ns <= longest_ns:
            overwritten = edge.at_ns >= move.second_ns
            # an overwritten stamp is that of the second move, which came before it
            moved_ns = min(edge.at_ns, move.end_ns) if overwritten else move.end_ns
            found.append(Double(edge.at_ns - move.before_ns, moved_ns - move.before_ns, overwritten, edge.replaced))
    return tuple(found)
