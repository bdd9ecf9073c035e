"""Every shipped sheet is played on a whole kit, by presses and by phones, with undo, a restart and a power cut."""

from pathlib import Path

import pytest

from tests.simulators.every_game import names, rules_of
from tests.simulators.sheet_evenings import evening

SHEETS = [name for name in names() if name.startswith("sheet:")]
ANSWERS, MANY = 40, 250
SEATS = 6  # of the largest kit

pytestmark = pytest.mark.slow


def players(name: str, *, few: bool) -> int:
    fewest, most = rules_of(name).seats
    return fewest if few else min(max(4, fewest), most)


@pytest.mark.parametrize("name", SHEETS)
def test_all_that_is_shown_and_said_agrees(name: str, tmp_path: Path) -> None:
    """Every second sheet with the fewest players, the others with four; the night turns that round."""
    few = SHEETS.index(name) % 2 == 0
    assert evening(tmp_path, name, players(name, few=few), 0, ANSWERS) == {}


@pytest.mark.nightly
@pytest.mark.parametrize("name", SHEETS)
def test_all_agrees_with_the_other_number_of_players(name: str, tmp_path: Path) -> None:
    few = SHEETS.index(name) % 2 == 1
    assert evening(tmp_path, name, players(name, few=few), 1, ANSWERS) == {}


@pytest.mark.nightly
@pytest.mark.parametrize("name", SHEETS)
def test_all_agrees_in_long_games_of_many(name: str, tmp_path: Path) -> None:
    assert evening(tmp_path, name, min(SEATS, rules_of(name).seats[1]), 3, MANY) == {}
