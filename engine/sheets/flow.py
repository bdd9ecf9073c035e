"""What follows an answer: the next ask, a check, the reckoning of a round, the next round, the end."""

from typing import Any

from msgspec.structs import replace

from engine import game
from engine.face import Face
from engine.game import of_kind
from engine.rules import Action, Refused, Seat, put
from engine.sheets import amending, clocks
from engine.sheets.asking import (
    Boxes,
    Complete,
    Events,
    Finishing,
    Idle,
    SheetEvent,
    empty_boxes,
    looked_at,
    opened,
)
from engine.sheets.program import rounds_of
from engine.sheets.state import (
    NOT_LEVEL,
    WHYS,
    Over,
    SheetGame,
    SheetRound,
    SheetState,
    Uncountable,
    beginning,
    checked,
    ends,
    inside,
    scored,
    side_of,
    winners,
    with_finals,
    zeros,
)
from engine.words import N_


class SheetPlay(SheetState):
    """The state of a game of a sheet."""

    def fixed(self, seat: Seat, points: int) -> "SheetPlay":
        """Add points by hand to the totals of a seat's whole side, and look again whether the game ends."""
        corrected = self.corrected
        for one in side_of(self, seat):
            corrected = put(corrected, one, corrected[one] + points)
        return of_kind(SheetPlay, looked_again(replace(self, corrected=corrected)))

    def amended(self, round_: int, numbers: game.Numbers) -> "SheetPlay":
        """All that is counted is reckoned anew with these numbers; then the end is looked at again."""
        try:
            after = amending.reckoned(self, round_, numbers)
        except Refused:  # what was counted meanwhile was undone
            return self
        return of_kind(SheetPlay, goes_on(self, after))


# --- rounds and turns -------------------------------------------------------------------------------------------------


def start(sheet: SheetGame, players: int) -> SheetState:
    """The state before the first answer."""
    program = sheet.program
    first = SheetRound(1, 0, zeros(players), tuple(range(players)))
    rounds, done = rounds_of(program, players), beginning(program, players)
    state = SheetPlay(zeros(players), Complete(-1), first, sheet, rounds, done)
    return run_on(sheet.flow.begun(state))


def starter(state: SheetState) -> Seat:
    """Who starts the next round."""
    order, seats, last = state.game.sheet.first, inside(state), state.round.first
    if order == "fixed":
        return seats[0]
    after = [*state.seats[last + 1 :], *state.seats[: last + 1]]  # in turn order, the last starter at the end
    among = [seat for seat in after if seat in seats]
    if order == "rotates":
        return among[0]
    best = (max if order == "highest" else min)([state.scores[seat] for seat in among])
    return next(seat for seat in among if state.scores[seat] == best)


def next_round(state: SheetState) -> SheetState:
    """The next round, or the end after the last."""
    if state.rounds is not None and state.round.number >= state.rounds:
        return finished(state, "rounds")
    last, none = state.round, zeros(state.players)
    fresh = SheetRound(last.number + 1, starter(state), none, inside(state), judged=last.judged)
    return state.game.flow.begun(replace(state, round=fresh))


def going_on(state: SheetState, *, ended: bool) -> SheetState:
    """What follows once a fold is done: the end, or the next question."""
    now, at_once = state.round, state.game.sheet.last in (None, "now")
    if all_out(state):
        return finished(state, "out")
    if ended:
        if at_once:
            return finished(state, "end")
        if state.lap is None:
            state = lap_begun(state, now.asked[0])
    if state.lap is not None:
        lap = tuple([seat for seat in state.lap if seat not in (*now.asked, *state.out)])
        state = replace(state, lap=lap)
        if not lap:
            return finished(state, "end")
    return state.game.flow.onward(state)


def lap_begun(state: SheetState, by: Seat) -> SheetState:
    """The state with the last turns: the rest of this round, or one more for everybody but the one who ended it."""
    left = state.round.had if state.game.sheet.last == "round" else (by,)
    return replace(state, lap=tuple([seat for seat in inside(state) if seat not in left]))


# --- the end ----------------------------------------------------------------------------------------------------------


def finished(state: SheetState, why: Over) -> SheetState:
    """The state once the game is over: its final asks, else nothing more."""
    program = state.game.program
    fresh = replace(state, why=why, round=state.game.flow.counted(state.round))
    if len(program.asks) > program.in_round:
        return opened(fresh, program.in_round)
    return replace(with_finals(fresh), closed=True).asking(End())


class End(game.Over[SheetState]):
    """The game is over."""

    def marks(self, state: SheetState) -> dict[str, tuple[Seat, ...]]:
        return {"winner": winners(state)}

    def face(self, state: SheetState) -> Face:
        said = [
            WHYS[-1 - why] if why == NOT_LEVEL else N_("{what} counted as 0", what=WHYS[-1 - why])
            for why in state.faults
        ]
        return Face(right=(said[0], N_("see the totals")) if said else "")


class Closed(SheetEvent):
    """All final asks are answered."""

    label = N_("game over")

    def fold(self, state: SheetState) -> SheetState:
        return replace(with_finals(state), closed=True).asking(End())


def looked_again(state: SheetState) -> SheetState:
    """The state after points were fixed by hand: the game may end now, or no longer be over."""
    program = state.game.program
    if program.end is None or state.why not in ("", "end"):
        return state
    if state.closed and len(program.asks) > program.in_round:
        return state  # what was asked at the end is in the totals
    true = ends(state)
    if state.why == "end":
        if true:
            return state
        resumed = replace(state, why="", closed=False, lap=None, held=None)
        if state.held is not None:
            return resumed.asking(state.held)
        return run_on(going_on(resumed, ended=False))
    if not true:
        return replace(state, lap=None)
    if state.game.sheet.last in (None, "now"):
        return run_on(finished(replace(state, held=state.ask), "end"))
    return state if state.lap is not None else lap_begun(state, true[0])


def all_out(state: SheetState) -> bool:
    """Whether too few are in for a game that has a way out."""
    return state.game.sheet.out is not None and state.players - len(state.out) <= (1 if state.players > 1 else 0)


def goes_on(before: SheetState, state: SheetState) -> SheetState:
    """The state after all was reckoned anew: the game may end now or go on, and somebody may be in or out again."""
    if state.closed:
        state = with_finals(state)
        if state.game.program.in_round < len(state.game.program.asks):
            return state  # what was asked at the end counts, so it stays the end
    if state.why == "out" and not all_out(state):
        return run_on(going_on(replace(state, why="", closed=False, held=None), ended=bool(ends(state))))
    if state.why == "full" and state.lap is None and any(empty_boxes(state, seat) for seat in inside(state)):
        return run_on(state.game.flow.begun(replace(state, why="", closed=False)))
    if state.why == "" and all_out(state):
        return run_on(finished(replace(state, held=state.ask), "out"))
    after = looked_again(state)
    if after.why:
        return after
    if after.out != before.out and after.ask == before.ask:
        return run_on(asked_anew(after))
    return run_on(with_limits(after)) if after.ask is state.ask else after


def with_limits(state: SheetState) -> SheetState:
    """The state with the question under way within the limits as they are now."""
    if isinstance(state.ask, Boxes) and not empty_boxes(state, state.ask.seat):
        return state.game.flow.begun(state)
    return amending.with_limits(state)


def asked_anew(state: SheetState) -> SheetState:
    """Ask those who are in now: the turn of a seat that is out ends; a round without turns begins anew."""
    return state.game.flow.begun_anew(state) or with_limits(state)


# --- what follows by itself -------------------------------------------------------------------------------------------


class AskOpened(SheetEvent):
    """The next ask, or one that a check has opened again."""

    label = N_("ask opened")
    ask: int

    def fold(self, state: SheetState) -> SheetState:
        now = state.round
        again = self.ask in now.again
        if now.again and self.ask > now.top:
            state = state.in_round(again=(), top=-1)
        return state.game.flow.asked_again(state, self.ask) if again else opened(state, self.ask)


class Failed(SheetEvent):
    """A check does not hold, or something has no value: these asks are open again."""

    label = N_("check failed")
    why: int  # the place of the check; below 0 a fault
    asks: tuple[int, ...]
    seat: Seat  # for which a check does not hold

    def fold(self, state: SheetState) -> SheetState:
        now, at = state.round, of_kind(Complete, state.ask).at
        top = max(now.top, at)
        state = state.in_round(fails=self.seat)
        failed = (*now.failed, self.why)
        if not self.asks:  # nobody can answer otherwise
            waived = tuple(sorted({*now.waived, self.why}))
            return state.in_round(failed=failed, waived=waived, again=(), top=top).asking(Complete(top))
        state = state.in_round(failed=failed, again=self.asks, top=top)
        return state.game.flow.asked_again(state, self.asks[0])


class Counted(SheetEvent):
    """A round, a turn or an answer is counted."""

    label = N_("counted")

    def fold(self, state: SheetState) -> SheetState:
        after, ended = scored(state)
        return going_on(after, ended=ended)


class RaceSkipped(SheetEvent):
    """Nobody was first: nobody is asked, and nothing is counted."""

    label = N_("nobody was first")

    def fold(self, state: SheetState) -> SheetState:
        return next_round(state)


class NobodyAsked(SheetEvent):
    """A round without any question: the table goes on by OK."""

    label = N_("nobody asked")

    def fold(self, state: SheetState) -> SheetState:
        return state.asking(Idle())


class Ending(SheetEvent):
    """The game is finished; the final asks come, if there are any."""

    label = N_("game over")

    def fold(self, state: SheetState) -> SheetState:
        return finished(state, "finish")


def next_event(state: SheetState) -> tuple[SheetEvent, SheetState]:
    """What follows an ask that all have answered, and the state after it."""
    if isinstance(state.ask, Finishing):
        return happened(Ending(), state)
    program, flow, now, at = state.game.program, state.game.flow, state.round, of_kind(Complete, state.ask).at
    if at >= program.in_round and state.why:
        return happened(AskOpened(at + 1) if at + 1 < len(program.asks) else Closed(), state)
    last = program.in_round - 1
    if not now.asked:
        return happened(RaceSkipped(), state)
    if flow.boxes:
        last = at
    elif now.again:
        if waiting := [ask for ask in now.again if ask > at]:
            return happened(AskOpened(waiting[0]), state)
        at = max(at, now.top)
    try:
        if at < last:
            if at >= 0:
                checked(state, at)
            return happened(AskOpened(at + 1), state)
        return happened(NobodyAsked() if now.idle and program.in_round and flow.ends_round(state) else Counted(), state)
    except Uncountable as failure:
        return happened(failed(state, failure, at), state)


def happened(event: SheetEvent, state: SheetState) -> tuple[SheetEvent, SheetState]:
    """An event, and the state after it."""
    return event, looked_at(event, state)


def failed(state: SheetState, failure: Uncountable, at: int) -> Failed:
    """The event of a check that fails: the asks that it names are open again, and those whose limits hang on them."""
    program = state.game.program
    if state.game.flow.boxes:
        return Failed(failure.why, (at,), failure.seat)
    named = program.names(failure.names) & set(range(at + 1))
    asks = answerable(state, named) or answerable(state, set(range(at + 1)))
    hang = set(asks)
    for n in range(at + 1):
        if program.asks[n].needs & hang:
            hang.add(n)
    return Failed(failure.why, tuple(sorted(hang)), failure.seat)


def answerable(state: SheetState, asks: "set[int] | frozenset[int]") -> set[int]:
    """Those of these asks that somebody is asked."""
    return {at for at in asks if not isinstance(opened(state, at, again=True).ask, Complete)}


def run_on(state: SheetState) -> SheetState:
    """The state once all that follows by itself has happened."""
    while isinstance(state.ask, Complete | Finishing):
        _, state = next_event(state)
    return state


def after(state: SheetState, action: Action, events: Events) -> Events:
    """All that follows an answer by itself. Nothing follows what happens in every race, like a press."""
    if not events or not isinstance(events[-1], SheetEvent):
        return ()
    before = state
    for event in events:
        state = looked_at(event, state)
    out = list[game.Event[Any]]()
    while isinstance(state.ask, Complete | Finishing):
        event, state = next_event(state)
        out.append(event)
    return (*out, *clocks.timed(before, state, action.at_ns))


def begun(state: SheetState, at_ns: int) -> SheetState:
    """The state once the game begins: a clock runs from here."""
    return state if state.game.sheet.clock is None else replace(state, since_ns=at_ns)
