"""Judges the states of the lines of buttons, control, lamps and buzzer while nobody touches them."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Literal, NamedTuple, TypeAlias

from hardware.config import CONTROLS, HeaderLine, KitConfig, lines
from hardware.doctor.findings import Finding, finding, fine
from hardware.doctor.machine import group, usable, user
from hardware.parts.control.clicks import ClicksATurn
from hardware.words import N_, Name

WATCH_MS = 50  # how long a line is watched
RESTLESS = 8  # edges in that time: more than a press with its bounce
# a bus's line can only be checked to be free: modules have their own resistors
Kind: TypeAlias = Literal["button", "contact", "output", "bus"]
HEADER_DEVICES = "/dev/gpiochip*"


class Look(NamedTuple):
    """The state of a line, or why it is unknown. The defaults are a line without fault."""

    up: bool = True  # high with a pull-up, at least at times
    down: bool = False  # high with a pull-down
    driven: bool = True  # high when it is driven high
    edges: int = 0  # while it was watched
    holder: str | None = None  # the program that uses it
    trouble: str | None = None


def called(name: str) -> str:
    """The name of a button on the kit."""
    return Name({"ok": "OK", "up": "▲", "down": "▼"}.get(name, name))


def part_of(line: HeaderLine) -> str:
    """The part on a line, for people."""
    match line.part:
        case "control" if line.name in CONTROLS["buttons"]:
            return N_("button {name}", name=called(line.name))
        case "control":
            return N_("knob push") if line.name == "push" else N_("knob {contact}", contact=line.name.upper())
        case "display":
            return N_("display data/command") if line.name == "dc" else N_("display {line}", line=line.name)
        case "buzzer":
            return N_("buzzer")
        case "lamp":
            return N_("lamp {name}", name=Name(line.name))
        case "button":
            return N_("button {name}", name=Name(line.name))


def kind(line: HeaderLine) -> Kind:
    """How a line is judged."""
    match line.part:
        case "button":
            return "button"
        case "control":
            return "contact" if line.name in ("a", "b") else "button"
        case "display":
            return "bus"
        case "lamp" | "buzzer":
            return "output"


def real_lines(config: KitConfig) -> list[HeaderLine]:
    """Every line of the real parts of a kit: buttons and control, then lamps and buzzer, then the display's."""
    emulated, no_display = config.buttons.driver == "emulated", config.display.driver == "emulated"
    real = (line for line in lines(config) if not (no_display if line.part == "display" else emulated))
    return sorted(real, key=lambda line: {"output": 1, "bus": 2}.get(kind(line), 0))


def judge(line: HeaderLine, look: Look) -> Finding:
    """The finding for one line."""
    kind_of, part, place = kind(line), part_of(line), f"GPIO {line.pin}"
    if look.holder is not None:
        return finding("line-busy", part, place, holder=look.holder)
    if look.trouble is not None:
        return finding("line-lost", part, place, reason=look.trouble)
    if look.edges >= RESTLESS and kind_of != "bus":
        return finding("line-restless", part, place, edges=look.edges, ms=WATCH_MS)
    if kind_of in ("button", "contact") and not look.up:
        return finding("button-held" if kind_of == "button" else "contact-closed", part, place)
    if kind_of == "output" and look.down:
        return finding("line-held-high", part, place)
    # low with a pull-up may be the transistor of a strong lamp: a fault only if it cannot be switched on
    if kind_of == "output" and not look.up and not look.driven:
        return finding("line-held-low", part, place)
    return fine(part, place)


def judged(pins: Iterable[HeaderLine], looked: Mapping[int, Look], clicks: ClicksATurn) -> Iterator[Finding]:
    """The finding for each line, by pin; the contacts of a knob with so many clicks in a turn of them as a pair."""
    findings = [(line, judge(line, looked[line.pin])) for line in pins]
    closed = [line for line, found in findings if found.code == "contact-closed"]
    both = len(closed) == 2
    rests = clicks == 4 or (clicks == 2 and both)
    for line, found in findings:
        if line not in closed:
            yield found
        elif rests:
            yield fine(found.part, found.place)
        elif not both:
            yield found
        elif line is closed[0]:
            yield finding("knob-both-closed", "knob", ", ".join(f"GPIO {line.pin}" for line in closed))


def chip(labels: Mapping[Path, str], headers: Sequence[Path]) -> tuple[Path | None, Finding | None]:
    """The header's chip, or its fault. `headers`: the chips that are taken for the header's."""
    closed = [path for path in labels if not usable(path)]
    if not labels:
        return None, finding("gpio-chip-missing", "pins", HEADER_DEVICES)
    if len(headers) > 1:
        return None, finding("gpio-chip-twice", "pins", ", ".join(map(str, headers)))
    for path in headers or closed:
        if not usable(path):
            return None, finding("gpio-no-rights", "pins", str(path), user=user(), group=group(path, usual="gpio"))
        return path, None
    chips = ", ".join(f"{path} ({label})" for path, label in labels.items())
    return None, finding("gpio-chip-renamed", "pins", ", ".join(map(str, labels)), chips=chips)
