"""Sheets played at random by the offers alone: they end, replay, and every step can be undone and brought back."""

import json

import msgspec
import pytest

from engine.sheets.reading import read
from engine.sheets.rules import rules
from tests.engine.sheets.shelf import SHELF
from tests.simulators.every_game import names, rules_of
from tests.simulators.players import random_game
from tests.simulators.random_play import check_end, check_replay, check_undo

GAMES = 2  # for the fewest and the most players
SHEETS = {name: rules(f"sheet:{name}", read(text)) for name, text in SHELF.items()} | {
    name: rules_of(name) for name in names() if name.startswith("sheet:")
}
TABLES = [(name, players) for name, one in SHEETS.items() for players in sorted(set(one.seats))]


@pytest.mark.parametrize(("name", "players"), TABLES)
def test_random_games_end_replay_and_undo(name: str, players: int) -> None:
    for seed in range(GAMES):
        game = random_game(SHEETS[name], players, SHEETS[name].options(), seed)
        check_end(game)
        check_replay(game)
        check_undo(game)
        assert json.loads(msgspec.json.encode(game.play.state))
