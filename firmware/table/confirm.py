"""Asks at the kit whether something may be done that a phone wants."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PIL import Image

from firmware import sounds
from firmware.screens.canvas import Text
from firmware.screens.common import message
from firmware.table.overlay import Sure
from firmware.words import _

if TYPE_CHECKING:
    from firmware.table.table import Table

WAIT_NS = 10_000_000_000  # then the answer is no


class Confirm(Sure):
    """Time is no, too."""

    def __init__(self, table: Table, who: Text, text: Text, then: Callable[[], None]) -> None:
        """`who` wants it, in words, and what: `text`."""
        super().__init__(table)
        self.who, self.text, self.then = who, text, then
        self.until_ns = table.now_ns + WAIT_NS

    def ok(self) -> None:
        self.table.sound(sounds.DONE)
        self.table.close()
        self.then()

    def picture(self, now_ns: int) -> Image.Image:
        return message(self.who, self.text, (), (_("turn: no"), _("OK: yes")))
