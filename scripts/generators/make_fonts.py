"""Make firmware/fonts/*.pbm from a checkout of Spleen 2.2.0 in FOLDER.

Each picture holds the characters of firmware/output/screens/font.py side by side. Signs that Spleen lacks are drawn
here, letters with marks in scripts/generators/accents.py. The tall sizes, to be read from afar, are Spleen's own
characters with more rows and the same width.
"""

import argparse
from pathlib import Path
from typing import NamedTuple

from PIL import Image, ImageChops, ImageDraw

from firmware.fonts import sheet_file
from firmware.letters import LETTERS
from firmware.output.screens.font import CHARACTERS, SIZES
from scripts.generators.accents import SPECIAL, Cell, composed

ROOT = Path(__file__).resolve().parents[2]

OWN = "▲▼●○–·"  # missing or too small in some sizes


class Stretch(NamedTuple):
    """How a size is made from a lower one: the rows of its zones, before and after."""

    source: str
    zones: tuple[int, ...]  # where they begin: above the capitals, capitals, small letters, below the line, the end
    rows: tuple[int, ...]  # what each of them grows to; nothing: it is laid over the one below it

    @property
    def marked(self) -> "Stretch":
        """The same for a letter with a mark above it: all above the small letters is one zone."""
        return Stretch(self.source, (0, *self.zones[2:]), (self.rows[0] + self.rows[1], *self.rows[2:]))


STRETCHED = {
    "5x9": Stretch("5x8", (0, 1, 2, 7, 8), (1, 1, 6, 1)),
    "5x22": Stretch("5x8", (0, 1, 2, 7, 8), (0, 4, 14, 4)),
    "6x22": Stretch("6x12", (0, 1, 3, 9, 12), (0, 5, 13, 4)),
    "8x22": Stretch("8x16", (0, 2, 5, 12, 15), (0, 5, 13, 4)),
    "12x22": Stretch("12x24", (0, 4, 8, 19, 24), (0, 5, 13, 4)),
}
NARROWEST = "5x22"  # no room for a stroke through the zero
STROKE_PX = 2  # a level stroke of a tall character, where its zone has room


def read_bdf(path: Path) -> tuple[int, int, dict[str, Cell]]:
    """Width and height in px, and the rows of each character that has any ink, of a BDF font with equal cells."""
    glyphs: dict[str, Cell] = {}
    width = height = code = 0
    rows: Cell | None = None
    for line in path.read_text().splitlines():
        key, *values = line.split()
        if key == "FONTBOUNDINGBOX":
            width, height = map(int, values[:2])
        elif key == "ENCODING":
            code = int(values[0])
        elif key == "BITMAP":
            rows = []
        elif key == "ENDCHAR" and rows is not None:
            if chr(code) == " " or any("#" in row for row in rows):
                glyphs[chr(code)] = rows
            rows = None
        elif rows is not None:
            bits = f"{int(key, 16):0{4 * len(key)}b}"[:width]
            rows.append(bits.replace("1", "#").replace("0", "."))
    return width, height, glyphs


def drawn(cell: Cell) -> Image.Image:
    """A cell as a picture."""
    return Image.frombytes("L", (len(cell[0]), len(cell)), bytes(255 * (px == "#") for row in cell for px in row))


def stretched(cell: Image.Image, how: Stretch) -> Image.Image:
    """A character with more rows: level strokes stay thin, all else grows."""
    rows = [[bool(cell.getpixel((x, y))) for x in range(cell.width)] for y in range(cell.height)]
    made: list[list[bool]] = []
    carried: list[list[bool]] = []
    for start, end, room in zip(how.zones, how.zones[1:], how.rows, strict=False):
        zone = rows[start:end]
        if not room:
            carried = zone
            continue
        for row in carried:
            zone[0] = [a or b for a, b in zip(zone[0], row, strict=True)]
        carried = []
        made += [zone[n] for n in copies([level(row) for row in zone], room)]
    out = Image.new("1", (cell.width, len(made)))
    for y, row in enumerate(made):
        for x, lit in enumerate(row):
            out.putpixel((x, y), 255 * lit)
    return out


def level(row: list[bool]) -> bool:
    """Whether a row is a stroke from left to right."""
    run = longest = 0
    for lit in row:
        run = run + 1 if lit else 0
        longest = max(longest, run)
    return longest >= max(2, len(row) // 2 - 1)


def copies(strokes: list[bool], room: int) -> list[int]:
    """Which row stands at each row of a zone."""
    many, others = len(strokes), strokes.count(False)
    if room <= many or not others:
        return [n * many // room for n in range(room)]
    thick = STROKE_PX if room >= 2 * many else 1
    left, out, done = room - thick * (many - others), list[int](), 0
    for n, stroke in enumerate(strokes):
        if stroke:
            out += [n] * thick
        else:
            out += [n] * ((done + 1) * left // others - done * left // others)
            done += 1
    return out


def own_sign(char: str, width: int, height: int, middle: int) -> Image.Image:
    """A sign that the font lacks, drawn to fit its cell."""
    cell = Image.new("1", (width, height))
    draw = ImageDraw.Draw(cell)
    w, x = width - 2, (width - 1) // 2
    radius = max(2, width * 3 // 8)
    if char == "▲":
        draw.polygon([(x, middle - radius), (x - radius, middle + radius), (x + radius, middle + radius)], fill=1)
    elif char == "▼":
        draw.polygon([(x, middle + radius), (x - radius, middle - radius), (x + radius, middle - radius)], fill=1)
    elif char == "●":
        draw.ellipse((x - radius, middle - radius, x + radius, middle + radius), fill=1)
    elif char == "○":
        draw.ellipse((x - radius, middle - radius, x + radius, middle + radius), outline=1)
    elif char == "–":
        draw.line((1, middle, w, middle), fill=1, width=max(1, height // 12))
    elif char == "·":
        draw.rectangle((x, middle, x + width // 8, middle + width // 8), fill=1)
    else:
        raise SystemExit(f"no drawing for {char!r}")
    return cell


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="scripts/make fonts", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path, metavar="FOLDER", help="a checkout of github.com/fcambus/spleen, 2.2.0")
    spleen = parser.parse_args().folder
    for size in SIZES:
        how = STRETCHED.get(size)
        source = size if how is None else how.source
        width, height, glyphs = read_bdf(spleen / f"spleen-{source}.bdf")
        tall = height if how is None else sum(how.rows)
        middle = tall // 2 if how is None else sum(how.rows[:3]) // 2
        sheet = Image.new("1", (width * len(CHARACTERS), tall))
        for n, char in enumerate(CHARACTERS):
            if char in OWN:
                cell = own_sign(char, width, tall, middle)
            else:
                if char not in glyphs or char in SPECIAL.get(source, {}):
                    glyphs[char] = composed(source, char, glyphs)
                cell = drawn(glyphs["O" if (size, char) == (NARROWEST, "0") else char])
                if how is not None:
                    box = cell.getbbox()
                    marked = char in LETTERS and box is not None and box[1] < how.zones[1]
                    cell = stretched(cell, how.marked if marked else how)
            sheet.paste(cell, (n * width, 0))
        ImageChops.invert(sheet).save(sheet_file(size))  # in this format 1 is black
        print(f"{sheet_file(size).relative_to(ROOT)}: {len(CHARACTERS)} characters of {width}x{tall} px")


if __name__ == "__main__":
    main()
