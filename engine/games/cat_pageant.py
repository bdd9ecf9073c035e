"""CAT Pageant: adopt cats, groom them, learn their tricks, and show them where their trick is asked for.

Rule numbers (R, A, T) are those of the rules page. A print-and-play game by niceboardgames, 2023.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple, NoReturn, TypeAlias

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
    choice,
    each_seat,
    highest,
    number,
    put,
    replace,
    switch,
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

    initiative_tiebreak: str = choice("draw", "level initiative: lots are drawn, or clockwise from the last", "seat")
    media_counts_cube: bool = switch(True, "the trick cube counts for the media bonus")
    open_pageant: str = choice("per_cube", "one show cube shows as usual, or any number of cats", "unlimited")
    cube_limit: int | str = number("none", CUBES, CUBES, "cubes of the whole table", "none")
    placing_countdown: int = number(3, 0, 10, "s counted down before the cubes are placed; 0: count yourselves")
    entry: str = choice("counts", "piles are counted at the end, or each cat is entered", "cards")
    turn_timer_s: int = number(0, 0, 600, "s for a turn of adopting or grooming; 0 is off")


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
    media: Answers  # media bonus as counted
    ungroomed: Answers  # asked only where totals are level
    tricks: tuple[tuple[str, ...], ...]  # learned, by seat
    hand: tuple[tuple[Cat, ...], ...]  # cats beside each time card, where they are entered
    deck: int = CATS
    first: Seat = 0  # first player of the last round
    known: tuple[Known, ...] = ()  # fanciers of earlier games, and those saved in this one
    named: tuple[str, ...] = ()  # by seat; "" for a fancier without a name


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
    return tuple(seat for seat, key in enumerate(keys) if keys.count(key) > 1)


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
    return Place() if options.placing_countdown else Hustle()


def cubes_question(state: State, now: Round) -> Question:
    """How the other cubes lie, where that has to be known; then the order."""
    seats = tuple([seat for seat, cubes in enumerate(now.rest) if cubes]) if by_cards(state) else ()
    return GroomCubes(seats) if seats else Order()


def adopt_question(state: State, left: tuple[int, ...], middle: int, after: Seat | None, passes: int) -> Question:
    """Whose turn it is after a seat, with so many cubes left on hustle and cats in the middle (R8 to R10, A10)."""
    if not middle:
        return Pageants()
    order, cards = state.round.order, by_cards(state)
    able = [seat for seat in order if left[seat] and (not cards or room(state, seat) > 0)]
    if passes >= len(able):
        return Pageants()
    at = 0 if after is None else order.index(after) + 1
    later = [seat for seat in order[at:] if seat in able]
    return Adopt(later[0] if later else able[0], passes)


def groom_question(state: State, now: Round, after: Seat | None) -> Question:
    """Who grooms after a seat: the next in order with a cube to spend; then the show."""
    at = 0 if after is None else now.order.index(after) + 1
    for seat in now.order[at:]:
        if now.rest[seat]:
            return Groom(seat)
    return show_question(state, now, None)


def showers(state: State, now: Round) -> tuple[Seat, ...]:
    """With counts: who may have a cat to show, and a cube for it."""
    return tuple([seat for seat, cats in enumerate(rested(state, now)) if cats and now.rest[seat]])


def show_question(state: State, now: Round, after: Seat | None) -> Question:
    """Who shows cats: with counts all who may have some, at once; else the next in order who can (R16)."""
    if not by_cards(state):
        return Show(showers(state, now))
    at = 0 if after is None else now.order.index(after) + 1
    for seat in now.order[at:]:
        if choices(state, now, seat):
            return ShowCat(seat)
    return Show(())


def piles_question(state: State, final: bool) -> Question:
    """The score piles that have cards; then the media bonuses."""
    seats = tuple(seat for seat, cards in enumerate(state.scored) if cards)
    return Piles(seats, final) if seats else Media()


# --- offers ----------------------------------------------------------------------------------------------------------


def offers(state: State) -> tuple[Offer, ...]:
    """What each seat and the table may do now; nothing once the game is over."""
    now = state.round
    ask = now.ask
    match ask:
        case Adopt(seat, _, due_ns):
            out = (Offer(seat, Verb.TAKE), Offer(seat, Verb.PASS, hold=True), Offer(None, Verb.PASS))
            return out if due_ns is None else (*out, Offer(None, Verb.TIME_UP, due_ns=due_ns, race=True))
        case Show(seats):
            return each_seat(now.answers, Verb.SHOWN, low=0, high=rested(state, now), prefill=0, seats=seats)
        case Hustle():
            return each_seat(now.answers, Verb.HUSTLE, low=0, high=state.cubes)
        case Groom():
            return groom_offers(state, ask)
        case Result():
            return result_offers(state)
        case Place():
            return (Offer(None, Verb.PLACE),)
        case Countdown(due_ns):
            return (Offer(None, Verb.GO, due_ns=due_ns, race=True, joins=True),)
        case Order():
            return (Offer(None, Verb.DRAW),)
        case Pageants():
            return (Offer(None, Verb.PAGEANTS),)
        case Fancier(seat):
            return (stat_offer(state, seat), *recall_offers(state, seat))
        case WhichFancier(seat):
            return (Offer(seat, Verb.FANCIER, options=(*(known.name for known in free_fanciers(state)), NEW)),)
        case Name(seat, letters):
            return (Offer(seat, Verb.NAME, options=(ENOUGH if letters else NO, *LETTERS)),)
        case GroomCubes(seats):
            return each_seat(now.answers, Verb.GROOM_CUBES, low=0, high=now.rest, seats=seats)
        case CatTrick(seat):
            return (Offer(seat, Verb.TRICK, options=(*TRICKS, WILD)),)
        case CatMoxie(seat):
            return (Offer(seat, Verb.MOXIE, 1, min(MOST_MOXIE, room(state, seat))),)  # R9
        case CardTrick():
            return (Offer(None, Verb.TRICK, options=(*TRICKS, WILD)),)
        case Learn(groom):
            return (Offer(groom.seat, Verb.TRICK, options=lessons(state, groom.seat)),)
        case ShowCat(seat):
            return (Offer(seat, Verb.SHOW, options=(ENOUGH, *choices(state, now, seat))),)
        case CardMoxie(seat):
            return (Offer(seat, Verb.MOXIE, 1, MOST_MOXIE),)
        case Piles(seats, _):
            most = tuple(cards * MOST_MOXIE for cards in state.scored)
            counted = all(state.pile[seat] is not None for seat in seats)
            usual = tuple(pile or 0 for pile in state.pile) if counted else None
            return each_seat(now.answers, Verb.PILE, low=0, high=most, prefill=usual, seats=seats)
        case Media():
            entered = tuple(media_bonus(tricks, state.options.media_counts_cube) for tricks in state.tricks)
            return each_seat(now.answers, Verb.MEDIA, low=0, high=MEDIA_CAP * WITH_TRICK, prefill=entered)
        case Final():
            return tie_offers(state)


def recall_offers(state: State, seat: Seat) -> tuple[Offer, ...]:
    """Before the first number: what the kit has kept of earlier games."""
    if seat or state.stats[0] or state.known:
        return ()
    return (Offer(None, Verb.RECALL, example=(("PIP", 2, 5, 1, 4),)),)


def stat_offer(state: State, seat: Seat) -> Offer:
    """The next number of a fancier; the highest value is not below the lowest."""
    entered = state.stats[seat]
    at = len(entered)
    return Offer(seat, STATS[at], entered[-1] if at % 2 else 0, MOST_STAT)


def groom_offers(state: State, ask: Groom) -> tuple[Offer, ...]:
    """Done, by seat or for all; what needs the kit's memory is in the menu; known cats are chosen (R11)."""
    seat = ask.seat
    out: tuple[Offer, ...] = (Offer(seat, Verb.DONE),)
    if by_cards(state):
        spare = ask.free or state.round.rest[seat]
        cats = dict.fromkeys(called(cat) for cat in state.hand[seat] if groomable(cat)) if spare else ()
        out = (*out, Offer(seat, Verb.GROOM, options=(ENOUGH, *cats)))
    else:
        out = (*out, Offer(None, Verb.ALL_DONE))
    if state.round.rest[seat]:
        if trainable(state, seat, "hustle"):
            out = (*out, Offer(seat, Verb.TRAIN_HUSTLE, menu=True))
        if trainable(state, seat, "moxie"):
            out = (*out, Offer(seat, Verb.TRAIN_MOXIE, menu=True))
        if learns(state, seat):
            out = (*out, Offer(seat, Verb.LEARN, menu=True))
    return out if ask.due_ns is None else (*out, Offer(None, Verb.TIME_UP, due_ns=ask.due_ns, race=True))


def lessons(state: State, seat: Seat) -> tuple[str, ...]:
    """What a seat may learn: a trick or, where cats are entered, from which cat."""
    if not by_cards(state):
        return TRICKS
    return tuple(dict.fromkeys(called(cat) for cat in state.hand[seat] if teaches(cat)))


def result_offers(state: State) -> tuple[Offer, ...]:
    """On to the next round; beside it a count of the piles, and the end of a game that does not move (A16)."""
    out: tuple[Offer, ...] = (Offer(None, Verb.NEXT),)
    if any(state.scored) and not by_cards(state):
        out = (*out, Offer(None, Verb.COUNT, menu=True))
    if stalled(state) and not ended(state):
        out = (*out, Offer(None, Verb.END_NOW, menu=True))
    return out


def tie_offers(state: State) -> tuple[Offer, ...]:
    """Level at the top: how many ungroomed cats have those with any cats? (R25)"""
    best = highest(scores(state), range(len(state.cubes)))
    if len(best) == 1 or by_cards(state):
        return ()
    seats = tuple(seat for seat in best if state.cats[seat])
    return each_seat(state.ungroomed, Verb.UNGROOMED, low=0, high=state.cats, seats=seats)


# --- decide ----------------------------------------------------------------------------------------------------------


def decide(state: State, action: Action, chance: Chance) -> tuple[Event, ...]:
    """What an offered action causes; against the clock the turn that follows is timed."""
    events = answer(state, action, chance)
    limit_s = state.options.turn_timer_s
    if not limit_s:
        return events
    for event in events:
        state = evolve(state, event)
    ask = state.round.ask
    if isinstance(ask, Adopt | Groom) and ask.due_ns is None:
        return (*events, TurnTimed(action.at_ns + limit_s * S))
    return events


def answer(state: State, action: Action, chance: Chance) -> tuple[Event, ...]:
    """What an offered action causes, timer aside."""
    seat, value, now = action.seat, action.value, state.round
    ask = now.ask
    match Verb(action.verb):
        case Verb.HUSTLE:
            assert seat is not None and isinstance(value, int)
            entered = HustleEntered(seat, value)
            return (entered,) if now.answers.count(None) > 1 else (entered, find_order(state, entered, chance))
        case Verb.TAKE:
            assert seat is not None
            return (Adopted(seat),)
        case Verb.PASS | Verb.TIME_UP | Verb.DONE:
            if isinstance(ask, Adopt):
                return (Passed(ask.seat),)
            assert isinstance(ask, Groom)
            return closing(state, GroomDone(ask.seat))
        case Verb.SHOWN:
            assert seat is not None and isinstance(value, int) and isinstance(ask, Show)
            return closing(state, Shown(seat, value))
        case Verb.DRAW:
            first = now.order[0]
            return (CatsDrawn(draw_size(len(state.cubes), now.hustle[first], state.deck)),)
        case Verb.PAGEANTS:
            drawn = not now.middle and state.deck > 0
            return closing(state, PageantsSet(now.middle or int(drawn), drawn))
        case Verb.ALL_DONE:
            return closing(state, AllGroomed())
        case Verb.NEXT:
            if not ended(state):
                return (RoundStarted(now.number + 1),)
            return (GameEnded(),) if by_cards(state) else (ScoringStarted(),)
        case Verb.PLACE:
            return (CountdownStarted(action.at_ns + state.options.placing_countdown * S),)
        case Verb.GO:
            return (Placed(action.at_ns),)
        case Verb.TRAIN_HUSTLE | Verb.TRAIN_MOXIE:
            assert seat is not None
            return closing(state, Trained(seat, "hustle" if action.verb == Verb.TRAIN_HUSTLE else "moxie"))
        case Verb.LEARN:
            assert seat is not None
            return (LearnStarted(seat),)
        case Verb.TRICK:
            assert isinstance(value, str)
            return trick_named(state, value)
        case Verb.GROOM:
            assert seat is not None
            if value == ENOUGH:
                return closing(state, GroomDone(seat))
            places = [place for place, cat in enumerate(state.hand[seat]) if groomable(cat) and called(cat) == value]
            return closing(state, Groomed(seat, places[0]))
        case Verb.MOXIE:
            assert seat is not None and isinstance(value, int)
            if isinstance(ask, CatMoxie):
                return (CatEntered(seat, ask.trick, value),)
            return closing(state, CardValued(seat, value))
        case Verb.SHOW:
            assert seat is not None and isinstance(value, str)
            if value == ENOUGH:
                return closing(state, ShowDone(seat))
            return closing(state, CatShown(seat, *choices(state, now, seat)[value]))
        case Verb.GROOM_CUBES:
            assert seat is not None and isinstance(value, int)
            return (GroomEntered(seat, value),)
        case Verb.MOXIE_LOW | Verb.MOXIE_HIGH | Verb.HUSTLE_LOW | Verb.HUSTLE_HIGH:
            assert seat is not None and isinstance(value, int)
            return (StatEntered(seat, str(action.verb), value),)
        case Verb.RECALL:
            return (FanciersKnown(recalled(value)),)
        case Verb.FANCIER:
            assert seat is not None
            chosen = [known for known in state.known if known.name == value]
            return (FancierSaved(seat, *chosen[0]),) if value != NEW else (FancierNew(seat),)
        case Verb.NAME:
            assert seat is not None and isinstance(value, str)
            return letter_entered(state, seat, value)
        case Verb.COUNT:
            return (CountStarted(),)
        case Verb.END_NOW:
            return (GameEnded(),) if by_cards(state) else (ScoringStarted(),)
        case Verb.PILE:
            assert seat is not None and isinstance(value, int)
            return (PileCounted(seat, value),)
        case Verb.MEDIA:
            assert seat is not None and isinstance(value, int)
            counted = MediaCounted(seat, value)
            return (counted,) if now.answers.count(None) > 1 else (counted, GameEnded())
        case Verb.UNGROOMED:
            assert seat is not None and isinstance(value, int)
            return (UngroomedCounted(seat, value),)


def recalled(value: Value) -> tuple[tuple[str, int, int, int, int], ...]:
    """Fanciers of earlier games. Raises `Refused` (`bad_value`) with what is wrong with them."""
    assert isinstance(value, tuple)
    if len(value) > MOST_FANCIERS:
        refuse(f"{len(value)} fanciers; {MOST_FANCIERS} at most")
    names: set[object] = set()
    for fancier in value:
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
    return value


def refuse(why: str) -> NoReturn:
    """Refuse what the kit cannot have kept, in words."""
    raise Refused("bad_value", f"{RECALL}: {why}")


def letter_entered(state: State, seat: Seat, letter: str) -> tuple[Event, ...]:
    """A letter more; the name is complete when that is said, or when it is as long as it may be."""
    ask = state.round.ask
    assert isinstance(ask, Name)
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


def find_order(state: State, entered: HustleEntered, chance: Chance) -> Event:
    """Initiative from the last answer on: by value, by starting hustle, then by lot or by seat (R4, R5, A1)."""
    placed = put(state.round.answers, entered.seat, entered.cubes)
    values = [stat + (cubes or 0) for stat, cubes in zip(state.hustle, placed, strict=True)]
    lowest = [stats[2] for stats in state.stats]
    players = len(placed)
    level = level_seats(values, lowest)
    if level and state.options.initiative_tiebreak == "draw":
        ranks = list(range(players))
        chance.dice().shuffle(ranks)
        return OrderFound(initiative(values, lowest, ranks), level)
    return OrderFound(initiative(values, lowest, [(seat - state.first) % players for seat in range(players)]), ())


def trick_named(state: State, value: str) -> tuple[Event, ...]:
    """A trick of the cat just taken, of a pageant card, or one that is learned."""
    ask = state.round.ask
    if isinstance(ask, CatTrick):
        return (TrickEntered(ask.seat, value),)
    if isinstance(ask, CardTrick):
        return closing(state, CardEntered(value))
    assert isinstance(ask, Learn)
    seat = ask.groom.seat
    if not by_cards(state):
        return closing(state, Learned(seat, value, None))
    hand = state.hand[seat]
    place = next(place for place, cat in enumerate(hand) if teaches(cat) and called(cat) == value)
    return closing(state, Learned(seat, hand[place].trick, place))


def closing(state: State, event: Event) -> tuple[Event, ...]:
    """An event, and the verdict on the pageants that are over with it: nobody can show more cats there (R19)."""
    if waited_for(state.round, event):
        return (event,)
    state = evolve(state, event)
    now = state.round
    if not isinstance(now.ask, Show) or any(now.answers[seat] is None for seat in now.ask.seats):
        return (event,)
    return (event, PageantsClosed(verdict(state, now)))


def waited_for(now: Round, event: Event) -> bool:
    """Whether others have to show or to groom after this, so that nothing else can follow from it."""
    if isinstance(event, GroomDone):
        return any(now.rest[seat] for seat in now.order[now.order.index(event.seat) + 1 :])
    return isinstance(now.ask, Show) and [now.answers[seat] for seat in now.ask.seats].count(None) > 1


def verdict(state: State, now: Round) -> tuple[Seat | None, ...]:
    """Who takes the card of the next pageant, and of those after it that are over, too (R19, R20)."""
    stays = not by_cards(state) and bool(showers(state, now))
    won: tuple[Seat | None, ...] = ()
    for shown in now.shown[len(now.won) :]:
        seat = most_cats(shown) if now.pageants else None
        won = (*won, seat)
        if stays or (seat is not None and by_cards(state)):  # others may be shown there; the card's moxie is asked
            break
    return won


# --- evolve ----------------------------------------------------------------------------------------------------------


def evolve(state: State, event: Event) -> State:
    """Fold one fact into the state."""
    now = state.round
    match event:
        case Adopted(seat):
            left, taken = put(now.hustle, seat, now.hustle[seat] - 1), put(now.taken, seat, now.taken[seat] + 1)
            middle, cats = now.middle - 1, put(state.cats, seat, state.cats[seat] + 1)
            ask = CatTrick(seat) if by_cards(state) else adopt_question(state, left, middle, seat, 0)
            now = replace(now, ask=ask, hustle=left, taken=taken, middle=middle)
            return replace(state, cats=cats, round=now)
        case Shown(seat, cats_):
            at = len(now.won)
            shown = put(now.shown, at, put(now.shown[at], seat, cats_))
            now = replace(now, answers=put(now.answers, seat, cats_), shown=shown)
            cats = put(state.cats, seat, state.cats[seat] - cats_)
            return replace(state, cats=cats, scored=put(state.scored, seat, state.scored[seat] + cats_), round=now)
        case GroomDone(seat):
            return replace(state, round=replace(now, ask=groom_question(state, now, seat)))
        case Passed(seat):
            assert isinstance(now.ask, Adopt)
            ask = adopt_question(state, now.hustle, now.middle, seat, now.ask.passes + 1)
            return replace(state, round=replace(now, ask=ask))
        case HustleEntered(seat, cubes):
            return replace(state, round=replace(now, answers=put(now.answers, seat, cubes)))
        case PageantsClosed(won):
            return pageants_closed(state, now, won)
        case OrderFound(order, lots):
            left = tuple([cubes or 0 for cubes in now.answers])
            rest = tuple([own - cubes for own, cubes in zip(state.cubes, left, strict=True)])
            now = replace(now, order=order, lots=lots, hustle=left, rest=rest)
            return replace(state, first=order[0], round=asking(now, cubes_question(state, now)))
        case CatsDrawn(cats_):
            ask = adopt_question(state, now.hustle, cats_, None, 0)
            return replace(state, deck=state.deck - cats_, round=replace(now, middle=cats_, ask=ask))
        case PageantsSet(cards, drawn):
            deck, nobody = state.deck - drawn, (0,) * len(state.cubes)
            now = replace(now, middle=0, drawn=drawn, shown=(nobody,) * (cards or 1), pageants=("",) * cards)
            ask = CardTrick() if by_cards(state) and cards else groom_question(state, now, None)
            return replace(state, deck=deck, round=asking(now, ask))
        case RoundStarted(number_):
            rested_ = tuple([tuple([replace(cat, fresh=False) for cat in hand]) for hand in state.hand])
            fresh = new_round(number_, place_question(state.options), len(state.cubes))
            return replace(state, hand=rested_, round=fresh)
        case StatEntered(seat, _, value):
            return stat_entered(state, seat, value)
        case FanciersKnown(fanciers):
            state = replace(state, known=tuple([Known(*fancier) for fancier in fanciers]))
            return asked(state, fancier_question(state, 0))
        case FancierSaved():
            return fancier_saved(state, event)
        case FancierUnnamed(seat):
            return asked(state, fancier_question(state, seat + 1))
        case FancierNew(seat):
            return asked(state, Fancier(seat))
        case LetterEntered(seat, letter):
            assert isinstance(now.ask, Name)
            return asked(state, Name(seat, now.ask.letters + letter))
        case Trained(seat, stat):
            assert isinstance(now.ask, Groom)
            if stat == "moxie":
                state = replace(state, moxie=put(state.moxie, seat, state.moxie[seat] + 1))
            else:
                state = replace(state, hustle=put(state.hustle, seat, state.hustle[seat] + 1))
            return cube_spent(state, now, now.ask)
        case Learned(seat, trick, cat):
            assert isinstance(now.ask, Learn)
            return cube_spent(learned(state, seat, trick, cat), now, now.ask.groom)
        case Groomed(seat, cat_):
            assert isinstance(now.ask, Groom)
            hand = put(state.hand[seat], cat_, replace(state.hand[seat][cat_], groomed=True))
            return groomed(replace(state, hand=put(state.hand, seat, hand)), now, now.ask)
        case CatEntered(seat, trick, moxie):
            hand = (*state.hand[seat], Cat(trick, moxie))
            state = replace(state, hand=put(state.hand, seat, hand))
            return replace(state, round=replace(now, ask=adopt_question(state, now.hustle, now.middle, seat, 0)))
        case CatShown(seat, pageant, cat_):
            return cat_shown(state, now, seat, pageant, cat_)
        case CardValued(seat, moxie):
            pile = put(state.pile, seat, (state.pile[seat] or 0) + moxie)
            return replace(state, pile=pile, round=next_pageant(state, now))
        case PileCounted(seat, moxie):
            piles = now.ask
            assert isinstance(piles, Piles)
            now = replace(now, answers=put(now.answers, seat, moxie))
            if all(now.answers[s] is not None for s in piles.seats):
                now = asking(now, Media() if piles.final else Result())
            return replace(state, pile=put(state.pile, seat, moxie), round=now)
        case MediaCounted(seat, points):
            now = replace(now, answers=put(now.answers, seat, points))
            return replace(state, media=put(state.media, seat, points), round=now)
        case UngroomedCounted(seat, cats_):
            return replace(state, ungroomed=put(state.ungroomed, seat, cats_))
        case _:
            return replace(state, round=evolve_round(state, now, event))


def asked(state: State, ask: Question) -> State:
    """The state at another question."""
    return replace(state, round=replace(state.round, ask=ask))


def asking(now: Round, ask: Question) -> Round:
    """The round at a question that nobody has answered."""
    return replace(now, ask=ask, answers=(None,) * len(now.answers))


def stat_entered(state: State, seat: Seat, value: int) -> State:
    """The next number of a fancier; after the last one, how to keep it."""
    state = with_stats(state, seat, (*state.stats[seat], value))
    return state if len(state.stats[seat]) < len(STATS) else asked(state, Name(seat))


def with_stats(state: State, seat: Seat, stats: tuple[int, ...]) -> State:
    """Both clips lie on the lowest values (R2)."""
    state = replace(state, stats=put(state.stats, seat, stats))
    if len(stats) < len(STATS):
        return state
    return replace(state, moxie=put(state.moxie, seat, stats[0]), hustle=put(state.hustle, seat, stats[2]))


def fancier_saved(state: State, event: FancierSaved) -> State:
    """A fancier that has a name is known from now on; of two with the same name the newer one."""
    seat = event.seat
    fancier = Known(event.name, event.moxie_low, event.moxie_high, event.hustle_low, event.hustle_high)
    others = tuple([known for known in state.known if known.name != fancier.name])
    state = replace(state, known=(fancier, *others), named=put(state.named, seat, fancier.name))
    return asked(with_stats(state, seat, fancier[1:]), fancier_question(state, seat + 1))


def cube_spent(state: State, now: Round, ask: Groom) -> State:
    """A cube leaves groom."""
    now = replace(now, rest=put(now.rest, ask.seat, now.rest[ask.seat] - 1))
    return replace(state, round=grooming(state, now, ask))


def grooming(state: State, now: Round, ask: Groom) -> Round:
    """The same seat goes on while it has a cube, or cats that its last cube grooms besides."""
    seat = ask.seat
    busy = now.rest[seat] or (ask.free and any(groomable(cat) for cat in state.hand[seat]))
    return replace(now, ask=ask if busy else groom_question(state, now, seat))


def groomed(state: State, now: Round, ask: Groom) -> State:
    """A cube grooms one cat, and one more by copy of the bonus (R11, A12)."""
    if ask.free:
        return replace(state, round=grooming(state, now, replace(ask, free=ask.free - 1)))
    more = cats_a_cube(state.tricks[ask.seat].count("groom")) - 1
    return cube_spent(state, now, replace(ask, free=more))


def learned(state: State, seat: Seat, trick: str, cat: int | None) -> State:
    """A cat goes under the time card: it leaves its place, and its trick works (R13, R14)."""
    tricks, cats = (*state.tricks[seat], trick), put(state.cats, seat, state.cats[seat] - 1)
    if trick == "cube" and (state.options.cube_limit == "none" or supply(state) > 0):  # A8
        state = replace(state, cubes=put(state.cubes, seat, state.cubes[seat] + 1))
    if cat is not None:
        state = replace(state, hand=put(state.hand, seat, without(state.hand[seat], cat)))
    return replace(state, cats=cats, tricks=put(state.tricks, seat, tricks))


def without(hand: tuple[Cat, ...], cat: int) -> tuple[Cat, ...]:
    """A hand after one cat has left."""
    return (*hand[:cat], *hand[cat + 1 :])


def cat_shown(state: State, now: Round, seat: Seat, pageant: int, cat: int) -> State:
    """A cat goes to the score pile (R18); the seat goes on while it can."""
    shown = state.hand[seat][cat]
    misfit = bool(now.pageants) and not fits(shown, now.pageants[pageant])
    pageants = put(now.shown, pageant, put(now.shown[pageant], seat, now.shown[pageant][seat] + 1))
    now = replace(now, shown=pageants, misfits=put(now.misfits, seat, now.misfits[seat] + misfit))
    state = replace(
        state,
        hand=put(state.hand, seat, without(state.hand[seat], cat)),
        cats=put(state.cats, seat, state.cats[seat] - 1),
        scored=put(state.scored, seat, state.scored[seat] + 1),
        pile=put(state.pile, seat, (state.pile[seat] or 0) + shown.moxie),
    )
    ask = now.ask if choices(state, now, seat) else show_question(state, now, seat)
    return replace(state, round=replace(now, ask=ask))


def pageants_closed(state: State, now: Round, won: tuple[Seat | None, ...]) -> State:
    """Cards go to the winners' piles or below the deck (R19, A5)."""
    now = replace(now, won=(*now.won, *won))
    scored = state.scored
    for seat in won:
        if seat is not None:
            scored = put(scored, seat, scored[seat] + 1)
    back = won.count(None) if now.pageants else 0
    state = replace(state, deck=state.deck + back, scored=scored)
    last = won[-1]
    if last is not None and by_cards(state):
        return replace(state, round=replace(now, ask=CardMoxie(last)))
    return replace(state, round=next_pageant(state, now))


def next_pageant(state: State, now: Round) -> Round:
    """The pageant after those that are over, or the result; known cats have all been shown by now."""
    if len(now.won) == len(now.shown):
        return asking(now, Result())
    return asking(now, Show(()) if by_cards(state) else show_question(state, now, None))


def evolve_round(state: State, now: Round, event: Event) -> Round:
    """Fold one fact into the round."""
    ask = now.ask
    match event:
        case AllGroomed():
            return replace(now, ask=show_question(state, now, None))
        case CountdownStarted(due_ns):
            return replace(now, ask=Countdown(due_ns))
        case Placed():
            return replace(now, ask=Hustle())
        case TurnTimed(due_ns):
            assert isinstance(ask, Adopt | Groom)
            return replace(now, ask=replace(ask, due_ns=due_ns))
        case GroomEntered(seat, cubes):
            assert isinstance(ask, GroomCubes)
            show = put(now.show, seat, now.rest[seat] - cubes)
            now = replace(now, rest=put(now.rest, seat, cubes), show=show, answers=put(now.answers, seat, cubes))
            return replace(now, ask=Order()) if all(now.answers[s] is not None for s in ask.seats) else now
        case TrickEntered(seat, trick):
            return replace(now, ask=CatMoxie(seat, trick))
        case CardEntered(trick):
            now = replace(now, pageants=put(now.pageants, now.pageants.index(""), trick))
            return now if "" in now.pageants else replace(now, ask=groom_question(state, now, None))
        case LearnStarted():
            assert isinstance(ask, Groom)
            return replace(now, ask=Learn(ask))
        case ShowDone(seat):
            return replace(now, ask=show_question(state, now, seat))
        case CountStarted():
            return asking(now, piles_question(state, final=False))
        case ScoringStarted():
            return asking(now, piles_question(state, final=True))
        case GameEnded():
            return replace(now, ask=Final())
        case (
            Adopted()
            | Passed()
            | Shown()
            | GroomDone()
            | HustleEntered()
            | PageantsClosed()
            | OrderFound()
            | CatsDrawn()
            | PageantsSet()
            | RoundStarted()
            | FanciersKnown()
            | FancierNew()
            | LetterEntered()
            | FancierSaved()
            | FancierUnnamed()
            | StatEntered()
            | Trained()
            | Learned()
            | Groomed()
            | CatEntered()
            | CatShown()
            | CardValued()
            | PileCounted()
            | MediaCounted()
            | UngroomedCounted()
        ):
            raise AssertionError("folded into the game")


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
    Verb.END_NOW: "Last round: score",
    Verb.PILE: "Pile moxie?",
    Verb.MEDIA: "Media bonus?",
    Verb.UNGROOMED: "Ungroomed cats?",
}

BONUSES = {"show": "show bonus", "groom": "groom bonus", "media": "media bonus"}  # tricks of more than a word


def label(state: State, offer: Offer, value: Value = None) -> str:
    """The offer in words, or one of its options or numbers."""
    verb, now = Verb(offer.verb), state.round
    if value is not None:
        return BONUSES.get(str(value), str(value)) if verb is Verb.TRICK else str(value)
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
    nobody = (0,) * players
    return Round(number_, ask, (None,) * players, nobody, nobody, nobody, nobody, misfits=nobody)


def kept(state: State) -> tuple[Known, ...]:
    """The fanciers that a later game gets back, those used last in front."""
    return state.known[:MOST_FANCIERS]


def start(players: int, options: Options) -> State:
    """The cats are shuffled, everybody has a fancier and 4 cubes (R1, R2)."""
    nobody, unknown = (0,) * players, (None,) * players
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
        pile=unknown,
        media=unknown,
        ungroomed=unknown,
        tricks=((),) * players,
        hand=((),) * players,
        named=("",) * players,
    )


RULES: Rules[State, Event, Options] = Rules(
    name="cat_pageant",
    title="CAT Pageant",
    seats=(2, 4),
    options=Options,
    events=(
        FanciersKnown,
        FancierNew,
        LetterEntered,
        FancierSaved,
        FancierUnnamed,
        StatEntered,
        CountdownStarted,
        Placed,
        HustleEntered,
        OrderFound,
        GroomEntered,
        CatsDrawn,
        Adopted,
        Passed,
        TrickEntered,
        CatEntered,
        PageantsSet,
        CardEntered,
        TurnTimed,
        Trained,
        LearnStarted,
        Learned,
        Groomed,
        GroomDone,
        AllGroomed,
        Shown,
        CatShown,
        ShowDone,
        PageantsClosed,
        CardValued,
        CountStarted,
        RoundStarted,
        ScoringStarted,
        PileCounted,
        MediaCounted,
        GameEnded,
        UngroomedCounted,
    ),
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
