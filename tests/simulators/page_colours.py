"""How eyes see the seats' colours on pages, also those of the colour-blind; and the search that chose the colours.

`python -m tests.simulators.page_colours` searches anew, and prints how far the colours are apart: ten seconds, the
same colours each time. A page is paint where the strip is light: sRGB. The families are those of the strip, in the
same order, a little narrower, so that each colour is called what it looks like: an orange that is dark is brown.
"""

import math
from functools import cache
from itertools import combinations, product
from typing import NamedTuple

from hardware.parts.strip import Colour
from hardware.seat_colours import SEAT_COLOURS
from tests.simulators.colour_vision import EYES, Lab, Light, difference, farthest, lab, luminance, seen


class Family(NamedTuple):
    """The colours that may have a name: angles of hue from and to, lightness from and to, the least chroma. CIELAB."""

    hue: tuple[int, int]
    lightness: tuple[int, int]
    chroma: int


FAMILIES = {
    "blue": Family((262, 288), (45, 66), 45),
    "orange": Family((58, 75), (60, 78), 60),
    "green": Family((130, 160), (62, 84), 40),
    "yellow": Family((86, 103), (80, 97), 60),
    "pink": Family((335, 360), (60, 85), 30),
    "dark cyan": Family((190, 212), (45, 62), 25),
}
LEVELS = (*range(0, 249, 8), 255)
NORMAL, COLOUR_BLIND = 20.0, 12.0  # the least difference of two seats (CIEDE2000): to normal eyes, to all others
CONTRAST = 3.0  # the least contrast of a mark with its ground (WCAG 2.2, 1.4.11)
WOOD = "#54301c"  # the lightest of the dark grounds: what stands out from it does so from all of them


def colour(shown: str) -> Colour:
    """A colour by its value in CSS."""
    return Colour(*bytes.fromhex(shown[1:]))


def paint(painted: Colour) -> Light:
    """The light of a colour on a screen: sRGB."""
    red, green, blue = (_linear(part / 255) for part in painted)
    return red, green, blue


def contrast(one: Colour, other: Colour) -> float:
    """WCAG's contrast, from 1 to 21."""
    dark, bright = sorted(luminance(paint(each)) for each in (one, other))
    return (bright + 0.05) / (dark + 0.05)


def differences(one: Colour, other: Colour) -> dict[str, float]:
    """CIEDE2000, by kind of eyes."""
    return {eyes: difference(a, b) for eyes, a, b in zip(EYES, _looks(one), _looks(other), strict=True)}


@cache
def apart(one: Colour, other: Colour) -> float:
    """The difference to the eyes that tell them apart worst; normal ones are expected to see more of it."""
    return min(
        seen_by * (COLOUR_BLIND / NORMAL if eyes == "normal" else 1)
        for eyes, seen_by in differences(one, other).items()
    )


def search() -> tuple[Colour, ...]:
    """The seats' colours: one of each family, so that the nearest two are farthest apart."""
    small = sorted(FAMILIES, key=lambda name: len(family(name)))  # first those with little choice: then it is quick
    found = dict(zip(small, farthest([family(name) for name in small], apart), strict=True))
    return tuple([found[name] for name in FAMILIES])


@cache
def family(name: str) -> tuple[Colour, ...]:
    """Colours that may stand for a family, the most colourful first."""
    wanted = FAMILIES[name]

    def fits(painted: Colour) -> bool:
        lightness, a, b = lab(paint(painted))
        hue = math.degrees(math.atan2(b, a)) % 360
        return (
            wanted.lightness[0] <= lightness <= wanted.lightness[1]
            and math.hypot(a, b) >= wanted.chroma
            and wanted.hue[0] <= hue <= wanted.hue[1]
            and contrast(painted, colour(WOOD)) >= CONTRAST
        )

    found = [painted for levels in product(LEVELS, repeat=3) if fits(painted := Colour(*levels))]
    return tuple(sorted(found, key=lambda painted: min(painted) - max(painted)))


@cache
def _looks(painted: Colour) -> tuple[Lab, ...]:
    return tuple(lab(seen(paint(painted), eyes)) for eyes in EYES)


def _linear(part: float) -> float:
    return part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4


if __name__ == "__main__":
    for name, chosen in zip(FAMILIES, search(), strict=True):
        print(f"{name:10}#{bytes(chosen).hex()}")
    print(f"{'':6}", *(f"{eyes:>7}" for eyes in EYES))
    for (n, one), (m, other) in combinations(enumerate(SEAT_COLOURS, 1), 2):
        found = differences(Colour(*one.rgb), Colour(*other.rgb))
        print(f"P{n}/P{m} ", *(f"{each:7.1f}" for each in found.values()))
