"""Shared by the tests of lids, wires, drawings and lists: kits with changes, and the texts of a drawing."""

import shutil
from typing import Any
from xml.etree import ElementTree as ET

import pytest
from msgspec.structs import replace

from hardware.config import ControlConfig, KitConfig, StripConfig, kit

needs_graphviz = pytest.mark.skipif(
    shutil.which("dot") is None, reason="Graphviz is missing: sudo apt install graphviz"
)
SVG = "{http://www.w3.org/2000/svg}"
CAPITALS = 0.729  # the height of DejaVu Sans's capital letters, as a part of the font's size
DISPLAY, BUILD = {"driver", "bus", "port", "dc", "reset"}, {"board", "button", "strip_ma"}


def altered(name: str, seats: int = 6, **changes: Any) -> KitConfig:
    """A kit with its first seats and with changes, of the display and of the build too."""
    config = kit(name)
    assert config.build is not None
    of_display = {key: changes.pop(key) for key in DISPLAY & changes.keys()}
    of_build = {key: changes.pop(key) for key in BUILD & changes.keys()}
    parts = {"display": replace(config.display, **of_display), "build": replace(config.build, **of_build)}
    return replace(config, players=config.players[:seats], **{**parts, **changes})


def texts(element: ET.Element) -> list[str]:
    return ["".join(text.itertext()).strip() for text in element.iter(f"{SVG}text")]


KEYS = ControlConfig("buttons", up=17, down=27, ok=22)
KITS = {  # every board, button, display, control and strip, and a Raspberry Pi at the back wall and away from it
    "duo": kit("duo"),
    "table": kit("table"),
    "party": kit("party"),
    "table with a 5": altered("table", board="pi-5"),
    "small": altered(
        "party", 4, board="pi-zero-2w", button="arcade-30", driver="sh1106", control=KEYS, strip=StripConfig(leds=20)
    ),
}
