"""The shipped sheets as files, and the games of them that were worked out by hand."""

import tomllib
from pathlib import Path
from typing import Any

import firmware
from tests.engine.sheets import (
    edges_of_boards,
    edges_of_cards,
    edges_of_dice_and_sport,
    edges_of_more_cards,
    edges_of_races,
    edges_of_tricks,
    plays_of_boards,
    plays_of_cards,
    plays_of_dice_and_sport,
    plays_of_races,
    plays_of_tricks,
)
from tests.engine.sheets.plays import Play, Refused

SHELF = Path(firmware.__file__).with_name("shelf")
FILES = sorted(SHELF.glob("*.toml"))
SHEETS: dict[str, dict[str, Any]] = {path.stem: tomllib.loads(path.read_text(encoding="utf-8")) for path in FILES}
PLAYS: list[Play] = [
    *plays_of_tricks.PLAYS,
    *plays_of_cards.PLAYS,
    *plays_of_boards.PLAYS,
    *plays_of_dice_and_sport.PLAYS,
    *plays_of_races.PLAYS,
    *edges_of_tricks.PLAYS,
    *edges_of_cards.PLAYS,
    *edges_of_more_cards.PLAYS,
    *edges_of_boards.PLAYS,
    *edges_of_dice_and_sport.PLAYS,
    *edges_of_races.PLAYS,
]
REFUSED: list[Refused] = [*plays_of_tricks.REFUSED, *plays_of_cards.REFUSED, *plays_of_boards.REFUSED]
CLOCKS = {"turn_timer", "chess_clock"}  # clocks alone: they have no sums


def name(play: Play) -> str:
    return f"{play.sheet}: {play.name}"


def test_every_sheet_with_sums_is_played() -> None:
    assert {play.sheet for play in PLAYS} == set(SHEETS) - CLOCKS


def test_every_sheet_names_a_public_source() -> None:
    assert [sheet for sheet, keys in SHEETS.items() if not keys.get("source", "").startswith("https://")] == []


def test_no_sheet_is_longer_than_twenty_lines() -> None:
    assert [path.stem for path in FILES if len(path.read_text(encoding="utf-8").splitlines()) > 20] == []


def test_no_two_sheets_are_the_same_game() -> None:
    titles = [keys["title"].casefold() for keys in SHEETS.values()]
    numbers = [keys["bgg"] for keys in SHEETS.values() if "bgg" in keys]
    assert (len(set(titles)), len(set(numbers))) == (len(titles), len(numbers))
