"""Letters that a small size of the font lacks, from those that it has: a base letter and its mark, by `unicodedata`.

A cell is a list of rows, each a text of "#" and ".". Everything is drawn for two sizes: 5x8 and 6x12.
"""

import unicodedata
from typing import NamedTuple, TypeAlias

Cell: TypeAlias = list[str]


class Grid(NamedTuple):
    """Where the letters of a size stand."""

    first: int  # the first row of a letter that has a mark above it
    below: int  # the row of a mark below a letter


GRIDS = {"5x8": Grid(2, 7), "6x12": Grid(2, 9)}
ABOVE = {  # by combining character, the two top rows
    "\u0300": (".#..", "..#."),  # grave
    "\u0301": ("..#.", ".#.."),  # acute
    "\u0302": (".##.", "#..#"),  # circumflex
    "\u0303": (".#.#", "#.#."),  # tilde
    "\u0304": ("####", "...."),  # macron
    "\u0306": ("#..#", ".##."),  # breve
    "\u0307": (".#..", "...."),  # dot
    "\u0308": ("#..#", "...."),  # diaeresis
    "\u030a": (".##.", ".##."),  # ring
    "\u030b": (".#.#", "#.#."),  # double acute
    "\u030c": ("#..#", ".##."),  # caron
}
BELOW = {"\u0327": (".#..", "#..."), "\u0328": ("..#.", "..##")}  # cedilla, ogonek
BESIDE = ("..#", ".#.")  # the caron of a tall letter: an apostrophe to its right
BESIDE_TALL = "dtlL"
TURNED = "g"  # its cedilla stands above, turned round

# by size: a letter without a mark of its own, the one that it is drawn over, and rows: "#" lit, "_" dark, "." as it is
SPECIAL: dict[str, dict[str, tuple[str, dict[int, str]]]] = {
    "5x8": {
        "Æ": (" ", {1: ".###", 2: "#.#.", 3: "####", 4: "#.#.", 5: "#.#.", 6: "#.##"}),
        "æ": (" ", {2: "###.", 3: ".#.#", 4: "####", 5: "##..", 6: ".###"}),
        "Ð": ("D", {3: "##", 4: "##"}),
        "ð": ("o", {0: "#.#.", 1: ".#..", 2: "#.#.", 3: ".###", 4: "#..#"}),
        "Ø": ("0", {1: ".###", 2: "#.##", 3: "#.##", 4: "##.#", 5: "##.#", 6: "###_"}),
        "ø": ("o", {2: ".###", 3: "#.##", 4: "####", 5: "##.#", 6: "###_"}),
        "Þ": (" ", {1: "#", 2: "###", 3: "#..#", 4: "#..#", 5: "###", 6: "#"}),
        "þ": (" ", {1: "#", 2: "###", 3: "#..#", 4: "#..#", 5: "#..#", 6: "###", 7: "#"}),
        "ß": (" ", {1: ".##", 2: "#..#", 3: "#.#", 4: "#..#", 5: "#..#", 6: "#.#"}),
        "×": (" ", {3: "#.#", 4: ".#", 5: "#.#"}),
        "÷": (" ", {2: ".#", 4: "###", 6: ".#"}),
        "Đ": ("D", {3: "##", 4: "##"}),
        "đ": ("d", {1: "..##", 2: ".###"}),
        "Ħ": ("H", {2: "#####"}),
        "ħ": ("h", {0: "##", 1: "#"}),
        "ı": ("i", {1: "____"}),
        "Ĳ": (" ", {1: "#..#", 2: "#..#", 3: "#..#", 4: "#..#", 5: "#..#", 6: "#.#"}),
        "ĳ": (" ", {1: "#..#", 3: "#..#", 4: "#..#", 5: "#..#", 6: "#..#", 7: "..#"}),
        "ĸ": (" ", {2: "#..#", 3: "#.#", 4: "##", 5: "#.#", 6: "#..#"}),
        "Ŀ": ("L", {4: "..#"}),
        "ŀ": ("l", {3: "...#"}),
        "Ł": ("L", {3: "#.#", 4: "##"}),
        "ł": ("l", {2: ".##", 3: "##"}),
        "ŉ": ("n", {0: "#"}),
        "Ŋ": ("N", {7: "..#"}),
        "ŋ": ("n", {7: "..#"}),
        "Œ": (" ", {1: ".###", 2: "#.#", 3: "#.##", 4: "#.#", 5: "#.#", 6: ".###"}),
        "œ": (" ", {2: ".###", 3: "#.##", 4: "#.##", 5: "#.#", 6: ".###"}),
        "Ŧ": ("T", {4: ".###"}),
        "ŧ": ("t", {4: "###"}),
        "ſ": ("f", {3: "_._", 2: ".#"}),
    },
    "6x12": {
        "Đ": ("D", {4: "##", 5: "##"}),
        "đ": ("d", {2: "..###"}),
        "Ħ": ("H", {2: "#####"}),
        "ħ": ("h", {2: "###"}),
        "ı": ("i", {1: "______"}),
        "Ĳ": (" ", dict.fromkeys(range(1, 8), "#...#") | {8: "#.##"}),
        "ĳ": (" ", {1: "#...#", **dict.fromkeys(range(3, 9), "#...#"), 9: "..##"}),
        "ĸ": (" ", {3: "#...#", 4: "#..#", 5: "###", 6: "#.#", 7: "#..#", 8: "#...#"}),
        "Ŀ": ("L", {4: "...#"}),
        "ŀ": ("l", {4: "...#"}),
        "Ł": ("L", {4: "#.#", 5: "##"}),
        "ł": ("l", {3: ".##", 4: "##"}),
        "ŉ": ("n", {0: "#", 1: "#"}),
        "Ŋ": ("N", {9: "...#"}),
        "ŋ": ("n", {9: "...#"}),
        "Œ": (" ", {1: ".####", 2: "#.#", 3: "#.#", 4: "#.##", 5: "#.#", 6: "#.#", 7: "#.#", 8: ".####"}),
        "œ": (" ", {3: ".#.#", 4: "#.#.#", 5: "#.###", 6: "#.#", 7: "#.#", 8: ".#.##"}),
        "Ŧ": ("T", {4: ".###"}),
        "ŧ": ("t", {5: "###"}),
        "ſ": ("f", {4: "_.__"}),
    },
}


def composed(size: str, char: str, glyphs: dict[str, Cell]) -> Cell:
    """A letter of a size, from the letters that it has. Raises `KeyError` for one that cannot be made."""
    if (special := SPECIAL[size].get(char)) is not None:
        base, rows = special
        return over(glyphs[base], rows)
    base, mark = tuple(unicodedata.normalize("NFD", char))
    grid = GRIDS[size]
    if mark in BELOW and base != TURNED:
        return over(glyphs[base], {grid.below + n: row for n, row in enumerate(BELOW[mark])})
    if mark == "\u030c" and base in BESIDE_TALL:
        width = len(glyphs[base][0])
        return over(glyphs[base], {n: row.rjust(width, ".") for n, row in enumerate(BESIDE)})
    cell = glyphs[base]
    if base in "ij":
        cell = over(cell, {n: "_" * len(cell[0]) for n in range(grid.first)})
    cell = lowered(cell, grid.first)
    marks = ABOVE["\u0301" if base == TURNED and mark in BELOW else mark]
    return over(cell, dict(enumerate(marks)))


def lowered(cell: Cell, first: int) -> Cell:
    """The cell with its letter from this row on: rows that repeat the one above are left out, the top ones first."""
    rows = list(cell)
    while any("#" in row for row in rows[:first]):
        doubles = [n for n in range(1, len(rows)) if rows[n] == rows[n - 1] and "#" in rows[n]]
        del rows[doubles[0] if doubles else next(n for n, row in enumerate(rows) if "#" in row)]
        rows.insert(0, "." * len(cell[0]))
    return rows


def over(cell: Cell, rows: dict[int, str]) -> Cell:
    """The cell with these rows laid over it."""
    out = list(cell)
    for n, row in rows.items():
        if n < len(out):
            marks = row.ljust(len(out[n]), ".")
            out[n] = "".join({"#": "#", "_": "."}.get(new, old) for old, new in zip(out[n], marks, strict=True))
    return out
