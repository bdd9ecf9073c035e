"""The colours of the seats, in their order: of marks and domes on every page, of the drawn domes.

Chosen by `python -m tests.simulators.page_colours` to be told apart by all eyes: docs/decisions/0007. The strip's
lamps have the same colours as lamps show them (firmware/output/strip_picture.py).
"""

from typing import NamedTuple

from hardware.words import N_


class SeatColour(NamedTuple):
    """The colour of a seat: its name, marked for translation, and its value on pages and in drawings."""

    name: str
    shown: str

    @property
    def rgb(self) -> tuple[int, int, int]:
        """Red, green and blue, each up to 255."""
        red, green, blue = bytes.fromhex(self.shown[1:])
        return red, green, blue


SEAT_COLOURS = (
    SeatColour(N_("blue"), "#00a8ff"),
    SeatColour(N_("orange"), "#ff8000"),
    SeatColour(N_("green"), "#00e898"),
    SeatColour(N_("yellow"), "#ffe800"),
    SeatColour(N_("pink"), "#ffa0c8"),
    SeatColour(N_("dark cyan"), "#409090"),
)
