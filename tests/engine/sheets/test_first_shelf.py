"""The first 68 sheets that came with the kit: games were played with them, so they mean for ever what they meant."""

import json
from itertools import islice
from pathlib import Path

import pytest

from engine import play as plays
from engine.sheets.reading import read
from engine.sheets.rules import rules
from engine.sheets.sheet import variant
from firmware.random_play.strangers import moves
from firmware.shelf.folders import SHIPPED
from tests.engine.sheets.random_plays import PLAYERS

FOLDER = Path(__file__).parent / "first_shelf"
VARIANTS = json.loads((FOLDER / "variants.json").read_text("utf-8"))
ANSWERS = 150
# those that have another meaning now; of all others the sums by hand are looked at in test_shelf.py
CHANGED = {
    *("doppelkopf", "flip_7", "karuta", "kingdomino", "scrabble", "skull_king", "spades", "sushi_go", "ticket_to_ride"),
    "tichu",
}


def text_of(name: str) -> str:
    return (FOLDER / f"{name}.toml").read_text("utf-8")


def test_there_are_68() -> None:
    assert len(VARIANTS) == 68 == len(list(FOLDER.glob("*.toml")))


@pytest.mark.parametrize("name", VARIANTS)
def test_each_is_read_is_the_same_game_and_is_played(name: str) -> None:
    sheet = read(text_of(name))
    assert variant(sheet) == VARIANTS[name]
    game = rules(f"sheet:{name}", sheet, text_of(name))
    for players in set(game.seats):
        first = plays.start(game, PLAYERS[:players], game.options(), 0)
        facts = [first, *(fact for move in islice(moves(game, PLAYERS[:players], 0), ANSWERS) for fact in move.facts)]
        assert plays.replay(game, tuple(facts)).scores


def test_no_other_sheet_has_another_meaning_now() -> None:
    now = {name: variant(read((SHIPPED / f"{name}.toml").read_text("utf-8"))) for name in VARIANTS}
    assert {name for name in VARIANTS if now[name] != VARIANTS[name]} == CHANGED
