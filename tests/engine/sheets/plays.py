"""Played games of the shipped sheets: what was answered, and the sums worked out by hand.

Answers of a step are a dict from the id of an ask to its value, in the order in which they are asked. A value is
always a number, as in the line protocol: yes is 1, a word is its place, nobody is -1. A list has a number for each seat
(an ask per `each`), or for each side (per `team`); None stands where nobody is asked. Two keys are not asks:

    "by"      the seat that has the turn, presses, or is first in a race with asks
    "placed"  the place of each seat in a race, 0: none

A step is a round of all, or one turn, one press of `any`, one answered place of a race.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

Answers = Mapping[str, int | Sequence[int | None]]
Totals = list[int]
Sums = Callable[["Play"], list[Totals]]


@dataclass(frozen=True)
class Play:
    """One game: `totals` has the totals of all seats after each step, and once more after `final`."""

    sheet: str
    name: str
    players: int
    steps: Sequence[Answers]
    totals: Sequence[Totals]
    winners: Sequence[int]
    sums: Sums  # the same totals again, by the game's own rules
    final: Answers | None = None
    end: Literal["itself", "finish", "open"] = "itself"  # it ends by itself, the table finishes it, it goes on


@dataclass(frozen=True)
class Refused:
    """Answers of the first round that a check of the sheet does not take, because of the asks in `again`."""

    sheet: str
    players: int
    answers: Answers
    again: Sequence[str]


def digits(row: str) -> list[int]:
    """A number for each seat, as in "2013"."""
    return [int(digit) for digit in row]


def numbers(answers: Answers, ask: str) -> list[int]:
    """What each seat, or each side, answered; 0 where nobody was asked."""
    values = answers[ask]
    assert not isinstance(values, int)
    return [value or 0 for value in values]


def number(answers: Answers, ask: str) -> int:
    """What the table, or the seat whose turn it is, answered; 0 where it was not asked."""
    value = answers.get(ask, 0)
    assert isinstance(value, int)
    return value


def added(gains: Iterable[Sequence[int]], start: Sequence[int]) -> list[Totals]:
    """Return the totals after each of these gains."""
    totals, total = [], list(start)
    for gain in gains:
        total = [before + more for before, more in zip(total, gain, strict=True)]
        totals.append(total)
    return totals


def by_round(points: Callable[[Answers, int], Sequence[int]]) -> Sums:
    """Sums of a game that adds the points of each round, from 1, and of the end (round 0)."""

    def sums(play: Play) -> list[Totals]:
        gains = [points(answers, n) for n, answers in enumerate(play.steps, 1)]
        if play.final is not None:
            gains.append(points(play.final, 0))
        return added(gains, [0] * play.players)

    return sums


def by_seat(points: Callable[[Answers], int], start: int = 0) -> Sums:
    """Sums of a game in which each step changes the total of one seat."""

    def sums(play: Play) -> list[Totals]:
        gains = [[points(turn) if turn.get("by") == seat else 0 for seat in range(play.players)] for turn in play.steps]
        return added(gains, [start] * play.players)

    return sums
