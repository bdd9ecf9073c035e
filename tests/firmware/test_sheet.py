"""The score sheet: what each round has brought, and how long it has taken."""

from collections.abc import Callable
from functools import reduce
from random import Random

import pytest

from engine import games
from engine import play as plays
from engine.play import Fact, Play
from engine.rules import Action, Seat, Value
from firmware.journal import sheet
from firmware.journal.reader import GameRow
from tests.simulators.players import random_game, random_options

S = 1_000_000_000
PAW = games.rules("kitty_paw")
ROW = GameRow(1, "kitty_paw", "2026-11-22T19:00:00+00:00")


class Evening:
    """A game of Kitty Paw for two, fact by fact; it began at 100 s."""

    def __init__(self) -> None:
        self.facts = [plays.start(PAW, ("A", "B"), PAW.options(), 7, 100 * S)]
        self.play = plays.opened(PAW, self.facts[0], "boot-1")

    def then(self, at_s: float, cause: Callable[[Play, int], tuple[Fact, ...]]) -> "Evening":
        """Something happens."""
        caused = cause(self.play, round(at_s * S))
        self.facts += caused
        self.play = reduce(plays.fold, caused, self.play)
        return self

    def answer(self, at_s: float, seat: Seat | None, verb: str, value: Value = None) -> "Evening":
        """A question is answered."""
        return self.then(at_s, lambda play, at_ns: plays.answer(play, Action(seat, verb, value, at_ns)))

    def fixed(self, at_s: float) -> "Evening":
        """A point by hand."""
        return self.then(at_s, lambda play, at_ns: plays.fix(play, 0, 1, at_ns))

    def resumed(self, at_s: float, boot: str) -> "Evening":
        """It was put away, and is gone on with."""
        return self.then(at_s, lambda play, at_ns: plays.resume(play, boot, at_ns))

    def round(self, end_s: float) -> "Evening":
        """The rest of a round: B calls and scores 6, A is the last."""
        self.answer(end_s - 10, 0, "hands").answer(end_s - 10, 1, "hands").answer(end_s - 5, 1, "meow")
        self.answer(end_s - 2, None, "check", "yes").answer(end_s - 1, None, "points", 6)
        return self.answer(end_s, None, "next")

    @property
    def took(self) -> tuple[float | None, dict[int, float | None]]:
        """In seconds."""
        game, rounds = sheet.took(PAW, self.facts, "boot-1")
        return seconds(game), {number: seconds(ns) for number, ns in rounds.items()}


def seconds(ns: int | None) -> float | None:
    return None if ns is None else ns / S


# --- durations -------------------------------------------------------------------------------------------------------


DURATIONS = [
    ("a round lasts until the next one begins", Evening().round(120).round(200), 100, {1: 20, 2: 80}),
    ("the round that is on lasts until the last step", Evening().round(120).fixed(150), 50, {1: 20, 2: 30}),
    (
        "a round over a power cut has none",
        Evening().round(120).fixed(130).resumed(5, "boot-2").round(30).round(60),
        None,
        {1: 20, 2: None, 3: 30},
    ),
    ("what lay put away", Evening().fixed(110).resumed(9000, "boot-1").fixed(9005), 15, {1: 15}),
    (
        "what comes after the end",
        Evening().fixed(110).then(130, plays.end).then(9000, plays.undo).fixed(9005),
        35,
        {1: 35},
    ),
    ("a power cut after the end costs none", Evening().then(130, plays.end).resumed(5, "boot-2"), 30, {1: 30}),
    (
        "time spent in a round counts for it also where it was undone",
        Evening().round(120).then(150, plays.undo).answer(160, None, "next"),
        60,
        {1: 30, 2: 30},
    ),
]


@pytest.mark.parametrize(("evening", "game", "rounds"), [c[1:] for c in DURATIONS], ids=[c[0] for c in DURATIONS])
def test_a_game_and_its_rounds_have_durations(
    evening: Evening, game: float | None, rounds: dict[int, float | None]
) -> None:
    assert evening.took == (game, rounds)


@pytest.mark.parametrize(
    ("ns", "text"), [(48 * S, "0:48"), (3723 * S, "1:02:03"), (0, "0:00"), (-1, "0:00"), (None, "–")]
)
def test_a_duration_is_minutes_and_seconds(ns: int | None, text: str) -> None:
    assert sheet.duration(ns) == text


# --- rounds ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", [1, 2, 3])
@pytest.mark.parametrize("name", games.names())
def test_start_and_rounds_add_up_to_the_scores_and_each_has_one_row(name: str, seed: int) -> None:
    rules, dice = games.rules(name), Random(seed)
    play = random_game(rules, dice.randint(*rules.seats), random_options(rules, dice), seed).play
    rounds = sheet.rounds(play)
    rows = (sheet.rules_start(play), *(each.moved for each in rounds))
    assert tuple(map(sum, zip(*rows, strict=True))) == play.scores
    assert [each.round for each in rounds] == list(range(1, len(rounds) + 1))


def test_a_round_that_was_undone_has_no_row() -> None:
    play = Evening().round(120).fixed(130).then(150, plays.undo).then(151, plays.undo).play
    assert [each.round for each in sheet.rounds(play)] == [1]


def test_a_round_without_points_has_a_row() -> None:
    assert [each.moved for each in sheet.rounds(Evening().answer(110, 0, "hands").play)] == [(0, 0)]


# --- on paper --------------------------------------------------------------------------------------------------------


def test_long_names_stand_apart() -> None:
    names = ("Maximilian", "Alexandria", "Bo")
    play = plays.opened(PAW, plays.start(PAW, names, PAW.options(), 7))
    assert sheet.as_text(ROW, play, sheet.Took(None, {})).splitlines()[1].split() == [*names, "time"]


@pytest.mark.parametrize(
    ("evening", "words"),
    [(Evening().fixed(110), "not finished"), (Evening().then(110, plays.end), "ended by hand")],
    ids=["open", "ended"],
)
def test_how_a_game_stands_is_said(evening: Evening, words: str) -> None:
    assert sheet.standing(evening.play) == words


def test_a_game_that_nobody_has_won_says_so() -> None:
    rules = games.rules("pack_the_essentials")
    alone = (random_game(rules, 1, rules.options(), seed).play for seed in range(999))
    assert sheet.standing(next(play for play in alone if not play.winners)) == "nobody won"
