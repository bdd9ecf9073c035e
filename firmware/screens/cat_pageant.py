"""CAT Pageant's own pictures: fanciers, the count to PLACE, the order, pageants and their winners."""

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
    MAX_NAME,
    NO,
    STATS,
    Round,
    State,
    by_cards,
    cats_a_cube,
    ended,
    level_seats,
    room,
    to_draw,
)
from engine.rules import Seat
from firmware.screens import common
from firmware.screens.canvas import BODY_PX, FOOT_PX, WIDTH_PX, Canvas, Text, common_size, width_px
from firmware.screens.common import TITLE_PX, View, cells
from firmware.screens.font import HUGE, LARGE, SMALL
from firmware.table.question import chosen, shown
from firmware.words import _, ngettext, translated

ROW_PX = FOOT_PX - 9  # the small row above the bottom one


def draw(view: View) -> Image.Image | None:
    """The picture of the question, or None where the generic one serves."""
    state: State = view.play.state
    if view.play.over:
        return None
    now, ask = state.round, state.ask
    canvas = Canvas()
    canvas.status(heading(view, state), _("deck {deck}", deck=state.deck))
    match ask:
        case Fancier(seat):
            entered = state.stats[seat]
            canvas.status("", _("{n} of {all}", n=len(entered) + 1, all=len(STATS)))
            single(canvas, view, seat, so_far(entered))
        case WhichFancier():
            which_fancier(canvas, view, state)
        case Name(seat, letters):
            spelling(canvas, view, state.stats[seat], letters)
        case Place():
            canvas.headline(_("HOLD CUBES"), height=28)
            canvas.centre(0, WIDTH_PX, ROW_PX - 9, _("at zero place them on"))
            canvas.centre(0, WIDTH_PX, ROW_PX, _("hustle, groom and show"))
            canvas.foot(_("ready?"), _("OK: count down"))
        case Countdown(due_ns):
            common.countdown(canvas, view, due_ns)
        case Hustle():
            hustle(canvas, view, state)
        case GroomCubes():
            common.count(canvas, view, _("rest is on show"))
        case Order():
            order(canvas, view, state)
        case Adopt(seat):
            adopt(canvas, view, state, seat)
        case CatTrick(seat):
            canvas.status("", _("room {room}", room=room(state, seat)))
            common.choose(canvas, view)
        case CatMoxie(seat, trick):
            single(canvas, view, seat, _("{trick}, room {room}", trick=translated(trick), room=room(state, seat)))
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
            single(canvas, view, seat, view.named(lambda who: _("{name} has won it", name=who), seat))
        case Result() if view.question.control is not None:  # A16
            canvas.status("", _("no cat, no card"))
            common.choose(canvas, view)
        case Result():
            result(canvas, view, state)
        case Piles() | Media() | Final():
            common.count(canvas, view, _("level: most wins") if isinstance(ask, Final) else _("score piles"))
    return canvas.picture()


def heading(view: View, state: State) -> Text:
    """The part of the game, and the player."""
    match state.ask:
        case WhichFancier(seat) | Fancier(seat) | Name(seat):
            return view.named(lambda who: _("FANCIER  {name}", name=who), seat)
        case Adopt():
            return _("ADOPT R{number}", number=state.round.number)
        case CatTrick(seat) | CatMoxie(seat):
            return view.named(lambda who: _("{name} ADOPTS", name=who), seat)
        case Groom():
            return _("GROOM")
        case ShowCat(seat):
            return view.named(lambda who: _("{name} SHOWS", name=who), seat)
        case _:
            return _("ROUND {number}", number=state.round.number)


def single(canvas: Canvas, view: View, seat: Seat, line: Text) -> None:
    """One seat enters one number: it stands large, with a small line below."""
    canvas.title(view.title)
    number = shown(view.question, view.entry, seat)
    top = BODY_PX + TITLE_PX
    canvas.headline("–" if number is None else str(number), top, height=ROW_PX - top)
    canvas.centre(0, WIDTH_PX, ROW_PX, line)
    canvas.note(view.entry.note or "")
    if view.answered_for is not None:
        keys = common.change_hint(view)
        canvas.foot(view.named(lambda who: _("for {name}: {turn}", name=who, turn=keys), seat))
    elif view.entry.missing:
        canvas.foot(view.named(lambda who: _("{name}: 0? OK", name=who), seat), _("tap: count"))
    else:
        turn = common.turn(view.knob)
        canvas.foot(view.named(lambda who: _("{name}: tap or {turn}", name=who, turn=turn), seat), "OK")


def so_far(stats: Sequence[int]) -> str:
    """The numbers of a fancier that are entered already."""
    match stats:
        case [low]:
            return _("moxie {low}", low=low)
        case [low, high]:
            return _("moxie {low}-{high}", low=low, high=high)
        case [low, high, hustle]:
            return _("moxie {low}-{high}  hustle {hustle}", low=low, high=high, hustle=hustle)
        case _:
            return ""


def printed(stats: Sequence[int]) -> str:
    """The four numbers of a fancier."""
    low, high, least, most = stats
    return _("moxie {low}-{high}  hustle {least}-{most}", low=low, high=high, least=least, most=most)


def which_fancier(canvas: Canvas, view: View, state: State) -> None:
    """A known fancier by its name, large, with its four numbers."""
    offer, at = view.question.control, chosen(view.question, view.entry)
    assert offer is not None
    canvas.status(
        "",
        _("{at} of {n}", at=offer.options.index(at) + 1, n=len(offer.options)) if isinstance(at, str) else "",
    )
    known = next((fancier for fancier in state.known if fancier.name == at), None)
    canvas.headline(_("NEW ONE") if known is None else known.name, height=36)
    canvas.centre(0, WIDTH_PX, ROW_PX, _("enter four numbers") if known is None else printed(known[1:]))
    canvas.foot(common.change_hint(view), (common.side_hint(view), ""))


def spelling(canvas: Canvas, view: View, stats: Sequence[int], letters: str) -> None:
    """The name so far, large, with the letter at the control; at first whether to save the fancier at all."""
    at = str(chosen(view.question, view.entry))
    turn = common.turn(view.knob)
    way = turn if view.question.chooser in view.dead else _("tap/{turn}", turn=turn)
    if not letters and at == NO:
        canvas.headline(_("SAVE IT?"), height=36)
        canvas.centre(0, WIDTH_PX, ROW_PX, printed(stats))
        canvas.foot(_("{way}: name it", way=way), _("OK: no"))
        return
    done = at == ENOUGH
    cell = WIDTH_PX // MAX_NAME
    for n, letter in enumerate((letters if done else letters + at).ljust(MAX_NAME, "·")):
        choosing = n == len(letters) and not done
        if choosing:
            canvas.box(n * cell, BODY_PX + 2, cell, 32)
        canvas.headline(letter, BODY_PX + 2, height=32, x=n * cell, width=cell, size=HUGE, invert=choosing)
    canvas.centre(0, WIDTH_PX, ROW_PX, _("done: save it") if done else _("letter by letter"))
    canvas.foot(_("{way}: A to Z", way=way), _("OK: save") if done else _("OK: {at}", at=at))


def hustle(canvas: Canvas, view: View, state: State) -> None:
    """The signal, until somebody enters a number."""
    entry = view.entry
    if not state.options.placing_countdown or entry.values or entry.missing or entry.note:
        common.count(canvas, view)
        return
    canvas.headline(_("PLACE!"), height=38)
    canvas.centre(0, WIDTH_PX, ROW_PX, _("uncover: hustle cubes?"))
    common.count_foot(canvas, view)


def order(canvas: Canvas, view: View, state: State) -> None:
    """The initiative values from the highest on, and how ties were decided."""
    now = state.round
    values = {seat: state.hustle[seat] + now.hustle[seat] for seat in now.order}
    undecided = level_seats([values[seat] for seat in range(len(values))], [stats[2] for stats in state.stats])
    width = WIDTH_PX // len(now.order)
    size = common_size([str(value) for value in values.values()], width - common.BETWEEN_PX, 28)
    for n, seat in enumerate(now.order):
        level = list(values.values()).count(values[seat]) > 1
        settled_by = _("lot") if now.lots else _("seat")  # A1
        why = settled_by if seat in undecided else _("low {value}", value=state.stats[seat][2]) if level else ""  # R5
        canvas.centre(n * width, width, BODY_PX + 1, f"{n + 1}.{view.name(seat, width // common.SMALL_PX - 2)}")
        canvas.headline(str(values[seat]), 18, height=28, x=n * width, width=width, size=size)
        canvas.centre(n * width, width, ROW_PX, why)
    draw = view.named(lambda who: _("{name}: draw {n} cats", name=who, n=to_draw(state)), now.order[0])
    canvas.foot(draw, "OK")


def adopt(canvas: Canvas, view: View, state: State, seat: Seat) -> None:
    """The player, the cats left, and the cubes that everybody has left on hustle, in order."""
    now = state.round
    known = _("room {room}", room=room(state, seat)) if by_cards(state) else _("moxie {moxie}", moxie=state.moxie[seat])
    canvas.status("", f"{common.left(view)} {known}")
    beside = 78  # where the cats stand
    canvas.headline(view.label(seat), height=28, width=beside)
    canvas.headline(str(now.middle), BODY_PX + 1, height=18, x=beside, width=WIDTH_PX - beside, size=LARGE)
    canvas.centre(beside, WIDTH_PX - beside, 28, _("cats left"))
    width = WIDTH_PX // len(now.order)
    for n, other in enumerate(now.order):
        left = now.hustle[other]
        cubes = "●" * left if width_px("●" * left, SMALL) <= width - 3 else ngettext("{n} cubes", "{n} cubes", left)
        name = view.name(other, (width - 1) // common.SMALL_PX)
        common.name_box(canvas, name, n * width, width - 1, ROW_PX - 9, lit=other == seat)
        canvas.centre(n * width, width, ROW_PX, cubes if left else "–")
    if view.answered_for is None:
        canvas.foot(_("press: took"), _("hold: pass"))
    else:
        up = common.more(view.knob)
        canvas.foot(view.named(lambda who: _("{turn}: {name} took", turn=up, name=who), seat), _("OK: pass"))


def pageants(canvas: Canvas, view: View, state: State) -> None:
    """The kind of pageant (R15)."""
    left = state.round.middle
    if left:
        kind, line = (
            _("{left} LEFT", left=left),
            _("{left} pageants, each its own", left=left) if left > 1 else _("it is the pageant card"),
        )
    elif state.deck:
        kind, line = _("DRAW ONE"), _("it is the pageant card")
    else:
        kind, line = _("OPEN"), _("any cats, no card to win")
    canvas.headline(kind, height=36)
    canvas.centre(0, WIDTH_PX, ROW_PX, line)
    canvas.foot(_("card drawn") if not left and state.deck else _("then groom"), "OK")


def groom(canvas: Canvas, view: View, state: State, ask: Groom) -> None:
    """The seat that grooms, and its cubes; training and learning are in the menu."""
    now, seat = state.round, ask.seat
    if by_cards(state):
        free = _(" + {n} free", n=ask.free) if ask.free else ""
        canvas.status("", _("{time} cubes {n}{free}", time=common.left(view), n=now.rest[seat], free=free))
        common.choose(canvas, view)
        canvas.foot(common.change_hint(view), _("hold OK:+1"))
        return
    canvas.status(
        "",
        common.left(view) or _("hustle {hustle} moxie {moxie}", hustle=state.hustle[seat], moxie=state.moxie[seat]),
    )
    later = [other for other in now.order[now.order.index(seat) + 1 :] if now.rest[other]]
    canvas.headline(view.label(seat), height=28)
    then = view.named(lambda names: _("then {names}", names=names), *later) if later else _("the last one")
    canvas.centre(0, WIDTH_PX, ROW_PX - 9, then)
    canvas.centre(0, WIDTH_PX, ROW_PX, _("hold OK: +1 or a trick"))
    done = _("press: done") if view.answered_for is None else _("{turn}: done", turn=common.more(view.knob))
    canvas.foot(done, _("OK: all done"))


def latest(view: View, now: Round) -> Text:
    """The winner of the last pageant card."""
    if not now.won:
        return _("{n} pageants", n=len(now.shown)) if len(now.shown) > 1 else ""
    seat = now.won[-1]
    if seat is None:
        return _("card {n}: {name}", n=len(now.won), name=_("back"))
    return view.named(lambda who: _("card {n}: {name}", n=len(now.won), name=who), seat)


def slots(state: State, seat: Seat) -> str:
    """The number of cats that a seat may still show."""
    now = state.round
    if not now.pageants and state.options.open_pageant == "unlimited":
        return _("any number")
    most = now.show[seat] * cats_a_cube(state.tricks[seat].count("show"))
    return _("{most} more", most=most - sum(cats[seat] for cats in now.shown))


def result(canvas: Canvas, view: View, state: State) -> None:
    """The winner of each card; the cards in each pile, or their moxie where it is known."""
    now = state.round
    won = [seat for seat in now.won if seat is not None]
    line: Text
    if not now.pageants:
        line = _("open: no card to win")
    elif len(now.won) == 1:
        line = view.named(lambda who: _("{name} wins the card", name=who), *won) if won else _("card below the deck")
    else:
        back = _("back")
        line = (
            *(
                " ".join(f"{n}:{back if seat is None else names[seat]}" for n, seat in enumerate(now.won, 1))
                for names in dict.fromkeys((view.called, view.play.players))
            ),
            _("{n} of {all} cards won", n=len(won), all=len(now.won)),
        )
    known = by_cards(state)
    values = [str(total) for total in (state.scores if known else state.scored)]
    deck = _("DECK EMPTY") if ended(state) else _("deck {deck}", deck=state.deck)
    canvas.status(
        _("ROUND {number}", number=now.number) if known else _("R{number}: cards won", number=now.number),
        deck,
    )
    cells(canvas, view, values, title=line, lit=won)
    canvas.foot(
        _("no more rounds") if ended(state) else _("take your cubes"), _("OK: score") if ended(state) else _("OK: next")
    )
