"""Pack & Stack's own pictures: the countdown, the flip, the draw of the top card, losses."""

from PIL import Image

from engine import race
from engine.game import known
from engine.games.pack_and_stack import (
    BONUS,
    BOXES,
    COLOUR_LETTERS,
    COLOURS,
    FACES,
    REWARDS,
    Area,
    Armed,
    Countdown,
    Deal,
    Empties,
    Grab,
    Hands,
    LeftOver,
    Levels,
    Load,
    Packing,
    Ready,
    Result,
    Reward,
    Roll,
    State,
    UseCard,
    WhoLast,
    Youngest,
    checked,
    order,
    scores,
    short,
    trucks_each,
)
from firmware.screens import common
from firmware.screens.canvas import BODY_PX, FOOT_PX, WIDTH_PX, Canvas, Text
from firmware.screens.common import TITLE_PX, View, cells, seconds
from firmware.screens.font import HUGE, PLAIN
from firmware.words import _, translated

FLIP_NS = 800_000_000  # how long the flip stands


def draw(view: View) -> Image.Image | None:
    """The picture of the question, or None where the generic one serves."""
    state: State = view.play.state
    if state.over or view.play.ended:
        return None
    now, ask = state.round, state.ask
    canvas = Canvas()
    canvas.status(_("ROUND {number}", number=now.number), _("pile {n}", n=state.pile))
    match ask:
        case Youngest():
            common.tap(canvas, view)
            canvas.status("", _("75 points each") if state.players > 2 else _("2nd draws top card"))  # R2, A2
            if view.answered_for is None:
                canvas.foot(_("youngest: press"))  # R3
        case Load(colour=colour):
            common.count(canvas, view, _("0 to {most}", most=FACES[colour][-1]))
            unlikely(canvas, view, colour)
        case Roll():
            roll(canvas, view, state)
        case UseCard(seat, card):
            canvas.title(f"{translated(REWARDS[card])}?")
            common.own_button(canvas, view, seat, BODY_PX + TITLE_PX, FOOT_PX - BODY_PX - TITLE_PX)
            canvas.foot(
                _("{key}: use it", key=common.more(view.knob) if seat in view.dead else view.label(seat)),
                _("OK: go on"),
            )
        case Deal():
            deal(canvas, view, state)
        case Hands():
            hands(canvas, view, ask)
        case Countdown(run):
            countdown(canvas, view, run)
        case Armed():
            common.countdown(canvas, view, ask.due_ns)
        case Grab(run):
            grab(canvas, view, run)
        case WhoLast():
            canvas.status("", common.doubt(view, known(now.run), ask.among(state)))
            common.choose(canvas, view)
        case Ready() | Packing():
            packing(canvas, view, state)
        case Empties() | Levels() | Area():
            common.count(canvas, view)
        case LeftOver(seats=seats, colour=colour):
            if checked(state):
                rolled = [load[colour] for load in now.loads]
                each = [_("of {n}", n=number) if seat in seats else "" for seat, number in enumerate(rolled)]
                common.count(
                    canvas,
                    view,
                    _("rolled {numbers}", numbers=" ".join(str(rolled[seat]) for seat in seats)),
                    each,
                )
            else:
                common.count(canvas, view, _("each {n} long", n=colour + 1))
        case Reward(seat):
            canvas.status("", view.named(lambda who: _("{name} lost nothing!", name=who), seat))
            common.choose(canvas, view)
        case Result():
            result(canvas, view, state)
    return canvas.picture()


def hands(canvas: Canvas, view: View, ask: Hands) -> None:
    """The seats with a hand on the button; all are needed."""
    canvas.headline(_("HANDS ON"), height=24)
    down = [seat for seat, held in enumerate(ask.down) if held]
    common.buttons(canvas, view.play.players, down, 33, below=view.called)
    dead = view.answered_for
    if ask.jumped is not None:
        canvas.foot(view.named(lambda who: _("{name} too early: again", name=who), ask.jumped))
    else:
        ok = "" if dead is None else view.named(lambda who: _("OK: for {name}", name=who), dead)
        canvas.foot(_("hold yours"), ok)


def unlikely(canvas: Canvas, view: View, colour: int) -> None:
    """A warning, never a refusal: more boxes than the die shows."""
    most = FACES[colour][-1]
    over = [seat for seat, value in view.entry.values.items() if seat is not None and most < value <= BOXES[colour]]
    if over and not view.entry.note:
        canvas.note(view.named(lambda names: _("{names}: the die has {most}?", names=names, most=most), over[0]))


def roll(canvas: Canvas, view: View, state: State) -> None:
    """The kit rolls: the last load stands large, to take the boxes by."""
    loads = state.round.loads
    seat = next(iter(view.question.press))
    rolled = [s for s in order(state) if loads[s][0] is not None]
    if rolled:
        canvas.status(view.named(lambda who: _("{name} takes", name=who), rolled[-1]), size=PLAIN)
        boxes(canvas, loads[rolled[-1]])
    else:
        canvas.headline(view.label(seat))
    dead = view.answered_for
    canvas.foot(
        view.named(lambda who: _("{name}: press to roll", name=who), seat)
        if dead is None
        else view.named(lambda who: _("OK: roll for {name}", name=who), dead)
    )


def boxes(canvas: Canvas, load: tuple[int | None, ...]) -> None:
    """Five numbers, a column a colour; the colours' names alternate between two lines, as they are wider."""
    width = WIDTH_PX // len(load)
    for n, (colour, number) in enumerate(zip(COLOURS, load, strict=True)):
        x = 1 + n * width
        canvas.headline(str(number or 0), BODY_PX + 2, height=26, x=x, width=width, size=HUGE)
        canvas.centre(max(0, x - 8), width + 16, FOOT_PX - (9 if n % 2 else 17), translated(colour))


def deal(canvas: Canvas, view: View, state: State) -> None:
    """The preparations before the race."""
    canvas.headline(_("DEAL {n}", n=trucks_each(state)), height=28)
    line: Text = ""
    if short(state):
        line = _("SHUFFLE the used first")  # A7
    elif not checked(state):
        line = _("roll, take your boxes,")
    elif state.options.device_dice:
        line = load_line(view, state)
    canvas.centre(0, WIDTH_PX, FOOT_PX - 18, line)
    canvas.centre(0, WIDTH_PX, FOOT_PX - 9, _("trucks face down"))
    canvas.foot(_("hands ready"), _("OK: race"))


def load_line(view: View, state: State) -> Text:
    """The load of the last to roll."""
    seat = order(state)[-1]
    load = zip(COLOUR_LETTERS, state.round.loads[seat], strict=True)
    numbers = " ".join(f"{translated(letter)}{number}" for letter, number in load)
    return view.named(lambda who: f"{who}: {numbers}", seat)


def countdown(canvas: Canvas, view: View, run: race.Race) -> None:
    """3, 2, 1."""
    common.countdown(canvas, view, known(run.go_ns))
    if run.jumps:
        canvas.foot(view.named(lambda who: _("{name} too early", name=who), run.jumps[-1].seat))


def grab(canvas: Canvas, view: View, run: race.Race) -> None:
    """The flip; then the seats that have a truck, in order."""
    go_ns = known(run.go_ns)
    run_ns = view.now_ns - go_ns
    if run_ns < FLIP_NS and not run.presses:
        canvas.headline(_("FLIP!"))
        canvas.invert()
        return
    if not run.presses:
        canvas.headline(seconds(run_ns), height=32)
        canvas.centre(0, WIDTH_PX, FOOT_PX - 13, _("grab, then slap yours"), PLAIN)
    else:
        gaps = [(press.seat, press.at_ns - go_ns) for press in race.order(run)]
        common.ranking(canvas, view, gaps)
    out = race.missing(run)
    common.still_out(canvas, view, out)
    if run.jumps and not run.presses:
        canvas.foot(view.named(lambda who: _("{name} too early", name=who), run.jumps[-1].seat))


def packing(canvas: Canvas, view: View, state: State) -> None:
    """The seats that draw the top card, those that are done, and the timer, if there is one."""
    now, ask = state.round, state.ask
    last = now.last or ()
    who = view.named(lambda names: _("{names} LAST", names=names), *last)
    canvas.headline((*who, _("{n} LAST", n=len(last))) if last else _("NONE LAST"), height=28)
    draw = view.named(lambda names: _("{names}: draw the top card", names=names), *last)
    line = (*draw, _("each draws the top card")) if last else _("everybody keeps a truck")
    canvas.centre(0, WIDTH_PX, FOOT_PX - 18, _("shuffle, draw top card") if last and now.shuffled else line)
    if isinstance(ask, Packing):
        if ask.due_ns is not None:
            canvas.status("", _("{time} left", time=common.left(view)))
        marks = [
            " ".join(f"{name}{'●' if done else '○'}" for name, done in zip(names, ask.done, strict=True))
            for names in dict.fromkeys((view.called, view.play.players))
        ]
        open_ = [seat for seat, done in enumerate(ask.done) if not done]
        progress = (
            *marks,
            *view.named(lambda names: _("{names} pack", names=names), *open_),
            _("{n} still pack", n=len(open_)),
        )
        canvas.centre(0, WIDTH_PX, FOOT_PX - 9, _("own grab void? hold") if view.void else progress)  # A8, A9
        canvas.foot(_("packed? press"), _("OK: count"))  # a dead button needs no answer: it is for information
    else:
        canvas.foot(_("{n} s to load", n=state.options.loading_timer_s), _("OK: start"))


def result(canvas: Canvas, view: View, state: State) -> None:
    """Totals, large; below them the points of the round; the best of the round are marked."""
    now = state.round
    foot = [f"{BONUS * (seat in now.best) - (lost or 0):+}" for seat, lost in enumerate(now.losses)]
    cells(canvas, view, [str(total) for total in scores(state)], foot=foot, lit=now.best)
    winner = next((seat for seat in now.best if now.losses[seat] == 0), None)
    canvas.foot(_("ENDS: somebody is out") if min(scores(state)) <= 0 else _("boxes, trucks back"), "OK")
    if winner is not None:
        canvas.status("", view.named(lambda who: _("{name} perfect!", name=who), winner))
