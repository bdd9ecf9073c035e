"""While no program runs time stands still: whatever clock runs, a new run charges nobody for the time between."""

from collections.abc import Callable, Iterator
from dataclasses import fields
from functools import reduce
from random import Random
from typing import Any

import pytest

from engine import games
from engine import play as plays
from engine.game import Rules
from engine.play import Play
from engine.rules import TIME_UP, Refused
from engine.sheets.reading import read
from engine.sheets.rules import rules as sheet_rules
from engine.sheets.state import SheetState, remaining_ns, whose_turn
from firmware.random_play.strangers import Stranger, answered
from tests.engine.sheets.shelf import sheet
from tests.simulators.every_game import rules_of
from tests.simulators.new_runs import TIMER_S

MS = 1_000_000
S = 1_000 * MS
CHARGED_NS = 20 * MS  # nobody notices
ANSWERS = 120
ASK = 'ask = [{ id = "a", high = 9 }]'
TURNS = 'ask = [{ id = "a", high = 9, per = "turn" }]'
CLOCKS: dict[str, Rules[Any, Any]] = {
    name: sheet_rules("sheet:clock", read(sheet("[2, 4]", more, *asks)))
    for name, more, asks in (
        ("chess, turns alone", 'clock = { kind = "chess", minutes = 3, plus = 5 }', ('points = "0"',)),
        ("chess, turns that are asked", 'clock = { kind = "chess", minutes = 3 }', (TURNS,)),
        ("chess, rounds", 'clock = { kind = "chess", minutes = 3 }', (ASK,)),
        ("a turn's, turns alone", 'clock = { kind = "turn", seconds = 60 }', ('points = "0"',)),
        ("a turn's, turns that are asked", 'clock = { kind = "turn", seconds = 60 }', (TURNS,)),
        ("sand, turns alone", 'clock = { kind = "sand", minutes = 2 }', ('points = "0"',)),
        ("sand, rounds", 'clock = { kind = "sand", minutes = 2 }', (ASK,)),
    )
}
GAMES = [name for name in games.names() if any(option.name.endswith("_s") for option in fields(rules_of(name).options))]
RUNS = {  # a new run: its boot, and what its clock shows 10 s later
    "the same boot": ("boot-1", lambda heard_ns: heard_ns + 10 * S),
    "a clock that shows less": ("boot-2", lambda heard_ns: 5 * S),
    "a clock that shows more": ("boot-2", lambda heard_ns: heard_ns + 10**6 * S),
}


def left_ns(play: Play, at_ns: int) -> dict[object, int]:
    """By seat, or by what is asked, the time that is left."""
    state = play.state
    if not isinstance(state, SheetState):
        due = [offer for offer in play.offers if offer.verb == TIME_UP]
        found: dict[object, int] = {(one.seat, one.verb): (one.due_ns or 0) - at_ns for one in due}
        since_ns = getattr(state.ask, "since_ns", None)  # of Kitty Paw's round, where the table has to say who called
        return found if since_ns is None else {**found, "the round": since_ns - at_ns}
    if state.since_ns is None or play.over:
        return {}
    whose, ran_ns = whose_turn(state), at_ns - state.since_ns
    alone = state.game.sheet.clock is not None and state.game.sheet.clock.kind == "sand"
    seats = (None,) if alone else state.seats
    return {seat: remaining_ns(state, seat) - (ran_ns if alone or seat == whose else 0) for seat in seats}


def charged_ns(before: dict[object, int], after: dict[object, int]) -> int:
    """The most that anybody has lost."""
    return max([before[one] - after[one] for one in before.keys() & after.keys()], default=0)


def after(play: Play, facts: tuple[plays.Fact, ...]) -> Play:
    return reduce(plays.fold, facts, play)


def undone(play: Play, at_ns: int) -> Play | None:
    try:
        return after(play, plays.undo(play, at_ns))
    except Refused:
        return None


def played(rules: Rules[Any, Any], options: object, seed: int) -> Iterator[Play]:
    """Every play of a random game in which people take their time; each ends with the latest fact."""
    dice = Random(seed)
    stranger = Stranger(rules, dice, lean=4)
    first = plays.start(rules, ("P1", "P2")[: rules.seats[1]], options, seed, 100 * S)
    play, now_ns = plays.opened(rules, first, "boot-1"), 100 * S
    for _ in range(ANSWERS):
        yield play
        if play.over:
            return
        thought_ns = dice.randint(0, 4 * S)
        if (due_ns := play.due_ns) is not None:
            thought_ns = min(thought_ns, max(0, due_ns - now_ns - 1))
        action, facts = answered(play, stranger.pick(play.offers, now_ns + thought_ns, now_ns))
        now_ns = max(now_ns, action.at_ns)
        stranger.heard(play, action.verb, action.value, facts)
        play = after(play, facts)


def checked(rules: Rules[Any, Any], options: object, boot: str, at: Callable[[int], int]) -> int:
    """A new run after every answer, undo across it, and one more new run. Returns how often a clock ran."""
    clocks = 0
    for seed in range(8):
        for play in played(rules, options, seed):
            heard_ns = play.heard_ns
            at_ns = at(heard_ns)
            again = after(play, plays.resume(play, boot, at_ns))
            before = left_ns(play, heard_ns)
            clocks += bool(before)
            assert charged_ns(before, left_ns(again, at_ns)) <= CHARGED_NS
            later_ns = at_ns + 7 * S
            twice = after(again, plays.resume(again, boot, later_ns))
            assert charged_ns(left_ns(again, at_ns), left_ns(twice, later_ns)) <= CHARGED_NS
            back, back_again = undone(play, heard_ns), undone(twice, later_ns)
            if back is not None and back_again is not None and back.step == back_again.step:
                assert charged_ns(left_ns(back, heard_ns), left_ns(back_again, later_ns)) <= CHARGED_NS
    return clocks


@pytest.mark.parametrize("run", RUNS)
@pytest.mark.parametrize("clock", CLOCKS)
def test_a_clock_of_a_sheet_charges_nobody_for_the_time_between_two_runs(clock: str, run: str) -> None:
    rules = CLOCKS[clock]
    assert checked(rules, rules.options(), *RUNS[run]) > ANSWERS


@pytest.mark.parametrize("run", RUNS)
@pytest.mark.parametrize("name", GAMES)
def test_a_time_limit_of_a_game_is_as_long_as_it_was(name: str, run: str) -> None:
    rules = rules_of(name)
    timers = {option.name: TIMER_S for option in fields(rules.options) if option.name.endswith("_s")}
    assert checked(rules, rules.options(**timers), *RUNS[run])


def test_time_that_a_new_run_charges_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plays, "moved", lambda state, by_ns, kind=None: state)
    rules = CLOCKS["chess, turns alone"]
    with pytest.raises(AssertionError):
        checked(rules, rules.options(), *RUNS["the same boot"])
