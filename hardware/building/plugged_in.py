"""What a meter's beeper says once a kit's plugs are on the header, before power: the rows after the four resistances.

The text of each row and what a circuit is asked for it are made from the same wires.
"""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from hardware.building.circuit import METAL, Circuit, contacts
from hardware.building.resistances import RESISTANCES
from hardware.building.wiring import COLOURS, LAMP_BOARD, V3_COLOUR, V5_COLOUR, Wire, WireEnd, pin
from hardware.pins import CARRIED, GND, GROUND, POWER, V3, V5
from hardware.sizes import DISPLAY, KNOB, PI

SOCKET = "the metal of a USB socket"
FIRST = RESISTANCES + 1  # the number of the first row
BEEP_OHM = 10  # less is a beep, however the meter is made: wires, a contact and a PTC have some 2 together


class Probe(NamedTuple):
    """The meter between two ends, while a contact is closed or none: whether it must beep."""

    one: WireEnd
    other: WireEnd
    beeps: bool
    pressed: WireEnd | None = None


class PlugRow(NamedTuple):
    """A row of the table: between what, what a kit does whose plugs sit right, and what is wrong where it does not."""

    number: int
    between: str
    sound: str
    wrong: str
    probes: tuple[Probe, ...]

    def shows(self, circuit: Circuit) -> bool:
        """Whether this row shows that a plug sits wrong."""
        return any(circuit.beeps(one, other, pressed) != beeps for one, other, beeps, pressed in self.probes)


def rows(made: tuple[Wire, ...]) -> tuple[PlugRow, ...]:
    """The rows of a kit with these wires."""
    parts = (_black(made), _display(made), _supplies(made), _contacts(made), *_orange(made))
    return tuple(PlugRow(number, *part) for number, part in enumerate(parts, FIRST))


def probed(made: tuple[Wire, ...]) -> tuple[int, int]:
    """Two pins of the header: what the display's VCC beeps against once it is plugged in, and what it may not."""
    (vcc,) = (wire for wire in made if wire.end == WireEnd(DISPLAY, "VCC"))
    own, taken = int(vcc.begin.pin), {wire.begin.pin for wire in made if wire.begin.part == PI}
    same = [number for number, carried in POWER.items() if carried == POWER[own] and number != own]
    other = [number for number, carried in POWER.items() if carried != POWER[own] and str(number) not in taken]
    return same[0], other[-1]


Part = tuple[str, str, str, tuple[Probe, ...]]


def _black(made: tuple[Wire, ...]) -> Part:
    ends = [wire.end for wire in made if wire.begin.part == PI and int(wire.begin.pin) in GROUND]
    if ends == [WireEnd(LAMP_BOARD, GND)]:
        ends.append(WireEnd(DISPLAY, GND))  # it starts at the lamp board, and has a plug of its own at the display
        where = f"black, at the front rail of the {LAMP_BOARD}, then {GND} at the display,"
    else:
        names = dict.fromkeys(f"{end.pin.replace('-', '−')} of {_kind(end)}" for end in ends)
        where = f"each black wire, at its part ({', '.join(names)}),"
    return (
        f"{where} and {SOCKET}",
        "beeps",
        f"black is not on ground: on {V5} it would put {V5} on the lines",
        tuple(Probe(end, METAL, beeps=True) for end in ends),
    )


def _display(made: tuple[Wire, ...]) -> Part:
    beeps, silent = probed(made)
    ends = [wire.end for wire in made if wire.end.part == DISPLAY]
    vcc, each = WireEnd(DISPLAY, "VCC"), _and(end.pin for end in ends)
    return (
        f"VCC at the display and {_named(beeps)}; then {each} at the display, one by one, and {_named(silent)}",
        "beeps; then silent",
        f"{COLOURS[V3_COLOUR].name} is not on {V3}, or a wire of the display is on {V5}: that would go on to the lines",
        (Probe(vcc, pin(beeps), beeps=True), *(Probe(end, pin(silent), beeps=False) for end in ends)),
    )


def _supplies(made: tuple[Wire, ...]) -> Part:
    both, these = probed(made)[::-1], _these(made)
    turned = ", and while the knob is turned by a click" if KNOB in these else ""
    return (
        f"{_named(both[0])}, then {_named(both[1])}, and {SOCKET}; the same while {these} is pressed{turned}",
        "silent, always",
        f"a button's wire is on {V5} or {V3}: a press would join it with ground",
        tuple(
            Probe(pin(number), METAL, beeps=False, pressed=pressed)
            for number in both
            for pressed in (None, *contacts(made))
        ),
    )


def _contacts(made: tuple[Wire, ...]) -> Part:
    at = {wire.end: wire.begin for wire in made if wire.end in contacts(made)}
    return (
        f"the pin of {_these(made)}, counted as in *Pins*, and {SOCKET}; the same presses",
        f"beeps only while its own one is pressed{' or turned' * any(end.part == KNOB for end in at)}",
        "its wire is on another pin, where a press may short a line that the Raspberry Pi drives",
        tuple(
            Probe(at[end], METAL, beeps=pressed is not None, pressed=pressed) for end in at for pressed in (None, end)
        ),
    )


def _orange(made: tuple[Wire, ...]) -> Iterator[Part]:
    if any(wire.begin.part == PI and wire.end == WireEnd(LAMP_BOARD, V5) for wire in made):
        silent = probed(made)[1]
        yield (
            f"{COLOURS[V5_COLOUR].name}, at the back rail of the {LAMP_BOARD}, and {_named(silent)}",
            "beeps",
            f"{COLOURS[V5_COLOUR].name} is not on {V5}: on the pin of a line, that line would feed all lamps",
            (Probe(WireEnd(LAMP_BOARD, V5), pin(silent), beeps=True),),
        )


def _named(number: int) -> str:
    return f"pin {number} ({CARRIED[number]})"


def _kind(end: WireEnd) -> str:
    """A part as one of its kind."""
    kind = end.part.partition(" ")[0]
    return f"each {kind}" if kind in ("button", "key") else f"the {end.part}"


def _these(made: tuple[Wire, ...]) -> str:
    """What is pressed one after the other, in words."""
    return f"each button and the {KNOB}" if any(end.part == KNOB for end in contacts(made)) else "each button and key"


def _and(names: Iterable[str]) -> str:
    *most, last = names
    return f"{', '.join(most)} and {last}"
