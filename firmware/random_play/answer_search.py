"""Answers with which the checks of a sheet hold, looked for by changing single ones: for those who play at random."""

import ast
from collections.abc import Collection
from functools import cached_property
from random import Random
from typing import NamedTuple

from engine.rules import Seat, put
from engine.sheets.asking import AskedNumbers, Complete, opened
from engine.sheets.expressions import LIMIT, NoValue, Row, Run, compiled
from engine.sheets.program import Program, places_of, steps_of
from engine.sheets.state import Fold, Given, SheetState, Uncountable, holders, inside, limits, rows, scored

WORSE = 0.02  # how often a change is kept that leads away


class Found(NamedTuple):
    """What a search has come to."""

    state: SheetState  # with other answers; the checks need not hold
    tries: int  # so many answers were changed


class AnswerSearch:
    """Looks for answers to the asks of a sheet."""

    def __init__(self, program: Program, dice: Random) -> None:
        self.program, self.dice = program, dice
        self.found: tuple[Given, ...] = ()  # answers to the last round with which the end came nearer

    @cached_property
    def gaps(self) -> list[Run]:
        """By check how far it is from holding: 0 where it does."""
        return [self.gap(ast.parse(check.that.text.strip(), mode="eval").body) for check in self.program.checks]

    @cached_property
    def ends(self) -> list[Run]:
        """How far what ends a game is from holding."""
        ends = [one for one in (self.program.end, self.program.out) if one is not None]
        return [self.gap(ast.parse(one.text.strip(), mode="eval").body) for one in ends]

    def search(self, state: SheetState, asks: Collection[int], most: int) -> Found:
        """The state with answers to these asks with which the checks hold, if `most` tries come to such."""
        best = self.missing(state, asks)
        for tries in range(most):
            if best == 0:
                return Found(state, tries)
            other = self.changed(state, self.dice.choice(sorted(asks)))
            left = self.missing(other, asks)
            if left <= best or self.dice.random() < WORSE:
                state, best = other, left
        return Found(state, most)

    def towards_the_end(self, state: SheetState, most: int) -> SheetState:
        """The state with answers to a whole round, or a turn, after which the end is as near as `most` tries find."""
        state = self.answered(state)
        asked, best = [at for at, _ in state.round.answers], self.distance(state)
        if [at for at, _ in self.found] == asked:  # what was found for the round before
            again = state.in_round(answers=self.found)
            if (left := self.distance(again)) <= best:
                state, best = again, left
        for _ in range(most if asked else 0):
            other = self.changed(state, self.dice.choice(asked))
            if (left := self.distance(other)) <= best:
                state, best = other, left
        self.found = state.round.answers
        return state

    def answered(self, state: SheetState) -> SheetState:
        """The state with any answers to the ask under way, and to all after it."""
        for at in range(self.program.in_round):
            if at:
                state = opened(state, at)
            if isinstance(ask := state.ask, AskedNumbers):
                numbers = ask.numbers
                for seat in ask.seats:
                    low, high = ask.limits.of(seat)
                    for one in holders(state, self.program.asks[at], seat):
                        numbers = put(numbers, one, self.dice.randint(low, high))
                state = state.with_answers(at, numbers, Complete(at))
        return state

    def distance(self, state: SheetState) -> tuple[int, int]:
        """How far the checks are from holding, then how far the end is, or the moment when somebody is out."""
        checks = self.missing(state, range(self.program.in_round))
        try:
            after, _ = scored(state.in_round(waived=tuple(range(len(self.program.checks)))))
            table = rows(after)
            gaps = [gap(table.rows[seat]) for gap in self.ends for seat in inside(after)]
            return checks, min(gaps, default=LIMIT)
        except (NoValue, Uncountable):
            return checks, LIMIT

    def missing(self, state: SheetState, asks: Collection[int]) -> int:
        """How far the checks are from holding once the last of these asks is answered."""
        fold, total = Fold(state), 0
        for n, check in enumerate(self.program.checks):
            if check.after <= max(asks) and n not in state.round.waived:
                try:
                    fold.let(check.lets)
                    total += sum([self.gaps[n](row) for row in fold.rows])
                except (NoValue, Uncountable):
                    total += LIMIT
        return total

    def changed(self, state: SheetState, at: int) -> SheetState:
        """The state with another answer to an ask: any, or one near the old one."""
        ask, table, dice = self.program.asks[at], rows(state), self.dice
        seats = inside(state) if ask.per in ("each", "team", "table") else state.round.asked
        seat = dice.choice(seats)
        low, high = limits(ask, table.rows[seat])
        number = low + ask.step * dice.randint(0, (high - low) // ask.step)
        if dice.random() < 0.5:
            number = min(max(low, table.rows[seat][ask.place] + dice.choice((-2, -1, 1, 2)) * ask.step), high)
        return with_answer(state, at, seat, number)

    def gap(self, condition: ast.expr) -> Run:
        """How far a condition is from holding, by its comparisons."""
        match condition:
            case ast.BoolOp(op=op, values=values):
                gaps = [self.gap(one) for one in values]
                best = sum if isinstance(op, ast.And) else min
                return lambda row: best([one(row) for one in gaps])
            case ast.IfExp(test=test, body=body, orelse=orelse):
                which, yes, no = self.run(test), self.gap(body), self.gap(orelse)
                return lambda row: yes(row) if which(row) else no(row)
            case ast.Compare(left=left, ops=[op], comparators=[right]) if not isinstance(op, ast.NotEq):
                holds, one, other = self.run(condition), self.run(left), self.run(right)

                def apart(row: Row) -> int:
                    return 0 if holds(row) else abs(one(row) - other(row)) or 1

                return apart
        value = self.run(condition)
        return lambda row: 0 if value(row) else 1

    def run(self, node: ast.expr) -> Run:
        """A part of a check, compiled."""
        places = places_of(self.program.sheet)
        return compiled(ast.unparse(node), places, places, steps_of(self.program.sheet)).run


def with_answer(state: SheetState, at: int, seat: Seat, number: int) -> SheetState:
    """The state with another answer of a seat, and of those that hold it with that seat."""
    numbers = dict(state.round.answers)[at]
    for one in holders(state, state.game.program.asks[at], seat):
        numbers = put(numbers, one, number)
    return state.with_answers(at, numbers, state.ask)
