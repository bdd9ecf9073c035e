"""The parts of the scores that statistics compare: they add up, whatever was put right."""

from functools import reduce
from random import Random

import pytest

from engine import play as plays
from engine.game import known
from engine.play import Play
from engine.rules import Refused
from tests.engine.sheets.shelf import TICHU, WIZARD, sheet
from tests.engine.sheets.table import Table
from tests.simulators.every_game import names, rules_of
from tests.simulators.players import random_game

SHEETS = {name: rules for name in names() if name.startswith("sheet:") and (rules := rules_of(name)).categories}


def parts(play: Play) -> dict[str, tuple[int, ...]]:
    return {part.name: part.points for part in known(play.rules.categories)(play.state)}


def added(play: Play) -> tuple[int, ...]:
    """The sum of the parts and of what was fixed by hand, by seat."""
    return tuple(map(sum, zip(*parts(play).values(), play.state.corrected, strict=True)))


def put_right(play: Play, dice: Random) -> Play:
    """The play with one number of an earlier round put right, if another one fits."""
    rules = play.rules
    entries = [(row.round, one) for block in known(rules.tally)(play.state) for row in block
               for one in known(rules.entered)(play.state, row.round)]  # fmt: skip
    if not entries:
        return play
    round_, one = dice.choice(entries)
    try:
        facts = plays.amend(play, round_, [(one.seat, one.verb, dice.randint(one.low, min(one.high, one.low + 40)))])
    except Refused:
        return play
    return reduce(plays.fold, facts, play)


@pytest.mark.parametrize("name", SHEETS)
def test_parts_add_up_in_random_games_with_rounds_put_right(name: str) -> None:
    rules, dice = SHEETS[name], Random(name)
    for seed, players in enumerate(sorted(set(rules.seats))):
        game = random_game(rules, players, rules.options(), seed)
        play = plays.opened(rules, game.facts[0])
        for n, fact in enumerate(game.facts[1:]):
            play = plays.fold(play, fact)
            if n % 10 == 0 or fact is game.facts[-1]:
                assert added(play) == play.scores
                right = put_right(put_right(play, dice), dice)
                assert added(right) == right.scores


def test_a_number_of_each_round_and_those_of_the_end_are_parts() -> None:
    asks = '{ id = "tricks", title = "Tricks {round}" }, { id = "cards", title = "Cards" }, { id = "x", kind = "yes" }'
    final = '{ id = "own", title = "Cards" }, { id = "best", kind = "seat", points = "best == seat" }'
    table = Table(sheet("[2, 2]", "start = 10", "rounds = 2", f"ask = [{asks}]", f"final = [{final}]"), 2)
    for tricks, cards in ((3, 20), (1, 7)):
        table.each("tricks", tricks, 0).each("cards", cards, 1).each("x", 1, 0)
    table.fix(1, -4).each("own", 2, 0).say(None, "best", 1)
    assert parts(table.play) == {"start": (10, 10), "tricks": (4, 0), "Cards": (29, 2), "best": (0, 1)}
    assert added(table.play) == table.play.scores == (43, 9)


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
