"""Hands that do not stop, in small; `scripts/random hands` plays thousands of games."""

from pathlib import Path

import pytest

from engine import games
from tests.simulators.random_hands import restless_evening

pytestmark = [pytest.mark.slow, pytest.mark.no_cover]

GAMES = {"pack_and_stack": 60, "kitty_paw": 30}  # those with races; of each other one 20
GROUPS = [  # a game, the first seed and how many: two before a push; ten of those that may be over in the first round
    *((name, first, 2) for name, games_ in GAMES.items() for first in range(0, games_, 2)),
    *((name, first, 10) for name in games.names() if name not in GAMES for first in range(0, 20, 10)),
]


@pytest.mark.parametrize(
    ("name", "first", "count"),
    [
        pytest.param(name, first, count, marks=[pytest.mark.nightly] * (first > 0 or name not in GAMES))
        for name, first, count in GROUPS
    ],
)
def test_hands_that_do_not_stop_do_no_harm(name: str, first: int, count: int, tmp_path: Path) -> None:
    found = [restless_evening(tmp_path / str(seed), games.rules(name), seed) for seed in range(first, first + count)]
    assert sum(one.answers + one.slaps for one in found) > 0
