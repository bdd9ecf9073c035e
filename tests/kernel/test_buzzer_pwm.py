"""The buzzer on the kernel's PWM, through its own sysfs: what the controller is told while tunes are played."""

import os
import time
from collections.abc import Iterator
from contextlib import closing
from itertools import pairwise
from pathlib import Path
from typing import NoReturn

import pytest

from firmware.output import sounds
from hardware.parts import Report
from hardware.parts.buzzer import Tone, Tune
from hardware.parts.buzzer.gpio import GpioBuzzer
from hardware.parts.buzzer.pwm import PwmTone, channels
from tests.simulators import pwm_sink
from tests.simulators.pwm_sink import DEVICE, NODE, OTHER, Setting, heard, settings
from tests.simulators.waiting import comes

PIN = 13
CHANNEL = {12: 0, 13: 1, 18: 0, 19: 1}
LONG_MS = 600_000  # longer than any test
OVER_S = 30.0  # far longer than a tune
TUNES = {name: tune for name, tune in vars(sounds).items() if name.isupper()}


@pytest.fixture(autouse=True)
def impatience(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lost lines are tried again soon."""
    monkeypatch.setattr("hardware.parts.gpio.reopening.RETRY_S", 0.05)


@pytest.fixture
def overlay() -> Iterator[None]:
    with pwm_sink.overlay(PIN):
        yield


def software() -> NoReturn:
    pytest.fail("a line with PWM was given to software")


def buzzer(report: Report, pin: int = PIN) -> GpioBuzzer:
    return GpioBuzzer(pin, software, report)


@pytest.fixture
def playing(overlay: None, report: Report) -> Iterator[GpioBuzzer]:
    with closing(buzzer(report)) as playing:
        yield playing


def play(playing: GpioBuzzer, tune: Tune) -> list[Setting]:
    """Play a tune to its end: all that the controller was told meanwhile."""
    before = len(settings())
    playing.play(tune)
    comes(lambda: len(heard(settings()[before:])) > len(tune) + 1, OVER_S)  # silence, its tones, silence
    return settings()[before:]


def periods(tune: Tune) -> list[int]:
    """The periods of a tune, ns; 0: silence."""
    return [round(1e9 / tone.hz) if tone.hz else 0 for tone in tune]


@pytest.mark.parametrize("pin", CHANNEL)
def test_each_line_has_its_channel(pin: int, report: Report, reports: list[tuple[str, str | None]]) -> None:
    with pwm_sink.overlay(pin), closing(buzzer(report, pin)) as playing:
        told = play(playing, (Tone(1000, 5),))
    assert ({now.channel for now in told}, reports) == ({CHANNEL[pin]}, [])


@pytest.mark.parametrize("tune", TUNES.values(), ids=TUNES)
def test_a_tune_is_its_periods_with_half_of_each_as_duty_and_then_silence(playing: GpioBuzzer, tune: Tune) -> None:
    assert [now.period_ns for now in heard(play(playing, tune))] == [0, *periods(tune), 0]


def test_nothing_of_a_tune_is_refused(playing: GpioBuzzer, reports: list[tuple[str, str | None]]) -> None:
    for hz in (7040, 110, 3000, 2999, 3001, 440):
        playing.play((Tone(hz, LONG_MS),))
    now = settings()[-1]
    assert (now.enabled, now.period_ns, now.duty_ns, reports) == (True, 2272727, 1136363, [])


def test_the_stamp_of_a_tune_is_taken_when_its_first_tone_was_on(playing: GpioBuzzer) -> None:
    before_ns = time.monotonic_ns()
    at_ns = playing.play((Tone(880, LONG_MS),))
    on_ns = next(now.at_ns for now in settings() if now.enabled)
    order = [before_ns, on_ns, at_ns, time.monotonic_ns()]
    assert order == sorted(order)


def test_tones_follow_each_other_in_time(playing: GpioBuzzer) -> None:
    told = play(playing, tuple(Tone(hz, 100) for hz in range(1000, 2000, 100)))
    began = [now.at_ns for now in heard(told) if now.period_ns]
    after_ns = [after - before for before, after in pairwise(began)]
    assert len(after_ns) == 9
    assert 100_000_000 <= min(after_ns) < 150_000_000  # of a busy machine each may be late, but not all


def test_once_closed_the_channel_is_silent_and_free(overlay: None, report: Report) -> None:
    with closing(buzzer(report)) as playing:
        playing.play((Tone(880, LONG_MS),))
    assert (settings()[-1].enabled, list(DEVICE.glob("pwm/pwmchip*/pwm*"))) == (False, [])


def test_a_killed_program_s_tone_ends_as_the_next_one_starts(overlay: None, report: Report) -> None:
    if (child := os.fork()) == 0:
        PwmTone(channels()[PIN]).sound(880)
        os._exit(0)
    os.waitpid(child, 0)
    before = settings()[-1].enabled
    buzzer(report).close()
    assert (before, settings()[-1].enabled) == (True, False)


def test_a_second_program_is_told_that_it_is_busy(
    playing: GpioBuzzer, report: Report, reports: list[tuple[str, str | None]]
) -> None:
    playing.play((Tone(880, LONG_MS),))
    buzzer(report).close()
    assert (reports, settings()[-1].enabled) == ([("buzzer", "buzzer lost: GPIO 13 is busy")], True)


def test_a_chip_that_goes_away_is_told_once_and_taken_back(
    playing: GpioBuzzer, reports: list[tuple[str, str | None]]
) -> None:
    pwm_sink.unbind()
    playing.play((Tone(880, LONG_MS),))
    playing.play((Tone(440, LONG_MS),))
    time.sleep(0.2)
    pwm_sink.bind()
    assert comes(lambda: len(reports) == 2)
    assert reports == [("buzzer", "buzzer lost: GPIO 13: its chip is gone"), ("buzzer", None)]
    assert (settings()[-1].enabled, settings()[-1].period_ns) == (True, 2272727)


def test_pwm_on_another_line_is_told(report: Report, reports: list[tuple[str, str | None]]) -> None:
    with pwm_sink.overlay(18):
        buzzer(report).close()
    text = "buzzer lost: GPIO 13: the kernel's PWM is on GPIO 18: luckypaw check tells more"
    assert reports == [("buzzer", text)]


def test_without_the_overlay_there_is_none() -> None:
    assert (channels(), DEVICE.exists(), OTHER.exists()) == ({}, False, True)


def test_the_board_s_other_pwm_is_never_touched(playing: GpioBuzzer) -> None:
    other, before = chips(OTHER), state(OTHER)
    play(playing, TUNES["GO"])
    assert (other, state(OTHER), {now.node for now in settings()}) == (["pwmchip0"], before, {NODE})


def chips(device: Path) -> list[str]:
    """The names of a controller's chips."""
    return [chip.name for chip in device.glob("pwm/pwmchip*")]


def state(device: Path) -> list[str]:
    """All files of a controller's chip: a channel that somebody exports adds some."""
    return sorted(f"{path}" for path in device.glob("pwm/**/*"))
