"""A note stands over the picture for five seconds, and no longer than it is true."""

from pathlib import Path

import pytest

from engine.rules import Action
from tests.engine.sheets.shelf import MOLKKY, WIZARD
from tests.firmware.test_sheets_on_pages import on
from tests.simulators.rig import Rig


@pytest.fixture
def rig(tmp_path: Path) -> Rig:
    return Rig(tmp_path)


def test_whose_turn_it_is_stands_until_it_is_another_ones(rig: Rig) -> None:
    on(rig, MOLKKY, 2)
    rig.tap("P2")
    assert "it is P1's turn" in rig.reads()
    rig.playing.answer(Action(0, "pins", 5, rig.now_ns))  # by a phone
    assert "P1's turn" not in rig.after(0).reads()


def test_what_stays_true_stands_for_five_seconds(rig: Rig) -> None:
    on(rig, WIZARD, 3)
    rig.tap("P4")
    assert "P4 is not in this game" in rig.reads()
    rig.after(5_000)
    assert "P4 is not" not in rig.reads()


def test_that_players_are_needed_stands_until_there_are_enough(rig: Rig) -> None:
    rig.do("[Kitty Paw] P1 ok")
    assert "2 players are needed" in rig.reads()
    rig.tap("P2")
    assert "2 players are needed" not in rig.reads()


def test_that_no_more_can_play_stands_while_none_leaves(rig: Rig) -> None:
    rig.after(0).do("[All] 0 [Scopa] 0 P1 P2 P3")
    assert "at most 2 players" in rig.reads()
    rig.tap("P2")
    assert "at most 2 players" not in rig.reads()
