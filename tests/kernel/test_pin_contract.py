"""What every pin factory must do, ours and the two of gpiozero that the kit may use instead."""

import time
from collections.abc import Iterator
from typing import Any

import gpiod
import pytest
from gpiod.line import Direction
from gpiozero import (
    LED,
    Button,
    GPIOPinInUse,
    InputDevice,
    PinFixedPull,
    PinInvalidBounce,
    PinInvalidFunction,
    PinInvalidPin,
    PinInvalidPull,
    PinSetInput,
)

from hardware.parts.gpio import open_factory
from tests.kernel.ear import Ear, levels
from tests.simulators.sim_chip import SimChip

PIN = 5
FIXED = 2  # a resistor on the board pulls it up
SPARE = 26


@pytest.fixture(params=["gpiod", "lgpio", "rpigpio"])
def driver(request: pytest.FixtureRequest) -> Any:
    return request.param


@pytest.fixture
def factory(driver: Any, chip: SimChip) -> Iterator[Any]:
    factories = open_factory(driver)
    inputs: Any = factories.inputs
    # lgpio's thread misses a pin that it is to listen to if it is just going to sleep; the next one wakes it
    waker = Ear()
    waker.listen(inputs, SPARE)
    time.sleep(0.02)
    yield inputs
    for pin in inputs.pins.values():
        pin.when_changed = None  # lgpio's pins leave that to their devices, and an edge under way ends its thread
    inputs.close()


@pytest.fixture
def pin(factory: Any) -> Any:
    return factory.pin(PIN)


def test_an_input_reads_its_line(chip: SimChip, pin: Any) -> None:
    pin.input_with_pull("up")
    seen = []
    for up in (False, True, False):
        chip.pull(PIN, up)
        seen.append(pin.state)
    assert seen == [0, 1, 0]


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("pull", "up"),
        ("pull", "down"),
        ("pull", "floating"),
        ("edges", "rising"),
        ("bounce", 0.02),
        ("function", "output"),
    ],
)
def test_what_a_pin_is_told_is_kept(pin: Any, name: str, value: object) -> None:
    setattr(pin, name, value)
    assert getattr(pin, name) == value


def test_a_pin_at_first_is_an_input_without_pwm_and_bounce(pin: Any) -> None:
    assert (pin.function, pin.frequency, pin.bounce) == ("input", None, None)


@pytest.mark.parametrize(("pull", "level"), [("up", 1), ("down", 0)])
def test_a_pull_decides_the_level_of_a_line_that_is_left_alone(chip: SimChip, pin: Any, pull: str, level: int) -> None:
    pin.function = "input"
    pin.pull = "down" if level else "up"
    pin.pull = pull
    assert chip.value(PIN) == level


@pytest.mark.parametrize(
    ("function", "name", "value", "error"),
    [
        pytest.param("input", "pull", "sideways", PinInvalidPull, id="an unknown pull"),
        pytest.param("output", "pull", "up", PinFixedPull, id="a pull of an output"),
        pytest.param("input", "state", 1, PinSetInput, id="the state of an input"),
        pytest.param("input", "function", "fm-radio", PinInvalidFunction, id="an unknown function"),
        pytest.param("input", "bounce", -0.01, PinInvalidBounce, id="a negative bounce"),
    ],
)
def test_what_cannot_be_is_refused(pin: Any, function: str, name: str, value: object, error: type[Exception]) -> None:
    pin.function = function
    with pytest.raises(error):
        setattr(pin, name, value)


def test_the_pull_of_a_resistor_on_the_board_stands(factory: Any) -> None:
    with pytest.raises(PinFixedPull):
        factory.pin(FIXED).pull = "down"


@pytest.mark.parametrize("level", [0, 1])
def test_an_output_begins_with_the_state_it_is_given(chip: SimChip, pin: Any, level: int) -> None:
    pin.output_with_state(bool(level))
    assert chip.value(PIN) == level


def test_an_output_drives_its_line(chip: SimChip, pin: Any) -> None:
    pin.output_with_state(False)
    seen = []
    for state in (1, 0, 1):
        pin.state = state
        seen.append((chip.value(PIN), pin.state))
    assert seen == [(1, 1), (0, 0), (1, 1)]


def test_an_output_can_become_an_input(chip: SimChip, pin: Any) -> None:
    pin.output_with_state(True)
    pin.input_with_pull("up")
    chip.pull(PIN, False)
    assert (pin.function, pin.state) == ("input", 0)


def test_both_edges_are_told(chip: SimChip, factory: Any, ear: Ear) -> None:
    ear.listen(factory, PIN)
    heard = []
    for up in (False, True, False):
        chip.pull(PIN, up)
        heard.append(ear.next().level)
    assert heard == [0, 1, 0]


@pytest.mark.parametrize(("edges", "pull", "level"), [("rising", "down", 1), ("falling", "up", 0)])
def test_of_two_edges_only_the_wanted_one_is_told(
    chip: SimChip, factory: Any, ear: Ear, edges: str, pull: str, level: int
) -> None:
    ear.listen(factory, PIN, pull=pull, edges=edges)
    chip.pull(PIN, bool(level))
    first = ear.next()
    chip.pull(PIN, not level)
    assert (first.level, ear.is_quiet()) == (level, True)


def test_each_pin_calls_its_own_callback(chip: SimChip, factory: Any, ear: Ear) -> None:
    ear.listen(factory, 5, 6, 22)
    heard = []
    for line in (22, 5, 6):
        chip.pull(line, False)
        heard.append(ear.next().pin)
    assert heard == [22, 5, 6]


def test_nobody_is_called_once_the_callback_is_taken_off(chip: SimChip, factory: Any, ear: Ear) -> None:
    ear.listen(factory, PIN)
    factory.pin(PIN).when_changed = None
    chip.pull(PIN, False)
    assert ear.is_quiet()


def test_a_new_callback_takes_the_place_of_the_old(chip: SimChip, factory: Any, ear: Ear) -> None:
    other = Ear()
    other.listen(factory, PIN)
    ear.attach(factory.pin(PIN))
    chip.pull(PIN, False)
    assert (ear.next().level, other.is_quiet()) == (0, True)


def test_ticks_are_seconds_of_the_monotonic_clock(factory: Any) -> None:
    before = time.monotonic()
    ticks = factory.ticks()
    assert before <= ticks <= time.monotonic()


def test_the_difference_of_ticks_is_in_seconds(factory: Any) -> None:
    assert factory.ticks_diff(17.5, 15.25) == 2.25


def test_one_pin_is_one_object_by_all_its_names(factory: Any, pin: Any) -> None:
    assert {factory.pin(name) for name in ("GPIO5", "BCM5", "J8:29", "BOARD29")} == {pin}


@pytest.mark.parametrize("name", [99, "GPIO99", "3V3", "nothing"])
def test_what_is_no_pin_is_refused(factory: Any, name: object) -> None:
    with pytest.raises(PinInvalidPin):
        factory.pin(name)


def test_the_board_has_its_header(factory: Any) -> None:
    assert factory.board_info.headers["J8"].pins[29].name == "GPIO5"


def test_a_closed_output_is_an_input(chip: SimChip, pin: Any) -> None:
    pin.output_with_state(True)
    pin.close()
    with gpiod.Chip(str(chip.path)) as opened:
        assert opened.get_line_info(PIN).direction is Direction.INPUT


def test_a_pin_can_be_used_again_after_it_was_closed(chip: SimChip, factory: Any, ear: Ear) -> None:
    ear.listen(factory, PIN)
    factory.pin(PIN).close()
    again = Ear()
    again.listen(factory, PIN)
    chip.pull(PIN, False)
    assert (levels(again.take(1)), ear.is_quiet()) == ([0], True)


def test_a_device_can_be_opened_again_after_it_was_closed(chip: SimChip, factory: Any) -> None:
    for _ in range(3):
        with Button(PIN, pin_factory=factory) as button:
            chip.pull(PIN, False)
            assert button.wait_for_active(5)


def test_a_pin_can_change_from_button_to_lamp(chip: SimChip, factory: Any) -> None:
    Button(PIN, pin_factory=factory).close()
    with LED(PIN, pin_factory=factory) as led:
        led.on()
        assert chip.value(PIN) == 1


def test_two_devices_cannot_have_one_pin(factory: Any) -> None:
    with InputDevice(PIN, pin_factory=factory), pytest.raises(GPIOPinInUse):
        InputDevice(PIN, pin_factory=factory)


def test_closing_a_factory_twice_does_no_harm(factory: Any, pin: Any) -> None:
    pin.function = "input"
    factory.close()
    factory.close()
    assert factory.pins == {}
