"""The measurement through a wire, on mock pins: one that is connected to another plays the wire."""

from collections.abc import Callable
from itertools import count, pairwise
from typing import Any

import pytest
from gpiozero.pins.mock import MockConnectedPin, MockFactory, MockPin
from gpiozero.pins.pi import PiPin

from hardware.parts.buttons import Edge, Source
from hardware.parts.gpio import MOCK_REVISION, Factories
from hardware.parts.gpio import calibration as measuring
from hardware.parts.gpio.calibration import (
    APART_NS,
    DOUBLES,
    Double,
    Measurement,
    Moves,
    NotMeasured,
    Pulse,
    distances_ns,
    doubles_of,
    measure,
    uninterrupted,
)

WIRE = 25
LINES = {"P1": 5, "P2": 6, "P3": 22, "control.push": 24}
US = 1_000


@pytest.fixture(autouse=True)
def hurry(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing on mock pins needs time."""
    for name, value in (("PAUSE_S", (0, 0)), ("PATIENCE_S", 0.02), ("QUIET_S", 0.02), ("SETTLE_S", 0)):
        monkeypatch.setattr(measuring, name, value)


@pytest.fixture
def factory() -> Any:
    """Mock pins that know no PWM, as connected ones do not."""
    return MockFactory(revision=MOCK_REVISION)


class Wire(MockConnectedPin):  # type: ignore[misc]
    """A wire as it should be."""

    input_pin: Any


@pytest.fixture
def wired(factory: Any) -> Callable[..., Any]:
    """Puts a wire from the spare pin to a line; what the wire does may be another kind of pin."""

    def wire(line: int, kind: type[Wire] = Wire) -> Any:
        return factory.pin(WIRE, pin_class=kind, input_pin=factory.pin(line))

    return wire


def measured(factory: Any, pulses: int = 20, progress: Callable[[int], None] = lambda done: None) -> Measurement:
    """A measurement of P1's line."""
    return measure(Factories(factory, factory, "callback", lambda: factory), WIRE, "P1", LINES, pulses, progress)


def reason(factory: Any) -> str:
    """Why it was refused."""
    with pytest.raises(NotMeasured) as refused:
        measured(factory)
    return str(refused.value)


class Doubled(Wire):
    """Every press comes twice."""

    def _change_state(self, value: bool) -> bool:
        changed = super()._change_state(value)
        if changed and not value:
            self.input_pin.drive_high()
            self.input_pin.drive_low()
        return bool(changed)


class Fading(Wire):
    """Pulls down, but never up again."""

    def _change_state(self, value: bool) -> bool:
        line, self.input_pin = self.input_pin, None if value else self.input_pin
        changed = super()._change_state(value)
        self.input_pin = line
        return bool(changed)


class Loose(Wire):
    """Comes off after a few pulses."""

    writes = 0

    def _change_state(self, value: bool) -> bool:
        self.writes += 1
        if self.writes > 30:
            self.input_pin = None
        return bool(super()._change_state(value))


class Low(MockPin):  # type: ignore[misc]
    """Is held down by something stronger than its pull."""

    def _get_state(self) -> bool:
        return False


def test_each_pulse_gives_a_lateness_and_is_reported(factory: Any, wired: Callable[..., Any]) -> None:
    wired(5)
    doubles_of: list[int] = []
    found = measured(factory, 50, doubles_of.append)
    assert (len(found.latenesses_ns) + found.dropped, doubles_of) == (50, list(range(1, 51)))


def test_a_lateness_is_the_stamp_minus_the_time_before_the_write(
    factory: Any, wired: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    wired(5)
    ticks_ns = count(step=US)  # at each look
    monkeypatch.setattr(measuring, "monotonic_ns", lambda: next(ticks_ns))
    monkeypatch.setattr("gpiozero.pins.mock.monotonic", lambda: (next(ticks_ns) + 500_000 * US) / 1e9)
    latenesses_us = {round(late_ns / US) for late_ns in measured(factory).latenesses_ns}
    assert latenesses_us == {500_001}


def test_the_spare_pin_is_an_input_again_afterwards(factory: Any, wired: Callable[..., Any]) -> None:
    pin = wired(5)
    measured(factory)
    assert (pin.function, factory.pin(5).state) == ("input", True)


@pytest.mark.parametrize(
    ("line", "kind", "why"),
    [
        (None, Wire, "no wire: P1's line GPIO 5 does not follow GPIO 25 when that goes low"),
        (22, Wire, "wrong line: the wire goes to P3's line GPIO 22, not to P1's"),
        (24, Wire, "wrong line: the wire goes to control.push's line GPIO 24, not to P1's"),
        (5, Fading, "P1's line GPIO 5 goes low with GPIO 25, but not high again with it"),
        (5, Doubled, "floating: P1's line GPIO 5 changes while nothing is written"),
        (5, Loose, "was not seen on P1's line GPIO 5: is the wire loose?"),
    ],
    ids=["no wire", "another button", "a knob", "never up again", "more edges than pulses", "fewer edges"],
)
def test_a_wire_that_is_not_right_is_refused(
    factory: Any, wired: Callable[..., Any], line: int | None, kind: type[Wire], why: str
) -> None:
    if line is not None:
        wired(line, kind)
    assert reason(factory).endswith(why)


def test_a_line_that_changes_by_itself_is_refused(factory: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    pin = factory.pin(5)

    def sleep(seconds: float) -> None:
        """Meanwhile the line goes down and up."""
        pin.drive_low()
        pin.drive_high()

    monkeypatch.setattr(measuring, "sleep", sleep)
    assert reason(factory) == "floating: P1's line GPIO 5 changes while nothing is written"


def test_a_button_that_is_held_down_is_refused(factory: Any) -> None:
    factory.pin(5, pin_class=Low)
    assert reason(factory) == "P1's line GPIO 5 is low before anything is written: let the button go"


def test_a_wire_to_ground_is_refused_before_the_pin_is_driven_against_it(factory: Any) -> None:
    pin = factory.pin(WIRE, pin_class=Low)
    refused = reason(factory)
    assert (refused, [state.state for state in pin.states]) == (
        "GPIO 25 is low before anything is written: does its wire go to ground?",
        [False, True],  # pulled up, never driven
    )


@pytest.mark.parametrize(("pin", "part"), [(5, "line P1"), (WIRE, "wire")])
def test_a_pin_that_something_else_has_is_refused(factory: Any, pin: int, part: str) -> None:
    class Other:
        pass

    other = Other()
    factory.reserve_pins(other, factory.pin(pin).info.name)
    try:
        assert reason(factory) == f"{part} lost: GPIO {pin} is busy: end the program that has it, such as the kit"
    finally:
        factory.release_all(other)


def pulses(writes_ns: list[int], late_ns: int) -> list[Pulse]:
    return [Pulse(late_ns, write_ns) for write_ns in writes_ns]


@pytest.mark.parametrize(
    ("last_ns", "late_ns", "dropped"),
    [
        pytest.param(101 * US, 5_000 * US, 1, id="interrupted"),
        pytest.param(5_000 * US, 12 * US, 0, id="interrupted after the stamp: it proves as much as any"),
        pytest.param(10 * US, 4_000 * US, 0, id="late though the write was quick"),
    ],
)
def test_a_pulse_whose_write_was_interrupted_is_dropped(last_ns: int, late_ns: int, dropped: int) -> None:
    found = uninterrupted(pulses([10 * US] * 99 + [last_ns], late_ns))
    assert found == Measurement((late_ns,) * (100 - dropped), dropped)


def test_too_many_interrupted_writes_are_refused() -> None:
    with pytest.raises(NotMeasured, match="11 of 100 pulses were interrupted while they were written; 10 % may be"):
        uninterrupted(pulses([10 * US] * 89 + [101 * US] * 11, late_ns=5_000 * US))


# --- double moves ----------------------------------------------------------------------------------------------------


class Clock:
    """A clock of its own: a look takes 1 µs, and threads of the kernel run while the program sleeps."""

    now_ns = 0
    line: "Line"

    def monotonic_ns(self) -> int:
        self.now_ns += US
        return self.now_ns

    def sleep(self, seconds: float) -> None:
        self.now_ns += round(seconds * 1e9)
        self.line.run()


class Line(MockPin):  # type: ignore[misc]
    """A line of a kernel: the interrupt stamps an edge, a thread queues it. A move before that replaces the stamp."""

    clock: Clock
    thread_ns = 0  # from the interrupt until the thread runs
    numbered = True  # the numbers of its edges have a gap where a stamp was replaced
    level_only = False  # a thread that finds the level as it was tells nothing
    edge_ns, edge_replaced = 0, False  # of the edge that is reported

    _stamp_ns: int | None = None  # of the edge that waits for the thread
    _runs_ns, _replaced, _reported = 0, False, True

    def _call_when_changed(self) -> None:
        stamp_ns = self.clock.monotonic_ns()
        self._run(not self._state)  # before this move
        self._replaced = self._stamp_ns is not None
        if not self._replaced:
            self._runs_ns = stamp_ns + self.thread_ns
        self._stamp_ns = stamp_ns
        self.run()

    def run(self) -> None:
        """Run the thread if it is time to."""
        self._run(self._state)

    def _run(self, level: bool) -> None:
        if self._stamp_ns is None or self.clock.now_ns < self._runs_ns:
            return
        self.edge_ns, self._stamp_ns = self._stamp_ns, None
        self.edge_replaced = self._replaced and self.numbered
        reported, self._reported = self._reported, level
        if level is not reported or not self.level_only:
            PiPin._call_when_changed(self, self.edge_ns / 1e9, level)  # noqa: SLF001 (as its base class does)


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(measuring, "monotonic_ns", clock.monotonic_ns)
    monkeypatch.setattr(measuring, "sleep", clock.sleep)
    monkeypatch.setattr(measuring, "PAUSE_S", (0.005, 0.005))
    return clock


def doubles(
    factory: Any, clock: Clock, thread_ns: int, source: Source = "kernel", **kernel: bool
) -> tuple[Double, ...]:
    """The double moves on P1's line, with a thread that takes so long."""
    line = factory.pin(LINES["P1"], pin_class=Line)
    line.clock, clock.line = clock, line
    factory.pin(WIRE, pin_class=Wire, input_pin=line)
    for name, value in kernel.items():
        setattr(line, name, value)

    def progress(done: int) -> None:
        line.thread_ns = thread_ns if done == 20 else 0  # single pulses are far apart

    return measure(Factories(factory, factory, source, lambda: factory), WIRE, "P1", LINES, 20, progress).doubles


def lost(found: tuple[Double, ...]) -> list[int]:
    """How far apart the moves were whose first stamp was overwritten, the nearest first."""
    return sorted(double.apart_ns for double in found if double.overwritten)


@pytest.mark.parametrize("thread_us", [50, 84, 300, 1_500])
def test_the_delay_up_to_which_stamps_are_overwritten_is_measured(factory: Any, clock: Clock, thread_us: int) -> None:
    *_others, most_ns = lost(doubles(factory, clock, thread_us * US))
    assert thread_us * US * 0.98 - 2 * US < most_ns <= thread_us * US + 3 * US


def test_a_kernel_that_overwrites_nothing_has_kept_every_first_stamp(factory: Any, clock: Clock) -> None:
    found = doubles(factory, clock, 0)
    assert (len(found), lost(found)) == (DOUBLES, [])


def test_a_thread_slower_than_all_double_moves_overwrites_each(factory: Any, clock: Clock) -> None:
    found = doubles(factory, clock, 3_000 * US)
    assert (len(lost(found)), lost(found)[-1] >= APART_NS[1]) == (DOUBLES, True)


@pytest.mark.parametrize(("numbered", "shown"), [(True, {True}), (False, {False})])
def test_an_overwritten_stamp_is_shown_by_the_numbers_or_not(
    factory: Any, clock: Clock, numbered: bool, shown: set[bool]
) -> None:
    found = doubles(factory, clock, 300 * US, numbered=numbered)
    assert {double.shown for double in found if double.overwritten} == shown


def test_double_moves_without_any_edge_are_left_out(factory: Any, clock: Clock) -> None:
    found = doubles(factory, clock, 25 * US, level_only=True)
    assert (DOUBLES * 0.9 < len(found) < DOUBLES, lost(found)) == (True, [])


def test_a_line_that_does_not_show_double_moves_measures_nothing(factory: Any, clock: Clock) -> None:
    assert doubles(factory, clock, 300 * US, level_only=True) == ()


def test_stamps_of_a_callback_are_not_measured_so(factory: Any, clock: Clock) -> None:
    assert doubles(factory, clock, 300 * US, "callback") == ()


def test_double_moves_are_20_us_to_2_ms_apart_and_a_step_is_little() -> None:
    found = distances_ns()
    steps = {round(b / a, 3) for a, b in pairwise(found)}
    assert (found[0], found[-1], len(found), max(steps) < 1.02) == (20 * US, 2_000 * US, DOUBLES, True)


DOUBLE = Moves(1_000 * US, 1_010 * US, 1_100 * US, 1_110 * US)


@pytest.mark.parametrize(
    ("moves", "stamps_us", "found"),
    [
        pytest.param([DOUBLE], [1_008, 1_107], [(8, 110, False)], id="both stamps"),
        pytest.param([DOUBLE], [1_107, 1_008], [(8, 110, False)], id="reported in another order"),
        pytest.param([DOUBLE], [1_090], [(90, 110, False)], id="a late stamp, but the second move had not come"),
        pytest.param([DOUBLE], [1_107], [(107, 107, True)], id="only the second stamp"),
        pytest.param([DOUBLE], [1_150], [(150, 110, True)], id="the second stamp, late: its move was in the write"),
        pytest.param([DOUBLE], [], [], id="no edge"),
    ],
)
def test_a_double_move_is_judged_by_its_first_stamp(
    moves: list[Moves], stamps_us: list[int], found: list[tuple[int, int, bool]]
) -> None:
    edges = [Edge("P1", True, stamp_us * US, "kernel") for stamp_us in stamps_us]
    assert doubles_of(moves, edges) == tuple(Double(late * US, apart * US, over, False) for late, apart, over in found)


def test_an_edge_belongs_to_the_double_move_that_its_stamp_is_of() -> None:
    later = Moves(*(ns + 10_000 * US for ns in DOUBLE))
    edges = [Edge("P1", True, at_us * US, "kernel", replaced) for at_us, replaced in ((1_105, True), (11_006, False))]
    assert doubles_of([DOUBLE, later], edges) == (
        Double(105 * US, 105 * US, True, True),
        Double(6 * US, 110 * US, False, False),
    )


def test_a_double_move_whose_first_write_was_interrupted_is_left_out() -> None:
    moves = [Moves(*(ns + n * 10_000 * US for ns in DOUBLE)) for n in range(10)]
    moves[4] = moves[4]._replace(after_ns=moves[4].before_ns + 101 * US, second_ns=moves[4].before_ns + 102 * US)
    edges = [Edge("P1", True, move.before_ns + 5 * US, "kernel") for move in moves]
    assert len(doubles_of(moves, edges)) == 9
