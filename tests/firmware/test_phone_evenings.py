"""What phones spare a table: the same evening, answered at the kit alone and by phones."""

from collections import Counter
from functools import cache, partial
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from tests.simulators.phone_evenings import Evening, Given, played, recorded
from tests.simulators.phone_locks import Locking, Shown, beside, moons


@cache
def alone(game: str, players: int) -> tuple[Evening, list[Given]]:
    """An evening at the kit alone, and what was answered in it."""
    with TemporaryDirectory() as folder:
        return recorded(Path(folder), game, players)


@pytest.mark.slow
@pytest.mark.parametrize(("game", "at_the_kit"), [("cat_pageant", 110), ("pack_the_essentials", 120)])
@pytest.mark.parametrize("phones", [4, 1])
def test_phones_take_most_inputs_off_the_kit(tmp_path: Path, game: str, at_the_kit: int, phones: int) -> None:
    """A table of four: at the kit, in all, and one after the other."""
    kit, given = alone(game, 4)
    together = played(tmp_path, game, given, 4, phones)
    assert together.scores == kit.scores
    assert together.kit <= at_the_kit
    assert together.kit + together.taps <= kit.kit
    if phones == 4:
        assert together.chain <= kit.chain * 0.65


@pytest.mark.slow
@pytest.mark.parametrize(("game", "players"), [("if_it_fits", 3), ("kitty_paw", 3), ("pack_and_stack", 4)])
@pytest.mark.parametrize("phones", [1, 2, 3])
def test_a_whole_evening_is_played_with_some_phones(tmp_path: Path, game: str, players: int, phones: int) -> None:
    """Presses on the kit beside them: the races, and what nobody's phone is asked."""
    kit, given = alone(game, players)
    together = played(tmp_path, game, given, players, phones)
    assert together.scores == kit.scores
    assert together.kit < kit.kit
    if game != "pack_and_stack":  # whose numbers the kit takes in fewer presses than a phone's keys
        assert together.kit + together.taps < kit.kit


@pytest.mark.slow
@pytest.mark.parametrize("game", ["cat_pageant", "pack_and_stack"])
def test_four_phones_that_lock_every_30_s_change_no_picture_but_the_mark(tmp_path: Path, game: str) -> None:
    _, given = alone(game, 4)
    awake, locking = list[Shown](), list[Shown]()
    for shown, locks in ((awake, False), (locking, True)):
        played(tmp_path / str(locks), game, given, 4, 4, partial(Locking, shown=shown, locks=locks))
    marks = Counter(moons(*pair) for pair in beside(awake, locking))
    assert None not in marks
    assert marks.total() - marks[0] > 20
