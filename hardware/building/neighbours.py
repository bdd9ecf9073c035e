"""Plugs that sit one pin beside theirs: what each would do with power on, and what finds it.

What can put 5 V on a line, join supplies or overload a line is found before power, by the rows of `plugged_in`. Only
what harms nothing is left to the doctor.
"""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from hardware.building.circuit import Circuit, Harm, contacts, plugs
from hardware.building.plugged_in import rows
from hardware.building.wiring import BUZZER, LAMP_BOARD, Wire, WireEnd, wires
from hardware.config import KitConfig
from hardware.pins import CARRIED, across, beside
from hardware.sizes import DISPLAY, KNOB, PI


class PlugVerdict(NamedTuple):
    """Plugs on other pins than theirs."""

    harms: tuple[Harm, ...]  # with power on
    rows: tuple[int, ...]  # the rows before power that show it
    doctor: tuple[str, ...]  # the faults that the doctor finds in what no row shows

    @property
    def right(self) -> bool:
        """Whether the kit plays all the same, as on another pin of the same supply."""
        return not (self.harms or self.rows or self.doctor)


class Neighbour(NamedTuple):
    """One plug on one other pin."""

    plug: Wire
    pin: int | None  # None: beside the header
    alone: PlugVerdict  # a plug whose place it takes lies beside the header meanwhile
    swapped: PlugVerdict | None  # that plug sits in its place; None: the pin is free

    @property
    def verdicts(self) -> tuple[PlugVerdict, ...]:
        return (self.alone,) if self.swapped is None else (self.alone, self.swapped)


def neighbours(config: KitConfig) -> tuple[Neighbour, ...]:
    """Every plug of a kit on each pin beside its own, and off the header. Raises `ConfigError`."""
    bench = MisplacedPlugs(config)
    return tuple(bench.moved(plug, number) for plug in bench.plugs for number in (*beside(bench.right[plug.end]), None))


class MisplacedPlugs:
    """A kit whose plugs are put on other pins. Raises `ConfigError` where it cannot be built."""

    def __init__(self, config: KitConfig) -> None:
        self.config, self.made = config, wires(config)
        self.right = plugs(self.made)
        self.plugs = sorted((one for one in self.made if one.begin.part == PI), key=lambda one: self.right[one.end])
        self._rows, self._contacts = rows(self.made), contacts(self.made)

    def moved(self, plug: Wire, number: int | None) -> Neighbour:
        """One plug on another pin, with and without the plug that belongs there."""
        there = next((other.end for other in self.plugs if self.right[other.end] == number), None)
        if there is None:
            return Neighbour(plug, number, self.verdict({plug.end: number}), None)
        return Neighbour(
            plug,
            number,
            self.verdict({plug.end: number, there: None}),
            self.verdict({plug.end: number, there: self.right[plug.end]}),
        )

    def verdict(self, changed: Mapping[WireEnd, int | None]) -> PlugVerdict:
        """Some plugs on other pins, all others on theirs."""
        circuit = Circuit(self.config, self.made, {**self.right, **changed})
        shown = tuple(row.number for row in self._rows if row.shows(circuit))
        return PlugVerdict(circuit.harms(), shown, () if shown else tuple(self._doctor(changed)))

    def _doctor(self, changed: Mapping[WireEnd, int | None]) -> Iterator[str]:
        """The faults of parts whose line lies elsewhere."""
        moved = {
            end: number
            for end, number in changed.items()
            if number is None or CARRIED[number] != CARRIED[self.right[end]]
        }
        lamps = [end for end in moved if end.part == LAMP_BOARD]
        swapped = len(lamps) == 2 and {self.right[end] for end in lamps} == {moved[end] for end in lamps}
        if lamps:
            yield "lamps-swapped" if swapped else "lamp-dark"
        if any(end.part == KNOB for end in moved):  # a and b: no row tells which of them closes
            yield "knob-swapped"
        if any(end.part == BUZZER for end in moved):
            yield "buzzer-silent"
        if any(end.part == DISPLAY for end in moved):
            yield "display-missing" if self.config.display.bus == "i2c" else "display-dark"


def table(config: KitConfig) -> Iterator[str]:
    """The lines of a table: each plug with its neighbours, what they would do, and what finds it."""
    yield "| pin | plug | a row up | a row down | across | off the header |"
    yield "|--:|---|---|---|---|---|"
    by_plug: dict[WireEnd, dict[int | None, Neighbour]] = {}
    for each in neighbours(config):
        by_plug.setdefault(each.plug.end, {})[each.pin] = each
    for (part, name), found in by_plug.items():
        own = int(next(iter(found.values())).plug.begin.pin)
        places = (own - 2, own + 2, across(own), None)
        cells = [_cell(found[number]) if number in found else "" for number in places]
        yield f"| {own} | {part} {name} | {' | '.join(cells)} |"


def _cell(one: Neighbour) -> str:
    """A neighbour in few words."""
    where = "" if one.pin is None else f"{one.pin}, {CARRIED[one.pin]}: "
    if all(verdict.right for verdict in one.verdicts):
        return f"{where}right as well"
    harm = _worst([harm for verdict in one.verdicts for harm in verdict.harms])
    return f"{where}{f'**{harm}**; ' if harm else ''}{', '.join(_found(one.verdicts))}"


def _found(verdicts: tuple[PlugVerdict, ...]) -> Iterator[str]:
    """What finds all of these, in the order of finding."""
    shown = [set(verdict.rows) for verdict in verdicts if verdict.rows]
    if shown:
        every = set.intersection(*shown)
        numbers = [min(every)] if every else sorted({min(each) for each in shown})
        yield f"row {' or '.join(map(str, numbers))}"
    yield from dict.fromkeys(f"`{code}`" for verdict in verdicts for code in verdict.doctor)


def _worst(harms: list[Harm]) -> str:
    """The worst of some harms, in words."""
    for kind, many in (("5 V on GPIO", "5 V on lines"), ("joined", ""), ("overloaded", "lines overloaded")):
        its = [harm for harm in harms if kind in harm.what]
        if its:
            whats = list(dict.fromkeys(harm.what for harm in its))
            words = whats[0] if len(whats) == 1 or not many else many
            return f"pressed, {words}" if all(harm.pressed for harm in its) else words
    return ""
