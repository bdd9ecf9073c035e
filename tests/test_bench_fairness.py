"""Who was first, in numbers: 40,000 simulated races for 2 and for 6 players, and the counting itself."""

import json
import subprocess
import sys
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
Tables: TypeAlias = dict[int, dict[str, list[str]]]  # by player count and first cell

pytestmark = pytest.mark.slow


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


def wrong(tables: Tables, players: int, method: str) -> int:
    return int(tables[players][method][0])


# --- 40,000 rounds --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("players", [2, 6])
@pytest.mark.parametrize("end", [0, 1], ids=ENDS)
def test_nobody_is_named_wrongly(tables: Tables, players: int, end: int) -> None:
    assert tables[players]["ours"][end] == "0"


@pytest.mark.parametrize("players", [2, 6])
@pytest.mark.parametrize("end", [0, 1], ids=ENDS)
def test_dead_heats_are_as_many_as_theory_says(tables: Tables, players: int, end: int) -> None:
    expected = ROUNDS * fairness.dead_heats(players, BAND_NS, ENDS[end])
    assert int(tables[players]["ours"][2 + end]) == pytest.approx(expected, abs=3 * sqrt(expected))


@pytest.mark.parametrize("players", [2, 6])
def test_the_usual_ways_are_wrong_by_what_blurs_them(tables: Tables, players: int) -> None:
    methods = ["ours", "poll_1ms", "debounced", "poll_10ms", "callback"]
    counts = [wrong(tables, players, method) for method in methods]
    assert counts == sorted(set(counts))  # each more often than the one before


@pytest.mark.parametrize("players", [2, 6])
def test_a_heavier_tail_makes_as_many_wrong_winners_as_theory_says(tables: Tables, players: int) -> None:
    expected = ROUNDS * fairness.wrong_with_tail(players, BAND_NS, "first")
    assert int(tables[players]["0.1 ms"][2]) == pytest.approx(expected, abs=3 * sqrt(expected))


@pytest.mark.parametrize("players", [2, 6])
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


def test_a_kit_that_orders_by_arrival_does(taps: list[list[Tap]]) -> None:
    assert wrong_winners(taps, [[tap._replace(stamps=tap.arrivals()) for tap in one] for one in taps]) > 20


def test_a_kit_that_stamps_the_end_of_the_bounce_does(taps: list[list[Tap]]) -> None:
    late = [[tap._replace(stamps=[tap.stamps[-1]] * len(tap.stamps)) for tap in one] for one in taps]
    assert wrong_winners(taps, late) > 5


def test_a_kit_that_does_not_wait_does(taps: list[list[Tap]], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(race, "SETTLE_NS", 0)
    assert wrong_winners(taps, taps) > 20


# --- what is simulated ----------------------------------------------------------------------------------------------


def test_no_stamp_is_further_off_than_the_model_says(taps: list[list[Tap]]) -> None:
    late = [tap.stamps[0] - tap.contacts[0] for one in taps for tap in one]
    assert (min(late) >= 10 * US, max(late) <= 100 * US) == (True, True)


def test_the_stamps_of_a_line_never_run_backwards(taps: list[list[Tap]]) -> None:
    assert [tap for one in taps for tap in one if tap.stamps != sorted(tap.stamps)] == []


def test_a_line_is_delivered_in_its_order(taps: list[list[Tap]]) -> None:
    assert [tap for one in taps for tap in one if tap.arrivals() != sorted(tap.arrivals())] == []


def test_some_bounces_outlive_the_lock(taps: list[list[Tap]]) -> None:
    assert max(tap.contacts[-1] - tap.contacts[0] for one in taps for tap in one) > 30 * MS


def tap_of(*contacts_ms: float) -> Tap:
    contacts = [round(ms * MS) for ms in contacts_ms]
    return Tap(contacts, contacts, [0] * len(contacts), 0)


def test_a_debounced_stamp_is_the_end_of_the_bounce_and_the_wait() -> None:
    assert fairness.debounced(tap_of(100, 101, 103)) == 123 * MS


def test_a_debounced_stamp_ignores_what_comes_after_a_quiet_line() -> None:
    assert fairness.debounced(tap_of(100, 121, 122)) == 120 * MS


def test_a_poll_sees_a_press_at_its_next_look() -> None:
    assert fairness.polled(tap_of(101), 10 * MS, 4 * MS) == 104 * MS


def test_a_poll_sees_nothing_while_the_contact_is_open() -> None:
    assert fairness.polled(tap_of(101, 102, 106), 10 * MS, 4 * MS) == 114 * MS


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
