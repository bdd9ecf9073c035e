"""What a meter shows between the wires of the header before they are plugged in: four resistances, and each line.

All supplies are off. A meter's voltage lights no LED, and without power no chip of a kit leads from one rail to the
other: so nearly all is open. A part that shows less than its voltage divided by its largest current is a short. An
input of a ULN2803A has 2.7 kOhm to its transistors, and these 7.2 and 3 kOhm to ground (data sheet).
"""

from math import ceil
from typing import NamedTuple

from hardware.building.wiring import BUZZER, COLOURS, LAMP_BOARD, V3_COLOUR, V5_COLOUR, End, Wire
from hardware.config import KitConfig, Line
from hardware.pins import GND, HEADER, POWER, V3, V5
from hardware.sizes import BUTTONS, BUZZER_OHM, DISPLAY, KNOB, MODULES, PI, build_of

OPEN = "open"
COPPER_OHM = 0.0178  # of a metre with a cross-section of 1 mm2
SWITCH_KOHM = (2.7, 7.2, 3.0)
OPEN_KOHM = 100  # more than this is open: damp fingers at both probes show as much
RETURNS = {"a": "C", "b": "C", "push": "push C"}  # of the knob: the ground of each contact


class Resistance(NamedTuple):
    """One of the four: between what, what a sound harness shows, and what is wrong where it shows something else."""

    between: str
    sound: str
    wrong: str


def resistances(config: KitConfig, made: tuple[Wire, ...]) -> tuple[Resistance, Resistance, Resistance, Resistance]:
    """The four of a kit with these wires."""
    (vcc,) = (wire for wire in made if wire.end == End(DISPLAY, "VCC"))
    (black,) = (wire for wire in made if wire.end == End(DISPLAY, GND))
    ground = f"ground (pin {to_header(made, black)[-1].begin.pin}, black)"
    red = f"{V3} (pin {vcc.begin.pin}, {COLOURS[V3_COLOUR].name})"
    least_ohm = ceil(3300 / MODULES[config.display.driver].most_ma)
    display = Resistance(
        f"{red} and {ground}",
        f"more than {least_ohm} Ω, mostly thousands, and rising",
        "VCC and GND of the display touch each other",
    )
    each = Resistance("each line and ground", "as in *Pins*", "a wrong leg, or solder between neighbouring pins")
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
            f"below {lit_ohm} Ω it is a short, as all lamps lit would show that: the rails of the lamp board touch, or "
            "its chip is in the wrong way round",
        ),
        Resistance(
            f"{orange} and {red}; then {V5} and each line",
            OPEN,
            "**plug nothing in, it would destroy the Raspberry Pi**: orange is swapped with red, or with a line",
        ),
        each,
    )


def to_ground(made: tuple[Wire, ...], line: Line) -> str:
    """What a line shows to the ground of its part, and at which pin of the header that is."""
    if line.part == "lamp":
        (black,) = (wire for wire in made if wire.end == End(LAMP_BOARD, GND))
        return f"{sum(SWITCH_KOHM):.0f} kΩ with a ULN2803A, {OPEN} without; at pin {black.begin.pin}"
    (wire,) = (wire for wire in made if wire.begin == End(PI, str(HEADER[line.pin])))
    part = wire.end.part
    if line.part == "display":
        return "as its module has it"
    back = "-" if part == BUZZER else RETURNS[line.name] if part == KNOB else "COM"
    (black,) = (other for other in made if other.end == End(part, back))
    way = to_header(made, black)
    at = f"at pin {way[-1].begin.pin}"
    if part == BUZZER:
        return f"{OPEN}; some {BUZZER_OHM} Ω would be a coil, no piezo; {at}"
    closed = f"{ohm((wire, *way)):.1f} Ω"
    if line.name in ("a", "b"):
        return f"{OPEN} and {closed} by turns, while it is turned; {at}"
    return f"{OPEN}, pressed {closed}; {at}"


def to_header(made: tuple[Wire, ...], wire: Wire) -> tuple[Wire, ...]:
    """A wire, and the one that leads from its begin on to the header where it does not begin there."""
    if wire.begin.part == PI:
        return (wire,)
    (on,) = (other for other in made if other.begin.part == PI and other.end == wire.begin)
    return wire, on


def ohm(way: tuple[Wire, ...]) -> float:
    """The resistance of wires one after the other, in ohm."""
    return sum(COPPER_OHM * wire.long_mm / 1000 / wire.mm2 for wire in way)


def probed(made: tuple[Wire, ...]) -> tuple[int, int]:
    """Two pins of the header: what the display's VCC beeps against once it is plugged in, and what it may not."""
    (vcc,) = (wire for wire in made if wire.end == End(DISPLAY, "VCC"))
    own, taken = int(vcc.begin.pin), {wire.begin.pin for wire in made if wire.begin.part == PI}
    same = [number for number, carried in POWER.items() if carried == POWER[own] and number != own]
    other = [number for number, carried in POWER.items() if carried != POWER[own] and str(number) not in taken]
    return same[0], other[-1]
