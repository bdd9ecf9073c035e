"""Sheets played at random by the offers alone: all that holds of every game, whatever is answered.

Games end, replay, and every step can be undone and brought back. The parts of the scores add up, whatever is put right.
Totals of shipped sheets are those of the games' own rules, written by hand. On a whole kit: test_every_sheet.py.
"""

from functools import reduce
from random import Random

import msgspec
import pytest

from engine import play as plays
from engine.game import known
from engine.play import Play
from engine.rules import Refused
from engine.sheets.reading import read
from engine.sheets.rules import rules
from tests.engine.sheets import plays as by_hand
from tests.engine.sheets.random_plays import amended, random_play
from tests.engine.sheets.shelf import SHELF
from tests.engine.sheets.test_shelf_sums import PLAYS
from tests.simulators.every_game import names, rules_of
from tests.simulators.players import Game, random_game
from tests.simulators.random_play import check_end, check_replay, check_undo

SHEETS = {name: rules(f"sheet:{name}", read(text)) for name, text in SHELF.items()} | {
    name: rules_of(name) for name in names() if name.startswith("sheet:")
}
TABLES = [(name, players) for name, one in SHEETS.items() for players in sorted(set(one.seats))]
BY_HAND = {(play.sheet, play.players): play for play in PLAYS}
BY_HAND_GAMES = 5  # a wrong number shows in few of them
STRIDE = 10  # the parts of a score are added up after so many facts


@pytest.mark.parametrize(("name", "players"), TABLES)
def test_random_games_end_add_up_replay_and_undo(name: str, players: int) -> None:
    game = random_game(SHEETS[name], players, SHEETS[name].options(), seed=0)  # more: scripts/random play
    check_end(game)
    check_replay(game)
    check_undo(game)
    assert msgspec.json.decode(msgspec.json.encode(game.play.state))
    if SHEETS[name].categories is not None:
        check_parts(game, Random(name))


def check_parts(game: Game, dice: Random) -> None:
    """The parts of the scores and what was fixed by hand are the scores, also once numbers were put right."""
    play = plays.opened(game.play.rules, game.facts[0])
    for n, fact in enumerate(game.facts[1:]):
        play = plays.fold(play, fact)
        if n % STRIDE == 0 or fact is game.facts[-1]:
            assert added(play) == play.scores
            right = put_right(put_right(play, dice), dice)
            assert added(right) == right.scores


def added(play: Play) -> tuple[int, ...]:
    """The sum of the parts and of what was fixed by hand, by seat."""
    parts = [part.points for part in known(play.rules.categories)(play.state)]
    return tuple(map(sum, zip(*parts, play.state.corrected, strict=True)))


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


@pytest.mark.parametrize("play", BY_HAND.values(), ids=lambda play: f"{play.sheet} with {play.players}")
def test_random_games_have_the_totals_of_the_games_own_rules(play: by_hand.Play) -> None:
    games = [random_play(play, seed) for seed in range(BY_HAND_GAMES)]
    assert [game.totals for game in games] == [game.sums(game) for game in games]
    assert any(game.steps for game in games)


def test_an_earlier_answer_put_right_gives_the_totals_of_the_games_own_rules() -> None:
    found = {(play.sheet, seed): amended(play, seed) for play in BY_HAND.values() for seed in range(BY_HAND_GAMES)}
    right = {key: totals for key, totals in found.items() if totals is not None}
    assert {key: by_kit for key, (by_kit, _own) in right.items()} == {key: own for key, (_kit, own) in right.items()}
    assert len(right) > 100 and len({sheet for sheet, _seed in right}) > 30
