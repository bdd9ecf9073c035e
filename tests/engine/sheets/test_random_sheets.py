"""Sheets played at random by the offers alone: they end, replay, and every step can be undone."""

import json

import msgspec
import pytest

from engine import play as plays
from engine.sheets.reading import read
from tests.engine.sheets.shelf import SHELF
from tests.engine.sheets.table import random_table

TABLES = [(name, players) for name, text in SHELF.items() for players in sorted(set(read(text).players))]


@pytest.mark.parametrize(("name", "players"), TABLES)
def test_random_games_end_replay_and_undo(name: str, players: int) -> None:
    for seed in range(3):
        table = random_table(SHELF[name], players, seed)
        play = table.play
        assert plays.replay(table.rules, tuple(table.facts)).state == play.state
        assert json.loads(msgspec.json.encode(play.state))
        while plays.without_trace(play).past is not None:
            undone = plays.fold(play, plays.undo(play)[0])
            if undone.future is not None:
                assert plays.fold(undone, plays.redo(undone)[0]).state == plays.without_trace(play).state
            play = undone
        first = plays.opened(table.rules, table.facts[0])
        assert play.state == first.state
