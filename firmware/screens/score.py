"""The score sheet: how a game stands, and what each round has brought."""

from collections.abc import Iterable, Sequence

from PIL import Image

from engine.play import Play
from engine.rules import Seat
from firmware import question
from firmware.question import EMPTY
from firmware.screens.common import BODY_PX, WIDTH_PX, Canvas, View, cells
from firmware.screens.font import PLAIN, font


def total(play: Play, title: str, *, more: bool, knob: bool) -> Image.Image:
    """The first page: how the game stands, in words, and what everybody has. `more`: there are pages of rounds."""
    scores = [str(score) for score in play.scores]
    if font(PLAIN).width_px * len(title) > WIDTH_PX:
        title = f"{len(play.winners)} have won"
    return _page(play, title, scores, (), play.winners, _turn(knob=knob) if more else "")


def page(play: Play, title: str, moved: Sequence[int], totals: Sequence[int], *, knob: bool) -> Image.Image:
    """A round: what everybody has got, and below what that came to."""
    values = [f"{points:+}" if points else "–" for points in moved]
    return _page(play, title, values, [f"={score}" for score in totals], (), _turn(knob=knob))


def _turn(*, knob: bool) -> str:
    return "turn: rounds" if knob else "▲▼ rounds"


def _page(
    play: Play, title: str, values: Sequence[str], foot: Sequence[str], lit: Iterable[Seat], keys: str
) -> Image.Image:
    canvas, view = Canvas(), View(play, question.of(play.offers), EMPTY, 0, knob=True)
    canvas.status(play.rules.title)
    canvas.centre(0, WIDTH_PX, BODY_PX, title, PLAIN)
    cells(canvas, view, values, y=BODY_PX + 13, foot=foot, lit=lit)
    canvas.foot(keys, "OK: back")
    return canvas.image
