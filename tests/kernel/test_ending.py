"""A command that is ended on real lines, in whichever way: silent, dark, and its lines are free."""

import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import gpiod
import pytest
from gpiod.line import Direction

from tests.kernel.test_calibrate import WIRE, wired
from tests.simulators import pwm_sink
from tests.simulators.program import game_begun, played_before
from tests.simulators.real_table import Glass
from tests.simulators.sim_chip import SimChip
from tests.simulators.terminal import WAYS, Terminal, Way
from tests.simulators.waiting import until

BUZZER, P1, LAMP, OK = 13, 5, 12, 24
KIT = f"""
buttons.driver = "gpiod"
display = {{ driver = "ssd1306" }}
buzzer.pin = {BUZZER}
control = {{ kind = "knob", a = 17, b = 27, push = {OK} }}
players = [{{ name = "P1", button = {P1}, lamp = {LAMP} }}, {{ name = "P3", button = 22 }}]
"""
# tones that last, so that each command is ended in the middle of one
PROGRAM = """
import sys
from firmware.__main__ import main
from hardware.parts.buzzer.gpio import GpioBuzzer
play = GpioBuzzer.play
GpioBuzzer.play = lambda buzzer, tune: play(buzzer, tuple(tone._replace(ms=600_000) for tone in tune if tone.hz))
main(sys.argv[1:])
"""


@pytest.fixture
def overlay() -> Iterator[None]:
    with pwm_sink.overlay(BUZZER):
        yield


def sounds() -> bool:
    """Whether the controller of the PWM makes a tone."""
    told = pwm_sink.settings()
    return bool(told) and told[-1].enabled


def playing(terminal: Terminal, chip: SimChip) -> None:
    """The game goes on, and somebody presses."""
    terminal.says("ready")
    until(sounds, lambda: "a press sounds", meanwhile=lambda: tapped(chip, OK, P1))


def tapped(chip: SimChip, *pins: int) -> None:
    """Press one after the other."""
    for pin, up in ((pin, up) for pin in pins for up in (False, True)):
        chip.pull(pin, up)
        time.sleep(0.1)


def guided(terminal: Terminal, chip: SimChip) -> None:
    """All is answered by no, up to the tones."""
    asked = 0
    while "? Buzzer" not in terminal.written:
        terminal.read()
        if terminal.written.count("\n? ") + terminal.written.startswith("? ") > asked:
            asked += 1
            terminal.type("n\n")
    until(sounds, lambda: "the tones begin", meanwhile=terminal.read)


def calibrating(terminal: Terminal, chip: SimChip) -> None:
    """In the middle of the pulses."""
    terminal.says("500 of")


# each command that has the parts; what is done until it is in the middle of something
COMMANDS = [
    pytest.param("play", playing, id="play"),
    pytest.param("check --guided", guided, id="check --guided"),
    pytest.param(f"calibrate --wire {WIRE}", calibrating, id="calibrate"),
]


def left(chip: SimChip) -> list[str]:
    """What is still on."""
    with gpiod.Chip(str(chip.path)) as opened:
        lines = [opened.get_line_info(pin) for pin in (P1, LAMP, 22, WIRE)]
    found = [f"line {line.offset}" for line in lines if line.used or line.direction != Direction.INPUT]
    glass = Glass()
    picture = glass.picture().getbbox()
    glass.close()
    return [*found, *(["picture"] if picture else []), *(["tone"] if sounds() else [])]


@pytest.mark.parametrize("way", WAYS.values(), ids=WAYS)
@pytest.mark.parametrize(("words", "up_to"), COMMANDS)
def test_nothing_stays_on(
    chip: SimChip, overlay: None, tmp_path: Path, words: str, up_to: Callable[[Terminal, SimChip], None], way: Way
) -> None:
    config = tmp_path / "kit.toml"
    config.write_text(KIT)
    state = played_before(tmp_path / "state")
    game_begun(state, players=("P1", "P3"))
    command = (sys.executable, "-c", PROGRAM, "--config", str(config), *words.split())
    with wired(chip, P1), Terminal(*command, STATE_DIRECTORY=str(state)) as terminal:
        up_to(terminal, chip)
        status = terminal.end(way.end)
    assert status == (way.done if words == "play" else way.broken_off)
    assert left(chip) == []
