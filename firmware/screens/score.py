"""The score sheet: how a game stands, and what each round has brought."""

from collections.abc import Collection, Iterable, Sequence

from PIL import Image

from engine.play import Play
from engine.rules import Seat
from firmware import question
from firmware.question import EMPTY
from firmware.screens.common import BODY_PX, WIDTH_PX, Canvas, View, cells
from firmware.screens.font import PLAIN
from firmware.sheet import Round, standing


def total(play: Play, rounds: int, pages: Collection[Round], *, knob: bool) -> Image.Image:
    """The first page: who has won, and what everybody has."""
    more = ("turn: rounds" if knob else "▲▼ rounds") if pages else ""
    scores = [str(score) for score in play.scores]
    return _page(play, f"{rounds} round{'' if rounds == 1 else 's'}", standing(play), scores, (), play.winners, more)


def page(play: Play, found: Round, *, knob: bool) -> Image.Image:
    """A round: what everybody has got, and below what that came to."""
    moved = [f"{points:+}" if points else "–" for points in found.moved]
    totals = [f"={score}" for score in found.totals]
    return _page(play, "", f"Round {found.round}", moved, totals, (), "turn: rounds" if knob else "▲▼ rounds")


def _page(
    play: Play, right: str, title: str, values: Sequence[str], foot: Sequence[str], lit: Iterable[Seat], more: str
) -> Image.Image:
    canvas, view = Canvas(), View(play, question.of(play.offers), EMPTY, 0, knob=True)
    canvas.status(play.rules.title, right)
    canvas.centre(0, WIDTH_PX, BODY_PX, title, PLAIN)
    cells(canvas, view, values, y=BODY_PX + 13, foot=foot, lit=lit)
    canvas.foot(more, "OK: back")
    return canvas.image
