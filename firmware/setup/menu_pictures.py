"""Pictures of setting up: what is told at length, what takes a while, and the strip's test."""

from collections.abc import Sequence

from PIL import Image

from firmware.output.screens.canvas import BODY_PX, FOOT_PX, WIDTH_PX, Canvas, Text
from firmware.output.screens.font import FOOT
from firmware.output.screens.menus import message
from firmware.output.screens.notices import COLUMNS, LINE_PX, wrap
from firmware.translation import _

LINES = (FOOT_PX - BODY_PX) // LINE_PX
MANY = 1000  # more lines than anything told has
BAR_PX = 8
SPELLED = {"Ω": "ohm", "µ": "u"}  # signs that the font lacks


def pages(text: str) -> tuple[tuple[str, ...], ...]:
    """A text in pages of `LINES` lines."""
    for sign, word in SPELLED.items():
        text = text.replace(sign, word)
    lines = wrap(text, COLUMNS, MANY)
    return tuple(tuple(lines[start : start + LINES]) for start in range(0, len(lines), LINES))


def page(title: Text, right: Text, lines: Sequence[str], foot: tuple[Text, Text]) -> Image.Image:
    """A page of something told."""
    canvas = Canvas()
    canvas.status(title, right)
    for n, line in enumerate(lines):
        canvas.text(1, BODY_PX + 1 + LINE_PX * n, line, FOOT)
    canvas.foot(*foot)
    return canvas.picture()


def working(title: str, headline: str, line: str, done: float | None = None) -> Image.Image:
    """Something that takes a while; `done`: 0 to 1, where that is known."""
    if done is None:
        return message(title, headline, (line,), ("", ""))
    canvas = Canvas()
    canvas.status(title)
    canvas.headline(headline, height=24)
    canvas.centre(0, WIDTH_PX, 34, line)
    canvas.frame(4, 46, WIDTH_PX - 8, BAR_PX)
    canvas.box(6, 48, round((WIDTH_PX - 12) * done), BAR_PX - 4)
    return canvas.picture()


def leaving() -> Image.Image:
    """The guided check is over once OK is released."""
    return working(_("CHECK THE KIT"), _("LET GO"), _("of OK, please"))


def flashing(what: str, done: float) -> Image.Image:
    """The strip's program on its way to the controller."""
    return working(_("FLASH THE STRIP"), _("FLASHING"), what, done)


def measuring(done: int, pulses: int) -> Image.Image:
    """A measurement of the timing error under way."""
    return working(_("CALIBRATION"), _("MEASURING"), _("press no button now"), done / pulses)
