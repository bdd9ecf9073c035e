"""Reads the text on a 128x64 picture, as a player would: by the shapes of the bitmap font's characters."""

from functools import cache

from PIL import Image

from firmware.screens.font import CHARACTERS, SIZES, font


def rows(picture: Image.Image) -> list[int]:
    """Each row of pixels as a number, the leftmost pixel its highest bit."""
    data, width = picture.convert("1").tobytes(), (picture.width + 7) // 8
    return [
        int.from_bytes(data[n * width : (n + 1) * width]) >> (width * 8 - picture.width) for n in range(picture.height)
    ]


@cache
def shapes(size: str) -> dict[tuple[int, ...], str]:
    """Characters of a size by their rows: plain, and bold (a stroke more to the right)."""
    found = {}
    width = font(size).width_px
    for char in CHARACTERS:
        if char != " ":
            plain = tuple(rows(font(size).write(char)))
            found[tuple((row | row >> 1) & (1 << width) - 1 for row in plain)] = char
    for char in CHARACTERS:
        if char != " ":
            found[tuple(rows(font(size).write(char)))] = char
    return found


def lines(picture: Image.Image) -> list[str]:
    """Every piece of text on the picture, lit on dark and dark on lit, the larger sizes first."""
    found: list[str] = []
    for size in reversed(SIZES):
        for flip in (False, True):
            found += _lines(picture, size, flip)
    return found


def _lines(picture: Image.Image, size: str, flip: bool) -> list[str]:
    known, cell = shapes(size), font(size)
    bits = rows(picture)
    if flip:
        bits = [~row & (1 << picture.width) - 1 for row in bits]
    mask = (1 << cell.width_px) - 1
    texts = []
    for y in range(picture.height - cell.height_px + 1):
        window = bits[y : y + cell.height_px]
        if not any(window):
            continue
        taken: dict[int, str] = {}
        for x in range(picture.width - cell.width_px + 1):
            shift = picture.width - cell.width_px - x
            char = known.get(tuple(row >> shift & mask for row in window))
            if char is not None:
                taken[x] = char
        while taken:
            x = min(taken)
            text = ""
            gaps = 0
            while x < picture.width and gaps < 3:
                if x in taken:
                    text += " " * gaps + taken.pop(x)
                    gaps = 0
                else:
                    gaps += 1
                x += cell.width_px
            if sum(char.isalnum() for char in text) >= (1 if size in SIZES[2:] else 2):
                texts.append(text)
    return texts


def text(picture: Image.Image) -> str:
    """All that can be read, in one string; pieces are kept apart by bars."""
    return " | ".join(lines(picture))
