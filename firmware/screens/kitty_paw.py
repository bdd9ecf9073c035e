"""Kitty Paw's own pictures: the stacked palms, the flash, the Meow, the pips of scored cards."""

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
from engine.words import N_
from firmware.screens import common
from firmware.screens.canvas import FOOT_PX, WIDTH_PX, Canvas, Text
from firmware.screens.common import View, gap, seconds
from firmware.screens.font import PLAIN
from firmware.words import _, translated

USUAL = {1: N_("5 to 7"), 2: N_("4 to 7"), 3: N_("6 or 7"), None: N_("4 to 7")}  # points on a card, by its level
FLASH_NS = 600_000_000  # how long the flash stands
VERDICT_NS = 2_000_000_000  # how long the last is shown large, before the pattern is asked for


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
            canvas.headline(_("READY..."))
            canvas.foot(_("wait for the flash"))
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
            usual = translated(USUAL[level(state)])
            hint = view.named(lambda who: _("{name}: usually {points}", name=who, points=usual), state.round.caller)
            canvas.status("", hint)
            common.amount(canvas, view)
        case CleanUp():
            clean_up(canvas, view, state)
    return canvas.picture()


def status(state: State) -> Text:
    """Round, level, penalty, pile."""
    now, known = state.round, level(state)
    if now.extra:
        return _("EXTRA ROUND"), _("EXTRA")
    short = _("R{number}", number=now.number)
    if known is None:
        return _("ROUND {number}/{rounds}", number=now.number, rounds=rounds(state.options)), short
    strokes, number = LEVELS[known - 1], now.number
    if known == len(LEVELS):  # there is room for two strokes, not for three
        return _("R{number} {level} -{points}", number=number, level=strokes, points=known), short
    return _("R{number} LEVEL {level} -{points}", number=number, level=strokes, points=known), short


def hands(canvas: Canvas, view: View, now: Round, ask: Hands) -> None:
    """The seats with a hand on the button; all are needed."""
    state: State = view.play.state
    canvas.status("", _("pile {n}", n=pile(state)) if not now.extra else view.named(str, *now.seats))
    canvas.headline(_("HANDS ON"), height=24)
    down = [n for n, seat in enumerate(now.seats) if ask.down[seat]]
    labels, called = ([names[seat] for seat in now.seats] for names in (view.play.players, view.called))
    common.buttons(canvas, labels, down, 33, below=called)
    if view.answered_for is not None:
        canvas.foot(_("hold yours"), view.named(lambda who: _("OK: for {name}", name=who), view.answered_for))
    elif ask.jumped is not None:
        canvas.foot(view.named(lambda who: _("{name} too early: again", name=who), ask.jumped))
    elif now.extra and not any(ask.down):
        canvas.foot(
            _("shuffle in all used cards") if now.shuffled else _("removed cards: {n} up", n=turned_up(state))
        )  # R21, A6
    elif now.number == 1 and not any(ask.down):
        canvas.foot(_("{n} tiles, 4 cards up", n=7 * len(now.seats)))  # R1, R5
    else:
        canvas.foot(_("all hold your button"))


def build(canvas: Canvas, view: View, ask: Build) -> None:
    """The flash, then the stopwatch."""
    run_ns = view.now_ns - ask.go_ns
    if run_ns < FLASH_NS:
        canvas.headline(_("MEOW GO!"))
        canvas.invert()
        return
    canvas.headline(seconds(run_ns))
    ask_ok = (*view.named(lambda names: _("OK: {names}", names=names), *ask.race.benched), _("OK: others"))
    canvas.foot(_("done? press"), ask_ok if view.question.ok else _("hold OK:back"))


def answers(canvas: Canvas, view: View, ask: Build) -> None:
    """The caller, the answers so far, the seats still out."""
    presses = race.order(ask.race)
    canvas.status("", seconds(presses[0].at_ns - ask.go_ns))
    caller = ask.caller
    canvas.headline(
        _("MEOW!") if caller is None else view.named(lambda who: _("{name} MEOW!", name=who), caller), height=30
    )
    if ask.called:  # until then another may still turn out to be the first
        later = [(p.seat, gap(p.at_ns - presses[0].at_ns)) for p in presses if p.seat != caller]
        rests = [
            [f"{names[seat]} {apart}" for seat, apart in later]
            for names in dict.fromkeys((view.called, view.play.players))
        ]
        lines = (*("  ".join(rest[:2]) for rest in rests), *(" ".join(rest[-1:]) for rest in rests))
        canvas.centre(0, WIDTH_PX, FOOT_PX - 13, lines, PLAIN)
    out = race.missing(ask.race)
    ok = (_("OK: no more"), _("OK: end")) if view.question.ok else ""
    who = view.named(lambda names: _("{names}: press!", names=names), *out)
    canvas.foot((*who, _("{n}: press!", n=len(out))) if out else "", ok)


def dispute(canvas: Canvas, view: View, ask: WhoCalled | WhoLast) -> None:
    """The table rules; the status row has the reason."""
    seats = ask.tied if isinstance(ask, WhoCalled) else may_be_last(view.play.state)
    run = view.play.state.round.run
    assert run is not None
    by_hand = view.play.options.last_by_hand and isinstance(ask, WhoLast)
    if not by_hand:
        canvas.status("", common.doubt(view, run.race, seats))
    common.choose(canvas, view)


def verdict(canvas: Canvas, view: View, state: State) -> None:
    """The last and the penalty, while the pattern is checked."""
    now, known = state.round, level(state)
    assert now.caller is not None
    cost = "" if known is None else f" -{known}"
    canvas.status(
        view.named(lambda who: _("{name} MEOW", name=who), now.caller),
        (
            *view.named(lambda names: _("LAST {names}{cost}", names=names, cost=cost), *now.last),
            _("{n} LAST{cost}", n=len(now.last), cost=cost),
        )
        if now.last
        else _("nobody last"),
    )
    settled_ns = None if now.run is None else race.last_due_ns(now.run.race, race.widened(state.options.tie_band))
    if now.last and settled_ns is not None and 0 <= view.now_ns - settled_ns < VERDICT_NS:
        who = view.named(lambda names: _("{names} LAST", names=names), *now.last)
        canvas.headline((*who, _("{n} LAST", n=len(now.last))))
        keys = _("turn, OK") if view.knob else _("▲ yes ▼ no")
        canvas.foot(f"{view.title} {keys}")
    else:
        common.yes_or_no(canvas, view, view.title)


def clean_up(canvas: Canvas, view: View, state: State) -> None:
    """Totals, pips of scored cards, and the cards that leave the game."""
    now = state.round
    if now.owed:
        canvas.status("", view.named(lambda who: _("{name} penalty", name=who), now.owed[0]))
        common.amount(canvas, view)
        return
    pips = ["●" * min(len(cards), GOAL) + "○" * (GOAL - len(cards)) for cards in state.cards]
    common.scores(canvas, view, foot=pips)
    if now.extra:
        canvas.foot(_("cards out: {n}", n=turned_up(state) - now.cards_taken), _("OK: next"))
    else:
        canvas.foot(_("remove {n} cards", n=to_remove(state)), _("OK: next"))
