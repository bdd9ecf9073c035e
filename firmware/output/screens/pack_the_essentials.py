"""Pack the Essentials' own pictures: the four positions beside who is asked, the positions that a card blocks."""

from collections import Counter

from engine.face import Face
from engine.games.pack_the_essentials.drafting import Block, CatLady, Draft, Order, Ready, bonus_words
from engine.games.pack_the_essentials.state import POSITIONS, THING_LETTERS, State
from firmware.output.screens import seats, templates
from firmware.output.screens.canvas import BODY_PX, WIDTH_PX, Canvas, Text, width_px
from firmware.output.screens.face import Drawings, shown
from firmware.output.screens.font import LARGE, PLAIN, SMALL
from firmware.output.screens.view import View
from firmware.table.question import chosen
from firmware.translation import _, translated

NAME_PX, BONUS_PX = 9, 36  # columns of the list of positions: a digit, a name, a bonus
BONUS_LETTERS = 9
NAME_LETTERS = (BONUS_PX - NAME_PX) // seats.SMALL_PX  # of a name in the list
PANEL_PX = 84  # where the player who is asked stands, beside the list
ROW_PX = 11


def order(canvas: Canvas, view: View, face: Face, ask: Order) -> None:
    """The free positions with their bonuses, the players at the others, and the one who chooses."""
    state: State = view.play.state
    at = chosen(view.question, view.entry)
    for position, seat in zip(POSITIONS, state.round.at, strict=True):
        if position in state.round.blocked:
            row(canvas, position, "X", _("blocked"))
        else:
            name = "?" if str(position) == at else "" if seat is None else view.name(seat, NAME_LETTERS)
            row(canvas, position, name, bonus_text(state, position), lit=str(position) == at)
    beside(canvas, view, face, view.label(ask.seat))
    choice_foot(canvas, view, face)


def turn(canvas: Canvas, view: View, face: Face, ask: Ready | Draft | CatLady) -> None:
    """The four positions while one of them acts; beside them who acts, or the number of the tile."""
    mat(canvas, view, ask.position)
    if view.question.control is not None:
        beside(canvas, view, face, _("T{number}", number=chosen(view.question, view.entry)))
        choice_foot(canvas, view, face)
        return
    beside(canvas, view, face, shown(view, face.big) if isinstance(ask, CatLady) else view.label(ask.seat))
    if view.answered_for is not None:
        templates.tap_foot(canvas, view, shown(view, face.ok))


def mat(canvas: Canvas, view: View, turn: int) -> None:
    """The four positions while the one that is lit acts."""
    state: State = view.play.state
    ladies = iter(state.round.ladies)
    for position, seat in zip(POSITIONS, state.round.at, strict=True):
        done = position < turn
        if seat is not None:
            bonus = _("done") if done else bonus_text(state, position)
            row(canvas, position, view.name(seat, NAME_LETTERS), bonus, lit=position == turn)
            continue
        takes = _("done") if done else _("flip!") if position == turn else ""
        if done and state.options.cat_lady == "virtual":
            takes = _("tile {number}", number=next(ladies)[1])
        row(canvas, position, _("CatLady"), takes, lit=position == turn)


def bonus_text(state: State, position: int) -> str:
    """The bonus of a position; in letters where words have no room."""
    things = bonus_words(state, position)
    text = "+".join(map(translated, things))
    if len(text) <= BONUS_LETTERS:
        return text
    many = Counter(things)
    return "+".join(f"{n if n > 1 else ''}{translated(THING_LETTERS[thing])}" for thing, n in many.items())


def row(canvas: Canvas, position: int, name: str, text: str, *, lit: bool = False) -> None:
    """One position: its player, and its bonus or its state."""
    y = BODY_PX + 2 + (position - 1) * ROW_PX
    if lit:
        canvas.box(0, y, PANEL_PX - 1, ROW_PX)
    canvas.text(1, y, str(position), PLAIN, invert=lit)
    fits = width_px(name, PLAIN) <= BONUS_PX - NAME_PX
    canvas.text(NAME_PX, y + (0 if fits else 2), name, PLAIN if fits else SMALL, invert=lit)
    canvas.right(NAME_PX, PANEL_PX - 3 - NAME_PX, y + 2, text, invert=lit)


def beside(canvas: Canvas, view: View, face: Face, headline: Text) -> None:
    """Beside the list: one large word, and the two lines of the face."""
    x, width = PANEL_PX, WIDTH_PX - PANEL_PX
    canvas.headline(headline, BODY_PX + 2, height=24, x=x, width=width)
    for n, line in enumerate(face.lines):
        canvas.centre(x, width, 36 + 10 * n, shown(view, line))


def choice_foot(canvas: Canvas, view: View, face: Face) -> None:
    """How to choose, and what holding does."""
    canvas.foot(templates.change_keys(view), shown(view, face.hold) or templates.side_hint(view))


def block(canvas: Canvas, view: View, face: Face, ask: Block) -> None:
    """The positions that the placement card blocks are filled."""
    at = str(chosen(view.question, view.entry))
    canvas.title(view.title)
    for position in POSITIONS:
        x = 2 + (position - 1) * 32
        canvas.frame(x, 24, 28, 28)
        if str(position) in at:
            canvas.box(x, 24, 28, 28)
        sign = "X" if str(position) in at else str(position)
        canvas.headline(sign, 24, height=28, x=x, width=28, size=LARGE, invert=sign == "X")
    canvas.foot(templates.change_hint(view), shown(view, face.lines[0]))


DRAWINGS: Drawings = {Block: block, Order: order, Ready: turn, Draft: turn, CatLady: turn}
