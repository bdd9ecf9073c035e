"""The doctor names each fault and where it is, and finds none where there is none."""

import errno
import os
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from datetime import UTC, datetime
from fcntl import LOCK_EX, flock
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any, NamedTuple
from unittest.mock import patch

import pytest
from msgspec import structs

from hardware.config import ButtonDriver, DisplayConfig, PanelConfig, StripConfig
from hardware.doctor import machine
from hardware.doctor.findings import FAULTS, Finding
from hardware.doctor.holders import holders, listener
from hardware.doctor.libraries import Library, installed, number
from hardware.doctor.lines import Kind, Look, kind, part_of, real_lines
from hardware.parts.control.clicks import ClicksATurn
from hardware.parts.strip import serial, talk
from tests.hardware.test_left_out import LEFT_OUT
from tests.simulators.controller import micropython_controller
from tests.simulators.machine_for_doctor import KIT, Patient, locked, other_device, random_kit, with_clicks
from tests.simulators.own_controller import OwnController
from tests.simulators.plugged_wled import PluggedWled
from tests.simulators.pwm_files import PI_4, overlay, put_pwm

HEALTHY = 50
BUSY, LOW = Look(holder="'fan control'"), Look(up=False)


@pytest.fixture
def patient(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Patient:
    """A healthy kit without a strip."""
    return Patient(tmp_path, monkeypatch, KIT)


@pytest.fixture(scope="module")
def wled(tmp_path_factory: pytest.TempPathFactory) -> Iterator[PluggedWled]:
    """A strip that is plugged in."""
    controller = PluggedWled(tmp_path_factory.mktemp("wled"), 60)
    controller.plug()
    yield controller
    controller.unplug()


@pytest.mark.parametrize("seed", range(HEALTHY))
def test_a_healthy_kit_gives_no_alarm(seed: int, patient: Patient, wled: PluggedWled) -> None:
    patient.config = random_kit(Random(seed), strip=str(wled.port) if seed % 10 == 0 else None)
    assert patient.faults() == []


def test_every_line_of_a_healthy_kit_is_reported(patient: Patient) -> None:
    told = [(found.part, found.place) for found in patient.findings() if found.place.startswith("GPIO")]
    buttons = [("button P1", "GPIO 5"), ("button P2", "GPIO 6"), ("button P3", "GPIO 22")]
    knob = [("knob A", "GPIO 17"), ("knob B", "GPIO 27"), ("knob push", "GPIO 24")]
    lamps = [("lamp P1", "GPIO 12"), ("lamp P2", "GPIO 16"), ("lamp P3", "GPIO 20")]
    assert told == [*buttons, *knob, *lamps, ("buzzer", "GPIO 13")]


def test_a_line_with_pwm_is_not_requested_and_needs_no_library(patient: Patient) -> None:
    ail(patient, ExitStack(), {"pwm": (13, 1), "looks": {13: Look(down=True)}, "versions": {"lgpio": None}})
    found = [found for found in patient.findings() if found.part == "buzzer"]
    assert found == [Finding("fine", "buzzer", "GPIO 13", "all right")]


def test_emulated_parts_are_left_alone(patient: Patient) -> None:
    patient.config = structs.replace(KIT, buttons=ButtonDriver("emulated"), display=DisplayConfig("emulated"))
    patient.config = structs.replace(patient.config, panel=PanelConfig(port=0))
    patient.labels = {}
    assert [found.part for found in patient.findings()] == ["board", "power", "clock", "storage", "page"]


@pytest.mark.parametrize("emulated", [{}, {"buttons": ButtonDriver("emulated"), "panel": PanelConfig(port=0)}])
def test_a_display_that_answers_only_after_a_reset_is_given_one(emulated: dict[str, Any], patient: Patient) -> None:
    patient.config = structs.replace(KIT, display=WITH_RESET, **emulated)
    patient.bus.answers, patient.reset = {}, 26
    assert Finding("fine", "display", "0x3c on I2C bus 1", "all right, it answers") in patient.findings()
    assert patient.faults() == []


@pytest.mark.parametrize(("clicks", "closed"), [(2, {17: LOW, 27: LOW}), (4, {17: LOW}), (4, {17: LOW, 27: LOW})])
def test_a_knob_is_healthy_wherever_it_may_rest(clicks: ClicksATurn, closed: dict[int, Look], patient: Patient) -> None:
    patient.config, patient.looks = with_clicks(clicks), closed
    assert patient.faults() == []


def test_a_lamp_behind_a_transistor_reads_low_and_is_healthy(patient: Patient) -> None:
    patient.looks[12] = Look(up=False)
    assert patient.faults() == []


def test_a_strip_that_answers_is_reported_with_its_lamps(patient: Patient, tmp_path: Path) -> None:
    with micropython_controller(tmp_path, 24) as (port, _):
        patient.config = structs.replace(KIT, strip=StripConfig(port=port, leds=24))
        assert patient.findings()[-1] == Finding("fine", "strip", port, "all right, 24 lamps")


def test_more_lamps_than_described_are_said(patient: Patient, tmp_path: Path) -> None:
    with micropython_controller(tmp_path, 60) as (port, _):
        patient.config = structs.replace(KIT, strip=StripConfig(port=port, leds=24))
        assert patient.findings()[-1].text == "all right, 60 lamps; the kit's description has 24"


def test_of_several_ports_the_one_with_a_strip_counts(patient: Patient, tmp_path: Path) -> None:
    with micropython_controller(tmp_path, 24) as (port, _):
        patient.config = structs.replace(KIT, strip=StripConfig(leds=24))
        patient.plugged = (str(tmp_path / "modem"), port)
        assert patient.faults() == []


class Case(NamedTuple):
    """The finding, and what makes a healthy patient so sick."""

    code: str
    part: str
    place: str
    ails: dict[str, Any]


def ail(patient: Patient, stack: ExitStack, ails: dict[str, Any]) -> None:
    """Make a patient sick; places are relative to its root. `says`, `unasked`: of a device on the strip's port."""
    root = patient.root
    for what, how in ails.items():
        match what:
            case "looks" | "versions" as parts:
                getattr(patient, parts).update(how)
            case "files":
                for name, text in how.items():
                    patient.file(name).write_bytes(text if isinstance(text, bytes) else text.encode())
            case "closed":
                patient.closed.add(root / how)
            case "chips":  # one without a label cannot be opened
                patient.labels = {root / name: label for name, label in how.items()}
                patient.closed |= {root / name for name, label in how.items() if label == "Permission denied"}
            case "bus":
                patient.bus.answers, patient.bus.refuses = how
            case "does":
                how(patient, stack)
            case "state":
                patient.state = root / how
            case "pwm":  # the line that has it, and the channel of its chip, if there is one
                pin, exported = how
                put_pwm(root, PI_4, overlay(pin), number=exported and 0, exported=exported)
            case "held":
                holding(stack, root / "port")
            case "display" | "panel":
                patient.config = structs.replace(patient.config, **{what: how})
            case "clicks":
                patient.config = with_clicks(how)
            case "strip":
                patient.config = structs.replace(KIT, strip=StripConfig(port=how and str(root / how)))
            case "says" | "unasked":
                if what == "unasked":  # it may begin late on a busy machine
                    stack.enter_context(patch.object(talk, "QUIET_S", talk.TALK_S))
                device = other_device(root, ails.get("says", silent), unasked=ails.get("unasked", b""))
                patient.config = structs.replace(KIT, strip=StripConfig(port=str(stack.enter_context(device))))
            case _:
                setattr(patient, what, how)


def silent(data: bytes) -> bytes:
    return b""


def running(patient: Patient, _: ExitStack) -> None:
    patient.process(812, "luckypaw", "/opt/luckypaw/bin/python", "/opt/luckypaw/bin/luckypaw", "play")
    patient.file("proc/locks", locked(patient.root / "dev", 812))


def short_strip(patient: Patient, stack: ExitStack) -> None:
    plug(PluggedWled(patient.root, 3), patient, stack)


def other_wled(**otherwise: Any) -> Callable[[Patient, ExitStack], None]:
    """A WLED that is not as the kit wants it."""

    def plugged(patient: Patient, stack: ExitStack) -> None:
        made = PluggedWled(patient.root, 60)
        for name, value in otherwise.items():
            setattr(made.wled, name, value)
        plug(made, patient, stack)

    return plugged


def next_program(data: bytes) -> bytes:
    """The answers of a controller of our own that a newer kit has flashed."""
    newer = OwnController(60, version="2")
    return newer.hear(0.0, data.lstrip(b"\n"))


def plug(wled: PluggedWled, patient: Patient, stack: ExitStack) -> None:
    wled.plug()
    stack.callback(wled.unplug)
    patient.config = structs.replace(KIT, strip=StripConfig(port=str(wled.port), leds=60))


def held_channel(patient: Patient, stack: ExitStack) -> None:
    other = stack.enter_context((patient.root / CHANNEL / "enable").open("rb"))
    flock(other, LOCK_EX)


class Plugged(NamedTuple):
    """A USB device."""

    vendor: str
    product: str
    name: str

    @property
    def called(self) -> str:
        return f"{self.vendor}:{self.product} {self.name}".strip()


CH340, PL2303 = Plugged("1a86", "7523", "USB Serial"), Plugged("067b", "23a3", "USB-Serial Controller")
BOOTSEL, MOUSE = Plugged("2e8a", "0003", "RP2 Boot"), Plugged("046d", "c077", "USB Optical Mouse")


def usb(device: Plugged) -> dict[str, str]:
    """The kernel's files of a device, without a serial port."""
    values = zip(("idVendor", "idProduct", "product", "busnum", "devnum"), (*device, "1", "4"), strict=True)
    return {f"sys/bus/usb/devices/1-1.2/{name}": f"{value}\n" for name, value in values}


def braille(patient: Patient, _: ExitStack) -> None:
    patient.process(640, "brltty", "/sbin/brltty", opens="/dev/bus/usb/001/004")


def hidden_braille(patient: Patient, _: ExitStack) -> None:
    """As anybody but root sees it."""
    patient.process(640, "brltty", "/sbin/brltty")


def closed_channel(patient: Patient, stack: ExitStack) -> None:
    opened = os.open

    def refuse(path: str | Path, *options: int) -> int:
        if CHANNEL in str(path):
            raise PermissionError(errno.EACCES, "Permission denied")
        return opened(path, *options)

    patch = stack.enter_context(pytest.MonkeyPatch.context())
    patch.setattr("hardware.parts.buzzer.pwm.RIGHTS_S", 0)
    patch.setattr(os, "open", refuse)


def taken(patient: Patient, stack: ExitStack) -> None:
    other = stack.enter_context(socket.create_server(("127.0.0.1", 0)))
    patient.config = structs.replace(KIT, panel=PanelConfig(port=other.getsockname()[1]))


THROTTLED_5 = "sys/devices/platform/soc@107c000000/soc@107c000000:firmware/get_throttled"
THROTTLED = "sys/devices/platform/soc/soc:firmware/get_throttled"
VOLTAGE, CLOCK = "sys/class/hwmon/hwmon1", "sys/class/i2c-adapter/i2c-1/of_node/clock-frequency"
ACM, RP1, CHIP, CHIP_4, I2C, OLED = (
    "dev/ttyACM0",
    "pinctrl-rp1",
    "dev/gpiochip0",
    "dev/gpiochip4",
    "I2C bus 1",
    "0x3c on I2C bus 1",
)
CHANNEL = "sys/devices/platform/soc/fe20c000.pwm/pwm/pwmchip0/pwm1"
JACK = " 0 [Headphones     ]: bcm2835_headpho - bcm2835 Headphones\n                      bcm2835 Headphones\n"
ON_SPI, WITH_RESET = DisplayConfig(bus="spi", port=0, dc=25), DisplayConfig("ssd1306", reset=26)
NOISE = Random(1)

FAULTY = [
    Case("line-busy", "button P3", "GPIO 22", {"looks": {22: BUSY}}),
    Case("line-busy", "lamp P1", "GPIO 12", {"looks": {12: BUSY}}),
    Case("line-busy", "knob A", "GPIO 17", {"looks": {17: BUSY}}),
    Case("line-busy", "display reset", "GPIO 26", {"display": structs.replace(ON_SPI, reset=26), "looks": {26: BUSY}}),
    Case("line-busy", "display reset", "GPIO 26", {"display": WITH_RESET, "looks": {26: BUSY}}),
    Case("line-lost", "button P2", "GPIO 6", {"looks": {6: Look(trouble="No such device")}}),
    Case("button-held", "button P1", "GPIO 5", {"looks": {5: LOW}}),
    Case("button-held", "knob push", "GPIO 24", {"looks": {24: LOW}}),
    Case("contact-closed", "knob B", "GPIO 27", {"looks": {27: LOW}}),
    Case("contact-closed", "knob B", "GPIO 27", {"clicks": 2, "looks": {27: LOW}}),
    Case("knob-both-closed", "knob", "GPIO 17, GPIO 27", {"looks": {17: LOW, 27: LOW}}),
    Case("line-restless", "button P3", "GPIO 22", {"looks": {22: Look(edges=14)}}),
    Case("line-held-high", "lamp P2", "GPIO 16", {"looks": {16: Look(down=True)}}),
    Case("line-held-high", "buzzer", "GPIO 13", {"looks": {13: Look(down=True)}}),
    Case("line-held-low", "lamp P1", "GPIO 12", {"looks": {12: Look(up=False, driven=False)}}),
    Case("kernel-old", "board", "Linux 5.4.51-v7l+", {"files": {"proc/sys/kernel/osrelease": "5.4.51-v7l+"}}),
    Case("under-voltage", "power", "5 V", {"files": {THROTTLED: "50005"}}),
    Case("under-voltage", "power", "5 V", {"files": {THROTTLED: "50000"}}),
    Case("under-voltage", "power", "5 V", {"files": {THROTTLED: "", THROTTLED_5: "50000"}}),
    Case(
        "under-voltage", "power", "5 V", {"files": {f"{VOLTAGE}/name": "rpi_volt", f"{VOLTAGE}/in0_lcrit_alarm": "1"}}
    ),
    Case(
        "storage-in-memory",
        "storage",
        "{root}/data",
        {"state": "data", "files": {"proc/self/mountinfo": "25 1 0:2 / / rw - tmpfs tmpfs rw\n"}},
    ),
    Case("clock-not-set", "clock", "1970-01-01", {"now": datetime(1970, 1, 1, tzinfo=UTC)}),
    Case("clock-not-set", "clock", "2027-01-02", {"files": {"proc/device-tree/model": "Raspberry Pi 4"}}),
    Case("library-missing", "library gpiod", "2.2 or newer", {"versions": {"gpiod": None}}),
    Case("library-old", "library gpiozero", "1.6.2", {"versions": {"gpiozero": "1.6.2"}}),
    Case("buzzer-no-pwm", "buzzer", "GPIO 13", {"versions": {"lgpio": None}}),
    Case("buzzer-other-line", "buzzer", "GPIO 13", {"pwm": (18, 1)}),
    Case("buzzer-no-chip", "buzzer", "GPIO 13", {"pwm": (13, None)}),
    Case("buzzer-no-rights", "buzzer", "GPIO 13", {"pwm": (13, 1), "does": closed_channel}),
    Case("line-busy", "buzzer", "GPIO 13", {"pwm": (13, 1), "does": held_channel}),
    Case("buzzer-and-sound", "buzzer", "GPIO 13", {"pwm": (13, 1), "files": {"proc/asound/cards": JACK}}),
    Case("gpio-chip-missing", "pins", "/dev/gpiochip*", {"chips": {}}),
    Case("gpio-chip-renamed", "pins", "{root}/dev/gpiochip0", {"chips": {CHIP: "brcmvirt-gpio"}}),
    Case("gpio-chip-twice", "pins", "{root}/dev/gpiochip0, {root}/dev/gpiochip4", {"chips": {CHIP: RP1, CHIP_4: RP1}}),
    Case("gpio-no-rights", "pins", "{root}/dev/gpiochip0", {"chips": {CHIP: "Permission denied"}}),
    Case("i2c-stuck", "display", I2C, {"bus": ({}, errno.ETIMEDOUT)}),
    Case("i2c-stuck", "display", I2C, {"bus": (dict.fromkeys(range(0x80), 0), errno.EREMOTEIO)}),
    Case("i2c-slow", "display", I2C, {"files": {CLOCK: (100_000).to_bytes(4)}}),
    Case("i2c-no-rights", "display", "/dev/i2c-1", {"closed": "dev/i2c-1"}),
    Case("display-missing", "display", OLED, {"bus": ({}, errno.EREMOTEIO)}),
    Case("display-missing", "display", OLED, {"bus": ({}, errno.EREMOTEIO), "reset": 26}),  # a reset not described
    Case("display-elsewhere", "display", OLED, {"bus": ({0x3D: 0x40, 0x68: 0}, errno.EREMOTEIO)}),
    Case("display-claimed", "display", OLED, {"bus": ({}, errno.EBUSY)}),
    Case("display-lost", "display", OLED, {"bus": ({}, errno.EPROTO)}),
    Case("display-other-chip", "display", OLED, {"bus": ({0x3C: 0x48}, errno.EREMOTEIO)}),
    Case("spi-off", "display", "SPI 1.0", {"display": structs.replace(ON_SPI, port=1)}),
    Case("spi-no-rights", "display", "/dev/spidev0.0", {"display": ON_SPI, "closed": "dev/spidev0.0"}),
    Case("strip-silent", "strip", "{root}/port", {"says": silent}),
    Case(
        "strip-foreign", "strip", "{root}/port", {"says": lambda data: b"ERROR: no such command\r\n" if data else b""}
    ),
    Case("strip-babbles", "strip", "{root}/port", {"unasked": b"$GPGGA,182010.00,4717.11\r\n"}),
    Case("strip-garbage", "strip", "{root}/port", {"says": lambda data: NOISE.randbytes(len(data))}),
    Case("strip-garbage", "strip", "{root}/port", {"unasked": Random(1).randbytes(40)}),
    Case("strip-busy", "strip", "{root}/port", {"says": silent, "held": True}),
    Case("strip-not-found", "strip", "USB", {"strip": None}),
    Case("strip-not-found", "strip", "USB", {"strip": None, "files": usb(MOUSE)}),
    Case("strip-no-program", "strip", "USB", {"strip": None, "files": usb(BOOTSEL)}),
    Case("strip-no-driver", "strip", f"USB {PL2303.called}", {"strip": None, "files": usb(PL2303)}),
    Case("strip-taken", "strip", f"USB {CH340.called}", {"strip": None, "files": usb(CH340), "does": braille}),
    Case("strip-taken", "strip", f"USB {CH340.called}", {"strip": None, "files": usb(CH340), "does": hidden_braille}),
    Case("strip-segment", "strip", "{root}/luckypaw-strip", {"does": other_wled(segments=[{"stop": 30, "grp": 2}])}),
    Case("strip-held", "strip", "{root}/luckypaw-strip", {"does": other_wled(live="E1.31")}),
    Case("strip-short", "strip", "{root}/luckypaw-strip", {"does": lambda *at: plug(PluggedWled(at[0].root, 30), *at)}),
    Case("strip-limited", "strip", "{root}/luckypaw-strip", {"does": other_wled(limit_ma=150)}),
    Case("strip-too-old", "strip", "{root}/luckypaw-strip", {"does": other_wled(build="2107100")}),
    Case("strip-no-version", "strip", "{root}/luckypaw-strip", {"does": other_wled(build="")}),
    Case("strip-other-version", "strip", "{root}/port", {"says": next_program}),
    Case("strip-no-port", "strip", "{root}/nothing", {"strip": "nothing"}),
    Case("strip-lost", "strip", "{root}/dev/console", {"files": {"dev/console": ""}, "strip": "dev/console"}),
    Case("strip-no-rights", "strip", f"{{root}}/{ACM}", {"files": {ACM: ""}, "strip": ACM, "closed": ACM}),
    Case("strip-unfit", "strip", "{root}/luckypaw-strip", {"does": short_strip}),
    Case("panel-taken", "page", "127.0.0.1:{port}", {"does": taken}),
    Case("panel-refused", "page", "192.0.2.1:8642", {"panel": PanelConfig(host="192.0.2.1")}),
    Case("storage-lost", "storage", f"{{root}}/{THROTTLED}", {"state": THROTTLED}),  # no folder
    Case("kit-running", "kit", "process 812", {"does": running}),
    Case("i2c-off", "display", I2C, {"does": lambda at, _: (at.root / "dev/i2c-1").rename(at.root / "dev/i2c-20")}),
]


LISTENER = """
import socket, time
port = socket.create_server(("127.0.0.1", 0))
print(port.getsockname()[1], flush=True)
time.sleep(3600)
"""
HOLDER = """
import sys, time, serial
port = serial.Serial(sys.argv[1], exclusive=True)
print(flush=True)
time.sleep(3600)
"""


def holding(stack: ExitStack, port: Path) -> int:
    """The number of a process that has a serial port."""
    command = [sys.executable, "-c", HOLDER, str(port)]
    holder = stack.enter_context(subprocess.Popen(command, stdout=subprocess.PIPE))
    stack.callback(holder.kill)
    assert holder.stdout is not None
    holder.stdout.readline()
    return holder.pid


STORAGE = {
    "storage-full": OSError(errno.ENOSPC, ""),
    "storage-read-only": OSError(errno.EROFS, ""),
    "storage-no-rights": OSError(errno.EACCES, ""),
}


@pytest.fixture
def stack() -> Iterator[ExitStack]:
    """Resources that a fault holds until the test ends."""
    with ExitStack() as stack:
        yield stack


@pytest.mark.parametrize("case", FAULTY, ids=[case.code for case in FAULTY])
def test_a_fault_is_named_with_its_place_and_nothing_else_is(case: Case, patient: Patient, stack: ExitStack) -> None:
    ail(patient, stack, case.ails)
    port = patient.config.panel.port if patient.config.panel else 0
    found = [(found.code, found.part, found.place) for found in patient.faults()]
    assert found == [(case.code, case.part, case.place.format(root=patient.root, port=port))]


@pytest.mark.parametrize("code", STORAGE)
def test_why_nothing_can_be_written_is_named(code: str, tmp_path: Path) -> None:
    found = machine.storage_fault(tmp_path, STORAGE[code], 0)
    assert (found.code, found.place) == (code, str(tmp_path))


def test_a_card_with_little_room_is_full(tmp_path: Path) -> None:
    assert machine.storage_fault(tmp_path, None, 15_999_999).code == "storage-full"


SICK: dict[Kind, dict[str, Look]] = {
    "button": {"button-held": Look(up=False), "line-restless": Look(edges=14), "line-busy": Look(holder="'fan'")},
    "contact": {"contact-closed": Look(up=False), "line-restless": Look(edges=9), "line-busy": Look(holder="'fan'")},
    "output": {"line-held-high": Look(down=True), "line-held-low": Look(up=False, driven=False)},
    "bus": {"line-busy": Look(holder="'fan'"), "line-lost": Look(trouble="No such device")},
}


@pytest.mark.parametrize("seed", range(25))
def test_several_faults_on_the_lines_of_any_kit_are_all_named_with_their_pins(seed: int, patient: Patient) -> None:
    dice = Random(f"sick {seed}")
    patient.config = random_kit(dice)
    pins = real_lines(patient.config)
    injected = set()
    for each in dice.sample(pins, dice.randint(1, 4)):
        code, look = dice.choice(list(SICK[kind(each)].items()))
        patient.looks[each.pin] = look
        injected.add((code, part_of(each), f"GPIO {each.pin}"))
    if len(both := [found for found in injected if found[0] == "contact-closed"]) == 2:
        places = ", ".join(f"GPIO {line.pin}" for line in pins if kind(line) == "contact")
        injected = {*injected.difference(both), ("knob-both-closed", "knob", places)}
    assert {(found.code, found.part, found.place) for found in patient.faults()} == injected


@pytest.mark.parametrize(
    ("name", "module", "version"),
    [("pyserial", "serial", "3.5"), ("not-from-pip", "json", ""), ("not-there", "not.there", None)],
)
def test_installed_versions_are_known(name: str, module: str, version: str | None) -> None:
    assert installed(Library(name, module, "1.0")) == version


def test_versions_are_compared_as_numbers() -> None:
    assert number("2.0.1.post3") < number("2.10")


def test_the_holder_of_a_port_is_named(tmp_path: Path, stack: ExitStack) -> None:
    port = stack.enter_context(other_device(tmp_path, lambda heard: b""))
    holder = holding(stack, port)
    assert f"(process {holder})" in ", ".join(holders(Path("/"), str(port.resolve())))


def test_the_listener_on_a_network_port_is_named(stack: ExitStack) -> None:
    command = [sys.executable, "-c", LISTENER]
    program = stack.enter_context(subprocess.Popen(command, stdout=subprocess.PIPE, text=True))
    stack.callback(program.kill)
    assert program.stdout is not None
    assert f"(process {program.pid})" in str(listener(Path("/"), int(program.stdout.readline())))


def test_who_may_not_see_the_holder_of_a_port_is_told_of_the_usual_one(patient: Patient, stack: ExitStack) -> None:
    ail(patient, stack, {"says": silent, "held": True})
    patient.process(640, "ModemManager", "/usr/sbin/ModemManager")
    (found,) = patient.faults()
    assert (found.code, found.text) == ("strip-busy", "the port is in use by ModemManager (process 640)")


def test_a_device_that_does_not_answer_is_named(
    patient: Patient, stack: ExitStack, monkeypatch: pytest.MonkeyPatch
) -> None:
    ail(patient, stack, {"says": silent})
    port = SimpleNamespace(
        device=str((patient.root / "port").resolve()), vid=0x1A86, pid=0x55D3, product="USB Single Serial"
    )
    monkeypatch.setattr("serial.tools.list_ports.comports", lambda: [port])
    (found,) = patient.faults()
    assert (found.code, found.text) == ("strip-silent", "does not answer (USB 1a86:55d3 USB Single Serial)")


def test_a_board_that_dtr_or_rts_hold_in_reset_is_all_right(
    patient: Patient, wled: PluggedWled, stack: ExitStack, monkeypatch: pytest.MonkeyPatch
) -> None:
    ail(patient, stack, {"says": silent})
    opens = serial.open_port
    monkeypatch.setattr(serial, "open_port", lambda place, raised: opens(place if raised else str(wled.port)))
    assert patient.faults() == []


def test_a_console_that_shares_the_port_is_named(patient: Patient, stack: ExitStack) -> None:
    ail(patient, stack, {"says": lambda data: b"raspberrypi login: " if data else b""})
    patient.process(640, "agetty", "/sbin/agetty", opens=str((patient.root / "port").resolve()))
    (found,) = patient.faults()
    assert (found.code, found.text) == ("strip-busy", "the port is in use by agetty (process 640)")


def test_a_kit_that_asks_itself_keeps_its_page_and_the_lines_of_its_display(patient: Patient) -> None:
    patient.config = structs.replace(
        KIT, display=DisplayConfig(bus="spi", port=0, dc=25, reset=26), panel=PanelConfig()
    )
    alone, asked = ({each.part for each in patient.findings(playing=playing)} for playing in (False, True))
    assert alone - asked == {"display data/command", "display reset", "page"}


def test_a_port_that_nobody_listens_on_has_no_owner(patient: Patient) -> None:
    assert listener(patient.root, 8642) is None


@pytest.mark.parametrize(
    ("cgroup", "end"),
    [
        ("0::/system.slice/luckypaw.service", "end it first: sudo systemctl stop luckypaw"),
        ("0::/user.slice/user-1000.slice/session-2.scope", "end it first: Ctrl-C where it was started"),
    ],
    ids=["service", "by hand"],
)
def test_the_remedy_for_a_running_kit_depends_on_how_it_was_started(cgroup: str, end: str, patient: Patient) -> None:
    running(patient, ExitStack())
    patient.file("proc/812/cgroup", cgroup)
    assert patient.findings()[-1].remedy == end


def test_a_running_kit_is_reported_with_the_lines_that_it_holds(patient: Patient) -> None:
    running(patient, ExitStack())
    patient.looks = {pin: Look(holder="'gpiozero'") for pin in (22, 5)}
    assert patient.findings()[-1].text == "the kit is running and holds GPIO 5, 22"


def test_every_fault_that_shows_by_itself_is_injected() -> None:
    injected = {case.code for case in FAULTY} | set(STORAGE) | {code for _, code in LEFT_OUT.values()} - {None}
    assert injected == {fault.code for fault in FAULTS["alone"]}
