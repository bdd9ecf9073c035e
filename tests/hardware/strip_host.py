"""The kit's end of a strip's serial line in virtual time."""

from random import Random

import pytest

from hardware.parts.strip import OFF, Colour, Pixels, wire
from hardware.parts.strip.answer import in_words
from hardware.parts.strip.talk import Talk
from tests.hardware.virtual_line import Controller, Over, VirtualLine

LEDS = 60
COLOURS = [OFF, Colour(0, 90, 200), Colour(230, 120, 0), Colour(0, 150, 90), Colour(220, 200, 0), Colour(200, 80, 150)]


def picture(seed: int, leds: int = LEDS) -> Pixels:
    """Pieces of a few colours, as the kit shows them."""
    dice = Random(seed)
    ends = sorted(dice.sample(range(1, leds), dice.randint(1, min(8, leds - 1))))
    starts = [0, *ends]
    return tuple(
        colour
        for start, stop in zip(starts, [*ends, leds], strict=True)
        for colour in [dice.choice(COLOURS)] * (stop - start)
    )


class Host:
    """One end of a line: shows pictures, and talks until it must not any more."""

    def __init__(self, controller: Controller, until_s: float, leds: int | None = None) -> None:
        """`leds`: as described."""
        self.line = VirtualLine(controller, until_s)
        self.shown: Pixels = (OFF,) * LEDS
        self.calm = True
        self.told: list[str | None] = []  # what is named, each time that it changes while pictures are followed
        self.talk = Talk(
            self.line,
            lambda count: wire.fitted(self.shown, count),
            leds,
            calm=lambda: self.calm,
            told=lambda: self.told.append(in_words(self.talk.named)),
        )

    def at(self, at_s: float, shown: Pixels) -> None:
        """Another picture at a time."""

        def show() -> None:
            self.shown = shown

        self.line.at(at_s, show)

    def run(self) -> None:
        """Talk until the time is up."""
        with pytest.raises(Over):
            self.forever()

    def forever(self) -> None:
        self.talk.greet()
        self.talk.follow()
