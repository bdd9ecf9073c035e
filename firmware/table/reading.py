"""The latest game of an earlier run is being read: until it is known, a start goes no further."""

from PIL import Image

from firmware.output import sounds
from firmware.output.screens.menus import message
from firmware.table.overlay import Overlay
from firmware.translation import _


class Reading(Overlay):
    """Over the menu: whatever is pressed clicks, and nothing comes of it. What is held is known as held."""

    def press(self, button: str, at_ns: int, error_ns: int) -> bool:
        self.table.click(button)
        return True

    def hold(self, button: str) -> bool:
        return True

    def turn(self, steps: int, knob: bool) -> None:
        self.table.sound(sounds.CLICK)

    def ok(self) -> None:
        self.table.sound(sounds.CLICK)

    def ok_hold(self) -> None:
        """Nothing: it closes by itself."""

    def picture(self, now_ns: int) -> Image.Image:
        return message("Lucky Paw", _("ONE MOMENT"), (_("reading the game"),), ("", ""))
