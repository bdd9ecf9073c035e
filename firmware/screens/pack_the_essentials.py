"""Pack the Essentials' own pictures: the four positions beside the player who is asked."""

from collections import Counter

from PIL import Image

from engine import game
from engine.games.pack_the_essentials.counting import (
    COLOUR_POINTS,
    FIRST_COLOUR,
    TODO_LISTS,
    Empty,
    Line,
    Toys,
    Vote,
    rats,
)
from engine.games.pack_the_essentials.drafting import (
    Block,
    CatLady,
    Draft,
    Draw,
    Goal,
    Order,
    Packer,
    Prefilled,
    Ready,
    bonus_words,
)
from engine.games.pack_the_essentials.state import POSITIONS, THING_LETTERS, State, tracked
from engine.rules import Seat, Value
from engine.words import N_
from firmware.screens import common
from firmware.screens.canvas import BODY_PX, WIDTH_PX, Canvas, Text, width_px
from firmware.screens.common import View, cells
from firmware.screens.font import LARGE, PLAIN, SMALL
from firmware.table.question import chosen
from firmware.words import _, ngettext, translated

NAME_PX, BONUS_PX = 9, 36  # columns of the list of positions: a digit, a name, a bonus
BONUS_LETTERS = 9
NAME_LETTERS = (BONUS_PX - NAME_PX) // common.SMALL_PX  # of a name in the list
PANEL_PX = 84  # where the player who is asked stands, beside the list
ROW_PX = 11


def draw(view: View) -> Image.Image | None:
    """The picture of the question, or None where the generic one serves."""
    state: State = view.play.state
    canvas = Canvas()
    if view.play.ended:
        return None
    now, ask = state.round, state.ask.standing(state)
    if isinstance(ask, game.Over):
        return solo_end(canvas, view, state) if state.players == 1 else None
    left = _("ROUND {number}/12", number=now.number)
    match ask:
        case Packer():
            canvas.status(_("SETUP"), _("a rat each, 4 tiles"))  # R2, R4
            common.tap(canvas, view)
            if view.answered_for is None:
                canvas.foot(_("packed last: press"))
        case Order():
            if opens(state) and state.players > 1:
                canvas.status(
                    _("ROUND {number}", number=now.number),
                    view.named(lambda who: _("suitcase to {name}", name=who), now.start),
                )  # R21
            else:
                canvas.status(left, suitcase(view, now.start))
            order(canvas, view, state, ask)
        case Ready(seat, position):
            canvas.status(
                left,
                _("take bonuses") if position == turns(state)[0] else _("{n} s", n=state.options.turn_timer_s),
            )
            mat(canvas, view, state, position)
            beside(
                canvas,
                view.label(seat),
                _("{n} s", n=state.options.turn_timer_s),
                held(state, seat),
            )
            canvas.foot(
                view.named(lambda who: _("OK: for {name}", name=who), seat)
                if seat in view.dead
                else view.named(lambda who: _("{name}: start your turn", name=who), seat)
            )
        case Draft():
            first = ask.position == turns(state)[0] and not now.spent
            late = state.options.turn_timer_s and ask.due_ns is None
            hint: Text = _("take bonuses") if first else suitcase(view, now.start)
            hint = _("no tile fits") if ask.discarding else hint
            canvas.status(left, _("TIME!") if late else common.left(view) or hint)
            draft(canvas, view, state, ask)
        case CatLady(position):
            numbered = view.question.control is not None
            first = not numbered and position < turns(state)[0]
            flips = view.named(lambda who: _("{name} flips it", name=who), now.start)
            canvas.status(left, _("take bonuses") if first else flips)  # R11
            mat(canvas, view, state, position)
            if numbered:
                beside(canvas, _("T{number}", number=chosen(view.question, view.entry)), _("to box?"), _("or next"))
                canvas.foot(common.change_hint(view), (common.side_hint(view), ""))
            else:
                beside(canvas, _("tile"), _("to box"), _("or next"))
                canvas.foot(next_hint(view, state, ask), _("OK: next"))
        case Block():
            canvas.status(left, _("draw 4 tiles"))
            block(canvas, view)
        case Toys():
            canvas.status(_("SCORE"), _("all is packed"))
            toys(canvas, view, state)
        case Line(line=line):
            canvas.status(_("SCORE"))
            common.count(canvas, view, line_hint(line))
        case Empty():
            canvas.status(_("TIE"))
            common.count(canvas, view, _("fewest wins"))
        case Vote():
            canvas.status(_("TIE"), _("show cat pictures"))
            common.choose(canvas, view)
        case Goal():
            canvas.status(_("SOLO"), _("one solo card"))
            common.amount(canvas, view)
        case Prefilled() | Draw():  # for programs
            return None
    return canvas.picture()


def suitcase(view: View, seat: Seat) -> Text:
    """Who has the suitcase token."""
    return view.named(lambda who: _("suitcase {name}", name=who), seat)


def opens(state: State) -> bool:
    """Whether nobody has chosen yet in a round that is not the first: tiles are drawn, the suitcase token moves on."""
    return state.round.number > 1 and state.round.at.count(None) == len(POSITIONS)


def turns(state: State) -> list[int]:
    """The positions with a player."""
    return [position for position, seat in zip(POSITIONS, state.round.at, strict=True) if seat is not None]


def held(state: State, seat: Seat) -> str:
    """The rats of a seat."""
    many = rats(state, seat)
    return ngettext("{n} rat", "{n} rats", many)


def order(canvas: Canvas, view: View, state: State, ask: Order) -> None:
    """The free positions with their bonuses, the players at the others, and the one who chooses."""
    at = chosen(view.question, view.entry)
    for position, seat in zip(POSITIONS, state.round.at, strict=True):
        if position in state.round.blocked:
            row(canvas, position, "X", _("blocked"))
        else:
            name = "?" if str(position) == at else "" if seat is None else view.name(seat, NAME_LETTERS)
            row(canvas, position, name, bonus_text(state, position), lit=str(position) == at)
    beside(canvas, view.label(ask.seat), _("draw 4") if opens(state) else _("where?"), held(state, ask.seat))
    canvas.foot(common.change_hint(view), (common.side_hint(view), ""))


def mat(canvas: Canvas, view: View, state: State, turn: int) -> None:
    """The four positions while the one that is lit acts."""
    now = state.round
    ladies = iter(now.ladies)
    for position, seat in zip(POSITIONS, now.at, strict=True):
        done = position < turn
        if seat is not None:
            bonus = _("done") if done else bonus_text(state, position)
            row(canvas, position, view.name(seat, NAME_LETTERS), bonus, lit=position == turn)
            continue
        takes = _("done") if done else _("flip!") if position == turn else ""
        if done and state.options.cat_lady == "virtual":
            takes = _("tile {number}", number=next(ladies)[1])
        row(canvas, position, _("CatLady"), takes, lit=position == turn)


def next_hint(view: View, state: State, ask: CatLady) -> Text:
    """The player after a Cat Lady may go on without an OK."""
    then = ask.next_turn(state)
    if then is None:
        return ""
    if then.seat in view.dead:
        return view.named(lambda who: _("for {name}: {turn}", name=who, turn=common.more(view.knob)), then.seat)
    if isinstance(then, Ready):
        return view.named(lambda who: _("{name}: start", name=who), then.seat)
    return view.named(lambda who: _("{name}: took one", name=who), then.seat)


def bonus_text(state: State, position: int) -> str:
    """The bonus of a position; in letters where words have no room."""
    things = bonus_words(state, position).split("+")
    text = "+".join(map(translated, things))
    if len(text) <= BONUS_LETTERS:
        return text
    many = Counter(things)
    return "+".join(f"{n if n > 1 else ''}{translated(THING_LETTERS[thing])}" for thing, n in many.items())


def draft(canvas: Canvas, view: View, state: State, ask: Draft) -> None:
    """The player who takes a tile, the number of tiles, rats spent in this turn."""
    now, q = state.round, view.question
    mat(canvas, view, state, ask.position)
    spent = ngettext("{n} cat", "{n} cats", now.spent) if now.spent else ""
    if q.control is not None:
        beside(
            canvas,
            _("T{number}", number=chosen(q, view.entry)),
            _("to box?") if ask.discarding else _("taken?"),
            spent or held(state, ask.seat),
        )
    else:
        tiles = len(now.tiles) if tracked(state) else len(POSITIONS) + 1 - ask.position
        take = _("discard") if ask.discarding else _("last one") if tiles == 1 else _("1 of {n}", n=tiles)
        beside(canvas, view.label(ask.seat), spent or take, held(state, ask.seat))
    hold = _("hold: cat") if any(offer.verb == "rat" for offer in q.hold.values()) else ""
    if q.control is not None:
        canvas.foot(common.change_hint(view), hold)
    elif view.answered_for is not None:
        canvas.foot(view.named(lambda who: _("OK: for {name}", name=who), ask.seat))
    elif ask.discarding:
        canvas.foot(view.named(lambda who: _("{name}: discarded", name=who), ask.seat), hold)
    else:
        canvas.foot(view.named(lambda who: _("{name}: took one", name=who), ask.seat), hold)


def row(canvas: Canvas, position: int, name: str, text: str, *, lit: bool = False) -> None:
    """One position: its player, and its bonus or its state."""
    y = BODY_PX + 2 + (position - 1) * ROW_PX
    if lit:
        canvas.box(0, y, PANEL_PX - 1, ROW_PX)
    canvas.text(1, y, str(position), PLAIN, invert=lit)
    fits = width_px(name, PLAIN) <= BONUS_PX - NAME_PX
    canvas.text(NAME_PX, y + (0 if fits else 2), name, PLAIN if fits else SMALL, invert=lit)
    canvas.right(NAME_PX, PANEL_PX - 3 - NAME_PX, y + 2, text, invert=lit)


def beside(canvas: Canvas, headline: str, *lines: str) -> None:
    """Beside the list: one large word, and two small lines."""
    x, width = PANEL_PX, WIDTH_PX - PANEL_PX
    canvas.headline(headline, BODY_PX + 2, height=24, x=x, width=width)
    for n, line in enumerate(lines):
        canvas.centre(x, width, 36 + 10 * n, line)


def block(canvas: Canvas, view: View) -> None:
    """The positions that the placement card blocks are filled."""
    at: Value = chosen(view.question, view.entry)
    assert isinstance(at, str)
    canvas.title(view.title)
    for position in POSITIONS:
        x = 2 + (position - 1) * 32
        canvas.frame(x, 24, 28, 28)
        if str(position) in at:
            canvas.box(x, 24, 28, 28)
        sign = "X" if str(position) in at else str(position)
        canvas.headline(sign, 24, height=28, x=x, width=28, size=LARGE, invert=sign == "X")
    canvas.foot(common.change_hint(view), _("flip a card"))


def toys(canvas: Canvas, view: View, state: State) -> None:
    """The toys that each player puts on empty squares."""
    cells(canvas, view, [str(many) for many in state.toys], title=_("Toys on empty squares"))
    canvas.foot(_("for To Do list 1"), "OK")


def line_hint(line: int) -> str:
    """A hint for this line of the pad."""
    if line < TODO_LISTS:
        return _("points of the card")
    return _("tiles, {n}: or more", n=len(COLOUR_POINTS) - 1) if line >= FIRST_COLOUR else _("as recorded: OK")


def solo_end(canvas: Canvas, view: View, state: State) -> Image.Image:
    """Whether the goal was met."""
    canvas.status(_("SOLO"), _("THE END"))
    canvas.headline(_("PURR!") if view.play.winners else _("NEXT TIME"), height=34)
    (score,), goal = view.play.scores, state.goal
    over = state.options.solo_goal == ">"
    line = N_("{score} points, goal over {goal}") if over else N_("{score} points, goal {goal}")
    canvas.centre(0, WIDTH_PX, 44, translated(line).format(score=score, goal=goal))
    canvas.foot(_("OK: next"), common.hold_hint(view))
    return canvas.picture()
