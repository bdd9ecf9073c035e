"""The doctor names each fault and where it is, and finds none where there is none."""

import errno
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from datetime import UTC, datetime
from pathlib import Path
from random import Random
from typing import NamedTuple

import pytest
from msgspec import structs

from hardware.config import ButtonDriver, DisplayConfig, PanelConfig, StripConfig, parse
from hardware.doctor import machine
from hardware.doctor.findings import FAULTS, Finding
from hardware.doctor.holders import LINE, RunningKit, holders, listener, running_kit
from hardware.doctor.libraries import Library, installed, number
from hardware.doctor.lines import Kind, Look, kind, part_of, real_lines
from tests.simulators.controller import micropython_controller
from tests.simulators.patient import Patient, other_device, random_kit
from tests.simulators.plugged_wled import PluggedWled

KIT = parse(
    """
    control = { kind = "knob", a = 17, b = 27, push = 24 }
    display = { driver = "ssd1306" }
    buzzer.pin = 13
    players = [
        { name = "P1", button = 5, lamp = 12 },
        { name = "P2", button = 6, lamp = 16 },
        { name = "P3", button = 22 },
    ]
    """
)
HEALTHY = 50


@pytest.fixture
def patient(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Patient:
    """A healthy kit without a strip."""
    return Patient(tmp_path, monkeypatch, KIT)


# --- healthy ---------------------------------------------------------------------------------------------------------


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


def test_every_line_of_a_healthy_kit_is_told(patient: Patient) -> None:
    told = [(found.part, found.place) for found in patient.findings() if found.place.startswith("GPIO")]
    parts = ("button P1", "button P2", "button P3", "knob A", "knob B", "knob push", "lamp P1", "lamp P2", "buzzer")
    places = [f"GPIO {pin}" for pin in (5, 6, 22, 17, 27, 24, 12, 16, 13)]
    assert told == list(zip(parts, places, strict=True))


def test_emulated_parts_are_left_alone(patient: Patient) -> None:
    patient.config = structs.replace(KIT, buttons=ButtonDriver("emulated"), display=DisplayConfig("emulated"))
    patient.config = structs.replace(patient.config, panel=PanelConfig(port=0))
    patient.labels = {}
    assert [found.part for found in patient.findings()] == ["board", "power", "clock", "storage", "page"]


def test_a_display_that_answers_only_after_a_reset_is_given_one(patient: Patient) -> None:
    patient.config = structs.replace(KIT, display=DisplayConfig("ssd1306", reset=26))
    patient.bus.answers, patient.reset = {}, 26
    assert patient.findings()[-1] == Finding("fine", "display", "0x3c on I2C bus 1", "all right, it answers")


def test_emulated_buttons_do_not_keep_a_display_from_its_reset(patient: Patient) -> None:
    parts = {"buttons": ButtonDriver("emulated"), "panel": PanelConfig(port=0)}
    patient.config = structs.replace(KIT, display=DisplayConfig("ssd1306", reset=26), **parts)
    patient.bus.answers, patient.reset = {}, 26
    assert patient.faults() == []


def test_a_lamp_behind_a_transistor_reads_low_and_is_healthy(patient: Patient) -> None:
    patient.looks[12] = Look(up=False)
    assert patient.faults() == []


def test_a_strip_that_answers_is_told_with_its_lamps(patient: Patient, tmp_path: Path) -> None:
    with micropython_controller(tmp_path, 24) as (port, _):
        patient.config = structs.replace(KIT, strip=StripConfig(port=port))
        assert patient.findings()[-1] == Finding("fine", "strip", port, "all right, 24 lamps")


def test_of_several_ports_the_one_with_a_strip_counts(patient: Patient, tmp_path: Path) -> None:
    with micropython_controller(tmp_path, 24) as (port, _):
        patient.config, patient.plugged = structs.replace(KIT, strip=StripConfig()), (str(tmp_path / "modem"), port)
        assert patient.faults() == []


# --- one fault each --------------------------------------------------------------------------------------------------

Hurt = Callable[[Patient, ExitStack], object]
FAULTY: list["Case"] = []


class Case(NamedTuple):
    """What makes a healthy patient sick, and what must be said of it."""

    code: str
    part: str
    place: str
    does: Hurt


def hurt(code: str, part: str, place: str, does: Hurt) -> None:
    """Register what makes a healthy patient sick, and what must be said of it."""
    FAULTY.append(Case(code, part, place, does))


def sick(code: str, part: str, place: str) -> Callable[[Hurt], Hurt]:
    """The same, of a function that follows."""

    def register(does: Hurt) -> Hurt:
        hurt(code, part, place, does)
        return does

    return register


def line(code: str, part: str, pin: int, look: Look) -> None:
    """A fault that shows on a line."""
    hurt(code, part, f"GPIO {pin}", lambda patient, _: patient.looks.update({pin: look}))


def file(code: str, part: str, place: str, name: str, text: str) -> None:
    """A fault that shows in a file of the system."""
    hurt(code, part, place, lambda patient, _: patient.file(name, text))


def library(code: str, part: str, place: str, name: str, version: str | None) -> None:
    """A fault that shows in what is installed."""
    hurt(code, part, place, lambda patient, _: patient.versions.update({name: version}))


def on_bus(code: str, place: str, answers: dict[int, int], refuses: int = errno.EREMOTEIO) -> None:
    """A fault that shows in what answers on the I2C bus."""

    def does(patient: Patient, _: ExitStack) -> None:
        patient.bus.answers, patient.bus.refuses = answers, refuses

    hurt(code, "display", place, does)


def labels(code: str, place: str, found: dict[str, str]) -> None:
    """A fault that shows in the labels of the GPIO chips; one without a label cannot be opened."""

    def does(patient: Patient, _: ExitStack) -> None:
        patient.labels = {patient.root / name: label for name, label in found.items()}
        patient.closed |= {patient.root / name for name, label in found.items() if label == "Permission denied"}

    hurt(code, "pins", place, does)


def with_display(patient: Patient, display: DisplayConfig) -> None:
    patient.config = structs.replace(KIT, display=display)


def with_strip(patient: Patient, port: Path | str | None) -> None:
    patient.config = structs.replace(KIT, strip=StripConfig(port=None if port is None else str(port)))


def talker(patient: Patient, stack: ExitStack, says: Callable[[bytes], bytes], unasked: bytes = b"") -> Path:
    port = stack.enter_context(other_device(patient.root, says, unasked=unasked))
    with_strip(patient, port)
    return port


def silent(heard: bytes) -> bytes:
    return b""


def on_port(code: str, says: Callable[[bytes], bytes], unasked: bytes = b"") -> None:
    """A fault that shows in what something on the strip's port says."""
    hurt(code, "strip", "{root}/port", lambda patient, stack: talker(patient, stack, says, unasked))


line("line-busy", "button P3", 22, Look(holder="'fan control'"))
line("line-busy", "lamp P1", 12, Look(holder="'fan control'"))
line("line-busy", "knob A", 17, Look(holder="'w1'"))
line("line-lost", "button P2", 6, Look(trouble="No such device"))
line("button-held", "button P1", 5, Look(up=False))
line("button-held", "knob push", 24, Look(up=False))
line("contact-closed", "knob B", 27, Look(up=False))
line("line-restless", "button P3", 22, Look(edges=14))
line("line-held-high", "lamp P2", 16, Look(down=True))
line("line-held-high", "buzzer", 13, Look(down=True))
line("line-held-low", "lamp P1", 12, Look(up=False, driven=False))
file("kernel-old", "board", "Linux 5.4.51-v7l+", "proc/sys/kernel/osrelease", "5.4.51-v7l+")
THROTTLED = "sys/devices/platform/soc/soc:firmware/get_throttled"
file("under-voltage", "power", "5 V", THROTTLED, "50005")
file("under-voltage", "power", "5 V", THROTTLED, "50000")
library("library-missing", "library gpiod", "2.2 or newer", "gpiod", None)
library("library-old", "library gpiozero", "1.6.2", "gpiozero", "1.6.2")
library("buzzer-no-pwm", "buzzer", "GPIO 13", "lgpio", None)
labels("gpio-chip-missing", "/dev/gpiochip*", {})
labels("gpio-chip-renamed", "{root}/dev/gpiochip0", {"dev/gpiochip0": "brcmvirt-gpio"})
TWICE = {f"dev/gpiochip{n}": "pinctrl-rp1" for n in (0, 4)}
labels("gpio-chip-twice", "{root}/dev/gpiochip0, {root}/dev/gpiochip4", TWICE)
labels("gpio-no-rights", "{root}/dev/gpiochip0", {"dev/gpiochip0": "Permission denied"})
on_bus("i2c-stuck", "I2C bus 1", {}, errno.ETIMEDOUT)
on_bus("i2c-stuck", "I2C bus 1", dict.fromkeys(range(0x80), 0))
on_bus("display-missing", "0x3c on I2C bus 1", {})
on_bus("display-elsewhere", "0x3c on I2C bus 1", {0x3D: 0x40, 0x68: 0})
on_bus("display-claimed", "0x3c on I2C bus 1", {}, errno.EBUSY)
on_bus("display-lost", "0x3c on I2C bus 1", {}, errno.EPROTO)
on_bus("display-other-chip", "0x3c on I2C bus 1", {0x3C: 0x48})
on_port("strip-silent", silent)
on_port("strip-foreign", lambda heard: b"ERROR: no such command\r\n" if heard else b"")
on_port("strip-babbles", silent, b"$GPGGA,182010.00,4717.11\r\n")
NOISE = Random(1)
on_port("strip-garbage", lambda heard: NOISE.randbytes(len(heard)))
on_port("strip-garbage", silent, Random(1).randbytes(40))
hurt("strip-not-found", "strip", "USB", lambda patient, _: with_strip(patient, None))
hurt("strip-no-port", "strip", "{root}/nothing", lambda patient, _: with_strip(patient, patient.root / "nothing"))
hurt("strip-lost", "strip", "{root}/dev/console", lambda patient, _: with_strip(patient, patient.file("dev/console")))
hurt("strip-busy", "strip", "{root}/port", lambda patient, stack: holding(stack, talker(patient, stack, silent)))
hurt("i2c-no-rights", "display", "/dev/i2c-1", lambda patient, _: patient.closed.add(patient.root / "dev/i2c-1"))
ON_SPI_1, ON_SPI = DisplayConfig(bus="spi", port=1, dc=25), DisplayConfig(bus="spi", port=0, dc=25)
hurt("spi-off", "display", "SPI 1.0", lambda patient, _: with_display(patient, ON_SPI_1))


@sick("under-voltage", "power", "5 V")
def alarm(patient: Patient, _: ExitStack) -> None:
    patient.file("sys/class/hwmon/hwmon1/name", "rpi_volt")
    patient.file("sys/class/hwmon/hwmon1/in0_lcrit_alarm", "1")


@sick("clock-not-set", "clock", "1970-01-01")
def clock(patient: Patient, _: ExitStack) -> None:
    patient.now = datetime(1970, 1, 1, tzinfo=UTC)


@sick("clock-not-set", "clock", "2027-01-02")
def unsynchronised(patient: Patient, _: ExitStack) -> None:
    (patient.root / "run/systemd/timesync").mkdir(parents=True)


AT_PLAY = ("/opt/luckypaw/bin/python", "/opt/luckypaw/bin/luckypaw", "play")


@sick("kit-running", "kit", "process 812")
def running(patient: Patient, _: ExitStack) -> None:
    patient.process(812, "luckypaw", *AT_PLAY, opens=LINE)


@sick("i2c-off", "display", "I2C bus 1")
def no_i2c(patient: Patient, _: ExitStack) -> None:
    (patient.root / "dev/i2c-1").rename(patient.root / "dev/i2c-20")


@sick("i2c-slow", "display", "I2C bus 1")
def slow(patient: Patient, _: ExitStack) -> None:
    patient.file("sys/class/i2c-adapter/i2c-1/of_node/clock-frequency").write_bytes((100_000).to_bytes(4))


@sick("spi-no-rights", "display", "/dev/spidev0.0")
def closed_spi(patient: Patient, _: ExitStack) -> None:
    with_display(patient, ON_SPI)
    patient.closed.add(patient.root / "dev/spidev0.0")


@sick("line-busy", "display reset", "GPIO 26")
def busy_reset(patient: Patient, _: ExitStack) -> None:
    with_display(patient, structs.replace(ON_SPI, reset=26))
    patient.looks[26] = Look(holder="'fan control'")


@sick("line-busy", "display reset", "GPIO 26")
def busy_reset_on_i2c(patient: Patient, _: ExitStack) -> None:
    with_display(patient, DisplayConfig("ssd1306", reset=26))
    patient.looks[26] = Look(holder="'fan control'")


@sick("display-missing", "display", "0x3c on I2C bus 1")
def reset_that_nobody_gives(patient: Patient, _: ExitStack) -> None:
    patient.bus.answers, patient.reset = {}, 26


@sick("strip-no-rights", "strip", "{root}/dev/ttyACM0")
def closed_port(patient: Patient, _: ExitStack) -> None:
    patient.closed.add(patient.file("dev/ttyACM0"))
    with_strip(patient, patient.root / "dev/ttyACM0")


@sick("strip-unfit", "strip", "{root}/luckypaw-strip")
def short_strip(patient: Patient, stack: ExitStack) -> None:
    wled = PluggedWled(patient.root, 3)
    wled.plug()
    stack.callback(wled.unplug)
    with_strip(patient, wled.port)


@sick("panel-taken", "page", "127.0.0.1:{port}")
def taken(patient: Patient, stack: ExitStack) -> None:
    other = stack.enter_context(socket.create_server(("127.0.0.1", 0)))
    patient.config = structs.replace(KIT, panel=PanelConfig(port=other.getsockname()[1]))


@sick("panel-refused", "page", "192.0.2.1:8642")
def refused(patient: Patient, _: ExitStack) -> None:
    patient.config = structs.replace(KIT, panel=PanelConfig(host="192.0.2.1"))


@sick("storage-lost", "storage", "{root}/proc/sys/kernel/osrelease")
def no_folder(patient: Patient, _: ExitStack) -> None:
    patient.state = patient.root / "proc/sys/kernel/osrelease"


LISTENER = """
import socket, time
port = socket.create_server(("127.0.0.1", 0))
print(port.getsockname()[1], flush=True)
time.sleep(60)
"""
HOLDER = """
import sys, time, serial
port = serial.Serial(sys.argv[1], exclusive=True)
print(flush=True)
time.sleep(60)
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
    """What a fault keeps open."""
    with ExitStack() as stack:
        yield stack


@pytest.mark.parametrize("case", FAULTY, ids=[case.code for case in FAULTY])
def test_a_fault_is_named_with_its_place_and_nothing_else_is(case: Case, patient: Patient, stack: ExitStack) -> None:
    case.does(patient, stack)
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
    assert {(found.code, found.part, found.place) for found in patient.faults()} == injected


# --- libraries -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "module", "version"),
    [("pyserial", "serial", "3.5"), ("not-from-pip", "json", ""), ("not-there", "not.there", None)],
)
def test_what_is_installed_is_known(name: str, module: str, version: str | None) -> None:
    assert installed(Library(name, module, "1.0")) == version


def test_versions_are_compared_as_numbers() -> None:
    assert number("2.0.1.post3") < number("2.10")


# --- by whom ---------------------------------------------------------------------------------------------------------


def test_who_has_a_port_is_named(tmp_path: Path, stack: ExitStack) -> None:
    port = stack.enter_context(other_device(tmp_path, lambda heard: b""))
    holder = holding(stack, port)
    assert f"(process {holder})" in ", ".join(holders(Path("/"), str(port.resolve())))


def test_who_listens_on_a_port_of_the_network_is_named(stack: ExitStack) -> None:
    command = [sys.executable, "-c", LISTENER]
    program = stack.enter_context(subprocess.Popen(command, stdout=subprocess.PIPE, text=True))
    stack.callback(program.kill)
    assert program.stdout is not None
    assert f"(process {program.pid})" in str(listener(Path("/"), int(program.stdout.readline())))


def test_a_console_that_shares_the_port_is_named(patient: Patient, stack: ExitStack) -> None:
    port = talker(patient, stack, lambda heard: b"raspberrypi login: " if heard else b"")
    patient.process(640, "agetty", "/sbin/agetty", opens=str(port.resolve()))
    (found,) = patient.faults()
    assert (found.code, found.text) == ("strip-busy", "the port is in use by agetty (process 640)")


def test_a_port_that_nobody_listens_on_has_no_owner(patient: Patient) -> None:
    assert listener(patient.root, 8642) is None


@pytest.mark.parametrize(
    ("words", "runs"),
    [
        (("/opt/luckypaw/bin/python", "/opt/luckypaw/bin/luckypaw", "play"), True),
        (("python3", "-m", "firmware", "--config", "kit.toml", "play"), True),
        (("python3", "-m", "firmware", "play", "--emulated"), False),
        (("python3", "-m", "firmware", "check"), False),
        (("mpv", "play", "luckypaw"), False),
    ],
)
def test_the_kit_at_play_is_known_by_its_words(words: tuple[str, ...], runs: bool, patient: Patient) -> None:
    patient.process(812, words[0], *words, opens=LINE)
    assert running_kit(patient.root) == (RunningKit(812, service=False) if runs else None)


@pytest.mark.parametrize(
    ("opened", "runs"),
    [*((part, True) for part in (LINE, "/dev/i2c-1", "/dev/spidev0.0", "/dev/ttyACM0")), ("/dev/tty1", False)],
)
def test_a_kit_plays_on_real_parts_if_it_has_one_open(opened: str, runs: bool, patient: Patient) -> None:
    patient.process(812, "luckypaw", *AT_PLAY, opens=opened)
    assert (running_kit(patient.root) is not None) == runs


@pytest.mark.parametrize(("model", "runs"), [("Raspberry Pi 4 Model B", True), ("Laptop", False)])
def test_a_kit_of_another_user_plays_on_real_parts_on_a_raspberry_pi_only(
    model: str, runs: bool, patient: Patient
) -> None:
    patient.process(812, "luckypaw", *AT_PLAY)
    patient.file("proc/device-tree/model", model)
    patient.closed.add(patient.root / "proc/812/fd")
    assert (running_kit(patient.root) is not None) == runs


@pytest.mark.parametrize(
    ("cgroup", "end"),
    [
        ("0::/system.slice/luckypaw.service", "end it first: sudo systemctl stop luckypaw"),
        ("0::/user.slice/user-1000.slice/session-2.scope", "end it first: Ctrl-C where it was started"),
    ],
    ids=["service", "by hand"],
)
def test_how_a_running_kit_is_ended_is_told_by_how_it_was_started(cgroup: str, end: str, patient: Patient) -> None:
    running(patient, ExitStack())
    patient.file("proc/812/cgroup", cgroup)
    assert patient.findings()[-1].remedy == end


def test_a_running_kit_is_told_with_the_lines_that_it_holds(patient: Patient) -> None:
    running(patient, ExitStack())
    patient.looks = {pin: Look(holder="'gpiozero'") for pin in (22, 5)}
    assert patient.findings()[-1].text == "the kit is running and holds GPIO 5, 22"


def test_every_fault_that_shows_by_itself_is_injected() -> None:
    injected = {case.code for case in FAULTY} | set(STORAGE)
    assert injected == {fault.code for fault in FAULTS if fault.how == "alone"}
