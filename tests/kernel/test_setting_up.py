"""SET UP on real lines: the doctor and the guided check have them, then the kit has them again."""

from pathlib import Path

import pytest

from tests.simulators.real_table import real_table
from tests.simulators.waiting import unstalled

SET_UP = 9  # the row of the menu
LEAVE_MS = 3_500


@pytest.mark.parametrize("driver", ["gpiod", "lgpio"])
def test_the_lines_are_lent_to_the_check_and_come_back(tmp_path_factory: pytest.TempPathFactory, driver: str) -> None:
    assert unstalled(lambda: set_up(tmp_path_factory.mktemp("table"), driver)) == (0, "")


def set_up(folder: Path, driver: str) -> tuple[int, str]:
    """Have the kit checked, leave that, and press buttons: what the program says as it ends. Raises `Stalled`."""
    with real_table(folder, driver, "knob") as table:
        table.until_reads("which game?").choose(SET_UP).until_reads("Set up").ok().until_reads("Check the kit").ok()
        table.until_reads("OK: start").ok().until_reads("frame complete?")
        for name, then in (("ok", "P1 | GPIO 5"), ("P1", "P2 | GPIO 6"), ("P2", "P3 | GPIO 22")):
            table.after(200).move(name, True)
            table.after(100).move(name, False)
            table.until_reads(then)
        table.after(200).move("ok", True)
        table.after(LEAVE_MS).move("ok", False)
        table.until_reads("NO FAULT SO FAR").ok().until_reads("Check the kit").ok_hold().until_reads("Set up")
        table.tap("P3").until_reads("this is P3").tap("P1").until_reads("this is P1")
        assert len(table.strip()) == 60
        return table.stop()
