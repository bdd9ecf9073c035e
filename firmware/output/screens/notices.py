"""Pictures of the kit: a note over a picture, the start and the end, and the paw of a sleeping kit."""

from PIL import Image

from firmware.output.screens.canvas import BODY_PX, FOOT_PX, HEIGHT_PX, WIDTH_PX, Canvas, width_px
from firmware.output.screens.font import FOOT, font
from firmware.output.screens.menus import message
from firmware.translation import _

WANDER_STEP_NS = 20_000_000_000
LINE_PX = 9
COLUMNS = (WIDTH_PX - 2) // font(FOOT).width_px
GOES_ON = "..."  # a text too long for the picture; all of it is in the log


def noted(picture: Image.Image, text: str) -> Image.Image:
    """A picture with a note over it, in the top row or above the bottom one, which still says what to do."""
    canvas = Canvas(picture)
    lines = wrap(text, COLUMNS, FOOT_PX // LINE_PX)
    if len(lines) == 1:
        canvas.note(lines[0])
        return canvas.picture()
    end = FOOT_PX - 1  # dark between the note and the bottom row
    top = end - LINE_PX * len(lines)
    canvas.cover(max(0, top - 1), FOOT_PX)
    canvas.box(0, top, WIDTH_PX, end - top)
    for n, line in enumerate(lines):
        canvas.text(1, top + LINE_PX * n, line, FOOT, invert=True)
    return canvas.picture()


def waiting(picture: Image.Image, part: float) -> Image.Image:
    """A picture that takes no input yet: instead of its keys a bar, of which this part is filled."""
    canvas = Canvas(picture)
    canvas.cover(FOOT_PX, HEIGHT_PX)
    canvas.box(0, FOOT_PX, WIDTH_PX, HEIGHT_PX - FOOT_PX)
    text = _("wait ...")
    canvas.text(1, FOOT_PX, text, FOOT, invert=True)
    left, right = width_px(text, FOOT) + 6, WIDTH_PX - 2
    canvas.bar(left, FOOT_PX + 2, right - left, HEIGHT_PX - FOOT_PX - 4, part)
    return canvas.picture()


def wrap(text: str, width: int, most: int) -> list[str]:
    """Up to so many lines of at most `width` characters, broken between words; longer words within."""
    lines = [""]
    for word in text.split():
        joined = f"{lines[-1]} {word}".strip()
        if len(joined) <= width:
            lines[-1] = joined
        else:
            pieces = [word[start : start + width] for start in range(0, len(word), width)]
            lines = [*filter(None, lines), *pieces]
    if len(lines) > most:
        lines = [*lines[: most - 1], lines[most - 1][: width - len(GOES_ON)] + GOES_ON]
    return lines


def void(name: str) -> Image.Image:
    """A press that counted is about to be taken back."""
    return message(
        _("DOES NOT COUNT?"), _("{name}: CANCEL?", name=name), (_("in 2 s the race goes on"),), ("", _("OK: it counts"))
    )


def goodbye(*, safe: bool, stays: bool = True) -> Image.Image:
    """The last picture: whether everything is saved, and stays there when the power is off."""
    canvas = Canvas()
    canvas.status("Lucky Paw")
    canvas.headline(_("BYE!"), BODY_PX, height=30)
    if not safe:
        lines = _("the last steps are"), _("NOT SAVED")
    elif not stays:
        lines = _("all games are in memory:"), _("GONE without power")
    else:
        lines = _("all games are saved"), _("the plug may be pulled")
    for n, line in enumerate(lines):
        canvas.centre(0, WIDTH_PX, 42 + LINE_PX * n, line)
    return canvas.picture()


def stands(text: str) -> Image.Image:
    """The kit cannot start: the reason."""
    return reason(_("Lucky Paw cannot start"), text)


def reason(title: str, text: str) -> Image.Image:
    """Why something cannot be: a text as long as the picture."""
    canvas = Canvas()
    canvas.status(title, size=FOOT)
    for n, line in enumerate(wrap(text, COLUMNS, (HEIGHT_PX - BODY_PX) // LINE_PX)):
        canvas.text(1, BODY_PX + 1 + LINE_PX * n, line, FOOT)
    return canvas.picture()


PAW = (  # a paw print, 16x14 px, a toe a corner
    "....##....##....",
    "...####..####...",
    "...####..####...",
    ".#..##....##..#.",
    "###..........###",
    "###...####...###",
    ".#..########..#.",
    "...##########...",
    "..############..",
    "..############..",
    "..############..",
    "...##########...",
    "....###..###....",
    "................",
)


def wander_ns(now_ns: int) -> int:
    """When the paw wanders on."""
    return (now_ns // WANDER_STEP_NS + 1) * WANDER_STEP_NS


def paw(now_ns: int) -> Image.Image:
    """A small paw that wanders, against burn-in."""
    canvas = Canvas()
    step = now_ns // WANDER_STEP_NS
    x, y = step * 37 % (WIDTH_PX - 16), step * 23 % (FOOT_PX - 8)
    for dy, row in enumerate(PAW):
        for dx, pixel in enumerate(row):
            if pixel == "#":
                canvas.box(x + dx, y + dy, 1, 1)
    return canvas.picture()
