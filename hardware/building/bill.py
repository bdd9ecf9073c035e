"""The parts list of a kit: quantity, two equal choices each, and usual prices (EUR, 2026)."""

from collections import Counter
from collections.abc import Iterator
from math import ceil
from typing import NamedTuple

from hardware import power, sizes
from hardware.building import catalogue
from hardware.building.catalogue import Product
from hardware.building.enclosure import parts
from hardware.building.wiring import BUFFER, BYPASS_NF, DATA_OHM, IN_WIRE, PULL_DOWN_KOHM, wires
from hardware.config import KitConfig
from hardware.layout import built
from hardware.layout.lid import KNOB_MM, bezel_screws
from hardware.sizes import BUZZER_OHM, DISPLAY, KEY_HOLE_MM, PI, PITCH_MM, RINGS_MM, STRIP_MM, build_of

SPARE = 1.2  # ratio of bought wire to cut wire
FILLED = 0.8  # printed share of a part's volume: walls are solid, plates have an infill of 20 % between layers
PETG_G_CM3 = 1.27
CALIBRATION_OHM = 470  # in the wire for calibration, so that a press meanwhile does no harm
PTC = f"PTC of the lamps, {power.PTC_A:g} A"
STEP_G = 50  # filament is rounded up to such steps
# A print's hours by its volume: the line through what PrusaSlicer 2.5 says of Duo and Table at 50 mm/s, 14.7 and 31 h.
# It is within 3 % of the Party's 28.5 h; other speeds of walls make a quarter.
START_H, H_CM3 = 3.5, 0.0622
PETG_EUR_G, PLA_EUR_G = 0.024, 0.02


class Item(NamedTuple):
    """One line of the list. Prices are for one piece."""

    many: int
    part: str
    choices: tuple[Product, Product]

    @property
    def eur(self) -> float:
        """The price of all of them, of the first choice."""
        return self.many * self.choices[0].eur


def _either(first: str, first_eur: float, second: str, second_eur: float) -> tuple[Product, Product]:
    return Product(first, first_eur), Product(second, second_eur)


def bill(config: KitConfig) -> tuple[Item, ...]:
    """All parts of a kit. Raises `ConfigError`."""
    return (*_electronics(config), *_wire(config), *_strip(config), *_hardware(config))


def together_eur(config: KitConfig) -> float:
    """The price of a kit, of the first choices. Raises `ConfigError`."""
    return sum(item.eur for item in bill(config))


def printed_g(config: KitConfig) -> int:
    """The approximate weight of the printed parts. Raises `ConfigError`."""
    return STEP_G * ceil(PETG_G_CM3 * FILLED * _printed_cm3(config) / STEP_G)


def printed_h(config: KitConfig) -> int:
    """The approximate hours of printing. Raises `ConfigError`."""
    return round(START_H + H_CM3 * _printed_cm3(config))


def _printed_cm3(config: KitConfig) -> float:
    """The volume of the printed parts, were they solid."""
    mm3: float = sum(solid.volume() for solid in parts(config).values())
    return mm3 / 1000


def _electronics(config: KitConfig) -> Iterator[Item]:
    build = build_of(config)
    yield Item(1, "computer", catalogue.BOARDS[build.board])
    yield Item(
        1, "microSD card", _either("microSD card 16 GB, A1", 7.0, "microSD card 32 GB, A1, high endurance", 11.0)
    )
    yield Item(1, "supply of the Raspberry Pi", catalogue.SUPPLIES[build.board])
    if build.board in catalogue.COOLERS:
        yield Item(1, "cooler of the Raspberry Pi", catalogue.COOLERS[build.board])
    yield Item(len(config.players), "player's button", catalogue.BUTTONS[build.button])
    if config.control.kind == "knob":
        yield Item(
            1,
            "knob",
            _either(
                "rotary encoder EC11 with push, no module: M7, shaft 6 mm, 20 pulses and detents",
                1.5,
                "rotary encoder PEC11R with push: M7, shaft 6 mm, 24 pulses and detents",
                2.5,
            ),
        )
        cap = f"cap {KNOB_MM:.0f} mm for a 6 mm shaft, with a set screw"
        yield Item(1, "cap of the knob", _either(f"{cap}, aluminium", 1.5, f"{cap}, plastic", 1.0))
    else:
        key = f"push button {KEY_HOLE_MM:.0f} mm, closes while pressed"
        yield Item(3, "key", _either(key, 0.8, f"{key}, sealed", 1.5))
    bus = "SPI, 7 pins"
    if config.display.bus == "i2c":
        bus = "I2C, 4 pins" if config.display.reset is None else "I2C, with a pin RES"
    one, other = catalogue.DISPLAYS[config.display.driver]
    yield Item(1, "display", _either(f"{one.name}, {bus}", one.eur, f"{other.name}, {bus}", other.eur))
    if config.buzzer is not None:
        yield Item(
            1,
            sizes.BUZZER.name,
            _either(
                "piezo without electronics, 14 mm, as PS1440P02BT",
                0.9,
                "piezo without electronics, 13 mm, as PKM13EPYH4000",
                0.9,
            ),
        )
        yield _resistor(f"{BUZZER_OHM} ohm")
    if config.lamps:
        yield Item(
            1, "lamp switch", _either("ULN2803A, DIP-18, with socket", 1.0, "TBD62083A, DIP-18, with socket", 1.4)
        )
        ptc = f"resettable fuse (PTC) with wires, {power.PTC_A:g} A hold, {2 * power.PTC_A:g} A trip, 16 V or more"
        yield Item(1, PTC, _either(f"{ptc}, as RXEF050", 0.3, f"{ptc}, as MF-R050", 0.3))
        yield _cut(sizes.LAMP_BOARD)


def _resistor(value: str) -> Item:
    return Item(1, value, _either(f"resistor {value}, 1/4 W, 5 %", 0.05, f"resistor {value}, 1/4 W, 1 %", 0.05))


def _cut(board: sizes.SmallBoard) -> Item:
    piece = f"perforated board, single pads, cut to {board.width_mm:.0f} x {board.depth_mm:.0f} mm"
    return Item(1, board.name, _either(f"{piece}, glass fibre", 1.0, f"{piece}, paper", 0.8))


def _wire(config: KitConfig) -> Iterator[Item]:
    """Wire by cross-section, and its plugs."""
    cut: Counter[float] = Counter()
    for wire in wires(config):
        cut[wire.mm2] += wire.long_mm
    for mm2, long_mm in sorted(cut.items()):
        awg = "AWG 26" if mm2 < 0.5 else "AWG 18"
        yield Item(
            ceil(SPARE * long_mm / 1000),
            f"metre of wire, {mm2} mm2",
            _either(
                f"stranded wire {mm2} mm2, colours as drawn",
                0.4 + mm2,
                f"silicone wire {awg}, colours as drawn",
                0.5 + mm2,
            ),
        )
    for part, name in ((PI, "header"), (DISPLAY, "display")):
        many = sum(part in (wire.begin.part, wire.end.part) for wire in wires(config))
        sockets = _either("Dupont socket, crimped", 0.1, "half a jumper wire, female", 0.1)
        yield Item(many, f"socket on a pin of the {name}", sockets)
    if config.strip is not None or config.lamps:
        tinned = "tinned copper wire 0.8 mm"
        yield Item(1, "wire for links on boards", _either(f"{tinned}, 0.5 m", 0.4, f"{tinned}, 1 m", 0.7))
    sleeved = sum(wire.end in IN_WIRE for wire in wires(config)) + 1  # the resistor of calibration
    yield Item(
        sleeved,
        "sleeve of a part in a wire",
        _either("heat-shrink tube 3 mm, 5 cm of it", 0.1, "heat-shrink tube 3.2 mm, 5 cm of it", 0.1),
    )
    jumper = "jumper wire, female at both ends"
    yield Item(1, "wire for calibration", _either(f"{jumper}, 10 cm", 0.1, f"{jumper}, 20 cm", 0.1))
    yield _resistor(f"{CALIBRATION_OHM} ohm")


def _strip(config: KitConfig) -> Iterator[Item]:
    if config.strip is None:
        return
    leds, fuse_a, (supply_a, stronger_a) = config.strip.lamps, power.fuse_a(config), power.strip_supplies_a(config)
    if config.strip.shape == "ring":
        lights, each_eur = f"WS2812B ring, {leds} lamps, {RINGS_MM[leds][1]:.0f} mm", 0.3
    else:
        lights, each_eur = f"WS2812B strip, {sizes.PER_M} a metre, {leds} lamps, {STRIP_MM:.0f} mm wide, IP30", 0.25
    yield Item(1, "strip", _either(f"{lights}, black", each_eur * leds, f"{lights}, white", each_eur * leds))
    yield Item(
        1, "controller", _either("Raspberry Pi Pico without header", 4.5, "Raspberry Pi Pico 2 without header", 5.5)
    )
    yield Item(1, "its cable", catalogue.CABLES[build_of(config).board])
    yield Item(
        1,
        "level shifter",
        _either(f"{BUFFER}, DIP-14, with socket", 0.9, f"{BUFFER}, DIP-14, with turned-pin socket", 1.2),
    )
    yield _resistor(f"{DATA_OHM} ohm")
    yield _resistor(f"{PULL_DOWN_KOHM} kohm")
    ceramic = f"ceramic capacitor {BYPASS_NF} nF, legs {PITCH_MM} mm apart"
    yield Item(1, f"{BYPASS_NF} nF", _either(f"{ceramic}, 50 V", 0.1, f"{ceramic}, 100 V", 0.1))
    yield Item(1, "capacitor", _either("electrolytic 1,000 µF, 6.3 V", 0.3, "electrolytic 1,000 µF, 10 V", 0.4))
    fuse = f"fuse 5x20 mm, {fuse_a:g} A, slow"
    yield Item(1, "fuse", _either(f"{fuse}, with holder to solder", 1.2, f"{fuse}, with two clips to solder", 1.0))
    yield _cut(sizes.STRIP_BOARD)
    jack = f"panel jack M8, 5.5/2.1 mm, {power.JACK_MA / 1000:.0f} A"
    yield Item(1, "jack, centre positive", _either(f"{jack}, metal", 1.2, f"{jack}, metal, with a cap", 1.6))
    supply, stronger = (f"supply 5 V, {a:.0f} A, 5.5/2.1 mm, centre positive" for a in (supply_a, stronger_a))
    yield Item(1, "supply of the strip", _either(supply, 8 + 2 * supply_a, stronger, 8 + 2 * stronger_a))


def _hardware(config: KitConfig) -> Iterator[Item]:
    """Screws, feet, ties and filament."""
    lid, base = built(config)
    bezel = bezel_screws(lid.of("display")[0])
    for many, part in ((len(base.screws), "screw of the lid"), (len(bezel), "screw of the bezel")):
        yield Item(many, part, _either("M3x10, cylinder head", 0.05, "3x10 mm for plastics", 0.05))
    yield Item(4, "screw of the Raspberry Pi", _either("M2.5x6", 0.05, "2.5x6 mm for plastics", 0.05))
    yield Item(4, "screw of the display", _either("M2x5", 0.05, "2x5 mm for plastics", 0.05))
    yield Item(4, "foot", _either("rubber foot 9.5 mm, glued", 0.1, "felt pad 9 mm", 0.1))
    ties = 1 if config.strip is None else 2
    yield Item(ties, "cable tie", _either("cable tie 2.5 mm", 0.02, "waxed cord", 0.02))
    grams = printed_g(config)
    some = f"1.75 mm, some {grams} g"
    yield Item(1, "print", _either(f"PETG, {some}", PETG_EUR_G * grams, f"PLA, {some}", PLA_EUR_G * grams))
