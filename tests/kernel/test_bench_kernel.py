"""scripts/bench kernel, in small: that it measures. Times are reported; counts and idle ratios are held."""

import json
from typing import Any

import pytest

from tests.simulators.program import run

LOADS = ["press_to_folded", "press_to_folded_two_busy_loops"]


@pytest.fixture(scope="module")
def found() -> dict[str, Any]:
    measured: dict[str, Any] = json.loads(run("-m", "scripts.benches.kernel", "--quick", "--json").stdout)
    return measured


def test_every_measurement_is_there(found: dict[str, Any]) -> None:
    assert list(found) == ["stamp_to_python", "idle", "bursts", *LOADS]


def test_how_much_sooner_our_edges_reach_python_is_the_ratio_of_the_medians(found: dict[str, Any]) -> None:
    ours, theirs = (found["stamp_to_python"][driver] for driver in ("gpiod", "lgpio"))
    assert ours["edges"] == theirs["edges"] > 0
    assert found["stamp_to_python"]["times_sooner"] == pytest.approx(theirs["median_ms"] / ours["median_ms"], abs=0.1)


def test_waiting_for_our_edges_costs_next_to_nothing_of_what_lgpio_costs(found: dict[str, Any]) -> None:
    idle = found["idle"]
    assert idle["gpiod"]["wakeups_per_s"] * 50 < idle["lgpio"]["wakeups_per_s"]
    assert idle["gpiod"]["cpu_percent"] * 5 < idle["lgpio"]["cpu_percent"]


def test_presses_in_bursts_are_neither_lost_nor_doubled(found: dict[str, Any]) -> None:
    bursts = found["bursts"]
    assert bursts["presses"] >= 1000
    assert (bursts["seen"], bursts["lost"], bursts["doubled"]) == (bursts["presses"], 0, 0)


@pytest.mark.parametrize("load", LOADS)
def test_presses_are_folded_with_display_and_strip_at_work(found: dict[str, Any], load: str) -> None:
    folded = found[load]
    assert folded["presses"] > 20
    assert 0 < folded["median_ms"] <= folded["p99_ms"] <= folded["max_ms"]
