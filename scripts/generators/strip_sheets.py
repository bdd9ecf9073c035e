"""Sheets of the strip's pictures in each phase of a game, for every kind of colour vision; golden pictures.

A lamp is drawn as the light that comes out of it, on our own controller. Lines over the lamps say how they move there:
a wave breathes, a square one flashes, arrows run along.
"""

import math
import tempfile
from collections.abc import Iterator
from functools import cache
from itertools import groupby
from pathlib import Path
from typing import NamedTuple

from PIL import Image, ImageDraw

from engine.rules import Board
from firmware.buttons import Button
from firmware.output import strip_picture
from firmware.output.screens.font import MEDIUM, PLAIN, SMALL, font
from firmware.output.strip_picture import Light
from hardware.parts.strip import OFF, Colour, Pixels, Rhythm, rhythm
from scripts.generators.display_sheets import GAMES
from tests.simulators import evenings
from tests.simulators.colour_vision import EYES, light, seen
from tests.simulators.rig import Rig

KIT, LENGTHS = "kit", "lengths"
SHEETS = (*GAMES, KIT, LENGTHS)
LEDS, RING = 60, 24
MANY = (8, 16, 60, 144, 300)
MOMENTS = {  # the hardest to keep on a short strip
    "kitty_paw": ("hands", "hands_some", "false_start", "meow", "check", "tie", "clean_up", "end"),
    "pack_the_essentials": ("order_later", "draft_3"),
}

SEATS = {"cat_pageant": 4}  # where an evening can have more players than it usually has: an order is then seen better
LEGEND = "wave: breathes   square: flashes   arrows: chase   else: at rest"

WIDE_PX, LEFT_PX, EDGE_PX = 900, 64, 14
TABLE, INK, QUIET, GLASS = (14, 12, 11), (240, 232, 214), (132, 122, 108), (34, 31, 29)


SHAPES = {  # what a line says of the lamps under it
    Rhythm.BREATHE: ((0, 6), (2, 3), (4, 3), (6, 6), (9, 6)),
    Rhythm.FLASH: ((0, 8), (0, 1), (4, 1), (4, 8), (9, 8)),
    Rhythm.CHASE: ((0, 1), (4, 4), (0, 7)),
}


class Row(NamedTuple):
    """A strip as it is drawn: how high its row is, and whose eyes see it."""

    high_px: int
    eyes: str


EVERYBODY = tuple(Row(20 if eyes == "normal" else 11, eyes) for eyes in EYES)


@cache
def evening(game: str) -> tuple[tuple[str, Light], ...]:
    """Each phase by name, with the strip's data."""
    found: list[tuple[str, Light]] = []
    with tempfile.TemporaryDirectory() as folder:
        rig = Rig(Path(folder))
        more = {"players": SEATS[game]} if game in SEATS else {}
        getattr(evenings, game)(rig, lambda phase: found.append((phase, rig.app.table.light())), **more)
        rig.close()
    return tuple(found)


def kit() -> list[tuple[str, Light]]:
    """Pictures outside games: the menu, joining, many seats, a lost part."""
    six: tuple[dict[str, int], ...] = ({},) * 6
    turn = Board("turn", 1, None, (), (4,), (0,) * 6, six)
    points = Board("result", 1, None, (), (), (31, 26, 19, 34, 8, 0), six, shows="points")
    return [
        ("menu", Light(None)),
        *((f"{n} joined", Light(None, joined=tuple(map(Button, range(n))))) for n in range(1, 7)),
        ("six seats, P5 is asked", Light(turn)),
        ("six seats, everybody is asked", Light(turn._replace(turn=tuple(range(6))))),
        ("six seats, their points", Light(points)),
        ("the display is lost, P5 is asked", Light(turn, lost=True)),
        ("asleep", Light(turn, asleep=True)),
    ]


def sheet(name: str) -> Image.Image:
    """One of `SHEETS`."""
    if name == LENGTHS:
        return _stack(
            "strips of 8 to 300 lamps, and a ring of 24",
            [_lengths(game, phase) for game, phases in MOMENTS.items() for phase in phases],
        )
    found = kit() if name == KIT else evening(name)
    drawn = [(phase, strip_picture.pixels(shown, LEDS)) for phase, shown in found]
    alike = [(pixels, [phase for phase, _ in group]) for pixels, group in groupby(drawn, key=lambda one: one[1])]
    return _stack(f"{name}, {LEDS} lamps", [_phase(", ".join(phases), pixels) for pixels, phases in alike])


def _stack(title: str, blocks: list[Image.Image]) -> Image.Image:
    top = EDGE_PX + 34
    page = Image.new("RGB", (max(block.width for block in blocks), top + sum(block.height for block in blocks)), TABLE)
    _write(page, title, (LEFT_PX, EDGE_PX - 4), MEDIUM, INK)
    _write(page, LEGEND, (LEFT_PX + 10 + 8 * len(title) + 20, EDGE_PX), PLAIN, QUIET)
    for block in blocks:
        page.paste(block, (0, top))
        top += block.height
    return page


def _phase(title: str, pixels: Pixels) -> Image.Image:
    """One picture of the strip, by everybody's eyes."""
    block = Image.new("RGB", (LEFT_PX + WIDE_PX + EDGE_PX, 26 + sum(row.high_px for row in EVERYBODY) + EDGE_PX), TABLE)
    _write(block, title, (LEFT_PX, 0), PLAIN, INK)
    _marks(block, pixels, 14)
    top = 26
    for row in EVERYBODY:
        _write(block, row.eyes, (EDGE_PX, top + row.high_px // 2 - 4), SMALL, QUIET)
        _lamps(block, pixels, top, row)
        top += row.high_px
    return block


def _lengths(game: str, phase: str) -> Image.Image:
    """One moment on strips of every length, and on a ring."""
    shown = next(shown for name, shown in evening(game) if name == phase)
    high_px = 20
    block = Image.new("RGB", (LEFT_PX + WIDE_PX + 150, 18 + len(MANY) * high_px + EDGE_PX), TABLE)
    _write(block, f"{game}: {phase}", (LEFT_PX, 0), PLAIN, INK)
    for n, leds in enumerate(MANY):
        _write(block, f"{leds:4}", (EDGE_PX, 18 + n * high_px + 6), SMALL, QUIET)
        _lamps(block, strip_picture.pixels(shown, leds), 18 + n * high_px, Row(high_px, "normal"))
    _ring(block, strip_picture.pixels(shown, RING), (LEFT_PX + WIDE_PX + 78, block.height // 2), 48)
    return block


def _lamps(block: Image.Image, pixels: Pixels, top: int, row: Row) -> None:
    pitch = WIDE_PX / len(pixels)
    radius = max(1, min(row.high_px // 2 - 2, int(pitch * 0.42)))
    for n, colour in enumerate(pixels):
        _lamp(block, round(LEFT_PX + (n + 0.5) * pitch), top + row.high_px // 2, radius, colour, row.eyes)


def _ring(block: Image.Image, pixels: Pixels, centre: tuple[int, int], radius: int) -> None:
    """Its start on top, then clockwise."""
    for n, colour in enumerate(pixels):
        turn = 2 * math.pi * n / len(pixels)
        x, y = centre[0] + round(radius * math.sin(turn)), centre[1] - round(radius * math.cos(turn))
        _lamp(block, x, y, 5, colour, "normal")


def _lamp(block: Image.Image, x: int, y: int, radius: int, colour: Colour, eyes: str) -> None:
    shining = GLASS if colour == OFF else srgb(colour, eyes)
    halo = 0 if colour == OFF else radius // 2
    disc = _disc(radius, halo)
    block.paste(shining, (x - disc.width // 2, y - disc.height // 2), disc)


@cache
def srgb(colour: Colour, eyes: str) -> tuple[int, int, int]:
    """A lamp's light as the numbers of a picture."""
    red, green, blue = (
        round(255 * (12.92 * part if part <= 0.0031308 else 1.055 * part ** (1 / 2.4) - 0.055))
        for part in seen(light(colour), eyes)
    )
    return red, green, blue


@cache
def _disc(radius: int, halo: int) -> Image.Image:
    """The brightness of each point round a lamp: full within its radius, little outside."""
    reach = radius + halo
    disc = Image.new("L", (2 * reach + 1, 2 * reach + 1))
    for x in range(-reach, reach + 1):
        for y in range(-reach, reach + 1):
            away = (x * x + y * y) ** 0.5
            edge = min(1.0, max(0.0, radius + 0.5 - away))
            glow = 0.3 * max(0.0, 1 - away / (reach + 0.5))
            disc.putpixel((x + reach, y + reach), round(255 * max(edge, glow)))
    return disc


def _marks(block: Image.Image, pixels: Pixels, top: int) -> None:
    """A line over lamps that move; its kind shows the rhythm."""
    draw = ImageDraw.Draw(block)
    pitch = WIDE_PX // len(pixels)
    for moves, first, last in _moving(pixels):
        for x in range(LEFT_PX + first * pitch + 2, LEFT_PX + (last + 1) * pitch - 8, 9):
            draw.line([(x + right, top + down) for right, down in SHAPES[moves]], INK)


def _moving(pixels: Pixels) -> Iterator[tuple[Rhythm, int, int]]:
    """Stretches of one rhythm, from lamp to lamp; a single lamp in between does not end one."""
    moving = [(rhythm(colour), n) for n, colour in enumerate(pixels) if rhythm(colour) is not Rhythm.STEADY]
    start = 0
    for n, (moves, lamp) in enumerate(moving):
        following = moving[n + 1] if n + 1 < len(moving) else None
        if following is None or following[0] is not moves or following[1] - lamp > 2:
            yield moves, moving[start][1], lamp
            start = n + 1


def _write(block: Image.Image, text: str, at: tuple[int, int], size: str, colour: tuple[int, int, int]) -> None:
    mask = font(size).write(text)
    block.paste(colour, at, mask)
