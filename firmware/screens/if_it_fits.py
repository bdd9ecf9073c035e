"""If It Fits' own pictures: the turn, the pips, the closing turns, the points of a box."""

from PIL import Image

from engine.games.if_it_fits import (
    CATS,
    HAND,
    Closed,
    Commonest,
    CountCats,
    Counting,
    Kind,
    Result,
    Sprays,
    StartCards,
    Starter,
    State,
    Turn,
    black_cats,
)
from engine.games.if_it_fits.boxes import Contents
from engine.rules import highest
from engine.words import N_
from firmware.screens import common
from firmware.screens.canvas import FOOT_PX, WIDTH_PX, Canvas, Text, width_px
from firmware.screens.common import View
from firmware.screens.font import SMALL
from firmware.words import _, translated

PLAYED = {
    "asleep": N_("cat asleep"),
    "princess": N_("Princess"),
    "toy": N_("no cat on a toy"),
    "toy_as_card": N_("toy as a card"),
    "discard": N_("discarded"),
}


def draw(view: View) -> Image.Image | None:
    """The picture of the question, or None where the generic one serves."""
    state: State = view.play.state
    if view.play.ended:
        return None
    canvas = Canvas()
    if state.over:
        over(canvas, view, state)
        return canvas.picture()
    ask = state.ask
    match ask:
        case Starter():
            piles = black_cats(len(state.cats))
            if state.options.advanced:  # R2, R4
                canvas.status(_("all black cats, deal {hand}", hand=HAND))
            else:
                canvas.status(_("{n} black, {n} piles, deal {hand}", n=piles, hand=HAND))
            common.tap(canvas, view)
            if view.answered_for is None:
                canvas.foot(_("starter: press"))  # R5
        case StartCards(laid):
            canvas.status(_("CARD {n}/{all}", n=len(laid) - laid.count(None) + 1, all=len(laid)), _("short sides"))
            common.tap(canvas, view)
            if view.answered_for is None:
                canvas.foot(view.named(lambda names: _("{names}: laid", names=names), *view.question.press))
        case Turn():
            turn(canvas, view, state, ask)
        case Result():
            result(canvas, view, state, ask)
        case Counting() | CountCats():
            canvas.status(_("BOX {number}", number=state.boxes + 1), so_far(state.box, ask))
            common.body(canvas, view)
            if view.question.menu and view.entry.note and view.answered_for is None:  # a cat may have been forgotten
                canvas.foot(_("tap: +1"), _("hold OK:more"))
    return canvas.picture()


def turn(canvas: Canvas, view: View, state: State, ask: Turn) -> None:
    """The player, large; below everybody's cats, and in the closing turns the cards still to be played."""
    name, played = view.label(ask.seat), _("+awake cat") if ask.cat else ""
    if ask.played:
        played = translated(PLAYED.get(ask.played, ""))
    if ask.last and not played:
        canvas.status(_("LAST: no draw,no sleepers"))  # R21
    elif state.hands:
        canvas.status(_("LAST TURNS"), played)
    else:
        canvas.status(_("TURN"), played or _("draw 1, play 1"))  # R6
    if ask.due_ns is not None:
        text: Text = f"{name} {common.left(view)}"
    elif ask.late:
        text = _("{name} TIME!", name=name)
    elif ask.last:
        text = (
            _("{name}: {n} left", name=name, n=state.hands[ask.seat]),
            f"{name}: {state.hands[ask.seat]}",
        )
    else:
        text = name
    canvas.headline(text, height=29)
    pips(canvas, view, state, ask)
    if view.answered_for is not None:
        key = common.more(view.knob) if view.question.ok else "OK"
        canvas.foot(_("{key}: for {name}", key=key, name=name), _("OK: timer") if view.question.ok else "")
    elif ask.last:
        canvas.foot(_("tap:done hold:0 OK:time") if view.question.ok else _("tap:done hold:0 OK:cats"))
    else:
        canvas.foot(_("{name}: done", name=name), _("OK: timer") if view.question.ok else _("OK: cats, deck"))


def pips(canvas: Canvas, view: View, state: State, ask: Turn) -> None:
    """A column a seat: the name, in the closing turns the cards in hand, and a block for each cat not on the table."""
    width = WIDTH_PX // len(state.cats)
    names = [view.name(seat, (width - 1) // common.SMALL_PX) for seat in range(len(state.cats))]
    with_cards = [f"{name} {cards}" for name, cards in zip(names, state.hands, strict=False)]
    if ask.last and max(width_px(text, SMALL) for text in with_cards) < width:
        names = with_cards
    step = min(6, (width - 4) // CATS)  # px from one to the next: five columns of five fit
    wide = step - step // 3
    for seat, cats in enumerate(state.cats):
        common.name_box(canvas, names[seat], seat * width, width - 1, FOOT_PX - 17, lit=seat == ask.seat)
        x = seat * width + (width - CATS * step + 1) // 2
        for n in range(CATS):
            height = 5 if n < cats else 1
            canvas.box(x + n * step, FOOT_PX - 1 - height, wide, height)


def so_far(box: Contents, ask: Counting | CountCats) -> Text:
    """The counts of a box so far."""
    if isinstance(ask, Commonest):
        return _("commonest kind")
    if isinstance(ask, Kind):
        return _("toys {numbers}", numbers=", ".join(map(str, ask.kinds))) if ask.kinds else ""
    if isinstance(ask, Sprays):
        return _("toys {numbers}", numbers=box.toys)
    if isinstance(ask, Closed):
        return _("toys {toys} sprays {sprays}", toys=box.toys, sprays=box.sprays)
    value = (box.toys - box.sprays) * (2 if box.closed else 1)
    return _("worth {value}", value=value), f"{value}"


def worth(box: Contents) -> str:
    """The calculation of a box's value (R23, R24)."""
    return f"({box.toys}-{box.sprays})x2" if box.closed else f"{box.toys}-{box.sprays}"


def result(canvas: Canvas, view: View, state: State, ask: Result) -> None:
    """The value of the box, the cats in it, its points, and the totals."""
    box = state.box
    number = _("BOX {number} closed", number=state.boxes) if box.closed else _("BOX {number} open", number=state.boxes)
    canvas.status((number, _("BOX {number}", number=state.boxes)))
    canvas.status("", f"{worth(box)}={ask.value}")
    gains = [f"{points:+}" if points or seat in ask.seats else "" for seat, points in enumerate(ask.points)]
    values = [str(total) for total in state.scores]
    common.cells(canvas, view, values, line=cats_line(view, box), foot=gains, lit=ask.seats)
    if any(state.uncounted):
        canvas.foot(_("hold OK: done"), _("OK: next"))
    else:
        canvas.foot(_("all cats counted"), _("OK: end"))


def cats_line(view: View, box: Contents) -> Text:
    """Cats by player, those asleep behind a plus."""
    counts = list(zip(range(len(box.awake)), box.awake, box.asleep, strict=True))
    there = [(view.name(seat, common.MAX_LABEL), up, down) for seat, up, down in counts if up or down]
    asleep = " ".join(f"{name}:{up}+{down}" if down else f"{name}:{up}" for name, up, down in there)
    together = " ".join(f"{name}:{up + down}" for name, up, down in there)
    if not there:
        return _("no cats")
    bare = " ".join(str(up + down) for _, up, down in counts)
    return _("cats {numbers}", numbers=asleep), asleep, together, _("cats {numbers}", numbers=bare), bare


def over(canvas: Canvas, view: View, state: State) -> None:
    """The ranking; where the highest total is shared, the negative points that decide."""
    best = highest(state.scores, range(len(state.cats)))
    marks = [f"{view.name(seat, common.MAX_LABEL)}-{state.negatives[seat]}" for seat in best]
    bare = " ".join(f"-{state.negatives[seat]}" for seat in best)
    common.over(canvas, view, why=(" ".join(marks), bare) if len(best) > 1 else "")
