"""CAT Pageant: adopt cats, groom them, learn their tricks, and show them where their trick is asked for.

Rule numbers (R, A, T) are those of the rules page. A print-and-play game by niceboardgames, 2023.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache, lru_cache
from typing import Any, NamedTuple, NoReturn, TypeAlias

from engine.rules import (
    GO,
    RECALL,
    Action,
    Board,
    Chance,
    Offer,
    RaceBoard,
    Refused,
    Rules,
    Seat,
    Value,
    against_clock,
    choice,
    each_seat,
    highest,
    number,
    put,
    replace,
    replacer,
    switch,
    timer,
)

CATS = 42
CUBES = 20  # the supply that a table is asked to bring
CUBES_EACH = 4  # R2
MOST_STAT = 20  # of a fancier
MOST_MOXIE = 20  # of a cat
TRICKS = ("cube", "show", "groom", "media", "registration")
WILD = "wild"
WITH_TRICK = 40  # cats that are not wild
MEDIA_CAP = 3  # R24
LETTERS = tuple("ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789")
LONGEST_NAME = 8
MOST_FANCIERS = 12  # known from earlier games
NEW, NO = "new", "no"
ENOUGH = "done"
S = 1_000_000_000


class Verb(StrEnum):
    RECALL = RECALL
    FANCIER = "fancier"
    MOXIE_LOW = "moxie_low"
    MOXIE_HIGH = "moxie_high"
    HUSTLE_LOW = "hustle_low"
    HUSTLE_HIGH = "hustle_high"
    NAME = "name"
    PLACE = "place"
    GO = GO
    HUSTLE = "hustle"
    GROOM_CUBES = "groom_cubes"
    DRAW = "draw"
    TAKE = "take"
    PASS = "pass"
    TIME_UP = "time_up"
    TRICK = "trick"
    MOXIE = "moxie"
    PAGEANTS = "pageants"
    DONE = "done"
    ALL_DONE = "all_done"
    TRAIN_HUSTLE = "train_hustle"
    TRAIN_MOXIE = "train_moxie"
    LEARN = "learn"
    GROOM = "groom"
    SHOWN = "shown"
    SHOW = "show"
    COUNT = "count"
    NEXT = "next"
    END_NOW = "end_now"
    PILE = "pile"
    MEDIA = "media"
    UNGROOMED = "ungroomed"


STATS = (Verb.MOXIE_LOW, Verb.MOXIE_HIGH, Verb.HUSTLE_LOW, Verb.HUSTLE_HIGH)  # as they are entered


@dataclass(frozen=True, slots=True)
class Options:
    """The options of the rules page, with its defaults."""

    initiative_tiebreak: str = choice(
        "draw",
        "level initiative: lots are drawn, or clockwise from the last",
        "seat",
        title="Hustle tie",
        says={"draw": "by lot", "seat": "by seat"},
    )
    media_counts_cube: bool = switch(True, "the trick cube counts for the media bonus", title="Media with cube")
    open_pageant: str = choice(
        "per_cube",
        "one show cube shows as usual, or any number of cats",
        "unlimited",
        title="Open show",
        says={"per_cube": "by cube", "unlimited": "all cats"},
    )
    cube_limit: int | str = number(
        "none", CUBES, CUBES, "cubes of the whole table", "none", title="All cubes", says={"none": "no limit"}
    )
    placing_countdown: int = timer(
        3, 10, "s counted down before the cubes are placed; 0: count yourselves", title="Count down"
    )
    entry: str = choice(
        "counts",
        "piles are counted at the end, or each cat is entered",
        "cards",
        title="Score by",
        says={"counts": "piles", "cards": "each cat"},
    )
    turn_timer_s: int = timer(0, 600, "s for a turn of adopting or grooming; 0 is off", title="Turn timer")


# --- state: game, round, question ------------------------------------------------------------------------------------

Answers: TypeAlias = tuple[int | None, ...]  # by seat; None until it has answered


class Cat(NamedTuple):
    """A cat beside a time card, where each cat is entered."""

    trick: str
    moxie: int
    groomed: bool = False
    fresh: bool = True  # adopted in this round: its cube is still on it (R12)


class Known(NamedTuple):
    """A fancier of an earlier game, as it is printed."""

    name: str
    moxie_low: int
    moxie_high: int
    hustle_low: int
    hustle_high: int


@dataclass(frozen=True, slots=True)
class WhichFancier:
    """Has this seat one of the fanciers that are known?"""

    seat: Seat


@dataclass(frozen=True, slots=True)
class Fancier:
    """The printed limits of this seat's fancier, one after the other (R2)."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class Name:
    """Under which name is this fancier kept? Letter by letter."""

    seat: Seat
    letters: str = ""


@dataclass(frozen=True, slots=True)
class Place:
    """Everybody holds their cubes (R3)."""


@dataclass(frozen=True, slots=True)
class Countdown:
    """Cubes are placed when the clock reaches `due_ns`."""

    due_ns: int


@dataclass(frozen=True, slots=True)
class Hustle:
    """How many cubes lie on hustle?"""


@dataclass(frozen=True, slots=True)
class GroomCubes:
    """How many cubes of these seats lie on groom? The rest is on show."""

    seats: tuple[Seat, ...]


@dataclass(frozen=True, slots=True)
class Order:
    """Initiative is found; the first player draws (R4 to R7)."""


@dataclass(frozen=True, slots=True)
class Adopt:
    """This seat takes a cat or passes (R8)."""

    seat: Seat
    passes: int = 0  # in a row
    due_ns: int | None = None


@dataclass(frozen=True, slots=True)
class CatTrick:
    """Which trick has the cat just taken?"""

    seat: Seat


@dataclass(frozen=True, slots=True)
class CatMoxie:
    """And which moxie?"""

    seat: Seat
    trick: str


@dataclass(frozen=True, slots=True)
class Pageants:
    """Adopting is over: which pageants are there? (R15)"""


@dataclass(frozen=True, slots=True)
class CardTrick:
    """Which trick has the next pageant card?"""


@dataclass(frozen=True, slots=True)
class Groom:
    """This seat spends its groom cubes (R11)."""

    seat: Seat
    free: int = 0  # cats that the cube spent last grooms besides
    due_ns: int | None = None


@dataclass(frozen=True, slots=True)
class Learn:
    """Which trick, or which cat's, is learned?"""

    groom: Groom


@dataclass(frozen=True, slots=True)
class Show:
    """How many cats have these seats in this pageant? Nobody: it closes by itself."""

    seats: tuple[Seat, ...]
    most: tuple[int, ...] = ()  # cats that each seat may show, those not asked included


@dataclass(frozen=True, slots=True)
class ShowCat:
    """Which cat does this seat show, and where? (R16, R17)"""

    seat: Seat


@dataclass(frozen=True, slots=True)
class CardMoxie:
    """Which moxie has the pageant card that this seat has won?"""

    seat: Seat


@dataclass(frozen=True, slots=True)
class Result:
    """Cubes go back (R21)."""


@dataclass(frozen=True, slots=True)
class Piles:
    """How much moxie is in these score piles? (R23)"""

    seats: tuple[Seat, ...]
    final: bool


@dataclass(frozen=True, slots=True)
class Media:
    """The media bonuses (R24)."""


@dataclass(frozen=True, slots=True)
class Final:
    """All is counted; only level totals ask once more (R25)."""

    told: tuple[Seat, ...] = ()  # whose ungroomed cats are known from a tie before points were fixed


Question: TypeAlias = (
    WhichFancier
    | Fancier
    | Name
    | Place
    | Countdown
    | Hustle
    | GroomCubes
    | Order
    | Adopt
    | CatTrick
    | CatMoxie
    | Pageants
    | CardTrick
    | Groom
    | Learn
    | Show
    | ShowCat
    | CardMoxie
    | Result
    | Piles
    | Media
    | Final
)


class Round(NamedTuple):
    number: int
    ask: Question
    answers: Answers  # to the question that all are asked at once
    hustle: tuple[int, ...]  # cubes left on hustle, by seat
    rest: tuple[int, ...]  # cubes left on groom; with counts: on groom and show, nobody knows which
    show: tuple[int, ...]  # cubes on show; with counts 0
    taken: tuple[int, ...]  # cats adopted in this round
    shown: tuple[tuple[int, ...], ...] = ()  # cats shown, by pageant and seat
    misfits: tuple[int, ...] = ()  # cats shown by registration, by seat
    order: tuple[Seat, ...] = ()  # R6
    lots: tuple[Seat, ...] = ()  # whose place was drawn by lot
    middle: int = 0  # cats in the middle
    pageants: tuple[str, ...] = ()  # trick of each pageant card, "" where nobody knows; none: an open pageant
    drawn: bool = False  # the only pageant card came from the deck
    won: tuple[Seat | None, ...] = ()  # by pageant that is over: who has its card


class State(NamedTuple):
    options: Options
    corrected: tuple[int, ...]
    round: Round
    stats: tuple[tuple[int, ...], ...]  # of each fancier, as far as they are entered
    moxie: tuple[int, ...]  # current, by seat
    hustle: tuple[int, ...]
    cubes: tuple[int, ...]  # own
    cats: tuple[int, ...]  # beside each time card, those taken in this round too
    scored: tuple[int, ...]  # cards in the score pile
    pile: Answers  # their moxie; None where it was not counted
    counted: tuple[int, ...]  # cards in the pile when it was counted
    media: Answers  # media bonus as counted
    ungroomed: Answers  # asked only where totals are level
    tricks: tuple[tuple[str, ...], ...]  # learned, by seat
    hand: tuple[tuple[Cat, ...], ...]  # cats beside each time card, where they are entered
    deck: int = CATS
    first: Seat = 0  # first player of the last round
    known: tuple[Known, ...] = ()  # fanciers of earlier games, and those saved in this one
    named: tuple[str, ...] = ()  # by seat; "" for a fancier without a name


# what changes with almost every action
with_round = replacer(State, "round")
with_deck = replacer(State, "deck", "round")
with_cats = replacer(State, "cats", "round")
with_scored = replacer(State, "cats", "scored", "round")
with_cards = replacer(State, "deck", "scored", "round")
with_first = replacer(State, "first", "round")
with_ask = replacer(Round, "ask")
with_answers = replacer(Round, "answers")
newly_asked = replacer(Round, "ask", "answers")
with_order = replacer(Round, "order", "lots", "hustle", "rest")
with_middle = replacer(Round, "middle", "ask")
with_taken = replacer(Round, "ask", "hustle", "taken", "middle")
with_pageants = replacer(Round, "middle", "drawn", "shown", "pageants")
with_shown = replacer(Round, "answers", "shown")
with_won = replacer(Round, "won")


# --- events ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class FanciersKnown:
    fanciers: tuple[tuple[str, int, int, int, int], ...]  # name, lowest and highest moxie, lowest and highest hustle


@dataclass(frozen=True, slots=True)
class FancierNew:
    seat: Seat


@dataclass(frozen=True, slots=True)
class LetterEntered:
    seat: Seat
    letter: str


@dataclass(frozen=True, slots=True)
class FancierSaved:
    """Entered and named, or chosen by its name."""

    seat: Seat
    name: str
    moxie_low: int
    moxie_high: int
    hustle_low: int
    hustle_high: int


@dataclass(frozen=True, slots=True)
class FancierUnnamed:
    seat: Seat


@dataclass(frozen=True, slots=True)
class StatEntered:
    seat: Seat
    stat: str
    value: int


@dataclass(frozen=True, slots=True)
class CountdownStarted:
    due_ns: int


@dataclass(frozen=True, slots=True)
class Placed:
    at_ns: int


@dataclass(frozen=True, slots=True)
class HustleEntered:
    seat: Seat
    cubes: int


@dataclass(frozen=True, slots=True)
class OrderFound:
    order: tuple[Seat, ...]
    lots: tuple[Seat, ...]  # whose place was drawn by lot


@dataclass(frozen=True, slots=True)
class GroomEntered:
    seat: Seat
    cubes: int


@dataclass(frozen=True, slots=True)
class CatsDrawn:
    cats: int


@dataclass(frozen=True, slots=True)
class Adopted:
    seat: Seat


@dataclass(frozen=True, slots=True)
class Passed:
    seat: Seat


@dataclass(frozen=True, slots=True)
class TrickEntered:
    seat: Seat
    trick: str


@dataclass(frozen=True, slots=True)
class CatEntered:
    seat: Seat
    trick: str
    moxie: int


@dataclass(frozen=True, slots=True)
class PageantsSet:
    cards: int  # 0: an open pageant
    drawn: bool  # the card came from the deck


@dataclass(frozen=True, slots=True)
class CardEntered:
    trick: str


@dataclass(frozen=True, slots=True)
class TurnTimed:
    due_ns: int


@dataclass(frozen=True, slots=True)
class Trained:
    seat: Seat
    stat: str


@dataclass(frozen=True, slots=True)
class LearnStarted:
    seat: Seat


@dataclass(frozen=True, slots=True)
class Learned:
    seat: Seat
    trick: str
    cat: int | None  # its place in the hand, where cats are entered


@dataclass(frozen=True, slots=True)
class Groomed:
    seat: Seat
    cat: int  # its place in the hand


@dataclass(frozen=True, slots=True)
class GroomDone:
    seat: Seat


@dataclass(frozen=True, slots=True)
class AllGroomed:
    """Nobody has more to groom."""


@dataclass(frozen=True, slots=True)
class Shown:
    seat: Seat
    cats: int  # in the pageant that is open


@dataclass(frozen=True, slots=True)
class CatShown:
    seat: Seat
    pageant: int  # 0 is the first
    cat: int  # its place in the hand


@dataclass(frozen=True, slots=True)
class ShowDone:
    seat: Seat


@dataclass(frozen=True, slots=True)
class PageantsClosed:
    won: tuple[Seat | None, ...]  # by pageant: who takes the card; nobody: it goes below the deck


@dataclass(frozen=True, slots=True)
class CardValued:
    seat: Seat
    moxie: int


@dataclass(frozen=True, slots=True)
class CountStarted:
    """The score piles are counted before the end."""


@dataclass(frozen=True, slots=True)
class RoundStarted:
    number: int


@dataclass(frozen=True, slots=True)
class ScoringStarted:
    """No more rounds."""


@dataclass(frozen=True, slots=True)
class PileCounted:
    seat: Seat
    moxie: int


@dataclass(frozen=True, slots=True)
class MediaCounted:
    seat: Seat
    points: int


@dataclass(frozen=True, slots=True)
class GameEnded:
    pass


@dataclass(frozen=True, slots=True)
class UngroomedCounted:
    seat: Seat
    cats: int


Event: TypeAlias = (
    FanciersKnown
    | FancierNew
    | LetterEntered
    | FancierSaved
    | FancierUnnamed
    | StatEntered
    | CountdownStarted
    | Placed
    | HustleEntered
    | OrderFound
    | GroomEntered
    | CatsDrawn
    | Adopted
    | Passed
    | TrickEntered
    | CatEntered
    | PageantsSet
    | CardEntered
    | TurnTimed
    | Trained
    | LearnStarted
    | Learned
    | Groomed
    | GroomDone
    | AllGroomed
    | Shown
    | CatShown
    | ShowDone
    | PageantsClosed
    | CardValued
    | CountStarted
    | RoundStarted
    | ScoringStarted
    | PileCounted
    | MediaCounted
    | GameEnded
    | UngroomedCounted
)


# --- what follows from the rules -------------------------------------------------------------------------------------


def draw_size(players: int, cubes: int, deck: int) -> int:
    """Cats that the first player draws, with so many cubes on hustle (R7, A3)."""
    return min(players + cubes, deck)


def initiative(values: Sequence[int], lowest: Sequence[int], ranks: Sequence[int]) -> tuple[Seat, ...]:
    """The seats by initiative value, then by the lowest starting hustle, then by rank (R4, R5, A1)."""
    return tuple(sorted(range(len(values)), key=lambda seat: (-values[seat], lowest[seat], ranks[seat])))


def level_seats(values: Sequence[int], lowest: Sequence[int]) -> tuple[Seat, ...]:
    """Seats whose place neither value nor starting hustle decides."""
    keys = list(zip(values, lowest, strict=True))
    if len(set(keys)) == len(keys):
        return ()
    return tuple([seat for seat, key in enumerate(keys) if keys.count(key) > 1])


def cats_a_cube(copies: int) -> int:
    """Cats that one cube grooms or shows, with so many copies of the bonus (R11, R16)."""
    return 1 + copies


def media_bonus(tricks: Sequence[str], counts_cube: bool) -> int:
    """Points for media tricks: by copy, one for each different other trick, at most three (R24, A6)."""
    others = set(tricks) - {"media"} - (set() if counts_cube else {"cube"})
    return tricks.count("media") * min(MEDIA_CAP, len(others))


def most_cats(cats: Sequence[int]) -> Seat | None:
    """Who has strictly most cats in a pageant (R19)."""
    most = max(cats)
    return cats.index(most) if most and cats.count(most) == 1 else None


def by_cards(state: State) -> bool:
    """Whether each cat is entered."""
    return state.options.entry == "cards"


def supply(state: State) -> int:
    """Cubes left in the supply; below zero: the table has brought more (A8)."""
    return CUBES - sum(state.cubes)


def held(hand: Sequence[Cat]) -> int:
    """Moxie of the ungroomed cats of a hand."""
    return sum(cat.moxie for cat in hand if not cat.groomed)


def room(state: State, seat: Seat) -> int:
    """Moxie that one more ungroomed cat may have (R9)."""
    return state.moxie[seat] - held(state.hand[seat])


def called(cat: Cat) -> str:
    """A cat as an option."""
    return f"{cat.trick} {cat.moxie}{' groomed' if cat.groomed else ''}"


def groomable(cat: Cat) -> bool:
    """R11, R12."""
    return not cat.groomed and not cat.fresh


def teaches(cat: Cat) -> bool:
    """R12, A13."""
    return not cat.fresh and cat.trick != WILD


def choices(state: State, now: Round, seat: Seat) -> dict[str, tuple[int, int]]:
    """What a seat may still show: by option the pageant and the cat's place in the hand (R16, R17)."""
    tricks = state.tricks[seat]
    if not now.show[seat]:
        return {}
    unlimited = not now.pageants and state.options.open_pageant == "unlimited"  # A7
    most = now.show[seat] * cats_a_cube(tricks.count("show"))
    if not unlimited and sum(cats[seat] for cats in now.shown) >= most:
        return {}
    misfit = tricks.count("registration") > now.misfits[seat]
    found: dict[str, tuple[int, int]] = {}
    for pageant, asked in enumerate(now.pageants or (WILD,)):  # R20: any cat
        for place, cat in enumerate(state.hand[seat]):
            if cat.groomed and (misfit or fits(cat, asked)):
                found.setdefault(f"{pageant + 1} {cat.trick} {cat.moxie}", (pageant, place))
    return found


def fits(cat: Cat, asked: str) -> bool:
    """Whether a cat may enter without registration (R17)."""
    return WILD in (cat.trick, asked) or cat.trick == asked


def trainable(state: State, seat: Seat, stat: str) -> bool:
    """Never above the highest printed value (R11)."""
    _, most_moxie, _, most_hustle = state.stats[seat]
    return state.moxie[seat] < most_moxie if stat == "moxie" else state.hustle[seat] < most_hustle


@cache
def zeros(players: int) -> tuple[int, ...]:
    """None of something, by seat."""
    return (0,) * players


@cache
def unknown(players: int) -> Answers:
    """Nobody has answered."""
    return (None,) * players


def rested(state: State, now: Round) -> tuple[int, ...]:
    """Cats of each seat without a cube: adopted in an earlier round (R12)."""
    return tuple([cats - new for cats, new in zip(state.cats, now.taken, strict=True)])


def learns(state: State, seat: Seat) -> bool:
    """Whether a seat has a cat to learn from; with counts any without a cube may be one."""
    if by_cards(state):
        return any(teaches(cat) for cat in state.hand[seat])
    return state.cats[seat] > state.round.taken[seat]


def stalled(state: State) -> bool:
    """A16: a full round, no cat adopted and no pageant card won."""
    return not any(state.round.taken) and all(seat is None for seat in state.round.won)


def ended(state: State) -> bool:
    """R22: the deck is empty once unclaimed pageant cards are back."""
    return state.deck == 0


def scores(state: State) -> tuple[int, ...]:
    """Moxie of the score pile, media bonus, and what was fixed by hand (R23)."""
    if by_cards(state):
        media: Answers = tuple(media_bonus(tricks, state.options.media_counts_cube) for tricks in state.tricks)
    else:
        media = state.media
    return tuple(
        (pile or 0) + (bonus or 0) + fixed
        for pile, bonus, fixed in zip(state.pile, media, state.corrected, strict=True)
    )


def winners(state: State) -> tuple[Seat, ...]:
    """Highest total, then most ungroomed cats among those level; still level: shared (R25, A9)."""
    best = highest(scores(state), range(len(state.cubes)))
    return best if len(best) == 1 else highest(ungroomed(state), best)


def ungroomed(state: State) -> tuple[int, ...]:
    """Ungroomed cats of each seat, as far as they are known."""
    if by_cards(state):
        return tuple(sum(not cat.groomed for cat in hand) for hand in state.hand)
    return tuple(cats or 0 for cats in state.ungroomed)


# --- the order of the questions --------------------------------------------------------------------------------------

# questions without a choice in them are made once
CUBES_IN_HAND, HUSTLE_ASKED, ORDER_FOUND, ALL_ADOPTED = Place(), Hustle(), Order(), Pageants()
NOBODY_SHOWS, ROUND_OVER = Show(()), Result()
adopter, groomer = cache(Adopt), cache(Groom)


def fancier_question(state: State, seat: Seat) -> Question:
    """By its name, where fanciers are known, or by its four numbers; after the last one the first round begins."""
    if seat == len(state.cubes):
        return place_question(state.options)
    return WhichFancier(seat) if free_fanciers(state) else Fancier(seat)


def free_fanciers(state: State) -> tuple[Known, ...]:
    """Known fanciers that no seat has taken."""
    return tuple([fancier for fancier in state.known if fancier.name not in state.named])


def place_question(options: Options) -> Question:
    """R3: the kit counts down, or the table does."""
    return CUBES_IN_HAND if options.placing_countdown else HUSTLE_ASKED


def cubes_question(state: State, now: Round) -> Question:
    """How the other cubes lie, where that has to be known; then the order."""
    seats = tuple([seat for seat, cubes in enumerate(now.rest) if cubes]) if by_cards(state) else ()
    return GroomCubes(seats) if seats else ORDER_FOUND


def adopt_question(state: State, left: tuple[int, ...], middle: int, after: Seat | None, passes: int) -> Question:
    """Whose turn it is after a seat, with so many cubes left on hustle and cats in the middle (R8 to R10, A10)."""
    if not middle:
        return ALL_ADOPTED
    order, cards = state.round.order, by_cards(state)
    able = [seat for seat in order if left[seat] and (not cards or room(state, seat) > 0)]
    if passes >= len(able):
        return ALL_ADOPTED
    if after is not None:
        for seat in order[order.index(after) + 1 :]:
            if seat in able:
                return adopter(seat, passes)
    return adopter(able[0], passes)


def later_groomer(now: Round, after: Seat | None) -> Seat | None:
    """The next in order with a cube to spend on grooming."""
    at = 0 if after is None else now.order.index(after) + 1
    return next((seat for seat in now.order[at:] if now.rest[seat]), None)


def groom_question(state: State, now: Round, after: Seat | None) -> Question:
    """Who grooms after a seat; then the show."""
    seat = later_groomer(now, after)
    return show_question(state, now, None) if seat is None else groomer(seat)


def showers(most: tuple[int, ...], now: Round) -> tuple[Seat, ...]:
    """With counts: who may have a cat to show, of so many without a cube on it, and a cube for it."""
    return tuple([seat for seat, cats in enumerate(most) if cats and now.rest[seat]])


def show_question(state: State, now: Round, after: Seat | None) -> Question:
    """Who shows cats: with counts all who may have some, at once; else the next in order who can (R16)."""
    if not by_cards(state):
        most = rested(state, now)
        return Show(showers(most, now), most)
    at = 0 if after is None else now.order.index(after) + 1
    for seat in now.order[at:]:
        if choices(state, now, seat):
            return ShowCat(seat)
    return NOBODY_SHOWS


def piles_question(state: State, final: bool) -> Question:
    """The score piles that have cards; then the media bonuses."""
    seats = tuple(seat for seat, cards in enumerate(state.scored) if cards)
    return Piles(seats, final) if seats else Media()


# --- offers ----------------------------------------------------------------------------------------------------------


def offers(state: State) -> tuple[Offer, ...]:
    """What each seat and the table may do now; nothing once the game is over."""
    ask = state.round.ask
    return OFFERS[type(ask)](state, ask)


RECALLING = Offer(None, Verb.RECALL, example=(("PIP", 2, 5, 1, 4),))


def stat_offers(state: State, ask: Fancier) -> tuple[Offer, ...]:
    """The next number of a fancier; before the first of all, what the kit has kept of earlier games."""
    seat = ask.seat
    entered = state.stats[seat]
    at = len(entered)
    asked_for = Offer(seat, STATS[at], entered[-1] if at % 2 else 0, MOST_STAT)  # highest is not below lowest
    return (asked_for,) if seat or at or state.known else (asked_for, RECALLING)


def which_offers(state: State, ask: WhichFancier) -> tuple[Offer, ...]:
    return (Offer(ask.seat, Verb.FANCIER, options=(*(known.name for known in free_fanciers(state)), NEW)),)


@cache
def name_offers(seat: Seat, end: str) -> tuple[Offer, ...]:
    """The next letter of a name, or how it ends."""
    return (Offer(seat, Verb.NAME, options=(end, *LETTERS)),)


PLACE = (Offer(None, Verb.PLACE),)
DRAW = (Offer(None, Verb.DRAW),)
PAGEANTS = (Offer(None, Verb.PAGEANTS),)
CARD_TRICK = (Offer(None, Verb.TRICK, options=(*TRICKS, WILD)),)
NEXT = (Offer(None, Verb.NEXT),)
END_NOW = (Offer(None, Verb.END_NOW, options=("no", "yes")),)  # a plain OK plays on
COUNT = Offer(None, Verb.COUNT, menu=True)


def countdown_offers(state: State, ask: Countdown) -> tuple[Offer, ...]:
    return (Offer(None, Verb.GO, due_ns=ask.due_ns, race=True, joins=True),)


def hustle_offers(state: State, ask: Hustle) -> tuple[Offer, ...]:
    return each_seat(state.round.answers, Verb.HUSTLE, low=0, high=state.cubes)


def groom_cubes_offers(state: State, ask: GroomCubes) -> tuple[Offer, ...]:
    return each_seat(state.round.answers, Verb.GROOM_CUBES, low=0, high=state.round.rest, seats=ask.seats)


@cache
def taking(seat: Seat) -> tuple[Offer, ...]:
    """A cat, or not."""
    return (Offer(seat, Verb.TAKE), Offer(seat, Verb.PASS, hold=True), Offer(None, Verb.PASS))


def adopt_offers(state: State, ask: Adopt) -> tuple[Offer, ...]:
    return against_clock(taking(ask.seat), Verb.TIME_UP, ask.due_ns)


def cat_trick_offers(state: State, ask: CatTrick) -> tuple[Offer, ...]:
    return (Offer(ask.seat, Verb.TRICK, options=(*TRICKS, WILD)),)


def cat_moxie_offers(state: State, ask: CatMoxie) -> tuple[Offer, ...]:
    return (Offer(ask.seat, Verb.MOXIE, 1, min(MOST_MOXIE, room(state, ask.seat))),)  # R9


def groom_offers(state: State, ask: Groom) -> tuple[Offer, ...]:
    """Done, by seat or for all; what needs the kit's memory is in the menu; known cats are chosen (R11)."""
    seat = ask.seat
    rest = state.round.rest[seat]
    hustle, moxie, learning = (
        (trainable(state, seat, "hustle"), trainable(state, seat, "moxie"), learns(state, seat))
        if rest
        else (False, False, False)
    )
    cats: tuple[str, ...] | None = None
    if by_cards(state):
        spare = ask.free or rest
        cats = tuple(dict.fromkeys(called(cat) for cat in state.hand[seat] if groomable(cat))) if spare else ()
    return against_clock(grooming_offers(seat, cats, hustle, moxie, learning), Verb.TIME_UP, ask.due_ns)


@lru_cache(maxsize=4096)
def grooming_offers(
    seat: Seat, cats: tuple[str, ...] | None, hustle: bool, moxie: bool, learning: bool
) -> tuple[Offer, ...]:
    """What a cube on groom may be spent on; `cats` are None where nobody has entered them."""
    out = [Offer(seat, Verb.DONE)]
    out += [Offer(None, Verb.ALL_DONE)] if cats is None else [Offer(seat, Verb.GROOM, options=(ENOUGH, *cats))]
    ways = ((hustle, Verb.TRAIN_HUSTLE), (moxie, Verb.TRAIN_MOXIE), (learning, Verb.LEARN))
    return (*out, *(Offer(seat, verb, menu=True) for may, verb in ways if may))


def learn_offers(state: State, ask: Learn) -> tuple[Offer, ...]:
    return (Offer(ask.groom.seat, Verb.TRICK, options=lessons(state, ask.groom.seat)),)


def lessons(state: State, seat: Seat) -> tuple[str, ...]:
    """What a seat may learn: a trick or, where cats are entered, from which cat."""
    if not by_cards(state):
        return TRICKS
    return tuple(dict.fromkeys(called(cat) for cat in state.hand[seat] if teaches(cat)))


def show_offers(state: State, ask: Show) -> tuple[Offer, ...]:
    return each_seat(state.round.answers, Verb.SHOWN, low=0, high=ask.most, prefill=0, seats=ask.seats)


def show_cat_offers(state: State, ask: ShowCat) -> tuple[Offer, ...]:
    return (Offer(ask.seat, Verb.SHOW, options=(ENOUGH, *choices(state, state.round, ask.seat))),)


@cache
def card_offers(seat: Seat) -> tuple[Offer, ...]:
    """The moxie of a card that was won."""
    return (Offer(seat, Verb.MOXIE, 1, MOST_MOXIE),)


def result_offers(state: State, ask: Result) -> tuple[Offer, ...]:
    """On to the next round, or first whether a game that does not move shall end (A16); beside it a count of piles."""
    onward = END_NOW if stalled(state) and not ended(state) else NEXT
    return (*onward, COUNT) if any(state.scored) and not by_cards(state) else onward


def pile_offers(state: State, ask: Piles) -> tuple[Offer, ...]:
    """What was counted before is filled in, unless cards have come since (R18, R19)."""
    most = tuple([cards * MOST_MOXIE for cards in state.scored])
    piles = zip(state.pile, state.counted, state.scored, strict=True)
    usual = tuple([moxie if then == now else None for moxie, then, now in piles])
    return each_seat(state.round.answers, Verb.PILE, low=0, high=most, prefill=usual, seats=ask.seats)


def media_offers(state: State, ask: Media) -> tuple[Offer, ...]:
    """What follows from the tricks is filled in, where the table has entered any."""
    bonuses = tuple([media_bonus(tricks, state.options.media_counts_cube) for tricks in state.tricks])
    entered = bonuses if any(state.tricks) else None
    return each_seat(state.round.answers, Verb.MEDIA, low=0, high=MEDIA_CAP * WITH_TRICK, prefill=entered)


def tie_offers(state: State, ask: Final) -> tuple[Offer, ...]:
    """Level at the top: how many ungroomed cats have those with any cats? (R25)"""
    best = highest(scores(state), range(len(state.cubes)))
    if len(best) == 1 or by_cards(state):
        return ()
    seats = tuple(seat for seat in best if state.cats[seat] and seat not in ask.told)
    return each_seat(state.ungroomed, Verb.UNGROOMED, low=0, high=state.cats, seats=seats)


OFFERS: dict[type[Question], Callable[[State, Any], tuple[Offer, ...]]] = {
    WhichFancier: which_offers,
    Fancier: stat_offers,
    Name: lambda state, ask: name_offers(ask.seat, ENOUGH if ask.letters else NO),
    Place: lambda state, ask: PLACE,
    Countdown: countdown_offers,
    Hustle: hustle_offers,
    GroomCubes: groom_cubes_offers,
    Order: lambda state, ask: DRAW,
    Adopt: adopt_offers,
    CatTrick: cat_trick_offers,
    CatMoxie: cat_moxie_offers,
    Pageants: lambda state, ask: PAGEANTS,
    CardTrick: lambda state, ask: CARD_TRICK,
    Groom: groom_offers,
    Learn: learn_offers,
    Show: show_offers,
    ShowCat: show_cat_offers,
    CardMoxie: lambda state, ask: card_offers(ask.seat),
    Result: result_offers,
    Piles: pile_offers,
    Media: media_offers,
    Final: tie_offers,
}


# --- decide ----------------------------------------------------------------------------------------------------------


def decide(state: State, action: Action, chance: Chance) -> tuple[Event, ...]:
    """What an offered action causes; against the clock the turn that follows is timed."""
    events = DECIDE[action.verb](state, action, chance)
    limit_s = state.options.turn_timer_s
    if not limit_s:
        return events
    for event in events:
        state = evolve(state, event)
    ask = state.round.ask
    if isinstance(ask, Adopt | Groom) and ask.due_ns is None:
        return (*events, TurnTimed(action.at_ns + limit_s * S))
    return events


def recall(state: State, action: Action, chance: Chance) -> tuple[Event, ...]:
    """Fanciers of earlier games. Raises `Refused` (`bad_value`) with what is wrong with them."""
    given = action.value
    assert isinstance(given, tuple)
    if len(given) > MOST_FANCIERS:
        refuse(f"{len(given)} fanciers; {MOST_FANCIERS} at most")
    names: set[str] = set()
    for fancier in given:
        if not isinstance(fancier, tuple) or len(fancier) != len(Known._fields):
            refuse(f"{fancier!r}: a name and four numbers are needed")
        name, *stats = fancier
        if not isinstance(name, str) or not 0 < len(name) <= LONGEST_NAME or set(name) - set(LETTERS):
            refuse(f"name {name!r}: 1 to {LONGEST_NAME} of A to Z and 0 to 9")
        if name in names:
            refuse(f"{name} twice")
        names.add(name)
        if any(type(stat) is not int or not 0 <= stat <= MOST_STAT for stat in stats):
            refuse(f"{name}: four whole numbers from 0 to {MOST_STAT}")
        if stats[0] > stats[1] or stats[2] > stats[3]:
            refuse(f"{name}: a highest value below the lowest")
    return (FanciersKnown(given),)


def refuse(why: str) -> NoReturn:
    """Refuse what the kit cannot have kept, in words."""
    raise Refused("bad_value", f"{RECALL}: {why}")


def choose_fancier(state: State, action: Action, chance: Chance) -> tuple[Event, ...]:
    seat = action.seat
    assert seat is not None
    for known in state.known:
        if known.name == action.value:
            return (FancierSaved(seat, *known),)
    return (FancierNew(seat),)


def enter_stat(state: State, action: Action, chance: Chance) -> tuple[Event, ...]:
    seat, value = action.seat, action.value
    assert seat is not None and isinstance(value, int)
    return (StatEntered(seat, str(action.verb), value),)


def enter_letter(state: State, action: Action, chance: Chance) -> tuple[Event, ...]:
    """A letter more; the name is complete when that is said, or when it is as long as it may be."""
    seat, letter, ask = action.seat, action.value, state.round.ask
    assert isinstance(ask, Name) and seat is not None and isinstance(letter, str)
    if letter == NO:
        return (FancierUnnamed(seat),)
    if letter == ENOUGH:
        return (saved(state, seat, ask.letters),)
    name = ask.letters + letter
    entered = LetterEntered(seat, letter)
    return (entered,) if len(name) < LONGEST_NAME else (entered, saved(state, seat, name))


def saved(state: State, seat: Seat, name: str) -> Event:
    """The fancier that was entered, under its name."""
    moxie_low, moxie_high, hustle_low, hustle_high = state.stats[seat]
    return FancierSaved(seat, name, moxie_low, moxie_high, hustle_low, hustle_high)


def place(state: State, action: Action, chance: Chance) -> tuple[Event, ...]:
    return (CountdownStarted(action.at_ns + state.options.placing_countdown * S),)


def placed_now(state: State, action: Action, chance: Chance) -> tuple[Event, ...]:
    return (Placed(action.at_ns),)


def enter_hustle(state: State, action: Action, chance: Chance) -> tuple[Event, ...]:
    seat, value = action.seat, action.value
    assert seat is not None and isinstance(value, int)
    entered = HustleEntered(seat, value)
    return (entered,) if state.round.answers.count(None) > 1 else (entered, find_order(state, entered, chance))


def find_order(state: State, entered: HustleEntered, chance: Chance) -> Event:
    """Initiative from the last answer on: by value, by starting hustle, then by lot or by seat (R4, R5, A1)."""
    cubes = put(state.round.answers, entered.seat, entered.cubes)
    values = [stat + (placed or 0) for stat, placed in zip(state.hustle, cubes, strict=True)]
    lowest = [stats[2] for stats in state.stats]
    players = len(cubes)
    level = level_seats(values, lowest)
    if level and state.options.initiative_tiebreak == "draw":
        ranks = list(range(players))
        chance.dice().shuffle(ranks)
        return OrderFound(initiative(values, lowest, ranks), level)
    return OrderFound(initiative(values, lowest, [(seat - state.first) % players for seat in range(players)]), ())


def enter_groom_cubes(state: State, action: Action, chance: Chance) -> tuple[Event, ...]:
    seat, value = action.seat, action.value
    assert seat is not None and isinstance(value, int)
    return (GroomEntered(seat, value),)


def draw(state: State, action: Action, chance: Chance) -> tuple[Event, ...]:
    now = state.round
    return (CatsDrawn(draw_size(len(state.cubes), now.hustle[now.order[0]], state.deck)),)


def take(state: State, action: Action, chance: Chance) -> tuple[Event, ...]:
    assert action.seat is not None
    return (Adopted(action.seat),)


def done(state: State, action: Action, chance: Chance) -> tuple[Event, ...]:
    """Enough, of adopting or of grooming."""
    now, ask = state.round, state.round.ask
    if isinstance(ask, Adopt):
        return (Passed(ask.seat),)
    assert isinstance(ask, Groom)
    event = GroomDone(ask.seat)
    return (event,) if later_groomer(now, ask.seat) is not None else closing(state, event)


def all_done(state: State, action: Action, chance: Chance) -> tuple[Event, ...]:
    event = AllGroomed()
    return (event,) if showers(rested(state, state.round), state.round) else closing(state, event)


def set_pageants(state: State, action: Action, chance: Chance) -> tuple[Event, ...]:
    now = state.round
    drawn = not now.middle and state.deck > 0
    event = PageantsSet(now.middle or int(drawn), drawn)
    return (event,) if any(now.rest) else closing(state, event)  # somebody grooms first


def train(state: State, action: Action, chance: Chance) -> tuple[Event, ...]:
    assert action.seat is not None
    return closing(state, Trained(action.seat, "hustle" if action.verb == Verb.TRAIN_HUSTLE else "moxie"))


def learn(state: State, action: Action, chance: Chance) -> tuple[Event, ...]:
    assert action.seat is not None
    return (LearnStarted(action.seat),)


def name_trick(state: State, action: Action, chance: Chance) -> tuple[Event, ...]:
    """A trick of the cat just taken, of a pageant card, or one that is learned."""
    ask, value = state.round.ask, action.value
    assert isinstance(value, str)
    if isinstance(ask, CatTrick):
        return (TrickEntered(ask.seat, value),)
    if isinstance(ask, CardTrick):
        return closing(state, CardEntered(value))
    assert isinstance(ask, Learn)
    seat = ask.groom.seat
    if not by_cards(state):
        return closing(state, Learned(seat, value, None))
    hand = state.hand[seat]
    at = next(at for at, cat in enumerate(hand) if teaches(cat) and called(cat) == value)
    return closing(state, Learned(seat, hand[at].trick, at))


def enter_moxie(state: State, action: Action, chance: Chance) -> tuple[Event, ...]:
    seat, value, ask = action.seat, action.value, state.round.ask
    assert seat is not None and isinstance(value, int)
    if isinstance(ask, CatMoxie):
        return (CatEntered(seat, ask.trick, value),)
    return closing(state, CardValued(seat, value))


def groom(state: State, action: Action, chance: Chance) -> tuple[Event, ...]:
    seat, value = action.seat, action.value
    assert seat is not None
    if value == ENOUGH:
        return closing(state, GroomDone(seat))
    hand = state.hand[seat]
    at = next(at for at, cat in enumerate(hand) if groomable(cat) and called(cat) == value)
    return closing(state, Groomed(seat, at))


def enter_shown(state: State, action: Action, chance: Chance) -> tuple[Event, ...]:
    seat, value, ask = action.seat, action.value, state.round.ask
    assert seat is not None and isinstance(value, int) and isinstance(ask, Show)
    event = Shown(seat, value)
    if still_out(state.round, ask) > 1:
        return (event,)
    state = shown_counted(state, event)
    return (event, PageantsClosed(verdict(state, state.round)))


def show_cat(state: State, action: Action, chance: Chance) -> tuple[Event, ...]:
    seat, value = action.seat, action.value
    assert seat is not None and isinstance(value, str)
    if value == ENOUGH:
        return closing(state, ShowDone(seat))
    return closing(state, CatShown(seat, *choices(state, state.round, seat)[value]))


def closing(state: State, event: Event) -> tuple[Event, ...]:
    """An event, and the verdict on the pageants that are over with it: nobody can show more cats there (R19)."""
    state = evolve(state, event)
    now = state.round
    if not isinstance(now.ask, Show) or still_out(now, now.ask):
        return (event,)
    return (event, PageantsClosed(verdict(state, now)))


def still_out(now: Round, ask: Show) -> int:
    """How many have not said yet what they show; nobody answers who is not asked."""
    return len(ask.seats) - len(now.answers) + now.answers.count(None)


def verdict(state: State, now: Round) -> tuple[Seat | None, ...]:
    """Who takes the card of the next pageant, and of those after it that are over, too (R19, R20)."""
    stays = not by_cards(state) and bool(showers(rested(state, now), now))
    won: tuple[Seat | None, ...] = ()
    for shown in now.shown[len(now.won) :]:
        seat = most_cats(shown) if now.pageants else None
        won = (*won, seat)
        if stays or (seat is not None and by_cards(state)):  # others may be shown there; the card's moxie is asked
            break
    return won


def go_on(state: State, action: Action, chance: Chance) -> tuple[Event, ...]:
    """The next round; else the end, as the deck is empty (R22) or the table wants it (A16)."""
    if ended(state) or action.value == "yes":
        return (GameEnded(),) if by_cards(state) else (ScoringStarted(),)
    return (RoundStarted(state.round.number + 1),)


def count(state: State, action: Action, chance: Chance) -> tuple[Event, ...]:
    return (CountStarted(),)


def count_pile(state: State, action: Action, chance: Chance) -> tuple[Event, ...]:
    seat, value = action.seat, action.value
    assert seat is not None and isinstance(value, int)
    return (PileCounted(seat, value),)


def count_media(state: State, action: Action, chance: Chance) -> tuple[Event, ...]:
    seat, value = action.seat, action.value
    assert seat is not None and isinstance(value, int)
    counted = MediaCounted(seat, value)
    return (counted,) if state.round.answers.count(None) > 1 else (counted, GameEnded())


def count_ungroomed(state: State, action: Action, chance: Chance) -> tuple[Event, ...]:
    seat, value = action.seat, action.value
    assert seat is not None and isinstance(value, int)
    return (UngroomedCounted(seat, value),)


DECIDE: dict[str, Callable[[State, Action, Chance], tuple[Event, ...]]] = {
    Verb.RECALL: recall,
    Verb.FANCIER: choose_fancier,
    Verb.MOXIE_LOW: enter_stat,
    Verb.MOXIE_HIGH: enter_stat,
    Verb.HUSTLE_LOW: enter_stat,
    Verb.HUSTLE_HIGH: enter_stat,
    Verb.NAME: enter_letter,
    Verb.PLACE: place,
    Verb.GO: placed_now,
    Verb.HUSTLE: enter_hustle,
    Verb.GROOM_CUBES: enter_groom_cubes,
    Verb.DRAW: draw,
    Verb.TAKE: take,
    Verb.PASS: done,
    Verb.TIME_UP: done,
    Verb.TRICK: name_trick,
    Verb.MOXIE: enter_moxie,
    Verb.PAGEANTS: set_pageants,
    Verb.DONE: done,
    Verb.ALL_DONE: all_done,
    Verb.TRAIN_HUSTLE: train,
    Verb.TRAIN_MOXIE: train,
    Verb.LEARN: learn,
    Verb.GROOM: groom,
    Verb.SHOWN: enter_shown,
    Verb.SHOW: show_cat,
    Verb.COUNT: count,
    Verb.NEXT: go_on,
    Verb.END_NOW: go_on,
    Verb.PILE: count_pile,
    Verb.MEDIA: count_media,
    Verb.UNGROOMED: count_ungroomed,
}


# --- evolve ----------------------------------------------------------------------------------------------------------


def evolve(state: State, event: Event) -> State:
    """Fold one fact into the state."""
    return EVOLVE[type(event)](state, event)


def asked(state: State, ask: Question) -> State:
    """The state at another question; answers given stay."""
    return with_round(state, with_ask(state.round, ask))


def asking(now: Round, ask: Question) -> Round:
    """The round at a question that nobody has answered."""
    return newly_asked(now, ask, unknown(len(now.answers)))


def fanciers_known(state: State, event: FanciersKnown) -> State:
    state = replace(state, known=tuple([Known(*fancier) for fancier in event.fanciers]))
    return asked(state, fancier_question(state, 0))


def fancier_new(state: State, event: FancierNew) -> State:
    return asked(state, Fancier(event.seat))


def stat_entered(state: State, event: StatEntered) -> State:
    """The next number of a fancier; after the last one, how to keep it."""
    state = with_stats(state, event.seat, (*state.stats[event.seat], event.value))
    return state if len(state.stats[event.seat]) < len(STATS) else asked(state, Name(event.seat))


def with_stats(state: State, seat: Seat, stats: tuple[int, ...]) -> State:
    """Both clips lie on the lowest values (R2)."""
    state = replace(state, stats=put(state.stats, seat, stats))
    if len(stats) < len(STATS):
        return state
    return replace(state, moxie=put(state.moxie, seat, stats[0]), hustle=put(state.hustle, seat, stats[2]))


def letter_entered(state: State, event: LetterEntered) -> State:
    ask = state.round.ask
    assert isinstance(ask, Name)
    return asked(state, Name(event.seat, ask.letters + event.letter))


def fancier_saved(state: State, event: FancierSaved) -> State:
    """A fancier that has a name is known from now on; of two with the same name the newer one."""
    seat = event.seat
    fancier = Known(event.name, event.moxie_low, event.moxie_high, event.hustle_low, event.hustle_high)
    others = tuple([known for known in state.known if known.name != fancier.name])
    state = replace(state, known=(fancier, *others), named=put(state.named, seat, fancier.name))
    return asked(with_stats(state, seat, fancier[1:]), fancier_question(state, seat + 1))


def fancier_unnamed(state: State, event: FancierUnnamed) -> State:
    return asked(state, fancier_question(state, event.seat + 1))


def countdown_started(state: State, event: CountdownStarted) -> State:
    return asked(state, Countdown(event.due_ns))


def placed(state: State, event: Placed) -> State:
    return asked(state, HUSTLE_ASKED)


def hustle_entered(state: State, event: HustleEntered) -> State:
    now = state.round
    return with_round(state, with_answers(now, put(now.answers, event.seat, event.cubes)))


def order_found(state: State, event: OrderFound) -> State:
    now = state.round
    left = tuple([cubes or 0 for cubes in now.answers])
    rest = tuple([own - cubes for own, cubes in zip(state.cubes, left, strict=True)])
    now = with_order(now, event.order, event.lots, left, rest)
    return with_first(state, event.order[0], asking(now, cubes_question(state, now)))


def groom_entered(state: State, event: GroomEntered) -> State:
    now, seat = state.round, event.seat
    ask = now.ask
    assert isinstance(ask, GroomCubes)
    show = put(now.show, seat, now.rest[seat] - event.cubes)
    answers = put(now.answers, seat, event.cubes)
    now = replace(now, rest=put(now.rest, seat, event.cubes), show=show, answers=answers)
    return with_round(state, with_ask(now, ORDER_FOUND) if all(answers[s] is not None for s in ask.seats) else now)


def cats_drawn(state: State, event: CatsDrawn) -> State:
    now, cats = state.round, event.cats
    ask = adopt_question(state, now.hustle, cats, None, 0)
    return with_deck(state, state.deck - cats, with_middle(now, cats, ask))


def adopted(state: State, event: Adopted) -> State:
    now, seat = state.round, event.seat
    left, taken = put(now.hustle, seat, now.hustle[seat] - 1), put(now.taken, seat, now.taken[seat] + 1)
    middle = now.middle - 1
    ask = CatTrick(seat) if by_cards(state) else adopt_question(state, left, middle, seat, 0)
    cats = put(state.cats, seat, state.cats[seat] + 1)
    return with_cats(state, cats, with_taken(now, ask, left, taken, middle))


def passed(state: State, event: Passed) -> State:
    now = state.round
    assert isinstance(now.ask, Adopt)
    return asked(state, adopt_question(state, now.hustle, now.middle, event.seat, now.ask.passes + 1))


def trick_entered(state: State, event: TrickEntered) -> State:
    return asked(state, CatMoxie(event.seat, event.trick))


def cat_entered(state: State, event: CatEntered) -> State:
    now, seat = state.round, event.seat
    state = replace(state, hand=put(state.hand, seat, (*state.hand[seat], Cat(event.trick, event.moxie))))
    return asked(state, adopt_question(state, now.hustle, now.middle, seat, 0))


def pageants_set(state: State, event: PageantsSet) -> State:
    now, cards = state.round, event.cards
    now = with_pageants(now, 0, event.drawn, (zeros(len(state.cubes)),) * (cards or 1), ("",) * cards)
    ask = CardTrick() if cards and by_cards(state) else groom_question(state, now, None)
    return with_deck(state, state.deck - event.drawn, asking(now, ask))


def card_entered(state: State, event: CardEntered) -> State:
    now = state.round
    now = replace(now, pageants=put(now.pageants, now.pageants.index(""), event.trick))
    return with_round(state, now if "" in now.pageants else with_ask(now, groom_question(state, now, None)))


def turn_timed(state: State, event: TurnTimed) -> State:
    ask = state.round.ask
    assert isinstance(ask, Adopt | Groom)
    return asked(state, replace(ask, due_ns=event.due_ns))


def trained(state: State, event: Trained) -> State:
    now, seat = state.round, event.seat
    assert isinstance(now.ask, Groom)
    if event.stat == "moxie":
        state = replace(state, moxie=put(state.moxie, seat, state.moxie[seat] + 1))
    else:
        state = replace(state, hustle=put(state.hustle, seat, state.hustle[seat] + 1))
    return cube_spent(state, now, now.ask)


def learn_started(state: State, event: LearnStarted) -> State:
    ask = state.round.ask
    assert isinstance(ask, Groom)
    return asked(state, Learn(ask))


def learned(state: State, event: Learned) -> State:
    """A cat goes under the time card: it leaves its place, and its trick works (R13, R14)."""
    now, seat = state.round, event.seat
    assert isinstance(now.ask, Learn)
    tricks, cats = (*state.tricks[seat], event.trick), put(state.cats, seat, state.cats[seat] - 1)
    if event.trick == "cube" and (state.options.cube_limit == "none" or supply(state) > 0):  # A8
        state = replace(state, cubes=put(state.cubes, seat, state.cubes[seat] + 1))
    if event.cat is not None:
        state = replace(state, hand=put(state.hand, seat, without(state.hand[seat], event.cat)))
    state = replace(state, cats=cats, tricks=put(state.tricks, seat, tricks))
    return cube_spent(state, now, now.ask.groom)


def without(hand: tuple[Cat, ...], cat: int) -> tuple[Cat, ...]:
    """A hand after one cat has left."""
    return (*hand[:cat], *hand[cat + 1 :])


def groomed(state: State, event: Groomed) -> State:
    """A cube grooms one cat, and one more by copy of the bonus (R11, A12)."""
    now, seat = state.round, event.seat
    ask = now.ask
    assert isinstance(ask, Groom)
    cat = replace(state.hand[seat][event.cat], groomed=True)
    state = replace(state, hand=put(state.hand, seat, put(state.hand[seat], event.cat, cat)))
    if ask.free:
        return with_round(state, grooming(state, now, replace(ask, free=ask.free - 1)))
    more = cats_a_cube(state.tricks[seat].count("groom")) - 1
    return cube_spent(state, now, replace(ask, free=more))


def cube_spent(state: State, now: Round, ask: Groom) -> State:
    """A cube leaves groom."""
    now = replace(now, rest=put(now.rest, ask.seat, now.rest[ask.seat] - 1))
    return with_round(state, grooming(state, now, ask))


def grooming(state: State, now: Round, ask: Groom) -> Round:
    """The same seat goes on while it has a cube, or cats that its last cube grooms besides."""
    seat = ask.seat
    busy = now.rest[seat] or (ask.free and any(groomable(cat) for cat in state.hand[seat]))
    return with_ask(now, ask if busy else groom_question(state, now, seat))


def groom_done(state: State, event: GroomDone) -> State:
    return asked(state, groom_question(state, state.round, event.seat))


def all_groomed(state: State, event: AllGroomed) -> State:
    return asked(state, show_question(state, state.round, None))


def shown_counted(state: State, event: Shown) -> State:
    now, seat, cats = state.round, event.seat, event.cats
    answers = put(now.answers, seat, cats)
    if not cats:
        return with_round(state, with_answers(now, answers))
    at = len(now.won)
    now = with_shown(now, answers, put(now.shown, at, put(now.shown[at], seat, cats)))
    left, scored = put(state.cats, seat, state.cats[seat] - cats), put(state.scored, seat, state.scored[seat] + cats)
    return with_scored(state, left, scored, now)


def cat_shown(state: State, event: CatShown) -> State:
    """A cat goes to the score pile (R18); the seat goes on while it can."""
    now, seat, pageant = state.round, event.seat, event.pageant
    shown = state.hand[seat][event.cat]
    misfit = bool(now.pageants) and not fits(shown, now.pageants[pageant])
    pageants = put(now.shown, pageant, put(now.shown[pageant], seat, now.shown[pageant][seat] + 1))
    now = replace(now, shown=pageants, misfits=put(now.misfits, seat, now.misfits[seat] + misfit))
    state = replace(
        state,
        hand=put(state.hand, seat, without(state.hand[seat], event.cat)),
        cats=put(state.cats, seat, state.cats[seat] - 1),
        scored=put(state.scored, seat, state.scored[seat] + 1),
        pile=put(state.pile, seat, (state.pile[seat] or 0) + shown.moxie),
    )
    ask = now.ask if choices(state, now, seat) else show_question(state, now, seat)
    return with_round(state, with_ask(now, ask))


def show_done(state: State, event: ShowDone) -> State:
    return asked(state, show_question(state, state.round, event.seat))


def pageants_closed(state: State, event: PageantsClosed) -> State:
    """Cards go to the winners' piles or below the deck (R19, A5)."""
    now, won, scored = state.round, event.won, state.scored
    now = with_won(now, (*now.won, *won))
    for seat in won:
        if seat is not None:
            scored = put(scored, seat, scored[seat] + 1)
    deck = state.deck + (won.count(None) if now.pageants else 0)
    last = won[-1]
    if last is not None and by_cards(state):
        return with_cards(state, deck, scored, with_ask(now, CardMoxie(last)))
    return with_cards(state, deck, scored, next_pageant(state, now))


def next_pageant(state: State, now: Round) -> Round:
    """The pageant after those that are over, or the result; known cats have all been shown by now."""
    if len(now.won) == len(now.shown):
        return asking(now, ROUND_OVER)
    return asking(now, NOBODY_SHOWS if by_cards(state) else show_question(state, now, None))


def card_valued(state: State, event: CardValued) -> State:
    pile = put(state.pile, event.seat, (state.pile[event.seat] or 0) + event.moxie)
    return replace(state, pile=pile, round=next_pageant(state, state.round))


def count_started(state: State, event: CountStarted) -> State:
    return with_round(state, asking(state.round, piles_question(state, final=False)))


def scoring_started(state: State, event: ScoringStarted) -> State:
    return with_round(state, asking(state.round, piles_question(state, final=True)))


def round_started(state: State, event: RoundStarted) -> State:
    fresh = new_round(event.number, place_question(state.options), len(state.cubes))
    if not by_cards(state):
        return with_round(state, fresh)
    rested_ = tuple([tuple([replace(cat, fresh=False) for cat in hand]) for hand in state.hand])
    return replace(state, hand=rested_, round=fresh)


def pile_counted(state: State, event: PileCounted) -> State:
    now, ask = state.round, state.round.ask
    assert isinstance(ask, Piles)
    now = with_answers(now, put(now.answers, event.seat, event.moxie))
    if all(now.answers[seat] is not None for seat in ask.seats):
        now = asking(now, Media() if ask.final else ROUND_OVER)
    seat = event.seat
    counted = put(state.counted, seat, state.scored[seat])
    return replace(state, pile=put(state.pile, seat, event.moxie), counted=counted, round=now)


def media_counted(state: State, event: MediaCounted) -> State:
    now = state.round
    now = with_answers(now, put(now.answers, event.seat, event.points))
    return replace(state, media=put(state.media, event.seat, event.points), round=now)


def game_ended(state: State, event: GameEnded) -> State:
    return asked(state, Final())


def ungroomed_counted(state: State, event: UngroomedCounted) -> State:
    state = replace(state, ungroomed=put(state.ungroomed, event.seat, event.cats))
    if offers(state):
        return state
    return asked(state, Final(tuple([seat for seat, cats in enumerate(state.ungroomed) if cats is not None])))


EVOLVE: dict[type[Event], Callable[[State, Any], State]] = {
    FanciersKnown: fanciers_known,
    FancierNew: fancier_new,
    LetterEntered: letter_entered,
    FancierSaved: fancier_saved,
    FancierUnnamed: fancier_unnamed,
    StatEntered: stat_entered,
    CountdownStarted: countdown_started,
    Placed: placed,
    HustleEntered: hustle_entered,
    OrderFound: order_found,
    GroomEntered: groom_entered,
    CatsDrawn: cats_drawn,
    Adopted: adopted,
    Passed: passed,
    TrickEntered: trick_entered,
    CatEntered: cat_entered,
    PageantsSet: pageants_set,
    CardEntered: card_entered,
    TurnTimed: turn_timed,
    Trained: trained,
    LearnStarted: learn_started,
    Learned: learned,
    Groomed: groomed,
    GroomDone: groom_done,
    AllGroomed: all_groomed,
    Shown: shown_counted,
    CatShown: cat_shown,
    ShowDone: show_done,
    PageantsClosed: pageants_closed,
    CardValued: card_valued,
    CountStarted: count_started,
    RoundStarted: round_started,
    ScoringStarted: scoring_started,
    PileCounted: pile_counted,
    MediaCounted: media_counted,
    GameEnded: game_ended,
    UngroomedCounted: ungroomed_counted,
}


# --- what people see -------------------------------------------------------------------------------------------------

PHASES: dict[type, str] = {
    WhichFancier: "setup",
    Fancier: "setup",
    Name: "setup",
    Place: "place",
    Countdown: "countdown",
    Hustle: "cubes",
    GroomCubes: "cubes",
    Order: "order",
    Adopt: "adopt",
    CatTrick: "adopt",
    CatMoxie: "adopt",
    Pageants: "pageants",
    CardTrick: "pageants",
    Groom: "groom",
    Learn: "groom",
    Show: "show",
    ShowCat: "show",
    CardMoxie: "show",
    Result: "result",
    Piles: "scoring",
    Media: "scoring",
    Final: "tie_break",
}


def board(state: State) -> Board:
    """All that lights, panel and strangers may know."""
    now, open_ = state.round, offers(state)
    asked = {offer.seat for offer in open_ if not offer.hold}
    turn = tuple(seat for seat in range(len(state.cubes)) if seat in asked)
    tokens = tuple(
        {"cubes": cubes, "hustle": hustle, "moxie": moxie, "cats": cats, "scored": scored}
        for cubes, hustle, moxie, cats, scored in zip(
            state.cubes, state.hustle, state.moxie, state.cats, state.scored, strict=True
        )
    )
    phase = PHASES[type(now.ask)] if open_ else "over"
    race = RaceBoard("armed", None) if isinstance(now.ask, Countdown) else None
    marks: dict[str, tuple[Seat, ...]] = {}
    if not open_:
        marks = {"winner": winners(state)}
    elif isinstance(now.ask, Result):  # who has won a pageant card
        marks = {"first": tuple(sorted({seat for seat in now.won if seat is not None}))}
    return Board(phase, now.number, None, now.order, turn, scores(state), tokens, race, marks)


LABELS: dict[Verb, str] = {
    Verb.RECALL: "Known fanciers",
    Verb.FANCIER: "Which fancier?",
    Verb.MOXIE_LOW: "Lowest moxie?",
    Verb.MOXIE_HIGH: "Highest moxie?",
    Verb.HUSTLE_LOW: "Lowest hustle?",
    Verb.HUSTLE_HIGH: "Highest hustle?",
    Verb.NAME: "Save under a name?",
    Verb.PLACE: "Hold your cubes",
    Verb.GO: "Place",
    Verb.HUSTLE: "Hustle cubes?",
    Verb.GROOM_CUBES: "Groom cubes?",
    Verb.DRAW: "Draw",
    Verb.TAKE: "Take a cat",
    Verb.PASS: "Pass",
    Verb.TIME_UP: "Time is up",
    Verb.TRICK: "Its trick?",
    Verb.MOXIE: "Its moxie?",
    Verb.PAGEANTS: "Pageants",
    Verb.DONE: "Done grooming?",
    Verb.ALL_DONE: "All are done",
    Verb.TRAIN_HUSTLE: "+1 hustle",
    Verb.TRAIN_MOXIE: "+1 moxie",
    Verb.LEARN: "Learn a trick",
    Verb.GROOM: "Groom a cat?",
    Verb.SHOWN: "Cats shown?",
    Verb.SHOW: "Show a cat?",
    Verb.COUNT: "Count the piles",
    Verb.NEXT: "Next round",
    Verb.END_NOW: "End the game now?",
    Verb.PILE: "Pile moxie?",
    Verb.MEDIA: "Media bonus?",
    Verb.UNGROOMED: "Ungroomed cats?",
}

ENDING = {"no": "play on", "yes": "end now"}
BONUSES = {"show": "show bonus", "groom": "groom bonus", "media": "media bonus"}  # tricks of more than a word


def label(state: State, offer: Offer, value: Value = None) -> str:
    """The offer in words, or one of its options or numbers."""
    verb, now = Verb(offer.verb), state.round
    if value is not None:
        words = BONUSES if verb is Verb.TRICK else ENDING if verb is Verb.END_NOW else {}
        return words.get(str(value), str(value))
    match now.ask:
        case Order():
            cats = draw_size(len(state.cubes), now.hustle[now.order[0]], state.deck)
            return f"Draw {cats} cats"
        case Pageants():
            if now.middle:
                return f"{now.middle} left: {now.middle} pageant{'s' if now.middle > 1 else ''}"
            return "Draw pageant card" if state.deck else "Open pageant"
        case CardTrick():
            return f"Pageant {now.pageants.index('') + 1}: trick?"
        case Learn():
            return "Learn which?"
        case CardMoxie():
            return f"Card {len(now.won)}: moxie?"
        case Show():
            return f"Pageant {len(now.won) + 1}: shown?" if now.pageants else "Open pageant: shown?"
        case Result() if verb is Verb.NEXT:
            return "Final scores" if ended(state) else f"Round {now.number + 1}"
        case _:
            return LABELS[verb]


def new_round(number_: int, ask: Question, players: int) -> Round:
    """A round before its cubes are placed."""
    nobody = zeros(players)
    return Round(number_, ask, unknown(players), nobody, nobody, nobody, nobody, misfits=nobody)


def kept(state: State) -> tuple[Known, ...]:
    """The fanciers that a later game gets back, those used last in front."""
    return state.known[:MOST_FANCIERS]


def start(players: int, options: Options) -> State:
    """The cats are shuffled, everybody has a fancier and 4 cubes (R1, R2)."""
    nobody, uncounted = zeros(players), unknown(players)
    nothing: tuple[tuple[int, ...], ...] = ((),) * players
    return State(
        options,
        corrected=nobody,
        round=new_round(1, Fancier(0), players),
        stats=nothing,
        moxie=nobody,
        hustle=nobody,
        cubes=(CUBES_EACH,) * players,
        cats=nobody,
        scored=nobody,
        pile=uncounted,
        counted=nobody,
        media=uncounted,
        ungroomed=uncounted,
        tricks=((),) * players,
        hand=((),) * players,
        named=("",) * players,
    )


RULES: Rules[State, Event, Options] = Rules(
    name="cat_pageant",
    title="CAT Pageant",
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
    kept=kept,
)
