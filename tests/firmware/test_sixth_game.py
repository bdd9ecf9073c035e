"""A sixth game is one engine file: nothing else knows of it, and the whole kit plays it."""

import json
import os
import subprocess
from functools import reduce
from pathlib import Path
from random import Random

import pytest

from engine import games
from engine import play as plays
from engine.rules import Action
from firmware.output import screens, strip_picture
from firmware.output.strip_picture import Light
from hardware.parts.strip import OFF
from tests.simulators import reading
from tests.simulators.players import random_game
from tests.simulators.random_play import check_end, check_replay, check_undo
from tests.sixth_game import PROGRAM, TESTS, harvest

ROOT = Path(__file__).resolve().parents[2]
ROUND = ((0, 9), (1, 4))  # seat and sheaves


def test_it_is_not_one_of_the_kits_own() -> None:
    assert "harvest" not in games.names()


OF_EACH = ("engine/test_rules.py", "engine/test_random_play.py", "engine/test_new_runs.py", "firmware/test_sheet.py")
OF_ALL = (
    "engine/test_rules.py::test_every_verb_of_every_game_has_words",
    "firmware/test_journal.py::test_every_game_of_a_journal_of_this_format_stands_as_it_stood",
    "test_game_pages.py::test_every_shipped_game_has_a_page",
)


@pytest.mark.slow
@pytest.mark.parametrize("tests", [(*OF_EACH, "-k", "harvest"), OF_ALL], ids=["of each game", "of all games"])
def test_tests_that_go_through_the_games_take_it_as_it_is(tests: tuple[str, ...]) -> None:
    ran = subprocess.run(
        [*TESTS, "-q", "-p", "no:cacheprovider", "-m", "not nightly", *tests],
        cwd=ROOT / "tests",
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stdout


def test_any_program_can_drive_its_rules() -> None:
    takes = [{"seat": seat, "verb": "take", "value": sheaves, "at_ns": 0} for seat, sheaves in ROUND * 3]
    lines = [{"players": ["A", "B"]}, *takes]
    ran = subprocess.run(
        [*PROGRAM, "rules", "harvest"],
        cwd=ROOT,
        input="".join(json.dumps(line) + "\n" for line in lines),
        capture_output=True,
        text=True,
        check=True,
    )
    last = json.loads(ran.stdout.splitlines()[-1])
    assert (last["over"], last["scores"], last["winners"]) == (True, [0, 12], [1])


@pytest.mark.parametrize("seed", range(20))
def test_it_ends_and_is_undone_and_replayed_to_the_letter(seed: int) -> None:
    game = random_game(harvest.RULES, Random(seed).randint(2, 6), harvest.RULES.options(), seed)
    check_end(game)
    check_replay(game)
    check_undo(game)


OPENED = plays.opened(harvest.RULES, plays.start(harvest.RULES, ("P1", "P2"), harvest.RULES.options(), 7))


def test_the_generic_screen_shows_it() -> None:
    read = reading.text(screens.draw(OPENED))
    assert [text for text in ("Harvest", "Sheaves?", "R1/3") if text not in read] == []


def test_the_strip_shows_it() -> None:
    assert set(strip_picture.pixels(Light(OPENED.board), 60)) != {OFF}


def test_at_its_end_the_generic_screen_names_the_winner() -> None:
    play = OPENED
    for seat, sheaves in ROUND * 3:
        play = reduce(plays.fold, plays.answer(play, Action(seat, "take", sheaves)), play)
    assert "P2 WINS" in reading.text(screens.draw(play))
