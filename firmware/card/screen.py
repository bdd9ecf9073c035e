"""A picture on the kit's display before anything is installed: plain commands on the kernel's I2C."""

import fcntl
import os
import textwrap
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import NamedTuple

from firmware.card.font import CardFont

WIDTH_PX, PAGES = 128, 8
MARGIN_PX = 2  # left of texts: an SH1106 that is not described as one cuts it off
ADDRESS = 0x0703  # I2C_SLAVE of <linux/i2c-dev.h>
COMMAND, DATA = b"\x00", b"\x40"
PIECE = 32  # bytes at once
PUMP = {"ssd1306": (0x8D, 0x14), "sh1106": (0xAD, 0x8B)}  # the voltage for the panel; the SSD1309's comes from outside


class CardDisplay(NamedTuple):
    """The display of a kit, as its description has it; without one all that may be there."""

    port: int | None = 1  # of the I2C bus; None: it is on another bus, and nothing can be drawn yet
    addresses: tuple[int, ...] = (0x3C, 0x3D)
    driver: str = ""  # "": not known, so what all chips understand
    left: int = 0  # the column of the chip's memory at which the panel begins
    upside_down: bool = False


class Screen:
    """Shows a title, some lines and a bar, as large as the kit's own texts. Without a display it does nothing."""

    def __init__(
        self, module: CardDisplay, bus: Callable[[CardDisplay], Path] = lambda module: Path(f"/dev/i2c-{module.port}")
    ) -> None:
        self._module = module
        self._bus = bus
        self._open: dict[int, int] = {}  # address: file

    @property
    def there(self) -> bool:
        """Whether a display has answered."""
        return bool(self._open)

    def show(self, title: str, text: str = "", done: float | None = None) -> None:
        """`done`: the part of the work that is done, 0 to 1, as a bar below; None: no bar."""
        self._send(pages(title, text, done))

    def close(self) -> None:
        """Let go of the bus; the picture stays."""
        for file in self._open.values():
            os.close(file)
        self._open = {}

    def _send(self, pages: list[bytes]) -> None:
        if self._module.port is None:
            return
        for address in self._module.addresses:
            try:
                if address not in self._open:
                    self._open[address] = self._wake(address)
                file, left = self._open[address], self._module.left
                for page, columns in enumerate(pages):
                    os.write(file, COMMAND + bytes((0xB0 + page, left & 15, 0x10 + (left >> 4))))
                    for start in range(0, WIDTH_PX, PIECE):
                        os.write(file, DATA + columns[start : start + PIECE])
            except OSError:  # nothing answers there, or no longer
                if address in self._open:
                    os.close(self._open.pop(address))

    def _wake(self, address: int) -> int:
        file = os.open(self._bus(self._module), os.O_RDWR)
        try:
            fcntl.ioctl(file, ADDRESS, address)
            os.write(file, COMMAND + bytes(self._commands()))
        except OSError:
            with suppress(OSError):
                os.close(file)
            raise
        return file

    def _commands(self) -> list[int]:
        """What the chips need after power-up, by their data sheets; page addressing is what all three have."""
        driver = self._module.driver
        pumps = [PUMP[driver]] if driver in PUMP else [] if driver else list(PUMP.values())
        turned = (0xA0, 0xC0) if self._module.upside_down else (0xA1, 0xC8)
        return [
            *(0xAE, 0xA8, 0x3F, 0xD3, 0x00, 0x40, *turned, 0xDA, 0x12, 0x81, 0xCF, 0xA4, 0xA6),
            *(code for pump in pumps for code in pump),
            *(() if driver == "sh1106" else (0x20, 0x02)),
            0xAF,
        ]


def pages(title: str, text: str = "", done: float | None = None) -> list[bytes]:
    """A picture as the chips' memory has it: eight rows of columns, eight pixels each, the lowest bit on top."""
    big, small = _fonts()
    rows = [0] * WIDTH_PX  # a column's pixels as a number, the lowest bit on top
    _put(rows, big, title[: (WIDTH_PX - MARGIN_PX) // big.width_px], 0)
    wide = (WIDTH_PX - MARGIN_PX) // small.width_px
    lines = [line for part in text.splitlines() for line in textwrap.wrap(part, wide) or [""]]
    for number, line in enumerate(lines[: 4 if done is not None else 5]):
        _put(rows, small, line, 18 + 9 * number)
    if done is not None:
        frame, lit = 0b11111111 << 56, 0b10000001 << 56
        for x in range(WIDTH_PX):
            rows[x] |= frame if x in (0, WIDTH_PX - 1) or x < done * WIDTH_PX else lit
    return [bytes(column >> 8 * page & 255 for column in rows) for page in range(PAGES)]


@cache
def _fonts() -> tuple[CardFont, CardFont]:
    return CardFont("8x16"), CardFont("5x8")


def _put(rows: list[int], font: CardFont, text: str, top: int) -> None:
    for x, column in enumerate(font.columns(text), MARGIN_PX):
        rows[x] |= column << top
