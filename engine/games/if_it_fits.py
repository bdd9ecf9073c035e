"""If It Fits: boxes laid out of cards. Whoever has most cats in a box scores its toys.

Rule numbers (R, A, T) are those of the rules page; what lies where is `engine.boxes`. By Adrie Drent, Jolly Dutch.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from typing import Any, NamedTuple, NoReturn, TypeAlias

from engine import boxes
from engine.boxes import FIRST, OPEN, Across, Card, Piece, Place, Sides, Table, Toys
from engine.rules import (
    Action,
    Board,
    Chance,
    Offer,
    Refused,
    Rules,
    Seat,
    Value,
    choice,
    each_seat,
    highest,
    in_turn,
    put,
    replace,
    replacer,
    seats_of,
    switch,
    timer,
)

SEATS = (2, 5)
CATS = 5  # R1: of each player
HAND = 2  # R3
SPECIAL_TOYS = 3
KINDS = 8  # of toys, at most; the pictures are not published
MOST_TOYS, MOST_SPRAYS = 30, 20  # in a box
MOST_ICONS = 9  # of a kind on one card
NO_TOYS: Toys = (0,) * KINDS
S = 1_000_000_000


class Verb(StrEnum):
    STARTER = "starter"
    START_CARD = "start_card"
    TURN_OVER = "turn_over"
    HAND_EMPTY = "hand_empty"
    BUILD = "build"
    AWAKE = "awake"
    ASLEEP = "asleep"
    PRINCESS = "princess"
    PRINCESS_ASLEEP = "princess_asleep"
    CAT_BACK = "cat_back"
    CATS = "cats"
    TOY = "toy"
    TOY_AS_CARD = "toy_as_card"
    DISCARD = "discard"
    DECK_EMPTY = "deck_empty"
    TIMER = "timer"
    TIME_UP = "time_up"
    TOYS = "toys"
    COUNT_KINDS = "count_kinds"
    KIND = "kind"
    SPRAYS = "sprays"
    CLOSED = "closed"
    AWAKE_CATS = "awake_cats"
    ASLEEP_CATS = "asleep_cats"
    NEXT = "next"
    DONE = "done"


@dataclass(frozen=True, slots=True)
class Options:
    """The options of the rules page, with its defaults."""

    advanced: bool = switch(
        False, "all black cats, no double walls, no extra-cat points, a sleeping cat counts half", title="Advanced game"
    )
    sleep_only_blocks: bool = switch(
        False, "sleeping cats alone can hold a box, and then nobody scores it", title="Sleepers block"
    )
    sleepers_in_bonus: bool = switch(
        True, "sleeping cats beside an awake one earn the extra-cat point, too", title="Sleepers' bonus"
    )
    bonus_for_all: bool = switch(
        True, "extra-cat points for everybody, not only for who scores the box", title="Bonus for all"
    )
    toy_is_turn: bool = switch(
        True, "a drawn toy is the card played this turn; off: another card is drawn", title="Toy ends turn"
    )
    entry: str = choice(
        "counts",
        "the commonest toy is counted, or every kind",
        "kinds",
        programs=("cards",),
        title="Toys",
        says={"counts": "commonest", "kinds": "every kind"},
    )
    sleepers_asked: bool = switch(
        True, "off: played without sleeping cats, nobody is asked for them", title="Sleeping cats"
    )
    turn_timer_s: int = timer(
        0, 600, "s for a turn, from the press that starts the timer; 0 is off", title="Turn timer"
    )


# --- state: game, question -------------------------------------------------------------------------------------------

Answers: TypeAlias = tuple[int | None, ...]  # by seat; None until it has answered


@dataclass(frozen=True, slots=True)
class Starter:
    """Who starts? (R5)"""


class StartCards(NamedTuple):
    """In turn everybody lays a starting card (R5)."""

    laid: tuple[bool | None, ...]  # by seat


class Turn(NamedTuple):
    """A seat builds or puts a cat to sleep (R6, R7)."""

    seat: Seat
    last: bool = False  # one of the closing turns: no draw, no sleepers (R21)
    played: Verb | None = None  # what the turn was used for, as far as it was entered
    cat: bool = False  # an awake cat was placed
    drew: bool = False  # a card was drawn for certain: no cat goes to sleep this turn
    laid: Place | None = None  # of the card laid this turn
    due_ns: int | None = None  # the timer runs
    late: bool = False  # it has run out


# turns begin all the time: these are made once
TURNS = tuple(Turn(seat) for seat in range(SEATS[1]))
LAST_TURNS = tuple(Turn(seat, last=True) for seat in range(SEATS[1]))


class Stage(StrEnum):
    """What is asked of a box."""

    TOYS = "toys"
    KIND = "kind"
    SPRAYS = "sprays"
    CLOSED = "closed"
    AWAKE = "awake"
    ASLEEP = "asleep"


class Box(NamedTuple):
    """A box being counted."""

    stage: Stage
    awake: Answers
    asleep: Answers
    most: tuple[int, ...] = ()  # cats it may still hold, by seat: what is asked for lies between 0 and this
    kinds: tuple[int, ...] | None = None  # where every kind of toy is counted
    toys: int = 0
    sprays: int = 0
    closed: bool = False


class Result(NamedTuple):
    """What a box brought."""

    box: Box
    value: int
    seats: tuple[Seat, ...]  # who scored it
    points: tuple[int, ...]  # by seat, with those for more cats


Question: TypeAlias = Starter | StartCards | Turn | Box | Result


class State(NamedTuple):
    options: Options
    points: tuple[int, ...]  # by seat
    negatives: tuple[int, ...]  # spray points as they were scored (A8)
    corrected: tuple[int, ...]
    cats: tuple[int, ...]  # not on the table, by seat
    ask: Question
    starter: Seat = 0
    hands: tuple[int, ...] = ()  # cards left to play, by seat; empty until the end is triggered
    uncounted: tuple[int, ...] = ()  # cats that later boxes may hold, by seat
    special: int = 0  # toys played
    black: int = 0  # black cats played
    boxes: int = 0  # scored
    table: Table = Table()
    over: bool = False


# what changes with almost every action
with_ask = replacer(State, "ask")
with_hands = replacer(State, "hands", "ask")
with_awake = replacer(Box, "awake")
with_asleep = replacer(Box, "asleep")


# --- events ----------------------------------------------------------------------------------------------------------
# Where only numbers are entered, what was laid is not known: None.


@dataclass(frozen=True, slots=True)
class StarterNamed:
    seat: Seat


@dataclass(frozen=True, slots=True)
class StartCardLaid:
    seat: Seat
    card: Card | None


@dataclass(frozen=True, slots=True)
class Built:
    seat: Seat
    card: Card


@dataclass(frozen=True, slots=True)
class AwakeLaid:
    seat: Seat
    across: Across | None


@dataclass(frozen=True, slots=True)
class AsleepLaid:
    seat: Seat
    card: Card | None


@dataclass(frozen=True, slots=True)
class PrincessPlayed:
    """A cat goes back to its owner (R18)."""

    seat: Seat  # the owner
    card: Card | None  # she lies in place of a sleeping cat,
    across: Across | None  # or of an awake one


@dataclass(frozen=True, slots=True)
class CatsSeen:
    """Cats were laid or sent back, and nobody had said so."""

    seat: Seat
    cats: int  # not on the table


@dataclass(frozen=True, slots=True)
class ToyPlayed:
    seat: Seat
    across: Across | None


@dataclass(frozen=True, slots=True)
class ToyLaidAsCard:
    seat: Seat
    card: Card | None


@dataclass(frozen=True, slots=True)
class Discarded:
    """A Princess with no cat to replace (A9), or another card with no place to lie (A10)."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class LastTurns:
    """The end is triggered; every hand is still played out (R20, R21)."""


@dataclass(frozen=True, slots=True)
class DeckEmptied:
    seat: Seat  # who drew the last card


@dataclass(frozen=True, slots=True)
class TurnEnded:
    seat: Seat


@dataclass(frozen=True, slots=True)
class HandEmptied:
    seat: Seat


@dataclass(frozen=True, slots=True)
class TimerStarted:
    due_ns: int


@dataclass(frozen=True, slots=True)
class TimeRanOut:
    """The turn goes on all the same."""


@dataclass(frozen=True, slots=True)
class ToysCounted:
    toys: int


@dataclass(frozen=True, slots=True)
class KindsAsked:
    """Every kind of toy in this box is counted."""


@dataclass(frozen=True, slots=True)
class KindCounted:
    toys: int  # 0: there is no other kind


@dataclass(frozen=True, slots=True)
class SpraysCounted:
    sprays: int


@dataclass(frozen=True, slots=True)
class ClosedSeen:
    closed: bool


@dataclass(frozen=True, slots=True)
class AwakeCounted:
    seat: Seat
    cats: int


@dataclass(frozen=True, slots=True)
class AsleepCounted:
    seat: Seat
    cats: int


@dataclass(frozen=True, slots=True)
class BoxScored:
    value: int
    seats: tuple[Seat, ...]  # who scored it
    points: tuple[int, ...]  # by seat, with those for more cats
    negatives: tuple[int, ...]  # spray points among them, by seat


@dataclass(frozen=True, slots=True)
class BoxStarted:
    pass


@dataclass(frozen=True, slots=True)
class GameEnded:
    pass


Event: TypeAlias = (
    StarterNamed
    | StartCardLaid
    | Built
    | AwakeLaid
    | AsleepLaid
    | PrincessPlayed
    | CatsSeen
    | ToyPlayed
    | ToyLaidAsCard
    | Discarded
    | LastTurns
    | DeckEmptied
    | TurnEnded
    | HandEmptied
    | TimerStarted
    | TimeRanOut
    | ToysCounted
    | KindsAsked
    | KindCounted
    | SpraysCounted
    | ClosedSeen
    | AwakeCounted
    | AsleepCounted
    | BoxScored
    | BoxStarted
    | GameEnded
)


# --- what follows from the rules -------------------------------------------------------------------------------------


def score_box(
    options: Options, toys: int, sprays: int, closed: bool, awake: Sequence[int], asleep: Sequence[int]
) -> BoxScored:
    """What a box brings (R22 to R25). `toys`: icons of its commonest kind; cats by seat."""
    times = 2 if closed else 1  # R24
    value = (toys - sprays) * times  # R23
    half = 1 if options.advanced else 2  # in halves: what a sleeping cat counts, an awake one counts 2
    # A1, A15: sleepers count beside an awake cat of their own
    weights = [
        2 * up + half * down if up or options.sleep_only_blocks else 0 for up, down in zip(awake, asleep, strict=True)
    ]
    most = max(weights)
    seats = tuple([seat for seat, up in enumerate(awake) if up and weights[seat] == most])
    points = [0] * len(weights)
    negatives = [0] * len(weights)
    for seat in seats:
        points[seat], negatives[seat] = value, sprays * times  # A8
    if not options.advanced:
        for seat, up in enumerate(awake):
            if up and (options.bonus_for_all or seat in seats):  # R25, A3
                points[seat] += up + (asleep[seat] if options.sleepers_in_bonus else 0) - 1  # A2
    return BoxScored(value, seats, tuple(points), tuple(negatives))


def scores(state: State) -> tuple[int, ...]:
    """Points of all boxes, plus what was fixed by hand."""
    return tuple([points + fixed for points, fixed in zip(state.points, state.corrected, strict=True)])


def winners(state: State) -> tuple[Seat, ...]:
    """Most points; of those the fewest negative points; still equal: shared (R26, A8)."""
    best = highest(scores(state), range(len(state.points)))
    fewest = min(state.negatives[seat] for seat in best)
    return tuple(seat for seat in best if state.negatives[seat] == fewest)


def order(state: State) -> tuple[Seat, ...]:
    """The seats from the starting player round the table (R5)."""
    return (*range(state.starter, len(state.cats)), *range(state.starter))


def black_cats(players: int) -> int:
    """How many black cats a normal game has, and piles to shuffle them into (R2, R4)."""
    return players


def princess_left(state: State) -> bool:
    """Whether a black cat may still turn up; how many there are in the advanced game is not known (R2)."""
    return state.options.advanced or state.black < black_cats(len(state.cats))


def triggered(state: State, seat: Seat) -> bool:
    """Whether one more cat of this seat triggers the end: the fifth (R20)."""
    return state.cats[seat] == 1 and not state.hands


def by_cards(state: State) -> bool:
    """Whether cards and cats are reported as laid."""
    return state.options.entry == "cards"


def on_table(cats: int) -> int:
    """How many cats of a player the boxes may hold. Where no cat was ever entered nobody knows: all of them."""
    return CATS - cats if cats < CATS else CATS


def new_box(state: State) -> Box:
    """The next box before anything of it is counted."""
    none: Answers = (None,) * len(state.cats)
    if state.options.entry == "kinds":
        return Box(Stage.KIND, none, none, kinds=())
    return Box(Stage.TOYS, none, none)


def sleepers_left(state: State, awake: Answers) -> tuple[int, ...]:
    """How many sleeping cats of each seat a box may hold, once the awake ones are counted."""
    return tuple([left - (up or 0) for left, up in zip(state.uncounted, awake, strict=True)])


# --- offers ----------------------------------------------------------------------------------------------------------


def of_seats(verb: Verb, *, hold: bool = False, menu: bool = False) -> tuple[Offer, ...]:
    """An offer without a value, by seat: made once, offered all the time."""
    return tuple(Offer(seat, verb, hold=hold, menu=menu) for seat in range(SEATS[1]))


STARTER = of_seats(Verb.STARTER)
TURN_OVER = of_seats(Verb.TURN_OVER)
HAND_EMPTY = of_seats(Verb.HAND_EMPTY, hold=True)
AWAKE = of_seats(Verb.AWAKE, menu=True)
ASLEEP = of_seats(Verb.ASLEEP, menu=True)
CAT_BACK = of_seats(Verb.CAT_BACK, menu=True)
TOY = of_seats(Verb.TOY, menu=True)
TOY_AS_CARD = of_seats(Verb.TOY_AS_CARD, menu=True)
DISCARD = of_seats(Verb.DISCARD, menu=True)
DECK_EMPTY = Offer(None, Verb.DECK_EMPTY, menu=True)
TIMER = Offer(None, Verb.TIMER)
TOYS = Offer(None, Verb.TOYS, 0, MOST_TOYS, prefill=0)
COUNT_KINDS = Offer(None, Verb.COUNT_KINDS, menu=True)
KIND = Offer(None, Verb.KIND, 0, MOST_TOYS, prefill=0)
SPRAYS = (Offer(None, Verb.SPRAYS, 0, MOST_SPRAYS, prefill=0),)
CLOSED = (Offer(None, Verb.CLOSED, options=("yes", "no")),)
NEXT = (Offer(None, Verb.NEXT), Offer(None, Verb.DONE, menu=True))
DONE = (Offer(None, Verb.DONE),)
NO_MORE = Offer(None, Verb.DONE, menu=True)  # a box was begun, but there is none left


def offers(state: State) -> tuple[Offer, ...]:
    """What each seat and the table may do now; nothing once the game is over."""
    ask = state.ask
    return () if state.over else OFFERS[type(ask)](state, ask)


def starter_offers(state: State, ask: Starter) -> tuple[Offer, ...]:
    return STARTER[: len(state.cats)]


def start_card_offers(state: State, ask: StartCards) -> tuple[Offer, ...]:
    out = in_turn(order(state), ask.laid, Verb.START_CARD)
    return tuple([offer._replace(example=start_example(state)) for offer in out]) if by_cards(state) else out


def box_offers(state: State, ask: Box) -> tuple[Offer, ...]:
    out = BOX_OFFERS[ask.stage](state, ask)
    return (*out, *forgotten(state.cats, joins=any(offer.joins for offer in out)))


def kind_offers(state: State, box: Box) -> tuple[Offer, ...]:
    return (KIND,) if box.kinds else (KIND, NO_MORE)


def result_offers(state: State, ask: Result) -> tuple[Offer, ...]:
    """On to the next box or, once every cat is counted, to the end, unless one was forgotten."""
    return NEXT if any(state.uncounted) else (*DONE, *forgotten(state.cats))


@lru_cache(10_000)
def forgotten(cats: tuple[int, ...], *, joins: bool = False) -> tuple[Offer, ...]:
    """While boxes are counted: cats that were not noted when they were laid. Of whom none was, all may be counted."""
    found = [(seat, left) for seat, left in enumerate(cats) if 0 < left < CATS]
    return tuple([Offer(seat, Verb.CATS, 0, left, prefill=left, joins=joins, menu=True) for seat, left in found])


@lru_cache(10_000)
def cats_offers(verb: Verb, answers: Answers, most: tuple[int, ...]) -> tuple[Offer, ...]:
    """Cats in the box: asked of all who may have some, all at once."""
    return each_seat(answers, verb, low=0, high=most, prefill=0, seats=[seat for seat, high in enumerate(most) if high])


def turn_offers(state: State, ask: Turn) -> tuple[Offer, ...]:
    """The end of the turn, what may have happened in it, and the timer; while that runs all is one step with it."""
    if by_cards(state):
        out = card_offers(state, ask)
    else:
        known = ask if ask.due_ns is None else ask._replace(due_ns=None)
        toys, sleepers = state.special < SPECIAL_TOYS, state.options.sleepers_asked
        out = told_offers(known, state.cats, bool(state.hands), princess_left(state), toys, sleepers)
    if ask.due_ns is not None:
        time_up = Offer(None, Verb.TIME_UP, due_ns=ask.due_ns, race=True)
        return tuple([offer._replace(joins=True) for offer in (*out, time_up)])
    return (*out, TIMER) if state.options.turn_timer_s and not ask.late else out


@lru_cache(10_000)
def told_offers(
    turn: Turn, cats: tuple[int, ...], closing: bool, princess: bool, toys: bool, sleepers: bool
) -> tuple[Offer, ...]:
    """The turn where only pips are kept: what was played is told from the menu."""
    seat, unused = turn.seat, turn.played is None and not turn.cat
    out = [TURN_OVER[seat]]
    if turn.last:
        out.append(HAND_EMPTY[seat])  # A13
    if cats[seat] and not turn.cat and turn.played in (None, Verb.TOY_AS_CARD):  # R6, R12, A4
        out.append(AWAKE[seat])
    if cats[seat] and unused and sleepers and not (turn.last or turn.drew):  # R7, R21
        out.append(ASLEEP[seat])
    if not closing and turn.played is not Verb.ASLEEP:  # R20
        out.append(DECK_EMPTY)
    if unused and princess:  # R18
        out += [CAT_BACK[other] for other, left in enumerate(cats) if left < CATS]
    if unused and toys and not turn.last:  # R19
        out += [TOY[seat], TOY_AS_CARD[seat]]
    # what was not noted when it was laid, or sent back
    out += [Offer(other, Verb.CATS, 0, CATS, prefill=left, menu=True) for other, left in enumerate(cats)]
    return tuple(out)


def card_offers(state: State, turn: Turn) -> tuple[Offer, ...]:
    """The turn where cards and cats are reported as laid."""
    seat, table, out = turn.seat, state.table, list[Offer]()
    if turn.played is None:
        place = boxes.free_place(table)
        cat, sleeper = princess_examples(state)
        out.append(Offer(seat, Verb.BUILD, example=(place, OPEN, NO_TOYS, 0)))
        if cat:
            out.append(Offer(seat, Verb.PRINCESS, example=cat))
        if sleeper:
            out.append(Offer(seat, Verb.PRINCESS_ASLEEP, example=sleeper))
        out.append(DISCARD[seat])  # A9, A10
        if not turn.last and state.special < SPECIAL_TOYS:
            across = next(boxes.toy_places(table), None)  # R19
            if across is None:
                out.append(Offer(seat, Verb.TOY_AS_CARD, example=(place, OPEN, NO_TOYS)))
            else:
                out.append(Offer(seat, Verb.TOY, example=(across, NO_TOYS)))
        if state.cats[seat] and state.options.sleepers_asked and not (turn.last or turn.drew):
            out.append(Offer(seat, Verb.ASLEEP, example=(place, OPEN)))
    else:
        out.append(TURN_OVER[seat])
    if turn.last and turn.played is None:
        out.append(HAND_EMPTY[seat])
    if turn.laid is not None and not turn.cat and state.cats[seat]:
        across = next(boxes.cat_places(table, seat, turn.laid), None)
        if across is not None:
            out.append(Offer(seat, Verb.AWAKE, example=across))
    if not state.hands and turn.played is not Verb.ASLEEP:
        out.append(DECK_EMPTY)
    return tuple(out)


def start_example(state: State) -> tuple[Any, ...]:
    """A starting card that may be laid: the column goes on to the south (R5)."""
    cards = state.table.cards
    return (boxes.beside(cards[-1].place, 2) if cards else FIRST, OPEN, NO_TOYS, 0)


def princess_examples(state: State) -> tuple[tuple[Any, ...] | None, tuple[Any, ...] | None]:
    """An awake cat and a sleeping one that a Princess may replace."""
    if not princess_left(state):
        return None, None
    awake = (across.west for across in state.table.across if across.piece is Piece.AWAKE)
    asleep = ((card.place, OPEN) for card in state.table.cards if card.piece is Piece.ASLEEP)
    west = next(awake, None)
    return None if west is None else (west, boxes.beside(west, boxes.EAST)), next(asleep, None)


OFFERS: dict[type[Question], Callable[[State, Any], tuple[Offer, ...]]] = {
    Starter: starter_offers,
    StartCards: start_card_offers,
    Turn: turn_offers,
    Box: box_offers,
    Result: result_offers,
}

BOX_OFFERS: dict[Stage, Callable[[State, Box], tuple[Offer, ...]]] = {
    Stage.TOYS: lambda state, box: (TOYS, COUNT_KINDS, NO_MORE),
    Stage.KIND: kind_offers,
    Stage.SPRAYS: lambda state, box: SPRAYS,
    Stage.CLOSED: lambda state, box: CLOSED,
    Stage.AWAKE: lambda state, box: cats_offers(Verb.AWAKE_CATS, box.awake, box.most),
    Stage.ASLEEP: lambda state, box: cats_offers(Verb.ASLEEP_CATS, box.asleep, box.most),
}


# --- decide ----------------------------------------------------------------------------------------------------------


def decide(state: State, action: Action, chance: Chance) -> tuple[Event, ...]:
    """What an offered action causes."""
    return DECIDE[action.verb](state, action, chance)


def name_starter(state: State, action: Action, chance: Chance) -> tuple[Event, ...]:
    assert action.seat is not None
    return (StarterNamed(action.seat),)


def lay_start_card(state: State, action: Action, chance: Chance) -> tuple[Event, ...]:
    seat, value = action.seat, action.value
    assert seat is not None
    return (StartCardLaid(seat, start_card(state, value) if isinstance(value, tuple) else None),)


def end_turn(state: State, action: Action, chance: Chance) -> tuple[Event, ...]:
    assert action.seat is not None
    return played_out(state, TurnEnded(action.seat))


def empty_hand(state: State, action: Action, chance: Chance) -> tuple[Event, ...]:
    assert action.seat is not None
    return played_out(state, HandEmptied(action.seat))


def build(state: State, action: Action, chance: Chance) -> tuple[Event, ...]:
    assert action.seat is not None
    return (Built(action.seat, cardboard(state, action.value)),)


def lay_awake(state: State, action: Action, chance: Chance) -> tuple[Event, ...]:
    seat, value = action.seat, action.value
    assert seat is not None
    laid = AwakeLaid(seat, awake_cat(state, seat, value) if isinstance(value, tuple) else None)
    return (laid, LastTurns()) if triggered(state, seat) else (laid,)


def lay_asleep(state: State, action: Action, chance: Chance) -> tuple[Event, ...]:
    seat, value = action.seat, action.value
    assert seat is not None
    laid = AsleepLaid(seat, sleeping_cat(state, seat, value) if isinstance(value, tuple) else None)
    return (laid, LastTurns()) if triggered(state, seat) else (laid,)


def send_back(state: State, action: Action, chance: Chance) -> tuple[Event, ...]:
    assert action.seat is not None
    return (PrincessPlayed(action.seat, None, None),)


def see_cats(state: State, action: Action, chance: Chance) -> tuple[Event, ...]:
    """The cats that a seat really has left; the last one laid triggers the end, unless it has come (R20)."""
    seat, cats = action.seat, action.value
    assert seat is not None and isinstance(cats, int)
    if cats == state.cats[seat]:
        return ()
    return (CatsSeen(seat, cats), LastTurns()) if not (cats or state.hands) else (CatsSeen(seat, cats),)


def play_princess(state: State, action: Action, chance: Chance) -> tuple[Event, ...]:
    return (princess(state, action.value),)


def play_princess_asleep(state: State, action: Action, chance: Chance) -> tuple[Event, ...]:
    return (princess_asleep(state, action.value),)


def play_toy(state: State, action: Action, chance: Chance) -> tuple[Event, ...]:
    seat, value = action.seat, action.value
    assert seat is not None
    return (ToyPlayed(seat, special_toy(state, value) if isinstance(value, tuple) else None),)


def lay_toy(state: State, action: Action, chance: Chance) -> tuple[Event, ...]:
    seat, value = action.seat, action.value
    assert seat is not None
    return (ToyLaidAsCard(seat, toy_card(state, value) if isinstance(value, tuple) else None),)


def discard(state: State, action: Action, chance: Chance) -> tuple[Event, ...]:
    assert action.seat is not None
    return (Discarded(action.seat),)


def empty_deck(state: State, action: Action, chance: Chance) -> tuple[Event, ...]:
    assert isinstance(state.ask, Turn)
    return (DeckEmptied(state.ask.seat), LastTurns())


def start_timer(state: State, action: Action, chance: Chance) -> tuple[Event, ...]:
    return (TimerStarted(action.at_ns + state.options.turn_timer_s * S),)


def run_out(state: State, action: Action, chance: Chance) -> tuple[Event, ...]:
    return (TimeRanOut(),)


def count_toys(state: State, action: Action, chance: Chance) -> tuple[Event, ...]:
    assert isinstance(action.value, int)
    return (ToysCounted(action.value),)


def ask_kinds(state: State, action: Action, chance: Chance) -> tuple[Event, ...]:
    return (KindsAsked(),)


def count_kind(state: State, action: Action, chance: Chance) -> tuple[Event, ...]:
    assert isinstance(action.value, int)
    return (KindCounted(action.value),)


def count_sprays(state: State, action: Action, chance: Chance) -> tuple[Event, ...]:
    assert isinstance(action.value, int)
    return (SpraysCounted(action.value),)


def see_closed(state: State, action: Action, chance: Chance) -> tuple[Event, ...]:
    return (ClosedSeen(action.value == "yes"),)


def count_awake(state: State, action: Action, chance: Chance) -> tuple[Event, ...]:
    """Awake cats of a seat; with the last of them the box is scored, unless sleepers are asked for."""
    box, seat, cats = state.ask, action.seat, action.value
    assert isinstance(box, Box) and seat is not None and isinstance(cats, int)
    event, awake = AwakeCounted(seat, cats), put(box.awake, seat, cats)
    if None in awake or (state.options.sleepers_asked and any(sleepers_left(state, awake))):
        return (event,)
    return (event, scored(state, box, awake, box.asleep))


def count_asleep(state: State, action: Action, chance: Chance) -> tuple[Event, ...]:
    """Sleeping cats of a seat; with the last of them the box is scored."""
    box, seat, cats = state.ask, action.seat, action.value
    assert isinstance(box, Box) and seat is not None and isinstance(cats, int)
    event, asleep = AsleepCounted(seat, cats), put(box.asleep, seat, cats)
    return (event,) if None in asleep else (event, scored(state, box, box.awake, asleep))


def scored(state: State, box: Box, awake: Answers, asleep: Answers) -> BoxScored:
    """The box with all its cats."""
    ups, downs = [cats or 0 for cats in awake], [cats or 0 for cats in asleep]
    return score_box(state.options, box.toys, box.sprays, box.closed, ups, downs)


def next_box(state: State, action: Action, chance: Chance) -> tuple[Event, ...]:
    return (BoxStarted(),)


def end_game(state: State, action: Action, chance: Chance) -> tuple[Event, ...]:
    return (GameEnded(),)


def played_out(state: State, event: TurnEnded | HandEmptied) -> tuple[Event, ...]:
    """The end of a turn. Where the cards are known, that of the last one scores every box with a cat in it."""
    if not by_cards(state) or not isinstance(evolve(state, event).ask, Box):
        return (event,)
    found = [boxes.contents(state.table, box, len(state.cats)) for box in boxes.boxes(state.table)]
    with_cats = [box for box in found if any(box.awake) or any(box.asleep)]
    return (event, *[score_box(state.options, *box) for box in with_cats], GameEnded())


DECIDE: dict[str, Callable[[State, Action, Chance], tuple[Event, ...]]] = {
    Verb.STARTER: name_starter,
    Verb.START_CARD: lay_start_card,
    Verb.TURN_OVER: end_turn,
    Verb.HAND_EMPTY: empty_hand,
    Verb.BUILD: build,
    Verb.AWAKE: lay_awake,
    Verb.ASLEEP: lay_asleep,
    Verb.PRINCESS: play_princess,
    Verb.PRINCESS_ASLEEP: play_princess_asleep,
    Verb.CAT_BACK: send_back,
    Verb.CATS: see_cats,
    Verb.TOY: play_toy,
    Verb.TOY_AS_CARD: lay_toy,
    Verb.DISCARD: discard,
    Verb.DECK_EMPTY: empty_deck,
    Verb.TIMER: start_timer,
    Verb.TIME_UP: run_out,
    Verb.TOYS: count_toys,
    Verb.COUNT_KINDS: ask_kinds,
    Verb.KIND: count_kind,
    Verb.SPRAYS: count_sprays,
    Verb.CLOSED: see_closed,
    Verb.AWAKE_CATS: count_awake,
    Verb.ASLEEP_CATS: count_asleep,
    Verb.NEXT: next_box,
    Verb.DONE: end_game,
}


# --- what programs report ---------------------------------------------------------------------------------------------


def refuse(verb: Verb, reason: str) -> NoReturn:
    """Refuse what the rules forbid, in words."""
    raise Refused("bad_value", f"{verb}: {reason}")


def read(verb: Verb, value: Value, example: tuple[Any, ...]) -> Any:
    """A value that has the shape of the example."""
    if not alike(value, example):
        refuse(verb, f"{value!r} is not like {example!r}")
    return value


def alike(value: object, example: object) -> bool:
    """Whether a value is made as the example is: whole numbers, and tuples of the same length."""
    if isinstance(example, tuple):
        return (
            isinstance(value, tuple)
            and len(value) == len(example)
            and all(alike(one, other) for one, other in zip(value, example, strict=True))
        )
    return type(value) is type(example)


def check_card(state: State, verb: Verb, place: Place, sides: Sides, toys: Toys, sprays: int = 0) -> None:
    """Whether a card with these sides and icons may lie there."""
    if any(side not in (0, 1) for side in sides):
        refuse(verb, f"sides {sides!r}: each of north, east, south, west is 1, open, or 0, a wall")
    if not all(0 <= icons <= MOST_ICONS for icons in (*toys, sprays)):
        refuse(verb, f"toys {toys!r} and sprays {sprays}: 0 to {MOST_ICONS} of each are allowed")
    double_walls = not state.options.advanced
    if state.table.cards and (reason := boxes.bad_card(state.table, place, sides, double_walls=double_walls)):
        refuse(verb, reason)


def start_card(state: State, value: Value) -> Card:
    """A starting card (R5)."""
    place, sides, toys, sprays = read(Verb.START_CARD, value, start_example(state))
    if reason := boxes.bad_start(state.table, place):
        refuse(Verb.START_CARD, reason)
    check_card(state, Verb.START_CARD, place, sides, toys, sprays)
    return Card(place, sides, toys, sprays)


def cardboard(state: State, value: Value) -> Card:
    """A normal card (R8 to R10)."""
    place, sides, toys, sprays = read(Verb.BUILD, value, (FIRST, OPEN, NO_TOYS, 0))
    check_card(state, Verb.BUILD, place, sides, toys, sprays)
    return Card(place, sides, toys, sprays)


def toy_card(state: State, value: Value) -> Card:
    """A special toy laid as a card (R19)."""
    place, sides, toys = read(Verb.TOY_AS_CARD, value, (FIRST, OPEN, NO_TOYS))
    check_card(state, Verb.TOY_AS_CARD, place, sides, toys)
    return Card(place, sides, toys)


def sleeping_cat(state: State, seat: Seat, value: Value) -> Card:
    """A cat laid asleep (R7)."""
    place, sides = read(Verb.ASLEEP, value, (FIRST, OPEN))
    check_card(state, Verb.ASLEEP, place, sides, NO_TOYS)
    return Card(place, sides, piece=Piece.ASLEEP, owner=seat)


def awake_cat(state: State, seat: Seat, value: Value) -> Across:
    """A cat across two cards (R11 to R14)."""
    one, other = read(Verb.AWAKE, value, (FIRST, FIRST))
    assert isinstance(state.ask, Turn) and state.ask.laid is not None
    if reason := boxes.bad_cat(state.table, seat, one, other, state.ask.laid):
        refuse(Verb.AWAKE, reason)
    return Across(boxes.western(one, other), Piece.AWAKE, seat)


def special_toy(state: State, value: Value) -> Across:
    """A special toy across two cards (R19, A6)."""
    (one, other), toys = read(Verb.TOY, value, ((FIRST, FIRST), NO_TOYS))
    if not all(0 <= icons <= MOST_ICONS for icons in toys):
        refuse(Verb.TOY, f"toys {toys!r}: 0 to {MOST_ICONS} of each kind are allowed")
    if reason := boxes.bad_across(state.table, one, other):
        refuse(Verb.TOY, reason)
    return Across(boxes.western(one, other), Piece.TOY, toys=toys)


def princess(state: State, value: Value) -> PrincessPlayed:
    """A Princess in place of an awake cat (R18, A9)."""
    one, other = read(Verb.PRINCESS, value, (FIRST, FIRST))
    west = boxes.western(one, other)
    for across in state.table.across:
        if across.owner is not None and across.west == west and boxes.beside(west, boxes.EAST) == max(one, other):
            return PrincessPlayed(across.owner, None, Across(west, Piece.PRINCESS))
    refuse(Verb.PRINCESS, f"no cat lies awake across {one} and {other}")


def princess_asleep(state: State, value: Value) -> PrincessPlayed:
    """A Princess in place of a sleeping cat, with the sides printed on her card (A9)."""
    place, sides = read(Verb.PRINCESS_ASLEEP, value, (FIRST, OPEN))
    if any(side not in (0, 1) for side in sides):
        refuse(Verb.PRINCESS_ASLEEP, f"sides {sides!r}: each of north, east, south, west is 1, open, or 0, a wall")
    for card in state.table.cards:
        if card.owner is not None and card.place == place:
            return PrincessPlayed(card.owner, Card(place, sides, piece=Piece.PRINCESS), None)
    refuse(Verb.PRINCESS_ASLEEP, f"no cat lies asleep at {place}")


# --- evolve ----------------------------------------------------------------------------------------------------------


def evolve(state: State, event: Event) -> State:
    """Fold one fact into the state."""
    return EVOLVE[type(event)](state, event)


def starter_named(state: State, event: StarterNamed) -> State:
    return replace(state, starter=event.seat, ask=StartCards((None,) * len(state.cats)))


def start_card_laid(state: State, event: StartCardLaid) -> State:
    ask = state.ask
    assert isinstance(ask, StartCards)
    laid = put(ask.laid, event.seat, True)
    table = with_card(state, event.card)
    return replace(state, table=table, ask=StartCards(laid) if None in laid else TURNS[state.starter])


def built(state: State, event: Built) -> State:
    ask = state.ask
    assert isinstance(ask, Turn)
    turn = replace(ask, played=Verb.BUILD, laid=event.card.place)
    return replace(state, table=with_card(state, event.card), ask=turn)


def awake_laid(state: State, event: AwakeLaid) -> State:
    ask, seat = state.ask, event.seat
    if not isinstance(ask, Turn):  # in early journals a forgotten cat was noted so
        return cats_seen(state, CatsSeen(seat, state.cats[seat] - 1))
    cats = put(state.cats, seat, state.cats[seat] - 1)
    return replace(state, cats=cats, table=with_across(state, event.across), ask=replace(ask, cat=True))


def asleep_laid(state: State, event: AsleepLaid) -> State:
    ask, seat = state.ask, event.seat
    assert isinstance(ask, Turn)
    cats = put(state.cats, seat, state.cats[seat] - 1)
    return replace(state, cats=cats, table=with_card(state, event.card), ask=replace(ask, played=Verb.ASLEEP))


def princess_played(state: State, event: PrincessPlayed) -> State:
    ask, seat = state.ask, event.seat
    assert isinstance(ask, Turn)
    cats = put(state.cats, seat, state.cats[seat] + 1)  # R18; the end stays triggered (R20)
    table = with_card(state, event.card) if event.across is None else boxes.with_across(state.table, event.across)
    return replace(state, cats=cats, black=state.black + 1, table=table, ask=replace(ask, played=Verb.PRINCESS))


def cats_seen(state: State, event: CatsSeen) -> State:
    """In a turn the pips go with it; while boxes are counted as many more may lie in this one, and in later ones."""
    seat, ask = event.seat, state.ask
    more = state.cats[seat] - event.cats
    state = replace(state, cats=put(state.cats, seat, event.cats))
    if not state.uncounted:
        return state
    state = replace(state, uncounted=put(state.uncounted, seat, state.uncounted[seat] + more))
    if not isinstance(ask, Box) or not ask.most:
        return state
    box = replace(ask, most=put(ask.most, seat, ask.most[seat] + more))
    if ask.most[seat]:
        return with_ask(state, box)
    if ask.stage is Stage.AWAKE:  # who had none to count is asked now
        return with_ask(state, with_awake(box, put(box.awake, seat, None)))
    return with_ask(state, with_asleep(box, put(box.asleep, seat, None)))


def toy_played(state: State, event: ToyPlayed) -> State:
    turn = toy_turn(state, Verb.TOY, None)
    return replace(state, special=state.special + 1, table=with_across(state, event.across), ask=turn)


def toy_laid(state: State, event: ToyLaidAsCard) -> State:
    card = event.card
    turn = toy_turn(state, Verb.TOY_AS_CARD, None if card is None else card.place)
    return replace(state, special=state.special + 1, table=with_card(state, card), ask=turn)


def toy_turn(state: State, verb: Verb, place: Place | None) -> Turn:
    """The turn after a special toy: it was the card played, or another one is drawn (A4)."""
    turn = state.ask
    assert isinstance(turn, Turn)
    if not state.options.toy_is_turn:
        return replace(turn, drew=True)
    return replace(turn, drew=True, played=verb, laid=place)


def with_card(state: State, card: Card | None) -> Table:
    """The table with a card, where it is known."""
    return state.table if card is None else boxes.with_card(state.table, card)


def with_across(state: State, across: Across | None) -> Table:
    """The table with something across two cards, where it is known."""
    return state.table if across is None else boxes.with_across(state.table, across)


def discarded(state: State, event: Discarded) -> State:
    ask = state.ask
    assert isinstance(ask, Turn)
    return with_ask(state, replace(ask, played=Verb.DISCARD))


def last_turns(state: State, event: LastTurns) -> State:
    return replace(state, hands=(HAND,) * len(state.cats))  # R21


def deck_emptied(state: State, event: DeckEmptied) -> State:
    ask = state.ask
    assert isinstance(ask, Turn)
    return with_ask(state, replace(ask, drew=True))


def turn_ended(state: State, event: TurnEnded) -> State:
    ask, seat, hands = state.ask, event.seat, state.hands
    assert isinstance(ask, Turn)
    return next_turn(state, seat, put(hands, seat, hands[seat] - 1) if ask.last else hands)


def hand_emptied(state: State, event: HandEmptied) -> State:
    return next_turn(state, event.seat, put(state.hands, event.seat, 0))


def next_turn(state: State, seat: Seat, hands: tuple[int, ...]) -> State:
    """The next seat's turn; once every hand is empty, the first box (R21)."""
    players = len(state.cats)
    if not hands:
        return with_ask(state, TURNS[(seat + 1) % players])
    for step in range(1, players + 1):
        other = (seat + step) % players
        if hands[other]:  # A13
            return with_hands(state, hands, LAST_TURNS[other])
    uncounted = tuple([on_table(cats) for cats in state.cats])
    return replace(state, hands=hands, uncounted=uncounted, ask=new_box(state))


def timer_started(state: State, event: TimerStarted) -> State:
    ask = state.ask
    assert isinstance(ask, Turn)
    return with_ask(state, replace(ask, due_ns=event.due_ns))


def time_ran_out(state: State, event: TimeRanOut) -> State:
    ask = state.ask
    assert isinstance(ask, Turn)
    return with_ask(state, replace(ask, due_ns=None, late=True))


def toys_counted(state: State, event: ToysCounted) -> State:
    box = state.ask
    assert isinstance(box, Box)
    return with_ask(state, replace(box, toys=event.toys, stage=Stage.SPRAYS))


def kinds_asked(state: State, event: KindsAsked) -> State:
    box = state.ask
    assert isinstance(box, Box)
    return with_ask(state, replace(box, kinds=(), stage=Stage.KIND))


def kind_counted(state: State, event: KindCounted) -> State:
    box = state.ask
    assert isinstance(box, Box)
    kinds = (*(box.kinds or ()), event.toys)
    more = event.toys and len(kinds) < KINDS
    return with_ask(state, replace(box, kinds=kinds, toys=max(kinds), stage=Stage.KIND if more else Stage.SPRAYS))


def sprays_counted(state: State, event: SpraysCounted) -> State:
    box = state.ask
    assert isinstance(box, Box)
    return with_ask(state, replace(box, sprays=event.sprays, stage=Stage.CLOSED))


def closed_seen(state: State, event: ClosedSeen) -> State:
    box, most = state.ask, state.uncounted
    assert isinstance(box, Box)
    awake = open_answers(most)
    return with_ask(state, replace(box, closed=event.closed, awake=awake, most=most, stage=Stage.AWAKE))


def awake_counted(state: State, event: AwakeCounted) -> State:
    box = state.ask
    assert isinstance(box, Box)
    awake = put(box.awake, event.seat, event.cats)
    if None in awake:
        return with_ask(state, with_awake(box, awake))
    left = sleepers_left(state, awake)
    return with_ask(state, replace(box, awake=awake, asleep=open_answers(left), most=left, stage=Stage.ASLEEP))


def asleep_counted(state: State, event: AsleepCounted) -> State:
    box = state.ask
    assert isinstance(box, Box)
    return with_ask(state, with_asleep(box, put(box.asleep, event.seat, event.cats)))


def open_answers(most: tuple[int, ...]) -> Answers:
    """Answers still to come, by seat; who can only have none is not asked."""
    return tuple([None if high else 0 for high in most])


def box_scored(state: State, event: BoxScored) -> State:
    box = state.ask if isinstance(state.ask, Box) else new_box(state)  # where the cards are known nothing is counted
    counts = zip(state.uncounted, box.awake, box.asleep, strict=True)
    return replace(
        state,
        points=tuple([old + new for old, new in zip(state.points, event.points, strict=True)]),
        negatives=tuple([old + new for old, new in zip(state.negatives, event.negatives, strict=True)]),
        uncounted=tuple([cats - (up or 0) - (down or 0) for cats, up, down in counts]),
        boxes=state.boxes + 1,
        ask=Result(box, event.value, event.seats, event.points),
    )


def box_started(state: State, event: BoxStarted) -> State:
    return with_ask(state, new_box(state))


def game_ended(state: State, event: GameEnded) -> State:
    return replace(state, over=True)


EVOLVE: dict[type[Event], Callable[[State, Any], State]] = {
    StarterNamed: starter_named,
    StartCardLaid: start_card_laid,
    Built: built,
    AwakeLaid: awake_laid,
    AsleepLaid: asleep_laid,
    PrincessPlayed: princess_played,
    CatsSeen: cats_seen,
    ToyPlayed: toy_played,
    ToyLaidAsCard: toy_laid,
    Discarded: discarded,
    LastTurns: last_turns,
    DeckEmptied: deck_emptied,
    TurnEnded: turn_ended,
    HandEmptied: hand_emptied,
    TimerStarted: timer_started,
    TimeRanOut: time_ran_out,
    ToysCounted: toys_counted,
    KindsAsked: kinds_asked,
    KindCounted: kind_counted,
    SpraysCounted: sprays_counted,
    ClosedSeen: closed_seen,
    AwakeCounted: awake_counted,
    AsleepCounted: asleep_counted,
    BoxScored: box_scored,
    BoxStarted: box_started,
    GameEnded: game_ended,
}


# --- what people see -------------------------------------------------------------------------------------------------


def phase(state: State) -> str:
    """What is going on, in a word."""
    if state.over:
        return "over"
    match state.ask:
        case Starter():
            return "setup"
        case StartCards():
            return "start_cards"
        case Turn(last=last):
            return "last_turns" if last else "turn"
        case Box():
            return "box"
        case Result():
            return "result"


def board(state: State) -> Board:
    """All that lights, panel and strangers may know. A round is a box being counted; before, there is one round."""
    turn = () if state.over else asked(state)
    counting = isinstance(state.ask, Box) and not state.over
    tokens = tuple(token(state, seat) for seat in range(len(state.cats)))
    around, marks = order(state), highlight(state)
    return Board(phase(state), max(1, state.boxes + counting), None, around, turn, scores(state), tokens, None, marks)


def asked(state: State) -> tuple[Seat, ...]:
    """Who is asked now."""
    match state.ask:
        case Turn(seat):
            return (seat,)
        case Starter():
            return seats_of(len(state.cats))
        case StartCards() | Box():
            return tuple(offer.seat for offer in offers(state) if offer.seat is not None and not offer.menu)
        case Result():
            return ()


def token(state: State, seat: Seat) -> dict[str, int]:
    """What lies before a seat: cats, cards to be played out once the end is triggered, spray points."""
    before = {"cats": state.cats[seat], "negatives": state.negatives[seat]}
    return {**before, "turns": state.hands[seat]} if state.hands else before


def highlight(state: State) -> dict[str, tuple[Seat, ...]]:
    """Who has won; who scored the box; whose time has run out."""
    ask = state.ask
    if state.over:
        return {"winner": winners(state)}
    if isinstance(ask, Result) and ask.seats:
        return {"first": ask.seats}
    if isinstance(ask, Turn) and ask.late:
        return {"last": (ask.seat,)}
    return {}


LABELS: dict[Verb, str] = {
    Verb.STARTER: "Who starts?",
    Verb.START_CARD: "Lay a start card",
    Verb.TURN_OVER: "Your turn",
    Verb.HAND_EMPTY: "Hand is empty",
    Verb.BUILD: "Lay a card",
    Verb.AWAKE: "+awake cat",
    Verb.ASLEEP: "+sleeping cat",
    Verb.PRINCESS: "Princess on a cat",
    Verb.PRINCESS_ASLEEP: "Princess on a sleeper",
    Verb.CAT_BACK: "cat back",
    Verb.TOY: "special toy",
    Verb.TOY_AS_CARD: "toy as a card",
    Verb.DISCARD: "Discard",
    Verb.DECK_EMPTY: "Deck empty",
    Verb.TIMER: "Start timer",
    Verb.TIME_UP: "Time is up",
    Verb.TOYS: "Commonest toy?",
    Verb.COUNT_KINDS: "Count every kind",
    Verb.KIND: "Toys of a kind?",
    Verb.SPRAYS: "Spray bottles?",
    Verb.CLOSED: "Closed?",
    Verb.AWAKE_CATS: "Awake cats?",
    Verb.ASLEEP_CATS: "Sleeping cats?",
    Verb.NEXT: "Next box",
    Verb.DONE: "All boxes done",
}


def label(state: State, offer: Offer, value: Value = None) -> str:
    """The offer in words, or one of its options or numbers."""
    if value is not None:
        return str(value)
    verb, ask = Verb(offer.verb), state.ask
    if verb is Verb.CATS:
        return f"{offer.prefill} cat{'' if offer.prefill == 1 else 's'} left?"
    if verb is Verb.TOYS:
        return f"Box {state.boxes + 1}: toys?"
    if verb is Verb.KIND and isinstance(ask, Box) and ask.kinds:
        return f"Kind {len(ask.kinds) + 1}? 0: none"
    if verb is Verb.KIND:
        return f"Box {state.boxes + 1}: toy kind 1?"
    return LABELS[verb]


def start(players: int, options: Options) -> State:
    """Five cats before everybody; who starts? (R1 to R5)"""
    none = (0,) * players
    return State(options, none, none, none, (CATS,) * players, Starter())


RULES: Rules[State, Event, Options] = Rules(
    name="if_it_fits",
    title="If It Fits",
    seats=SEATS,
    options=Options,
    events=tuple(EVOLVE),
    start=start,
    offers=offers,
    decide=decide,
    evolve=evolve,
    board=board,
    scores=scores,
    winners=winners,
    label=label,
)
