"""Plans of a kit: its lid and its base from above with the names of all parts, to print on A4."""

from collections.abc import Sequence
from math import cos, floor, pi, sin

from hardware.building.boards import COPPER, boards
from hardware.building.drawing import INK, MARGIN_MM, NOTE_MM, PALE, PAPER, Drawing, Point
from hardware.building.enclosure import CORNER_MM, FOOT_MM
from hardware.building.lengths import pin_at
from hardware.building.wiring import BUZZER, PICO
from hardware.config import KitConfig
from hardware.layout import Layout, PartPlace, built
from hardware.layout.areas import Area, rectangle
from hardware.layout.inside import POST_MM, TIE, TRAY_MM, VENT, WALL_MM, Inside, Tray, at_edge, plugged
from hardware.layout.lid import WIRES_MM, bezel_screws, lamp_spots, wires_hole
from hardware.seat_colours import SEAT_COLOURS
from hardware.sizes import BOARDS, BUTTONS, JACK, KEY_HOLE_MM, KNOB_HOLE_MM, MODULES, PI, build_of

A4_MM = (297.0, 210.0)
HEAD_MM = 22.0  # of a page, for its title and the label of its far side
WALLS_MM = 38.0  # above the base, for the names of the openings in its back wall
SIDES_MM = 5.0  # left and right of it, for the letters beside its side walls
NAME_MM = 6.0  # letters of a player's name
CASE, TRAY, GREEN, METAL, DARK = "#eceff3", "#d3d9e2", "#cfe8da", "#c9cdd3", "#3a3a3a"
LIT = "#ffd84d"
SOCKET_MM = {"front": 4.0, "right": 15.0, "left": 6.0}  # of a socket on the board, by its edge
LETTERS = {TIE: "T", VENT: "V"}  # of openings too small for their names


def plans(config: KitConfig) -> dict[str, bytes]:
    """The plans of lid and base, and of the small boards, as SVG by file name. Raises `ConfigError`."""
    lid, base = built(config)
    found = {"plan-lid.svg": _lid(config, lid, base), "plan-base.svg": _base(config, lid, base)}
    return found | boards(config)


class _Plan:
    """A page with a kit's outline on it, at its true size or as near to it as fits."""

    def __init__(
        self, title: str, lid: Layout, notes: Sequence[str], *, above_mm: float = 0.0, beside_mm: float = 0.0
    ) -> None:
        rims_mm = 2 * (MARGIN_MM + beside_mm)
        high_mm = HEAD_MM + above_mm + MARGIN_MM + 10 + NOTE_MM * (len(notes) + 1)
        self.scale, wide_mm, deep_mm = max(
            (min(1.0, (wide - rims_mm) / lid.width_mm, (deep - high_mm) / lid.depth_mm), wide, deep)
            for wide, deep in (A4_MM, A4_MM[::-1])
        )
        self.scale = floor(20 * self.scale) / 20
        self.drawing = Drawing(title, wide_mm, deep_mm)
        self.middle = (wide_mm / 2, HEAD_MM + above_mm + lid.depth_mm * self.scale / 2)
        size = "true size" if self.scale == 1 else f"{100 * self.scale:.0f} % of its size"
        self.drawing.notes([*notes, f"From above, drawn at {size}: {lid.width_mm:g} x {lid.depth_mm:g} mm."])
        self.drawing.text((wide_mm / 2, HEAD_MM - 3), "back", bold=True)
        front_mm = self.middle[1] + lid.depth_mm * self.scale / 2 + 5
        self.drawing.text((wide_mm / 2, front_mm), "front: here sits who reads the display", bold=True)

    def at(self, x_mm: float, y_mm: float) -> Point:
        """A place of the kit on the page."""
        return self.middle[0] + x_mm * self.scale, self.middle[1] - y_mm * self.scale

    def area(
        self, area: Area, *, fill: str = "none", ink: str = INK, round_mm: float = 0, broken: bool = False
    ) -> None:
        wide_mm, deep_mm = (area.right_mm - area.left_mm) * self.scale, (area.back_mm - area.front_mm) * self.scale
        corner = self.at(area.left_mm, area.back_mm)
        self.drawing.rect(corner, wide_mm, deep_mm, fill=fill, ink=ink, round_mm=round_mm * self.scale, broken=broken)

    def disc(
        self, spot: Point, diameter_mm: float, *, fill: str = "none", ink: str = INK, broken: bool = False
    ) -> None:
        self.drawing.circle(self.at(*spot), diameter_mm * self.scale, fill=fill, ink=ink, broken=broken)

    def screw(self, spot: Point) -> None:
        """A screw's head with its cross."""
        self.disc(spot, 5.5, fill=PAPER)
        x, y = spot
        for way in (1, -1):
            self.drawing.line(self.at(x - 1.6, y - 1.6 * way), self.at(x + 1.6, y + 1.6 * way))


def _lid(config: KitConfig, lid: Layout, base: Inside) -> bytes:
    build, display, lights = build_of(config), lid.of("display")[0], [*lid.of("ring"), *lid.of("straight")]
    button, module = BUTTONS[build.button], MODULES[config.display.driver]
    control = f"knob: {KNOB_HOLE_MM:g} mm" if lid.of("knob") else f"keys: {KEY_HOLE_MM:g} mm"
    notes = [
        f"Crossed circles: {len(base.screws)} screws M3x10 of the lid, from above.",
        f"Black dots: {len(bezel_screws(display))} screws M3x10 of the bezel, from below.",
        f"Broken lines: holes. Buttons: {button.hole_mm:g} mm; {control}.",
    ]
    for place in lights:
        way = "clockwise" if place.kind == "ring" else "to the right"
        notes.append(f"The strip's controller counts its lamps from 1, where DIN is, to {place.leds} {way}.")
    plan = _Plan(f"Lucky Paw {build.title}: the lid", lid, notes)
    plan.area(rectangle(0.0, 0.0, lid.width_mm, lid.depth_mm), fill=CASE, round_mm=CORNER_MM)
    for place in lights:
        (_ring if place.kind == "ring" else _straight)(plan, place)
    for seat, place in zip(SEAT_COLOURS, lid.of("button"), strict=False):
        plan.disc((place.x_mm, place.y_mm), place.width_mm, fill=seat.shown)
        plan.disc((place.x_mm, place.y_mm), button.hole_mm, fill=PAPER, broken=True)
        plan.drawing.text(plan.at(place.x_mm, place.y_mm), place.name, size_mm=NAME_MM, bold=True)
    x, y = display.x_mm, display.y_mm
    plan.area(rectangle(x, y, display.width_mm, display.height_mm), fill=TRAY)
    plan.area(rectangle(x, y, module.width_mm - 4, module.depth_mm - 4), fill=PAPER, broken=True)
    plan.drawing.text(plan.at(x, y), "display")
    for across, along in bezel_screws(display):
        plan.disc((x + across, y + along), 3.2, fill=DARK)
    for place in lid.of("knob"):
        plan.disc((place.x_mm, place.y_mm), place.width_mm, fill=TRAY)
        plan.disc((place.x_mm, place.y_mm), KNOB_HOLE_MM, fill=PAPER, broken=True)
        plan.drawing.text(plan.at(place.x_mm, place.y_mm - 9), "knob")
    for place in lid.of("key"):
        plan.disc((place.x_mm, place.y_mm), place.width_mm, fill=TRAY)
        plan.disc((place.x_mm, place.y_mm), KEY_HOLE_MM, fill=PAPER, broken=True)
        left, top = plan.at(place.x_mm, place.y_mm)
        plan.drawing.text((left, top - 2.1), "key")
        plan.drawing.text((left, top + 2.1), place.name)
    for screw in base.screws:
        plan.screw(screw)
    return plan.drawing.svg()


def _ring(plan: _Plan, ring: PartPlace) -> None:
    """A ring of lamps, its first one at the front."""

    def spot(lamp: float, radius_mm: float) -> Point:
        a = 2 * pi * lamp / ring.leds
        return ring.x_mm - radius_mm * sin(a), ring.y_mm - radius_mm * cos(a)

    middle = (ring.x_mm, ring.y_mm)
    plan.disc(middle, ring.width_mm, fill=DARK)
    plan.disc(middle, ring.inner_mm, fill=CASE)
    plan.disc(wires_hole(ring), WIRES_MM, fill=PAPER)
    for lamp, at in enumerate(lamp_spots(ring)):
        plan.disc(at, 3.0, fill=PAPER if lamp else LIT)
    inner_mm = ring.inner_mm / 2
    plan.drawing.arrow(*(plan.at(*spot(n * ring.leds / 120, inner_mm - 3)) for n in range(1, 9)))
    plan.drawing.text(plan.at(*spot(0, inner_mm - 9)), "lamp 1, DIN")
    for quarter in (1, 2, 3):
        lamp = quarter * ring.leds // 4
        plan.drawing.text(plan.at(*spot(lamp, inner_mm - 6)), str(lamp + 1), ink=PALE)


def _straight(plan: _Plan, strip: PartPlace) -> None:
    """A straight strip, its first lamp at the left."""
    plan.area(rectangle(strip.x_mm, strip.y_mm, strip.width_mm, strip.height_mm), fill=DARK)
    left_mm = strip.x_mm - strip.width_mm / 2
    plan.disc(wires_hole(strip), WIRES_MM, fill=PAPER)
    for lamp, at in enumerate(lamp_spots(strip)):
        plan.disc(at, 3.0, fill=PAPER if lamp else LIT)
    x, y = plan.at(left_mm + 8, strip.y_mm + strip.height_mm / 2 + 4)
    plan.drawing.text((x, y), "lamp 1, DIN", anchor="start")
    plan.drawing.arrow((x + 25, y), (x + 36, y))
    end, _ = plan.at(left_mm + strip.width_mm - 8, 0.0)
    plan.drawing.text((end, y), str(strip.leds), anchor="end", ink=PALE)


def _base(config: KitConfig, lid: Layout, base: Inside) -> bytes:
    build = build_of(config)
    notes = [
        "Raspberry Pi: four M2.5x6. The square is pin 1 of its header.",
        f"Crossed circles: {len(base.screws)} posts for the lid's M3x10. Broken circles: feet, below.",
        "Broken frames: room for plugs; card: hatch in the floor for the microSD card.",
        "T: two slots, one above the other, for a cable tie. V: vents.",
    ]
    if config.strip is not None:
        usb = plugged(config)[-1].name
        notes.append(f"The Pico's cable leads from its end with USB to the Raspberry Pi's socket {usb}.")
    plan = _Plan(f"Lucky Paw {build.title}: the base", lid, notes, above_mm=WALLS_MM, beside_mm=SIDES_MM)
    plan.area(rectangle(0.0, 0.0, lid.width_mm, lid.depth_mm), fill=DARK, round_mm=CORNER_MM)
    wide_mm, deep_mm = lid.width_mm - 2 * WALL_MM, lid.depth_mm - 2 * WALL_MM
    plan.area(rectangle(0.0, 0.0, wide_mm, deep_mm), fill=CASE, round_mm=CORNER_MM - WALL_MM)
    for foot in base.feet:
        plan.disc(foot, FOOT_MM, ink=PALE, broken=True)
    for screw in base.screws:
        plan.disc(screw, POST_MM, fill=TRAY)
        plan.screw(screw)
    _walls(plan, lid, base)
    _raspberry_pi(plan, config, base)
    for tray in base.trays:
        _small_board(plan, tray)
    return plan.drawing.svg()


def _walls(plan: _Plan, lid: Layout, base: Inside) -> None:
    """The openings, named above the back wall and lettered beside the others; the jack has its name inside."""
    half_x, half_y = lid.width_mm / 2, lid.depth_mm / 2
    for name, wall, along_mm, _, wide_mm, *_ in dict.fromkeys(o._replace(bottom_mm=0.0) for o in base.openings):
        half_mm = wide_mm / 2
        right = 1 if wall == "right" else -1
        if wall == "back":
            gap = Area(along_mm - half_mm, half_y - WALL_MM, along_mm + half_mm, half_y)
            x, y = plan.at(along_mm, half_y)
            beside = (x, y - 3)
        else:
            gap = rectangle(right * (half_x - WALL_MM / 2), along_mm, WALL_MM, wide_mm)
            x, y = plan.at(right * half_x, along_mm)
            beside = (x + 3 * right, y)
        plan.area(gap, fill=PAPER)
        if name == JACK and base.jack is not None:
            plan.area(base.jack, fill=METAL)
            plan.drawing.text(plan.at(*base.jack.middle), JACK, upwards=wall == "back")
        elif name in LETTERS:
            plan.drawing.text(beside, LETTERS[name])
        else:
            plan.drawing.text(beside, name, anchor="start", upwards=True)


def _raspberry_pi(plan: _Plan, config: KitConfig, base: Inside) -> None:
    board, area = BOARDS[build_of(config).board], base.board
    for room in base.rooms:
        plan.area(room, ink=PALE, broken=True)
    plan.area(base.hatch, fill=PAPER, broken=True)
    plan.drawing.text(plan.at(*base.hatch.middle), "card")
    plan.area(area, fill=GREEN, round_mm=2.0)
    used = plugged(config)
    for port in board.ports:
        socket = at_edge(port, area, port.width_mm / 2, SOCKET_MM[port.edge], port.out_mm)
        plan.area(socket, fill=METAL if port in used else PAPER)
        if port.edge == "right":
            plan.drawing.text(plan.at(*socket.middle), port.name)
        elif port.edge == "front" and port in used:
            name = "power" if port is used[0] else "USB"
            plan.drawing.text(plan.at(socket.middle[0], area.back_mm - 4.5), name, anchor="end", upwards=True)
    middle_mm, along_mm = area.right_mm - board.header_mm[0], area.back_mm - board.header_mm[1]
    plan.area(rectangle(middle_mm, along_mm, 50.8, 5.0), fill=DARK)
    for number in range(1, 41):
        plan.area(rectangle(*pin_at(board, area, number), 1.2, 1.2), fill=LIT, ink=DARK, round_mm=0.6)
    plan.area(rectangle(*pin_at(board, area, 1), 2.2, 2.2), fill=PAPER)
    left, top = plan.at(middle_mm - 25.4, along_mm + 2.5)
    plan.drawing.text((left, top - 2.5), PI, anchor="start")
    right, _ = plan.at(middle_mm + 25.4, along_mm)
    plan.drawing.text((right, top - 2.5), "pin 1", anchor="end")
    for standoff in base.standoffs:
        plan.disc(standoff, 4.5, fill=PAPER)


def _small_board(plan: _Plan, tray: Tray) -> None:
    """A small board with its name, along its longer side where the other is too narrow."""
    middle, area = tray.board.middle, tray.board
    wide_mm, deep_mm = area.right_mm - area.left_mm, area.back_mm - area.front_mm
    if tray.name == BUZZER:
        plan.disc(middle, wide_mm + 2 * TRAY_MM, fill=METAL)
        plan.drawing.text(plan.at(*middle), BUZZER)
        return
    plan.area(area, fill=GREEN if tray.name == PICO else COPPER)
    upright = deep_mm > wide_mm
    plan.drawing.text(plan.at(*middle), tray.name, upwards=upright)
    if tray.plug is not None:
        plan.area(tray.plug, ink=PALE, broken=True)
        x, y = tray.plug.middle
        across, along = (x > middle[0]) - (x < middle[0]), (y > middle[1]) - (y < middle[1])
        across, along = (0, along) if upright else (across, 0)
        end_x, end_y = middle[0] + across * (wide_mm / 2 - 6), middle[1] + along * (deep_mm / 2 - 6)
        plan.drawing.text(plan.at(end_x, end_y), "USB", upwards=upright)
