"""Pack the Essentials: its options, its rounds, its state, and the totals."""

from dataclasses import dataclass
from functools import cache
from typing import NamedTuple, TypeAlias

from engine import game
from engine.game import Category, Record, known
from engine.games.pack_the_essentials.suitcase import Shape, Suitcase
from engine.rules import Form, Seat, choice, switch, table, timer
from engine.words import N_

POSITIONS = (1, 2, 3, 4)
COLOURS = ("magenta", "lavender", "peach", "mint")
TODO_LISTS = 3
CATS, RATS, FIRST_COLOUR = 3, 4, 5  # lines of the score pad: To Do 0 to 2, cats, rats, four colours
LINES = FIRST_COLOUR + len(COLOURS)
CAT_POINTS = 5  # R24
COLOUR_POINTS = (0, 1, 3, 5, 8, 11, 15, 19, 24, 29, 35, 41, 48)  # R26: by tiles; the last for 12 and more
SMALL = (8, 10)  # R19: bonus tiles of one square and of two, in each colour


class Bonus(NamedTuple):
    """The bonus of a draft position."""

    rats: int
    toys: int
    tiles: tuple[str, ...]  # socks and underwear, colours of choice


BONUS_TABLE = Form(len(POSITIONS), (N_("rat"), N_("toy"), N_("sock"), N_("underwear")), most=4)
# where there is no room for the words
THING_LETTERS = {"rat": N_("R"), "toy": N_("T"), "sock": N_("S"), "underwear": N_("U")}


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

    bonus_table: str = table("underwear sock rat rat+toy", "what each position gives", BONUS_TABLE, title=N_("Bonuses"))
    cat_lady: str = choice(
        "physical",
        "Cat Ladies are tokens, or drawn by the kit",
        "virtual",
        title=N_("Cat Ladies"),
        says={"physical": N_("tokens"), "virtual": N_("the kit")},
    )
    rats_in_total: bool = switch(True, "each rat left over is a point", title=N_("Rats count"))
    toys_fill_for_tiebreak: bool = switch(True, "squares under toys are not empty in a tie", title=N_("Tie: toys fill"))
    solo_goal: str = choice(
        "≥",
        "solo: the goal is reached, or has to be exceeded",
        ">",
        title=N_("Solo goal"),
        says={"≥": N_("reach it"), ">": N_("beat it")},
    )
    ask_tile: bool = switch(
        False, "numbers of tiles are entered; always with virtual Cat Ladies", title=N_("Tile numbers")
    )
    entry: str = choice(
        "counts",
        "how suitcases are reported",
        programs=("placements",),
        title=N_("Suitcases"),
        says={"counts": N_("counted"), "placements": N_("placed")},
    )
    turn_timer_s: int = timer(0, 600, "s for a draft turn; 0 is off", title=N_("Turn timer"))


# --- game and round ---------------------------------------------------------------------------------------------------

Answers: TypeAlias = tuple[int | None, ...]  # by seat; None until it has answered


class Round(Record):
    number: int
    start: Seat = 0  # the seat with the suitcase token
    at: tuple[Seat | None, ...] = (None,) * 4  # by position; None is free or, once all have chosen, a Cat Lady's
    blocked: tuple[int, ...] = ()  # solo: positions
    tiles: tuple[int, ...] = POSITIONS  # spaces that hold a tile, where numbers are asked for
    ladies: tuple[tuple[int, int], ...] = ()  # drawn by the kit, in order: bold number, and tile to the box
    spent: int = 0  # rats, in the turn under way
    drawn: tuple[tuple[str, Shape], ...] = ()  # by space, clothing side up; with placements only


class State(game.RoundState):
    round: Round
    options: Options
    rats: tuple[int, ...]  # by seat; by the record, as toys and cats
    toys: tuple[int, ...]
    cats: tuple[int, ...]
    lines: tuple[Answers, ...]  # of the score pad
    empty: Answers  # squares, of the seats that were asked
    chosen: Seat | None = None  # has the cutest cat picture; None: shared, or no vote
    shown: tuple[Seat, ...] = ()  # the seats of the latest vote
    goal: int = 0
    suitcases: tuple[Suitcase | None, ...] = ()  # by seat; with placements only
    seen: tuple[int, ...] = (0,) * len(COLOURS)  # tiles drawn, by colour; with placements only
    supply: tuple[tuple[int, ...], ...] = (SMALL,) * len(COLOURS)  # bonus tiles left, by colour; with placements only

    @property
    def points(self) -> tuple[int, ...]:
        """The totals as far as they are known (R27)."""
        return tuple(map(sum, zip(*[category.points for category in categories(self)], strict=True)))


Question: TypeAlias = game.Question[State]
Events: TypeAlias = tuple[game.Event[State], ...]


class Event(game.Event[State]):
    """The events of Pack the Essentials."""


def tracked(state: State) -> bool:
    """Whether the kit knows which spaces hold a tile."""
    options = state.options
    return options.ask_tile or bool(state.suitcases) or (options.cat_lady == "virtual" and state.players < 4)


# --- the totals -------------------------------------------------------------------------------------------------------


def colour_points(tiles: int) -> int:
    """The points of the largest group of a colour (R26)."""
    return COLOUR_POINTS[min(tiles, len(COLOUR_POINTS) - 1)]


def had(state: State, seat: Seat) -> int:
    """Rats a seat has had by the record, the first one included: each is spent on a cat, or left."""
    return state.rats[seat] + state.cats[seat]


def cats(state: State, seat: Seat) -> int:
    """Cats and kittens, as entered, else by the record."""
    entered = state.lines[CATS][seat]
    return state.cats[seat] if entered is None else entered


def rats(state: State, seat: Seat) -> int:
    """Rats left, as entered, else those won and not spent on cats."""
    entered = state.lines[RATS][seat]
    return had(state, seat) - cats(state, seat) if entered is None else entered


def categories(state: State) -> tuple[Category, ...]:
    """The groups of lines of the score pad, as far as they are known."""
    seats, lines, counted = state.seats, state.lines, state.options.rats_in_total  # A2
    todo = [sum(points[seat] or 0 for points in lines[:TODO_LISTS]) for seat in seats]
    colours = [sum(colour_points(sizes[seat] or 0) for sizes in lines[FIRST_COLOUR:]) for seat in seats]
    return (
        Category(N_("To Do lists"), tuple(todo)),
        Category(N_("cats"), tuple([CAT_POINTS * cats(state, seat) for seat in seats])),
        Category(N_("rats"), tuple([rats(state, seat) if counted else 0 for seat in seats])),
        Category(N_("colours"), tuple(colours)),
    )
