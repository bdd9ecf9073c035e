"""A kit whose GPIO chip is not there when it starts: it starts all the same, and plays once the chip is there."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from gpiozero import PinUnknownPi
from msgspec import structs

import hardware.parts.gpio
from hardware.config import TABLE, DisplayConfig
from hardware.kit import Kit, open_real
from hardware.parts import PartLost, Report
from hardware.parts.buttons import Edge
from hardware.parts.buzzer import Tone
from hardware.parts.gpio import Driver, Factories, late, open_factory
from tests.hardware.reports import Reports
from tests.simulators.waiting import comes

MS = 1_000_000
CONFIG = structs.replace(TABLE, display=DisplayConfig(driver="emulated"), strip=None)
MISSING = "gpio lost: no GPIO chip of a Raspberry Pi's header; found: none at all: this needs a Raspberry Pi"
LATER = [
    *(f"knob {contact}" for contact in ("a", "b", "ok")),
    *(f"button P{n}" for n in range(1, 5)),
    *(f"lamp P{n}" for n in range(1, 5)),
    "buzzer",
]


class Machine:
    """A machine whose chip can be put in."""

    def __init__(self) -> None:
        self.chip: Factories | None = None
        self.opened = 0

    def open_factory(self, driver: Driver) -> Factories:
        if self.chip is None:
            raise PartLost("gpio", MISSING)
        self.opened += 1
        return self.chip


@pytest.fixture
def machine(monkeypatch: pytest.MonkeyPatch) -> Machine:
    machine = Machine()
    monkeypatch.setattr(hardware.parts.gpio, "open_factory", machine.open_factory)
    monkeypatch.setattr("hardware.parts.gpio.reopening.RETRY_S", 0.02)
    return machine


@pytest.fixture
def kit(machine: Machine, report: Report) -> Iterator[Kit]:
    kit = open_real(CONFIG, report)
    yield kit
    kit.close()


@pytest.fixture
def pins(machine: Machine, kit: Kit, reports: Reports) -> Any:
    """The chip is put in, and everything that was lost is back."""
    machine.chip = open_factory("mock")
    assert comes(lambda: [part for part, text in reports if text is None] == LATER)
    return machine.chip.inputs


def test_each_part_is_reported_with_its_pin_and_the_reason(kit: Kit, reports: Reports) -> None:
    assert ([part for part, _ in reports], reports[3][1]) == (
        LATER,
        "button P1 lost: GPIO 5: " + MISSING.removeprefix("gpio lost: "),
    )


def test_every_part_plays_once_the_chip_is_there_which_is_opened_once(
    machine: Machine, kit: Kit, pins: Any, set_time: Callable[[int], None]
) -> None:
    edges: list[Edge] = []
    kit.buttons.listen(edges.append)
    set_time(4 * MS)
    pins.pin(TABLE.players[0].button).drive_low()
    kit.lamps.show(frozenset({"P1"}))
    assert kit.buzzer is not None
    kit.buzzer.play((Tone(880, 600_000),))
    assert edges == [Edge("P1", True, 4 * MS, "kernel")]
    assert (pins.pin(TABLE.players[0].lamp).state, set(kit.lamps.names)) == (True, {"P1", "P2", "P3", "P4"})
    assert (pins.pin(13).frequency, machine.opened) == (880, 1)


def test_a_missing_library_is_reported_at_once(monkeypatch: pytest.MonkeyPatch, report: Report) -> None:
    def no_library(driver: Driver) -> Factories:
        raise PartLost("gpio", "gpio lost: No module named 'gpiod': pip install luckypaw[pi]") from ImportError()

    monkeypatch.setattr(hardware.parts.gpio, "open_factory", no_library)
    with pytest.raises(PartLost, match="pip install"):
        open_real(CONFIG, report)


def test_the_chip_that_came_later_is_asked_whether_it_is_at_work(machine: Machine, kit: Kit, reports: Reports) -> None:
    before = kit.alive()
    machine.chip = open_factory("mock")._replace(alive=lambda: False)
    assert comes(lambda: ("button P1", None) in reports)
    assert (before, kit.alive()) == (True, False)


NO_CHIP, NO_RIGHTS, NO_PINS = PinUnknownPi("none at all"), PermissionError(), RuntimeError("GPIO busy")
AT_BOOT: dict[str, tuple[list[Exception], float, int]] = {  # what comes before the chip, the wait in s, tries at once
    "it comes": ([NO_CHIP, NO_CHIP], 60, 3),
    "it comes, and the rights on it later": ([NO_CHIP, NO_RIGHTS], 60, 3),
    "it does not come": ([NO_CHIP] * 9, 0, 1),
    "it is there, and the rights on it later": ([NO_RIGHTS] * 2, 60, 3),
    "the rights on it do not come": ([NO_RIGHTS] * 9, 0, 1),
    "it is there, in use": ([NO_PINS] * 9, 60, 1),
}


@pytest.mark.parametrize(("before", "wait_s", "tries"), AT_BOOT.values(), ids=AT_BOOT)
def test_only_a_chip_that_may_still_come_is_waited_for(
    before: list[Exception], wait_s: float, tries: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls: list[Driver] = []

    def opened(driver: Driver) -> Factories:
        calls.append(driver)
        if len(calls) <= len(before):
            raise PartLost("gpio", MISSING) from before[len(calls) - 1]
        return open_factory("mock")

    monkeypatch.setattr(hardware.parts.gpio, "open_factory", opened)
    monkeypatch.setattr(late, "CHIP_S", wait_s)
    monkeypatch.setattr(late, "POLL_S", 0)
    late.open_late("gpiod")
    assert len(calls) == tries
