"""The pin factory without a chip: which chip it takes, and its errors where it cannot work."""

import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from gpiozero import PinUnknownPi

from hardware.parts import PartLost, Report
from hardware.parts.gpio import guarded, let_go, open_factory
from hardware.parts.gpio.chips import header_chip

# as kernels number them: a Zero 2 W, a Pi 4, a Pi 5 of 2023 and one of 2024
BOARDS = [
    ("Zero 2 W", 0, ["pinctrl-bcm2835", "raspberrypi-exp-gpio"]),
    ("4", 0, ["pinctrl-bcm2711", "raspberrypi-exp-gpio"]),
    ("5, once", 3, ["gpio-brcmstb@107d508500", "gpio-brcmstb@107d508520", "gpio-brcmstb@107d517c00", "pinctrl-rp1"]),
    ("5, now", 0, ["pinctrl-rp1", "gpio-brcmstb@107d508500", "gpio-brcmstb@107d508520"]),
    ("5, other spelling", 1, ["gpio-brcmstb@107d508500", "rp1-gpio"]),
]


def chips(labels: list[str]) -> dict[Path, str]:
    return {Path(f"/dev/gpiochip{n}"): label for n, label in enumerate(labels)}


@pytest.mark.parametrize(("board", "header", "labels"), BOARDS)
def test_the_header_s_chip_is_known_by_its_label(board: str, header: int, labels: list[str]) -> None:
    assert header_chip(chips(labels)) == Path(f"/dev/gpiochip{header}")


@pytest.mark.parametrize(
    ("labels", "found"),
    [
        (
            ["INT33FF:00", "Permission denied"],
            r"^no .*: /dev/gpiochip0 \(INT33FF:00\), /dev/gpiochip1 \(Permission denied\)$",
        ),
        ([], r"^no GPIO chip of a Raspberry Pi's header; found: none at all$"),
        (["pinctrl-rp1"] * 2, r"^more than one GPIO chip of a Raspberry Pi's header; found: .*rp1.*rp1"),
    ],
    ids=["others", "none", "two"],
)
def test_without_exactly_one_header_the_chips_that_there_are_are_named(labels: list[str], found: str) -> None:
    with pytest.raises(PinUnknownPi, match=found):
        header_chip(chips(labels))


def test_a_missing_gpiod_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "gpiod", None)
    for module in ("gpiod_factory", "gpiod_pin"):
        monkeypatch.delitem(sys.modules, f"hardware.parts.gpio.{module}", raising=False)
    with pytest.raises(PartLost, match=r"^gpio lost: .*gpiod.*: pip install luckypaw\[pi\]$"):
        open_factory("gpiod")


def test_a_handler_takes_the_stamp_in_ns_where_the_pin_has_it(report: Report) -> None:
    seen: list[int] = []
    edge_ns = 10_000_000_000_000_003  # 115 days after boot: a number of seconds cannot tell it from its neighbours
    pin: Any = SimpleNamespace(edge_ns=edge_ns)
    guarded(lambda at_ns, *_: seen.append(at_ns), pin, "button P1", report)(edge_ns / 1e9, 0)
    assert seen == [edge_ns]


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
