"""Who was first, in numbers: 40,000 simulated races for 2 and for 6 players, and the counting itself."""

import json
import subprocess
import sys
from collections.abc import Callable
from math import sqrt
from pathlib import Path
from random import Random
from typing import Any, TypeAlias

import pytest

from engine import race
from tests.simulators import fairness
from tests.simulators.fairness import BAND_NS, MS, US, Tap
from tests.simulators.untraced import untraced_environ

ROOT = Path(__file__).resolve().parent.parent
ROUNDS = 40_000
ENDS: tuple[fairness.End, ...] = ("first", "last")
two_and_six = pytest.mark.parametrize("players", [2, 6])
first_and_last = pytest.mark.parametrize("end", [0, 1], ids=ENDS)
Tables: TypeAlias = dict[int, dict[str, list[str]]]  # by player count and first cell

pytestmark = pytest.mark.nightly


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(ROOT / "scripts" / "bench-fairness"), *arguments]
    # under coverage it would take minutes, and show nothing that the tests of race and debounce do not
    return subprocess.run(command, capture_output=True, text=True, check=False, env=untraced_environ())


def as_json(*arguments: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(run("--json", *arguments).stdout)
    return found


def cells(text: str) -> Tables:
    """The rows of the tables, as people read them."""
    tables: Tables = {}
    rows: dict[str, list[str]] = {}
    for line in text.splitlines():
        if " players, " in line:
            rows = tables[int(line[0])] = {}
        elif line.startswith("| "):
            name, *values = [cell.strip(" `") for cell in line.strip("|").split("|")]
            rows[name] = [value.replace(",", "") for value in values]
    return tables


@pytest.fixture(scope="module")
def tables() -> Tables:
    return cells(run("--rounds", str(ROUNDS)).stdout)


# --- 40,000 rounds --------------------------------------------------------------------------------------------------


@two_and_six
@first_and_last
def test_nobody_is_named_wrongly(tables: Tables, players: int, end: int) -> None:
    assert tables[players]["ours"][end] == "0"


@two_and_six
@first_and_last
def test_dead_heats_are_as_many_as_theory_says(tables: Tables, players: int, end: int) -> None:
    expected = ROUNDS * fairness.dead_heats(players, BAND_NS, ENDS[end])
    assert int(tables[players]["ours"][2 + end]) == pytest.approx(expected, abs=3 * sqrt(expected))


@two_and_six
def test_the_usual_ways_are_wrong_by_what_blurs_them(tables: Tables, players: int) -> None:
    methods = ["ours", "poll_1ms", "debounced", "poll_10ms", "callback"]
    counts = [int(tables[players][method][0]) for method in methods]
    assert counts == sorted(set(counts))  # each more often than the one before


@two_and_six
def test_a_heavier_tail_makes_as_many_wrong_winners_as_theory_says(tables: Tables, players: int) -> None:
    expected = ROUNDS * fairness.wrong_with_tail(players, BAND_NS, "first")
    assert int(tables[players]["0.1 ms"][2]) == pytest.approx(expected, abs=3 * sqrt(expected))


@two_and_six
def test_the_band_of_a_certificate_keeps_the_heavier_tail_out(tables: Tables, players: int) -> None:
    assert tables[players]["certificate × 1.5"][2] == "0"


# --- the command ----------------------------------------------------------------------------------------------------


def test_any_number_of_shards_gives_the_same() -> None:
    arguments = ("--rounds", "9500", "--players", "2", "--processes")
    first, *others = [run(*arguments, shards).stdout for shards in "123"]
    assert others == [first, first]


def test_another_seed_gives_other_rounds() -> None:
    assert as_json("--rounds", "1000", "--seed", "1") != as_json("--rounds", "1000", "--seed", "2")


def test_json_has_one_object_a_method() -> None:
    found = as_json("--rounds", "500", "--players", "3")
    keys = ("rounds", "wrong_first", "wrong_last", "dead_heats")
    assert {name: (*one,) for name, one in found.items()} == dict.fromkeys(fairness.METHODS, keys)


def test_json_says_what_the_tables_say() -> None:
    arguments = ("--rounds", "1500", "--players", "6")
    table, found = cells(run(*arguments).stdout)[6], as_json(*arguments)
    told = {name: [int(value) for value in table[name][:3]] for name in fairness.METHODS}
    assert {name: [one["wrong_first"], one["wrong_last"], one["dead_heats"]] for name, one in found.items()} == told


def test_without_players_json_adds_up_two_and_six() -> None:
    found = as_json("--rounds", "500")["callback"]
    parts = found.pop("players")
    assert (list(parts), found) == (["2", "6"], {key: parts["2"][key] + parts["6"][key] for key in found})


def test_the_plot_is_a_picture_of_every_method(tmp_path: Path) -> None:
    run("--rounds", "200", "--plot", str(tmp_path / "plot.svg"))
    picture = (tmp_path / "plot.svg").read_text()
    assert [name for name in fairness.METHODS if f">{name}</text>" not in picture] == []


@pytest.mark.parametrize(
    "arguments",
    ["--rounds 0", "--rounds 1e6", "--players 1", "--players 7", "--seed x", "--processes 0", "--plot .", "--what"],
)
def test_a_bad_value_is_refused_in_one_line(arguments: str) -> None:
    done = run(*arguments.split())
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)


# --- the counting can fail ------------------------------------------------------------------------------------------


def wrong_winners(taps: list[list[Tap]], seen: list[list[Tap]]) -> int:
    """How many winners are wrong outside the band where the kit is shown `seen` of what happened."""
    count = 0
    for really, shown in zip(taps, seen, strict=True):
        seat, gap_ns = fairness.truth(really, "first")
        count += gap_ns >= BAND_NS and seat not in race.first(fairness.raced(shown)[0])
    return count


@pytest.fixture(scope="module")
def taps() -> list[list[Tap]]:
    dice = Random(7)
    return [[fairness.tap(dice), fairness.tap(dice)] for _ in range(1000)]


def test_the_kit_as_it_is_names_no_wrong_winner(taps: list[list[Tap]]) -> None:
    assert wrong_winners(taps, taps) == 0


def stamped_at_arrival(tap: Tap) -> list[int]:
    return tap.arrivals()


def stamped_at_the_end_of_the_bounce(tap: Tap) -> list[int]:
    return [tap.stamps[-1]] * len(tap.stamps)


@pytest.mark.parametrize(("stamped", "least"), [(stamped_at_arrival, 21), (stamped_at_the_end_of_the_bounce, 6)])
def test_a_kit_that_stamps_otherwise_does(
    taps: list[list[Tap]], stamped: Callable[[Tap], list[int]], least: int
) -> None:
    assert wrong_winners(taps, [[tap._replace(stamps=stamped(tap)) for tap in one] for one in taps]) >= least


def test_a_kit_that_does_not_wait_does(taps: list[list[Tap]], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(race, "SETTLE_NS", 0)
    assert wrong_winners(taps, taps) > 20


# --- what is simulated ----------------------------------------------------------------------------------------------


def test_no_stamp_is_further_off_than_the_model_says(taps: list[list[Tap]]) -> None:
    late = [tap.stamps[0] - tap.contacts[0] for one in taps for tap in one]
    assert (min(late) >= 10 * US, max(late) <= 100 * US) == (True, True)


def test_a_line_is_stamped_and_delivered_in_its_order(taps: list[list[Tap]]) -> None:
    orders = [times for one in taps for tap in one for times in (tap.stamps, tap.arrivals())]
    assert [times for times in orders if times != sorted(times)] == []


def test_some_bounces_outlive_the_lock(taps: list[list[Tap]]) -> None:
    assert max(tap.contacts[-1] - tap.contacts[0] for one in taps for tap in one) > 30 * MS


def poll(tap: Tap) -> int:
    return fairness.polled(tap, 10 * MS, 4 * MS)


@pytest.mark.parametrize(
    ("way", "contacts_ms", "stamp_ms"),
    [
        pytest.param(fairness.debounced, [100, 101, 103], 123, id="the end of the bounce and the wait"),
        pytest.param(fairness.debounced, [100, 121, 122], 120, id="not what comes after a quiet line"),
        pytest.param(poll, [101], 104, id="the next look"),
        pytest.param(poll, [101, 102, 106], 114, id="nothing while the contact is open"),
    ],
)
def test_what_a_usual_way_sees(way: Callable[[Tap], int], contacts_ms: list[int], stamp_ms: int) -> None:
    contacts = [ms * MS for ms in contacts_ms]
    assert way(Tap(contacts, contacts, [0] * len(contacts), 0)) == stamp_ms * MS


def test_equal_times_are_won_by_the_lower_line() -> None:
    assert (fairness.seat_of([5, 3, 3, 5], "first"), fairness.seat_of([5, 3, 3, 5], "last")) == (1, 3)


def test_a_band_is_rounded_up_to_ten_microseconds() -> None:
    assert fairness.band_of(40_001, 1.5) == 70 * US


# --- theory ---------------------------------------------------------------------------------------------------------


def test_somebody_reacts_at_some_time() -> None:
    assert sum(fairness.density(ms) for ms in range(2000)) == pytest.approx(1)


def test_the_density_is_the_slope_of_the_distribution() -> None:
    assert (fairness.below(300.001) - fairness.below(299.999)) / 0.002 == pytest.approx(fairness.density(300))


@pytest.mark.parametrize("end", ENDS)
def test_within_a_boundless_band_every_race_is_a_dead_heat(end: fairness.End) -> None:
    assert fairness.dead_heats(6, 5000 * MS, end) == pytest.approx(1)


def test_two_players_are_first_and_last_alike() -> None:
    assert fairness.dead_heats(2, BAND_NS, "first") == pytest.approx(fairness.dead_heats(2, BAND_NS, "last"))
