"""The LED strip (optional): a row of coloured lamps on a serial line."""

from typing import NamedTuple, Protocol, TypeAlias


class Colour(NamedTuple):
    red: int  # 0 to 255 each
    green: int
    blue: int


OFF = Colour(0, 0, 0)
Pixels: TypeAlias = tuple[Colour, ...]  # from the strip's start, one for each lamp


class Strip(Protocol):
    """Shows whole pictures, on a thread of its own: the newest wins, nothing ever blocks the caller."""

    leds: int

    def show(self, pixels: Pixels) -> None:
        """Take a picture of `leds` pixels and return at once."""
        ...

    def close(self) -> None:
        """Strip off; let go of the port."""
        ...
