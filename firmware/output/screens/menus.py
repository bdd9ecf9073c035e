"""Lists and messages of the kit: a list at the control, a table of rows, a word being written, one fact."""

from collections.abc import Sequence

from PIL import Image

from firmware.output.screens.canvas import BODY_PX, FOOT_PX, WIDTH_PX, Canvas, Text, fit, fitting, ink_px, width_px
from firmware.output.screens.font import MEDIUM, NARROW, PLAIN, SMALL, THIN, THINNEST


def letters(
    title: Text, text: str, row: Sequence[str], foot: tuple[Text, Text], *, most: int, marks: str = ""
) -> Image.Image:
    """A name being written: so far, large; below it the letters around the one that OK takes, which is lit.

    `row`: words may stand among them, in small letters. `marks`: what a player's button makes of the letter.
    """
    canvas = Canvas()
    many = f"{len(text)}/{most}"
    canvas.status(title, (f"{marks}  {many}", many) if marks else many)
    canvas.headline(f"{text}_" if len(text) < most else text, BODY_PX, height=23, size=NARROW)
    middle = len(row) // 2
    wide = width_px(row[middle], MEDIUM) + 6
    x = (WIDTH_PX - wide) // 2
    canvas.box(x, 34, wide, 18)
    canvas.centre(x, wide, 35, row[middle], MEDIUM, invert=True)
    for side, beside in ((-1, row[middle - 1 :: -1]), (1, row[middle + 1 :])):
        beyond = wide // 2 + 2
        for sign in beside:
            size = PLAIN if len(sign) == 1 else SMALL
            room = 12 if len(sign) == 1 else width_px(sign, SMALL) + 2
            left = WIDTH_PX // 2 + (beyond if side > 0 else -beyond - room)
            beyond += room
            if beyond > WIDTH_PX // 2:
                break
            canvas.centre(left, room, 38 if size == PLAIN else 41, sign, size)
    canvas.foot(*foot)
    return canvas.picture()


# --- outside a game -------------------------------------------------------------------------------------------------

ROW_PX = 12  # of a list: the rows before and after the one that stands large


def listing(title: Text, right: Text, rows: Sequence[Text], at: int, foot: tuple[Text, Text]) -> Image.Image:
    """A list: the row that the control stands at is large, and read first, between the one before and the one after.

    Marks at the right edge show that it goes on.
    """
    canvas = Canvas()
    canvas.status(title, right)
    canvas.box(0, BODY_PX + ROW_PX, WIDTH_PX, FOOT_PX - BODY_PX - 2 * ROW_PX)
    row, size = sized(rows[at], WIDTH_PX - 4, THIN, THINNEST)
    size = NARROW if width_px(row, NARROW) <= WIDTH_PX - 2 else size
    canvas.headline(row, BODY_PX + ROW_PX, height=23, size=size, invert=True)
    for n, y, mark in ((at - 1, BODY_PX, "▲"), (at + 1, FOOT_PX - ROW_PX, "▼")):
        if 0 <= n < len(rows):
            canvas.centre(0, WIDTH_PX - 9, y, *sized(rows[n], WIDTH_PX - 9, PLAIN, SMALL))
            canvas.text(WIDTH_PX - 7, y, mark, PLAIN)
    canvas.foot(*foot)
    return canvas.picture()


def sized(text: Text, width: int, *sizes: str) -> tuple[str, str]:
    """The first of several texts that fits into a width, and the first size in which one does, or the last."""
    found = [(one, size) for size in sizes if ink_px(one := fit(text, width, size), size) <= width]
    return found[0] if found else (fit(text, width, sizes[-1]), sizes[-1])


ROWS = 4  # of a table on a picture


def table(title: Text, right: Text, rows: Sequence[Text], foot: tuple[Text, Text]) -> Image.Image:
    """Rows of one size, the first `ROWS` of them."""
    canvas = Canvas()
    canvas.status(title, right)
    height = (FOOT_PX - BODY_PX) // ROWS
    for n, row in enumerate(rows[:ROWS]):
        canvas.centre(0, WIDTH_PX, BODY_PX + 2 + n * height, row, PLAIN)
    canvas.foot(*foot)
    return canvas.picture()


def message(
    title: Text, headline: Text, lines: Sequence[Text], foot: tuple[Text, Text], *, right: Text = ""
) -> Image.Image:
    """One fact, with up to three small lines."""
    canvas = Canvas()
    canvas.status(title, right)
    lines = [line for line in lines if line]
    height = FOOT_PX - BODY_PX - 9 * len(lines)
    low = fitting(fit(headline, WIDTH_PX, PLAIN), WIDTH_PX, height, (MEDIUM, PLAIN))
    canvas.headline(headline, height=height, size=low if len(lines) > 2 else "")
    for n, line in enumerate(lines):
        canvas.centre(0, WIDTH_PX, FOOT_PX - 9 * (len(lines) - n), line)
    canvas.foot(*foot)
    return canvas.picture()
