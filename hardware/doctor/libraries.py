"""The libraries that a kit's parts need, and their oldest versions; reasons: docs/decisions/0001-dependencies.md."""

import re
from collections.abc import Callable, Iterable, Iterator
from importlib import metadata
from importlib.util import find_spec
from typing import NamedTuple

from hardware.config import KitConfig
from hardware.doctor.findings import Finding, finding
from hardware.doctor.lines import real_lines
from hardware.words import N_


class Library(NamedTuple):
    """One library, by its names for pip and for import."""

    name: str
    module: str
    oldest: str
    extra: str = ""  # of luckypaw; empty: always needed


ALWAYS = (
    Library("luma.oled", "luma.oled", "3.14"),
    Library("msgspec", "msgspec", "0.21"),
    Library("pillow", "PIL", "13.0"),
    Library("smbus2", "smbus2", "0.4.2"),
)
GPIOD = Library("gpiod", "gpiod", "2.2", "pi")
GPIOZERO = Library("gpiozero", "gpiozero", "2.0", "pi")
LGPIO = Library("lgpio", "lgpio", "0.2.2", "pi")
RPI_LGPIO = Library("rpi-lgpio", "RPi.GPIO", "0.6", "rpigpio")
SERIAL = Library("pyserial", "serial", "3.5", "pi")
SPIDEV = Library("spidev", "spidev", "3.6", "spi")
PANEL = (
    Library("starlette", "starlette", "1.3.1"),
    Library("uvicorn", "uvicorn", "0.52.1"),
    Library("websockets", "websockets", "14.2"),
)


def needed(config: KitConfig) -> Iterator[Library]:
    """The libraries that this kit needs, without those of its buzzer."""
    yield from ALWAYS
    if real_lines(config):
        yield from (GPIOD, GPIOZERO)  # the check reads lines through gpiod, whatever drives them in play
    if config.strip is not None:
        yield SERIAL
    if config.display.driver != "emulated" and config.display.bus == "spi":
        yield SPIDEV
    if config.panel is not None or "emulated" in (config.buttons.driver, config.display.driver):
        yield from PANEL


def for_tones(config: KitConfig) -> Library | None:
    """The library that makes the tones of a real buzzer."""
    if config.buzzer is None or config.buttons.driver == "emulated":
        return None
    return RPI_LGPIO if config.buttons.driver == "rpigpio" else LGPIO


def installed(library: Library) -> str | None:
    """Its version; None where it is missing, empty where the version is unknown."""
    try:
        return metadata.version(library.name)
    except metadata.PackageNotFoundError:
        try:
            return "" if find_spec(library.module) is not None else None
        except (ImportError, ValueError):  # its parent is missing
            return None


def libraries(wanted: Iterable[Library], version: Callable[[Library], str | None] = installed) -> Iterator[Finding]:
    """A finding for each library that is missing or too old."""
    for library in wanted:
        present, part = version(library), N_("library {name}", name=library.name)
        extra = f"luckypaw[{library.extra}]" if library.extra else "luckypaw"
        if present is None:
            yield finding("library-missing", part, N_("{version} or newer", version=library.oldest), package=extra)
        elif present and number(present) < number(library.oldest):
            yield finding("library-old", part, present, version=library.oldest, package=extra)


def number(version: str) -> tuple[int, ...]:
    """A version as comparable numbers: 2.0.1.post3 is 2, 0, 1."""
    return tuple(map(int, re.findall(r"\d+", version)[:3]))
