"""The ways a round goes: all are asked at once, turn by turn, box by box, after a race, at any time, or by a clock."""

from collections.abc import Mapping

from msgspec.structs import replace

from engine.rules import Seat, only
from engine.sheets import clocks, races
from engine.sheets.asking import Complete, boxes_opened, empty_boxes, opened
from engine.sheets.flow import finished, next_round
from engine.sheets.program import TURNS
from engine.sheets.state import Flow, Fold, SheetState, answer, inside, side_of


class AtOnce(Flow):
    """All are asked at once, ask by ask."""

    names_starter = True

    def begun(self, state: SheetState) -> SheetState:
        if state.game.sheet.clock is not None:
            return state.asking(clocks.passing(state.round.first))
        return self.asks_begun(state)

    def asks_begun(self, state: SheetState) -> SheetState:
        return opened(state, 0)

    def asked_again(self, state: SheetState, at: int) -> SheetState:
        return opened(state, at, again=True)

    def onward(self, state: SheetState) -> SheetState:
        return next_round(state)

    def passed(self, state: SheetState, seat: Seat) -> SheetState:
        seats = inside(state)
        after = [one for one in (*state.seats[seat + 1 :], *state.seats[: seat + 1]) if one in seats]
        return state.asking(clocks.passing(after[0]))

    def begun_anew(self, state: SheetState) -> SheetState | None:
        now = replace(self.counted(state.round), asked=inside(state), idle=True)
        return self.begun(replace(state, round=now))


class AnyTime(AtOnce):
    """Anybody answers the first ask at any time, and whoever did the others; it is a row of its own."""

    a_row_each, names_starter = True, False

    def asked(self, state: SheetState, at: int) -> tuple[Seat, ...]:
        return state.round.asked if at else inside(state)

    def folded(self, state: SheetState) -> tuple[Seat, ...]:
        return of_side(state)

    def onward(self, state: SheetState) -> SheetState:
        return self.begun(state.in_round(asked=inside(state), idle=True))


class ByRace(AtOnce):
    """A race, then the asks of the winner; without asks all are folded."""

    names_starter = False

    def asked(self, state: SheetState, at: int) -> tuple[Seat, ...]:
        return state.round.asked

    def folded(self, state: SheetState) -> tuple[Seat, ...]:
        return of_side(state) if state.game.sheet.ask else inside(state)

    def begun(self, state: SheetState) -> SheetState:
        return super().begun(state.in_round(racers=inside(state)))

    def asks_begun(self, state: SheetState) -> SheetState:
        return races.opened(state)

    def onward(self, state: SheetState) -> SheetState:
        return races.after_answer(state) or next_round(state)


class ByTurns(AtOnce):
    """One after the other answers all asks, and is folded then."""

    turns, names_starter = True, False

    def asked(self, state: SheetState, at: int) -> tuple[Seat, ...]:
        return state.round.asked

    def folded(self, state: SheetState) -> tuple[Seat, ...]:
        return of_side(state)

    def begun(self, state: SheetState) -> SheetState:
        """The turn of the next seat of the round that is in; in a last lap of those that still have one."""
        now = state.round
        for seat in (*state.seats[now.first :], *state.seats[: now.first]):
            if seat in now.had or seat in state.out or (state.lap is not None and seat not in state.lap):
                continue
            if (turn := self.turn_of(state, seat)) is not None:
                return turn
        return self.all_had(state)

    def turn_of(self, state: SheetState, seat: Seat) -> SheetState | None:
        """The turn of a seat; None where it has nothing to do in it."""
        return opened(state.in_round(asked=only(seat)), 0)

    def all_had(self, state: SheetState) -> SheetState:
        """What comes once nobody has a turn any more in this round."""
        return next_round(state)

    def onward(self, state: SheetState) -> SheetState:
        return self.begun(state)

    def begun_anew(self, state: SheetState) -> SheetState | None:
        return self.begun(state) if state.round.asked[0] in state.out else None

    def ends_round(self, state: SheetState) -> bool:
        now, lap = state.round, inside(state) if state.lap is None else state.lap
        return not [seat for seat in lap if seat not in (*now.had, *now.asked, *state.out)]

    def has_turn(self, state: SheetState) -> Seat | None:
        return state.round.asked[0]


class ByBoxes(ByTurns):
    """A turn fills one of the asks that are still empty."""

    boxes = True

    def turn_of(self, state: SheetState, seat: Seat) -> SheetState | None:
        empty = empty_boxes(state, seat)
        return boxes_opened(state.in_round(asked=only(seat)), 0, empty) if empty else None

    def all_had(self, state: SheetState) -> SheetState:
        if any(empty_boxes(state, seat) for seat in inside(state) if state.lap is None or seat in state.lap):
            return next_round(state)
        return finished(state, "full" if state.lap is None else "end")

    def asked_again(self, state: SheetState, at: int) -> SheetState:
        return boxes_opened(state, at)

    def alone(self, fold: Fold) -> None:
        """Of the boxes only the one that is filled now counts."""
        in_round = fold.program.in_round
        for row in fold.rows:
            row[TURNS + 1 : TURNS + 1 + in_round] = [0] * in_round
        answer(fold.state, fold.table.rows)


class ByClock(ByTurns):
    """A turn is a press and nothing else: nobody is asked anything."""

    only_turns = True

    def turn_of(self, state: SheetState, seat: Seat) -> SheetState:
        return state.in_round(asked=only(seat)).asking(clocks.passing(seat))

    def passed(self, state: SheetState, seat: Seat) -> SheetState:
        return state.in_round(asked=only(seat), idle=False).asking(Complete(-1))


def of_side(state: SheetState) -> tuple[Seat, ...]:
    """The side of the one that is asked, as far as it is in; all that are in, where nobody is asked."""
    if not state.round.asked:
        return inside(state)
    side = side_of(state, state.round.asked[0])
    if not state.out:
        return side
    seats = inside(state)
    return tuple([seat for seat in side if seat in seats])


FLOWS: Mapping[str, Flow] = {  # by how a sheet says it
    "asks": AtOnce(),
    "any": AnyTime(),
    "race": ByRace(),
    "turn": ByTurns(),
    "box": ByBoxes(),
    "clock": ByClock(),
}
