"""What lies over a game, or is there without one: menus, questions of the kit, evidence."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PIL import Image

if TYPE_CHECKING:
    from firmware.table.playing import Playing
    from firmware.table.table import Table


class Overlay:
    """One picture with its keys. The table calls, on the loop's thread; a game below goes on all the time."""

    def __init__(self, table: Table) -> None:
        self.table = table

    def opened(self) -> None:
        """It is on top from now on, for the first time or again."""

    def press(self, button: str, at_ns: int, error_ns: int) -> bool:
        """A player's button went down. False: not for this; over a game all closes, and the press is the game's."""
        return False

    def turn(self, steps: int, knob: bool) -> None:
        """The knob was turned (clockwise is positive) or an arrow pressed (▲ is positive)."""

    def ok(self) -> None:
        """A short OK."""

    def ok_hold(self) -> None:
        """A long OK: back to the game, or to the menu where there is none."""
        self.table.close_all()

    def lamps(self) -> frozenset[str]:
        """The buttons that are asked, where there is no game."""
        return frozenset()

    def picture(self, now_ns: int) -> Image.Image:
        """What the display shows."""
        raise NotImplementedError


class OverGame(Overlay):
    """An overlay that is about the game below."""

    def __init__(self, game: Playing) -> None:
        super().__init__(game.table)
        self.game = game
