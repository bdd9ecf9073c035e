"""A choice that is one seat's: its own button steps through the options, and who is asked next takes it up."""

import pytest

from tests.simulators.rig import Rig


@pytest.fixture
def choosing(rig: Rig) -> Rig:
    """P2 has packed last, and chooses a position first; then P1."""
    return rig.begin("Pack the Essentials", "P1", "P2").tap("P2")


def test_the_control_turns_and_takes(choosing: Rig) -> None:
    assert choosing.arrow(-2).ok().playing.play.state.round.at == (None, None, 1, None)


def test_the_own_button_steps_on(choosing: Rig) -> None:
    assert choosing.tap("P2", 2).ok().playing.play.state.round.at == (None, None, 1, None)


def test_after_the_last_option_the_first_comes_again(choosing: Rig) -> None:
    assert choosing.tap("P2", 4).ok().playing.play.state.round.at == (1, None, None, None)


def test_the_press_of_whoever_is_next_takes_what_was_chosen(choosing: Rig) -> None:
    assert choosing.tap("P2", 3).tap("P1").playing.play.state.round.at == (None, None, None, 1)


def test_that_press_chooses_nothing_for_its_own_seat(choosing: Rig) -> None:
    assert dict(choosing.tap("P2", 3).tap("P1").playing.entry.values) == {}


def test_a_press_of_another_takes_nothing_before_something_was_chosen(choosing: Rig) -> None:
    assert choosing.tap("P1").playing.play.state.round.at == (None,) * 4


def test_what_was_taken_that_way_is_one_undo(choosing: Rig) -> None:
    before = choosing.playing.play.state
    assert choosing.tap("P2", 3).tap("P1").ok_hold().ok().playing.play.state == before


def test_the_lamp_of_whoever_chooses_is_on(choosing: Rig) -> None:
    assert choosing.lit == {"P2"}


def test_the_bottom_row_says_so(choosing: Rig) -> None:
    assert "tap/turn, OK" in choosing.reads()


def test_where_holding_means_something_a_short_press_steps_on_release(rig: Rig) -> None:
    rig.begin("Pack the Essentials", "P1", "P2", ask_tile=True).tap("P2").ok().ok()
    assert rig.down("P2").playing.entry.values == {}
    assert dict(rig.after(60).up("P2").after(60).playing.entry.values) == {None: 1}


def test_and_holding_does_what_it_means(rig: Rig) -> None:
    rig.begin("Pack the Essentials", "P1", "P2", ask_tile=True).tap("P2").ok().ok().hold("P2")
    assert rig.playing.play.state.rats == (1, 0)
