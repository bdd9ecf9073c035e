"""The enclosure of a kit, from its description: a base, a lid, and a bezel that holds the display at a slant.

Each part prints without supports on a bed of 220 mm. Base and lid lie as they stand on the table; the bezel lies on its
slanted face, and is a separate part because that face on the lid would need supports. Screws: M3x10 cut their own
thread in 2.5 mm (lid and bezel), M2.5x6 in 2.0 mm (Raspberry Pi), M2x5 in 1.6 mm (display module).
"""

from collections.abc import Iterator
from functools import cache
from math import cos, radians, tan

import numpy as np
from manifold3d import Manifold

from hardware.building.solids import Outline, block, circle, column, prism, rounded, union
from hardware.config import KitConfig
from hardware.layout import Layout, PartPlace, built, layout
from hardware.layout.areas import Area
from hardware.layout.inside import FLOOR_MM, POST_MM, RIM_MM, SLIDE_MM, STANDOFF_MM, TRAY_MM, WALL_MM, Inside, Opening
from hardware.layout.lid import WIRES_MM, bezel_screws, wires_hole
from hardware.sizes import BUTTONS, BUZZER, KEY_HOLE_MM, KNOB_HOLE_MM, MODULES, build_of

LID_MM = 4.0
CORNER_MM = 6.0  # radius of the corners, seen from above
GROOVE_MM = 2.0  # depth of the ring's or the strip's bed in the lid
RIM_HIGH_MM = 1.2
RECESS_MM = 18.0  # round the knob's hole the lid is thin, for the nut of a short thread

M3_MM, M3_THREAD_MM = 3.2, 2.5  # clearance hole and thread hole
M3_DEEP_MM = 9.0
M25_THREAD_MM, M2_THREAD_MM = 2.0, 1.6
STANDOFF_WIDE_MM = 6.0
LIES_MM, HOLDS_MM = 3.0, 7.0  # height of a tray's corners: under the board, in all
LIES_WIDE_MM, CORNER_LONG_MM = 3.0, 8.0  # their length under it and along it
SOUND_MM = 5.0  # hole below the buzzer
FOOT_MM, FOOT_DEEP_MM = 9.9, 1.0  # for rubber feet of 9.5 mm: wider ones would need a bridge of more than 10 mm
BRIDGE_MM = 9.4  # wider openings get a roof of 45 degrees on both sides

SLANT_DEG = 20.0  # of the display
FRONT_MM = 8.0  # height of the bezel before it
FACE_MM = 3.2
GLASS_MM = 2.6  # room for the glass between face and module
BOSS_MM, BOSS_DEEP_MM = 4.4, 3.6  # of the module's screws; they reach into the face
BEVEL_MM = (1.0, 1.2)  # of the window: outwards, and in depth
BEZEL_POST_MM, BEZEL_DEEP_MM = 7.0, 6.5


@cache
def parts(config: KitConfig) -> dict[str, Manifold]:
    """The parts as they lie on the printer's bed. Raises `ConfigError` where the kit cannot be built."""
    lid, base = built(config)
    bezel = _bezel(config)
    face = bezel.rotate((-SLANT_DEG, 0.0, 0.0)).rotate((180.0, 0.0, 0.0))
    lying = face.translate((0.0, 0.0, -face.bounding_box()[2]))
    return {"base": _base(lid, base), "lid": _lid(config, lid, base), "bezel": lying}


@cache
def assembled(config: KitConfig) -> dict[str, Manifold]:
    """The parts put together, as they stand on the table without feet."""
    lid, base = built(config)
    made, high_mm, display = parts(config), base.high_mm, lid.of("display")[0]
    bezel = _bezel(config).translate((display.x_mm, display.y_mm, high_mm + LID_MM))
    return {"base": made["base"], "lid": made["lid"].translate((0.0, 0.0, high_mm)), "bezel": bezel}


def _base(lid: Layout, base: Inside) -> Manifold:
    """The base with everything on its floor."""
    width_mm, depth_mm, high_mm = lid.width_mm, lid.depth_mm, base.high_mm
    outer = prism(rounded(width_mm, depth_mm, CORNER_MM), 0.0, high_mm)
    inner = prism(rounded(width_mm - 2 * WALL_MM, depth_mm - 2 * WALL_MM, CORNER_MM - WALL_MM), FLOOR_MM, high_mm + 1)
    rises_mm = FLOOR_MM - 0.5  # parts on the floor overlap with it
    solid = [column(POST_MM, x, y, rises_mm, high_mm) for x, y in base.screws]
    solid += [column(STANDOFF_WIDE_MM, x, y, rises_mm, FLOOR_MM + STANDOFF_MM) for x, y in base.standoffs]
    holes = [column(M3_THREAD_MM, x, y, high_mm - M3_DEEP_MM, high_mm + 1) for x, y in base.screws]
    holes += [column(M25_THREAD_MM, x, y, FLOOR_MM, FLOOR_MM + STANDOFF_MM + 1) for x, y in base.standoffs]
    holes += [column(FOOT_MM, x, y, -1.0, FOOT_DEEP_MM) for x, y in base.feet]
    holes += [_through(opening, lid) for opening in base.openings]
    holes.append(block(*base.hatch[:4], -1.0, FLOOR_MM + 1))
    for tray in base.trays:
        if tray.name == BUZZER.name:
            x_mm, y_mm = tray.board.middle
            wide_mm = tray.board.right_mm - tray.board.left_mm + 2 * SLIDE_MM
            well = column(wide_mm + 2 * TRAY_MM, x_mm, y_mm, rises_mm, FLOOR_MM + HOLDS_MM)
            solid.append(well - column(wide_mm, x_mm, y_mm, FLOOR_MM, FLOOR_MM + HOLDS_MM + 1))
            holes.append(column(SOUND_MM, x_mm, y_mm, -1.0, FLOOR_MM + 1))
        else:
            solid += _corners(tray.board, rises_mm)
    return union([outer - inner, *solid]) - union(holes)


def _corners(board: Area, bottom_mm: float) -> Iterator[Manifold]:
    """Four corners that a small board lies on and between."""
    near_mm, far_mm = SLIDE_MM, SLIDE_MM + TRAY_MM
    for x_mm, across in ((board.left_mm, 1), (board.right_mm, -1)):
        for y_mm, along in ((board.front_mm, 1), (board.back_mm, -1)):

            def box(a: float, b: float, c: float, d: float, top_mm: float) -> Manifold:
                xs, ys = sorted((x_mm + across * a, x_mm + across * c)), sorted((y_mm + along * b, y_mm + along * d))  # noqa: B023
                return block(xs[0], ys[0], xs[1], ys[1], bottom_mm, FLOOR_MM + top_mm)

            yield box(-far_mm, -far_mm, CORNER_LONG_MM, -near_mm, HOLDS_MM)
            yield box(-far_mm, -far_mm, -near_mm, CORNER_LONG_MM, HOLDS_MM)
            yield box(-far_mm, -far_mm, LIES_WIDE_MM, LIES_WIDE_MM, LIES_MM)


def _through(opening: Opening, lid: Layout) -> Manifold:
    """The solid to cut for an opening in a wall; a wide one gets a roof that needs no support."""
    half_mm, low_mm, high_mm = opening.width_mm / 2, opening.bottom_mm, opening.bottom_mm + opening.height_mm
    outline: Outline = [(-half_mm, low_mm), (half_mm, low_mm), (half_mm, high_mm), (-half_mm, high_mm)]
    if opening.round:
        outline = circle(opening.width_mm, 0.0, (low_mm + high_mm) / 2)
    elif opening.width_mm > BRIDGE_MM:
        flat_mm = BRIDGE_MM / 2
        outline[3:] = [(flat_mm, high_mm + half_mm - flat_mm), (-flat_mm, high_mm + half_mm - flat_mm), outline[3]]
    outline = [(opening.along_mm + x, z) for x, z in outline]
    inner_mm, outer_mm = -WALL_MM - 0.5, 1.0
    if opening.wall == "back":
        at_mm = lid.depth_mm / 2
        return prism(outline, -at_mm - outer_mm, -at_mm - inner_mm).rotate((90.0, 0.0, 0.0))
    at_mm = lid.width_mm / 2
    span = (at_mm + inner_mm, at_mm + outer_mm) if opening.wall == "right" else (-at_mm - outer_mm, -at_mm - inner_mm)
    return prism(outline, *span).rotate((90.0, 0.0, 90.0))


def _lid(config: KitConfig, lid: Layout, base: Inside) -> Manifold:
    """The plate with rims, holes and the lights' bed."""
    button = BUTTONS[build_of(config).button]
    inner_mm, top_mm = button.flange_mm + 2 * SLIDE_MM, LID_MM + RIM_HIGH_MM
    solid = [prism(rounded(lid.width_mm, lid.depth_mm, CORNER_MM), 0.0, LID_MM)]
    holes = [column(M3_MM, x, y, -1.0, LID_MM + 1) for x, y in base.screws]
    for place in lid.places:
        x_mm, y_mm = place.x_mm, place.y_mm
        match place.kind:
            case "button":
                rim = column(inner_mm + 2 * RIM_MM, x_mm, y_mm, LID_MM - 0.5, top_mm)
                solid.append(rim - column(inner_mm, x_mm, y_mm, LID_MM - 1, top_mm + 1))
                holes.append(column(button.hole_mm, x_mm, y_mm, -1.0, LID_MM + 1))
            case "knob":
                holes.append(column(KNOB_HOLE_MM, x_mm, y_mm, -1.0, LID_MM + 1))
                holes.append(column(RECESS_MM, x_mm, y_mm, LID_MM - GROOVE_MM, LID_MM + 1))
            case "key":
                holes.append(column(KEY_HOLE_MM, x_mm, y_mm, -1.0, LID_MM + 1))
            case "ring":
                bed = column(place.width_mm + 2 * SLIDE_MM, x_mm, y_mm, LID_MM - GROOVE_MM, LID_MM + 1)
                holes.append(bed - column(place.inner_mm - 2 * SLIDE_MM, x_mm, y_mm, 0.0, LID_MM + 2))
                holes.append(column(WIRES_MM, *wires_hole(place), -1.0, LID_MM + 1))
            case "straight":
                x_half_mm, y_half_mm = place.width_mm / 2 + SLIDE_MM, place.height_mm / 2 + SLIDE_MM
                edges = (x_mm - x_half_mm, y_mm - y_half_mm, x_mm + x_half_mm, y_mm + y_half_mm)
                holes.append(block(*edges, LID_MM - GROOVE_MM, LID_MM + 1))
                holes.append(column(WIRES_MM, *wires_hole(place), -1.0, LID_MM + 1))
            case "display":
                module = MODULES[config.display.driver]
                half_mm, along_mm = module.width_mm / 2 - 2, module.depth_mm / 2 - 2
                edges = (x_mm - half_mm, y_mm - along_mm, x_mm + half_mm, y_mm + along_mm)
                holes.append(block(*edges, -1.0, LID_MM + 1))
                holes += [column(M3_MM, x_mm + x, y_mm + y, -1.0, LID_MM + 1) for x, y in bezel_screws(place)]
    return union(solid) - union(holes)


def on_face(solid: Manifold, display: PartPlace) -> Manifold:
    """A solid round the origin, moved onto the slanted face of the bezel, round its middle."""
    up_mm = FRONT_MM + display.height_mm / 2 * tan(radians(SLANT_DEG))
    return solid.rotate((SLANT_DEG, 0.0, 0.0)).translate((0.0, 0.0, up_mm))


def _bezel(config: KitConfig) -> Manifold:
    """The bezel round its middle, standing on the lid; its face rises to the back."""
    display, module = layout(config).of("display")[0], MODULES[config.display.driver]
    deep_mm, slope = display.height_mm, tan(radians(SLANT_DEG))

    def wedge(wall_mm: float, bottom_mm: float, below_mm: float) -> Manifold:
        """The solid `below_mm` below the face's plane, within upright walls."""
        wide_mm, deep_mm = display.width_mm - 2 * wall_mm, display.height_mm - 2 * wall_mm
        front_mm, back_mm = (FRONT_MM - below_mm + slope * y for y in (wall_mm, wall_mm + deep_mm))
        y_mm = deep_mm / 2
        outline = [(-y_mm, bottom_mm), (y_mm, bottom_mm), (y_mm, back_mm), (-y_mm, front_mm)]
        outline = [(round(y, 6), round(z, 6)) for y, z in outline]
        return prism(outline, -wide_mm / 2, wide_mm / 2).rotate((90.0, 0.0, 90.0))

    whole = wedge(0.0, 0.0, 0.0)
    hollow = wedge(WALL_MM, -1.0, FACE_MM / cos(radians(SLANT_DEG)))
    posts = [column(BEZEL_POST_MM, x, y, 0.0, FRONT_MM + deep_mm) for x, y in bezel_screws(display)]
    threads = [column(M3_THREAD_MM, x, y, -1.0, BEZEL_DEEP_MM) for x, y in bezel_screws(display)]
    across_mm, along_mm = (between / 2 for between in module.holes_mm)
    spots = [(x, y) for x in (across_mm, -across_mm) for y in (along_mm, -along_mm)]
    bosses = [column(BOSS_MM, x, y, -FACE_MM - GLASS_MM, -FACE_MM + 0.5) for x, y in spots]
    pilots = [column(M2_THREAD_MM, x, y, -FACE_MM - GLASS_MM - 1, -FACE_MM - GLASS_MM + BOSS_DEEP_MM) for x, y in spots]
    x_mm, y_mm = module.window_mm[0] / 2, module.window_mm[1] / 2
    window = block(-x_mm, module.up_mm - y_mm, x_mm, module.up_mm + y_mm, -FACE_MM - 0.5, 1.0)
    out_mm, in_mm = BEVEL_MM
    corners = [
        (x * (x_mm + more_mm), module.up_mm + y * (y_mm + more_mm), z_mm)
        for more_mm, z_mm in ((0.0, -in_mm), (out_mm * (1 + 0.5 / in_mm), 0.5))
        for x in (1, -1)
        for y in (1, -1)
    ]
    bevel = Manifold.hull_points(np.array(corners))

    # posts end in the face
    shell = (whole - hollow) + (union(posts) ^ whole)
    return shell + on_face(union(bosses), display) - on_face(union([window, bevel, *pilots]), display) - union(threads)
