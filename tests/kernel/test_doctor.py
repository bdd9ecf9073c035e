"""`luckypaw check` on simulated lines, a true I2C bus and true file systems: faults are injected as they happen."""

import json
import os
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from random import Random
from typing import TypeAlias

import gpiod
import pytest

from firmware.__main__ import main
from hardware.config import KitConfig, parse
from hardware.doctor.examine import examine
from hardware.doctor.findings import Finding
from hardware.doctor.gpio import after_reset
from hardware.doctor.libraries import Library, installed
from hardware.doctor.machine import storage
from tests.kernel.test_left_out import hidden
from tests.simulators.machine_for_doctor import random_kit
from tests.simulators.program import ROOT, Program, run
from tests.simulators.sim_chip import SimChip

SINK = Path("/sys/module/i2c_labsink/parameters")
HEALTHY = 4
NOBODY = 65534

KIT = """
control = { kind = "knob", a = 17, b = 27, push = 24 }
display = { driver = "ssd1306" }
buzzer.pin = 13
players = [{ name = "P1", button = 5, lamp = 12 }, { name = "P2", button = 6 }, { name = "P3", button = 22 }]
"""

# something that holds lines at a level, or lets them chatter, whatever pull the kernel has set: pin=0, pin=1, pin=~
HAND = """
import os, sys, time
lines, *words = sys.argv[1:]
held = []
for word in words:
    pin, level = word.split("=")
    held.append([os.open(f"{lines}/sim_gpio{pin}/pull", os.O_WRONLY), level])
os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))
print("up", flush=True)
turn = 0
while True:
    time.sleep(0.0005)
    turn += 1
    for pull, level in held:
        up = level == "1" or (level == "~" and turn % 2)
        os.pwrite(pull, b"pull-up" if up else b"pull-down", 0)
"""
# holds lines as another program does: consumer, chip, pins
OTHER = """
import sys, time
import gpiod
consumer, chip, *pins = sys.argv[-1].split(",")
request = gpiod.request_lines(chip, {tuple(map(int, pins)): None}, consumer=consumer)
print("up", flush=True)
time.sleep(60)
"""

Faults: TypeAlias = list[tuple[str, str, str]]


@pytest.fixture
def state(tmp_path: Path) -> Path:
    return tmp_path / "state"


def faults(state: Path, config: KitConfig | None = None) -> Faults:
    """What the doctor complains of."""
    found = examine(config or parse(KIT), state, version=with_spidev)
    return [(each.code, each.part, each.place) for each in found if each.fault]


def with_spidev(library: Library) -> str | None:
    """What is installed; spidev has no wheel, and nothing here needs it to be there."""
    return library.oldest if library.name == "spidev" else installed(library)


def said(state: Path, code: str) -> Finding:
    """What the doctor says of one fault."""
    (found,) = (each for each in examine(parse(KIT), state) if each.code == code)
    return found


def hand(chip: SimChip, *held: str) -> Program:
    """Something at these lines: `22=0` holds GPIO 22 low."""
    return Program("-c", HAND, f"/sys/bus/gpio/devices/{chip.path.name}", *held)


@contextmanager
def parameter(name: str, value: str) -> Iterator[None]:
    """Another setting of the device on the I2C bus."""
    usual = (SINK / name).read_text()
    (SINK / name).write_text(value)
    try:
        yield
    finally:
        (SINK / name).write_text(usual)


def test_healthy_kits_give_no_alarm(chip: SimChip, state: Path) -> None:
    Path("/dev/spidev0.0").touch()
    try:
        alarms = {seed: faults(state, random_kit(Random(seed))) for seed in range(HEALTHY)}
    finally:
        Path("/dev/spidev0.0").unlink()
    assert {seed: found for seed, found in alarms.items() if found} == {}


def test_lines_are_free_inputs_again_afterwards(chip: SimChip, state: Path) -> None:
    faults(state)
    with gpiod.Chip(str(chip.path)) as opened:
        infos = [opened.get_line_info(pin) for pin in (5, 12, 13)]
    assert [(info.used, info.direction) for info in infos] == [(False, gpiod.line.Direction.INPUT)] * 3


HELD = {
    "22=0": ("button-held", "button P3", "GPIO 22"),
    "24=0": ("button-held", "knob push", "GPIO 24"),
    "17=0": ("contact-closed", "knob A", "GPIO 17"),
    "6=~": ("line-restless", "button P2", "GPIO 6"),
    "12=1": ("line-held-high", "lamp P1", "GPIO 12"),
    "13=1": ("line-held-high", "buzzer", "GPIO 13"),
}


def test_lines_that_something_holds_and_a_silent_bus_are_named_and_nothing_else(
    chip: SimChip, state: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("hardware.doctor.gpio.WATCH_MS", 1000)  # a busy machine lets a line chatter now and then
    with hand(chip, *HELD), parameter("fail", "1"):
        found = faults(state)
    assert sorted(found) == sorted([*HELD.values(), ("display-missing", "display", "0x3c on I2C bus 1")])


def test_a_busy_line_is_told_with_its_holder_and_the_others_are_looked_at(chip: SimChip, state: Path) -> None:
    with Program("-c", OTHER, f"fan control,{chip.path},22") as other:
        found = said(state, "line-busy")
    text = f"is busy: used by 'fan control' of python (process {other.pid})"
    assert (found.part, found.place, found.text) == ("button P3", "GPIO 22", text)


def test_a_running_kit_is_told_with_the_lines_that_it_holds(chip: SimChip, state: Path) -> None:
    holds = f"from hardware.one_program import hold_parts\nheld = hold_parts()\n{OTHER}"
    with Program("-c", holds, f"gpiozero,{chip.path},5,22") as other:
        found = [each for each in examine(parse(KIT), state) if each.fault]
    assert [(each.code, each.place, each.text) for each in found] == [
        ("kit-running", f"process {other.pid}", "the kit is running and holds GPIO 5, 22")
    ]


def test_a_chip_of_another_name_is_told(state: Path) -> None:
    with SimChip("brcmvirt-gpio") as chip:
        found = said(state, "gpio-chip-renamed")
    assert found.text == f"no GPIO chip is labelled as a Raspberry Pi's header; found: {chip.path} (brcmvirt-gpio)"


AS_NOBODY = """
import os, sys
os.setgroups([]); os.setgid(65534); os.setuid(65534)
from firmware.__main__ import main
main(sys.argv[1:])
"""


def test_a_user_without_rights_is_told_which_groups_to_join(chip: SimChip, tmp_path: Path) -> None:
    config = tmp_path / "kit.toml"
    config.write_text(KIT)
    for folder in (tmp_path, Path(sys.prefix), Path(sys.base_prefix), ROOT):  # of the guest, that forgets it
        for path in (folder, *folder.parents):
            path.chmod(0o755)
    own = tmp_path / "own"
    own.mkdir()
    os.chown(own, NOBODY, NOBODY)
    done = run("-c", AS_NOBODY, "--config", config, "check", "--json", STATE_DIRECTORY=str(own))
    found = {each["code"]: each["remedy"] for each in json.loads(done.stdout)["findings"] if each["fault"]}
    join = "sudo usermod -aG {} nobody, then log out and in again"
    assert found == {"gpio-no-rights": join.format("gpio"), "i2c-no-rights": join.format("i2c")}
    assert done.returncode == 1


@pytest.mark.parametrize(
    ("bus", "code", "text"),
    [
        pytest.param(False, "i2c-off", "I2C is off: there is no /dev/i2c-1; there is /dev/i2c-20", id="it is off"),
        pytest.param(
            True, "i2c-no-driver", "the bus is on, but no program can use it: there is no /dev/i2c-1", id="no driver"
        ),
    ],
)
def test_a_bus_that_is_not_there_is_told(
    bus: bool, code: str, text: str, chip: SimChip, state: Path, tmp_path: Path
) -> None:
    Path("/dev/i2c-1").rename("/dev/i2c-20")
    try:
        with nullcontext() if bus else hidden(Path("/sys/bus/i2c/devices"), tmp_path):
            found = said(state, code)
    finally:
        Path("/dev/i2c-20").rename("/dev/i2c-1")
    assert found.text == text


def test_a_display_at_another_address_is_told_with_that_address(chip: SimChip, state: Path) -> None:
    with parameter("addr", str(0x3D)):
        found = said(state, "display-elsewhere")
    assert (found.place, found.text) == ("0x3c on I2C bus 1", "nothing answers there, but something does at 0x3d")


def test_a_reset_is_given_held_and_let_go(chip: SimChip) -> None:
    with after_reset(chip.path, 26):
        held = chip.value(26)
    with gpiod.Chip(str(chip.path)) as opened:
        info = opened.get_line_info(26)
    assert (held, info.used, info.direction) == (1, False, gpiod.line.Direction.INPUT)


def test_a_reset_that_another_program_has_is_left_to_it(chip: SimChip) -> None:
    other = Program("-c", OTHER, f"fan control,{chip.path},26")
    with other, after_reset(chip.path, 26), gpiod.Chip(str(chip.path)) as opened:
        assert opened.get_line_info(26).consumer == "fan control"


@contextmanager
def mounted(folder: Path, options: str) -> Iterator[None]:
    """A file system of its own there."""
    folder.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", options, "tmpfs", str(folder)], check=True)
    try:
        yield
    finally:
        subprocess.run(["umount", str(folder)], check=True)


@pytest.mark.parametrize(
    ("options", "code"), [("size=1M", "storage-full"), ("ro", "storage-read-only"), ("size=64M", "fine")]
)
def test_storage_is_tried(options: str, code: str, state: Path) -> None:
    with mounted(state, options):
        assert next(storage(state)).code == code


def test_without_lines_nobody_is_asked_for_anything(
    state: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("STATE_DIRECTORY", str(state))
    with pytest.raises(SystemExit) as left:
        main(["check", "--guided"])
    said = "? Mend the faults above first: without its lines there is nothing to ask for.\n"
    assert (left.value.code, capsys.readouterr().err) == (1, said)


WRONG = {"P1": 6, "P2": 5, "P3": 22, "push": 24}  # P1 and P2 are swapped
CLICK = ((27, False), (17, False), (27, True), (17, True))  # A and B are swapped, too


def act(chip: SimChip, question: str) -> str:
    """Do what is asked at that table, where P3 bounces and the lamp is dead; what is typed."""
    asked = re.search(r"Button (P\d)|Press (P\d)|Knob: (push)", question)
    if asked is not None:
        pin = WRONG[next(filter(None, asked.groups()))]
        for _ in range(20 if pin == WRONG["P3"] else 0):  # a busy machine makes two presses of it here and there
            for up in (False, True):
                chip.pull(pin, up)
                time.sleep(0.005)
        chip.pull(pin, False)
        time.sleep(0.1)
        chip.pull(pin, True)
    elif question.startswith("? Knob: turn"):
        for pin, up in CLICK * 3:
            chip.pull(pin, up)
            time.sleep(0.01)
    elif question.startswith("? Lamp"):
        return "n\n"
    elif question.startswith(("? Display", "? Buzzer")):
        return "y\n"
    return ""


def test_a_table_is_walked_through_on_real_lines(chip: SimChip, tmp_path: Path) -> None:
    config = tmp_path / "kit.toml"
    config.write_text(KIT)
    command = [sys.executable, "-m", "firmware", "--config", str(config), "check", "--guided", "--json"]
    env = {**os.environ, "STATE_DIRECTORY": str(tmp_path / "state"), "PYTHONUNBUFFERED": "1"}
    pipe = subprocess.PIPE
    with subprocess.Popen(command, cwd=ROOT, env=env, stdin=pipe, stdout=pipe, stderr=pipe, text=True) as program:
        assert program.stdin is not None and program.stdout is not None and program.stderr is not None
        for question in program.stderr:
            program.stdin.write(act(chip, question))
            program.stdin.flush()
            if question.startswith("? Buzzer"):
                break
        program.stdin.write("y\n")
        program.stdin.close()
        found = [each for each in json.loads(program.stdout.read())["findings"] if each["fault"]]
    assert [(each["code"], each["part"], each["place"]) for each in found] == [
        ("buttons-swapped", "button P1, P2", "GPIO 5, GPIO 6"),
        ("button-bounces", "button P3", "GPIO 22"),
        ("knob-swapped", "knob", "GPIO 17, GPIO 27"),
        ("lamp-dark", "lamp P1", "GPIO 12"),
    ]
