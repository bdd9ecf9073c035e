"""The base of every game: its state, the questions that it asks, and the events that happen in it.

A question owns its phase, its offers, its answers and their labels; an event owns its label and its fold. All three are
frozen values, and every function of them is pure.
"""

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from operator import add
from typing import Any, ClassVar, Generic, Literal, NamedTuple, Self, TypeAlias, TypeVar, dataclass_transform

import msgspec
from msgspec import Struct, StructMeta
from msgspec.structs import replace

from engine.face import USUAL, Face, Said
from engine.rules import (
    RELEASE,
    Action,
    Board,
    Chance,
    Offer,
    Press,
    RaceBoard,
    RaceTimes,
    Says,
    Seat,
    Shows,
    Value,
    check,
    each_seat,
    highest,
    put,
    seats_of,
)
from engine.words import N_

T = TypeVar("T")
M = TypeVar("M", bound=Callable[[Any, Any, "Answer"], "tuple[Event[Any], ...]"])  # a method that answers
S = TypeVar("S", bound="State")
P = TypeVar("P")


@dataclass_transform(frozen_default=True, field_specifiers=(msgspec.field,))
class _Frozen(StructMeta):
    """Declares every record frozen for type checkers, so that no record has to."""


class Record(Struct, metaclass=_Frozen, frozen=True):
    """A frozen value with named fields. `replace` gives a copy with some fields changed."""


class State(Record):
    """The fields that every game's state begins with."""

    corrected: tuple[int, ...]  # points added or taken by hand, by seat; part of every score and every end check
    ask: "Question[Any]"  # the question under way

    def asking(self, ask: "Question[Any]") -> Self:
        """The state with another question."""
        return replace(self, ask=ask)

    @property
    def players(self) -> int:
        return len(self.corrected)

    @property
    def seats(self) -> tuple[Seat, ...]:
        """All seats of the table."""
        return seats_of(len(self.corrected))

    @property
    def scores(self) -> tuple[int, ...]:
        """Totals by seat: the `points` of the game's state, a field or a property, plus points fixed by hand."""
        own: Any = self
        points: tuple[int, ...] = own.points
        return tuple(map(add, points, self.corrected)) if any(self.corrected) else points

    def fixed(self, seat: Seat, points: int) -> "State":
        """The state with points added to a seat by hand; they may be negative."""
        return replace(self, corrected=put(self.corrected, seat, self.corrected[seat] + points))

    def amended(self, round_: int, numbers: "Numbers") -> "State":
        """The state with numbers of an earlier round put right; itself in a game that has none."""
        return self

    @property
    def over(self) -> bool:
        """Whether the game is over; not if points fixed by hand since have made a tie that needs a question."""
        return isinstance(self.ask.standing(self), Over)


Numbers: TypeAlias = tuple[tuple[Seat | None, int, int], ...]  # seat (None: the table), place of the ask, number


class RoundState(State):
    """The state of a game in rounds."""

    round: Record  # each game has its own

    def in_round(self, **changes: Any) -> Self:
        """The state with other fields of its round."""
        return replace(self, round=replace(self.round, **changes))


class Event(Record, Generic[S]):
    """Something that has happened: a fact, with the outcome of chance and stamps in it. The journal stores it."""

    label: ClassVar[str]  # for people who take it back: "tile taken"

    def __init_subclass__(cls) -> None:
        if "fold" in vars(cls) and "label" not in vars(cls):
            raise TypeError(f'event {cls.__name__} has no label; it needs one for people: label = N_("tile taken")')

    def fold(self, state: S) -> S:
        """The state after this event. Never refuses: it has happened."""
        raise NotImplementedError


class Answer(Record):
    """An action as a question sees it. It was checked before: its parts fit the offer."""

    action: Action
    chance: Chance

    @property
    def seat(self) -> Seat:
        """The seat that answered, where a seat was asked."""
        return known(self.action.seat)

    @property
    def value(self) -> Value:
        return self.action.value

    @property
    def number(self) -> int:
        """The value, where a number or a seat was asked for."""
        return of_kind(int, self.action.value)

    @property
    def word(self) -> str:
        """The value, where a word was asked for."""
        return of_kind(str, self.action.value)

    @property
    def at_ns(self) -> int:
        return self.action.at_ns

    @property
    def press(self) -> Press:
        action = self.action
        return Press(known(action.seat), action.at_ns, action.error_ns, action.early_ns)

    def dice(self) -> random.Random:
        """The dice of this answer. The event stores the result."""
        return self.chance.dice()


class Verb(NamedTuple):
    """The method of a question that answers a verb, and the verb's label for people."""

    method: str
    label: str


def answers(verb: str, label: str) -> Callable[[M], M]:
    """Marks the method of a question that answers this verb: it takes the state and the answer and returns events."""

    def mark(method: M) -> M:
        vars(method).setdefault("answers", {})[verb] = label
        return method

    return mark


class Question(Record, Generic[S]):
    """A question of a game, to seats or to the table."""

    phase: ClassVar[str]  # its name on the board
    subject: ClassVar[Shows] = "seats"  # of the strip
    offered: ClassVar[tuple[Offer, ...]] = ()
    verbs: ClassVar[dict[str, Verb]] = {}

    def __init_subclass__(cls) -> None:
        cls.verbs = {}
        for base in reversed(cls.__bases__):
            cls.verbs |= getattr(base, "verbs", {})
        for name, method in vars(cls).items():
            for verb, label in getattr(method, "answers", {}).items():
                cls.verbs[verb] = Verb(name, label)

    def standing(self, state: S) -> "Question[S]":
        """The question that stands: this one, unless points fixed by hand lead to another."""
        return self

    def offers(self, state: S) -> tuple[Offer, ...]:
        """The offers that are open now: `offered`, unless a question overrides this."""
        return self.offered

    def answered(self, state: S, answer: Answer) -> tuple[Event[S], ...]:
        """The events that an answer causes, by the method that its verb names."""
        events: tuple[Event[S], ...] = getattr(self, self.verbs[answer.action.verb].method)(state, answer)
        return events

    def label(self, state: S, offer: Offer, value: Value) -> str:
        """The offer in words, or one of its options or numbers."""
        return self.verbs[offer.verb].label if value is None else str(value)

    def turn(self, state: S) -> tuple[Seat, ...]:
        """The seats that are asked; holds, releases and offers of the menu do not count."""
        asked = {o.seat for o in self.offers(state) if not (o.hold or o.menu) and o.verb != RELEASE}
        return tuple(sorted([seat for seat in asked if seat is not None]))

    def marks(self, state: S) -> dict[str, tuple[Seat, ...]]:
        """The seats that the board highlights while this is asked, by kind of highlight."""
        return {}

    def shows(self, state: S) -> Shows:
        """What is news on the board: `subject`, unless a question overrides this."""
        return self.subject

    def race_board(self, state: S) -> RaceBoard | None:
        """The race on the board, where there is one."""
        return None

    def ahead(self, state: S) -> Mapping[Seat, S]:
        """By seat, from the one asked now on: the state in which it is asked; empty where seats wait for each other.

        An answer before a seat's turn changes nothing: the caller keeps it, and gives it in that seat's turn.
        """
        return {}

    def face(self, state: S) -> Face:
        """What people are told while it stands."""
        return USUAL


class Onward(Question[S]):
    """A plain OK that may be skipped: an answer to the next question first gives this OK, in the same step.

    If several plain offers are open to the table, OK takes the last one.
    """

    def own(self, state: S) -> tuple[Offer, ...]:
        """What it offers itself."""
        return self.offered

    def onward(self, state: S) -> "tuple[Event[S], ...]":
        """The events of a plain OK, where what is asked after them may be answered at once; else none."""
        return ()

    def following(self, state: S) -> tuple[Offer, ...]:
        """What may be answered at once."""
        return ()

    def beyond(self, state: S) -> S:
        """The state after a plain OK; the same one where nothing may be answered at once."""
        return _after(self.onward(state), state)

    def offers(self, state: S) -> tuple[Offer, ...]:
        return (*self.own(state), *self.following(state))

    def answered(self, state: S, answer: Answer) -> tuple[Event[S], ...]:
        if answer.action.verb in self.verbs:
            return super().answered(state, answer)
        events = self.onward(state)
        beyond = _after(events, state)
        return (*events, *beyond.ask.answered(beyond, answer))

    def label(self, state: S, offer: Offer, value: Value) -> str:
        if offer.verb in self.verbs:
            return super().label(state, offer, value)
        beyond = self.beyond(state)
        return beyond.ask.label(beyond, offer, value)


def _after(events: tuple[Event[S], ...], state: S) -> S:
    for event in events:
        state = event.fold(state)
    return state


class Over(Question[S]):
    """The game is over; nothing more is asked, unless a game overrides this."""

    phase = "over"
    subject: ClassVar[Shows] = "winners"


class Limits(NamedTuple):
    """The numbers that may be entered: one for all, or by seat."""

    low: int | tuple[int, ...]
    high: int | tuple[int, ...]
    prefill: int | tuple[int | None, ...] | None = None

    def of(self, seat: Seat) -> tuple[int, int]:
        """The lowest and the highest number of a seat."""
        low, high = (one if isinstance(one, int) else one[seat] for one in (self.low, self.high))
        return low, high


class Entered(Event[S]):
    """A seat has entered its number, one of those that a `Count` asks for."""

    label = N_("number entered")
    seat: Seat
    verb: str  # what was counted
    number: int

    def fold(self, state: S) -> S:
        ask: Count[S] = of_kind(Count, state.ask.standing(state))
        return ask.entered(state, self.seat, self.number)


class Several(Question[S]):
    """Several seats answer with a number, at once and in any order; all of it is one step."""

    numbers: tuple[int | None, ...]  # by seat; None until it has answered
    seats: tuple[Seat, ...]  # who is asked, in order

    @property
    def missing(self) -> tuple[Seat, ...]:
        """The seats that have not answered."""
        numbers = self.numbers
        return tuple([seat for seat in self.seats if numbers[seat] is None])

    def waits(self, beside: Seat | None = None) -> bool:
        """Whether a seat has not answered, beside this one."""
        numbers = self.numbers
        for seat in self.seats:  # noqa: SIM110 (`any` takes twice as long)
            if numbers[seat] is None and seat != beside:
                return True
        return False

    def turn(self, state: S) -> tuple[Seat, ...]:
        return self.missing

    def plus(self, number: int, *seats: Seat) -> Self:
        """The question with the number of one more seat, or of several that hold it together."""
        numbers = list(self.numbers)
        for seat in seats:
            numbers[seat] = number
        return replace(self, numbers=tuple(numbers))

    def under_way(self, state: S) -> S:
        """The state with this question or, once all have answered, with what follows."""
        return state.asking(self) if self.waits() else self.done(state)

    def done(self, state: S) -> S:
        """The state once all have answered: the numbers where they belong, and what is asked next."""
        return state.asking(self)


class Count(Several[S]):
    """Several seats enter a number of one kind: the same verb, words and event whenever it is asked."""

    verb: ClassVar[str]
    text: ClassVar[str]  # its label
    low: ClassVar[int] = 0
    high: ClassVar[int]
    prefill: ClassVar[int | None] = None
    small: ClassVar[bool] = False  # as in `Offer`

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        if hasattr(cls, "verb"):  # else it is a base of several counts
            cls.verbs[cls.verb] = Verb("enter", cls.text)

    @classmethod
    def of(cls, players: int, seats: tuple[Seat, ...] = (), **more: Any) -> Self:
        """The question before any answer. Without `seats` everybody is asked; `more` are the question's own fields."""
        return cls((None,) * players, seats or seats_of(players), **more)

    def limits(self, state: S) -> Limits:
        """The numbers that may be entered, the same for all or by seat."""
        return Limits(self.low, self.high, self.prefill)

    def then(self, state: S, answer: Answer) -> "tuple[Event[S], ...]":
        """Further events once all have answered; `state` is the one after the last number."""
        return ()

    def offers(self, state: S) -> tuple[Offer, ...]:
        low, high, prefill = self.limits(state)
        seats, small = self.seats, self.small
        return each_seat(self.numbers, self.verb, low=low, high=high, prefill=prefill, seats=seats, small=small)

    def enter(self, state: S, answer: Answer) -> "tuple[Event[S], ...]":
        seat, number = answer.seat, answer.number
        entered: Event[S] = Entered(seat, self.verb, number)
        if type(self).then is Count.then or self.waits(seat):
            return (entered,)
        return (entered, *self.plus(number, seat).then(self.entered(state, seat, number), answer))

    def entered(self, state: S, seat: Seat, number: int) -> S:
        """The state with one more number."""
        numbers = put(self.numbers, seat, number)  # as `plus` and `under_way` do it, in fewer calls
        ask = replace(self, numbers=numbers)
        return replace(state, ask=ask) if None in numbers and ask.waits() else ask.done(state)


def known(value: T | None) -> T:
    """The value, where the rules guarantee that there is one."""
    assert value is not None
    return value


def of_kind(kind: type[T], value: object) -> T:
    """The value, where the rules guarantee its kind."""
    assert isinstance(value, kind)
    return value


class RoundEntry(NamedTuple):
    """A number that was entered; one of an earlier round may be put right."""

    seat: Seat | None  # None: the table
    verb: str
    text: str  # what was asked, with `Who` for seats
    number: int
    low: int
    high: int
    step: int  # this and what follows as in `Offer`
    says: Says
    words: tuple[str, ...]  # where `says` is "words": one for each number, from the lowest on
    group: tuple[Seat, ...]
    out: tuple[Seat, ...]  # where a seat is named: the seats that were out by then


class Tallied(NamedTuple):
    """A row of the table of rounds."""

    round: int  # 0: what was asked at the end
    points: tuple[int | None, ...]  # by seat; None: nothing was counted for it
    totals: tuple[int, ...]


Block: TypeAlias = tuple[Tallied, ...]  # of the table of rounds: rows one after the other


class Category(NamedTuple):
    """A part of the points."""

    name: str  # for people
    points: tuple[int, ...]  # by seat


# --- the interface of a game ------------------------------------------------------------------------------------------


def board(
    state: State,
    round_: int = 1,
    rounds: int | None = None,
    *,
    order: tuple[Seat | None, ...] = (),
    tokens: tuple[dict[str, int], ...] | None = None,
    highlight: dict[str, tuple[Seat, ...]] | None = None,
    race: RaceBoard | None = None,
    goal: int | None = None,
) -> Board:
    """The board of a game: these values, and those of its question.

    Without `tokens` nobody has any; without `highlight` and `race` they are the question's own.
    """
    ask = state.ask.standing(state)
    return Board(
        ask.phase,
        round_,
        rounds,
        order,
        ask.turn(state),
        state.scores,
        ({},) * state.players if tokens is None else tokens,
        ask.race_board(state) if race is None else race,
        ask.marks(state) if highlight is None else highlight,
        ask.shows(state),
        goal,
    )


def one_round(state: State) -> Board:
    """The board of a game that has no rounds, and nothing to show but its points."""
    return board(state)


def leaders(state: State) -> tuple[Seat, ...]:
    """The seats with most points; several share."""
    return highest(state.scores, state.seats)


@dataclass(frozen=True, slots=True)
class NoOptions:
    """The options of a game in which there is nothing to choose."""


@dataclass(frozen=True)
class Rules(Generic[S, P]):
    """One game. Every function is pure."""

    name: str  # in files and the line protocol
    title: str  # for people
    seats: tuple[int, int]  # fewest and most players
    start: Callable[[int, P], S]  # number of players, options
    event: type[Event[S]]  # the class that all events derive from which only this game has
    # a frozen dataclass; made of `switch`, `number` and `choice`. Without it P is that of `start`
    options: type[P] = NoOptions  # type: ignore[assignment]
    board: Callable[[S], Board] = one_round
    winners: Callable[[S], tuple[Seat, ...]] = leaders  # several share; none if a solo goal was missed
    shared: tuple[type[Event[Any]], ...] = ()  # the events of other modules that happen in it
    carryover: Callable[[S], tuple[Any, ...]] | None = None  # data for later games: the value of their `RECALL`
    # a game's events, a name that was entered in it, and another name with another first letter: the events with the
    # other name, as a person of that name is to be forgotten. None: no names of people are entered in this game
    renamed: Callable[[tuple[Event[Any], ...], str, str], tuple[Event[Any], ...]] | None = None
    # where the game stands, in two short texts, for every question that does not say it itself; None: title, round
    heading: Callable[[S], tuple[Said, Said]] | None = None
    # the parts that the scores are the sum of, with points fixed by hand; None: the game has none
    categories: Callable[[S], tuple[Category, ...]] | None = None
    # the times of the race judged last, of this round or the one before; None: the game has no times after a signal
    reactions: Callable[[S], RaceTimes] | None = None
    # further events after every answer: from the state before it, the action and its events
    after: Callable[[S, Action, tuple[Event[S], ...]], tuple[Event[S], ...]] | None = None
    # by seat what its place among those who have not won goes by, the larger the better; None: the scores
    ranks: Callable[[S], tuple[tuple[int, ...], ...]] | None = None
    best: Literal[-1, 0, 1] = 1  # the record of a game is its highest total, its lowest (-1), or there is none (0)
    # the total of each seat if these numbers were answered to this verb (key None: by the table); None for a total that
    # would not change or is not known yet
    preview: Callable[[S, Mapping[Seat | None, int], str], tuple[int | None, ...]] | None = None
    # the form in which corrected numbers of an earlier round are stored; each is given with its seat (None: the table)
    # and verb. Raises `Refused` for what the round itself forbids. None: no round of the game can be reckoned anew
    amend: Callable[[S, int, Sequence[tuple[Seat | None, str, int]]], Numbers] | None = None
    # the state with all of it reckoned anew. Raises `Refused` for what it makes of later rounds
    reckoned: Callable[[S, int, Numbers], S] | None = None
    # does a part of that in 5 ms at most, from which it goes on. Returns whether nothing is left. Raises `Refused`
    reckoned_on: Callable[[S, int, Numbers], bool] | None = None
    # what was entered in an earlier round, as `amend` takes it
    entered: Callable[[S, int], "tuple[RoundEntry, ...]"] | None = None
    # what is answered already of the round under way, and not counted
    answered: Callable[[S], "tuple[RoundEntry, ...]"] | None = None
    # the rounds that are counted, for a table of them, in blocks: all but the last one are the same objects from state
    # to state, as long as none of their rounds is put right. None: a game has no such table
    tally: Callable[[S], "tuple[Block, ...]"] | None = None
    text: str = ""  # of the file that it was made from; empty: it is part of the program
    variant: str = ""  # what that file means, in a few digits; empty where there is none
    totals: bool = True  # whether there are points at all
    together: bool = False  # all win, or nobody does
    alone: bool = True  # whoever plays alone wins, or misses a goal
    # by number of players, who plays together; None: everybody alone
    sides: Callable[[int], tuple[tuple[Seat, ...], ...]] | None = None
    # the first state, given the stamp of the game's first fact: for a game whose clock runs from then on
    begun: Callable[[S, int], S] | None = None

    @property
    def kind(self) -> str:
        """Games of one kind can be compared: the name and, of a file, what it means."""
        return f"{self.name}#{self.variant}" if self.variant else self.name

    @cached_property
    def events(self) -> tuple[type[Event[Any]], ...]:
        """Every event that the game may store; a journal looks them up by name."""
        kinds = (*self.event.__subclasses__(), *self.shared)
        assert len({kind.__name__ for kind in kinds}) == len(kinds)
        return kinds

    def offers(self, state: S) -> tuple[Offer, ...]:
        """The offers to each seat and the table now; none once the game is over."""
        return state.ask.standing(state).offers(state)

    def decide(self, state: S, action: Action, chance: Chance) -> tuple[Event[S], ...]:
        """The events that an offered action causes. Raises `Refused` where a value of the right shape breaks a rule."""
        events = state.ask.standing(state).answered(state, Answer(action, chance))
        return events if self.after is None else (*events, *self.after(state, action, events))

    def scores(self, state: S) -> tuple[int, ...]:
        """Totals by seat, with points fixed by hand."""
        return state.scores

    def label(self, state: S, offer: Offer, value: Value = None) -> str:
        """The offer in words, or one of its options or numbers."""
        return state.ask.standing(state).label(state, offer, value)

    def ahead(self, state: S) -> Mapping[Seat, S]:
        """By seat the state as it is asked, for those that may answer before their turn; see `Question`."""
        return state.ask.standing(state).ahead(state)

    def face(self, state: S) -> Face:
        """What people are told now."""
        return state.ask.standing(state).face(state)


def act(rules: Rules[S, Any], state: S, action: Action, chance: Chance) -> tuple[S, tuple[Event[S], ...]]:
    """Answer one action: the state after it, and its events. Raises `Refused`; the state then stands as it was."""
    ask = state.ask.standing(state)  # once: as `rules.offers` and `rules.decide` do it
    check(ask.offers(state), action)
    events = ask.answered(state, Answer(action, chance))
    if rules.after is not None:
        events = (*events, *rules.after(state, action, events))
    for event in events:
        state = event.fold(state)
    return state, events


class Corrected(Event[State], omit_defaults=True):
    """Points fixed by hand, in any game at any time."""

    label = N_("points fixed")
    seat: Seat
    points: int  # added; may be negative
    again: bool = False  # the game ends by it in the middle of a race, which begins again if the game goes on

    def fold(self, state: State) -> State:
        return state.fixed(self.seat, self.points)


class Amended(Event[State]):
    """Numbers of an earlier round put right; all rounds are reckoned anew."""

    label = N_("earlier round put right")
    round: int
    numbers: Numbers

    def fold(self, state: State) -> State:
        return state.amended(self.round, self.numbers)


BY_HAND = (Corrected, Amended)  # steps of their own, also in the middle of another one
