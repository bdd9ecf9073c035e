"""The kit's bitmap fonts, for drawing with the standard library."""

from firmware.fonts import FontSheet, sheet

FIRST, LAST = " ", "~"  # the pictures begin with these characters, side by side


class CardFont:
    """Characters of one size, each a number a column: its lowest bit is on top."""

    def __init__(self, size: str) -> None:
        self.width_px, self.height_px = map(int, size.split("x"))
        self._columns = _columns(sheet(size))

    def columns(self, text: str) -> list[int]:
        """A line of text. A character that this font lacks is drawn as a question mark."""
        found: list[int] = []
        for char in text:
            start = (ord(char if FIRST <= char <= LAST else "?") - ord(FIRST)) * self.width_px
            found += self._columns[start : start + self.width_px]
        return found


def _columns(sheet: FontSheet) -> list[int]:
    stride = (sheet.width_px + 7) // 8
    rows = [sheet.bits[y * stride : (y + 1) * stride] for y in range(sheet.height_px)]
    return [sum((row[x >> 3] >> (7 - (x & 7)) & 1) << y for y, row in enumerate(rows)) for x in range(sheet.width_px)]
