"""Answers with which the checks of a sheet hold, looked for by changing single ones: for those who play at random."""

from collections.abc import Collection
from random import Random
from typing import NamedTuple

from engine.rules import put
from engine.sheets.expressions import LIMIT, NoValue
from engine.sheets.state import Fold, SheetState, Uncountable, holders, inside, limits, rows

WORSE = 0.02  # how often a change is kept that leads away


class Found(NamedTuple):
    """What a search has come to."""

    state: SheetState  # with other answers; the checks need not hold
    tries: int  # so many answers were changed


def search(state: SheetState, asks: Collection[int], dice: Random, most: int) -> Found:
    """The state with answers to these asks with which the checks hold, if `most` tries come to such."""
    best = missing(state, asks)
    for tries in range(most):
        if best == 0:
            return Found(state, tries)
        other = changed(state, dice.choice(sorted(asks)), dice)
        left = missing(other, asks)
        if left <= best or dice.random() < WORSE:
            state, best = other, left
    return Found(state, most)


def missing(state: SheetState, asks: Collection[int]) -> int:
    """How far the checks are from holding once the last of these asks is answered."""
    fold, total = Fold(state), 0
    for n, check in enumerate(state.game.program.checks):
        if check.after <= max(asks) and n not in state.round.waived:
            try:
                fold.let(check.lets)
                total += sum([check.gap(row) for row in fold.rows])
            except (NoValue, Uncountable):
                total += LIMIT
    return total


def changed(state: SheetState, at: int, dice: Random) -> SheetState:
    """The state with another answer to an ask: any, or one near the old one."""
    ask, table = state.game.program.asks[at], rows(state)
    seats = state.round.asked if ask.per in ("turn", "race", "any", "box") else inside(state)
    seat = dice.choice(seats)
    low, high = limits(ask, table.rows[seat])
    number = low + ask.step * dice.randint(0, (high - low) // ask.step)
    if dice.random() < 0.5:
        number = min(max(low, table.rows[seat][ask.place] + dice.choice((-2, -1, 1, 2)) * ask.step), high)
    numbers = dict(state.round.answers)[at]
    for one in holders(state, ask, seat):
        numbers = put(numbers, one, number)
    return state.with_answers(at, numbers, state.ask)
