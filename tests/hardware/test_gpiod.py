"""What can be said of our pin factory without a chip: which chip it takes, what it says where it cannot work."""

import sys
from pathlib import Path
from typing import Any

import pytest
from gpiozero import PinUnknownPi

from hardware.gpio import guarded, let_go, open_factory
from hardware.gpio.chips import header_chip
from hardware.parts import PartLost, Report

# as kernels number them: a Zero 2 W, a Pi 4, a Pi 5 of 2023 and one of 2024
BOARDS = {
    "Zero 2 W": ["pinctrl-bcm2835", "raspberrypi-exp-gpio"],
    "4": ["pinctrl-bcm2711", "raspberrypi-exp-gpio"],
    "5, once": ["gpio-brcmstb@107d508500", "gpio-brcmstb@107d508520", "gpio-brcmstb@107d517c00", "pinctrl-rp1"],
    "5, now": ["pinctrl-rp1", "gpio-brcmstb@107d508500", "gpio-brcmstb@107d508520"],
    "5, other spelling": ["gpio-brcmstb@107d508500", "rp1-gpio"],
}
HEADER = {"Zero 2 W": 0, "4": 0, "5, once": 3, "5, now": 0, "5, other spelling": 1}


def chips(labels: list[str]) -> dict[Path, str]:
    return {Path(f"/dev/gpiochip{n}"): label for n, label in enumerate(labels)}


@pytest.mark.parametrize("board", BOARDS)
def test_the_header_s_chip_is_known_by_its_label(board: str) -> None:
    assert header_chip(chips(BOARDS[board])) == Path(f"/dev/gpiochip{HEADER[board]}")


def test_without_a_header_it_is_told_which_chips_there_are() -> None:
    with pytest.raises(PinUnknownPi) as told:
        header_chip(chips(["INT33FF:00", "Permission denied"]))
    assert str(told.value) == (
        "no GPIO chip of a Raspberry Pi's header; "
        "found: /dev/gpiochip0 (INT33FF:00), /dev/gpiochip1 (Permission denied)"
    )


def test_a_machine_without_gpio_is_told_so() -> None:
    with pytest.raises(PinUnknownPi, match=r"found: none at all$"):
        header_chip({})


def test_of_two_headers_none_is_taken() -> None:
    with pytest.raises(PinUnknownPi, match=r"^more than one GPIO chip of a Raspberry Pi's header; found: .*rp1.*rp1"):
        header_chip(chips(["pinctrl-rp1", "pinctrl-rp1"]))


def test_a_missing_gpiod_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "gpiod", None)
    for module in ("gpiod_factory", "gpiod_pin"):
        monkeypatch.delitem(sys.modules, f"hardware.gpio.{module}", raising=False)
    with pytest.raises(PartLost, match=r"^gpio lost: .*gpiod.*: pip install luckypaw\[pi\]$"):
        open_factory("gpiod")


class StampedPin:
    """A pin that knows the stamp of the edge it reports, in ns."""

    edge_ns = 10_000_000_000_000_003  # 115 days after boot: a number of seconds cannot tell it from its neighbours


def test_a_handler_takes_the_stamp_in_ns_where_the_pin_has_it(report: Report) -> None:
    seen: list[int] = []
    pin: Any = StampedPin()
    guarded(lambda at_ns, down: seen.append(at_ns), pin, "button P1", report)(pin.edge_ns / 1e9, 0)
    assert seen == [StampedPin.edge_ns]


class Reluctant:
    """A device whose line is busy for its first tries to close it."""

    def __init__(self, busy: int) -> None:
        self.busy, self.tries = busy, 0

    def close(self) -> None:
        self.tries += 1
        if self.tries <= self.busy:
            raise RuntimeError("GPIO busy")


@pytest.mark.parametrize(("busy", "tries"), [(0, 1), (2, 3), (99, 5)])
def test_a_device_is_let_go_once_its_line_is_no_longer_busy(busy: int, tries: int) -> None:
    device = Reluctant(busy)
    let_go(device)
    assert device.tries == tries
