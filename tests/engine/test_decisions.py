"""Recorded decisions: today's rules play them to the recorded scores."""

from itertools import starmap

import pytest

from engine import games
from engine.game import act
from engine.games.pack_and_stack import LeftOver
from tests.simulators.decisions import Unplayable, answers, decided_games


@pytest.mark.parametrize("name", games.names())
def test_recorded_games_are_played_to_their_scores(name: str) -> None:
    rules = games.rules(name)
    for game in decided_games(name):
        state = rules.start(game.players, rules.options())
        for action, chance in answers(rules, game):
            state = act(rules, state, action, chance)[0]
        assert (state.over, rules.scores(state)) == (True, game.scores)


def test_rules_that_ask_for_each_number_play_the_same_games(monkeypatch: pytest.MonkeyPatch) -> None:
    rules, recorded = games.rules("pack_and_stack"), decided_games("pack_and_stack")
    fewer = [len(answers(rules, game)) for game in recorded]
    monkeypatch.setattr(LeftOver, "none_yet", lambda ask, state: False)
    more = [len(answers(rules, game)) for game in recorded]
    assert all(starmap(int.__lt__, zip(fewer, more, strict=True)))


def test_other_scores_are_refused() -> None:
    game = decided_games("kitty_paw")[0]
    with pytest.raises(Unplayable, match="kitty_paw ends with"):
        answers(games.rules("kitty_paw"), game._replace(scores=(0, 0)))


def test_a_decision_that_is_never_offered_is_refused() -> None:
    game = decided_games("kitty_paw")[0]
    unknown = game.decisions[0]._replace(verb="purr")
    with pytest.raises(Unplayable, match="no way to Decision"):
        answers(games.rules("kitty_paw"), game._replace(decisions=(unknown,)))
