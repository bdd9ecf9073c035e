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
HEALTHY = 100


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
    assert told == [
        ("button P1", "GPIO 5"),
        ("button P2", "GPIO 6"),
        ("button P3", "GPIO 22"),
        ("knob A", "GPIO 17"),
        ("knob B", "GPIO 27"),
        ("knob push", "GPIO 24"),
        ("lamp P1", "GPIO 12"),
        ("lamp P2", "GPIO 16"),
        ("buzzer", "GPIO 13"),
    ]


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
    patient.config = structs.replace(
        KIT, buttons=ButtonDriver("emulated"), display=DisplayConfig("ssd1306", reset=26), panel=PanelConfig(port=0)
    )
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


def hurt(code: str, part: str, place: str) -> Callable[[Hurt], Hurt]:
    """Register what makes a healthy patient sick so; what must be said of it."""

    def register(does: Hurt) -> Hurt:
        FAULTY.append(Case(code, part, place, does))
        return does

    return register


def line(code: str, part: str, pin: int, look: Look) -> None:
    """A fault that shows on a line."""
    hurt(code, part, f"GPIO {pin}")(lambda patient, _: patient.looks.update({pin: look}))


def file(code: str, part: str, place: str, name: str, text: str) -> None:
    """A fault that shows in a file of the system."""
    hurt(code, part, place)(lambda patient, _: patient.file(name, text))


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


@hurt("under-voltage", "power", "5 V")
def alarm(patient: Patient, _: ExitStack) -> None:
    patient.file("sys/class/hwmon/hwmon1/name", "rpi_volt")
    patient.file("sys/class/hwmon/hwmon1/in0_lcrit_alarm", "1")


@hurt("clock-not-set", "clock", "1970-01-01")
def clock(patient: Patient, _: ExitStack) -> None:
    patient.now = datetime(1970, 1, 1, tzinfo=UTC)


@hurt("clock-not-set", "clock", "2027-01-02")
def unsynchronised(patient: Patient, _: ExitStack) -> None:
    (patient.root / "run/systemd/timesync").mkdir(parents=True)


@hurt("library-missing", "library gpiod", "2.2 or newer")
def no_gpiod(patient: Patient, _: ExitStack) -> None:
    patient.versions["gpiod"] = None


@hurt("library-old", "library gpiozero", "1.6.2")
def old_gpiozero(patient: Patient, _: ExitStack) -> None:
    patient.versions["gpiozero"] = "1.6.2"


@hurt("buzzer-no-pwm", "buzzer", "GPIO 13")
def no_lgpio(patient: Patient, _: ExitStack) -> None:
    patient.versions["lgpio"] = None


AT_PLAY = ("/opt/luckypaw/bin/python", "/opt/luckypaw/bin/luckypaw", "play")


@hurt("kit-running", "kit", "process 812")
def running(patient: Patient, _: ExitStack) -> None:
    patient.process(812, "luckypaw", *AT_PLAY, opens=LINE)


@hurt("gpio-chip-missing", "pins", "/dev/gpiochip*")
def no_chip(patient: Patient, _: ExitStack) -> None:
    patient.labels = {}


@hurt("gpio-chip-renamed", "pins", "{root}/dev/gpiochip0")
def renamed(patient: Patient, _: ExitStack) -> None:
    patient.labels = {patient.root / "dev/gpiochip0": "brcmvirt-gpio"}


@hurt("gpio-chip-twice", "pins", "{root}/dev/gpiochip0, {root}/dev/gpiochip4")
def twice(patient: Patient, _: ExitStack) -> None:
    patient.labels = {patient.root / f"dev/gpiochip{n}": "pinctrl-rp1" for n in (0, 4)}


@hurt("gpio-no-rights", "pins", "{root}/dev/gpiochip0")
def closed_chip(patient: Patient, _: ExitStack) -> None:
    patient.labels = {patient.root / "dev/gpiochip0": "Permission denied"}
    patient.closed.add(patient.root / "dev/gpiochip0")


@hurt("i2c-off", "display", "I2C bus 1")
def no_i2c(patient: Patient, _: ExitStack) -> None:
    (patient.root / "dev/i2c-1").rename(patient.root / "dev/i2c-20")


@hurt("i2c-no-rights", "display", "/dev/i2c-1")
def closed_i2c(patient: Patient, _: ExitStack) -> None:
    patient.closed.add(patient.root / "dev/i2c-1")


@hurt("i2c-stuck", "display", "I2C bus 1")
def stuck(patient: Patient, _: ExitStack) -> None:
    patient.bus.answers, patient.bus.refuses = {}, errno.ETIMEDOUT


@hurt("i2c-stuck", "display", "I2C bus 1")
def everybody_answers(patient: Patient, _: ExitStack) -> None:
    patient.bus.answers = dict.fromkeys(range(0x80), 0)


@hurt("display-missing", "display", "0x3c on I2C bus 1")
def no_display(patient: Patient, _: ExitStack) -> None:
    patient.bus.answers = {}


@hurt("display-elsewhere", "display", "0x3c on I2C bus 1")
def elsewhere(patient: Patient, _: ExitStack) -> None:
    patient.bus.answers = {0x3D: 0x40, 0x68: 0}


@hurt("display-claimed", "display", "0x3c on I2C bus 1")
def claimed(patient: Patient, _: ExitStack) -> None:
    patient.bus.answers, patient.bus.refuses = {}, errno.EBUSY


@hurt("display-lost", "display", "0x3c on I2C bus 1")
def lost(patient: Patient, _: ExitStack) -> None:
    patient.bus.answers, patient.bus.refuses = {}, errno.EPROTO


@hurt("display-other-chip", "display", "0x3c on I2C bus 1")
def other_chip(patient: Patient, _: ExitStack) -> None:
    patient.bus.answers = {0x3C: 0x48}


@hurt("i2c-slow", "display", "I2C bus 1")
def slow(patient: Patient, _: ExitStack) -> None:
    patient.file("sys/class/i2c-adapter/i2c-1/of_node/clock-frequency").write_bytes((100_000).to_bytes(4))


@hurt("spi-off", "display", "SPI 1.0")
def no_spi(patient: Patient, _: ExitStack) -> None:
    patient.config = structs.replace(KIT, display=DisplayConfig(bus="spi", port=1, dc=25))


@hurt("spi-no-rights", "display", "/dev/spidev0.0")
def closed_spi(patient: Patient, _: ExitStack) -> None:
    patient.config = structs.replace(KIT, display=DisplayConfig(bus="spi", port=0, dc=25))
    patient.closed.add(patient.root / "dev/spidev0.0")


@hurt("line-busy", "display reset", "GPIO 26")
def busy_reset(patient: Patient, _: ExitStack) -> None:
    patient.config = structs.replace(KIT, display=DisplayConfig(bus="spi", port=0, dc=25, reset=26))
    patient.looks[26] = Look(holder="'fan control'")


@hurt("line-busy", "display reset", "GPIO 26")
def busy_reset_on_i2c(patient: Patient, _: ExitStack) -> None:
    patient.config = structs.replace(KIT, display=DisplayConfig("ssd1306", reset=26))
    patient.looks[26] = Look(holder="'fan control'")


@hurt("display-missing", "display", "0x3c on I2C bus 1")
def reset_that_nobody_gives(patient: Patient, _: ExitStack) -> None:
    patient.bus.answers, patient.reset = {}, 26


def with_strip(patient: Patient, port: Path | str | None) -> None:
    patient.config = structs.replace(KIT, strip=StripConfig(port=None if port is None else str(port)))


@hurt("strip-not-found", "strip", "USB")
def nothing_plugged(patient: Patient, _: ExitStack) -> None:
    with_strip(patient, None)


@hurt("strip-no-port", "strip", "{root}/nothing")
def no_port(patient: Patient, _: ExitStack) -> None:
    with_strip(patient, patient.root / "nothing")


@hurt("strip-no-rights", "strip", "{root}/dev/ttyACM0")
def closed_port(patient: Patient, _: ExitStack) -> None:
    patient.file("dev/ttyACM0")
    with_strip(patient, patient.root / "dev/ttyACM0")
    patient.closed.add(patient.root / "dev/ttyACM0")


def talker(patient: Patient, stack: ExitStack, says: Callable[[bytes], bytes], unasked: bytes = b"") -> Path:
    port = stack.enter_context(other_device(patient.root, says, unasked=unasked))
    with_strip(patient, port)
    return port


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


@hurt("strip-lost", "strip", "{root}/dev/console")
def no_tty(patient: Patient, _: ExitStack) -> None:
    with_strip(patient, patient.file("dev/console"))


@hurt("strip-busy", "strip", "{root}/port")
def busy_port(patient: Patient, stack: ExitStack) -> None:
    holding(stack, talker(patient, stack, lambda heard: b""))


@hurt("strip-silent", "strip", "{root}/port")
def silent(patient: Patient, stack: ExitStack) -> None:
    talker(patient, stack, lambda heard: b"")


@hurt("strip-foreign", "strip", "{root}/port")
def foreign(patient: Patient, stack: ExitStack) -> None:
    talker(patient, stack, lambda heard: b"ERROR: no such command\r\n" if heard else b"")


@hurt("strip-babbles", "strip", "{root}/port")
def gps(patient: Patient, stack: ExitStack) -> None:
    talker(patient, stack, lambda heard: b"", b"$GPGGA,182010.00,4717.11\r\n")


@hurt("strip-garbage", "strip", "{root}/port")
def other_baud(patient: Patient, stack: ExitStack) -> None:
    dice = Random(1)
    talker(patient, stack, lambda heard: dice.randbytes(len(heard)))


@hurt("strip-garbage", "strip", "{root}/port")
def endless_garbage(patient: Patient, stack: ExitStack) -> None:
    talker(patient, stack, lambda heard: b"", Random(1).randbytes(40))


@hurt("strip-unfit", "strip", "{root}/luckypaw-strip")
def short_strip(patient: Patient, stack: ExitStack) -> None:
    wled = PluggedWled(patient.root, 3)
    wled.plug()
    stack.callback(wled.unplug)
    with_strip(patient, wled.port)


@hurt("panel-taken", "page", "127.0.0.1:{port}")
def taken(patient: Patient, stack: ExitStack) -> None:
    other = stack.enter_context(socket.create_server(("127.0.0.1", 0)))
    patient.config = structs.replace(KIT, panel=PanelConfig(port=other.getsockname()[1]))


@hurt("panel-refused", "page", "192.0.2.1:8642")
def refused(patient: Patient, _: ExitStack) -> None:
    patient.config = structs.replace(KIT, panel=PanelConfig(host="192.0.2.1"))


@hurt("storage-lost", "storage", "{root}/proc/sys/kernel/osrelease")
def no_folder(patient: Patient, _: ExitStack) -> None:
    patient.state = patient.root / "proc/sys/kernel/osrelease"


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


@pytest.mark.parametrize("seed", range(50))
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
def test_the_kit_at_play_on_real_parts_is_known_by_its_words(
    words: tuple[str, ...], runs: bool, patient: Patient
) -> None:
    patient.process(812, words[0], *words, opens=LINE)
    assert running_kit(patient.root) == (RunningKit(812, service=False) if runs else None)


@pytest.mark.parametrize(
    ("opened", "runs"),
    [
        (LINE, True),
        ("/dev/i2c-1", True),
        ("/dev/spidev0.0", True),
        ("/dev/ttyACM0", True),
        ("/dev/tty1", False),
        ("/dev/null", False),
    ],
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
