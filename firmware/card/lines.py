"""Lamps and buzzer before anything is installed: output lines of the kernel's GPIO character device, and its PWM."""

import fcntl
import os
import struct
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path

from hardware.header_chip import header_chips
from hardware.parts.buzzer.pwm import PwmTone, channels

# <linux/gpio.h>: the requests' numbers and layouts
CHIP_INFO, CHIP_INFO_BYTES = 0x8044B401, 68
GET_LINES = 0xC250B407
SET_VALUES = 0xC010B40F
OUTPUT = 1 << 3
TONE_HZ, TONE_S = 880, 0.25  # long enough to be counted
PAUSE_S = 0.4


class OutputLines:
    """Some output lines, all off at first."""

    def __init__(self, pins: Sequence[int], folder: Path = Path("/dev")) -> None:
        """Raises `OSError` where there is no such chip, or a line is in use."""
        self._mask = (1 << len(pins)) - 1
        offsets = struct.pack("64I", *pins, *[0] * (64 - len(pins)))
        config = struct.pack("QI", OUTPUT, 0) + bytes(20 + 240)
        request = offsets + b"luckypaw-card".ljust(32, b"\0") + config + struct.pack("II", len(pins), 0) + bytes(20 + 4)
        with _header(folder).open("r+b", buffering=0) as chip:
            answer = fcntl.ioctl(chip, GET_LINES, request)
        self._file = struct.unpack("i", answer[-4:])[0]

    def set(self, bits: int) -> None:
        """Switch the lines; the lowest bit is the first one."""
        fcntl.ioctl(self._file, SET_VALUES, struct.pack("QQ", bits, self._mask))

    def close(self) -> None:
        """Off, and let go."""
        with suppress(OSError):
            self.set(0)
        os.close(self._file)


def blink(times: int, lamps: Sequence[int], buzzer: int | None, folder: Path = Path("/dev")) -> bool:
    """So many flashes of all lamps, each with a beep; whether there are lines for it. Takes 0.65 s each.

    A line that is the PWM's would be lost to it if it was requested: docs/decisions/0016.
    """
    by_pwm = channels()
    by_line = [] if buzzer is None or buzzer in by_pwm else [buzzer]
    pins = [*lamps, *by_line]
    tone = None
    if buzzer in by_pwm:
        with suppress(OSError):
            tone = PwmTone(by_pwm[buzzer])
    try:
        lines = OutputLines(pins, folder) if pins else None
    except OSError:
        lines = None
    if lines is None and tone is None:
        return False
    lit = (1 << len(lamps)) - 1
    for _ in range(times):
        with suppress(OSError):
            if tone is not None:
                tone.sound(TONE_HZ)
            for sounding in _waves():
                if lines is not None:
                    lines.set(lit | (1 << len(lamps) if by_line and sounding else 0))
            if lines is not None:
                lines.set(0)
            if tone is not None:
                tone.sound(0)
        time.sleep(PAUSE_S)
    for part in (lines, tone):
        if part is not None:
            part.close()
    return True


def _waves() -> Iterator[bool]:
    """The piezo's states during one beep."""
    ends = time.monotonic() + TONE_S
    while time.monotonic() < ends:
        yield True
        time.sleep(0.5 / TONE_HZ)
        yield False
        time.sleep(0.5 / TONE_HZ)


def _header(folder: Path) -> Path:
    labels = {}
    for path in sorted({path.resolve() for path in folder.glob("gpiochip*")}):
        with path.open("r+b", buffering=0) as chip:
            info = fcntl.ioctl(chip, CHIP_INFO, bytes(CHIP_INFO_BYTES))
        labels[path] = info[32:64].rstrip(b"\0").decode(errors="replace")
    for path in header_chips(labels):
        return path
    raise OSError(f"no chip of a Raspberry Pi's header in {folder}")
