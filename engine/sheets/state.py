"""The state of a sheet's game, and its reckoning: what one round, turn or answer makes of it."""

from collections.abc import Iterator, Mapping
from contextlib import suppress
from functools import cache, cached_property, lru_cache
from operator import add, sub
from typing import Any, Literal, NamedTuple, Self, TypeAlias

from msgspec.structs import astuple, replace

from engine import game
from engine.face import Overtime, Said, Who
from engine.game import Block, Question, Record, Tallied
from engine.race import Race
from engine.rules import Seat, only, put
from engine.sheets.expressions import DIVIDED, IN, SEAT, SIDE, TOO_LARGE, Expression, NoValue, Row, SeatRows
from engine.sheets.program import POINTS, TOTAL, TURNS, VALUES, CompiledAsk, Program, Text, program
from engine.sheets.sheet import Sheet
from engine.stamps import S, Since
from engine.words import N_, from_file

# why a fold fails: the place of a check or, below 0, one of these
WHYS = (DIVIDED, TOO_LARGE, N_("the partners of a team are not level"))
NOT_LEVEL = -3
ROWS = 16  # of a block

Box: TypeAlias = tuple[int, int, int]  # one that is empty: which ask, the lowest, the highest
Given: TypeAlias = tuple[int, tuple[int | None, ...]]  # the answers to an ask by seat; None: it was not asked
Over: TypeAlias = Literal["", "end", "rounds", "finish", "out", "full"]  # why the game is over


class SheetGame(Record, dict=True):
    """The sheet that is played; compiled once."""

    sheet: Sheet
    flow: "Flow"

    @cached_property
    def program(self) -> Program:
        """Its expressions."""
        return program(self.sheet)

    @cached_property
    def boxes(self) -> "tuple[Box, ...] | None":
        """Each box with its limits, where they are always the same numbers."""
        asks = self.program.asks[: self.program.in_round]
        limits = [(at, ask.low, ask.high) for at, ask in enumerate(asks) if ask.when is None]
        fixed = [(at, low, high) for at, low, high in limits if isinstance(low, int) and isinstance(high, int)]
        return tuple(fixed) if len(fixed) == len(asks) else None

    @cached_property
    def folds(self) -> list[tuple[tuple[object, object, Any], ...]]:
        """The latest folds, in a list of one: an event, the state before it, the state after it.

        A fold is looked at when an answer is decided, and asked for once more when its event has happened.
        """
        return [()]

    @cached_property
    def reckoned(self) -> "list[Reckoned | None]":
        """How far an earlier round is put right, in a list of one."""
        return [None]


class Judged(Record):
    """A race that is judged."""

    run: Race
    placed: tuple[int, ...]  # by seat: the place; 0: none
    round: int  # its number

    @property
    def first(self) -> tuple[Seat, ...]:
        return tuple([seat for seat, place in enumerate(self.placed) if place == 1])

    @property
    def last(self) -> tuple[Seat, ...]:
        """The last ones, where others were before them."""
        most = max(self.placed)
        return tuple([seat for seat, place in enumerate(self.placed) if place == most > 1])


class RoundParts(Record):
    """What the points of a round, a turn or an answer depend on."""

    number: int
    first: Seat  # who starts it
    placed: tuple[int, ...]  # by seat: the place in the race; 0: none
    asked: tuple[Seat, ...]  # who answers what is under way, and is folded after it
    answers: tuple[Given, ...] = ()  # of a round under way: those that are not counted
    waived: tuple[int, ...] = ()  # the reasons that do not matter: the table has said "count anyway"


class AnsweredRound(RoundParts):
    """A round that is counted: it has no stamps."""


class SheetRound(RoundParts, gc=False):
    """A round: everybody's asks, a turn of everybody, or a race."""

    had: tuple[Seat, ...] = ()  # who has had a turn in it
    racers: tuple[Seat, ...] = ()  # who is not locked out
    winners: tuple[Seat, ...] = ()  # of its race: who still has to answer
    run: Race | None = None  # the race once it is closed: the evidence
    front: tuple[Seat, ...] | None = None  # the first of it, as named; None: not yet, or nobody asks
    idle: bool = True  # nobody has been asked anything
    again: tuple[int, ...] = ()  # asks that a check has opened again
    top: int = -1  # the last ask that was answered then
    failed: tuple[int, ...] = ()  # the reasons why it could not be counted, one for each time
    fails: Seat = 0  # the seat for which the latest check does not hold
    judged: Judged | None = None  # the latest race, also of a round before: the next one may be open at once


class CountedRound(Record, eq=False):
    """One fold: what was answered, and all that is counted by it. A game is the list of these, and of nothing else.

    Each refers to the one before it, so that all states of a game share what was counted before them. The first one has
    none before it: it is the beginning, where nothing is answered.
    """

    before: "CountedRound | None"
    row: int  # of the table of rounds, from 0: a round or, where anybody may answer at any time, an answer
    blocks: tuple[Block, ...]  # of the table of rounds, all that are full before its row
    round: AnsweredRound
    corrected: tuple[int, ...]
    out: tuple[Seat, ...]  # who was not asked
    points: tuple[int | None, ...]  # by seat; None: it was not folded
    totals: tuple[int, ...]
    values: tuple[tuple[int, ...], ...]  # by seat: last points, turns, then all asks, keeps and lets
    full: tuple[tuple[int, ...], ...]  # by seat: the boxes that are filled

    @property
    def uncorrected(self) -> tuple[int, ...]:
        """The totals without points fixed by hand."""
        return tuple(map(sub, self.totals, self.corrected)) if any(self.corrected) else self.totals

    def __eq__(self, other: object) -> bool:
        """Whether all is the same up to here. A loop compares them: a game may be too long for a recursion."""
        one: CountedRound | None = self
        while one is not other:
            if not (isinstance(one, CountedRound) and isinstance(other, CountedRound) and one.own == other.own):
                return False
            one, other = one.before, other.before
        return True

    __hash__ = None  # type: ignore[assignment]

    @property
    def own(self) -> tuple[object, ...]:
        """All but what was counted before it."""
        return astuple(self)[1:]


class SheetState(game.RoundState):
    """A game of any sheet."""

    game: SheetGame
    rounds: int | None  # of how many, where known
    round: SheetRound
    done: CountedRound  # what was counted last
    out: tuple[Seat, ...] = ()
    lap: tuple[Seat, ...] | None = None  # the last lap, or the end of the last round: who still has a turn
    why: Over = ""
    closed: bool = False  # over, and all final asks are answered
    extra: tuple[tuple[int, ...], ...] = ()  # by final ask, once it is over: the points with it and those before it
    held: Question[Any] | None = None  # under way when points fixed by hand ended the game
    faults: tuple[int, ...] = ()  # what has counted as 0 at the end
    spent_ns: tuple[int, ...] = ()  # by seat: the time of its turns, less what a chess clock adds for each
    since_ns: Since | None = None  # since when the clock runs for whose turn it is

    @property
    def points(self) -> tuple[int, ...]:
        """The totals, without points fixed by hand."""
        return self.extra[-1] if self.extra else self.done.uncorrected

    @property
    def scores(self) -> tuple[int, ...]:
        done = self.done
        return done.totals if self.corrected is done.corrected and not self.extra else super().scores

    def with_answers(self, at: int, numbers: tuple[int | None, ...], ask: Question[Any], **changes: Any) -> Self:
        """The state with the answers to an ask, in place of older ones to it, and with this question.

        `changes`: other fields of its round.
        """
        answers = self.round.answers
        if answers and answers[-1][0] >= at:  # asked again
            given = tuple(sorted({**dict(answers), at: numbers}.items()))
        else:
            given = (*answers, (at, numbers))
        return replace(self, round=replace(self.round, answers=given, **changes), ask=ask)


class Reckoned(NamedTuple):
    """Rounds that are folded again with other numbers in one of them: the same work goes on after the last."""

    first: CountedRound  # from which on, as it was
    changed: "tuple[int, Mapping[tuple[Seat | None, int], int]]"  # the row of the table of rounds, and its numbers
    many: int
    last: CountedRound  # as it was
    after: SheetState


class Flow(Record):
    """How a round goes: who is asked, who is folded, what comes next. One object for all games that go so.

    It has no state of its own. `engine.sheets.flows` has all of them.
    """

    turns = False  # a round is a turn of everybody
    only_turns = False  # a turn is a press and nothing else
    boxes = False  # a turn fills one of the asks
    a_row_each = False  # each answer is a row of the table of rounds; else each round is one
    names_starter = False  # people are told who starts a round

    def asked(self, state: SheetState, at: int) -> tuple[Seat, ...]:
        """Who answers an ask of a round, in order; the table's has one of them in front."""
        return inside(state)

    def folded(self, state: SheetState) -> tuple[Seat, ...]:
        """Who is folded."""
        return inside(state)

    def alone(self, fold: "Fold") -> None:
        """Of what was answered before, leave in the rows of a fold only what counts in it."""

    def counted(self, now: SheetRound) -> SheetRound:
        """The round once all that is answered is counted."""
        had = (*now.had, *[seat for seat in now.asked if seat not in now.had]) if self.turns else now.had
        if now.failed or now.waived or now.again:
            return replace(now, answers=(), had=had, again=(), top=-1, failed=(), waived=())
        return replace(now, answers=(), had=had)

    def begun(self, state: SheetState) -> SheetState:
        """The first question of a round or, turn by turn, the next one."""
        raise NotImplementedError

    def begun_anew(self, state: SheetState) -> SheetState | None:
        """The same, where others are in now than before; None where what is under way stays."""
        raise NotImplementedError

    def asks_begun(self, state: SheetState) -> SheetState:
        """The first ask or the race, where a clock has run before."""
        raise NotImplementedError

    def asked_again(self, state: SheetState, at: int) -> SheetState:
        """The state with an ask that a check has opened again."""
        raise NotImplementedError

    def onward(self, state: SheetState) -> SheetState:
        """What comes after a fold that does not end the game."""
        raise NotImplementedError

    def passed(self, state: SheetState, seat: Seat) -> SheetState:
        """The state once a seat has passed its turn on by a press."""
        raise NotImplementedError

    def ends_round(self, state: SheetState) -> bool:
        """Whether nobody else has a turn in this round."""
        return True

    def has_turn(self, state: SheetState) -> Seat | None:
        """For whom a clock runs."""
        seat: Seat | None = getattr(state.ask, "seat", None)
        return seat


class Uncountable(Exception):
    """A check does not hold, or something has no value: why, of which expression, and the names that it reads."""

    def __init__(self, why: int, of: Expression, seat: Seat = 0, names: frozenset[str] | None = None) -> None:
        super().__init__(why)
        self.why, self.of, self.seat = why, of, seat  # the first seat for which it does not hold
        self.names = of.names if names is None else names


@lru_cache(maxsize=256)
def shared(values: tuple[Any, ...]) -> Any:
    """These numbers by seat, as one object in all states that have the same."""
    return values


@cache
def zeros(count: int) -> tuple[int, ...]:
    """So many zeros."""
    return (0,) * count


def row_of(flow: Flow, done: CountedRound) -> int:
    """What the row of the table of rounds is called where this was counted: its round, or the number of an answer."""
    return done.row + 1 if flow.a_row_each else done.round.number


def block_of(flow: Flow, last: CountedRound) -> Block:
    """The rows of the table of rounds in the block of `last`, up to `last`."""
    found = list[Tallied]()
    for done in after_beginning(last):
        if done.row // ROWS != last.row // ROWS:
            break
        number, points = row_of(flow, done), done.points
        if found and found[-1].round == number:
            points = tuple([new if old is None else old for old, new in zip(found[-1].points, points, strict=True)])
            found[-1] = found[-1]._replace(points=points)
        else:
            found.append(Tallied(number, points, done.totals))
    return tuple(found[::-1])


def after_beginning(last: CountedRound) -> Iterator[CountedRound]:
    """All folds up to this one, backwards."""
    while last.before is not None:
        yield last
        last = last.before


def up_to(last: CountedRound) -> list[CountedRound]:
    """All folds up to this one, in order."""
    return list(after_beginning(last))[::-1]


def inside(state: SheetState) -> tuple[Seat, ...]:
    """The seats that are in; once nobody is, all of them."""
    if not state.out:
        return state.seats
    return tuple([seat for seat in state.seats if seat not in state.out]) or state.seats


def side_of(state: SheetState, seat: Seat) -> tuple[Seat, ...]:
    """The seats of a side."""
    teams = state.game.sheet.teams
    return only(seat) if teams is None else tuple([one for one in state.seats if one % teams == seat % teams])


def holders(state: SheetState, ask: CompiledAsk, seat: Seat | None) -> tuple[Seat, ...]:
    """The seats that hold the number with which a seat, or the table, answers an ask."""
    if seat is None or ask.per == "table":
        return state.seats
    return (seat,) if ask.per == "each" else side_of(state, seat)


def beginning(compiled: Program, players: int) -> CountedRound:
    """What there is before the first round."""
    row: Row = [None, 0, 0, 0, players]
    totals, none = list[int](), zeros(players)
    for seat in range(players):
        row[SEAT], row[SIDE] = seat, seat % (compiled.sheet.teams or players)
        totals.append(compiled.start.run(row))
    nobody = AnsweredRound(0, 0, none, ())
    values = (zeros(compiled.width),) * players
    return CountedRound(None, -1, (), nobody, none, (), (None,) * players, tuple(totals), values, ((),) * players)


def rows(state: SheetState) -> SeatRows:
    """What expressions read, as it is now."""
    now, players, teams = state.round, state.players, state.game.sheet.teams or state.players
    scores, values, placed, number, first = state.scores, state.done.values, now.placed, now.number, now.first
    made: list[Row] = [
        [None, seat, seat % teams, 0, players, number, first, placed[seat], scores[seat], *values[seat]]
        for seat in state.seats
    ]
    if now.answers:
        answer(state, made)
    return SeatRows(made, inside(state))


def answer(state: SheetState, made: list[Row]) -> None:
    """Write what is answered and not counted into the rows of all seats."""
    asks = state.game.program.asks
    for at, numbers in state.round.answers:
        place = asks[at].place
        for seat, number in enumerate(numbers):
            if number is not None:
                made[seat][place] = number


def row_of_table(state: SheetState) -> Row:
    """The values for expressions that read nothing about seats."""
    return [None, 0, 0, 0, state.players, state.round.number, state.round.first]


def limits(ask: CompiledAsk, row: Row) -> tuple[int, int]:
    """The lowest and the highest answer, equal if the ask is skipped. A limit that cannot be reckoned is 0 or 999."""
    low, high = ask.low, ask.high
    if not isinstance(low, int):
        low = value_or(low, row, 0)
    if ask.when is not None and not value_or(ask.when, row, 1):
        return low, low
    if not isinstance(high, int):
        high = value_or(high, row, 999)
    return low, max(low, high)


def value_or(expression: Expression, row: Row, usual: int) -> int:
    """The value of an expression, or the usual one where it has none."""
    try:
        return expression.run(row)
    except NoValue:
        return usual


def why_of(fault: NoValue) -> int:
    """A fault as a number."""
    return -1 - WHYS.index(str(fault))


class Fold:
    """One fold under way: the rows of the table, and those of the seats that are folded."""

    def __init__(self, state: SheetState) -> None:
        self.state, self.program = state, state.game.program
        self.table = rows(state)
        self.seats = state.game.flow.folded(state)
        self.rows = [self.table.rows[seat] for seat in self.seats]
        self.waived = state.round.waived
        if not state.why:
            state.game.flow.alone(self)

    def reckon(self, expression: Expression, usual: int | list[int] = 0) -> list[int]:
        """The values of the seats that are folded. A fault fails, unless it was waived."""
        try:
            return list(map(expression.run, self.rows))
        except NoValue as fault:
            if why_of(fault) not in self.waived:
                raise Uncountable(why_of(fault), expression) from None
        several = usual if isinstance(usual, list) else [usual] * len(self.rows)
        return [value_or(expression, row, one) for row, one in zip(self.rows, several, strict=True)]

    def put(self, place: int, values: list[int]) -> None:
        for n, row in enumerate(self.rows):
            row[place] = values[n]
        if self.table.reckoned:
            self.table.changed()

    def let(self, which: tuple[int, ...] | None = None) -> None:
        lets = self.program.lets
        for let in lets if which is None else [lets[n] for n in which]:
            self.put(let.place, self.reckon(let.value))

    def check(self, which: tuple[int, ...]) -> None:
        """Raises `Uncountable` where one of these does not hold."""
        for n in which:
            check = self.program.checks[n]
            if n not in self.waived and 0 in (holds := self.reckon(check.that, 1)):
                raise Uncountable(n, check.that, self.seats[holds.index(0)])


def checked(state: SheetState, at: int) -> None:
    """Look at what must hold once this ask is answered, and others are still to come. Raises `Uncountable`."""
    compiled, now = state.game.program, state.round
    which = compiled.due[at]
    if now.again:
        which = tuple([n for n, check in enumerate(compiled.checks) if check.after <= at])
    if which:
        fold = Fold(state)
        for n in which:
            fold.let(compiled.checks[n].lets)
            fold.check((n,))


def scored(state: SheetState, *, anew: bool = False) -> tuple[SheetState, bool]:
    """The state after a fold (let, check, points, keep and total, out), and whether the end is true for anybody.

    `anew`: it was reckoned before with other numbers, so all checks are made. Raises `Uncountable`.
    """
    fold, compiled = Fold(state), state.game.program
    fold.let()
    if compiled.checks:
        every = anew or state.round.again or compiled.in_round == 0
        fold.check(tuple(range(len(compiled.checks))) if every else compiled.due[-1])
    fold.put(POINTS, fold.reckon(compiled.points))
    kept = [
        fold.reckon(keep.value, [row[keep.place] for row in fold.rows] if fold.waived else 0) for keep in compiled.keeps
    ]
    after = fold.reckon(compiled.total, [row[TOTAL] for row in fold.rows] if fold.waived else 0)
    for n, keep in enumerate(compiled.keeps):
        fold.put(keep.place, kept[n])
    fold.put(TOTAL, after)
    if state.game.sheet.teams is not None and NOT_LEVEL not in fold.waived:
        sides = {row[2]: row[TOTAL] for row in fold.rows}
        if any(row[TOTAL] != sides[row[2]] for row in fold.rows):
            raise Uncountable(NOT_LEVEL, compiled.points, names=compiled.points.names | compiled.total.names)
    for row in fold.rows:
        row[TURNS] += 1
    out = state.out
    if compiled.out is not None:
        gone = fold.reckon(compiled.out)
        if any(gone):
            out = (*out, *[seat for seat, is_out in zip(fold.seats, gone, strict=True) if is_out])
            fold.table.inside = [row for row in fold.table.inside if row[1] not in out]
            for seat in out:
                fold.table.rows[seat][IN] = 0
            fold.table.changed()
    ended = compiled.end is not None and has_ended(fold, compiled.end)
    return replace(state, done=counted(fold), out=out, round=state.game.flow.counted(state.round)), ended


def counted(fold: Fold) -> CountedRound:
    """What is counted by a fold."""
    state, flow, now, before = fold.state, fold.state.game.flow, fold.state.round, fold.state.done
    values, full, totals = list(before.values), before.full, list(state.scores)
    gained: list[int | None] = [None] * len(totals)
    for seat, row in zip(fold.seats, fold.rows, strict=True):
        totals[seat], gained[seat] = row[TOTAL], row[POINTS]
        own = row[VALUES:]
        if flow.boxes:
            ((box, _),) = now.answers
            boxes = slice(TURNS + 1 - VALUES, TURNS + 1 - VALUES + fold.program.in_round)
            own[boxes] = put(before.values[seat][boxes], box, own[boxes][box])
            full = put(full, seat, (*full[seat], box))
        values[seat] = tuple(own)
    if flow.only_turns and not shows_totals(state.game.sheet):  # a table of turns alone would say nothing
        return replace(before, corrected=state.corrected, totals=shared(tuple(totals)), values=tuple(values))
    at = before.row + (flow.a_row_each or before.round.number != now.number)
    full_block = before.before is not None and at // ROWS != before.row // ROWS
    return CountedRound(
        before=before,
        row=at,
        blocks=(*before.blocks, block_of(flow, before)) if full_block else before.blocks,
        round=AnsweredRound(now.number, now.first, now.placed, now.asked, now.answers, now.waived),
        corrected=state.corrected,
        out=state.out,
        points=shared(tuple(gained)),
        totals=shared(tuple(totals)),
        values=tuple(values),
        full=full,
    )


def has_ended(fold: Fold, end: Expression) -> bool:
    """Whether the end is true for any seat that is in. Raises `Uncountable`."""
    try:
        return any(end.run(row) for row in fold.table.inside)
    except NoValue as fault:
        if why_of(fault) not in fold.waived:
            raise Uncountable(why_of(fault), end) from None
    return any(value_or(end, row, 0) for row in fold.table.inside)


def ends(state: SheetState) -> tuple[Seat, ...]:
    """The seats that are in for which the end is true now."""
    end = state.game.program.end
    table = rows(state)
    return () if end is None else tuple([seat for seat in inside(state) if value_or(end, table.rows[seat], 0)])


def with_finals(state: SheetState) -> SheetState:
    """The points of all final asks added to the totals, in their order; and all that has no value at the end."""
    compiled, faults = state.game.program, list[int]()
    seats, state = inside(state), replace(state, extra=())
    for extra in compiled.extra:
        table = rows(state)
        added = [at_end(extra, table.rows[seat], faults) if seat in seats else 0 for seat in state.seats]
        state = replace(state, extra=(*state.extra, tuple(map(add, state.points, added))))
    table = rows(state)
    for win in (*compiled.win, *filter(None, (compiled.together,))):
        for seat in seats:
            at_end(win, table.rows[seat], faults)
    if any(state.scores[seat] != state.scores[one] for seat in seats for one in side_of(state, seat) if one in seats):
        faults.append(NOT_LEVEL)
    return replace(state, faults=tuple(faults))


def at_end(expression: Expression, row: Row, faults: list[int]) -> int:
    """The value of an expression at the end: 0 where it has none, which is noted."""
    try:
        return expression.run(row)
    except NoValue as fault:
        if why_of(fault) not in faults:
            faults.append(why_of(fault))
        return 0


def winners(state: SheetState) -> tuple[Seat, ...]:
    """Who has won: all or nobody together, else the best of those that are in; several share."""
    compiled, table, seats = state.game.program, rows(state), inside(state)
    if compiled.together is not None:
        won = any(value_or(compiled.together, table.rows[seat], 0) for seat in seats)
        return state.seats if won else ()
    if state.players == 1:
        return ()
    if not shows_totals(state.game.sheet) and state.game.sheet.win == ("total",):
        return () if len(seats) == state.players else seats
    worth = ranks(state)
    best = max(worth[seat] for seat in seats)
    return tuple([seat for seat in seats if worth[seat] == best])


def ranks(state: SheetState) -> tuple[tuple[int, ...], ...]:
    """By seat what its place goes by: whether it is in, then what is compared to find who has won."""
    compiled, table, seats = state.game.program, rows(state), inside(state)
    return tuple([(row[SEAT] in seats, *[value_or(win, row, 0) for win in compiled.win]) for row in table.rows])


def best(sheet: Sheet) -> Literal[-1, 0, 1]:
    """Whose total is the best: the highest (1), the lowest (-1), or nobody's, where something else wins."""
    first = "".join((sheet.win if isinstance(sheet.win, str) else sheet.win[0]).split())
    return -1 if first == "-total" else 1 if first == "total" and shows_totals(sheet) else 0


def shows_totals(sheet: Sheet) -> bool:
    """Whether there are points at all."""
    return str(sheet.points).strip() != "0" or sheet.total != "total + points"


def filled(text: Text, row: Row, state: SheetState, *, names: bool = False) -> str:
    """A text with its values, as this row has them. `names`: seats are left to whoever shows it."""
    if not text.places:
        return text.text
    values = dict[str, object]()
    asks = {ask.id: ask for ask in state.game.program.asks}
    for name, place, kind in text.places:
        value: int = row[place]
        match kind:
            case "yes":
                values[name] = N_("yes") if value else N_("no")
            case "words":
                values[name] = asks[name].words[value]
            case "seat" if value < 0:
                values[name] = N_("nobody")
            case "seat":
                values[name] = Who((value,)) if names else seat_text(value)
            case _:
                values[name] = value
    return from_file(text.text, values)


def seat_text(seat: Seat) -> str:
    """A seat in words, where no names can stand."""
    return f"P{seat + 1}"


def whose_turn(state: SheetState) -> Seat | None:
    """For whom the clock runs: the seat that is asked alone, or that passes its turn."""
    return None if state.why else state.game.flow.has_turn(state)


def left(state: SheetState) -> Said:
    """The time that is left by the clock of a sheet; nothing where none runs."""
    clock, seat, since_ns = state.game.sheet.clock, whose_turn(state), state.since_ns
    if clock is None or since_ns is None or seat is None:
        return ""
    return Overtime(since_ns + remaining_ns(state, seat))


def remaining_ns(state: SheetState, seat: Seat | None) -> int:
    """The time on a seat's clock when it starts to run; it may be below 0."""
    clock = state.game.sheet.clock
    if clock is None:
        return 0
    limit_s = clock.seconds if clock.seconds is not None else 60 * (clock.minutes or 0)
    spent_ns = state.spent_ns[seat] if clock.kind == "chess" and seat is not None and state.spent_ns else 0
    return limit_s * S - spent_ns


def reason(state: SheetState, why: int, *, names: bool = False) -> Said:
    """Why a check has failed, or what has no value."""
    if why < 0:
        return WHYS[-1 - why]
    fold = Fold(state)
    with suppress(Uncountable):
        fold.let()
    return filled(state.game.program.checks[why].says, fold.table.rows[state.round.fails], state, names=names)
