"""The shipped sheets as files, and the games of them that were worked out by hand."""

import tomllib
from pathlib import Path
from typing import Any

import pytest

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
USUAL: list[Play] = [
    *plays_of_tricks.PLAYS,
    *plays_of_cards.PLAYS,
    *plays_of_boards.PLAYS,
    *plays_of_dice_and_sport.PLAYS,
    *plays_of_races.PLAYS,
]
PLAYS: list[Play] = [
    *USUAL,
    *edges_of_tricks.PLAYS,
    *edges_of_cards.PLAYS,
    *edges_of_more_cards.PLAYS,
    *edges_of_boards.PLAYS,
    *edges_of_dice_and_sport.PLAYS,
    *edges_of_races.PLAYS,
]
REFUSED: list[Refused] = [*plays_of_tricks.REFUSED, *plays_of_cards.REFUSED, *plays_of_boards.REFUSED]
CLOCKS = {"turn_timer", "chess_clock"}  # clocks alone: they have no sums
ONE_WINNER = {  # games that end before two can be level, and why
    "cornhole": "one side scores in a round",
    "cribbage": "one count ends it",
    "crokinole": "one side scores in a round",
    "darts_501": "one turn ends it",
    "euchre": "one side scores in a deal",
    "five_hundred": "only the bidders reach 500 or fall to -500",
    "flip_7": "it goes on while two are level",
    "jungle_speed": "one has no cards left first",
    "liars_dice": "one is left",
    "love_letter": "one wins each round",
    "magic": "one is left",
    "molkky": "one turn ends it, or one is left",
    "munchkin": "one press ends it",
    "pass_the_pigs": "one turn ends it, or one is left",
    "petanque": "one side scores in an end",
    "quiz_buzzer": "one answer ends it",
    "scopa": "it goes on while two are level",
    "spoons": "one is left",
    "table_tennis": "it goes on while two are level",
    "uno": "one scores in a round",
}


def name(play: Play) -> str:
    return f"{play.sheet}: {play.name}"


def test_every_sheet_with_sums_is_played() -> None:
    assert {play.sheet for play in PLAYS} == set(SHEETS) - CLOCKS


def sides(sheet: str, play: Play) -> int:
    """How many have won it, where partners count as one."""
    teams = SHEETS[sheet].get("teams", play.players)
    return len({seat % teams for seat in play.winners})


@pytest.mark.parametrize("sheet", sorted(set(SHEETS) - CLOCKS))
def test_every_sheet_is_played_to_its_end_by_fewest_and_most_who_are_level(sheet: str) -> None:
    games = [play for play in PLAYS if play.sheet == sheet]
    numbers = set(SHEETS[sheet]["players"])
    over = {play.players for play in games if play.end != "open"}
    level = {play.players for play in games if sides(sheet, play) > 1}
    assert numbers <= over
    assert level == set() if sheet in ONE_WINNER else numbers - {1} <= level
    assert sum(len(play.steps) for play in games) >= 3


@pytest.mark.parametrize(
    ("sheet", "ask"),
    [
        (sheet, ask["id"])
        for sheet, keys in SHEETS.items()
        for ask in [*keys.get("ask", ()), *keys.get("final", ())]
        if ask.get("high") != 0  # there to add something of the others, and never asked
    ],
)
def test_every_question_has_two_answers_and_every_word_is_chosen(sheet: str, ask: str) -> None:
    games = [play for play in PLAYS if play.sheet == sheet]
    answers = [step[ask] for play in games for step in [*play.steps, play.final or {}] if ask in step]
    given = {one for some in answers for one in ([some] if isinstance(some, int) else some) if one is not None}
    (keys,) = [one for one in [*SHEETS[sheet].get("ask", ()), *SHEETS[sheet].get("final", ())] if one["id"] == ask]
    assert set(range(len(keys.get("words", ())))) <= given
    assert len(given) > 1


def test_the_totals_by_hand_are_those_of_the_games_own_rules() -> None:
    assert [name(play) for play in PLAYS if play.sums(play) != list(play.totals)] == []


def test_every_sheet_names_a_public_source() -> None:
    assert [sheet for sheet, keys in SHEETS.items() if not keys.get("source", "").startswith("https://")] == []


def test_no_sheet_is_longer_than_twenty_lines() -> None:
    assert [path.stem for path in FILES if len(path.read_text(encoding="utf-8").splitlines()) > 20] == []


def test_no_two_sheets_are_the_same_game() -> None:
    titles = [keys["title"].casefold() for keys in SHEETS.values()]
    numbers = [keys["bgg"] for keys in SHEETS.values() if "bgg" in keys]
    assert (len(set(titles)), len(set(numbers))) == (len(titles), len(numbers))
