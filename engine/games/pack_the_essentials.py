"""Pack the Essentials: twelve rounds of drafting tiles into a suitcase. Clothes are free, a cat costs a Pack Rat.

Rule numbers (R, S, A, T) are those of the rules page. By Jacqueline Atkins, Wacky Wizard Games.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from itertools import combinations
from typing import Any, NamedTuple, TypeAlias

from engine import suitcase
from engine.rules import (
    Action,
    Board,
    Chance,
    Offer,
    Refused,
    Rules,
    Seat,
    Table,
    Value,
    against_clock,
    choice,
    each_seat,
    highest,
    put,
    replace,
    replacer,
    seats_of,
    switch,
    table,
    timer,
)
from engine.suitcase import Shape, Square, Suitcase, Tile

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


class Verb(StrEnum):
    PACKED_LAST = "packed_last"
    GOAL = "goal"
    PREFILLED = "prefilled"
    TILES = "tiles"
    BLOCK = "block"
    POSITION = "position"
    BEGIN = "begin"
    TAKE = "take"
    LAY = "lay"
    RAT = "rat"
    NOTHING_FITS = "nothing_fits"
    TO_BOX = "to_box"
    TIME_UP = "time_up"
    TOYS = "toys"
    TODO = "todo"
    CATS = "cats"
    RATS = "rats"
    GROUP = "group"
    EMPTY = "empty"
    VOTE = "vote"
    GUEST = "guest"


class Bonus(NamedTuple):
    """What a draft position gives."""

    rats: int
    toys: int
    tiles: tuple[str, ...]  # socks and underwear, colours of choice


BONUS_TABLE = Table(len(POSITIONS), ("rat", "toy", "sock", "underwear"), most=4)


@cache
def bonuses(text: str) -> tuple[Bonus, ...]:
    """A bonus table by position."""
    counts = BONUS_TABLE.counts(text)
    assert counts is not None
    return tuple(
        Bonus(rats, toys, ("sock",) * socks + ("underwear",) * underwear) for rats, toys, socks, underwear in counts
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


# --- state: game, round, question ------------------------------------------------------------------------------------

Answers: TypeAlias = tuple[int | None, ...]  # by seat; None until it has answered


@dataclass(frozen=True, slots=True)
class Packer:
    """Who packed a bag last? (R3)"""


@dataclass(frozen=True, slots=True)
class Goal:
    """Solo: what goal is on the card? (S1)"""


@dataclass(frozen=True, slots=True)
class Prefilled:
    """Which squares of each suitcase are filled from the start?"""


@dataclass(frozen=True, slots=True)
class Draw:
    """Which tiles lie in the spaces? (R4)"""


@dataclass(frozen=True, slots=True)
class Block:
    """Solo: which positions does the placement card block? (S2)"""


@dataclass(frozen=True, slots=True)
class Order:
    """Which position does this seat choose? (R7)"""

    seat: Seat


@dataclass(frozen=True, slots=True)
class CatLady:
    """Which tile did the Cat Lady take? Where numbers are not asked for: is it gone, what is the next number? (R11)"""

    position: int


@dataclass(frozen=True, slots=True)
class Ready:
    """A draft turn against the clock waits for a press."""

    seat: Seat
    position: int


@dataclass(frozen=True, slots=True)
class Draft:
    """Which tile does this seat take? (R10)"""

    seat: Seat
    position: int
    due_ns: int | None = None  # its time is up then
    discarding: bool = False  # R14: none fits, which one goes?


@dataclass(frozen=True, slots=True)
class Toys:
    """Toys are put on empty squares (R22)."""


@dataclass(frozen=True, slots=True)
class Line:
    """One line of the score pad, of every seat (R23 to R26)."""

    line: int


@dataclass(frozen=True, slots=True)
class Empty:
    """How many squares of these suitcases are empty? (R28)"""

    seats: tuple[Seat, ...]


@dataclass(frozen=True, slots=True)
class Vote:
    """Whose cat picture is the cutest? Those who show none vote (R28)."""

    among: tuple[Seat, ...]
    votes: tuple[Seat | None, ...]  # by seat
    level: tuple[Seat, ...]  # all who were level when it began: it is repeated among fewer


Question: TypeAlias = (
    Packer | Goal | Prefilled | Draw | Block | Order | CatLady | Ready | Draft | Toys | Line | Empty | Vote
)


class Round(NamedTuple):
    number: int
    ask: Question
    start: Seat = 0  # who has the suitcase token
    at: tuple[Seat | None, ...] = (None,) * 4  # by position; None is free or, once all have chosen, a Cat Lady's
    blocked: tuple[int, ...] = ()  # solo: positions
    tiles: tuple[int, ...] = POSITIONS  # spaces that hold a tile, where numbers are asked for
    ladies: tuple[tuple[int, int], ...] = ()  # drawn by the kit, in order: bold number, and tile to the box
    spent: int = 0  # rats, in the turn under way
    drawn: tuple[tuple[str, Shape], ...] = ()  # by space, clothing side up; with placements only


class State(NamedTuple):
    options: Options
    corrected: tuple[int, ...]
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


# what changes with almost every action
with_round = replacer(State, "round")
with_ask = replacer(Round, "ask")
with_choice = replacer(Round, "at", "ask")
with_turn = replacer(Round, "tiles", "spent", "ask")
with_spent = replacer(Round, "spent")
with_gains = replacer(State, "rats", "toys", "round")
with_cat = replacer(State, "rats", "cats", "round")
with_lines = replacer(State, "lines", "round")

# questions that are asked again and again
ORDER = tuple([Order(seat) for seat in range(4)])
LINE = tuple([Line(line) for line in range(LINES)])
CATLADY = tuple([CatLady(position) for position in POSITIONS])


# --- events ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class PackerNamed:
    seat: Seat


@dataclass(frozen=True, slots=True)
class GoalSet:
    points: int


@dataclass(frozen=True, slots=True)
class SuitcaseOpened:
    seat: Seat
    prefilled: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class TilesDrawn:
    tiles: tuple[tuple[str, tuple[tuple[int, int], ...]], ...]  # by space: colour and squares, clothing side up


@dataclass(frozen=True, slots=True)
class Blocked:
    positions: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class PositionTaken:
    seat: Seat
    position: int


@dataclass(frozen=True, slots=True)
class BonusesTaken:
    rats: tuple[int, ...]  # by seat
    toys: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class CatLadyActed:
    position: int
    bold: int | None  # drawn by the kit
    tile: int | None  # to the box; None where numbers are not asked for


@dataclass(frozen=True, slots=True)
class TurnStarted:
    due_ns: int


@dataclass(frozen=True, slots=True)
class TimeUp:
    """A reminder: the turn goes on."""


@dataclass(frozen=True, slots=True)
class RatSpent:
    seat: Seat


@dataclass(frozen=True, slots=True)
class NothingFits:
    seat: Seat


@dataclass(frozen=True, slots=True)
class Laid:
    seat: Seat
    colour: str
    cat: bool
    squares: tuple[tuple[int, int], ...]
    bonus: bool = False  # from the supply


@dataclass(frozen=True, slots=True)
class Taken:
    seat: Seat
    tile: int | None


@dataclass(frozen=True, slots=True)
class Discarded:
    seat: Seat
    tile: int | None


@dataclass(frozen=True, slots=True)
class RoundStarted:
    number: int
    start: Seat


@dataclass(frozen=True, slots=True)
class Packed:
    """All rounds are over."""


@dataclass(frozen=True, slots=True)
class ToysPlaced:
    pass


@dataclass(frozen=True, slots=True)
class LineEntered:
    seat: Seat
    line: int  # of the score pad: To Do 1 to 3, cats, rats, then the colours' largest groups in tiles
    value: int


@dataclass(frozen=True, slots=True)
class EmptyEntered:
    seat: Seat
    squares: int


@dataclass(frozen=True, slots=True)
class Tied:
    seats: tuple[Seat, ...]


@dataclass(frozen=True, slots=True)
class Voted:
    seat: Seat
    picture: Seat


@dataclass(frozen=True, slots=True)
class PictureChosen:
    seat: Seat


@dataclass(frozen=True, slots=True)
class GameEnded:
    pass


Event: TypeAlias = (
    PackerNamed
    | GoalSet
    | SuitcaseOpened
    | TilesDrawn
    | Blocked
    | PositionTaken
    | BonusesTaken
    | CatLadyActed
    | TurnStarted
    | TimeUp
    | RatSpent
    | NothingFits
    | Laid
    | Taken
    | Discarded
    | RoundStarted
    | Packed
    | ToysPlaced
    | LineEntered
    | EmptyEntered
    | Tied
    | Voted
    | PictureChosen
    | GameEnded
)


# --- what follows from the rules -------------------------------------------------------------------------------------


def colour_points(tiles: int) -> int:
    """What the largest group of a colour is worth (R26)."""
    return COLOUR_POINTS[min(tiles, len(COLOUR_POINTS) - 1)]


def ring(bold: int) -> tuple[int, ...]:
    """The numbers of a Cat Lady whom the kit plays, from the bold one on."""
    return (*POSITIONS[bold - 1 :], *POSITIONS[: bold - 1])


def removed(numbers: Iterable[int], tiles: Sequence[int]) -> int:
    """The tile that a Cat Lady takes: the first of her numbers that is still there (R11, A9)."""
    return next(space for space in numbers if space in tiles)


def placements(state: State) -> bool:
    """Whether tiles are reported as they are laid."""
    return bool(state.suitcases)


def tracked(state: State) -> bool:
    """Whether the kit knows which spaces hold a tile."""
    options = state.options
    return options.ask_tile or bool(state.suitcases) or (options.cat_lady == "virtual" and len(state.rats) < 4)


def in_bag(state: State) -> int:
    """Tiles left in the bag once this round's four are out (R21)."""
    return BAG - 4 * state.round.number


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
    seats = seats_of(len(state.rats))
    best = highest(scores(state), seats)
    if len(best) > 1 and not uncounted(state, best):
        best = highest([-(empty_squares(state, seat) or 0) for seat in seats], best)
        best = highest([rats(state, seat) for seat in seats], best)
    return best


def leaders(state: State) -> tuple[Seat, ...]:
    """Who leads, the vote included (R28)."""
    best = level(state)
    return (state.chosen,) if state.chosen is not None and state.chosen in best else best


def winners(state: State) -> tuple[Seat, ...]:
    """Who leads in the end; solo, whether the goal was met (S4, A8)."""
    if len(state.rats) > 1:
        return leaders(state)
    (total,) = scores(state)
    met = total > state.goal if state.options.solo_goal == ">" else total >= state.goal
    return (0,) if met else ()


def rats_allowed(table: str, position: int, have: int, spent: int, *, discarding: bool) -> int:
    """How many more rats may be spent in this turn: one for each tile that is placed (R15)."""
    tiles = len(bonuses(table)[position - 1].tiles) + (not discarding)
    return min(have, min(tiles, MOST_RATS_A_TURN) - spent)


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


# --- the order of the questions --------------------------------------------------------------------------------------


def question(state: State) -> Question | None:
    """What is asked; None once the game is over."""
    counted = None not in state.lines[-1]
    return tie_break(state) if counted else state.round.ask


def tie_break(state: State) -> Empty | Vote | None:
    """What breaks the tie for the highest total next (R28); None where there is none.

    It follows from the totals as they stand: points that are fixed, also after the end, may make a tie or dissolve it.
    """
    best, ask = level(state), state.round.ask
    if len(best) == 1:
        return None
    if unknown := uncounted(state, best):
        return ask if isinstance(ask, Empty) and uncounted(state, ask.seats) == unknown else Empty(unknown)
    if set(best) <= set(state.shown) and (state.chosen is None or state.chosen in best):
        return None
    return ask if isinstance(ask, Vote) and ask.level == best else Vote(best, (None,) * len(state.rats), best)


def round_question(state: State, number_: int, start: Seat) -> Question:
    """The first question of a round."""
    return Draw() if state.suitcases else order_question(state, number_, start)


def order_question(state: State, number_: int, start: Seat) -> Question:
    """Solo, a placement card comes first in even rounds (S2)."""
    return Block() if len(state.rats) == 1 and number_ % 2 == 0 else ORDER[start]


def turn_question(state: State, now: Round, position: int) -> Question:
    """Who acts at a position."""
    if position > len(POSITIONS):
        return now.ask  # the round is over
    seat = now.at[position - 1]
    return CATLADY[position - 1] if seat is None else turn_at(position, seat, state.options.turn_timer_s > 0)


@cache
def turn_at(position: int, seat: Seat, timed: bool) -> Ready | Draft:
    return Ready(seat, position) if timed else Draft(seat, position)


# --- offers ----------------------------------------------------------------------------------------------------------


def offers(state: State) -> tuple[Offer, ...]:
    """What each seat and the table may do now; nothing once the game is over."""
    ask = question(state)
    return () if ask is None else OFFERS[type(ask)](state, ask)


@cache
def packer_offers(players: int) -> tuple[Offer, ...]:
    return tuple([Offer(seat, Verb.PACKED_LAST) for seat in range(players)])


def prefilled_offers(state: State, ask: Prefilled) -> tuple[Offer, ...]:
    out = [seat for seat, own in enumerate(state.suitcases) if own is None]
    joins = len(out) < len(state.suitcases)
    return tuple([Offer(seat, Verb.PREFILLED, joins=joins, example=some_prefilled(seat)) for seat in out])


def draw_offers(state: State, ask: Draw) -> tuple[Offer, ...]:
    return (Offer(None, Verb.TILES, example=some_tiles(state)),)


def order_offers(state: State, ask: Order) -> tuple[Offer, ...]:
    return position_offers(ask.seat, state.round.at, state.round.blocked)


@cache
def position_offers(seat: Seat, at: tuple[Seat | None, ...], blocked: tuple[int, ...]) -> tuple[Offer, ...]:
    """The free positions."""
    return (Offer(seat, Verb.POSITION, options=words(free(at, blocked))),)


def free(at: tuple[Seat | None, ...], blocked: tuple[int, ...]) -> tuple[int, ...]:
    """Positions that may be chosen."""
    return tuple([position for position in POSITIONS if at[position - 1] is None and position not in blocked])


def words(numbers: Iterable[int]) -> tuple[str, ...]:
    """Positions or tiles as options."""
    return tuple([WORDS[each - 1] for each in numbers])


def lady_offers(state: State, ask: CatLady) -> tuple[Offer, ...]:
    """The tile that goes; where numbers are not asked for an OK, or whatever the player after her does."""
    if tracked(state):
        return to_box_offers(state.round.tiles)
    then = after_ladies(state, ask)
    return (FLIPPED,) if then is None else (FLIPPED, *OFFERS[type(then)](state, then))


def after_ladies(state: State, ask: CatLady) -> Ready | Draft | None:
    """The turn that comes once this Cat Lady, and any next to her, have acted; None: the round is over then."""
    for position, seat in enumerate(state.round.at, 1):
        if position > ask.position and seat is not None:
            return turn_at(position, seat, state.options.turn_timer_s > 0)
    return None


@cache
def to_box_offers(tiles: tuple[int, ...]) -> tuple[Offer, ...]:
    """Which tile goes to the box?"""
    return (Offer(None, Verb.TO_BOX, options=words(tiles)),)


def ready_offers(state: State, ask: Ready) -> tuple[Offer, ...]:
    return (Offer(ask.seat, Verb.BEGIN),)


def draft_offers(state: State, ask: Draft) -> tuple[Offer, ...]:
    """Take a tile, whose number is asked for where it is needed; spend a rat; or none fits. Or all of it as one."""
    if state.suitcases:
        return lay_offers(state, ask)
    now, options, seat = state.round, state.options, ask.seat
    numbers = now.tiles if len(now.tiles) > 1 and tracked(state) else ()
    table, have, joins = options.bonus_table, state.rats[seat], options.turn_timer_s > 0
    out = turn_offers(seat, ask.position, numbers, table, have, now.spent, ask.discarding, joins)
    return against_clock(out, Verb.TIME_UP, ask.due_ns, joins=True)


@cache
def turn_offers(
    seat: Seat,
    position: int,
    numbers: tuple[int, ...],
    table: str,
    have: int,
    spent: int,
    discarding: bool,
    joins: bool,
) -> tuple[Offer, ...]:
    """The offers of a draft turn; they stand again and again, so each is made once."""
    verb = Verb.TO_BOX if discarding else Verb.TAKE
    out = [Offer(seat, verb, options=words(numbers), joins=joins)]
    if rats_allowed(table, position, have, spent, discarding=discarding) > 0:
        out.append(Offer(seat, Verb.RAT, joins=joins, hold=True))  # R15
    box = not spent or rats_allowed(table, position, have, spent, discarding=True) >= 0  # every rat turns a tile
    if box and not discarding:
        out.append(Offer(seat, Verb.NOTHING_FITS, joins=joins, menu=True))  # R14
    return tuple(out)


def line_offers(state: State, ask: Line) -> tuple[Offer, ...]:
    """One line of the score pad; cats and rats stand as the record has them."""
    line, seats = ask.line, seats_of(len(state.rats))
    answers = state.lines[line]
    if line < TODO_LISTS:
        return each_seat(answers, Verb.TODO, low=0, high=MOST_TODO)
    if line >= FIRST_COLOUR:
        return each_seat(answers, Verb.GROUP, low=0, high=len(COLOUR_POINTS) - 1)
    if line == CATS:
        most = tuple([had(state, seat) for seat in seats])
        return each_seat(answers, Verb.CATS, low=0, high=most, prefill=state.cats)
    left = tuple([had(state, seat) - cats(state, seat) for seat in seats])
    return each_seat(answers, Verb.RATS, low=0, high=left, prefill=left)


def empty_offers(state: State, ask: Empty) -> tuple[Offer, ...]:
    return each_seat(state.empty, Verb.EMPTY, low=0, high=suitcase.SQUARES, seats=ask.seats)


def vote_offers(state: State, ask: Vote) -> tuple[Offer, ...]:
    """Those who show no picture, in turn; where nobody is left, a guest, or it is shared (A11)."""
    voters = [seat for seat, vote in enumerate(ask.votes) if vote is None and seat not in ask.among]
    if voters:
        return (Offer(voters[0], Verb.VOTE, options=ask.among),)
    return (Offer(None, Verb.GUEST, options=(*ask.among, "shared")),)


GOAL = (Offer(None, Verb.GOAL, 0, MOST_GOAL, prefill=USUAL_GOAL),)
BLOCK = (Offer(None, Verb.BLOCK, options=BLOCKS),)
TOYS = (Offer(None, Verb.TOYS),)
FLIPPED = Offer(None, Verb.TO_BOX)

OFFERS: dict[type[Question], Callable[[State, Any], tuple[Offer, ...]]] = {
    Packer: lambda state, ask: packer_offers(len(state.rats)),
    Goal: lambda state, ask: GOAL,
    Prefilled: prefilled_offers,
    Draw: draw_offers,
    Block: lambda state, ask: BLOCK,
    Order: order_offers,
    CatLady: lady_offers,
    Ready: ready_offers,
    Draft: draft_offers,
    Toys: lambda state, ask: TOYS,
    Line: line_offers,
    Empty: empty_offers,
    Vote: vote_offers,
}


# --- decide ----------------------------------------------------------------------------------------------------------


def decide(state: State, action: Action, chance: Chance) -> tuple[Event, ...]:
    """What an offered action causes. Who drafts after a Cat Lady says by it that she has acted, too."""
    passed: tuple[Event, ...] = ()
    ask = state.round.ask
    if action.seat is not None and isinstance(ask, CatLady) and (then := after_ladies(state, ask)) is not None:
        passed = tuple([CatLadyActed(position, None, None) for position in range(ask.position, then.position)])
        for event in passed:
            state = evolve(state, event)
    return (*passed, *DECIDE[action.verb](state, action, chance))


def name_packer(state: State, action: Action, chance: Chance) -> tuple[Event, ...]:
    assert action.seat is not None
    return (PackerNamed(action.seat),)


def set_goal(state: State, action: Action, chance: Chance) -> tuple[Event, ...]:
    assert isinstance(action.value, int)
    return (GoalSet(action.value),)


def open_suitcase(state: State, action: Action, chance: Chance) -> tuple[Event, ...]:
    assert action.seat is not None
    return (SuitcaseOpened(action.seat, prefilled(action.value)),)


def draw_tiles(state: State, action: Action, chance: Chance) -> tuple[Event, ...]:
    return (TilesDrawn(drawn(state, action.value)),)


def block(state: State, action: Action, chance: Chance) -> tuple[Event, ...]:
    """The placement card; where it leaves one position, that is taken (S2)."""
    assert isinstance(action.value, str)
    blocked = tuple([int(position) for position in action.value.split("+")])
    position, *others = free(state.round.at, blocked)
    if others:
        return (Blocked(blocked),)
    return (Blocked(blocked), *order_chosen(state, 0, position, blocked, chance))


def choose_position(state: State, action: Action, chance: Chance) -> tuple[Event, ...]:
    seat, value = action.seat, action.value
    assert seat is not None and isinstance(value, str)
    return order_chosen(state, seat, int(value), state.round.blocked, chance)


def begin_turn(state: State, action: Action, chance: Chance) -> tuple[Event, ...]:
    return (TurnStarted(action.at_ns + state.options.turn_timer_s * S),)


def say_time_up(state: State, action: Action, chance: Chance) -> tuple[Event, ...]:
    return (TimeUp(),)


def spend_rat(state: State, action: Action, chance: Chance) -> tuple[Event, ...]:
    assert action.seat is not None
    return (RatSpent(action.seat),)


def take(state: State, action: Action, chance: Chance) -> tuple[Event, ...]:
    ask, tile = state.round.ask, chosen_tile(state, action.value)
    assert isinstance(ask, Draft)
    return (Taken(ask.seat, tile), *after_turn(state, ask.position, tile, chance))


def find_none(state: State, action: Action, chance: Chance) -> tuple[Event, ...]:
    """No tile fits (R14): which one goes is asked where numbers count, or while a bonus tile may still be turned."""
    now, ask, seat = state.round, state.round.ask, action.seat
    assert isinstance(ask, Draft) and seat is not None
    which = len(now.tiles) > 1 and tracked(state)
    if which or rats_allowed(state.options.bonus_table, ask.position, state.rats[seat], now.spent, discarding=True) > 0:
        return (NothingFits(seat),)
    return discard(state, action, chance)


def send_to_box(state: State, action: Action, chance: Chance) -> tuple[Event, ...]:
    ask = state.round.ask
    if isinstance(ask, Draft):
        return discard(state, action, chance)
    assert isinstance(ask, CatLady)
    tile = chosen_tile(state, action.value)
    return (CatLadyActed(ask.position, None, tile), *after_turn(state, ask.position, tile, chance))


def discard(state: State, action: Action, chance: Chance) -> tuple[Event, ...]:
    ask, tile = state.round.ask, chosen_tile(state, action.value)
    assert isinstance(ask, Draft)
    return (Discarded(ask.seat, tile), *after_turn(state, ask.position, tile, chance))


def lay(state: State, action: Action, chance: Chance) -> tuple[Event, ...]:
    ask = state.round.ask
    assert isinstance(ask, Draft)
    tile, events = laid(state, ask, action.value)
    return (*events, *after_turn(state, ask.position, tile, chance))


def place_toys(state: State, action: Action, chance: Chance) -> tuple[Event, ...]:
    return (ToysPlaced(),)


def enter_line(state: State, action: Action, chance: Chance) -> tuple[Event, ...]:
    """A number for the score pad; the rest of it is computed from reported suitcases; the last one settles the game."""
    ask, seat, value = state.round.ask, action.seat, action.value
    assert isinstance(ask, Line) and seat is not None and isinstance(value, int)
    events: tuple[Event, ...] = (LineEntered(seat, ask.line, value),)
    reported = ask.line == TODO_LISTS - 1 and placements(state)
    if state.lines[ask.line].count(None) > 1 or not (reported or ask.line == LINES - 1):
        return events
    if reported:
        for other, own in enumerate(state.suitcases):
            assert own is not None
            sizes = [suitcase.largest(own, colour) for colour in COLOURS]
            values = [state.cats[other], state.rats[other], *sizes]
            events = (*events, *[LineEntered(other, line, each) for line, each in enumerate(values, CATS)])
    for event in events:
        state = evolve(state, event)
    return (*events, *settled(state))


def count_empty(state: State, action: Action, chance: Chance) -> tuple[Event, ...]:
    seat, value = action.seat, action.value
    assert seat is not None and isinstance(value, int)
    entered = EmptyEntered(seat, value)
    state = evolve(state, entered)
    return (entered,) if isinstance(question(state), Empty) else (entered, *settled(state))


def vote(state: State, action: Action, chance: Chance) -> tuple[Event, ...]:
    """A vote; the last one decides, or those level are voted on again."""
    ask, seat, value = question(state), action.seat, action.value
    assert isinstance(ask, Vote) and seat is not None and isinstance(value, int)
    voted, votes = Voted(seat, value), put(ask.votes, seat, value)
    if votes.count(None) > len(ask.among):
        return (voted,)
    count = Counter(picture for picture in votes if picture is not None)
    best = tuple([other for other in ask.among if count[other] == max(count.values())])
    return (voted, PictureChosen(best[0]), GameEnded()) if len(best) == 1 else (voted, Tied(best))


def ask_guest(state: State, action: Action, chance: Chance) -> tuple[Event, ...]:
    return (PictureChosen(action.value), GameEnded()) if isinstance(action.value, int) else (GameEnded(),)


DECIDE: dict[str, Callable[[State, Action, Chance], tuple[Event, ...]]] = {
    Verb.PACKED_LAST: name_packer,
    Verb.GOAL: set_goal,
    Verb.PREFILLED: open_suitcase,
    Verb.TILES: draw_tiles,
    Verb.BLOCK: block,
    Verb.POSITION: choose_position,
    Verb.BEGIN: begin_turn,
    Verb.TAKE: take,
    Verb.LAY: lay,
    Verb.RAT: spend_rat,
    Verb.NOTHING_FITS: find_none,
    Verb.TO_BOX: send_to_box,
    Verb.TIME_UP: say_time_up,
    Verb.TOYS: place_toys,
    Verb.TODO: enter_line,
    Verb.CATS: enter_line,
    Verb.RATS: enter_line,
    Verb.GROUP: enter_line,
    Verb.EMPTY: count_empty,
    Verb.VOTE: vote,
    Verb.GUEST: ask_guest,
}


def chosen_tile(state: State, value: Value) -> int | None:
    """The number of a tile: as entered, or that of the last one; None where numbers are not asked for."""
    if isinstance(value, str):
        return int(value)
    return state.round.tiles[0] if tracked(state) else None


def order_chosen(
    state: State, seat: Seat, position: int, blocked: tuple[int, ...], chance: Chance
) -> tuple[Event, ...]:
    """A position is taken; who finds only one free takes it. When all have chosen: bonuses, then position 1."""
    events: tuple[Event, ...] = (PositionTaken(seat, position),)
    at, players = put(state.round.at, position - 1, seat), len(state.rats)
    out = players - (4 - at.count(None))
    if out == 1 and len(left := free(at, blocked)) == 1:
        seat = (seat + 1) % players
        at, out = put(at, left[0] - 1, seat), 0
        events = (*events, PositionTaken(seat, left[0]))
    if out:
        return events
    gains, toys = [0] * players, [0] * players
    for bonus, who in zip(bonuses(state.options.bonus_table), at, strict=True):
        if who is not None:
            gains[who], toys[who] = bonus.rats, bonus.toys
    taken = BonusesTaken(tuple(gains), tuple(toys))  # R9, A4: before the draft
    return (*events, taken, *cat_ladies(state, at, 1, POSITIONS, chance))


def after_turn(state: State, position: int, tile: int | None, chance: Chance) -> tuple[Event, ...]:
    """What follows by itself when a position has acted."""
    if position < 4 and state.round.at[position] is not None:
        return ()
    tiles = tuple([space for space in state.round.tiles if space != tile])
    return cat_ladies(state, state.round.at, position + 1, tiles, chance)


def cat_ladies(
    state: State, at: tuple[Seat | None, ...], position: int, tiles: tuple[int, ...], chance: Chance
) -> tuple[Event, ...]:
    """Cat Ladies from this position on, as far as nobody has to be asked (R11); after position 4 the reset."""
    now, known = state.round, tracked(state)
    events: tuple[Event, ...] = ()
    bold, dice = [face for face, _ in now.ladies], None
    while position <= 4 and at[position - 1] is None:
        face: int | None = None
        tile: int | None = None
        if state.options.cat_lady == "virtual":
            dice = dice or chance.dice()
            face = dice.choice([each for each in POSITIONS if each not in bold])
            bold.append(face)
            tile = removed(ring(face), tiles)
        elif known:
            tile, *others = tiles
            if others:
                return events
        elif at[position:].count(None) < len(at) - position:  # somebody drafts after her; else all that is left goes
            return events
        events = (*events, CatLadyActed(position, face, tile))
        tiles = tuple([space for space in tiles if space != tile])
        position += 1
    if position <= 4:
        return events
    if now.number < ROUNDS:
        return (*events, RoundStarted(now.number + 1, (now.start + 1) % len(state.rats)))  # R21
    return (*events, Packed())


def settled(state: State) -> tuple[Event, ...]:
    """Everything is counted: the end, or the next way to break a tie (R28)."""
    return (GameEnded(),) if question(state) is None else (Tied(level(state)),)


# --- placements: tiles as they are laid ------------------------------------------------------------------------------

SIDES = ("clothes", "cat")
DOMINO: Shape = ((0, 0), (1, 0))
BONUS_SHAPES: dict[str, Shape] = {"sock": ((0, 0),), "underwear": DOMINO}  # for examples: which is which is not known
# outlines for examples: those of the real tiles are not published
OUTLINES: tuple[Shape, ...] = (
    ((0, 0), (1, 0), (1, 1), (2, 1)),
    ((0, 0), (0, 1), (0, 2), (1, 2), (2, 2)),
    ((0, 0), (1, 0), (2, 0), (3, 0), (1, 1)),
    ((0, 0), (1, 0), (0, 1), (1, 1), (0, 2)),
    ((0, 0), (0, 1), (0, 2), (0, 3)),
    ((0, 0), (1, 0), (2, 0), (0, 1), (1, 1), (2, 1), (0, 2)),
    ((1, 0), (0, 1), (1, 1), (2, 1), (1, 2)),
)


def some_prefilled(seat: Seat) -> Shape:
    """Squares that may be filled from the start, as an example."""
    return ((2 + seat, 1), (9 - seat, 6))


def some_tiles(state: State) -> tuple[tuple[str, Shape], ...]:
    """Four tiles that may be drawn, as an example: of colours that are still in the bag."""
    seen, found = list(state.seen), []
    for space in POSITIONS:
        colour = seen.index(min(seen))
        seen[colour] += 1
        found.append((COLOURS[colour], OUTLINES[(4 * state.round.number + space) % len(OUTLINES)]))
    return tuple(found)


def prefilled(value: Value) -> Shape:
    """Squares of a suitcase that are filled from the start. Raises `Refused` (`bad_value`)."""
    squares = read_squares(value, "prefilled")
    if (wrong := suitcase.clash(squares, 0)) is not None:
        raise Refused("bad_value", f"prefilled: {wrong} is named twice or beyond the grid of 12 by 8 squares")
    return squares


def drawn(state: State, value: Value) -> tuple[tuple[str, Shape], ...]:
    """Four tiles from the bag. Raises `Refused` (`bad_value`)."""
    assert isinstance(value, tuple)
    if len(value) != len(POSITIONS):
        raise Refused("bad_value", f"tiles: four tiles are allowed, not {len(value)}")
    found, seen = [], list(state.seen)
    for tile in value:
        match tile:
            case (str() as colour, squares) if colour in COLOURS:
                shape = read_squares(squares, "tiles")
            case _:
                raise Refused(
                    "bad_value", f"tiles: {tile!r}: a colour and its squares are allowed, {', '.join(COLOURS)}"
                )
        if not 0 < len(shape) <= MOST_TILE or len(set(shape)) < len(shape) or not suitcase.connected(shape):
            raise Refused("bad_value", f"tiles: {squares!r}: 1 to {MOST_TILE} squares that hang together are allowed")
        seen[COLOURS.index(colour)] += 1
        found.append((colour, shape))
    if max(seen) > BAG // len(COLOURS):
        raise Refused("bad_value", f"tiles: only {BAG // len(COLOURS)} tiles of a colour are in the bag")
    return tuple(found)


def read_squares(value: object, what: str) -> Shape:
    """Squares as numbers of column and row. Raises `Refused` (`bad_value`)."""
    squares: list[Square] = []
    for square in value if isinstance(value, tuple) else (value,):
        match square:
            case (column, row) if type(column) is int and type(row) is int:
                squares.append((column, row))
            case _:
                raise Refused("bad_value", f"{what}: {square!r}: squares as [column, row] from [0, 0] are allowed")
    return tuple(squares)


def outline(state: State, space: int, side: str) -> Shape:
    """The shape of a tile on the mat with this side up."""
    shape = state.round.drawn[space - 1][1]
    return suitcase.mirrored(shape) if side == "cat" else suitcase.normal(shape)


def takeable(state: State, seat: Seat) -> tuple[tuple[int, str, Shape], ...]:
    """What a seat may take from the mat as it stands (R14): space, side and the first place where it fits."""
    taken = suitcase.filled(suitcase_of(state, seat))
    sides = SIDES if state.rats[seat] and state.round.spent < MOST_RATS_A_TURN else SIDES[:1]
    found = [
        (space, side, suitcase.place(outline(state, space, side), taken))
        for space in state.round.tiles
        for side in sides
    ]
    return tuple((space, side, squares) for space, side, squares in found if squares is not None)


def suitcase_of(state: State, seat: Seat) -> Suitcase:
    """The suitcase of a seat that reports what it lays."""
    own = state.suitcases[seat]
    assert own is not None
    return own


def lay_offers(state: State, ask: Draft) -> tuple[Offer, ...]:
    """A whole draft turn as one answer; nothing between the last tile and the reset."""
    if not state.round.tiles:
        return ()
    out = Offer(ask.seat, Verb.LAY, joins=state.options.turn_timer_s > 0, example=some_turn(state, ask))
    return against_clock((out,), Verb.TIME_UP, ask.due_ns, joins=True)


def some_turn(state: State, ask: Draft) -> tuple[Any, ...]:
    """A legal draft turn: a tile, or one to discard where none fits, and then the bonus tiles."""
    now, able = state.round, takeable(state, ask.seat)
    first: tuple[Any, ...] = able[-1 if now.number % 2 else 0] if able else (now.tiles[0], "discard", ())
    turn, taken = [first], suitcase.filled(suitcase_of(state, ask.seat)) | suitcase.bits(first[2])
    left = {
        (colour, size): many
        for colour, row in zip(COLOURS, state.supply, strict=True)
        for size, many in enumerate(row, 1)
    }
    for kind in bonuses(state.options.bonus_table)[ask.position - 1].tiles:
        shape = BONUS_SHAPES[kind]
        squares = suitcase.place(shape, taken)
        colour = max(COLOURS, key=lambda colour: left[colour, len(shape)])
        if squares is not None and left[colour, len(shape)]:
            turn.append((kind, colour, "clothes", squares))
            taken |= suitcase.bits(squares)
            left[colour, len(shape)] -= 1
    return tuple(turn)


LAY_FORM = (
    "[tile, clothes or cat or discard, squares] once, [bonus, colour, clothes or cat, squares] before or after it"
)


def laid(state: State, ask: Draft, value: Value) -> tuple[int | None, tuple[Event, ...]]:
    """A draft turn as it was done, tile by tile: the space whose tile is gone, and what happened.

    Raises `Refused` (`bad_value`).
    """
    assert isinstance(value, tuple)
    seat, most = ask.seat, min(state.rats[ask.seat], MOST_RATS_A_TURN)
    bonus = list(bonuses(state.options.bonus_table)[ask.position - 1].tiles)
    gone: Taken | Discarded | None = None
    events: list[Event] = []
    for part in value:
        match part:
            case (space, side, squares) if type(space) is int and side in (*SIDES, "discard") and gone is None:
                gone = Discarded(seat, space) if side == "discard" else Taken(seat, space)
                tile = drafted(state, seat, space, side, squares)
            case (str() as kind, str() as colour, str() as side, squares) if colour in COLOURS and side in SIDES:
                if kind not in bonus:
                    left = ", ".join(bonus) or "none"
                    raise Refused("bad_value", f"lay: no {kind} was won; bonus tiles left: {left}")
                bonus.remove(kind)
                tile = from_supply(state, seat, kind, colour, side, squares)
            case _:
                raise Refused("bad_value", f"lay: {part!r}: allowed is {LAY_FORM}")
        if tile is None:
            continue
        cost = state.round.spent + tile.cat
        if cost > most:  # R15
            raise Refused("bad_value", f"lay: {cost} cats cost {cost} rats; {most} are allowed")
        for event in (tile, RatSpent(seat)) if tile.cat else (tile,):
            events.append(event)
            state = evolve(state, event)
    if gone is None:
        raise Refused("bad_value", f"lay: no tile of the mat: allowed is {LAY_FORM}")
    if bonus and bonus_fits(state, seat):
        raise Refused("bad_value", f"lay: the {bonus[0]} fits and has to be placed")
    return gone.tile, (*events, gone)


def drafted(state: State, seat: Seat, space: int, side: str, squares: object) -> Laid | None:
    """A tile of the mat as it was laid; None where none fits and this one goes to the box."""
    now = state.round
    if space not in now.tiles:
        raise Refused("bad_value", f"lay: tile {space} is not on the mat; there are {', '.join(words(now.tiles))}")
    if side == "discard":
        if able := takeable(state, seat):  # A12
            raise Refused("bad_value", f"lay: tile {able[0][0]} fits; discarding is allowed only where none does")
        return None
    shape = read_squares(squares, "lay")
    if not shape or suitcase.normal(shape) not in suitcase.turns(outline(state, space, side)):
        raise Refused("bad_value", f"lay: {squares!r} is not tile {space} with its {side} up; any rotation is allowed")
    check_free(state, seat, shape)
    return Laid(seat, now.drawn[space - 1][0], side == "cat", shape)


def from_supply(state: State, seat: Seat, kind: str, colour: str, side: str, squares: object) -> Laid:
    """A bonus tile as it was laid. Which of the two kinds is the smaller one is not known."""
    shape = read_squares(squares, "lay")
    if not 0 < len(shape) <= len(DOMINO) or not suitcase.connected(shape):
        raise Refused("bad_value", f"lay: {squares!r}: a {kind} is one square, or two side by side")
    if colour not in (left := colours_left(state, len(shape))):  # R19
        size = "one square" if len(shape) == 1 else "two squares"
        raise Refused("bad_value", f"lay: no {colour} tile of {size} is left; there are {', '.join(left) or 'none'}")
    check_free(state, seat, shape)
    return Laid(seat, colour, side == "cat", shape, bonus=True)


def colours_left(state: State, size: int) -> tuple[str, ...]:
    """The colours of which the supply has a tile of so many squares (R19)."""
    return tuple([colour for colour, left in zip(COLOURS, state.supply, strict=True) if left[size - 1]])


def bonus_fits(state: State, seat: Seat) -> bool:
    """Whether a bonus tile has to be placed, whichever kind it is (A5): both are left, and the larger fits."""
    left = colours_left(state, 1) and colours_left(state, 2)
    return bool(left) and suitcase.place(DOMINO, suitcase.filled(suitcase_of(state, seat))) is not None


def check_free(state: State, seat: Seat, shape: Shape) -> None:
    """Raises `Refused` (`bad_value`) where a tile cannot lie (R17)."""
    if (wrong := suitcase.clash(shape, suitcase.filled(suitcase_of(state, seat)))) is not None:
        raise Refused("bad_value", f"lay: {wrong} is taken or beyond the grid; empty squares of 12 by 8 are allowed")


# --- evolve ----------------------------------------------------------------------------------------------------------


def evolve(state: State, event: Event) -> State:
    """Fold one fact into the state."""
    return EVOLVE[type(event)](state, event)


def asked(state: State, ask: Question) -> State:
    """The state with another question."""
    return with_round(state, with_ask(state.round, ask))


def opened(state: State) -> State:
    """The start player or the goal is known: on to the first round."""
    return asked(state, Prefilled() if state.suitcases else ORDER[state.round.start])


def packer_named(state: State, event: PackerNamed) -> State:
    return opened(replace(state, round=replace(state.round, start=event.seat)))


def goal_set(state: State, event: GoalSet) -> State:
    return opened(replace(state, goal=event.points))


def suitcase_opened(state: State, event: SuitcaseOpened) -> State:
    suitcases = put(state.suitcases, event.seat, Suitcase(event.prefilled))
    return asked(replace(state, suitcases=suitcases), Prefilled() if None in suitcases else Draw())


def tiles_drawn(state: State, event: TilesDrawn) -> State:
    now, found = state.round, [colour for colour, _ in event.tiles]
    seen = tuple([n + found.count(colour) for n, colour in zip(state.seen, COLOURS, strict=True)])
    ask = order_question(state, now.number, now.start)
    return replace(state, seen=seen, round=replace(now, drawn=event.tiles, ask=ask))


def positions_blocked(state: State, event: Blocked) -> State:
    return with_round(state, replace(state.round, blocked=event.positions, ask=ORDER[0]))


def position_taken(state: State, event: PositionTaken) -> State:
    now, seat = state.round, event.seat
    return with_round(
        state, with_choice(now, put(now.at, event.position - 1, seat), ORDER[(seat + 1) % len(state.rats)])
    )


def bonuses_taken(state: State, event: BonusesTaken) -> State:
    left = tuple([a + b for a, b in zip(state.rats, event.rats, strict=True)])
    toys = tuple([a + b for a, b in zip(state.toys, event.toys, strict=True)])
    return with_gains(state, left, toys, with_ask(state.round, turn_question(state, state.round, 1)))


def lady_acted(state: State, event: CatLadyActed) -> State:
    now = state.round
    if event.bold is not None and event.tile is not None:
        now = replace(now, ladies=(*now.ladies, (event.bold, event.tile)))
    return acted(state, now, event.position, event.tile)


def turn_started(state: State, event: TurnStarted) -> State:
    ask = state.round.ask
    assert isinstance(ask, Ready)
    return asked(state, Draft(ask.seat, ask.position, event.due_ns))


def time_is_up(state: State, event: TimeUp) -> State:
    ask = state.round.ask
    assert isinstance(ask, Draft)
    return asked(state, replace(ask, due_ns=None))


def rat_spent(state: State, event: RatSpent) -> State:
    now, seat = state.round, event.seat
    left, more = put(state.rats, seat, state.rats[seat] - 1), put(state.cats, seat, state.cats[seat] + 1)
    return with_cat(state, left, more, with_spent(now, now.spent + 1))


def nothing_fits(state: State, event: NothingFits) -> State:
    ask = state.round.ask
    assert isinstance(ask, Draft)
    return asked(state, replace(ask, discarding=True))


def tile_laid(state: State, event: Laid) -> State:
    own = state.suitcases[event.seat]
    assert own is not None
    own = replace(own, tiles=(*own.tiles, Tile(event.colour, event.cat, event.squares)))
    state = replace(state, suitcases=put(state.suitcases, event.seat, own))
    if not event.bonus:
        return state
    colour, size = COLOURS.index(event.colour), len(event.squares) - 1
    left = put(state.supply[colour], size, state.supply[colour][size] - 1)
    return replace(state, supply=put(state.supply, colour, left))


def tile_gone(state: State, event: Taken | Discarded) -> State:
    ask = state.round.ask
    assert isinstance(ask, Draft)
    return acted(state, state.round, ask.position, event.tile)


def acted(state: State, now: Round, position: int, tile: int | None) -> State:
    """The state after a position has acted."""
    tiles = now.tiles if tile is None else tuple([space for space in now.tiles if space != tile])
    return with_round(state, with_turn(now, tiles, 0, turn_question(state, now, position + 1)))


def round_started(state: State, event: RoundStarted) -> State:
    return with_round(state, Round(event.number, round_question(state, event.number, event.start), event.start))


def all_packed(state: State, event: Packed) -> State:
    return asked(state, Toys() if any(state.toys) else LINE[0])


def toys_placed(state: State, event: ToysPlaced) -> State:
    return asked(state, LINE[0])


def line_entered(state: State, event: LineEntered) -> State:
    line = event.line
    answers = put(state.lines[line], event.seat, event.value)
    done = None not in answers and line + 1 < LINES
    return with_lines(state, put(state.lines, line, answers), with_ask(state.round, LINE[line + done]))


def empty_entered(state: State, event: EmptyEntered) -> State:
    state = in_tie(state, question(state))
    return replace(state, empty=put(state.empty, event.seat, event.squares))


def tied(state: State, event: Tied) -> State:
    """The next question of a tie; a vote that was level is taken again by those level in it."""
    ask = question(state)
    if isinstance(ask, Vote):
        ask = replace(ask, among=event.seats, votes=(None,) * len(state.rats))
    return in_tie(state, ask)


def voted(state: State, event: Voted) -> State:
    ask = question(state)
    if isinstance(ask, Vote):
        ask = replace(ask, votes=put(ask.votes, event.seat, event.picture))
    return in_tie(state, ask)


def in_tie(state: State, ask: Question | None) -> State:
    """The state at a question of a tie; None: there is no tie left."""
    return state if ask is None else asked(state, ask)


def picture_chosen(state: State, event: PictureChosen) -> State:
    return replace(state, chosen=event.seat, shown=level(state))


def game_ended(state: State, event: GameEnded) -> State:
    """A vote that is not decided by then is a shared win (A11)."""
    return replace(state, chosen=None, shown=level(state)) if isinstance(question(state), Vote) else state


EVOLVE: dict[type[Event], Callable[[State, Any], State]] = {
    PackerNamed: packer_named,
    GoalSet: goal_set,
    SuitcaseOpened: suitcase_opened,
    TilesDrawn: tiles_drawn,
    Blocked: positions_blocked,
    PositionTaken: position_taken,
    BonusesTaken: bonuses_taken,
    CatLadyActed: lady_acted,
    TurnStarted: turn_started,
    TimeUp: time_is_up,
    RatSpent: rat_spent,
    NothingFits: nothing_fits,
    Laid: tile_laid,
    Taken: tile_gone,
    Discarded: tile_gone,
    RoundStarted: round_started,
    Packed: all_packed,
    ToysPlaced: toys_placed,
    LineEntered: line_entered,
    EmptyEntered: empty_entered,
    Tied: tied,
    Voted: voted,
    PictureChosen: picture_chosen,
    GameEnded: game_ended,
}


# --- what people see -------------------------------------------------------------------------------------------------

PHASES: dict[type, str] = {
    Packer: "setup",
    Goal: "setup",
    Prefilled: "setup",
    Draw: "tiles",
    Block: "block",
    Order: "order",
    CatLady: "cat_lady",
    Ready: "ready",
    Draft: "draft",
    Toys: "toys",
    Line: "score",
    Empty: "tie",
    Vote: "tie",
}


def board(state: State) -> Board:
    """All that lights, panel and strangers may know. The order is that of the draft positions, while rounds last."""
    now, seats = state.round, range(len(state.rats))
    asked = {offer.seat for offer in offers(state) if not offer.hold and not offer.menu}
    turn = tuple(seat for seat in seats if seat in asked)
    ask = question(state)
    phase = "over" if ask is None else PHASES[type(ask)]
    tokens = tuple({"rats": rats(state, seat), "toys": state.toys[seat], "cats": cats(state, seat)} for seat in seats)
    order = () if ask is None or isinstance(ask, Toys | Line | Empty | Vote) else now.at
    return Board(phase, now.number, ROUNDS, order, turn, scores(state), tokens, None, highlight(state, ask))


def highlight(state: State, ask: Question | None) -> dict[str, tuple[Seat, ...]]:
    """Winner, tie."""
    if ask is None:
        return {"winner": winners(state)}
    return {"tie": level(state)} if isinstance(ask, Empty | Vote) else {}


LABELS: dict[Verb, str] = {
    Verb.PACKED_LAST: "Who packed last?",
    Verb.GOAL: "Goal on the card?",
    Verb.PREFILLED: "Filled squares?",
    Verb.TILES: "Tiles drawn?",
    Verb.BLOCK: "Which are blocked?",
    Verb.POSITION: "Which position?",
    Verb.BEGIN: "Start your turn",
    Verb.TAKE: "Took a tile",
    Verb.LAY: "Tiles laid?",
    Verb.RAT: "Spend a rat",
    Verb.NOTHING_FITS: "No tile fits",
    Verb.TO_BOX: "Which to the box?",
    Verb.TIME_UP: "Time is up",
    Verb.TOYS: "Toys are placed",
    Verb.CATS: "Cats and kittens?",
    Verb.RATS: "Rats left?",
    Verb.EMPTY: "Empty squares?",
    Verb.VOTE: "Cutest cat?",
    Verb.GUEST: "Ask a guest: cutest?",
}


def bonus_words(options: Options, position: int) -> str:
    """What a position gives, in words."""
    return options.bonus_table.split()[position - 1]


def label(state: State, offer: Offer, value: Value = None) -> str:
    """The offer in words, or one of its options or numbers."""
    verb, ask = Verb(offer.verb), question(state)
    if verb is Verb.POSITION and isinstance(value, str):
        return f"{value} {bonus_words(state.options, int(value))}"
    if verb is Verb.GROUP and value == len(COLOUR_POINTS) - 1:
        return f"{value}+"
    if value is not None:
        return str(value)
    if verb is Verb.TAKE and offer.options:
        return "Which tile?"
    if verb is Verb.TO_BOX and not offer.options:
        return "Gone? Next number" if offer.seat is None else "Discarded one"
    if verb is Verb.TODO:
        assert isinstance(ask, Line)
        return f"To Do list {ask.line + 1}?"
    if verb is Verb.GROUP:
        assert isinstance(ask, Line)
        return f"Largest {COLOURS[ask.line - FIRST_COLOUR]}?"
    if verb is Verb.EMPTY and not state.options.toys_fill_for_tiebreak:
        return "Empty without toys?"
    return LABELS[verb]


def start(players: int, options: Options) -> State:
    """A rat each (R2); who packed a bag last? Solo: what is the goal? (R3, S1)"""
    none, zeros = (None,) * players, (0,) * players
    first_round = Round(1, Goal() if players == 1 else Packer())
    suitcases = none if options.entry == "placements" else ()
    return State(options, zeros, first_round, (1,) * players, zeros, zeros, (none,) * LINES, none, suitcases=suitcases)


RULES: Rules[State, Event, Options] = Rules(
    name="pack_the_essentials",
    title="Pack the Essentials",
    seats=(1, 4),
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
