"""How eyes see the strip's lamps, also those of the colour-blind; and the search that chose the strip's colours.

`python -m tests.simulators.colour_vision` searches anew: some seconds, the same colours each time. On our own
controller a lamp's light is in proportion to its numbers; a WLED that corrects colours makes about their power of 2.2
of it. Both have to do.

Colour vision: Machado, Oliveira and Fernandes, 2009, at severity 1.0. Differences: CIEDE2000.
"""

import math
from collections.abc import Callable, Sequence
from functools import cache
from itertools import combinations, product
from typing import TypeAlias

from firmware.output.strip_picture import RED, WHITE, shade
from hardware.parts.strip import Colour

Light: TypeAlias = tuple[float, float, float]  # linear red, green, blue; 1.0 is a lamp's most
Lab: TypeAlias = tuple[float, float, float]
Matrix: TypeAlias = tuple[Light, Light, Light]

EYES: dict[str, Matrix] = {
    "normal": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protan": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "deutan": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881)),
    "tritan": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.303900)),
}
GAMMAS = (1.0, 2.2)  # our own controller; a WLED that corrects colours
SRGB_TO_XYZ: Matrix = (
    (0.4124564, 0.3575761, 0.1804375),
    (0.2126729, 0.7151522, 0.0721750),
    (0.0193339, 0.1191920, 0.9503041),
)
WHITE_XYZ = (0.95047, 1.0, 1.08883)  # D65: a lamp's white at its most

FAMILIES = {  # of the seats, in their order: angles of hue from and to in CIELAB, and the least chroma
    "blue": (255, 312, 45),
    "orange": (44, 80, 45),
    "green": (125, 168, 35),
    "yellow": (85, 115, 50),
    "pink": (318, 360, 35),
    "cyan": (175, 245, 25),
}
LEVELS = (*range(0, 255, 16), 254)
MIN_LUMINANCE = 0.15  # of white, for all eyes: then whoever is bright outshines whoever is dim
DIM_COUNTS = 1.5  # dim colours may be so much nearer to each other: a piece tells them by its place
NEAR = 0.05  # as near as the search comes to the best there is


def light(colour: Colour, gamma: float = 1.0) -> Light:
    """The light that comes out of a lamp."""
    red, green, blue = colour
    return (red / 255) ** gamma, (green / 255) ** gamma, (blue / 255) ** gamma


def seen(shining: Light, eyes: str) -> Light:
    """A light of the same look to normal eyes as this one has to those eyes."""
    red, green, blue = (min(1.0, max(0.0, part)) for part in _times(EYES[eyes], shining))
    return red, green, blue


def luminance(shining: Light) -> float:
    """How much light it is to the eye, from 0 to 1."""
    return _times(SRGB_TO_XYZ, shining)[1]


def lab(shining: Light) -> Lab:
    """CIELAB, next to a white lamp."""
    x, y, z = (_root(part / white) for part, white in zip(_times(SRGB_TO_XYZ, shining), WHITE_XYZ, strict=True))
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def difference(one: Lab, other: Lab) -> float:
    """CIEDE2000: 1 can just be seen side by side; about 10 is told apart at a glance."""
    (l1, a1, b1), (l2, a2, b2) = one, other
    mean_c = (math.hypot(a1, b1) + math.hypot(a2, b2)) / 2
    stretch = 1.5 - 0.5 * math.sqrt(mean_c**7 / (mean_c**7 + 25**7))
    c1, c2 = math.hypot(a1 * stretch, b1), math.hypot(a2 * stretch, b2)
    h1, h2 = math.degrees(math.atan2(b1, a1 * stretch)) % 360, math.degrees(math.atan2(b2, a2 * stretch)) % 360
    turn = 0.0 if c1 * c2 == 0 else (h2 - h1 + 180) % 360 - 180
    dh = 2 * math.sqrt(c1 * c2) * math.sin(math.radians(turn / 2))
    mean_l, mean_c = (l1 + l2) / 2, (c1 + c2) / 2
    mean_h = h1 + h2 if c1 * c2 == 0 else h1 + turn / 2

    def cos(factor: int, shift: float) -> float:
        return math.cos(math.radians(factor * mean_h + shift))

    t = 1 - 0.17 * cos(1, -30) + 0.24 * cos(2, 0) + 0.32 * cos(3, 6) - 0.20 * cos(4, -63)
    off = (mean_l - 50) ** 2
    dl = (l2 - l1) / (1 + 0.015 * off / math.sqrt(20 + off))
    dc = (c2 - c1) / (1 + 0.045 * mean_c)
    dh /= 1 + 0.015 * mean_c * t
    around = ((mean_h % 360 - 275) / 25) ** 2
    twist = -math.sin(math.radians(60 * math.exp(-around))) * 2 * math.sqrt(mean_c**7 / (mean_c**7 + 25**7))
    return math.sqrt(dl * dl + dc * dc + dh * dh + twist * dc * dh)


@cache
def apart(one: Colour, other: Colour) -> float:
    """The difference of two colours to the eyes, and on the controller, that tell them apart worst."""
    bright = min(map(difference, _looks(one), _looks(other)))
    dim = min(map(difference, _dim_looks(one), _dim_looks(other)))
    return min(bright, dim * DIM_COUNTS)


def nearest(colours: tuple[Colour, ...]) -> float:
    """The smallest difference of any two of them."""
    return min(apart(one, other) for one, other in combinations(colours, 2))


def search() -> tuple[Colour, ...]:
    """The seats' colours: one of each family, so that the nearest two of them all, white and red are farthest apart."""
    return farthest([(WHITE,), (RED,), *map(family, FAMILIES)], apart)[2:]


def farthest(families: Sequence[tuple[Colour, ...]], apart: Callable[[Colour, Colour], float]) -> tuple[Colour, ...]:
    """One colour of each family, so that the nearest two are farthest apart."""
    best: tuple[Colour, ...] = ()
    low, high = 0.0, 50.0
    while high - low > NEAR:
        middle = (low + high) / 2
        if (found := _fitting(families, middle, apart)) is None:
            high = middle
        else:
            best, low = found, middle
    return best


def family(name: str) -> tuple[Colour, ...]:
    """Colours that may stand for a family, the most colourful first."""
    low, high, least = FAMILIES[name]

    def fits(colour: Colour) -> bool:
        looks = [lab(light(colour, gamma)) for gamma in GAMMAS]
        hues = [math.degrees(math.atan2(b, a)) % 360 for _, a, b in looks]
        strong = all(math.hypot(a, b) >= least for _, a, b in looks)
        dark = any(luminance(seen(light(colour), eyes)) < MIN_LUMINANCE for eyes in EYES)
        return strong and not dark and all(low <= hue <= high for hue in hues)

    found = [colour for levels in product(LEVELS, repeat=3) if fits(colour := Colour(*levels))]
    return tuple(sorted(found, key=lambda colour: min(colour) - max(colour)))


def _fitting(
    families: Sequence[tuple[Colour, ...]], least: float, apart: Callable[[Colour, Colour], float]
) -> tuple[Colour, ...] | None:
    """One colour of each family, all of them at least so far apart; None if there are none."""
    if not families:
        return ()
    for colour in families[0]:
        left = [tuple(other for other in others if apart(colour, other) >= least) for others in families[1:]]
        if all(left) and (found := _fitting(left, least, apart)) is not None:
            return (colour, *found)
    return None


@cache
def _looks(colour: Colour) -> tuple[Lab, ...]:
    return tuple(lab(seen(light(colour, gamma), eyes)) for gamma in GAMMAS for eyes in EYES)


@cache
def _dim_looks(colour: Colour) -> tuple[Lab, ...]:
    """On our own controller; the other one has too little light left."""
    return tuple(lab(seen(light(shade(colour)), eyes)) for eyes in EYES)


def _times(matrix: Matrix, shining: Light) -> Light:
    x, y, z = (sum(a * b for a, b in zip(row, shining, strict=True)) for row in matrix)
    return x, y, z


def _root(part: float) -> float:
    return math.cbrt(part) if part > (6 / 29) ** 3 else part / (3 * (6 / 29) ** 2) + 4 / 29


if __name__ == "__main__":
    for name, colour in zip(FAMILIES, chosen := search(), strict=True):
        print(f"{name:8}{tuple(colour)}")
    print(f"the nearest two are {nearest((*chosen, WHITE, RED)):.1f} apart (CIEDE2000)")
