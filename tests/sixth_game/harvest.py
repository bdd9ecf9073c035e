"""Harvest, a game of a minute: three rounds, each seat takes 0 to 9 sheaves; who took most gets none of them."""

from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple, TypeAlias

from engine.rules import Action, Board, Chance, Offer, Rules, Seat, Value, each_seat, highest, put, replace, seats_of

ROUNDS, MOST = 3, 9


class Verb(StrEnum):
    TAKE = "take"


@dataclass(frozen=True, slots=True)
class Options:
    """There is nothing to choose."""


class State(NamedTuple):
    """A game of Harvest."""

    corrected: tuple[int, ...]
    barns: tuple[int, ...]  # sheaves by seat
    taken: tuple[int | None, ...]  # in this round; None until then
    round: int


@dataclass(frozen=True, slots=True)
class Taken:
    seat: Seat
    sheaves: int


@dataclass(frozen=True, slots=True)
class Stored:
    sheaves: tuple[int, ...]  # by seat


Event: TypeAlias = Taken | Stored


def start(players: int, options: Options) -> State:
    """Empty barns."""
    return State((0,) * players, (0,) * players, (None,) * players, 1)


def over(state: State) -> bool:
    """Whether the last round has been played."""
    return state.round > ROUNDS


def offers(state: State) -> tuple[Offer, ...]:
    """Everybody at once."""
    return () if over(state) else each_seat(state.taken, Verb.TAKE, low=0, high=MOST)


def decide(state: State, action: Action, chance: Chance) -> tuple[Event, ...]:
    """What an offered action causes."""
    assert action.seat is not None and isinstance(action.value, int)
    taken = put(state.taken, action.seat, action.value)
    mine = Taken(action.seat, action.value)
    found = [sheaves for sheaves in taken if sheaves is not None]
    if len(found) < len(taken):
        return (mine,)
    return (mine, Stored(tuple(0 if sheaves == max(found) else sheaves for sheaves in found)))


def evolve(state: State, event: Event) -> State:
    """Fold one fact into the state."""
    match event:
        case Taken(seat, sheaves):
            return replace(state, taken=put(state.taken, seat, sheaves))
        case Stored(sheaves):
            barns = tuple(old + new for old, new in zip(state.barns, sheaves, strict=True))
            return replace(state, barns=barns, taken=(None,) * len(barns), round=state.round + 1)


def scores(state: State) -> tuple[int, ...]:
    """Sheaves, and points fixed by hand."""
    return tuple(sheaves + fixed for sheaves, fixed in zip(state.barns, state.corrected, strict=True))


def winners(state: State) -> tuple[Seat, ...]:
    """Who has most; several share."""
    totals = scores(state)
    return highest(totals, seats_of(len(totals)))


def board(state: State) -> Board:
    """All that people may know."""
    turn = tuple(offer.seat for offer in offers(state) if offer.seat is not None)
    phase = "over" if over(state) else "take"
    return Board(phase, min(state.round, ROUNDS), ROUNDS, (), turn, scores(state), ({},) * len(state.barns))


def label(state: State, offer: Offer, value: Value = None) -> str:
    """The offer in words, or one of its numbers."""
    return "Sheaves?" if value is None else str(value)


RULES: Rules[State, Event, Options] = Rules(
    name="harvest",
    title="Harvest",
    seats=(2, 6),
    options=Options,
    events=(Taken, Stored),
    start=start,
    offers=offers,
    decide=decide,
    evolve=evolve,
    board=board,
    scores=scores,
    winners=winners,
    label=label,
)
