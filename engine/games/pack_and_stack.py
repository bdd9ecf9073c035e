"""Pack & Stack: a race for trucks. Everybody packs their load and pays for empty space and for boxes left over.

Rule numbers (R, A, T) are those of the rules page. By Bernd Eisenstein, Yaofish / Gameland edition.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Literal, TypeAlias

from msgspec.structs import replace

from engine import game, hands, race, racing
from engine.face import Face, Left, Said, Who
from engine.game import Answer, Count, Entered, Limits, Record, answers, known, of_kind
from engine.race import Race
from engine.racing import Jumped, Pressed
from engine.rules import (
    CLOSE,
    GO,
    SETTLE,
    STARTER,
    TAKE_BACK,
    TIME_UP,
    Board,
    Offer,
    RaceBoard,
    RaceTimes,
    Reaction,
    Seat,
    Value,
    against_clock,
    choice,
    dead_heat,
    in_turn,
    number,
    put,
    switch,
    timer,
)
from engine.stamps import Due, S, Stamp
from engine.words import N_

COLOURS = (N_("green"), N_("yellow"), N_("red"), N_("orange"), N_("blue"))
COLOUR_LETTERS = (N_("g"), N_("y"), N_("r"), N_("o"), N_("b"))  # where there is no room for the words
BOXES_ASKED = (N_("Green boxes?"), N_("Yellow boxes?"), N_("Red boxes?"), N_("Orange boxes?"), N_("Blue boxes?"))
LEFT_ASKED = (
    N_("Green boxes left?"),
    N_("Yellow boxes left?"),
    N_("Red boxes left?"),
    N_("Orange boxes left?"),
    N_("Blue boxes left?"),
)
LENGTHS = (1, 2, 3, 4, 5)  # by colour; a box of length 3 fills 3 units
BOXES = (30, 24, 18, 12, 12)  # by colour, in the game
FACES = ((1, 1, 2, 3, 4, 5), (0, 1, 2, 2, 3, 4), (0, 1, 1, 2, 2, 3), (0, 0, 1, 1, 2, 2), (0, 0, 1, 1, 2, 2))
TRUCKS = 36
MAX_LEVELS = 4
MAX_AREA = 15
START_POINTS = 75  # R2
BONUS = 10  # R17
COUNTDOWN_NS = 3_000_000_000  # 3 - 2 - 1 - FLIP

# the three Reward cards: each is named by the verb that uses it
REWARDS: dict[str, str] = {
    "replace_truck": N_("Replacing a Truck"),
    "new_order": N_("New Order"),
    "voucher": N_("Voucher"),
}


@dataclass(frozen=True, slots=True)
class Options:
    """The options of the rules page, with its defaults."""

    floor_at_zero: bool = switch(False, "family game: a loss never takes a total below zero", title=N_("Family game"))
    reward_cards: bool = switch(False, "play with the three Reward cards", title=N_("Reward cards"))
    trucks_per_player: int | str = number(
        "auto",
        1,
        2,
        "truck cards each; auto: 2, or 1 with 5 or 6 players",
        "auto",
        title=N_("Trucks each"),
        says={"auto": N_("auto")},
    )
    tie_band: int | str = dead_heat()
    loading_timer_s: int = timer(0, 600, "s to load the trucks; 0 is off", title=N_("Load timer"))
    counting: str = choice(
        "quick",
        "empty spaces are counted, or computed from load and truck",
        "checked",
        title=N_("Counting"),
        says={"quick": N_("empties"), "checked": N_("checked")},
    )
    start: str = choice(
        "hands_off",
        "FLIP comes by itself, or only while every button is held",
        "hands_on",
        title=N_("Start"),
        says={"hands_off": N_("by itself"), "hands_on": N_("hands on")},
    )
    device_dice: bool = switch(False, "the kit rolls the loads; they are then checked", title=N_("Kit rolls dice"))


# --- state: game, round, question ------------------------------------------------------------------------------------

Answers: TypeAlias = tuple[int | None, ...]  # by seat; None until it is known, empty until all have answered
Boxes: TypeAlias = tuple[int | None, ...]  # by colour; None where no number was entered
NO_BOXES: Boxes = (None,) * len(COLOURS)


class Round(Record):
    number: int
    loads: tuple[Boxes, ...]  # by seat; with `quick` they stay unknown
    left: tuple[Boxes, ...]  # by seat: the boxes on the pavement
    empties: Answers = ()  # entered; with `checked` computed instead
    levels: Answers = ()
    area: Answers = ()
    voucher: Seat | None = None  # the seat whose left-over boxes cost once their length
    run: Race | None = None  # the race of this round once it is over: the evidence
    stock: tuple[int, int] = (0, 0)  # pile and discards when it was over
    swapped: bool = False  # Replacing a Truck was decided: from then on no grab is void
    last: tuple[Seat, ...] | None = None  # None until it is settled
    from_pile: int = 0  # grabbed cards that came from the pile (A3)
    shuffled: bool = False  # a draw found the pile empty: the discards were shuffled first (A7)
    losses: Answers = ()
    best: tuple[Seat, ...] = ()  # smallest loss of the round


class State(game.RoundState):
    round: Round
    options: Options
    points: tuple[int, ...]  # by seat
    starter: Seat | None = None  # the youngest, in every round (A10)
    pile: int = TRUCKS
    discards: int = 0
    held: tuple[tuple[str, ...], ...] = ()  # Reward cards, by seat
    rewards: tuple[str, ...] = ()  # Reward cards not drawn yet


Question: TypeAlias = game.Question[State]
Events: TypeAlias = tuple[game.Event[State], ...]


class Event(game.Event[State]):
    """The events of Pack & Stack."""


# --- values derived by the rules -------------------------------------------------------------------------------------


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
    """The change of a total by a loss: with the family option it stops at zero, before any bonus (R21, A4)."""
    return max(total - lost, 0) - total if floor else -lost


def smallest(losses: Sequence[int]) -> tuple[Seat, ...]:
    """The seats with the smallest loss (R17)."""
    return tuple(seat for seat, lost in enumerate(losses) if lost == min(losses))


def rewarded(losses: Sequence[int]) -> Seat | None:
    """The only seat that lost nothing (R22)."""
    return losses.index(0) if losses.count(0) == 1 else None


def trucks_each(state: State) -> int:
    """Truck cards laid before each player (R6)."""
    each = state.options.trucks_per_player
    if isinstance(each, int):
        return each
    return 2 if state.players <= 4 else 1


def short(state: State) -> bool:
    """Whether the discards have to be shuffled before the next deal: a round takes at least one card more (A7)."""
    return state.pile < state.players * trucks_each(state) + 1


def checked(state: State) -> bool:
    """Whether loads and trucks are known, and empty spaces computed."""
    return state.options.counting == "checked" or state.options.device_dice


def holder(state: State, card: str) -> Seat | None:
    """The seat that holds a Reward card."""
    return next((seat for seat, cards in enumerate(state.held) if card in cards), None)


def order(state: State) -> tuple[Seat, ...]:
    """The seats from the starting player round the table (R4)."""
    first = state.starter or 0
    return (*range(first, state.players), *range(first))


def least_left(now: Round, seat: Seat, colour: int) -> int:
    """The fewest boxes of this colour that must stay behind: those that do not fit even without all later colours."""
    load, left = now.loads[seat], now.left[seat]
    too_much = volume(load) - capacity(now, seat)
    staying = volume((*left[:colour], 0, *load[colour + 1 :]))
    return max(0, -((staying - too_much) // LENGTHS[colour]))


def capacity(now: Round, seat: Seat) -> int:
    """Units that a seat's truck holds (R14)."""
    return (now.levels[seat] or 0) * (now.area[seat] or 0)


def losses(state: State) -> tuple[int, ...]:
    """Everybody's loss once all is counted."""
    now, lost = state.round, []
    for seat in state.seats:
        left = volume(now.left[seat])
        if checked(state):
            empty = empties(capacity(now, seat), volume(now.loads[seat]), left)
        else:
            empty = now.empties[seat] or 0
        lost.append(loss(empty, left, seat == now.voucher))
    return tuple(lost)


def ended(state: State) -> bool:
    """R19, A5: somebody has no points left after the bonus."""
    return min(state.scores) <= 0


# --- the order of the questions --------------------------------------------------------------------------------------


def load_question(state: State) -> Question:
    """The first question of a round: the load, where it has to be known."""
    if state.options.device_dice:
        return Roll()
    if checked(state):
        return Load.of(state.players, colour=0)
    return deal_question(state)


def deal_question(state: State) -> Question:
    """The loads are complete: New Order while nothing is dealt yet (A11), then the trucks."""
    seat = holder(state, "new_order")
    return Deal() if seat is None else UseCard(seat, "new_order")


def truck_question(state: State) -> Question:
    """The race is settled: Replacing a Truck before loading (A11), then the loading."""
    seat = holder(state, "replace_truck")
    return pack_question(state) if seat is None else UseCard(seat, "replace_truck")


def pack_question(state: State) -> Question:
    """The loading; against the clock it waits for a press."""
    return Ready() if state.options.loading_timer_s else Packing((None,) * state.players, None)


def left_question(state: State, colour: int) -> Question:
    """The next colour from this one on of which anybody may have boxes left; then the Voucher; then the result."""
    loads, any_may = state.round.loads, not checked(state)
    for later in range(colour, len(COLOURS)):
        asked = tuple([seat for seat in state.seats if any_may or loads[seat][later]])
        if asked:
            return LeftOver.of(state.players, asked, colour=later)
    seat = holder(state, "voucher")
    if seat is None or not volume(state.round.left[seat]):
        return Result()
    return UseCard(seat, "voucher")


# --- what people are told ---------------------------------------------------------------------------------------------


def heading(state: State) -> tuple[Said, Said]:
    """The round and the pile."""
    return N_("ROUND {number}", number=state.round.number), N_("pile {n}", n=state.pile)


def rolled(state: State, seat: Seat) -> str:
    """The load of a seat, in letters."""
    load = zip(COLOUR_LETTERS, state.round.loads[seat], strict=True)
    boxes = [N_("{colour}{n}", colour=colour, n=n) for colour, n in load]
    return N_(
        "{name}: {load}", name=Who((seat,)), load=N_("{a} {b} {c} {d} {e}", **dict(zip("abcde", boxes, strict=True)))
    )


def too_early(run: Race) -> Said:
    """The latest press before the flip."""
    return N_("{name} too early", name=Who((run.jumps[-1].seat,))) if run.jumps else ""


def last_draws(state: State, press: Said, ok: Said) -> Face:
    """Who was last, and what is to be done before the loading."""
    last = Who(state.round.last or ())
    if not last:
        return Face(big=N_("NONE LAST"), lines=(N_("everybody keeps a truck"), ""), press=press, ok=ok)
    draw = (N_("{names}: draw the top card", names=last), N_("each draws the top card"))
    lines = N_("shuffle, draw top card") if state.round.shuffled else draw
    big = (N_("{names} LAST", names=last), N_("{n} LAST", n=len(last)))
    return Face(big=big, lines=(lines, ""), press=press, ok=ok)


# --- offers beside a question -----------------------------------------------------------------------------------------


class JustRaced(Question):
    """Asked once the race is decided. Until the answer, a seat may report that its grab was void (A8, A9)."""

    def void_offers(self, state: State) -> tuple[Offer, ...]:
        if state.round.swapped:
            return ()
        return race.taking_back(race.pressed(known(state.round.run)), joins=False)

    @answers(TAKE_BACK, N_("Wrong grab"))
    def reopen(self, state: State, answer: Answer) -> Events:
        return (Reopened(answer.seat),)


class Reopened(Event):
    """A press that had counted in the race was void: its seat runs again, as if there had been no verdict (A8, A9)."""

    label = N_("race reopened")
    seat: Seat

    def fold(self, state: State) -> State:
        pile, discards = state.round.stock
        grab = Grab(race.take_back(known(state.round.run), self.seat))
        state = replace(state, pile=pile, discards=discards, ask=grab)
        return state.in_round(run=None, last=None, shuffled=False, swapped=False)


class TrucksKnown(Question):
    """Asked from the packing on, until the round is closed. How many grabbed the pile's top card? (A3)"""

    def offers(self, state: State) -> tuple[Offer, ...]:
        return self.with_from_pile(state, super().offers(state))

    def with_from_pile(self, state: State, out: tuple[Offer, ...]) -> tuple[Offer, ...]:
        """These offers and `from_pile` beside them: part of the step under way."""
        joins = any(offer.joins for offer in out)
        return (*out, from_pile_offer(state.players, state.round.from_pile, joins))

    @answers("from_pile", N_("Grabbed from pile?"))
    def grab_from_pile(self, state: State, answer: Answer) -> Events:
        more = answer.number - state.round.from_pile > state.pile
        return (*((Shuffled(state.discards),) if more else ()), FromPile(answer.number))


@cache
def from_pile_offer(players: int, entered: int, joins: bool) -> Offer:
    return Offer(None, "from_pile", 0, players, prefill=entered, joins=joins, menu=True)


class FromPile(Event):
    label = N_("grabs from pile")
    cards: int  # of all cards grabbed in this round; a later number replaces an earlier one

    def fold(self, state: State) -> State:
        state = replace(state, pile=state.pile + state.round.from_pile - self.cards)
        return state.in_round(from_pile=self.cards)


# --- setup: the starting player and the loads -------------------------------------------------------------------------


class Youngest(Question):
    """Who is the youngest? They start (R3)."""

    phase = "setup"

    def offers(self, state: State) -> tuple[Offer, ...]:
        return tuple([Offer(seat, STARTER) for seat in state.seats])

    @answers(STARTER, N_("Who is the youngest?"))
    def name(self, state: State, answer: Answer) -> Events:
        return (YoungestNamed(answer.seat),)

    def face(self, state: State) -> Face:
        return Face(right=set_up(state), press=N_("youngest? press"), does={STARTER: N_("I am the youngest")})


def set_up(state: State) -> Said:
    """What is to be known as the game begins (R2, A2)."""
    return N_("2nd draws top card") if state.players == 2 else N_("75 points each")


class YoungestNamed(Event):
    label = N_("youngest named")
    seat: Seat

    def fold(self, state: State) -> State:
        return replace(state, starter=self.seat).asking(load_question(state))


class Load(Count[State]):
    """How many boxes of this colour did these seats roll? (R5)"""

    colour: int  # 0 is green

    phase = "load"
    verb, text = "load", N_("Boxes?")
    small = True  # a die has 5 at most, and a colour counts like another

    def limits(self, state: State) -> Limits:
        """No more than the game has."""
        rolled = [load[self.colour] or 0 for load in state.round.loads]
        return Limits(0, BOXES[self.colour] - sum(rolled))

    def entered(self, state: State, seat: Seat, number: int) -> State:
        loads = state.round.loads
        state = state.in_round(loads=put(loads, seat, put(loads[seat], self.colour, number)))
        return super().entered(state, seat, number)

    def done(self, state: State) -> State:
        later = self.colour + 1
        more = later < len(COLOURS)
        return state.asking(Load.of(state.players, self.seats, colour=later) if more else deal_question(state))

    def label(self, state: State, offer: Offer, value: Value) -> str:
        return BOXES_ASKED[self.colour] if value is None else str(value)

    def face(self, state: State) -> Face:
        return Face(right=N_("0 to {most}", most=FACES[self.colour][-1]))


class Roll(Question):
    """The kit rolls in turn for every seat that has no load yet (R4)."""

    phase = "load"

    def offers(self, state: State) -> tuple[Offer, ...]:
        return in_turn(order(state), [load[0] for load in state.round.loads], "roll")

    @answers("roll", N_("Roll your dice"))
    def roll(self, state: State, answer: Answer) -> Events:
        dice = answer.dice()
        return (LoadRolled(answer.seat, tuple([dice.choice(faces) for faces in FACES])),)

    def face(self, state: State) -> Face:
        (seat,) = self.turn(state)
        return Face(press=N_("{name}: press to roll", name=Who((seat,))), does={"roll": N_("Roll for me")})


class LoadRolled(Event):
    label = N_("load rolled")
    seat: Seat
    boxes: tuple[int, ...]  # by colour

    def fold(self, state: State) -> State:
        loads = put(state.round.loads, self.seat, self.boxes)
        return state.in_round(loads=loads).asking(Roll() if NO_BOXES in loads else deal_question(state))


# --- Reward cards -----------------------------------------------------------------------------------------------------


class UseCard(JustRaced):
    """Does the holder of a Reward card use it now?"""

    seat: Seat
    card: str

    phase = "card"

    def offers(self, state: State) -> tuple[Offer, ...]:
        out = (Offer(self.seat, self.card), Offer(None, "go_on", for_seats=(self.seat,)))
        return (*out, *self.void_offers(state)) if self.card == "replace_truck" else out

    @answers("new_order", N_("New Order?"))
    @answers("voucher", N_("Voucher?"))
    def use(self, state: State, answer: Answer) -> Events:
        return with_costs(state, CardUsed(self.seat, self.card))

    @answers("replace_truck", N_("Replace truck?"))
    def replace_truck(self, state: State, answer: Answer) -> Events:
        return (*draw(state, self.seat), CardUsed(self.seat, self.card))

    @answers("go_on", N_("No, go on"))
    def keep(self, state: State, answer: Answer) -> Events:
        return with_costs(state, CardKept(self.seat, self.card))

    def face(self, state: State) -> Face:
        title, use = N_("{card}?", card=REWARDS[self.card]), N_("{name}: use it", name=Who((self.seat,)))
        return Face(title=title, press=use, ok=N_("OK: go on"), does={self.card: N_("Use it")})


class CardUsed(Event):
    """A Reward card was used: a new load, another truck, or a cheaper surplus."""

    label = N_("card used")
    seat: Seat
    card: str

    def fold(self, state: State) -> State:
        seat, now = self.seat, state.round
        held = tuple([other for other in state.held[seat] if other != self.card])
        state = replace(state, held=put(state.held, seat, held))
        if self.card == "replace_truck":
            state = replace(state, discards=state.discards + 1)  # the old truck
            return state.in_round(swapped=True).asking(pack_question(state))
        if self.card == "voucher":
            return state.in_round(voucher=seat).asking(Result())
        if not checked(state):
            return state.asking(Deal())
        ask = Roll() if state.options.device_dice else Load.of(state.players, (seat,), colour=0)
        return state.in_round(loads=put(now.loads, seat, NO_BOXES)).asking(ask)  # A11: the whole load


class CardKept(Event):
    label = N_("card kept")
    seat: Seat
    card: str

    def fold(self, state: State) -> State:
        if self.card == "new_order":
            return state.asking(Deal())
        if self.card == "replace_truck":
            return state.in_round(swapped=True).asking(pack_question(state))
        return state.asking(Result())


class Reward(TrucksKnown):
    """Which Reward card did this seat draw? (R22)"""

    seat: Seat

    phase = "reward"

    def offers(self, state: State) -> tuple[Offer, ...]:
        return self.with_from_pile(state, (Offer(self.seat, "reward", options=state.rewards),))

    def label(self, state: State, offer: Offer, value: Value) -> str:
        return REWARDS[value] if isinstance(value, str) else super().label(state, offer, value)

    @answers("reward", N_("Which Reward card?"))
    def name(self, state: State, answer: Answer) -> Events:
        return (RewardDrawn(self.seat, answer.word),)

    def face(self, state: State) -> Face:
        return Face(right=N_("{name} lost nothing!", name=Who((self.seat,))))


class RewardDrawn(Event):
    label = N_("Reward card drawn")
    seat: Seat
    card: str

    def fold(self, state: State) -> State:
        held = put(state.held, self.seat, (*state.held[self.seat], self.card))
        rewards = tuple([other for other in state.rewards if other != self.card])
        return replace(state, held=held, rewards=rewards).asking(Result())


# --- the trucks are dealt, and turned ---------------------------------------------------------------------------------


class Deal(Question):
    """Truck cards are laid face down (R6)."""

    phase = "deal"
    subject = "points"
    offered = (Offer(None, "deal"),)

    def label(self, state: State, offer: Offer, value: Value) -> str:
        n = trucks_each(state)
        return N_("Shuffle, deal {n} each", n=n) if short(state) else N_("Deal {n} each", n=n)

    @answers("deal", N_("Deal"))
    def deal(self, state: State, answer: Answer) -> Events:
        """From a pile that lasts (R6, A7); with hands off the countdown starts at once."""
        shuffle = (Shuffled(state.discards),) if short(state) else ()
        countdown = () if state.options.start == "hands_on" else (CountdownStarted(answer.at_ns + COUNTDOWN_NS),)
        return (*shuffle, Dealt(trucks_each(state)), *countdown)

    def face(self, state: State) -> Face:
        line: Said = ""
        if short(state):
            line = N_("SHUFFLE the used first")  # A7
        elif not checked(state):
            line = N_("roll, take your boxes")
        elif state.options.device_dice:
            line = rolled(state, order(state)[-1])
        return Face(
            right=set_up(state) if state.round.number == 1 else "",  # where it was drawn who starts nothing was said
            big=N_("DEAL {n}", n=trucks_each(state)),
            lines=(line, N_("lay trucks face down")),
            press=N_("ready?"),
            ok=N_("OK: start 3-2-1"),
            does={"deal": N_("Cards are dealt: start")},
        )


class Shuffled(Event):
    label = N_("pile shuffled")
    cards: int  # discards that became the pile's lower part

    def fold(self, state: State) -> State:
        state = replace(state, pile=state.pile + self.cards, discards=state.discards - self.cards)
        return state.in_round(shuffled=True)


class Dealt(Event):
    label = N_("cards dealt")
    each: int

    def fold(self, state: State) -> State:
        state = replace(state, pile=state.pile - self.each * state.players)
        return state.in_round(shuffled=False).asking(Hands.of(state.seats, state.players))


class Hands(hands.Hands[State]):
    def ready(self, state: State, answer: Answer) -> Events:
        return (CountdownStarted(answer.at_ns + COUNTDOWN_NS),)


class CountdownStarted(Event):
    label = N_("countdown started")
    due_ns: Due

    def fold(self, state: State) -> State:
        if state.options.start == "hands_on":
            return state.asking(Armed(of_kind(Hands, state.ask), self.due_ns))
        return state.asking(Countdown(Race(state.seats, self.due_ns)))


class Armed(hands.AwaitSignal[State]):
    """The cards are turned at `due_ns` (R7), unless somebody lets go."""

    phase = "countdown"

    @answers(GO, N_("Flip"))
    def flip(self, state: State, answer: Answer) -> Events:
        return (Flipped(answer.at_ns, answer.action.signal),)

    def face(self, state: State) -> Face:
        return Face(until_ns=self.due_ns)


class Raced(racing.Running[State]):
    """The race for the trucks, before and after the flip."""

    @answers("grab", N_("Grab, then press"))
    def grab(self, state: State, answer: Answer) -> Events:
        """A press too early costs nothing, and its button is dead for 250 ms."""
        match race.judge(self.race, answer.press):
            case "dead":
                return ()
            case "good" if isinstance(self, Grab):
                return (Pressed(*answer.press),)
            case _:
                return (Jumped(*answer.press),)

    @answers(TAKE_BACK, N_("Wrong grab"))
    def take_back(self, state: State, answer: Answer) -> Events:
        return super().take_back(state, answer)


class Countdown(racing.AwaitGo[State], Raced):
    """The cards are turned when the clock reaches the race's `go_ns` (R7)."""

    verb = "grab"
    phase = "countdown"

    @answers(GO, N_("Flip"))
    def flip(self, state: State, answer: Answer) -> Events:
        return (Flipped(answer.at_ns, answer.action.signal),)

    def face(self, state: State) -> Face:
        return Face(until_ns=self.race.go_ns, press=too_early(self.race))


class Flipped(Event, omit_defaults=True):
    label = N_("cards flipped")
    at_ns: Stamp
    signal: str = ""

    def fold(self, state: State) -> State:
        run = state.ask.race if isinstance(state.ask, Countdown) else Race(state.seats, None)
        return state.asking(Grab(replace(run, go_ns=self.at_ns, signal=self.signal)))


# --- the race and its last --------------------------------------------------------------------------------------------


class Grab(Raced):
    """Everybody grabs a truck (R8)."""

    phase = "race"

    def offers(self, state: State) -> tuple[Offer, ...]:
        """A press of each seat that is still out, the ways out, and the settling once the last can be known (A1)."""
        due_ns = race.last_due_ns(self.race, race.widened(state.options.tie_band))
        out = race.offers(self.race, "grab", SETTLE, due_ns)  # A9
        return out if due_ns is not None else (*out, Offer(None, CLOSE, joins=True))

    @answers(SETTLE, N_("Settle"))
    @answers(CLOSE, N_("Nobody else?"))
    def close(self, state: State, answer: Answer) -> Events:
        closed, late = RaceClosed(), who_last(state, self.race)
        if len(late) != 1:
            return (closed,)  # never guess
        return (closed, *name_last(closed.fold(state), late))

    def face(self, state: State) -> Face:
        out = Who(race.missing(self.race))
        still_out = (N_("{names}: press!", names=out), N_("{n} more: press!", n=len(out))) if out else ""
        ok = (N_("OK: no more"), N_("OK: stop"))
        if self.race.presses:
            return Face(press=still_out, ok=ok)
        press, line = too_early(self.race) or still_out, N_("grab, then slap yours")
        return Face(big=N_("FLIP!"), lines=(line,), since_ns=self.race.go_ns, press=press, ok=ok)

    def race_board(self, state: State) -> RaceBoard:
        return shown(state, self.race, "answers" if self.race.presses else "running")


class RaceClosed(Event):
    """The race is over; the table decides the rest."""

    label = N_("race closed")

    def fold(self, state: State) -> State:
        run, stock = of_kind(Grab, state.ask).race, (state.pile, state.discards)
        return state.in_round(run=run, stock=stock).asking(WhoLast())


class WhoLast(JustRaced, racing.WhoLast[State]):
    """Too close to call, or several who have not pressed (A1)."""

    def offers(self, state: State) -> tuple[Offer, ...]:
        out = super().offers(state)
        return out if self.judged is not None else (*out, *self.void_offers(state))

    def among(self, state: State) -> tuple[Seat, ...]:
        return who_last(state, known(state.round.run))

    def name_last(self, state: State, seats: tuple[Seat, ...]) -> Events:
        return name_last(state, seats)

    def face(self, state: State) -> Face:
        return Face(right=racing.doubt(known(state.round.run), self.among(state)))

    def race_board(self, state: State) -> RaceBoard:
        return shown(state, known(state.round.run), "tied")


def who_last(state: State, run: Race) -> tuple[Seat, ...]:
    """The last by the race; among several the table decides (A1)."""
    return race.last(run, race.widened(state.options.tie_band))


def name_last(state: State, seats: tuple[Seat, ...]) -> Events:
    """The last, and the top card of the pile for them (R9)."""
    named, drawn, pile = LastNamed(seats), [TruckDrawn(seat) for seat in seats], state.pile
    if len(seats) <= pile:
        return (named, *drawn)
    return (named, *drawn[:pile], Shuffled(named.fold(state).discards), *drawn[pile:])  # A7


class LastNamed(Event):
    label = N_("last one named")
    seats: tuple[Seat, ...]  # one as a rule; nobody or several only by the table's ruling

    def fold(self, state: State) -> State:
        grabbed = [seat for seat in self.seats if seat in race.pressed(known(state.round.run))]
        state = replace(state, discards=state.discards + len(grabbed))  # R9, A3
        return state.in_round(last=self.seats).asking(truck_question(state))


def draw(state: State, seat: Seat) -> Events:
    """The pile's top card for a seat; an empty pile is made of the discards first (A7)."""
    return (TruckDrawn(seat),) if state.pile else (Shuffled(state.discards), TruckDrawn(seat))


class TruckDrawn(Event):
    label = N_("truck drawn")
    seat: Seat

    def fold(self, state: State) -> State:
        return replace(state, pile=state.pile - 1)


# --- loading ----------------------------------------------------------------------------------------------------------


class Ready(JustRaced):
    """Everybody has their truck; the loading timer waits for a press."""

    phase = "ready"

    def offers(self, state: State) -> tuple[Offer, ...]:
        return (Offer(None, "pack"), *self.void_offers(state))

    @answers("pack", N_("Start loading"))
    def pack(self, state: State, answer: Answer) -> Events:
        return (PackingStarted(answer.at_ns + state.options.loading_timer_s * S),)

    def face(self, state: State) -> Face:
        return last_draws(state, N_("{n} s to load", n=state.options.loading_timer_s), N_("OK: start"))


class PackingStarted(Event):
    label = N_("loading started")
    due_ns: Due

    def fold(self, state: State) -> State:
        return state.asking(Packing((None,) * state.players, self.due_ns))


class Packing(JustRaced, TrucksKnown):
    """Everybody loads (R11 to R13)."""

    done: tuple[bool | None, ...]  # by seat; for information only
    due_ns: Due | None  # loading against the clock

    phase = "packing"

    def offers(self, state: State) -> tuple[Offer, ...]:
        """Done by seat, on to the count by the table; against the clock all is one step with the press before."""
        joins = self.due_ns is not None or any(self.done)
        out = against_clock(packing_ways(self.done, joins), TIME_UP, self.due_ns, joins=True)
        return self.with_from_pile(state, out if joins or state.round.from_pile else (*out, *self.void_offers(state)))

    @answers("done", N_("Done loading"))
    def say_done(self, state: State, answer: Answer) -> Events:
        return (Done(answer.seat), *((PackingClosed(),) if self.done.count(None) == 1 else ()))

    @answers("count", N_("Tally"))
    @answers(TIME_UP, N_("Time is up"))
    def close(self, state: State, answer: Answer) -> Events:
        return (PackingClosed(),)

    def face(self, state: State) -> Face:
        left = "" if self.due_ns is None else N_("{time} left", time=Left(self.due_ns))
        does = {"done": N_("I have loaded"), "count": N_("All have loaded: count")}
        return last_draws(state, N_("loaded? press"), N_("OK: count"))._replace(right=left, does=does)


@cache
def packing_ways(done: tuple[bool | None, ...], joins: bool) -> tuple[Offer, ...]:
    loading = tuple([seat for seat, loaded in enumerate(done) if not loaded])
    return (
        *[Offer(seat, "done", joins=joins) for seat in loading],
        Offer(None, "count", joins=joins, for_seats=loading),
    )


class Done(Event):
    label = N_("done loading")
    seat: Seat

    def fold(self, state: State) -> State:
        ask = of_kind(Packing, state.ask)
        return state.asking(replace(ask, done=put(ask.done, self.seat, True)))


class PackingClosed(Event):
    """All done, or time is up."""

    label = N_("loading ended")

    def fold(self, state: State) -> State:
        return state.asking((Levels if checked(state) else Empties).of(state.players))


# --- counting ---------------------------------------------------------------------------------------------------------


class Empties(TrucksKnown, Count[State]):
    """How many unit spaces are empty? (R14)"""

    phase = "empties"
    verb, text = "empties", N_("Empty spaces?")
    high = MAX_LEVELS * MAX_AREA

    def done(self, state: State) -> State:
        return state.in_round(empties=self.numbers).asking(left_question(state, 0))


class Levels(TrucksKnown, Count[State]):
    """How many levels has the truck?"""

    phase = "truck"
    verb, text = "levels", N_("Levels?")
    low, high = 1, MAX_LEVELS

    def done(self, state: State) -> State:
        return state.in_round(levels=self.numbers).asking(Area.of(state.players))


class Area(TrucksKnown, Count[State]):
    """How many squares has its loading area?"""

    phase = "truck"
    verb, text = "area", N_("Area?")
    low, high = 1, MAX_AREA

    def done(self, state: State) -> State:
        return state.in_round(area=self.numbers).asking(left_question(state, 0))

    def then(self, state: State, answer: Answer) -> Events:
        return costs(state)


NONE_LEFT = Offer(None, "none_left")


class LeftOver(TrucksKnown, Count[State]):
    """How many boxes of this colour did these seats leave on the pavement? (R15)"""

    colour: int

    phase = "left_over"
    verb, text = "left", N_("Boxes left?")
    small = True

    def limits(self, state: State) -> Limits:
        """Checked: from the boxes that cannot fit to those rolled. Else: up to the boxes of the game."""
        now, colour = state.round, self.colour
        if not checked(state):
            return Limits(0, BOXES[colour] - sum(filter(None, self.numbers)), prefill=0)
        missing = self.missing
        low = tuple([least_left(now, seat, colour) if seat in missing else 0 for seat in state.seats])
        return Limits(low, tuple([load[colour] or 0 for load in now.loads]), prefill=low)

    def offers(self, state: State) -> tuple[Offer, ...]:
        """Beside the first of these counts all of them at once, where every box may be on a truck."""
        out = super().offers(state)
        return (*out, NONE_LEFT) if self.none_yet(state) else out

    def none_yet(self, state: State) -> bool:
        """Whether nothing left over is entered yet, and nothing need be."""
        now = state.round
        if {None} != {*self.numbers}.union(*now.left):
            return False
        return not checked(state) or all(volume(load) <= capacity(now, seat) for seat, load in enumerate(now.loads))

    @answers("none_left", N_("Nobody has boxes left"))
    def none_left(self, state: State, answer: Answer) -> Events:
        """The same events as by 0 for each colour."""
        events: Events = ()
        while isinstance(ask := state.ask, LeftOver):
            for seat in ask.seats:
                entered = Entered[State](seat, self.verb, 0)
                state, events = entered.fold(state), (*events, entered)
        return (*events, *costs(state))

    def done(self, state: State) -> State:
        rows = zip(state.round.left, self.numbers, strict=True)
        state = state.in_round(left=tuple([put(boxes, self.colour, number) for boxes, number in rows]))
        return state.asking(left_question(state, self.colour + 1))

    def then(self, state: State, answer: Answer) -> Events:
        return costs(state)

    def label(self, state: State, offer: Offer, value: Value) -> str:
        if offer.verb == self.verb and value is None:
            return LEFT_ASKED[self.colour]
        return super().label(state, offer, value)

    def face(self, state: State) -> Face:
        whether = N_("Boxes left?") if self.none_yet(state) else ""
        if not checked(state):
            length = LENGTHS[self.colour]
            return Face(right=(N_("box length {n}", n=length), N_("length {n}", n=length)), whether=whether)
        loads = [load[self.colour] for load in state.round.loads]
        of = tuple([N_("of {n}", n=n) if seat in self.seats else "" for seat, n in enumerate(loads)])
        numbers = " ".join(str(loads[seat]) for seat in self.seats)
        return Face(right=N_("rolled {numbers}", numbers=numbers), below=of, whether=whether)


def with_costs(state: State, event: Event) -> Events:
    return (event, *costs(event.fold(state)))


def costs(state: State) -> Events:
    """The losses, bonuses and reward of a round, once all is counted (R16, R17, R22)."""
    if not isinstance(state.ask, Result):
        return ()
    each, totals, floor = losses(state), state.scores, state.options.floor_at_zero
    lost = [Lost(seat, loss_, booked(totals[seat], loss_, floor)) for seat, loss_ in enumerate(each)]
    bonus = [BonusWon(seat, BONUS) for seat in smallest(each)]
    seat = rewarded(each)
    reward = () if seat is None or not state.rewards else (RewardWon(seat),)  # R23
    return (*lost, *bonus, *reward)


class Lost(Event):
    label = N_("loss counted")
    seat: Seat
    loss: int
    points: int  # added to the total: less than the loss where it stops at zero

    def fold(self, state: State) -> State:
        points = put(state.points, self.seat, state.points[self.seat] + self.points)
        return replace(state, points=points).in_round(losses=put(state.round.losses, self.seat, self.loss))


class BonusWon(Event):
    label = N_("bonus won")
    seat: Seat
    points: int

    def fold(self, state: State) -> State:
        points = put(state.points, self.seat, state.points[self.seat] + self.points)
        return replace(state, points=points).in_round(best=(*state.round.best, self.seat))


class RewardWon(Event):
    label = N_("Reward card won")
    seat: Seat

    def fold(self, state: State) -> State:
        return state.asking(Reward(self.seat))


# --- the next round, or the end ---------------------------------------------------------------------------------------


class Result(TrucksKnown):
    """Everything is counted; boxes and trucks go back (R18)."""

    phase = "result"
    subject = "result"
    offered = (Offer(None, "next"),)

    def label(self, state: State, offer: Offer, value: Value) -> str:
        if offer.verb == "next":
            return N_("Final scores") if ended(state) else N_("Round {number}", number=state.round.number + 1)
        return super().label(state, offer, value)

    @answers("next", N_("Next round"))
    def go_on(self, state: State, answer: Answer) -> Events:
        return (GameEnded(),) if ended(state) else (RoundStarted(state.round.number + 1),)

    def face(self, state: State) -> Face:
        now, ends = state.round, ended(state)
        gains = tuple([f"{BONUS * (seat in now.best) - (lost or 0):+}" for seat, lost in enumerate(now.losses)])
        perfect = Who([seat for seat in now.best if now.losses[seat] == 0])
        named = N_("all perfect!") if len(perfect) == state.players else N_("{names} perfect!", names=perfect)
        return Face(
            left=(N_("ROUND {number}", number=now.number), N_("R{number}", number=now.number), ""),
            right=(named, N_("{n} perfect!", n=len(perfect))) if perfect else "",
            values=tuple(map(str, state.scores)),
            below=gains,
            lit=now.best,
            press=N_("somebody is out") if ends else N_("boxes, trucks back"),
            ok=N_("OK: end") if ends else N_("OK"),
            does={"next": N_("Show the final scores") if ends else N_("Start round {number}", number=now.number + 1)},
        )


class RoundStarted(Event):
    label = N_("round started")
    number: int

    def fold(self, state: State) -> State:
        fresh = new_round(self.number, state.players)
        return replace(state, discards=TRUCKS - state.pile, round=fresh, ask=load_question(state))  # R18


class GameEnded(Event):
    label = N_("game ended")

    def fold(self, state: State) -> State:
        return state.asking(game.Over())


def new_round(number_: int, players: int) -> Round:
    """A round before anything is rolled or counted."""
    nothing = (NO_BOXES,) * players
    return Round(number_, nothing, nothing, losses=(None,) * players)


# --- the board and the rules -----------------------------------------------------------------------------------------


def board(state: State) -> Board:
    """The public view of the game."""
    now = state.round
    tokens = tuple([token(state, seat) for seat in state.seats])
    run = state.ask.race_board(state)
    if run is None and now.run is not None:
        run = shown(state, now.run, "over")
    return game.board(state, now.number, order=order(state), tokens=tokens, highlight=highlight(state), race=run)


def token(state: State, seat: Seat) -> dict[str, int]:
    """The tokens of a seat: Reward cards and, once they are known, the volume of the load and the loss."""
    before = {"rewards": len(state.held[seat])}
    load, lost = state.round.loads[seat], state.round.losses[seat]
    if None not in load:
        before["load"] = volume(load)
    if lost is not None:
        before["loss"] = lost
    return before


def reactions(state: State) -> RaceTimes:
    """The times of this round."""
    return RaceTimes(state.round.number, times(state))


def times(state: State) -> tuple[Reaction, ...]:
    """The times of this round's race, without those who had jumped; none where the table has ruled."""
    run = state.round.run
    if run is None or state.round.last is None or len(who_last(state, run)) != 1:
        return ()
    jumped, go_ns = {press.seat for press in run.jumps}, known(run.go_ns)
    return tuple(
        Reaction(press.seat, "grab", after_ns=press.at_ns - go_ns, error_ns=race.doubt_ns(press), signal=run.signal)
        for press in race.order(run)
        if press.seat not in jumped
    )


def shown(state: State, run: Race, phase: racing.Phase) -> RaceBoard:
    """The race for the trucks, with the times after the flip."""
    last, widen_ns = state.round.last, race.widened(state.options.tie_band)
    ruled: tuple[Literal["last"], ...] = ("last",) if last is not None and len(who_last(state, run)) != 1 else ()
    return racing.shown(run, phase, known(run.go_ns), widen_ns, last=last or (), ruled=ruled)


def highlight(state: State) -> dict[str, tuple[Seat, ...]]:
    """First, last, tie, missing, winner; first is the best of this round, once known."""
    now = state.round
    if state.over:
        return {"winner": game.leaders(state)}
    ends = {"first": now.best} if now.best else {"last": now.last} if now.last else {}
    return {**ends, **state.ask.marks(state)}


def start(players: int, options: Options) -> State:
    """75 points each, the trucks shuffled; who is the youngest? (R1 to R3)"""
    points = (START_POINTS,) * players
    rewards = tuple(REWARDS) if options.reward_cards else ()
    return State(
        (0,) * players, Youngest(), new_round(1, players), options, points, held=((),) * players, rewards=rewards
    )


RULES = game.Rules(
    name="pack_and_stack",
    title=N_("Pack & Stack"),
    seats=(2, 6),
    options=Options,
    start=start,
    event=Event,
    shared=(*hands.EVENTS, *racing.EVENTS, Jumped, Entered),
    board=board,
    heading=heading,
    reactions=reactions,
)
