"""The measurement through a wire, on mock pins: one that is connected to another plays the wire."""

from collections.abc import Callable
from itertools import count
from typing import Any

import pytest
from gpiozero.pins.mock import MockConnectedPin, MockFactory, MockPin

from hardware.gpio import MOCK_REVISION, Factories
from hardware.gpio import calibration as measuring
from hardware.gpio.calibration import Measurement, NotMeasured, Pulse, measure, uninterrupted

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
    told: list[int] = []
    found = measured(factory, 50, told.append)
    assert (len(found.latenesses_ns) + found.dropped, told) == (50, list(range(1, 51)))


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
