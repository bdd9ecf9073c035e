"""Pack & Stack: a race for trucks. Everybody packs their load and pays for empty space and for boxes left over.

Rule numbers (R, A, T) are those of the rules page. By Bernd Eisenstein, Yaofish / Gameland edition.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from typing import Any, Literal, NamedTuple, TypeAlias

from engine import hands, race
from engine.hands import HandDown, Hands, HandUp
from engine.race import Benched, LastNamed, Race, Ruling, SeatJudged, SeveralLast, TakenBack
from engine.rules import (
    BENCH,
    GO,
    RELEASE,
    TAKE_BACK,
    Action,
    Board,
    Chance,
    Offer,
    Press,
    RaceBoard,
    Rules,
    Seat,
    Value,
    against_clock,
    choice,
    dead_heat,
    each_seat,
    highest,
    in_turn,
    number,
    put,
    replace,
    replacer,
    seats_of,
    switch,
    timer,
)

COLOURS = ("green", "yellow", "red", "orange", "blue")
LENGTHS = (1, 2, 3, 4, 5)  # by colour; a box of length 3 fills 3 units
BOXES = (30, 24, 18, 12, 12)  # by colour, in the game
FACES = ((1, 1, 2, 3, 4, 5), (0, 1, 2, 2, 3, 4), (0, 1, 1, 2, 2, 3), (0, 0, 1, 1, 2, 2), (0, 0, 1, 1, 2, 2))
TRUCKS = 36
MOST_LEVELS = 4
MOST_AREA = 15
START_POINTS = 75  # R2
BONUS = 10  # R17
COUNTDOWN_NS = 3_000_000_000  # 3 - 2 - 1 - FLIP
S = 1_000_000_000


class Verb(StrEnum):
    YOUNGEST = "youngest"
    LOAD = "load"
    ROLL = "roll"
    NEW_ORDER = "new_order"
    DEAL = "deal"
    HANDS = "hands"
    RELEASE = RELEASE
    GO = GO
    GRAB = "grab"
    TAKE_BACK = TAKE_BACK
    BENCH = BENCH
    SETTLE = "settle"
    CLOSE = "close"
    LAST = "last"
    REPLACE_TRUCK = "replace_truck"
    PACK = "pack"
    DONE = "done"
    FROM_PILE = "from_pile"
    COUNT = "count"
    TIME_UP = "time_up"
    EMPTIES = "empties"
    LEVELS = "levels"
    AREA = "area"
    LEFT = "left"
    VOUCHER = "voucher"
    REWARD = "reward"
    GO_ON = "go_on"
    NEXT = "next"


# the three Reward cards: each is named by the verb that uses it
REWARDS: dict[str, str] = {
    "replace_truck": "Replacing a Truck",
    "new_order": "New Order",
    "voucher": "Voucher",
}


@dataclass(frozen=True, slots=True)
class Options:
    """The options of the rules page, with its defaults."""

    floor_at_zero: bool = switch(False, "family game: a loss never takes a total below zero", title="Family game")
    reward_cards: bool = switch(False, "play with the three Reward cards", title="Reward cards")
    trucks_per_player: int | str = number(
        "auto",
        1,
        2,
        "truck cards each; auto: 2, or 1 with 5 or 6 players",
        "auto",
        title="Trucks each",
    )
    tie_band: int | str = dead_heat()
    loading_timer_s: int = timer(0, 600, "s to load the trucks; 0 is off", title="Load timer")
    counting: str = choice(
        "quick",
        "empty spaces are counted, or computed from load and truck",
        "checked",
        title="Counting",
        says={"quick": "empties"},
    )
    start: str = choice(
        "hands_off",
        "FLIP comes by itself, or only while every button is held",
        "hands_on",
        title="Start",
        says={"hands_off": "by itself", "hands_on": "hands on"},
    )
    device_dice: bool = switch(False, "the kit rolls the loads; they are then checked", title="Kit rolls dice")


# --- state: game, round, question ------------------------------------------------------------------------------------

Answers: TypeAlias = tuple[int | None, ...]  # by seat; None until it has answered
Boxes: TypeAlias = tuple[int | None, ...]  # by colour; None where no number was entered


@dataclass(frozen=True, slots=True)
class Youngest:
    """Who is the youngest? They start (R3)."""


@dataclass(frozen=True, slots=True)
class Load:
    """How many boxes of this colour did these seats roll? (R5)"""

    seats: tuple[Seat, ...]
    colour: int


@dataclass(frozen=True, slots=True)
class Roll:
    """The kit rolls in turn for every seat that has no load yet (R4)."""


@dataclass(frozen=True, slots=True)
class UseCard:
    """Does the holder of a Reward card use it now?"""

    seat: Seat
    card: str


@dataclass(frozen=True, slots=True)
class Deal:
    """Truck cards are laid face down (R6)."""


@dataclass(frozen=True, slots=True)
class Countdown:
    """The cards are turned when the clock reaches the race's `go_ns` (R7)."""

    race: Race


@dataclass(frozen=True, slots=True)
class Grab:
    """Everybody grabs a truck (R8)."""

    race: Race


@dataclass(frozen=True, slots=True)
class WhoLast:
    """Too close to call, or several who have not pressed (A1)."""

    ruling: Ruling


@dataclass(frozen=True, slots=True)
class Ready:
    """Everybody has their truck; the loading timer waits for a press."""


@dataclass(frozen=True, slots=True)
class Packing:
    """Everybody loads (R11 to R13)."""

    done: tuple[bool | None, ...]  # by seat; for information only
    due_ns: int | None  # loading against the clock


@dataclass(frozen=True, slots=True)
class Empties:
    """How many unit spaces are empty? (R14)"""


@dataclass(frozen=True, slots=True)
class Levels:
    """How many levels has the truck?"""


@dataclass(frozen=True, slots=True)
class Area:
    """How many squares has its loading area?"""


@dataclass(frozen=True, slots=True)
class LeftOver:
    """How many boxes of this colour did these seats leave on the pavement? (R15)"""

    seats: tuple[Seat, ...]
    colour: int


@dataclass(frozen=True, slots=True)
class Reward:
    """Which Reward card did this seat draw? (R22)"""

    seat: Seat


@dataclass(frozen=True, slots=True)
class Result:
    """Everything is counted; boxes and trucks go back (R18)."""


Question: TypeAlias = (
    Youngest
    | Load
    | Roll
    | UseCard
    | Deal
    | Hands
    | Countdown
    | Grab
    | WhoLast
    | Ready
    | Packing
    | Empties
    | Levels
    | Area
    | LeftOver
    | Reward
    | Result
)


class Tally(NamedTuple):
    """What was counted on and beside each truck, by seat."""

    empties: Answers  # entered; with `checked` computed instead
    levels: Answers
    area: Answers
    left: tuple[Boxes, ...]
    voucher: Seat | None = None  # whose left-over boxes cost once their length


class Round(NamedTuple):
    number: int
    ask: Question
    loads: tuple[Boxes, ...]  # by seat; with `quick` they stay unknown
    tally: Tally
    run: Race | None = None  # the race of this round once it is over: the evidence
    stock: tuple[int, int] = (0, 0)  # pile and discards when it was over
    last: tuple[Seat, ...] | None = None  # None until it is settled
    from_pile: int = 0  # grabbed cards that came from the pile (A3)
    shuffled: bool = False  # a draw found the pile empty: the discards were shuffled first (A7)
    losses: Answers = ()
    best: tuple[Seat, ...] = ()  # smallest loss of the round


class State(NamedTuple):
    options: Options
    points: tuple[int, ...]  # by seat
    corrected: tuple[int, ...]
    round: Round
    starter: Seat | None = None  # the youngest, in every round (A10)
    pile: int = TRUCKS
    discards: int = 0
    held: tuple[tuple[str, ...], ...] = ()  # Reward cards, by seat
    rewards: tuple[str, ...] = ()  # Reward cards not drawn yet
    over: bool = False


# what changes with almost every action
with_round = replacer(State, "round")
with_ask = replacer(Round, "ask")
with_tally = replacer(Round, "tally")
with_left = replacer(Tally, "left")
with_points = replacer(State, "points", "round")


# --- events ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class YoungestNamed:
    seat: Seat


@dataclass(frozen=True, slots=True)
class LoadEntered:
    seat: Seat
    colour: int  # 0 is green
    boxes: int


@dataclass(frozen=True, slots=True)
class LoadRolled:
    seat: Seat
    boxes: tuple[int, ...]  # by colour


@dataclass(frozen=True, slots=True)
class CardUsed:
    seat: Seat
    card: str


@dataclass(frozen=True, slots=True)
class CardKept:
    seat: Seat
    card: str


@dataclass(frozen=True, slots=True)
class Shuffled:
    cards: int  # discards that became the pile's lower part


@dataclass(frozen=True, slots=True)
class Dealt:
    each: int


@dataclass(frozen=True, slots=True)
class CountdownStarted:
    due_ns: int


@dataclass(frozen=True, slots=True)
class Flipped:
    at_ns: int


@dataclass(frozen=True, slots=True)
class Jumped:
    seat: Seat
    at_ns: int
    error_ns: int


@dataclass(frozen=True, slots=True)
class Grabbed:
    seat: Seat
    at_ns: int
    error_ns: int


@dataclass(frozen=True, slots=True)
class RaceClosed:
    """The race is over; what is still open is for the table."""


@dataclass(frozen=True, slots=True)
class Reopened:
    """A press that had counted in the race was void: its seat runs again, as if there had been no verdict (A8, A9)."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class TruckDrawn:
    seat: Seat


@dataclass(frozen=True, slots=True)
class PackingStarted:
    due_ns: int


@dataclass(frozen=True, slots=True)
class Done:
    seat: Seat


@dataclass(frozen=True, slots=True)
class FromPile:
    cards: int  # of all cards grabbed in this round; a later number replaces an earlier one


@dataclass(frozen=True, slots=True)
class PackingClosed:
    """All done, or time is up."""


@dataclass(frozen=True, slots=True)
class EmptiesEntered:
    seat: Seat
    spaces: int


@dataclass(frozen=True, slots=True)
class LevelsEntered:
    seat: Seat
    levels: int


@dataclass(frozen=True, slots=True)
class AreaEntered:
    seat: Seat
    squares: int


@dataclass(frozen=True, slots=True)
class LeftEntered:
    seat: Seat
    colour: int  # 0 is green
    boxes: int


@dataclass(frozen=True, slots=True)
class Lost:
    seat: Seat
    loss: int
    points: int  # what that changed: less than the loss where the total stops at zero


@dataclass(frozen=True, slots=True)
class BonusWon:
    seat: Seat
    points: int


@dataclass(frozen=True, slots=True)
class RewardWon:
    seat: Seat


@dataclass(frozen=True, slots=True)
class RewardDrawn:
    seat: Seat
    card: str


@dataclass(frozen=True, slots=True)
class RoundStarted:
    number: int


@dataclass(frozen=True, slots=True)
class GameEnded:
    pass


Event: TypeAlias = (
    YoungestNamed
    | LoadEntered
    | LoadRolled
    | CardUsed
    | CardKept
    | Shuffled
    | Dealt
    | HandDown
    | HandUp
    | CountdownStarted
    | Flipped
    | Jumped
    | Grabbed
    | TakenBack
    | Benched
    | RaceClosed
    | SeveralLast
    | SeatJudged
    | LastNamed
    | Reopened
    | TruckDrawn
    | PackingStarted
    | Done
    | FromPile
    | PackingClosed
    | EmptiesEntered
    | LevelsEntered
    | AreaEntered
    | LeftEntered
    | Lost
    | BonusWon
    | RewardWon
    | RewardDrawn
    | RoundStarted
    | GameEnded
)


# --- what follows from the rules -------------------------------------------------------------------------------------


def volume(boxes: Iterable[int | None]) -> int:
    """Units that so many boxes of each colour fill; colours not counted yet fill none."""
    return sum(length * (count or 0) for length, count in zip(LENGTHS, boxes, strict=True))


def empties(capacity: int, load: int, left: int) -> int:
    """Unit spaces left empty, from volumes (R14). Negative: more was loaded than fits."""
    return capacity - (load - left)


def loss(empty: int, left: int, voucher: bool = False) -> int:
    """Points lost for empty units and for the volume left over (R14 to R16)."""
    return empty + left * (1 if voucher else 2)


def booked(total: int, lost: int, floor: bool) -> int:
    """What a loss changes: with the family option the total stops at zero, before any bonus (R21, A4)."""
    return max(total - lost, 0) - total if floor else -lost


def smallest(losses: Sequence[int]) -> tuple[Seat, ...]:
    """Everybody with the smallest loss (R17)."""
    return tuple(seat for seat, lost in enumerate(losses) if lost == min(losses))


def rewarded(losses: Sequence[int]) -> Seat | None:
    """Who alone lost nothing (R22)."""
    return losses.index(0) if losses.count(0) == 1 else None


def trucks_each(state: State) -> int:
    """Truck cards laid before each player (R6)."""
    each = state.options.trucks_per_player
    if isinstance(each, int):
        return each
    return 2 if len(state.points) <= 4 else 1


def short(state: State) -> bool:
    """Whether the discards have to be shuffled before the next deal: a round takes at least one card more (A7)."""
    return state.pile < len(state.points) * trucks_each(state) + 1


def checked(state: State) -> bool:
    """Whether loads and trucks are known, and empty spaces computed."""
    return state.options.counting == "checked" or state.options.device_dice


def unlikely(state: State) -> tuple[Seat, ...]:
    """Whose load has more boxes of a colour than its die shows: worth a warning, never refused."""
    return tuple(
        seat
        for seat, load in enumerate(state.round.loads)
        if any((count or 0) > faces[-1] for count, faces in zip(load, FACES, strict=True))
    )


def holder(state: State, card: str) -> Seat | None:
    """Who holds a Reward card."""
    return next((seat for seat, cards in enumerate(state.held) if card in cards), None)


def order(state: State) -> tuple[Seat, ...]:
    """The seats from the starting player round the table (R4)."""
    first = state.starter or 0
    return (*range(first, len(state.points)), *range(first))


def least_left(now: Round, seat: Seat, colour: int) -> int:
    """The fewest boxes of this colour that must stay behind: what cannot fit even if all later colours stay, too."""
    load, left = now.loads[seat], now.tally.left[seat]
    too_much = volume(load) - capacity(now.tally, seat)
    staying = volume((*left[:colour], 0, *load[colour + 1 :]))
    return max(0, -((staying - too_much) // LENGTHS[colour]))


def capacity(count: Tally, seat: Seat) -> int:
    """Units that a seat's truck holds (R14)."""
    return (count.levels[seat] or 0) * (count.area[seat] or 0)


def losses(state: State) -> tuple[int, ...]:
    """Everybody's loss once all is counted."""
    now, count = state.round, state.round.tally
    found = []
    for seat in range(len(state.points)):
        left = volume(count.left[seat])
        if checked(state):
            empty = empties(capacity(count, seat), volume(now.loads[seat]), left)
        else:
            empty = count.empties[seat] or 0
        found.append(loss(empty, left, seat == count.voucher))
    return tuple(found)


def scores(state: State) -> tuple[int, ...]:
    """Points left, plus what was fixed by hand."""
    return tuple(points + fixed for points, fixed in zip(state.points, state.corrected, strict=True))


def winners(state: State) -> tuple[Seat, ...]:
    """Most points; equal totals share (R20)."""
    return highest(scores(state), range(len(state.points)))


def ended(state: State) -> bool:
    """R19, A5: somebody has no points left after the bonus."""
    return min(scores(state)) <= 0


# --- the order of the questions --------------------------------------------------------------------------------------


def load_question(state: State) -> Question:
    """The first question of a round: the load, where it has to be known."""
    if state.options.device_dice:
        return Roll()
    if checked(state):
        return Load(seats_of(len(state.points)), 0)
    return deal_question(state)


def deal_question(state: State) -> Question:
    """The loads are there: New Order while nothing is dealt yet (A11), then the trucks."""
    seat = holder(state, Verb.NEW_ORDER)
    return Deal() if seat is None else UseCard(seat, Verb.NEW_ORDER.value)


def truck_question(state: State) -> Question:
    """The race is settled: Replacing a Truck before loading (A11), then the loading."""
    seat = holder(state, Verb.REPLACE_TRUCK)
    return pack_question(state) if seat is None else UseCard(seat, Verb.REPLACE_TRUCK.value)


def pack_question(state: State) -> Question:
    """The loading; against the clock it waits for a press."""
    return Ready() if state.options.loading_timer_s else Packing((None,) * len(state.points), None)


def colour_left(state: State, colour: int) -> LeftOver | None:
    """The left-over boxes of the first colour from this one on of which anybody has some."""
    seats, loads = seats_of(len(state.points)), state.round.loads
    known = checked(state)
    for later in range(colour, len(COLOURS)):
        asked = tuple([seat for seat in seats if loads[seat][later]]) if known else seats
        if asked:
            return LeftOver(asked, later)
    return None


def left_question(state: State, colour: int) -> Question:
    """The left-over boxes from this colour on; then the Voucher; then all is counted."""
    ask = colour_left(state, colour)
    if ask is not None:
        return ask
    seat = holder(state, Verb.VOUCHER)
    if seat is None or not volume(state.round.tally.left[seat]):
        return Result()
    return UseCard(seat, Verb.VOUCHER.value)


# --- offers ----------------------------------------------------------------------------------------------------------


def offers(state: State) -> tuple[Offer, ...]:
    """What each seat and the table may do now; nothing once the game is over."""
    now = state.round
    if state.over:
        return ()
    out = OFFERS[type(now.ask)](state, now.ask)
    if now.last is None or isinstance(now.ask, UseCard | Ready):  # whose trucks are whose is not settled yet
        return out
    joins = any(offer.joins for offer in out)
    return (*out, from_pile_offer(len(state.points), now.from_pile, joins))


@cache
def from_pile_offer(players: int, told: int, joins: bool) -> Offer:
    """From the packing on, and until the round is closed: how many grabbed the pile's top card? (A3)"""
    return Offer(None, Verb.FROM_PILE, 0, players, prefill=told, joins=joins, menu=True)


@cache
def youngest_offers(players: int) -> tuple[Offer, ...]:
    return tuple([Offer(seat, Verb.YOUNGEST) for seat in range(players)])


def load_offers(state: State, ask: Load) -> tuple[Offer, ...]:
    """Boxes of one colour; no more than the game has."""
    counts = [load[ask.colour] for load in state.round.loads]
    rest = BOXES[ask.colour] - sum(filter(None, counts))
    return each_seat(counts, Verb.LOAD, low=0, high=rest, seats=ask.seats)


def roll_offers(state: State, ask: Roll) -> tuple[Offer, ...]:
    return in_turn(order(state), [load[0] for load in state.round.loads], Verb.ROLL)


def card_offers(state: State, ask: UseCard) -> tuple[Offer, ...]:
    out = (Offer(ask.seat, ask.card), Offer(None, Verb.GO_ON))
    return (*out, *void_offers(state)) if ask.card == Verb.REPLACE_TRUCK else out


def hands_offers(state: State, ask: Hands) -> tuple[Offer, ...]:
    return hands.offers(ask, seats_of(len(state.points)))


def countdown_offers(state: State, ask: Countdown) -> tuple[Offer, ...]:
    """The flip, and what comes too early: a hand that lets go, or a press."""
    players, go = len(state.points), Offer(None, Verb.GO, due_ns=ask.race.go_ns, race=True, joins=True)
    if state.options.start == "hands_on":
        return (*hands.letting_go(seats_of(players)), go)
    return (*early_offers(players), go)


@cache
def early_offers(players: int) -> tuple[Offer, ...]:
    return tuple([Offer(seat, Verb.GRAB, race=True, joins=True) for seat in range(players)])


def grab_offers(state: State, ask: Grab) -> tuple[Offer, ...]:
    """A press of each seat that is still out, the ways out, and the settling once the last can be known (A1)."""
    run = ask.race
    due_ns = race.last_due_ns(run, race.widened(state.options.tie_band))
    out = race.offers(run, Verb.GRAB, Verb.SETTLE, due_ns)  # A9
    return out if due_ns is not None else (*out, NOBODY_ELSE)


NOBODY_ELSE = Offer(None, Verb.CLOSE, joins=True)


def void_offers(state: State) -> tuple[Offer, ...]:
    """A grab that decided the race was void: its seat may say so until the next question is answered (A8, A9)."""
    run = state.round.run
    return () if run is None else race.taking_back(race.pressed(run), joins=False)


def last_offers(state: State, ask: WhoLast) -> tuple[Offer, ...]:
    offers = race.ruling_offers(ask.ruling, Verb.LAST)
    return offers if ask.ruling.judged is not None else (*offers, *void_offers(state))


def ready_offers(state: State, ask: Ready) -> tuple[Offer, ...]:
    return (*PACK, *void_offers(state))


def packing_offers(state: State, ask: Packing) -> tuple[Offer, ...]:
    """Done by seat, on to the count by the table; against the clock all is one step with the press that began it."""
    joins = ask.due_ns is not None or any(ask.done)
    out = against_clock(packing_ways(ask.done, joins), Verb.TIME_UP, ask.due_ns, joins=True)
    return out if joins or state.round.from_pile else (*out, *void_offers(state))


@cache
def packing_ways(done: tuple[bool | None, ...], joins: bool) -> tuple[Offer, ...]:
    return (
        *[Offer(seat, Verb.DONE, joins=joins) for seat, loaded in enumerate(done) if not loaded],
        Offer(None, Verb.COUNT, joins=joins),
    )


def empties_offers(state: State, ask: Empties) -> tuple[Offer, ...]:
    return each_seat(state.round.tally.empties, Verb.EMPTIES, low=0, high=MOST_LEVELS * MOST_AREA)


def levels_offers(state: State, ask: Levels) -> tuple[Offer, ...]:
    return each_seat(state.round.tally.levels, Verb.LEVELS, low=1, high=MOST_LEVELS)


def area_offers(state: State, ask: Area) -> tuple[Offer, ...]:
    return each_seat(state.round.tally.area, Verb.AREA, low=1, high=MOST_AREA)


def left_offers(state: State, ask: LeftOver) -> tuple[Offer, ...]:
    """Left-over boxes of one colour; checked ones stay between what cannot fit and what was rolled."""
    now, colour = state.round, ask.colour
    counts = [left[colour] for left in now.tally.left]
    if not checked(state):
        rest = BOXES[colour] - sum(filter(None, counts))
        return each_seat(counts, Verb.LEFT, low=0, high=rest, prefill=0)
    out = [seat in ask.seats and counts[seat] is None for seat in range(len(counts))]
    low = tuple([least_left(now, seat, colour) if out[seat] else 0 for seat in range(len(counts))])
    high = tuple([load[colour] or 0 for load in now.loads])
    return each_seat(counts, Verb.LEFT, low=low, high=high, prefill=low, seats=ask.seats)


def reward_offers(state: State, ask: Reward) -> tuple[Offer, ...]:
    return (Offer(ask.seat, Verb.REWARD, options=state.rewards),)


DEAL = (Offer(None, Verb.DEAL),)
PACK = (Offer(None, Verb.PACK),)
NEXT = (Offer(None, Verb.NEXT),)

OFFERS: dict[type[Question], Callable[[State, Any], tuple[Offer, ...]]] = {
    Youngest: lambda state, ask: youngest_offers(len(state.points)),
    Load: load_offers,
    Roll: roll_offers,
    UseCard: card_offers,
    Deal: lambda state, ask: DEAL,
    Hands: hands_offers,
    Countdown: countdown_offers,
    Grab: grab_offers,
    WhoLast: last_offers,
    Ready: ready_offers,
    Packing: packing_offers,
    Empties: empties_offers,
    Levels: levels_offers,
    Area: area_offers,
    LeftOver: left_offers,
    Reward: reward_offers,
    Result: lambda state, ask: NEXT,
}


# --- decide ----------------------------------------------------------------------------------------------------------


def decide(state: State, action: Action, chance: Chance) -> tuple[Event, ...]:
    """What an offered action causes."""
    return DECIDE[action.verb](state, action, chance)


def name_youngest(state: State, action: Action, chance: Chance) -> tuple[Event, ...]:
    assert action.seat is not None
    return (YoungestNamed(action.seat),)


def enter_load(state: State, action: Action, chance: Chance) -> tuple[Event, ...]:
    ask, seat, boxes = state.round.ask, action.seat, action.value
    assert isinstance(ask, Load) and seat is not None and isinstance(boxes, int)
    return (LoadEntered(seat, ask.colour, boxes),)


def roll(state: State, action: Action, chance: Chance) -> tuple[Event, ...]:
    assert action.seat is not None
    dice = chance.dice()
    return (LoadRolled(action.seat, tuple([dice.choice(faces) for faces in FACES])),)


def use_new_order(state: State, action: Action, chance: Chance) -> tuple[Event, ...]:
    assert action.seat is not None
    return (CardUsed(action.seat, Verb.NEW_ORDER.value),)


def use_replace_truck(state: State, action: Action, chance: Chance) -> tuple[Event, ...]:
    assert action.seat is not None
    return (*draw(state, action.seat), CardUsed(action.seat, Verb.REPLACE_TRUCK.value))


def use_voucher(state: State, action: Action, chance: Chance) -> tuple[Event, ...]:
    assert action.seat is not None
    return counted(state, CardUsed(action.seat, Verb.VOUCHER.value))


def keep_card(state: State, action: Action, chance: Chance) -> tuple[Event, ...]:
    ask = state.round.ask
    assert isinstance(ask, UseCard)
    return counted(state, CardKept(ask.seat, ask.card))


def deal(state: State, action: Action, chance: Chance) -> tuple[Event, ...]:
    """The trucks are dealt, from a pile that lasts (R6, A7); with hands off the countdown starts at once."""
    shuffle = (Shuffled(state.discards),) if short(state) else ()
    dealt = (*shuffle, Dealt(trucks_each(state)))
    if state.options.start == "hands_on":
        return dealt
    return (*dealt, CountdownStarted(action.at_ns + COUNTDOWN_NS))


def put_hand_down(state: State, action: Action, chance: Chance) -> tuple[Event, ...]:
    ask, seat = state.round.ask, action.seat
    assert isinstance(ask, Hands) and seat is not None
    if hands.completes(ask, range(len(ask.down)), seat):
        return (HandDown(seat), CountdownStarted(action.at_ns + COUNTDOWN_NS))
    return (HandDown(seat),)


def let_go(state: State, action: Action, chance: Chance) -> tuple[Event, ...]:
    assert action.seat is not None
    return (HandUp(action.seat, jumped=isinstance(state.round.ask, Countdown)),)


def flip(state: State, action: Action, chance: Chance) -> tuple[Event, ...]:
    return (Flipped(action.at_ns),)


def grab(state: State, action: Action, chance: Chance) -> tuple[Event, ...]:
    """What a press in the race is worth: too early it costs nothing, and that button is dead for a moment."""
    ask, seat = state.round.ask, action.seat
    assert isinstance(ask, Countdown | Grab) and seat is not None
    judged = race.judge(ask.race, Press(seat, action.at_ns, action.error_ns))
    if judged == "dead":
        return ()
    if judged == "jumped" or isinstance(ask, Countdown):
        return (Jumped(seat, action.at_ns, action.error_ns),)
    return (Grabbed(seat, action.at_ns, action.error_ns),)


def take_back(state: State, action: Action, chance: Chance) -> tuple[Event, ...]:
    assert action.seat is not None
    return (TakenBack(action.seat),) if isinstance(state.round.ask, Grab) else (Reopened(action.seat),)


def bench(state: State, action: Action, chance: Chance) -> tuple[Event, ...]:
    assert isinstance(action.value, int)
    return (Benched(action.value),)


def close(state: State, action: Action, chance: Chance) -> tuple[Event, ...]:
    ask = state.round.ask
    assert isinstance(ask, Grab)
    late = who_last(state, ask.race)
    if len(late) != 1:
        return (RaceClosed(),)  # never guess
    return (RaceClosed(), *last_named(evolve(state, RaceClosed()), late))


def who_last(state: State, run: Race) -> tuple[Seat, ...]:
    """The last by the race; several are for the table (A1)."""
    return race.last(run, race.widened(state.options.tie_band))


def rule_last(state: State, action: Action, chance: Chance) -> tuple[Event, ...]:
    ask = state.round.ask
    assert isinstance(ask, WhoLast)
    answer = race.rule(ask.ruling, action.value)
    return last_named(state, answer) if isinstance(answer, tuple) else (answer,)


def last_named(state: State, seats: tuple[Seat, ...]) -> tuple[Event, ...]:
    """The last, and the top card of the pile for them (R9)."""
    events: tuple[Event, ...] = (LastNamed(seats),)
    if len(seats) <= state.pile:
        return (*events, *[TruckDrawn(seat) for seat in seats])
    state = evolve(state, events[0])
    for seat in seats:
        for event in draw(state, seat):
            events = (*events, event)
            state = evolve(state, event)
    return events


def draw(state: State, seat: Seat) -> tuple[Event, ...]:
    """The pile's top card for a seat; an empty pile is made of the discards first (A7)."""
    return (TruckDrawn(seat),) if state.pile else (Shuffled(state.discards), TruckDrawn(seat))


def pack(state: State, action: Action, chance: Chance) -> tuple[Event, ...]:
    return (PackingStarted(action.at_ns + state.options.loading_timer_s * S),)


def say_done(state: State, action: Action, chance: Chance) -> tuple[Event, ...]:
    ask, seat = state.round.ask, action.seat
    assert isinstance(ask, Packing) and seat is not None
    return (Done(seat), PackingClosed()) if ask.done.count(None) == 1 else (Done(seat),)


def grab_from_pile(state: State, action: Action, chance: Chance) -> tuple[Event, ...]:
    cards = action.value
    assert isinstance(cards, int)
    if cards - state.round.from_pile > state.pile:
        return (Shuffled(state.discards), FromPile(cards))
    return (FromPile(cards),)


def close_packing(state: State, action: Action, chance: Chance) -> tuple[Event, ...]:
    return (PackingClosed(),)


def enter_empties(state: State, action: Action, chance: Chance) -> tuple[Event, ...]:
    assert action.seat is not None and isinstance(action.value, int)
    return (EmptiesEntered(action.seat, action.value),)


def enter_levels(state: State, action: Action, chance: Chance) -> tuple[Event, ...]:
    assert action.seat is not None and isinstance(action.value, int)
    return (LevelsEntered(action.seat, action.value),)


def enter_area(state: State, action: Action, chance: Chance) -> tuple[Event, ...]:
    assert action.seat is not None and isinstance(action.value, int)
    return counted(state, AreaEntered(action.seat, action.value))


def enter_left(state: State, action: Action, chance: Chance) -> tuple[Event, ...]:
    ask, seat, boxes = state.round.ask, action.seat, action.value
    assert isinstance(ask, LeftOver) and seat is not None and isinstance(boxes, int)
    return counted(state, LeftEntered(seat, ask.colour, boxes))


def counted(state: State, event: Event) -> tuple[Event, ...]:
    """An event and, if nothing is left to count then, what the round costs and earns (R16, R17, R22)."""
    if more_asked(state):
        return (event,)
    state = evolve(state, event)
    if not isinstance(state.round.ask, Result):
        return (event,)
    found, totals, floor = losses(state), scores(state), state.options.floor_at_zero
    lost = [Lost(seat, each, booked(totals[seat], each, floor)) for seat, each in enumerate(found)]
    bonus = [BonusWon(seat, BONUS) for seat in smallest(found)]
    seat = rewarded(found)
    if seat is None or not state.rewards:  # R23
        return (event, *lost, *bonus)
    return (event, *lost, *bonus, RewardWon(seat))


def more_asked(state: State) -> bool:
    """Whether something is left to count after the next answer: the same of another seat, or another colour."""
    now, ask = state.round, state.round.ask
    if isinstance(ask, Area):
        return now.tally.area.count(None) > 1
    if not isinstance(ask, LeftOver):
        return False
    left = now.tally.left
    missing = [left[seat][ask.colour] for seat in ask.seats].count(None)
    return missing > 1 or colour_left(state, ask.colour + 1) is not None


def draw_reward(state: State, action: Action, chance: Chance) -> tuple[Event, ...]:
    assert action.seat is not None and isinstance(action.value, str)
    return (RewardDrawn(action.seat, action.value),)


def go_on(state: State, action: Action, chance: Chance) -> tuple[Event, ...]:
    return (GameEnded(),) if ended(state) else (RoundStarted(state.round.number + 1),)


DECIDE: dict[str, Callable[[State, Action, Chance], tuple[Event, ...]]] = {
    Verb.YOUNGEST: name_youngest,
    Verb.LOAD: enter_load,
    Verb.ROLL: roll,
    Verb.NEW_ORDER: use_new_order,
    Verb.DEAL: deal,
    Verb.HANDS: put_hand_down,
    Verb.RELEASE: let_go,
    Verb.GO: flip,
    Verb.GRAB: grab,
    Verb.TAKE_BACK: take_back,
    Verb.BENCH: bench,
    Verb.SETTLE: close,
    Verb.CLOSE: close,
    Verb.LAST: rule_last,
    Verb.REPLACE_TRUCK: use_replace_truck,
    Verb.PACK: pack,
    Verb.DONE: say_done,
    Verb.FROM_PILE: grab_from_pile,
    Verb.COUNT: close_packing,
    Verb.TIME_UP: close_packing,
    Verb.EMPTIES: enter_empties,
    Verb.LEVELS: enter_levels,
    Verb.AREA: enter_area,
    Verb.LEFT: enter_left,
    Verb.VOUCHER: use_voucher,
    Verb.REWARD: draw_reward,
    Verb.GO_ON: keep_card,
    Verb.NEXT: go_on,
}


# --- evolve ----------------------------------------------------------------------------------------------------------


def evolve(state: State, event: Event) -> State:
    """Fold one fact into the state."""
    return EVOLVE[type(event)](state, event)


def asked(state: State, ask: Question) -> State:
    """The state with another question."""
    return with_round(state, with_ask(state.round, ask))


def youngest_named(state: State, event: YoungestNamed) -> State:
    return replace(state, starter=event.seat, round=with_ask(state.round, load_question(state)))


def load_entered(state: State, event: LoadEntered) -> State:
    now, ask, seat, colour = state.round, state.round.ask, event.seat, event.colour
    assert isinstance(ask, Load)
    loads = put(now.loads, seat, put(now.loads[seat], colour, event.boxes))
    if None not in [loads[other][colour] for other in ask.seats]:
        ask = Load(ask.seats, colour + 1) if colour + 1 < len(COLOURS) else deal_question(state)
    return with_round(state, replace(now, loads=loads, ask=ask))


def load_rolled(state: State, event: LoadRolled) -> State:
    now = state.round
    loads = put(now.loads, event.seat, event.boxes)
    ask = now.ask if any(None in load for load in loads) else deal_question(state)
    return with_round(state, replace(now, loads=loads, ask=ask))


def card_used(state: State, event: CardUsed) -> State:
    """A Reward card: a new load, on to the loading, or a cheaper surplus."""
    now, seat, card = state.round, event.seat, event.card
    held = put(state.held, seat, tuple([other for other in state.held[seat] if other != card]))
    state = replace(state, held=held)
    if card == Verb.REPLACE_TRUCK:
        return replace(state, discards=state.discards + 1, round=with_ask(now, pack_question(state)))  # what they had
    if card == Verb.VOUCHER:
        return with_round(state, replace(now, tally=replace(now.tally, voucher=seat), ask=Result()))
    if not checked(state):
        return asked(state, Deal())
    loads = put(now.loads, seat, (None,) * len(COLOURS))  # A11: the whole load
    ask = Roll() if state.options.device_dice else Load((seat,), 0)
    return with_round(state, replace(now, loads=loads, ask=ask))


def card_kept(state: State, event: CardKept) -> State:
    if event.card == Verb.NEW_ORDER:
        return asked(state, Deal())
    return asked(state, pack_question(state) if event.card == Verb.REPLACE_TRUCK else Result())


def shuffled(state: State, event: Shuffled) -> State:
    again = replace(state.round, shuffled=True)
    return replace(state, pile=state.pile + event.cards, discards=state.discards - event.cards, round=again)


def trucks_dealt(state: State, event: Dealt) -> State:
    players = len(state.points)
    dealt = replace(state.round, shuffled=False, ask=hands.nobody(players))
    return replace(state, pile=state.pile - event.each * players, round=dealt)


def hand_down(state: State, event: HandDown) -> State:
    ask = state.round.ask
    assert isinstance(ask, Hands)
    return asked(state, hands.put_down(ask, event.seat))


def hand_up(state: State, event: HandUp) -> State:
    players = len(state.points)
    return asked(state, hands.lifted(state.round.ask, event.seat, seats_of(players), players))


def countdown_started(state: State, event: CountdownStarted) -> State:
    return asked(state, Countdown(Race(seats_of(len(state.points)), event.due_ns)))


def flipped(state: State, event: Flipped) -> State:
    ask = state.round.ask
    assert isinstance(ask, Countdown)
    return asked(state, Grab(replace(ask.race, go_ns=event.at_ns)))


def jumped(state: State, event: Jumped) -> State:
    ask = state.round.ask
    assert isinstance(ask, Countdown | Grab)
    run = race.jump(ask.race, Press(event.seat, event.at_ns, event.error_ns))
    return asked(state, Grab(run) if isinstance(ask, Grab) else Countdown(run))


def grabbed(state: State, event: Grabbed) -> State:
    ask = state.round.ask
    assert isinstance(ask, Grab)
    return asked(state, Grab(race.add(ask.race, Press(event.seat, event.at_ns, event.error_ns))))


def taken_back(state: State, event: TakenBack) -> State:
    ask = state.round.ask
    assert isinstance(ask, Grab)
    return asked(state, Grab(race.take_back(ask.race, event.seat)))


def benched(state: State, event: Benched) -> State:
    ask = state.round.ask
    assert isinstance(ask, Grab)
    return asked(state, Grab(race.bench(ask.race, event.seat)))


def race_closed(state: State, event: RaceClosed) -> State:
    ask = state.round.ask
    assert isinstance(ask, Grab)
    ruling = WhoLast(Ruling(who_last(state, ask.race)))
    return with_round(state, replace(state.round, run=ask.race, stock=(state.pile, state.discards), ask=ruling))


def ruled_on(state: State, event: SeveralLast | SeatJudged) -> State:
    ask = state.round.ask
    assert isinstance(ask, WhoLast)
    return asked(state, WhoLast(Ruling(ask.ruling.among, race.judged(ask.ruling.judged, event))))


def reopened(state: State, event: Reopened) -> State:
    now = state.round
    assert now.run is not None
    pile, discards = now.stock
    grab = Grab(race.take_back(now.run, event.seat))
    return replace(
        state, pile=pile, discards=discards, round=replace(now, run=None, last=None, shuffled=False, ask=grab)
    )


def last_settled(state: State, event: LastNamed) -> State:
    now = state.round
    pressed = race.pressed(now.run) if now.run else ()
    discards = state.discards + len([seat for seat in event.seats if seat in pressed])  # R9, A3: what they grabbed
    return replace(state, discards=discards, round=replace(now, last=event.seats, ask=truck_question(state)))


def truck_drawn(state: State, event: TruckDrawn) -> State:
    return replace(state, pile=state.pile - 1)


def packing_started(state: State, event: PackingStarted) -> State:
    return asked(state, Packing((None,) * len(state.points), event.due_ns))


def done(state: State, event: Done) -> State:
    ask = state.round.ask
    assert isinstance(ask, Packing)
    return asked(state, Packing(put(ask.done, event.seat, True), ask.due_ns))


def from_pile(state: State, event: FromPile) -> State:
    now = state.round
    return replace(state, pile=state.pile + now.from_pile - event.cards, round=replace(now, from_pile=event.cards))


def packing_closed(state: State, event: PackingClosed) -> State:
    return asked(state, Levels() if checked(state) else Empties())


def empties_entered(state: State, event: EmptiesEntered) -> State:
    count = state.round.tally
    answers = put(count.empties, event.seat, event.spaces)
    state = with_round(state, with_tally(state.round, replace(count, empties=answers)))
    return state if None in answers else asked(state, left_question(state, 0))


def levels_entered(state: State, event: LevelsEntered) -> State:
    count = state.round.tally
    answers = put(count.levels, event.seat, event.levels)
    state = with_round(state, with_tally(state.round, replace(count, levels=answers)))
    return state if None in answers else asked(state, Area())


def area_entered(state: State, event: AreaEntered) -> State:
    count = state.round.tally
    answers = put(count.area, event.seat, event.squares)
    state = with_round(state, with_tally(state.round, replace(count, area=answers)))
    return state if None in answers else asked(state, left_question(state, 0))


def left_entered(state: State, event: LeftEntered) -> State:
    now, ask, seat, colour = state.round, state.round.ask, event.seat, event.colour
    assert isinstance(ask, LeftOver)
    left = now.tally.left
    left = put(left, seat, put(left[seat], colour, event.boxes))
    state = with_round(state, with_tally(now, with_left(now.tally, left)))
    if None in [left[other][colour] for other in ask.seats]:
        return state
    return asked(state, left_question(state, colour + 1))


def lost(state: State, event: Lost) -> State:
    now, seat = state.round, event.seat
    known = replace(now, losses=put(now.losses, seat, event.loss))
    return with_points(state, put(state.points, seat, state.points[seat] + event.points), known)


def bonus_won(state: State, event: BonusWon) -> State:
    now, seat = state.round, event.seat
    best = replace(now, best=(*now.best, seat))
    return with_points(state, put(state.points, seat, state.points[seat] + event.points), best)


def reward_won(state: State, event: RewardWon) -> State:
    return asked(state, Reward(event.seat))


def reward_drawn(state: State, event: RewardDrawn) -> State:
    held = put(state.held, event.seat, (*state.held[event.seat], event.card))
    rewards = tuple([other for other in state.rewards if other != event.card])
    return replace(state, held=held, rewards=rewards, round=with_ask(state.round, Result()))


def round_started(state: State, event: RoundStarted) -> State:
    fresh = new_round(event.number, load_question(state), len(state.points))
    return replace(state, discards=TRUCKS - state.pile, round=fresh)  # R18


def game_ended(state: State, event: GameEnded) -> State:
    return replace(state, over=True)


EVOLVE: dict[type[Event], Callable[[State, Any], State]] = {
    YoungestNamed: youngest_named,
    LoadEntered: load_entered,
    LoadRolled: load_rolled,
    CardUsed: card_used,
    CardKept: card_kept,
    Shuffled: shuffled,
    Dealt: trucks_dealt,
    HandDown: hand_down,
    HandUp: hand_up,
    CountdownStarted: countdown_started,
    Flipped: flipped,
    Jumped: jumped,
    Grabbed: grabbed,
    TakenBack: taken_back,
    Benched: benched,
    RaceClosed: race_closed,
    SeveralLast: ruled_on,
    SeatJudged: ruled_on,
    Reopened: reopened,
    LastNamed: last_settled,
    TruckDrawn: truck_drawn,
    PackingStarted: packing_started,
    Done: done,
    FromPile: from_pile,
    PackingClosed: packing_closed,
    EmptiesEntered: empties_entered,
    LevelsEntered: levels_entered,
    AreaEntered: area_entered,
    LeftEntered: left_entered,
    Lost: lost,
    BonusWon: bonus_won,
    RewardWon: reward_won,
    RewardDrawn: reward_drawn,
    RoundStarted: round_started,
    GameEnded: game_ended,
}


# --- what people see -------------------------------------------------------------------------------------------------

PHASES: dict[type, str] = {
    Youngest: "setup",
    Load: "load",
    Roll: "load",
    UseCard: "card",
    Deal: "deal",
    Hands: "hands",
    Countdown: "countdown",
    Grab: "race",
    WhoLast: "dispute",
    Ready: "ready",
    Packing: "packing",
    Empties: "empties",
    Levels: "truck",
    Area: "truck",
    LeftOver: "left_over",
    Reward: "reward",
    Result: "result",
}


def board(state: State) -> Board:
    """All that lights, panel and strangers may know."""
    now, seats = state.round, range(len(state.points))
    asked = {offer.seat for offer in offers(state) if not offer.hold and offer.verb != Verb.RELEASE}
    turn = tuple(seat for seat in seats if seat in asked)
    phase = "over" if state.over else PHASES[type(now.ask)]
    tokens = tuple(token(state, seat) for seat in seats)
    return Board(
        phase, now.number, None, order(state), turn, scores(state), tokens, race_board(state), highlight(state)
    )


def token(state: State, seat: Seat) -> dict[str, int]:
    """What lies before a seat: Reward cards and, once they are known, the volume of the load and the loss."""
    before = {"rewards": len(state.held[seat])}
    load, lost = state.round.loads[seat], state.round.losses[seat]
    if None not in load:
        before["load"] = volume(load)
    if lost is not None:
        before["loss"] = lost
    return before


def race_board(state: State) -> RaceBoard | None:
    """The race for the trucks, with the times after the flip."""
    now, ask = state.round, state.round.ask
    if isinstance(ask, Hands):
        return RaceBoard("armed", None, jumped=() if ask.jumped is None else (ask.jumped,))
    run = ask.race if isinstance(ask, Countdown | Grab) else now.run
    if run is None:
        return None
    jumped = tuple(press.seat for press in run.jumps)
    if isinstance(ask, Countdown):
        return RaceBoard("armed", None, jumped=jumped)
    go_ns = run.go_ns or 0
    presses = race.order(run)
    gaps = tuple((press.seat, press.at_ns - go_ns) for press in presses)
    phase: Literal["armed", "running", "answers", "tied", "over"] = (
        "tied"
        if isinstance(ask, WhoLast)
        else "over"
        if not isinstance(ask, Grab)
        else "answers"
        if gaps
        else "running"
    )
    ruled = now.last is not None and len(who_last(state, run)) != 1
    return RaceBoard(
        phase,
        go_ns,
        gaps,
        jumped,
        presses,
        run.benched,
        run.seats,
        last=now.last or (),
        ruled=("last",) if ruled else (),
    )


def highlight(state: State) -> dict[str, tuple[Seat, ...]]:
    """First, last, tie, missing, winner; first is who was best in this round, once that is known."""
    now = state.round
    marks: dict[str, tuple[Seat, ...]] = {}
    ask = now.ask
    if state.over:
        return {"winner": winners(state)}
    if now.best:
        marks["first"] = now.best
    if now.last and not now.best:
        marks["last"] = now.last
    if isinstance(ask, WhoLast):
        marks["tie"] = ask.ruling.among
    if isinstance(ask, Grab) and ask.race.presses:
        marks["missing"] = race.missing(ask.race)
    return marks


LABELS: dict[Verb, str] = {
    Verb.YOUNGEST: "Who is the youngest?",
    Verb.LOAD: "Boxes?",
    Verb.ROLL: "Roll your dice",
    Verb.NEW_ORDER: "New Order?",
    Verb.DEAL: "Deal",
    Verb.HANDS: "Hold your button",
    Verb.RELEASE: "Let go",
    Verb.GO: "Flip",
    Verb.GRAB: "Grab, then press",
    Verb.TAKE_BACK: "Void grab",
    Verb.SETTLE: "Settle",
    Verb.BENCH: "No button",
    Verb.CLOSE: "Nobody else?",
    Verb.LAST: "Who was last?",
    Verb.REPLACE_TRUCK: "Replace truck?",
    Verb.PACK: "Start loading",
    Verb.DONE: "Done loading",
    Verb.FROM_PILE: "Grabbed from pile?",
    Verb.COUNT: "Tally",
    Verb.TIME_UP: "Time is up",
    Verb.EMPTIES: "Empty spaces?",
    Verb.LEVELS: "Levels?",
    Verb.AREA: "Area?",
    Verb.LEFT: "Boxes left?",
    Verb.VOUCHER: "Voucher?",
    Verb.REWARD: "Which Reward card?",
    Verb.GO_ON: "No, go on",
    Verb.NEXT: "Next round",
}


def label(state: State, offer: Offer, value: Value = None) -> str:
    """The offer in words, or one of its options or numbers."""
    verb, ask = Verb(offer.verb), state.round.ask
    if verb is Verb.REWARD and isinstance(value, str):
        return REWARDS[value]
    if isinstance(ask, WhoLast) and ask.ruling.judged is not None and value in (None, race.NO):
        return "Last, too?" if value is None else "not last"
    if value is not None:
        return str(value)
    if isinstance(ask, Load):
        return f"{COLOURS[ask.colour].capitalize()} boxes?"
    if isinstance(ask, LeftOver) and verb is Verb.LEFT:
        return f"{COLOURS[ask.colour].capitalize()} left?"
    if verb is Verb.DEAL:
        return f"{'Shuffle, deal' if short(state) else 'Deal'} {trucks_each(state)} each"
    if verb is Verb.NEXT:
        return "Final scores" if ended(state) else f"Round {state.round.number + 1}"
    return LABELS[verb]


def new_round(number_: int, ask: Question, players: int) -> Round:
    """A round before anything is rolled or counted."""
    none: Answers = (None,) * players
    nothing: tuple[Boxes, ...] = ((None,) * len(COLOURS),) * players
    return Round(number_, ask, nothing, Tally(none, none, none, nothing), losses=none)


def start(players: int, options: Options) -> State:
    """75 points each, the trucks shuffled; who is the youngest? (R1 to R3)"""
    points = (START_POINTS,) * players
    rewards = tuple(REWARDS) if options.reward_cards else ()
    first_round = new_round(1, Youngest(), players)
    return State(options, points, (0,) * players, first_round, held=((),) * players, rewards=rewards)


RULES: Rules[State, Event, Options] = Rules(
    name="pack_and_stack",
    title="Pack & Stack",
    seats=(2, 6),
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
