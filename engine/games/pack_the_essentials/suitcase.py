"""The suitcase of Pack the Essentials: a grid of 12 by 8 squares, tiles of any shape, and what may be counted on it.

A square is (column, row), both from 0. Internally a set of squares is a number with one bit a square: searching fits
is fast.
"""

from collections.abc import Iterable, Sequence
from functools import cache
from typing import NamedTuple, TypeAlias

COLUMNS = 12
ROWS = 8
SQUARES = COLUMNS * ROWS

Square: TypeAlias = tuple[int, int]
Shape: TypeAlias = tuple[Square, ...]


class Tile(NamedTuple):
    """A tile as it lies, cat side up or not."""

    colour: str
    cat: bool
    squares: Shape


class Suitcase(NamedTuple):
    """One player's board."""

    prefilled: Shape = ()
    tiles: tuple[Tile, ...] = ()


def inside(square: Square) -> bool:
    """Whether a square is on the grid."""
    return 0 <= square[0] < COLUMNS and 0 <= square[1] < ROWS


def bits(squares: Iterable[Square]) -> int:
    """Squares of the grid as one number."""
    mask = 0
    for column, row in squares:
        mask |= 1 << row * COLUMNS + column
    return mask


def squares_of(mask: int) -> Shape:
    """The squares of such a number, row by row."""
    return tuple((n % COLUMNS, n // COLUMNS) for n in range(SQUARES) if mask >> n & 1)


def neighbours(square: Square) -> tuple[Square, Square, Square, Square]:
    """The four squares that share an edge with it, also those beyond the grid."""
    column, row = square
    return (column - 1, row), (column + 1, row), (column, row - 1), (column, row + 1)


def connected(squares: Sequence[Square]) -> bool:
    """Whether squares are joined by their edges, as those of a tile are."""
    out, reached = set(squares[1:]), list(squares[:1])
    for square in reached:
        for near in neighbours(square):
            if near in out:
                out.remove(near)
                reached.append(near)
    return not out


def normal(squares: Iterable[Square]) -> Shape:
    """The same shape, moved to the corner, its squares in order."""
    squares = tuple(squares)
    left, top = min(column for column, _ in squares), min(row for _, row in squares)
    return tuple(sorted((column - left, row - top) for column, row in squares))


def turned(shape: Iterable[Square]) -> Shape:
    """A quarter turn clockwise."""
    return normal((-row, column) for column, row in shape)


def mirrored(shape: Iterable[Square]) -> Shape:
    """The outline of a tile's other side."""
    return normal((-column, row) for column, row in shape)


@cache
def turns(shape: Shape) -> frozenset[Shape]:
    """A shape in every rotation."""
    rotations = [normal(shape)]
    for _ in range(3):
        rotations.append(turned(rotations[-1]))
    return frozenset(rotations)


@cache
def places(shape: Shape) -> tuple[int, ...]:
    """Every way to lay a shape on an empty grid, in any rotation; from the top left on."""
    masks = set()
    for one in turns(shape):
        wide, high = max(column for column, _ in one), max(row for _, row in one)
        mask = bits(one) if wide < COLUMNS and high < ROWS else 0
        columns = range(COLUMNS - wide)
        masks |= {mask << row * COLUMNS + column for row in range(ROWS - high) for column in columns if mask}
    return tuple(sorted(masks, key=lambda mask: (mask & -mask, mask)))


def filled(suitcase: Suitcase) -> int:
    """All squares that are not empty: those filled from the start and those under tiles."""
    mask = bits(suitcase.prefilled)
    for tile in suitcase.tiles:
        mask |= bits(tile.squares)
    return mask


def place(shape: Shape, taken: int) -> Shape | None:
    """The first place where a shape fits beside the squares that are taken, in any rotation; None: nowhere."""
    for mask in places(shape):
        if not mask & taken:
            return squares_of(mask)
    return None


def clash(squares: Sequence[Square], taken: int) -> Square | None:
    """The first of these squares that no tile may cover: beyond the grid, taken already, or named twice."""
    for square in squares:
        if not inside(square) or bits((square,)) & taken:
            return square
        taken |= bits((square,))
    return None


def empty(suitcase: Suitcase) -> int:
    """How many squares are empty."""
    return SQUARES - filled(suitcase).bit_count()


def groups(tiles: Iterable[Tile], colour: str) -> tuple[int, ...]:
    """The connected groups of a colour, counted in tiles, the largest first. Corners do not connect."""
    left = [set(tile.squares) for tile in tiles if tile.colour == colour]
    sizes = []
    while left:
        group = [left.pop()]
        for squares in group:  # grows while it is gone through
            border = {near for square in squares for near in neighbours(square)}
            touching = [other for other in left if other & border]
            left = [other for other in left if not other & border]
            group += touching
        sizes.append(len(group))
    return tuple(sorted(sizes, reverse=True))


def largest(suitcase: Suitcase, colour: str) -> int:
    """Tiles in the largest group of a colour."""
    return max(groups(suitcase.tiles, colour), default=0)
