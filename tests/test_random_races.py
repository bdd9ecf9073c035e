"""Random races by the road of a real button: nobody is wronged, nothing is made up, nothing is lost."""

from collections.abc import Sequence

import pytest

from tests.simulators import real_buttons
from tests.simulators.contact import MS
from tests.simulators.random_races import GAMES, KINDS, Unclear, races, truth
from tests.simulators.real_buttons import Fault

RACES = 21  # of each kind and game: 504 in all


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("kind", KINDS)
def test_random_races_with_real_buttons_name_who_was_first_and_last(kind: str, game: str) -> None:
    found = races(7, KINDS[kind], game, RACES)
    assert found["judged"] >= RACES * 3 // 4  # else they try nothing


def test_a_turn_of_the_loop_that_never_ends_is_a_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    def round_for_ever(_: int) -> None:
        while True:
            pass

    monkeypatch.setattr(real_buttons, "HANGS_S", 0.01)
    with pytest.raises(Fault, match="never ends"):
        real_buttons.ending(round_for_ever)(0)


@pytest.mark.parametrize(
    ("moves", "pressed"),
    [
        pytest.param([], None, id="no move"),
        pytest.param([10, 90], 10, id="a press"),
        pytest.param([10, 11], None, id="a brush"),
        pytest.param([10, 10.5, 100, 180], 100, id="a spark long before"),
        pytest.param([10, 10.5, 30, 180], 10, id="a spark that is the first touch"),
        pytest.param([10, 11.5, 30, 31.5], 10, id="closed for long enough in sum"),
        pytest.param([10, 11.5, 70, 71.5], None, id="two brushes"),
    ],
)
def test_the_truth_of_a_contact_is_told_by_its_moves(moves: Sequence[float], pressed: float | None) -> None:
    assert truth([round(ms * MS) for ms in moves]) == (None if pressed is None else pressed * MS)


@pytest.mark.parametrize(
    "moves",
    [
        pytest.param([10, 12.1], id="closed for 2 ms"),
        pytest.param([10, 10.5, 59.9, 180], id="50 ms after a spark"),
        pytest.param([10, 10.5, 40, 180], id="a press that may be told as one after those 50 ms"),
        pytest.param([10, 10.5, 30, 30.5, 70, 180], id="a spark that may be the first touch, or that of another"),
    ],
)
def test_a_contact_that_the_rule_leaves_open_has_no_truth(moves: Sequence[float]) -> None:
    with pytest.raises(Unclear):
        truth([round(ms * MS) for ms in moves])
