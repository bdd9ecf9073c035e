"""The templates for every game, and the generic screen from offers and board alone.

Every picture: a status row on top, the one fact that matters as large as it fits, and a bottom row with the effect of
press and hold.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from PIL import Image

from engine.game import Record, Rules
from engine.play import Play
from engine.rules import Offer, Seat, Value
from firmware.output.screens.canvas import (
    BODY_PX,
    FOOT_PX,
    WIDTH_PX,
    Canvas,
    Passing,
    Text,
    common_size,
    fit,
    fitting,
    ink_px,
    width_px,
)
from firmware.output.screens.font import MEDIUM, NARROW, PLAIN, SMALL, THIN, font, ink
from firmware.people.names import MAX_NAME, fitted
from firmware.table.question import Asked, Entry, Kind, answered_for, chosen, shown
from firmware.translation import _, ngettext, translated

S = 1_000_000_000
IN_A_ROW = 4  # columns of seats; more seats stand in two rows
TITLE_PX = 12  # the height of a title
MIN_PX = font(NARROW).cap_px  # of a value
SMALL_PX = font(SMALL).width_px
MAX_LABEL = 4  # characters of a button's label
NAME_PX = 9  # the height of a name below a label
BETWEEN_PX = 6  # from the value of one seat to that of the next, at least


class View(Record):
    """The input of a picture: the game, the unfinished entry, the time, and the control that is fitted."""

    play: Play
    question: Asked
    entry: Entry
    now_ns: int
    knob: bool
    dead: tuple[Seat, ...] = ()  # seats whose button does not work: the control answers for them
    void: bool = False  # by holding, a press of the race that is over is still taken back
    names: tuple[str, ...] = ()  # by seat the player's name; the label for a guest; nothing: all are guests
    away: frozenset[Seat] = frozenset()  # seats that are asked, and whose phone is asleep

    @property
    def called(self) -> tuple[str, ...]:
        """By seat the player's name, or the button's label."""
        return self.names or self.play.players

    @property
    def answered_for(self) -> Seat | None:
        """The seat that the control answers for next."""
        return answered_for(self.question, self.entry, self.dead)

    def label(self, seat: Seat) -> str:
        """The name on the seat's button."""
        return self.play.players[seat]

    def name(self, seat: Seat, most: int = MAX_NAME) -> str:
        """The player's name in so many characters, or the label where there is none, or two would look the same."""
        return fitted(self.names, self.play.players, most)[seat] if self.names else self.label(seat)

    def named(self, say: Callable[[str], str], *seats: Seat) -> Text:
        """A text with names, and for where there is no room with labels."""
        who = [" ".join(names[seat] for seat in seats) for names in (self.called, self.play.players)]
        return tuple(say(each) for each in dict.fromkeys(who))

    def option(self, value: Value) -> str:
        """An option or a number in words; in options a number is a seat."""
        offer = self.question.control
        assert offer is not None
        if offer.options and isinstance(value, int):
            return self.name(value)
        return self.words(offer, value)

    def words(self, offer: Offer, value: Value = None) -> str:
        """An offer in words, or one of its options or numbers."""
        return translated(self.play.rules.label(self.play.state, offer, value))

    @property
    def title(self) -> str:
        """The question in words."""
        q = self.question
        offers = [q.control, *q.count.values(), *q.press.values(), q.ok]
        offer = next((offer for offer in offers if offer is not None), None)
        return self.words(offer) if offer else ""


def titles(rules: Rules[Any, Any]) -> tuple[str, str]:
    """A game's title, whole and in a word."""
    return both(rules.title)


def both(title: str) -> tuple[str, str]:
    """The title of a game, whole and in a word."""
    title = translated(title)
    return title, brief(title)


def brief(title: str) -> str:
    """A game's title in a word."""
    return title.rsplit(maxsplit=1)[-1]


def seconds(ns: int) -> str:
    """A stopwatch: 34.2, 2:05.1."""
    tenths = max(0, ns) // (S // 10)
    minutes, rest = divmod(tenths, 600)
    return f"{minutes}:{rest // 10:02}.{rest % 10}" if minutes else f"{rest // 10}.{rest % 10}"


def clock(view: View, due_ns: int, *, over: bool = False) -> str:
    """The time left until then, in minutes and seconds; `over`: also how long ago that was."""
    left = seconds_to(view.now_ns, due_ns)
    minutes, rest = divmod(abs(left) if over else max(0, left), 60)
    return f"{'-' if over and left < 0 else ''}{minutes}:{rest:02}"


def seconds_to(now_ns: int, at_ns: int) -> int:
    """Whole seconds until then, the one that has begun included."""
    return -((now_ns - at_ns) // S)


def counted_down(now_ns: int, at_ns: int) -> int:
    """What a countdown shows: 3, 2, 1."""
    return max(1, seconds_to(now_ns, at_ns))


def countdown(canvas: Canvas, view: View, due_ns: int) -> None:
    """3, 2, 1, over the whole picture."""
    canvas.headline(str(counted_down(view.now_ns, due_ns)))


def gap(ns: int) -> str:
    """A gap between presses, in seconds."""
    return f"+{ns / S:.2f}"


def cells(
    canvas: Canvas,
    view: View,
    values: Sequence[str],
    *,
    title: Text = "",
    line: Text = "",
    foot: Sequence[str] = (),
    lit: Iterable[Seat] = (),
) -> None:
    """A column a seat: name, a large value, a small line below; above them a title or a small line.

    Lit seats have a filled name. More than four seats stand in two rows, the value beside the name; what is above them
    then takes the status row.
    """
    if len(values) > IN_A_ROW:
        canvas.status(title or line, size=PLAIN if title else "")
        grid(canvas, view, values, TITLE_PX if title else BODY_PX, foot, frozenset(lit))
        return
    y = BODY_PX
    if title:
        canvas.title(title)
        y += TITLE_PX
    elif line:
        canvas.centre(0, WIDTH_PX, y + 1, line)
        y += 10
    else:
        y += 1
    width, top = WIDTH_PX // len(values), y + 8
    room = FOOT_PX - top - (9 if foot else 0)
    size = common_size(values, width - BETWEEN_PX, max(MIN_PX, room - 2))
    for seat, value in enumerate(values):
        x = seat * width
        name_box(canvas, view.name(seat, (width - 1) // SMALL_PX), x, width - 1, y, lit=seat in set(lit))
        if seat in view.away:
            canvas.moon(x + width - 1, y + 1)
        canvas.headline(value, top, height=room, x=x, width=width, size=size)
        if foot:
            canvas.centre(x, width, FOOT_PX - 9, foot[seat])


def grid(canvas: Canvas, view: View, values: Sequence[str], y: int, foot: Sequence[str], lit: frozenset[Seat]) -> None:
    """Two rows of seats: the name, a small line below it, and beside them a large value."""
    columns = -(-len(values) // 2)
    width, height = WIDTH_PX // columns, (FOOT_PX - y) // 2
    called = [view.name(seat, MAX_LABEL) for seat in range(len(values))]
    names = max(width_px(text, SMALL) for text in (*called, *foot)) + 1
    room = width - names - 2
    size = common_size(values, room, max(MIN_PX, height - 3))
    for seat, value in enumerate(values):
        row, column = divmod(seat, columns)
        x, top = column * width, y + row * height
        name_box(canvas, called[seat], x, names, top + 1, lit=seat in lit)
        if seat in view.away:
            canvas.moon(x + width - 1, top + 1)
        canvas.headline(value, top, height=height - 1, x=x + names + 1, width=room, size=size)
        if foot:
            canvas.centre(x, names, top + 11, foot[seat])


def name_box(canvas: Canvas, name: str, x: int, width: int, y: int, *, lit: bool) -> None:
    """A small name; dark on a lit ground where it matters most."""
    if lit:
        canvas.box(x, y, width, 8)
    canvas.centre(x, width, y, name, invert=lit)


def buttons(
    canvas: Canvas,
    names: Sequence[str],
    lit: Iterable[int],
    y: int,
    ranks: Sequence[int] = (),
    below: Sequence[str] = (),
    away: Iterable[int] = (),
) -> None:
    """Labels in frames down to the bottom row, as buttons lie on a table; lit ones are filled.

    `ranks`: 1 for the first, 2 for the second and so on; 0 for none yet. `below`: the players' names, empty for none;
    in two rows they stand beside the labels. `away`: those whose phone is asleep.
    """
    filled, asleep = frozenset(lit), frozenset(away)
    rows = 1 if len(names) <= IN_A_ROW else 2
    columns = -(-len(names) // rows)
    width, height = WIDTH_PX // columns, (FOOT_PX - y) // rows - 1
    texts = list(names)
    if ranks and rows == 2:  # no room for a line of its own
        texts = [f"{rank} {name}" if rank else name for rank, name in zip(ranks, names, strict=True)]
        ranks = ()
    sizes = (PLAIN, SMALL) if ranks else (MEDIUM, PLAIN, SMALL)
    size = next((size for size in sizes if all(within(text, size, width - 6, height - 2) for text in texts)), SMALL)
    cell = font(size)
    rooms = [width - 8 if rows == 1 else width - 9 - width_px(text, size) for text in texts]
    for n, (text, name) in enumerate(zip(texts, names_below(names, below, rooms), strict=True)):
        row, column = divmod(n, columns)
        x, top, invert = column * width, y + row * (height + 1), n in filled
        (canvas.box if invert else canvas.frame)(x + 1, top, width - 2, height)
        if n in asleep:
            canvas.moon(x + width - 3, top + 2)
        ranked = 9 if ranks and ranks[n] else 0
        if ranked:
            canvas.centre(x + 1, width - 2, top + 2, ordinal(ranks[n]), invert=invert)
        at = top + ranked + (height - ranked - cell.cap_px) // 2 - cell.cap_top_px
        if not name:
            canvas.centre(x + 1, width - 2, at, text, size, invert=invert)
        elif rows == 1:
            canvas.centre(x + 1, width - 2, top + 2 - cell.cap_top_px, text, size, invert=invert)
            canvas.centre(x + 4, width - 8, top + height - 9, name, invert=invert)
        else:
            canvas.text(x + 3, at, text, size, invert=invert)
            canvas.text(x + 3 + width_px(text, size) + 2, top + 1, name, invert=invert)


def names_below(labels: Sequence[str], names: Sequence[str], rooms: Sequence[int]) -> list[str]:
    """Each player's name, cut to its room; empty where it is the label, or where two look the same once cut."""
    if not names:
        return [""] * len(labels)
    cuts = ["" if name == label else cut(name, room) for label, name, room in zip(labels, names, rooms, strict=True)]
    return [name if cuts.count(name) == 1 else "" for name in cuts]


def cut(text: str, width: int) -> str:
    """As much of a small text as fits into a width."""
    return next(text[:most] for most in range(len(text), -1, -1) if ink_px(text[:most], SMALL) <= width)


def within(text: str, size: str, width: int, height: int) -> bool:
    """Whether a text fits into a box."""
    box = ink(size, text)
    return box is None or (box[2] - box[0] <= width and box[3] - box[1] <= height)


def hold_hint(_view: View) -> str:
    """The effect of a long OK; always the same."""
    return _("hold OK:back")


def side_hint(view: View) -> str:
    """After a race, where no button is asked: a press shows its stamps. Else the effect of a long OK."""
    run = view.play.board.race
    shows = run is not None and run.judged and not view.question.seats
    return _("press:times") if shows else hold_hint(view)


def change_hint(view: View) -> str:
    """How a value is changed with the control that is fitted; a seat's own choice also by its button."""
    own = view.question.chooser is not None and view.question.chooser not in view.dead
    return _("tap/{turn}, OK", turn=turn(view.knob)) if own else _("{turn}, OK", turn=turn(view.knob))


def turn(knob: bool) -> str:
    """The control that is fitted, in a word."""
    return _("turn") if knob else "▲▼"


def more(knob: bool) -> str:
    """One step up of the control that is fitted."""
    return _("turn") if knob else "▲"


def dead_hint(view: View, seat: Seat) -> Text:
    """How the control answers for a seat whose button does not work."""
    if view.question.ok is None:
        return view.named(lambda who: _("OK: for {name}", name=who), seat)
    return view.named(lambda who: _("for {name}: {turn}", name=who, turn=more(view.knob)), seat)


# --- templates ------------------------------------------------------------------------------------------------------


def in_a_row(view: View) -> bool:
    """Whether all seats stand in one row."""
    return len(view.play.players) <= IN_A_ROW


def count(canvas: Canvas, view: View, foot: Sequence[str] = ()) -> None:
    """Each seat enters a number on its own button, all at once.

    `foot`: by seat what stands in the status row, for two rows of seats, which use that row.
    """
    q, entry = view.question, view.entry
    values = []
    for seat in range(len(view.play.players)):
        number = shown(q, entry, seat) if seat in q.count else None
        values.append("" if seat not in q.count else "–" if number is None else str(number))
    lit = () if entry.latest is None else (entry.latest,)
    cells(canvas, view, values, title=view.title, foot=() if in_a_row(view) else foot, lit=lit)
    count_foot(canvas, view)


def count_foot(canvas: Canvas, view: View) -> None:
    """The effect of a press while numbers are entered; over the top row, what is wrong with them."""
    q, entry = view.question, view.entry
    canvas.note(entry.note or "")
    if view.answered_for is not None:
        keys = change_hint(view)
        canvas.foot(view.named(lambda who: _("for {name}: {turn}", name=who, turn=keys), view.answered_for))
    elif entry.missing:
        who = view.named(lambda names: f"{names}: 0?", *entry.missing)
        canvas.foot((*who, _("{n} of you: 0?", n=len(entry.missing))), _("OK: yes"))
    else:
        lowest = {offer.low or 0 for offer in q.count.values()}
        canvas.foot(_("tap: +1  hold: {least}", least=lowest.pop() if len(lowest) == 1 else _("min")), _("OK: all"))


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


def choose(canvas: Canvas, view: View) -> None:
    """One of a few options: the one that the control stands at is large."""
    offer = view.question.control
    assert offer is not None
    if offer.options == ("yes", "no"):
        yes_or_no(canvas, view, view.title if offer.seat is None else asked_of(view, offer.seat))
        return
    title = view.title if offer.seat is None else fit(asked_of(view, offer.seat), WIDTH_PX, PLAIN)
    if width_px(title, PLAIN) > WIDTH_PX and offer.seat is not None:
        canvas.status(view.name(offer.seat))
        title = view.title
    canvas.title(title)
    at = chosen(view.question, view.entry)
    canvas.headline(view.option(at), BODY_PX + TITLE_PX, height=26)
    one_of(canvas, [view.option(option) for option in offer.options], offer.options.index(at))
    canvas.foot(change_hint(view), (side_hint(view), ""))


def asked_of(view: View, seat: Seat) -> Text:
    """The question to one seat."""
    return view.named(lambda who: f"{who}: {view.title}", seat)


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


def amount(canvas: Canvas, view: View) -> None:
    """A number, by the control."""
    canvas.title(view.title)
    text = view.option(chosen(view.question, view.entry))
    canvas.headline(text, BODY_PX + TITLE_PX, height=FOOT_PX - BODY_PX - TITLE_PX)
    canvas.foot(change_hint(view), (side_hint(view), ""))


def confirm(canvas: Canvas, view: View, foot: Sequence[str] = ()) -> None:
    """A plain OK: where the scores stand. `foot`: by seat, instead of the question's label."""
    scores(canvas, view, title="" if foot else view.title, foot=foot)
    canvas.foot("OK", side_hint(view))


def scores(canvas: Canvas, view: View, *, title: str = "", foot: Sequence[str] = ()) -> None:
    """The totals, a column a seat; the leaders stand lit."""
    totals = view.play.scores
    lead = [seat for seat, total in enumerate(totals) if total == max(totals)]
    cells(canvas, view, [str(total) for total in totals], title=title, foot=foot, lit=lead)


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
    ok = (_("OK: no more"), _("OK: end")) if view.question.ok else ""
    who = view.named(lambda names: _("open: {names}", names=names), *seats)
    canvas.foot((*who, _("{n} open", n=len(seats))) if seats else "", ok)


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


def ordinal(place: int) -> str:
    """1st, 2nd, 3rd, 4th."""
    return {1: _("1st"), 2: _("2nd"), 3: _("3rd")}.get(place) or _("{place}th", place=place)


def over(canvas: Canvas, view: View, *, why: Text = "") -> None:
    """The winners, and below them everybody's place and score. `why`: the reason, in the status row."""
    play = view.play
    won = play.winners
    canvas.status(titles(play.rules), why or _("THE END"))
    if play.ended:
        text = _("UNFINISHED")
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
    play, places, ranking = view.play, view.play.places, view.play.ranking
    columns = 1 if len(places) <= 3 else 2
    rows = -(-len(places) // columns)
    height, size = (12, PLAIN) if rows < 3 else (8, SMALL)
    room = 59 if columns == 2 else 112 if view.called != play.players else 88
    scores = [str(play.scores[seat]) for seat in ranking]
    texts: list[tuple[str, str]] = []
    shorter = ((SMALL, False, most) for most in range(MAX_NAME, MAX_LABEL - 1, -1))
    for one_size, whole, most in ((size, True, MAX_NAME), (SMALL, True, MAX_NAME), *shorter):
        size = one_size
        names = [f"{ordinal(places[seat]) if whole else places[seat]} {view.name(seat, most)}" for seat in ranking]
        texts = list(zip(names, scores, strict=True))
        if all(width_px(f"{name} {score}", size) <= room for name, score in texts):
            break
    for n, (who, score) in enumerate(texts):
        column, row = divmod(n, rows)
        x = (WIDTH_PX - room) // 2 if columns == 1 else 1 + column * (WIDTH_PX - room - 2)
        y = FOOT_PX - (rows - row) * height
        canvas.text(x, y, who, size, within=(x, x + room))
        canvas.right(x, room, y, score, size)


def number(view: View) -> str:
    """The round, and of how many where that is known."""
    board = view.play.board
    return _("R{number}", number=f"{board.round}/{board.rounds}" if board.rounds else board.round)


def generic(view: View, why: Text = "") -> Image.Image:
    """A picture of any game, from its offers and its board. `why`: the reason of its end."""
    canvas = Canvas()
    if view.question.kind is Kind.OVER:
        over(canvas, view, why=why)
        return canvas.picture()
    canvas.status(titles(view.play.rules), number(view))
    body(canvas, view)
    return canvas.picture()


def body(canvas: Canvas, view: View, *, title: Text = "", foot: Sequence[str] = ()) -> None:
    """The template for the kind of question. `title`: instead of its label; `foot`: by seat, below the values."""
    match view.question.kind:
        case Kind.COUNT:
            count(canvas, view, foot)
        case Kind.TAP:
            tap(canvas, view, title)
        case Kind.CHOOSE:
            choose(canvas, view)
        case Kind.NUMBER:
            amount(canvas, view)
        case Kind.CONFIRM:
            confirm(canvas, view, foot)
        case Kind.RACE:
            race(canvas, view)
        case Kind.WAIT:
            canvas.headline(_("READY"))
        case Kind.OVER:
            over(canvas, view)


def letters(title: Text, text: str, row: Sequence[str], foot: tuple[Text, Text], *, most: int) -> Image.Image:
    """A name being written: so far, large; below it the letters around the one that OK takes, which is lit."""
    canvas = Canvas()
    canvas.status(title, f"{len(text)}/{most}")
    canvas.headline(f"{text}_" if len(text) < most else text, BODY_PX, height=23, size=NARROW)
    middle = len(row) // 2
    wide = width_px(row[middle], MEDIUM) + 6
    x = (WIDTH_PX - wide) // 2
    canvas.box(x, 34, wide, 18)
    canvas.centre(x, wide, 35, row[middle], MEDIUM, invert=True)
    for n, sign in enumerate(row):
        beyond = abs(n - middle) * 12 + wide // 2 - 6
        if n != middle and beyond < WIDTH_PX // 2 - 6:
            canvas.centre(WIDTH_PX // 2 + (beyond if n > middle else -beyond) - 6, 12, 38, sign, PLAIN)
    canvas.foot(*foot)
    return canvas.picture()


# --- outside a game -------------------------------------------------------------------------------------------------

ROW_PX = 12  # of a list: the rows before and after the one that stands large


def listing(title: Text, right: Text, rows: Sequence[Text], at: int, foot: tuple[Text, Text]) -> Image.Image:
    """A list: the row that the control stands at is large, between the one before and the one after.

    Marks at the right edge show that it goes on.
    """
    canvas = Canvas()
    canvas.status(title, right)
    for n, y, mark in ((at - 1, BODY_PX, "▲"), (at + 1, FOOT_PX - ROW_PX, "▼")):
        if 0 <= n < len(rows):
            canvas.centre(0, WIDTH_PX - 9, y, rows[n], PLAIN)
            canvas.text(WIDTH_PX - 7, y, mark, PLAIN)
    canvas.box(0, BODY_PX + ROW_PX, WIDTH_PX, FOOT_PX - BODY_PX - 2 * ROW_PX)
    row = fit(rows[at], WIDTH_PX - 4, THIN)
    size = NARROW if width_px(row, NARROW) <= WIDTH_PX - 2 else THIN
    canvas.headline(row, BODY_PX + ROW_PX, height=23, size=size, invert=True)
    canvas.foot(*foot)
    return canvas.picture()


ROWS = 4  # of a table on a picture


def table(title: Text, right: Text, rows: Sequence[Text], foot: tuple[Text, Text]) -> Image.Image:
    """Rows of one size, the first `ROWS` of them."""
    canvas = Canvas()
    canvas.status(title, right)
    height = (FOOT_PX - BODY_PX) // ROWS
    for n, row in enumerate(rows[:ROWS]):
        canvas.centre(0, WIDTH_PX, BODY_PX + 2 + n * height, row, PLAIN)
    canvas.foot(*foot)
    return canvas.picture()


def message(
    title: Text, headline: Text, lines: Sequence[Text], foot: tuple[Text, Text], *, right: Text = ""
) -> Image.Image:
    """One fact, with up to two small lines."""
    canvas = Canvas()
    canvas.status(title, right)
    lines = [line for line in lines if line]
    canvas.headline(headline, height=FOOT_PX - BODY_PX - 9 * len(lines))
    for n, line in enumerate(lines):
        canvas.centre(0, WIDTH_PX, FOOT_PX - 9 * (len(lines) - n), line)
    canvas.foot(*foot)
    return canvas.picture()
