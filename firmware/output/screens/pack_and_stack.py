"""Pack & Stack's own pictures: more boxes than the die shows, a load that was rolled, who still packs."""

from engine.face import Face
from engine.games.pack_and_stack import BOXES, COLOURS, FACES, Load, Packing, Roll, order
from engine.rules import TAKE_BACK
from firmware.output.screens.canvas import BODY_PX, FOOT_PX, WIDTH_PX, Canvas, Text
from firmware.output.screens.face import LINE_PX, Drawings, headline, shown, template
from firmware.output.screens.font import HUGE, PLAIN
from firmware.output.screens.view import View
from firmware.translation import _, translated


def load(canvas: Canvas, view: View, face: Face, ask: Load) -> None:
    """A warning, never a refusal: more boxes than the die shows."""
    template(canvas, view, face)
    most = FACES[ask.colour][-1]
    over = [seat for seat, n in view.entry.values.items() if seat is not None and most < n <= BOXES[ask.colour]]
    if over and not view.entry.note:
        canvas.note(view.named(lambda names: _("{names}: the die has {most}?", names=names, most=most), over[0]))


def roll(canvas: Canvas, view: View, face: Face, ask: Roll) -> None:
    """The kit rolls: the last load stands large, to take the boxes by."""
    state = view.play.state
    loads = state.round.loads
    seat = next(iter(view.question.press))
    rolled = [s for s in order(state) if loads[s][0] is not None]
    if rolled:
        canvas.status(view.named(lambda who: _("{name} takes", name=who), rolled[-1]), size=PLAIN)
        boxes(canvas, loads[rolled[-1]])
    else:
        canvas.headline(view.label(seat))
    if view.answered_for is not None:
        canvas.foot(view.named(lambda who: _("OK: roll for {name}", name=who), view.answered_for))


def boxes(canvas: Canvas, load: tuple[int | None, ...]) -> None:
    """Five numbers, a column a colour; the colours' names alternate between two lines, as they are wider."""
    width = WIDTH_PX // len(load)
    for n, (colour, number) in enumerate(zip(COLOURS, load, strict=True)):
        x = 1 + n * width
        canvas.headline(str(number or 0), BODY_PX + 2, height=26, x=x, width=width, size=HUGE)
        canvas.centre(max(0, x - 8), width + 16, FOOT_PX - (9 if n % 2 else 17), translated(colour))


def packing(canvas: Canvas, view: View, face: Face, ask: Packing) -> None:
    """The seats that are done; a dead button needs no answer: it is for information."""
    headline(canvas, view, face)
    marks = [
        " ".join(f"{name}{'●' if done else '○'}" for name, done in zip(names, ask.done, strict=True))
        for names in dict.fromkeys((view.called, view.play.players))
    ]
    out = [seat for seat, done in enumerate(ask.done) if not done]
    texts = view.named(lambda names: _("{names} pack", names=names), *out)
    progress = (*marks, *texts, _("{n} still pack", n=len(out)))
    canvas.centre(0, WIDTH_PX, FOOT_PX - LINE_PX, wrong_truck(view) if view.void else progress)
    canvas.foot(shown(view, face.press), shown(view, face.ok))


def wrong_truck(view: View) -> Text:
    """The way to take a press back (A8, A9), and for whom: whoever has not pressed has none."""
    hold = sorted(view.question.hold.items())
    may = [seat for seat, offer in hold if offer.verb == TAKE_BACK and seat not in view.dead]
    if len(may) == len(view.play.players):
        return _("hold: wrong truck")
    named = view.named(lambda names: _("{names} hold: wrong truck", names=names), *may)
    shorter = view.named(lambda names: _("{names}: hold if wrong", names=names), *may)
    return *named, *shorter, _("pressed: hold if wrong")


DRAWINGS: Drawings = {Load: load, Roll: roll, Packing: packing}
