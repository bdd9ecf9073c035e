"""Rectangles and circles seen from above, in mm, and the distances between them."""

from collections.abc import Iterable
from math import hypot
from typing import NamedTuple


class Area(NamedTuple):
    """A rectangle, larger all round by its radius: without extent of its own it is a circle."""

    left_mm: float
    front_mm: float
    right_mm: float
    back_mm: float
    radius_mm: float = 0.0

    @property
    def middle(self) -> tuple[float, float]:
        return (self.left_mm + self.right_mm) / 2, (self.front_mm + self.back_mm) / 2


def disc(x_mm: float, y_mm: float, diameter_mm: float) -> Area:
    """A circle."""
    return Area(x_mm, y_mm, x_mm, y_mm, diameter_mm / 2)


def rectangle(x_mm: float, y_mm: float, width_mm: float, depth_mm: float) -> Area:
    """A rectangle round its middle."""
    return Area(x_mm - width_mm / 2, y_mm - depth_mm / 2, x_mm + width_mm / 2, y_mm + depth_mm / 2)


def apart_mm(one: Area, other: Area) -> float:
    """The distance of two areas; negative where they overlap."""
    across = max(one.left_mm - other.right_mm, other.left_mm - one.right_mm)
    along = max(one.front_mm - other.back_mm, other.front_mm - one.back_mm)
    beside = max(across, along) if across < 0 or along < 0 else hypot(across, along)
    return beside - one.radius_mm - other.radius_mm


def clear_of(area: Area, others: Iterable[Area], gap_mm: float) -> bool:
    """Whether an area is at least so far from each of the others."""
    return all(apart_mm(area, other) >= gap_mm for other in others)


def moved(area: Area, x_mm: float, y_mm: float) -> Area:
    """An area, moved to the right and back."""
    return Area(area[0] + x_mm, area[1] + y_mm, area[2] + x_mm, area[3] + y_mm, area[4])
