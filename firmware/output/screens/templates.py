"""The templates for every game, and the generic screen from offers and board alone.

Every picture: a status row on top, the one fact that matters as large as it fits, and a bottom row with the effect of
press and hold.
"""

from collections.abc import Iterable, Sequence
from functools import partial

from PIL import Image

from engine.rules import Offer, Seat
from firmware.output.screens.canvas import (
    APART_PX,
    BODY_PX,
    FOOT_PX,
    LINE_PX,
    WIDTH_PX,
    Canvas,
    Passing,
    Text,
    fit,
    fitting,
    ink_px,
    width_px,
    wrapped,
)
from firmware.output.screens.font import MEDIUM, NARROW, PLAIN, SMALL, THIN, THINNEST
from firmware.output.screens.seats import (
    IN_A_ROW,
    LEAST_LABEL,
    MAX_LABEL,
    MIN_PX,
    SMALL_PX,
    TITLE_PX,
    blocks,
    buttons,
    cells,
    in_a_row,
    in_columns,
    ordinal,
    short_enough,
    with_room,
)
from firmware.output.screens.view import View, counted_down, down, gap, more, number, seconds, titles, turn
from firmware.people.names import MAX_NAME
from firmware.table.question import Kind, choices, chosen, home, long, place, pressed, shown
from firmware.translation import _, ngettext

NAME_PX = 9  # the height of a name below a label


def countdown(canvas: Canvas, view: View, due_ns: int) -> None:
    """3, 2, 1, over the whole picture."""
    canvas.headline(str(counted_down(view.now_ns, due_ns)))


def hold_hint(_view: View) -> str:
    """The effect of a long OK; always the same."""
    return _("hold OK:back")


def side_hint(view: View) -> Text:
    """After a race, where no button is asked: a press shows its stamps. Else the effect of a long OK."""
    run = view.play.board.race
    q = view.question
    shows = run is not None and run.judged and not q.seats and q.chooser is None
    return _("press: see times") if shows else hold_hint(view), ""


def change_hint(view: View) -> str:
    """How a value is changed with the control that is fitted; a seat's own choice also by its button."""
    return change_keys(view)[-1]


def change_keys(view: View) -> tuple[str, ...]:
    """The same; a seat's own choice in full, where there is room."""
    way = turn(view.knob)
    if view.question.chooser is None or view.question.chooser in view.dead:
        return (_("{turn}, OK", turn=way),)
    return _("tap or {turn}, then OK", turn=way), _("tap/{turn}, OK", turn=way)


def over_back(view: View, what: str) -> tuple[str, ...]:
    """The way to a side entry where a turn does something else: over Back."""
    way = down(view.knob)
    return _("hold OK, {turn}: {what}", turn=way, what=what), _("hold OK,{turn}:{what}", turn=way, what=what)


def dead_hint(view: View, seat: Seat) -> Text:
    """How the control answers for a seat whose button does not work."""
    if view.question.ok is None:
        return view.named(lambda who: _("OK: for {name}", name=who), seat)
    return view.named(lambda who: _("for {name}: {turn}", name=who, turn=more(view.knob)), seat)


def heading(canvas: Canvas, view: View, text: Text, *, small: bool = False, room: int = MIN_PX) -> int:
    """The question, below what is wrong with its answers. Where it ends.

    `small`: it takes the top row, as it does where it is long. `room`: what is needed below; the question stands back.
    """
    lines = wrong_lines(view)
    if LINE_PX * len(lines) + 1 + room > FOOT_PX:
        lines = lines[:-1]
    if lines:
        canvas.banner(lines)
    top = LINE_PX * len(lines) + 1 if lines else 0
    if lines and (small or top + LINE_PX + room > FOOT_PX):
        return top
    texts = (text,) if isinstance(text, str) else text
    if len(lines) > 1:
        canvas.centre(0, WIDTH_PX, top, _fitting(texts) or wrapped(texts, 1)[0])
        return top + LINE_PX
    return _question(canvas, texts, small=small, beside=bool(lines))


def _fitting(texts: Iterable[str]) -> str | None:
    return next((one for one in texts if width_px(one, SMALL) <= WIDTH_PX), None)


def _question(canvas: Canvas, texts: tuple[str, ...], *, small: bool, beside: bool) -> int:
    """The question in one line, or in two where nothing stands `beside` it. Where it ends."""
    one = _fitting(texts)
    plain = one is not None and width_px(one, PLAIN) <= WIDTH_PX
    if one is not None and small:
        canvas.question(one, PLAIN if plain else SMALL)
        return TITLE_PX if plain else BODY_PX + 1
    if one is not None:
        canvas.centre(0, WIDTH_PX, BODY_PX + (0 if plain else 2), one, PLAIN if plain else SMALL)
        return BODY_PX + TITLE_PX
    first, *more = wrapped(texts, 1 if beside else 2)
    if beside:
        canvas.centre(0, WIDTH_PX, BODY_PX + 2, first)
        return BODY_PX + TITLE_PX
    canvas.question(first)
    canvas.centre(0, WIDTH_PX, BODY_PX + 1, " ".join(more))
    return 2 * BODY_PX + 2


def wrong_lines(view: View) -> list[str]:
    """Why the same is asked again, and where the way out of it is."""
    if not view.wrong:
        return []
    return [*wrapped(view.wrong, 2), *([aside(view)] if view.face.aside else [])]


def aside(view: View) -> str:
    """Where a side entry is that people should know of."""
    what = next((view.words(offer) for offer in view.question.menu if offer.verb == view.face.aside), "")
    return fit((*over_back(view, what), _("hold OK, {turn}", turn=down(view.knob))), WIDTH_PX, SMALL)


def count(canvas: Canvas, view: View, foot: Sequence[Text] = (), title: Text = "") -> None:
    """Each seat enters a number on its own button, all at once; partners one together.

    `foot`: by seat what stands in the status row, for two rows of seats, which use that row. `title`: instead of the
    question's label.
    """
    q, entry, face = view.question, view.entry, view.face
    together = [offer.group for offer in q.numbers.values()]
    columns = together if any(together) else [(seat,) for seat in range(len(view.play.players))]
    latest = [n for n, seats in enumerate(columns) if entry.latest in seats]
    in_blocks = len(columns) > IN_A_ROW
    width = WIDTH_PX // -(-len(columns) // 2) // 2 if in_blocks else WIDTH_PX // len(columns)  # of the small lines
    values = [_("out") if seats[0] in face.out else entered(view, seats[0]) for seats in columns]
    below = _below(view, [seats[0] for seats in columns], width)
    if not below and not face.wrong and not any(together) and not any(offer.says for offer in q.count.values()):
        lit = () if entry.latest is None else (entry.latest,)
        cells(canvas, view, values, title=title or view.title, foot=() if in_a_row(view) else foot, lit=lit)
    else:
        top, room = in_blocks or bool(face.before), 2 * MIN_PX + 2 if in_blocks else LINE_PX + MIN_PX
        y = heading(canvas, view, title or view.title, small=top, room=room)
        names = [partial(view.side, seats) for seats in columns]
        (blocks if in_blocks else in_columns)(canvas, names, values, y, below, latest)
    count_foot(canvas, view)
    if face.aside and in_blocks and len(wrong_lines(view)) > 2:  # there is no room for it above
        canvas.foot(aside(view))


def tells_totals(view: View) -> bool:
    """Whether it is known what a number makes of the totals."""
    return view.play.rules.preview is not None


def entered(view: View, seat: Seat) -> str:
    """What a seat has entered, a number or a word; nothing where it is not asked."""
    q = view.question
    if seat not in q.count:
        return ""
    number = shown(q, view.entry, seat)
    if number is None:
        return "–"
    return view.words(q.count[seat], number) if choices(q.count[seat]) else str(number)


def total_with(total: int) -> str:
    """A total where there is no room for the word: the sign is that of a sum, here and below a round's points."""
    return f"={total}"


def totals_below(view: View, seats: Sequence[Seat], width: int) -> list[Text]:
    """The totals of these seats, or those that they will have: in words if all have room in columns of this width."""
    becomes, scores = view.becomes, view.play.scores
    now = [_("total {total}", total=scores[seat]) if becomes[seat] is None else "" for seat in seats]
    new = _("new total {total}"), _("total {total}")
    for text in new:
        words = [was or text.format(total=becomes[seat]) for was, seat in zip(now, seats, strict=True)]
        if all(width_px(one, SMALL) <= width - APART_PX for one in words):
            return [*words]
    totals = [scores[seat] if (total := becomes[seat]) is None else total for seat in seats]
    return [(total_with(total), str(total)) for total in totals]


def single(canvas: Canvas, view: View, title: Text = "") -> None:
    """The one number that is asked for, large, with the total that it makes; below it the totals of all."""
    q = view.question
    (seat,) = q.numbers
    offer, becomes = q.count[seat], view.becomes[seat]
    text = entered(view, seat)
    own = title or (*asked_of(view, (offer.group or (seat,))), view.title)
    y = heading(canvas, view, own)
    bottom = FOOT_PX
    if FOOT_PX - 9 - y < MIN_PX:
        pass
    elif words := choices(offer):
        one_of(canvas, [view.words(offer, word) for word in words], words.index(shown(q, view.entry, seat)))
        bottom = FOOT_PX - 9
    elif len(q.picks) > 1 and q.box is not None:
        canvas.centre(0, WIDTH_PX, FOOT_PX - LINE_PX, _("hold OK: another one"))
        bottom = FOOT_PX - LINE_PX
    else:
        bottom = totals(canvas, view, FOOT_PX - y - MIN_PX, lit=(seat,))
    if becomes is None or offer.says:
        big(canvas, text, y, bottom - y)
    else:
        with_total(canvas, text, becomes, y, bottom - y)
    count_foot(canvas, view)


def with_total(canvas: Canvas, number: str, becomes: int, y: int, height: int) -> None:
    """A number that is entered, large, and beside it the total that it makes."""
    half = WIDTH_PX // 2
    if height < LINE_PX + MIN_PX or max(ink_px(text, NARROW) for text in (number, str(becomes))) > half - APART_PX:
        canvas.headline((f"{number} {total_with(becomes)}", str(becomes)), y, height=height)
        return
    canvas.headline(number, y, height=height, width=half)
    canvas.centre(half, half, y, _("new total"))
    canvas.headline(str(becomes), y + LINE_PX, height=height - LINE_PX, x=half, width=half)


def big(canvas: Canvas, text: Text, y: int, height: int) -> None:
    """A headline; a text that is too long for one stands in two smaller lines."""
    one = fit(text, WIDTH_PX, THINNEST)
    if width_px(one, THINNEST) <= WIDTH_PX:
        canvas.headline(one, y, height=height)
        return
    lines = wrapped(one, 2, PLAIN)
    for n, line in enumerate(lines):
        canvas.centre(0, WIDTH_PX, y + (height - 11 * len(lines)) // 2 + 11 * n, line, PLAIN)


def totals(canvas: Canvas, view: View, room: int, lit: Iterable[Seat] = ()) -> int:
    """The totals of all in one or two small rows above the bottom one, as far as there is room. Where they begin."""
    sides, becomes = view.sides, view.becomes
    rows = 1 if len(sides) <= IN_A_ROW else 2
    if not tells_totals(view) or room < rows * LINE_PX:
        return FOOT_PX
    columns = -(-len(sides) // rows)
    width = WIDTH_PX // columns
    for n, seats in enumerate(sides):
        row, column = divmod(n, columns)
        x, y = column * width, FOOT_PX - LINE_PX * (rows - row)
        seat = seats[0]
        many = becomes[seat] if view.question.control is not None else None
        total = (
            _("out") if seat in view.face.out else total_with(many) if many is not None else str(view.play.scores[seat])
        )
        name = view.side(seats, max(LEAST_LABEL, width // SMALL_PX - len(total) - 1))
        text = short_enough((f"{name} {total}", f"{name}{total}", total), width - 1)
        on = any(one in lit for one in seats)
        if on:
            canvas.box(x, y, width - 1, LINE_PX)
        canvas.centre(x, width - 1, y, text, invert=on)
    return FOOT_PX - LINE_PX * rows


def pick(canvas: Canvas, view: View, title: Text = "") -> None:
    """One of several questions is picked first: by a seat's own press or, where one seat has them all, by steps."""
    q, at = view.question, view.entry.values.get(None)
    if q.box is not None:
        offer = q.picks[at or 0]
        y = heading(canvas, view, title or (*view.named(lambda who: _("{name}: which one?", name=who), q.box),))
        bottom = FOOT_PX - 9
        canvas.centre(0, WIDTH_PX, bottom, _("{at} of {n}", at=(at or 0) + 1, n=len(q.picks)))
        big(canvas, view.words(offer), y, bottom - y)
        keys = (
            _("{turn}, OK", turn=turn(view.knob)) if q.box in view.dead else _("tap/{turn}, OK", turn=turn(view.knob))
        )
        canvas.foot(keys, side_hint(view))
        return
    lit = [] if at is None else [seat for seat in (q.picks[at].seat,) if seat is not None]
    texts = [_("out") if seat in view.face.out else str(total) for seat, total in enumerate(view.play.scores)]
    y = heading(canvas, view, title or view.title, small=not in_a_row(view))
    names = [partial(view.side, (seat,)) for seat in range(len(texts))]
    if view.play.rules.totals:
        (in_columns if in_a_row(view) else blocks)(canvas, names, texts, y, (), lit)
    else:
        buttons(canvas, view.play.players, q.seats, y + 1, below=view.called, away=view.away)
    canvas.foot(_("press yours"), _("{turn}, OK", turn=turn(view.knob)) if view.dead or lit else side_hint(view))


def _below(view: View, seats: Sequence[Seat], width: int) -> list[list[Text]]:
    """The small lines of these seats: what they have answered before, and what their totals become."""
    face, below = view.face, list[list[Text]]()
    if face.before:
        below.append([face.before[seat] if seat not in face.out else "" for seat in seats])
    if tells_totals(view):
        below.append(totals_below(view, seats, width))
    if len(below) > 1 and len(seats) > IN_A_ROW:  # room for one: until it changes the total, what was answered before
        known = [becomes is not None and not face.wrong for becomes in view.becomes]
        below = [[below[1 if known[seat] else 0][n] for n, seat in enumerate(seats)]]
    return below


def count_note(canvas: Canvas, view: View) -> None:
    """Over the top row while numbers are entered: what is wrong with them, or who ends it."""
    by_phone = (_("OK, or on {phone}", phone=view.phone), _("OK, or by phone")) if view.phone else ""
    canvas.note(view.entry.note.words() if view.entry.note else by_phone)


def count_foot(canvas: Canvas, view: View) -> None:
    """The effect of a press while numbers are entered; over the top row, what is wrong with them, or who ends it."""
    q, entry = view.question, view.entry
    count_note(canvas, view)
    if view.answered_for is not None:
        keys = change_hint(view)
        canvas.foot(view.named(lambda who: _("for {name}: {turn}", name=who, turn=keys), view.answered_for))
    elif entry.missing:
        who = view.named(lambda names: f"{names}: 0?", *entry.missing)
        canvas.foot((*who, _("{n} of you: 0?", n=len(entry.missing))), _("OK: yes"))
    else:
        offers = list(q.numbers.values())
        canvas.foot(
            keys_of(view, offers),
            (_("all done? OK"), _("done? OK"), "OK") if len(offers) > 1 or not tells_totals(view) else "OK",
        )


def keys_of(view: View, offers: Sequence[Offer]) -> Text:
    """What a press, the control and a hold do to numbers."""
    if all(choices(offer) for offer in offers):
        return _("tap: next"), _("tap")
    lowest = {home(offer) for offer in offers}
    least = str(lowest.pop()) if len(lowest) == 1 else _("min")
    first = offers[0]
    if len({pressed(offer) * offer.step for offer in offers}) > 1:
        return _("tap, {turn}  hold: {least}", turn=turn(view.knob), least=least)
    if not any(map(long, offers)) and first.step == 1:
        return _("tap: +1  hold: {least}", least=least)
    step, ten = first.step, max(pressed(offer) for offer in offers) * first.step
    texts = (
        _("tap:+{ten} {turn}:{step} hold:{least}", ten=ten, turn=turn(view.knob), step=step, least=least),
        _("tap+{ten} {turn}+{step} hold {least}", ten=ten, turn=turn(view.knob), step=step, least=least),
        _("tap+{ten} {turn}+{step} hold{least}", ten=ten, turn=turn(view.knob), step=step, least=least),
        _("tap:+{ten} hold:{least}", ten=ten, least=least),
    )
    return texts if ten > step else texts[-1:]


def tap(canvas: Canvas, view: View, title: Text = "") -> None:
    """Seats answer with a press; those asked stand lit. `title`: instead of the question's label."""
    q, title = view.question, title or view.title
    players = view.play.players
    if len(q.press) == 1:
        (seat,) = q.press
        canvas.title(title)
        own_button(canvas, view, seat, BODY_PX + TITLE_PX, FOOT_PX - BODY_PX - TITLE_PX)
    else:
        canvas.headline(title, height=23)
        buttons(canvas, players, q.press, BODY_PX + 24, below=view.called, away=view.away)
    tap_foot(canvas, view)


def own_button(canvas: Canvas, view: View, seat: Seat, y: int, height: int, width: int = WIDTH_PX) -> None:
    """The label of the button to press, as large as it fits, and below it the player's name."""
    label, name = view.label(seat), view.name(seat)
    if seat in view.away:
        canvas.moon(width - 2, y + 2)
    if name == label:
        canvas.headline(label, y, height=height, width=width)
        return
    canvas.headline(label, y, height=height - NAME_PX, width=width, size=fitting(label, width, height))
    canvas.centre(0, width, y + height - NAME_PX, (name, view.name(seat, width // SMALL_PX)))


def tap_foot(canvas: Canvas, view: View, then: Text = "") -> None:
    """The effect of a press. `then`: that of OK, where one button does not work."""
    q = view.question
    if view.answered_for is not None:
        canvas.foot(dead_hint(view, view.answered_for), "" if q.ok is None else then or _("OK: go on"))
        return
    ok = "" if q.ok is None else _("OK: {answer}", answer=view.words(q.ok))
    presses = view.named(lambda names: _("{names}: press", names=names), *q.press)
    canvas.foot(presses if len(q.press) == 1 else _("press yours"), (ok, _("OK: go on") if ok else ""))


def choose(canvas: Canvas, view: View, own: Text = "") -> None:
    """One of a few options: the one that the control stands at is large. `own`: a title instead of the label."""
    offer = view.question.control
    assert offer is not None
    if offer.says:
        y, options = heading(canvas, view, own or view.title), choices(offer)
        bottom = FOOT_PX - 9 if FOOT_PX - 9 - y >= MIN_PX else FOOT_PX
        if bottom < FOOT_PX:
            one_of(canvas, [view.option(option) for option in options], place(offer, view.entry))
        big(canvas, view.option(chosen(view.question, view.entry)), y, bottom - y)
        keys = _("press yours/{turn}, OK", turn=turn(view.knob)) if offer.says == "seats" else change_hint(view)
        canvas.foot(keys, side_hint(view))
        return
    if offer.options == ("yes", "no"):
        yes_or_no(canvas, view, view.title if offer.seat is None else asked_of(view, (offer.seat,)))
        return
    title = view.title if offer.seat is None else fit(asked_of(view, (offer.seat,)), WIDTH_PX, PLAIN)
    if width_px(title, PLAIN) > WIDTH_PX and offer.seat is not None:
        canvas.status(view.name(offer.seat))
        title = view.title
    canvas.title(title)
    at = chosen(view.question, view.entry)
    canvas.headline(view.option(at), BODY_PX + TITLE_PX, height=26)
    one_of(canvas, [view.option(option) for option in offer.options], offer.options.index(at))
    canvas.foot(change_keys(view), side_hint(view))


def asked_of(view: View, seats: Sequence[Seat]) -> tuple[str, ...]:
    """The question to one seat, or to partners."""
    return view.named(lambda who: f"{who}: {view.title}", *seats)


def one_of(canvas: Canvas, options: Sequence[str], at: int) -> None:
    """The options in a small row above the bottom one, the chosen one lit; where they do not fit: which of how many."""
    row = "  ".join(options)
    if width_px(row, SMALL) > WIDTH_PX - 2:
        canvas.centre(0, WIDTH_PX, FOOT_PX - 9, _("{at} of {n}", at=at + 1, n=len(options)))
        return
    x = (WIDTH_PX - width_px(row, SMALL)) // 2
    for n, text in enumerate(options):
        canvas.text(x, FOOT_PX - 9, text, invert=n == at)
        x += width_px(f"{text}  ", SMALL)


def yes_or_no(canvas: Canvas, view: View, question: Text) -> None:
    """One arrow answers at once; a knob, which is turned too easily, only chooses."""
    canvas.headline(question, height=27)
    at = chosen(view.question, view.entry)
    for n, (option, text) in enumerate((("yes", _("yes")), ("no", _("no")))):
        lit = view.knob and option == at
        x, width = 12 + n * 58, 46
        (canvas.box if lit else canvas.frame)(x, 37, width, 16)
        key = text if view.knob else f"{'▼' if n else '▲'} {text}"
        canvas.centre(x, width, 37, key, MEDIUM, invert=lit)
    canvas.foot(_("turn, OK") if view.knob else _("▲ yes  ▼ no"), side_hint(view))


def lit_in_words(view: View) -> str:
    """What stands lit or large: the option or number that OK takes, or who has entered which number last."""
    q, at = view.question, view.entry.values.get(None)
    row = ""
    if q.control is not None:
        if view.knob or q.control.options != ("yes", "no"):  # an arrow answers it at once
            row = view.option(chosen(q, view.entry))
    elif q.count:
        (seat, *others) = q.numbers
        latest = seat if not others else view.entry.latest
        if latest is not None and latest in q.count and shown(q, view.entry, latest) is not None:
            return f"{view.side(q.count[latest].group or (latest,))}: {entered(view, latest)}"
    elif q.picks and (q.box is not None or at is not None):
        offer = q.picks[at or 0]
        row = view.words(offer) if q.box is not None or offer.seat is None else view.name(offer.seat)
    return _("chosen: {row}", row=row) if row else ""


def amount(canvas: Canvas, view: View, title: Text = "") -> None:
    """A number, by the control; where it has many steps, also by anybody's press."""
    q = view.question
    y = heading(canvas, view, title or view.title)
    text = view.option(chosen(q, view.entry))
    bottom = totals(canvas, view, FOOT_PX - y - MIN_PX)
    canvas.headline(text, y, height=bottom - y)
    assert q.control is not None
    if q.tapped:
        canvas.foot(keys_of(view, (q.control,)), "OK")
    else:
        canvas.foot(change_keys(view), side_hint(view))


def confirm(canvas: Canvas, view: View, foot: Sequence[Text] = ()) -> None:
    """A plain OK: where the scores stand. `foot`: by seat, instead of the question's label."""
    scores(canvas, view, title="" if foot else view.title, foot=foot)
    canvas.foot("OK", side_hint(view))


def scores(canvas: Canvas, view: View, *, title: str = "", foot: Sequence[Text] = ()) -> None:
    """The totals, a column a seat; the leaders stand lit."""
    if not view.play.rules.totals:
        canvas.headline(title or view.title)
        return
    points, lead = view.play.scores, view.leaders
    if view.play.rules.sides is not None and not foot:
        y, sides = heading(canvas, view, title), view.sides
        texts = [str(points[seats[0]]) for seats in sides]
        names = [partial(view.side, seats) for seats in sides]
        in_columns(canvas, names, texts, y, (), [n for n, seats in enumerate(sides) if seats[0] in lead])
        return
    cells(canvas, view, [str(total) for total in points], title=title, foot=foot, lit=lead)


def race(canvas: Canvas, view: View) -> None:
    """The seats that have pressed, in order, with gaps; the seats still out."""
    board = view.play.board
    run = board.race
    gaps = run.gaps if run else ()
    if not gaps:
        since = run.since_ns if run else None
        canvas.headline(Passing(seconds(view.now_ns - since)) if since is not None else _("READY"))
        canvas.foot(_("press yours"), hold_hint(view))
        return
    ranking(canvas, view, gaps)
    still_out(canvas, view, board.highlight.get("missing", ()))


def still_out(canvas: Canvas, view: View, seats: Sequence[Seat]) -> None:
    """The seats that have not pressed yet; OK ends the race."""
    ok = (_("OK: no more"), _("OK: stop")) if view.question.ok else ""
    who = view.named(lambda names: _("{names}: press!", names=names), *seats)
    canvas.foot((*who, _("{n} more: press!", n=len(seats))) if seats else "", ok)


FIRST_PX = 54  # columns of the first


def ranking(canvas: Canvas, view: View, gaps: Sequence[tuple[Seat, int]]) -> None:
    """Presses in order: the first large, the others with their gaps beside it."""
    (first, after_ns), *others = gaps
    canvas.headline(view.name(first, FIRST_PX // SMALL_PX), 12, height=26, width=FIRST_PX)
    canvas.centre(0, FIRST_PX, 40, seconds(after_ns), PLAIN)
    for n, (seat, after_ns) in enumerate(others):
        y = BODY_PX + 1 + n * 9
        room = (WIDTH_PX - FIRST_PX - 8) // SMALL_PX - 2 - len(gap(after_ns))
        canvas.text(FIRST_PX + 4, y, f"{n + 2} {view.name(seat, room)}")
        canvas.right(FIRST_PX, WIDTH_PX - FIRST_PX, y, gap(after_ns))


def over(canvas: Canvas, view: View, *, why: Text = "") -> None:
    """The winners, and below them everybody's place and score. `why`: the reason, in the status row."""
    play = view.play
    won = play.winners
    canvas.status(titles(play.rules), why or _("THE END"))
    if play.ended:
        text = _("UNFINISHED")
    elif play.rules.together:
        text = fit((_("ALL HAVE WON"), _("ALL WIN")), WIDTH_PX, THIN) if won else _("ALL HAVE LOST")
    elif len(play.players) == 1 and not play.rules.alone:
        text = ngettext("{n} POINT", "{n} POINTS", play.scores[0])
    elif won:
        n = len(won)
        wins = view.named(lambda names: ngettext("{names} WINS", "{names} WIN", n, names=names), *won)
        texts = (wins[0], *view.named(str, *won)[:1], *wins[1:], *view.named(str, *won)[1:], _("{n} WIN", n=n))
        text = fit(texts, WIDTH_PX, THIN)
    else:
        text = _("NO WINNER")
    canvas.headline(text, height=23)
    table_of_places(canvas, view)
    canvas.foot(_("OK: next"), hold_hint(view))


def table_of_places(canvas: Canvas, view: View) -> None:
    """Place, name and score of everybody, above the bottom row: one column, or two where there are more than three."""
    play, places = view.play, view.play.places
    sides = {seats[0]: seats for seats in view.sides}
    ranking = [seat for seat in play.ranking if seat in sides]
    columns = 1 if len(ranking) <= 3 else 2
    rows = -(-len(ranking) // columns)
    height, size = (12, PLAIN) if rows < 3 else (8, SMALL)
    room = 59 if columns == 2 else 112 if view.called != play.players else 88
    scores = [str(play.scores[seat]) if play.rules.totals else "" for seat in ranking]
    texts: list[tuple[str, str]] = []
    shorter = ((SMALL, False, most) for most in range(MAX_NAME, LEAST_LABEL - 1, -1))
    for one_size, whole, most in ((size, True, MAX_NAME), (SMALL, True, MAX_NAME), *shorter):
        size = one_size
        names = [
            f"{ordinal(places[seat]) if whole else places[seat]} {view.side(sides[seat], most)}" for seat in ranking
        ]
        texts = list(zip(names, scores, strict=True))
        measured = width_px if most > MAX_LABEL else ink_px
        if all(measured(f"{name} {score}", size) <= room for name, score in texts):
            break
    for n, (who, score) in enumerate(texts):
        column, row = divmod(n, rows)
        x = (WIDTH_PX - room) // 2 if columns == 1 else 1 + column * (WIDTH_PX - room - 2)
        y = FOOT_PX - (rows - row) * height
        canvas.text(x, y, who, size, within=(x, x + room))
        (value,) = with_room([score], room - width_px(f"{who} ", size), size)
        canvas.right(x, room, y, value, size)


def generic(view: View, why: Text = "") -> Image.Image:
    """A picture of any game, from its offers and its board. `why`: the reason of its end."""
    canvas = Canvas()
    if view.question.kind is Kind.OVER:
        over(canvas, view, why=why)
        return canvas.picture()
    canvas.status(titles(view.play.rules), number(view))
    body(canvas, view)
    return canvas.picture()


def body(canvas: Canvas, view: View, *, title: Text = "", foot: Sequence[Text] = ()) -> None:
    """The template for the kind of question. `title`: instead of its label; `foot`: by seat, below the values."""
    match view.question.kind:
        case Kind.COUNT if len(view.question.numbers) == 1 and tells_totals(view):
            single(canvas, view, title)
        case Kind.COUNT:
            count(canvas, view, foot, title)
        case Kind.TAP:
            tap(canvas, view, title)
        case Kind.CHOOSE:
            choose(canvas, view, title)
        case Kind.NUMBER:
            amount(canvas, view, title)
        case Kind.PICK:
            pick(canvas, view, title)
        case Kind.CONFIRM:
            confirm(canvas, view, foot)
        case Kind.RACE:
            race(canvas, view)
        case Kind.WAIT:
            canvas.headline(_("READY"))
        case Kind.OVER:
            over(canvas, view)
