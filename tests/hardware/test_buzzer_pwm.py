"""A buzzer on the kernel's PWM: which channel is found, what it is told. Made-up files; a kernel: tests/kernel."""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from fcntl import LOCK_EX, flock
from pathlib import Path
from typing import Any

import pytest

from hardware.parts import Report
from hardware.parts.buzzer import Tone
from hardware.parts.buzzer.gpio import GpioBuzzer
from hardware.parts.buzzer.pwm import Channel, channels
from tests.hardware.reports import Reports
from tests.simulators.pwm_files import (
    PI_4,
    PI_4_SOUND,
    PI_5,
    PI_5_FAN,
    PI_5_OTHER,
    ZERO_2,
    Controller,
    overlay,
    put_channel,
    put_pwm,
    setting,
)
from tests.simulators.waiting import PATIENCE_S, comes

PIN = 13
LONG_MS = 600_000  # longer than any test
Start = Callable[..., GpioBuzzer]


@pytest.fixture
def start(tmp_path: Path, report: Report, factory: Any) -> Iterator[Start]:
    """Starts a buzzer on the files that are there; software has mock pins."""
    started: list[GpioBuzzer] = []

    def start(pin: int = PIN) -> GpioBuzzer:
        started.append(GpioBuzzer(pin, lambda: factory, report, tmp_path))
        return started[-1]

    yield start
    for buzzer in started:
        buzzer.close()


@pytest.mark.parametrize(
    ("controller", "pin", "number"),
    [
        *((board, pin, channel) for board in (ZERO_2, PI_4) for pin, channel in ((12, 0), (13, 1), (18, 0), (19, 1))),
        *((PI_5, pin, channel) for pin, channel in ((12, 0), (13, 1), (18, 2), (19, 3))),
    ],
)
def test_a_line_of_the_header_has_its_channel(tmp_path: Path, controller: Controller, pin: int, number: int) -> None:
    device = put_pwm(tmp_path, controller, overlay(pin))
    assert channels(tmp_path) == {pin: Channel(device, number)}


def test_the_chip_is_the_one_of_the_device_whatever_its_number(tmp_path: Path) -> None:
    put_pwm(tmp_path, PI_5_OTHER, {}, number=0)
    put_pwm(tmp_path, PI_5_FAN, {45: 4}, number=1)
    device = put_pwm(tmp_path, PI_5, overlay(PIN), number=6)
    found = channels(tmp_path)
    assert (list(found), found[PIN].chip) == ([PIN], device / "pwm/pwmchip6")


@pytest.mark.parametrize(
    ("controller", "pins"),
    [
        pytest.param(PI_5_FAN, {45: 4}, id="of a fan"),
        pytest.param(PI_4_SOUND, {40: 4, 41: 4}, id="of the board's sound"),
        pytest.param(PI_5, {}, id="without an overlay"),
        pytest.param(PI_5_OTHER, overlay(PIN), id="of another kind"),
        pytest.param(PI_4, {13: 2}, id="with a function that is no PWM"),
    ],
)
def test_a_controller_is_left_alone(tmp_path: Path, controller: Controller, pins: dict[int, int]) -> None:
    put_pwm(tmp_path, controller, pins)
    assert channels(tmp_path) == {}


def test_without_a_device_tree_there_is_none(tmp_path: Path) -> None:
    assert channels(tmp_path) == {}


@pytest.fixture
def channel(tmp_path: Path) -> Path:
    """The buzzer's channel, which has been exported."""
    return put_pwm(tmp_path, PI_4, overlay(PIN), exported=1) / "pwm/pwmchip0/pwm1"


def test_a_tone_has_half_its_period_of_duty(channel: Path, start: Start) -> None:
    buzzer = start()
    heard = []
    for hz in (880, 2000, 110, 7040):
        buzzer.play((Tone(hz, LONG_MS),))
        heard.append(setting(channel))
    assert heard == [(1, 1136364, 568182), (1, 500000, 250000), (1, 9090909, 4545454), (1, 142045, 71022)]


def test_silence_switches_the_channel_off(channel: Path, start: Start) -> None:
    buzzer = start()
    buzzer.play((Tone(880, 5), Tone(0, 5)))
    assert comes(lambda: setting(channel)[0] == 0)


def test_closing_silences_the_channel_and_gives_it_back(channel: Path, start: Start) -> None:
    buzzer = start()
    buzzer.play((Tone(880, LONG_MS),))
    buzzer.close()
    assert (setting(channel)[0], (channel.parent / "unexport").read_text()) == (0, "1")


def test_what_a_killed_program_has_left_sounding_is_silenced(channel: Path, start: Start) -> None:
    put_channel(channel, enable=1, period=1000, duty_cycle=500)
    start()
    assert (setting(channel)[0], (channel.parent / "export").read_text()) == (0, "")


def test_software_is_not_even_opened(channel: Path, report: Report, tmp_path: Path) -> None:
    opened: list[str] = []

    def software() -> Any:
        opened.append("software")

    with closing(GpioBuzzer(PIN, software, report, tmp_path)) as buzzer:
        buzzer.play((Tone(880, LONG_MS),))
    assert opened == []


def test_without_pwm_software_makes_the_tones(start: Start, factory: Any) -> None:
    start().play((Tone(880, LONG_MS),))
    assert factory.pin(PIN).frequency == 880


def test_pwm_on_another_line_is_told(tmp_path: Path, start: Start, reports: Reports) -> None:
    put_pwm(tmp_path, PI_4, overlay(18))
    start()
    text = "buzzer lost: GPIO 13: the kernel's PWM is on GPIO 18: luckypaw check tells more"
    assert reports == [("buzzer", text)]


def test_a_channel_that_another_program_has_is_busy(channel: Path, start: Start, reports: Reports) -> None:
    with (channel / "enable").open("rb") as other:
        flock(other, LOCK_EX)
        start()
    assert reports == [("buzzer", "buzzer lost: GPIO 13 is busy")]


def test_a_chip_that_is_not_there_yet_is_used_once_it_is(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, start: Start, reports: Reports
) -> None:
    monkeypatch.setattr("hardware.parts.gpio.reopening.RETRY_S", 0.02)
    chip = put_pwm(tmp_path, PI_4, overlay(PIN), number=None) / "pwm/pwmchip3"
    buzzer = start()
    buzzer.play((Tone(880, LONG_MS),))
    put_channel(chip / "pwm1")
    assert comes(lambda: len(reports) == 2)
    assert reports == [("buzzer", "buzzer lost: GPIO 13: its chip is gone"), ("buzzer", None)]
    assert setting(chip / "pwm1") == (1, 1136364, 568182)


def test_the_rights_on_a_channel_are_waited_for(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, start: Start, reports: Reports
) -> None:
    monkeypatch.setattr("hardware.parts.buzzer.pwm.RIGHTS_S", PATIENCE_S)
    chip = put_pwm(tmp_path, PI_4, overlay(PIN)) / "pwm/pwmchip0"

    def udev() -> None:
        assert comes(lambda: (chip / "export").read_text() == "1")
        (chip / "pwm1").mkdir()
        time.sleep(0.03)
        put_channel(chip / "pwm1")

    thread = threading.Thread(target=udev)
    thread.start()
    start().play((Tone(1000, LONG_MS),))
    thread.join()
    assert (setting(chip / "pwm1"), reports) == ((1, 1_000_000, 500_000), [])


def test_rights_that_never_come_are_waited_for_no_longer_than_that(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, start: Start, reports: Reports
) -> None:
    monkeypatch.setattr("hardware.parts.buzzer.pwm.RIGHTS_S", 0.02)
    put_pwm(tmp_path, PI_4, overlay(PIN))
    before = len(list(Path("/proc/self/fd").iterdir()))
    start()
    assert [part for part, _ in reports] == ["buzzer"]
    assert len(list(Path("/proc/self/fd").iterdir())) == before
