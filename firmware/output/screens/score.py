"""The score sheet: the totals, and the points of each round."""

from collections.abc import Iterable, Sequence
from functools import partial

from PIL import Image

from engine.play import Play
from engine.rules import Seat
from firmware.output.screens.canvas import BODY_PX, Canvas, Text
from firmware.output.screens.seats import IN_A_ROW, blocks, cells, in_columns
from firmware.output.screens.templates import total_with
from firmware.output.screens.view import View, titles
from firmware.table import question
from firmware.table.question import EMPTY
from firmware.translation import _, ngettext


def total(play: Play, title: Text, names: tuple[str, ...], *, more: bool, knob: bool) -> Image.Image:
    """The first page: the outcome in words, and everybody's total. `more`: there are pages of rounds."""
    outcomes = (title,) if isinstance(title, str) else title
    titles = (*outcomes, ngettext("{n} have won", "{n} have won", len(play.winners)))
    return _page(play, names, titles, list(map(str, play.scores)), (), play.winners, _turn(knob=knob) if more else "")


def counted(play: Play, number: int, gained: Sequence[int], names: tuple[str, ...]) -> Image.Image:
    """The totals for a moment after a round: large, what the round has brought below them, and what is asked next."""
    canvas, view = Canvas(), View(play, question.of(play.offers), EMPTY, 0, knob=True, names=names)
    canvas.status(titles(play.rules), (_("after round {round}", round=number), _("round {round}", round=number)))
    totals, sides = [str(play.scores[seats[0]]) for seats in view.sides], view.sides
    brought: list[Text] = [f"{gained[seats[0]]:+}" if gained[seats[0]] else "–" for seats in sides]
    leaders = view.leaders
    lead = [n for n, seats in enumerate(sides) if seats[0] in leaders]
    layout = in_columns if len(sides) <= IN_A_ROW else blocks
    layout(canvas, [partial(view.side, seats) for seats in sides], totals, BODY_PX + 1, [brought], lead)
    canvas.foot((_("next: {question}", question=view.title), view.title, _("next question")), (_("OK: on"), "OK"))
    return canvas.picture()


def page(
    play: Play, title: str, names: tuple[str, ...], moved: Sequence[int], totals: Sequence[int], *, knob: bool
) -> Image.Image:
    """A round: everybody's points, and below the totals after it."""
    values = [f"{points:+}" if points else "–" for points in moved]
    return _page(
        play, names, title, values, [(total_with(score), str(score)) for score in totals], (), _turn(knob=knob)
    )


def _turn(*, knob: bool) -> str:
    return _("turn: rounds") if knob else _("▲▼ rounds")


def _page(
    play: Play,
    names: tuple[str, ...],
    title: Text,
    values: Sequence[str],
    foot: Sequence[Text],
    lit: Iterable[Seat],
    keys: str,
) -> Image.Image:
    canvas, view = Canvas(), View(play, question.of(play.offers), EMPTY, 0, knob=True, names=names)
    canvas.status(titles(play.rules))
    cells(canvas, view, values, title=title, foot=foot, lit=lit)
    canvas.foot(keys, _("OK: back"))
    return canvas.picture()
