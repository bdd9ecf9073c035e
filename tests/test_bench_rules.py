"""scripts/bench rules, in small: both scorers agree on some games, and a wrong scorer is found out."""

import json

import pytest

from engine import games
from tests.engine import plain
from tests.engine.plain.outcome import Outcome
from tests.simulators.program import run
from tests.simulators.random_play import scored_game

pytestmark = pytest.mark.slow

SCRIPT = ("-m", "scripts.benches.rules")


def test_two_scorers_agree_on_twenty_games_of_each() -> None:
    ran = run(*SCRIPT, "--games", "20", "--seed", "1000", "--json")
    found = json.loads(ran.stdout)
    assert {name: (row["games"], row["disagree"]) for name, row in found.items()} == dict.fromkeys(
        games.names(), (20, 0)
    )
    assert ran.returncode == 0


def test_the_games_are_the_same_for_any_number_of_processes() -> None:
    moves = [
        json.loads(run(*SCRIPT, "--game", "kitty_paw", "--games", "60", "--processes", n, "--json").stdout)[
            "kitty_paw"
        ]["moves"]
        for n in ("1", "3")
    ]
    assert moves[0] == moves[1] > 0


def test_a_scorer_that_errs_is_found_out_with_the_game_that_shows_it(monkeypatch: pytest.MonkeyPatch) -> None:
    right = plain.SCORERS["kitty_paw"]

    def wrong(*game: object) -> Outcome:
        found = right(*game)  # type: ignore[arg-type]  # whatever a scorer takes
        return found._replace(totals=[total + 1 for total in found.totals])

    monkeypatch.setitem(plain.SCORERS, "kitty_paw", wrong)
    with pytest.raises(AssertionError) as complaint:
        scored_game("kitty_paw", 7)
    assert [note[:17] for note in complaint.value.__notes__] == ["kitty_paw, seed 7"]


@pytest.mark.parametrize("arguments", [("--games", "0"), ("--processes", "0"), ("--game", "chess")])
def test_wrong_usage_is_refused(arguments: tuple[str, str]) -> None:
    assert (run(*SCRIPT, *arguments).returncode, run(*SCRIPT, *arguments).stdout) == (2, "")
