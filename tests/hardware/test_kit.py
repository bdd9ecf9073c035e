"""The parts of a table: real where the description names them, emulated where it says so; missing ones stop nothing."""

from contextlib import closing
from pathlib import Path
from types import NoneType

import pytest
from msgspec import Struct, structs

import hardware.parts.gpio
from hardware import config
from hardware.config import TABLE, ButtonDriver, ControlConfig, DisplayConfig
from hardware.kit import on_a_pi, open_emulated, open_real
from hardware.parts import Report
from hardware.parts.buttons.emulated import EmulatedButtons
from hardware.parts.buttons.gpio import GpioButtons
from hardware.parts.control.emulated import EmulatedControl
from hardware.parts.control.gpio import GpioArrows, GpioKnob
from hardware.parts.display.emulated import EmulatedDisplay
from hardware.parts.display.oled import OledDisplay
from hardware.parts.gpio import open_factory
from hardware.parts.strip.serial import SerialStrip
from tests.hardware.reports import Reports


@pytest.fixture(autouse=True)
def mock_pins(monkeypatch: pytest.MonkeyPatch) -> None:
    """The pins are gpiozero's mock ones."""
    monkeypatch.setattr(hardware.parts.gpio, "open_factory", lambda driver: open_factory("mock"))


EMULATED = DisplayConfig(driver="emulated")
THREE = ControlConfig("buttons", up=17, down=27, ok=24)
NOBODY = ButtonDriver("emulated")


@pytest.mark.parametrize(
    ("parts", "opens"),
    [
        ({}, (GpioButtons, GpioKnob, OledDisplay, SerialStrip)),
        ({"control": THREE}, (GpioButtons, GpioArrows, OledDisplay, SerialStrip)),
        ({"display": EMULATED, "strip": None}, (GpioButtons, GpioKnob, EmulatedDisplay, NoneType)),
        ({"buttons": NOBODY, "strip": None}, (EmulatedButtons, EmulatedControl, OledDisplay, NoneType)),
    ],
    ids=["Table", "three buttons", "emulated display", "emulated buttons"],
)
def test_the_described_parts_are_opened(parts: dict[str, object], opens: tuple[type, ...], report: Report) -> None:
    with closing(open_real(structs.replace(TABLE, **parts), report)) as kit:
        assert tuple(map(type, (kit.buttons, kit.control, kit.display, kit.strip))) == opens


@pytest.mark.parametrize(
    ("display", "place"),
    [(TABLE.display, "0x3c"), (DisplayConfig(bus="spi", port=0, dc=25, reset=26), "SPI 0.0")],
    ids=["I2C", "SPI"],
)
def test_a_missing_display_is_named_by_place(
    display: DisplayConfig, place: str, report: Report, reports: Reports
) -> None:
    open_real(structs.replace(TABLE, display=display, strip=None), report).close()
    assert [text for name, text in reports if name == "display" and text and place in text]


def test_a_display_on_i2c_gets_its_reset_on_the_kits_pins(monkeypatch: pytest.MonkeyPatch, report: Report) -> None:
    pins = open_factory("mock")
    monkeypatch.setattr(hardware.parts.gpio, "open_factory", lambda driver: pins)
    open_real(structs.replace(TABLE, display=DisplayConfig(reset=26), strip=None), report).close()
    assert 1 in [state.state for state in pins.outputs.pin(26).states]


def test_an_emulated_kit_has_what_the_description_has() -> None:
    kit = open_emulated(structs.replace(TABLE, buzzer=None, strip=None), lambda *_: None, threaded=False)
    kit.close()
    assert (kit.buzzer, kit.strip) == (None, None)


def test_a_description_never_changes() -> None:
    kinds = [kind for kind in vars(config).values() if isinstance(kind, type) and issubclass(kind, Struct)]
    assert all(kind.__struct_config__.frozen for kind in kinds if kind is not Struct)


CPU = "processor\t: 0\nBogoMIPS\t: 108.00\n\nRevision\t: d03114\nSerial\t\t: 1000\nModel\t\t: {model}\n"
MACHINES: dict[str, tuple[dict[str, str], bool]] = {
    "a Pi 5": ({"device-tree/model": "Raspberry Pi 5 Model B Rev 1.0\0"}, True),
    "a Pi whose boot loader leaves the device tree out": (
        {"cpuinfo": CPU.format(model="Raspberry Pi 4 Model B Rev 1.4")},
        True,
    ),
    "another board": ({"device-tree/model": "Radxa ROCK 5B\0", "cpuinfo": CPU.format(model="Radxa ROCK 5B")}, False),
    "a PC": ({"cpuinfo": "processor\t: 0\nvendor_id\t: GenuineIntel\nmodel name\t: Intel(R) Core(TM)\n"}, False),
    "no Linux": ({}, False),
}


@pytest.mark.parametrize(("files", "is_one"), MACHINES.values(), ids=MACHINES)
def test_a_pi_is_recognized_by_its_model(files: dict[str, str], is_one: bool, tmp_path: Path) -> None:
    for name, text in files.items():
        (tmp_path / "proc" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "proc" / name).write_text(text)
    assert on_a_pi(tmp_path) is is_one
