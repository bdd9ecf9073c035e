"""A lamp in each player's button."""

from typing import Protocol


class Lamps(Protocol):
    """The lamps of a kit; buttons without one are ignored."""

    names: frozenset[str]  # the buttons that have a lamp

    def show(self, lit: frozenset[str]) -> int:
        """Light these lamps and no others. Returns CLOCK_MONOTONIC ns, taken when the write was done."""
        ...

    def close(self) -> None:
        """All lamps off; let go of the lines."""
        ...
