"""The places of all parts on the lid of a kit: for the enclosure, the lengths of wires, and the page.

The lid is as small as possible: it grows where the base below it has no room for the boards.
"""

from functools import cache
from math import ceil
from typing import TYPE_CHECKING

from hardware.config import KitConfig
from hardware.layout.lid import BED_MM, Layout, PartPlace, lid

if TYPE_CHECKING:
    from hardware.layout.inside import Inside

__all__ = ["Layout", "PartPlace", "built", "layout"]

STEP_MM = 6.0  # by which lid and base grow


def layout(config: KitConfig) -> Layout:
    """The places of the parts of a kit. Raises `ConfigError` where they do not fit a printer's bed of 220 mm."""
    return built(config)[0]


@cache
def built(config: KitConfig) -> "tuple[Layout, Inside]":
    """The lid of a kit and the base below it. Raises `ConfigError` where they do not fit a bed of 220 mm."""
    from hardware.layout.inside import NoRoom, inside  # the page needs the lid alone

    smallest = lid(config)
    steps = ceil((BED_MM - min(smallest.width_mm, smallest.depth_mm)) / STEP_MM)
    for n in range(steps):
        try:
            return (wider := lid(config, n * STEP_MM)), inside(config, wider)
        except NoRoom:
            continue
    largest = lid(config, steps * STEP_MM)
    return largest, inside(config, largest)
