"""Kitty Paw: a pattern race. Who calls "Meow!" first scores a card if it is right; who answers last pays.

Rule numbers (R, A, T) are those of the rules page. By Aza Chen, Renegade / Li-He Studio.
"""

from collections.abc import Callable
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
    HANDS,
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
    dead_heat,
    highest,
    number,
    put,
    replace,
    replacer,
    seats_of,
    switch,
    timer,
)

CARDS_A_ROUND = 4  # R5
LEVELS = ("I", "II", "III")
LAST_ROUNDS = {1: (6, 8, 10), 2: (6, 10, 12)}  # R4: last round of each level, by sets of level II
GOAL = 5  # R19: scored cards that end the game
WAIT_NS = (1_000_000_000, 3_000_000_000)  # at the table: the flash comes 1 to 3 s after all hands are down
S = 1_000_000_000


class Verb(StrEnum):
    HANDS = HANDS
    RELEASE = RELEASE
    GO = GO
    MEOW = "meow"
    SETTLE = "settle"
    CLOSE = "close"
    LATE = "late"
    TAKE_BACK = TAKE_BACK
    BENCH = BENCH
    CALLER = "caller"
    LAST = "last"
    CHECK = "check"
    POINTS = "points"
    LEVEL = "level"
    SCRAP = "scrap"
    TIMEOUT = "timeout"
    NEXT = "next"


@dataclass(frozen=True, slots=True)
class Options:
    """The options of the rules page, with its defaults."""

    mixed_deck: bool = switch(False, "all levels shuffled together; levels are entered", title="Mixed deck")
    level2_sets: int = number(2, 1, 2, "sets of level II cards: 12 rounds, or 10 with one set", title="Level II sets")
    end_counts_penalties: bool = switch(
        False, "penalty cards count towards the five that end the game", title="Penalties end"
    )
    last_penalty_two_players: bool = switch(
        True, "with two players the slower one is penalised, too", title="Two: last pays"
    )
    tie_band: int | str = dead_heat()
    last_by_hand: bool = switch(False, "the table names the last; no answers are pressed", title="Last by hand")
    response_limit_s: int = timer(
        0, 60, "s to answer a Meow; who is late counts as last; 0 is off", title="Answer limit"
    )
    round_limit_s: int = timer(0, 600, "s until a round without a Meow is scrapped; 0 is off", title="Round limit")


# --- state: game, round, question -------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Armed:
    """All hands are down; the flash comes at `due_ns`."""

    due_ns: int


class Build(NamedTuple):
    """Everybody builds, from the flash on. The first press is the Meow, the others answer it (R8 to R12)."""

    go_ns: int
    race: Race
    called: bool = False  # the settling time after the Meow is over
    caller: Seat | None = None  # None while it is not settled, or too close to call
    tied: tuple[Seat, ...] = ()  # too close to call when it was settled


@dataclass(frozen=True, slots=True)
class WhoCalled:
    """Two Meows too close to call (A8)."""

    tied: tuple[Seat, ...]


@dataclass(frozen=True, slots=True)
class WhoLast:
    """Nobody named as last yet (A7, A9, or by hand): of those who `may_be_last`."""

    judged: tuple[bool, ...] | None = None  # of a ruling seat by seat


@dataclass(frozen=True, slots=True)
class Check:
    """Is the caller's pattern right? (R13)"""


@dataclass(frozen=True, slots=True)
class Points:
    """It is: what is the card worth? (R14)"""


@dataclass(frozen=True, slots=True)
class CleanUp:
    """Tiles back, cards out (R16 to R18)."""


Question: TypeAlias = Hands | Armed | Build | WhoCalled | WhoLast | Check | Points | CleanUp


class Round(NamedTuple):
    number: int
    seats: tuple[Seat, ...]  # who plays it: everybody, or those tied in an extra round
    extra: bool
    ask: Question
    run: Build | None = None  # the race of this round once it is over: the evidence
    caller: Seat | None = None
    last: tuple[Seat, ...] | None = None  # None until it is settled
    right: bool | None = None  # the caller's pattern
    owed: tuple[Seat, ...] = ()  # penalties whose level has to be read from the card
    kept: int = 0  # cards of this round that stay with a player
    shuffled: bool = False  # all used cards were shuffled into those of this extra round (A6)


class State(NamedTuple):
    options: Options
    cards: tuple[tuple[int, ...], ...]  # points of the scored cards, by seat
    penalties: tuple[tuple[int, ...], ...]  # level of each penalty card, by seat
    corrected: tuple[int, ...]
    round: Round
    removed: int = 0  # cards out of the game; extra rounds are played with them
    over: bool = False


# what changes with almost every action
with_round = replacer(State, "round")
with_ask = replacer(Round, "ask")
with_race = replacer(Build, "race")
with_run = replacer(Round, "run", "caller", "ask")
with_last = replacer(Round, "last", "owed", "ask")
with_right = replacer(Round, "right", "owed", "ask")
with_kept = replacer(Round, "kept", "owed", "ask")
with_cards = replacer(State, "cards", "round")
with_penalties = replacer(State, "penalties", "round")


# --- events -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class AllDown:
    due_ns: int


@dataclass(frozen=True, slots=True)
class Flashed:
    at_ns: int


@dataclass(frozen=True, slots=True)
class Pressed:
    seat: Seat
    at_ns: int
    error_ns: int


@dataclass(frozen=True, slots=True)
class Called:
    seats: tuple[Seat, ...]  # several: too close to call


@dataclass(frozen=True, slots=True)
class AnswersClosed:
    """The race is over; what is still open is for the table."""


@dataclass(frozen=True, slots=True)
class PlayOn:
    """No Meow after all: back to building, from the old flash."""


@dataclass(frozen=True, slots=True)
class CallerNamed:
    seat: Seat


@dataclass(frozen=True, slots=True)
class Checked:
    right: bool


@dataclass(frozen=True, slots=True)
class CardScored:
    seat: Seat
    points: int


@dataclass(frozen=True, slots=True)
class PenaltyTaken:
    seat: Seat
    level: int


@dataclass(frozen=True, slots=True)
class Scrapped:
    """Nobody can or will finish (A13)."""


@dataclass(frozen=True, slots=True)
class RoundStarted:
    number: int
    seats: tuple[Seat, ...]
    extra: bool


@dataclass(frozen=True, slots=True)
class GameEnded:
    pass


Event: TypeAlias = (
    HandDown
    | HandUp
    | AllDown
    | Flashed
    | Pressed
    | TakenBack
    | Benched
    | Called
    | AnswersClosed
    | PlayOn
    | CallerNamed
    | SeveralLast
    | SeatJudged
    | LastNamed
    | Checked
    | CardScored
    | PenaltyTaken
    | Scrapped
    | RoundStarted
    | GameEnded
)


# --- what follows from the rules --------------------------------------------------------------------------------------


def rounds(options: Options) -> int:
    """How many rounds the deck gives (A3)."""
    return LAST_ROUNDS[options.level2_sets][-1]


def level(state: State) -> int | None:
    """The level of this round's cards; None where it has to be read from each card (mixed deck, extra rounds)."""
    if state.options.mixed_deck or state.round.extra:
        return None
    return printed_level(state.options.level2_sets, state.round.number)


@cache
def printed_level(level2_sets: int, number_: int) -> int:
    """The level of the cards of a round."""
    return next(n for n, last in enumerate(LAST_ROUNDS[level2_sets], 1) if number_ <= last)


def pile(state: State) -> int:
    """Cards left in the draw pile once this round's four are up."""
    if state.round.extra:
        return 0
    return CARDS_A_ROUND * (rounds(state.options) - state.round.number)


def turned_up(state: State) -> int:
    """Cards in the row: four, or what is left of the removed ones in an extra round (A6)."""
    return min(CARDS_A_ROUND, state.removed) if state.round.extra else CARDS_A_ROUND


def to_remove(state: State) -> int:
    """Cards of this round that leave the game (R17)."""
    return turned_up(state) - state.round.kept


def scores(state: State) -> tuple[int, ...]:
    """Points of scored cards, minus those of penalty cards, plus what was fixed by hand (R20, A1)."""
    return tuple(
        sum(cards) - sum(levels) + fixed
        for cards, levels, fixed in zip(state.cards, state.penalties, state.corrected, strict=True)
    )


def winners(state: State) -> tuple[Seat, ...]:
    """The highest total; after an extra round, among those who played it (R21)."""
    return highest(scores(state), state.round.seats)


def answers_pressed(state: State) -> bool:
    """Whether the others answer a Meow on their buttons."""
    if state.options.last_by_hand:
        return False  # A10
    return penalised(state)


def may_be_last(state: State) -> tuple[Seat, ...]:
    """Once the caller is known. By hand everybody else, otherwise those whom the race leaves in doubt."""
    run, caller = state.round.run, state.round.caller
    assert run is not None and caller is not None
    if state.options.last_by_hand:
        return race.others(run.race.seats, (caller,))
    return race.last(run.race, race.widened(state.options.tie_band), (caller,))


def penalised(state: State) -> bool:
    """Whether there is a last at all: with two racers that is an option (A2)."""
    return state.options.last_penalty_two_players or len(state.round.seats) > 2


# --- offers -----------------------------------------------------------------------------------------------------------


def offers(state: State) -> tuple[Offer, ...]:
    """What each seat and the table may do now; nothing once the game is over, unless points fixed since made a tie."""
    ask = state.round.ask
    if state.over:
        return NEXT if len(winners(state)) > 1 else ()  # R21
    return OFFERS[type(ask)](state, ask)


def hands_offers(state: State, ask: Hands) -> tuple[Offer, ...]:
    return hands.offers(ask, state.round.seats)


def armed_offers(state: State, ask: Armed) -> tuple[Offer, ...]:
    go = Offer(None, Verb.GO, due_ns=ask.due_ns, race=True, joins=True)
    return (*hands.letting_go(state.round.seats), go)


SCRAP = Offer(None, Verb.SCRAP, menu=True)
UNTOLD = Offer(None, Verb.CLOSE)  # a Meow that no button could tell
NOBODY_ELSE = Offer(None, Verb.CLOSE, joins=True)


def build_offers(state: State, ask: Build) -> tuple[Offer, ...]:
    """The Meow; then the answers, the ways out, and what the clock decides."""
    run, options = ask.race, state.options
    if not run.presses:  # A13: nobody may be able to finish
        out = (*race.offers(run, Verb.MEOW, Verb.SETTLE, None, joins=False), SCRAP)
        if run.benched:
            out = (*out, UNTOLD)
        if options.round_limit_s:
            return (*out, Offer(None, Verb.TIMEOUT, due_ns=ask.go_ns + options.round_limit_s * S, race=True))
        return out
    widen_ns = race.widened(options.tie_band)
    due_ns = race.last_due_ns(run, widen_ns) if ask.called else race.first_due_ns(run, widen_ns)
    out = race.offers(run, Verb.MEOW, Verb.SETTLE, due_ns)
    if due_ns is None:
        out = (*out, NOBODY_ELSE)
        if options.response_limit_s:
            due_ns = race.order(run)[0].at_ns + options.response_limit_s * S
            out = (*out, Offer(None, Verb.LATE, due_ns=due_ns, race=True, joins=True))
    return out


def caller_offers(state: State, ask: WhoCalled) -> tuple[Offer, ...]:
    return (Offer(None, Verb.CALLER, options=(*ask.tied, race.NOBODY)),)


def last_offers(state: State, ask: WhoLast) -> tuple[Offer, ...]:
    return race.ruling_offers(Ruling(may_be_last(state), ask.judged), Verb.LAST)


WHO_LAST = WhoLast()
CHECK = (Offer(None, Verb.CHECK, options=("yes", "no")),)
POINTS = (Offer(None, Verb.POINTS, 4, 7, prefill=6),)
LEVEL = (Offer(None, Verb.LEVEL, 1, 3),)
NEXT = (Offer(None, Verb.NEXT),)

OFFERS: dict[type[Question], Callable[[State, Any], tuple[Offer, ...]]] = {
    Hands: hands_offers,
    Armed: armed_offers,
    Build: build_offers,
    WhoCalled: caller_offers,
    WhoLast: last_offers,
    Check: lambda state, ask: CHECK,
    Points: lambda state, ask: POINTS,
    CleanUp: lambda state, ask: LEVEL if state.round.owed else NEXT,
}


# --- decide -----------------------------------------------------------------------------------------------------------


def decide(state: State, action: Action, chance: Chance) -> tuple[Event, ...]:
    """What an offered action causes."""
    return DECIDE[action.verb](state, action, chance)


def put_hand_down(state: State, action: Action, chance: Chance) -> tuple[Event, ...]:
    ask, seat = state.round.ask, action.seat
    assert isinstance(ask, Hands) and seat is not None
    if hands.completes(ask, state.round.seats, seat):
        wait_ns = chance.dice().randint(*WAIT_NS)
        return (HandDown(seat), AllDown(action.at_ns + wait_ns))
    return (HandDown(seat),)


def let_go(state: State, action: Action, chance: Chance) -> tuple[Event, ...]:
    assert action.seat is not None
    return (HandUp(action.seat, jumped=isinstance(state.round.ask, Armed)),)


def flash(state: State, action: Action, chance: Chance) -> tuple[Event, ...]:
    return (Flashed(action.at_ns),)


def meow(state: State, action: Action, chance: Chance) -> tuple[Event, ...]:
    ask = state.round.ask
    assert isinstance(ask, Build) and action.seat is not None
    if action.at_ns < ask.go_ns:  # A11: delivered late, but made before the flash
        return ()
    return (Pressed(action.seat, action.at_ns, action.error_ns),)


def take_back(state: State, action: Action, chance: Chance) -> tuple[Event, ...]:
    assert action.seat is not None
    return (TakenBack(action.seat),)


def bench(state: State, action: Action, chance: Chance) -> tuple[Event, ...]:
    assert isinstance(action.value, int)
    return (Benched(action.value),)


def settle(state: State, action: Action, chance: Chance) -> tuple[Event, ...]:
    """The settling time is over: after the Meow name the caller, after the answers the last."""
    ask = state.round.ask
    assert isinstance(ask, Build)
    if ask.called:
        return finish(state, ask.race, ask.caller)
    called = Called(race.first(ask.race, race.widened(state.options.tie_band)))
    if answers_pressed(state):
        return (called,)
    return (called, *finish(state, ask.race, caller_of(called)))


def close(state: State, action: Action, chance: Chance) -> tuple[Event, ...]:
    ask = state.round.ask
    assert isinstance(ask, Build)
    return finish(state, ask.race, ask.caller)


def finish(state: State, run: Race, caller: Seat | None) -> tuple[Event, ...]:
    """No more answers: the caller and the last, as far as they are beyond doubt."""
    if caller is None:
        return (AnswersClosed(),)  # A8: the table says who called
    return (AnswersClosed(), *name_last(state, run, caller))


def name_caller(state: State, action: Action, chance: Chance) -> tuple[Event, ...]:
    run, caller = state.round.run, action.value
    if not isinstance(caller, int):
        return (PlayOn(),)
    assert run is not None
    return (CallerNamed(caller), *name_last(state, run.race, caller))


def name_last(state: State, run: Race, caller: Seat) -> tuple[Event, ...]:
    """The last, if the race names one; else nothing, and the table rules."""
    if not penalised(state):
        return last_named(state, ())
    if state.options.last_by_hand:
        return ()
    late = race.last(run, race.widened(state.options.tie_band), (caller,))
    return last_named(state, late) if len(late) == 1 else ()


def rule_last(state: State, action: Action, chance: Chance) -> tuple[Event, ...]:
    ask = state.round.ask
    assert isinstance(ask, WhoLast)
    answer = race.rule(Ruling(may_be_last(state), ask.judged), action.value)
    return last_named(state, answer) if isinstance(answer, tuple) else (answer,)


def last_named(state: State, seats: tuple[Seat, ...]) -> tuple[Event, ...]:
    """The last, and their penalties where the level is known (R12, before anyone looks at the pattern)."""
    known = level(state)
    if known is None:
        return (LastNamed(seats),)
    return (LastNamed(seats), *[PenaltyTaken(seat, known) for seat in seats])


def check_pattern(state: State, action: Action, chance: Chance) -> tuple[Event, ...]:
    if action.value == "yes":
        return (Checked(True),)
    known, caller = level(state), state.round.caller
    assert caller is not None
    return (Checked(False),) if known is None else (Checked(False), PenaltyTaken(caller, known))  # R15


def score_card(state: State, action: Action, chance: Chance) -> tuple[Event, ...]:
    assert isinstance(action.value, int) and state.round.caller is not None
    return (CardScored(state.round.caller, action.value),)  # R14


def read_level(state: State, action: Action, chance: Chance) -> tuple[Event, ...]:
    assert isinstance(action.value, int)
    return (PenaltyTaken(state.round.owed[0], action.value),)


def scrap(state: State, action: Action, chance: Chance) -> tuple[Event, ...]:
    return (Scrapped(),)


def go_on(state: State, action: Action, chance: Chance) -> tuple[Event, ...]:
    """What follows the round: the next, an extra round, or the end (R18, R19, R21)."""
    now = state.round
    if not now.extra and not ended(state):
        return (RoundStarted(now.number + 1, now.seats, extra=False),)
    best = highest(scores(state), now.seats)
    if len(best) > 1:
        return (RoundStarted(now.number + 1, best, extra=True),)  # R21, A6
    return (GameEnded(),)


def ended(state: State) -> bool:
    """R19: somebody has five scored cards (A1: or cards of both kinds), or the draw pile is empty."""
    held = [len(cards) for cards in state.cards]
    if state.options.end_counts_penalties:
        held = [cards + len(more) for cards, more in zip(held, state.penalties, strict=True)]
    return max(held) >= GOAL or state.round.number >= rounds(state.options)


DECIDE: dict[str, Callable[[State, Action, Chance], tuple[Event, ...]]] = {
    Verb.HANDS: put_hand_down,
    Verb.RELEASE: let_go,
    Verb.GO: flash,
    Verb.MEOW: meow,
    Verb.TAKE_BACK: take_back,
    Verb.BENCH: bench,
    Verb.SETTLE: settle,
    Verb.CLOSE: close,
    Verb.LATE: close,
    Verb.CALLER: name_caller,
    Verb.LAST: rule_last,
    Verb.CHECK: check_pattern,
    Verb.POINTS: score_card,
    Verb.LEVEL: read_level,
    Verb.SCRAP: scrap,
    Verb.TIMEOUT: scrap,
    Verb.NEXT: go_on,
}


# --- evolve -----------------------------------------------------------------------------------------------------------


def evolve(state: State, event: Event) -> State:
    """Fold one fact into the state."""
    return EVOLVE[type(event)](state, event)


def asked(state: State, ask: Question) -> State:
    """The state with another question."""
    return with_round(state, with_ask(state.round, ask))


def hand_down(state: State, event: HandDown) -> State:
    ask = state.round.ask
    assert isinstance(ask, Hands)
    return asked(state, hands.put_down(ask, event.seat))


def hand_up(state: State, event: HandUp) -> State:
    now = state.round
    return asked(state, hands.lifted(now.ask, event.seat, now.seats, len(state.cards)))


def all_down(state: State, event: AllDown) -> State:
    return asked(state, Armed(event.due_ns))


def flashed(state: State, event: Flashed) -> State:
    return asked(state, Build(event.at_ns, Race(state.round.seats, None)))


def pressed(state: State, event: Pressed) -> State:
    ask = state.round.ask
    assert isinstance(ask, Build)
    press = Press(event.seat, event.at_ns, event.error_ns)
    return asked(state, with_race(ask, race.add(ask.race, press)))


def taken_back(state: State, event: TakenBack) -> State:
    ask, seat = state.round.ask, event.seat
    assert isinstance(ask, Build)
    if seat == ask.caller:  # no Meow after all: who answered it has not called
        return asked(state, Build(ask.go_ns, race.again(ask.race)))
    run = race.take_back(ask.race, seat)
    if ask.called and ask.caller is not None:
        return asked(state, Build(ask.go_ns, run, called=True, caller=ask.caller))
    return asked(state, Build(ask.go_ns, run))


def benched(state: State, event: Benched) -> State:
    ask = state.round.ask
    assert isinstance(ask, Build)
    return asked(state, with_race(ask, race.bench(ask.race, event.seat)))


def called(state: State, event: Called) -> State:
    ask, caller = state.round.ask, caller_of(event)
    assert isinstance(ask, Build)
    return asked(state, Build(ask.go_ns, ask.race, True, caller, event.seats if caller is None else ()))


def caller_of(event: Called) -> Seat | None:
    """Who called; None where several are too close to call."""
    return event.seats[0] if len(event.seats) == 1 else None


def answers_closed(state: State, event: AnswersClosed) -> State:
    ask = state.round.ask
    assert isinstance(ask, Build)
    if ask.caller is None:
        return with_round(state, with_run(state.round, ask, None, WhoCalled(ask.tied or ask.race.benched)))
    return with_round(state, with_run(state.round, ask, ask.caller, WHO_LAST))


def played_on(state: State, event: PlayOn) -> State:
    run = state.round.run
    assert run is not None
    return with_round(state, with_run(state.round, None, None, Build(run.go_ns, race.again(run.race))))


def caller_named(state: State, event: CallerNamed) -> State:
    return with_round(state, with_run(state.round, state.round.run, event.seat, WHO_LAST))


def ruled_on(state: State, event: SeveralLast | SeatJudged) -> State:
    ask = state.round.ask
    assert isinstance(ask, WhoLast)
    return asked(state, WhoLast(race.judged(ask.judged, event)))


def last_settled(state: State, event: LastNamed) -> State:
    owed = event.seats if level(state) is None else ()
    return with_round(state, with_last(state.round, event.seats, owed, Check()))


def checked(state: State, event: Checked) -> State:
    now = state.round
    if event.right:
        return with_round(state, with_right(now, True, now.owed, Points()))
    assert now.caller is not None
    owed = (now.caller, *now.owed) if level(state) is None else now.owed
    return with_round(state, with_right(now, False, owed, CleanUp()))


def card_scored(state: State, event: CardScored) -> State:
    now, seat = state.round, event.seat
    cards = put(state.cards, seat, (*state.cards[seat], event.points))
    return with_cards(state, cards, with_kept(now, now.kept + 1, now.owed, CleanUp()))


def penalty_taken(state: State, event: PenaltyTaken) -> State:
    now, seat = state.round, event.seat
    penalties = put(state.penalties, seat, (*state.penalties[seat], event.level))
    owed = race.others(now.owed, (seat,))
    return with_penalties(state, penalties, with_kept(now, now.kept + 1, owed, now.ask))


def scrapped(state: State, event: Scrapped) -> State:
    return asked(state, CleanUp())


def round_started(state: State, event: RoundStarted) -> State:
    removed = state.removed + to_remove_now(state)
    shuffled = event.extra and removed < len(event.seats)  # A6: all other used cards are shuffled in
    if shuffled:
        removed += sum(map(len, state.cards)) + sum(map(len, state.penalties))
    fresh = Round(event.number, event.seats, event.extra, hands.nobody(len(state.cards)), shuffled=shuffled)
    return replace(state, removed=removed, round=fresh, over=False)


def game_ended(state: State, event: GameEnded) -> State:
    return replace(state, removed=state.removed + to_remove_now(state), over=True)


def to_remove_now(state: State) -> int:
    """Cards that join the removed ones: an extra round is played with cards that were removed before."""
    if state.over:
        return 0  # they have
    return -state.round.kept if state.round.extra else to_remove(state)


EVOLVE: dict[type[Event], Callable[[State, Any], State]] = {
    HandDown: hand_down,
    HandUp: hand_up,
    AllDown: all_down,
    Flashed: flashed,
    Pressed: pressed,
    TakenBack: taken_back,
    Benched: benched,
    Called: called,
    AnswersClosed: answers_closed,
    PlayOn: played_on,
    CallerNamed: caller_named,
    SeveralLast: ruled_on,
    SeatJudged: ruled_on,
    LastNamed: last_settled,
    Checked: checked,
    CardScored: card_scored,
    PenaltyTaken: penalty_taken,
    Scrapped: scrapped,
    RoundStarted: round_started,
    GameEnded: game_ended,
}


# --- what people see --------------------------------------------------------------------------------------------------

PHASES: dict[type, str] = {
    Hands: "hands",
    Armed: "armed",
    Build: "build",
    WhoCalled: "dispute",
    WhoLast: "dispute",
    Check: "check",
    Points: "points",
    CleanUp: "clean_up",
}


def board(state: State) -> Board:
    """All that lights, panel and strangers may know."""
    now = state.round
    asked = {offer.seat for offer in offers(state) if not offer.hold and offer.verb != Verb.RELEASE}
    tokens = tuple(
        {"cards": len(cards), "penalties": len(levels)}
        for cards, levels in zip(state.cards, state.penalties, strict=True)
    )
    turn = tuple(seat for seat in now.seats if seat in asked)
    phase = PHASES[type(now.ask)] if not state.over else "tie_break" if offers(state) else "over"
    total = rounds(state.options) if not now.extra else None
    return Board(phase, now.number, total, (), turn, scores(state), tokens, race_board(state), highlight(state))


def race_board(state: State) -> RaceBoard | None:
    """The Meow, and the answers with their gaps after it."""
    now = state.round
    ask = now.ask
    if isinstance(ask, Hands):
        return RaceBoard("armed", None, jumped=() if ask.jumped is None else (ask.jumped,))
    if isinstance(ask, Armed):
        return RaceBoard("armed", None)
    run = ask if isinstance(ask, Build) else now.run
    if run is None:
        return None
    presses = race.order(run.race)
    gaps = tuple((press.seat, press.at_ns - presses[0].at_ns) for press in presses)
    phase: Literal["armed", "running", "answers", "tied", "over"] = (
        "tied"
        if isinstance(ask, WhoCalled | WhoLast)
        else "over"
        if run is not ask
        else "answers"
        if gaps
        else "running"
    )
    only_first, caller = not answers_pressed(state), run.caller if now.caller is None else now.caller
    first = () if caller is None else (caller,)
    return RaceBoard(
        phase,
        run.go_ns,
        gaps,
        presses=presses,
        benched=run.race.benched,
        seats=run.race.seats,
        only_first=only_first,
        first=first,
        last=now.last or (),
        ruled=ruled(state),
    )


def ruled(state: State) -> tuple[Literal["first", "last"], ...]:
    """What the table has ruled, as the race left it in doubt."""
    now, out = state.round, list[Literal["first", "last"]]()
    if now.run is not None and now.caller is not None and now.run.caller is None:
        out.append("first")
    if now.last is not None and penalised(state) and (state.options.last_by_hand or len(may_be_last(state)) != 1):
        out.append("last")
    return tuple(out)


def highlight(state: State) -> dict[str, tuple[Seat, ...]]:
    """First, last, tie, missing, winner."""
    now = state.round
    marks: dict[str, tuple[Seat, ...]] = {}
    ask = now.ask
    if state.over:
        return {"tie" if offers(state) else "winner": winners(state)}
    caller = ask.caller if isinstance(ask, Build) else now.caller
    if caller is not None:
        marks["first"] = (caller,)
    if now.last:
        marks["last"] = now.last
    if isinstance(ask, WhoCalled):
        marks["tie"] = ask.tied
    if isinstance(ask, WhoLast):
        marks["tie"] = may_be_last(state)
    if isinstance(ask, Build) and ask.race.presses:
        marks["missing"] = race.missing(ask.race)
    return marks


LABELS: dict[Verb, str] = {
    Verb.HANDS: "Hold your button",
    Verb.RELEASE: "Let go",
    Verb.GO: "Go",
    Verb.MEOW: "Meow!",
    Verb.SETTLE: "Settle",
    Verb.BENCH: "No button",
    Verb.CLOSE: "Nobody else?",
    Verb.LATE: "Too late",
    Verb.TAKE_BACK: "Take it back",
    Verb.CALLER: "Who called?",
    Verb.LAST: "Who was last?",
    Verb.CHECK: "Pattern right?",
    Verb.POINTS: "Card is worth",
    Verb.LEVEL: "Level of the card",
    Verb.SCRAP: "Scrap this round",
    Verb.TIMEOUT: "Time is up",
    Verb.NEXT: "Next round",
}


def label(state: State, offer: Offer, value: Value = None) -> str:
    """The offer in words, or one of its options or numbers."""
    verb = Verb(offer.verb)
    if verb is Verb.LEVEL and isinstance(value, int):
        return f"{LEVELS[value - 1]}  -{value}"
    if verb is Verb.CALLER and value == "nobody":
        return "nobody, play on"
    if isinstance(state.round.ask, WhoLast) and state.round.ask.judged is not None and value in (None, race.NO):
        return "Last, too?" if value is None else "not last"
    if value is not None:
        return str(value)
    if verb is Verb.NEXT and state.over:
        return "Tie: extra round"
    return LABELS[verb]


def start(players: int, options: Options) -> State:
    """Four cards up, everybody in (R1 to R5)."""
    none: tuple[tuple[int, ...], ...] = ((),) * players
    first_round = Round(1, seats_of(players), False, hands.nobody(players))
    return State(options, none, none, (0,) * players, first_round)


RULES: Rules[State, Event, Options] = Rules(
    name="kitty_paw",
    title="Kitty Paw",
    seats=(2, 4),
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
