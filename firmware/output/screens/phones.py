"""Pictures for joining with a phone: a QR code of the address, and the same as text."""

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from textwrap import wrap

from PIL import Image

from firmware.output.screens.canvas import BODY_PX, HEIGHT_PX, WIDTH_PX, Canvas, width_px
from firmware.output.screens.font import PLAIN, SMALL, font
from firmware.output.screens.menus import message
from firmware.translation import _
from firmware.wifi_code import has_room, wifi_uri

MODULE_PX = 2  # cameras read no smaller ones of this display
LINE, MAX_LINES = 25, 3  # characters of a line, and lines below the headline
LETTERS = 12  # of a line beside the code
LONGEST = 63  # letters of a password; one of 64 digits is smaller
BLANK = "·"
TEXT_PX = HEIGHT_PX + 3
CODE_PX, MORE_PX, LEAVE_PX = 37, 48, 56


def joining(address: str, code: str, *, more: str = "") -> Image.Image:
    """The page's address with the code, for cameras and for people. `more`: the control that shows another one."""
    from firmware import qr  # only where phones are let in

    squares = qr.of_address(f"{address}/{code}").matrix
    canvas = _code(squares, _("PHONES"), ("http://", *broken(f"{address}/")))
    label = _("code")
    canvas.text(TEXT_PX, CODE_PX, label)
    canvas.text(TEXT_PX + width_px(f"{label} ", SMALL), CODE_PX - 1, code, PLAIN)
    return _with_keys(canvas, more)


def wifi_pages(name: str, password: str) -> list[Callable[..., Image.Image]]:
    """The pictures of the kit's Wi-Fi, to be joined first, each called with `more`: the code, and all of the text.

    The text has pictures of its own where there is no room for it beside the code.
    """
    shown: list[Callable[..., Image.Image]] = [partial(wifi, name, password)]
    if not (has_room(name, password) and _beside(name, password)):
        shown += [partial(_in_letters, _("WI-FI"), name), partial(_in_letters, _("password"), password)]
    return shown


def wifi(name: str, password: str, *, more: str = "") -> Image.Image:
    """The code of the kit's Wi-Fi or, where that has no room, why there is none."""
    from firmware import qr

    if not has_room(name, password):
        keys = _("{turn}: more", turn=more) if more else "", _("OK: list")
        return message(_("WI-FI"), _("no code"), (_("name and password are"), _("too long for one")), keys)
    squares = qr.of(wifi_uri(name, password)).matrix
    lines = (name, _("password"), password) if _beside(name, password) else ()
    return _with_keys(_code(squares, _("WI-FI"), lines), more)


def _beside(name: str, password: str) -> bool:
    """Whether there is room for both beside the code."""
    return max(len(name), len(password)) <= LETTERS


def _in_letters(title: str, text: str, *, more: str = "") -> Image.Image:
    """A name or a password, to be read off."""
    canvas = Canvas()
    canvas.status(title, _("{sign}: a blank", sign=BLANK) if " " in text else "")
    size = PLAIN if len(text) <= LONGEST else SMALL
    letters, height = WIDTH_PX // font(size).width_px, font(size).height_px
    text = text.replace(" ", BLANK)
    for n in range(0, len(text), letters):
        canvas.text(0, BODY_PX + 4 + height * (n // letters), text[n : n + letters], size)
    canvas.foot(_("{turn}: more", turn=more) if more else "", _("OK: list"))
    return canvas.picture()


def _code(squares: Sequence[Sequence[int]], title: str, lines: Iterable[str]) -> Canvas:
    """A QR code, and beside it what it says."""
    canvas = Canvas()
    canvas.box(0, 0, HEIGHT_PX, HEIGHT_PX)
    edge = (HEIGHT_PX - len(squares) * MODULE_PX) // 2
    canvas.squares(edge, edge, squares, MODULE_PX)
    canvas.text(TEXT_PX, 0, title)
    for n, line in enumerate(lines):
        canvas.text(TEXT_PX, 10 + 8 * n, line)
    return canvas


def _with_keys(canvas: Canvas, more: str) -> Image.Image:
    """The picture, which says what the control does."""
    canvas.text(TEXT_PX, MORE_PX, _("{turn}: more", turn=more) if more else _("OK: list"))
    canvas.text(TEXT_PX, LEAVE_PX, _("hold OK:back"))
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


def closed(parts: Sequence[str]) -> Image.Image:
    """Why no phone can join now, and what mends that: each begins a line."""
    lines = [line for part in parts for line in wrap(part, LINE)]
    return message(_("PHONES"), _("not now"), lines[:MAX_LINES], ("", "OK"))
