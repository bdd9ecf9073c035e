"""The parts of the scores that statistics compare. That they add up is tried at random: test_random_sheets.py."""

import pytest

from engine.game import known
from engine.play import Play
from tests.engine.sheets.shelf import TICHU, WIZARD, sheet
from tests.engine.sheets.table import Table


def parts(play: Play) -> dict[str, tuple[int, ...]]:
    return {part.name: part.points for part in known(play.rules.categories)(play.state)}


def test_a_number_of_each_round_and_those_of_the_end_are_parts() -> None:
    asks = '{ id = "tricks", title = "Tricks {round}" }, { id = "cards", title = "Cards" }, { id = "x", kind = "yes" }'
    final = '{ id = "own", title = "Cards" }, { id = "best", kind = "seat", points = "best == seat" }'
    table = Table(sheet("[2, 2]", "start = 10", "rounds = 2", f"ask = [{asks}]", f"final = [{final}]"), 2)
    for tricks, cards in ((3, 20), (1, 7)):
        table.each("tricks", tricks, 0).each("cards", cards, 1).each("x", 1, 0)
    table.fix(1, -4).each("own", 2, 0).say(None, "best", 1)
    assert parts(table.play) == {"start": (10, 10), "tricks": (4, 0), "Cards": (29, 2), "best": (0, 1)}
    assert table.play.scores == (43, 9)


def test_partners_have_the_numbers_of_their_side() -> None:
    table = Table(sheet("[4, 4]", "teams = 2", 'ask = [{ id = "own" }, { id = "ours", per = "team" }]'), 4)
    table.each("own", 1, 2, 3, 4).say(2, "ours", 50).say(1, "ours", 60)
    assert parts(table.play) == {"own": (4, 6, 4, 6), "ours": (50, 60, 50, 60)}


def test_a_box_has_what_its_turn_has_brought() -> None:
    boxes = 'ask = [{ id = "a", per = "box" }, { id = "b", title = "Second", per = "box" }]'
    table = Table(sheet("[2, 2]", boxes, 'points = "a + 2 * b + 10 * (total < 1)"'), 2)
    table.say(0, "b", 3).say(1, "a", 2).say(0, "a", 1)
    assert parts(table.play) == {"a": (1, 12), "Second": (16, 0)}


def test_what_was_too_large_to_count_is_in_no_part() -> None:
    most = 999_999_999
    table = Table(sheet("[2, 2]", f'ask = [{{ id = "a", high = {most} }}, {{ id = "b", high = {most} }}]'), 2)
    for _ in range(2):
        table.each("a", most, 1).each("b", most, 1)
    table.say(None, "anyway")
    assert parts(table.play) == {"a": (0, 1), "b": (0, 1)}
    assert table.play.scores == (0, 2)


@pytest.mark.parametrize(
    "text",
    [
        WIZARD,
        TICHU,
        sheet("[2, 2]", 'ask = [{ id = "a" }]'),
        sheet("[2, 2]", 'ask = [{ id = "a" }, { id = "b" }]\ntotal = "max(0, total + points)"'),
        sheet("[2, 2]", 'race = { kind = "first" }\nfinal = [{ id = "a" }]'),
    ],
)
def test_one_formula_has_no_parts(text: str) -> None:
    assert Table(text, 4 if text == TICHU else 3 if text == WIZARD else 2).rules.categories is None
