"""Questions of a sheet whose answers change nothing: they need not be asked there."""

from collections import Counter
from random import Random
from typing import TypeAlias

from engine.rules import Seat
from engine.sheets.expressions import Expression
from engine.sheets.program import VALUES, CompiledAsk, Program
from engine.sheets.state import SheetState, Uncountable, inside, limits, rows, scored
from engine.toml_places import Path
from firmware.random_play.answer_search import with_answer
from firmware.translation import _

LOOKED_AT = 1500  # answers, in all games
OTHERS = 3  # answers that are tried instead of one
ENOUGH = 12  # answers that change nothing in one case, and none that does

Case: TypeAlias = tuple[int, int] | None  # an ask before it and what was answered to it; None: all


class AnswerEffects:
    """Tries other answers to questions of counted rounds, and remembers which have changed something."""

    def __init__(self, program: Program) -> None:
        self.program, self.dice = program, Random(program.sheet.title)
        self.changed, self.unchanged = Counter[tuple[int, Case]](), Counter[tuple[int, Case]]()
        self.left = LOOKED_AT
        finals = program.asks[program.in_round :]
        later = (*program.extra, *program.win, *filter(None, (program.together,)), *_limits(finals))
        names = {name for one in later for name in one.names}
        names |= {name for ask in program.asks for name, _place, _kind in ask.title.places}
        self.kept = program.names(names)  # asks that are read once more, later

    def note(self, state: SheetState) -> None:
        """Try other answers to the questions of a round that is about to be counted."""
        for at, numbers in state.round.answers:
            seats = [seat for seat in inside(state) if numbers[seat] is not None]
            if seats and at < self.program.in_round and at not in self.kept and self.left > 0:
                self.look(state, at, self.dice.choice(seats))

    def look(self, state: SheetState, at: int, seat: Seat) -> None:
        """Try other answers of a seat to one question."""
        ask = self.program.asks[at]
        low, high = limits(ask, rows(state).rows[seat])
        if low == high:
            return
        self.left -= 1
        before, found = effect(state, at), self.unchanged
        for _other in range(OTHERS):
            number = low + ask.step * self.dice.randint(0, (high - low) // ask.step)
            if effect(with_answer(state, at, seat, number), at) != before:
                found = self.changed
        for case in self.cases(state, at, seat):
            found[at, case] += 1

    def cases(self, state: SheetState, at: int, seat: Seat) -> list[Case]:
        """What was chosen before it, one by one."""
        chosen = [(n, numbers[seat]) for n, numbers in state.round.answers if n < at and self.program.asks[n].says]
        return [None, *[(n, number) for n, number in chosen if number is not None]]

    def without_effect(self) -> list[tuple[Path, str]]:
        """The questions whose answers never changed anything, or not where something else was chosen before."""
        found = list[tuple[Path, str]]()
        for at in range(self.program.in_round):
            never = [
                (many, case) for (of, case), many in self.unchanged.items() if of == at and not self.changed[at, case]
            ]
            many, case = max(never, key=lambda one: (one[1] is None, one[0]), default=(0, None))
            if many >= ENOUGH and case is None:
                found.append((("ask", at), _("its answers change nothing")))
            elif many >= ENOUGH and case is not None:
                chosen, value = self.program.asks[case[0]].id, case[1]
                when = f'when = "{chosen} != {value}"'
                text = _(
                    "its answers change nothing where {ask} is {value}: must have {when}",
                    ask=chosen,
                    value=value,
                    when=when,
                )
                found.append((("ask", at), text))
        return found


def effect(state: SheetState, at: int) -> object:
    """All that an answer may change: what is counted, and what is asked after it."""
    program, table = state.game.program, rows(state)
    later = [ask for ask in program.asks[at + 1 : program.in_round] if at in ask.needs]
    asked = [limits(ask, row) for ask in later for row in table.rows]
    try:
        after, ended = scored(state, anew=True)
    except Uncountable as failure:
        return asked, failure.why, failure.seat
    keeps = [own[keep.place - VALUES] for keep in program.keeps for own in after.done.values]
    return asked, after.done.totals, after.out, ended, keeps


def _limits(asks: tuple[CompiledAsk, ...]) -> list[Expression]:
    return [one for ask in asks for one in (ask.low, ask.high, ask.when) if isinstance(one, Expression)]
