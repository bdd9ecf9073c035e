"""The menu behind a long OK: what is answered by holding a button stands in it too, for a button that does not work."""

import pytest

from tests.simulators.rig import Rig


def test_a_player_without_a_button_passes(rig: Rig) -> None:
    fanciers = "P1*3 ok P1*4 ok P1*2 ok P1*2 ok*2 P2*3 ok P2*4 ok P2 ok P2*2 ok*2"
    rig.do(f"game[cat_pageant 2] {fanciers} ok 3500 P1*2 P2 ok*2 menu[P1: ]")
    assert rig.board.turn == (1,)


@pytest.mark.parametrize("name", ["P2", "P4"])
def test_the_press_of_any_player_is_taken_back_in_a_running_race(rig: Rig, name: str) -> None:
    run = rig.do(f"game[pack_and_stack 4] P1 ok 3300 P2 100 P4 100 menu[{name}: ]").board.race
    assert run is not None
    assert {"P2", "P4"} - {rig.playing.play.players[press.seat] for press in run.presses} == {name}
