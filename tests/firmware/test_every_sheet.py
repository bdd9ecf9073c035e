"""Every shipped sheet is played on a whole kit, by presses and by phones, with undo, a restart and a power cut."""

from pathlib import Path

import pytest

from tests.simulators.every_game import names, rules_of
from tests.simulators.sheet_evenings import evening

SHEETS = [name for name in names() if name.startswith("sheet:")]
ANSWERS, MANY = 40, 250
SEATS = 6  # of the largest kit

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("name", SHEETS)
def test_all_that_is_shown_and_said_agrees(name: str, tmp_path: Path) -> None:
    fewest, most = rules_of(name).seats
    found = evening(tmp_path / "few", name, fewest, 0, ANSWERS)
    assert found | evening(tmp_path / "four", name, min(max(4, fewest), most), 1, ANSWERS) == {}


@pytest.mark.nightly
@pytest.mark.parametrize("name", SHEETS)
def test_all_agrees_in_long_games_of_many(name: str, tmp_path: Path) -> None:
    assert evening(tmp_path, name, min(SEATS, rules_of(name).seats[1]), 3, MANY) == {}
