"""What is special about Pack the Essentials' pictures: the four positions beside whoever is asked."""

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
from engine.games.pack_the_essentials.state import POSITIONS, State, tracked
from engine.rules import Seat, Value
from firmware.screens import common
from firmware.screens.canvas import BODY_PX, WIDTH_PX, Canvas, width_px
from firmware.screens.common import View, cells
from firmware.screens.font import LARGE, PLAIN, SMALL
from firmware.table.question import chosen

NAME_PX, BONUS_PX = 9, 36  # columns of the list of positions: a digit, a name, a bonus
BONUS_LETTERS = 9
PANEL_PX = 84  # where whoever is asked stands, beside the list
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
    left = f"ROUND {now.number}/12"
    match ask:
        case Packer():
            canvas.status("SETUP", "a rat each, 4 tiles")  # R2, R4
            common.tap(canvas, view)
            if view.answered_for is None:
                canvas.foot("packed last: press")
        case Order():
            if opens(state) and state.players > 1:
                canvas.status(f"ROUND {now.number}", f"suitcase to {view.name(now.start)}")  # R21
            else:
                canvas.status(left, f"suitcase {view.name(now.start)}")
            order(canvas, view, state, ask)
        case Ready(seat, position):
            canvas.status(left, "take bonuses" if position == turns(state)[0] else f"{state.options.turn_timer_s} s")
            mat(canvas, view, state, position)
            beside(canvas, view.name(seat), f"{state.options.turn_timer_s} s", held(state, seat))
            canvas.foot(f"OK: for {view.name(seat)}" if seat in view.dead else f"{view.name(seat)}: start your turn")
        case Draft():
            first = ask.position == turns(state)[0] and not now.spent
            late = state.options.turn_timer_s and ask.due_ns is None
            told = "take bonuses" if first else f"suitcase {view.name(now.start)}"
            told = "no tile fits" if ask.discarding else told
            canvas.status(left, "TIME!" if late else common.left(view) or told)
            draft(canvas, view, state, ask)
        case CatLady(position):
            numbered = view.question.control is not None
            first = not numbered and position < turns(state)[0]
            canvas.status(left, "take bonuses" if first else f"{view.name(now.start)} flips it")  # R11
            mat(canvas, view, state, position)
            if numbered:
                beside(canvas, f"T{chosen(view.question, view.entry)}", "to box?", "or next")
                canvas.foot(common.change_hint(view), (common.side_hint(view), ""))
            else:
                beside(canvas, "tile", "to box", "or next")
                canvas.foot(next_hint(view, state, ask), "OK: next")
        case Block():
            canvas.status(left, "draw 4 tiles")
            block(canvas, view)
        case Toys():
            canvas.status("SCORE", "all is packed")
            toys(canvas, view, state)
        case Line(line=line):
            canvas.status("SCORE")
            common.count(canvas, view, line_hint(line))
        case Empty():
            canvas.status("TIE")
            common.count(canvas, view, "fewest wins")
        case Vote():
            canvas.status("TIE", "show cat pictures")
            common.choose(canvas, view)
        case Goal():
            canvas.status("SOLO", "one solo card")
            common.amount(canvas, view)
        case Prefilled() | Draw():  # for programs
            return None
    return canvas.picture()


def opens(state: State) -> bool:
    """Whether nobody has chosen yet in a round that is not the first: tiles are drawn, the suitcase token moves on."""
    return state.round.number > 1 and state.round.at.count(None) == len(POSITIONS)


def turns(state: State) -> list[int]:
    """The positions that players stand at."""
    return [position for position, seat in zip(POSITIONS, state.round.at, strict=True) if seat is not None]


def held(state: State, seat: Seat) -> str:
    """How many rats a seat has."""
    many = rats(state, seat)
    return "1 rat" if many == 1 else f"{many} rats"


def order(canvas: Canvas, view: View, state: State, ask: Order) -> None:
    """The free positions with their bonuses; who stands where; whose choice it is."""
    at = chosen(view.question, view.entry)
    for position, seat in zip(POSITIONS, state.round.at, strict=True):
        if position in state.round.blocked:
            row(canvas, position, "X", "blocked")
        else:
            name = "?" if str(position) == at else "" if seat is None else view.name(seat)
            row(canvas, position, name, bonus_text(state, position), lit=str(position) == at)
    beside(canvas, view.name(ask.seat), "draw 4" if opens(state) else "where?", held(state, ask.seat))
    canvas.foot(common.change_hint(view), (common.side_hint(view), ""))


def mat(canvas: Canvas, view: View, state: State, turn: int) -> None:
    """The four positions while the one that is lit acts."""
    now = state.round
    ladies = iter(now.ladies)
    for position, seat in zip(POSITIONS, now.at, strict=True):
        done = position < turn
        if seat is not None:
            bonus = "done" if done else bonus_text(state, position)
            row(canvas, position, view.name(seat), bonus, lit=position == turn)
            continue
        takes = "done" if done else "flip!" if position == turn else ""
        if done and state.options.cat_lady == "virtual":
            takes = f"tile {next(ladies)[1]}"
        row(canvas, position, "CatLady", takes, lit=position == turn)


def next_hint(view: View, state: State, ask: CatLady) -> str:
    """Who is next after a Cat Lady may go on without an OK."""
    then = ask.next_turn(state)
    if then is None:
        return ""
    name = view.name(then.seat)
    if then.seat in view.dead:
        return f"for {name}: {'turn' if view.knob else '▲'}"
    return f"{name}: start" if isinstance(then, Ready) else f"{name}: took one"


def bonus_text(state: State, position: int) -> str:
    """What a position gives; letters where words have no room."""
    text = bonus_words(state, position)
    if len(text) <= BONUS_LETTERS:
        return text
    many = Counter(text.split("+"))
    return "+".join(f"{n if n > 1 else ''}{thing[0].upper()}" for thing, n in many.items())


def draft(canvas: Canvas, view: View, state: State, ask: Draft) -> None:
    """Who takes a tile, of how many; rats spent in this turn."""
    now, name, q = state.round, view.name(ask.seat), view.question
    mat(canvas, view, state, ask.position)
    spent = f"{now.spent} cat{'s' * (now.spent > 1)}" if now.spent else ""
    if q.control is not None:
        beside(
            canvas,
            f"T{chosen(q, view.entry)}",
            "to box?" if ask.discarding else "taken?",
            spent or held(state, ask.seat),
        )
    else:
        tiles = len(now.tiles) if tracked(state) else len(POSITIONS) + 1 - ask.position
        take = "discard" if ask.discarding else "last one" if tiles == 1 else f"1 of {tiles}"
        beside(canvas, name, spent or take, held(state, ask.seat))
    hold = "hold: cat" if any(offer.verb == "rat" for offer in q.hold.values()) else ""
    if q.control is not None:
        canvas.foot(common.change_hint(view), hold)
    elif view.answered_for is not None:
        canvas.foot(f"OK: for {name}")
    else:
        canvas.foot(f"{name}: {'discarded' if ask.discarding else 'took one'}", hold)


def row(canvas: Canvas, position: int, name: str, text: str, *, lit: bool = False) -> None:
    """One position: who stands there, and what it gives or what has happened."""
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
    """Which positions the placement card blocks: those are filled."""
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
    canvas.foot(common.change_hint(view), "flip a card")


def toys(canvas: Canvas, view: View, state: State) -> None:
    """How many toys each puts on empty squares."""
    cells(canvas, view, [str(many) for many in state.toys], title="Toys on empty squares")
    canvas.foot("for To Do list 1", "OK")


def line_hint(line: int) -> str:
    """What to enter on this line of the pad."""
    if line < TODO_LISTS:
        return "points of the card"
    return f"tiles, {len(COLOUR_POINTS) - 1}: or more" if line >= FIRST_COLOUR else "as recorded: OK"


def solo_end(canvas: Canvas, view: View, state: State) -> Image.Image:
    """Whether the goal was met."""
    canvas.status("SOLO", "THE END")
    canvas.headline("PURR!" if view.play.winners else "NEXT TIME", height=34)
    more = "over " if state.options.solo_goal == ">" else ""
    canvas.centre(0, WIDTH_PX, 44, f"{view.play.scores[0]} points, goal {more}{state.goal}")
    canvas.foot("OK: next", common.hold_hint(view))
    return canvas.picture()
