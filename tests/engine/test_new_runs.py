"""A new run of the program takes back no more than what was in the air. scripts/random restarts tries many more."""

from typing import Any

import pytest

from engine import games
from engine import play as engine
from engine.play import Fact, Play, Resumed, Undone
from tests.engine.plain import SHIPPED
from tests.simulators.new_runs import HAPPENINGS, RUNS, checked_game

EVERY = 9  # so many answers apart
NOT_EVERYWHERE = {"taken back", "a late press", "a number of a phone"}


@pytest.mark.parametrize("name", games.names())
def test_a_new_run_in_the_middle_of_anything_takes_nothing_back(name: str) -> None:
    cells = checked_game(name, 1, EVERY)
    seen = {(happening, run) for _, _, happening, run in cells}
    assert seen >= {(happening, run.name) for happening in set(HAPPENINGS) - NOT_EVERYWHERE for run in RUNS}


def resumed_as_before(play: Play, boot: str, at_ns: int = 0) -> tuple[Fact, ...]:
    return (Fact(play.step, at_ns, Resumed(boot)),)


@pytest.mark.parametrize("name", SHIPPED)
def test_a_run_that_takes_back_all_that_has_a_clock_is_found(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine, "resume", resumed_as_before)
    with pytest.raises(AssertionError):
        checked_game(name, 1, EVERY)


def test_an_undo_that_takes_points_along_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    fold: Any = engine.fold

    def folded(play: Play, fact: Fact) -> Play:
        after: Play = fold(play, fact._replace(event=Undone()) if isinstance(fact.event, Undone) else fact)
        return after

    monkeypatch.setattr(engine, "fold", folded)
    with pytest.raises(AssertionError):
        checked_game("kitty_paw", 0)
