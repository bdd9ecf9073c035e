"""The strip of a game with places: it counts the rounds, then shows who stands where."""

from engine.rules import Board, Seat
from firmware.lights import SEATS, WHITE, Light, dimmed, pixels
from hardware.strip import OFF, Colour

ROUNDS = 12


def strip(order: tuple[Seat | None, ...], turn: tuple[Seat, ...] = (), round_: int = 5) -> tuple[Colour, ...]:
    board = Board("draft", round_, ROUNDS, order, turn, (0, 0), ({}, {}), None, {})
    return pixels(Light(board), 48)


def test_before_anybody_has_chosen_the_rounds_are_counted() -> None:
    steps = [strip((None,) * 4)[n] for n in range(0, 48, 4)]
    assert steps == [dimmed(WHITE, 2)] * 4 + [WHITE] + [OFF] * 7


def test_steps_are_told_apart_by_a_dark_lamp() -> None:
    assert [strip((None,) * 4)[n] for n in range(3, 48, 4)] == [OFF] * ROUNDS


def test_each_place_has_the_colour_of_its_seat() -> None:
    found = strip((None, 1, None, 0))
    assert (found[13], found[37]) == (dimmed(SEATS[1], 3), dimmed(SEATS[0], 3))


def test_the_place_whose_turn_it_is_is_bright() -> None:
    assert strip((None, 1, None, 0), turn=(0,))[36:47] == (SEATS[0],) * 11


def test_a_place_that_is_no_seats_has_white_ends() -> None:
    first = strip((None, 1, None, 0))[:11]
    assert (first[0], first[5], first[10]) == (dimmed(WHITE, 3), OFF, dimmed(WHITE, 3))
