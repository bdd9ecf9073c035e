"""What is special about Pack & Stack's pictures: the countdown, the flip, who draws the top card, losses."""

from PIL import Image

from engine import race
from engine.games.pack_and_stack import (
    BOXES,
    COLOURS,
    FACES,
    REWARDS,
    Area,
    Countdown,
    Deal,
    Empties,
    Grab,
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
from engine.hands import Hands
from firmware.screens import common
from firmware.screens.common import BODY_PX, WIDTH_PX, Canvas, View, cells, seconds
from firmware.screens.font import LARGE, PLAIN, SMALL

FLIP_NS = 800_000_000  # how long the flip stands


def draw(view: View) -> Image.Image | None:
    """The picture of the question, or None where the generic one serves."""
    state: State = view.play.state
    if state.over or view.play.ended:
        return None
    now = state.round
    ask = now.ask
    canvas = Canvas()
    canvas.status(f"ROUND {now.number}", f"pile {state.pile}")
    match ask:
        case Youngest():
            common.tap(canvas, view)
            canvas.status("", "75 points each" if len(state.points) > 2 else "2nd draws top card")  # R2, A2
            if view.answered_for is None:
                canvas.foot("youngest: press")  # R3
        case Load(_, colour):
            canvas.status("", f"{COLOURS[colour]}: 0 to {FACES[colour][-1]}")
            common.count(canvas, view)
            unlikely(canvas, view, colour)
        case Roll():
            roll(canvas, view, state)
        case UseCard(seat, card):
            canvas.centre(0, WIDTH_PX, BODY_PX, f"{REWARDS[card]}?", PLAIN)
            canvas.headline(view.name(seat), BODY_PX + 12, height=34)
            use = "turn" if view.knob else "▲"
            canvas.foot(f"{use if seat in view.dead else view.name(seat)}: use it", "OK: no, go on")
        case Deal():
            deal(canvas, view, state)
        case Hands():
            canvas.headline("HANDS ON", BODY_PX, height=28)
            cells(canvas, view, ["●" if down else "○" for down in ask.down], y=36)
            early = "" if ask.jumped is None else f"{view.name(ask.jumped)} too early: again"
            canvas.foot(
                early or "all hold your button",
                f"OK:{view.name(view.answered_for)}" if view.answered_for is not None else "",
            )
        case Countdown(run):
            countdown(canvas, view, run)
        case Grab(run):
            grab(canvas, view, run)
        case WhoLast(ruling):
            assert now.run is not None
            canvas.status("", common.doubt(view, now.run, ruling.among))
            common.choose(canvas, view)
        case Ready() | Packing():
            packing(canvas, view, state)
        case Empties() | Levels() | Area():
            common.count(canvas, view)
        case LeftOver(seats, colour):
            canvas.status("", "" if checked(state) else f"{COLOURS[colour]} = {colour + 1} long")
            common.count(canvas, view)
            if checked(state):
                canvas.status("", "rolled " + " ".join(str(now.loads[seat][colour]) for seat in seats))
        case Reward(seat):
            canvas.status("", f"{view.name(seat)} lost nothing!")
            common.choose(canvas, view)
        case Result():
            result(canvas, view, state)
    return canvas.image


def unlikely(canvas: Canvas, view: View, colour: int) -> None:
    """A warning, never a refusal: more boxes than the die shows."""
    most = FACES[colour][-1]
    over = [seat for seat, value in view.entry.values.items() if seat is not None and most < value <= BOXES[colour]]
    if over and not view.entry.note:
        canvas.foot(f"{view.names(over[:1])}: die shows {most} at most", "OK")


def roll(canvas: Canvas, view: View, state: State) -> None:
    """The kit rolls: what fell last stands large, to take the boxes by."""
    loads = state.round.loads
    seat = next(iter(view.question.press))
    rolled = [s for s in order(state) if loads[s][0] is not None]
    if rolled:
        canvas.centre(0, WIDTH_PX, BODY_PX, f"{view.name(rolled[-1])} takes", PLAIN)
        boxes(canvas, loads[rolled[-1]], 22)
    else:
        canvas.headline(view.name(seat), BODY_PX, height=46)
    dead = view.answered_for
    canvas.foot(
        f"{view.name(seat)}: press to roll" if dead is None else f"OK: roll for {view.name(dead)}", "hold OK:back"
    )


def boxes(canvas: Canvas, load: tuple[int | None, ...], y: int) -> None:
    """Five numbers, a column a colour."""
    width = WIDTH_PX // len(load)
    for n, (colour, number) in enumerate(zip(COLOURS, load, strict=True)):
        canvas.centre(n * width, width, y, str(number or 0), LARGE, bold=True)
        canvas.centre(n * width, width, y + 25, colour[:5], SMALL)


def deal(canvas: Canvas, view: View, state: State) -> None:
    """What to do with hands before the race."""
    canvas.headline(f"DEAL {trucks_each(state)}", BODY_PX, height=28)
    if short(state):
        canvas.centre(0, WIDTH_PX, 39, "SHUFFLE the used first", SMALL)  # A7
    elif not checked(state):
        canvas.centre(0, WIDTH_PX, 39, "roll, take your boxes,", SMALL)
    elif state.options.device_dice:
        canvas.centre(0, WIDTH_PX, 37, load_line(state), SMALL)
    canvas.centre(0, WIDTH_PX, 47, "trucks face down", SMALL)
    canvas.foot("hands ready", "OK: race")


def load_line(state: State) -> str:
    """What the last to roll takes."""
    seat = order(state)[-1]
    return " ".join(f"{colour[0]}{number}" for colour, number in zip(COLOURS, state.round.loads[seat], strict=True))


def countdown(canvas: Canvas, view: View, run: race.Race) -> None:
    """3, 2, 1."""
    assert run.go_ns is not None
    common.countdown(canvas, view, run.go_ns)
    if run.jumps:
        canvas.foot(f"{view.name(run.jumps[-1].seat)} too early")


def grab(canvas: Canvas, view: View, run: race.Race) -> None:
    """The flip; then who has a truck, in order."""
    assert run.go_ns is not None
    run_ns = view.now_ns - run.go_ns
    if run_ns < FLIP_NS and not run.presses:
        canvas.headline("FLIP!", 4, height=48)
        canvas.invert()
        return
    if not run.presses:
        canvas.headline(seconds(run_ns), BODY_PX, height=30)
        canvas.centre(0, WIDTH_PX, 42, "grab, then slap yours", PLAIN)
    else:
        gaps = [(press.seat, press.at_ns - run.go_ns) for press in race.order(run)]
        common.ranking(canvas, view, gaps)
    out = race.missing(run)
    early = f"{view.name(run.jumps[-1].seat)} too early" if run.jumps and not run.presses else ""
    waiting = f"open {view.names(out)}" if len(out) < 4 else f"{len(out)} are open"
    canvas.foot(early or waiting, "OK:no more" if view.question.ok else "")


def packing(canvas: Canvas, view: View, state: State) -> None:
    """Who draws the top card; who is done; the timer, if there is one."""
    now, ask = state.round, state.round.ask
    names = view.names(now.last or ())
    canvas.headline(f"{names} LAST" if names else "NONE LAST", 8, height=32)
    line = f"{names}: draw the top card" if names else "everybody keeps a truck"
    canvas.centre(0, WIDTH_PX, 40, "shuffle, draw the top card" if names and now.shuffled else line, SMALL)
    if isinstance(ask, Packing):
        if ask.due_ns is not None:
            canvas.status("", f"{common.left(view)} left")
        marks = [f"{view.name(seat)}{'●' if done else '○'}" for seat, done in enumerate(ask.done)]
        canvas.centre(0, WIDTH_PX, 48, " ".join(marks), SMALL)
        canvas.foot("packed? press", "OK: count")  # done is for information: nobody has to say it for a dead button
    else:
        canvas.foot(f"{state.options.loading_timer_s} s to load", "OK: start")


def result(canvas: Canvas, view: View, state: State) -> None:
    """Totals, large; below them what the round cost; the best of the round are marked."""
    now = state.round
    foot = []
    for seat, lost in enumerate(now.losses):
        bonus = "+10" if seat in now.best else ""
        foot.append(f"{-(lost or 0)}{bonus}" if lost or not bonus else bonus)
    cells(canvas, view, [str(total) for total in scores(state)], y=BODY_PX, foot=foot, lit=now.best)
    winner = next((seat for seat in now.best if now.losses[seat] == 0), None)
    canvas.foot("ENDS: somebody is out" if min(scores(state)) <= 0 else "boxes and trucks back", "OK")
    if winner is not None:
        canvas.status("", f"{view.name(winner)} perfect!")
