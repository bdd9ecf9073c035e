"""The score sheet: how a game stands, and what each round has brought."""

from collections.abc import Iterable, Sequence

from PIL import Image

from engine.play import Play
from engine.rules import Seat
from firmware.screens.canvas import Canvas, Text
from firmware.screens.common import View, brief, cells
from firmware.table import question
from firmware.table.question import EMPTY


def total(play: Play, title: str, *, more: bool, knob: bool) -> Image.Image:
    """The first page: how the game stands, in words, and what everybody has. `more`: there are pages of rounds."""
    titles = title, f"{len(play.winners)} have won"
    return _page(play, titles, list(map(str, play.scores)), (), play.winners, _turn(knob=knob) if more else "")


def page(play: Play, title: str, moved: Sequence[int], totals: Sequence[int], *, knob: bool) -> Image.Image:
    """A round: what everybody has got, and below what that came to."""
    values = [f"{points:+}" if points else "–" for points in moved]
    return _page(play, title, values, [f"={score}" for score in totals], (), _turn(knob=knob))


def _turn(*, knob: bool) -> str:
    return "turn: rounds" if knob else "▲▼ rounds"


def _page(
    play: Play, title: Text, values: Sequence[str], foot: Sequence[str], lit: Iterable[Seat], keys: str
) -> Image.Image:
    canvas, view = Canvas(), View(play, question.of(play.offers), EMPTY, 0, knob=True)
    canvas.status((play.rules.title, brief(play.rules.title)))
    cells(canvas, view, values, title=title, foot=foot, lit=lit)
    canvas.foot(keys, "OK: back")
    return canvas.picture()
