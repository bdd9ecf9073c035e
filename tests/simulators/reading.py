"""Reads the text on a 128x64 picture, as a player would: by the shapes of the bitmap font's characters."""

from functools import cache, lru_cache
from typing import NamedTuple

from PIL import Image

from firmware.letters import LETTERS
from firmware.output.screens.font import BOLD, CHARACTERS, MEDIUM, SIZES, font, written

MARGIN = 16  # columns beside a picture: a cell may reach beyond it, its lit pixels may not
ALONE = 2  # dark pixels around a number of one small digit


class Line(NamedTuple):
    """A piece of text, and the cells that it takes."""

    text: str
    size: str
    left: int
    top: int
    right: int
    bottom: int

    @property
    def area(self) -> int:
        """Pixels of its characters' cells."""
        cell = font(self.size)
        return sum(char != " " for char in self.text) * cell.width_px * cell.cap_px

    def meets(self, other: "Line") -> bool:
        """Whether two lie over each other."""
        across = self.left < other.right and other.left < self.right
        return across and self.top < other.bottom and other.top < self.bottom


def rows(picture: Image.Image) -> list[int]:
    """Each row of pixels as a number, the leftmost pixel its highest bit."""
    data, width = picture.convert("1").tobytes(), (picture.width + 7) // 8
    return [
        int.from_bytes(data[n * width : (n + 1) * width]) >> (width * 8 - picture.width) for n in range(picture.height)
    ]


Shapes = dict[int, dict[tuple[int, ...], str]]  # by how many rows they reach down from the top of a capital


@cache
def shapes(size: str) -> Shapes:
    """Characters of a size by their rows, plain and bold; what is above and below their own pixels may be anything."""
    found: Shapes = {}
    cell = font(size)
    for bold in (True, False) if size in BOLD else (False,):
        plain = sorted(set(CHARACTERS) - set(LETTERS))  # one with a mark would be read into much
        for char in sorted(plain, key=str.isdigit):  # of two that are alike: the digit
            line = written(size, f"{char} ", bold=bold).crop((0, 0, cell.width_px, cell.height_px))
            if (box := line.getbbox()) is not None:
                bottom = max(box[3], cell.cap_top_px + cell.cap_px)
                bits = tuple(rows(line)[cell.cap_top_px : bottom])
                found.setdefault(len(bits), {})[bits] = char
    return dict(sorted(found.items(), reverse=True))


def lines(picture: Image.Image) -> list[str]:
    """Every piece of text on the picture, lit on dark and dark on lit, the larger sizes first."""
    return list(_lines(picture.convert("1").tobytes(), picture.width, picture.height))


@lru_cache(maxsize=256)
def _lines(data: bytes, width: int, height: int) -> tuple[str, ...]:
    lit = tuple(rows(Image.frombytes("1", (width, height), data)))
    whole = (1 << width) - 1
    dark = tuple(~row & whole for row in lit)
    found = [line for size in SIZES for bits in (lit, dark) for line in _in_size(bits, width, size)]
    taken: list[Line] = []
    for line in sorted(found, key=lambda line: -line.area):  # what is read in a part of it is no text
        if not any(line.meets(other) for other in taken):
            taken.append(line)
    taken.sort(key=lambda line: (-SIZES.index(line.size), line.top, line.left))
    return tuple(line.text for line in taken)


@lru_cache(maxsize=16)
def _cells(bits: tuple[int, ...], width: int, cell_px: int) -> list[list[int]]:
    """Of each row of pixels its piece in every cell of this width, from the right."""
    mask = (1 << cell_px) - 1
    shifts = range(width + 2 * MARGIN - cell_px + 1)
    rows = (row << MARGIN for row in bits)
    return [[row >> shift & mask for shift in shifts] if row else [0] * len(shifts) for row in rows]


def _in_size(bits: tuple[int, ...], width: int, size: str) -> list[Line]:
    known, cell = shapes(size), font(size)
    mask, deepest = (1 << cell.width_px) - 1, max(known)
    last = width + 2 * MARGIN - cell.width_px
    cells = _cells(bits, width, cell.width_px)
    three = (0, cell.cap_px // 2, cell.cap_px - 1)  # rows that tell most cells without a character at once
    hints = {tuple(char[n] for n in three) for chars in known.values() for char in chars}
    found: list[Line] = []
    for y in range(len(bits) - cell.cap_px + 1):
        likely = 0  # where anything is lit
        for row in bits[y : y + cell.cap_px]:
            likely |= row << MARGIN
        if not likely:
            continue
        taken: dict[int, tuple[str, int]] = {}
        for shift, hint in enumerate(zip(*(cells[y + n] for n in three), strict=True)):
            if hint not in hints or not likely >> shift & mask:
                continue
            column = tuple(row[shift] for row in cells[y : y + deepest])
            for height, chars in known.items():
                if (char := chars.get(column[:height])) is not None:
                    taken[last - MARGIN - shift] = (char, height)
                    break
        while taken:
            left = x = min(taken)
            text, gaps, bottom, right = "", 0, y, x
            while x < width and gaps < 3:
                if x in taken:
                    char, height = taken.pop(x)
                    text, gaps = text + " " * gaps + char, 0
                    bottom, right = max(bottom, y + height), x + cell.width_px
                else:
                    gaps += 1
                x += cell.width_px
            line = Line(text, size, left, y, right, bottom)
            signs = sum(char.isalnum() for char in text)
            if signs >= (1 if SIZES.index(size) >= SIZES.index(MEDIUM) else 2) or (
                text.isdigit() and _stands_alone(bits, width, line)
            ):
                found.append(line)
    return found


def _stands_alone(bits: tuple[int, ...], width: int, line: Line) -> bool:
    """Whether nothing is lit around a small digit: alone it is a number, beside other pixels part of a picture."""
    left, right = max(line.left - ALONE, 0), min(line.right + ALONE, width)
    columns = (1 << width - left) - (1 << width - right)
    inner = (1 << width - line.left) - (1 << width - min(line.right, width))
    return all(
        not row & columns & ~(inner if line.top <= y < line.bottom else 0)
        for y, row in enumerate(bits)
        if line.top - ALONE <= y < line.bottom + ALONE
    )


def text(picture: Image.Image) -> str:
    """All that can be read, in one string; pieces are kept apart by bars."""
    return " | ".join(lines(picture))
