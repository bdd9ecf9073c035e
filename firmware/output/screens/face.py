"""The picture of any question's face: a template by what is asked, and what the face says."""

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from msgspec.structs import replace
from PIL import Image

from engine.face import Face, Gap, Kept, Left, Overtime, Said, Short, Time, Who
from engine.game import Question
from engine.words import N_, Filled
from firmware.output.screens import seats, templates
from firmware.output.screens.canvas import BODY_PX, FOOT_PX, WIDTH_PX, Canvas, Passing, Text, longest
from firmware.output.screens.font import PLAIN
from firmware.output.screens.view import View, down, gap, minutes, more, number, seconds, time_left, titles
from firmware.table.question import Kind, none_counted
from firmware.translation import _, translated

FLASH_NS = 600_000_000  # how long a flash stands
HEIGHTS_PX = (FOOT_PX - BODY_PX, 36, 28)  # of a headline, by the lines below it
RACE_PX = 30  # of a headline above a larger line
LINE_PX = 9

# a game's own picture of a question: all between the status row and the bottom one, or these, too
Drawing: TypeAlias = Callable[[Canvas, View, Face, Any], None]
Drawings: TypeAlias = Mapping[type[Question[Any]], Drawing]


def shown(view: View, said: Said) -> Text:
    """A text as it is shown: with names, then with labels; several: the first that fits."""
    if type(said) is str:
        return translated(said)
    each = said if type(said) is tuple else (said,)
    labels = view.play.players
    texts = [_text(view, one, names) for one in each for names in ((view.names, labels) if view.names else (labels,))]
    return tuple(dict.fromkeys(texts)) if any(texts) else ""


def _text(view: View, said: object, names: tuple[str, ...]) -> str:
    if isinstance(said, Passing):
        return said
    text = _filled(view, said, names)
    return Passing(text, _filled(view, said, names, clock=False)) if _runs(said) else text


def _filled(view: View, said: object, names: tuple[str, ...], *, clock: bool = True) -> str:
    if isinstance(said, Filled):
        return translated(said, lambda value: _filled(view, value, names, clock=clock))
    if isinstance(said, str):
        return translated(said)
    match said:
        case Left():
            return time_left(view, said, over=isinstance(said, Overtime)) if clock else ""
        case Time():
            return seconds(said)
        case Gap():
            return gap(said)
        case Kept():
            return minutes(said)
        case Short():
            return said.between.join(view.name(seat, seats.MAX_LABEL) for seat in said)
        case Who():
            return said.between.join(names[seat] for seat in said)
        case _:
            return str(said)


def status(view: View, face: Face) -> tuple[Text, Text]:
    """Where the game stands, as the upper row says it."""
    rules = view.play.rules
    usual = (titles(rules), number(view)) if rules.heading is None else rules.heading(view.play.state)
    left, right = (shown(view, own or said) for own, said in zip((face.left, face.right), usual, strict=True))
    return left or titles(rules), right


def sentences(view: View, face: Face) -> list[Text]:
    """What a face says besides the question's label, for whoever sees no picture: no clock, and no key that answers."""
    kind = view.question.kind
    big = "" if kind is Kind.CHOOSE else face.big  # there it stands for a moment, and beside it for good
    news = kind is Kind.TAP and face.big and face.lines  # it stands where the question would
    instructs = kind in (Kind.CONFIRM, Kind.RACE, Kind.WAIT) or face.buttons or face.times or news
    out = N_("out: {names}", names=Who(face.out)) if face.out else ""
    title = "" if own_title(view, face) else face.title  # it is the question
    each = (big, title, *face.lines, out, face.press if instructs else "")
    texts = [shown(view, said) for said in each if not _runs(said)]
    return [text for text in texts if text]


def own_title(view: View, face: Face) -> Text:
    """The title that stands instead of the question's label, not above values."""
    instead = not (face.values or face.times or face.big or face.buttons)
    return shown(view, face.title) if face.title and instead else ""


def _runs(said: object) -> bool:
    """Whether a text changes by itself."""
    if isinstance(said, Filled):
        return any(map(_runs, said.values.values()))
    return isinstance(said, Left) or (type(said) is tuple and any(map(_runs, said)))


def draw(view: View, ask: Question[Any], face: Face, drawings: Drawings) -> Image.Image:
    """The picture of a question by its face; `drawings`: the pictures that only this game has."""
    canvas, view = Canvas(), replace(view, face=face, wrong=shown(view, face.wrong))
    face = face._replace(below=tuple([shown(view, one) for one in face.below]))
    answers = view.knob and view.answered_for is not None  # then a turn does, for that seat
    if face.turn and view.question.turns_to_more and not answers:
        way = N_("{turn}: {what}", turn=down(view.knob), what=face.turn)
        face = face._replace(lines=(*face.lines, way)) if face.press else face._replace(press=way)
    if face.whether:
        asked = none_counted(view.question, view.entry)
        face = face._replace(right="") if asked else face._replace(whether="")  # the right is about the number
    above = face.below and not face.values and not seats.in_a_row(view)
    canvas.status(*status(view, face._replace(right="") if above else face))  # two rows take that place for a title
    drawings.get(type(ask), template)(canvas, view, face, ask)
    if flash(view, face):
        canvas.invert()
    else:
        foot(canvas, view, face)
    return canvas.picture()


def template(canvas: Canvas, view: View, face: Face, _ask: object = None) -> None:
    """What the face says; else what people are asked, as for any question of its kind."""
    if face.since_ns is not None:
        stopwatch(canvas, view, face, face.since_ns)
    elif face.until_ns is not None:
        templates.countdown(canvas, view, face.until_ns)
    elif face.whether:
        whether(canvas, view, face)
    elif face.values or face.times:
        title, line = shown(view, face.title), shown(view, face.lines[0]) if face.lines else ""
        values = [longest(shown(view, time)) for time in face.times] or face.values
        seats.cells(canvas, view, values, title=title, line=line, foot=face.below, lit=face.lit)
    elif face.buttons:
        hands(canvas, view, face)
    elif face.big:
        headline(canvas, view, face)
    else:
        templates.body(canvas, view, title=shown(view, face.title), foot=face.below)


def headline(canvas: Canvas, view: View, face: Face) -> None:
    """The one fact that matters, and up to two lines below it; those of a race are larger."""
    run = view.play.board.race
    if run is not None and (run.phase == "answers" or (run.phase == "running" and face.lines)):
        canvas.headline(shown(view, face.big), height=RACE_PX)
        for line in face.lines:
            canvas.centre(0, WIDTH_PX, FOOT_PX - 13, shown(view, line), PLAIN)
        return
    canvas.headline(shown(view, face.big), height=HEIGHTS_PX[len(face.lines)])
    lines(canvas, view, face)


def lines(canvas: Canvas, view: View, face: Face) -> None:
    """The small lines above the bottom row."""
    for n, line in enumerate(reversed(face.lines), 1):
        canvas.centre(0, WIDTH_PX, FOOT_PX - n * LINE_PX, shown(view, line))


def hands(canvas: Canvas, view: View, face: Face) -> None:
    """The buttons that are held; all are needed."""
    if face.lines:  # what is to be done before takes the top row: the headline is read from afar
        canvas.question(shown(view, face.lines[0]))
    canvas.headline(shown(view, face.big), height=24)
    labels, called = ([names[seat] for seat in face.buttons] for names in (view.play.players, view.called))
    lit = [n for n, seat in enumerate(face.buttons) if seat in face.lit]
    seats.buttons(canvas, labels, lit, 33, below=called)


def whether(canvas: Canvas, view: View, face: Face) -> None:
    """Whether there is anything to count; everybody may say so by their own button."""
    canvas.headline(shown(view, face.whether), height=23)
    seats.buttons(canvas, view.play.players, (), BODY_PX + 24, below=view.called, away=view.away)
    press: Text = _("yes? press")
    if (seat := view.answered_for) is not None:
        press = view.named(lambda who: _("{name}: {turn}", name=who, turn=more(view.knob)), seat)
    canvas.foot(press, (_("OK: nobody"), _("OK: no")))


def stopwatch(canvas: Canvas, view: View, face: Face, since_ns: int) -> None:
    """The flash, then the time that runs."""
    if text := flash(view, face):
        headline(canvas, view, face._replace(big=Passing(text), lines=()))
    else:
        headline(canvas, view, face._replace(big=Passing(seconds(view.now_ns - since_ns))))


def flash(view: View, face: Face) -> str:
    """What stands for a moment as a stopwatch begins; nothing afterwards, and without one."""
    begun = face.since_ns is not None and view.now_ns - face.since_ns < FLASH_NS
    return longest(shown(view, face.big)) if begun else ""


def foot(canvas: Canvas, view: View, face: Face) -> None:
    """The effect of a press and of OK; of a seat whose button does not work, who answers for it."""
    seat = view.answered_for
    if seat is not None and face.buttons:
        canvas.foot(_("hold yours"), view.named(lambda who: _("OK: for {name}", name=who), seat))
    elif seat is None and (face.press or face.ok):
        usual = templates.hold_hint(view) if face.since_ns is not None or view.play.over else ""
        ok = face.ok if view.question.ok or view.play.board.race is None else ""  # in a race it may do nothing yet
        canvas.foot(shown(view, face.press), shown(view, ok or face.hold) or usual)
