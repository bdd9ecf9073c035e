"""New runs of the program in the middle of everything: after each answer of a game, whatever has just happened.

Restarts in the same boot, power cuts with a clock that shows more or less afterwards, each also with an undo across it.
What must come of it is worked out from the plays of the old run, and from the kinds of their questions.
"""

import argparse
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import fields, replace
from functools import reduce
from random import Random
from typing import Any, NamedTuple

from msgspec import structs

from engine import games
from engine import play as engine
from engine.game import Corrected, Question, Rules
from engine.games.cat_pageant.rounds import Countdown
from engine.hands import AwaitSignal
from engine.play import Fact, Play, UndoMark
from engine.racing import Running
from engine.rules import TAKE_BACK, Action, Press, Refused
from engine.sheets.races import OpenRace as SheetRace
from engine.sheets.races import Waiting
from engine.stamps import LIMITS, STAMPS, StampKind, moved
from firmware.random_play.strangers import Stranger, answered
from tests.simulators import missed_presses
from tests.simulators.every_game import add_game, rules_of
from tests.simulators.players import Game, named, random_game, random_options
from tests.simulators.random_play import in_the_air

S = 1_000_000_000
MOVES = 12  # so far a game goes on after it
FEWEST = 10  # so often a game is cut at least, as far as it has answers
TIMER_S = 30  # every time limit, and longer than any countdown

Facts = tuple[Fact, ...]
Cells = Counter[tuple[str, str, str, str]]  # game, question, what has just happened, what interrupts


class Run(NamedTuple):
    """A new run of the program."""

    name: str
    boot: str | None  # None: the same one
    after_ns: int | None  # later on the same clock
    at_ns: int = 0  # on another one


RUNS = (
    Run("restart", None, 7 * S),
    Run("power cut, clock ahead", "ahead", None, 10**15),
    Run("power cut, clock behind", "behind", None, 5 * S),
)


# --- what happens in the middle of a step ----------------------------------------------------------------------------


def fixed(play: Play, now_ns: int) -> Facts:
    return engine.fix(play, len(play.players) - 1, 3, now_ns)


def ended(play: Play, now_ns: int) -> Facts:
    return engine.end(play, now_ns)


def taken_back(play: Play, now_ns: int) -> Facts:
    """A press is taken back, or a grab void."""
    seat = next((offer.seat for offer in play.offers if offer.verb == TAKE_BACK), None)
    return () if seat is None else engine.answer(play, Action(seat, TAKE_BACK, None, now_ns))


def undone(play: Play, now_ns: int) -> Facts:
    return engine.undo(play, now_ns)


def undone_and_back(play: Play, now_ns: int) -> Facts:
    back = engine.undo(play, now_ns)
    return (*back, *engine.redo(reduce(engine.fold, back, play), now_ns))


def reseated(play: Play, now_ns: int) -> Facts:
    return engine.reseat(play, (play.buttons or play.players)[::-1], now_ns)


def phoned(play: Play, now_ns: int) -> Facts:
    """One of several numbers, as a phone sends it."""
    offers = [offer for offer in play.offers if offer.seat is not None and offer.low is not None]
    return () if not offers else engine.answer(play, Action(offers[-1].seat, offers[-1].verb, offers[-1].low, now_ns))


def pressed_late(play: Play, now_ns: int) -> Facts:
    """A press that is delivered after the verdict."""
    run = play.board.race
    if run is None or not run.judged:
        return ()
    return engine.late(play, Press(run.seats[-1], max(press.at_ns for press in run.presses), 100_000), now_ns)


HAPPENINGS: dict[str, Callable[[Play, int], Facts]] = {
    "nothing": lambda play, now_ns: (),
    "points fixed": fixed,
    "ended by hand": ended,
    "taken back": taken_back,
    "undone": undone,
    "undone, brought back": undone_and_back,
    "people put right": reseated,
    "a number of a phone": phoned,
    "a late press": pressed_late,
}


# --- what must come of it --------------------------------------------------------------------------------------------


def ask(play: Play) -> Question[Any]:
    """The question that stands."""
    question: Question[Any] = play.state.ask.standing(play.state)
    return question


def begins_again(play: Play) -> bool:
    """Whether what is asked is in the air: a countdown, or a race that has begun, whose presses were missed."""
    if play.ended:
        return False
    if isinstance(run := ask(play), SheetRace):
        return bool(run.race.presses) or run.race.go_ns is not None
    return isinstance(run, Running | AwaitSignal | Countdown | Waiting)


def freed(state: Any) -> Any:
    """The state in which a button that had failed works again in a race that has not begun."""
    run = state.ask
    if not isinstance(run, SheetRace) or run.race.presses or run.race.go_ns is not None:
        return state
    return state.asking(structs.replace(run, race=structs.replace(run.race, benched=())))


def all_freed(play: Play) -> Play:
    """The same for all states to which undo leads."""
    marks, mark, past = list[UndoMark](), play.past, None
    while mark is not None:
        marks.append(mark)
        mark = mark.rest
    for mark in reversed(marks):
        past = mark._replace(state=freed(mark.state), rest=past)
    return replace(play, state=freed(play.state), past=past)


def base(play: Play, *, whole: bool = False) -> Play:
    """The play that must come again, with the points fixed since. `whole`: undo never stops in the middle of a step."""
    at, since, mark = play, list[Corrected](), play.past
    while begins_again(at) or (whole and at is not play and in_the_air(at)):
        assert mark is not None
        if isinstance(mark.event, Corrected):
            since.insert(0, mark.event)
        at = replace(at, state=mark.state, ended=mark.ended, step=at.step - 1)
        mark = mark.rest
    return replace(
        at, state=reduce(lambda state, fix: fix.fold(state), since, freed(at.state)), step=at.step + len(since)
    )


def level(play: Play, now_ns: int, kind: StampKind = STAMPS) -> object:
    """The state of a play with its stamps as if it were now 0."""
    return moved(play.state, -now_ns, kind), play.ended, play.buttons


def check_run(play: Play, run: Run, dice: Random) -> None:
    """A new run at this play."""
    now_ns = play.heard_ns
    at_ns = run.at_ns if run.after_ns is None else now_ns + run.after_ns
    facts = engine.resume(play, run.boot or play.boot, at_ns)
    again = reduce(engine.fold, facts, play)
    wanted = base(play)
    kind = STAMPS if run.boot else LIMITS
    assert again.scores == play.scores, "points are gone"
    assert level(again, at_ns, kind) == level(wanted, now_ns, kind), "another question"
    assert again.step == wanted.step, "steps"
    dues = [offer.due_ns - at_ns for offer in again.offers if offer.due_ns is not None]
    assert all(0 <= due <= TIMER_S * S for due in dues), f"a time limit is off: {dues}"
    check_undo(play, again, run, now_ns, at_ns)
    check_goes_on(again, at_ns, dice)


def check_undo(play: Play, again: Play, run: Run, now_ns: int, at_ns: int) -> None:
    """Undo across the new run takes back one step, as it would have done before."""
    if begins_again(play):
        return  # it stands elsewhere: where it stands it was looked at as well
    try:
        play = all_freed(play)
        before = reduce(engine.fold, engine.undo(play, now_ns), play)
    except Refused:
        return
    after = reduce(engine.fold, engine.undo(again, at_ns), again)
    before = base(before, whole=True)  # never into a race of the old run
    kind = STAMPS if run.boot else LIMITS
    assert after.scores == before.scores, "undo across it: points"
    assert level(after, at_ns, kind) == level(before, now_ns, kind), "undo across it"
    assert after.step == before.step, "undo across it: steps"


def check_goes_on(play: Play, now_ns: int, dice: Random) -> None:
    """The game goes on: answers are taken, and presses count at the time of the new clock."""
    stranger, floor_ns = Stranger(play.rules, dice, lean=4), now_ns
    for _ in range(MOVES):
        if play.over:
            return
        action = stranger.pick(play.offers, now_ns, floor_ns)
        assert action.at_ns >= floor_ns, "the clock runs backwards"
        action, facts = answered(play, action)
        now_ns = max(now_ns, action.at_ns)
        if action.seat is None:
            floor_ns = now_ns
        play = reduce(engine.fold, facts, play)


def checked_runs(game: Game, seed: int, every: int = 1) -> Cells:
    """Every new run wherever a game can be cut, whatever has just happened: the facts of one answer are saved together.

    `every`: only after one in so many answers, more often in a short game.
    """
    rules, cells = game.play.rules, Cells()
    every = min(every, 1 + len(game.moves) // FEWEST)
    play = engine.opened(rules, game.facts[0], "old")
    for n, told in enumerate([(), *(move.facts for move in game.moves)]):
        play = reduce(engine.fold, told, play)
        if (n + seed) % every:
            continue
        for happening, facts_of in HAPPENINGS.items():
            try:
                facts = facts_of(play, play.heard_ns)
            except Refused:
                continue
            if not facts and happening != "nothing":
                continue
            then = reduce(engine.fold, facts, play)
            for run in RUNS:
                cell = (rules.name, type(ask(then)).__name__, happening, run.name)
                try:
                    check_run(then, run, Random(f"{seed} {n} {cell}"))
                except Exception as failure:
                    failure.add_note(f"{rules.name}, seed {seed}, move {n}: {cell}")
                    raise
                cells[cell] += 1
    return cells


def timed(rules: Rules[Any, Any], dice: Random, *, programs: bool = True) -> Any:
    """Options with every timer on. `programs`: also those that no menu offers."""
    options = random_options(rules, dice, programs=programs)
    timers = {option.name: TIMER_S for option in fields(options) if option.name.endswith("_s")}
    return replace(options, **timers)


def checked_game(name: str, seed: int, every: int = 1) -> Cells:
    """The same in a random game against the clock. Fails with the game, the seed and the options."""
    rules, dice = rules_of(name), Random(seed)
    options, players = timed(rules, dice), dice.randint(*rules.seats)
    with named(rules, seed, players, options):
        return checked_runs(random_game(rules, players, options, seed), seed, every)


def main(arguments: Sequence[str] | None = None) -> None:
    """Start the program again in many games, and print a table of them."""
    parser = argparse.ArgumentParser(
        prog="scripts/random restarts",
        description="Start the program again after every answer of random games, and where nobody hears a press.",
    )
    parser.add_argument("--games", type=int, default=20, metavar="N", help="number of games of each kind (default 20)")
    add_game(parser)
    parser.add_argument(
        "--unheard", type=int, default=5, metavar="N", help="of each kind with presses that nobody hears (default 5)"
    )
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="seed of the first game (default 0)")
    asked = parser.parse_args(arguments)
    print(f"{'game':<22}{'games':>8}{'cells':>8}{'restarts':>10}")
    for name in games.names() if asked.game is None else (asked.game,):
        cells = Cells()
        for seed in range(asked.seed, asked.seed + asked.games):
            cells.update(checked_game(name, seed))
        print(f"{name:<22}{asked.games:>8}{len(cells):>8}{cells.total():>10}", flush=True)
    seeds = range(asked.seed, asked.seed + asked.unheard)
    missed_presses.played(missed_presses.names() if asked.game is None else (asked.game,), seeds)


if __name__ == "__main__":
    main()
