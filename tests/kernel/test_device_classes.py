"""gpiozero's own device classes on our pin factory, unchanged."""

# gpiozero has no types: of some of its classes pyright guesses wrong ones
# pyright: reportArgumentType=false, reportAttributeAccessIssue=false, reportCallIssue=false

import threading
import time
from functools import partial
from typing import Any

import pytest
from gpiozero import (
    LED,
    Button,
    ButtonBoard,
    LEDBoard,
    LEDCharDisplay,
    LineSensor,
    MotionSensor,
    OutputDevice,
    RotaryEncoder,
    TrafficLights,
)
from gpiozero.tools import negated

from hardware.parts.gpio.gpiod_factory import GpiodFactory
from tests.simulators.sim_chip import SimChip
from tests.simulators.waiting import PATIENCE_S, comes

A, B = 17, 27
CLOCKWISE = ((A, False), (B, False), (A, True), (B, True))
COUNTER = ((B, False), (A, False), (B, True), (A, True))


def turn(chip: SimChip, moves: tuple[tuple[int, bool], ...]) -> None:
    for line, up in moves:
        chip.pull(line, up)
        time.sleep(0.0002)  # the simulator merges edges of one line that are closer than 50 µs


def test_a_button_calls_when_pressed_and_when_released(chip: SimChip, factory: GpiodFactory) -> None:
    calls: list[str] = []
    with Button(5, pin_factory=factory) as button:
        button.when_pressed = lambda: calls.append("pressed")
        button.when_released = lambda: calls.append("released")
        for up in (False, True, False, True):
            chip.pull(5, up)
            calls.append(str(button.is_pressed))
        assert comes(lambda: len(calls) == 8)
    assert [call for call in calls if call.islower()] == ["pressed", "released"] * 2
    assert [call for call in calls if call.istitle()] == ["True", "False"] * 2


def test_a_button_held_down_calls_again_and_again(chip: SimChip, factory: GpiodFactory) -> None:
    held: list[float] = []
    with Button(5, hold_time=0.02, hold_repeat=True, pin_factory=factory) as button:
        button.when_held = lambda: held.append(button.held_time)
        chip.pull(5, False)
        assert comes(lambda: len(held) >= 3)
        chip.pull(5, True)


@pytest.mark.parametrize(
    ("wiring", "pressed"),
    [
        pytest.param({"pull_up": True}, False, id="against ground"),
        pytest.param({"pull_up": False}, True, id="against plus"),
        pytest.param({"pull_up": None, "active_state": False}, False, id="with a resistor of its own it floats"),
    ],
)
def test_one_can_wait_for_a_press_and_for_the_release(
    chip: SimChip, factory: GpiodFactory, wiring: dict[str, Any], pressed: bool
) -> None:
    chip.pull(5, not pressed)
    with Button(5, **wiring, pin_factory=factory) as button:
        before = button.is_pressed
        threading.Timer(0.05, chip.pull, (5, pressed)).start()
        assert (before, button.pull_up, button.wait_for_press(PATIENCE_S)) == (False, wiring["pull_up"], True)
        threading.Timer(0.05, chip.pull, (5, not pressed)).start()
        assert button.wait_for_release(PATIENCE_S)


def test_a_button_with_bounce_time_is_pressed_once(chip: SimChip, factory: GpiodFactory) -> None:
    calls: list[str] = []
    with Button(5, bounce_time=0.5, pin_factory=factory) as button:
        button.when_pressed = lambda: calls.append("pressed")
        for n in range(7):
            chip.pull(5, n % 2 == 1)
            time.sleep(0.0005)
        assert button.wait_for_press(PATIENCE_S)
        chip.pull(5, True)
        assert button.wait_for_release(PATIENCE_S)
    assert calls == ["pressed"]


def test_a_board_of_buttons_tells_which_are_pressed(chip: SimChip, factory: GpiodFactory) -> None:
    with ButtonBoard(5, 6, 22, pin_factory=factory) as board:
        turn(chip, ((5, False), (22, False)))
        assert comes(lambda: board.value == (1, 0, 1))
        turn(chip, ((5, True), (22, True)))
        assert board.wait_for_release(PATIENCE_S)


def test_a_knob_counts_its_steps_and_calls_for_each_in_its_direction(chip: SimChip, factory: GpiodFactory) -> None:
    calls: list[str] = []
    with RotaryEncoder(A, B, max_steps=0, pin_factory=factory) as knob:
        knob.when_rotated_clockwise = lambda: calls.append("one way")
        knob.when_rotated_counter_clockwise = lambda: calls.append("the other")
        turn(chip, CLOCKWISE * 5)
        assert comes(lambda: len(calls) == 5)
        there = knob.steps
        turn(chip, COUNTER * 7)
        assert comes(lambda: len(calls) == 12)
        assert (abs(there), knob.steps * 5) == (5, there * -2)
    assert (len(set(calls[:5])), len(set(calls[5:])), calls[0] != calls[5]) == (1, 1, True)


@pytest.mark.parametrize(
    ("sensor", "settings", "sees"),
    [(MotionSensor, {"queue_len": 2, "sample_rate": 100}, "motion"), (LineSensor, {}, "no_line")],
)
def test_a_sensor_sees(chip: SimChip, factory: GpiodFactory, sensor: Any, settings: dict[str, Any], sees: str) -> None:
    with sensor(5, **settings, pin_factory=factory) as device:
        chip.pull(5, True)
        assert getattr(device, f"wait_for_{sees}")(PATIENCE_S)


def test_a_lamp_goes_on_and_off_and_closed_it_is_dark(chip: SimChip, factory: GpiodFactory) -> None:
    lamp = LED(12, pin_factory=factory)
    seen = [chip.value(12)]
    for switch in (lamp.on, lamp.off, lamp.toggle, lamp.close):
        switch()
        seen.append(chip.value(12))
    assert seen == [0, 1, 0, 1, 0]


def test_a_lamp_blinks(chip: SimChip, factory: GpiodFactory) -> None:
    with LED(12, pin_factory=factory) as lamp:
        lamp.blink(0.01, 0.01)
        assert all(comes(partial(lambda level: chip.value(12) == level, level)) for level in (1, 0, 1))


def test_a_lamp_follows_a_button(chip: SimChip, factory: GpiodFactory) -> None:
    with Button(5, pin_factory=factory) as button, LED(12, pin_factory=factory) as lamp:
        lamp.source_delay = 0.005
        lamp.source = negated(button)
        seen = [comes(lambda: chip.value(12) == 1)]
        chip.pull(5, False)
        seen.append(comes(lambda: chip.value(12) == 0))
        chip.pull(5, True)
    assert seen == [True, True]


@pytest.mark.parametrize(("active_high", "level"), [(True, 1), (False, 0)])
def test_an_output_that_is_on_from_the_start_is_on(
    chip: SimChip, factory: GpiodFactory, active_high: bool, level: int
) -> None:
    with OutputDevice(12, active_high=active_high, initial_value=True, pin_factory=factory) as output:
        assert (output.value, chip.value(12)) == (1, level)


SEGMENTS = (4, 7, 8, 9, 10, 11, 12)


@pytest.mark.parametrize(
    ("board", "lines", "value", "levels"),
    [
        (LEDBoard, (12, 16, 20, 21), (1, 0, 0, 1), [1, 0, 0, 1]),
        (TrafficLights, (12, 16, 20), (1, 0, 0), [1, 0, 0]),
        (LEDCharDisplay, SEGMENTS, "1", [0, 1, 1, 0, 0, 0, 0]),
    ],
)
def test_a_board_of_lamps_shows_what_it_is_told(
    chip: SimChip, factory: GpiodFactory, board: Any, lines: tuple[int, ...], value: object, levels: list[int]
) -> None:
    with board(*lines, pin_factory=factory) as lamps:
        lamps.value = value
        assert [chip.value(line) for line in lines] == levels
