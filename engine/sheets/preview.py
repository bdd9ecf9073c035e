"""What a total would be with numbers that are still being entered."""

from collections.abc import Mapping

from engine.rules import Seat
from engine.sheets.asking import AskedNumbers, Boxes, Complete, opened
from engine.sheets.state import SheetState, Uncountable, at_end, holders, rows, scored


def preview(state: SheetState, numbers: Mapping[Seat | None, int], verb: str) -> tuple[int | None, ...]:
    """By seat the total with these numbers of the open ask `verb`, once they end a round or a turn.

    None: the total stays as it is, or it is not known before others have answered. `numbers`: by seat; None: by the
    table. Checks are left out: they are looked at when all is entered.
    """
    ask, program = state.ask, state.game.program
    unknown = (None,) * state.players
    if not numbers or not isinstance(ask, AskedNumbers | Boxes):
        return unknown
    at = next(n for n, one in enumerate(program.asks) if one.id == verb)
    asked = program.asks[at]
    given = list(dict(state.round.answers).get(at, unknown))  # of an ask that is open again: the old ones
    if isinstance(ask, AskedNumbers):
        given = [old if new is None else new for old, new in zip(given, ask.numbers, strict=True)]
    for by, number in numbers.items():
        for seat in holders(state, asked, by):
            given[seat] = number
    held = {seat for by in numbers for seat in holders(state, asked, by)}
    missing = isinstance(ask, AskedNumbers) and not held.issuperset(ask.missing)
    if missing and program.over_seats and asked.per != "any":
        return unknown
    before = state.in_round(answers=()) if isinstance(ask, Boxes) else state  # not the box that is open again
    then = before.with_answers(at, tuple(given), Complete(at))
    if asked.per == "any" and at == 0:
        then = then.in_round(asked=tuple(held))
    if at >= program.in_round:
        extra, table = program.extra[at - program.in_round], rows(then)
        return tuple(
            [state.scores[seat] + at_end(extra, table.rows[seat], []) if seat in held else None for seat in state.seats]
        )
    if isinstance(ask, AskedNumbers):
        for later in range(at + 1, program.in_round):
            then = opened(then, later)
            if not isinstance(then.ask, Complete):
                return unknown
    try:
        after, _ = scored(then.in_round(waived=tuple(range(len(program.checks)))))
    except Uncountable:
        return unknown
    return tuple(
        [
            new if seat in held or (new != old and not missing) else None
            for seat, (old, new) in enumerate(zip(state.scores, after.scores, strict=True))
        ]
    )
