"""Whole games at random: they end, add up, go back and forth, and replay. scripts/random play plays more."""

import json
from collections.abc import Iterator
from itertools import islice
from random import Random

import msgspec
import pytest

from engine import games
from tests.engine import plain
from tests.engine.table import rows
from tests.simulators.players import Game, Move, random_game, random_options, standing
from tests.simulators.random_play import checked_game, combinations, combined_game, scored_game

GAMES = 4  # for each number of players

TABLES = [
    (name, players)
    for name in games.names()
    for players in range(games.rules(name).seats[0], games.rules(name).seats[1] + 1)
]


@pytest.mark.parametrize(("name", "players"), TABLES)
def test_random_games_end_add_up_undo_and_replay(name: str, players: int) -> None:
    played = [checked_game(name, seed, players) for seed in range(GAMES)]
    assert len(played) == GAMES


@pytest.mark.nightly
@pytest.mark.parametrize("name", plain.SHIPPED)
def test_every_combination_of_options_ends_and_adds_up(name: str) -> None:
    tables = list(combinations(games.rules(name)))
    assert len([combined_game(name, seed, options) for seed, options in enumerate(tables)]) == len(tables) >= 2**7


def test_a_button_that_failed_between_undo_and_redo_is_known_to_both_scorers() -> None:
    rules = games.rules("kitty_paw")
    verbs = [move.verb for move in random_game(rules, 3, rules.options(), 27348).moves]
    assert ["undo", "bench", "redo", "undo"] in [verbs[n : n + 4] for n in range(len(verbs))]
    scored_game("kitty_paw", 27348)


@pytest.mark.parametrize("name", games.names())
def test_every_event_of_a_game_comes_up_at_random(name: str) -> None:
    missing = set(games.rules(name).events)
    for game in many(name):
        missing -= {type(fact.event) for fact in game.facts}
        if not missing:
            break
    assert missing == set()


@pytest.mark.parametrize("name", games.names())
def test_the_same_seed_plays_the_same_game(name: str) -> None:
    rules = games.rules(name)
    one, other = (random_game(rules, rules.seats[1], rules.options(), 3) for _ in range(2))
    assert one.facts == other.facts


@pytest.mark.parametrize("name", games.names())
def test_a_state_is_made_of_what_json_knows(name: str) -> None:
    for game in islice(many(name), 10):
        assert json.loads(msgspec.json.encode(game.play.state))


STANDING = [
    ("an undone move does not count", "take0 ring1 undo1 rest1", "take rest"),
    ("a move brought back does", "take0 ring1 undo1 undo0 redo0 redo1", "take ring"),
    ("all of a step brought back go together", "take0 fix1 ring2 undo0 redo0 rest1 undo0", ""),
]


@pytest.mark.parametrize(("moves", "verbs"), rows(STANDING))
def test_moves_that_count(moves: str, verbs: str) -> None:
    made = [Move(int(move[-1]), move[:-1], None, (), 0, 0, ()) for move in moves.split()]
    assert " ".join(move.verb for move in standing(made)) == verbs


@pytest.mark.parametrize(("undone", "fixed", "verbs"), [(1, (0,), ["fix", "recall"]), (0, (), [])])
def test_what_was_recalled_goes_with_the_points_before_it(
    undone: int, fixed: tuple[int, ...], verbs: list[str]
) -> None:
    begun = [Move(0, "fix", 0, 1, 0, 0, ()), Move(0, "recall", None, (), 0, 0, ())]
    made = [*begun, *[Move(1, "fancier", 0, "PIP", 0, 0, ())] * undone, Move(undone, "undo", None, fixed, 0, 0, ())]
    assert [move.verb for move in standing(made)] == verbs


def many(name: str) -> Iterator[Game]:
    """Games that between them use every option, each with the next number of players."""
    rules = games.rules(name)
    fewest, most = rules.seats
    for seed in range(1000):
        players = fewest + seed % (most - fewest + 1)
        yield random_game(rules, players, random_options(rules, Random(seed)), seed)
