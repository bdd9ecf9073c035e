"""Pictures for joining with a phone: a QR code of the address, and the same as text."""

import re
from collections.abc import Iterable, Sequence
from textwrap import wrap

from PIL import Image

from firmware.output.screens.canvas import HEIGHT_PX, Canvas, width_px
from firmware.output.screens.common import message
from firmware.output.screens.font import PLAIN, SMALL
from firmware.translation import _

MODULE_PX = 2  # cameras read no smaller ones of this display
LINE, MAX_LINES = 25, 3  # characters of a line, and lines below the headline
LETTERS = 12  # of a line beside the code
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


def wifi(name: str, password: str, *, more: str = "") -> Image.Image:
    """The kit's Wi-Fi, to be joined first."""
    from firmware import qr

    squares = qr.of(wifi_uri(name, password)).matrix
    return _with_keys(_code(squares, _("WI-FI"), (name, _("password"), password)), more)


def wifi_uri(name: str, password: str) -> str:
    """What cameras take for a Wi-Fi: the form that Android and iOS read, with its own signs escaped."""
    name, password = (re.sub(r"([\\;,:\"])", r"\\\1", text) for text in (name, password))
    return f"WIFI:T:WPA;S:{name};P:{password};;"


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
