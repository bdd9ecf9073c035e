"""The bitmap font: crisp 1-bit characters in ten sizes."""

from functools import cache, lru_cache

from PIL import Image

from firmware.fonts import sheet
from firmware.letters import LETTERS

CHARACTERS = "".join(map(chr, range(32, 127))) + "▲▼●○–·" + LETTERS
LIKE = {"-": "—−‐‑", "'": "‘’‚", '"': "“”„«»", " ": "\u00a0", "–": "…"}  # … is a name that was forgotten
ALIKE = {written: drawn for drawn, signs in LIKE.items() for written in signs}  # of editors and phones
DRAWN = frozenset((*CHARACTERS, *ALIKE))
SIZES = ("5x8", "5x9", "6x12", "8x16", "5x22", "6x22", "8x22", "12x22", "16x32", "32x64")


class Font:
    """Characters of one size. Every character is as wide as every other."""

    def __init__(self, size: str) -> None:
        self.width_px, self.height_px = map(int, size.split("x"))
        width_px, height_px, bits = sheet(size)
        self._sheet = Image.frombytes("1", (width_px, height_px), bits)  # not by `open`, which loads five formats
        self._cells: dict[str, Image.Image] = {}  # those that were needed
        box = self._cell("H").getbbox()
        assert box is not None
        self.cap_top_px, self.cap_px = box[1], box[3] - box[1]  # where capitals begin in a cell, and how tall they are

    def write(self, text: str) -> Image.Image:
        """The text as a picture of mode "1"; a character the font lacks becomes a question mark."""
        line = Image.new("1", (max(1, self.width_px * len(text)), self.height_px))
        for n, char in enumerate(text):
            line.paste(self._cell(char), (n * self.width_px, 0))
        return line

    def _cell(self, char: str) -> Image.Image:
        """The picture of a character."""
        if (cell := self._cells.get(char)) is None:
            drawn = ALIKE.get(char, char)
            x = self.width_px * CHARACTERS.index(drawn if drawn in CHARACTERS else "?")
            cell = self._cells[char] = self._sheet.crop((x, 0, x + self.width_px, self.height_px))
        return cell


@cache
def font(size: str) -> Font:
    """One of `SIZES`, read once."""
    return Font(size)


@lru_cache(maxsize=512)  # a picture has mostly the texts of the one before it
def written(size: str, text: str, *, bold: bool = False) -> Image.Image:
    """The text as a picture to paste from, not to be changed; bold adds a stroke to the right."""
    line = font(size).write(text)
    if bold:
        line.paste(255, (1, 0), line.crop((0, 0, line.width - 1, line.height)))
    return line


@lru_cache(maxsize=1024)
def ink(size: str, text: str, *, bold: bool = False) -> tuple[int, int, int, int] | None:
    """The box of a text's lit pixels: left, top, right, bottom; None where there are none."""
    return written(size, text, bold=bold).getbbox()


SMALL, FOOT, PLAIN, MEDIUM, THINNEST, THIN, NARROW, LARGE, HUGE, GIANT = SIZES
HEADLINES = (GIANT, HUGE, LARGE, NARROW, THIN, THINNEST)  # their capitals are read from the far side of a table
BOLD = (GIANT, HUGE, LARGE)  # sizes that have room for another stroke
