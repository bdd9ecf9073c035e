"""What lies over a picture, or stands in its place: a note, and the paw of a sleeping kit."""

from PIL import Image

from firmware.screens.common import BODY_PX, FOOT_PX, HEIGHT_PX, LIT, WIDTH_PX, Canvas, message
from firmware.screens.font import SMALL, font, written

WANDER_STEP_NS = 20_000_000_000


def noted(picture: Image.Image, text: str) -> Image.Image:
    """A picture with a note over its lower rows."""
    canvas = Canvas()
    canvas.image = picture.copy()
    width = WIDTH_PX // font(SMALL).width_px
    lines = wrap(text, width)[:3]
    top = HEIGHT_PX - 9 * len(lines) - 1
    canvas.box(0, top, WIDTH_PX, HEIGHT_PX - top)
    for n, line in enumerate(lines):
        canvas.image.paste(0, (1, top + 1 + 9 * n), written(SMALL, line))
    return canvas.image


def wrap(text: str, width: int) -> list[str]:
    """Lines of at most `width` characters, broken between words."""
    lines = [""]
    for word in text.split():
        joined = f"{lines[-1]} {word}".strip()
        if len(joined) <= width:
            lines[-1] = joined
        else:
            lines.append(word[:width])
    return lines


def void(name: str) -> Image.Image:
    """A press that counted is about to be taken back."""
    return message("DOES NOT COUNT?", f"{name}: VOID?", ("the race goes on",), ("", "OK: it counts"))


def goodbye(*, safe: bool) -> Image.Image:
    """The last picture: whether everything is on the disk."""
    canvas = Canvas()
    canvas.status("Lucky Paw")
    canvas.headline("BYE!", BODY_PX, height=28)
    lines = ("all games are saved", "the plug may be pulled") if safe else ("the last steps are", "NOT SAVED")
    for n, line in enumerate(lines):
        canvas.centre(0, WIDTH_PX, 42 + 9 * n, line, SMALL)
    return canvas.image


def stands(text: str) -> Image.Image:
    """The kit cannot start, and why."""
    canvas = Canvas()
    canvas.status("Lucky Paw cannot start")
    width = WIDTH_PX // font(SMALL).width_px
    for n, line in enumerate(wrap(text, width)[:6]):
        canvas.image.paste(LIT, (0, BODY_PX + 1 + 9 * n), written(SMALL, line))
    return canvas.image


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


def paw(now_ns: int) -> Image.Image:
    """A small paw that wanders, so that no pixel is lit for ever."""
    canvas = Canvas()
    step = now_ns // WANDER_STEP_NS
    x, y = step * 37 % (WIDTH_PX - 16), step * 23 % (FOOT_PX - 8)
    for dy, row in enumerate(PAW):
        for dx, pixel in enumerate(row):
            if pixel == "#":
                canvas.image.putpixel((x + dx, y + dy), LIT)
    return canvas.image
