"""The kit's bitmap fonts, read with the standard library."""

import zlib
from pathlib import Path

FOLDER = Path(__file__).resolve().parent.parent / "fonts"
FIRST, LAST = " ", "~"  # the pictures begin with these characters, side by side


class Font:
    """Characters of one size, each a number a column: its lowest bit is on top."""

    def __init__(self, size: str) -> None:
        self.width_px, self.height_px = map(int, size.split("x"))
        self._columns = _columns((FOLDER / f"spleen-{size}.png").read_bytes())

    def columns(self, text: str) -> list[int]:
        """A line of text. A character that this font lacks is drawn as a question mark."""
        found: list[int] = []
        for char in text:
            start = (ord(char if FIRST <= char <= LAST else "?") - ord(FIRST)) * self.width_px
            found += self._columns[start : start + self.width_px]
        return found


def _columns(png: bytes) -> list[int]:
    """The columns of a picture with one bit a pixel, as the PNG specification (ISO/IEC 15948) lays it out."""
    at, packed, width, height = 8, b"", 0, 0
    while at < len(png):
        size, kind = int.from_bytes(png[at : at + 4]), png[at + 4 : at + 8]
        data = png[at + 8 : at + 8 + size]
        if kind == b"IHDR":
            width, height = int.from_bytes(data[:4]), int.from_bytes(data[4:8])
        elif kind == b"IDAT":
            packed += data
        at += 12 + size
    rows = _rows(zlib.decompress(packed), (width + 7) // 8, height)
    return [sum((row[x >> 3] >> (7 - (x & 7)) & 1) << y for y, row in enumerate(rows)) for x in range(width)]


def _rows(raw: bytes, stride: int, height: int) -> list[bytes]:
    """Rows of bytes, freed from the filters of PNG (12.2 of the specification); a pixel is less than a byte."""
    rows: list[bytes] = []
    above = bytes(stride)
    for y in range(height):
        start = y * (stride + 1)
        kind, row = raw[start], bytearray(raw[start + 1 : start + 1 + stride])
        for i in range(stride):
            left = row[i - 1] if i else 0
            corner = above[i - 1] if i else 0
            row[i] = (
                row[i] + (0, left, above[i], (left + above[i]) // 2, _nearest(left, above[i], corner))[kind]
            ) & 255
        above = bytes(row)
        rows.append(above)
    return rows


def _nearest(left: int, above: int, corner: int) -> int:
    """The Paeth predictor."""
    guess = left + above - corner
    return min((left, above, corner), key=lambda value: abs(guess - value))
