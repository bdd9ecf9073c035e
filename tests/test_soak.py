"""A long life in small: `scripts/random soak` lives 1,000 evenings."""

from typing import Any

import pytest

from tests.simulators.soak import life

EVENINGS, WINDOW = 16, 3

pytestmark = pytest.mark.nightly


@pytest.fixture(scope="module")
def lived(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """Some evenings; nothing was missing in the journal after any of them."""
    return life(tmp_path_factory.mktemp("life"), EVENINGS, WINDOW)


def test_every_evening_is_in_the_journal(lived: dict[str, Any]) -> None:
    assert lived["rows"]["game"] == EVENINGS


def test_much_goes_wrong(lived: dict[str, Any]) -> None:
    assert lived["troubles"] > EVENINGS


def test_a_step_of_the_loop_costs_as_much_as_at_first(lived: dict[str, Any]) -> None:
    assert 0.95 < lived["step in calls"]["ratio"] < 1.05


def test_memory_does_not_grow(lived: dict[str, Any]) -> None:
    assert lived["objects"]["ratio"] < 1.05


def test_an_evening_takes_little_room_on_the_disk(lived: dict[str, Any]) -> None:
    assert lived["bytes an evening"] < 40_000


def test_the_write_ahead_log_stays_short(lived: dict[str, Any]) -> None:
    assert lived["longest WAL kB"] < 5_000


def test_no_edge_goes_before_its_time(lived: dict[str, Any]) -> None:
    assert lived["edges pruned early"] == 0
