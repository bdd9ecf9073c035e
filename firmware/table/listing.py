"""A list to choose from with the control."""

from collections.abc import Callable

from PIL import Image

from firmware.screens.canvas import Text
from firmware.screens.common import listing
from firmware.table.overlay import Overlay


class Listing(Overlay):
    """A list to choose from."""

    title: Text = "LUCKY PAW"

    at = 0

    def rows(self) -> list[tuple[Text, Callable[[], None]]]:
        """What can be chosen: a text, and what OK does."""
        raise NotImplementedError

    def turn(self, steps: int, knob: bool) -> None:
        down = steps if knob else -steps
        self.at = min(max(0, self.at + down), len(self.rows()) - 1)

    def ok(self) -> None:
        self.rows()[self.at][1]()

    def right(self) -> Text:
        """The right end of the status row: where in the list one is."""
        return f"{self.at + 1}/{len(self.rows())}"

    def picture(self, now_ns: int) -> Image.Image:
        rows = self.rows()
        self.at = min(self.at, len(rows) - 1)
        foot = (f"{'turn' if self.table.knob else '▲▼'}: choose", "OK")
        return listing(self.title, self.right(), [text for text, _ in rows], self.at, foot)
