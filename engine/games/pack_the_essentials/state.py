"""Pack the Essentials: its options, its state, and what follows from them by the rules."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations
from typing import Any, NamedTuple, TypeAlias

from msgspec.structs import replace

from engine import game, suitcase
from engine.game import Record, known
from engine.rules import Seat, Table, choice, highest, switch, table, timer
from engine.suitcase import Shape, Suitcase

ROUNDS = 12
POSITIONS = (1, 2, 3, 4)
WORDS = ("1", "2", "3", "4")  # positions and tiles as people choose them
BAG = 76  # cat/clothing tiles
COLOURS = ("magenta", "lavender", "peach", "mint")
MOST_RATS_A_TURN = 2  # R15
CAT_POINTS = 5  # R24
COLOUR_POINTS = (0, 1, 3, 5, 8, 11, 15, 19, 24, 29, 35, 41, 48)  # R26: by tiles; the last for 12 and more
MOST_TODO = 60  # what a To Do list may be worth
MOST_GOAL = 300
USUAL_GOAL = 100
MOST_TILE = 8  # squares
SMALL = (8, 10)  # R19: bonus tiles of one square and of two, in each colour
BLOCKS = tuple("+".join(some) for many in (1, 2, 3) for some in combinations(WORDS, many))  # S2: what a card may block
TODO_LISTS = 3
CATS, RATS, FIRST_COLOUR = 3, 4, 5  # lines of the score pad: To Do 0 to 2, cats, rats, four colours
LINES = FIRST_COLOUR + len(COLOURS)
S = 1_000_000_000


class Bonus(NamedTuple):
    """What a draft position gives."""

    rats: int
    toys: int
    tiles: tuple[str, ...]  # socks and underwear, colours of choice


BONUS_TABLE = Table(len(POSITIONS), ("rat", "toy", "sock", "underwear"), most=4)


@cache
def bonuses(text: str) -> tuple[Bonus, ...]:
    """A bonus table by position."""
    return tuple(
        Bonus(rats, toys, ("sock",) * socks + ("underwear",) * underwear)
        for rats, toys, socks, underwear in known(BONUS_TABLE.counts(text))
    )


@dataclass(frozen=True, slots=True)
class Options:
    """The options of the rules page, with its defaults."""

    bonus_table: str = table("underwear sock rat rat+toy", "what each position gives", BONUS_TABLE, title="Bonuses")
    cat_lady: str = choice(
        "physical",
        "Cat Ladies are tokens, or drawn by the kit",
        "virtual",
        title="Cat Ladies",
        says={"physical": "tokens", "virtual": "the kit"},
    )
    rats_in_total: bool = switch(True, "each rat left over is a point", title="Rats count")
    toys_fill_for_tiebreak: bool = switch(True, "squares under toys are not empty in a tie", title="Tie: toys fill")
    solo_goal: str = choice(
        "≥",
        "solo: the goal is reached, or has to be exceeded",
        ">",
        title="Solo goal",
        says={"≥": "reach it", ">": "beat it"},
    )
    ask_tile: bool = switch(False, "numbers of tiles are entered; always with virtual Cat Ladies", title="Tile numbers")
    entry: str = choice(
        "counts",
        "how suitcases are reported",
        programs=("placements",),
        title="Suitcases",
        says={"counts": "counted", "placements": "placed"},
    )
    turn_timer_s: int = timer(0, 600, "s for a draft turn; 0 is off", title="Turn timer")


# --- game and round ---------------------------------------------------------------------------------------------------

Answers: TypeAlias = tuple[int | None, ...]  # by seat; None until it has answered


class Round(Record):
    number: int
    start: Seat = 0  # who has the suitcase token
    at: tuple[Seat | None, ...] = (None,) * 4  # by position; None is free or, once all have chosen, a Cat Lady's
    blocked: tuple[int, ...] = ()  # solo: positions
    tiles: tuple[int, ...] = POSITIONS  # spaces that hold a tile, where numbers are asked for
    ladies: tuple[tuple[int, int], ...] = ()  # drawn by the kit, in order: bold number, and tile to the box
    spent: int = 0  # rats, in the turn under way
    drawn: tuple[tuple[str, Shape], ...] = ()  # by space, clothing side up; with placements only


class State(game.State):
    options: Options
    round: Round
    rats: tuple[int, ...]  # by seat; by the record, as toys and cats
    toys: tuple[int, ...]
    cats: tuple[int, ...]
    lines: tuple[Answers, ...]  # of the score pad
    empty: Answers  # squares, of those who were asked
    chosen: Seat | None = None  # has the cutest cat picture; None: shared, or no vote
    shown: tuple[Seat, ...] = ()  # between whom the latest vote has decided
    goal: int = 0
    suitcases: tuple[Suitcase | None, ...] = ()  # by seat; with placements only
    seen: tuple[int, ...] = (0,) * len(COLOURS)  # tiles drawn, by colour; with placements only
    supply: tuple[tuple[int, ...], ...] = (SMALL,) * len(COLOURS)  # bonus tiles left, by colour; with placements only

    def in_round(self, **changes: Any) -> "State":
        """The state with other fields of its round."""
        return replace(self, round=replace(self.round, **changes))


Question: TypeAlias = game.Question[State]
Events: TypeAlias = tuple[game.Event[State], ...]


class Event(game.Event[State]):
    """What happens in Pack the Essentials only."""


# --- what follows from the rules --------------------------------------------------------------------------------------


def colour_points(tiles: int) -> int:
    """What the largest group of a colour is worth (R26)."""
    return COLOUR_POINTS[min(tiles, len(COLOUR_POINTS) - 1)]


def ring(bold: int) -> tuple[int, ...]:
    """The numbers of a Cat Lady whom the kit plays, from the bold one on."""
    return (*POSITIONS[bold - 1 :], *POSITIONS[: bold - 1])


def removed(numbers: Iterable[int], tiles: Sequence[int]) -> int:
    """The tile that a Cat Lady takes: the first of her numbers that is still there (R11, A9)."""
    return next(space for space in numbers if space in tiles)


def tracked(state: State) -> bool:
    """Whether the kit knows which spaces hold a tile."""
    options = state.options
    return options.ask_tile or bool(state.suitcases) or (options.cat_lady == "virtual" and state.players < 4)


def in_bag(state: State) -> int:
    """Tiles left in the bag once this round's four are out (R21)."""
    return BAG - 4 * state.round.number


def rats_allowed(table: str, position: int, have: int, spent: int, *, discarding: bool) -> int:
    """How many more rats may be spent in this turn: one for each tile that is placed (R15)."""
    tiles = len(bonuses(table)[position - 1].tiles) + (not discarding)
    return min(have, min(tiles, MOST_RATS_A_TURN) - spent)


def had(state: State, seat: Seat) -> int:
    """Rats a seat has had by the record, the first one included: each is spent on a cat, or left."""
    return state.rats[seat] + state.cats[seat]


def cats(state: State, seat: Seat) -> int:
    """Cats and kittens, as entered, else by the record."""
    entered = state.lines[CATS][seat]
    return state.cats[seat] if entered is None else entered


def rats(state: State, seat: Seat) -> int:
    """Rats left, as entered, else what the cats leave of those won."""
    entered = state.lines[RATS][seat]
    return had(state, seat) - cats(state, seat) if entered is None else entered


def scores(state: State) -> tuple[int, ...]:
    """What is known of the totals (R27), plus what was fixed by hand."""
    totals = []
    for seat, fixed in enumerate(state.corrected):
        todo = sum(points[seat] or 0 for points in state.lines[:TODO_LISTS])
        left = rats(state, seat) if state.options.rats_in_total else 0  # A2
        colours = sum(colour_points(sizes[seat] or 0) for sizes in state.lines[FIRST_COLOUR:])
        totals.append(todo + CAT_POINTS * cats(state, seat) + left + colours + fixed)
    return tuple(totals)


def level(state: State) -> tuple[Seat, ...]:
    """The highest total; as far as they are known, empty squares and rats break a tie (R28)."""
    best = highest(scores(state), state.seats)
    if len(best) > 1 and not uncounted(state, best):
        best = highest([-(empty_squares(state, seat) or 0) for seat in state.seats], best)
        best = highest([rats(state, seat) for seat in state.seats], best)
    return best


def leaders(state: State) -> tuple[Seat, ...]:
    """Who leads, the vote included (R28)."""
    best = level(state)
    return (state.chosen,) if state.chosen is not None and state.chosen in best else best


def winners(state: State) -> tuple[Seat, ...]:
    """Who leads in the end; solo, whether the goal was met (S4, A8)."""
    if state.players > 1:
        return leaders(state)
    (total,) = scores(state)
    met = total > state.goal if state.options.solo_goal == ">" else total >= state.goal
    return (0,) if met else ()


def empty_squares(state: State, seat: Seat) -> int | None:
    """Empty squares as entered, or of a reported suitcase, where toys lie on some of them (A7); None: not known."""
    own = state.suitcases[seat] if state.suitcases else None
    if own is None:
        return state.empty[seat]
    toys = state.toys[seat] if state.options.toys_fill_for_tiebreak else 0
    return max(0, suitcase.empty(own) - toys)


def uncounted(state: State, seats: Iterable[Seat]) -> tuple[Seat, ...]:
    """Those of these seats whose empty squares are not known."""
    return tuple([seat for seat in seats if empty_squares(state, seat) is None])


def words(numbers: Iterable[int]) -> tuple[str, ...]:
    """Positions or tiles as options."""
    return tuple([WORDS[each - 1] for each in numbers])
