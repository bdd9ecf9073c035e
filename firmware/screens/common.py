"""The canvas, the templates that serve every game, and the generic screen from offers and board alone.

Every picture: a status row on top, the one fact that matters as large as it fits, and a bottom row that says what
press and hold do now.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from PIL import Image, ImageChops

from engine.play import Play
from engine.race import Race, missing
from engine.rules import Seat, Value
from firmware.question import Entry, Kind, Question, answered_for, chosen, shown
from firmware.screens.font import GIANT, HUGE, LARGE, MEDIUM, PLAIN, SMALL, font, written

WIDTH_PX, HEIGHT_PX = 128, 64
BODY_PX = 9  # where the body begins
FOOT_PX = 56  # where the bottom row begins
LIT = 255
S = 1_000_000_000


@dataclass(frozen=True, slots=True)
class View:
    """What a picture is drawn from: the game, what is half entered, the time, and the control that is fitted."""

    play: Play
    question: Question
    entry: Entry
    now_ns: int
    knob: bool
    dead: tuple[Seat, ...] = ()  # seats whose button does not work: the control answers for them

    @property
    def answered_for(self) -> Seat | None:
        """The seat that the control answers for next."""
        return answered_for(self.question, self.entry, self.dead)

    def name(self, seat: Seat) -> str:
        """The name on the seat's button."""
        return self.play.players[seat]

    def names(self, seats: Iterable[Seat]) -> str:
        """Several names in a row."""
        return " ".join(self.name(seat) for seat in seats)

    def option(self, value: Value) -> str:
        """An option or a number in words; in options a number is a seat."""
        offer = self.question.control
        assert offer is not None
        if offer.options and isinstance(value, int):
            return self.name(value)
        return self.play.rules.label(self.play.state, offer, value)

    @property
    def title(self) -> str:
        """The question in words."""
        q = self.question
        offers = [q.control, *q.count.values(), *q.press.values(), q.ok]
        offer = next((offer for offer in offers if offer is not None), None)
        return self.play.rules.label(self.play.state, offer, None) if offer else ""


class Canvas:
    """A 128x64 picture being drawn. Positions are px from the top left."""

    def __init__(self) -> None:
        self.image = Image.new("1", (WIDTH_PX, HEIGHT_PX))
        self._right_px = WIDTH_PX  # where the right end of the top row begins

    def text(self, x: int, y: int, text: str, size: str = SMALL, *, bold: bool = False, invert: bool = False) -> None:
        """Write from x on; what does not fit is cut off. Inverted: dark on a lit ground."""
        line = written(size, text, bold=bold)
        if invert:
            self.box(x - 1, y, line.width + 1, line.height)
            self.image.paste(0, (x, y), line)
        else:
            self.image.paste(LIT, (x, y), line)

    def centre(
        self, x: int, width: int, y: int, text: str, size: str, *, bold: bool = False, invert: bool = False
    ) -> None:
        """Write in the middle of a column."""
        self.text(x + (width - font(size).width_px * len(text)) // 2, y, text, size, bold=bold, invert=invert)

    def box(self, x: int, y: int, width: int, height: int, lit: int = LIT) -> None:
        """A filled box."""
        self.image.paste(lit, (max(0, x), y, min(WIDTH_PX, x + width), y + height))

    def frame(self, x: int, y: int, width: int, height: int) -> None:
        """The outline of a box."""
        self.box(x, y, width, height)
        self.box(x + 1, y + 1, width - 2, height - 2, 0)

    def invert(self) -> None:
        """Dark becomes lit."""
        self.image = ImageChops.invert(self.image)

    def status(self, left: str, right: str = "") -> None:
        """The top row; a later right end takes the place of an earlier one."""
        self.text(0, 0, left)
        if right:
            self._right_px = min(self._right_px, WIDTH_PX - 5 * len(right))
            self.box(self._right_px - 2, 0, WIDTH_PX, 8, 0)
            self.text(WIDTH_PX - 5 * len(right), 0, right)

    def foot(self, left: str, right: str = "") -> None:
        """The bottom row: what press and hold do now. Where both do not fit, the left one counts."""
        if 5 * (len(left) + len(right) + 1) > WIDTH_PX:
            right = ""
        self.box(0, FOOT_PX, WIDTH_PX, HEIGHT_PX - FOOT_PX)
        for x, text in ((1, left), (WIDTH_PX - 1 - 5 * len(right), right)):
            self.image.paste(0, (x, FOOT_PX), written(SMALL, text)) if text else None

    def headline(self, text: str, y: int = 12, *, height: int = 44, bold: bool = True) -> None:
        """The one fact that matters, as large as it fits, in the middle."""
        size = fitting(text, WIDTH_PX, height)
        bold = bold and size not in (MEDIUM, PLAIN, SMALL)  # their letters would run together
        self.centre(0, WIDTH_PX, y + (height - font(size).height_px) // 2, text, size, bold=bold)


def fitting(text: str, width_px: int, height_px: int) -> str:
    """The largest size in which the text fits."""
    for size in (GIANT, HUGE, LARGE, MEDIUM, PLAIN):
        if font(size).width_px * len(text) <= width_px and font(size).height_px <= height_px:
            return size
    return SMALL


def seconds(ns: int) -> str:
    """A stopwatch: 34.2, 2:05.1."""
    tenths = max(0, ns) // (S // 10)
    minutes, rest = divmod(tenths, 600)
    return f"{minutes}:{rest // 10:02}.{rest % 10}" if minutes else f"{rest // 10}.{rest % 10}"


def left(view: View) -> str:
    """What a turn timer still has, in minutes and seconds; nothing where none runs."""
    due_ns = view.play.due_ns
    if due_ns is None:
        return ""
    minutes, rest = divmod(max(0, seconds_to(view, due_ns)), 60)
    return f"{minutes}:{rest:02}"


def seconds_to(view: View, at_ns: int) -> int:
    """Whole seconds until then, the one that has begun included."""
    return -((view.now_ns - at_ns) // S)


def countdown(canvas: Canvas, view: View, due_ns: int) -> None:
    """3, 2, 1, over the whole picture."""
    canvas.headline(str(max(1, seconds_to(view, due_ns))), 0, height=64)


def gap(ns: int) -> str:
    """A gap between presses, in seconds."""
    return f"+{ns / S:.2f}"


def cells(
    canvas: Canvas, view: View, values: Sequence[str], *, y: int, foot: Sequence[str] = (), lit: Iterable[Seat] = ()
) -> None:
    """A column a seat: name, a large value, and a small line below. Lit seats are marked by a filled name."""
    width = WIDTH_PX // len(values)
    marked = set(lit)
    room = FOOT_PX - y - 8 - (8 if foot else 0)
    size = min((fitting(value, width - 1, room) for value in values), key=lambda s: font(s).height_px)
    for seat, value in enumerate(values):
        x = seat * width
        if seat in marked:
            canvas.box(x, y, width - 1, 8)
            name = written(SMALL, view.name(seat))
            canvas.image.paste(0, (x + (width - name.width) // 2, y), name)
        else:
            canvas.centre(x, width, y, view.name(seat), SMALL)
        canvas.centre(x, width, y + 8 + (room - font(size).height_px) // 2, value, size, bold=size in (HUGE, LARGE))
        if foot:
            canvas.centre(x, width, FOOT_PX - 8, foot[seat], SMALL)


def hold_hint(_: View) -> str:
    """What a long OK does; always the same."""
    return "hold OK:back"


def side_hint(view: View) -> str:
    """After a race, where the buttons ask for nothing: a press shows its stamps. Else what a long OK does."""
    run = view.play.board.race
    shows = run is not None and run.judged and not view.question.seats
    return "press:times" if shows else hold_hint(view)


def change_hint(view: View) -> str:
    """How a value is changed, drawn for the control that is fitted; a seat's own choice also by its button."""
    own = view.question.chooser is not None and view.question.chooser not in view.dead
    return f"{'tap or ' if own else ''}{'turn' if view.knob else '▲▼'}, OK"


# --- templates ------------------------------------------------------------------------------------------------------


def count(canvas: Canvas, view: View) -> None:
    """Each seat enters a number on its own button, all at once."""
    q, entry = view.question, view.entry
    canvas.centre(0, WIDTH_PX, BODY_PX, view.title, PLAIN)
    values = []
    for seat in range(len(view.play.players)):
        number = shown(q, entry, seat) if seat in q.count else None
        values.append("" if seat not in q.count else "–" if number is None else str(number))
    cells(canvas, view, values, y=BODY_PX + 13, lit=() if entry.latest is None else (entry.latest,))
    if view.answered_for is not None:
        canvas.foot(f"for {view.name(view.answered_for)}: {change_hint(view)}")
    elif entry.note:
        canvas.foot(entry.note)
    elif entry.missing:
        canvas.foot(f"{view.names(entry.missing)}: 0? OK", "tap: count")
    else:
        canvas.foot("tap: +1  hold: 0", "OK: all")


def tap(canvas: Canvas, view: View) -> None:
    """Seats answer with a press; those asked stand lit."""
    q, title = view.question, view.title
    if len(q.press) == 1:
        (seat,) = q.press
        canvas.centre(0, WIDTH_PX, BODY_PX, title, PLAIN)
        canvas.headline(view.name(seat), BODY_PX + 12, height=34)
    else:
        canvas.centre(0, WIDTH_PX, BODY_PX + 1, title, MEDIUM if len(title) <= 16 else PLAIN)
        cells(canvas, view, ["?" if s in q.press else "·" for s in range(len(view.play.players))], y=28, lit=q.press)
    if view.answered_for is not None:
        name = view.name(view.answered_for)
        canvas.foot(
            f"for {name}: {'turn' if view.knob else '▲'}" if q.ok else f"OK: for {name}",
            "" if q.ok is None else "OK: go on",
        )
        return
    ok = "" if q.ok is None else f"OK: {view.play.rules.label(view.play.state, q.ok, None).lower()}"
    canvas.foot(f"{view.names(q.press) if len(q.press) == 1 else 'your button'}: yes", ok[:16])


def choose(canvas: Canvas, view: View) -> None:
    """One of a few options: the one that the control stands at is large."""
    offer = view.question.control
    assert offer is not None
    title = view.title if offer.seat is None else f"{view.name(offer.seat)}: {view.title}"
    if offer.options == ("yes", "no"):
        yes_or_no(canvas, view, title)
        return
    canvas.centre(0, WIDTH_PX, BODY_PX, title, PLAIN)
    at = chosen(view.question, view.entry)
    canvas.headline(view.option(at), BODY_PX + 12, height=26)
    row = [view.option(option) for option in offer.options]
    if 5 * len("  ".join(row)) > WIDTH_PX:  # more than fits: where one is among them
        row = [f"{offer.options.index(at) + 1}/{len(row)}" if option == at else "·" for option in offer.options]
    x = max(0, (WIDTH_PX - 5 * len("  ".join(row))) // 2)
    for each, text in zip(offer.options, row, strict=True):
        canvas.text(x, 48, text, invert=each == at)
        x += 5 * (len(text) + 2)
    canvas.foot(change_hint(view), side_hint(view))


def yes_or_no(canvas: Canvas, view: View, title: str) -> None:
    """One arrow answers at once; a knob, which is turned too easily, only chooses."""
    canvas.headline(title, BODY_PX - 1, height=32)
    at = chosen(view.question, view.entry)
    for n, option in enumerate(("yes", "no")):
        text = f" {option} " if view.knob else f"{'▼' if n else '▲'} {option}"
        canvas.centre(n * 64, 64, 40, text, MEDIUM, bold=True, invert=view.knob and option == at)
    canvas.foot("turn, OK" if view.knob else "▲▼", side_hint(view))


def amount(canvas: Canvas, view: View) -> None:
    """A number, by the control."""
    offer = view.question.control
    assert offer is not None
    canvas.centre(0, WIDTH_PX, BODY_PX, view.title, PLAIN)
    canvas.headline(view.option(chosen(view.question, view.entry)), BODY_PX + 12, height=34)
    canvas.foot(change_hint(view), side_hint(view))


def confirm(canvas: Canvas, view: View) -> None:
    """A plain OK: where the scores stand."""
    canvas.centre(0, WIDTH_PX, BODY_PX, view.title, PLAIN)
    scores(canvas, view, y=BODY_PX + 13)
    canvas.foot("OK", side_hint(view))


def scores(canvas: Canvas, view: View, *, y: int, foot: Sequence[str] = ()) -> None:
    """The totals, a column a seat; the leaders stand lit."""
    totals = view.play.scores
    lead = [seat for seat, total in enumerate(totals) if total == max(totals)]
    cells(canvas, view, [str(total) for total in totals], y=y, foot=foot, lit=lead)


def race(canvas: Canvas, view: View) -> None:
    """Who has pressed, in order, with gaps; who is still out."""
    board = view.play.board
    run = board.race
    gaps = run.gaps if run else ()
    if not gaps:
        since = run.since_ns if run else None
        canvas.headline(seconds(view.now_ns - since) if since is not None else "READY")
        canvas.foot("press your button", hold_hint(view))
        return
    ranking(canvas, view, gaps)
    out = board.highlight.get("missing", ())
    canvas.foot(f"open: {view.names(out)}" if out else "", "OK:nobody else" if view.question.ok else "")


def doubt(view: View, run: Race, seats: tuple[Seat, ...]) -> str:
    """Why the table has to rule among these seats, in a few words."""
    benched = [seat for seat in seats if seat in run.benched]
    if benched:
        return f"{view.names(benched)} no button"
    why = "missing" if seats and seats[0] in missing(run) else "tie"
    return f"{'/'.join(view.name(seat) for seat in seats)} {why}"


def ranking(canvas: Canvas, view: View, gaps: Sequence[tuple[Seat, int]], y: int = BODY_PX - 1) -> None:
    """Presses in order, two columns of three."""
    for n, (seat, after_ns) in enumerate(gaps[:6]):
        column, row = divmod(n, 3)
        canvas.text(column * 66, y + row * 16, f"{n + 1}{view.name(seat):>3}", MEDIUM, bold=n == 0)
        canvas.text(column * 66 + 36, y + row * 16 + 5, seconds(after_ns) if n == 0 else gap(after_ns))


def over(canvas: Canvas, view: View) -> None:
    """The ranking, and who has won."""
    play = view.play
    won = play.winners
    right = "UNFINISHED" if play.ended else "THE END"
    canvas.status(play.rules.title if 5 * (len(play.rules.title) + len(right)) < WIDTH_PX else "", right)
    names = " ".join(play.players[seat] for seat in won)
    text = f"{names} WINS" if len(won) == 1 else f"{names} WIN" if won else "NO WINNER"
    canvas.headline(text if 5 * len(text) <= WIDTH_PX else names, 8, height=32)
    totals = [f"{name} {total}" for name, total in zip(play.players, play.scores, strict=True)]
    in_row = 4 if all(len(total) < 6 for total in totals) else 3
    for n in range(0, len(totals), in_row):
        canvas.centre(0, WIDTH_PX, 40 + 8 * (n // in_row), " ".join(totals[n : n + in_row]), SMALL)
    canvas.foot("OK: next", hold_hint(view))


def generic(view: View) -> Image.Image:
    """A picture of any game, from its offers and its board."""
    play, kind = view.play, view.question.kind
    canvas = Canvas()
    if kind is Kind.OVER:
        over(canvas, view)
        return canvas.image
    board = play.board
    rounds = f"/{board.rounds}" if board.rounds else ""
    canvas.status(play.rules.title, f"R{board.round}{rounds}")
    body(canvas, view)
    return canvas.image


def body(canvas: Canvas, view: View) -> None:
    """The template that fits what is asked."""
    match view.question.kind:
        case Kind.COUNT:
            count(canvas, view)
        case Kind.TAP:
            tap(canvas, view)
        case Kind.CHOOSE:
            choose(canvas, view)
        case Kind.NUMBER:
            amount(canvas, view)
        case Kind.CONFIRM:
            confirm(canvas, view)
        case Kind.RACE:
            race(canvas, view)
        case Kind.WAIT:
            canvas.headline("READY")
        case Kind.OVER:
            over(canvas, view)


# --- outside a game -------------------------------------------------------------------------------------------------

ROWS = 3  # rows of a list that fit


def listing(title: str, right: str, rows: Sequence[str], at: int, foot: tuple[str, str]) -> Image.Image:
    """A list: the row that the control stands at is lit, the others roll by."""
    canvas = Canvas()
    canvas.status(title, right)
    first = min(max(0, at - ROWS + 2), max(0, len(rows) - ROWS))
    for n, row in enumerate(rows[first : first + ROWS]):
        y = BODY_PX + 1 + n * 15
        if first + n == at:
            canvas.box(0, y - 1, WIDTH_PX, 14)
            line = written(PLAIN, row)
            canvas.image.paste(0, (3, y), line)
        else:
            canvas.text(3, y, row, PLAIN)
    canvas.foot(*foot)
    return canvas.image


def message(title: str, headline: str, lines: Sequence[str], foot: tuple[str, str]) -> Image.Image:
    """One fact, with up to two small lines."""
    canvas = Canvas()
    canvas.status(title)
    canvas.headline(headline, BODY_PX, height=28 if lines else 44)
    for n, line in enumerate(lines[:2]):
        canvas.centre(0, WIDTH_PX, 38 + 9 * n, line, SMALL)
    canvas.foot(*foot)
    return canvas.image
