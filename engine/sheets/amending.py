"""Numbers of an earlier round put right: all that is counted is reckoned anew, without asking anything again."""

from collections.abc import Iterator, Sequence
from operator import sub
from typing import TypeAlias

from msgspec.structs import replace

from engine.game import Block, Numbers, RoundEntry, Tallied, of_kind
from engine.rules import Refused, Seat, put
from engine.sheets import asking
from engine.sheets.asking import AskedNumbers, Boxes, ask_label, opened
from engine.sheets.program import VALUES, CompiledAsk
from engine.sheets.state import (
    CountedRound,
    SheetState,
    Uncountable,
    block_of,
    filled,
    first_totals,
    inside,
    limits,
    reason,
    row_of,
    rows,
    scored,
    seat_text,
    side_of,
    up_to,
)
from engine.words import N_

END = 0  # the row of what is asked at the end
Holders: TypeAlias = tuple[Seat, ...]  # the seats that hold one number


def tally(state: SheetState) -> tuple[Block, ...]:
    """The table of rounds, in blocks."""
    last, blocks = state.done, tuple[Block, ...]()
    if last is not None:
        blocks = (*last.blocks, block_of(state.game.program, last))
    if _has_end(state):
        end = Tallied(END, tuple(map(sub, state.points, _before_end(state))), state.scores)
        blocks = (*blocks[:-1], (*(blocks[-1] if blocks else ()), end))
    return blocks


def _has_end(state: SheetState) -> bool:
    """Whether the table of rounds has a row of what was asked at the end."""
    return state.closed and len(state.game.program.asks) > state.game.program.in_round


def _before_end(state: SheetState) -> tuple[int, ...]:
    """The totals of all that is counted, without points fixed by hand and what was asked at the end."""
    last = state.done
    return first_totals(state.game.program, state.players) if last is None else last.uncorrected


def _of_row(state: SheetState, round_: int) -> list[CountedRound]:
    """All that was counted in a row of the table of rounds."""
    return [done for done in up_to(state.done) if row_of(state.game.program, done) == round_]


def entered(state: SheetState, round_: int) -> tuple[RoundEntry, ...]:
    """What was entered in a row of the table of rounds, as it may be put right."""
    return tuple([one for one in _held_in(state, round_) if one.low < one.high])


def answered(state: SheetState) -> tuple[RoundEntry, ...]:
    """What is answered already of the round or the turn under way, ask by ask."""
    question, program, found = state.ask, state.game.program, list[RoundEntry]()
    if not isinstance(question, AskedNumbers) or question.at >= program.in_round:
        return ()
    seats = inside(state) if program.per == "asks" else state.round.asked
    for at in range(question.at):
        ask = program.asks[at]
        holders = _holders(state, ask, seats) if program.per == "asks" else [side_of(state, seats[0])]
        found += [_entry(state, at, one) for one in holders]
    return tuple([one for one in found if one.low < one.high])


def _held_in(state: SheetState, round_: int) -> list[RoundEntry]:
    """All numbers of a row, also those that could be one only."""
    found, program = list[RoundEntry](), state.game.program
    if round_ == END:
        for at in range(program.in_round, len(program.asks) if state.closed else 0):
            found += [_entry(state, at, holders) for holders in _holders(state, program.asks[at], inside(state))]
        return found
    for done in _of_row(state, round_):
        then = _then(state, done)
        found += [_entry(then, ask, holders) for ask, holders in _answered(then, done)]
    return found


def _entry(state: SheetState, at: int, holders: Holders) -> RoundEntry:
    ask = state.game.program.asks[at]
    row = rows(state).rows[holders[0]]
    low, high = limits(ask, row)
    there = tuple([seat for seat in holders if seat not in state.out])
    words = tuple([ask_label(state, ask, holders[0], n) for n in range(low, high + 1)]) if ask.says == "words" else ()
    return RoundEntry(
        seat=None if ask.per == "table" else holders[0],
        verb=ask.id,
        text=filled(ask.title, row, state, names=True),
        number=row[ask.place],
        low=low,
        high=high,
        step=ask.step,
        says=ask.says,
        words=words,
        group=there if len(there) > 1 else (),
        out=state.out if ask.says == "seats" else (),
    )


def amend(state: SheetState, round_: int, numbers: Sequence[tuple[Seat | None, str, int]]) -> Numbers:
    """These numbers as they are stored. Raises `Refused` for what the row itself forbids, and looks no further."""
    row = _of_row(state, round_)
    if not row and not (round_ == END and _has_end(state)):
        known = [row_of(state.game.program, done) for done in (*up_to(state.done)[:1], state.done) if done is not None]
        known += [END] * _has_end(state)
        why = N_("must be one of {rounds}", rounds=_span(known)) if known else N_("nothing is counted yet")
        raise Refused("bad_value", N_("round {number}: {why}", number=round_, why=why))
    places = {ask.id: at for at, ask in enumerate(state.game.program.asks)}
    had = _held_in(state, round_)
    stored = dict[tuple[Seat | None, int], int]()
    other = False
    for seat, verb, number in numbers:
        entry = _entry_of(had, seat, verb, round_)
        if number in entry.out and number != entry.number:
            why = N_("{who} was out", who=seat_text(number))
            raise Refused("bad_value", N_("round {number}: {why}", number=round_, why=why))
        if (entry.seat, places[verb]) in stored:
            raise Refused("bad_value", N_("{who} and {verb} stand twice", who=_who(seat), verb=verb))
        stored[entry.seat, places[verb]] = number
        other = other or entry.number != number
    if not other:
        raise Refused("bad_value", N_("these numbers stand there already"))
    put_right = tuple([(seat, at, number) for (seat, at), number in stored.items()])
    if round_ == END:
        _with_ends(state, stored)
    else:
        _anew(_then(state, row[0]), row, round_, stored)
    return put_right


def _entry_of(had: Sequence[RoundEntry], seat: Seat | None, verb: str, round_: int) -> RoundEntry:
    """What stands in a round for a seat, or for its partner. Raises `Refused`."""
    for one in had:
        if one.verb == verb and (one.seat == seat or (one.seat is not None and seat in one.group)):
            return one
    text = N_("{who} has not answered {verb} in round {number}", who=_who(seat), verb=verb, number=round_)
    raise Refused("bad_value", text, f"answered: {', '.join(map(_name, had)) or 'nothing'}")


def _who(seat: Seat | None) -> str:
    return N_("the table") if seat is None else seat_text(seat)


def _name(entry: RoundEntry) -> str:
    return f"{entry.verb} ({'table' if entry.seat is None else f'seat {entry.seat}'})"


def _span(rounds: Sequence[int]) -> str:
    low, high = min(rounds), max(rounds)
    return str(low) if low == high else f"{low} to {high}"


def _then(state: SheetState, done: CountedRound) -> SheetState:
    """The state as it was when this was counted, as far as points, limits and texts depend on it."""
    before = done.before
    points = first_totals(state.game.program, state.players) if before is None else before.uncorrected
    return replace(
        state,
        round=done.round,
        values=done.values,
        points=points,
        corrected=done.corrected,
        out=done.out,
        full=done.full,
        why="",
        closed=False,
        faults=(),
        done=before,
    )


def _answered(state: SheetState, done: CountedRound) -> Iterator[tuple[int, Holders]]:
    """What was answered for this fold: the place of each ask, and the seats that hold a number together."""
    program, in_then = state.game.program, tuple([seat for seat in state.seats if seat not in done.out])
    at_once = program.per == "asks"
    for at, ask in enumerate(program.asks[: program.in_round]):
        if at_once:
            for holders in _holders(state, ask, in_then):
                yield at, holders
        elif program.per != "box" or at == done.full[done.asked[0]][-1]:
            yield at, _in_front(side_of(state, done.asked[0]), done.asked[0])


def _holders(state: SheetState, ask: CompiledAsk, seats: Holders) -> list[Holders]:
    """The seats that hold a number of an ask together, those that were asked in front."""
    if ask.per == "table":
        return [_in_front(state.seats, seats[0])]
    if ask.per == "team":
        sides = {seat: side_of(state, seat) for seat in reversed(seats)}
        return list({side[0]: _in_front(side, seat) for seat, side in sides.items()}.values())
    return [(seat,) for seat in seats]


def _in_front(seats: Holders, first: Seat) -> Holders:
    return (first, *[seat for seat in seats if seat != first])


def reckoned(state: SheetState, round_: int, numbers: Numbers) -> SheetState:
    """The state with all that is counted from this row on reckoned anew; what is under way stays. Raises `Refused`."""
    changes = {(seat, at): number for seat, at, number in numbers}
    if round_ == END and state.closed:
        return _with_ends(replace(state, points=_before_end(state), faults=()), changes)
    dones = up_to(state.done)
    first = next((n for n, done in enumerate(dones) if row_of(state.game.program, done) == round_), len(dones))
    if first == len(dones):
        raise Refused("bad_value", N_("round {number}: nothing is counted there", number=round_))
    new = _anew(_then(state, dones[first]), dones[first:], round_, changes)
    values = _with_pending(state, new.values)
    return replace(state, points=new.points, values=values, out=new.out, faults=(), done=new.done)


def _anew(
    new: SheetState, dones: Sequence[CountedRound], round_: int, changes: "dict[tuple[Seat | None, int], int]"
) -> SheetState:
    """The state once these are reckoned, with other numbers in a row. `new`: before the first. Raises `Refused`."""
    for done in dones:
        gone = tuple([seat for seat in done.out if seat not in new.out])
        then = replace(new, round=done.round, corrected=done.corrected, full=done.full, out=(*new.out, *gone))
        then = _with_answers(then, done)
        if row_of(new.game.program, done) == round_:
            then = _put_right(then, done, changes)
        try:
            after, _ = scored(then, anew=True)
        except Uncountable as failure:
            why = reason(then.in_round(fails=failure.seat), failure.why)
            raise Refused(
                "bad_value", N_("round {number}: {why}", number=row_of(new.game.program, done), why=why)
            ) from None
        now = replace(of_kind(CountedRound, after.done), out=done.out)
        new = replace(after, out=tuple([seat for seat in after.out if seat not in gone]), done=now)
    return new


def _with_answers(state: SheetState, done: CountedRound) -> SheetState:
    """The state with what was answered for this fold."""
    values = state.values
    for at, holders in _answered(state, done):
        values = _held(values, holders, state.game.program.asks[at], done.values[holders[0]])
    return replace(state, values=values)


def _held(
    values: tuple[tuple[int, ...], ...], holders: Holders, ask: CompiledAsk, number: "int | tuple[int, ...]"
) -> tuple[tuple[int, ...], ...]:
    """The values with a number of these seats, or with that of this row."""
    place = ask.place - VALUES
    one = number if isinstance(number, int) else number[place]
    for seat in holders:
        values = put(values, seat, put(values[seat], place, one))
    return values


def _put_right(state: SheetState, done: CountedRound, changes: "dict[tuple[Seat | None, int], int]") -> SheetState:
    """The state with other numbers within their limits. Raises `Refused`."""
    new, touched = state, set[int]()
    for at, holders in _answered(state, done):
        ask = state.game.program.asks[at]
        number = changes.get((None if ask.per == "table" else holders[0], at))
        if number is None and not ask.needs & touched:
            continue
        old = state.values[holders[0]][ask.place - VALUES]
        was, now = (limits(ask, rows(one).rows[holders[0]]) for one in (state, new))
        if number is None:
            number = now[0] if now[0] == now[1] else old
            if was[0] == was[1] and now[0] < now[1]:
                raise Refused("bad_value", N_("{ask}: must be given, too", ask=_named(new, ask, holders)))
        _within(new, ask, holders, number, now)
        if number != old:
            touched.add(at)
        new = replace(new, values=_held(new.values, holders, ask, number))
    return new


def _with_ends(state: SheetState, changes: "dict[tuple[Seat | None, int], int]") -> SheetState:
    """The state with other numbers of what was asked at the end. Raises `Refused`."""
    program = state.game.program
    for at in range(program.in_round, len(program.asks)):
        ask = program.asks[at]
        for holders in _holders(state, ask, inside(state)):
            number = changes.get((None if ask.per == "table" else holders[0], at))
            if number is not None:
                _within(state, ask, holders, number, limits(ask, rows(state).rows[holders[0]]))
                state = replace(state, values=_held(state.values, holders, ask, number))
    return state


def _within(state: SheetState, ask: CompiledAsk, holders: Holders, number: int, allowed: tuple[int, int]) -> None:
    low, high = allowed
    if not low <= number <= high:
        text = N_("{ask} {number}: must be from {low} to {high}", ask=ask.id, number=number, low=low, high=high)
        if ask.per != "table":
            text = N_("{who}, {text}", who=seat_text(holders[0]), text=text)
        raise Refused("bad_value", text)


def _named(state: SheetState, ask: CompiledAsk, holders: Holders) -> str:
    return ask.id if ask.per == "table" else N_("{who}, {text}", who=seat_text(holders[0]), text=ask.id)


def _with_pending(state: SheetState, values: tuple[tuple[int, ...], ...]) -> tuple[tuple[int, ...], ...]:
    """The values reckoned anew with what was answered since, which is not counted yet."""
    program, now = state.game.program, state.round
    for ask in program.asks[program.in_round :]:
        for seat in state.seats:
            values = _held(values, (seat,), ask, state.values[seat])
    question = state.ask if state.held is None else state.held
    if not isinstance(question, AskedNumbers | Boxes):
        return values
    at = question.at if isinstance(question, AskedNumbers) else now.top
    if at >= program.in_round:
        return values
    seats = inside(state) if program.per == "asks" else side_of(state, now.asked[0])
    for ask in program.asks[: max(at, now.top + 1)]:  # one that is open again has its old answers
        for holders in _holders(state, ask, seats):
            for seat in holders:
                values = _held(values, (seat,), ask, state.values[seat])
    if isinstance(question, AskedNumbers):
        for seat, number in enumerate(question.numbers):
            if number is not None:
                values = _held(values, (seat,), program.asks[at], number)
    return values


def with_limits(state: SheetState) -> SheetState:
    """The state with the question under way within the limits as they are now."""
    question, program = state.ask, state.game.program
    if isinstance(question, Boxes):
        return replace(state, ask=replace(question, low=asking.empty_boxes(state, question.seat)))
    if not isinstance(question, AskedNumbers) or program.asks[question.at].fixed or question.at >= program.in_round:
        return state
    fresh = opened(state, question.at, question.at in state.round.again)
    if not isinstance(fresh.ask, AskedNumbers):
        return fresh
    numbers = tuple([new if old is None else old for old, new in zip(question.numbers, fresh.ask.numbers, strict=True)])
    return replace(fresh.ask, numbers=numbers).under_way(fresh)
