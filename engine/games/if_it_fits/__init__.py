"""If It Fits: boxes laid out of cards. The player with most cats in a box scores its toys.

Rule numbers (R, A, T) are those of the rules page; the table is in `boxes`. By Adrie Drent, Jolly Dutch.
"""

from dataclasses import dataclass
from functools import lru_cache
from typing import Any, ClassVar, NoReturn, Self, TypeAlias

from msgspec.structs import replace

from engine import game
from engine.face import USUAL, Face, Left, Said, Short, Who, row
from engine.game import Answer, Count, Entered, answers, known, of_kind
from engine.games.if_it_fits import boxes
from engine.games.if_it_fits.boxes import FIRST, OPEN, Across, Card, Contents, Piece, Place, Table, Toys
from engine.rules import (
    STARTER,
    TIME_UP,
    Board,
    Offer,
    Refused,
    Seat,
    Shows,
    Value,
    choice,
    each_seat,
    highest,
    in_turn,
    put,
    switch,
    timer,
)
from engine.stamps import Due, S
from engine.words import N_, N_many

SEATS = (2, 5)
CATS = 5  # R1: of each player
HAND = 2  # R3
SPECIAL_TOYS = 3
KINDS = 8  # of toys, at most; the pictures are not published
MAX_TOYS, MAX_SPRAYS = 30, 20  # in a box
MAX_ICONS = 9  # of a kind on one card
NO_TOYS: Toys = (0,) * KINDS


@dataclass(frozen=True, slots=True)
class Options:
    """The options of the rules page, with its defaults."""

    advanced: bool = switch(
        False,
        "all black cats, no double walls, no extra-cat points, a sleeping cat counts half",
        title=N_("Advanced game"),
    )
    sleep_only_blocks: bool = switch(
        False, "sleeping cats alone can hold a box, and then nobody scores it", title=N_("Sleepers block")
    )
    sleepers_in_bonus: bool = switch(
        True, "sleeping cats beside an awake one earn the extra-cat point, too", title=N_("Sleepers' bonus")
    )
    bonus_for_all: bool = switch(
        True, "extra-cat points for everybody, not only for who scores the box", title=N_("Bonus for all")
    )
    toy_is_turn: bool = switch(
        True, "a drawn toy is the card played this turn; off: another card is drawn", title=N_("Toy ends turn")
    )
    entry: str = choice(
        "counts",
        "the commonest toy is counted, or every kind",
        "kinds",
        programs=("cards",),
        title=N_("Toys"),
        says={"counts": N_("commonest"), "kinds": N_("every kind")},
    )
    sleepers_asked: bool = switch(
        True, "off: played without sleeping cats, nobody is asked for them", title=N_("Sleeping cats")
    )
    turn_timer_s: int = timer(
        0, 600, "s for a turn, from the press that starts the timer; 0 is off", title=N_("Turn timer")
    )


# --- state: game, box, question ---------------------------------------------------------------------------------------


class State(game.State):
    options: Options
    points: tuple[int, ...]  # by seat
    negatives: tuple[int, ...]  # spray points as they were scored (A8)
    cats: tuple[int, ...]  # not on the table, by seat
    box: Contents  # the box being counted, as far as it is; or the one counted last
    starter: Seat = 0
    hands: tuple[int, ...] = ()  # cards left to play, by seat; empty until the end is triggered
    uncounted: tuple[int, ...] = ()  # cats that later boxes may hold, by seat
    special: int = 0  # toys played
    black: int = 0  # black cats played
    boxes: int = 0  # scored
    table: Table = Table()

    def in_turn(self, **changes: Any) -> "State":
        """The state with other fields of the turn under way."""
        return self.asking(replace(self.ask, **changes))

    def in_box(self, **changes: Any) -> "State":
        """The state with more counted of the box."""
        return replace(self, box=replace(self.box, **changes))


Question: TypeAlias = game.Question[State]
Events: TypeAlias = tuple[game.Event[State], ...]


class Event(game.Event[State]):
    """The events of If It Fits. Where only numbers are entered, cards are not known: None."""


# --- values derived by the rules --------------------------------------------------------------------------------------


def score_box(options: Options, box: Contents) -> "BoxScored":
    """The points of a box (R22 to R25)."""
    awake, asleep = box.awake, box.asleep
    times = 2 if box.closed else 1  # R24
    value = worth(box)
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
        points[seat], negatives[seat] = value, box.sprays * times  # A8
    if not options.advanced:
        for seat, up in enumerate(awake):
            if up and (options.bonus_for_all or seat in seats):  # R25, A3
                points[seat] += up + (asleep[seat] if options.sleepers_in_bonus else 0) - 1  # A2
    return BoxScored(value, seats, tuple(points), tuple(negatives))


def worth(box: Contents) -> int:
    """The value of a box (R23, R24)."""
    return (box.toys - box.sprays) * (2 if box.closed else 1)


def winners(state: State) -> tuple[Seat, ...]:
    """Most points; of those the fewest negative points; still equal: shared (R26, A8)."""
    best = highest(state.scores, state.seats)
    fewest = min(state.negatives[seat] for seat in best)
    return tuple(seat for seat in best if state.negatives[seat] == fewest)


def order(state: State) -> tuple[Seat, ...]:
    """The seats from the starting player round the table (R5)."""
    return (*range(state.starter, state.players), *range(state.starter))


def black_cats(players: int) -> int:
    """How many black cats a normal game has, and piles to shuffle them into (R2, R4)."""
    return players


def princess_left(state: State) -> bool:
    """Whether a black cat may still turn up; how many there are in the advanced game is not known (R2)."""
    return state.options.advanced or state.black < black_cats(state.players)


def by_cards(state: State) -> bool:
    """Whether cards and cats are reported as laid."""
    return state.options.entry == "cards"


def on_table(cats: int) -> int:
    """How many cats of a player the boxes may hold. Where no cat was ever entered: all of them."""
    return CATS - cats if cats < CATS else CATS


# --- what people are told ---------------------------------------------------------------------------------------------

PLAYED = {
    "asleep": N_("cat asleep"),
    "princess": N_("Princess"),
    "toy": N_("no cat on a toy"),
    "toy_as_card": N_("toy as a card"),
    "discard": N_("discarded"),
}


def heading(state: State) -> tuple[Said, Said]:
    """The box that is counted; before the first box, every question says where the game stands."""
    return N_("BOX {number}", number=state.boxes + 1), ""


def cats_in(box: Contents) -> Said:
    """Cats by player, those asleep behind a plus; where there is no room for it, together, or by seat."""
    counts = [(Short((seat,)), up, down) for seat, (up, down) in enumerate(zip(box.awake, box.asleep, strict=True))]
    there = [(name, up, down) for name, up, down in counts if up or down]
    if not there:
        return N_("no cats")
    asleep = row(
        N_("{name}:{up}+{down}", name=name, up=up, down=down) if down else N_("{name}:{n}", name=name, n=up)
        for name, up, down in there
    )
    together = row(N_("{name}:{n}", name=name, n=up + down) for name, up, down in there)
    bare = " ".join(str(up + down) for _, up, down in counts)
    return N_("cats {numbers}", numbers=asleep), asleep, together, N_("cats {numbers}", numbers=bare), bare


# --- cards reported by programs ---------------------------------------------------------------------------------------


def refuse(answer: Answer, reason: str) -> NoReturn:
    """Refuse an answer that the rules forbid."""
    raise Refused("bad_value", f"{answer.action.verb}: {reason}")


def read(answer: Answer, example: tuple[Any, ...]) -> Any:
    """A value that has the shape of the example."""
    if not alike(answer.value, example):
        refuse(answer, f"{answer.value!r}: must be something like {example!r}")
    return answer.value


def alike(value: object, example: object) -> bool:
    """Whether a value is made as the example is: whole numbers, and tuples of the same length."""
    if isinstance(example, tuple):
        return (
            isinstance(value, tuple)
            and len(value) == len(example)
            and all(alike(one, other) for one, other in zip(value, example, strict=True))
        )
    return type(value) is type(example)


def check_sides(answer: Answer, sides: boxes.Sides) -> None:
    """Refuse sides that no card has."""
    if any(side not in (0, 1) for side in sides):
        refuse(answer, f"sides {sides!r}: north, east, south and west must each be 1 (open) or 0 (a wall)")


def card(state: State, answer: Answer, example: tuple[Any, ...] = (FIRST, OPEN, NO_TOYS, 0)) -> Card:
    """The card of an answer: of the shape of the example, with sides and icons that may lie there (R8 to R10)."""
    laid = Card(*read(answer, example))
    check_sides(answer, laid.sides)
    if not all(0 <= icons <= MAX_ICONS for icons in (*laid.toys, laid.sprays)):
        refuse(answer, f"toys {laid.toys!r} and sprays {laid.sprays}: must be 0 to {MAX_ICONS} of each")
    table, double_walls = state.table, not state.options.advanced
    if table.cards and (reason := boxes.bad_card(table, laid.place, laid.sides, double_walls=double_walls)):
        refuse(answer, reason)
    return laid


# --- cats that were not entered ---------------------------------------------------------------------------------------


class PutRight(Question):
    """In any turn, and while boxes are counted, the menu corrects how many cats a player has left."""

    def label(self, state: State, offer: Offer, value: Value) -> str:
        if offer.verb == "cats" and value is None:
            return N_many("{n} cat left?", "{n} cats left?", known(offer.prefill))
        return super().label(state, offer, value)

    @answers("cats", N_("Cats left?"))
    def see_cats(self, state: State, answer: Answer) -> Events:
        """The cats that a seat really has left; the last one laid triggers the end, unless it has come (R20)."""
        seat, cats = answer.seat, answer.number
        if cats == state.cats[seat]:
            return ()
        return (CatsSeen(seat, cats), LastTurns()) if not (cats or state.hands) else (CatsSeen(seat, cats),)


@lru_cache(10_000)
def forgotten(cats: tuple[int, ...], *, joins: bool = False) -> tuple[Offer, ...]:
    """While boxes are counted: cats that were not entered when laid. A player with none entered may count all."""
    some = [(seat, left) for seat, left in enumerate(cats) if 0 < left < CATS]
    return tuple([Offer(seat, "cats", 0, left, prefill=left, joins=joins, menu=True) for seat, left in some])


class CatsSeen(Event):
    """Cats were laid or sent back, and nobody had entered it."""

    label = N_("cats counted")
    seat: Seat
    cats: int  # not on the table

    def fold(self, state: State) -> State:
        """While boxes are counted, as many more cats may lie in this box and later ones."""
        seat, more = self.seat, state.cats[self.seat] - self.cats
        state = replace(state, cats=put(state.cats, seat, self.cats))
        if not state.uncounted:
            return state
        state = replace(state, uncounted=put(state.uncounted, seat, state.uncounted[seat] + more))
        ask = state.ask  # a seat that had none to count is asked now
        return state.asking(replace(ask, seats=may_have(state))) if isinstance(ask, CountCats) else state


# --- setup ------------------------------------------------------------------------------------------------------------


def of_seats(verb: str, *, hold: bool = False, menu: bool = False) -> tuple[Offer, ...]:
    """An offer without a value, by seat: made once, offered all the time."""
    return tuple(Offer(seat, verb, hold=hold, menu=menu) for seat in range(SEATS[1]))


STARTERS = of_seats(STARTER)


class Starter(Question):
    """Who starts? (R5)"""

    phase = "setup"

    def offers(self, state: State) -> tuple[Offer, ...]:
        return STARTERS[: state.players]

    @answers(STARTER, N_("Who starts?"))
    def name(self, state: State, answer: Answer) -> Events:
        return (StarterNamed(answer.seat),)

    def face(self, state: State) -> Face:
        return Face(deal(state), press=N_("starter? press"), does={STARTER: N_("I start")})


def deal(state: State) -> Said:
    """What is to be prepared."""
    if state.options.advanced:
        return N_("all black cats, deal {hand}", hand=HAND)  # R2, R4
    return N_("{n} black, {n} piles, deal {hand}", n=black_cats(state.players), hand=HAND)


class StarterNamed(Event):
    label = N_("starter named")
    seat: Seat

    def fold(self, state: State) -> State:
        return replace(state, starter=self.seat, ask=StartCards((None,) * state.players))


class StartCards(Question):
    """In turn everybody lays a starting card (R5)."""

    laid: tuple[bool | None, ...]  # by seat

    phase = "start_cards"

    def offers(self, state: State) -> tuple[Offer, ...]:
        out = in_turn(order(state), self.laid, "start_card")
        return tuple([offer._replace(example=start_example(state)) for offer in out]) if by_cards(state) else out

    @answers("start_card", N_("Lay a start card"))
    def lay(self, state: State, answer: Answer) -> Events:
        if answer.value is None:
            return (StartCardLaid(answer.seat, None),)
        example = start_example(state)
        if reason := boxes.bad_start(state.table, read(answer, example)[0]):
            refuse(answer, reason)
        return (StartCardLaid(answer.seat, card(state, answer, example)),)

    def face(self, state: State) -> Face:
        laid = state.players - self.laid.count(None)
        left: Said = N_("CARD {n}/{all}", n=laid + 1, all=state.players)
        return Face(
            left
            if laid
            else deal(state),  # the first card joins none, and where it was drawn who starts nothing was said
            N_("join short sides") if laid else "",
            press=N_("{name}: laid? press", name=Who(self.turn(state))),
            does={"start_card": N_("My card is laid")},
        )


def start_example(state: State) -> tuple[Any, ...]:
    """A starting card that may be laid: the column goes on to the south (R5)."""
    cards = state.table.cards
    return (boxes.beside(cards[-1].place, 2) if cards else FIRST, OPEN, NO_TOYS, 0)


class StartCardLaid(Event):
    label = N_("start card laid")
    seat: Seat
    card: Card | None

    def fold(self, state: State) -> State:
        laid = put(of_kind(StartCards, state.ask).laid, self.seat, True)
        ask = StartCards(laid) if None in laid else Turn(state.starter)
        return replace(state, table=with_piece(state, self.card), ask=ask)


# --- a turn -----------------------------------------------------------------------------------------------------------

TURN_OVER = of_seats("turn_over")
HAND_EMPTY = of_seats("hand_empty", hold=True)
AWAKE = of_seats("awake", menu=True)
ASLEEP = of_seats("asleep", menu=True)
CAT_BACK = of_seats("cat_back", menu=True)
TOY = of_seats("toy", menu=True)
TOY_AS_CARD = of_seats("toy_as_card", menu=True)
DISCARD = of_seats("discard", menu=True)
DECK_EMPTY = Offer(None, "deck_empty", menu=True)
TIMER = Offer(None, "timer")


class Turn(PutRight):
    """A seat builds or puts a cat to sleep (R6, R7)."""

    seat: Seat
    played: str | None = None  # the verb that the turn was used for, as far as it was entered
    cat: bool = False  # an awake cat was placed
    drew: bool = False  # a card was drawn for certain: no cat goes to sleep this turn
    laid: Place | None = None  # of the card laid this turn
    due_ns: Due | None = None  # the timer runs
    late: bool = False  # it has run out

    phase = "turn"
    last: ClassVar[bool] = False  # one of the closing turns

    def offers(self, state: State) -> tuple[Offer, ...]:
        """The end of the turn, events in it, and the timer; while the timer runs, all is one step with it."""
        if by_cards(state):
            out = card_offers(state, self)
        else:
            turn = self if self.due_ns is None else replace(self, due_ns=None)
            toys, sleepers = state.special < SPECIAL_TOYS, state.options.sleepers_asked
            out = menu_offers(turn, state.cats, bool(state.hands), princess_left(state), toys, sleepers)
        if self.due_ns is not None:
            time_up = Offer(None, TIME_UP, due_ns=self.due_ns, race=True)
            return tuple([offer._replace(joins=True) for offer in (*out, time_up)])
        return (*out, TIMER) if self.may_start_timer(state) else out

    def may_start_timer(self, state: State) -> bool:
        """Whether OK starts the timer: once a turn."""
        return state.options.turn_timer_s > 0 and self.due_ns is None and not self.late

    def turn(self, state: State) -> tuple[Seat, ...]:
        return (self.seat,)

    @answers("turn_over", N_("Your turn"))
    def end_turn(self, state: State, answer: Answer) -> Events:
        return played_out(state, TurnEnded(answer.seat))

    @answers("build", N_("Lay a card"))
    def build(self, state: State, answer: Answer) -> Events:
        """A normal card (R8 to R10)."""
        return (Built(answer.seat, card(state, answer)),)

    @answers("awake", N_("+awake cat"))
    def lay_awake(self, state: State, answer: Answer) -> Events:
        """A cat across two cards (R11 to R14)."""
        across = None
        if answer.value is not None:
            one, other = read(answer, (FIRST, FIRST))
            if reason := boxes.bad_cat(state.table, answer.seat, one, other, known(self.laid)):
                refuse(answer, reason)
            across = Across(boxes.western(one, other), Piece.AWAKE, answer.seat)
        return (AwakeLaid(answer.seat, across), *triggered(state, answer.seat))

    @answers("asleep", N_("+sleeping cat"))
    def lay_asleep(self, state: State, answer: Answer) -> Events:
        """A cat laid asleep (R7)."""
        laid = None if answer.value is None else card(state, answer, (FIRST, OPEN))
        laid = laid and laid._replace(piece=Piece.ASLEEP, owner=answer.seat)
        return (AsleepLaid(answer.seat, laid), *triggered(state, answer.seat))

    @answers("cat_back", N_("cat taken back"))
    def send_back(self, state: State, answer: Answer) -> Events:
        return (PrincessPlayed(answer.seat, None, None),)

    @answers("princess", N_("Princess on a cat"))
    def princess(self, state: State, answer: Answer) -> Events:
        """A Princess in place of an awake cat (R18, A9)."""
        one, other = read(answer, (FIRST, FIRST))
        west = boxes.western(one, other)
        for across in state.table.across:
            if across.owner is not None and across.west == west and boxes.beside(west, boxes.EAST) == max(one, other):
                return (PrincessPlayed(across.owner, None, Across(west, Piece.PRINCESS)),)
        refuse(answer, f"no cat lies awake across {one} and {other}")

    @answers("princess_asleep", N_("Princess on a sleeper"))
    def princess_asleep(self, state: State, answer: Answer) -> Events:
        """A Princess in place of a sleeping cat, with the sides printed on her card (A9)."""
        place, sides = read(answer, (FIRST, OPEN))
        check_sides(answer, sides)
        for lying in state.table.cards:
            if lying.owner is not None and lying.place == place:
                return (PrincessPlayed(lying.owner, Card(place, sides, piece=Piece.PRINCESS), None),)
        refuse(answer, f"no cat lies asleep at {place}")

    @answers("toy", N_("special toy"))
    def play_toy(self, state: State, answer: Answer) -> Events:
        """A special toy across two cards (R19, A6)."""
        if answer.value is None:
            return (ToyPlayed(answer.seat, None),)
        (one, other), toys = read(answer, ((FIRST, FIRST), NO_TOYS))
        if not all(0 <= icons <= MAX_ICONS for icons in toys):
            refuse(answer, f"toys {toys!r}: must be 0 to {MAX_ICONS} of each kind")
        if reason := boxes.bad_across(state.table, one, other):
            refuse(answer, reason)
        return (ToyPlayed(answer.seat, Across(boxes.western(one, other), Piece.TOY, toys=toys)),)

    @answers("toy_as_card", N_("toy as a card"))
    def lay_toy(self, state: State, answer: Answer) -> Events:
        """A special toy laid as a card (R19)."""
        laid = None if answer.value is None else card(state, answer, (FIRST, OPEN, NO_TOYS))
        return (ToyLaidAsCard(answer.seat, laid),)

    @answers("discard", N_("Discard"))
    def discard(self, state: State, answer: Answer) -> Events:
        return (Discarded(answer.seat),)

    @answers("deck_empty", N_("Deck empty"))
    def empty_deck(self, state: State, answer: Answer) -> Events:
        return (DeckEmptied(self.seat), LastTurns())

    @answers("timer", N_("Start timer"))
    def start_timer(self, state: State, answer: Answer) -> Events:
        return (TimerStarted(answer.at_ns + state.options.turn_timer_s * S),)

    @answers(TIME_UP, N_("Time is up"))
    def run_out(self, state: State, answer: Answer) -> Events:
        return (TimeRanOut(),)

    def marks(self, state: State) -> dict[str, tuple[Seat, ...]]:
        return {"last": (self.seat,)} if self.late else {}

    def face(self, state: State) -> Face:
        name, used = Who((self.seat,)), N_("+awake cat") if self.cat else ""
        if self.played is not None:
            used = PLAYED.get(self.played, "")
        left, right = (N_("LAST TURNS"), used) if state.hands else (N_("TURN"), used or N_("draw 1, play 1"))  # R6
        big: Said = name
        if self.due_ns is not None:
            big = N_("{name} {time}", name=name, time=Left(self.due_ns))
        elif self.late:
            big = N_("{name} TIME!", name=name)
        ok = N_("OK: timer") if self.may_start_timer(state) else N_("OK: more")
        return Face(left, right, big, press=N_("done? press"), ok=ok, does={"turn_over": N_("I am done")})


class LastTurn(Turn):
    """One of the closing turns: no draw, no sleepers (R21)."""

    phase = "last_turns"
    last = True

    @answers("hand_empty", N_("Hand is empty"))
    def empty_hand(self, state: State, answer: Answer) -> Events:
        return played_out(state, HandEmptied(answer.seat))

    def face(self, state: State) -> Face:
        face, name, n = super().face(state), Who((self.seat,)), state.hands[self.seat]
        line = N_("no draw, no sleeping cats") if state.options.sleepers_asked else N_("do not draw any more")  # R21
        counted = (
            N_("{name}: {cards}", name=name, cards=N_many("{n} card", "{n} cards", n)),
            N_("{name}: {n}", name=name, n=n),
        )
        big = face.big if self.late or self.due_ns is not None else counted
        ok = (N_("OK: timer"), N_("OK:time")) if self.may_start_timer(state) else N_("OK:more")
        return face._replace(big=big, lines=(line,), press=N_("tap:done hold:0"), ok=ok)


@lru_cache(10_000)
def menu_offers(
    turn: Turn, cats: tuple[int, ...], closing: bool, princess: bool, toys: bool, sleepers: bool
) -> tuple[Offer, ...]:
    """The turn where cards are not entered: played cats and toys are entered in the menu."""
    seat, unused = turn.seat, turn.played is None and not turn.cat
    out = [TURN_OVER[seat]]
    if turn.last:
        out.append(HAND_EMPTY[seat])  # A13
    if cats[seat] and not turn.cat and turn.played in (None, "toy_as_card"):  # R6, R12, A4
        out.append(AWAKE[seat])
    if cats[seat] and unused and sleepers and not (turn.last or turn.drew):  # R7, R21
        out.append(ASLEEP[seat])
    if not closing and turn.played != "asleep":  # R20
        out.append(DECK_EMPTY)
    if unused and princess:  # R18
        out += [CAT_BACK[other] for other, left in enumerate(cats) if left < CATS]
    if unused and toys and not turn.last:  # R19
        out += [TOY[seat], TOY_AS_CARD[seat]]
    # cats that were not entered when they were laid or sent back
    out += [Offer(other, "cats", 0, CATS, prefill=left, menu=True) for other, left in enumerate(cats)]
    return tuple(out)


def card_offers(state: State, turn: Turn) -> tuple[Offer, ...]:
    """The turn where cards and cats are reported as laid."""
    seat, table, out = turn.seat, state.table, list[Offer]()
    if turn.played is None:
        place = boxes.free_place(table)
        cat, sleeper = princess_examples(state)
        out.append(Offer(seat, "build", example=(place, OPEN, NO_TOYS, 0)))
        if cat:
            out.append(Offer(seat, "princess", example=cat))
        if sleeper:
            out.append(Offer(seat, "princess_asleep", example=sleeper))
        out.append(DISCARD[seat])  # A9, A10
        if not turn.last and state.special < SPECIAL_TOYS:
            across = next(boxes.toy_places(table), None)  # R19
            if across is None:
                out.append(Offer(seat, "toy_as_card", example=(place, OPEN, NO_TOYS)))
            else:
                out.append(Offer(seat, "toy", example=(across, NO_TOYS)))
        if state.cats[seat] and state.options.sleepers_asked and not (turn.last or turn.drew):
            out.append(Offer(seat, "asleep", example=(place, OPEN)))
    else:
        out.append(TURN_OVER[seat])
    if turn.last and turn.played is None:
        out.append(HAND_EMPTY[seat])
    if turn.laid is not None and not turn.cat and state.cats[seat]:
        across = next(boxes.cat_places(table, seat, turn.laid), None)
        if across is not None:
            out.append(Offer(seat, "awake", example=across))
    if not state.hands and turn.played != "asleep":
        out.append(DECK_EMPTY)
    return tuple(out)


def princess_examples(state: State) -> tuple[tuple[Any, ...] | None, tuple[Any, ...] | None]:
    """An awake cat and a sleeping one that a Princess may replace."""
    if not princess_left(state):
        return None, None
    awake = (across.west for across in state.table.across if across.piece is Piece.AWAKE)
    asleep = ((card.place, OPEN) for card in state.table.cards if card.piece is Piece.ASLEEP)
    west = next(awake, None)
    return None if west is None else (west, boxes.beside(west, boxes.EAST)), next(asleep, None)


def triggered(state: State, seat: Seat) -> Events:
    """One more cat of this seat triggers the end: the fifth (R20)."""
    return (LastTurns(),) if state.cats[seat] == 1 and not state.hands else ()


def played_out(state: State, event: "TurnEnded | HandEmptied") -> Events:
    """The end of a turn. Where the cards are known, the end of the last turn scores every box with a cat in it."""
    if not by_cards(state) or isinstance(event.fold(state).ask, Turn):
        return (event,)
    counted = [boxes.contents(state.table, box, state.players) for box in boxes.boxes(state.table)]
    with_cats = [box for box in counted if any(box.awake) or any(box.asleep)]
    return (event, *[score_box(state.options, box) for box in with_cats], GameEnded())


def with_piece(state: State, piece: Card | Across | None) -> Table:
    """The table with a card, or with something across two cards, where it is known."""
    if piece is None:
        return state.table
    return boxes.with_card(state.table, piece) if isinstance(piece, Card) else boxes.with_across(state.table, piece)


class Built(Event):
    label = N_("card laid")
    seat: Seat
    card: Card

    def fold(self, state: State) -> State:
        table = with_piece(state, self.card)
        return replace(state, table=table).in_turn(played="build", laid=self.card.place)


class AwakeLaid(Event):
    label = N_("awake cat laid")
    seat: Seat
    across: Across | None

    def fold(self, state: State) -> State:
        seat, left = self.seat, state.cats[self.seat] - 1
        if not isinstance(state.ask, Turn):  # early journals store a forgotten cat like this
            return CatsSeen(seat, left).fold(state)
        cats, table = put(state.cats, seat, left), with_piece(state, self.across)
        return replace(state, cats=cats, table=table).in_turn(cat=True)


class AsleepLaid(Event):
    label = N_("sleeping cat laid")
    seat: Seat
    card: Card | None

    def fold(self, state: State) -> State:
        cats = put(state.cats, self.seat, state.cats[self.seat] - 1)
        return replace(state, cats=cats, table=with_piece(state, self.card)).in_turn(played="asleep")


class PrincessPlayed(Event):
    """A cat goes back to its owner (R18)."""

    label = N_("Princess played")
    seat: Seat  # the owner
    card: Card | None  # she lies in place of a sleeping cat,
    across: Across | None  # or of an awake one

    def fold(self, state: State) -> State:
        cats = put(state.cats, self.seat, state.cats[self.seat] + 1)  # R18; the end stays triggered (R20)
        table = with_piece(state, self.card or self.across)
        return replace(state, cats=cats, black=state.black + 1, table=table).in_turn(played="princess")


class ToyPlayed(Event):
    label = N_("toy played")
    seat: Seat
    across: Across | None

    def fold(self, state: State) -> State:
        return after_toy(state, self.across, "toy", None)


class ToyLaidAsCard(Event):
    label = N_("toy laid as card")
    seat: Seat
    card: Card | None

    def fold(self, state: State) -> State:
        return after_toy(state, self.card, "toy_as_card", None if self.card is None else self.card.place)


def after_toy(state: State, toy: Card | Across | None, verb: str, place: Place | None) -> State:
    """The turn after a special toy: it was the card played, or another one is drawn (A4)."""
    used = {"played": verb, "laid": place} if state.options.toy_is_turn else {}
    return replace(state, special=state.special + 1, table=with_piece(state, toy)).in_turn(drew=True, **used)


class Discarded(Event):
    """A Princess with no cat to replace (A9), or another card with no place to lie (A10)."""

    label = N_("card discarded")
    seat: Seat

    def fold(self, state: State) -> State:
        return state.in_turn(played="discard")


class DeckEmptied(Event):
    label = N_("deck emptied")
    seat: Seat  # who drew the last card

    def fold(self, state: State) -> State:
        return state.in_turn(drew=True)


class LastTurns(Event):
    """The end is triggered; every hand is still played out (R20, R21)."""

    label = N_("last turns")

    def fold(self, state: State) -> State:
        return replace(state, hands=(HAND,) * state.players)  # R21


class TimerStarted(Event):
    label = N_("timer started")
    due_ns: Due

    def fold(self, state: State) -> State:
        return state.in_turn(due_ns=self.due_ns)


class TimeRanOut(Event):
    """A reminder: the turn goes on."""

    label = N_("time ran out")

    def fold(self, state: State) -> State:
        return state.in_turn(due_ns=None, late=True)


class TurnEnded(Event):
    label = N_("turn ended")
    seat: Seat

    def fold(self, state: State) -> State:
        seat, hands = self.seat, state.hands
        last = isinstance(state.ask, LastTurn)
        return next_turn(state, seat, put(hands, seat, hands[seat] - 1) if last else hands)


class HandEmptied(Event):
    label = N_("hand emptied")
    seat: Seat

    def fold(self, state: State) -> State:
        return next_turn(state, self.seat, put(state.hands, self.seat, 0))


def next_turn(state: State, seat: Seat, hands: tuple[int, ...]) -> State:
    """The next seat's turn; once every hand is empty, the first box (R21)."""
    players = state.players
    if not hands:
        return state.asking(Turn((seat + 1) % players))
    for step in range(1, players + 1):
        other = (seat + step) % players
        if hands[other]:  # A13
            return replace(state, hands=hands, ask=LastTurn(other))
    uncounted = tuple([on_table(cats) for cats in state.cats])
    return replace(state, hands=hands, uncounted=uncounted, ask=first_question(state))


# --- counting a box ---------------------------------------------------------------------------------------------------

NO_MORE = Offer(None, "done", menu=True)  # a box was begun, but there is none left
NEXT = (Offer(None, "next"), NO_MORE)


def nothing(players: int) -> Contents:
    """A box before anything of it is counted."""
    return Contents(0, 0, False, (0,) * players, (0,) * players)


def first_question(state: State) -> Question:
    """The first question of a box: its commonest toy, or every kind."""
    return Kind() if state.options.entry == "kinds" else Commonest()


class Counting(PutRight):
    """A question to the table about a box."""

    phase = "box"
    subject: ClassVar[Shows] = "points"

    def offers(self, state: State) -> tuple[Offer, ...]:
        return (*self.offered, *forgotten(state.cats))

    @answers("done", N_("All boxes done"))
    def end_game(self, state: State, answer: Answer) -> Events:
        return (GameEnded(),)


class Commonest(Counting):
    """How many toys of its commonest kind? (R23)"""

    offered = (Offer(None, "toys", 0, MAX_TOYS, prefill=0), Offer(None, "count_kinds", menu=True), NO_MORE)

    def label(self, state: State, offer: Offer, value: Value) -> str:
        if offer.verb == "toys" and value is None:
            return N_("Box {number}: toys?", number=state.boxes + 1)
        return super().label(state, offer, value)

    @answers("toys", N_("Commonest toy?"))
    def count(self, state: State, answer: Answer) -> Events:
        return (ToysCounted(answer.number),)

    @answers("count_kinds", N_("Count every kind"))
    def ask_kinds(self, state: State, answer: Answer) -> Events:
        return (KindsAsked(),)

    def face(self, state: State) -> Face:
        return Face(right=N_("most common kind"))


class ToysCounted(Event):
    label = N_("toys counted")
    toys: int

    def fold(self, state: State) -> State:
        return state.in_box(toys=self.toys).asking(Sprays())


class KindsAsked(Event):
    """Every kind of toy in this box is counted."""

    label = N_("every kind asked")

    def fold(self, state: State) -> State:
        return state.asking(Kind())


class Kind(Counting):
    """Kind by kind: how many toys of it?"""

    kinds: tuple[int, ...] = ()  # counted so far

    offered = (Offer(None, "kind", 0, MAX_TOYS, prefill=0),)

    def offers(self, state: State) -> tuple[Offer, ...]:
        no_more = () if self.kinds else (NO_MORE,)
        return (*self.offered, *no_more, *forgotten(state.cats))

    def label(self, state: State, offer: Offer, value: Value) -> str:
        if offer.verb == "kind" and value is None:
            if not self.kinds:
                return N_("Box {number}: toy kind 1?", number=state.boxes + 1)
            return N_("Kind {number}? 0: none", number=len(self.kinds) + 1)
        return super().label(state, offer, value)

    @answers("kind", N_("Toys of a kind?"))
    def count(self, state: State, answer: Answer) -> Events:
        return (KindCounted(answer.number),)

    def face(self, state: State) -> Face:
        if not self.kinds:
            return USUAL
        numbers = ", ".join(map(str, self.kinds))
        return Face(right=(N_("toys {numbers}", numbers=numbers), numbers, N_("most {n}", n=max(self.kinds))))


class KindCounted(Event):
    label = N_("kind counted")
    toys: int  # 0: there is no other kind

    def fold(self, state: State) -> State:
        kinds = (*of_kind(Kind, state.ask).kinds, self.toys)
        if self.toys and len(kinds) < KINDS:
            return state.asking(Kind(kinds))
        return state.in_box(toys=max(kinds)).asking(Sprays())


class Sprays(Counting):
    """How many spray bottles? (R23)"""

    offered = (Offer(None, "sprays", 0, MAX_SPRAYS, prefill=0),)

    @answers("sprays", N_("Spray bottles?"))
    def count(self, state: State, answer: Answer) -> Events:
        return (SpraysCounted(answer.number),)

    def face(self, state: State) -> Face:
        return Face(right=N_("toys {numbers}", numbers=state.box.toys))


class SpraysCounted(Event):
    label = N_("sprays counted")
    sprays: int

    def fold(self, state: State) -> State:
        return state.in_box(sprays=self.sprays).asking(Closed())


class Closed(Counting):
    """Is the box closed? (R24)"""

    offered = (Offer(None, "closed", options=("yes", "no")),)

    @answers("closed", N_("Closed?"))
    def see(self, state: State, answer: Answer) -> Events:
        return (ClosedSeen(answer.value == "yes"),)

    def face(self, state: State) -> Face:
        return Face(right=N_("toys {toys} sprays {sprays}", toys=state.box.toys, sprays=state.box.sprays))


class ClosedSeen(Event):
    label = N_("closed or not")
    closed: bool

    def fold(self, state: State) -> State:
        return state.in_box(closed=self.closed).asking(AwakeCats.of_all(state))


class CountCats(PutRight, Count[State]):
    """Cats in the box: all seats that may have some are asked at once."""

    phase = "box"

    @classmethod
    def of_all(cls, state: State) -> Self:
        """The question before any answer; seats that can only have none are not asked."""
        return cls((None,) * state.players, may_have(state))

    @property
    def cats(self) -> tuple[int, ...]:
        """The answers, by seat."""
        return tuple([cats or 0 for cats in self.numbers])

    def offers(self, state: State) -> tuple[Offer, ...]:
        return cats_offers(self, state.uncounted, state.box.awake, state.cats)

    def face(self, state: State) -> Face:
        value = worth(state.box)
        return Face(right=(N_("points: {value}", value=value), str(value)))


@lru_cache(10_000)
def cats_offers(
    ask: CountCats, uncounted: tuple[int, ...], awake: tuple[int, ...], cats: tuple[int, ...]
) -> tuple[Offer, ...]:
    """Cats in the box of all who are asked, and those that were forgotten."""
    most = at_most(uncounted, awake)
    out = each_seat(ask.numbers, ask.verb, low=0, high=most, prefill=0, seats=ask.seats)
    return (*out, *forgotten(cats, joins=any(offer.joins for offer in out)))


@lru_cache(10_000)
def at_most(uncounted: tuple[int, ...], awake: tuple[int, ...]) -> tuple[int, ...]:
    """How many cats of each seat the box may still hold: first awake, then asleep."""
    return tuple([left - up for left, up in zip(uncounted, awake, strict=True)])


def may_have(state: State) -> tuple[Seat, ...]:
    """The seats that may have cats in the box that are not counted yet."""
    return tuple([seat for seat, left in enumerate(at_most(state.uncounted, state.box.awake)) if left])


class AwakeCats(CountCats):
    """Awake cats; after the last answer the box is scored, unless sleepers are asked for."""

    verb, text = "awake_cats", N_("Awake cats?")

    def done(self, state: State) -> State:
        state = state.in_box(awake=self.cats)
        return state.asking(AsleepCats.of_all(state))

    def then(self, state: State, answer: Answer) -> Events:
        sleepers = state.options.sleepers_asked and of_kind(AsleepCats, state.ask).seats
        return () if sleepers else (score_box(state.options, state.box),)


class AsleepCats(CountCats):
    """Sleeping cats; after the last answer the box is scored."""

    verb, text = "asleep_cats", N_("Sleeping cats?")

    def done(self, state: State) -> State:
        return state.in_box(asleep=self.cats)

    def then(self, state: State, answer: Answer) -> Events:
        return (score_box(state.options, state.box),)


class BoxScored(Event):
    label = N_("box scored")
    value: int
    seats: tuple[Seat, ...]  # who scored it
    points: tuple[int, ...]  # by seat, with extra-cat points
    negatives: tuple[int, ...]  # spray points among them, by seat

    def fold(self, state: State) -> State:
        counts = zip(state.uncounted, state.box.awake, state.box.asleep, strict=True)  # none where cards are known
        return replace(
            state,
            points=tuple([old + new for old, new in zip(state.points, self.points, strict=True)]),
            negatives=tuple([old + new for old, new in zip(state.negatives, self.negatives, strict=True)]),
            uncounted=tuple([cats - up - down for cats, up, down in counts]),
            boxes=state.boxes + 1,
            ask=Result(self.value, self.seats, self.points),
        )


class Result(Counting):
    """The points of a box are shown."""

    value: int
    seats: tuple[Seat, ...]  # who scored it
    points: tuple[int, ...]  # by seat, with extra-cat points

    phase = "result"
    subject = "result"
    offered = (Offer(None, "done"),)

    def offers(self, state: State) -> tuple[Offer, ...]:
        """On to the next box or, once every cat is counted, to the end, unless one was forgotten."""
        return NEXT if any(state.uncounted) else super().offers(state)

    @answers("next", N_("Next box"))
    def next_box(self, state: State, answer: Answer) -> Events:
        return (BoxStarted(),)

    def marks(self, state: State) -> dict[str, tuple[Seat, ...]]:
        return {"first": self.seats} if self.seats else {}

    def face(self, state: State) -> Face:
        box, number = state.box, state.boxes
        kind = N_("BOX {number} closed", number=number) if box.closed else N_("BOX {number} open", number=number)
        counted = f"({box.toys}-{box.sprays})x2" if box.closed else f"{box.toys}-{box.sprays}"
        more = any(state.uncounted)
        return Face(
            (kind, N_("BOX {number}", number=number)),
            f"{counted}={self.value}",
            lines=(cats_in(box),),
            values=tuple(map(str, state.scores)),
            below=tuple([f"{n:+}" if n or seat in self.seats else "" for seat, n in enumerate(self.points)]),
            lit=self.seats,
            press="" if more else N_("all cats counted"),
            ok=N_("OK: next box") if more else N_("OK: end"),
            turn=N_("done") if more else "",
            does={"next": N_("Count the next box")} if more else {"done": N_("Show the final scores")},
        )


class BoxStarted(Event):
    label = N_("box started")

    def fold(self, state: State) -> State:
        return replace(state, box=nothing(state.players), ask=first_question(state))


class GameEnded(Event):
    label = N_("game ended")

    def fold(self, state: State) -> State:
        return state.asking(Over())


class Over(game.Over[State]):
    """Where the highest total is shared, the negative points decide."""

    def face(self, state: State) -> Face:
        best = highest(state.scores, state.seats)
        if len(best) == 1:
            return USUAL
        negatives = [state.negatives[seat] for seat in best]
        named = row(N_("{name}-{n}", name=Short((seat,)), n=n) for seat, n in zip(best, negatives, strict=True))
        return Face(right=(named, " ".join(f"-{n}" for n in negatives)))


# --- the board and the rules ------------------------------------------------------------------------------------------


def board(state: State) -> Board:
    """The public view of the game. A round is a box being counted; before, there is one round."""
    phase = state.ask.phase
    tokens = tuple([token(state, seat) for seat in state.seats])
    round_ = max(1, state.boxes + (phase == "box"))
    marks = {"winner": winners(state)} if state.over else state.ask.marks(state)
    return game.board(state, round_, order=order(state), tokens=tokens, highlight=marks)


def token(state: State, seat: Seat) -> dict[str, int]:
    """The tokens of a seat: cats, cards to be played out once the end is triggered, spray points."""
    before = {"cats": state.cats[seat], "negatives": state.negatives[seat]}
    return {**before, "turns": state.hands[seat]} if state.hands else before


def start(players: int, options: Options) -> State:
    """Five cats before everybody; who starts? (R1 to R5)"""
    none = (0,) * players
    return State(none, Starter(), options, none, none, (CATS,) * players, nothing(players))


RULES = game.Rules(
    name="if_it_fits",
    title=N_("If It Fits"),
    seats=SEATS,
    options=Options,
    start=start,
    event=Event,
    shared=(Entered,),
    board=board,
    winners=winners,
    heading=heading,
)
