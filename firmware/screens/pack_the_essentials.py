"""What is special about Pack the Essentials' pictures: the four positions beside whoever is asked."""

from PIL import Image

from engine.games.pack_the_essentials import (
    COLOUR_POINTS,
    FIRST_COLOUR,
    POSITIONS,
    TODO_LISTS,
    Block,
    CatLady,
    Draft,
    Draw,
    Empty,
    Goal,
    Line,
    Order,
    Packer,
    Prefilled,
    Ready,
    State,
    Toys,
    Verb,
    Vote,
    bonus_words,
    rats,
    tracked,
)
from engine.rules import Value
from firmware.question import chosen
from firmware.screens import common
from firmware.screens.common import BODY_PX, WIDTH_PX, Canvas, View, cells, fitting
from firmware.screens.font import LARGE, PLAIN, SMALL, font

LIST_PX = 66  # width of the list of positions
ROW_PX = 9
RESET = "leftover tiles to the box"


def draw(view: View) -> Image.Image | None:
    """The picture of the question, or None where the generic one serves."""
    state: State = view.play.state
    canvas = Canvas()
    if view.play.ended:
        return None
    if state.over:
        return solo_end(canvas, view, state) if len(state.rats) == 1 else None
    now = state.round
    ask = now.ask
    canvas.status(f"ROUND {now.number}/12")
    match ask:
        case Packer():
            common.tap(canvas, view)
            canvas.status("", "a rat each, 4 tiles")  # R2, R4
            if view.answered_for is None:
                canvas.foot("packed last: press")
        case Order():
            order(canvas, view, state, ask)
        case Draft():
            draft(canvas, view, state, ask)
        case Block():
            block(canvas, view)
        case CatLady(position):
            canvas.status("", f"{view.name(now.start)}: flip it")  # R11
            common.choose(canvas, view)
            canvas.box(0, BODY_PX, WIDTH_PX, 12, 0)
            canvas.centre(0, WIDTH_PX, BODY_PX, f"Cat Lady {position} takes", PLAIN)
        case Ready():
            common.tap(canvas, view)
            canvas.status("", f"{state.options.turn_timer_s} s a turn")
            canvas.foot(f"{view.name(ask.seat)}: start your turn")
        case Toys():
            toys(canvas, view, state)
        case Line(line):
            common.count(canvas, view)
            canvas.status("SCORE PAD", line_hint(line))
        case Empty():
            common.count(canvas, view)
            canvas.status("TIE", "fewest wins")
        case Vote():
            common.choose(canvas, view)
            canvas.status("TIE", "show cat pictures")
        case Goal():
            common.amount(canvas, view)
            canvas.status("SOLO", "one solo card")
        case Prefilled() | Draw():  # for programs
            return None
    return canvas.image


def order(canvas: Canvas, view: View, state: State, ask: Order) -> None:
    """The free positions with their bonuses; who stands where; whose choice it is."""
    at = chosen(view.question, view.entry)
    canvas.status("", RESET if state.round.number > 1 and state.round.at.count(None) == 4 else start(view, state))
    for position, seat in zip(POSITIONS, state.round.at, strict=True):
        bonus = bonus_words(state.options, position)
        stands = "X" if position in state.round.blocked else bonus if seat is None else f"{view.name(seat)} {bonus}"
        row(canvas, position, stands, lit=str(position) == at)
    asked(canvas, view.name(ask.seat), "position?", f"rats {rats(state, ask.seat)}")
    canvas.foot(common.change_hint(view), common.side_hint(view))


def draft(canvas: Canvas, view: View, state: State, ask: Draft) -> None:
    """Who takes a tile; the Cat Ladies that came just before are lit: their tiles go first."""
    now, name, q = state.round, view.name(ask.seat), view.question
    first = ask.position  # of the Cat Ladies just before
    while first > 1 and now.at[first - 2] is None:
        first -= 1
    ladies = iter(now.ladies)
    for position, seat in zip(POSITIONS, now.at, strict=True):
        done = position < ask.position
        if seat is not None:
            mark = ">" if position == ask.position else " "
            row(canvas, position, f"{mark}{view.name(seat)} {'done' if done else bonus_words(state.options, position)}")
        elif done and state.options.cat_lady == "virtual":
            bold, tile = next(ladies)
            row(canvas, position, f" {bold}: tile {tile}" if bold == tile else f" {bold}: no, tile {tile}")
        else:
            row(canvas, position, " CatLady-1" if first <= position < ask.position else " CatLady")
        if seat is None and first <= position < ask.position:
            mark_row(canvas, position)
    left = f"rats {rats(state, ask.seat)}{f', -{now.spent}' if now.spent else ''}"
    if q.control is not None:
        asked(canvas, f"T{chosen(q, view.entry)}", f"{name}: tile?", left)
    else:
        tiles = len(now.tiles) if tracked(state) else len(POSITIONS) + 1 - ask.position
        asked(canvas, name, "last tile" if tiles == 1 else f"1 of {tiles} tiles", left)
    late = state.options.turn_timer_s and ask.due_ns is None
    canvas.status("", "TIME!" if late else start(view, state))
    hold = "hold: a cat" if any(offer.verb == Verb.RAT for offer in q.hold.values()) else ""
    if q.control is not None:
        canvas.foot(common.change_hint(view), hold)
    elif view.answered_for is not None:
        canvas.foot(f"OK: for {name}")
    else:
        canvas.foot(f"{name}: took one", hold)


def start(view: View, state: State) -> str:
    """Who has the suitcase token."""
    return f"suitcase {view.name(state.round.start)}"


def row(canvas: Canvas, position: int, text: str, *, lit: bool = False) -> None:
    """One position."""
    y = BODY_PX + 1 + (position - 1) * (ROW_PX + 2)
    canvas.text(1, y, f"{position} {text}"[: LIST_PX // 5], invert=lit)


def mark_row(canvas: Canvas, position: int) -> None:
    """A dot beside a position: something has to be done there."""
    canvas.box(LIST_PX - 4, BODY_PX + 3 + (position - 1) * (ROW_PX + 2), 3, 3)


def asked(canvas: Canvas, headline: str, question: str, below: str) -> None:
    """The right part: one large word, and two small lines."""
    x, width = LIST_PX, WIDTH_PX - LIST_PX
    size = min(fitting(headline, width, 24), LARGE, key=lambda size: font(size).height_px)
    canvas.centre(x, width, BODY_PX + 2, headline, size, bold=True)
    canvas.centre(x, width, 37, question, SMALL)
    canvas.centre(x, width, 47, below, SMALL)


def block(canvas: Canvas, view: View) -> None:
    """Which positions the placement card blocks: those are filled."""
    at: Value = chosen(view.question, view.entry)
    assert isinstance(at, str)
    canvas.centre(0, WIDTH_PX, BODY_PX, view.title, PLAIN)
    for position in POSITIONS:
        x = 2 + (position - 1) * 32
        canvas.frame(x, 24, 28, 28)
        if str(position) in at:
            canvas.box(x, 24, 28, 28)
            line = font(LARGE).write("X")
            canvas.image.paste(0, (x + 8, 26), line)
        else:
            canvas.centre(x, 28, 26, str(position), LARGE)
    canvas.foot(common.change_hint(view), "flip a card")


def toys(canvas: Canvas, view: View, state: State) -> None:
    """How many toys each puts on empty squares."""
    canvas.centre(0, WIDTH_PX, BODY_PX, "Toys on empty squares", PLAIN)
    cells(canvas, view, [str(many) for many in state.toys], y=BODY_PX + 13)
    canvas.status("THE END: score", "")
    canvas.foot("they help To Do list 1", "OK")


def line_hint(line: int) -> str:
    """What to enter on this line of the pad."""
    if line < TODO_LISTS:
        return "points of the card"
    return f"{len(COLOUR_POINTS) - 1}: or more" if line >= FIRST_COLOUR else "as recorded: OK"


def solo_end(canvas: Canvas, view: View, state: State) -> Image.Image:
    """Whether the goal was met."""
    canvas.status(view.play.rules.title, "THE END")
    canvas.headline("PURR!" if view.play.winners else "NEXT TIME", 8, height=32)
    more = "more than " if state.options.solo_goal == ">" else ""
    canvas.centre(0, WIDTH_PX, 41, f"{view.play.scores[0]} points, goal {more}{state.goal}", SMALL)
    canvas.foot("OK: menu", common.hold_hint(view))
    return canvas.image
