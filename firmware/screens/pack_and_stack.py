"""What is special about Pack & Stack's pictures: the countdown, the flip, who draws the top card, losses."""

from PIL import Image

from engine import race
from engine.game import known
from engine.games.pack_and_stack import (
    BONUS,
    BOXES,
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

FLIP_NS = 800_000_000  # how long the flip stands


def draw(view: View) -> Image.Image | None:
    """The picture of the question, or None where the generic one serves."""
    state: State = view.play.state
    if state.over or view.play.ended:
        return None
    now, ask = state.round, state.ask
    canvas = Canvas()
    canvas.status(f"ROUND {now.number}", f"pile {state.pile}")
    match ask:
        case Youngest():
            common.tap(canvas, view)
            canvas.status("", "75 points each" if state.players > 2 else "2nd draws top card")  # R2, A2
            if view.answered_for is None:
                canvas.foot("youngest: press")  # R3
        case Load(colour=colour):
            common.count(canvas, view, f"0 to {FACES[colour][-1]}")
            unlikely(canvas, view, colour)
        case Roll():
            roll(canvas, view, state)
        case UseCard(seat, card):
            canvas.title(f"{REWARDS[card]}?")
            canvas.headline(view.name(seat), BODY_PX + TITLE_PX, height=FOOT_PX - BODY_PX - TITLE_PX)
            canvas.foot(f"{common.more(view) if seat in view.dead else view.name(seat)}: use it", "OK: go on")
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
                each = [f"of {number}" if seat in seats else "" for seat, number in enumerate(rolled)]
                common.count(canvas, view, f"rolled {' '.join(str(rolled[seat]) for seat in seats)}", each)
            else:
                common.count(canvas, view, f"each {colour + 1} long")
        case Reward(seat):
            canvas.status("", f"{view.name(seat)} lost nothing!")
            common.choose(canvas, view)
        case Result():
            result(canvas, view, state)
    return canvas.picture()


def hands(canvas: Canvas, view: View, ask: Hands) -> None:
    """Who has a hand on the button; all are needed."""
    canvas.headline("HANDS ON", height=24)
    down = [seat for seat, held in enumerate(ask.down) if held]
    common.buttons(canvas, view.play.players, down, 33)
    early = "" if ask.jumped is None else f"{view.name(ask.jumped)} too early: again"
    dead = view.answered_for
    canvas.foot(early or "hold yours", "" if dead is None or early else f"OK: for {view.name(dead)}")


def unlikely(canvas: Canvas, view: View, colour: int) -> None:
    """A warning, never a refusal: more boxes than the die shows."""
    most = FACES[colour][-1]
    over = [seat for seat, value in view.entry.values.items() if seat is not None and most < value <= BOXES[colour]]
    if over and not view.entry.note:
        canvas.foot(f"{view.names(over[:1])}: the die has {most}?", "OK")


def roll(canvas: Canvas, view: View, state: State) -> None:
    """The kit rolls: what fell last stands large, to take the boxes by."""
    loads = state.round.loads
    seat = next(iter(view.question.press))
    rolled = [s for s in order(state) if loads[s][0] is not None]
    if rolled:
        canvas.status(f"{view.name(rolled[-1])} takes", size=PLAIN)
        boxes(canvas, loads[rolled[-1]])
    else:
        canvas.headline(view.name(seat))
    dead = view.answered_for
    canvas.foot(f"{view.name(seat)}: press to roll" if dead is None else f"OK: roll for {view.name(dead)}")


def boxes(canvas: Canvas, load: tuple[int | None, ...]) -> None:
    """Five numbers, a column a colour; the colours' names take turns on two lines, for they are wider than that."""
    width = WIDTH_PX // len(load)
    for n, (colour, number) in enumerate(zip(COLOURS, load, strict=True)):
        x = 1 + n * width
        canvas.headline(str(number or 0), BODY_PX + 2, height=26, x=x, width=width, size=HUGE)
        canvas.centre(max(0, x - 8), width + 16, FOOT_PX - (9 if n % 2 else 17), colour)


def deal(canvas: Canvas, view: View, state: State) -> None:
    """What to do with hands before the race."""
    canvas.headline(f"DEAL {trucks_each(state)}", height=28)
    line = ""
    if short(state):
        line = "SHUFFLE the used first"  # A7
    elif not checked(state):
        line = "roll, take your boxes,"
    elif state.options.device_dice:
        line = load_line(view, state)
    canvas.centre(0, WIDTH_PX, FOOT_PX - 18, line)
    canvas.centre(0, WIDTH_PX, FOOT_PX - 9, "trucks face down")
    canvas.foot("hands ready", "OK: race")


def load_line(view: View, state: State) -> str:
    """What the last to roll takes."""
    seat = order(state)[-1]
    load = zip(COLOURS, state.round.loads[seat], strict=True)
    return f"{view.name(seat)}: " + " ".join(f"{colour[0]}{number}" for colour, number in load)


def countdown(canvas: Canvas, view: View, run: race.Race) -> None:
    """3, 2, 1."""
    common.countdown(canvas, view, known(run.go_ns))
    if run.jumps:
        canvas.foot(f"{view.name(run.jumps[-1].seat)} too early")


def grab(canvas: Canvas, view: View, run: race.Race) -> None:
    """The flip; then who has a truck, in order."""
    go_ns = known(run.go_ns)
    run_ns = view.now_ns - go_ns
    if run_ns < FLIP_NS and not run.presses:
        canvas.headline("FLIP!")
        canvas.invert()
        return
    if not run.presses:
        canvas.headline(seconds(run_ns), height=32)
        canvas.centre(0, WIDTH_PX, FOOT_PX - 13, "grab, then slap yours", PLAIN)
    else:
        gaps = [(press.seat, press.at_ns - go_ns) for press in race.order(run)]
        common.ranking(canvas, view, gaps)
    out = race.missing(run)
    common.still_out(canvas, view, out)
    if run.jumps and not run.presses:
        canvas.foot(f"{view.name(run.jumps[-1].seat)} too early")


def packing(canvas: Canvas, view: View, state: State) -> None:
    """Who draws the top card; who is done; the timer, if there is one."""
    now, ask = state.round, state.ask
    names = view.names(now.last or ())
    canvas.headline((f"{names} LAST", f"{len(now.last or ())} LAST") if names else "NONE LAST", height=28)
    line = (f"{names}: draw the top card", "each draws the top card") if names else "everybody keeps a truck"
    canvas.centre(0, WIDTH_PX, FOOT_PX - 18, "shuffle, draw top card" if names and now.shuffled else line)
    if isinstance(ask, Packing):
        if ask.due_ns is not None:
            canvas.status("", f"{common.left(view)} left")
        marks = [f"{view.name(seat)}{'●' if done else '○'}" for seat, done in enumerate(ask.done)]
        open_ = [seat for seat, done in enumerate(ask.done) if not done]
        told: Text = (" ".join(marks), f"{view.names(open_)} pack", f"{len(open_)} still pack")
        canvas.centre(0, WIDTH_PX, FOOT_PX - 9, "own grab void? hold" if view.void else told)  # A8, A9
        canvas.foot("packed? press", "OK: count")  # done is for information: nobody has to say it for a dead button
    else:
        canvas.foot(f"{state.options.loading_timer_s} s to load", "OK: start")


def result(canvas: Canvas, view: View, state: State) -> None:
    """Totals, large; below them what the round brought; the best of the round are marked."""
    now = state.round
    foot = [f"{BONUS * (seat in now.best) - (lost or 0):+}" for seat, lost in enumerate(now.losses)]
    cells(canvas, view, [str(total) for total in scores(state)], foot=foot, lit=now.best)
    winner = next((seat for seat in now.best if now.losses[seat] == 0), None)
    canvas.foot("ENDS: somebody is out" if min(scores(state)) <= 0 else "boxes, trucks back", "OK")
    if winner is not None:
        canvas.status("", f"{view.name(winner)} perfect!")
