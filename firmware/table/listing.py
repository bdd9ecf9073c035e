"""A list to choose from with the control."""

from collections.abc import Callable

from PIL import Image

from engine.words import N_
from firmware.output.screens.canvas import Text
from firmware.output.screens.common import listing, turn
from firmware.table.overlay import Overlay, downwards
from firmware.translation import _, translated


class Listing(Overlay):
    """A list to choose from."""

    title = N_("LUCKY PAW")

    at = 0

    def heading(self) -> Text:
        """The left end of the status row."""
        return translated(self.title)

    def rows(self) -> list[tuple[Text, Callable[[], None]]]:
        """The rows: a text, and what OK does."""
        raise NotImplementedError

    def turn(self, steps: int, knob: bool) -> None:
        down = downwards(steps, knob)
        self.at = min(max(0, self.at + down), len(self.rows()) - 1)

    def ok(self) -> None:
        self.rows()[self.at][1]()

    def right(self) -> Text:
        """The right end of the status row: the place in the list."""
        return f"{self.at + 1}/{len(self.rows())}"

    def picture(self, now_ns: int) -> Image.Image:
        rows = self.rows()
        self.at = min(self.at, len(rows) - 1)
        return listing(self.heading(), self.right(), [text for text, _ in rows], self.at, self.foot())

    def foot(self) -> tuple[Text, Text]:
        """What the keys do."""
        return _("{turn}: choose", turn=turn(self.table.knob)), "OK"
