"""What is special about CAT Pageant's pictures: fanciers, the count to PLACE, the order, pageants and their winners."""

from collections.abc import Sequence

from PIL import Image

from engine.games.cat_pageant.fanciers import Fancier, Name, WhichFancier
from engine.games.cat_pageant.rounds import (
    Adopt,
    CardMoxie,
    CardTrick,
    CatMoxie,
    CatTrick,
    Countdown,
    Groom,
    GroomCubes,
    Hustle,
    Learn,
    Order,
    Pageants,
    Place,
    Result,
    Show,
    ShowCat,
)
from engine.games.cat_pageant.scoring import Final, Media, Piles
from engine.games.cat_pageant.table import (
    ENOUGH,
    LONGEST_NAME,
    NO,
    STATS,
    Round,
    State,
    by_cards,
    cats_a_cube,
    ended,
    level_seats,
    room,
    scores,
    to_draw,
)
from engine.rules import Seat
from firmware.screens import common
from firmware.screens.canvas import BODY_PX, FOOT_PX, WIDTH_PX, Canvas, common_size, width_px
from firmware.screens.common import TITLE_PX, View, cells
from firmware.screens.font import HUGE, LARGE, PLAIN, SMALL
from firmware.table.question import chosen, shown

ROW_PX = FOOT_PX - 9  # the small row above the bottom one


def draw(view: View) -> Image.Image | None:
    """The picture of the question, or None where the generic one serves."""
    state: State = view.play.state
    if view.play.over:
        return None
    now, ask = state.round, state.ask
    canvas = Canvas()
    canvas.status(heading(view, state), f"deck {state.deck}")
    match ask:
        case Fancier(seat):
            entered = state.stats[seat]
            canvas.status("", f"{len(entered) + 1} of {len(STATS)}")
            single(canvas, view, seat, so_far(entered))
        case WhichFancier():
            which_fancier(canvas, view, state)
        case Name(seat, letters):
            spelling(canvas, view, state.stats[seat], letters)
        case Place():
            canvas.headline("HOLD CUBES", height=28)
            canvas.centre(0, WIDTH_PX, ROW_PX - 9, "at zero place them on")
            canvas.centre(0, WIDTH_PX, ROW_PX, "hustle, groom and show")
            canvas.foot("ready?", "OK: count down")
        case Countdown(due_ns):
            common.countdown(canvas, view, due_ns)
        case Hustle():
            hustle(canvas, view, state)
        case GroomCubes():
            common.count(canvas, view, "rest is on show")
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
            common.count(canvas, view, latest(view, now))
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
            common.count(canvas, view, "level: most wins" if isinstance(ask, Final) else "score piles")
    return canvas.picture()


def heading(view: View, state: State) -> str:
    """What goes on, and whose it is."""
    match state.ask:
        case WhichFancier(seat) | Fancier(seat) | Name(seat):
            return f"FANCIER  {view.name(seat)}"
        case Adopt():
            return f"ADOPT R{state.round.number}"
        case CatTrick(seat) | CatMoxie(seat):
            return f"{view.name(seat)} ADOPTS"
        case Groom():
            return "GROOM"
        case ShowCat(seat):
            return f"{view.name(seat)} SHOWS"
        case _:
            return f"ROUND {state.round.number}"


def single(canvas: Canvas, view: View, seat: Seat, line: str) -> None:
    """One seat enters one number: it stands large, with a small line below."""
    canvas.title(view.title)
    number = shown(view.question, view.entry, seat)
    top = BODY_PX + TITLE_PX
    canvas.headline("–" if number is None else str(number), top, height=ROW_PX - top)
    canvas.centre(0, WIDTH_PX, ROW_PX, line)
    if view.entry.note:
        canvas.foot(view.entry.note)
    elif view.answered_for is not None:
        canvas.foot(f"for {view.name(seat)}: {common.change_hint(view)}")
    elif view.entry.missing:
        canvas.foot(f"{view.name(seat)}: 0? OK", "tap: count")
    else:
        canvas.foot(f"{view.name(seat)}: tap or {'turn' if view.knob else '▲▼'}", "OK")


def so_far(stats: Sequence[int]) -> str:
    """The numbers of a fancier that are entered already."""
    words = ("moxie {}", "moxie {}-{}", "moxie {}-{}  hustle {}")
    return words[len(stats) - 1].format(*stats) if stats else ""


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
    canvas.headline("NEW ONE" if known is None else known.name, height=36)
    canvas.centre(0, WIDTH_PX, ROW_PX, "enter four numbers" if known is None else printed(known[1:]))
    canvas.foot(common.change_hint(view), (common.side_hint(view), ""))


def spelling(canvas: Canvas, view: View, stats: Sequence[int], letters: str) -> None:
    """The name so far, large, with the letter at the control; at first whether there shall be one at all."""
    at = str(chosen(view.question, view.entry))
    turn = "turn" if view.knob else "▲▼"
    way = turn if view.question.chooser in view.dead else f"tap/{turn}"
    if not letters and at == NO:
        canvas.headline("SAVE IT?", height=36)
        canvas.centre(0, WIDTH_PX, ROW_PX, printed(stats))
        canvas.foot(f"{way}: name it", "OK: no")
        return
    done = at == ENOUGH
    cell = WIDTH_PX // LONGEST_NAME
    for n, letter in enumerate((letters if done else letters + at).ljust(LONGEST_NAME, "·")):
        choosing = n == len(letters) and not done
        if choosing:
            canvas.box(n * cell, BODY_PX + 2, cell, 32)
        canvas.headline(letter, BODY_PX + 2, height=32, x=n * cell, width=cell, size=HUGE, invert=choosing)
    canvas.centre(0, WIDTH_PX, ROW_PX, "done: save it" if done else "letter by letter")
    canvas.foot(f"{way}: A to Z", "OK: save" if done else f"OK: {at}")


def hustle(canvas: Canvas, view: View, state: State) -> None:
    """The signal, until somebody enters a number."""
    entry = view.entry
    if not state.options.placing_countdown or entry.values or entry.missing or entry.note:
        common.count(canvas, view)
        return
    canvas.headline("PLACE!", height=38)
    canvas.centre(0, WIDTH_PX, ROW_PX, "uncover: hustle cubes?")
    common.count_foot(canvas, view)


def order(canvas: Canvas, view: View, state: State) -> None:
    """The initiative values from the highest on, and why a tie fell as it did."""
    now = state.round
    values = {seat: state.hustle[seat] + now.hustle[seat] for seat in now.order}
    undecided = level_seats([values[seat] for seat in range(len(values))], [stats[2] for stats in state.stats])
    width = WIDTH_PX // len(now.order)
    size = common_size([str(value) for value in values.values()], width - common.BETWEEN_PX, 28)
    for n, seat in enumerate(now.order):
        level = list(values.values()).count(values[seat]) > 1
        settled_by = "lot" if now.lots else "seat"  # A1
        why = settled_by if seat in undecided else f"low {state.stats[seat][2]}" if level else ""  # R5
        canvas.centre(n * width, width, BODY_PX + 1, f"{n + 1}.{view.name(seat)}")
        canvas.headline(str(values[seat]), 18, height=28, x=n * width, width=width, size=size)
        canvas.centre(n * width, width, ROW_PX, why)
    canvas.foot(f"{view.name(now.order[0])}: draw {to_draw(state)} cats", "OK")


def adopt(canvas: Canvas, view: View, state: State, seat: Seat) -> None:
    """Whose turn it is, how many cats are left, and the cubes that everybody has left on hustle, in order."""
    now = state.round
    known = f"room {room(state, seat)}" if by_cards(state) else f"moxie {state.moxie[seat]}"
    canvas.status("", f"{common.left(view)} {known}")
    beside = 78  # where the cats stand
    canvas.headline(view.name(seat), height=28, width=beside)
    canvas.headline(str(now.middle), BODY_PX + 1, height=18, x=beside, width=WIDTH_PX - beside, size=LARGE)
    canvas.centre(beside, WIDTH_PX - beside, 28, "cats left")
    width = WIDTH_PX // len(now.order)
    for n, other in enumerate(now.order):
        left = now.hustle[other]
        cubes = "●" * left if width_px("●" * left, SMALL) <= width - 3 else f"{left} cubes"
        common.name_box(canvas, view.name(other), n * width, width - 1, ROW_PX - 9, lit=other == seat)
        canvas.centre(n * width, width, ROW_PX, cubes if left else "–")
    if view.answered_for is None:
        canvas.foot("press: took", "hold: pass")
    else:
        canvas.foot(f"{common.more(view)}: {view.name(seat)} took", "OK: pass")


def pageants(canvas: Canvas, view: View, state: State) -> None:
    """What kind of pageant it will be (R15)."""
    left = state.round.middle
    if left:
        kind, line = f"{left} LEFT", f"{left} pageants, each its own" if left > 1 else "it is the pageant card"
    elif state.deck:
        kind, line = "DRAW ONE", "it is the pageant card"
    else:
        kind, line = "OPEN", "any cats, no card to win"
    canvas.headline(kind, height=36)
    canvas.centre(0, WIDTH_PX, ROW_PX, line)
    canvas.foot("card drawn" if not left and state.deck else "then groom", "OK")


def groom(canvas: Canvas, view: View, state: State, ask: Groom) -> None:
    """Who grooms, with what; what the kit has to know is in the menu."""
    now, seat = state.round, ask.seat
    if by_cards(state):
        free = f" + {ask.free} free" if ask.free else ""
        canvas.status("", f"{common.left(view)} cubes {now.rest[seat]}{free}")
        common.choose(canvas, view)
        canvas.foot(common.change_hint(view), "hold OK:+1")
        return
    canvas.status("", common.left(view) or f"hustle {state.hustle[seat]} moxie {state.moxie[seat]}")
    later = [other for other in now.order[now.order.index(seat) + 1 :] if now.rest[other]]
    canvas.headline(view.name(seat), height=28)
    canvas.centre(0, WIDTH_PX, ROW_PX - 9, f"then {view.names(later)}" if later else "the last one")
    canvas.centre(0, WIDTH_PX, ROW_PX, "hold OK: +1 or a trick")
    done = "press: done" if view.answered_for is None else f"{common.more(view)}: done"
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
        if width_px(line, PLAIN) > WIDTH_PX:
            line = f"{len(won) - won.count(None)} of {len(won)} cards won"
    known = by_cards(state)
    values = [str(total) for total in (scores(state) if known else state.scored)]
    deck = "DECK EMPTY" if ended(state) else f"deck {state.deck}"
    canvas.status(f"ROUND {now.number}" if known else f"R{now.number}: cards won", deck)
    cells(canvas, view, values, title=line, lit=[seat for seat in now.won if seat is not None])
    canvas.foot("no more rounds" if ended(state) else "take your cubes", "OK: score" if ended(state) else "OK: next")
