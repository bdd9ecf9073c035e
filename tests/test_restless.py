"""Hands that do not stop, in small; `scripts/random-hands` plays thousands of games."""

from pathlib import Path

import pytest

from engine import games
from tests.simulators.restless import restless_evening

pytestmark = [pytest.mark.slow, pytest.mark.no_cover]

GAMES = {"pack_and_stack": 60, "kitty_paw": 30}  # those with races; of each other one 20
AT_ONCE = 2


@pytest.mark.parametrize(
    ("name", "first"),
    [
        pytest.param(name, first, marks=[pytest.mark.nightly] * (first > 0 or name not in GAMES))
        for name in games.names()
        for first in range(0, GAMES.get(name, 20), AT_ONCE)
    ],
)
def test_hands_that_do_not_stop_do_no_harm(name: str, first: int, tmp_path: Path) -> None:
    found = [restless_evening(tmp_path / str(seed), games.rules(name), seed) for seed in range(first, first + AT_ONCE)]
    assert sum(one.answers + one.slaps for one in found) > 0  # a CAT Pageant may end in its first round
