"""What a press or a message costs late in a long game, beside early in it: counted in calls and bytes, not in time."""

import gc
import tracemalloc
from collections.abc import Callable, Iterator
from contextlib import suppress
from cProfile import Profile
from functools import _lru_cache_wrapper, partial, reduce
from itertools import islice
from pathlib import Path
from random import Random

import pytest

from engine import games
from engine import play as plays
from engine.play import Play
from engine.rules import Action, Refused
from tests.simulators.every_game import TEN
from tests.simulators.long_games import LEFT, Lasting, LongTable, long
from tests.simulators.rig import MS

EARLY, LATE = 10, 200  # rounds
ANSWERS, STEPS = 24, 8
MOST, SOME = 2, 200  # times as many calls at most; calls that are nothing
PRESS_BYTES = 1000
KEPT = 200  # answers
# what keeps the game; threads that other tests have left keep things, too
ENGINE = tracemalloc.Filter(inclusive=True, filename_pattern=f"{Path(plays.__file__).parent}/*")
GAMES = [*games.names(), *TEN.values()]


def calls(do: Callable[[], object]) -> int:
    """How many functions something calls, those of C included."""
    counted = Profile(subcalls=False)
    gc.disable()  # what others have left is not what this costs
    counted.enable()
    try:
        do()
    finally:
        counted.disable()
        gc.enable()
    return sum(one.callcount for one in counted.getstats())


def costs(table: LongTable) -> Iterator[tuple[str, int]]:
    """What people do, and what phones say: each with the calls of the kit."""
    for kind, do in (("undo", table.undo), ("redo", table.redo)):
        found = list[int]()
        with suppress(Refused):  # there are no more; a race that was under way is not kept
            for _ in range(STEPS):
                found.append(calls(do))
        yield kind, sum(found) // max(1, len(found))
    answered, told = dict[str, int](), dict[str, int]()
    for verb, answer in islice(table.answers(), ANSWERS):
        table.told_bytes = 0
        answered[verb] = max(calls(answer), answered.get(verb, 0))
        told[verb] = max(table.told_bytes, told.get(verb, 0))
    for verb, most in answered.items():
        yield verb, most
        yield f"bytes told after {verb}", told[verb]
    table.rig.after(20_000)
    table.rig.app.table.close_all()
    for kind, refused in table.stale().items():
        yield kind, calls(refused)
    for kind, (phone, message) in table.messages().items():
        yield kind, calls(partial(table.say, phone, message))


@pytest.mark.parametrize("name", GAMES)
def test_nothing_costs_more_than_twice_as_much_late_in_a_game_also_after_a_restart(name: str, tmp_path: Path) -> None:
    early = dict(costs(LongTable(tmp_path / "early", long(name, EARLY))))
    for again in (False, True):
        late = dict(costs(LongTable(tmp_path / f"late, {again}", long(name, LATE), again=again)))
        both = early.keys() & late.keys()
        assert both >= {"undo", "redo", "undo, refused", "fix", "end", "round", "amend, wrong"}
        assert {kind: (early[kind], late[kind]) for kind in both if late[kind] > MOST * early[kind] + SOME} == {}


def presses(play: Play, action: Action) -> int:
    """How often people press for an answer at least: for a number of several it is picked before, and OK comes last."""
    offer = next(offer for offer in play.offers if (offer.seat, offer.verb) == (action.seat, action.verb))
    if offer.low is None:
        return 1
    several = sum(one.alone and one.seat == offer.seat for one in play.offers) > 1
    ok = offer.alone or not offer.joins
    return 1 + several + ok


@pytest.mark.parametrize("name", GAMES)
def test_a_press_keeps_no_more_than_a_kilobyte_for_undo(name: str) -> None:
    game = long(name, LATE)
    for cached in [one for one in gc.get_objects() if isinstance(one, _lru_cache_wrapper)]:
        if cached.__module__.startswith("engine."):  # full of what other tests have left, it would grow with each press
            cached.cache_clear()
    player, play, now_ns, pressed = Lasting(game.rules, Random(1)), game.play, game.now_ns, 0
    found = list[float]()  # by so many answers: bytes a press
    for many in (LEFT // 2, KEPT, KEPT):  # the first of them fill caches
        gc.collect()
        tracemalloc.start()
        pressed = 0
        for _ in range(many):
            action = player.pick(play.offers, now_ns, now_ns)
            pressed += presses(play, action)
            now_ns = max(now_ns, action.at_ns) + MS
            facts = plays.answer(play, action)
            player.heard(play, action.verb, action.value, facts)
            play = reduce(plays.fold, facts, play)
            if play.over:
                break
        gc.collect()
        kept = tracemalloc.take_snapshot().filter_traces([ENGINE])
        tracemalloc.stop()
        found.append(sum(trace.size for trace in kept.traces) / max(1, pressed))
        if play.over:
            break
    assert min(found[1:]) <= PRESS_BYTES
