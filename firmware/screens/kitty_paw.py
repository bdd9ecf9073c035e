"""What is special about Kitty Paw's pictures: the stacked palms, the flash, the Meow, the pips of scored cards."""

from PIL import Image

from engine import race
from engine.games.kitty_paw import (
    GOAL,
    LEVELS,
    Armed,
    Build,
    Check,
    CleanUp,
    Hands,
    Points,
    Round,
    State,
    WhoCalled,
    WhoLast,
    level,
    may_be_last,
    pile,
    rounds,
    to_remove,
    turned_up,
)
from firmware.screens import common
from firmware.screens.canvas import FOOT_PX, WIDTH_PX, Canvas, Text
from firmware.screens.common import View, gap, seconds
from firmware.screens.font import PLAIN

USUAL = {1: "5 to 7", 2: "4 to 7", 3: "6 or 7", None: "4 to 7"}  # points on a card, by its level
FLASH_NS = 600_000_000  # how long the flash stands
VERDICT_NS = 2_000_000_000  # how long the last stands large, before the pattern is asked for


def draw(view: View) -> Image.Image | None:
    """The picture of the question, or None where the generic one serves."""
    state: State = view.play.state
    if state.over or view.play.ended:
        return None
    canvas = Canvas()
    canvas.status(status(state))
    ask = state.ask
    match ask:
        case Hands():
            hands(canvas, view, state.round, ask)
        case Armed():
            canvas.headline("READY...")
            canvas.foot("wait for the flash")
        case Build() if not ask.race.presses:
            build(canvas, view, ask)
        case Build():
            answers(canvas, view, ask)
        case WhoCalled() | WhoLast():
            dispute(canvas, view, ask)
        case Check():
            verdict(canvas, view, state)
        case Points():
            assert state.round.caller is not None
            canvas.status("", f"{view.name(state.round.caller)}: usually {USUAL[level(state)]}")
            common.amount(canvas, view)
        case CleanUp():
            clean_up(canvas, view, state)
    return canvas.picture()


def status(state: State) -> Text:
    """Round, level, penalty, pile."""
    now, known = state.round, level(state)
    if now.extra:
        return "EXTRA ROUND", "EXTRA"
    if known is None:
        return f"ROUND {now.number}/{rounds(state.options)}", f"R{now.number}"
    level_ = "" if known == len(LEVELS) else " LEVEL"  # there is room for two strokes, not for three
    return f"R{now.number}{level_} {LEVELS[known - 1]} -{known}", f"R{now.number}"


def hands(canvas: Canvas, view: View, now: Round, ask: Hands) -> None:
    """Who has a hand on the button; all are needed."""
    state: State = view.play.state
    canvas.status("", f"pile {pile(state)}" if not now.extra else view.names(now.seats))
    canvas.headline("HANDS ON", height=26)
    down = [n for n, seat in enumerate(now.seats) if ask.down[seat]]
    common.buttons(canvas, [view.name(seat) for seat in now.seats], down, 36)
    if view.answered_for is not None:
        canvas.foot("hold yours", f"OK: for {view.name(view.answered_for)}")
    elif ask.jumped is not None:
        canvas.foot(f"{view.name(ask.jumped)} too early: again")
    elif now.extra and not any(ask.down):
        canvas.foot("shuffle in all used cards" if now.shuffled else f"removed cards: {turned_up(state)} up")  # R21, A6
    elif now.number == 1 and not any(ask.down):
        canvas.foot(f"{7 * len(now.seats)} tiles, 4 cards up")  # R1, R5
    else:
        canvas.foot("all hold your button")


def build(canvas: Canvas, view: View, ask: Build) -> None:
    """The flash, then the stopwatch."""
    run_ns = view.now_ns - ask.go_ns
    if run_ns < FLASH_NS:
        canvas.headline("MEOW GO!")
        canvas.invert()
        return
    canvas.headline(seconds(run_ns))
    ask_ok = (f"OK: {view.names(ask.race.benched)}", "OK: others")
    canvas.foot("done? press", ask_ok if view.question.ok else "hold OK:back")


def answers(canvas: Canvas, view: View, ask: Build) -> None:
    """Who called, who has answered, who is still out."""
    presses = race.order(ask.race)
    canvas.status("", seconds(presses[0].at_ns - ask.go_ns))
    caller = ask.caller
    canvas.headline("MEOW!" if caller is None else f"{view.name(caller)} MEOW!", height=30)
    if ask.called:  # before that it may still turn out that somebody else was first
        rest = [f"{view.name(p.seat)} {gap(p.at_ns - presses[0].at_ns)}" for p in presses if p.seat != caller]
        canvas.centre(0, WIDTH_PX, FOOT_PX - 13, ("  ".join(rest[:2]), " ".join(rest[-1:])), PLAIN)
    out = race.missing(ask.race)
    ok = ("OK: no more", "OK: end") if view.question.ok else ""
    canvas.foot((f"{view.names(out)}: press!", f"{len(out)}: press!") if out else "", ok)


def dispute(canvas: Canvas, view: View, ask: WhoCalled | WhoLast) -> None:
    """The table rules; why is said in the status row."""
    seats = ask.tied if isinstance(ask, WhoCalled) else may_be_last(view.play.state)
    run = view.play.state.round.run
    assert run is not None
    by_hand = view.play.options.last_by_hand and isinstance(ask, WhoLast)
    if not by_hand:
        canvas.status("", common.doubt(view, run.race, seats))
    common.choose(canvas, view)


def verdict(canvas: Canvas, view: View, state: State) -> None:
    """The last and what it costs, while the pattern is checked."""
    now, known = state.round, level(state)
    assert now.caller is not None
    cost = "" if known is None else f" -{known}"
    canvas.status(
        f"{view.name(now.caller)} MEOW",
        (f"LAST {view.names(now.last)}{cost}", f"{len(now.last)} LAST{cost}") if now.last else "nobody last",
    )
    settled_ns = None if now.run is None else race.last_due_ns(now.run.race, race.widened(state.options.tie_band))
    if now.last and settled_ns is not None and 0 <= view.now_ns - settled_ns < VERDICT_NS:
        canvas.headline((f"{view.names(now.last)} LAST", f"{len(now.last)} LAST"))
        canvas.foot(f"{view.title} {'turn, OK' if view.knob else '▲ yes ▼ no'}")
    else:
        common.yes_or_no(canvas, view, view.title)


def clean_up(canvas: Canvas, view: View, state: State) -> None:
    """Totals, pips of scored cards, and what leaves the game."""
    now = state.round
    if now.owed:
        canvas.status("", f"{view.name(now.owed[0])} penalty")
        common.amount(canvas, view)
        return
    pips = ["●" * min(len(cards), GOAL) + "○" * (GOAL - len(cards)) for cards in state.cards]
    common.scores(canvas, view, foot=pips)
    if now.extra:
        canvas.foot(f"cards out: {turned_up(state) - now.kept}", "OK: next")
    else:
        canvas.foot(f"remove {to_remove(state)} cards", "OK: next")
