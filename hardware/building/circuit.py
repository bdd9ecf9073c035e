"""The circuit of a kit with its plugs on any pins of the header: what a meter finds there, and what power would do.

It is coarser than the parts, and rather says too much than too little: a diode, a lamp or a pull-up leads, as far as
5 V is concerned, as a wire does. What a part lets through is from the data sheets of ULN2803A and of the displays'
chips: each of their pins has diodes to its supply and from its ground, and modules pull their lines up to VCC.
"""

from collections.abc import Iterable, Iterator, Mapping
from enum import IntEnum
from typing import Literal, NamedTuple, TypeAlias

from hardware.building.wiring import LAMP_BOARD, Wire, WireEnd, line_of, pin
from hardware.config import BUSES, KitConfig, lines
from hardware.pins import GND, GROUND, HEADER, POWER, V3, V5
from hardware.sizes import DISPLAY, KNOB, PI

METAL = WireEnd(PI, "metal of its USB sockets")  # which is on ground
RETURNS = {"a": "C", "b": "C", "push": "push C"}  # of the knob: the ground of each contact

# By a plug, named by its wire's other end, the pin that it is on; None: it lies beside the header.
Placed: TypeAlias = Mapping[WireEnd, int | None]
Nets: TypeAlias = Mapping[WireEnd, WireEnd]  # by an end the net that it is on
Lines: TypeAlias = Mapping[WireEnd, list[WireEnd]]  # by net the lines on it
Role: TypeAlias = Literal["input", "output", "bus"]  # driven neither way, both ways, to ground only


class ArcWay(IntEnum):
    """How much an arc of the circuit lets through."""

    FEEBLE = 1  # less than a line gives without harm: a pull-up, an input of the lamps' chip
    LOAD = 2  # a display, a lamp
    DIODE = 3


class Arc(NamedTuple):
    """A part that lets a current through from one end to the other."""

    begin: WireEnd
    end: WireEnd
    way: ArcWay


class Harm(NamedTuple):
    """What power would do, and the contact that must be closed for it."""

    what: str
    pressed: WireEnd | None = None


def plugs(made: tuple[Wire, ...]) -> dict[WireEnd, int]:
    """The pin of each plug of a kit with these wires."""
    return {wire.end: int(wire.begin.pin) for wire in made if wire.begin.part == PI}


def return_of(end: WireEnd) -> WireEnd | None:
    """Where a wire's end leads to while its contact is closed; None: it is no contact."""
    if end.part == KNOB and end.pin in RETURNS:
        return WireEnd(KNOB, RETURNS[end.pin])
    return WireEnd(end.part, "COM") if end.pin == "NO" else None


def contacts(made: tuple[Wire, ...]) -> dict[WireEnd, WireEnd]:
    """Both ends of each contact: of buttons, keys and knob."""
    return {wire.end: back for wire in made if (back := return_of(wire.end)) is not None}


class Circuit:
    """A kit with its plugs on these pins."""

    def __init__(self, config: KitConfig, made: tuple[Wire, ...], placed: Placed) -> None:
        self._contacts = contacts(made)
        self._roles = roles(config)
        self._arcs, self._switches = tuple(_arcs(made)), tuple(_switches(made))
        wires = [(wire.begin, wire.end) for wire in made if wire.begin.part != PI]
        wires += [(pin(number), plug) for plug, number in placed.items() if number is not None]
        wires += [(METAL, pin(number)) for number in GROUND]
        for supply in (V3, V5):
            first, *others = (pin(number) for number, carried in POWER.items() if carried == supply)
            wires += [(first, other) for other in others]
        self._open = _nets(wires)

    def beeps(self, one: WireEnd, other: WireEnd, pressed: WireEnd | None = None) -> bool:
        """Whether a meter beeps between two ends while a contact is closed."""
        nets = self._nets(pressed)
        return nets.get(one, one) == nets.get(other, other)

    def harms(self) -> tuple[Harm, ...]:
        """What power would do; of what a closed contact adds only that."""
        always = dict.fromkeys(self._harms(None))
        added = [
            Harm(what, contact)
            for contact in self._contacts
            for what in dict.fromkeys(self._harms(contact))
            if what not in always
        ]
        return (*map(Harm, always), *added)

    def _nets(self, pressed: WireEnd | None) -> Mapping[WireEnd, WireEnd]:
        if pressed is None:
            return self._open
        back = self._contacts[pressed]
        closed = [back, *(end for end, its in self._contacts.items() if its == back)]  # a turned knob closes a and b
        joined = {self._open.get(end, end) for end in closed}
        nets = {end: back if net in joined else net for end, net in self._open.items()}
        return nets | dict.fromkeys(closed, back)

    def _harms(self, pressed: WireEnd | None) -> Iterator[str]:
        """What power would do while a contact is closed."""
        nets = self._nets(pressed)
        five, three, ground = (nets[at] for at in (pin(2), pin(1), METAL))
        pairs = ((five, three, (V5, V3)), (five, ground, (V5, GND)), (three, ground, (V3, GND)))
        if joined := [_joins(*supplies) for one, other, supplies in pairs if one == other]:
            yield from joined
            return
        lines: dict[WireEnd, list[WireEnd]] = {}
        for line in self._roles:
            lines.setdefault(nets.get(line, line), []).append(line)
        yield from self._too_high(nets, lines, five, three, ground)
        yield from self._too_much(nets, lines, three, ground)

    def _too_high(self, nets: Nets, lines: Lines, five: WireEnd, three: WireEnd, ground: WireEnd) -> Iterator[str]:
        """Where 5 V gets to."""
        arcs = _from_nets(self._arcs, nets)
        for net, way in _reached(five, {three, ground}, arcs).items():
            if net == three or (net == ground and way is ArcWay.DIODE):
                yield _joins(V5, V3 if net == three else GND)
            elif net != ground:
                yield from (f"{V5} on {_line(line)}" for line in lines.get(net, ()))

    def _too_much(self, nets: Nets, lines: Lines, three: WireEnd, ground: WireEnd) -> Iterator[str]:
        """What drives more than it can: 3.3 V into ground or a driven line, an output into another one or ground."""
        arcs = _from_nets((*self._arcs, *self._switches), nets)
        for net, way in _reached(three, {ground}, arcs).items():
            if net == ground and way is ArcWay.DIODE:
                yield _joins(V3, GND)
            elif way > ArcWay.FEEBLE:
                yield from (_overloads(line) for line in lines.get(net, ()) if net != ground and self._driven(line))
        for line in (line for line, role in self._roles.items() if role == "output"):
            for net, way in _reached(nets.get(line, line), {three, ground}, arcs).items():
                others = [other for other in lines.get(net, ()) if other != line and self._driven(other)]
                if way > ArcWay.FEEBLE and (others or net == ground):
                    yield _overloads(line)

    def _driven(self, line: WireEnd) -> bool:
        return self._roles[line] != "input"


def _from_nets(arcs: Iterable[Arc], nets: Mapping[WireEnd, WireEnd]) -> dict[WireEnd, list[tuple[WireEnd, ArcWay]]]:
    """By a net where arcs lead from there."""
    found: dict[WireEnd, list[tuple[WireEnd, ArcWay]]] = {}
    for begin, end, way in arcs:
        found.setdefault(nets.get(begin, begin), []).append((nets.get(end, end), way))
    return found


def _reached(
    begin: WireEnd, held: set[WireEnd], arcs: Mapping[WireEnd, list[tuple[WireEnd, ArcWay]]]
) -> dict[WireEnd, ArcWay]:
    """The nets that a current gets to, by the weakest part of its best way; it ends where a supply holds a net."""
    found, looking = {begin: ArcWay.DIODE}, [begin]
    while looking:
        at = looking.pop()
        for there, by in arcs.get(at, ()) if at == begin or at not in held else ():
            way = min(found[at], by)
            if way > found.get(there, 0):
                found[there] = way
                looking.append(there)
    return found


def _nets(wires: list[tuple[WireEnd, WireEnd]]) -> dict[WireEnd, WireEnd]:
    """By each end of a wire an end that stands for all that are joined with it."""
    near: dict[WireEnd, list[WireEnd]] = {}
    for one, other in wires:
        near.setdefault(one, []).append(other)
        near.setdefault(other, []).append(one)
    nets: dict[WireEnd, WireEnd] = {}
    for end in near:
        looking = [] if end in nets else [end]
        while looking:
            at = looking.pop()
            nets[at] = end
            looking += (other for other in near[at] if other not in nets)
    return nets


def roles(config: KitConfig) -> dict[WireEnd, Role]:
    """What the Raspberry Pi does with each of its lines: free ones are inputs, but for the serial port's TXD."""
    used = {line.pin: line.part for line in lines(config)}
    driven: dict[int, Role] = dict.fromkeys((*BUSES["I2C"], *BUSES["ID EEPROM"]), "bus")
    driven |= {line_of("UART", "TXD"): "output"}
    if config.display.bus == "spi":
        driven |= {line: "output" for line, name in BUSES["SPI"].items() if name != "MISO"}
    driven |= {line: "input" if part in ("button", "control") else "output" for line, part in used.items()}
    return {pin(number): driven.get(line, "input") for line, number in HEADER.items()}


def _arcs(made: tuple[Wire, ...]) -> Iterator[Arc]:
    """The parts of a harness that are neither wire nor contact. A piezo lets nothing through but 15 mA at an edge."""
    rail, ground = WireEnd(LAMP_BOARD, V5), WireEnd(LAMP_BOARD, GND)
    for end in (end for wire in made for end in (wire.begin, wire.end)):
        if end.pin == "lamp +":
            yield Arc(end, WireEnd(end.part, "lamp -"), ArcWay.LOAD)
        elif end.part == LAMP_BOARD and end.pin.startswith("OUT"):
            yield from (Arc(end, rail, ArcWay.DIODE), Arc(ground, end, ArcWay.DIODE))
        elif end.part == LAMP_BOARD and end.pin.startswith("IN"):
            out = WireEnd(LAMP_BOARD, end.pin.replace("IN", "OUT"))
            yield from (Arc(end, ground, ArcWay.FEEBLE), Arc(end, out, ArcWay.FEEBLE), Arc(ground, end, ArcWay.DIODE))
        elif end.part == DISPLAY and end.pin not in ("VCC", GND):
            vcc, minus = WireEnd(DISPLAY, "VCC"), WireEnd(DISPLAY, GND)
            yield from (Arc(end, vcc, ArcWay.DIODE), Arc(vcc, end, ArcWay.FEEBLE), Arc(minus, end, ArcWay.DIODE))
        elif end == WireEnd(DISPLAY, "VCC"):
            yield from (Arc(end, WireEnd(DISPLAY, GND), ArcWay.LOAD), Arc(WireEnd(DISPLAY, GND), end, ArcWay.DIODE))


def _switches(made: tuple[Wire, ...]) -> Iterator[Arc]:
    """The outputs of the lamps' chip. A ground that is joined to nothing they lift to less than an input's 3.3 V."""
    for end in (wire.begin for wire in made if wire.begin.part == LAMP_BOARD and wire.begin.pin.startswith("OUT")):
        yield Arc(end, WireEnd(LAMP_BOARD, GND), ArcWay.LOAD)


def _line(end: WireEnd) -> str:
    return next(f"GPIO {line}" for line, number in HEADER.items() if pin(number) == end)


def _joins(one: str, other: str) -> str:
    return f"{one} and {other.replace(GND, 'ground')} joined"


def _overloads(end: WireEnd) -> str:
    return f"{_line(end)} overloaded"
