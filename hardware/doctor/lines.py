"""Judges how the lines of buttons, control, lamps and buzzer stand while nobody touches anything."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Literal, NamedTuple, TypeAlias

from hardware.config import KitConfig
from hardware.doctor.catalogue import Finding, finding, fine
from hardware.doctor.machine import group, usable, user

WATCH_MS = 50  # how long a line is watched
RESTLESS = 8  # edges in that time that no hand makes; a press that bounces is over sooner
# of a bus's line only that it is free can be said: modules have resistors of their own
Kind: TypeAlias = Literal["button", "contact", "output", "bus"]
HEADER_DEVICES = "/dev/gpiochip*"


class Look(NamedTuple):
    """How a line stood, or why nobody knows. What was not looked at is as it should be."""

    up: bool = True  # high with a pull-up, at least at times
    down: bool = False  # high with a pull-down
    driven: bool = True  # high when it is driven high
    edges: int = 0  # while it was watched
    holder: str | None = None  # the program that has it
    trouble: str | None = None


class Line(NamedTuple):
    """A line of the kit, and what hangs on it."""

    part: str
    pin: int
    kind: Kind

    @property
    def place(self) -> str:
        """Where it is, for people."""
        return f"GPIO {self.pin}"


def called(name: str) -> str:
    """A button as people know it."""
    return {"ok": "OK", "up": "▲", "down": "▼"}.get(name, name)


def lines(config: KitConfig) -> Iterator[Line]:
    """Every line of the real parts of a kit."""
    if config.buttons.driver != "emulated":
        for player in config.players:
            yield Line(f"button {player.name}", player.button, "button")
        for name, pin in config.control.pins.items():
            if config.control.kind == "buttons":
                yield Line(f"button {called(name)}", pin, "button")
            elif name == "push":
                yield Line("knob push", pin, "button")
            else:
                yield Line(f"knob {name.upper()}", pin, "contact")
        for player in config.players:
            if player.lamp is not None:
                yield Line(f"lamp {player.name}", player.lamp, "output")
        if config.buzzer is not None:
            yield Line("buzzer", config.buzzer.pin, "output")
    if config.display.driver != "emulated":
        for name, line in (("data/command", config.display.dc), ("reset", config.display.reset)):
            if line is not None:
                yield Line(f"display {name}", line, "bus")


def judge(line: Line, look: Look) -> Finding:
    """What is to be said of one line."""
    if look.holder is not None:
        return finding("line-busy", line.part, line.place, holder=look.holder)
    if look.trouble is not None:
        return finding("line-lost", line.part, line.place, reason=look.trouble)
    if look.edges >= RESTLESS and line.kind != "bus":
        return finding("line-restless", line.part, line.place, edges=look.edges, ms=WATCH_MS)
    if line.kind in ("button", "contact") and not look.up:
        return finding("button-held" if line.kind == "button" else "contact-closed", line.part, line.place)
    if line.kind == "output" and look.down:
        return finding("line-held-high", line.part, line.place)
    # low with a pull-up may be the transistor of a strong lamp: only that it cannot be switched on is a fault
    if line.kind == "output" and not look.up and not look.driven:
        return finding("line-held-low", line.part, line.place)
    return fine(line.part, line.place)


def chip(labels: Mapping[Path, str], headers: Mapping[Path, str]) -> tuple[Path | None, Finding | None]:
    """The header's chip, or what is wrong with it. `headers`: those of the chips that are labelled as the header's."""
    closed = [path for path in labels if not usable(path)]
    if not labels:
        return None, finding("gpio-chip-missing", "pins", HEADER_DEVICES)
    if len(headers) > 1:
        return None, finding("gpio-chip-twice", "pins", ", ".join(map(str, headers)))
    for path in headers or closed:
        if not usable(path):
            return None, finding("gpio-no-rights", "pins", str(path), user=user(), group=group(path, usual="gpio"))
        return path, None
    found = ", ".join(f"{path} ({label})" for path, label in labels.items())
    return None, finding("gpio-chip-renamed", "pins", ", ".join(map(str, labels)), found=found)
