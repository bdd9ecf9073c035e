"""The kit's bitmap fonts: one picture a size, with all its characters side by side. `scripts/make fonts` makes them."""

from pathlib import Path
from typing import NamedTuple

FOLDER = Path(__file__).resolve().parent


class FontSheet(NamedTuple):
    """The characters of one size. Each row is whole bytes, the highest bit at the left; 1 is lit."""

    width_px: int
    height_px: int
    bits: bytes


def sheet_file(size: str, folder: Path = FOLDER) -> Path:
    """The file of a size, as "5x8": a character's width and height in pixels."""
    return folder / f"spleen-{size}.pbm"


def sheet(size: str) -> FontSheet:
    """Read a size: a file of Netpbm's format P4."""
    kind, shape, bits = sheet_file(size).read_bytes().split(b"\n", 2)
    assert kind == b"P4"
    width_px, height_px = map(int, shape.split())
    return FontSheet(width_px, height_px, bits)
