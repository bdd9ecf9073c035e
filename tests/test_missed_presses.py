"""People press while nobody listens, and nobody is named who was not. scripts/random restarts plays many more games."""

from pathlib import Path

import pytest

from engine import play as engine
from engine.play import Fact, Play, Resumed
from firmware.table import app
from firmware.table.past_games import Unfinished
from firmware.table.playing import resume
from firmware.table.table import Table
from tests.simulators.missed_presses import checked_game, cuts, names

ACTS = 40
SEEDS = {"kitty_paw": 4, "pack_and_stack": 17, "sheet:spoons": 2, "sheet:quiz_buzzer": 3}  # with verdicts and races cut


@pytest.mark.parametrize(("name", "seed"), SEEDS.items())
def test_nobody_is_named_first_or_last_who_was_not(tmp_path: Path, name: str, seed: int) -> None:
    found = checked_game(tmp_path, name, seed, ACTS)
    assert cuts(found, "race") and found["unheard"] and found["first"] + found["last"]


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in names() if name not in SEEDS])
def test_nor_in_any_other_game(tmp_path: Path, name: str) -> None:
    checked_game(tmp_path, name, 1, ACTS)


def test_a_race_that_runs_on_in_the_same_boot_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def resumed_as_before(play: Play, boot: str, at_ns: int = 0) -> tuple[Fact, ...]:
        return (Fact(play.step, at_ns, Resumed(boot, play.heard_ns)),)

    monkeypatch.setattr(engine, "resume", resumed_as_before)
    with pytest.raises(AssertionError, match="is the last, but"):
        checked_game(tmp_path, "sheet:spoons", 1)


def test_a_race_that_is_open_before_anybody_knows_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def at_once(table: Table, unfinished: Unfinished, *, by_itself: bool = False) -> None:
        resume(table, unfinished)

    monkeypatch.setattr(app, "resume", at_once)
    with pytest.raises(AssertionError, match="is the first, but"):
        checked_game(tmp_path, "sheet:jungle_speed", 1)
