"""The small boards of a kit, hole by hole: their parts and wires.

They are perforated boards with single pads, 2.54 mm from hole to hole, seen from above, where the parts are. Columns
count from the left, rows from the front, from 1.
"""

from collections.abc import Iterator

from hardware import power, sizes
from hardware.building.drawing import PALE, PAPER, Drawing, Point
from hardware.building.wiring import (
    BUFFER,
    BYPASS_NF,
    COLOURS,
    IN_WIRE,
    LAMP_BOARD,
    PICO,
    PULL_DOWN_KOHM,
    V5_COLOUR,
    WireEnd,
    wires,
)
from hardware.config import KitConfig
from hardware.pins import GND, V5
from hardware.sizes import JACK, PI, PITCH_MM, STRIP, SmallBoard, build_of

TIMES = 3.0  # the scale of a drawn board
PAGE_MM = (297.0, 210.0)
TOP_MM = 46.0  # from the page's top to a board: room for its title and the names of wires
BESIDE_MM = 3.0  # from the board to the end of a wire
FUSE_MM, CAPACITOR_MM = (25.0, 10.0), 10.0  # a holder for 5 x 20 mm; the largest usual diameter
RESISTOR_MM, BYPASS_MM = (6.5, 2.5), (4.0, 2.5)  # 1/4 W; a ceramic capacitor with legs 2.54 mm apart, from above
PULL_DOWN, BYPASS = ((3, 3), (8, 3)), ((7, 8), (8, 8))  # the holes of their legs: beside pin 2, and beside pin 14
COPPER, PAD, PART = "#f0dcc0", "#b08a58", "#e4e7ec"
PLUS, MINUS, DATA = COLOURS[V5_COLOUR].shown, "#1a1a1a", "#12894f"

Hole = tuple[float, float]  # column and row


def boards(config: KitConfig) -> dict[str, bytes]:
    """The layouts of the boards that a kit has, as SVG by file name. Raises `ConfigError`."""
    drawings: dict[str, bytes] = {}
    if config.lamps:
        drawings["board-lamps.svg"] = _lamps(config)
    if config.strip is not None:
        drawings["board-strip.svg"] = _strip(config)
    return drawings


def holes(board: SmallBoard) -> tuple[int, int]:
    """The columns and rows of holes of a board."""
    return int(board.width_mm / PITCH_MM), int(board.depth_mm / PITCH_MM)


def hole(number: int, pins: int, column: int, row: int) -> Hole:
    """The hole of a chip's pin, its notch at the left: pins run to the right in front, and back behind."""
    return (column + number - 1, row) if number <= pins // 2 else (column + pins - number, row + 3)


class _Board:
    """A page with a board on it."""

    def __init__(self, title: str, board: SmallBoard) -> None:
        self.drawing = Drawing(title, *PAGE_MM)
        self.columns, self.rows = holes(board)
        wide_mm, deep_mm = board.width_mm * TIMES, board.depth_mm * TIMES
        self.left, self.bottom = (PAGE_MM[0] - wide_mm) / 2, TOP_MM + deep_mm
        pitch_mm = PITCH_MM * TIMES
        self.rim = ((wide_mm - (self.columns - 1) * pitch_mm) / 2, (deep_mm - (self.rows - 1) * pitch_mm) / 2)
        self.drawing.rect((self.left, TOP_MM), wide_mm, deep_mm, fill=COPPER)
        for column in range(1, self.columns + 1):
            for row in range(1, self.rows + 1):
                self.drawing.circle(self.at(column, row), 2.4, fill=PAPER, ink=PAD, line_mm=0.5)

    def at(self, column: float, row: float) -> Point:
        """A hole on the page."""
        pitch = PITCH_MM * TIMES
        return self.left + self.rim[0] + (column - 1) * pitch, self.bottom - self.rim[1] - (row - 1) * pitch

    def chip(self, name: str, pins: int, column: int, row: int) -> None:
        """A chip across three rows, its notch at the left and its pin 1 in this hole."""
        side, (left, bottom) = pins // 2, self.at(column, row)
        right, top = self.at(column + side - 1, row + 3)
        self.drawing.rect((left - 3.8, top + 2), right - left + 7.6, bottom - top - 4, fill=PART, line_mm=0.5)
        middle = (bottom + top) / 2
        self.drawing.line(
            (left - 3.8, middle - 2.5),
            (left - 1.8, middle - 1.5),
            (left - 1.8, middle + 1.5),
            (left - 3.8, middle + 2.5),
        )
        self.drawing.text(((left + right) / 2, middle), name, bold=True)
        for number in range(1, pins + 1):
            x, y = self.at(*hole(number, pins, column, row))
            self.drawing.circle((x, y), 2.4, fill=MINUS)
            self.drawing.text((x, y + (-4.6 if number <= side else 4.6)), str(number))

    def lying(self, name: str, left: Hole, right: Hole, size_mm: tuple[float, float]) -> None:
        """A part with two legs that lies between two holes of a row."""
        (left_x, y), (right_x, _) = self.at(*left), self.at(*right)
        wide_mm, deep_mm = (size * TIMES for size in size_mm)
        middle = (left_x + right_x) / 2
        self.drawing.line((left_x, y), (right_x, y), ink=PALE, line_mm=0.7)
        self.drawing.rect((middle - wide_mm / 2, y - deep_mm / 2), wide_mm, deep_mm, fill=PART, line_mm=0.5)
        for x in (left_x, right_x):
            self.drawing.circle((x, y), 2.0, fill=PALE, ink=PALE)
        self.drawing.text((middle, y), name, bold=True)

    def link(self, ink: str, *spots: Hole) -> None:
        """A bare wire below the board, soldered to the pads at its ends and turns."""
        self.drawing.line(*(self.at(*spot) for spot in spots), ink=ink, line_mm=1.1)
        for spot in (spots[0], spots[-1]):
            self.drawing.circle(self.at(*spot), 2.0, fill=ink, ink=ink)

    def wire(self, spot: Hole, name: str, ink: str, *, back: bool) -> None:
        """A wire from a hole over the board's front or back edge, with the name of its other end."""
        x, y = self.at(*spot)
        end = TOP_MM - BESIDE_MM if back else self.bottom + BESIDE_MM
        for width_mm, colour in ((2.2, MINUS), (1.5, ink)):
            self.drawing.line((x, y), (x, end), ink=colour, line_mm=width_mm)
        self.drawing.circle((x, y), 3.0, fill=ink)
        self.drawing.text((x, end + (-1.5 if back else 1.5)), name, anchor="start" if back else "end", upwards=True)


def _title(config: KitConfig, board: SmallBoard) -> str:
    columns, rows = holes(board)
    return (
        f"Lucky Paw {build_of(config).title}: the {board.name}, {board.width_mm:g} x {board.depth_mm:g} mm, "
        f"{columns} x {rows} holes"
    )


def _lamps(config: KitConfig) -> bytes:
    """A rail along each long side, the chip between them: each lamp behind its line."""
    drawn = _Board(_title(config, sizes.LAMP_BOARD), sizes.LAMP_BOARD)
    first, row, back = 6, 4, drawn.rows
    drawn.link(MINUS, (2, 1), (drawn.columns - 1, 1))
    drawn.link(PLUS, (2, back), (drawn.columns - 1, back))
    drawn.chip("ULN2803A", 18, first, row)
    drawn.link(MINUS, hole(9, 18, first, row), (first + 8, 1))
    drawn.link(PLUS, hole(10, 18, first, row), (first + 8, back))
    colours = {end: COLOURS[colour].shown for *ends, colour, _, _ in wires(config) for end in ends}
    for channel, (player, line) in enumerate(config.lamps.items()):
        column = first + channel
        into, out = (colours[WireEnd(LAMP_BOARD, f"{way}{channel + 1}")] for way in ("IN", "OUT"))
        drawn.wire((column, row - 1), f"{player} GPIO {line}", into, back=False)
        drawn.wire((column, row + 4), f"{player} lamp −", out, back=True)
        drawn.link(into, (column, row), (column, row - 1))
        drawn.link(out, (column, row + 3), (column, row + 4))
    right, _ = drawn.at(drawn.columns + 1, 1)
    drawn.drawing.text((right, drawn.at(1, 1)[1]), GND, anchor="start", bold=True)
    drawn.drawing.text((right, drawn.at(1, back)[1]), V5, anchor="start", bold=True)
    drawn.drawing.notes(
        [
            *_ends(config, GND, "Black, each in a hole of its own in the front rail"),
            *_ends(config, V5, f"{COLOURS[V5_COLOUR].name.capitalize()}, each in a hole of its own in the back rail"),
            f"Seen from above, {TIMES:g} times as large. Thin lines: bare wire below the board, soldered where it",
            "ends, turns or meets another; along the rails the other holes stay open for wires.",
            "Pins 1 to 8 of the chip take the lines, 18 to 11 lead to the lamps; pins that stay free need nothing.",
        ]
    )
    return drawn.drawing.svg()


def _ends(config: KitConfig, rail: str, words: str) -> Iterator[str]:
    """The wires of a rail of the lamp board."""
    ends: dict[str, list[str]] = {}
    many = 0
    for begin, end, *_ in wires(config):
        for one, (part, name) in ((begin, end), (end, begin)):
            if one == WireEnd(LAMP_BOARD, rail):
                many += 1
                kind, _, player = part.partition("button ")
                kind = f"{name} of button" if player else f"{PI} pin" if part == PI else kind
                held = f" ({IN_WIRE[end]} in it)" if part == PI and end in IN_WIRE else ""
                ends.setdefault(kind, []).append(f"{player or name}{held}")
    yield f"{words}, {many} wires:"
    yield f"{'; '.join(f'{kind} {_and(names)}' for kind, names in ends.items())}."


def _and(names: list[str]) -> str:
    *most, last = names
    return f"{', '.join(most)} and {last}" if most else last


def _strip(config: KitConfig) -> bytes:
    """From the jack through the fuse to the strip, with the chip in front of it: no two links cross."""
    drawn = _Board(_title(config, sizes.STRIP_BOARD), sizes.STRIP_BOARD)
    drawing, first, row, last = drawn.drawing, 7, 4, drawn.columns - 1
    supply, long_mm, wide_mm = 11, FUSE_MM[0] * TIMES, FUSE_MM[1] * TIMES
    x, y = drawn.at(6.5, supply)
    drawing.rect((x - long_mm / 2, y - wide_mm / 2), long_mm, wide_mm, fill=PART, line_mm=0.5)
    drawing.text((x, y), f"fuse {power.fuse_a(config):g} A, slow", bold=True)
    x, y = drawn.at(17, supply - 1)
    drawing.circle((x, y), CAPACITOR_MM * TIMES, fill=PART, line_mm=0.5)
    drawing.text((x, y), "1,000 µF", bold=True)
    drawing.text((x, drawn.at(17, supply)[1] - 4), "+", size_mm=6, bold=True)
    drawing.text((x + 6, drawn.at(17, supply - 2)[1]), "−", size_mm=6, bold=True)
    drawn.chip(BUFFER, 14, first, row)
    pin = {number: hole(number, 14, first, row) for number in range(1, 15)}
    drawn.link(MINUS, (2, 1), (last, 1))
    for number in (1, 4, 5):
        drawn.link(MINUS, pin[number], (pin[number][0], 1))
    drawn.link(MINUS, pin[7], (14, row))  # the shortest way to the small capacitor
    drawn.link(MINUS, pin[13], (pin[13][0], 8), (14, 8), (14, 1))
    for number in (12, 10, 9):
        drawn.link(MINUS, pin[number], (pin[number][0], 8))
    drawn.link(MINUS, (17, supply - 2), (17, 1))
    drawn.link(PLUS, (1, supply), (2, supply))
    drawn.link(PLUS, (11, supply), (17, supply))
    drawn.link(PLUS, (17, supply), (last, supply))
    drawn.link(PLUS, pin[14], (first, 9), (13, 9), (13, supply))
    drawn.link(DATA, pin[2], (pin[2][0], row - 2))
    drawn.link(DATA, pin[3], (pin[3][0], row - 1))
    drawn.link(MINUS, PULL_DOWN[0], (PULL_DOWN[0][0], 1))
    drawn.lying(f"{PULL_DOWN_KOHM} kΩ", *PULL_DOWN, RESISTOR_MM)
    drawn.lying("", *BYPASS, BYPASS_MM)
    x, y = drawn.at(BYPASS[0][0] - 1, BYPASS[0][1])
    drawing.rect((x - 13, y - 3), 15, 6, fill=COPPER, ink=COPPER)
    drawing.text((x + 2, y), f"{BYPASS_NF} nF", anchor="end", bold=True)
    drawn.wire((1, supply), f"{JACK} +", PLUS, back=True)
    drawn.wire((last, supply), f"{STRIP} {V5}", PLUS, back=True)
    drawn.wire((2, 1), f"{JACK} −", MINUS, back=False)
    drawn.wire((4, 1), f"{PICO} {GND}", MINUS, back=False)
    drawn.wire((last, 1), f"{STRIP} {GND}", MINUS, back=False)
    drawn.wire((pin[2][0], row - 2), f"{PICO} GP16", DATA, back=False)
    drawn.wire((pin[3][0], row - 1), f"{STRIP} DIN", DATA, back=False)
    drawing.notes(
        [
            f"Seen from above, {TIMES:g} times as large. Thin lines are wires below the board, thick ones lead away.",
            f"Grey are a small part's own legs, on top; the {BYPASS_NF} nF may go in either way round.",
            "The large capacitor's stripe marks its −. Widen the holes of jack and strip to 1.5 mm for the wire.",
            "Unused inputs and enables of the chip (4, 5, 9, 10, 12, 13) are on ground; 6, 8 and 11 stay free.",
        ]
    )
    return drawing.svg()
