"""The menu behind a long OK: what is answered by holding a button stands in it too, for a button that does not work."""

import pytest

from tests.firmware.test_cat_pageant_at_the_table import adopting
from tests.firmware.test_pack_and_stack_at_the_table import dealt
from tests.simulators.rig import Rig


def taking(rig: Rig, name: str) -> Rig:
    """Over Back to the menu, and what this player may do there."""
    rig.ok_hold().arrow(-1)
    for _ in range(20):
        if rig.row().startswith(f"{name}: "):
            break
        rig.arrow(-1)
    return rig.ok()


def test_a_player_without_a_button_passes(rig: Rig) -> None:
    assert taking(adopting(rig, 2, 1), "P1").playing.play.board.turn == (1,)


@pytest.mark.parametrize("name", ["P2", "P4"])
def test_the_press_of_any_player_is_taken_back_in_a_running_race(rig: Rig, name: str) -> None:
    dealt(rig).ok().after(3300).tap("P2").after(100).tap("P4").after(100)
    run = taking(rig, name).playing.play.board.race
    assert run is not None
    assert {"P2", "P4"} - {rig.playing.play.players[press.seat] for press in run.presses} == {name}
