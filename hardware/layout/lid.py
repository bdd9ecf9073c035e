"""The layout of a kit's lid, as small as possible or with more room between the parts.

All in mm, seen from above, from the lid's middle: x to the right, y away from the reader of the display. P1 sits front
left, and the seats go round the table clockwise, as in the rulebooks.
"""

from itertools import pairwise
from math import ceil, cos, hypot, pi, sin, sqrt
from typing import Literal, NamedTuple

from hardware.config import ConfigError, KitConfig, StripConfig
from hardware.sizes import BOARDS, BUTTONS, CARD_MM, LAMP_BOARD, MODULES, PER_M, PLUG_MM, RINGS_MM, STRIP_MM, build_of
from hardware.words import N_

BED_MM = 216.0  # the longest side that a 220 mm bed prints, with a rim of 2 mm
EDGE_MM = 5.0  # from a flange to the lid's edge
BETWEEN_MM = 4.0  # from a flange to its neighbour
FRAME_MM = 5.0  # from the display's board to its wedge's front and back
SIDE_MM = 7.5  # from the display's board to its wedge's sides: four screws stand there
BEZEL_AT_MM = (3.5, 5.0)  # the bezel's posts from its sides, from its front and back
WIRES_MM = 5.0  # hole for the wires of ring or strip
RIM_ROOM_MM = 3.0  # from a flange to a straight strip
BACK_MM = 10.0  # from a straight strip to the lid's back edge: screws stand there
WALLS_MM = 6.0  # both walls of the base, with the gap at them
PITCH_MM = 15.0  # between the bodies of two buttons in a row: room for a plug
KNOB_MM = 30.0
KEY_MM = 16.0  # the flange of a button for ▲, ▼ and OK, with a hole of 12 mm
KEY_PITCH_MM = 22.0

Kind = Literal["button", "display", "knob", "key", "ring", "straight"]


class PartPlace(NamedTuple):
    """The place of one part. Round parts have their diameter as width and height."""

    kind: Kind
    name: str
    x_mm: float
    y_mm: float
    width_mm: float
    height_mm: float
    inner_mm: float = 0.0  # diameter within a ring
    leds: int = 0  # of a ring or a strip

    @property
    def round(self) -> bool:
        return self.kind not in ("display", "straight")


class Layout(NamedTuple):
    """A lid."""

    width_mm: float
    depth_mm: float
    places: tuple[PartPlace, ...]

    def of(self, kind: Kind) -> tuple[PartPlace, ...]:
        """All places of a kind."""
        return tuple(place for place in self.places if place.kind == kind)


def bezel_screws(display: PartPlace) -> tuple[tuple[float, float], ...]:
    """The screws of the bezel, from its middle."""
    x_mm, y_mm = display.width_mm / 2 - BEZEL_AT_MM[0], display.height_mm / 2 - BEZEL_AT_MM[1]
    return (x_mm, y_mm), (x_mm, -y_mm), (-x_mm, y_mm), (-x_mm, -y_mm)


def wires_hole(lights: PartPlace) -> tuple[float, float]:
    """The hole for the wires of ring or strip: below its first lamp, at a ring's front or a strip's left end."""
    if lights.kind == "ring":
        return lights.x_mm, lights.y_mm - (lights.inner_mm + lights.width_mm) / 4
    return lights.x_mm - lights.width_mm / 2 + WIRES_MM, lights.y_mm


def lamp_spots(lights: PartPlace) -> list[tuple[float, float]]:
    """The places of the lamps of ring or strip in their order: clockwise from the front, or from the left."""
    if lights.kind == "ring":
        radius_mm = (lights.inner_mm + lights.width_mm) / 4
        turns = [2 * pi * lamp / lights.leds for lamp in range(lights.leds)]
        return [(lights.x_mm - radius_mm * sin(a), lights.y_mm - radius_mm * cos(a)) for a in turns]
    left_mm, pitch_mm = lights.x_mm - lights.width_mm / 2, lights.width_mm / lights.leds
    return [(left_mm + (lamp + 0.5) * pitch_mm, lights.y_mm) for lamp in range(lights.leds)]


def lid(config: KitConfig, more_mm: float = 0.0) -> Layout:
    """A lid, wider and deeper than its smallest size by `more_mm`, as far as a printer's bed allows.

    Raises `ConfigError` where the parts do not fit a bed of 220 mm.
    """
    strip = config.strip
    if strip is not None and strip.shape == "ring":
        layout = _ringed(config, strip, more_mm)
    else:
        layout = _in_rows(config, more_mm)
    for side, size_mm in ((N_("wide"), layout.width_mm), (N_("deep"), layout.depth_mm)):
        if size_mm > BED_MM:
            raise ConfigError(
                N_(
                    "the lid would be {size_mm:.0f} mm {side}, but only {bed_mm:.0f} mm fit on a bed of 220 mm: "
                    "take smaller or fewer buttons, or a shorter strip",
                    size_mm=size_mm,
                    side=side,
                    bed_mm=BED_MM,
                )
            )
    return layout


def _wider(size_mm: float, more_mm: float) -> float:
    return max(size_mm, min(size_mm + more_mm, BED_MM))


def _ringed(config: KitConfig, strip: StripConfig, more_mm: float) -> Layout:
    """A square: the ring round display and control, a button in each corner."""
    leds, flange_mm = strip.lamps, BUTTONS[build_of(config).button].flange_mm
    if leds not in RINGS_MM:
        rings = ", ".join(map(str, RINGS_MM))
        raise ConfigError(N_("strip.leds = {value}: must be one of {rings} for a ring", value=leds, rings=rings))
    if len(config.players) > 4:
        raise ConfigError(
            N_(
                "strip.shape = 'ring': must be 'straight' for {many} buttons; 4 fit round a ring",
                many=len(config.players),
            )
        )
    inner_mm, outer_mm = RINGS_MM[leds]
    board = MODULES[config.display.driver]
    wide_mm, deep_mm = board.width_mm + 2 * SIDE_MM, board.depth_mm + 2 * FRAME_MM
    low_mm = KNOB_MM if config.control.kind == "knob" else KEY_MM
    up_mm = (low_mm + BETWEEN_MM) / 2
    corner_mm = hypot(wide_mm / 2, up_mm + deep_mm / 2)
    below_mm = deep_mm / 2 - up_mm + BETWEEN_MM + low_mm
    if max(corner_mm, below_mm) > inner_mm / 2:
        raise ConfigError(
            N_(
                "strip.leds = {value}: a ring of {inner_mm:.0f} mm is too small for display and control",
                value=leds,
                inner_mm=inner_mm,
            )
        )
    edge_mm = EDGE_MM + flange_mm / 2
    half_mm = ceil(2 * (edge_mm + (outer_mm / 2 + BETWEEN_MM + flange_mm / 2) / sqrt(2))) / 2
    half_mm = _wider(2 * half_mm, more_mm) / 2
    at_mm = half_mm - edge_mm
    corners = ((-at_mm, -at_mm), (-at_mm, at_mm), (at_mm, at_mm), (at_mm, -at_mm))
    if len(config.players) == 2:
        corners = (corners[0], corners[3], *corners[1:3])
    seats = (
        PartPlace("button", player.name, x_mm, y_mm, flange_mm, flange_mm)
        for player, (x_mm, y_mm) in zip(config.players, corners, strict=False)
    )
    middle = PartPlace("display", "display", 0.0, up_mm, wide_mm, deep_mm)
    controls = _control(config, 0.0, up_mm - deep_mm / 2 - BETWEEN_MM - low_mm / 2)
    ring = PartPlace("ring", "strip", 0.0, 0.0, outer_mm, outer_mm, inner_mm, leds)
    return Layout(2 * half_mm, 2 * half_mm, (*seats, middle, *controls, ring))


def _in_rows(config: KitConfig, more_mm: float) -> Layout:
    """Two buttons left and right of the display; more of them in two rows, before and behind it."""
    build = build_of(config)
    board, pi, button = MODULES[config.display.driver], BOARDS[build.board], BUTTONS[build.button]
    flange_mm, body_mm, many = button.flange_mm, button.body_mm, len(config.players)
    wide_mm, deep_mm = board.width_mm + 2 * SIDE_MM, board.depth_mm + 2 * FRAME_MM
    knob = config.control.kind == "knob"
    strip_mm = 0.0 if config.strip is None else BACK_MM + STRIP_MM + RIM_ROOM_MM - EDGE_MM
    long_mm = 0.0 if config.strip is None else config.strip.lamps * 1000 / PER_M
    if many == 2:
        low_mm = KNOB_MM if knob else KEY_MM
        room_mm = pi.width_mm + CARD_MM + 2 + (0.0 if config.strip is None else PLUG_MM)  # between the buttons' bodies
        room_mm -= 2 * BETWEEN_MM + flange_mm - body_mm
        across_mm = max(wide_mm, KNOB_MM if knob else 2 * KEY_PITCH_MM + KEY_MM, room_mm)
        width_mm = _wider(ceil(max(across_mm + 2 * (BETWEEN_MM + flange_mm + EDGE_MM), long_mm + 2 * EDGE_MM)), more_mm)
        inside_mm = pi.depth_mm + WALLS_MM
        if config.strip is not None or config.lamps:
            inside_mm += LAMP_BOARD.depth_mm + 2 * BETWEEN_MM
        depth_mm = _wider(
            ceil(max(max(flange_mm, deep_mm + BETWEEN_MM + low_mm) + 2 * EDGE_MM + strip_mm, inside_mm)), more_mm
        )
        x_mm, y_mm = width_mm / 2 - EDGE_MM - flange_mm / 2, -strip_mm / 2
        top_mm = y_mm + (deep_mm + BETWEEN_MM + low_mm) / 2
        seats = [(-x_mm, y_mm), (x_mm, y_mm)]
        display = (0.0, top_mm - deep_mm / 2)
        control = (0.0, top_mm - deep_mm - BETWEEN_MM - low_mm / 2)
    else:
        front, back = ceil(many / 2), many // 2
        beside_mm = KNOB_MM if knob else KEY_MM
        room_mm = pi.depth_mm + 2 - (2 * BETWEEN_MM + flange_mm - body_mm)  # between the rows' bodies
        middle_mm = max(deep_mm, KNOB_MM if knob else 2 * KEY_PITCH_MM + KEY_MM, room_mm)
        whole_mm = wide_mm + BETWEEN_MM + beside_mm
        width_mm = _wider(
            ceil(max(front * max(flange_mm + 2 * EDGE_MM, body_mm + PITCH_MM), max(whole_mm, long_mm) + 2 * EDGE_MM)),
            more_mm,
        )
        depth_mm = _wider(ceil(2 * (EDGE_MM + flange_mm + BETWEEN_MM) + middle_mm + strip_mm), more_mm)
        y_mm = depth_mm / 2 - EDGE_MM - flange_mm / 2
        pitch_mm = (width_mm - 2 * EDGE_MM - flange_mm) / max(1, front - 1)
        left_mm = -width_mm / 2 + EDGE_MM + flange_mm / 2
        row = [left_mm + n * pitch_mm for n in range(front)]
        behind = row if back == front else [(a + b) / 2 for a, b in pairwise(row)]
        nearest_first = [(x_mm, -y_mm) for x_mm in row]
        # clockwise from the front left: along the back to the right, along the front to the left
        seats = [nearest_first[0], *((x_mm, y_mm - strip_mm) for x_mm in behind), *reversed(nearest_first[1:])]
        middle_y_mm = -strip_mm / 2
        display = (-whole_mm / 2 + wide_mm / 2, middle_y_mm)
        control = (whole_mm / 2 - beside_mm / 2, middle_y_mm)
    places = [
        PartPlace("button", player.name, *at, flange_mm, flange_mm)
        for player, at in zip(config.players, seats, strict=True)
    ]
    places += [
        PartPlace("display", "display", *display, wide_mm, deep_mm),
        *_control(config, *control, upright=many > 2),
    ]
    if config.strip is not None:
        y_mm = depth_mm / 2 - BACK_MM - STRIP_MM / 2
        places.append(PartPlace("straight", "strip", 0.0, y_mm, long_mm, STRIP_MM, leds=config.strip.lamps))
    return Layout(width_mm, depth_mm, tuple(places))


def _control(config: KitConfig, x_mm: float, y_mm: float, *, upright: bool = False) -> tuple[PartPlace, ...]:
    """A knob, or three buttons: side by side, or one below the other."""
    if config.control.kind == "knob":
        return (PartPlace("knob", "ok", x_mm, y_mm, KNOB_MM, KNOB_MM),)
    steps = ((0, 1), (0, 0), (0, -1)) if upright else ((-1, 0), (0, 0), (1, 0))
    return tuple(
        PartPlace("key", name, x_mm + KEY_PITCH_MM * dx, y_mm + KEY_PITCH_MM * dy, KEY_MM, KEY_MM)
        for name, (dx, dy) in zip(("up", "ok", "down") if upright else ("up", "down", "ok"), steps, strict=True)
    )


class Sides(NamedTuple):
    """The players round the display, each side from left to right."""

    back: tuple[str, ...]
    left: tuple[str, ...]
    right: tuple[str, ...]
    front: tuple[str, ...]


def row_of(seat: PartPlace, display: PartPlace) -> str:
    """Whether a seat is at the `front` or `back` of the display; empty where it is beside it."""
    beyond_mm = seat.y_mm - display.y_mm
    if abs(beyond_mm) < display.height_mm / 2:
        return ""
    return "back" if beyond_mm > 0 else "front"


def sides(config: KitConfig) -> Sides | None:
    """The seats as seen from above; None where the description does not say how the kit is built."""
    try:
        places = lid(config)
    except ConfigError:
        return None
    (display,) = places.of("display")
    names: dict[str, list[str]] = {side: [] for side in Sides._fields}
    for seat in sorted(places.of("button"), key=lambda place: place.x_mm):
        names[row_of(seat, display) or ("left" if seat.x_mm < display.x_mm else "right")].append(seat.name)
    return Sides(**{side: tuple(seats) for side, seats in names.items()})
