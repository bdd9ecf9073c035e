"""The enclosure, checked on the solids and files themselves.

Each printed wall is at least 2 mm thick, save where it is meant: the bosses of the display's module (1.4 mm), the webs
between neighbouring plugs of a Raspberry Pi (1 mm), and the tips of edges that are not square.
A bridge is counted as the longer side of what hangs: every patch of surface that leans out by more than 45 degrees.
"""

import colorsys
import io
import re
import struct
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from functools import cache
from itertools import product
from pathlib import Path
from xml.etree import ElementTree as ET

import msgspec
import numpy as np
import pytest
from manifold3d import CrossSection, Error, JoinType, Manifold
from numpy.typing import NDArray
from PIL import Image

from firmware.lights import SEATS
from hardware.building import picture, render
from hardware.building.enclosure import (
    FACE_MM,
    FRONT_MM,
    GLASS_MM,
    GROOVE_MM,
    LID_MM,
    SLANT_DEG,
    assembled,
    parts,
)
from hardware.building.solids import block, column, stl, threemf, union
from hardware.building.wiring import COLOURS, SEAT_COLOURS
from hardware.config import (
    Build,
    BuzzerConfig,
    ConfigError,
    ControlConfig,
    DisplayConfig,
    KitConfig,
    Player,
    StripConfig,
    kit,
    kits,
)
from hardware.layout import built, layout
from hardware.layout.inside import FLOOR_MM, STANDOFF_MM, TIE, WALL_MM, plugged
from hardware.layout.lid import WIRES_MM
from hardware.sizes import (
    BOARDS,
    BUTTONS,
    CARD_MM,
    HANGS_MM,
    KEY_HOLE_MM,
    KNOB_HOLE_MM,
    MODULES,
    RINGS_MM,
    THICK_MM,
    build_of,
)

ROOT = Path(__file__).resolve().parents[2]

THIN_MM = 2.0
BED_MM, MAX_MM = 220.0, 200.0
BRIDGE_MM = 10.0
STEEPEST = np.cos(np.radians(45.0)) + 1e-3
NOTHING_MM3 = 1e-3

KNOB = ControlConfig("knob", a=17, b=27, push=24)
KEYS = ControlConfig("buttons", up=17, down=27, ok=22)
RING = StripConfig(leds=60, shape="ring")


def described(
    players: int,
    button: str,
    board: str,
    display: str,
    control: ControlConfig,
    strip: StripConfig | None = None,
    *,
    lamps: bool = True,
) -> KitConfig:
    return KitConfig(
        players=tuple(Player(f"P{n + 1}", 5, 6 if lamps else None) for n in range(players)),
        control=control,
        display=msgspec.convert({"driver": display}, DisplayConfig),
        buzzer=BuzzerConfig(13),
        strip=strip,
        build=msgspec.convert({"title": "Other", "board": board, "button": button}, Build),
    )


KITS = {name: kit(name) for name in kits()} | {
    "two, zero, strip": described(2, "dome-45", "pi-zero-2w", "sh1106", KEYS, StripConfig(leds=20)),
    "two, large": described(2, "dome-45", "pi-4b", "ssd1309", KNOB, lamps=False),
    "three": described(3, "arcade-30", "pi-zero-2w", "ssd1306", KNOB),
    "four, ring": described(4, "arcade-30", "pi-4b", "sh1106", KEYS, RING),
    "five": described(5, "dome-45", "pi-4b", "ssd1309", KEYS, StripConfig(leds=24)),
    "six, small": described(6, "arcade-30", "pi-zero-2w", "ssd1306", KEYS, lamps=False),
}

every_kit = pytest.mark.parametrize("config", KITS.values(), ids=KITS.keys())
every_part = pytest.mark.parametrize("name", ["base", "lid", "bezel"])


def nothing(*solids: Manifold) -> bool:
    """Whether solids have no room in common."""
    found = solids[0]
    for solid in solids[1:]:
        found = found ^ solid
    return bool(found.volume() < NOTHING_MM3)


@cache
def triangles(config: KitConfig, name: str) -> NDArray[np.float64]:
    """The triangles of a written STL."""
    data = stl(parts(config)[name])
    (many,) = struct.unpack_from("<I", data, 80)
    rows = np.frombuffer(data, dtype=[("numbers", "<f4", (4, 3)), ("none", "<u2")], offset=84)
    assert len(rows) == many
    return np.rint(rows["numbers"][:, 1:].astype(float) * 1e4) / 1e4


def normals(found: NDArray[np.float64]) -> NDArray[np.float64]:
    across = np.cross(found[:, 1] - found[:, 0], found[:, 2] - found[:, 0])
    return np.asarray(across / np.maximum(np.linalg.norm(across, axis=1, keepdims=True), 1e-12))


def on_face(config: KitConfig, solid: Manifold) -> Manifold:
    """Something in the display's own place and slant: z = 0 is the bezel's face."""
    lid, base = built(config)
    place = lid.of("display")[0]
    middle_mm = FRONT_MM + place.height_mm / 2 * np.tan(np.radians(SLANT_DEG))
    turned = solid.rotate((SLANT_DEG, 0.0, 0.0))
    return turned.translate((place.x_mm, place.y_mm, base.high_mm + LID_MM + float(middle_mm)))


@every_kit
@every_part
def test_every_part_is_written_as_one_closed_body_of_less_than_a_megabyte(config: KitConfig, name: str) -> None:
    solid, found = parts(config)[name], triangles(config, name)
    _, corners = np.unique(found.reshape(-1, 3), axis=0, return_inverse=True)
    numbered = corners.reshape(-1, 3)
    edges = np.concatenate([numbered[:, (a, b)] for a, b in ((0, 1), (1, 2), (2, 0))])
    there, counts = np.unique(edges, axis=0, return_counts=True)
    back = np.unique(edges[:, ::-1], axis=0)  # each edge is shared by two triangles, in opposite directions
    volume = np.einsum("ij,ij->i", found[:, 0], np.cross(found[:, 1], found[:, 2])).sum() / 6
    assert (solid.status(), len(solid.decompose())) == (Error.NoError, 1)
    assert counts.max() == 1 and np.array_equal(there, back)
    assert volume == pytest.approx(solid.volume(), rel=1e-4)
    assert 84 + 50 * len(found) < 1_000_000


def openings(config: KitConfig, name: str) -> int:
    """How many openings a part has, counted from the description."""
    base = built(config)[1]
    if name == "bezel":
        return 1  # the window
    if name == "lid":
        controls = 1 if config.control.kind == "knob" else 3
        lights = 0 if config.strip is None else 1  # its wires
        return len(config.players) + controls + lights + 1 + 4 + len(base.screws)  # display, its screws, the lid's
    back = [port for port in BOARDS[build_of(config).board].ports if port.edge == "front" and port.plug is not None]
    at_wall = sum(port.edge == "front" for port in plugged(config)) == 1 and _stands_at_wall(config)
    sockets = len(back) if at_wall else 1
    leads = 1 if config.strip is None else 2
    vents = sum(opening.name == "vent" for opening in base.openings)
    sound = 0 if config.buzzer is None else 1
    return sockets + (leads - 1) + 2 * leads + vents + 1 + sound  # the jack; two slots a lead; the card's hatch


def _stands_at_wall(config: KitConfig) -> bool:
    lid, base = built(config)
    out_mm = max(port.out_mm for port in BOARDS[build_of(config).board].ports if port.edge == "front")
    return lid.depth_mm / 2 - base.board.back_mm < WALL_MM + out_mm + 1


@every_kit
@every_part
def test_a_part_has_the_openings_that_its_description_asks_for(config: KitConfig, name: str) -> None:
    assert parts(config)[name].genus() == openings(config, name)


@every_kit
def test_the_base_has_vents_on_both_sides(config: KitConfig) -> None:
    walls = [opening.wall for opening in built(config)[1].openings if opening.name == "vent"]
    assert min(walls.count("left"), walls.count("right")) >= 2


@every_kit
@every_part
def test_a_part_lies_on_the_bed_and_fits_there(config: KitConfig, name: str) -> None:
    left, front, bottom, right, back, top = parts(config)[name].bounding_box()
    assert bottom == pytest.approx(0.0, abs=1e-6)
    assert max(right - left, back - front) <= BED_MM and top <= MAX_MM


@every_kit
@every_part
def test_nothing_hangs_over_by_more_than_45_degrees_but_short_bridges(config: KitConfig, name: str) -> None:
    found = triangles(config, name)
    hangs = (normals(found)[:, 2] < -STEEPEST) & (found[:, :, 2].max(axis=1) > 1e-3)
    assert max(patches_mm(found[hangs]), default=0.0) < BRIDGE_MM


def patches_mm(found: NDArray[np.float64]) -> list[float]:
    """The longer side of each patch of triangles that hang together."""
    if not len(found):
        return []
    _, corners = np.unique(found.reshape(-1, 3), axis=0, return_inverse=True)
    numbered = corners.reshape(-1, 3)
    group = np.arange(numbered.max() + 1)
    while True:
        lowest = group[numbered].min(axis=1, keepdims=True)
        nearer = group.copy()
        np.minimum.at(nearer, numbered, np.broadcast_to(lowest, numbered.shape))
        if np.array_equal(nearer, group):
            break
        group = nearer
    patch = group[numbered[:, 0]]
    return [float(np.ptp(found[patch == one].reshape(-1, 3), axis=0).max()) for one in np.unique(patch)]


@every_kit
@every_part
def test_every_wall_is_2_mm_thick_from_side_to_side(config: KitConfig, name: str) -> None:
    solid, heights = parts(config)[name], np.arange(0.23, 200.0, 2.71)
    top_mm = solid.bounding_box()[5]
    if name == "bezel":  # the tips of its walls, cut by the lid's plane, are looked at upright
        top_mm = FRONT_MM * np.cos(np.radians(SLANT_DEG))
        solid = solid - bosses(config)
    if name == "base":
        solid = solid + webs(config)
    thin = [thin_mm2(solid.slice(float(height))) for height in heights[heights < top_mm]]
    if name == "bezel":
        upright = solid.rotate((-180.0, 0.0, 0.0)).rotate((SLANT_DEG, 0.0, 0.0))
        low_mm = upright.bounding_box()[2]
        thin += [thin_mm2(upright.slice(low_mm + height)) for height in (0.5, 1.5, 2.5)]
    assert max(thin) == pytest.approx(0.0, abs=0.01)


def thin_mm2(section: CrossSection) -> float:
    """How much of a section is thinner than 2 mm: what a disc of that size does not reach. Square corners are kept."""
    half_mm = THIN_MM / 2 - 0.01
    reached = section.offset(-half_mm, JoinType.Miter, 8.0).offset(half_mm + 0.02, JoinType.Miter, 8.0)
    return float((section - reached).offset(-0.03, JoinType.Miter).area())


def bosses(config: KitConfig) -> Manifold:
    """Room round the module's screws, on the bezel as it is printed."""
    across_mm, along_mm = (between / 2 for between in MODULES[config.display.driver].holes_mm)
    spots = product((-across_mm, across_mm), (-along_mm, along_mm))
    middle = parts(config)["bezel"].bounding_box()
    y_mm = (FRONT_MM + layout(config).of("display")[0].height_mm / 2 * np.tan(np.radians(SLANT_DEG))) * np.sin(
        np.radians(SLANT_DEG)
    )
    assert middle[0] < 0 < middle[3]
    return union([column(6.0, x, -y - float(y_mm), FACE_MM, 9.0) for x, y in spots])


def webs(config: KitConfig) -> Manifold:
    """The webs between sockets, made thick: what is left of the wall there is meant to be thin."""
    lid, base = built(config)
    spans = [opening for opening in base.openings if opening.wall == "back" and opening.name != TIE]
    pairs = [(a, b) for a, b in product(spans, spans) if 0 < b.along_mm - a.along_mm < 15.0]
    back_mm, lowest_mm = lid.depth_mm / 2, FLOOR_MM + STANDOFF_MM - 2
    fill = [block(a.along_mm, back_mm - 2.4, b.along_mm, back_mm, lowest_mm, lowest_mm + 14) for a, b in pairs]
    return union([Manifold(), *fill])


@every_kit
@every_part
def test_every_floor_is_2_mm_thick_from_top_to_bottom(config: KitConfig, name: str) -> None:
    solid, found = parts(config)[name], triangles(config, name)
    level = found[(np.abs(normals(found)[:, 2]) > 0.999)]
    inner = (level * np.array([0.4, 0.35, 0.25])[None, :, None]).sum(axis=1)
    inner = inner[:: max(1, len(inner) // 40)]
    runs = []
    for x, y, _ in inner.tolist():
        hits = sorted(hit.position[2] for hit in solid.ray_cast((x, y, -1.0), (x, y, 201.0)))
        found_runs = list(zip(hits[::2], hits[1::2], strict=True))
        runs += [out - into for into, out in found_runs if name != "bezel" or into < 1e-3]  # of the bezel: its face
    assert min(runs) >= THIN_MM - 1e-3


@every_kit
def test_the_parts_lie_on_each_other_and_nowhere_in_each_other(config: KitConfig) -> None:
    made = assembled(config)
    assert nothing(made["base"], made["lid"]) and nothing(made["lid"] + made["base"], made["bezel"])


@every_kit
def test_round_every_button_is_room_for_its_flange_and_its_body(config: KitConfig) -> None:
    made, (lid, base), button = assembled(config), built(config), BUTTONS[build_of(config).button]
    top_mm, below_mm = base.high_mm + LID_MM, base.high_mm - button.below_mm
    buttons = union(
        [
            column(button.flange_mm + 0.7, place.x_mm, place.y_mm, top_mm + 0.01, top_mm + button.above_mm)
            + column(button.hole_mm - 0.1, place.x_mm, place.y_mm, base.high_mm - 1, top_mm + 1)
            + column(button.nut_mm + 0.8, place.x_mm, place.y_mm, base.high_mm - 15, base.high_mm - 0.01)
            + column(button.body_mm + 0.8, place.x_mm, place.y_mm, below_mm, base.high_mm - 0.01)
            for place in lid.of("button")
        ]
    )
    assert nothing(union([*made.values()]), buttons)


@every_kit
def test_a_rim_stands_round_every_flange(config: KitConfig) -> None:
    lid, flange_mm = layout(config), BUTTONS[build_of(config).button].flange_mm
    rims = parts(config)["lid"].slice(LID_MM + 0.6)
    ring_mm2 = np.pi / 4 * ((flange_mm + 4.8) ** 2 - (flange_mm + 0.8) ** 2)
    assert rims.area() == pytest.approx(len(lid.of("button")) * ring_mm2, rel=0.01)


def lying(config: KitConfig) -> list[Manifold]:
    """What lies in the base: boards, sockets, plugs."""
    base = built(config)[1]
    plugs = [tray.plug for tray in base.trays if tray.plug is not None]
    areas = (base.board, *base.rooms, *plugs, *(tray.board for tray in base.trays))
    return [block(*area[:4], 0.0, 30.0) for area in areas]


@every_kit
def test_what_lies_in_the_base_keeps_clear_of_the_buttons_and_of_each_other(config: KitConfig) -> None:
    (lid, base), button, boards = built(config), BUTTONS[build_of(config).button], lying(config)
    bodies = union([column(button.body_mm, p.x_mm, p.y_mm, 0.0, base.high_mm) for p in lid.of("button")])
    assert bodies.min_gap(union(boards), 5.0) >= 0.4
    assert union(boards).volume() == pytest.approx(sum(solid.volume() for solid in boards))


@every_kit
def test_what_hangs_from_the_lid_ends_above_what_lies_in_the_base(config: KitConfig) -> None:
    base, button = built(config)[1], BUTTONS[build_of(config).button]
    assert base.high_mm - FLOOR_MM >= button.below_mm + 2
    assert base.high_mm - HANGS_MM > FLOOR_MM + STANDOFF_MM + BOARDS[build_of(config).board].high_mm


@every_kit
def test_control_and_lights_pass_their_holes(config: KitConfig) -> None:
    lid, plate = layout(config), parts(config)["lid"]
    round_mm = {"knob": KNOB_HOLE_MM, "key": KEY_HOLE_MM}
    controls = [
        column(round_mm[place.kind] - 0.1, place.x_mm, place.y_mm, -1.0, LID_MM + 1)
        for place in (*lid.of("knob"), *lid.of("key"))
    ]
    assert len(controls) == (1 if config.control.kind == "knob" else 3)
    assert nothing(plate, union(controls))


@pytest.mark.parametrize("name", ["table", "party", "five", "four, ring"])
def test_the_lights_lie_in_their_bed_with_2_mm_below_them(name: str) -> None:
    config = KITS[name]
    assert config.strip is not None
    plate, bed_mm = parts(config)["lid"], LID_MM - GROOVE_MM
    if config.strip.shape == "ring":
        inner_mm, outer_mm = RINGS_MM[config.strip.leds]
        lights = column(outer_mm, 0, 0, bed_mm, LID_MM + 1) - column(inner_mm, 0, 0, 0.0, LID_MM + 2)
    else:
        place = layout(config).of("straight")[0]
        x_mm, y_mm = place.width_mm / 2, place.height_mm / 2
        lights = block(-x_mm, place.y_mm - y_mm, x_mm, place.y_mm + y_mm, bed_mm, LID_MM + 1)
    below = lights.translate((0.0, 0.0, -1.0)).trim_by_plane((0.0, 0.0, -1.0), -bed_mm)
    assert nothing(plate, lights)
    assert (below ^ plate).volume() > 0.97 * below.volume()  # all but the hole for the wires


def test_the_rings_wires_come_through_the_lid_at_the_front_where_its_first_lamp_is() -> None:
    (ring,) = layout(kit("table")).of("ring")
    front, back = (
        column(WIRES_MM - 0.1, ring.x_mm, ring.y_mm + side * 165.0 / 2, -1.0, LID_MM + 1) for side in (-1, 1)
    )
    assert nothing(parts(kit("table"))["lid"], front) and not nothing(parts(kit("table"))["lid"], back)


@every_kit
def test_the_raspberry_pi_goes_in_from_above_with_its_sockets(config: KitConfig) -> None:
    base, board = built(config)[1], BOARDS[build_of(config).board]
    low_mm = FLOOR_MM + STANDOFF_MM
    way = [block(*base.board[:4], low_mm, base.high_mm + 1)]
    for port in board.ports:
        half_mm = port.width_mm / 2
        if port.edge == "front":
            x_mm = base.board.right_mm - port.along_mm
            edges = (x_mm - half_mm, base.board.back_mm - 1, x_mm + half_mm, base.board.back_mm + port.out_mm)
        else:
            y_mm, left_mm, right_mm = base.board.back_mm - port.along_mm, base.board.left_mm, base.board.right_mm
            low_x_mm, high_x_mm = (left_mm - port.out_mm, left_mm) if port.edge == "right" else (right_mm, right_mm + 1)
            edges = (low_x_mm, y_mm - half_mm, high_x_mm, y_mm + half_mm)
        way.append(block(*edges, low_mm, base.high_mm + 1))
    way += [block(*room[:4], low_mm, base.high_mm + 1) for room in base.rooms]
    assert nothing(parts(config)["base"], union(way))


@every_kit
def test_the_raspberry_pi_stands_on_four_standoffs_with_holes_where_it_has_them(config: KitConfig) -> None:
    base, board, solid = built(config)[1], BOARDS[build_of(config).board], parts(config)["base"]
    spots = [(base.board.right_mm - x, base.board.back_mm - y) for x, y in board.holes_mm]
    top_mm = FLOOR_MM + STANDOFF_MM
    screws = union([column(1.9, x, y, FLOOR_MM + 0.1, top_mm) for x, y in spots])
    stands = union([column(5.9, x, y, FLOOR_MM, top_mm) - column(2.1, x, y, FLOOR_MM, top_mm) for x, y in spots])
    assert len(spots) == 4 and nothing(solid, screws) and nothing(stands - solid)


def test_the_table_has_room_for_the_audio_socket_that_nothing_is_plugged_into() -> None:
    (lid, base), solid = built(kit("table")), parts(kit("table"))["base"]
    x_mm, back_mm, low_mm = base.board.right_mm - 54.0, base.board.back_mm, FLOOR_MM + STANDOFF_MM + THICK_MM
    barrel = block(x_mm - 3.5, back_mm - 12, x_mm + 3.5, back_mm + 2.9, low_mm, base.high_mm)
    before = block(x_mm - 3.5, lid.depth_mm / 2 - WALL_MM, x_mm + 3.5, lid.depth_mm / 2, low_mm, low_mm + 6)
    assert nothing(solid, barrel) and nothing(before - solid)


GRIPS_MM = {  # of plugs, at most: USB's specifications, and usual HDMI cables
    "power, USB-C": (12.35, 6.5),
    "power, micro USB": (10.6, 8.5),
    "micro USB": (10.6, 8.5),
    "micro HDMI": (11.5, 7.0),
    "mini HDMI": (15.0, 9.0),
}


@every_kit
def test_plugs_pass_the_wall_before_the_sockets_that_stand_at_it(config: KitConfig) -> None:
    (lid, base), board = built(config), BOARDS[build_of(config).board]
    ports = [port for port in board.ports if port.edge == "front" and port.plug is not None]
    if not _stands_at_wall(config):
        ports = [port for port in ports if port is plugged(config)[0]]  # its plug goes through, and on inside
    low_mm = FLOOR_MM + STANDOFF_MM + THICK_MM
    plugs = []
    for port in ports:
        wide_mm, high_mm = GRIPS_MM[port.name]
        x_mm, middle_mm = base.board.right_mm - port.along_mm, low_mm + port.height_mm / 2
        edges = (x_mm - wide_mm / 2, lid.depth_mm / 2 - 4, x_mm + wide_mm / 2, lid.depth_mm / 2 + 20)
        plugs.append(block(*edges, middle_mm - high_mm / 2, middle_mm + high_mm / 2))
    assert nothing(parts(config)["base"], union(plugs))


@pytest.mark.parametrize("name", ["duo", "table"])
def test_the_raspberry_pi_of_duo_and_table_stands_at_the_back_wall(name: str) -> None:
    assert _stands_at_wall(kit(name))


@every_kit
def test_the_card_is_reached_through_the_floor(config: KitConfig) -> None:
    base, board = built(config)[1], BOARDS[build_of(config).board]
    card = next(port for port in board.ports if port.edge == "left")
    x_mm, y_mm, half_mm = base.board.right_mm, base.board.back_mm - card.along_mm, card.width_mm / 2
    way = block(x_mm + 0.6, y_mm - half_mm, x_mm + CARD_MM, y_mm + half_mm, -1.0, FLOOR_MM + STANDOFF_MM + 3)
    assert nothing(parts(config)["base"], way)


@every_kit
def test_each_supply_lead_has_a_place_for_a_cable_tie_beside_its_opening(config: KitConfig) -> None:
    openings_ = built(config)[1].openings
    leads = [o for o in openings_ if o.name.startswith("power") or o.name == "5 V jack"]
    slots = [o for o in openings_ if o.name == TIE]
    near = [sum(s.wall == lead.wall and abs(s.along_mm - lead.along_mm) < 18.0 for s in slots) for lead in leads]
    assert (len(leads), min(near)) == (1 if config.strip is None else 2, 2)


@every_kit
def test_small_boards_lie_between_their_corners(config: KitConfig) -> None:
    base, solid = built(config)[1], parts(config)["base"]
    names = [tray.name for tray in base.trays]
    lamps = any(player.lamp is not None for player in config.players)
    expected = (["Pico", "strip board"] if config.strip else []) + (["lamp board"] if lamps else []) + ["buzzer"]
    boards = [block(*tray.board[:4], FLOOR_MM + 3.01, base.high_mm) for tray in base.trays if tray.name != "buzzer"]
    assert names == expected
    assert nothing(solid, union([Manifold(), *boards]))


@every_kit
def test_the_lids_screws_meet_their_posts(config: KitConfig) -> None:
    made, base = assembled(config), built(config)[1]
    top_mm = base.high_mm + LID_MM
    screws = union([column(2.4, x, y, top_mm - 10.0, top_mm + 1) for x, y in base.screws])
    grips = union([column(6.0, x, y, top_mm - 10, base.high_mm) - column(2.6, x, y, 0, top_mm) for x, y in base.screws])
    assert len(base.screws) >= 4 and nothing(made["base"] + made["lid"], screws)
    assert nothing(grips - made["base"])


@every_kit
def test_the_bezels_screws_come_from_below_the_lid(config: KitConfig) -> None:
    made, (lid, base) = assembled(config), built(config)
    place, top_mm = lid.of("display")[0], base.high_mm + LID_MM
    spots = [
        (place.x_mm + x * (place.width_mm / 2 - 3.5), place.y_mm + y * (place.height_mm / 2 - 5.0))
        for x, y in product((1, -1), (1, -1))
    ]
    screws = union([column(2.4, x, y, base.high_mm - 1, top_mm + 6.4) for x, y in spots])
    assert nothing(made["lid"] + made["bezel"], screws)


@every_kit
def test_the_window_shows_all_that_must_be_seen(config: KitConfig) -> None:
    module = MODULES[config.display.driver]
    x_mm, y_mm = module.window_mm[0] / 2 - 0.01, module.window_mm[1] / 2 - 0.01
    sight = block(-x_mm, module.up_mm - y_mm, x_mm, module.up_mm + y_mm, -FACE_MM - 1, 30.0)
    assert nothing(assembled(config)["bezel"], on_face(config, sight))


@every_kit
def test_the_displays_module_lies_on_its_bosses_with_room_for_its_pins(config: KitConfig) -> None:
    module, made = MODULES[config.display.driver], assembled(config)
    x_mm, y_mm, under_mm = module.width_mm / 2 + 0.4, module.depth_mm / 2 + 0.4, -FACE_MM - GLASS_MM - 0.01
    board = block(-x_mm, -y_mm, x_mm, y_mm, under_mm - 1.6, under_mm)
    pins = block(2 - x_mm, 3 - y_mm, x_mm - 2, y_mm - 3, under_mm - 5.0, under_mm)
    assert nothing(made["bezel"] + made["lid"], on_face(config, board + pins))


@every_kit
def test_the_bosses_have_their_holes_where_the_module_has_them(config: KitConfig) -> None:
    module, bezel = MODULES[config.display.driver], assembled(config)["bezel"]
    spots = list(product(*((-between / 2, between / 2) for between in module.holes_mm)))
    top_mm, low_mm = -FACE_MM, -FACE_MM - GLASS_MM
    screws = union([column(1.5, x, y, low_mm, top_mm + 0.9) for x, y in spots])
    stands = union([column(4.2, x, y, low_mm, top_mm) - column(1.7, x, y, low_mm - 1, top_mm + 1) for x, y in spots])
    assert nothing(bezel, on_face(config, screws))
    assert nothing(on_face(config, stands) - bezel)


CORE = "{http://schemas.microsoft.com/3dmanufacturing/core/2015/02}"


@pytest.fixture(scope="module")
def archive() -> Iterator[zipfile.ZipFile]:
    """The 3MF of the Duo kit."""
    with zipfile.ZipFile(io.BytesIO(threemf(parts(kit("duo"))))) as archive:
        yield archive


def test_a_3mf_has_the_three_files_that_it_must_have_with_no_date(archive: zipfile.ZipFile) -> None:
    found = [(entry.filename, entry.date_time) for entry in archive.infolist()]
    names = ("[Content_Types].xml", "_rels/.rels", "3D/3dmodel.model")
    assert found == [(name, (1980, 1, 1, 0, 0, 0)) for name in names]


def test_a_3mf_says_what_the_stl_says(archive: zipfile.ZipFile) -> None:
    model = ET.fromstring(archive.read("3D/3dmodel.model"))
    assert model.get("unit") == "millimeter"
    for one in model.iter(f"{CORE}object"):
        corners = np.array([[float(v.attrib[axis]) for axis in "xyz"] for v in one.iter(f"{CORE}vertex")])
        faces = np.array([[int(t.attrib[key]) for key in ("v1", "v2", "v3")] for t in one.iter(f"{CORE}triangle")])
        expected = triangles(kit("duo"), one.attrib["name"])
        moved = expected - expected.reshape(-1, 3).min(axis=0)
        assert np.allclose(corners[faces], moved, atol=1e-6)


def test_a_3mf_names_its_parts_and_lays_them_beside_each_other(archive: zipfile.ZipFile) -> None:
    model = ET.fromstring(archive.read("3D/3dmodel.model"))
    relations = ET.fromstring(archive.read("_rels/.rels"))
    items = list(model.iter(f"{CORE}item"))
    assert [one.get("name") for one in model.iter(f"{CORE}object")] == ["base", "lid", "bezel"]
    assert [(one.get("objectid"), float(one.attrib["transform"].split()[9])) for one in items] == [
        ("1", 0.0),
        ("2", 208.0),
        ("3", 416.0),
    ]
    assert [one.get("Target") for one in relations] == ["/3D/3dmodel.model"]


@pytest.mark.parametrize("view", render.VIEWS)
def test_a_picture_is_the_same_bytes_twice_and_shows_the_printed_parts(
    view: render.View, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(picture, "WIDE_PX", 240)
    monkeypatch.setattr(picture, "HIGH_PX", 180)
    data = render.render(kit("duo"), view)
    assert render.render(kit("duo"), view) == data
    found = Image.open(io.BytesIO(data)).convert("RGB")
    seen = np.asarray(found, dtype=float).reshape(-1, 3)
    bright = seen / seen.sum(axis=1, keepdims=True)
    for colour in (render.BASE, render.LID, SEAT_COLOURS[0].shown, SEAT_COLOURS[1].shown, picture.PAPER):
        share = np.array(colour) / sum(colour)
        assert (np.abs(bright - share).max(axis=1) < 0.02).mean() > 0.005
    assert found.size == (240, 180)


def test_the_seats_have_the_colours_of_the_page() -> None:
    page = (ROOT / "firmware" / "panel" / "page" / "kit.css").read_text(encoding="utf-8")
    first = re.findall(r"^\.place \{[^}]*--colour: #([0-9a-f]{6});", page, re.MULTILINE)
    others = re.findall(r"^\.place\[data-seat=\"\d.*--colour: #([0-9a-f]{6});", page, re.MULTILINE)
    assert [bytes(seat.shown).hex() for seat in SEAT_COLOURS] == [*first, *others]


@pytest.mark.parametrize("seat", range(6))
def test_a_wire_is_called_what_its_seats_light_looks_like(seat: int) -> None:
    def hue(colour: tuple[int, ...]) -> float:
        return colorsys.rgb_to_hsv(*(part / 255 for part in colour))[0]

    shown = COLOURS[SEAT_COLOURS[seat].wire].shown
    wire, light = hue(tuple(bytes.fromhex(shown[1:]))), hue(tuple(SEATS[seat]))
    assert min(abs(wire - light), 1 - abs(wire - light)) < 0.1


SMALL, LARGE = ("ssd1306", KEYS), ("ssd1309", KNOB)


def test_all_fit_on_the_bed_but_two_large_domes_beside_the_large_display() -> None:
    refused = []
    for many, board, button, middle in product(range(2, 7), BOARDS, BUTTONS, (SMALL, LARGE)):
        try:
            layout(described(many, button, board, *middle))
        except ConfigError as error:
            refused.append((many, board, button, middle, "fit on a bed of 220 mm" in str(error)))
    assert refused == [(2, board, "dome-60", LARGE, True) for board in BOARDS]


def test_where_things_sit_is_known_without_the_libraries_that_make_solids() -> None:
    asked = (
        "import sys; from hardware.layout import layout; from hardware.config import TABLE; layout(TABLE);"
        "print({'numpy', 'manifold3d'} & {*sys.modules})"
    )
    found = subprocess.run([sys.executable, "-c", asked], capture_output=True, text=True, check=True)
    assert found.stdout == "set()\n"
