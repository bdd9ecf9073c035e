"""The score sheet: what each round has brought, and how long it has taken."""

from functools import reduce
from itertools import accumulate
from random import Random

import pytest

from engine import games
from engine import play as plays
from engine.play import Fact
from engine.rules import Action
from firmware.journal import sheet
from firmware.journal.reader import GameRow, Replay
from tests.simulators.players import random_game, random_options

S = 1_000_000_000
PAW = games.rules("kitty_paw")
ROW = GameRow(1, "kitty_paw", "2026-11-22T19:00:00+00:00")


ROUND = [  # B calls and scores 6, A is the last: so many seconds before the round's end
    (Action(0, "hands"), 10),
    (Action(1, "hands"), 10),
    (Action(1, "meow"), 5),
    (Action(None, "check", "yes"), 2),
    (Action(None, "points", 6), 1),
    (Action(None, "next"), 0),
]


class Evening:
    """A game of Kitty Paw for two, which began at 100 s; `fix@130` is a point by hand at 130 s."""

    def __init__(self, words: str) -> None:
        self.facts = [plays.start(PAW, ("A", "B"), PAW.options(), 7, 100 * S)]
        self.play = plays.opened(PAW, self.facts[0], "boot-1")
        for word in words.split():
            name, _, at_s = word.partition("@")
            for action, before_s in ROUND if name == "round" else [(Action(None, name), 0)]:
                caused = self._cause(action._replace(at_ns=(int(at_s) - before_s) * S))
                self.facts += caused
                self.play = reduce(plays.fold, caused, self.play)

    def _cause(self, action: Action) -> tuple[Fact, ...]:
        match action.verb:
            case "hand":
                return plays.answer(self.play, Action(0, "hands", None, action.at_ns))
            case "fix":
                return plays.fix(self.play, 0, 1, action.at_ns)
            case "end":
                return plays.end(self.play, action.at_ns)
            case "undo":
                return plays.undo(self.play, action.at_ns)
            case "again":  # it was put away, and is gone on with
                return plays.resume(self.play, "boot-1", action.at_ns)
            case "cut":  # the plug was pulled
                return plays.resume(self.play, "boot-2", action.at_ns)
            case _:
                return plays.answer(self.play, action)

    @property
    def took(self) -> tuple[float | None, dict[int, float | None]]:
        """In seconds."""
        begun = plays.opened(PAW, self.facts[0], "boot-1")
        game, rounds = sheet.took(
            Replay(tuple(self.facts), tuple(accumulate(self.facts[1:], plays.fold, initial=begun)))
        )
        return seconds(game), {number: seconds(ns) for number, ns in rounds.items()}


def seconds(ns: int | None) -> float | None:
    return None if ns is None else ns / S


TOOK: dict[str, tuple[str, int | None, dict[int, int | None]]] = {
    "a round lasts until the next one begins": ("round@120 round@200", 100, {1: 20, 2: 80}),
    "the round that is on lasts until the last step": ("round@120 fix@150", 50, {1: 20, 2: 30}),
    "a round over a power cut has none": ("round@120 fix@130 cut@5 round@30 round@60", None, {1: 20, 2: None, 3: 30}),
    "what lay put away does not count": ("fix@110 again@9000 fix@9005", 15, {1: 15}),
    "what comes after the end does not count": ("fix@110 end@130 undo@9000 fix@9005", 35, {1: 35}),
    "a power cut after the end costs none": ("end@130 cut@5", 30, {1: 30}),
    "what was undone counts where it was spent": ("round@120 undo@150 next@160", 60, {1: 30, 2: 30}),
}


@pytest.mark.parametrize(("words", "game", "rounds"), TOOK.values(), ids=TOOK)
def test_a_game_and_its_rounds_take_time(words: str, game: int | None, rounds: dict[int, int | None]) -> None:
    assert Evening(words).took == (game, rounds)


@pytest.mark.parametrize(
    ("ns", "text"), [(48 * S, "0:48"), (3723 * S, "1:02:03"), (0, "0:00"), (-1, "0:00"), (None, "–")]
)
def test_a_duration_is_minutes_and_seconds(ns: int | None, text: str) -> None:
    assert sheet.duration(ns) == text


@pytest.mark.parametrize("seed", [1, 2, 3])
@pytest.mark.parametrize("name", games.names())
def test_start_and_rounds_add_up_to_the_scores_and_each_has_one_row(name: str, seed: int) -> None:
    rules, dice = games.rules(name), Random(seed)
    play = random_game(rules, dice.randint(*rules.seats), random_options(rules, dice), seed).play
    rounds = sheet.rounds(play)
    rows = (sheet.rules_start(play), *(each.moved for each in rounds))
    assert tuple(map(sum, zip(*rows, strict=True))) == play.scores
    assert [each.round for each in rounds] == list(range(1, len(rounds) + 1))


def test_a_round_that_was_undone_has_no_row_and_one_without_points_has_one() -> None:
    undone = Evening("round@120 fix@130 undo@150 undo@151").play
    assert [each.round for each in sheet.rounds(undone)] == [1]
    assert [each.moved for each in sheet.rounds(Evening("hand@110").play)] == [(0, 0)]


def test_long_names_stand_apart() -> None:
    names = ("Maximilian", "Alexandria", "Bo")
    play = plays.opened(PAW, plays.start(PAW, names, PAW.options(), 7))
    assert sheet.as_text(ROW, None, play, sheet.Took(None, {})).splitlines()[1].split() == [*names, "time"]


@pytest.mark.parametrize(("words", "standing"), [("fix@110", "not finished"), ("end@110", "ended by hand")])
def test_how_a_game_stands_is_said(words: str, standing: str) -> None:
    assert sheet.standing(Evening(words).play) == standing


def test_a_game_that_nobody_has_won_says_so() -> None:
    rules = games.rules("pack_the_essentials")
    alone = (random_game(rules, 1, rules.options(), seed).play for seed in range(999))
    assert sheet.standing(next(play for play in alone if not play.winners)) == "nobody won"
