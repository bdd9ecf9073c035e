"""What a game is written in: its state, the questions that it asks, and the events that happen in it.

A question owns its phase, its offers, its answers and their labels; an event owns its fold. All three are frozen
values, and every function of them is pure.
"""

import random
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, Generic, NamedTuple, Self, TypeVar, dataclass_transform

import msgspec
from msgspec import Struct, StructMeta
from msgspec.structs import replace

from engine.rules import (
    RELEASE,
    Action,
    Board,
    Chance,
    Offer,
    Press,
    RaceBoard,
    Seat,
    Value,
    check,
    each_seat,
    put,
    seats_of,
)

T = TypeVar("T")
M = TypeVar("M", bound=Callable[[Any, Any, "Answer"], "tuple[Event[Any], ...]"])  # a method that answers
S = TypeVar("S", bound="State")
P = TypeVar("P")


@dataclass_transform(frozen_default=True, field_specifiers=(msgspec.field,))
class _Frozen(StructMeta):
    """Says to type checkers that every record is frozen, so that no record has to."""


class Record(Struct, metaclass=_Frozen, frozen=True):
    """A frozen value with named fields. `replace` gives the same one but for some fields."""


class State(Record):
    """What every game's state has, first of all."""

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
        """All of the table."""
        return seats_of(len(self.corrected))

    @property
    def over(self) -> bool:
        """Whether the game is over; points fixed since may still make a tie, and a question of it."""
        return isinstance(self.ask.standing(self), Over)


class RoundState(State):
    """The state of a game in rounds."""

    round: Record  # a game says what is in it

    def in_round(self, **changes: Any) -> Self:
        """The state with other fields of its round."""
        return replace(self, round=replace(self.round, **changes))


class Event(Record, Generic[S]):
    """Something that has happened: a fact, with chance and stamps in it. The journal keeps it."""

    def fold(self, state: S) -> S:
        """The state after it. Never refuses: it has happened."""
        raise NotImplementedError


class Answer(Record):
    """An action as a question sees it. What is not offered was refused before, so its parts are what was offered."""

    action: Action
    chance: Chance

    @property
    def seat(self) -> Seat:
        """Who answered, where a seat was asked."""
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
        return Press(known(self.action.seat), self.action.at_ns, self.action.error_ns)

    def dice(self) -> random.Random:
        """What falls is written into the event."""
        return self.chance.dice()


class Verb(NamedTuple):
    """How a question takes a verb: by which of its methods, and what people read."""

    method: str
    label: str


def answers(verb: str, label: str) -> Callable[[M], M]:
    """Marks the method of a question that answers this verb: from the state and the answer to what it causes."""

    def mark(method: M) -> M:
        vars(method).setdefault("answers", {})[verb] = label
        return method

    return mark


class Question(Record, Generic[S]):
    """Something that a game asks, of seats or of the table."""

    phase: ClassVar[str]  # what the board calls it
    in_order: ClassVar[bool] = False  # for the board
    between: ClassVar[bool] = False  # for the board
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
        """The question that stands: this one, unless points fixed by hand have led to another."""
        return self

    def offers(self, state: S) -> tuple[Offer, ...]:
        """What may be answered now: always the same `offered`, unless a question says otherwise."""
        return self.offered

    def answered(self, state: S, answer: Answer) -> tuple[Event[S], ...]:
        """What an answer causes, by the method that its verb names."""
        events: tuple[Event[S], ...] = getattr(self, self.verbs[answer.action.verb].method)(state, answer)
        return events

    def label(self, state: S, offer: Offer, value: Value) -> str:
        """The offer in words, or one of its options or numbers."""
        return self.verbs[offer.verb].label if value is None else str(value)

    def turn(self, state: S) -> tuple[Seat, ...]:
        """Who is asked; ways out do not count."""
        asked = {o.seat for o in self.offers(state) if not (o.hold or o.menu) and o.verb != RELEASE}
        return tuple(sorted([seat for seat in asked if seat is not None]))

    def marks(self, state: S) -> dict[str, tuple[Seat, ...]]:
        """What the board highlights while this is asked."""
        return {}

    def race_board(self, state: S) -> RaceBoard | None:
        """What the board shows of a race."""
        return None


class Over(Question[S]):
    """The game is over; nothing more is asked, unless a game says otherwise."""

    phase = "over"


class Limits(NamedTuple):
    """What may be entered: one number for all, or numbers by seat."""

    low: int | tuple[int, ...]
    high: int | tuple[int, ...]
    prefill: int | tuple[int | None, ...] | None = None


class Entered(Event[S]):
    """A seat has entered its number, one of those that a `Count` asks for."""

    seat: Seat
    verb: str  # what was counted
    number: int

    ahead: ClassVar["tuple[Entered[Any], Any, Any] | None"] = None  # folded last by `look`: event, state before and after

    def look(self, state: S) -> S:
        """The state after it, kept for the `fold` that comes next."""
        after = self.fold(state)
        Entered.ahead = (self, state, after)
        return after

    def fold(self, state: S) -> S:
        ahead = self.ahead
        if ahead is not None and ahead[0] is self and ahead[1] is state:
            return ahead[2]  # type: ignore[no-any-return]
        ask: Count[S] = of_kind(Count, state.ask.standing(state))
        return ask.entered(state, self.seat, self.number)


class Count(Question[S]):
    """Seats enter a number each, at once and in any order; all of it is one step."""

    numbers: tuple[int | None, ...]  # by seat; None until it has answered
    seats: tuple[Seat, ...]  # who is asked

    verb: ClassVar[str]
    text: ClassVar[str]  # its label
    low: ClassVar[int] = 0
    high: ClassVar[int]
    prefill: ClassVar[int | None] = None

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        if hasattr(cls, "verb"):  # else several share what this class says
            cls.verbs[cls.verb] = Verb("enter", cls.text)

    @classmethod
    def of(cls, players: int, seats: tuple[Seat, ...] = (), **more: Any) -> Self:
        """Nobody has answered yet. Without `seats` everybody is asked; `more` are the question's own fields."""
        return cls((None,) * players, seats or seats_of(players), **more)

    @property
    def missing(self) -> int:
        """How many have not answered; who is not asked never has a number."""
        return self.numbers.count(None) - len(self.numbers) + len(self.seats)

    def limits(self, state: S) -> Limits:
        """What may be entered, the same for all or by seat."""
        return Limits(self.low, self.high, self.prefill)

    def done(self, state: S) -> S:
        """The state once all have answered: the numbers where they belong, and what is asked next."""
        return state.asking(self)

    def then(self, state: S, answer: Answer) -> "tuple[Event[S], ...]":
        """What else happens once all have answered; the state is the one after that."""
        return ()

    def offers(self, state: S) -> tuple[Offer, ...]:
        low, high, prefill = self.limits(state)
        return each_seat(self.numbers, self.verb, low=low, high=high, prefill=prefill, seats=self.seats)

    def enter(self, state: S, answer: Answer) -> "tuple[Event[S], ...]":
        seat, number = answer.seat, answer.number
        entered: Entered[S] = Entered(seat, self.verb, number)
        if self.missing > 1 or type(self).then is Count.then:
            return (entered,)
        return (entered, *self.plus(seat, number).then(entered.look(state), answer))

    def entered(self, state: S, seat: Seat, number: int) -> S:
        """The state with one more number."""
        ask = self.plus(seat, number)
        return state.asking(ask) if ask.missing else ask.done(state)

    def plus(self, seat: Seat, number: int) -> Self:
        """The question with one more number."""
        return replace(self, numbers=put(self.numbers, seat, number))


def known(value: T | None) -> T:
    """The value, where the rules leave no doubt that there is one."""
    assert value is not None
    return value


def of_kind(kind: type[T], value: object) -> T:
    """The value, where the rules leave no doubt of its kind."""
    assert isinstance(value, kind)
    return value


# --- what the rest of the program sees of a game ----------------------------------------------------------------------


@dataclass(frozen=True)
class Rules(Generic[S, P]):
    """One game. Every function is pure."""

    name: str  # what files and the line protocol call it
    title: str  # what people call it
    seats: tuple[int, int]  # fewest and most players
    options: type[P]  # a frozen dataclass; made of `switch`, `number` and `choice`
    start: Callable[[int, P], S]  # number of players, options
    event: type[Event[S]]  # the class that all events derive from which only this game has
    board: Callable[[S], Board]
    scores: Callable[[S], tuple[int, ...]]
    winners: Callable[[S], tuple[Seat, ...]]  # several share; none if a solo goal was missed
    shared: tuple[type[Event[Any]], ...] = ()  # the events of other modules that happen in it
    kept: Callable[[S], tuple[Any, ...]] | None = None  # what a later game gets back, as the value of `RECALL`
    # what follows every answer besides: from the state before it, the action and what it causes
    after: Callable[[S, Action, tuple[Event[S], ...]], tuple[Event[S], ...]] | None = None

    @cached_property
    def events(self) -> tuple[type[Event[Any]], ...]:
        """Every event that the game may store; a journal looks them up by name."""
        kinds = (*self.event.__subclasses__(), *self.shared)
        assert len({kind.__name__ for kind in kinds}) == len(kinds)
        return kinds

    def offers(self, state: S) -> tuple[Offer, ...]:
        """What each seat and the table may do now; nothing once the game is over."""
        return state.ask.standing(state).offers(state)

    def decide(self, state: S, action: Action, chance: Chance) -> tuple[Event[S], ...]:
        """What an offered action causes. Raises `Refused` where a value of the right shape is against the rules."""
        events = state.ask.standing(state).answered(state, Answer(action, chance))
        return events if self.after is None else (*events, *self.after(state, action, events))

    def label(self, state: S, offer: Offer, value: Value = None) -> str:
        """The offer in words, or one of its options or numbers."""
        return state.ask.standing(state).label(state, offer, value)


def act(rules: Rules[S, Any], state: S, action: Action, chance: Chance) -> tuple[S, tuple[Event[S], ...]]:
    """Answer one action: the state after it, and what happened. Raises `Refused`; the state then stands as it was."""
    check(rules.offers(state), action)
    events = rules.decide(state, action, chance)
    for event in events:
        state = event.fold(state)
    return state, events


class Corrected(Event[State]):
    """Points fixed by hand, in any game at any time."""

    seat: Seat
    points: int  # added; may be negative

    def fold(self, state: State) -> State:
        return replace(state, corrected=put(state.corrected, self.seat, state.corrected[self.seat] + self.points))


def board(
    state: State,
    round_: int,
    rounds: int | None,
    order: tuple[Seat | None, ...],
    scores: tuple[int, ...],
    tokens: tuple[dict[str, int], ...],
    highlight: dict[str, tuple[Seat, ...]],
    race: RaceBoard | None = None,
) -> Board:
    """The board of a game: what its question says of itself, and these."""
    ask = state.ask.standing(state)
    return Board(
        ask.phase, round_, rounds, order, ask.turn(state), scores, tokens, race, highlight, ask.in_order, ask.between
    )
