"""CAT Pageant's own pictures: one seat's number, fanciers and their names, the order, cats adopted and groomed."""

from engine.face import Face
from engine.games.cat_pageant.fanciers import Fancier, Name, WhichFancier, printed
from engine.games.cat_pageant.rounds import Adopt, CardMoxie, CatMoxie, Groom, Hustle, Order
from engine.games.cat_pageant.table import ENOUGH, MAX_NAME, NO, by_cards, later
from firmware.output.screens import seats, templates
from firmware.output.screens.canvas import BODY_PX, FOOT_PX, WIDTH_PX, Canvas, common_size, width_px
from firmware.output.screens.face import HEIGHTS_PX, LINE_PX, Drawings, headline, lines, shown
from firmware.output.screens.font import HUGE, LARGE, SMALL
from firmware.output.screens.seats import TITLE_PX
from firmware.output.screens.view import View, more, turn
from firmware.table import question
from firmware.table.question import chosen
from firmware.translation import _, ngettext, translated

ROW_PX = FOOT_PX - LINE_PX  # the small row above the bottom one


def single(canvas: Canvas, view: View, face: Face, ask: Fancier | CatMoxie | CardMoxie) -> None:
    """One seat enters one number: it stands large, with a small line below."""
    canvas.title(view.title)
    number = question.shown(view.question, view.entry, ask.seat)
    top = BODY_PX + TITLE_PX
    canvas.headline("–" if number is None else str(number), top, height=ROW_PX - top)
    lines(canvas, view, face)
    templates.count_note(canvas, view)
    if view.answered_for is not None:
        keys = templates.change_hint(view)
        canvas.foot(view.named(lambda who: _("for {name}: {turn}", name=who, turn=keys), ask.seat))
    elif view.entry.missing:
        canvas.foot(view.named(lambda who: _("{name}: 0? OK", name=who), ask.seat), _("tap: count"))
    else:
        keys = turn(view.knob)
        canvas.foot(view.named(lambda who: _("{name}: tap or {turn}", name=who, turn=keys), ask.seat), "OK")


def which_fancier(canvas: Canvas, view: View, face: Face, ask: WhichFancier) -> None:
    """The fancier at the control: its name, large, and its four numbers."""
    (offer,), at = ask.offers(view.play.state), chosen(view.question, view.entry)
    canvas.status("", _("{at} of {n}", at=offer.options.index(at) + 1, n=len(offer.options)))
    known = next((fancier for fancier in view.play.state.known if fancier.name == at), None)
    canvas.headline(_("NEW ONE") if known is None else known.name, height=HEIGHTS_PX[1])
    line = _("enter four numbers") if known is None else translated(printed(known[1:]))
    canvas.centre(0, WIDTH_PX, ROW_PX, line)
    canvas.foot(templates.change_keys(view), templates.side_hint(view))


def spelling(canvas: Canvas, view: View, face: Face, ask: Name) -> None:
    """The name so far, large, with the letter at the control; at first whether to save the fancier at all."""
    letters, at = ask.letters, str(chosen(view.question, view.entry))
    keys = turn(view.knob)
    way = keys if ask.seat in view.dead else _("tap/{turn}", turn=keys)
    if at == NO:
        headline(canvas, view, face)
        canvas.foot(_("{way}: name it", way=way), _("OK: no"))
        return
    done = at == ENOUGH
    cell = WIDTH_PX // MAX_NAME
    for n, letter in enumerate((letters if done else letters + at).ljust(MAX_NAME, "·")):
        choosing = n == len(letters) and not done
        if choosing:
            canvas.box(n * cell, BODY_PX + 2, cell, 32)
        canvas.headline(letter, BODY_PX + 2, height=32, x=n * cell, width=cell, size=HUGE, invert=choosing)
    canvas.centre(0, WIDTH_PX, ROW_PX, _("done: save it") if done else _("done comes before A"))
    canvas.foot(_("{way}: A to Z", way=way), _("OK: save") if done else _("OK: {at}", at=at))


def hustle(canvas: Canvas, view: View, face: Face, ask: Hustle) -> None:
    """The signal, until somebody enters a number."""
    entry = view.entry
    if face.big and not (entry.values or entry.missing or entry.note):
        headline(canvas, view, face)
        templates.count_foot(canvas, view)
    else:
        templates.count(canvas, view)


def order(canvas: Canvas, view: View, face: Face, ask: Order) -> None:
    """The initiative values from the highest on, and how ties were decided."""
    ordered = view.play.state.round.order
    width, row = WIDTH_PX // len(ordered), ROW_PX
    names = [f"{seats.ordinal(n)} {view.name(seat)}" for n, seat in enumerate(ordered, 1)]
    if any(width_px(name, SMALL) > width - 2 for name in names):
        names = [f"{n}.{view.name(seat, width // seats.SMALL_PX - 2)}" for n, seat in enumerate(ordered, 1)]
    for line in face.lines:
        canvas.centre(0, WIDTH_PX, ROW_PX, shown(view, line))
        row -= LINE_PX
    height = row - 18
    size = common_size(face.values, width - seats.BETWEEN_PX, height)
    for n, seat in enumerate(ordered):
        canvas.centre(n * width, width, BODY_PX + 1, names[n])
        canvas.headline(face.values[seat], 18, height=height, x=n * width, width=width, size=size)
        canvas.centre(n * width, width, row, face.below[seat])


def adopt(canvas: Canvas, view: View, face: Face, ask: Adopt) -> None:
    """The player, the cats left, and the cubes that everybody has left on hustle, in order."""
    now, seat = view.play.state.round, ask.seat
    beside = 78  # where the cats stand
    canvas.headline(view.label(seat), height=28, width=beside)
    canvas.headline(str(now.middle), BODY_PX + 1, height=18, x=beside, width=WIDTH_PX - beside, size=LARGE)
    canvas.centre(beside, WIDTH_PX - beside, 28, _("cats left"))
    width = WIDTH_PX // len(now.order)
    for n, other in enumerate(now.order):
        left = now.hustle[other]
        cubes = "●" * left if width_px("●" * left, SMALL) <= width - 3 else ngettext("{n} cubes", "{n} cubes", left)
        name = view.name(other, (width - 1) // seats.SMALL_PX)
        seats.name_box(canvas, name, n * width, width - 1, ROW_PX - 9, lit=other == seat)
        canvas.centre(n * width, width, ROW_PX, cubes if left else "–")
    if view.answered_for is not None:
        up = more(view.knob)
        canvas.foot(view.named(lambda who: _("{turn}: {name} took", turn=up, name=who), seat), _("OK: pass"))


def groom(canvas: Canvas, view: View, face: Face, ask: Groom) -> None:
    """The seat that grooms, and who is next; training and learning are in the menu."""
    if by_cards(view.play.state):
        templates.choose(canvas, view)
        trains = any(offer.verb.startswith("train") for offer in view.question.menu)
        canvas.foot(
            templates.change_hint(view), templates.over_back(view, _("+1")) if trains else templates.side_hint(view)
        )
        return
    canvas.headline(view.label(ask.seat), height=HEIGHTS_PX[2])
    if (name := view.name(ask.seat)) != view.label(ask.seat):
        state = view.play.state
        others = [seat for seat in later(state, ask.seat) if state.round.rest[seat]]
        texts = [_("{name}, then {names}", name=name, names=who) for who in view.named(str, *others)]
        last = _("{name} is the last one", name=name), _("{name}: last", name=name)
        many = _("{name}, then {n} more", name=name, n=len(others))
        face = face._replace(lines=((*texts, many) if others else last, *face.lines[1:]))
    lines(canvas, view, face)
    if view.answered_for is not None:
        canvas.foot(_("{turn}: done", turn=more(view.knob)), shown(view, face.ok))


DRAWINGS: Drawings = {
    Fancier: single,
    CatMoxie: single,
    CardMoxie: single,
    WhichFancier: which_fancier,
    Name: spelling,
    Hustle: hustle,
    Order: order,
    Adopt: adopt,
    Groom: groom,
}
