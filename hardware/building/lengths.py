"""The lengths of wires: the places of their ends, and the way between, also while the lid lies open beside the base.

All in mm, from the middle of the base, as it is seen from above; heights from the table, without feet. The lid opens
like the cover of a book, over the front or the back edge of the base; a wire then runs over that edge.
"""

from itertools import product
from math import ceil, hypot
from typing import Literal, NamedTuple

from hardware import sizes
from hardware.config import KitConfig
from hardware.layout import PartPlace, built
from hardware.layout.areas import Area, disc, rectangle
from hardware.layout.inside import FLOOR_MM, JACK_AT_MM, STANDOFF_MM
from hardware.layout.lid import WIRES_MM, wires_hole
from hardware.sizes import (
    BOARDS,
    BUTTONS,
    DISPLAY,
    HANGS_MM,
    HEADER_MM,
    JACK,
    KNOB,
    MODULES,
    PI,
    PITCH_MM,
    STRIP,
    PiBoard,
    build_of,
)

DISPLAY_MM = 30.0  # of the display's pins above the lid's lower face, at most
SLACK_MM = 60.0  # for both ends, for the way round a button, and for an open lid that lies lower than the base's edge
CUT_MM = 10  # lengths are whole centimetres

SMALL_BOARDS = {board.name: board for board in sizes.SMALL_BOARDS}

Edge = Literal["front", "back"]


class Spot(NamedTuple):
    """The end of a wire: anywhere in an area, at most so high."""

    area: Area
    high_mm: float
    on_lid: bool = False

    @property
    def corners(self) -> tuple[tuple[float, float], ...]:
        left_mm, front_mm, right_mm, back_mm, more_mm = self.area
        return tuple(product((left_mm - more_mm, right_mm + more_mm), (front_mm - more_mm, back_mm + more_mm)))


def spot(config: KitConfig, part: str, pin: str) -> Spot:
    """The spot of a part's pin. Raises `ConfigError` where the kit cannot be built."""
    lid, base = built(config)
    if part == PI:
        at = pin_at(BOARDS[build_of(config).board], base.board, int(pin))
        return Spot(disc(*at, 0.0), FLOOR_MM + STANDOFF_MM + HEADER_MM)
    if part == JACK and base.jack is not None:
        return Spot(base.jack, JACK_AT_MM)
    if part in SMALL_BOARDS:
        tray = next(tray for tray in base.trays if tray.name == part)
        return Spot(tray.board, FLOOR_MM + STANDOFF_MM + SMALL_BOARDS[part].high_mm)
    return _on_lid(config, next(place for place in lid.places if called(place) == part), base.high_mm)


def pin_at(board: PiBoard, lies: Area, number: int) -> tuple[float, float]:
    """The place of a header's pin, by its number; the Raspberry Pi lies turned half round."""
    column, row = divmod(number - 1, 2)
    right_mm, back_mm = board.header_mm[0] + (column - 9.5) * PITCH_MM, board.header_mm[1] + (row - 0.5) * PITCH_MM
    return lies.right_mm - right_mm, lies.back_mm - back_mm


def called(place: PartPlace) -> str:
    """The name, for wires, of the part at a place of the lid."""
    match place.kind:
        case "button" | "key":
            return f"{place.kind} {place.name}"
        case "ring" | "straight":
            return STRIP
        case "knob":
            return KNOB
        case "display":
            return DISPLAY


def _on_lid(config: KitConfig, place: PartPlace, high_mm: float) -> Spot:
    x_mm, y_mm = place.x_mm, place.y_mm
    match place.kind:
        case "button":
            button = BUTTONS[build_of(config).button]
            return Spot(disc(x_mm, y_mm, button.body_mm), high_mm - button.below_mm, on_lid=True)
        case "knob" | "key":
            return Spot(disc(x_mm, y_mm, place.width_mm), high_mm - HANGS_MM, on_lid=True)
        case "display":
            module = MODULES[config.display.driver]
            return Spot(rectangle(x_mm, y_mm, module.width_mm, module.depth_mm), high_mm + DISPLAY_MM, on_lid=True)
        case "ring" | "straight":
            return Spot(disc(*wires_hole(place), WIRES_MM), high_mm, on_lid=True)


def long_mm(config: KitConfig, begin: Spot, end: Spot, over: Edge) -> int:
    """The length of a wire that begins in the base, with the lid open over an edge."""
    lid, base = built(config)
    hinge_mm = lid.depth_mm / 2 if over == "back" else -lid.depth_mm / 2
    ways_mm = []
    for (x_mm, y_mm), (to_x_mm, to_y_mm) in product(begin.corners, end.corners):
        if end.on_lid:
            up_mm = hypot(hinge_mm - y_mm, base.high_mm - begin.high_mm)
            ways_mm.append(hypot(to_x_mm - x_mm, up_mm + hypot(hinge_mm - to_y_mm, base.high_mm - end.high_mm)))
        else:
            up_mm = begin.high_mm + end.high_mm - 2 * FLOOR_MM  # down to the floor, and up again
            ways_mm.append(hypot(to_x_mm - x_mm, to_y_mm - y_mm) + up_mm)
    return CUT_MM * ceil((max(ways_mm) + SLACK_MM) / CUT_MM)
