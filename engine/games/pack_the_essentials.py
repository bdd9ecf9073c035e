"""Pack the Essentials: twelve rounds of drafting tiles into a suitcase. Clothes are free, a cat costs a Pack Rat.

Rule numbers (R, S, A, T) are those of the rules page. By Jacqueline Atkins, Wacky Wizard Games.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
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
    Value,
    choice,
    each_seat,
    highest,
    number,
    put,
    replace,
    switch,
    written,
)
from engine.suitcase import Shape, Square, Suitcase, Tile

ROUNDS = 12
POSITIONS = (1, 2, 3, 4)
WORDS = ("1", "2", "3", "4")  # positions and tiles as people choose them
BAG = 76  # cat/clothing tiles
COLOURS = ("magenta", "lavender", "peach", "mint")
BONUS_WORDS = ("rat", "toy", "sock", "underwear")
MOST_BONUSES = 4  # words for one position
MOST_RATS_A_TURN = 2  # R15
CAT_POINTS = 5  # R24
COLOUR_POINTS = (0, 1, 3, 5, 8, 11, 15, 19, 24, 29, 35, 41, 48)  # R26: by tiles; the last for 12 and more
MOST_TODO = 60  # what a To Do list may be worth
MOST_GOAL = 300
USUAL_GOAL = 100
MOST_TILE = 8  # squares
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


@cache
def bonuses(text: str) -> tuple[Bonus, ...]:
    """A bonus table by position: four entries, words joined by +. Raises `Refused` (`bad_setup`)."""
    entries = text.split()
    form = f"four entries are allowed, for positions 1 to 4, each none or up to {MOST_BONUSES} of"
    if len(entries) != len(POSITIONS):
        raise Refused("bad_setup", f"option bonus_table: {form} {', '.join(BONUS_WORDS)} joined by +")
    found = []
    for entry in entries:
        words = [] if entry == "none" else entry.split("+")
        if len(words) > MOST_BONUSES or any(word not in BONUS_WORDS for word in words):
            raise Refused("bad_setup", f"option bonus_table: {entry!r}: {form} {', '.join(BONUS_WORDS)} joined by +")
        tiles = tuple(word for word in words if word in ("sock", "underwear"))
        found.append(Bonus(words.count("rat"), words.count("toy"), tiles))
    return tuple(found)


@dataclass(frozen=True, slots=True)
class Options:
    """The options of the rules page, with its defaults."""

    bonus_table: str = written(
        "underwear sock rat rat+toy", "what each position gives", bonuses, "sock underwear rat rat+toy"
    )
    cat_lady: str = choice("physical", "Cat Ladies are tokens, or drawn by the kit", "virtual")
    rats_in_total: bool = switch(True, "each rat left over is a point")
    toys_fill_for_tiebreak: bool = switch(True, "squares under toys are not empty in a tie")
    solo_goal: str = choice("≥", "solo: the goal is reached, or has to be exceeded", ">")
    ask_tile: bool = switch(False, "numbers of tiles are entered; always with virtual Cat Ladies")
    entry: str = choice("counts", "how suitcases are reported", programs=("placements",))
    turn_timer_s: int = number(0, 0, 600, "s for a draft turn; 0 is off")


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
    """Which tile did the Cat Lady take? (R11)"""

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
    chosen: Seat | None = None  # has the cutest cat picture
    goal: int = 0
    suitcases: tuple[Suitcase | None, ...] = ()  # by seat; with placements only
    seen: tuple[int, ...] = (0,) * len(COLOURS)  # tiles drawn, by colour; with placements only
    over: bool = False


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


def leaders(state: State) -> tuple[Seat, ...]:
    """The highest total; as far as they are known, empty squares, rats and the vote break a tie (R28)."""
    best = highest(scores(state), range(len(state.rats)))
    if len(best) > 1 and None not in [state.empty[seat] for seat in best]:
        best = highest([-(squares or 0) for squares in state.empty], best)
        best = highest([rats(state, seat) for seat in range(len(state.rats))], best)
    return (state.chosen,) if state.chosen in best else best


def winners(state: State) -> tuple[Seat, ...]:
    """Who leads in the end; solo, whether the goal was met (S4, A8)."""
    if len(state.rats) > 1:
        return leaders(state)
    (total,) = scores(state)
    met = total > state.goal if state.options.solo_goal == ">" else total >= state.goal
    return (0,) if met else ()


def rats_allowed(state: State, ask: Draft) -> int:
    """How many more rats may be spent in this turn: one for each tile that is placed (R15)."""
    tiles = len(bonuses(state.options.bonus_table)[ask.position - 1].tiles) + (not ask.discarding)
    return min(state.rats[ask.seat], min(tiles, MOST_RATS_A_TURN) - state.round.spent)


def empty_squares(state: State, seat: Seat) -> int:
    """Empty squares of a reported suitcase; toys lie on some of them (A7)."""
    own = state.suitcases[seat]
    assert own is not None
    toys = state.toys[seat] if state.options.toys_fill_for_tiebreak else 0
    return max(0, suitcase.empty(own) - toys)


# --- the order of the questions --------------------------------------------------------------------------------------


def round_question(state: State, number_: int, start: Seat) -> Question:
    """The first question of a round."""
    return Draw() if state.suitcases else order_question(state, number_, start)


def order_question(state: State, number_: int, start: Seat) -> Question:
    """Solo, a placement card comes first in even rounds (S2)."""
    return Block() if len(state.rats) == 1 and number_ % 2 == 0 else Order(start)


def turn_question(state: State, now: Round, position: int) -> Question:
    """Who acts at a position."""
    if position > len(POSITIONS):
        return now.ask  # the round is over
    seat = now.at[position - 1]
    if seat is None:
        return CatLady(position)
    return Ready(seat, position) if state.options.turn_timer_s else Draft(seat, position)


# --- offers ----------------------------------------------------------------------------------------------------------


def offers(state: State) -> tuple[Offer, ...]:
    """What each seat and the table may do now; nothing once the game is over."""
    if state.over:
        return ()
    now = state.round
    ask = now.ask
    match ask:
        case Draft():
            return lay_offers(state, ask) if state.suitcases else draft_offers(state, ask)
        case Order(seat):
            return position_offers(seat, free(now.at, now.blocked))
        case Line():
            return line_offers(state, ask.line)
        case Packer():
            return tuple(Offer(seat, Verb.PACKED_LAST) for seat in range(len(state.rats)))
        case Goal():
            return (Offer(None, Verb.GOAL, 0, MOST_GOAL, prefill=USUAL_GOAL),)
        case Prefilled():
            out = [seat for seat, own in enumerate(state.suitcases) if own is None]
            joins = len(out) < len(state.suitcases)
            return tuple(Offer(seat, Verb.PREFILLED, joins=joins, example=some_prefilled(seat)) for seat in out)
        case Draw():
            return (Offer(None, Verb.TILES, example=some_tiles(state)),)
        case Block():
            return (Offer(None, Verb.BLOCK, options=BLOCKS),)
        case CatLady():
            return to_box_offers(None, now.tiles)
        case Ready(seat):
            return (Offer(seat, Verb.BEGIN),)
        case Toys():
            return (Offer(None, Verb.TOYS),)
        case Empty(seats):
            return each_seat(state.empty, Verb.EMPTY, low=0, high=suitcase.SQUARES, seats=seats)
        case Vote(among, votes):
            voters = [seat for seat, vote in enumerate(votes) if vote is None and seat not in among]
            if voters:
                return (Offer(voters[0], Verb.VOTE, options=among),)
            return (Offer(None, Verb.GUEST, options=(*among, "shared")),)  # A11


def free(at: tuple[Seat | None, ...], blocked: tuple[int, ...]) -> tuple[int, ...]:
    """Positions that may be chosen."""
    return tuple([position for position in POSITIONS if at[position - 1] is None and position not in blocked])


def words(numbers: Iterable[int]) -> tuple[str, ...]:
    """Positions or tiles as options."""
    return tuple([WORDS[each - 1] for each in numbers])


@cache
def position_offers(seat: Seat, positions: tuple[int, ...]) -> tuple[Offer, ...]:
    """The free positions."""
    return (Offer(seat, Verb.POSITION, options=words(positions)),)


@cache
def to_box_offers(seat: Seat | None, tiles: tuple[int, ...]) -> tuple[Offer, ...]:
    """Which tile goes to the box?"""
    return (Offer(seat, Verb.TO_BOX, options=words(tiles)),)


def draft_offers(state: State, ask: Draft) -> tuple[Offer, ...]:
    """Take a tile, whose number is asked for where it is needed; spend a rat; or none fits."""
    now = state.round
    numbers = now.tiles if len(now.tiles) > 1 and tracked(state) else ()
    rat = rats_allowed(state, ask) > 0
    box = rats_allowed(state, replace(ask, discarding=True)) >= 0 if now.spent else True  # every rat turns a tile
    timed = state.options.turn_timer_s > 0
    out = turn_offers(ask.seat, numbers, rat, box, ask.discarding, timed)
    return out if ask.due_ns is None else (*out, time_up(ask.due_ns))


@cache
def turn_offers(
    seat: Seat, numbers: tuple[int, ...], rat: bool, box: bool, discarding: bool, joins: bool
) -> tuple[Offer, ...]:
    """The offers of a draft turn; they stand again and again, so each is made once."""
    verb = Verb.TO_BOX if discarding else Verb.TAKE
    out = [Offer(seat, verb, options=words(numbers), joins=joins)]
    if rat:
        out.append(Offer(seat, Verb.RAT, joins=joins, hold=True))  # R15
    if box and not discarding:
        out.append(Offer(seat, Verb.NOTHING_FITS, joins=joins, menu=True))  # R14
    return tuple(out)


def time_up(due_ns: int) -> Offer:
    """The clock of a draft turn."""
    return Offer(None, Verb.TIME_UP, due_ns=due_ns, race=True, joins=True)


def line_offers(state: State, line: int) -> tuple[Offer, ...]:
    """One line of the score pad; cats and rats stand as the record has them."""
    answers, seats = state.lines[line], range(len(state.rats))
    if line < TODO_LISTS:
        return each_seat(answers, Verb.TODO, low=0, high=MOST_TODO)
    if line == CATS:
        most = tuple(had(state, seat) for seat in seats)
        return each_seat(answers, Verb.CATS, low=0, high=most, prefill=state.cats)
    if line == RATS:
        left = tuple(had(state, seat) - cats(state, seat) for seat in seats)
        return each_seat(answers, Verb.RATS, low=0, high=left, prefill=left)
    return each_seat(answers, Verb.GROUP, low=0, high=len(COLOUR_POINTS) - 1)


# --- decide ----------------------------------------------------------------------------------------------------------


def decide(state: State, action: Action, chance: Chance) -> tuple[Event, ...]:
    """What an offered action causes."""
    seat, value, now = action.seat, action.value, state.round
    ask = now.ask
    match Verb(action.verb):
        case Verb.TAKE:
            assert isinstance(ask, Draft)
            tile = chosen_tile(state, value)
            return (Taken(ask.seat, tile), *after_turn(state, ask.position, tile, chance))
        case Verb.POSITION:
            assert isinstance(ask, Order) and isinstance(value, str)
            return order_chosen(state, ask.seat, int(value), now.blocked, chance)
        case Verb.RAT:
            assert seat is not None
            return (RatSpent(seat),)
        case Verb.TODO | Verb.CATS | Verb.RATS | Verb.GROUP:
            assert isinstance(ask, Line) and seat is not None and isinstance(value, int)
            return line_entered(state, LineEntered(seat, ask.line, value))
        case Verb.NOTHING_FITS:
            assert isinstance(ask, Draft)
            if len(now.tiles) > 1 and tracked(state):
                return (NothingFits(ask.seat),)
            tile = chosen_tile(state, value)
            return (Discarded(ask.seat, tile), *after_turn(state, ask.position, tile, chance))
        case Verb.TO_BOX:
            tile = chosen_tile(state, value)
            if isinstance(ask, CatLady):
                return (CatLadyActed(ask.position, None, tile), *after_turn(state, ask.position, tile, chance))
            assert isinstance(ask, Draft)
            return (Discarded(ask.seat, tile), *after_turn(state, ask.position, tile, chance))
        case Verb.LAY:
            assert isinstance(ask, Draft)
            tile, events = laid(state, ask, value)
            return (*events, *after_turn(state, ask.position, tile, chance))
        case Verb.BEGIN:
            return (TurnStarted(action.at_ns + state.options.turn_timer_s * S),)
        case Verb.TIME_UP:
            return (TimeUp(),)
        case Verb.PACKED_LAST:
            assert seat is not None
            return (PackerNamed(seat),)
        case Verb.GOAL:
            assert isinstance(value, int)
            return (GoalSet(value),)
        case Verb.PREFILLED:
            assert seat is not None
            return (SuitcaseOpened(seat, prefilled(value)),)
        case Verb.TILES:
            return (TilesDrawn(drawn(state, value)),)
        case Verb.BLOCK:
            assert isinstance(value, str)
            blocked = tuple(int(position) for position in value.split("+"))
            left = free(now.at, blocked)
            if len(left) > 1:
                return (Blocked(blocked),)
            return (Blocked(blocked), *order_chosen(state, 0, left[0], blocked, chance))
        case Verb.TOYS:
            return (ToysPlaced(),)
        case Verb.EMPTY:
            assert isinstance(ask, Empty) and seat is not None and isinstance(value, int)
            entered = EmptyEntered(seat, value)
            out = [other for other in ask.seats if state.empty[other] is None]
            return (entered,) if len(out) > 1 else (entered, *settled(evolve(state, entered)))
        case Verb.VOTE:
            assert isinstance(ask, Vote) and seat is not None and isinstance(value, int)
            return voted(state, ask, Voted(seat, value))
        case Verb.GUEST:
            return (PictureChosen(value), GameEnded()) if isinstance(value, int) else (GameEnded(),)


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
            if len(tiles) > 1:
                return events
            tile = tiles[0]
        events = (*events, CatLadyActed(position, face, tile))
        tiles = tuple([space for space in tiles if space != tile])
        position += 1
    if position <= 4:
        return events
    if now.number < ROUNDS:
        return (*events, RoundStarted(now.number + 1, (now.start + 1) % len(state.rats)))  # R21
    return (*events, Packed())


def line_entered(state: State, entered: LineEntered) -> tuple[Event, ...]:
    """A number for the score pad; the rest of it is computed from reported suitcases; the last one settles the game."""
    if state.lines[entered.line].count(None) > 1:
        return (entered,)
    events: tuple[Event, ...] = (entered,)
    state = evolve(state, entered)
    if entered.line == TODO_LISTS - 1 and placements(state):
        for seat, own in enumerate(state.suitcases):
            assert own is not None
            sizes = [suitcase.largest(own, colour) for colour in COLOURS]
            values = [state.cats[seat], state.rats[seat], *sizes]
            events = (*events, *(LineEntered(seat, line, value) for line, value in enumerate(values, CATS)))
        for event in events[1:]:
            state = evolve(state, event)
    return (*events, *settled(state)) if None not in state.lines[-1] else events


def settled(state: State) -> tuple[Event, ...]:
    """Everything is counted: the end, or the next way to break a tie (R28)."""
    best = leaders(state)
    if len(state.rats) == 1 or len(best) == 1:
        return (GameEnded(),)
    unknown = tuple(seat for seat in best if state.empty[seat] is None)
    if unknown and placements(state):
        events = tuple(EmptyEntered(seat, empty_squares(state, seat)) for seat in unknown)
        for event in events:
            state = evolve(state, event)
        return (*events, *settled(state))
    return (Tied(best),)


def voted(state: State, ask: Vote, vote: Voted) -> tuple[Event, ...]:
    """A vote; the last one decides, or those level are voted on again."""
    votes = put(ask.votes, vote.seat, vote.picture)
    if votes.count(None) > len(ask.among):
        return (vote,)
    count = Counter(picture for picture in votes if picture is not None)
    best = tuple(seat for seat in ask.among if count[seat] == max(count.values()))
    return (vote, PictureChosen(best[0]), GameEnded()) if len(best) == 1 else (vote, Tied(best))


# --- placements: tiles as they are laid ------------------------------------------------------------------------------

SIDES = ("clothes", "cat")
DOMINO: Shape = ((0, 0), (1, 0))
SUPPLY: dict[str, Shape] = {"sock": ((0, 0),), "underwear": DOMINO}  # for examples: which is which is not known
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
    """What a seat may take from the mat (R14): space, side and the first place where it fits."""
    own = state.suitcases[seat]
    assert own is not None
    taken, sides = suitcase.filled(own), SIDES if state.rats[seat] else SIDES[:1]
    found = [
        (space, side, suitcase.place(outline(state, space, side), taken))
        for space in state.round.tiles
        for side in sides
    ]
    return tuple((space, side, squares) for space, side, squares in found if squares is not None)


def lay_offers(state: State, ask: Draft) -> tuple[Offer, ...]:
    """A whole draft turn as one answer."""
    out = Offer(ask.seat, Verb.LAY, joins=state.options.turn_timer_s > 0, example=some_turn(state, ask))
    return (out,) if ask.due_ns is None else (out, time_up(ask.due_ns))


def some_turn(state: State, ask: Draft) -> tuple[Any, ...]:
    """A legal draft turn: a tile, or one to discard where none fits, and then the bonus tiles."""
    now, own = state.round, state.suitcases[ask.seat]
    assert own is not None
    taken, able = suitcase.filled(own), takeable(state, ask.seat)
    first: tuple[Any, ...] = able[-1 if now.number % 2 else 0] if able else (now.tiles[0], "discard", ())
    turn, taken = [first], taken | suitcase.bits(first[2])
    for kind in bonuses(state.options.bonus_table)[ask.position - 1].tiles:
        squares = suitcase.place(SUPPLY[kind], taken)
        if squares is not None:
            turn.append((kind, COLOURS[now.number % len(COLOURS)], "clothes", squares))
            taken |= suitcase.bits(squares)
    return tuple(turn)


def laid(state: State, ask: Draft, value: Value) -> tuple[int, tuple[Event, ...]]:
    """A reported draft turn: the space whose tile is gone, and what happened. Raises `Refused` (`bad_value`)."""
    assert isinstance(value, tuple)
    now, seat, own = state.round, ask.seat, state.suitcases[ask.seat]
    assert own is not None
    match value:
        case ((space, str() as side, squares), *more) if type(space) is int and side in (*SIDES, "discard"):
            pass
        case _:
            raise Refused("bad_value", "lay: [tile, clothes or cat or discard, squares] comes first, then bonus tiles")
    if space not in now.tiles:
        raise Refused("bad_value", f"lay: tile {space} is not on the mat; there are {', '.join(words(now.tiles))}")
    taken, tiles, bonus = (
        suitcase.filled(own),
        list[Tile](),
        list(bonuses(state.options.bonus_table)[ask.position - 1].tiles),
    )
    if side == "discard":
        if able := takeable(state, seat):  # A12
            raise Refused("bad_value", f"lay: tile {able[0][0]} fits; discarding is allowed only where none does")
    else:
        shape = read_squares(squares, "lay")
        if not shape or suitcase.normal(shape) not in suitcase.turns(outline(state, space, side)):
            raise Refused(
                "bad_value", f"lay: {squares!r} is not tile {space} with its {side} up; any rotation is allowed"
            )
        taken = covered(taken, shape)
        tiles.append(Tile(now.drawn[space - 1][0], side == "cat", shape))
    for extra in more:
        match extra:
            case (str() as kind, str() as colour, str() as side, squares) if colour in COLOURS and side in SIDES:
                shape = read_squares(squares, "lay")
            case _:
                raise Refused("bad_value", f"lay: {extra!r}: [bonus, colour, clothes or cat, squares] is allowed")
        if kind not in bonus:
            raise Refused("bad_value", f"lay: no {kind} was won; bonus tiles left: {', '.join(bonus) or 'none'}")
        if not 0 < len(shape) <= len(DOMINO) or not suitcase.connected(shape):
            raise Refused("bad_value", f"lay: {squares!r}: a {kind} is one square, or two side by side")
        bonus.remove(kind)
        taken = covered(taken, shape)
        tiles.append(Tile(colour, side == "cat", shape))
    if bonus and suitcase.place(DOMINO, taken) is not None:  # A5: back to the supply only if it fits nowhere
        raise Refused("bad_value", f"lay: the {bonus[0]} fits and has to be placed")
    cost, most = sum(tile.cat for tile in tiles), min(state.rats[seat], MOST_RATS_A_TURN)
    if cost > most:  # R15
        raise Refused("bad_value", f"lay: {cost} cats cost {cost} rats; {most} are allowed")
    events: list[Event] = [Laid(seat, *tile) for tile in tiles]
    events += [RatSpent(seat)] * cost
    events.append(Discarded(seat, space) if side == "discard" else Taken(seat, space))
    return space, tuple(events)


def covered(taken: int, shape: Shape) -> int:
    """The squares that are taken with a tile on these. Raises `Refused` (`bad_value`) for what R17 forbids."""
    if (wrong := suitcase.clash(shape, taken)) is not None:
        raise Refused("bad_value", f"lay: {wrong} is taken or beyond the grid; empty squares of 12 by 8 are allowed")
    return taken | suitcase.bits(shape)


# --- evolve ----------------------------------------------------------------------------------------------------------


def evolve(state: State, event: Event) -> State:
    """Fold one fact into the state."""
    now = state.round
    ask: Question
    match event:
        case PositionTaken(seat, position):
            following = Order((seat + 1) % len(state.rats))
            return replace(state, round=replace(now, at=put(now.at, position - 1, seat), ask=following))
        case Taken(_, tile) | Discarded(_, tile):
            assert isinstance(now.ask, Draft)
            return replace(state, round=acted(state, now, now.ask.position, tile))
        case BonusesTaken(gained, toys):
            return replace(
                state,
                rats=tuple([a + b for a, b in zip(state.rats, gained, strict=True)]),
                toys=tuple([a + b for a, b in zip(state.toys, toys, strict=True)]),
                round=replace(now, ask=turn_question(state, now, 1)),
            )
        case RatSpent(seat):
            left, more = put(state.rats, seat, state.rats[seat] - 1), put(state.cats, seat, state.cats[seat] + 1)
            return replace(state, rats=left, cats=more, round=replace(now, spent=now.spent + 1))
        case LineEntered(seat, line, value):
            answers = put(state.lines[line], seat, value)
            done = None not in answers and line + 1 < LINES
            ask = Line(line + 1) if done else Line(line)
            return replace(state, lines=put(state.lines, line, answers), round=replace(now, ask=ask))
        case CatLadyActed(position, bold, tile):
            if bold is not None and tile is not None:
                now = replace(now, ladies=(*now.ladies, (bold, tile)))
            return replace(state, round=acted(state, now, position, tile))
        case RoundStarted(number_, start_):
            return replace(state, round=Round(number_, round_question(state, number_, start_), start_))
        case PackerNamed(seat):
            return opened(replace(state, round=replace(now, start=seat)))
        case GoalSet(points):
            return opened(replace(state, goal=points))
        case SuitcaseOpened(seat, squares):
            suitcases = put(state.suitcases, seat, Suitcase(squares))
            ask = Prefilled() if None in suitcases else Draw()
            return replace(state, suitcases=suitcases, round=replace(now, ask=ask))
        case TilesDrawn(tiles):
            seen = tuple(
                n + sum(tile[0] == colour for tile in tiles) for n, colour in zip(state.seen, COLOURS, strict=True)
            )
            ask = order_question(state, now.number, now.start)
            return replace(state, seen=seen, round=replace(now, drawn=tiles, ask=ask))
        case Blocked(positions):
            return replace(state, round=replace(now, blocked=positions, ask=Order(0)))
        case TurnStarted(due_ns):
            assert isinstance(now.ask, Ready)
            return replace(state, round=replace(now, ask=Draft(now.ask.seat, now.ask.position, due_ns)))
        case TimeUp():
            assert isinstance(now.ask, Draft)
            return replace(state, round=replace(now, ask=replace(now.ask, due_ns=None)))
        case NothingFits():
            assert isinstance(now.ask, Draft)
            return replace(state, round=replace(now, ask=replace(now.ask, discarding=True)))
        case Laid(seat, colour, cat, squares):
            own = state.suitcases[seat]
            assert own is not None
            own = replace(own, tiles=(*own.tiles, Tile(colour, cat, squares)))
            return replace(state, suitcases=put(state.suitcases, seat, own))
        case Packed():
            return replace(state, round=replace(now, ask=Toys() if any(state.toys) else Line(0)))
        case ToysPlaced():
            return replace(state, round=replace(now, ask=Line(0)))
        case EmptyEntered(seat, squares_):
            return replace(state, empty=put(state.empty, seat, squares_))
        case Tied(seats):
            unknown = tuple(seat for seat in seats if state.empty[seat] is None)
            ask = Empty(unknown) if unknown else Vote(seats, (None,) * len(state.rats))
            return replace(state, round=replace(now, ask=ask))
        case Voted(seat, picture):
            assert isinstance(now.ask, Vote)
            return replace(state, round=replace(now, ask=Vote(now.ask.among, put(now.ask.votes, seat, picture))))
        case PictureChosen(seat):
            return replace(state, chosen=seat)
        case GameEnded():
            return replace(state, over=True)


def opened(state: State) -> State:
    """The start player or the goal is known: on to the first round."""
    ask = Prefilled() if state.suitcases else Order(state.round.start)
    return replace(state, round=replace(state.round, ask=ask))


def acted(state: State, now: Round, position: int, tile: int | None) -> Round:
    """The round after a position has acted."""
    tiles = now.tiles if tile is None else tuple([space for space in now.tiles if space != tile])
    return replace(now, tiles=tiles, spent=0, ask=turn_question(state, now, position + 1))


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
    """All that lights, panel and strangers may know. The order is that of the draft positions."""
    now, seats = state.round, range(len(state.rats))
    asked = {offer.seat for offer in offers(state) if not offer.hold and not offer.menu}
    turn = tuple(seat for seat in seats if seat in asked)
    phase = "over" if state.over else PHASES[type(now.ask)]
    tokens = tuple({"rats": rats(state, seat), "toys": state.toys[seat], "cats": cats(state, seat)} for seat in seats)
    return Board(phase, now.number, ROUNDS, now.at, turn, scores(state), tokens, None, highlight(state))


def highlight(state: State) -> dict[str, tuple[Seat, ...]]:
    """Winner, tie."""
    if state.over:
        return {"winner": winners(state)}
    return {"tie": leaders(state)} if isinstance(state.round.ask, Empty | Vote) else {}


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
    verb, ask = Verb(offer.verb), state.round.ask
    if verb is Verb.POSITION and isinstance(value, str):
        return f"{value} {bonus_words(state.options, int(value))}"
    if verb is Verb.GROUP and value == len(COLOUR_POINTS) - 1:
        return f"{value}+"
    if value is not None:
        return str(value)
    if verb is Verb.TAKE and offer.options:
        return "Which tile?"
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
    events=(
        PackerNamed,
        GoalSet,
        SuitcaseOpened,
        TilesDrawn,
        Blocked,
        PositionTaken,
        BonusesTaken,
        CatLadyActed,
        TurnStarted,
        TimeUp,
        RatSpent,
        NothingFits,
        Laid,
        Taken,
        Discarded,
        RoundStarted,
        Packed,
        ToysPlaced,
        LineEntered,
        EmptyEntered,
        Tied,
        Voted,
        PictureChosen,
        GameEnded,
    ),
    start=start,
    offers=offers,
    decide=decide,
    evolve=evolve,
    board=board,
    scores=scores,
    winners=winners,
    label=label,
)
