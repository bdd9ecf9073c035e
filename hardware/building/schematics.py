"""The circuits of a kit: the buzzer, a player's button with its lamp, the strip's supply and data."""

import re
from html import escape
from itertools import pairwise
from typing import Literal

from schemdraw import Drawing, svgconfig
from schemdraw import elements as elm

from hardware.building.drawing import FONT, PALE
from hardware.building.wiring import (
    BESIDE,
    BUFFER,
    BYPASS_NF,
    DATA_OHM,
    IN_WIRE,
    LAMP_BOARD,
    PICO,
    PULL_DOWN_KOHM,
    STRIP_BOARD,
    WireEnd,
    wires,
)
from hardware.config import KitConfig
from hardware.pins import CARRIED, HEADER, V5
from hardware.power import fuse_a
from hardware.sizes import BUZZER_OHM, PI

Point = tuple[float, float]
Side = Literal["left", "center", "right"]

SMALL = 10  # points, of notes; all else has 12


def schematics(config: KitConfig) -> dict[str, bytes]:
    """The circuits as SVG, by file name, in the order of building. Raises `ConfigError`."""
    sheets: dict[str, bytes] = {}
    if config.buzzer is not None:
        sheets["schematic-buzzer.svg"] = _buzzer(config.buzzer.pin)
    sheets["schematic-button.svg"] = _button(config)
    if config.strip is not None:
        sheets["schematic-strip.svg"] = _strip(fuse_a(config))
    return sheets


def _button(config: KitConfig) -> bytes:
    """The first player's button; with the first lamp, where the kit has lamps."""
    sheet = _Sheet("A player's button")
    lamps = [player for player in config.players if player.lamp is not None]
    player = lamps[0] if lamps else config.players[0]
    sheet.box(-3, -0.6 if player.lamp is None else -7.3, 3, 4.6, PI)
    sheet.part(elm.ResistorIEC(), (0.5, 3), (0.5, 1))
    sheet.words(-0.1, 2, "its own pull-up,\nabout 50 kΩ", "right")
    sheet.up((0.5, 3), "3.3 V")
    sheet.line((-1, 1), (7, 1))
    sheet.dot(0.5, 1)
    sheet.words(-1.2, 1, "input", "right")
    sheet.gpio(3, 1, player.button)
    sheet.part(elm.Button(), (7, 1), (7, -1))
    sheet.words(7.1, 0.75, "NO", "left", SMALL)
    sheet.words(7.1, -0.75, "COM", "left", SMALL)
    sheet.words(8.2, 0, "pressed: the line lies\non ground and reads 0", "left")
    sheet.ground(7, -1)
    if player.lamp is not None:
        supply = next(wire.begin.pin for wire in wires(config) if wire.end == WireEnd(LAMP_BOARD, V5))
        _lamp(sheet, player.lamp, supply)
    return sheet.svg()


def _lamp(sheet: "_Sheet", line: int, supply: str) -> None:
    chip = BESIDE[LAMP_BOARD]
    sheet.title = "A player's button and its lamp"
    sheet.line((-1, -4.5), (6, -4.5))
    sheet.words(-1.2, -4.5, "output", "right")
    sheet.gpio(3, -4.5, line)
    sheet.chip(6, -6.2, 10, -3, "ULN2803A")
    sheet.words(8, -7.2, "pin 1: left of the notch,\nwhich points up", "center", SMALL)
    sheet.lead(6, -4.5, "IN1", chip["IN1"], "left")
    sheet.lead(6, -5.7, "GND", "pin 9", "left")
    sheet.lead(10, -3.5, "COM", "pin 10", "right")
    sheet.lead(10, -4.5, "OUT1", chip["OUT1"], "right")
    sheet.line((6, -5.7), (5, -5.7), (5, -6.3))
    sheet.ground(5, -6.3)
    sheet.line((10, -3.5), (12, -3.5), (12, -2.5), (15, -2.5))
    sheet.dot(12, -2.5)
    sheet.line((9.1, -2.5), (10.2, -2.5))
    sheet.part(elm.FuseIEC(), (10.2, -2.5), (12, -2.5))
    sheet.words(11.2, -1.95, IN_WIRE[WireEnd(LAMP_BOARD, V5)], "center", SMALL)
    sheet.up((9.1, -2.5), f"5 V, pin {supply}")
    sheet.part(elm.ResistorIEC(), (15, -2.5), (15, -4.3))
    sheet.part(elm.LED(), (15, -4.3), (15, -6))
    sheet.line((15, -6), (12.5, -6), (12.5, -4.5), (10, -4.5))
    sheet.box(13.2, -7, 18.6, -1.5, "lamp for 5 V")
    sheet.words(15.7, -3.4, "its own\nresistor", "left", SMALL)
    sheet.words(14.7, -2.1, "lamp +", "right")
    sheet.words(14.7, -6.45, "lamp −", "right")
    sheet.note(
        "The next lamps: IN2 (pin 2) with OUT2 (pin 17), IN3 (pin 3) with OUT3 (pin 16), and so on.",
        "COM (pin 10) to 5 V: the chip's diodes then take the kick of long wires, or of a bell in place of a lamp.",
        "With LEDs alone it may stay open. About 1 V stays in the chip: the lamp gets 4 V.",
    )


def _strip(held_a: float) -> bytes:
    sheet = _Sheet("The strip's supply and data")
    chip, pico = BESIDE[STRIP_BOARD], BESIDE[PICO]
    sheet.pin(0, 7, "5 V jack +", "right")
    sheet.pin(0, 0, "5 V jack -", "right")
    sheet.words(-0.25, 3.5, "5 V only,\ncentre positive;\nM8, 5.5/2.1 mm", "right", SMALL)
    sheet.part(elm.FuseIEC(), (0, 7), (3, 7))
    sheet.words(1.5, 7.5, f"fuse {held_a:g} A", "center")
    sheet.line((3, 7), (22.2, 7))
    sheet.line((0, 0), (22.2, 0))
    sheet.part(elm.Capacitor2(polar=True), (3.8, 7), (3.8, 0))
    sheet.dot(3.8, 7)
    sheet.dot(3.8, 0)
    sheet.words(3.4, 2.4, "1,000 µF,\n6.3 V or more", "right")
    sheet.box(5.2, 1.4, 8, 4.6, PICO)
    sheet.lead(8, 3.6, "GP16", pico["GP16"], "right")
    sheet.lead(8, 2, "GND", pico["GND"], "right")
    sheet.words(5.4, 2.8, "USB from the\nRaspberry Pi", "left", SMALL)
    sheet.line((8, 3.6), (13.4, 3.6))
    sheet.line((8, 2), (9.1, 2), (9.1, 0))
    sheet.dot(9.1, 0)
    sheet.part(elm.ResistorIEC(), (10.2, 3.6), (10.2, 0))
    sheet.dot(10.2, 3.6)
    sheet.dot(10.2, 0)
    sheet.words(10.6, 1.8, f"{PULL_DOWN_KOHM} kΩ")
    sheet.chip(13.4, 1.4, 16.4, 4.6, BUFFER)
    sheet.lead(13.4, 3.6, "1A", chip["in"], "left")
    sheet.lead(13.4, 2, "1OE", "pin 1", "left")
    sheet.lead(16.4, 3.6, "1Y", chip["out"], "right")
    sheet.line((13.4, 2), (12.6, 2), (12.6, 0))
    sheet.dot(12.6, 0)
    for y, rail, name, number in ((4.6, 7, "VCC", "pin 14"), (1.4, 0, "GND", "pin 7")):
        sheet.line((15.9, y), (15.9, rail))
        sheet.dot(15.9, rail)
        sheet.words(15.9, y + (-0.3 if rail else 0.3), name, "center", SMALL)
        sheet.words(15.7 if rail else 16.1, y + (0.9 if rail else -0.5), number, "right" if rail else "left", SMALL)
    sheet.line((15.9, 6.2), (17.4, 6.2))
    sheet.dot(15.9, 6.2)
    sheet.part(elm.Capacitor(), (17.4, 6.2), (17.4, 4.9))
    sheet.ground(17.4, 4.9)
    sheet.words(17.9, 5.6, f"{BYPASS_NF} nF, close\nto the chip", "left")
    sheet.line((16.4, 3.6), (18.4, 3.6))
    sheet.part(elm.ResistorIEC(), (18.4, 3.6), (21, 3.6))
    sheet.words(19.7, 4.15, f"{DATA_OHM} Ω", "center")
    sheet.words(19.7, 2.9, "at the strip's end", "center", SMALL)
    sheet.line((21, 3.6), (22.2, 3.6))
    sheet.box(22.2, -0.8, 24.6, 7.8, "strip")
    for y, name in ((7, "5 V"), (3.6, "DIN"), (0, "GND")):
        sheet.pin(22.2, y, name, "left")
    sheet.note(
        f"The {PULL_DOWN_KOHM} kΩ hold the data line low while the Pico has no power: the strip then stays dark.",
        f"Unused inputs of the {BUFFER} to ground: 5, 9, 12 and the enables 4, 10, 13. Its outputs 6, 8, 11 stay open.",
        "One common ground for jack, Pico, chip and strip. The jack's 5 V never goes to the Pico or the Raspberry Pi.",
    )
    return sheet.svg()


def _buzzer(line: int) -> bytes:
    sheet = _Sheet("The buzzer")
    sheet.box(-3, -0.6, 3, 2.2, PI)
    sheet.words(-0.2, 1, "output, PWM", "right")
    sheet.line((0, 1), (4.5, 1))
    sheet.gpio(3, 1, line)
    sheet.part(elm.ResistorIEC(), (4.5, 1), (7.5, 1))
    sheet.words(6, 1.5, f"{BUZZER_OHM} Ω", "center")
    sheet.line((7.5, 1), (8.5, 1))
    sheet.drawn.add(elm.Speaker().at((8.5, 1)).theta(0))
    sheet.words(8.4, 1.3, "+", "right", SMALL)
    sheet.words(8.4, 0.2, "-", "right", SMALL)
    sheet.words(10.2, 0.75, "passive piezo", "left")
    sheet.line((8.5, 0.5), (8, 0.5), (8, -0.4))
    sheet.ground(8, -0.4)
    sheet.note(
        "A piezo without electronics of its own: the kit makes the tones. The resistor holds the current",
        f"into it at {3300 / BUZZER_OHM:.0f} mA at most, at each edge.",
    )
    return sheet.svg()


class _Sheet:
    """A drawing. One unit is half an inch."""

    def __init__(self, title: str) -> None:
        svgconfig.text = "text"
        self.title = title
        self.drawn = Drawing(canvas="svg", show=False)
        self.drawn.config(fontsize=12, font=FONT, lw=1.5, bgcolor="white", margin=0.9)

    def line(self, *points: Point) -> None:
        for begin, end in pairwise(points):
            self.drawn.add(elm.Line().at(begin).to(end))

    def part(self, part: elm.Element2Term, begin: Point, end: Point) -> None:
        self.drawn.add(part.at(begin).to(end))

    def dot(self, x: float, y: float) -> None:
        self.drawn.add(elm.Dot().at((x, y)))

    def words(self, x: float, y: float, text: str, side: Side = "left", size: int = 12) -> None:
        """Text that begins at a point, ends there, or has its middle there."""
        self.drawn.add(elm.Label().at((x, y)).theta(0).label(text, halign=side, valign="center", fontsize=size))

    def pin(self, x: float, y: float, name: str, side: Side) -> None:
        """A terminal, with its name right or left of it."""
        self.drawn.add(elm.Dot(open=True).at((x, y)))
        self.words(x + (0.25 if side == "left" else -0.25), y, name, side)

    def gpio(self, x: float, y: float, line: int) -> None:
        """A pin of the header, at the edge of the Raspberry Pi."""
        number = HEADER[line]
        self.drawn.add(elm.Dot(open=True).at((x, y)))
        self.words(x + 0.2, y + 0.3, CARRIED[number])
        self.words(x + 0.2, y - 0.3, f"pin {number}", size=SMALL)

    def lead(self, x: float, y: float, name: str, number: str, side: Literal["left", "right"]) -> None:
        """A pin of a chip or board, at its edge: its name inside, its number outside."""
        inward = 0.2 if side == "left" else -0.2
        self.words(x + inward, y, name, side)
        self.words(x - inward, y + 0.25, number, "right" if side == "left" else "left", SMALL)

    def ground(self, x: float, y: float) -> None:
        self.drawn.add(elm.Ground().at((x, y)).theta(0))

    def up(self, at: Point, name: str) -> None:
        """A rail."""
        self.drawn.add(elm.Vdd().at(at).theta(0).label(name))

    def chip(self, left: float, low: float, right: float, high: float, name: str) -> None:
        self.drawn.add(elm.Rect(corner1=(left, low), corner2=(right, high)).at((0, 0)).theta(0))
        self.words(left, high + 0.35, name)

    def box(self, left: float, low: float, right: float, high: float, name: str) -> None:
        """A dashed box round parts that belong together."""
        self.drawn.add(
            elm.Rect(corner1=(left, low), corner2=(right, high)).at((0, 0)).theta(0).linestyle("--").color(PALE)
        )
        self.words((left + right) / 2, high + 0.35, name, "center")

    def note(self, *lines: str) -> None:
        """Sentences below the drawing so far."""
        box = self.drawn.get_bbox()
        for down, text in enumerate(lines, 1):
            self.words(box.xmin, box.ymin - 0.5 * down - 0.3, text, size=SMALL)

    def svg(self) -> bytes:
        box = self.drawn.get_bbox()
        self.words(box.xmin, box.ymax + 0.8, self.title, size=16)
        root, tag_end, inside = self.drawn.get_imagedata("svg").decode().partition(">")
        inside = inside.replace("stroke-dasharray:-;", "")  # schemdraw's solid line, not valid in SVG
        inside, root = (re.sub(r"-?\d+\.\d{4,}(e-\d+)?", _rounded, part) for part in (inside, root))
        return f"{root}{tag_end}<title>{escape(self.title, quote=False)}</title>{inside}\n".encode()


def _rounded(number: re.Match[str]) -> str:
    """A number without the digits that differ between machines."""
    return f"{round(float(number[0]), 3) + 0.0:g}"
