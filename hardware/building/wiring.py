"""Every wire of a kit, from pin to pin: the source of harness, parts list and the tests on real lines.

A lamp is switched by a ULN2803A, eight switches to ground in one chip: a GPIO line gives 3.3 V and a few mA, the lamp
needs 5 V. Buttons and keys lie between their line and ground, against the Raspberry Pi's own pull-up. Grounds go to
pins without 5 V beside them. The strip has its own controller and supply (docs/strip.md); only a USB cable leads there
from the Raspberry Pi.
"""

from collections.abc import Iterator
from functools import cache
from typing import NamedTuple, get_args

from hardware import sizes
from hardware.building.lengths import Edge, long_mm, spot
from hardware.config import BUSES, HeaderLine, KitConfig, lines
from hardware.pins import BESIDE_5V, CARRIED, GND, GROUND, HEADER, V5
from hardware.power import PTC_A
from hardware.sizes import BUZZER_OHM, DISPLAY, JACK, KNOB, PI, SIGNAL_MM2, STRIP, SUPPLY_MM2, build_of

LAMP_BOARD, STRIP_BOARD = sizes.LAMP_BOARD.name, sizes.STRIP_BOARD.name
PICO, BUZZER = sizes.PICO.name, sizes.BUZZER.name
GROUNDS = tuple(number for number in GROUND if number not in BESIDE_5V)  # for black plugs

# Other names of a part's pins: at the header, of the chip on a board, printed on a module.
BESIDE = {
    PI: {str(number): carried for number, carried in CARRIED.items()},
    PICO: {"GP16": "pin 21", GND: "pin 23"},
    LAMP_BOARD: {V5: "rail", GND: "rail"}
    | {f"IN{channel}": f"pin {channel}" for channel in range(1, 9)}
    | {f"OUT{channel}": f"pin {19 - channel}" for channel in range(1, 9)},
    STRIP_BOARD: {"in": "pin 2", GND: "rail", V5: "fuse", "fused 5 V": "rail", "out": "pin 3"},
    KNOB: {"a": "A", "b": "B", "push": "switch", "C": GND, "push C": GND},
}

CONTROL_COLOURS = {"a": "GY", "b": "WH", "push": "VT", "up": "GY", "down": "WH", "ok": "VT"}
DISPLAY_ENDS = {"dc": ("DC", "GN"), "reset": ("RES", "VT")}  # pin of the module, colour of its wire
V3_COLOUR, V5_COLOUR = "RD", "OG"  # pins 1 and 2 are neighbours: a display at 5 V harms the Raspberry Pi's lines
LAMP_COLOUR = "BN"  # 5 V when dark: swapped with another wire of its button it would damage a line
BUZZER_COLOUR = "GY"
DATA_OHM = 330  # in the wire to the strip's DIN
BUFFER = "74AHCT125"  # no HCT: through its input diodes a powered Pico would feed an unpowered strip
BYPASS_NF, PULL_DOWN_KOHM = 100, 10  # from its VCC to ground, and from its input


class WireColour(NamedTuple):
    """The colour of a wire: its name, and its value in drawings."""

    name: str
    shown: str


COLOURS = {
    "BK": WireColour("black", "#000000"),
    "BN": WireColour("brown", "#895956"),
    "RD": WireColour("red", "#ff0000"),
    "OG": WireColour("orange", "#ff8000"),
    "YE": WireColour("yellow", "#ffff00"),
    "GN": WireColour("green", "#00ff00"),
    "BU": WireColour("blue", "#0066ff"),
    "VT": WireColour("violet", "#8000ff"),
    "GY": WireColour("grey", "#999999"),
    "WH": WireColour("white", "#ffffff"),
    "PK": WireColour("pink", "#ff66cc"),
    "TQ": WireColour("turquoise", "#00ffff"),
}


# The wires of the seats are nearest to the dome's colour (hardware/seat_colours.py) but for the second: orange is 5 V.
SEAT_WIRES = ("BU", "WH", "GN", "YE", "PK", "TQ")


class WireEnd(NamedTuple):
    """One end of a wire: a part of the kit, and one of its pins."""

    part: str
    pin: str


# What is soldered into a wire, by the wire's end.
IN_WIRE = {
    WireEnd(LAMP_BOARD, V5): f"PTC {PTC_A:g} A",
    WireEnd(BUZZER, "+"): f"{BUZZER_OHM} Ω",
    WireEnd(STRIP, "DIN"): f"{DATA_OHM} Ω",
}
AT_THE_HEADER = frozenset({WireEnd(LAMP_BOARD, V5)})  # of them what is close to the header's plug, not to this end


class Wire(NamedTuple):
    """One wire. Its colour is a two-letter code of IEC 60757, a key of `COLOURS`."""

    begin: WireEnd
    end: WireEnd
    colour: str
    long_mm: int
    mm2: float = SIGNAL_MM2


def pin(number: int) -> WireEnd:
    """A pin of the header, by its number."""
    return WireEnd(PI, str(number))


def line_of(bus: str, name: str) -> int:
    """The GPIO number of a bus's line."""
    return next(line for line, called in BUSES[bus].items() if called == name)


def wires(config: KitConfig) -> tuple[Wire, ...]:
    """All wires of a kit, part by part; those of one cross-section to one part are of one length.

    Raises `ConfigError` where the kit cannot be built.
    """
    return _cut(config, opens_over(config))


@cache
def opens_over(config: KitConfig) -> Edge:
    """The edge of the base over which the lid opens: the one that needs less wire.

    Raises `ConfigError` where the kit cannot be built.
    """
    return min(get_args(Edge), key=lambda edge: sum(wire.long_mm for wire in _cut(config, edge)))


@cache
def _cut(config: KitConfig, over: Edge) -> tuple[Wire, ...]:
    """All wires, so long that the lid may lie open over an edge of the base."""
    build_of(config)
    made = list(_Maker(config).made())
    longest: dict[tuple[str, float], int] = {}
    for begin, end, _, mm2 in made:
        way_mm = long_mm(config, spot(config, *begin), spot(config, *end), over)
        longest[end.part, mm2] = max(way_mm, longest.get((end.part, mm2), 0))
    return tuple(Wire(begin, end, colour, longest[end.part, mm2], mm2) for begin, end, colour, mm2 in made)


class _Joint(NamedTuple):
    """A wire without its length."""

    begin: WireEnd
    end: WireEnd
    colour: str
    mm2: float = SIGNAL_MM2


class _Maker:
    """Makes the wires of one kit, and assigns the header's grounds."""

    def __init__(self, config: KitConfig) -> None:
        self.config = config
        self.lamps = list(config.lamps)
        self.grounds = list(GROUNDS)

    def made(self) -> Iterator[_Joint]:
        config = self.config
        if self.lamps:
            yield _Joint(pin(2), WireEnd(LAMP_BOARD, V5), V5_COLOUR)
            yield _Joint(pin(self.ground(2)), WireEnd(LAMP_BOARD, GND), "BK")
        for line in self.of("button", "lamp"):
            yield from self.seat(line)
        yield from self.control()
        yield from self.display()
        for line in self.of("buzzer"):
            yield _Joint(pin(HEADER[line.pin]), WireEnd(BUZZER, "+"), BUZZER_COLOUR)
            yield self.to_ground(BUZZER, "-", line.pin)
        if config.strip is not None:
            yield from self.strip()

    def of(self, *parts: str) -> list[HeaderLine]:
        return [line for line in lines(self.config) if line.part in parts]

    def seat(self, line: HeaderLine) -> Iterator[_Joint]:
        """A player's button, or the lamp in it."""
        part, colour = f"button {line.name}", SEAT_WIRES[self.config.names.index(line.name)]
        if line.part == "button":
            yield _Joint(pin(HEADER[line.pin]), WireEnd(part, "NO"), colour)
            yield self.to_ground(part, "COM", line.pin)
        else:
            channel = self.lamps.index(line.name) + 1
            yield _Joint(pin(HEADER[line.pin]), WireEnd(LAMP_BOARD, f"IN{channel}"), colour)
            yield _Joint(WireEnd(LAMP_BOARD, V5), WireEnd(part, "lamp +"), V5_COLOUR)
            yield _Joint(WireEnd(LAMP_BOARD, f"OUT{channel}"), WireEnd(part, "lamp -"), LAMP_COLOUR)

    def control(self) -> Iterator[_Joint]:
        control = self.of("control")
        if self.config.control.kind == "knob":
            for line in control:
                yield _Joint(pin(HEADER[line.pin]), WireEnd(KNOB, line.name), CONTROL_COLOURS[line.name])
            for end, line in (("C", control[0]), ("push C", control[2])):
                yield self.to_ground(KNOB, end, line.pin)
            return
        for line in control:
            yield _Joint(pin(HEADER[line.pin]), WireEnd(f"key {line.name}", "NO"), CONTROL_COLOURS[line.name])
            yield self.to_ground(f"key {line.name}", "COM", line.pin)

    def display(self) -> Iterator[_Joint]:
        display = self.config.display
        yield _Joint(pin(1), WireEnd(DISPLAY, "VCC"), V3_COLOUR)
        if display.bus == "i2c":
            yield _Joint(pin(HEADER[line_of("I2C", "SDA")]), WireEnd(DISPLAY, "SDA"), "BU")
            yield _Joint(pin(HEADER[line_of("I2C", "SCL")]), WireEnd(DISPLAY, "SCL"), "YE")
        else:
            yield _Joint(pin(HEADER[line_of("SPI", "SCLK")]), WireEnd(DISPLAY, "SCK"), "YE")
            yield _Joint(pin(HEADER[line_of("SPI", "MOSI")]), WireEnd(DISPLAY, "SDA"), "BU")
            yield _Joint(pin(HEADER[line_of("SPI", "CE0")]), WireEnd(DISPLAY, "CS"), "WH")
        for line in self.of("display"):
            end, colour = DISPLAY_ENDS[line.name]
            yield _Joint(pin(HEADER[line.pin]), WireEnd(DISPLAY, end), colour)
        if display.bus == "spi" and display.reset is None:  # its reset is low-active: it may not stay open
            yield _Joint(pin(17), WireEnd(DISPLAY, "RES"), V3_COLOUR)
        yield self.to_ground(DISPLAY, GND, line_of(*("I2C", "SCL") if display.bus == "i2c" else ("SPI", "MOSI")))

    def strip(self) -> Iterator[_Joint]:
        yield _Joint(WireEnd(PICO, "GP16"), WireEnd(STRIP_BOARD, "in"), "GN")
        yield _Joint(WireEnd(PICO, GND), WireEnd(STRIP_BOARD, GND), "BK")
        yield _Joint(WireEnd(JACK, "-"), WireEnd(STRIP_BOARD, GND), "BK", SUPPLY_MM2)
        yield _Joint(WireEnd(JACK, "+"), WireEnd(STRIP_BOARD, V5), V5_COLOUR, SUPPLY_MM2)
        yield _Joint(WireEnd(STRIP_BOARD, GND), WireEnd(STRIP, GND), "BK", SUPPLY_MM2)
        yield _Joint(WireEnd(STRIP_BOARD, "fused 5 V"), WireEnd(STRIP, V5), V5_COLOUR, SUPPLY_MM2)
        yield _Joint(WireEnd(STRIP_BOARD, "out"), WireEnd(STRIP, "DIN"), "GN")

    def to_ground(self, part: str, name: str, line: int) -> _Joint:
        """A wire to the lamp board's ground; in a kit without one to the header's free ground nearest to a line."""
        ground = WireEnd(LAMP_BOARD, GND) if self.lamps else pin(self.ground(HEADER[line]))
        return _Joint(ground, WireEnd(part, name), "BK")

    def ground(self, near: int) -> int:
        """Take the free ground without 5 V beside it that is nearest to a pin; once all are taken, they are shared."""
        self.grounds = self.grounds or list(GROUNDS)
        nearest = min(self.grounds, key=lambda number: (abs(number - near), number))
        self.grounds.remove(nearest)
        return nearest
