"""The enclosure, checked on the solids and files themselves.

Each printed wall is at least 2 mm thick, save where it is meant: the bosses of the display's module (1.4 mm), the webs
between neighbouring plugs of a Raspberry Pi (1 mm), and the tips of edges that are not square.
A bridge is counted as the longer side of what hangs: every patch of surface that leans out by more than 45 degrees.
"""

import colorsys
import io
import struct
import subprocess
import sys
import zipfile
from collections.abc import Callable, Iterable
from functools import cache
from itertools import product
from pathlib import Path
from xml.etree import ElementTree as ET

import numpy as np
import pytest
from manifold3d import CrossSection, Error, JoinType, Manifold
from numpy.typing import NDArray
from PIL import Image

from hardware import sizes
from hardware.building import picture, render
from hardware.building.enclosure import (
    FACE_MM,
    FOOT_MM,
    FRONT_MM,
    GLASS_MM,
    GROOVE_MM,
    LID_MM,
    SLANT_DEG,
    assembled,
    parts,
)
from hardware.building.solids import block, column, stl, threemf, union
from hardware.building.wiring import COLOURS, SEAT_WIRES
from hardware.config import ConfigError, KitConfig, kit
from hardware.layout import built, layout
from hardware.layout.inside import FLOOR_MM, STANDOFF_MM, TIE, WALL_MM, plugged
from hardware.layout.lid import WIRES_MM, wires_hole
from hardware.seat_colours import SEAT_COLOURS
from hardware.sizes import BOARDS, BUTTONS, MODULES, build_of
from tests.hardware.building import KITS, altered

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[2]

THIN_MM = 2.0
BED_MM, MAX_MM = 220.0, 200.0
BRIDGE_MM = 10.0
STEEPEST = np.cos(np.radians(45.0)) + 1e-3
NOTHING_MM3 = 1e-3

Solids = dict[str, Manifold]

every_kit = pytest.mark.parametrize("config", KITS.values(), ids=KITS.keys())
every_part = pytest.mark.parametrize("name", ["base", "lid", "bezel"])


@cache
def triangles(config: KitConfig, name: str) -> NDArray[np.float64]:
    """The triangles of a written STL."""
    data = stl(parts(config)[name])
    (many,) = struct.unpack_from("<I", data, 80)
    rows = np.frombuffer(data, dtype=[("numbers", "<f4", (4, 3)), ("none", "<u2")], offset=84)
    assert len(rows) == many
    return np.rint(rows["numbers"][:, 1:].astype(float) * 1e4) / 1e4


def up(found: NDArray[np.float64]) -> NDArray[np.float64]:
    """The upward part of each triangle's normal."""
    across = np.cross(found[:, 1] - found[:, 0], found[:, 2] - found[:, 0])
    return np.asarray(across[:, 2] / np.maximum(np.linalg.norm(across, axis=1), 1e-12))


def numbered(found: NDArray[np.float64]) -> NDArray[np.intp]:
    """The three corners of each triangle, as numbers."""
    return np.unique(found.reshape(-1, 3), axis=0, return_inverse=True)[1].reshape(-1, 3)


@every_kit
@every_part
def test_every_part_is_written_as_one_closed_body_of_less_than_a_megabyte(config: KitConfig, name: str) -> None:
    solid, found = parts(config)[name], triangles(config, name)
    edges = np.concatenate([numbered(found)[:, (a, b)] for a, b in ((0, 1), (1, 2), (2, 0))])
    there, counts = np.unique(edges, axis=0, return_counts=True)
    back = np.unique(edges[:, ::-1], axis=0)  # each edge is shared by two triangles, in opposite directions
    volume = np.einsum("ij,ij->i", found[:, 0], np.cross(found[:, 1], found[:, 2])).sum() / 6
    assert (solid.status(), len(solid.decompose())) == (Error.NoError, 1)
    assert counts.max() == 1 and np.array_equal(there, back)
    assert volume == pytest.approx(solid.volume(), rel=1e-4)
    assert 84 + 50 * len(found) < 1_000_000


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
    hangs = (up(found) < -STEEPEST) & (found[:, :, 2].max(axis=1) > 1e-3)
    assert max(patches_mm(found[hangs]), default=0.0) < BRIDGE_MM


def patches_mm(found: NDArray[np.float64]) -> list[float]:
    """The longer side of each patch of triangles that hang together."""
    if not len(found):
        return []
    corners = numbered(found)
    group = np.arange(corners.max() + 1)
    while True:
        lowest = group[corners].min(axis=1, keepdims=True)
        nearer = group.copy()
        np.minimum.at(nearer, corners, np.broadcast_to(lowest, corners.shape))
        if np.array_equal(nearer, group):
            break
        group = nearer
    patch = group[corners[:, 0]]
    return [float(np.ptp(found[patch == one].reshape(-1, 3), axis=0).max()) for one in np.unique(patch)]


@pytest.mark.parametrize("config", [kit("table")], ids=["table"])
@every_part
def test_every_wall_is_2_mm_thick_from_side_to_side(config: KitConfig, name: str) -> None:
    solid, heights = assembled(config)[name], np.arange(0.23, 200.0, 2.71)
    if name == "base":  # the webs between sockets are made thick
        openings = [opening.along_mm for opening in built(config)[1].openings if opening.wall == "back"]
        pairs = [(a, b) for a, b in product(openings, openings) if 0 < b - a < 15.0]
        back_mm, lowest_mm = layout(config).depth_mm / 2, FLOOR_MM + STANDOFF_MM - 2
        solid += union([block(a, back_mm - 2.4, b, back_mm, lowest_mm, lowest_mm + 14) for a, b in pairs])
    low_mm, high_mm = solid.bounding_box()[2::3]
    sections = [solid.slice(float(low_mm + height)) for height in heights[heights < high_mm - low_mm]]
    if name == "bezel":  # along its slanted face; the tips of its walls, cut by the lid's plane, upright
        across_mm, along_mm = (between / 2 for between in MODULES[config.display.driver].holes_mm)
        spots = product((-across_mm, across_mm), (-along_mm, along_mm))  # the bosses are filled
        solid += on_face(config, union([column(1.7, x, y, -FACE_MM - GLASS_MM, 1.1 - FACE_MM) for x, y in spots]))
        flat, bottom_mm = solid.rotate((-SLANT_DEG, 0.0, 0.0)), FRONT_MM * np.cos(np.radians(SLANT_DEG))
        sections = [flat.slice(flat.bounding_box()[5] - float(height)) for height in heights[heights < bottom_mm]]
        sections += [solid.slice(low_mm + height) for height in (0.5, 1.5, 2.5)]
    assert max(map(thin_mm2, sections)) == pytest.approx(0.0, abs=0.01)


def thin_mm2(section: CrossSection) -> float:
    """How much of a section is thinner than 2 mm: what a disc of that size does not reach. Square corners are kept."""
    half_mm = THIN_MM / 2 - 0.01
    reached = section.offset(-half_mm, JoinType.Miter, 8.0).offset(half_mm + 0.02, JoinType.Miter, 8.0)
    return float((section - reached).offset(-0.03, JoinType.Miter).area())


@every_kit
@every_part
def test_every_floor_is_2_mm_thick_from_top_to_bottom(config: KitConfig, name: str) -> None:
    solid, found = parts(config)[name], triangles(config, name)
    level = found[np.abs(up(found)) > 0.999]
    inner = (level * np.array([0.4, 0.35, 0.25])[None, :, None]).sum(axis=1)
    runs = []
    for x, y, _ in inner[:: max(1, len(inner) // 40)].tolist():
        hits = sorted(hit.position[2] for hit in solid.ray_cast((x, y, -1.0), (x, y, 201.0)))
        found_runs = list(zip(hits[::2], hits[1::2], strict=True))
        runs += [out - into for into, out in found_runs if name != "bezel" or into < 1e-3]  # of the bezel: its face
    assert min(runs) >= THIN_MM - 1e-3


@pytest.mark.parametrize(
    ("name", "base", "lid"),
    [  # base: leads and plugs, slots for ties, vents, hatch, sound; lid: buttons, control, lights, display, screws
        ("duo", 3 + 2 + 12 + 1 + 1, 2 + 3 + 1 + 4 + 6),
        ("table", 4 + 4 + 12 + 1 + 1, 4 + 1 + 1 + 1 + 4 + 7),
        ("party", 2 + 4 + 12 + 1 + 1, 6 + 1 + 1 + 1 + 4 + 9),
    ],
)
def test_a_part_has_the_openings_that_its_description_asks_for(name: str, base: int, lid: int) -> None:
    made = parts(kit(name))
    assert [made[part].genus() for part in ("base", "lid", "bezel")] == [base, lid, 1]


@every_kit
def test_the_base_has_vents_on_both_sides_and_two_slots_for_a_cable_tie_beside_each_lead(config: KitConfig) -> None:
    openings = built(config)[1].openings
    vents = [opening.wall for opening in openings if opening.name == "vent"]
    leads = [opening for opening in openings if opening.name.startswith("power") or opening.name == "5 V jack"]
    ties = [opening for opening in openings if opening.name == TIE]
    near = [sum(tie.wall == lead.wall and abs(tie.along_mm - lead.along_mm) < 18.0 for tie in ties) for lead in leads]
    assert min(vents.count("left"), vents.count("right")) >= 2
    assert (len(leads), min(near)) == (1 if config.strip is None else 2, 2)


def at_back_wall(config: KitConfig) -> bool:
    """Whether the Raspberry Pi's sockets reach the back wall."""
    lid, base = built(config)
    out_mm = max(port.out_mm for port in BOARDS[build_of(config).board].ports if port.edge == "front")
    return lid.depth_mm / 2 - base.board.back_mm < WALL_MM + out_mm + 1


def rooms_in_the_lid(config: KitConfig) -> Solids:
    """Free rooms for buttons, control and lights, and for the screws of the lid."""
    (lid, base), button = built(config), BUTTONS[build_of(config).button]
    low_mm, top_mm, bed_mm = base.high_mm, base.high_mm + LID_MM, base.high_mm + LID_MM - GROOVE_MM
    round_mm = {"knob": sizes.KNOB_HOLE_MM, "key": sizes.KEY_HOLE_MM}
    controls = (*lid.of("knob"), *lid.of("key"))
    assert len(controls) == (1 if config.control.kind == "knob" else 3)
    rooms = {
        "buttons": [
            column(button.flange_mm + 0.7, place.x_mm, place.y_mm, top_mm + 0.01, top_mm + button.above_mm)
            + column(button.hole_mm - 0.1, place.x_mm, place.y_mm, low_mm - 1, top_mm + 1)
            + column(button.nut_mm + 0.8, place.x_mm, place.y_mm, low_mm - 15, low_mm - 0.01)
            + column(button.body_mm + 0.8, place.x_mm, place.y_mm, low_mm - button.below_mm, low_mm - 0.01)
            for place in lid.of("button")
        ],
        "control": [column(round_mm[at.kind] - 0.1, at.x_mm, at.y_mm, low_mm - 1.0, top_mm + 1) for at in controls],
        "screws": [column(2.4, x, y, top_mm - 10.0, top_mm + 1) for x, y in base.screws],
    }
    for _ in lid.of("ring"):  # its first lamp is at the front
        assert config.strip is not None
        inner_mm, outer_mm = sizes.RINGS_MM[config.strip.lamps]
        rooms["ring"] = [column(outer_mm, 0, 0, bed_mm, top_mm + 1) - column(inner_mm, 0, 0, 0.0, top_mm + 2)]
        rooms["wires of the ring"] = [column(WIRES_MM - 0.1, 0, -165.0 / 2, low_mm - 1.0, top_mm)]
    for place in lid.of("straight"):
        x_mm, y_mm = place.width_mm / 2, place.height_mm / 2
        rooms["strip"] = [block(-x_mm, place.y_mm - y_mm, x_mm, place.y_mm + y_mm, bed_mm, top_mm + 1)]
    return {name: union(solids) for name, solids in rooms.items()}


def on_face(config: KitConfig, solid: Manifold) -> Manifold:
    """Something in the display's own place and slant: z = 0 is the bezel's face."""
    lid, base = built(config)
    place = lid.of("display")[0]
    middle_mm = FRONT_MM + place.height_mm / 2 * np.tan(np.radians(SLANT_DEG))
    turned = solid.rotate((SLANT_DEG, 0.0, 0.0))
    return turned.translate((place.x_mm, place.y_mm, base.high_mm + LID_MM + float(middle_mm)))


def rooms_at_the_display(config: KitConfig) -> Solids:
    """Free rooms in the bezel and below it: the view, the module with its pins, and screws."""
    (lid, base), module = built(config), MODULES[config.display.driver]
    x_mm, y_mm = module.window_mm[0] / 2 - 0.01, module.window_mm[1] / 2 - 0.01
    sight = block(-x_mm, module.up_mm - y_mm, x_mm, module.up_mm + y_mm, -FACE_MM - 1, 30.0)
    x_mm, y_mm, under_mm = module.width_mm / 2 + 0.4, module.depth_mm / 2 + 0.4, -FACE_MM - GLASS_MM - 0.01
    board = block(-x_mm, -y_mm, x_mm, y_mm, under_mm - 1.6, under_mm)
    pins = block(2 - x_mm, 3 - y_mm, x_mm - 2, y_mm - 3, under_mm - 5.0, under_mm)
    spots = product(*((-between / 2, between / 2) for between in module.holes_mm))
    screws = union([column(1.5, x, y, -FACE_MM - GLASS_MM, 0.9 - FACE_MM) for x, y in spots])
    place = lid.of("display")[0]
    corners = product(
        *(
            (at - half, at + half)
            for at, half in ((place.x_mm, place.width_mm / 2 - 3.5), (place.y_mm, place.height_mm / 2 - 5.0))
        )
    )
    from_below = union([column(2.4, x, y, base.high_mm - 1, base.high_mm + LID_MM + 6.4) for x, y in corners])
    rooms = {"sight": sight, "module": board + pins, "screws": screws}
    return {name: on_face(config, room) for name, room in rooms.items()} | {"the bezel's screws": from_below}


GRIPS_MM = {  # of plugs, at most: USB's specifications, and usual HDMI cables
    "power, USB-C": (12.35, 6.5),
    "power, micro USB": (10.6, 8.5),
    "micro USB": (10.6, 8.5),
    "micro HDMI": (11.5, 7.0),
    "mini HDMI": (15.0, 9.0),
}


def rooms_in_the_base(config: KitConfig) -> Solids:
    """Free rooms for the Raspberry Pi as it goes in from above, its card, its plugs, and the small boards."""
    (lid, base), board = built(config), BOARDS[build_of(config).board]
    low_mm, top_mm = FLOOR_MM + STANDOFF_MM, base.high_mm
    left_mm, right_mm, back_mm = base.board.left_mm, base.board.right_mm, base.board.back_mm
    way = [block(*area[:4], low_mm, top_mm) for area in (base.board, *base.rooms)]
    plugs = []
    for port in board.ports:
        half_mm, x_mm, y_mm = port.width_mm / 2, right_mm - port.along_mm, back_mm - port.along_mm
        if port.edge == "front":
            way.append(block(x_mm - half_mm, back_mm - 1, x_mm + half_mm, back_mm + port.out_mm, low_mm, top_mm))
        elif port.edge == "right":
            way.append(block(left_mm - port.out_mm, y_mm - half_mm, left_mm, y_mm + half_mm, low_mm, top_mm))
        else:  # the card, through the floor
            way.append(block(right_mm, y_mm - half_mm, right_mm + 1, y_mm + half_mm, low_mm, top_mm))
            way.append(
                block(right_mm + 0.6, y_mm - half_mm, right_mm + sizes.CARD_MM, y_mm + half_mm, -1.0, low_mm + 3)
            )
        if port.name == "audio":  # nothing is plugged into it, but its barrel needs room
            way.append(block(x_mm - 3.5, back_mm - 12, x_mm + 3.5, back_mm + 2.9, low_mm + sizes.THICK_MM, top_mm))
        if port.edge == "front" and port.plug is not None and (at_back_wall(config) or port is plugged(config)[0]):
            (wide_mm, high_mm), middle_mm = GRIPS_MM[port.name], low_mm + sizes.THICK_MM + port.height_mm / 2
            edges = (x_mm - wide_mm / 2, lid.depth_mm / 2 - 4, x_mm + wide_mm / 2, lid.depth_mm / 2 + 20)
            plugs.append(block(*edges, middle_mm - high_mm / 2, middle_mm + high_mm / 2))
    pilots = [column(1.9, right_mm - x, back_mm - y, FLOOR_MM + 0.1, low_mm) for x, y in board.holes_mm]
    boards = [block(*tray.board[:4], FLOOR_MM + 3.01, top_mm) for tray in base.trays if tray.name != "buzzer"]
    rooms = {"way": way, "plugs": plugs, "standoffs' screws": pilots, "small boards": [Manifold(), *boards]}
    return {name: union(solids) for name, solids in rooms.items()}


@every_kit
@pytest.mark.parametrize("rooms", [rooms_in_the_lid, rooms_at_the_display, rooms_in_the_base])
def test_nothing_is_printed_where_something_goes(rooms: Callable[[KitConfig], Solids], config: KitConfig) -> None:
    printed = union([*assembled(config).values()])
    assert [name for name, room in rooms(config).items() if (room ^ printed).volume() > NOTHING_MM3] == []


@every_kit
def test_what_is_printed_holds_screws_lights_display_and_raspberry_pi(config: KitConfig) -> None:
    (lid, base), board, module = built(config), BOARDS[build_of(config).board], MODULES[config.display.driver]
    low_mm, top_mm, bed_mm = FLOOR_MM + STANDOFF_MM, base.high_mm + LID_MM, base.high_mm + LID_MM - GROOVE_MM
    rooms, bosses = rooms_in_the_lid(config), product(*((-between / 2, between / 2) for between in module.holes_mm))
    stands = {
        "posts": [column(6.0, x, y, top_mm - 10, base.high_mm) - column(2.6, x, y, 0, top_mm) for x, y in base.screws],
        "standoffs": [
            column(5.9, x, y, FLOOR_MM, low_mm) - column(2.1, x, y, FLOOR_MM, low_mm)
            for x, y in ((base.board.right_mm - x, base.board.back_mm - y) for x, y in board.holes_mm)
        ],
        "bosses": [
            on_face(config, column(4.2, x, y, -FACE_MM - GLASS_MM, -FACE_MM) - column(1.7, x, y, -20.0, 20.0))
            for x, y in bosses
        ],
    }
    for place in (*lid.of("ring"), *lid.of("straight")):  # all of a bed but the hole for the wires
        bed = rooms["ring" if place.kind == "ring" else "strip"].translate((0.0, 0.0, -1.0))
        below = bed.trim_by_plane((0.0, 0.0, -1.0), -bed_mm)
        stands["bed"] = [below - column(WIRES_MM + 0.1, *wires_hole(place), 0.0, top_mm)]
    for port in board.ports:
        if port.name == "audio":  # the wall before it is closed
            x_mm, wall_mm = base.board.right_mm - port.along_mm, lid.depth_mm / 2
            edges = (x_mm - 3.5, wall_mm - WALL_MM, x_mm + 3.5, wall_mm)
            stands["wall"] = [block(*edges, low_mm + sizes.THICK_MM, low_mm + sizes.THICK_MM + 6)]
    printed = union([*assembled(config).values()])
    missing = [name for name, solids in stands.items() if (union(solids) - printed).volume() > NOTHING_MM3]
    assert (missing, len(base.screws) >= 4, len(board.holes_mm)) == ([], True, 4)


@every_kit
def test_the_parts_lie_on_each_other_and_nowhere_in_each_other(config: KitConfig) -> None:
    made = list(assembled(config).values())
    assert union(made).volume() == pytest.approx(sum(part.volume() for part in made), abs=2 * NOTHING_MM3)


@every_kit
def test_there_is_a_hollow_for_a_foot_near_each_corner(config: KitConfig) -> None:
    lid, base = built(config)
    hollows = union([column(FOOT_MM, x, y, 0.0, 0.5) for x, y in base.feet])
    assert (parts(config)["base"] ^ hollows).volume() < NOTHING_MM3
    assert [(np.sign(x), np.sign(y)) for x, y in base.feet] == list(product((-1, 1), (-1, 1)))
    assert all(abs(x) + 20 > lid.width_mm / 2 > abs(x) + FOOT_MM / 2 for x, _ in base.feet)
    assert all(abs(y) + 20 > lid.depth_mm / 2 > abs(y) + FOOT_MM / 2 for _, y in base.feet)


@every_kit
def test_a_rim_stands_round_every_flange(config: KitConfig) -> None:
    lid, flange_mm = layout(config), BUTTONS[build_of(config).button].flange_mm
    rims = parts(config)["lid"].slice(LID_MM + 0.6)
    ring_mm2 = np.pi / 4 * ((flange_mm + 4.8) ** 2 - (flange_mm + 0.8) ** 2)
    assert rims.area() == pytest.approx(len(lid.of("button")) * ring_mm2, rel=0.01)


@every_kit
def test_boards_sockets_and_plugs_keep_clear_of_buttons_and_of_each_other(config: KitConfig) -> None:
    (lid, base), button, board = built(config), BUTTONS[build_of(config).button], BOARDS[build_of(config).board]
    plugs = [tray.plug for tray in base.trays if tray.plug is not None]
    areas = (base.board, *base.rooms, *plugs, *(tray.board for tray in base.trays))
    boards = [block(*area[:4], 0.0, 30.0) for area in areas]
    bodies = union([column(button.body_mm, p.x_mm, p.y_mm, 0.0, base.high_mm) for p in lid.of("button")])
    assert bodies.min_gap(union(boards), 5.0) >= 0.4
    assert union(boards).volume() == pytest.approx(sum(solid.volume() for solid in boards))
    assert base.high_mm - FLOOR_MM >= button.below_mm + 2
    assert base.high_mm - sizes.HANGS_MM > FLOOR_MM + STANDOFF_MM + board.high_mm


@pytest.mark.parametrize(
    ("name", "boards", "at_wall"),
    [
        ("duo", ["buzzer"], True),
        ("table", ["Pico", "strip board", "lamp board", "buzzer"], True),
        ("party", ["Pico", "strip board", "lamp board", "buzzer"], False),
    ],
)
def test_a_base_has_its_boards_and_the_pi_at_the_wall_if_it_can(name: str, boards: list[str], at_wall: bool) -> None:
    assert ([tray.name for tray in built(kit(name))[1].trays], at_back_wall(kit(name))) == (boards, at_wall)


def test_all_fit_on_the_bed_but_two_large_domes_beside_the_large_display() -> None:
    refused = []
    for many, board, button in product(range(2, 7), BOARDS, BUTTONS):
        try:
            layout(altered("party", many, board=board, button=button, strip=None))
        except ConfigError as error:
            refused.append((many, board, button, "fit on a bed of 220 mm" in str(error)))
    assert refused == [(2, board, "dome-60", True) for board in BOARDS]


def test_where_things_sit_is_known_without_the_libraries_that_make_solids() -> None:
    asked = (
        "import sys; from hardware.layout import layout; from hardware.config import TABLE; layout(TABLE);"
        "print({'numpy', 'manifold3d'} & {*sys.modules})"
    )
    found = subprocess.run([sys.executable, "-c", asked], capture_output=True, text=True, check=True)
    assert found.stdout == "set()\n"


CORE = "{http://schemas.microsoft.com/3dmanufacturing/core/2015/02}"


def test_a_3mf_has_its_three_files_with_no_date_and_the_named_parts_of_the_stl_beside_each_other() -> None:
    with zipfile.ZipFile(io.BytesIO(threemf(parts(kit("duo"))))) as archive:
        entries = [(entry.filename, entry.date_time) for entry in archive.infolist()]
        model, relations = (ET.fromstring(archive.read(name)) for name in ("3D/3dmodel.model", "_rels/.rels"))
    names = ("[Content_Types].xml", "_rels/.rels", "3D/3dmodel.model")
    assert entries == [(name, (1980, 1, 1, 0, 0, 0)) for name in names]
    assert (model.get("unit"), [one.get("Target") for one in relations]) == ("millimeter", ["/3D/3dmodel.model"])
    objects = {one.attrib["name"]: one for one in model.iter(f"{CORE}object")}
    assert list(objects) == ["base", "lid", "bezel"]
    for name, one in objects.items():
        corners = np.array([[float(v.attrib[axis]) for axis in "xyz"] for v in one.iter(f"{CORE}vertex")])
        faces = np.array([[int(t.attrib[key]) for key in ("v1", "v2", "v3")] for t in one.iter(f"{CORE}triangle")])
        expected = triangles(kit("duo"), name)
        assert np.allclose(corners[faces], expected - expected.reshape(-1, 3).min(axis=0), atol=1e-6)
    items = [(one.get("objectid"), float(one.attrib["transform"].split()[9])) for one in model.iter(f"{CORE}item")]
    assert items == [("1", 0.0), ("2", 208.0), ("3", 416.0)]


@pytest.mark.parametrize("view", render.VIEWS)
def test_a_picture_is_the_same_twice_and_shows_the_parts(view: render.View, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(picture, "WIDE_PX", 240)
    monkeypatch.setattr(picture, "HIGH_PX", 180)
    data = render.render(kit("duo"), view)
    assert render.render(kit("duo"), view) == data
    found = Image.open(io.BytesIO(data)).convert("RGB")
    seen = np.asarray(found, dtype=float).reshape(-1, 3)
    bright = seen / seen.sum(axis=1, keepdims=True)
    for colour in (render.BASE, render.LID, SEAT_COLOURS[0].rgb, SEAT_COLOURS[1].rgb, picture.PAPER):
        share = np.array(colour) / sum(colour)
        assert (np.abs(bright - share).max(axis=1) < 0.02).mean() > 0.005
    assert found.size == (240, 180)


def test_the_wires_of_a_seat_have_the_hue_of_its_dome_or_none() -> None:
    def apart(one: Iterable[int], other: Iterable[int]) -> float:
        turn = abs(hue(one) - hue(other))
        return min(turn, 1 - turn)

    def hue(colour: Iterable[int]) -> float:
        return colorsys.rgb_to_hsv(*(part / 255 for part in colour))[0]

    wires = {seat: bytes.fromhex(COLOURS[code].shown[1:]) for seat, code in enumerate(SEAT_WIRES) if code != "WH"}
    nearest = [min(range(6), key=lambda at: apart(wire, SEAT_COLOURS[at].rgb)) for wire in wires.values()]
    assert nearest == list(wires)
