"""What a meter shows between the wires of the header before they are plugged in: four resistances, and each line.

All supplies are off. A meter's voltage lights no LED, and without power no chip of a kit leads from one rail to the
other: so nearly all is open, with the meter's red probe on what has the higher voltage in use. The other way round the
lamps' chip leads through its diodes. A part that shows less than its voltage divided by its largest current is a short.
An input of a ULN2803A has 2.7 kOhm to its transistors, and these 7.2 and 3 kOhm to ground; one of a TBD62083A takes
0.1 mA at 2.5 V at most (data sheets).
"""

from math import ceil
from typing import NamedTuple

from hardware.building.circuit import return_of
from hardware.building.wiring import BUZZER, COLOURS, LAMP_BOARD, V3_COLOUR, V5_COLOUR, Wire, WireEnd
from hardware.config import HeaderLine, KitConfig
from hardware.pins import GND, HEADER, POWER, V3, V5
from hardware.sizes import BUTTONS, BUZZER_OHM, DISPLAY, MODULES, PI, build_of

OPEN = "open"
COPPER_OHM = 0.0178  # of a metre with a cross-section of 1 mm2
SWITCH_KOHM = (2.7, 7.2, 3.0)
MOS_SWITCH_KOHM = 2.5 / 0.1  # at least
OPEN_KOHM = 100  # more than this is open: damp fingers at both probes show as much
RESISTANCES = 4  # the rows of the table; `plugged_in` has those that follow


class Resistance(NamedTuple):
    """One of the four: between what, what a sound harness shows, and what is wrong where it shows something else."""

    between: str
    sound: str
    wrong: str


def resistances(config: KitConfig, made: tuple[Wire, ...]) -> tuple[Resistance, Resistance, Resistance, Resistance]:
    """The four of a kit with these wires."""
    (vcc,) = (wire for wire in made if wire.end == WireEnd(DISPLAY, "VCC"))
    (black,) = (wire for wire in made if wire.end == WireEnd(DISPLAY, GND))
    ground = f"ground (pin {to_header(made, black)[-1].begin.pin}, black)"
    red = f"{V3} (pin {vcc.begin.pin}, {COLOURS[V3_COLOUR].name})"
    least_ohm = ceil(3300 / MODULES[config.display.driver].most_ma)
    display = Resistance(
        f"{red} and {ground}",
        f"more than {least_ohm} Ω, mostly thousands, and rising",
        "VCC and GND of the display touch each other",
    )
    each = Resistance(
        "each line, at the meter's red probe, and ground",
        "as in *Pins*",
        "a wrong leg, or solder between neighbouring pins",
    )
    fed = [wire for wire in made if wire.begin.part == PI and wire.end.pin == V5]
    if not fed:
        free = " and ".join(str(number) for number, carried in POWER.items() if carried == V5)
        none, socket = f"no wire: pins {free} stay free", "a socket is on a wrong pin"
        return display, Resistance(f"{V5} and ground", none, socket), Resistance(f"{V5} and {V3}", none, socket), each
    orange = f"{V5} (pin {fed[0].begin.pin}, {COLOURS[V5_COLOUR].name})"
    lit_ohm = ceil(5000 / (len(config.lamps) * BUTTONS[build_of(config).button].lamp_ma))
    return (
        display,
        Resistance(
            f"{orange}, at the meter's red probe, and {ground}",
            OPEN,
            f"below {lit_ohm} Ω it is a short: the rails of the lamp board touch; else its chip is the wrong way round",
        ),
        Resistance(
            f"{orange}, at the meter's red probe, and {red}; then {V5}, still at the red probe, and each line",
            OPEN,
            "**plug nothing in, it would destroy the Raspberry Pi**: orange is swapped with red, or with a line. First "
            "see that the red probe is on orange: if it is on a lamp's line, the chip shows two of its diodes and "
            f"{_switch()}, and that is no fault",
        ),
        each,
    )


def to_ground(made: tuple[Wire, ...], line: HeaderLine) -> str:
    """What a line shows to the ground of its part, and at which pin of the header that is."""
    if line.part == "lamp":
        (black,) = (wire for wire in made if wire.end == WireEnd(LAMP_BOARD, GND))
        either = f"{_switch()} with a ULN2803A, more than {MOS_SWITCH_KOHM:.0f} kΩ with a TBD62083A"
        return f"{either}, {OPEN} without; at pin {black.begin.pin}"
    (wire,) = (wire for wire in made if wire.begin == WireEnd(PI, str(HEADER[line.pin])))
    part = wire.end.part
    if line.part == "display":
        return "as its module has it"
    back = return_of(wire.end) or WireEnd(BUZZER, "-")
    (black,) = (other for other in made if other.end == back)
    way = to_header(made, black)
    at = f"at pin {way[-1].begin.pin}"
    if part == BUZZER:
        return f"{OPEN}; some {BUZZER_OHM} Ω would be a coil, no piezo; {at}"
    closed = f"{ohm((wire, *way)):.1f} Ω"
    if line.name in ("a", "b"):
        return f"{OPEN} and {closed} by turns, while it is turned; {at}"
    return f"{OPEN}, pressed {closed}; {at}"


def _switch() -> str:
    """An input of a ULN2803A."""
    return f"{sum(SWITCH_KOHM):.0f} kΩ"


def to_header(made: tuple[Wire, ...], wire: Wire) -> tuple[Wire, ...]:
    """A wire, and the one that leads from its begin on to the header where it does not begin there."""
    if wire.begin.part == PI:
        return (wire,)
    (on,) = (other for other in made if other.begin.part == PI and other.end == wire.begin)
    return wire, on


def ohm(way: tuple[Wire, ...]) -> float:
    """The resistance of wires one after the other, in ohm."""
    return sum(COPPER_OHM * wire.long_mm / 1000 / wire.mm2 for wire in way)
