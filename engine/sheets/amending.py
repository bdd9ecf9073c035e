"""Numbers of an earlier round put right: all that is counted is reckoned anew, without asking anything again."""

from collections.abc import Iterator, Mapping, Sequence
from operator import sub
from typing import TypeAlias

from msgspec.structs import astuple, replace

from engine.game import Block, Numbers, RoundEntry, Tallied, known
from engine.rules import Refused, Seat, put
from engine.sheets import asking
from engine.sheets.asking import AskedNumbers, Boxes, ask_label, in_front, opened
from engine.sheets.limits import FOLD_STEPS, MOST_STEPS
from engine.sheets.state import (
    CountedRound,
    Reckoned,
    SheetRound,
    SheetState,
    Uncountable,
    block_of,
    filled,
    holders,
    inside,
    limits,
    reason,
    row_of,
    rows,
    scored,
    seat_text,
    up_to,
)
from engine.words import N_

END = 0  # the row of what is asked at the end
Holders: TypeAlias = tuple[Seat, ...]  # the seats that hold one number
Changes: TypeAlias = Mapping[tuple[Seat | None, int], int]  # by seat (None: the table) and ask: another number


def tally(state: SheetState) -> tuple[Block, ...]:
    """The table of rounds, in blocks."""
    last = state.done
    blocks = last.blocks if last.before is None else (*last.blocks, block_of(state.game.flow, last))
    if _has_end(state):
        end = Tallied(END, tuple(map(sub, state.points, last.uncorrected)), state.scores)
        blocks = (*blocks[:-1], (*(blocks[-1] if blocks else ()), end))
    return blocks


def _has_end(state: SheetState) -> bool:
    """Whether the table of rounds has a row of what was asked at the end."""
    return state.closed and len(state.game.program.asks) > state.game.program.in_round


def _of_row(state: SheetState, round_: int) -> list[CountedRound]:
    """All that was counted in a row of the table of rounds."""
    return [done for done in up_to(state.done) if row_of(state.game.flow, done) == round_]


def entered(state: SheetState, round_: int) -> tuple[RoundEntry, ...]:
    """What was entered in a row of the table of rounds, as it may be put right."""
    return tuple([one for one in _held_in(state, round_) if one.low < one.high])


def answered(state: SheetState) -> tuple[RoundEntry, ...]:
    """What is answered already of the round or the turn under way, ask by ask."""
    question, program = state.ask, state.game.program
    if not isinstance(question, AskedNumbers) or question.at >= program.in_round:
        return ()
    found = [_entry(state, at, seats) for at, seats in _answered(state) if at < question.at]
    return tuple([one for one in found if one.low < one.high])


def _held_in(state: SheetState, round_: int) -> list[RoundEntry]:
    """All numbers of a row, also those that could be one only."""
    thens = [_then(state, done) for done in _of_row(state, round_)]
    if round_ == END and _has_end(state):
        thens = [replace(state, extra=())]
    return [_entry(then, at, seats) for then in thens for at, seats in _answered(then)]


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
        there = [row_of(state.game.flow, done) for done in up_to(state.done)] + [END] * _has_end(state)
        why = N_("must be one of {rounds}", rounds=_span(there)) if there else N_("nothing is counted yet")
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
        _put_right(replace(state, extra=()), stored)
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
    """The state as it was before this was counted, as far as points, limits and texts depend on it."""
    past = replace(
        state, done=known(done.before), round=SheetRound(*astuple(done.round)), corrected=done.corrected, out=done.out
    )
    return replace(past, why="", closed=False, extra=(), faults=())


def _answered(state: SheetState) -> Iterator[tuple[int, Holders]]:
    """What is answered and not counted: the ask, and the seats that hold a number together, who was asked in front."""
    seats, asks = inside(state), state.game.program.asks
    for at, numbers in state.round.answers:
        if asks[at].per == "table":
            yield at, _with_first(state.seats, in_front(state))
            continue
        in_turn = () if asks[at].per in ("each", "team") else state.round.asked
        left = [seat for seat in (*in_turn, *seats) if numbers[seat] is not None]
        while left:
            held = holders(state, asks[at], left[0])
            yield at, _with_first(held, left[0])
            left = [seat for seat in left if seat not in held]


def _with_first(seats: Holders, first: Seat) -> Holders:
    return (first, *[seat for seat in seats if seat != first])


def reckoned(state: SheetState, round_: int, numbers: Numbers) -> SheetState:
    """The state with all that is counted from this row on reckoned anew; what is under way stays. Raises `Refused`."""
    changes = {(seat, at): number for seat, at, number in numbers}
    if round_ == END and state.closed:
        return _put_right(replace(state, extra=(), faults=()), changes)
    dones = _from_row(state, round_)
    new = _anew(_then(state, dones[0]), dones, round_, changes, kept=True)
    return replace(state, done=new.done, out=new.out, extra=(), faults=())


def reckoned_on(state: SheetState, round_: int, numbers: Numbers) -> bool:
    """Reckon a part of what `reckoned` does, 5 ms at most, which goes on from there. Returns whether nothing is left.

    Raises `Refused`.
    """
    if round_ == END:
        return True
    dones = _from_row(state, round_)
    changed = round_, {(seat, at): number for seat, at, number in numbers}
    to = _done_before(state, dones, changed)[0] + max(1, MOST_STEPS // (state.game.program.steps + FOLD_STEPS))
    _anew(_then(state, dones[0]), dones[:to], *changed, kept=True)
    return to >= len(dones)


def _from_row(state: SheetState, round_: int) -> list[CountedRound]:
    """All that was counted from a row on. Raises `Refused` where nothing was."""
    dones = up_to(state.done)
    for n, done in enumerate(dones):
        if row_of(state.game.flow, done) == round_:
            return dones[n:]
    raise Refused("bad_value", N_("round {number}: nothing is counted there", number=round_))


def _done_before(
    new: SheetState, dones: Sequence[CountedRound], changed: tuple[int, Changes]
) -> tuple[int, SheetState]:
    """How many of these have been folded again with the same numbers, and the state after that. `new`: before them."""
    kept = new.game.reckoned[0]
    if kept is None or kept.first is not dones[0] or kept.changed != changed:
        return 0, new
    return (kept.many, kept.after) if kept.many <= len(dones) and dones[kept.many - 1] is kept.last else (0, new)


def _anew(
    new: SheetState, dones: Sequence[CountedRound], round_: int, changes: Changes, *, kept: bool = False
) -> SheetState:
    """The state once these are folded again, with other answers in a row. `new`: before the first. Raises `Refused`.

    `kept`: the same work goes on where it has ended before, and is kept.
    """
    many, new = _done_before(new, dones, (round_, changes)) if kept else (0, new)
    for done in dones[many:]:
        gone = tuple([seat for seat in done.out if seat not in new.out])
        then = replace(new, round=SheetRound(*astuple(done.round)), corrected=done.corrected, out=(*new.out, *gone))
        if row_of(new.game.flow, done) == round_:
            then = _put_right(then, changes)
        try:
            counted, _ = scored(then, anew=True)
        except Uncountable as failure:
            why = reason(then.in_round(fails=failure.seat), failure.why)
            text = N_("round {number}: {why}", number=row_of(new.game.flow, done), why=why)
            raise Refused("bad_value", text) from None
        out = tuple([seat for seat in counted.out if seat not in gone])
        new = replace(counted, out=out, done=replace(counted.done, out=done.out))
    if kept:
        new.game.reckoned[0] = Reckoned(dones[0], (round_, changes), len(dones), dones[-1], new)
    return new


def _put_right(state: SheetState, changes: Changes) -> SheetState:
    """The state with other answers within their limits. Raises `Refused`."""
    new, touched = state, set[int]()
    for at, seats in _answered(state):
        ask, given = state.game.program.asks[at], dict(new.round.answers)[at]
        number, old = changes.get((None if ask.per == "table" else seats[0], at)), known(given[seats[0]])
        if number is None and not ask.needs & touched:
            continue
        was, now = (limits(ask, rows(one).rows[seats[0]]) for one in (state, new))
        who = ask.id if ask.per == "table" else N_("{who}, {text}", who=seat_text(seats[0]), text=ask.id)
        if number is None:
            number = now[0] if now[0] == now[1] else old
            if was[0] == was[1] and now[0] < now[1]:
                raise Refused("bad_value", N_("{ask}: must be given, too", ask=who))
        if not now[0] <= number <= now[1]:
            low, high = now
            text = N_("{ask} {number}: must be from {low} to {high}", ask=who, number=number, low=low, high=high)
            raise Refused("bad_value", text)
        if number != old:
            touched.add(at)
        for seat in seats:
            given = put(given, seat, number)
        new = new.with_answers(at, given, new.ask)
    return new


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
    numbers = list(fresh.ask.numbers)
    for seat, old in enumerate(question.numbers):
        low, high = fresh.ask.limits.of(seat)
        if old is not None and low <= old <= high:  # else it is asked again
            numbers[seat] = old
    return replace(fresh.ask, numbers=tuple(numbers)).under_way(fresh)
