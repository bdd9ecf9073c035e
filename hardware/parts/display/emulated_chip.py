"""A model of the display's chip: bytes from the bus in, the visible picture out.

It follows the data sheets of SSD1306, SSD1309 and SH1106 as far as they decide which pixels are lit on a 128x64 panel
with the usual wiring: upright with the segments remapped and the rows scanned backwards.
"""

from typing import Literal, TypeAlias

from PIL import Image, ImageChops

from hardware.parts.display import HEIGHT_PX, SH1106_COLUMN, WIDTH_PX

Controller: TypeAlias = Literal["ssd1306", "ssd1309", "sh1106"]

PAGES = HEIGHT_PX // 8  # a page is 8 rows; a byte is one column of it, its lowest bit on top
REVERSED = bytes(int(f"{byte:08b}"[::-1], 2) for byte in range(256))

_HORIZONTAL, _VERTICAL, _PAGE = 0, 1, 2  # how the address moves on after a byte of data
_ANALOG = frozenset({0xD5, 0xD9, 0xDB})  # clock, pre-charge, voltage: one argument, no pixel depends on it
_GEOMETRY = {0xA8: 0x3F, 0xD3: 0x00, 0xDA: 0x12}  # the one argument that a 128x64 panel works with


class Chip:
    """One chip, after power-up. Not locked: use it from one thread at a time."""

    def __init__(self, controller: Controller, column: int = SH1106_COLUMN) -> None:
        """`column`: where the panel of an SH1106 begins in its memory, as the chip counts its columns."""
        self.controller = controller
        self.bytes = 0  # seen on the wire; with I2C control bytes and addresses
        self.unknown: set[int] = set()  # commands that this chip or this model does not have
        windows = controller != "sh1106"
        self._columns = 128 if windows else 132
        self._left = 0 if windows else self._columns - WIDTH_PX - column  # segments: the remap turns the columns
        pump = {"ssd1306": {0x8D}, "ssd1309": set[int](), "sh1106": {0xAD}}[controller]
        self._ignored = _ANALOG | pump
        self._arguments = dict.fromkeys((*self._ignored, *_GEOMETRY, 0x81), 1)
        if windows:
            self._arguments |= {0x20: 1, 0x21: 2, 0x22: 2}
        self.power_up()

    def power_up(self) -> None:
        """Reset everything, as a loss of power does."""
        # the memory holds noise, which shows where it is not overwritten
        self._memory = bytearray((37 * place + 11) & 0xFF for place in range(PAGES * self._columns))
        self._pending: list[int] = []  # a command that waits for arguments
        self._mode = _PAGE
        self._page, self._column = 0, 0
        self._pages, self._window = (0, PAGES - 1), (0, self._columns - 1)
        self._remapped = self._backwards = False
        self._start_row = 0
        self._inverted = self._all_lit = False
        self.contrast = 0x80 if self.controller == "sh1106" else 0x7F
        self.on = False

    def write(self, payload: bytes) -> None:
        """One I2C write: the bytes after the address."""
        self.bytes += 2  # address and control byte
        match payload[0]:
            case 0x00:
                self.command(*payload[1:])
            case 0x40:
                self.data(payload[1:])
            case control:
                raise ValueError(f"control byte {control:#04x}: must be 0x00 or 0x40")

    def read(self) -> int:
        """One I2C read: the status, whose bit 6 is set while the chip is switched off."""
        self.bytes += 2  # address and answer
        return 0x00 if self.on else 0x40

    def command(self, *command: int) -> None:
        """Bytes with the command line low on SPI, or after control byte 0x00."""
        self.bytes += len(command)
        for byte in command:
            self._pending.append(byte)
            if len(self._pending) > self._arguments.get(self._pending[0], 0):
                code, *arguments = self._pending
                self._pending = []
                if not self._obey(code, arguments):
                    self.unknown.add(code)

    def data(self, data: bytes | list[int]) -> None:
        """Bytes with the command line high on SPI, or after control byte 0x40."""
        self.bytes += len(data)
        for byte in data:
            if self._column < self._columns:
                # the remap turns columns as they are written; memory written before stays as it is
                segment = self._columns - 1 - self._column if self._remapped else self._column
                self._memory[self._page * self._columns + segment] = byte
            self._advance()

    def picture(self) -> Image.Image:
        """The visible picture, mode "1"; black while switched off."""
        if not self.on:
            return Image.new("1", (WIDTH_PX, HEIGHT_PX))
        if self._all_lit:
            return Image.new("1", (WIDTH_PX, HEIGHT_PX), 1)
        columns = bytearray(WIDTH_PX * PAGES)
        for page in range(PAGES):
            start = page * self._columns + self._left
            columns[page::PAGES] = self._memory[start : start + WIDTH_PX][::-1]
        lying = Image.frombytes("1", (HEIGHT_PX, WIDTH_PX), bytes(columns).translate(REVERSED))
        picture = ImageChops.offset(lying.transpose(Image.Transpose.TRANSPOSE), 0, -self._start_row)
        if not self._backwards:
            picture = picture.transpose(Image.Transpose.FLIP_TOP_BOTTOM)
        return ImageChops.invert(picture) if self._inverted else picture

    def _obey(self, code: int, arguments: list[int]) -> bool:
        """Whether the chip has this command and the model follows it."""
        pointer = self._mode == _PAGE  # the single pointer belongs to page addressing; windows have their own
        match code:
            case 0x20 if code in self._arguments:
                self._mode = arguments[0] & 0b11
            case 0x21 if code in self._arguments:
                self._window = (arguments[0] & 0x7F, arguments[1] & 0x7F)
                self._column = self._window[0]
            case 0x22 if code in self._arguments:
                self._pages = (arguments[0] & 0b111, arguments[1] & 0b111)
                self._page = self._pages[0]
            case _ if code <= 0x0F and pointer:
                self._column = (self._column & 0xF0) | code
            case _ if 0x10 <= code <= 0x1F and pointer:
                self._column = (self._column & 0x0F) | (code & 0x0F) << 4
            case _ if 0xB0 <= code <= 0xB7 and pointer:
                self._page = code & 0b111
            case _ if 0x40 <= code <= 0x7F:
                self._start_row = code & 0x3F
            case 0x81:
                self.contrast = arguments[0]
            case 0xA0 | 0xA1:
                self._remapped = code == 0xA1
            case 0xA4 | 0xA5:
                self._all_lit = code == 0xA5
            case 0xA6 | 0xA7:
                self._inverted = code == 0xA7
            case 0xAE | 0xAF:
                self.on = code == 0xAF
            case _ if 0xC0 <= code <= 0xCF:
                self._backwards = code >= 0xC8
            case _ if code in _GEOMETRY:
                return arguments == [_GEOMETRY[code]]
            case _:
                return code in self._ignored or code == 0xE3  # 0xE3: do nothing
        return True

    def _advance(self) -> None:
        """Move the address on after a byte of data."""
        (left, right), (top, bottom) = self._window, self._pages
        if self._mode == _PAGE:
            # SH1106 stays behind its last column, the others begin the same page again
            past = self._column + 1 == self._columns and self.controller != "sh1106"
            self._column = 0 if past else min(self._column + 1, self._columns)
        elif self._mode == _VERTICAL:
            if self._page == bottom:
                self._column = left if self._column == right else self._column + 1
            self._page = top if self._page == bottom else (self._page + 1) % PAGES
        else:
            if self._column == right:
                self._page = top if self._page == bottom else (self._page + 1) % PAGES
            self._column = left if self._column == right else self._column + 1
