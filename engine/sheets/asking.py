"""The questions of a sheet that are answered by numbers, and the events of their answers."""

from collections.abc import Callable
from functools import lru_cache, wraps
from typing import Any, ClassVar, TypeAlias

from engine import game
from engine.face import Face, Said
from engine.game import Answer, Limits, of_kind
from engine.rules import FINISH, Offer, Seat, Shows, Value, each_seat, only
from engine.sheets.program import SAYS, CompiledAsk
from engine.sheets.sheet import Kind
from engine.sheets.state import (
    Box,
    SheetState,
    filled,
    holders,
    inside,
    left,
    limits,
    reason,
    row_of_table,
    rows,
    seat_text,
    side_of,
    value_or,
)
from engine.words import N_

ANYWAY, NEXT = "anyway", "next"
KEPT = 5  # folds, beside the latest
CUT = 4  # letters of a name that are still of use
TWICE = 2  # a check that has failed so often may be closed anyway

Events: TypeAlias = tuple[game.Event[Any], ...]


class SheetEvent(game.Event[SheetState]):
    """The events of a sheet."""

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        setattr(cls, "fold", once(cls.fold))  # noqa: B010 (checkers take it for a field)


def once(fold: Callable[[Any, SheetState], SheetState]) -> Callable[[Any, SheetState], SheetState]:
    """Wrap a fold: it takes the result of `looked_at` for the same event and the same state, as both never change."""

    @wraps(fold)
    def folded(event: Any, state: SheetState) -> SheetState:
        for done, before, after in state.game.folds[0]:
            if done is event and before is state:
                found: SheetState = after
                return found
        return fold(event, state)

    return folded


def looked_at(event: game.Event[Any], state: SheetState) -> SheetState:
    """The state after an event that is about to happen; it is kept for `once`."""
    fold = type(event).fold
    after: SheetState = getattr(fold, "__wrapped__", fold)(event, state)
    kept = state.game.folds
    kept[0] = ((event, state, after), *kept[0][:KEPT])
    return after


class SheetQuestion(game.Question[SheetState]):
    """A question of a sheet."""

    phase = "ask"

    def own(self, state: SheetState, seat: Seat | None, verb: str) -> int | None:
        """Which ask is answered so; None: it is none of its own, but a way out."""
        return None

    def answered(self, state: SheetState, answer: Answer) -> Events:
        seat, verb = answer.action.seat, answer.action.verb
        if (at := self.own(state, seat, verb)) is not None:
            return (Answered(seat, at, answer.number),)
        if seat is None and verb in (FINISH, ANYWAY):
            return (Finished() if verb == FINISH else Accepted(),)
        return super().answered(state, answer)

    def label(self, state: SheetState, offer: Offer, value: Value) -> str:
        if (at := self.own(state, offer.seat, offer.verb)) is not None:
            return ask_label(state, state.game.program.asks[at], offer.seat, value)
        if offer.menu and offer.verb in (FINISH, ANYWAY):
            return N_("Finish") if offer.verb == FINISH else N_("Count anyway")
        return super().label(state, offer, value)


class AskedNumbers(SheetQuestion, game.Several[SheetState]):
    """An ask to seats at once, to one seat, or to the table: numbers within limits."""

    at: int  # which ask
    limits: Limits
    anyway: bool = False  # the table may close what a check has opened again

    def ask(self, state: SheetState) -> CompiledAsk:
        return state.game.program.asks[self.at]

    def own(self, state: SheetState, seat: Seat | None, verb: str) -> int | None:
        ask = state.game.program.asks[self.at]  # which may be called like a way out
        return self.at if verb == ask.id and (seat is None) == (ask.per == "table") else None

    def offers(self, state: SheetState) -> tuple[Offer, ...]:
        ask = self.ask(state)
        low, high, prefill = self.limits
        out = each_seat(
            self.numbers,
            ask.id,
            low=low,
            high=high,
            prefill=prefill,
            seats=self.seats,
            step=ask.step,
            says=ask.says,
            teams=state.game.sheet.teams if ask.per == "team" else None,
            alone=ask.per == "any" and self.at == 0,
        )
        if ask.per == "table":
            offer = of_table(out[0])
            out = (only_inside(offer, state) if state.out and ask.kind == "seat" else offer,)
        return (*out, *ways_out(state, anyway=self.anyway, final=self.at >= state.game.program.in_round))

    def turn(self, state: SheetState) -> tuple[Seat, ...]:
        return () if self.ask(state).per == "table" else self.missing

    def shows(self, state: SheetState) -> Shows:
        return news(state)

    def done(self, state: SheetState) -> SheetState:
        return state.with_answers(self.at, self.numbers, Complete(self.at))

    def face(self, state: SheetState) -> Face:
        ask, title = self.ask(state), ""
        if any(kind == "seat" for _, _, kind in ask.title.places):
            title = filled(ask.title, rows(state).rows[self.seats[0]], state, names=True)
        lit = self.seats[:1] if ask.per in ("turn", "race") else ()
        return standing(state, anyway=self.anyway)._replace(title=title, lit=lit, before=earlier(state, self))


def only_inside(offer: Offer, state: SheetState) -> Offer:
    """The offer to name a seat, without the seats that are out, unless all are."""
    inside_ = inside(state)
    named = offer.prefill
    if named is not None and named >= 0 and named not in inside_:
        named = inside_[0]
    return offer._replace(prefill=named, out=tuple([seat for seat in state.seats if seat not in inside_]))


@lru_cache(maxsize=4096)
def of_table(offer: Offer) -> Offer:
    """A seat's offer as one of the table."""
    return offer._replace(seat=None)


@lru_cache(maxsize=4096)
def box(verb: str, kind: Kind, step: int, seat: Seat, low: int, high: int) -> Offer:
    """A box that is still empty."""
    return Offer(seat, verb, low, high, (), beginning(kind, "box", low, high), step=step, says=SAYS[kind], alone=True)


def ask_label(state: SheetState, ask: CompiledAsk, seat: Seat | None, value: Value) -> str:
    """An ask in words, or one of its values. The table reads it with the values of who is asked in front."""
    if not isinstance(value, int):
        return filled(ask.title, rows(state).rows[in_front(state) if seat is None else seat], state)
    return in_words(ask, value)


def in_front(state: SheetState) -> Seat:
    """Who is asked for the table: who has started the round, if that seat is in."""
    seats, first = inside(state), state.round.first
    return first if first in seats else seats[0]


def in_words(ask: CompiledAsk, value: int) -> str:
    """A value of an ask."""
    match ask.kind:
        case "yes":
            return N_("yes") if value else N_("no")
        case "words":
            return ask.words[value]
        case "seat":
            return N_("nobody") if value < 0 else seat_text(value)
        case _:
            return str(value)


def earlier(state: SheetState, count: AskedNumbers) -> tuple[tuple[str, ...], ...]:
    """By seat, its answer to the ask of the same kind before this one, with the ask's name, its beginning, or none."""
    asks, at = state.game.program.asks, count.at
    if count.at >= state.game.program.in_round or asks[at].per != "each":
        return ()
    ask = next((ask for ask in reversed(asks[:at]) if ask.per == "each" and ask.kind == asks[at].kind), None)
    if ask is None:
        return ()
    place, name = asks.index(ask), ask.id.replace("_", " ")
    values = ["" if number is None else in_words(ask, number) for number in dict(state.round.answers)[place]]
    return tuple([(f"{name} {value}", f"{name[:CUT].rstrip()} {value}", value) for value in values])


def standing(state: SheetState, *, anyway: bool = False) -> Face:
    """What people should know whatever is asked: the last turns, who is out, what is wrong."""
    now, time = state.round, left(state)
    right: Said = time
    if state.lap is not None:
        right = N_("{time} last turns", time=time) if time else (N_("LAST TURNS"), N_("LAST"))
    wrong: Said = reason(state, now.failed[-1], names=True) if now.again and now.failed else ""
    return Face(right=right, wrong=wrong, aside=ANYWAY if anyway else "", out=state.out)


def news(state: SheetState) -> Shows:
    """What the strip shows: how far the game is; else whose turn it is, in their order where that changes."""
    program = state.game.program
    if state.rounds is not None:
        return "rounds"
    if program.goal is not None:
        return "points"
    flow = state.game.flow
    return "places" if flow.turns and not flow.only_turns and state.game.sheet.first != "fixed" else "seats"


def ways_out(state: SheetState, *, anyway: bool = False, final: bool = False) -> tuple[Offer, ...]:
    """What the table may do beside answering."""
    out = (Offer(None, ANYWAY, menu=True, kit_only=True),) if anyway else ()
    if not final and state.game.program.open:
        out = (*out, Offer(None, FINISH, menu=True, kit_only=True))
    return out


class Boxes(SheetQuestion):
    """A turn that fills one ask that is still empty: the seat answers any of them."""

    seat: Seat
    low: tuple[Box, ...]  # the open boxes
    prefill: tuple[int, int] | None = None  # of one that is open again: which ask, its old answer
    anyway: bool = False

    def own(self, state: SheetState, seat: Seat | None, verb: str) -> int | None:
        asks = state.game.program.asks
        return None if seat is None else next(at for at, _, _ in self.low if asks[at].id == verb)

    def shows(self, state: SheetState) -> Shows:
        return news(state)

    def offers(self, state: SheetState) -> tuple[Offer, ...]:
        asks, seat = state.game.program.asks, self.seat
        out = [box((ask := asks[at]).id, ask.kind, ask.step, seat, low, high) for at, low, high in self.low]
        if self.prefill is not None:
            at, old = self.prefill
            out = [offer._replace(prefill=old) if offer.verb == asks[at].id else offer for offer in out]
        return (*out, *ways_out(state, anyway=self.anyway))

    def face(self, state: SheetState) -> Face:
        return standing(state, anyway=self.anyway)._replace(lit=(self.seat,))


class Complete(SheetQuestion):
    """All have answered an ask, and what follows is not decided yet. Nobody ever sees this question."""

    at: int

    phase: ClassVar[str] = "ask"


class Idle(SheetQuestion):
    """A round in which nobody was asked anything: the table goes on."""

    subject: ClassVar[Shows] = "points"

    def offers(self, state: SheetState) -> tuple[Offer, ...]:
        return (Offer(None, NEXT), *ways_out(state))

    @game.answers(NEXT, N_("Next round"))
    def go_on(self, state: SheetState, answer: Answer) -> Events:
        return (WentOn(),)


class WentOn(SheetEvent):
    label = N_("went on")

    def fold(self, state: SheetState) -> SheetState:
        last = state.game.program.in_round - 1
        return state.in_round(idle=False).asking(Complete(last))


class Answered(SheetEvent):
    """A seat, a side by one of its seats, or the table has answered an ask."""

    label = N_("answered")
    seat: Seat | None
    ask: int  # its place in the sheet, those of the end after those of the rounds
    number: int

    def fold(self, state: SheetState) -> SheetState:
        asked = state.game.program.asks[self.ask]
        held = holders(state, asked, self.seat)
        question = state.ask
        if isinstance(question, Boxes):
            numbers = tuple([self.number if seat in held else None for seat in state.seats])
            return state.in_round(answers=((self.ask, numbers),)).asking(Complete(self.ask))
        count = of_kind(AskedNumbers, question).plus(self.number, *held)
        if asked.per == "any" and self.ask == 0 and self.seat is not None:
            return state.with_answers(self.ask, count.numbers, Complete(self.ask), asked=only(self.seat))
        return count.under_way(state)


class Finished(SheetEvent):
    """The table has finished a game that nothing else ends."""

    label = N_("game finished")

    def fold(self, state: SheetState) -> SheetState:
        return state.asking(Finishing())


class Finishing(SheetQuestion):
    """The game is over, and its final asks are still to come. Nobody ever sees this question."""


class Accepted(SheetEvent):
    """The table counts the answers as they are, although a check has failed."""

    label = N_("counted anyway")

    def fold(self, state: SheetState) -> SheetState:
        now = state.round
        waived = tuple(sorted({*now.waived, *now.failed}))
        return state.in_round(waived=waived, again=()).asking(Complete(now.top))


def beginning(kind: Kind, per: str, low: int, high: int) -> int | None:
    """The answer that a plain OK gives before anything is entered; None where a seat has to enter its number."""
    if kind == "number" and per != "table":
        return None
    return min(max(0, low), high) if kind != "seat" else low


def opened(state: SheetState, at: int, again: bool = False) -> SheetState:
    """The state with this ask open, or complete where nobody need answer it. `again`: with the old answers."""
    program, now = state.game.program, state.round
    ask = program.asks[at]
    seats = state.game.flow.asked(state, at) if at < program.in_round else inside(state)
    if ask.per == "table":
        seats = (in_front(state),)
    players, place = state.players, ask.place
    # the same limits for all: no seat's row is needed, and `usual` still has the question from an earlier round
    if ask.same and not again:
        least, most = limits(ask, row_of_table(state))
        if least < most:
            if now.idle and at < program.in_round:
                state = state.in_round(idle=False)
            return state.asking(usual(at, least, most, beginning(ask.kind, ask.per, least, most), players, seats))
    table = rows(state)
    low, high = [0] * players, [0] * players
    old: list[int | None] = [None] * players
    numbers: list[int | None] = [None] * players
    picks = ask.per == "any" and at == 0
    asked = list[Seat]()
    for seat in seats:
        row = table.rows[seat]
        if ask.per == "team":
            row = next(table.rows[one] for one in seats if one in side_of(state, seat))
        low[seat], high[seat] = limits(ask, row)
        # only one answer is possible, so nobody is asked; but with "any" the press itself says who answers
        if low[seat] == high[seat] and not (picks and (ask.when is None or value_or(ask.when, row, 1))):
            numbers[seat] = low[seat]
            continue
        asked.append(seat)
        old[seat] = (
            min(max(low[seat], row[place]), high[seat])
            if again
            else beginning(ask.kind, ask.per, low[seat], high[seat])
        )
    for seat in [seat for seat in seats if numbers[seat] is not None]:
        for one in holders(state, ask, seat):
            numbers[one] = numbers[seat]
    if not asked:
        return state.with_answers(at, tuple(numbers), Complete(at))
    if at < program.in_round and now.idle:
        state = state.in_round(idle=False)
    anyway = again and any(now.failed.count(why) >= TWICE for why in now.failed)
    return state.asking(
        AskedNumbers(tuple(numbers), tuple(asked), at, Limits(tuple(low), tuple(high), tuple(old)), anyway)
    )


@lru_cache
def usual(at: int, low: int, high: int, prefill: int | None, players: int, seats: tuple[Seat, ...]) -> AskedNumbers:
    """An ask with the same limits for all, before any answer."""
    return AskedNumbers((None,) * players, seats, at, Limits(low, high, prefill))


def boxes_opened(state: SheetState, at: int, boxes: tuple[Box, ...] = ()) -> SheetState:
    """A turn's boxes; one that a check has opened again begins with its old answer. `boxes`: if known already."""
    (seat,), asks, now = state.round.asked, state.game.program.asks, state.round
    old = None
    if now.again:
        boxes, old = (), (at, rows(state).rows[seat][asks[at].place])
    anyway = any(now.failed.count(why) >= TWICE for why in now.failed)
    if now.idle:
        state = state.in_round(idle=False)
    return state.asking(Boxes(seat, boxes or empty_boxes(state, seat), old, anyway))


def empty_boxes(state: SheetState, seat: Seat) -> tuple[Box, ...]:
    """The boxes that a seat may fill now, with their limits. One that has one value may be filled, too."""
    program, full = state.game.program, state.done.full[seat]
    if state.game.boxes is not None:
        return tuple([one for one in state.game.boxes if one[0] not in full])
    row = rows(state).rows[seat]
    out = list[Box]()
    for at, ask in enumerate(program.asks[: program.in_round]):
        if at not in full and (ask.when is None or limits(ask._replace(low=0, high=1), row) == (0, 1)):
            out.append((at, *limits(ask, row)))
    return tuple(out)
