"""The layout of a kit's base: Raspberry Pi, small boards, screws, and the openings of its walls.

All in mm, seen from above, from the middle, as on the lid; heights from the table, without feet. The Raspberry Pi's
sockets face the back: they reach the back wall where the buttons leave room; else it stands off the wall, and its lead
comes in through an opening.
"""

from collections.abc import Iterable, Iterator
from itertools import product
from math import dist
from typing import Literal, NamedTuple, get_args

from hardware import sizes
from hardware.config import ConfigError, KitConfig
from hardware.layout.areas import Area, apart_mm, clear_of, disc, moved, rectangle
from hardware.layout.lid import Layout, PartPlace
from hardware.sizes import BOARDS, BUTTONS, CARD_MM, HANGS_MM, HEADER_MM, PLUG_MM, THICK_MM, Port, build_of
from hardware.words import N_

WALL_MM, FLOOR_MM = 2.4, 3.0
POST_MM, POST_AT_MM = 8.0, 6.0  # a post for a screw of the lid: diameter, middle from both walls' outsides
HEAD_MM = 6.0  # of such a screw
STANDOFF_MM = 5.0  # height below the Raspberry Pi
AROUND_PLUG_MM = 0.5  # from a plug to the edge of its opening
FREE_MM = 0.5  # the smallest gap between parts
TRAY_MM = 2.0  # thickness of a tray's corners
SLIDE_MM = 0.4  # the gap around a part that slides in
RIM_MM = 2.0  # thickness of the rim round a button's flange
LONG_MM = 120.0  # a longer side gets a screw near its middle, too
TIE_MM = (4.5, 2.5)  # width and height of a slot for a cable tie
TIE_APART_MM = 10.0  # from the slot above a lead to the one below it, from middle to middle
VENT_MM = (3.0, 16.0)
JACK_AT_MM = FLOOR_MM + 15.0  # the jack's middle
HATCH_MM = 16.0  # the opening in the floor through which the microSD card is reached

TIE, VENT = "cable tie", "vent"
Wall = Literal["back", "right", "left"]


class NoRoom(ConfigError):
    """A part does not fit in the base; it may fit in a larger one."""


class Opening(NamedTuple):
    """A hole in a wall; along the back wall it is measured in x, along the others in y."""

    name: str
    wall: Wall
    along_mm: float
    bottom_mm: float
    width_mm: float
    height_mm: float
    round: bool = False


class Tray(NamedTuple):
    """The place of a small board, and the room of its plug."""

    name: str
    board: Area
    plug: Area | None = None


class Inside(NamedTuple):
    """A base."""

    high_mm: float  # from the table to the lid
    board: Area
    rooms: tuple[Area, ...]  # of sockets, plugs and the card of the Raspberry Pi
    standoffs: tuple[tuple[float, float], ...]
    screws: tuple[tuple[float, float], ...]  # of the lid
    openings: tuple[Opening, ...]
    hatch: Area
    jack: Area | None  # of the strip's 5 V jack, behind its wall
    trays: tuple[Tray, ...]
    feet: tuple[tuple[float, float], ...]


def inside(config: KitConfig, lid: Layout) -> Inside:
    """The base below a lid. Raises `NoRoom` where a part does not fit."""
    return _Finder(config, lid).inside()


def plugged(config: KitConfig) -> tuple[Port, ...]:
    """The sockets of the Raspberry Pi with a plug in them: power, and with a strip its USB socket."""
    board = BOARDS[build_of(config).board]
    names = (board.power,) if config.strip is None else (board.power, board.usb)
    return tuple(next(port for port in board.ports if port.name == name) for name in names)


def at_edge(port: Port, board: Area, half_mm: float, in_mm: float, out_mm: float) -> Area:
    """The area round a port at an edge of the Raspberry Pi, `in_mm` into the board and `out_mm` out of it.

    The board lies turned half round: its front edge is at the back.
    """
    if port.edge == "front":
        x_mm = board.right_mm - port.along_mm
        return Area(x_mm - half_mm, board.back_mm - in_mm, x_mm + half_mm, board.back_mm + out_mm)
    y_mm = board.back_mm - port.along_mm
    if port.edge == "right":
        return Area(board.left_mm - out_mm, y_mm - half_mm, board.left_mm + in_mm, y_mm + half_mm)
    return Area(board.right_mm - in_mm, y_mm - half_mm, board.right_mm + out_mm, y_mm + half_mm)


class _Finder:
    """Finds the places in one base, the largest part first."""

    def __init__(self, config: KitConfig, lid: Layout) -> None:
        build = build_of(config)
        self.config, self.lid = config, lid
        self.pi, self.button = BOARDS[build.board], BUTTONS[build.button]
        self.plugged = plugged(config)
        self.at_wall = sum(port.edge == "front" for port in self.plugged) == 1
        x_mm, y_mm = lid.width_mm / 2, lid.depth_mm / 2
        self.walls = Area(-x_mm + WALL_MM, -y_mm + WALL_MM, x_mm - WALL_MM, y_mm - WALL_MM)
        self.corners = [
            (right * (x_mm - POST_AT_MM), up * (y_mm - POST_AT_MM)) for right, up in product((-1, 1), (-1, 1))
        ]
        self.taken = [disc(place.x_mm, place.y_mm, self.button.body_mm) for place in lid.of("button")]
        self.taken += [disc(*corner, POST_MM) for corner in self.corners]

    def inside(self) -> Inside:
        board, rooms, at_wall = self.raspberry_pi()
        right_mm, back_mm = board.right_mm, board.back_mm
        card = next(port for port in self.pi.ports if port.edge == "left")
        hatch = rectangle(right_mm + 0.5 + HATCH_MM / 2, back_mm - card.along_mm, HATCH_MM, HATCH_MM)
        self.taken += [board, *rooms]
        openings = list(self.sockets(board, at_wall))
        openings += self.ties(openings[0], openings)
        if openings[-1].name != TIE:
            raise NoRoom(N_("build.board: no room for a cable tie beside the supply's opening; use fewer buttons"))
        jack, behind = self.jack(openings) if self.config.strip is not None else (None, None)
        if jack is not None:
            openings += [jack, *self.ties(jack, openings)]
        screws = [*self.corners, *self.middles(openings)]
        self.taken += [disc(*screw, POST_MM) for screw in screws[4:]]
        openings += self.vents(openings)
        self.taken.append(hatch)
        trays = tuple(self.trays(board, jack))
        x_mm, y_mm = self.lid.width_mm / 2 - 12.0, self.lid.depth_mm / 2 - 12.0
        return Inside(
            FLOOR_MM + self.inner_mm(),
            board,
            rooms,
            tuple((right_mm - x, back_mm - y) for x, y in self.pi.holes_mm),
            tuple(screws),
            tuple(openings),
            hatch,
            behind,
            trays,
            tuple((right * x_mm, up * y_mm) for right, up in product((-1, 1), (-1, 1))),
        )

    def inner_mm(self) -> float:
        """From the floor to the lid: for the buttons, and for a knob or a key above the Raspberry Pi."""
        highest = max(
            STANDOFF_MM + max(self.pi.high_mm, HEADER_MM),
            *(STANDOFF_MM + board.high_mm for board in sizes.SMALL_BOARDS),
        )
        return max(self.button.below_mm + 3, highest + HANGS_MM + 1)

    def raspberry_pi(self) -> tuple[Area, tuple[Area, ...], bool]:
        """Its first free place: at the back wall if possible, as near to its middle as possible."""
        # it goes in from above: no socket may touch the wall on the way down
        wall_mm = self.walls.back_mm - FREE_MM - max(port.out_mm for port in self.pi.ports if port.edge == "front")
        across = sorted((0.5 * n for n in range(-215, 216)), key=lambda x_mm: (abs(x_mm), x_mm))
        steps = range(0, int(self.lid.depth_mm), 2)
        for at_wall in (True, False)[not self.at_wall :]:
            away = [wall_mm] if at_wall else [wall_mm - PLUG_MM - step for step in steps]
            board = rectangle(0.0, 0.0, self.pi.width_mm, self.pi.depth_mm)
            rooms = tuple(self.rooms(board, at_wall))
            for y_mm, x_mm in product((back_mm - self.pi.depth_mm / 2 for back_mm in away), across):
                if all(self.free(moved(area, x_mm, y_mm)) for area in (board, *rooms)):
                    return moved(board, x_mm, y_mm), tuple(moved(room, x_mm, y_mm) for room in rooms), at_wall
        raise NoRoom(
            N_(
                "build.board: no room for a {board} with its plugs between the buttons; use other buttons",
                board=self.pi.title,
            )
        )

    def rooms(self, board: Area, at_wall: bool) -> Iterator[Area]:
        """The room beside it for sockets, plugs and the card."""
        for port in self.pi.ports:
            half_mm, out_mm = port.width_mm / 2 + 1, port.out_mm
            if port in self.plugged and port.plug is not None and not (port.edge == "front" and at_wall):
                half_mm, out_mm = max(half_mm, port.plug.width_mm / 2), PLUG_MM
            yield at_edge(port, board, half_mm, 0.0, CARD_MM if port.edge == "left" else out_mm)

    def free(self, area: Area, gap_mm: float = FREE_MM) -> bool:
        """Whether an area is within the walls and free."""
        walls, radius_mm = self.walls, area.radius_mm
        if area.left_mm - radius_mm < walls.left_mm or area.right_mm + radius_mm > walls.right_mm:
            return False
        if area.front_mm - radius_mm < walls.front_mm or area.back_mm + radius_mm > walls.back_mm:
            return False
        for n, taken in enumerate(self.taken):
            if apart_mm(area, taken) < gap_mm:
                self.taken.insert(0, self.taken.pop(n))  # likely in the way next time, too: the search is faster
                return False
        return True

    def sockets(self, board: Area, at_wall: bool) -> Iterator[Opening]:
        """Openings for plugs, power first; off the wall only power, for its lead."""
        for port in sorted(self.pi.ports, key=lambda port: port is not self.plugged[0]):
            if port.edge == "front" and port.plug is not None and (at_wall or port is self.plugged[0]):
                wide_mm, high_mm = (size_mm + 2 * AROUND_PLUG_MM for size_mm in port.plug)
                bottom_mm = FLOOR_MM + STANDOFF_MM + THICK_MM + (port.height_mm - high_mm) / 2
                yield Opening(port.name, "back", board.right_mm - port.along_mm, bottom_mm, wide_mm, high_mm)

    def middles(self, openings: Iterable[Opening]) -> Iterator[tuple[float, float]]:
        """A screw in the middle of each long side, or two as near to it as possible."""
        x_mm, y_mm = self.lid.width_mm / 2 - POST_AT_MM, self.lid.depth_mm / 2 - POST_AT_MM
        above = [_above(place) for place in self.lid.places]
        nuts = [disc(place.x_mm, place.y_mm, self.button.nut_mm) for place in self.lid.of("button")]
        nuts += [disc(place.x_mm, place.y_mm, place.width_mm) for place in (*self.lid.of("knob"), *self.lid.of("key"))]
        before = [self.before(o.wall, o.along_mm, o.width_mm + 4, 2 * POST_AT_MM) for o in openings]
        for long_mm, fixed_mm, across in (
            (self.lid.width_mm, -y_mm, True),
            (self.lid.width_mm, y_mm, True),
            (self.lid.depth_mm, -x_mm, False),
            (self.lid.depth_mm, x_mm, False),
        ):
            if long_mm < LONG_MM:
                continue
            for out_mm in range(round(long_mm / 4)):
                pair: list[tuple[float, float]] = [
                    (along, fixed_mm) if across else (fixed_mm, along) for along in sorted({-out_mm, out_mm})
                ]
                if all(
                    clear_of(disc(*at, HEAD_MM), above, SLIDE_MM)
                    and clear_of(disc(*at, POST_MM), (*self.taken, *nuts, *before), FREE_MM)
                    for at in pair
                ):
                    yield from pair
                    break

    def ties(self, beside: Opening, openings: Iterable[Opening]) -> tuple[Opening, ...]:
        """Two slots for a cable tie beside an opening, above and below its lead; none without room."""
        for side in (1, -1):
            at_mm = beside.along_mm + side * (max(beside.width_mm, sizes.JACK_MM[0]) / 2 + 4 + TIE_MM[0] / 2)
            if self.clear(beside.wall, at_mm, TIE_MM[0] / 2 + 2, (*openings, beside)):
                middle_mm = max(beside.bottom_mm + beside.height_mm / 2, FLOOR_MM + 2 + TIE_APART_MM / 2)
                low_mm = middle_mm - (TIE_APART_MM + TIE_MM[1]) / 2
                return tuple(Opening(TIE, beside.wall, at_mm, low_mm + up_mm, *TIE_MM) for up_mm in (0, TIE_APART_MM))
        return ()

    def clear(self, wall: Wall, along_mm: float, half_mm: float, openings: Iterable[Opening]) -> bool:
        """Whether a piece of a wall has neither openings nor a post."""
        before = self.before(wall, along_mm, 2 * half_mm, POST_AT_MM)
        posts = (area for area in self.taken if area.radius_mm == POST_MM / 2)
        return (
            abs(along_mm) + half_mm <= (self.walls.right_mm if wall == "back" else self.walls.back_mm) - POST_MM
            and clear_of(before, posts, 0.0)
            and all(abs(along_mm - o.along_mm) >= half_mm + o.width_mm / 2 for o in openings if o.wall == wall)
        )

    def before(self, wall: Wall, along_mm: float, wide_mm: float, deep_mm: float) -> Area:
        """The room in the base before a piece of a wall."""
        low_mm, high_mm, walls = along_mm - wide_mm / 2, along_mm + wide_mm / 2, self.walls
        if wall == "back":
            return Area(low_mm, walls.back_mm - deep_mm, high_mm, walls.back_mm)
        if wall == "left":
            return Area(walls.left_mm, low_mm, walls.left_mm + deep_mm, high_mm)
        return Area(walls.right_mm - deep_mm, low_mm, walls.right_mm, high_mm)

    def jack(self, openings: Iterable[Opening]) -> tuple[Opening, Area]:
        """The strip's 5 V jack and its area, with room for a tie beside it: in the back wall, else in a side wall."""
        nut_mm, deep_mm = sizes.JACK_MM
        hole_mm = sizes.JACK_HOLE_MM
        for wall in get_args(Wall):
            from_mm = self.walls.right_mm if wall == "back" else self.walls.back_mm
            for n in range(2 * round(from_mm)):
                area = self.before(wall, from_mm - n, nut_mm, deep_mm)
                if not (self.free(area) and self.clear(wall, from_mm - n, nut_mm / 2 + 1, openings)):
                    continue
                opening = Opening(sizes.JACK, wall, from_mm - n, JACK_AT_MM - hole_mm / 2, hole_mm, hole_mm, round=True)
                if self.ties(opening, openings):
                    self.taken.append(area)
                    return opening, area
        raise NoRoom(N_("strip: no room for its 5 V jack in the walls; fewer or smaller buttons leave some"))

    def vents(self, openings: Iterable[Opening]) -> Iterator[Opening]:
        """Slots in both side walls."""
        walls: tuple[Wall, Wall] = ("left", "right")
        for wall, along_mm in product(walls, (-21.0, -15.0, -9.0, 9.0, 15.0, 21.0)):
            if self.clear(wall, along_mm, VENT_MM[0] / 2 + 2, openings):
                yield Opening(VENT, wall, along_mm, FLOOR_MM + 8.0, *VENT_MM)

    def trays(self, board: Area, jack: Opening | None) -> Iterator[Tray]:
        """Places of the small boards, each as near as possible to the part it is wired to."""
        if jack is not None:
            usb = self.plugged[-1]
            socket = (board.left_mm, board.back_mm - usb.along_mm)
            yield self.tray(sizes.PICO, socket if usb.edge == "right" else board.middle, PLUG_MM)
            yield self.tray(sizes.STRIP_BOARD, self.before(jack.wall, jack.along_mm, 0.0, 0.0).middle)
        if self.config.lamps:
            yield self.tray(sizes.LAMP_BOARD, (board.middle[0], board.front_mm))
        if self.config.buzzer is not None:
            yield self.tray(sizes.BUZZER, (0.0, self.walls.front_mm))

    def tray(self, board: sizes.SmallBoard, near: tuple[float, float], plug_mm: float = 0.0) -> Tray:
        more_mm = 2 * (SLIDE_MM + TRAY_MM)
        ways: list[tuple[Area, Area, Area | None]] = []
        for wide_mm, deep_mm in ((board.width_mm, board.depth_mm), (board.depth_mm, board.width_mm)):
            lies, whole = (rectangle(0.0, 0.0, wide_mm + more, deep_mm + more) for more in (0.0, more_mm))
            ways += [(lies, whole, plug) for plug in (_plugs(lies, plug_mm) if plug_mm else (None,))]
        spots = [(2.0 * x, 2.0 * y) for y in range(-54, 55) for x in range(-54, 55)]
        nearest_first = sorted(spots, key=lambda spot: round(1e3 * dist(spot, near)))
        for (x_mm, y_mm), (lies, whole, plug) in product(nearest_first, ways):
            areas = [moved(area, x_mm, y_mm) for area in (whole, plug) if area is not None]
            if self.free(areas[0], 1.0) and all(self.free(area) for area in areas[1:]):
                self.taken += areas
                return Tray(board.name, moved(lies, x_mm, y_mm), None if plug is None else areas[1])
        raise NoRoom(
            N_("build: no room in the base for the {board}; fewer or smaller buttons leave some", board=board.name)
        )


def _plugs(board: Area, plug_mm: float) -> tuple[Area, Area]:
    """The two areas, 12 mm wide, of a plug at a short edge of a board."""
    left_mm, front_mm, right_mm, back_mm, _ = board
    x_mm, y_mm = board.middle
    near_mm = TRAY_MM + SLIDE_MM
    if right_mm - left_mm > back_mm - front_mm:
        return (
            Area(left_mm - plug_mm, y_mm - 6, left_mm - near_mm, y_mm + 6),
            Area(right_mm + near_mm, y_mm - 6, right_mm + plug_mm, y_mm + 6),
        )
    return (
        Area(x_mm - 6, front_mm - plug_mm, x_mm + 6, front_mm - near_mm),
        Area(x_mm - 6, back_mm + near_mm, x_mm + 6, back_mm + plug_mm),
    )


def _above(place: PartPlace) -> Area:
    """The area of a part on the lid, with its rim or groove."""
    if place.round:
        more_mm = 2 * (SLIDE_MM + RIM_MM) if place.kind == "button" else 2 * SLIDE_MM
        return disc(place.x_mm, place.y_mm, place.width_mm + more_mm)
    return rectangle(place.x_mm, place.y_mm, place.width_mm + 2 * SLIDE_MM, place.height_mm + 2 * SLIDE_MM)
