"""Where everything sits on the lid of a kit: for the enclosure, for the lengths of its wires, and for the page.

The lid is as small as can be: it grows where the base below it would have no room for the boards.
"""

from functools import cache
from math import ceil

from hardware.config import KitConfig
from hardware.layout.inside import Inside, NoRoom, inside
from hardware.layout.lid import BED_MM, Layout, Place, lid

__all__ = ["Layout", "Place", "built", "layout"]

STEP_MM = 6.0  # by which lid and base grow


def layout(config: KitConfig) -> Layout:
    """Where the parts of a kit sit. Raises `ConfigError` where they do not fit on a printer's bed of 220 mm."""
    return built(config)[0]


@cache
def built(config: KitConfig) -> tuple[Layout, Inside]:
    """The lid of a kit and what lies below it. Raises `ConfigError` where they do not fit on a bed of 220 mm."""
    smallest = lid(config)
    steps = ceil((BED_MM - min(smallest.width_mm, smallest.depth_mm)) / STEP_MM)
    for n in range(steps):
        try:
            return (wider := lid(config, n * STEP_MM)), inside(config, wider)
        except NoRoom:
            continue
    largest = lid(config, steps * STEP_MM)
    return largest, inside(config, largest)
