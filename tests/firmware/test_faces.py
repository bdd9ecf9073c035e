"""What is said while a question stands: a phone has the sentences of the display, in every game."""

from collections.abc import Iterable, Iterator
from functools import reduce
from random import Random

import pytest

from engine import games, play
from engine.play import Play
from firmware.output import public, screens
from firmware.output.screens.canvas import Text, texts
from firmware.output.screens.seats import IN_A_ROW
from tests.simulators.players import random_game, random_options

GAMES = 3  # of each number of players
MOST = 40  # faces of a question
LATER_NS = (0, 700_000_000, 2_500_000_000)  # a flash, and a verdict that stands large, are over


def on_display(now: Play, at_ns: int) -> str:
    """All that the display shows of a question, one moment after the other."""
    return " ".join(text for later_ns in LATER_NS for text in texts(screens.draw(now, now_ns=at_ns + later_ns)))


def unseen(sentences: Iterable[Text], display: str) -> Iterator[str]:
    """Those that a display shows in none of their lengths."""
    for sentence in sentences:
        each = (sentence,) if isinstance(sentence, str) else sentence
        if not any(text in display or " ".join(text) in display for text in each):  # letters of a name stand apart
            yield each[0]


@pytest.mark.parametrize("name", games.names())
def test_a_phone_says_what_the_display_says(name: str) -> None:
    rules, met, different = games.rules(name), dict[type, set[tuple[str, ...]]](), set[tuple[str, str, str]]()
    known, worded = set[str](), set[str]()
    for players in range(rules.seats[0], min(rules.seats[1], IN_A_ROW) + 1):  # two rows have no room for all of it
        for seed in range(GAMES):
            game = random_game(rules, players, random_options(rules, Random(seed), programs=False), seed)
            now = play.opened(rules, game.facts[0])
            for move in game.moves:
                now = reduce(play.fold, move.facts, now)
                ask, said = type(now.state.ask.standing(now.state)), tuple(public.game(now, now.players)["said"])
                known |= set(ask.verbs)
                worded |= set(rules.face(now.state).does)
                if now.over or said in met.setdefault(ask, set()) or len(met[ask]) > MOST:
                    continue
                met[ask].add(said)
                display = on_display(now, move.at_ns)
                different |= {(ask.__name__, text, display) for text in unseen(screens.sentences(now), display)}
    assert (different, worded - known) == (set(), set())
    assert len(met) > 5
