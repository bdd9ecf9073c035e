"""Pack the Essentials with placements: tiles as they are drawn and laid, square by square."""

from collections.abc import Iterable
from typing import Any

from msgspec.structs import replace

from engine.game import known, of_kind
from engine.games.pack_the_essentials import suitcase
from engine.games.pack_the_essentials.state import COLOURS, POSITIONS, Event, Events, State, bonuses
from engine.games.pack_the_essentials.suitcase import Shape, Square, Tile
from engine.rules import Refused, Seat, Value, put
from engine.words import N_, either

MAX_RATS_A_TURN = 2  # R15
BAG = 76  # cat/clothing tiles
MAX_TILE = 8  # squares
SIDES = ("clothes", "cat")
DOMINO: Shape = ((0, 0), (1, 0))
BONUS_SHAPES: dict[str, Shape] = {
    "sock": ((0, 0),),
    "underwear": DOMINO,
}  # for examples: the real sizes are not published
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
    seen, tiles = list(state.seen), []
    for space in POSITIONS:
        colour = seen.index(min(seen))
        seen[colour] += 1
        tiles.append((COLOURS[colour], OUTLINES[(4 * state.round.number + space) % len(OUTLINES)]))
    return tuple(tiles)


def prefilled(value: Value) -> Shape:
    """Squares of a suitcase that are filled from the start. Raises `Refused` (`bad_value`)."""
    squares = read_squares(value, "prefilled")
    if (wrong := suitcase.clash(squares, 0)) is not None:
        raise Refused("bad_value", f"prefilled: {wrong} is named twice or beyond the grid of 12 by 8 squares")
    return squares


def drawn(state: State, value: Value) -> tuple[tuple[str, Shape], ...]:
    """Four tiles from the bag. Raises `Refused` (`bad_value`)."""
    tiles = of_kind(tuple, value)
    if len(tiles) != len(POSITIONS):
        raise Refused("bad_value", f"tiles: must be four tiles, not {len(tiles)}")
    read = []
    for tile in tiles:
        match tile:
            case (str() as colour, squares) if colour in COLOURS:
                shape = read_squares(squares, "tiles")
            case _:
                colours = either(COLOURS)
                raise Refused("bad_value", f"tiles: {tile!r}: must be a colour ({colours}) and its squares")
        if not 0 < len(shape) <= MAX_TILE or len(set(shape)) < len(shape) or not suitcase.connected(shape):
            raise Refused("bad_value", f"tiles: {squares!r}: must be 1 to {MAX_TILE} squares joined by their edges")
        read.append((colour, shape))
    if max(seen(state, read)) > BAG // len(COLOURS):
        raise Refused("bad_value", f"tiles: only {BAG // len(COLOURS)} tiles of a colour are in the bag")
    return tuple(read)


def seen(state: State, tiles: Iterable[tuple[str, Shape]]) -> tuple[int, ...]:
    """Tiles drawn so far, including these, by colour."""
    colours = [colour for colour, _ in tiles]
    return tuple([n + colours.count(colour) for n, colour in zip(state.seen, COLOURS, strict=True)])


def read_squares(value: object, what: str) -> Shape:
    """The squares of a value, as pairs of column and row. Raises `Refused` (`bad_value`)."""
    squares: list[Square] = []
    for square in value if isinstance(value, tuple) else (value,):
        match square:
            case (column, row) if type(column) is int and type(row) is int:
                squares.append((column, row))
            case _:
                raise Refused("bad_value", f"{what}: {square!r}: must be a square as [column, row], from [0, 0]")
    return tuple(squares)


def outline(state: State, space: int, side: str) -> Shape:
    """The shape of a tile on the mat with this side up."""
    shape = state.round.drawn[space - 1][1]
    return suitcase.mirrored(shape) if side == "cat" else suitcase.normal(shape)


def takeable(state: State, seat: Seat) -> tuple[tuple[int, str, Shape], ...]:
    """The tiles of the mat that a seat may take now (R14): space, side and the first place where it fits."""
    taken = filled(state, seat)
    sides = SIDES if state.rats[seat] and state.round.spent < MAX_RATS_A_TURN else SIDES[:1]
    places = [
        (space, side, suitcase.place(outline(state, space, side), taken))
        for space in state.round.tiles
        for side in sides
    ]
    return tuple((space, side, squares) for space, side, squares in places if squares is not None)


def filled(state: State, seat: Seat) -> int:
    """The squares that are not empty in the suitcase of a seat."""
    return suitcase.filled(known(state.suitcases[seat]))


def bonus_tiles(state: State, position: int) -> tuple[str, ...]:
    """The bonus tiles that a position gives."""
    return bonuses(state.options.bonus_table)[position - 1].tiles


def some_turn(state: State, seat: Seat, position: int) -> tuple[Any, ...]:
    """A legal draft turn: a tile, or one to discard where none fits, and then the bonus tiles."""
    now, able = state.round, takeable(state, seat)
    first: tuple[Any, ...] = able[-1 if now.number % 2 else 0] if able else (now.tiles[0], "discard", ())
    turn, taken = [first], filled(state, seat) | suitcase.bits(first[2])
    supply = [list(left) for left in state.supply]
    for kind in bonus_tiles(state, position):
        size = len(BONUS_SHAPES[kind]) - 1
        squares, left = suitcase.place(BONUS_SHAPES[kind], taken), [many[size] for many in supply]
        if squares is not None and any(left):
            colour = left.index(max(left))
            turn.append((kind, COLOURS[colour], "clothes", squares))
            taken |= suitcase.bits(squares)
            supply[colour][size] -= 1
    return tuple(turn)


class Laid(Event):
    label = N_("tile laid")
    seat: Seat
    colour: str
    cat: bool
    squares: tuple[tuple[int, int], ...]
    bonus: bool = False  # from the supply

    def fold(self, state: State) -> State:
        own = known(state.suitcases[self.seat])
        own = own._replace(tiles=(*own.tiles, Tile(self.colour, self.cat, self.squares)))
        state = replace(state, suitcases=put(state.suitcases, self.seat, own))
        if not self.bonus:
            return state
        colour, size = COLOURS.index(self.colour), len(self.squares) - 1
        left = put(state.supply[colour], size, state.supply[colour][size] - 1)
        return replace(state, supply=put(state.supply, colour, left))


class RatSpent(Event):
    """A tile was turned cat side up (R15)."""

    label = N_("rat spent")
    seat: Seat

    def fold(self, state: State) -> State:
        seat, now = self.seat, state.round
        left, more = put(state.rats, seat, state.rats[seat] - 1), put(state.cats, seat, state.cats[seat] + 1)
        return replace(state, rats=left, cats=more, round=replace(now, spent=now.spent + 1))


LAY_FORM = (
    "[tile, clothes or cat or discard, squares] once, [bonus, colour, clothes or cat, squares] before or after it"
)


def laid(state: State, seat: Seat, position: int, value: Value) -> tuple[int, bool, Events]:
    """A draft turn as it was done, tile by tile: the space emptied, whether its tile was placed, and the events.

    Raises `Refused` (`bad_value`).
    """
    most = min(state.rats[seat], MAX_RATS_A_TURN)
    bonus = list(bonus_tiles(state, position))
    gone: tuple[int, bool] | None = None
    events: list[Event] = []
    for part in of_kind(tuple, value):
        match part:
            case (space, side, squares) if type(space) is int and side in (*SIDES, "discard") and gone is None:
                gone = space, side != "discard"
                tile = drafted(state, seat, space, side, squares)
            case (str() as kind, str() as colour, str() as side, squares) if colour in COLOURS and side in SIDES:
                if kind not in bonus:
                    left = ", ".join(bonus) or "none"
                    raise Refused("bad_value", f"lay: no {kind} was won; bonus tiles left: {left}")
                bonus.remove(kind)
                tile = from_supply(state, seat, kind, colour, side, squares)
            case _:
                raise Refused("bad_value", f"lay: {part!r}: must be {LAY_FORM}")
        if tile is None:
            continue
        cost = state.round.spent + tile.cat
        if cost > most:  # R15
            raise Refused("bad_value", f"lay: {cost} cats cost {cost} rats: must be at most {most}")
        for event in (tile, RatSpent(seat)) if tile.cat else (tile,):
            events.append(event)
            state = event.fold(state)
    if gone is None:
        raise Refused("bad_value", f"lay: no tile of the mat: must be {LAY_FORM}")
    if bonus and bonus_fits(state, seat):
        raise Refused("bad_value", f"lay: the {bonus[0]} fits and has to be placed")
    return *gone, tuple(events)


def drafted(state: State, seat: Seat, space: int, side: str, squares: object) -> Laid | None:
    """A tile of the mat as it was laid; None where none fits and this one goes to the box."""
    now = state.round
    if space not in now.tiles:
        raise Refused("bad_value", f"lay: tile {space} is not on the mat: must be {either(map(str, now.tiles))}")
    if side == "discard":
        if able := takeable(state, seat):  # A12
            raise Refused("bad_value", f"lay: tile {able[0][0]} fits: a tile may be discarded only if none fits")
        return None
    shape = read_squares(squares, "lay")
    if not shape or suitcase.normal(shape) not in suitcase.turns(outline(state, space, side)):
        raise Refused("bad_value", f"lay: {squares!r}: must be tile {space} with its {side} up, in any rotation")
    check_free(state, seat, shape)
    return Laid(seat, now.drawn[space - 1][0], side == "cat", shape)


def from_supply(state: State, seat: Seat, kind: str, colour: str, side: str, squares: object) -> Laid:
    """A bonus tile as it was laid. Either kind may be the smaller one: the rules do not tell."""
    shape = read_squares(squares, "lay")
    if not 0 < len(shape) <= len(DOMINO) or not suitcase.connected(shape):
        raise Refused("bad_value", f"lay: {squares!r}: must be one square, or two side by side, for the {kind}")
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
    return bool(left) and suitcase.place(DOMINO, filled(state, seat)) is not None


def check_free(state: State, seat: Seat, shape: Shape) -> None:
    """Raises `Refused` (`bad_value`) where a tile cannot lie (R17)."""
    if (wrong := suitcase.clash(shape, filled(state, seat))) is not None:
        raise Refused("bad_value", f"lay: {wrong} is taken or beyond the grid: must be an empty square of 12 by 8")
