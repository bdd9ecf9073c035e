"""What is special about CAT Pageant's pictures: fanciers, the count to PLACE, the order, pageants and their winners."""

from collections.abc import Sequence

from PIL import Image

from engine.games.cat_pageant import (
    ENOUGH,
    LONGEST_NAME,
    NO,
    STATS,
    Adopt,
    CardMoxie,
    CardTrick,
    CatMoxie,
    CatTrick,
    Countdown,
    Fancier,
    Final,
    Groom,
    GroomCubes,
    Hustle,
    Learn,
    Media,
    Name,
    Order,
    Pageants,
    Piles,
    Place,
    Result,
    Round,
    Show,
    ShowCat,
    State,
    WhichFancier,
    by_cards,
    cats_a_cube,
    draw_size,
    ended,
    level_seats,
    room,
    scores,
)
from engine.rules import Seat
from firmware.question import chosen, shown
from firmware.screens import common
from firmware.screens.common import BODY_PX, WIDTH_PX, Canvas, View, cells, fitting
from firmware.screens.font import HUGE, LARGE, PLAIN, SMALL, font

ROW_PX = 48  # the small row above the bottom one


def draw(view: View) -> Image.Image | None:
    """The picture of the question, or None where the generic one serves."""
    state: State = view.play.state
    if view.play.over:
        return None
    now = state.round
    ask = now.ask
    canvas = Canvas()
    canvas.status(heading(view, now), f"deck {state.deck}")
    match ask:
        case Fancier(seat):
            entered = state.stats[seat]
            words = [f"{stat.replace('_', ' ')} {value}" for stat, value in zip(STATS, entered, strict=False)]
            canvas.status("", f"{len(entered) + 1} of {len(STATS)}")
            single(canvas, view, seat, "  ".join(words[-2:]))
        case WhichFancier():
            which_fancier(canvas, view, state)
        case Name(seat, letters):
            spelling(canvas, view, state.stats[seat], letters)
        case Place():
            canvas.headline("HOLD CUBES", BODY_PX, height=30)
            canvas.centre(0, WIDTH_PX, 39, "at zero all are placed on", SMALL)
            canvas.centre(0, WIDTH_PX, ROW_PX - 1, "hustle, groom and show", SMALL)
            canvas.foot("all ready?", "OK: count down")
        case Countdown(due_ns):
            common.countdown(canvas, view, due_ns)
        case Hustle():
            hustle(canvas, view, state)
        case GroomCubes():
            canvas.status("", "rest is on show")
            common.count(canvas, view)
        case Order():
            order(canvas, view, state)
        case Adopt(seat):
            adopt(canvas, view, state, seat)
        case CatTrick(seat):
            canvas.status("", f"room {room(state, seat)}")
            common.choose(canvas, view)
        case CatMoxie(seat, trick):
            single(canvas, view, seat, f"{trick}, room {room(state, seat)}")
        case Pageants():
            pageants(canvas, view, state)
        case CardTrick() | Learn():
            common.choose(canvas, view)
        case Groom():
            groom(canvas, view, state, ask)
        case Show():
            canvas.status("", latest(view, now))
            common.count(canvas, view)
        case ShowCat(seat):
            canvas.status("", slots(state, seat))
            common.choose(canvas, view)
        case CardMoxie(seat):
            single(canvas, view, seat, f"{view.name(seat)} has won it")
        case Result() if view.question.control is not None:  # A16
            canvas.status("", "no cat, no card")
            common.choose(canvas, view)
        case Result():
            result(canvas, view, state)
        case Piles() | Media() | Final():
            canvas.status("", "level: most wins" if isinstance(ask, Final) else "score piles")
            common.count(canvas, view)
    return canvas.image


def heading(view: View, now: Round) -> str:
    """What goes on, and whose it is."""
    match now.ask:
        case WhichFancier(seat) | Fancier(seat) | Name(seat):
            return f"FANCIER  {view.name(seat)}"
        case Adopt():
            return f"ADOPT R{now.number}"
        case CatTrick(seat) | CatMoxie(seat):
            return f"{view.name(seat)} ADOPTS"
        case Groom():
            return "GROOM"
        case ShowCat(seat):
            return f"{view.name(seat)} SHOWS"
        case _:
            return f"ROUND {now.number}"


def single(canvas: Canvas, view: View, seat: Seat, line: str) -> None:
    """One seat enters one number: it stands large, with a small line below."""
    canvas.centre(0, WIDTH_PX, BODY_PX, view.title, PLAIN)
    number = shown(view.question, view.entry, seat)
    canvas.headline("–" if number is None else str(number), BODY_PX + 12, height=26)
    canvas.centre(0, WIDTH_PX, ROW_PX, line, SMALL)
    if view.entry.note:
        canvas.foot(view.entry.note)
    elif view.answered_for is not None:
        canvas.foot(f"for {view.name(seat)}: {common.change_hint(view)}")
    elif view.entry.missing:
        canvas.foot(f"{view.name(seat)}: 0? OK", "tap: count")
    else:
        canvas.foot(f"{view.name(seat)}: tap or {'turn' if view.knob else '▲▼'}", "OK")


def printed(stats: Sequence[int]) -> str:
    """The four numbers of a fancier."""
    moxie_low, moxie_high, hustle_low, hustle_high = stats
    return f"moxie {moxie_low}-{moxie_high}  hustle {hustle_low}-{hustle_high}"


def which_fancier(canvas: Canvas, view: View, state: State) -> None:
    """A known fancier by its name, large, with its four numbers."""
    offer, at = view.question.control, chosen(view.question, view.entry)
    assert offer is not None
    canvas.status("", f"{offer.options.index(at) + 1} of {len(offer.options)}" if isinstance(at, str) else "")
    known = next((fancier for fancier in state.known if fancier.name == at), None)
    canvas.headline("NEW ONE" if known is None else known.name, BODY_PX, height=34)
    canvas.centre(0, WIDTH_PX, 46, "enter four numbers" if known is None else printed(known[1:]), SMALL)
    canvas.foot(common.change_hint(view), "hold OK:back")


def spelling(canvas: Canvas, view: View, stats: Sequence[int], letters: str) -> None:
    """The name so far, large, with the letter at the control; at first whether there shall be one at all."""
    at = str(chosen(view.question, view.entry))
    turn = "turn" if view.knob else "▲▼"
    way = turn if view.question.chooser in view.dead else f"tap/{turn}"
    if not letters and at == NO:
        canvas.headline("SAVE IT?", BODY_PX, height=34)
        canvas.centre(0, WIDTH_PX, 46, printed(stats), SMALL)
        canvas.foot(f"{way}: name it", "OK: no")
        return
    done = at == ENOUGH
    name = letters if done else letters + at
    x = (WIDTH_PX - 16 * LONGEST_NAME) // 2
    canvas.text(x, BODY_PX, name + "·" * (LONGEST_NAME - len(name)), HUGE)
    if not done:
        canvas.text(x + 16 * len(letters), BODY_PX, at, HUGE, invert=True)
    canvas.centre(0, WIDTH_PX, ROW_PX - 2, "done: save it" if done else "letter by letter", SMALL)
    canvas.foot(f"{way}: letter", "OK: save" if done else f"OK: {at}")


def hustle(canvas: Canvas, view: View, state: State) -> None:
    """The signal, until somebody enters a number."""
    entry = view.entry
    if not state.options.placing_countdown or entry.values or entry.missing or entry.note:
        common.count(canvas, view)
        return
    canvas.headline("PLACE!", 0, height=48)
    canvas.centre(0, WIDTH_PX, 46, "uncover: hustle cubes?", SMALL)
    dead = view.answered_for
    canvas.foot("tap yours  hold: 0" if dead is None else f"for {view.name(dead)}: {common.change_hint(view)}", "OK")


def order(canvas: Canvas, view: View, state: State) -> None:
    """The initiative values from the highest on, and why a tie fell as it did."""
    now = state.round
    values = {seat: state.hustle[seat] + now.hustle[seat] for seat in now.order}
    undecided = level_seats([values[seat] for seat in range(len(values))], [stats[2] for stats in state.stats])
    width = WIDTH_PX // len(now.order)
    for n, seat in enumerate(now.order):
        text = str(values[seat])
        level = list(values.values()).count(values[seat]) > 1
        settled_by = "lot" if now.lots else "seat"  # A1
        why = settled_by if seat in undecided else f"low {state.stats[seat][2]}" if level else ""  # R5
        canvas.centre(n * width, width, BODY_PX + 1, f"{n + 1}.{view.name(seat)}", SMALL)
        size = fitting(text, width - 1, 28)
        canvas.centre(n * width, width, 19, text, size, bold=True)
        canvas.centre(n * width, width, ROW_PX, why, SMALL)
    cats = draw_size(len(state.cubes), now.hustle[now.order[0]], state.deck)
    canvas.foot(f"{view.name(now.order[0])}: draw {cats} cats", "OK")


def adopt(canvas: Canvas, view: View, state: State, seat: Seat) -> None:
    """Whose turn it is, how many cats are left, and the cubes that everybody has left on hustle, in order."""
    now = state.round
    known = f"room {room(state, seat)}" if by_cards(state) else f"moxie {state.moxie[seat]}"
    canvas.status("", f"{common.left(view)} {known}")
    canvas.centre(0, 80, BODY_PX - 1, view.name(seat), fitting(view.name(seat), 80, 32), bold=True)
    canvas.centre(80, WIDTH_PX - 80, BODY_PX, str(now.middle), LARGE, bold=True)
    canvas.centre(80, WIDTH_PX - 80, 32, "cats left", SMALL)
    width = WIDTH_PX // len(now.order)
    for n, other in enumerate(now.order):
        name, left = view.name(other), now.hustle[other]
        cubes = "●" * left if 5 * left <= width else str(left)
        if other == seat:
            canvas.box(n * width, 40, width - 1, 8)
        canvas.centre(n * width, width, 40, name, SMALL, invert=other == seat)
        canvas.centre(n * width, width, ROW_PX, cubes or "–", SMALL)
    if view.answered_for is None:
        canvas.foot("press: took", "hold/OK: pass")
    else:
        canvas.foot(f"{'turn' if view.knob else '▲'}: {view.name(seat)} took", "OK: pass")


def pageants(canvas: Canvas, view: View, state: State) -> None:
    """What kind of pageant it will be (R15)."""
    left = state.round.middle
    if left:
        kind, line = f"{left} LEFT", f"{left} pageants, each its own" if left > 1 else "it is the pageant card"
    elif state.deck:
        kind, line = "DRAW ONE", "it is the pageant card"
    else:
        kind, line = "OPEN", "any cats, no card to win"
    canvas.headline(kind, BODY_PX, height=34)
    canvas.centre(0, WIDTH_PX, 45, line, SMALL)
    canvas.foot("pageant card drawn" if not left and state.deck else "then groom", "OK")


def groom(canvas: Canvas, view: View, state: State, ask: Groom) -> None:
    """Who grooms, with what; what the kit has to know is in the menu."""
    now, seat = state.round, ask.seat
    if by_cards(state):
        free = f" + {ask.free} free" if ask.free else ""
        canvas.status("", f"{common.left(view)} cubes {now.rest[seat]}{free}")
        common.choose(canvas, view)
        canvas.foot(common.change_hint(view), "hold OK: +1")
        return
    canvas.status("", common.left(view) or f"hustle {state.hustle[seat]} moxie {state.moxie[seat]}")
    later = [other for other in now.order[now.order.index(seat) + 1 :] if now.rest[other]]
    canvas.headline(view.name(seat), BODY_PX, height=26)
    canvas.centre(0, WIDTH_PX, 38, f"then {view.names(later)}" if later else "the last one", SMALL)
    canvas.centre(0, WIDTH_PX, ROW_PX, "hold OK: +1 or a trick", SMALL)
    done = "press: done" if view.answered_for is None else f"{'turn' if view.knob else '▲'}: done"
    canvas.foot(done, "OK: all done")


def latest(view: View, now: Round) -> str:
    """Where the last pageant card went."""
    if not now.won:
        return f"{len(now.shown)} pageants" if len(now.shown) > 1 else ""
    seat = now.won[-1]
    return f"card {len(now.won)}: {'back' if seat is None else view.name(seat)}"


def slots(state: State, seat: Seat) -> str:
    """How many cats a seat may still show."""
    now = state.round
    if not now.pageants and state.options.open_pageant == "unlimited":
        return "any number"
    most = now.show[seat] * cats_a_cube(state.tricks[seat].count("show"))
    return f"{most - sum(cats[seat] for cats in now.shown)} more"


def result(canvas: Canvas, view: View, state: State) -> None:
    """Who won each card; how many cards lie in each pile, or what they are worth where the kit knows."""
    now = state.round
    won = [None if seat is None else view.name(seat) for seat in now.won]
    if not now.pageants:
        line = "open: no card to win"
    elif len(won) == 1:
        line = "card below the deck" if won[0] is None else f"{won[0]} wins the card"
    else:
        line = " ".join(f"{n}:{name or 'back'}" for n, name in enumerate(won, 1))
        if font(SMALL).width_px * len(line) > WIDTH_PX:
            line = f"{len(won) - won.count(None)} of {len(won)} cards are won"
    size = PLAIN if len(line) * font(PLAIN).width_px <= WIDTH_PX else SMALL
    canvas.centre(0, WIDTH_PX, BODY_PX, line, size)
    known = by_cards(state)
    values = [str(total) for total in (scores(state) if known else state.scored)]
    canvas.status("", "DECK EMPTY" if ended(state) else f"deck {state.deck}")
    foot = ["" if known else "cards"] * len(values)
    cells(canvas, view, values, y=BODY_PX + 12, foot=foot, lit=[seat for seat in now.won if seat is not None])
    canvas.foot("no more rounds" if ended(state) else "take your cubes", "OK: score" if ended(state) else "OK: next")
