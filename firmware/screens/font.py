"""The bitmap font: crisp 1-bit characters in six sizes, from PNG sheets beside the program."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache, lru_cache
from pathlib import Path

from PIL import Image

CHARACTERS = "".join(map(chr, range(32, 127))) + "▲▼●○–·"
SIZES = ("5x8", "6x12", "8x16", "12x24", "16x32", "32x64")
FOLDER = Path(__file__).resolve().parent.parent / "fonts"


class Font:
    """Characters of one size. Every character is as wide as every other."""

    def __init__(self, size: str) -> None:
        self.width_px, self.height_px = map(int, size.split("x"))
        with Image.open(FOLDER / f"spleen-{size}.png") as sheet:
            sheet.load()
            self._cells = {
                char: sheet.crop((n * self.width_px, 0, (n + 1) * self.width_px, self.height_px))
                for n, char in enumerate(CHARACTERS)
            }

    def write(self, text: str) -> Image.Image:
        """The text as a picture of mode "1"; a character the font lacks becomes a question mark."""
        line = Image.new("1", (max(1, self.width_px * len(text)), self.height_px))
        for n, char in enumerate(text):
            line.paste(self._cells.get(char) or self._cells["?"], (n * self.width_px, 0))
        return line


@cache
def font(size: str) -> Font:
    """One of `SIZES`, read once."""
    return Font(size)


_texts: ContextVar[list[str] | None] = ContextVar("texts", default=None)


@contextmanager
def texts() -> Iterator[list[str]]:
    """What is written from here on, in words, in the order of writing."""
    found: list[str] = []
    token = _texts.set(found)
    try:
        yield found
    finally:
        _texts.reset(token)


def written(size: str, text: str, *, bold: bool = False) -> Image.Image:
    """The text as a picture to paste from, never to be changed; bold is a stroke more to the right."""
    if (found := _texts.get()) is not None:
        found.append(text)
    return _drawn(size, text, bold)


@lru_cache(maxsize=512)  # a picture says mostly what the one before it said
def _drawn(size: str, text: str, bold: bool) -> Image.Image:
    line = font(size).write(text)
    if bold:
        line.paste(255, (1, 0), line.crop((0, 0, line.width - 1, line.height)))
    return line


SMALL, PLAIN, MEDIUM, LARGE, HUGE, GIANT = SIZES
