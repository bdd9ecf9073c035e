"""The LED strip (optional): a row or a ring of coloured lamps on a serial line."""

from enum import IntEnum
from typing import NamedTuple, Protocol, TypeAlias


class Colour(NamedTuple):
    red: int  # 0 to 255 each
    green: int
    blue: int


OFF = Colour(0, 0, 0)
USUAL_LEDS = 60  # until a controller has reported its number
USUAL_MA = 500  # any USB port gives that
Pixels: TypeAlias = tuple[Colour, ...]  # from the strip's start, one for each lamp


def as_bytes(pixels: Pixels) -> bytes:
    """Red, green and blue of each lamp, one after the other."""
    return bytes([part for pixel in pixels for part in pixel])


class Rhythm(IntEnum):
    """How a lamp moves by itself. Its bits are the lowest ones of a colour's red, green and blue.

    So only pixels are sent: a difference of 1 in 255 cannot be seen, and a controller without rhythms shows the same
    picture at rest.
    """

    STEADY = 0b000
    BREATHE = 0b001  # slowly darker and brighter again
    FLASH = 0b010  # on and off
    CHASE = 0b100  # a light runs along the lamps, from the strip's start to its end


def lamp(colour: Colour, rhythm: Rhythm = Rhythm.STEADY) -> Colour:
    """A colour with a rhythm in it; red, green and blue change by 1 at most."""
    return Colour(*(part & ~1 | (rhythm >> shift & 1) for part, shift in zip(colour, (2, 1, 0), strict=True)))


def rhythm(colour: Colour) -> Rhythm:
    """The rhythm in a colour; steady where it is unknown."""
    red, green, blue = (part & 1 for part in colour)
    bits = red << 2 | green << 1 | blue
    return Rhythm(bits) if bits in RHYTHMS else Rhythm.STEADY


RHYTHMS = frozenset(Rhythm)


class Mounting(NamedTuple):
    """How the strip is mounted: which lamp is the first of a picture, and the direction."""

    reversed: bool = False
    offset: int = 0  # lamps from the strip's start to the picture's first one

    def sent(self, picture: Pixels) -> Pixels:
        """A picture in the order of the strip's own lamps."""
        turned = picture[::-1] if self.reversed else picture
        by = -self.offset % len(picture) if picture else 0
        return turned[by:] + turned[:by]


AS_IT_IS = Mounting()


class Strip(Protocol):
    """Shows whole pictures, on a thread of its own: the newest wins, nothing ever blocks the caller."""

    @property
    def leds(self) -> int:
        """The number of lamps; a controller may change it, which is reported."""
        ...

    def show(self, pixels: Pixels, *, calm: bool = True) -> None:
        """Take a picture of `leds` pixels and return at once.

        `calm`: the next one may come later by the time that the controller takes to say how it is set.
        """
        ...

    def close(self) -> None:
        """Strip off; let go of the port."""
        ...
