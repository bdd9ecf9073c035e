"""Kitty Paw: a pattern race. The first to call "Meow!" scores a card if the pattern is right; the last to answer pays.

Rule numbers (R, A, T) are those of the rules page. By Aza Chen, Renegade / Li-He Studio.
"""

from dataclasses import dataclass
from functools import cache
from operator import add
from typing import Literal, TypeAlias

from msgspec.structs import replace

from engine import game, hands, race, racing
from engine.face import Face, Gap, Said, Time, Who
from engine.game import Answer, Category, Record, answers, known, of_kind
from engine.race import Race
from engine.racing import NOBODY, Pressed
from engine.rules import (
    CLOSE,
    GO,
    SETTLE,
    Board,
    Offer,
    RaceBoard,
    RaceTimes,
    Reaction,
    Seat,
    Shows,
    Value,
    dead_heat,
    highest,
    number,
    put,
    seats_of,
    switch,
    timer,
)
from engine.stamps import Due, S, Since, Stamp
from engine.words import N_

CARDS_A_ROUND = 4  # R5
LEVELS = ("I", "II", "III")
LAST_ROUNDS = {1: (6, 8, 10), 2: (6, 10, 12)}  # R4: last round of each level, by sets of level II
GOAL = 5  # R19: scored cards that end the game
WAIT_NS = (1_000_000_000, 3_000_000_000)  # at the table: the flash comes 1 to 3 s after all hands are down
USUAL = {1: N_("5 to 7"), 2: N_("4 to 7"), 3: N_("6 or 7"), None: N_("4 to 7")}  # points on a card, by its level


@dataclass(frozen=True, slots=True)
class Options:
    """The options of the rules page, with its defaults."""

    mixed_deck: bool = switch(False, "all levels shuffled together; levels are entered", title=N_("Mixed deck"))
    level2_sets: int = number(
        2, 1, 2, "sets of level II cards: 12 rounds, or 10 with one set", title=N_("Level II sets")
    )
    end_counts_penalties: bool = switch(
        False, "penalty cards count towards the five that end the game", title=N_("Penalties end")
    )
    last_penalty_two_players: bool = switch(
        True, "with two players the slower one is penalised, too", title=N_("2 players: last pays")
    )
    tie_band: int | str = dead_heat()
    last_by_hand: bool = switch(False, "the table names the last; no answers are pressed", title=N_("Last by hand"))
    response_limit_s: int = timer(
        0, 60, "s to answer a Meow; who is late counts as last; 0 is off", title=N_("Answer limit")
    )
    round_limit_s: int = timer(0, 600, "s until a round without a Meow is scrapped; 0 is off", title=N_("Round limit"))


# --- state: game, round, question -------------------------------------------------------------------------------------


class Round(Record):
    number: int
    seats: tuple[Seat, ...]  # who plays it: everybody, or those tied in an extra round
    extra: bool
    run: "Build | None" = None  # the race of this round once it is over: the evidence
    caller: Seat | None = None
    wrong: bool = False  # the caller's pattern was
    last: tuple[Seat, ...] | None = None  # None until it is settled
    owed: tuple[Seat, ...] = ()  # penalties whose level has to be read from the card
    cards_taken: int = 0  # cards of this round that stay with a player
    shuffled: bool = False  # all used cards were shuffled into those of this extra round (A6)


class State(game.RoundState):
    round: Round
    options: Options
    cards: tuple[tuple[int, ...], ...]  # points of the scored cards, by seat
    penalties: tuple[tuple[int, ...], ...]  # level of each penalty card, by seat
    removed: int = 0  # cards out of the game; extra rounds are played with them
    # the regular end and each extra round so far: who played it, and the points of their cards after it
    ends: tuple[tuple[tuple[Seat, ...], tuple[int, ...]], ...] = ()

    @property
    def points(self) -> tuple[int, ...]:
        """Points of scored cards, minus those of penalty cards (R20, A1)."""
        return tuple(sum(cards) - sum(levels) for cards, levels in zip(self.cards, self.penalties, strict=True))


Question: TypeAlias = game.Question[State]
Events: TypeAlias = tuple[game.Event[State], ...]


class Event(game.Event[State]):
    """The events of Kitty Paw."""


# --- values derived by the rules --------------------------------------------------------------------------------------


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
    """Cards in the row: four, or in an extra round at most as many as were removed (A6)."""
    return min(CARDS_A_ROUND, state.removed) if state.round.extra else CARDS_A_ROUND


def to_remove(state: State) -> int:
    """Cards of this round that leave the game (R17)."""
    return turned_up(state) - state.round.cards_taken


def removed_after(state: State) -> int:
    """Cards out of the game after this round: an extra round is played with cards that were removed before."""
    if state.over:
        return state.removed  # this round's are included already
    return state.removed - state.round.cards_taken if state.round.extra else state.removed + to_remove(state)


def categories(state: State) -> tuple[Category, ...]:
    """The cards and the penalties of the total."""
    return (
        Category(N_("cards"), tuple(map(sum, state.cards))),
        Category(N_("penalties"), tuple(-sum(levels) for levels in state.penalties)),
    )


def winners(state: State) -> tuple[Seat, ...]:
    """The highest total at the regular end; of those who are level there, after extra rounds that all played (R21).

    Points fixed since count for each of these totals (A14).
    """
    level = state.seats
    for seats, points in (*state.ends, (state.round.seats, state.points)):
        if len(level) > 1 and set(level) <= set(seats):
            level = highest(tuple(map(add, points, state.corrected)), level)
    return level


def penalised(state: State) -> bool:
    """Whether the last pays a penalty: with two racers that is an option (A2)."""
    return state.options.last_penalty_two_players or len(state.round.seats) > 2


def answers_pressed(state: State) -> bool:
    """Whether the others answer a Meow on their buttons; A10: not where the table names the last."""
    return penalised(state) and not state.options.last_by_hand


def last_of(state: State, run: Race, caller: Seat) -> tuple[Seat, ...]:
    """The seats that may be the last: by hand everybody else, otherwise those whom the race leaves in doubt."""
    if state.options.last_by_hand:
        return race.others(run.seats, (caller,))
    return race.last(run, race.widened(state.options.tie_band), (caller,))


def may_be_last(state: State) -> tuple[Seat, ...]:
    """The seats that may be the last, once the caller is known."""
    return last_of(state, known(state.round.run).race, known(state.round.caller))


def ended(state: State) -> bool:
    """R19: somebody has five scored cards (A1: or cards of both kinds), or the draw pile is empty."""
    held = [len(cards) for cards in state.cards]
    if state.options.end_counts_penalties:
        held = [cards + len(more) for cards, more in zip(held, state.penalties, strict=True)]
    return max(held) >= GOAL or state.round.number >= rounds(state.options)


def heading(state: State) -> tuple[Said, Said]:
    """Round, level and penalty."""
    now, at = state.round, level(state)
    if now.extra:
        return (N_("EXTRA ROUND"), N_("EXTRA")), ""
    short = N_("R{number}", number=now.number)
    if at is None:
        return (N_("ROUND {number}/{rounds}", number=now.number, rounds=rounds(state.options)), short), ""
    strokes, number = LEVELS[at - 1], now.number
    if at == len(LEVELS):  # there is room for two strokes, not for three
        return (N_("R{number} {level} -{points}", number=number, level=strokes, points=at), short), ""
    return (
        N_("R{number} LEVEL {level} last -{points}", number=number, level=strokes, points=at),
        N_("R{number} LEVEL {level} -{points}", number=number, level=strokes, points=at),
        short,
    ), ""


# --- hands on, and the flash ------------------------------------------------------------------------------------------


class Hands(hands.Hands[State]):
    """All who play put a hand on their button (R6)."""

    def ready(self, state: State, answer: Answer) -> Events:
        return (AllDown(answer.at_ns + answer.dice().randint(*WAIT_NS)),)

    def shows(self, state: State) -> Shows:
        """The rounds while no hand is down yet."""
        waiting = self.jumped is not None or any(self.down) or state.round.extra
        return "ready" if waiting else "rounds"

    def before(self, state: State) -> Said:
        now = state.round
        if any(self.down):
            return ""
        if now.extra:  # R21, A6
            if now.shuffled:
                return N_("EXTRA: shuffle in all used cards"), N_("EXTRA: shuffle all used"), N_("EXTRA: shuffle all")
            up = turned_up(state)
            return N_("EXTRA: removed cards, {n} up", n=up), N_("EXTRA: removed, {n} up", n=up)
        return N_("take {n} tiles, open 4", n=7 * len(now.seats)) if now.number == 1 else ""  # R1, R5

    def face(self, state: State) -> Face:
        now = state.round
        right = Who(now.seats) if now.extra else N_("pile {n}", n=pile(state))
        return super().face(state)._replace(right=right)


class AllDown(Event):
    label = N_("all hands down")
    due_ns: Due

    def fold(self, state: State) -> State:
        return state.asking(Armed(of_kind(Hands, state.ask), self.due_ns))


class Armed(hands.AwaitSignal[State]):
    """All hands are down; the flash comes at `due_ns`."""

    @answers(GO, N_("Go"))
    def flash(self, state: State, answer: Answer) -> Events:
        return (Flashed(answer.at_ns, answer.action.signal),)

    def face(self, state: State) -> Face:
        return Face(big=N_("READY..."), press=N_("hold until the flash"))


class Flashed(Event, omit_defaults=True):
    label = N_("flashed")
    at_ns: Stamp
    signal: str = ""

    def fold(self, state: State) -> State:
        return state.asking(Build(Race(state.round.seats, None, signal=self.signal), self.at_ns))


# --- the Meow and its answers -----------------------------------------------------------------------------------------


class Build(racing.Running[State]):
    """Everybody builds, from the flash on. The first press is the Meow, the others answer it (R8 to R12)."""

    go_ns: Stamp
    called: tuple[Seat, ...] = ()  # the callers, once the Meow is settled; several: too close to call

    phase = "build"

    @property
    def caller(self) -> Seat | None:
        """The caller, where there is exactly one."""
        return self.called[0] if len(self.called) == 1 else None

    def offers(self, state: State) -> tuple[Offer, ...]:
        return self.answer_offers(state) if self.race.presses else self.meow_offers(state)

    def meow_offers(self, state: State) -> tuple[Offer, ...]:
        """The Meow, and the ways out of a round that nobody may be able to finish (A13)."""
        out = (
            *race.offers(self.race, "meow", SETTLE, None, joins=False),
            Offer(None, "scrap", menu=True, kit_only=True),
        )
        if self.race.benched:  # their Meow has no working button
            out = (*out, Offer(None, CLOSE))
        if limit_s := state.options.round_limit_s:
            out = (*out, Offer(None, "timeout", due_ns=self.go_ns + limit_s * S, race=True))
        return out

    def answer_offers(self, state: State) -> tuple[Offer, ...]:
        """The answers, the ways out, and the offers of the clock."""
        widen_ns = race.widened(state.options.tie_band)
        due_ns = race.last_due_ns(self.race, widen_ns) if self.called else race.first_due_ns(self.race, widen_ns)
        out = race.offers(self.race, "meow", SETTLE, due_ns)
        if due_ns is None:
            out = (*out, Offer(None, CLOSE, joins=True))
            if limit_s := state.options.response_limit_s:
                due_ns = race.order(self.race)[0].at_ns + limit_s * S
                out = (*out, Offer(None, "late", due_ns=due_ns, race=True, joins=True))
        return out

    @answers("meow", N_("Meow!"))
    def meow(self, state: State, answer: Answer) -> Events:
        if answer.at_ns < self.go_ns:  # A11: delivered late, but made before the flash
            return ()
        return (Pressed(*answer.press),)

    @answers(SETTLE, N_("Settle"))
    def settle(self, state: State, answer: Answer) -> Events:
        """The settling time is over: after the Meow name the caller, after the answers the last."""
        if self.called:
            return self.closed(state)
        called = Called(race.first(self.race, race.widened(state.options.tie_band)))
        if answers_pressed(state):
            return (called,)
        return (called, *replace(self, called=called.seats).closed(state))

    @answers(CLOSE, N_("Nobody else?"))
    @answers("late", N_("Too late"))
    def close(self, state: State, answer: Answer) -> Events:
        return self.closed(state)

    @answers("scrap", N_("Scrap this round"))
    @answers("timeout", N_("Time is up"))
    def scrap(self, state: State, answer: Answer) -> Events:
        return (Scrapped(),)

    def closed(self, state: State) -> Events:
        """No more answers: the last, as far as caller and last are beyond doubt; else the table rules (A8)."""
        return (AnswersClosed(), *(() if self.caller is None else name_last(state, self.race, self.caller)))

    def without(self, seat: Seat) -> "Build":
        if seat == self.caller:  # no Meow after all: the answers to it are void
            return self.again(self.go_ns)
        return Build(race.take_back(self.race, seat), self.go_ns, self.called if self.caller is not None else ())

    def again(self, go_ns: int) -> "Build":
        """The race before any press, from the old flash."""
        return Build(race.again(self.race), go_ns)

    def face(self, state: State) -> Face:
        if not self.race.presses:
            ok = (N_("OK: {names}", names=Who(self.race.benched)), N_("OK: others"))
            return Face(
                big=N_("MEOW GO!"), since_ns=self.go_ns, press=(N_("Pattern done? Press!"), N_("done? press")), ok=ok
            )
        first, *_ = presses = race.order(self.race)
        later = [
            N_("{name} {gap}", name=Who((press.seat,)), gap=Gap(press.at_ns - first.at_ns))
            for press in presses
            if self.called and press.seat != self.caller  # until then another may still turn out to be the first
        ]
        both = (N_("{one}  {other}", one=later[0], other=later[1]),) if later[1:] else ()
        out = Who(race.missing(self.race))
        return Face(
            right=Time(first.at_ns - self.go_ns),
            big=N_("MEOW!") if self.caller is None else N_("{name} MEOW!", name=Who((self.caller,))),
            lines=((*both, *later[:1], later[-1]),) if later else (),
            press=(N_("{names}: press!", names=out), N_("{n} more: press!", n=len(out))) if out else "",
            ok=(N_("OK: no more"), N_("OK: stop")),
        )

    def race_board(self, state: State) -> RaceBoard:
        return shown(state, self, "answers" if self.race.presses else "running", self.caller)

    def marks(self, state: State) -> dict[str, tuple[Seat, ...]]:
        first = {} if self.caller is None else {"first": (self.caller,)}
        return {**first, **super().marks(state)}


class Called(Event):
    label = N_("Meow called")
    seats: tuple[Seat, ...]  # several: too close to call

    def fold(self, state: State) -> State:
        return state.asking(replace(of_kind(Build, state.ask), called=self.seats))


class AnswersClosed(Event):
    """The race is over; the table decides the rest."""

    label = N_("answers closed")

    def fold(self, state: State) -> State:
        run = of_kind(Build, state.ask)
        ask = WhoCalled(run.called or run.race.benched, run.go_ns) if run.caller is None else WhoLast()
        return state.in_round(run=run, caller=run.caller).asking(ask)


class Scrapped(Event):
    """Nobody can or will finish (A13)."""

    label = N_("round scrapped")

    def fold(self, state: State) -> State:
        return state.asking(CleanUp())


# --- the caller and the last ------------------------------------------------------------------------------------------


class WhoCalled(Question):
    """Two Meows too close to call (A8)."""

    tied: tuple[Seat, ...]
    since_ns: Since  # the flash, from which the round's time goes on if nobody has called

    phase = "dispute"

    def offers(self, state: State) -> tuple[Offer, ...]:
        return (Offer(None, "caller", options=(*self.tied, NOBODY)),)

    def label(self, state: State, offer: Offer, value: Value) -> str:
        return N_("nobody, play on") if value == NOBODY else super().label(state, offer, value)

    @answers("caller", N_("Who said Meow?"))
    def name(self, state: State, answer: Answer) -> Events:
        if answer.value == NOBODY:
            return (PlayOn(),)
        return (CallerNamed(answer.number), *name_last(state, known(state.round.run).race, answer.number))

    def face(self, state: State) -> Face:
        return Face(right=racing.doubt(known(state.round.run).race, self.tied))

    def race_board(self, state: State) -> RaceBoard:
        return tied(state)

    def marks(self, state: State) -> dict[str, tuple[Seat, ...]]:
        return {"tie": self.tied}


class PlayOn(Event):
    """No Meow after all: back to building, from the old flash."""

    label = N_("play on")

    def fold(self, state: State) -> State:
        since_ns = of_kind(WhoCalled, state.ask).since_ns
        return state.in_round(run=None, caller=None).asking(known(state.round.run).again(since_ns))


class CallerNamed(Event):
    label = N_("caller named")
    seat: Seat

    def fold(self, state: State) -> State:
        return state.in_round(caller=self.seat).asking(WhoLast())


class WhoLast(racing.WhoLast[State]):
    """Nobody named as last yet (A7, A9, or by hand): of those who `may_be_last`."""

    def among(self, state: State) -> tuple[Seat, ...]:
        return may_be_last(state)

    def name_last(self, state: State, seats: tuple[Seat, ...]) -> Events:
        return named_last(state, seats)

    def face(self, state: State) -> Face:
        by_hand = state.options.last_by_hand
        return Face(right="" if by_hand else racing.doubt(known(state.round.run).race, may_be_last(state)))

    def race_board(self, state: State) -> RaceBoard:
        return tied(state)


def name_last(state: State, run: Race, caller: Seat) -> Events:
    """The last, if the race names one; else nothing, and the table rules."""
    if not penalised(state):
        return named_last(state, ())
    if state.options.last_by_hand:
        return ()
    late = last_of(state, run, caller)
    return named_last(state, late) if len(late) == 1 else ()


def named_last(state: State, seats: tuple[Seat, ...]) -> Events:
    """The last, and what they pay (R12, before anyone looks at the pattern)."""
    return (LastNamed(seats), *penalties(state, seats))


def penalties(state: State, seats: tuple[Seat, ...]) -> Events:
    """A penalty card each, where its level is known; else it is owed until it has been read."""
    level_ = level(state)
    return () if level_ is None else tuple([PenaltyTaken(seat, level_) for seat in seats])


def owed(state: State, seats: tuple[Seat, ...]) -> tuple[Seat, ...]:
    """The seats whose penalty has to be read from the card."""
    return seats if level(state) is None else ()


class LastNamed(Event):
    label = N_("last one named")
    seats: tuple[Seat, ...]  # one as a rule; nobody or several only by the table's ruling

    def fold(self, state: State) -> State:
        return state.in_round(last=self.seats, owed=owed(state, self.seats)).asking(Check())


# --- the pattern and the card -----------------------------------------------------------------------------------------


class Check(Question):
    """Is the caller's pattern right? (R13)"""

    phase = "check"
    offered = (Offer(None, "check", options=("yes", "no")),)

    @answers("check", N_("Pattern right?"))
    def check(self, state: State, answer: Answer) -> Events:
        if answer.value == "yes":
            return (Checked(True),)
        return (Checked(False), *penalties(state, (known(state.round.caller),)))  # R15

    def face(self, state: State) -> Face:
        now, at = state.round, level(state)
        left, last = N_("{name} MEOW", name=Who((known(now.caller),))), Who(now.last or ())
        if not last:
            return Face(left, N_("nobody last"))
        cost, n = "" if at is None else f" -{at}", len(last)
        right = (N_("LAST {names}{cost}", names=last, cost=cost), N_("{n} LAST{cost}", n=n, cost=cost))
        return Face(left, right, (N_("{names} LAST", names=last), N_("{n} LAST", n=n)))


class Checked(Event):
    label = N_("pattern checked")
    right: bool

    def fold(self, state: State) -> State:
        if self.right:
            return state.asking(Points())
        now = state.round
        owing = (*owed(state, (known(now.caller),)), *now.owed)
        return state.in_round(wrong=True, owed=owing).asking(CleanUp())


class Points(Question):
    """The pattern is right: what is the card worth? (R14)"""

    phase = "points"
    offered = (Offer(None, "points", 4, 7, prefill=6),)

    @answers("points", N_("Card is worth"))
    def score(self, state: State, answer: Answer) -> Events:
        return (CardScored(known(state.round.caller), answer.number),)

    def face(self, state: State) -> Face:
        caller, usual = Who((known(state.round.caller),)), USUAL[level(state)]
        return Face(right=N_("{name}: usually {points}", name=caller, points=usual))


class CardScored(Event):
    label = N_("card scored")
    seat: Seat
    points: int

    def fold(self, state: State) -> State:
        cards = put(state.cards, self.seat, (*state.cards[self.seat], self.points))
        return replace(state, cards=cards).in_round(cards_taken=state.round.cards_taken + 1).asking(CleanUp())


# --- clean up: penalties are read, tiles go back, cards leave the game ------------------------------------------------


class CleanUp(Question):
    """Tiles back, cards out (R16 to R18)."""

    phase = "clean_up"
    subject = "points"

    def offers(self, state: State) -> tuple[Offer, ...]:
        return (Offer(None, "level", 1, len(LEVELS)),) if state.round.owed else (Offer(None, "next"),)

    def label(self, state: State, offer: Offer, value: Value) -> str:
        return f"{LEVELS[value - 1]}  -{value}" if isinstance(value, int) else super().label(state, offer, value)

    @answers("level", N_("Level of the card"))
    def read(self, state: State, answer: Answer) -> Events:
        return (PenaltyTaken(state.round.owed[0], answer.number),)

    @answers("next", N_("Next round"))
    def go_on(self, state: State, answer: Answer) -> Events:
        """The next round, an extra round, or the end (R18, R19, R21)."""
        now = state.round
        if not now.extra and not ended(state):
            return (RoundStarted(now.number + 1, now.seats, extra=False),)
        return extra_round(state) if len(winners(state)) > 1 else (GameEnded(),)

    def face(self, state: State) -> Face:
        now = state.round
        if now.owed:
            return Face(right=N_("{name} penalty", name=Who(now.owed[:1])))
        pips = tuple(["●" * min(len(cards), GOAL) + "○" * (GOAL - len(cards)) for cards in state.cards])
        out = N_("cards out: {n}", n=turned_up(state) - now.cards_taken)
        leave = out if now.extra else N_("remove {n} cards", n=to_remove(state))
        return Face(below=pips, press=leave, ok=N_("OK: next"), does={"next": self.next_is(state)})

    def next_is(self, state: State) -> str:
        """What comes next, as a button."""
        if not state.round.extra and not ended(state):
            return N_("Start the next round")
        return N_("Start the extra round") if len(winners(state)) > 1 else N_("Show the final scores")


class PenaltyTaken(Event):
    label = N_("penalty taken")
    seat: Seat
    level: int

    def fold(self, state: State) -> State:
        now = state.round
        taken = put(state.penalties, self.seat, (*state.penalties[self.seat], self.level))
        still_owed = race.others(now.owed, (self.seat,))
        return replace(state, penalties=taken).in_round(cards_taken=now.cards_taken + 1, owed=still_owed)


class RoundStarted(Event):
    label = N_("round started")
    number: int
    seats: tuple[Seat, ...]
    extra: bool

    def fold(self, state: State) -> State:
        removed = removed_after(state)
        shuffled = self.extra and removed < len(self.seats)  # A6: all other used cards are shuffled in
        if shuffled:
            removed += sum(map(len, state.cards)) + sum(map(len, state.penalties))
        ends = (*state.ends, (state.round.seats, state.points)) if self.extra else state.ends
        fresh = Round(self.number, self.seats, self.extra, shuffled=shuffled)
        return replace(state, removed=removed, ends=ends, round=fresh, ask=Hands.of(self.seats, state.players))


class GameEnded(Event):
    label = N_("game ended")

    def fold(self, state: State) -> State:
        return replace(state, removed=removed_after(state), ask=End())


class End(game.Over[State]):
    """The game is over. Points fixed since may make a tie: then the extra round is played after all (R21)."""

    def standing(self, state: State) -> Question:
        return TieBreak() if len(winners(state)) > 1 else self

    def marks(self, state: State) -> dict[str, tuple[Seat, ...]]:
        return {"winner": winners(state)}


class TieBreak(game.Over[State]):
    """Points fixed after the end have made some level."""

    phase = "tie_break"
    subject = "seats"
    offered = (Offer(None, "next"),)

    @answers("next", N_("Tie: extra round"))
    def play_on(self, state: State, answer: Answer) -> Events:
        return extra_round(state)

    def marks(self, state: State) -> dict[str, tuple[Seat, ...]]:
        return {"tie": winners(state)}


def extra_round(state: State) -> Events:
    """Those who are level play one round more (R21, A6)."""
    return (RoundStarted(state.round.number + 1, winners(state), extra=True),)


# --- the board and the rules ------------------------------------------------------------------------------------------


def board(state: State) -> Board:
    """The public view of the game."""
    now = state.round
    tokens = tuple(
        {"cards": len(cards), "penalties": len(levels)}
        for cards, levels in zip(state.cards, state.penalties, strict=True)
    )
    total = rounds(state.options) if not now.extra else None
    run = state.ask.race_board(state)
    if run is None and now.run is not None:
        run = shown(state, now.run, "over", now.caller)
    return game.board(state, now.number, total, tokens=tokens, highlight=highlight(state), race=run)


def shown(state: State, run: Build, phase: racing.Phase, caller: Seat | None) -> RaceBoard:
    """The Meow, and the answers with their gaps after it."""
    return racing.shown(
        run.race,
        phase,
        run.go_ns,
        race.widened(state.options.tie_band),
        answers=True,
        only_first=not answers_pressed(state),
        first=() if caller is None else (caller,),
        last=state.round.last or (),
        ruled=ruled(state),
    )


def reactions(state: State) -> RaceTimes:
    """The times of this round."""
    return RaceTimes(state.round.number, times(state))


def times(state: State) -> tuple[Reaction, ...]:
    """The Meow of this round and the answers to it; no times where the table has ruled, or a press came in too late."""
    now, run = state.round, state.round.run
    if run is None or now.caller is None:
        return ()
    meows = [Reaction(seat, "meow", won=seat == now.caller and not now.wrong) for seat in now.seats]
    if ruled(state) or race.overtaken(run.race, now.caller, race.widened(state.options.tie_band)):
        return tuple(meows)
    call = next(press for press in run.race.presses if press.seat == now.caller)
    after_ns, error_ns = call.at_ns - run.go_ns, race.doubt_ns(call)
    by = run.race.signal
    won = [one._replace(after_ns=after_ns, error_ns=error_ns, signal=by) if one.won else one for one in meows]
    answers = [
        Reaction(press.seat, "answer", False, press.at_ns - call.at_ns, max(race.doubt_ns(press), error_ns), "meow")
        for press in run.race.presses
        if press.seat != now.caller
    ]
    return (*won, *answers)


def tied(state: State) -> RaceBoard:
    """The race while the table rules on it."""
    return shown(state, known(state.round.run), "tied", state.round.caller)


def ruled(state: State) -> tuple[Literal["first", "last"], ...]:
    """The places that the table has ruled, as the race left them in doubt."""
    now, out = state.round, list[Literal["first", "last"]]()
    if now.run is not None and now.caller is not None and now.run.caller is None:
        out.append("first")
    if now.last is not None and penalised(state) and (state.options.last_by_hand or len(may_be_last(state)) != 1):
        out.append("last")
    return tuple(out)


def highlight(state: State) -> dict[str, tuple[Seat, ...]]:
    """First, last, tie, missing, winner."""
    now, ask = state.round, state.ask.standing(state)
    if isinstance(ask, game.Over):
        return ask.marks(state)
    first = {} if now.caller is None else {"first": (now.caller,)}
    last = {"last": now.last} if now.last else {}
    return {**first, **last, **ask.marks(state)}


def start(players: int, options: Options) -> State:
    """Four cards up, everybody in (R1 to R5)."""
    none: tuple[tuple[int, ...], ...] = ((),) * players
    seats = seats_of(players)
    return State((0,) * players, Hands.of(seats, players), Round(1, seats, False), options, none, none)


RULES = game.Rules(
    name="kitty_paw",
    title=N_("Kitty Paw"),
    seats=(2, 4),
    options=Options,
    start=start,
    event=Event,
    shared=(*hands.EVENTS, *racing.EVENTS),
    board=board,
    winners=winners,
    heading=heading,
    categories=categories,
    reactions=reactions,
)
