"""`luckypaw calibrate` on simulated lines: a second process plays the wire; a wire put wrong is refused."""

import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import TypeAlias

import gpiod
import pytest

from firmware.setup import certificate
from firmware.state_folder import CERTIFICATE
from hardware.parts.gpio.calibration import DOUBLES
from tests.simulators import program
from tests.simulators.program import Program
from tests.simulators.sim_chip import SimChip

Done: TypeAlias = "subprocess.CompletedProcess[str]"
Run: TypeAlias = Callable[[str], Done]

WIRE, P1, P3 = 25, 5, 22
DRIVERS = ("lgpio", "gpiod", "rpigpio")  # those that have lines to measure

# follows the level of one line with the pulls of others; `noise` moves them by itself, `fades` never lets them go up
# again, `held` keeps them down
WIRE_PROGRAM = """
import os, sys, time
lines, how, source, *targets = sys.argv[1:]
value = os.open(f"{lines}/sim_gpio{source}/value", os.O_RDONLY)
pulls = [os.open(f"{lines}/sim_gpio{target}/pull", os.O_WRONLY) for target in targets]
last = b"1"
os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))  # one CPU: a wire does not interrupt who writes to it
print("up", flush=True)
while True:
    time.sleep(0.0001)
    if how == "noise":
        level = b"0" if last == b"1" else b"1"
        time.sleep(0.05)
    elif how == "held":
        last, level = b"1", b"0"
    else:
        level = os.pread(value, 1, 0)
    if level == last:
        continue
    last = level
    for pull in pulls if level == b"0" or how != "fades" else ():
        os.pwrite(pull, b"pull-up" if level == b"1" else b"pull-down", 0)
"""


# a host that is shared interrupts far more writes than a Pi does; how many may be is tested on mock pins
PATIENT = """
import sys
from hardware.parts.gpio import calibration, open_factory
calibration.MAX_DROPPED_PERCENT = 100
"""
CALIBRATE = f"""{PATIENT}
from firmware.__main__ import main
main(sys.argv[1:])
"""
MEASURE = f"""{PATIENT}
factories = open_factory(sys.argv[1])
found = calibration.measure(factories, {WIRE}, "P1", {{"P1": {P1}}}, 200)
print(factories.source, len(found.latenesses_ns) + found.dropped, min(found.latenesses_ns) > 0)
"""

# no process that plays the wire, which would have to run between two moves: each write moves the line's pull by itself
AT_ONCE = """
import os
import sys
from gpiozero.pins.mock import MockFactory, MockPin
import hardware.parts.gpio
from firmware.__main__ import main
from hardware.parts.gpio import MOCK_REVISION, calibration
pull = os.open(sys.argv.pop(1), os.O_WRONLY)
class Pulling(MockPin):
    def _change_state(self, value):
        os.pwrite(pull, b"pull-up" if value else b"pull-down", 0)
        return super()._change_state(value)
real, outputs = hardware.parts.gpio.open_factory, MockFactory(revision=MOCK_REVISION, pin_class=Pulling)
hardware.parts.gpio.open_factory = lambda driver: real(driver)._replace(outputs=outputs)
calibration.MAX_DROPPED_PERCENT = calibration.MAX_LEFT_OUT_PERCENT = 100
main(sys.argv[1:])
"""


def wired(chip: SimChip, *lines: int, how: str = "wire") -> Program:
    """A process that plays a wire from the spare pin to these lines."""
    return Program("-c", WIRE_PROGRAM, f"/sys/bus/gpio/devices/{chip.path.name}", how, str(WIRE), *map(str, lines))


def described(folder: Path, driver: str) -> Path:
    """A description of a kit with two buttons."""
    config = folder / "kit.toml"
    config.write_text(
        f"""
        buttons.driver = "{driver}"
        control = {{ kind = "knob", a = 17, b = 27, push = 24 }}
        players = [{{ name = "P1", button = {P1} }}, {{ name = "P3", button = {P3} }}]
        """
    )
    return config


@pytest.fixture
def calibrate(tmp_path: Path) -> Run:
    """Runs the command as people do; the state folder is the test's own."""

    def calibrated(driver: str) -> Done:
        words = ("calibrate", "--config", described(tmp_path, driver), "--wire", str(WIRE))
        return program.run("-c", CALIBRATE, *words, STATE_DIRECTORY=str(tmp_path))

    return calibrated


def refusal(done: Done) -> str:
    """Why nothing was measured."""
    assert (done.returncode, done.stderr.count("\n")) == (1, 1)
    return done.stderr.removeprefix("luckypaw: ").rstrip()


@pytest.mark.parametrize("driver", DRIVERS)
def test_each_driver_is_measured_with_the_source_of_its_stamps(chip: SimChip, driver: str) -> None:
    with wired(chip, P1):
        done = program.run("-c", MEASURE, driver)
    source = "callback" if driver == "rpigpio" else "kernel"
    assert (done.stderr, done.stdout.split()) == ("", [source, "200", "True"])


def test_2000_pulses_make_a_certificate(chip: SimChip, calibrate: Run, tmp_path: Path) -> None:
    with wired(chip, P1):
        complaint, left = calibrate("gpiod").stderr, 4
        while complaint.startswith("luckypaw: too coarse") and left:  # a host that is shared may stall for 15 ms
            complaint, left = calibrate("gpiod").stderr, left - 1
        assert complaint == ""
    found = certificate.load(tmp_path)
    assert found is not None
    assert (found.driver, found.source, found.wire, found.line, found.pulses) == ("gpiod", "kernel", WIRE, P1, 2000)


def test_double_moves_come_into_the_certificate(chip: SimChip, tmp_path: Path) -> None:
    words = ("calibrate", "--config", described(tmp_path, "gpiod"), "--wire", str(WIRE))
    pull = f"/sys/bus/gpio/devices/{chip.path.name}/sim_gpio{P1}/pull"
    done = program.run("-c", AT_ONCE, pull, *words, STATE_DIRECTORY=str(tmp_path))
    found = certificate.load(tmp_path)
    assert found is not None, done.stderr
    rows = [line.split()[0] for line in done.stdout.splitlines() if line.startswith(("doubles", "early"))]
    assert (found.doubles > DOUBLES // 2, found.unshown, rows) == (True, 0, ["doubles", "early"])


NO_WIRE = "no wire: P1's line GPIO 5 does not follow GPIO 25 when that goes low"
WRONG_LINE = "wrong line: the wire goes to P3's line GPIO 22, not to P1's"
FLOATING = "floating: P1's line GPIO 5 changes while nothing is written"


@pytest.mark.parametrize(
    ("driver", "lines", "how", "said"),
    [
        *((driver, [], "wire", NO_WIRE) for driver in DRIVERS),
        *((driver, [P3], "wire", WRONG_LINE) for driver in DRIVERS),
        *((driver, [P1], "noise", FLOATING) for driver in DRIVERS),
        ("gpiod", [P1, P3], "wire", "the wire goes to P3's line GPIO 22 as well"),
        ("gpiod", [P1], "fades", "P1's line GPIO 5 goes low with GPIO 25, but not high again with it"),
        ("gpiod", [P1], "held", "P1's line GPIO 5 is low before anything is written: let the button go"),
    ],
)
def test_what_is_no_wire_to_that_line_is_refused(
    chip: SimChip, calibrate: Run, driver: str, lines: list[int], how: str, said: str
) -> None:
    with wired(chip, *lines, how=how):
        assert refusal(calibrate(driver)) == said


@pytest.mark.parametrize(("line", "lost"), [(P1, "line P1 lost: GPIO 5"), (WIRE, "wire lost: GPIO 25")])
def test_a_line_that_another_program_has_is_refused(chip: SimChip, calibrate: Run, line: int, lost: str) -> None:
    with gpiod.request_lines(str(chip.path), {line: None}):
        assert refusal(calibrate("gpiod")) == f"{lost} is busy: end the program that has it, such as the kit"


def test_a_refusal_leaves_an_older_certificate_alone(chip: SimChip, calibrate: Run, tmp_path: Path) -> None:
    (tmp_path / CERTIFICATE).write_text("from last year")
    assert refusal(calibrate("gpiod")).startswith("no wire")
    assert (tmp_path / CERTIFICATE).read_text() == "from last year"
