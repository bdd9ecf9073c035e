"""A kit on a machine that is made up of files, ptys and looks at lines; healthy, until a doctor's test hurts it."""

import errno
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from random import Random

import pytest
from msgspec import structs

from hardware import clock
from hardware.config import BUSES, KitConfig, parse
from hardware.doctor import gpio
from hardware.doctor.examine import examine
from hardware.doctor.findings import Finding
from hardware.doctor.libraries import Library
from hardware.doctor.lines import Look
from hardware.parts.control.clicks import ClicksATurn
from tests.simulators.ports import device

KERNEL = "5.10.103-v8+"  # the oldest that will do
CHIP = "dev/gpiochip0"
KIT = parse(
    """
    control = { kind = "knob", a = 17, b = 27, push = 24 }
    display = { driver = "ssd1306" }
    buzzer.pin = 13
    players = [
        { name = "P1", button = 5, lamp = 12 },
        { name = "P2", button = 6, lamp = 16 },
        { name = "P3", button = 22, lamp = 20 },
    ]
    """
)


def with_clicks(clicks: ClicksATurn) -> KitConfig:
    """A kit whose description has this kind of knob."""
    return structs.replace(KIT, control=structs.replace(KIT.control, clicks=clicks))


def random_kit(dice: Random, *, strip: str | None = None) -> KitConfig:
    """Any kit that can be described, with real parts on pins of its own."""
    spi = dice.random() < 0.3
    free = [pin for pin in range(2, 28) if pin not in ((7, 8, 9, 10, 11) if spi else (2, 3))]
    dice.shuffle(free)
    text = []
    if dice.random() < 0.7:
        buzzer = next(pin for pin in free if pin in BUSES["PWM"])
        free.remove(buzzer)
        text.append(f"buzzer.pin = {buzzer}")
    kind, keys = dice.choice([("knob", ("a", "b", "push")), ("buttons", ("up", "down", "ok"))])
    text.append(f"control = {{ kind = '{kind}', {', '.join(f'{key} = {free.pop()}' for key in keys)} }}")
    if spi:
        text.append(f"display = {{ bus = 'spi', port = 0, dc = {free.pop()}, reset = {free.pop()} }}")
    else:
        driver = dice.choice(["ssd1306", "ssd1309", "sh1106"])
        reset = f", reset = {free.pop()}" if dice.random() < 0.2 else ""
        text.append(f"display = {{ driver = '{driver}', rotate = {dice.choice([0, 180])}{reset} }}")
    if strip is not None:
        text.append(f"strip = {{ port = '{strip}', shape = '{dice.choice(['straight', 'ring'])}' }}")
    if dice.random() < 0.3:
        text.append("panel = { port = 0 }")
    for n in range(dice.randint(2, 6)):
        text.append(f"[[players]]\nname = 'P{n + 1}'\nbutton = {free.pop()}")
        if dice.random() < 0.6:
            text.append(f"lamp = {free.pop()}")
    return parse("\n".join(text))


class WireBus:
    """An I2C bus as smbus2 makes it: who answers, and with which status byte."""

    def __init__(self) -> None:
        self.answers = {0x3C: 0x40}
        self.refuses = errno.EREMOTEIO  # at every other address

    def read_byte(self, address: int, /) -> int:
        if address not in self.answers:
            raise OSError(self.refuses, os.strerror(self.refuses))
        return self.answers[address]

    def write_i2c_block_data(self, address: int, register: int, data: object, /) -> None:
        self.read_byte(address)

    def close(self) -> None:
        pass


class Patient:
    """The machine and the kit. What is not said is healthy."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch, config: KitConfig) -> None:
        self.config = config
        self.root = folder / "root"
        self.state = folder / "state"
        self.now = datetime(2027, 1, 2, tzinfo=UTC)
        self.labels = {self.root / CHIP: "pinctrl-bcm2711"}
        self.looks: dict[int, Look] = {}
        self.versions: dict[str, str | None] = {}
        self.bus = WireBus()
        self.reset: int | None = None  # the line on which the display wants a pulse, or it does not answer
        self.closed: set[Path] = set()  # devices that this user may not use
        self.plugged: tuple[str, ...] = ()  # ports on USB at which a strip may be
        for name in (CHIP, "dev/i2c-1", "dev/spidev0.0"):
            self.file(name)
        self.file("proc/sys/kernel/osrelease", KERNEL)
        self.file("sys/devices/platform/soc/soc:firmware/get_throttled", "0")
        self.file("sys/class/watchdog/watchdog0/identity", "Broadcom BCM2835 Watchdog timer")
        monkeypatch.setattr(clock, "synchronized", lambda: False)
        monkeypatch.setattr(gpio, "labels", lambda folder: self.labels)
        monkeypatch.setattr(gpio, "look", self._look)
        monkeypatch.setattr(gpio, "used", lambda _, pins: [pin for pin in pins if self.looks.get(pin, Look()).holder])
        monkeypatch.setattr(gpio, "after_reset", self._after_reset)
        monkeypatch.setattr("hardware.parts.strip.ports.candidates", lambda: self.plugged)
        access = os.access
        monkeypatch.setattr(os, "access", lambda path, mode: path not in self.closed and access(path, mode))

    def file(self, name: str, text: str = "") -> Path:
        """A file of the machine."""
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return path

    def process(self, number: int, name: str, *words: str, opens: str | None = None) -> None:
        """A program that runs, and has something open."""
        self.file(f"proc/{number}/comm", name)
        self.file(f"proc/{number}/cmdline", "\0".join(words) + "\0")
        files = self.root / f"proc/{number}/fd"
        files.mkdir()
        if opens is not None:
            (files / "3").symlink_to(opens)

    def findings(self, *, playing: bool = False) -> list[Finding]:
        """What the doctor says; `playing`: asked by the kit itself."""
        find = partial(examine, root=self.root, now=self.now, version=self._version, opened=lambda port: self.bus)
        return list(find(self.config, self.state, playing=playing))

    def faults(self) -> list[Finding]:
        """What of it is no praise."""
        return [found for found in self.findings() if found.fault or found.note]

    def _look(self, chip: Path, inputs: list[int], outputs: list[int]) -> dict[int, Look]:
        return {pin: self.looks.get(pin, Look()) for pin in (*inputs, *outputs)}

    @contextmanager
    def _after_reset(self, chip: Path, pin: int) -> Iterator[None]:
        asleep = self.bus.answers
        if pin == self.reset:
            self.bus.answers = {**asleep, 0x3C: 0x40}
        yield
        self.bus.answers = asleep

    def _version(self, library: Library) -> str | None:
        return self.versions.get(library.name, "99.0")


def locked(folder: Path, process: int) -> str:
    """The kernel's list of locks, with the one by which a program holds this folder."""
    status = folder.stat()
    where = f"{os.major(status.st_dev):02x}:{os.minor(status.st_dev):02x}:{status.st_ino}"
    return f"""\
1: POSIX  ADVISORY  WRITE 640 {where} 0 EOF
2: FLOCK  ADVISORY  WRITE 641 fe:00:{status.st_ino + 1} 0 EOF
3: FLOCK  ADVISORY  WRITE {process} {where} 0 EOF
3: -> FLOCK  ADVISORY  WRITE 642 {where} 0 EOF
"""


@contextmanager
def other_device(folder: Path, says: Callable[[bytes], bytes], *, unasked: bytes = b"") -> Iterator[Path]:
    """Something at a serial port, named in this folder: what it answers, and what it says every 50 ms anyway."""
    port = folder / "port"
    with device(port, lambda data: (says(data) if data else b"") + unasked, tick_s=0.05):
        yield port
