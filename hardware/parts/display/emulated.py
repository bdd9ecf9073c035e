"""A display without hardware: the real twin, its bytes written through luma's own I2C into a model of the chip."""

import errno
import threading
import time
from collections.abc import Callable
from threading import RLock
from typing import Literal

import smbus2
from luma.core.error import DeviceNotFoundError
from PIL import Image

from hardware.parts import Report
from hardware.parts.display.emulated_chip import Chip, Controller
from hardware.parts.display.oled import I2c, OledDisplay

ADDRESS = 0x3C


class I2cBus:
    """An I2C bus of smbus2 with one chip on it. May be unplugged at any time, from any thread."""

    def __init__(self, chip: Chip) -> None:
        self.chip = chip
        self.lock = threading.Lock()  # held while the chip is written or read
        self.plugged = True

    def write_i2c_block_data(self, address: int, register: int, data: list[int]) -> None:
        """luma's way to send commands."""
        with self.lock:
            if not self._answers(address):
                # luma raises this instead of the system's error, by a name that only Linux has
                raise DeviceNotFoundError(f"I2C device not found on address: {address:#04X}")
            self.chip.write(bytes((register, *data)))

    def i2c_rdwr(self, *messages: smbus2.i2c_msg) -> None:
        """luma's way to send data."""
        for message in messages:
            with self.lock:
                if not self._answers(message.addr):
                    raise OSError(errno.EIO, "Input/output error")
                self.chip.write(bytes(message))

    def read_byte(self, address: int) -> int:
        """The chip's status."""
        with self.lock:
            if not self._answers(address):
                raise OSError(errno.EIO, "Input/output error")
            return self.chip.read()

    def close(self) -> None:
        """Nothing to close."""

    def _answers(self, address: int) -> bool:
        return self.plugged and address == ADDRESS


class EmulatedI2c(I2c):
    """luma's I2C on a bus that is not in /dev, with the long writes that luma does on buses it has opened itself."""

    def __init__(self, bus: I2cBus) -> None:
        super().__init__(bus=bus, address=ADDRESS)
        self._managed = True
        self._i2c_msg_write = smbus2.i2c_msg.write


class EmulatedDisplay(OledDisplay):
    """The emulated twin: its picture is decoded from the bytes that a real chip would get."""

    def __init__(
        self,
        controller: Controller = "ssd1309",
        report: Report = lambda part, text: None,
        *,
        rotate: Literal[0, 180] = 0,
        clock: Callable[[], int] = time.monotonic_ns,
        threaded: bool = True,
    ) -> None:
        self.chip = Chip(controller)
        self._bus = I2cBus(self.chip)
        self._turned = rotate == 180
        self._on_picture: Callable[[bytes], None] | None = None
        self._watched = RLock()
        super().__init__(
            controller,
            lambda: EmulatedI2c(self._bus),
            report,
            rotate=rotate,
            place=f"{ADDRESS:#04x} on the emulated I2C bus",
            clock=clock,
            threaded=threaded,
        )

    @property
    def level(self) -> int:
        """The chip's contrast, 0 to 255."""
        return self.chip.contrast

    def picture(self) -> Image.Image:
        """The picture as people see it: turned on a panel mounted upside down. Black without power."""
        with self._bus.lock:
            picture = self.chip.picture()
        return picture.rotate(180) if self._turned else picture

    def watch(self, on_picture: Callable[[bytes], None]) -> None:
        """Report the picture as 64 rows of 16 bytes, leftmost pixel highest: now and at each change. Any thread."""
        self._on_picture = on_picture
        self._settled()

    def unplug(self) -> None:
        """Take the display off its bus and its power."""
        with self._bus.lock:
            self._bus.plugged = False
            self.chip.power_up()
        self._settled()

    def replug(self) -> None:
        """Put it back, dark and with noise in its memory. The next retry finds it."""
        with self._bus.lock:
            self._bus.plugged = True

    def _settled(self) -> None:
        with self._watched:  # an older picture is never seen last
            if self._on_picture is not None:
                self._on_picture(self.picture().tobytes())
