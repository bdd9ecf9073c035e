"""Pictures for joining with a phone: a QR code of the address, and the same as text."""

from PIL import Image

from firmware.screens.canvas import HEIGHT_PX, Canvas
from firmware.screens.common import message
from firmware.screens.font import PLAIN
from firmware.words import _

MODULE_PX = 2  # cameras read no smaller ones of this display
LETTERS = 12  # of a line beside the code
TEXT_PX = HEIGHT_PX + 3


def joining(address: str, code: str) -> Image.Image:
    """The page's address with the code, for cameras and for people."""
    import segno  # only where phones are let in

    # capitals alone need the fewest squares; of an address they mean the same
    squares = segno.make(f"HTTP://{address}/{code}".upper(), error="l", boost_error=False, micro=False).matrix
    canvas = Canvas()
    canvas.box(0, 0, HEIGHT_PX, HEIGHT_PX)
    edge = (HEIGHT_PX - len(squares) * MODULE_PX) // 2
    canvas.squares(edge, edge, squares, MODULE_PX)
    canvas.text(TEXT_PX, 0, _("PHONES"))
    for n, line in enumerate(("http://", *broken(f"{address}/"))):
        canvas.text(TEXT_PX, 10 + 8 * n, line)
    canvas.text(TEXT_PX, 46, code, PLAIN)
    return canvas.picture()


def broken(address: str) -> list[str]:
    """An address in lines, broken behind its points."""
    lines = [""]
    for part in address.replace(".", ". ").replace(":", " :").split():
        if len(lines[-1]) + len(part) <= LETTERS:
            lines[-1] += part
        else:
            lines.append(part)
    return lines


def closed(text: str) -> Image.Image:
    """Why no phone can join now, and what mends that: a part in a line."""
    return message(_("PHONES"), _("not now"), tuple(text.split(": ")), ("", "OK"))
