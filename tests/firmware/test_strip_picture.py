"""The strip, lamp by lamp: whose turn, the rounds, the race, points and the end; at every length; for all eyes."""

import re
from collections.abc import Iterable
from itertools import combinations
from typing import Any

import pytest

from engine.rules import Board, RaceBoard, Seat, Shows
from firmware.buttons import Button
from firmware.output.strip_picture import DIM, FAINT, GO, RED, SEATS, WHITE, Light, hurries, pieces, pixels, shade
from hardware.parts.strip import OFF, Colour, Pixels, Rhythm, lamp, rhythm
from scripts.generators import strip_sheets
from scripts.generators.display_sheets import GAMES
from tests.simulators.colour_vision import EYES, difference, lab, light, luminance, nearest, search, seen
from tests.simulators.rig import Rig

ROUNDS = 12
RHYTHMS = {"~": Rhythm.BREATHE, "!": Rhythm.FLASH}
LOST = lamp(RED, Rhythm.FLASH)
LENGTHS = (8, 9, 16, 24, 60, 144, 300)


def board(**given: Any) -> Board:
    """Three seats with nothing going on."""
    return Board("turn", 1, None, (), (), (0, 0, 0), ({}, {}, {}))._replace(**given)


def strip(leds: int = 60, **given: Any) -> Pixels:
    return pixels(Light(board(**given)), leds)


def lamps(text: str) -> Pixels:
    """Lamps as a line: `A` bright, `a` dim, `a,` faint, `A~` breathing, `R!` flashing, `.` dark; `4R!` four such."""
    found: list[Colour] = []
    for many, letter, mark in re.findall(r"(\d*)([A-FWR.])([~!,]?)", text, re.IGNORECASE):
        own = {**dict(zip("ABCDEF", SEATS, strict=True)), "W": WHITE, "R": RED, ".": OFF}[letter.upper()]
        colour = shade(own, FAINT if mark == "," else DIM) if letter.islower() else own
        found += [lamp(colour, RHYTHMS[mark]) if mark in RHYTHMS else colour] * int(many or 1)
    return tuple(found)


def race(phase: Any, gaps: tuple[Seat, ...] = (), **given: Any) -> RaceBoard:
    return RaceBoard(phase, 0, tuple((seat, 1000 * n) for n, seat in enumerate(gaps)), **given)


ALL = (0, 1, 2)
ARMED, PRESSED, OVER = race("armed"), race("answers", (1, 2)), race("over", (0, 2, 1))
JUMPED, BENCHED, TIED = race("armed", jumped=(2,)), race("answers", (1,), benched=(0,)), race("tied", ALL)
FIRST, LAST, TIE, WON = {"first": (1,)}, {"last": (1,)}, {"tie": (1, 2)}, {"winner": (0, 1)}
BEST, CLEANED = {"first": (0,)}, {"shows": "points", "scores": (7, 7, 7)}
READY = {"phase": "ready", "race": RaceBoard("over", 0)}
HANDS = {"shows": "ready", "turn": (1,), "race": ARMED, "highlight": {"missing": (1,)}}
TURN_A = {"order": (2, 0, 1), "turn": (0,)}

# a seat's piece of 19 lamps, or the beginning of it
PIECES: dict[str, tuple[Seat, dict[str, Any], str]] = {
    "who is asked is wholly bright and breathes": (1, {"turn": (1,)}, "19B~"),
    "who is not asked is wholly dim": (0, {"turn": (1,)}, "19a"),
    "whose time is up is red at both ends": (1, {"turn": (1,), "highlight": LAST}, "4R! 11B~ 4R!"),
    # the race
    "who holds the button is wholly bright": (0, HANDS, "19A"),
    "whose hand is missing is dim in the middle": (1, HANDS, "6. 7b 6."),
    "who was too early flashes in dots": (2, {"shows": "ready", "race": JUMPED}, "C!. " * 9 + "C!"),
    "who has pressed is wholly dim": (1, {"turn": (0,), "race": PRESSED}, "19b"),
    "who has not pressed breathes in the middle": (0, {"turn": (0,), "race": PRESSED}, "6. 7A~ 6."),
    "whose button does not work is dim in the middle": (0, {"turn": (2,), "race": BENCHED}, "6. 7a 6."),
    "the first is wholly bright": (1, {"turn": (0,), "race": PRESSED, "highlight": FIRST}, "19B"),
    "the last has ends that flash red": (1, {"race": OVER, "highlight": LAST}, "4R! 11. 4R!"),
    "red stands still once the last is asked for something else": (
        1,
        {"turn": ALL, "race": OVER, "highlight": LAST},
        "4R 11B~ 4R",
    ),
    "a dead heat flashes in white dots": (1, {"race": TIED, "highlight": TIE}, "W!b " * 9 + "W!"),
    # points and the end
    "who has no points keeps a faint lamp": (1, {"shows": "points", "scores": (7, 0, 0)}, "b, 18."),
    "so does who has fewer": (1, {"shows": "points", "scores": (7, -4, 0)}, "b, 18."),
    "while nobody has points all are dim": (1, {"shows": "points", "scores": (0, -4, 0)}, "19b"),
    "the bar of the best of a round is bright": (0, {"shows": "result", "scores": (7, 14, 7), "highlight": BEST}, "9A"),
    "once cards are cleaned up the first is no news": (1, {**CLEANED, "highlight": FIRST}, "19b"),
    "nor is the last": (1, {**CLEANED, "highlight": LAST}, "19b"),
    "at the end others keep their bars": (2, {"shows": "winners", "scores": (9, 9, 3), "highlight": WON}, "6c c, ."),
}


@pytest.mark.parametrize(("seat", "given", "shown"), PIECES.values(), ids=PIECES)
def test_a_piece_of_the_strip(seat: Seat, given: dict[str, Any], shown: str) -> None:
    found = lamps(shown)
    assert strip(**given)[20 * seat : 20 * seat + len(found)] == found


# the first lamp of each third
THIRDS: dict[str, tuple[dict[str, Any], str]] = {
    "pieces lie in the order of play where a game chooses it": ({**TURN_A, "shows": "places"}, "c A~ b"),
    "pieces lie in seat order where play goes round the table": (TURN_A, "A~ b c"),
    "all who are asked breathe": ({"turn": (0, 2)}, "A~ b C~"),
    "every hand that is missing leaves the ends dark": ({**HANDS, "highlight": {"missing": (0, 2)}}, ". B ."),
    "a race is shown in seat order whoever starts": ({**TURN_A, **READY}, "A~ b c"),
    "once the order is known who begins is bright": ({"order": (2, 0, 1), "shows": "places"}, "C a b"),
    "in a countdown everybody is ready": ({"shows": "ready", "turn": ALL, "race": ARMED}, "A B C"),
    "the rounds are counted until a hand is down": (
        {"shows": "rounds", "rounds": 3, "round": 2, "turn": ALL, "race": ARMED},
        "w W~ .",
    ),
}


@pytest.mark.parametrize(("given", "shown"), THIRDS.values(), ids=THIRDS)
def test_the_thirds_of_the_strip(given: dict[str, Any], shown: str) -> None:
    assert tuple(strip(**given)[n] for n in (0, 20, 40)) == lamps(shown)


def test_a_part_of_a_lamp_is_shown_by_its_light() -> None:
    assert strip(shows="points", scores=(38, 0, 19))[48:51] == (shade(SEATS[2]), shade(SEATS[2], DIM // 2), OFF)


def test_all_pieces_are_of_one_length_and_equally_far_apart_with_a_dark_lamp_between() -> None:
    assert [(one.start, len(one)) for one in pieces(144, 5)] == [(28 * n, 26) for n in range(5)]
    assert [one.start for one in pieces(16, 6)] == [0, 2, 4, 6, 8, 10]
    assert [strip(turn=ALL)[n] for n in (19, 39, 59)] == [OFF] * 3


def test_the_go_signal_is_all_white() -> None:
    assert strip(shows="go", turn=ALL) == (GO,) * 60


def test_points_are_bars_next_to_the_most() -> None:
    found = strip(shows="result", scores=(38, 20, 19))
    lit = [[lamp != OFF for lamp in found[20 * n : 20 * n + 19]].count(True) for n in range(3)]
    assert lit == [19, 10, 10]


def test_the_winners_chase() -> None:
    found = strip(shows="winners", scores=(9, 9, 3), highlight=WON)
    assert [rhythm(found[n]) for n in (0, 20, 40)] == [Rhythm.CHASE, Rhythm.CHASE, Rhythm.STEADY]


def draft(order: tuple[Seat | None, ...], turn: tuple[Seat, ...] = (), shows: Shows = "places") -> Pixels:
    return pixels(Light(Board("draft", 5, ROUNDS, order, turn, (0, 0), ({}, {}), shows=shows)), 48)


NOBODY, SOME, ONE = (None,) * 4, (None, 1, None, 0), (None, 1, None, None)

DRAFTS: dict[str, tuple[Pixels, Iterable[int], str]] = {
    "a round to come is a dot": (draft(NOBODY, shows="rounds"), range(44, 47), ". w, ."),
    "steps are separated by a dark lamp": (draft(NOBODY, shows="rounds"), range(3, 48, 4), "12."),
    "each place has the colour of its seat": (draft(SOME), (13, 37), "b a"),
    "a place that is no seats has white ends": (draft(SOME), (0, 5, 10), "w . w"),
    "the place whose turn it is breathes": (draft(SOME, (0,)), range(36, 47), "11A~"),
    "so do the places of all whose turn it is": (draft(SOME, (0, 1)), (13, 37), "B~ A~"),
    "while a place is chosen the places so far are at the start": (draft(ONE, (0,), "choosing"), (0, 5, 10), "w b w"),
    "whose turn it is is at the end": (draft(ONE, (0,), "choosing"), (25, 36), "A~ b"),
    "the first to choose a place sees the rounds beside it": (draft(NOBODY, (0,), "choosing"), (4, 25), "W~ A~"),
}


@pytest.mark.parametrize(("found", "places", "shown"), DRAFTS.values(), ids=DRAFTS)
def test_places_of_a_draft(found: Pixels, places: Iterable[int], shown: str) -> None:
    assert tuple(found[n] for n in places) == lamps(shown)


def test_before_anybody_has_chosen_the_rounds_are_counted() -> None:
    assert draft(NOBODY, shows="rounds")[1::4] == lamps("4w W~ 7w,")


def test_with_more_rounds_than_lamps_the_running_one_keeps_a_lamp() -> None:
    found = [strip(8, shows="rounds", rounds=12, round=n).index(lamp(WHITE, Rhythm.BREATHE)) for n in range(1, 13)]
    assert found == [n * 8 // 12 for n in range(12)]


def test_each_who_joins_lights_the_piece_of_the_button(rig: Rig) -> None:
    found = rig.do("[Kitty Paw] P1 P3 P4").pixels
    assert [found[n] for n in (0, 15, 30, 45)] == [SEATS[0], OFF, SEATS[2], SEATS[3]]


def whole(seats: tuple[int, ...], leds: int = 60, of_kit: int = 4) -> Pixels:
    """The strip while all are ready, by seat the buttons that they play with."""
    buttons = tuple(map(Button, seats))
    one = Board("ready", 1, None, (), (), (0,) * len(seats), ({},) * len(seats), shows="ready")
    return pixels(Light(one, buttons=buttons, of_kit=of_kit), leds)


@pytest.mark.parametrize("seats", [(0, 2, 3), (3, 0, 2), (2, 3, 0)])
def test_a_button_keeps_its_piece_and_colour_whoever_begins(seats: tuple[int, ...]) -> None:
    assert [whole(seats)[n] for n in (0, 15, 30, 45)] == [SEATS[0], OFF, SEATS[2], SEATS[3]]


@pytest.mark.parametrize("seats", [(0, 2, 3), (3, 0, 2)])
def test_on_a_short_strip_only_those_who_play_have_a_piece(seats: tuple[int, ...]) -> None:
    assert whole(seats, leds=11) == (*[SEATS[n] for n in (0, 0, 0, 2, 2, 2, 3, 3, 3)], OFF, OFF)


def test_a_button_that_the_kit_has_no_more_is_white_and_takes_none_of_anothers_place() -> None:
    one = Board("ready", 1, None, (), (), (0, 0), ({},) * 2, shows="ready")
    found = pixels(Light(one, buttons=(None, Button(1)), of_kit=4), 20)
    assert (found[0], found[10]) == (SEATS[1], WHITE)


def test_places_are_in_the_order_of_play_in_the_buttons_colours() -> None:
    one = board(order=(1, 0), scores=(0, 0), tokens=({}, {}), shows="places")
    found = pixels(Light(one, buttons=(Button(3), Button(2)), of_kit=4), 20)
    assert (found[0], found[10]) == (SEATS[2], shade(SEATS[3]))


def test_asleep_it_is_dark_even_if_a_part_is_lost() -> None:
    assert set(pixels(Light(board(), asleep=True, lost=True), 60)) == {OFF}


@pytest.mark.parametrize("leds", LENGTHS)
def test_a_lost_part_flashes_red_at_the_outermost_lamps_and_takes_no_seat_away(leds: int) -> None:
    found = pixels(Light(Board("turn", 1, None, (), (), (0,) * 6, ({},) * 6), lost=True), leds)
    assert (found[0], found[-1]) == (LOST, LOST) and {shade(own) for own in SEATS} <= set(found)


def test_a_lost_display_is_shown(rig: Rig) -> None:
    pixels = rig.do("unplug[display] +P1 10").pixels
    assert (pixels[0], pixels[-1]) == (LOST, LOST)


@pytest.mark.parametrize(
    ("part", "texts"),
    [("display", ("display lost: unplugged", None)), ("edges of button P1", ("button P1: edges were lost",))],
    ids=["a display that is back", "a doubt about an edge"],
)
def test_a_part_that_is_not_lost_is_not_shown(rig: Rig, part: str, texts: tuple[str | None, ...]) -> None:
    before = rig.pixels
    for text in texts:
        rig.report(part, text)
        rig.after(10)
    assert rig.pixels == before


@pytest.mark.parametrize("game", GAMES)
def test_every_phase_fits_every_length(game: str) -> None:
    shown = [light for _, light in strip_sheets.evening(game)]
    assert {len(pixels(light, leds)) - leds for light in shown for leds in (*range(8, 40), *LENGTHS)} == {0}


@pytest.mark.parametrize("leds", LENGTHS)
@pytest.mark.parametrize("seats", range(1, 7))
def test_whose_turn_it_is_is_seen_at_every_length(leds: int, seats: int) -> None:
    boards = [board(turn=(seat,), scores=(0,) * seats, tokens=({},) * seats) for seat in range(seats)]
    places = [
        [n for n, colour in enumerate(pixels(Light(each), leds)) if rhythm(colour) is Rhythm.BREATHE] for each in boards
    ]
    assert all(places) and places == sorted(places)


def test_of_two_lamps_one_tells_who_is_missing_two_who_was_first_and_one_is_red_for_the_last() -> None:
    assert strip(8, turn=(0,), race=PRESSED, highlight=FIRST)[:6] == lamps("A~ . B B c c")
    assert strip(8, turn=(0,), race=race("over"), highlight={"last": (0,)})[:2] == lamps("R A~")


@pytest.mark.parametrize("seats", range(2, 7))
def test_first_last_and_the_others_differ_on_the_shortest_strip(seats: int) -> None:
    marks = {"first": (0,), "last": (1,)}
    found = strip(8, phase="check", scores=(0,) * seats, race=race("over"), highlight=marks)
    colours = {seat: found[pieces(8, seats)[seat].start] for seat in range(seats)}
    assert colours == {0: SEATS[0], 1: LOST, **{seat: shade(SEATS[seat]) for seat in range(2, seats)}}


def test_eight_colours_are_apart_for_all_eyes() -> None:
    assert nearest((*SEATS, WHITE, RED)) >= 11.5


@pytest.mark.parametrize("eyes", EYES)
def test_dim_seats_are_apart_on_our_own_controller_and_darker_than_any_bright_one(eyes: str) -> None:
    dim = [seen(light(shade(own)), eyes) for own in SEATS]
    assert min(difference(lab(one), lab(other)) for one, other in combinations(dim, 2)) >= 7
    assert min(luminance(seen(light(own), eyes)) for own in SEATS) > max(map(luminance, dim))


@pytest.mark.nightly
def test_the_colours_are_what_the_search_finds() -> None:
    assert search() == SEATS


def test_a_steady_colour_holds_no_rhythm() -> None:
    assert {rhythm(colour) for colour in (*SEATS, WHITE, RED, *map(shade, SEATS))} == {Rhythm.STEADY}


@pytest.mark.parametrize("eyes", EYES)
def test_white_and_grey_look_alike_to_all_eyes(eyes: str) -> None:
    assert max(abs(part - 0.5) for part in seen((0.5, 0.5, 0.5), eyes)) < 1e-5


HURRY: dict[str, tuple[Light, bool]] = {
    "hands are waited for": (Light(board(**HANDS)), True),
    "the go-signal is near": (Light(board(race=ARMED)), True),
    "one has pressed, others may": (Light(board(race=PRESSED)), True),
    "a race that nobody has pressed in": (Light(board(shows="go", race=race("running"))), False),
    "the race is over": (Light(board(race=OVER)), False),
    "a turn": (Light(board(**TURN_A)), False),
    "no game": (Light(None), False),
}


@pytest.mark.parametrize(("light", "hurry"), HURRY.values(), ids=HURRY)
def test_a_picture_that_must_not_be_late_is_known(light: Light, hurry: bool) -> None:
    assert hurries(light.board) is hurry


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
