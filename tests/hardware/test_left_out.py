"""What a kernel or a boot loader may leave out: what the check says of it, and what the kit knows otherwise.

That the kit plays without, on real lines: tests/kernel/test_left_out.py.
"""

import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import TypeAlias

import pytest
from gpiozero import PinUnknownPi
from msgspec import structs

from hardware.config import DisplayConfig
from hardware.parts.gpio import board
from hardware.parts.gpio.chips import header_chip
from tests.simulators.machine_for_doctor import CHIP, KIT, Patient

Without: TypeAlias = Callable[[Patient], object]

PAGE = Path(__file__).resolve().parents[2] / "docs/check.md"
CONFIG, NODE = "boot/firmware/config.txt", "sys/bus/gpio/devices/gpiochip0/of_node/compatible"


@pytest.fixture
def patient(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Patient:
    """A healthy kit on a Raspberry Pi that knows the day."""
    patient = Patient(tmp_path, monkeypatch, KIT)
    patient.file("proc/device-tree/model", "Raspberry Pi 4 Model B Rev 1.1\0")
    patient.file("run/systemd/timesync/synchronized")
    return patient


def moved(patient: Patient) -> None:
    patient.labels = {patient.file("dev/gpiochip0"): "gpio-brcmstb@107d508500"}
    patient.labels |= {patient.file("dev/gpiochip11"): "pinctrl-rp1"}


def unlabelled(patient: Patient) -> None:
    patient.labels = {patient.root / CHIP: "unknown"}


def known_by_its_node(patient: Patient) -> None:
    unlabelled(patient)
    patient.file(NODE, "brcm,bcm2711-gpio\0")


def no_bus(patient: Patient, config: str) -> None:
    (patient.root / "dev/i2c-1").unlink()
    patient.file(CONFIG, f"# dtparam=i2c_arm=on\n{config}\n")


def no_i2c(patient: Patient) -> None:
    no_bus(patient, "dtparam=i2c_arm=off")


def no_i2c_though_asked(patient: Patient) -> None:
    no_bus(patient, "dtparam=i2c_arm=on,i2c_arm_baudrate=400000")


def no_i2c_dev(patient: Patient) -> None:
    no_bus(patient, "dtparam=i2c_arm=on")
    patient.file("sys/bus/i2c/devices/i2c-1/name")


def no_spi(patient: Patient) -> None:
    patient.config = structs.replace(KIT, display=DisplayConfig(bus="spi", port=0, dc=25))
    (patient.root / "dev/spidev0.0").unlink()
    patient.file(CONFIG, "[all]\r\ndtparam=audio=on,spi=on\r\n")


def no_time(patient: Patient) -> None:
    (patient.root / "run/systemd/timesync/synchronized").unlink()


def no_chip(patient: Patient) -> None:
    patient.labels = {}


def no_watchdog(patient: Patient) -> None:
    shutil.rmtree(patient.root / "sys/class/watchdog")


def no_clock(patient: Patient) -> None:
    no_time(patient)
    patient.file(CONFIG, "dtoverlay=i2c-rtc,ds3231\n")


LEFT_OUT: dict[str, tuple[Without, str | None]] = {  # as the page calls it
    "the board's revision": (lambda patient: patient.file("proc/cpuinfo", "Revision\t: 0000\n"), None),
    "the GPIO chip's usual number": (moved, None),
    "the GPIO chip's label": (known_by_its_node, None),
    "its label and its node in the device tree": (unlabelled, "gpio-chip-renamed"),
    "the GPIO chip": (no_chip, "gpio-chip-missing"),
    "the display's bus": (no_i2c, "i2c-off"),
    "the same with a line in `config.txt`": (lambda patient: no_bus(patient, "dtparam=i2c_arm=on"), "overlay-missing"),
    "the same on SPI": (no_spi, "overlay-missing"),
    "the driver `i2c-dev`": (no_i2c_dev, "i2c-no-driver"),
    "the overlay `pwm`": (lambda patient: patient.file(CONFIG, "dtoverlay=pwm,pin=13,func=4\n"), "buzzer-by-software"),
    "a clock with a battery": (no_time, "clock-not-set"),
    "the overlay `i2c-rtc`": (no_clock, "clock-not-set"),
    "a hardware watchdog": (no_watchdog, "watchdog-missing"),
}


@pytest.mark.parametrize(("without", "code"), LEFT_OUT.values(), ids=LEFT_OUT)
def test_the_check_names_what_is_left_out_unless_the_kit_knows_it_otherwise(
    without: Without, code: str | None, patient: Patient
) -> None:
    without(patient)
    assert [found.code for found in patient.faults()] == ([code] if code else [])


def test_the_page_has_the_same_table() -> None:
    section = PAGE.read_text().split("## What a kernel or a boot loader leaves out")[1].split("\n## ")[0]
    rows = re.findall(r"^\| ([^|]+) \| [^|]+ \| (?:`([a-z0-9-]+)`|–) \|$", section, re.MULTILINE)
    assert {name: code or None for name, code in rows} == {name: code for name, (_, code) in LEFT_OUT.items()}


def test_the_clock_that_config_txt_asks_for_is_named(patient: Patient) -> None:
    no_clock(patient)
    (found,) = patient.faults()
    assert "the kernel has not got the clock of dtoverlay=i2c-rtc,ds3231" in found.text


def unreadable() -> int:
    raise PermissionError


def nowhere() -> int:
    raise PinUnknownPi("unable to locate Pi revision in /proc/device-tree or /proc/cpuinfo")


@pytest.mark.parametrize(
    ("revision", "model"),
    [
        pytest.param(lambda: 0xC03111, "4B", id="known"),
        pytest.param(lambda: 0, "Zero2W", id="0000"),
        pytest.param(nowhere, "Zero2W", id="left out"),
        pytest.param(unreadable, "Zero2W", id="unreadable"),
    ],
)
def test_a_board_that_is_not_known_has_the_header_of_all_boards(
    revision: Callable[[], int], model: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(board, "get_pi_revision", revision)
    found = board.board()
    assert (found.model, found.headers["J8"].pins[29].name) == (model, "GPIO5")


OTHERS = {Path("/dev/gpiochip0"): "gpio-brcmstb@107d508500", Path("/dev/gpiochip1"): "unknown"}


@pytest.mark.parametrize("compatible", ["brcm,bcm2711-gpio\0", "brcm,bcm2835-gpio\0", "raspberrypi,rp1-gpio\0"])
def test_a_chip_without_a_label_is_the_headers_by_its_node(compatible: str, tmp_path: Path) -> None:
    for name, text in {"gpiochip0": "brcm,brcmstb-gpio\0", "gpiochip1": f"vendor,other\0{compatible}"}.items():
        node = tmp_path / "sys/bus/gpio/devices" / name / "of_node"
        node.mkdir(parents=True)
        (node / "compatible").write_text(text)
    assert header_chip(OTHERS, tmp_path) == Path("/dev/gpiochip1")
