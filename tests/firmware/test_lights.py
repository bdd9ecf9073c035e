"""The strip, lamp by lamp: whose turn, the rounds, the race, points and the end; at every length; for all eyes."""

from itertools import combinations
from typing import Any

import pytest

from engine.rules import Board, RaceBoard, Seat
from firmware.lights import DIM, FAINT, GO, RED, SEATS, WHITE, Light, pieces, pixels, shade
from hardware.strip import OFF, Colour, Pixels, Rhythm, lamp, rhythm
from scripts.generators import strips
from scripts.generators.sheets import GAMES
from tests.simulators.eyes import EYES, difference, lab, light, luminance, nearest, search, seen
from tests.simulators.rig import Rig

ROUNDS = 12
LENGTHS = (8, 9, 16, 24, 60, 144, 300)


def board(**given: Any) -> Board:
    """Three seats with nothing going on."""
    return Board("turn", 1, None, (), (), (0, 0, 0), ({}, {}, {}))._replace(**given)


def strip(leds: int = 60, **given: Any) -> Pixels:
    return pixels(Light(board(**given)), leds)


def piece(seat: Seat, **given: Any) -> Pixels:
    """A seat's piece: 19 lamps."""
    return strip(**given)[20 * seat : 20 * seat + 19]


def breathing(colour: Colour) -> Colour:
    return lamp(colour, Rhythm.BREATHE)


def flashing(colour: Colour) -> Colour:
    return lamp(colour, Rhythm.FLASH)


# --- turns ------------------------------------------------------------------------------------------------------------


def test_who_is_asked_is_wholly_bright_and_breathes() -> None:
    assert piece(1, turn=(1,)) == (breathing(SEATS[1]),) * 19


def test_who_is_not_asked_is_wholly_dim() -> None:
    assert piece(0, turn=(1,)) == (shade(SEATS[0]),) * 19


def test_a_change_of_turn_changes_two_ranges() -> None:
    before, after = strip(turn=(0,)), strip(turn=(2,))
    assert [n for n in range(60) if before[n] != after[n]] == [*range(19), *range(40, 59)]


def test_between_neighbours_is_a_dark_lamp() -> None:
    assert [strip(turn=(0, 1, 2))[n] for n in (19, 39, 59)] == [OFF] * 3


def test_all_pieces_are_of_one_length() -> None:
    assert {len(one) for one in pieces(144, 5)} == {26}


def test_all_pieces_are_equally_far_apart() -> None:
    assert [one.start for one in pieces(16, 6)] == [0, 2, 4, 6, 8, 10]


def test_pieces_lie_in_the_order_of_play_where_a_game_chooses_it() -> None:
    found = strip(phase="adopt", order=(2, 0, 1), turn=(0,), in_order=True)
    assert [found[n] for n in (0, 20, 40)] == [shade(SEATS[2]), breathing(SEATS[0]), shade(SEATS[1])]


def test_pieces_lie_in_seat_order_where_play_goes_round_the_table() -> None:
    found = strip(order=(2, 0, 1), turn=(0,))
    assert [found[n] for n in (0, 20, 40)] == [breathing(SEATS[0]), shade(SEATS[1]), shade(SEATS[2])]


def test_a_race_is_shown_in_seat_order_whoever_starts() -> None:
    found = strip(phase="ready", order=(2, 0, 1), turn=(0,), race=RaceBoard("over", 0))
    assert [found[n] for n in (0, 20, 40)] == [breathing(SEATS[0]), shade(SEATS[1]), shade(SEATS[2])]


def test_once_the_order_is_known_who_begins_is_bright() -> None:
    found = strip(phase="order", order=(2, 0, 1), in_order=True)
    assert [found[n] for n in (0, 20, 40)] == [SEATS[2], shade(SEATS[0]), shade(SEATS[1])]


def test_whose_time_is_up_is_red_at_both_ends_and_still_asked() -> None:
    found = piece(1, turn=(1,), highlight={"last": (1,)})
    assert found == (flashing(RED),) * 4 + (breathing(SEATS[1]),) * 11 + (flashing(RED),) * 4


# --- rounds and draft positions ---------------------------------------------------------------------------------------


def draft(order: tuple[Seat | None, ...], turn: tuple[Seat, ...] = (), phase: str = "draft") -> Pixels:
    return pixels(Light(Board(phase, 5, ROUNDS, order, turn, (0, 0), ({}, {}), in_order=True)), 48)


def test_before_anybody_has_chosen_the_rounds_are_counted() -> None:
    steps = [draft((None,) * 4)[n + 1] for n in range(0, 48, 4)]
    assert steps == [shade(WHITE)] * 4 + [breathing(WHITE)] + [shade(WHITE, FAINT)] * 7


def test_a_round_to_come_is_a_dot() -> None:
    assert draft((None,) * 4)[44:47] == (OFF, shade(WHITE, FAINT), OFF)


def test_steps_are_told_apart_by_a_dark_lamp() -> None:
    assert [draft((None,) * 4)[n] for n in range(3, 48, 4)] == [OFF] * ROUNDS


def test_each_place_has_the_colour_of_its_seat() -> None:
    found = draft((None, 1, None, 0))
    assert (found[13], found[37]) == (shade(SEATS[1]), shade(SEATS[0]))


def test_the_place_whose_turn_it_is_breathes() -> None:
    assert draft((None, 1, None, 0), turn=(0,))[36:47] == (breathing(SEATS[0]),) * 11


def test_a_place_that_is_no_seats_has_white_ends() -> None:
    first = draft((None, 1, None, 0))[:11]
    assert (first[0], first[5], first[10]) == (shade(WHITE), OFF, shade(WHITE))


def test_while_a_place_is_chosen_the_places_so_far_are_at_the_start() -> None:
    found = draft((None, 1, None, None), turn=(0,), phase="order")[:23]
    assert (found[0], found[5], found[10]) == (shade(WHITE), shade(SEATS[1]), shade(WHITE))


def test_while_a_place_is_chosen_whose_turn_it_is_is_at_the_end() -> None:
    found = draft((None, 1, None, None), turn=(0,), phase="order")[25:]
    assert (found[0], found[11]) == (breathing(SEATS[0]), shade(SEATS[1]))


def test_the_first_to_choose_a_place_sees_the_rounds_beside_it() -> None:
    found = draft((None,) * 4, turn=(0,), phase="order")
    assert (found[4], found[25]) == (breathing(WHITE), breathing(SEATS[0]))


def test_the_rounds_are_counted_until_a_hand_is_down() -> None:
    armed = RaceBoard("armed", None)
    found = strip(phase="hands", rounds=3, round=2, turn=(0, 1, 2), race=armed)
    assert [found[n] for n in (0, 20, 40)] == [shade(WHITE), breathing(WHITE), OFF]


def test_with_more_rounds_than_lamps_the_running_one_keeps_a_lamp() -> None:
    found = [strip(8, rounds=12, round=n).index(breathing(WHITE)) for n in range(1, 13)]
    assert found == [n * 8 // 12 for n in range(12)]


# --- the race ---------------------------------------------------------------------------------------------------------


def race(phase: Any, gaps: tuple[Seat, ...] = (), **given: Any) -> RaceBoard:
    return RaceBoard(phase, 0, tuple((seat, 1000 * n) for n, seat in enumerate(gaps)), **given)


def test_who_holds_the_button_is_wholly_bright() -> None:
    assert piece(0, phase="hands", turn=(1,), race=race("armed")) == (SEATS[0],) * 19


def test_whose_hand_is_missing_is_dim_in_the_middle() -> None:
    middle = (shade(SEATS[1]),) * 7
    assert piece(1, phase="hands", turn=(1,), race=race("armed")) == (OFF,) * 6 + middle + (OFF,) * 6


def test_in_a_countdown_everybody_is_ready() -> None:
    found = strip(phase="countdown", turn=(0, 1, 2), race=race("armed"))
    assert [found[n] for n in (0, 20, 40)] == list(SEATS[:3])


def test_who_was_too_early_flashes_in_dots() -> None:
    found = piece(2, phase="hands", turn=(2,), race=race("armed", jumped=(2,)))
    assert found == (flashing(SEATS[2]), OFF) * 9 + (flashing(SEATS[2]),)


def test_the_go_signal_is_all_white() -> None:
    assert strip(phase="build", turn=(0, 1, 2), race=race("running")) == (GO,) * 60


def test_who_has_pressed_is_wholly_dim() -> None:
    assert piece(1, turn=(0,), race=race("answers", (1, 2))) == (shade(SEATS[1]),) * 19


def test_who_has_not_pressed_breathes_in_the_middle() -> None:
    found = piece(0, turn=(0,), race=race("answers", (1, 2)))
    assert found == (OFF,) * 6 + (breathing(SEATS[0]),) * 7 + (OFF,) * 6


def test_whose_button_does_not_work_is_dim_in_the_middle() -> None:
    assert piece(0, turn=(2,), race=race("answers", (1,), benched=(0,)))[9] == shade(SEATS[0])


def test_the_first_is_wholly_bright() -> None:
    found = piece(1, turn=(0,), race=race("answers", (1, 2)), highlight={"first": (1,)})
    assert found == (SEATS[1],) * 19


def test_the_last_has_two_ends_that_flash_red() -> None:
    found = piece(1, phase="check", race=race("over", (0, 2, 1)), highlight={"last": (1,)})
    assert found == (flashing(RED),) * 4 + (OFF,) * 11 + (flashing(RED),) * 4


def test_red_stands_still_once_the_last_is_asked_for_something_else() -> None:
    found = piece(1, phase="packing", turn=(0, 1, 2), race=race("over", (0, 2, 1)), highlight={"last": (1,)})
    assert found == (RED,) * 4 + (breathing(SEATS[1]),) * 11 + (RED,) * 4


def test_a_dead_heat_flashes_in_white_dots() -> None:
    found = piece(1, phase="dispute", race=race("tied", (0, 1, 2)), highlight={"tie": (1, 2)})
    assert found == (flashing(WHITE), shade(SEATS[1])) * 9 + (flashing(WHITE),)


# --- points and the end -----------------------------------------------------------------------------------------------


def test_points_are_bars_next_to_the_most() -> None:
    found = strip(phase="result", scores=(38, 20, 19))
    lit = [[lamp != OFF for lamp in found[20 * n : 20 * n + 19]].count(True) for n in range(3)]
    assert lit == [19, 10, 10]


def test_what_is_left_of_a_lamp_is_told_by_its_light() -> None:
    assert piece(2, scores=(38, 0, 19))[8:11] == (shade(SEATS[2]), shade(SEATS[2], DIM // 2), OFF)


@pytest.mark.parametrize("points", [0, -4])
def test_who_has_no_points_keeps_a_faint_lamp(points: int) -> None:
    assert piece(1, scores=(7, points, 0)) == (shade(SEATS[1], FAINT),) + (OFF,) * 18


def test_while_nobody_has_points_all_are_dim() -> None:
    assert piece(1, scores=(0, -4, 0)) == (shade(SEATS[1]),) * 19


def test_the_bar_of_the_best_of_a_round_is_bright() -> None:
    found = piece(0, phase="result", scores=(7, 14, 7), highlight={"first": (0,)})
    assert found[:9] == (SEATS[0],) * 9


@pytest.mark.parametrize("seat", [0, 1])
def test_once_cards_are_cleaned_up_first_and_last_are_no_news(seat: Seat) -> None:
    found = piece(seat, phase="clean_up", scores=(7, 7, 7), highlight={"first": (0,), "last": (1,)}, between=True)
    assert found == (shade(SEATS[seat]),) * 19


def test_the_winners_chase() -> None:
    found = strip(phase="over", scores=(9, 9, 3), highlight={"winner": (0, 1)})
    assert [rhythm(found[n]) for n in (0, 20, 40)] == [Rhythm.CHASE, Rhythm.CHASE, Rhythm.STEADY]


def test_at_the_end_the_others_keep_their_bars() -> None:
    found = piece(2, phase="over", scores=(9, 9, 3), highlight={"winner": (0, 1)})
    assert found[:8] == (shade(SEATS[2]),) * 6 + (shade(SEATS[2], FAINT), OFF)


# --- outside a game ---------------------------------------------------------------------------------------------------


def test_each_who_joins_gets_a_piece() -> None:
    found = pixels(Light(None, joined=3), 60)
    assert [found[n] for n in (0, 20, 40)] == list(SEATS[:3])


def test_the_strip_grows_with_those_who_join(rig: Rig) -> None:
    for _ in range(30):
        if rig.row() == "Kitty Paw":
            break
        rig.arrow(-1)
    assert rig.ok().tap("P1").tap("P3").pixels == pixels(Light(None, joined=2), 60)


def test_asleep_it_is_dark_even_if_a_part_is_lost() -> None:
    assert set(pixels(Light(board(), asleep=True, lost=True), 60)) == {OFF}


@pytest.mark.parametrize("leds", LENGTHS)
def test_a_lost_part_flashes_red_at_the_outermost_lamps(leds: int) -> None:
    found = pixels(Light(board(turn=(1,)), lost=True), leds)
    assert (found[0], found[-1]) == (flashing(RED), flashing(RED))


@pytest.mark.parametrize("leds", LENGTHS)
def test_a_lost_part_takes_no_seat_away(leds: int) -> None:
    found = pixels(Light(Board("turn", 1, None, (), (), (0,) * 6, ({},) * 6), lost=True), leds)
    assert {shade(own) for own in SEATS} <= set(found)


def test_a_lost_display_is_told(rig: Rig) -> None:
    rig.report("display", "display lost: unplugged")
    rig.after(10)
    assert (rig.pixels[0], rig.pixels[-1]) == (flashing(RED), flashing(RED))


def test_a_display_that_is_back_is_not_told_any_more(rig: Rig) -> None:
    before = rig.pixels
    for text in ("display lost: unplugged", None):
        rig.report("display", text)
        rig.after(10)
    assert rig.pixels == before


def test_a_doubt_about_an_edge_is_no_lost_part(rig: Rig) -> None:
    before = rig.pixels
    rig.report("edges of button P1", "button P1: edges were lost")
    assert rig.after(10).pixels == before


# --- every length -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", GAMES)
def test_every_phase_fits_every_length(game: str) -> None:
    shown = [light for _, light in strips.evening(game)]
    assert {len(pixels(light, leds)) - leds for light in shown for leds in (*range(8, 40), *LENGTHS)} == {0}


@pytest.mark.parametrize("leds", LENGTHS)
@pytest.mark.parametrize("seats", range(1, 7))
def test_whose_turn_it_is_is_seen_at_every_length(leds: int, seats: int) -> None:
    boards = [board(turn=(seat,), scores=(0,) * seats, tokens=({},) * seats) for seat in range(seats)]
    places = [
        [n for n, colour in enumerate(pixels(Light(each), leds)) if rhythm(colour) is Rhythm.BREATHE] for each in boards
    ]
    assert all(places) and places == sorted(places)


def test_of_two_lamps_one_tells_who_is_missing_and_two_who_was_first() -> None:
    found = strip(8, turn=(0,), race=race("answers", (1, 2)), highlight={"first": (1,)})
    assert found[:6] == (breathing(SEATS[0]), OFF, SEATS[1], SEATS[1], shade(SEATS[2]), shade(SEATS[2]))


def test_of_two_lamps_one_is_red_for_the_last_and_one_for_the_turn() -> None:
    found = strip(8, turn=(0,), race=race("over"), highlight={"last": (0,)})
    assert found[:2] == (RED, breathing(SEATS[0]))


@pytest.mark.parametrize("seats", range(2, 7))
def test_first_last_and_the_others_differ_on_the_shortest_strip(seats: int) -> None:
    marks = {"first": (0,), "last": (1,)}
    found = strip(8, phase="check", scores=(0,) * seats, race=race("over"), highlight=marks)
    told = {seat: found[pieces(8, seats)[seat].start] for seat in range(seats)}
    assert told == {0: SEATS[0], 1: flashing(RED), **{seat: shade(SEATS[seat]) for seat in range(2, seats)}}


# --- all eyes ---------------------------------------------------------------------------------------------------------


def test_eight_colours_are_apart_for_all_eyes() -> None:
    assert nearest((*SEATS, WHITE, RED)) >= 11.5


@pytest.mark.parametrize("eyes", EYES)
def test_dim_seats_are_apart_on_our_own_controller(eyes: str) -> None:
    looks = [lab(seen(light(shade(own)), eyes)) for own in SEATS]
    assert min(difference(one, other) for one, other in combinations(looks, 2)) >= 7


@pytest.mark.parametrize("eyes", EYES)
def test_whoever_is_bright_outshines_whoever_is_dim(eyes: str) -> None:
    bright = min(luminance(seen(light(own), eyes)) for own in SEATS)
    assert bright > max(luminance(seen(light(shade(own)), eyes)) for own in SEATS)


def test_the_colours_are_what_the_search_finds() -> None:
    assert search() == SEATS


def test_a_steady_colour_holds_no_rhythm() -> None:
    assert {rhythm(colour) for colour in (*SEATS, WHITE, RED, *map(shade, SEATS))} == {Rhythm.STEADY}


@pytest.mark.parametrize("eyes", EYES)
def test_white_and_grey_look_alike_to_all_eyes(eyes: str) -> None:
    assert max(abs(part - 0.5) for part in seen((0.5, 0.5, 0.5), eyes)) < 1e-5


# from Sharma, Wu and Dalal, 2005: pairs that go wrong in most programs
PAIRS = [
    ((50.0, 2.6772, -79.7751), (50.0, 0.0, -82.7485), 2.0425),
    ((50.0, -1.0, 2.0), (50.0, 0.0, 0.0), 2.3669),
    ((50.0, 2.49, -0.001), (50.0, -2.49, 0.0011), 7.2195),
    ((50.0, 2.5, 0.0), (73.0, 25.0, -18.0), 27.1492),
    ((22.7233, 20.0904, -46.6940), (23.0331, 14.9730, -42.5619), 2.0373),
    ((2.0776, 0.0795, -1.135), (0.9033, -0.0636, -0.5514), 0.9082),
]


@pytest.mark.parametrize(("one", "other", "known"), PAIRS)
def test_differences_are_the_published_ones(one: Any, other: Any, known: float) -> None:
    assert difference(one, other) == pytest.approx(known, abs=1e-4)
