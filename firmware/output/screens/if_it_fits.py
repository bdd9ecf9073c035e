"""If It Fits' own pictures: a turn with the pips of everybody's cats, and cats in a box that were forgotten before."""

from msgspec.structs import replace

from engine.face import Face
from engine.games.if_it_fits import CATS, AsleepCats, AwakeCats, CountCats, LastTurn, Turn
from firmware.output.screens import seats, templates
from firmware.output.screens.canvas import FOOT_PX, LINE_PX, WIDTH_PX, Canvas, width_px
from firmware.output.screens.face import Drawings, shown, template
from firmware.output.screens.font import SMALL
from firmware.output.screens.view import View
from firmware.translation import _

NAMES_PX = FOOT_PX - 17  # where the names above the cats stand


def turn(canvas: Canvas, view: View, face: Face, ask: Turn) -> None:
    """The seat's button, large; below it everybody's cats, and in the closing turns the cards still to be played.

    Between them is what may not be done any more.
    """
    canvas.headline(shown(replace(view, names=()), face.big), height=29 - LINE_PX * len(face.lines))
    for n, line in enumerate(face.lines, 1):
        canvas.centre(0, WIDTH_PX, NAMES_PX - LINE_PX * n, shown(view, line))
    pips(canvas, view, ask)
    if view.answered_for is not None:
        canvas.foot(templates.dead_hint(view, ask.seat), shown(view, face.ok) if view.question.ok else "")


def pips(canvas: Canvas, view: View, ask: Turn) -> None:
    """A column a seat: the name, in the closing turns the cards in hand, and a block for each cat not on the table."""
    state = view.play.state
    width = WIDTH_PX // state.players
    names = [view.name(seat, (width - 1) // seats.SMALL_PX) for seat in state.seats]
    with_cards = [f"{name} {cards}" for name, cards in zip(names, state.hands, strict=False)]
    if ask.last and max(width_px(text, SMALL) for text in with_cards) < width:
        names = with_cards
    step = min(6, (width - 4) // CATS)  # px from one to the next: five columns of five fit
    wide = step - step // 3
    for seat, cats in enumerate(state.cats):
        seats.name_box(canvas, names[seat], seat * width, width - 1, NAMES_PX, lit=seat == ask.seat)
        x = seat * width + (width - CATS * step + 1) // 2
        for n in range(CATS):
            height = 5 if n < cats else 1
            canvas.box(x + n * step, FOOT_PX - 1 - height, wide, height)


def cats(canvas: Canvas, view: View, face: Face, _ask: CountCats) -> None:
    """Where a number is too high, a cat may have been forgotten: the menu has them."""
    template(canvas, view, face)
    if view.question.menu and view.entry.note and view.answered_for is None:
        canvas.foot((_("tap: +1"), _("tap:+1")), templates.over_back(view, _("more")))


DRAWINGS: Drawings = {Turn: turn, LastTurn: turn, AwakeCats: cats, AsleepCats: cats}
