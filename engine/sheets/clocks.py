"""Clocks of a sheet: they run for whose turn it is, and never take points."""

from functools import cache

from msgspec.structs import replace

from engine.face import Face, Kept, Left, Said, Who
from engine.game import Answer, answers, known
from engine.rules import Offer, Seat, Shows, put
from engine.sheets.asking import Events, SheetEvent, SheetQuestion, news, ways_out
from engine.sheets.state import SheetState, left, remaining_ns, whose_turn, zeros
from engine.stamps import S, Stamp
from engine.words import N_

PASS, ASK = "pass", "ask"


class TurnsPass(SheetQuestion):
    """Each player passes the turn on by a press of their own button; OK asks the questions of the round."""

    seat: Seat

    phase = "turns"

    def shows(self, state: SheetState) -> Shows:
        return news(state)

    def offers(self, state: SheetState) -> tuple[Offer, ...]:
        ask = () if state.game.flow.only_turns else (Offer(None, ASK),)
        return (Offer(self.seat, PASS), *ask, *ways_out(state))

    @answers(PASS, N_("I am done"))
    def done(self, state: SheetState, answer: Answer) -> Events:
        return passed(self.seat)

    @answers(ASK, N_("Enter results"))
    def begin(self, state: SheetState, answer: Answer) -> Events:
        return (AsksBegun(),)

    def face(self, state: SheetState) -> Face:
        ok: Said = "" if state.game.flow.only_turns else N_("OK: results")
        clock, who = state.game.sheet.clock, Who((self.seat,))
        if clock is not None and clock.kind == "chess":
            times: tuple[Left | Kept, ...] = tuple([Kept(remaining_ns(state, seat)) for seat in state.seats])
            running = left(state)
            if isinstance(running, Left):
                times = put(times, self.seat, running)
            return Face(times=times, lit=(self.seat,), press=N_("{who}: press when done", who=who), ok=ok)
        lines = (N_("{who}'s turn", who=who),)
        return Face(big=left(state), lines=lines, lit=(self.seat,), press=N_("{who}: press when done", who=who), ok=ok)


class Passed(SheetEvent):
    label = N_("turn passed")
    seat: Seat

    def fold(self, state: SheetState) -> SheetState:
        return state.game.flow.passed(state, self.seat)


@cache
def passed(seat: Seat) -> Events:
    """A turn is passed; the same event each time, as a game may have thousands of them."""
    return (Passed(seat),)


@cache
def passing(seat: Seat) -> TurnsPass:
    """The question while it is this seat's turn; the same object each time."""
    return TurnsPass(seat)


class AsksBegun(SheetEvent):
    label = N_("results asked")

    def fold(self, state: SheetState) -> SheetState:
        return state.game.flow.asks_begun(state)


class Timed(SheetEvent):
    """The turn has passed on: the time since the last change counts for the seat whose turn it was."""

    label = N_("time taken")
    seat: Seat | None  # whose turn it was
    at_ns: Stamp

    def fold(self, state: SheetState) -> SheetState:
        spent_ns = state.spent_ns or zeros(state.players)
        if self.seat is not None and state.since_ns is not None:
            plus_ns = S * (known(state.game.sheet.clock).plus or 0)
            took_ns = max(0, self.at_ns - state.since_ns)
            spent_ns = put(spent_ns, self.seat, spent_ns[self.seat] + took_ns - plus_ns)
        return replace(state, spent_ns=spent_ns, since_ns=self.at_ns)


def timed(before: SheetState, after: SheetState, at_ns: int) -> Events:
    """The event of a clock, where an answer has changed for whom it runs."""
    clock = before.game.sheet.clock
    if clock is None:
        return ()
    turns = [(state.round.number, state.round.had, whose_turn(state)) for state in (before, after)]
    then, now = [turn[:1] if clock.kind == "sand" else turn for turn in turns]
    return (Timed(whose_turn(before), at_ns),) if now != then else ()
