"""A tone by the kernel's PWM: hardware makes it, no thread wakes for it. What it stands on: docs/decisions/0016."""

import errno
import os
import time
from collections.abc import Iterator, Mapping
from contextlib import suppress
from fcntl import LOCK_EX, LOCK_NB, flock
from pathlib import Path
from typing import NamedTuple

ROOT = Path("/")
# the channels of the header's lines, by the controller's name in the device tree
CHANNELS: Mapping[str, Mapping[int, int]] = {
    "brcm,bcm2835-pwm": {12: 0, 13: 1, 18: 0, 19: 1},  # Raspberry Pi Zero to 4
    "raspberrypi,rp1-pwm": {12: 0, 13: 1, 18: 2, 19: 3},  # 5
}
FUNCTIONS: Mapping[int, int] = {12: 4, 13: 4, 18: 2, 19: 2}  # with which a line carries PWM: its `func` in config.txt
FILES = ("enable", "period", "duty_cycle")
RIGHTS_S = 1.0  # udev gives rights on a channel some ms after it was exported
POLL_S = 0.005


class Channel(NamedTuple):
    """A channel of a PWM controller."""

    device: Path
    number: int

    @property
    def chip(self) -> Path:
        """Its chip in sysfs; the number in its name differs between kernels. Raises `OSError` where it is gone."""
        for chip in self.device.glob("pwm/pwmchip*"):
            return chip
        raise OSError(errno.ENODEV, f"{self.device.name} has no PWM chip")


def channels(root: Path = ROOT) -> dict[int, Channel]:
    """The lines of the header that the device tree gives to PWM (`dtoverlay=pwm`); known before a driver is loaded."""
    found = {}
    for device in sorted((root / "sys/bus/platform/devices").glob("*.pwm")):
        node = (device / "of_node").resolve()
        names = _read(node / "compatible").decode(errors="replace").split("\0")
        numbers = next((CHANNELS[name] for name in names if name in CHANNELS), {})
        # the fan of a Raspberry Pi 5 and the sound of a 4 have the like, but no line of the header
        found.update({pin: Channel(device.resolve(), numbers[pin]) for pin in _pins(node) if pin in numbers})
    return found


def _pins(node: Path) -> Iterator[int]:
    """The lines that a device's node takes for PWM."""
    wanted = _cells(node / "pinctrl-0")
    for phandle in node.parent.glob("gpio@*/*/phandle"):
        if _cells(phandle)[0] in wanted:
            pins, functions = _cells(phandle.with_name("brcm,pins")), _cells(phandle.with_name("brcm,function"))
            if len(functions) == 1:  # one for all
                functions *= len(pins)
            yield from (pin for pin, function in zip(pins, functions, strict=False) if FUNCTIONS.get(pin) == function)


def _cells(path: Path) -> list[int]:
    """The numbers of a property in the device tree."""
    data = _read(path)
    return [int.from_bytes(data[at : at + 4]) for at in range(0, len(data), 4)]


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError:
        return b""


class PwmTone:
    """A channel that is silent or makes one tone. Where its chip is gone each use raises `OSError`."""

    def __init__(self, channel: Channel) -> None:
        """Take the channel, for this program alone. Raises `OSError`; takes a second where rights are missing."""
        chip = channel.chip
        self._channel = channel
        self._files: dict[str, int] = {}
        folder = chip / f"pwm{channel.number}"
        if not folder.exists():  # else a program was killed that had it, or has it
            (chip / "export").write_text(str(channel.number))
        try:
            self._open(folder)
            self._duty_ns = self._number("duty_cycle")
            self._on = bool(self._number("enable"))
            self.sound(0)
        except OSError:
            self._close()
            raise

    def sound(self, hz: int) -> None:
        """Make this tone from now on; 0: silence."""
        if not hz:
            if self._on:  # of a channel that was never used the kernel refuses it
                self._write("enable", 0)
            self._on = False
            return
        period_ns = round(1e9 / hz)
        if period_ns < self._duty_ns:  # the kernel refuses it
            self._write("duty_cycle", 0)
        self._write("period", period_ns)
        self._duty_ns = period_ns // 2
        self._write("duty_cycle", self._duty_ns)
        if not self._on:
            self._write("enable", 1)
        self._on = True

    def close(self) -> None:
        """Silence; let go of the channel, if it is still there."""
        with suppress(OSError):
            self.sound(0)
            (self._channel.chip / "unexport").write_text(str(self._channel.number))
        self._close()

    def _open(self, folder: Path) -> None:
        end = time.monotonic() + RIGHTS_S
        for name in FILES:
            while name not in self._files:
                try:
                    self._files[name] = os.open(folder / name, os.O_RDWR | os.O_CLOEXEC)
                except OSError:
                    if time.monotonic() > end:
                        raise
                    time.sleep(POLL_S)
        try:
            flock(self._files["enable"], LOCK_EX | LOCK_NB)
        except BlockingIOError as error:
            raise OSError(errno.EBUSY, f"{folder} is busy: another program has it") from error

    def _number(self, name: str) -> int:
        return int(os.pread(self._files[name], 32, 0))

    def _write(self, name: str, value: int) -> None:
        os.pwrite(self._files[name], b"%d\n" % value, 0)

    def _close(self) -> None:
        while self._files:
            os.close(self._files.popitem()[1])
