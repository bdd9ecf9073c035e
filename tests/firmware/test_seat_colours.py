"""The seats' colours on pages: apart for all eyes, like their lamps, and to be seen on every ground."""

import re
from itertools import combinations
from pathlib import Path

import pytest

import firmware
from firmware.output.strip_picture import SEATS
from firmware.web.seats_css import sheet
from hardware.parts.strip import Colour
from hardware.seat_colours import SEAT_COLOURS
from tests.simulators.colour_vision import difference, lab, light
from tests.simulators.page_colours import COLOUR_BLIND, CONTRAST, NORMAL, colour, contrast, differences, paint, search

COLOURS = [Colour(*seat.rgb) for seat in SEAT_COLOURS]
PAGES = Path(firmware.__file__).parent
STYLES = {
    name: (PAGES / name).read_text(encoding="utf-8")
    for name in ("panel/page/kit.css", "panel/page/finish.css", "phones/page/phone.css")
}
# wood, phones in dark and light, the photo finish and its lanes
GROUND = r"(?:--(?:walnut|paper|card):|#photo \{[^}]*?background:|\.ground \{ fill:) (#\w{6});"
EDGE = r"box-shadow: 0 0 0 1px (#\w{6});"  # of a dome on phones


@pytest.mark.parametrize("players", range(2, 7))
def test_no_two_players_of_a_kit_look_alike_to_any_eyes(players: int) -> None:
    for one, other in combinations(COLOURS[:players], 2):
        normal, *others = differences(one, other).values()
        assert normal >= NORMAL, (one, other)
        assert min(others) >= COLOUR_BLIND, (one, other)


def test_no_player_looks_like_a_free_place_to_any_eyes() -> None:
    (free,) = re.findall(r'\[data-button="none"\] \{.* --colour: (#\w{6});', sheet().decode())
    assert min(min(differences(each, colour(free)).values()) for each in COLOURS) >= COLOUR_BLIND


@pytest.mark.nightly
def test_the_colours_are_what_the_search_finds() -> None:
    assert list(search()) == COLOURS


def test_a_seats_colour_is_most_like_its_own_lamp() -> None:
    lamps = [lab(light(lamp)) for lamp in SEATS]
    looks = [lab(paint(each)) for each in COLOURS]
    nearest = [min(range(6), key=lambda seat: difference(look, lamps[seat])) for look in looks]
    assert nearest == list(range(6))


def test_a_mark_stands_out_from_every_ground_on_a_light_one_by_its_edge() -> None:
    grounds = [colour(shown) for css in STYLES.values() for shown in re.findall(GROUND, css)]
    (edge,) = (colour(shown) for shown in re.findall(EDGE, STYLES["phones/page/phone.css"]))
    dark = [ground for ground in grounds if max(ground) < 128]
    bright = [ground for ground in grounds if ground not in dark]
    assert (len(dark), len(bright)) == (6, 2)
    assert min(contrast(each, ground) for each in COLOURS for ground in (*dark, edge)) >= CONTRAST
    assert min(contrast(edge, ground) for ground in bright) >= CONTRAST


def test_every_page_gets_the_colours_as_plain_values() -> None:
    values = re.findall(r"--button-(\d): (#\w{6});", sheet().decode())
    assert values == [(str(seat), colour.shown) for seat, colour in enumerate(SEAT_COLOURS)]
