"""CAT Pageant: its options, its state, and the values that the rules derive from it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

from engine import game
from engine.game import Record
from engine.rules import Seat, choice, highest, number, put, switch, timer
from engine.words import N_

CATS = 42
CUBES = 20  # the supply that a table is asked to bring
CUBES_EACH = 4  # R2
MAX_STAT = 20  # of a fancier
MAX_MOXIE = 20  # of a cat
TRICKS = (N_("cube"), N_("show"), N_("groom"), N_("media"), N_("registration"))
WILD = N_("wild")
WITH_TRICK = 40  # cats that are not wild
MEDIA_CAP = 3  # R24
LETTERS = tuple("ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789")
MAX_NAME = 8
MAX_FANCIERS = 12  # known from earlier games
NEW, NO = N_("new"), N_("no")
ENOUGH = N_("done")
STATS = ("moxie_low", "moxie_high", "hustle_low", "hustle_high")  # of a fancier, as they are entered


@dataclass(frozen=True, slots=True)
class Options:
    """The options of the rules page, with its defaults."""

    initiative_tiebreak: str = choice(
        "draw",
        "level initiative: lots are drawn, or clockwise from the last",
        "seat",
        title=N_("Hustle tie"),
        says={"draw": N_("by lot"), "seat": N_("by seat")},
    )
    media_counts_cube: bool = switch(True, "the trick cube counts for the media bonus", title=N_("Media with cube"))
    open_pageant: str = choice(
        "per_cube",
        "one show cube shows as usual, or any number of cats",
        "unlimited",
        title=N_("Open show"),
        says={"per_cube": N_("by cube"), "unlimited": N_("all cats")},
    )
    cube_limit: int | str = number(
        "none", CUBES, CUBES, "cubes of the whole table", "none", title=N_("All cubes"), says={"none": N_("no limit")}
    )
    placing_countdown: int = timer(
        3, 10, "s counted down before the cubes are placed; 0: count yourselves", title=N_("Count down")
    )
    entry: str = choice(
        "counts",
        "piles are counted at the end, or each cat is entered",
        "cards",
        title=N_("Score by"),
        says={"counts": N_("piles"), "cards": N_("each cat")},
    )
    turn_timer_s: int = timer(0, 600, "s for a turn of adopting or grooming; 0 is off", title=N_("Turn timer"))


# --- state: game, round -----------------------------------------------------------------------------------------------

Answers: TypeAlias = tuple[int | None, ...]  # by seat; None until it has answered


class Cat(Record):
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


class Round(Record):
    number: int
    hustle: tuple[int, ...]  # cubes left on hustle, by seat
    rest: tuple[int, ...]  # cubes left on groom; with counts: on groom and show together
    show: tuple[int, ...]  # cubes on show; with counts 0
    taken: tuple[int, ...]  # cats adopted in this round
    misfits: tuple[int, ...]  # cats shown by registration, by seat
    order: tuple[Seat, ...] = ()  # R6
    lots: tuple[Seat, ...] = ()  # whose place was drawn by lot
    middle: int = 0  # cats in the middle
    pageants: tuple[str, ...] = ()  # trick of each pageant card, "" where unknown; none: an open pageant
    drawn: bool = False  # the only pageant card came from the deck
    shown: tuple[tuple[int, ...], ...] = ()  # cats shown, by pageant and seat
    won: tuple[Seat | None, ...] = ()  # by pageant that is over: who has its card


class State(game.RoundState):
    round: Round
    options: Options
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
    named: tuple[str, ...]  # by seat; "" for a fancier without a name
    deck: int = CATS
    first: Seat = 0  # first player of the last round
    known: tuple[Known, ...] = ()  # fanciers of earlier games, and those saved in this one

    @property
    def points(self) -> tuple[int, ...]:
        """Moxie of the score pile, and media bonus (R23)."""
        return tuple([(pile or 0) + (bonus or 0) for pile, bonus in zip(self.pile, media(self), strict=True)])


Question: TypeAlias = game.Question[State]
Events: TypeAlias = tuple[game.Event[State], ...]


class Event(game.Event[State]):
    """The events of CAT Pageant."""


def new_round(number_: int, players: int) -> Round:
    """A round before its cubes are placed."""
    nobody = (0,) * players
    return Round(number_, nobody, nobody, nobody, nobody, misfits=nobody)


def add(counts: tuple[int, ...], seat: Seat, more: int = 1) -> tuple[int, ...]:
    """The counts with `more` added for one seat."""
    return put(counts, seat, counts[seat] + more)


# --- values derived by the rules -------------------------------------------------------------------------------------


def draw_size(players: int, cubes: int, deck: int) -> int:
    """Cats that the first player draws, with so many cubes on hustle (R7, A3)."""
    return min(players + cubes, deck)


def to_draw(state: State) -> int:
    """Cats that the first player draws now."""
    now = state.round
    return draw_size(state.players, now.hustle[now.order[0]], state.deck)


def initiative(values: Sequence[int], lowest: Sequence[int], ranks: Sequence[int]) -> tuple[Seat, ...]:
    """The seats by initiative value, then by the lowest starting hustle, then by rank (R4, R5, A1)."""
    return tuple(sorted(range(len(values)), key=lambda seat: (-values[seat], lowest[seat], ranks[seat])))


def level_seats(values: Sequence[int], lowest: Sequence[int]) -> tuple[Seat, ...]:
    """Seats whose place is decided neither by value nor by starting hustle."""
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
    """The seat with strictly most cats in a pageant (R19)."""
    most = max(cats)
    return cats.index(most) if most and cats.count(most) == 1 else None


def by_cards(state: State) -> bool:
    """Whether each cat is entered."""
    return state.options.entry == "cards"


def supply(state: State) -> int:
    """Cubes left in the supply; below zero: the players have added some (A8)."""
    return CUBES - sum(state.cubes)


def room(state: State, seat: Seat) -> int:
    """Moxie that one more ungroomed cat may have (R9)."""
    return state.moxie[seat] - sum([cat.moxie for cat in state.hand[seat] if not cat.groomed])


def cat_option(cat: Cat) -> str:
    """A cat as an option."""
    return f"{cat.trick} {cat.moxie}{' groomed' if cat.groomed else ''}"


def cat_words(option: str) -> str:
    """Such an option in words for people; that of `choices` with the number of its pageant in front."""
    first, *rest = option.split()
    if first.isdigit():
        return N_("{pageant} {trick} {moxie}", pageant=first, trick=rest[0], moxie=rest[1])
    if len(rest) > 1:
        return N_("{trick} {moxie} groomed", trick=first, moxie=rest[0])
    return N_("{trick} {moxie}", trick=first, moxie=rest[0])


def cat_options(hand: Sequence[Cat], may: Callable[[Cat], bool]) -> dict[str, int]:
    """The cats of a hand that may be chosen: by option the place of the first such cat."""
    options: dict[str, int] = {}
    for place, cat in enumerate(hand):
        if may(cat):
            options.setdefault(cat_option(cat), place)
    return options


def without(hand: tuple[Cat, ...], cat: int) -> tuple[Cat, ...]:
    """A hand after one cat has left."""
    return (*hand[:cat], *hand[cat + 1 :])


def groomable(cat: Cat) -> bool:
    """R11, R12."""
    return not cat.groomed and not cat.fresh


def teaches(cat: Cat) -> bool:
    """R12, A13."""
    return not cat.fresh and cat.trick != WILD


def more_to_show(state: State, seat: Seat) -> int | None:
    """Cats that a seat may still show with its cubes; None: any number (R16, A7)."""
    now = state.round
    if not now.pageants and state.options.open_pageant == "unlimited":
        return None
    most = now.show[seat] * cats_a_cube(state.tricks[seat].count("show"))
    return most - sum(cats[seat] for cats in now.shown)


def choices(state: State, seat: Seat) -> dict[str, tuple[int, int]]:
    """The cats that a seat may still show: by option the pageant and the cat's place in the hand (R16, R17)."""
    now, tricks = state.round, state.tricks[seat]
    if not now.show[seat] or more_to_show(state, seat) == 0:
        return {}
    misfit = tricks.count("registration") > now.misfits[seat]
    options: dict[str, tuple[int, int]] = {}
    for pageant, asked in enumerate(now.pageants or (WILD,)):  # R20: any cat
        for place, cat in enumerate(state.hand[seat]):
            if cat.groomed and (misfit or fits(cat, asked)):
                options.setdefault(f"{pageant + 1} {cat.trick} {cat.moxie}", (pageant, place))
    return options


def fits(cat: Cat, asked: str) -> bool:
    """Whether a cat may enter without registration (R17)."""
    return WILD in (cat.trick, asked) or cat.trick == asked


def ways(state: State, seat: Seat) -> tuple[str, ...]:
    """Training, up to the highest printed value, and learning; with counts any cat without a cube may teach (R11)."""
    _, most_moxie, _, most_hustle = state.stats[seat]
    learns = any(map(teaches, state.hand[seat])) if by_cards(state) else state.cats[seat] > state.round.taken[seat]
    hustle, moxie = state.hustle[seat] < most_hustle, state.moxie[seat] < most_moxie
    verbs = ((hustle, "train_hustle"), (moxie, "train_moxie"), (learns, "learn"))
    return tuple([verb for may, verb in verbs if may])


def later(state: State, after: Seat | None) -> tuple[Seat, ...]:
    """The seats after a seat in this round's order; without a seat the whole order."""
    order = state.round.order
    return order if after is None else order[order.index(after) + 1 :]


def rested(state: State) -> tuple[int, ...]:
    """Cats of each seat without a cube: adopted in an earlier round (R12)."""
    return tuple([cats - new for cats, new in zip(state.cats, state.round.taken, strict=True)])


def stalled(state: State) -> bool:
    """A16: a full round, no cat adopted and no pageant card won; and the game is not over."""
    return not any(state.round.taken) and all(seat is None for seat in state.round.won) and not ended(state)


def ended(state: State) -> bool:
    """R22: the deck is empty once unclaimed pageant cards are back."""
    return state.deck == 0


def media(state: State) -> tuple[int | None, ...]:
    """The media bonuses (R24), as entered or by the tricks; None: not known yet."""
    if by_cards(state):
        return tuple([media_bonus(tricks, state.options.media_counts_cube) for tricks in state.tricks])
    return state.media


def winners(state: State) -> tuple[Seat, ...]:
    """Highest total, then most ungroomed cats among those level; still level: shared (R25, A9)."""
    best = highest(state.scores, state.seats)
    return best if len(best) == 1 else highest(ungroomed(state), best)


def ungroomed(state: State) -> tuple[int, ...]:
    """Ungroomed cats of each seat, as far as they are known."""
    if by_cards(state):
        return tuple(sum(not cat.groomed for cat in hand) for hand in state.hand)
    return tuple(cats or 0 for cats in state.ungroomed)
