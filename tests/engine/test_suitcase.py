"""The suitcase's geometry: turns, places, groups counted in tiles, empty squares."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.games.pack_the_essentials import suitcase
from engine.games.pack_the_essentials.suitcase import (
    SQUARES,
    Shape,
    Suitcase,
    Tile,
    bits,
    connected,
    groups,
    largest,
    mirrored,
    normal,
    place,
    places,
    turned,
    turns,
)

EVERYTHING = (1 << SQUARES) - 1
SINGLE: Shape = ((0, 0),)
DOMINO: Shape = ((0, 0), (1, 0))
ELL: Shape = ((0, 0), (0, 1), (0, 2), (1, 2))
ESS: Shape = ((0, 0), (1, 0), (1, 1), (2, 1))
BLOCK: Shape = ((0, 0), (0, 1), (1, 0), (1, 1))

squares = st.tuples(st.integers(0, 11), st.integers(0, 7))
shapes = st.sets(squares, min_size=1, max_size=6).map(normal)


def tile(colour: str, *squares: tuple[int, int], cat: bool = False) -> Tile:
    return Tile(colour, cat, squares)


def test_a_quarter_turn_is_clockwise() -> None:
    assert turned(((0, 0), (1, 0), (2, 0), (0, 1))) == ((0, 0), (1, 0), (1, 1), (1, 2))


def test_the_other_side_is_a_mirror_image() -> None:
    assert mirrored(ELL) == ((0, 2), (1, 0), (1, 1), (1, 2))


@pytest.mark.parametrize(
    ("shape", "many"), [(SINGLE, 1), (DOMINO, 2), (BLOCK, 1), (ESS, 2), (ELL, 4)], ids=["1", "2", "square", "S", "L"]
)
def test_a_shape_has_so_many_rotations(shape: Shape, many: int) -> None:
    assert len(turns(shape)) == many


def test_an_s_turned_over_is_another_shape() -> None:
    assert mirrored(ESS) not in turns(ESS)


@given(shapes)
def test_four_quarter_turns_or_two_mirrors_change_nothing(shape: Shape) -> None:
    assert turned(turned(turned(turned(shape)))) == shape == mirrored(mirrored(shape))


@pytest.mark.parametrize(
    ("shape", "whole"),
    [(SINGLE, True), (ESS, True), (((0, 0), (1, 1)), False), (((0, 0), (2, 0)), False), ((), True)],
    ids=["one", "S", "corner", "gap", "nothing"],
)
def test_a_tile_hangs_together_by_edges(shape: Shape, whole: bool) -> None:
    assert connected(shape) is whole


@given(st.sets(squares))
def test_squares_and_bits_are_the_same(found: set[tuple[int, int]]) -> None:
    assert set(suitcase.squares_of(bits(found))) == found


@pytest.mark.parametrize(
    ("shape", "many"),
    [
        (SINGLE, 96),
        (DOMINO, 11 * 8 + 12 * 7),
        (BLOCK, 11 * 7),
        (tuple((n, 0) for n in range(12)), 8),
        (tuple((n, 0) for n in range(13)), 0),
    ],
    ids=["1", "2", "square", "as wide as the grid", "wider"],
)
def test_an_empty_grid_has_so_many_places(shape: Shape, many: int) -> None:
    assert len(places(normal(shape))) == many


@pytest.mark.parametrize(
    ("found", "taken", "wrong"),
    [
        pytest.param(((11, 7),), 0, None, id="the last corner"),
        pytest.param(((12, 0),), 0, (12, 0), id="too far right"),
        pytest.param(((0, 8),), 0, (0, 8), id="too far down"),
        pytest.param(((0, -1),), 0, (0, -1), id="too far up"),
        pytest.param(((1, 1), (2, 1)), bits([(2, 1)]), (2, 1), id="taken"),
        pytest.param(((1, 1), (1, 1)), 0, (1, 1), id="named twice"),
    ],
)
def test_a_tile_stays_on_empty_squares_of_the_grid(found: Shape, taken: int, wrong: object) -> None:
    assert suitcase.clash(found, taken) == wrong


GAP, ITS_MIRROR = ((5, 3), (6, 3), (7, 3), (5, 4)), ((5, 3), (6, 3), (7, 3), (7, 4))


@pytest.mark.parametrize(
    ("shape", "gap", "fits"),
    [(SINGLE, (), False), (ELL, GAP, True), (ELL, ITS_MIRROR, False), (mirrored(ELL), ITS_MIRROR, True)],
    ids=["a full grid", "in the rotation that it needs", "a gap for its mirror image", "mirrored"],
)
def test_a_tile_fits_into_a_gap_of_its_own_shape_only(shape: Shape, gap: Shape, fits: bool) -> None:
    found = place(shape, EVERYTHING & ~bits(gap))
    assert (None if found is None else set(found)) == (set(gap) if fits else None)


@given(st.integers(0, EVERYTHING), shapes)
def test_a_place_that_is_found_is_legal_and_of_the_shape(taken: int, shape: Shape) -> None:
    found = place(shape, taken)
    assert found is None or (suitcase.clash(found, taken) is None and normal(found) in turns(shape))


T20 = (
    tile("magenta", (0, 0), (1, 0)),
    tile("magenta", (2, 0), (2, 1)),
    tile("magenta", (4, 0), (5, 0)),
    tile("magenta", (5, 1), (5, 2)),
    tile("magenta", (6, 2), (6, 3)),
)


@pytest.mark.parametrize(
    ("tiles", "colour", "sizes"),
    [
        pytest.param((tile("peach", (0, 0)), tile("peach", (1, 1))), "peach", (1, 1), id="T19"),
        pytest.param(T20, "magenta", (3, 2), id="T20"),
        pytest.param((tile("mint", (0, 0)), tile("mint", (2, 0))), "mint", (1, 1), id="T21"),
        pytest.param(
            (tile("mint", (0, 0), (1, 0), cat=True), tile("mint", (0, 1), (0, 2), (1, 2), (2, 2), (2, 1))),
            "mint",
            (2,),
            id="T22",
        ),
        pytest.param((tile("mint", (0, 0)), tile("peach", (1, 0)), tile("mint", (2, 0))), "mint", (1, 1), id="others"),
        pytest.param((), "mint", (), id="none"),
        pytest.param((tile("mint", (0, 0)), tile("mint", (0, 7)), tile("mint", (11, 0))), "mint", (1, 1, 1), id="rims"),
        pytest.param(tuple(tile("mint", (n, 0)) for n in (0, 4, 2, 3, 1)), "mint", (5,), id="joined by the last"),
    ],
)
def test_groups_are_counted_in_tiles(tiles: tuple[Tile, ...], colour: str, sizes: tuple[int, ...]) -> None:
    assert groups(tiles, colour) == sizes


def test_t21_a_filled_square_does_not_connect() -> None:
    case = Suitcase(((1, 0),), (tile("mint", (0, 0)), tile("mint", (2, 0))))
    assert largest(case, "mint") == 1


def test_the_largest_group_of_a_colour_that_is_not_there_is_0() -> None:
    assert largest(Suitcase((), T20), "peach") == 0


def test_filled_squares_and_tiles_are_not_empty() -> None:
    assert suitcase.empty(Suitcase(((11, 7), (0, 7)), T20)) == 96 - 2 - 10


def test_an_empty_suitcase_has_96_empty_squares() -> None:
    assert (suitcase.empty(Suitcase()), suitcase.filled(Suitcase())) == (96, 0)
