"""Pictures of a kit's enclosure with simple stand-ins for the bought parts."""

from collections.abc import Iterator
from math import cos, pi, sin
from typing import Literal

import numpy as np
from manifold3d import Manifold

from hardware import sizes
from hardware.building.enclosure import FACE_MM, GLASS_MM, GROOVE_MM, LID_MM, LIES_MM, assembled, on_face
from hardware.building.picture import Colour, Thing, picture
from hardware.building.solids import block, column, union
from hardware.config import KitConfig
from hardware.layout import Layout, PartPlace, built
from hardware.layout.inside import FLOOR_MM, STANDOFF_MM, Inside, at_edge
from hardware.layout.lid import bezel_screws, lamp_spots
from hardware.seat_colours import SEAT_COLOURS
from hardware.sizes import BOARDS, BUTTONS, MODULES, THICK_MM, build_of

SOCKET_MM = {"front": 6.0, "right": 15.0, "left": 12.0}  # of a socket on the board, by its edge

View = Literal["front", "back", "exploded"]
VIEWS: tuple[View, ...] = ("front", "back", "exploded")

BASE: Colour = (92, 104, 122)
LID: Colour = (226, 221, 208)
BEZEL: Colour = (72, 80, 94)
DARK: Colour = (52, 54, 60)
METAL: Colour = (190, 194, 200)
BOARD: Colour = (40, 128, 84)
COPPER: Colour = (196, 148, 88)
GLASS: Colour = (18, 20, 28)
LIT: Colour = (150, 226, 255)
LAMP: Colour = (252, 246, 214)

LIFT_MM, LIFT, LIFT_BEZEL_MM = 95.0, 0.75, 55.0  # of the lid, more by its depth, and of the bezel above it
OUT_MM = 16.0  # how far the screws stand out of their holes when taken apart
TURNS: dict[View, tuple[float, float]] = {"front": (-24.0, 42.0), "back": (152.0, 34.0), "exploded": (-24.0, 40.0)}


def render(config: KitConfig, view: View) -> bytes:
    """A picture of the kit as PNG. Raises `ConfigError` where the kit cannot be built."""
    return picture(list(_things(config, exploded=view == "exploded")), *TURNS[view])


def _things(config: KitConfig, *, exploded: bool) -> Iterator[Thing]:
    """The printed parts and stand-ins for the bought ones."""
    made, (lid, base) = assembled(config), built(config)
    up_mm, more_mm = (LIFT_MM + LIFT * lid.depth_mm, LIFT_BEZEL_MM) if exploded else (0.0, 0.0)
    lift, lift_more = (0.0, 0.0, up_mm), (0.0, 0.0, up_mm + more_mm)
    yield Thing(made["base"], BASE)
    yield Thing(made["lid"].translate(lift), LID)
    yield Thing(made["bezel"].translate(lift_more), BEZEL)
    for thing in _on_lid(config, lid, base, exploded=exploded):
        yield thing._replace(solid=thing.solid.translate(lift))
    display, top_mm = lid.of("display")[0], base.high_mm + LID_MM
    for thing in _module(config, display, top_mm):
        yield thing._replace(solid=thing.solid.translate(lift_more))
    upside_down, out_mm = (0.0, 0.0, 1.0), OUT_MM if exploded else 0.0
    spots = [(display.x_mm + x, display.y_mm + y) for x, y in bezel_screws(display)]
    screws = union([_screw(x, y, LID_MM - top_mm, out_mm).mirror(upside_down) for x, y in spots])
    yield Thing(screws.translate(lift_more), METAL)  # seen above the lid, though they come from below it
    yield from _in_base(config, base)


def _on_lid(config: KitConfig, lid: Layout, base: Inside, *, exploded: bool) -> Iterator[Thing]:
    button, top_mm = BUTTONS[build_of(config).button], base.high_mm + LID_MM
    for seat, place in zip(SEAT_COLOURS, lid.of("button"), strict=False):
        yield Thing(_dome(place, top_mm, button.above_mm), seat.rgb)
        body = column(button.body_mm, place.x_mm, place.y_mm, top_mm - LID_MM - button.below_mm, top_mm - LID_MM)
        yield Thing(body + column(button.nut_mm, place.x_mm, place.y_mm, top_mm - LID_MM - 8, top_mm - LID_MM), DARK)
    for place in lid.of("key"):
        yield Thing(column(place.width_mm, place.x_mm, place.y_mm, top_mm, top_mm + 2), DARK)
        yield Thing(column(9.0, place.x_mm, place.y_mm, top_mm + 2, top_mm + 5), METAL)
    for place in lid.of("knob"):
        x, y = place.x_mm, place.y_mm
        grip = union([column(3.0, x + 14.0 * cos(a), y + 14.0 * sin(a), top_mm + 2, top_mm + 17) for a in _round(20)])
        yield Thing(column(place.width_mm - 2, x, y, top_mm + 1, top_mm + 18) - grip, DARK)
        yield Thing(block(x - 1, y + 2, x + 1, y + 12, top_mm + 18, top_mm + 18.6), LAMP)
        yield Thing(column(24.0, x, y, top_mm - LID_MM - 12, top_mm - LID_MM), BOARD)
    up_mm = OUT_MM if exploded else 0.0
    screws = [_screw(x, y, top_mm, up_mm) for x, y in base.screws]
    yield Thing(union(screws), METAL)
    bed_mm = top_mm - GROOVE_MM
    for place in lid.of("ring"):
        within_mm, outer_mm = place.inner_mm, place.width_mm
        ring = column(outer_mm, 0, 0, bed_mm, bed_mm + 1.6) - column(within_mm, 0, 0, bed_mm - 1, bed_mm + 2)
        yield Thing(ring.translate((place.x_mm, place.y_mm, 0.0)), GLASS)
        yield Thing(_lamps(lamp_spots(place), bed_mm + 1.6), LAMP)
    for place in lid.of("straight"):
        half_mm, y, deep = place.width_mm / 2, place.y_mm, place.height_mm / 2
        yield Thing(block(-half_mm, y - deep, half_mm, y + deep, bed_mm, bed_mm + 0.4), GLASS)
        yield Thing(_lamps(lamp_spots(place), bed_mm + 0.4), LAMP)


def _screw(x_mm: float, y_mm: float, below_head_mm: float, out_mm: float) -> Manifold:
    """An M3x10, so far out of its hole."""
    low_mm = below_head_mm + out_mm
    return column(5.5, x_mm, y_mm, low_mm, low_mm + 3) + column(3.0, x_mm, y_mm, low_mm - 10, low_mm + 1)


def _round(many: int) -> list[float]:
    return [2 * pi * n / many for n in range(many)]


def _lamps(spots: list[tuple[float, float]], bottom_mm: float) -> Manifold:
    return union([block(x - 2, y - 2, x + 2, y + 2, bottom_mm, bottom_mm + 1.6) for x, y in spots])


def _dome(place: PartPlace, bottom_mm: float, high_mm: float) -> Manifold:
    """A flange with a flat dome on it."""
    radius_mm, foot_mm, steps = place.width_mm / 2, min(4.0, high_mm / 2), 12
    layers = [(radius_mm * 2, 0.0), (radius_mm * 2, foot_mm)]
    layers += [
        (1.72 * radius_mm * cos(pi / 2 * n / steps), foot_mm + (high_mm - foot_mm) * sin(pi / 2 * n / steps))
        for n in range(steps)
    ]
    rings = [
        [(place.x_mm + across / 2 * cos(a), place.y_mm + across / 2 * sin(a), bottom_mm + up) for a in _round(64)]
        for across, up in layers
    ]
    flange = Manifold.hull_points(np.array(rings[0] + rings[1]))
    return flange + Manifold.hull_points(np.array([spot for ring in rings[2:] for spot in ring]))


def _module(config: KitConfig, place: PartPlace, top_mm: float) -> Iterator[Thing]:
    """The display behind its window, with a picture on it."""
    module = MODULES[config.display.driver]
    wide_mm, high_mm = module.window_mm
    lines = [(0.08, 0.78, 0.46, 0.92), (0.62, 0.78, 0.92, 0.92), (0.08, 0.64, 0.92, 0.67)]
    for x, y in ((0.2, 0.1), (0.55, 0.1)):  # a two-digit score: 2 and 0 in bars
        lines += [(x, y, x + 0.22, y + 0.07), (x, y + 0.3, x + 0.22, y + 0.37)]
    lines += [(0.2, 0.1, 0.25, 0.33), (0.2, 0.26, 0.42, 0.33), (0.37, 0.26, 0.42, 0.47)]
    lines += [(0.55, 0.1, 0.6, 0.47), (0.72, 0.1, 0.77, 0.47)]
    front_mm = -FACE_MM - 0.2
    low_mm = module.up_mm - high_mm / 2
    pixels = union(
        [
            block(
                *((a - 0.5) * wide_mm, low_mm + b * high_mm, (c - 0.5) * wide_mm, low_mm + d * high_mm),
                front_mm,
                front_mm + 0.1,
            )
            for a, b, c, d in lines
        ]
    )
    half_mm, deep_mm = wide_mm / 2 + 1, high_mm / 2 + 1
    edges = (-half_mm, module.up_mm - deep_mm, half_mm, module.up_mm + deep_mm)
    glass = block(*edges, front_mm - GLASS_MM + 0.4, front_mm)
    x_mm, y_mm = module.width_mm / 2, module.depth_mm / 2
    board = block(-x_mm, -y_mm, x_mm, y_mm, -FACE_MM - GLASS_MM - 1.6, -FACE_MM - GLASS_MM)
    for solid, colour in ((pixels, LIT), (glass, GLASS), (board, BOARD)):
        yield Thing(on_face(solid, place).translate((place.x_mm, place.y_mm, top_mm)), colour)


def _in_base(config: KitConfig, base: Inside) -> Iterator[Thing]:
    pi_board, board = BOARDS[build_of(config).board], base.board
    bottom_mm = FLOOR_MM + STANDOFF_MM
    top_mm = bottom_mm + THICK_MM
    yield Thing(union([column(9.5, x, y, -3.0, 1.0) for x, y in base.feet]), DARK)
    yield Thing(block(*board[:4], bottom_mm, top_mm), BOARD)
    yield Thing(union([column(4.5, x, y, top_mm, top_mm + 2) for x, y in base.standoffs]), METAL)
    middle_mm = board.right_mm - pi_board.header_mm[0]
    header_mm = board.back_mm - pi_board.header_mm[1]
    yield Thing(block(middle_mm - 25.4, header_mm - 2.5, middle_mm + 25.4, header_mm + 2.5, top_mm, top_mm + 8.5), DARK)
    chip = block(middle_mm - 7, header_mm + 9, middle_mm + 7, header_mm + 19, top_mm, top_mm + 1.5)
    yield Thing(chip, DARK)
    for port in pi_board.ports:
        socket = at_edge(port, board, port.width_mm / 2, SOCKET_MM[port.edge], port.out_mm)
        yield Thing(block(*socket[:4], top_mm, top_mm + port.height_mm), METAL)
    for tray in base.trays:
        if tray.name == sizes.BUZZER.name:
            x_mm, y_mm = tray.board.middle
            yield Thing(column(sizes.BUZZER.width_mm, x_mm, y_mm, FLOOR_MM, FLOOR_MM + 9), DARK)
        else:
            lies_mm = FLOOR_MM + LIES_MM
            yield Thing(
                block(*tray.board[:4], lies_mm, lies_mm + 1.6), BOARD if tray.name == sizes.PICO.name else COPPER
            )
            x_mm, y_mm = tray.board.middle
            yield Thing(block(x_mm - 6, y_mm - 6, x_mm + 6, y_mm + 6, lies_mm + 1.6, lies_mm + 5), DARK)
