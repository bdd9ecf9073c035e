"""Judges the sparks of an evening: short dips of a button's line that are no press, from a wire beside its own."""

from collections import Counter
from collections.abc import Iterable, Iterator

from hardware.config import HeaderLine, KitConfig
from hardware.doctor.findings import Finding, finding
from hardware.doctor.lines import kind, part_of, real_lines
from hardware.parts.buttons import Edge
from hardware.parts.debounce import sparks
from hardware.words import N_

MANY = 3  # in an evening; one or two may come from outside


def wired(config: KitConfig) -> dict[str, HeaderLine]:
    """The line of every real button, by the name that its edges have."""
    found = (line for line in real_lines(config) if kind(line) == "button")
    return {"ok" if line.key == "control.push" else line.name: line for line in found}


def judge(config: KitConfig, runs: Iterable[Iterable[Edge]]) -> Iterator[Finding]:
    """A note for every button that sparked often. `runs`: the raw edges of an evening, by run of the program."""
    counted: Counter[str] = Counter()
    for edges in runs:
        counted.update(sparks(edges))
    for name, line in wired(config).items():
        if (many := counted[name]) >= MANY:
            wire = N_("its lamp wire") if name in config.lamps else N_("another wire")
            yield finding("button-sparks", part_of(line), f"GPIO {line.pin}", sparks=many, wire=wire)
