"""Pictures with keys over a game or without one: menus, questions of the kit, evidence."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

from PIL import Image

from engine.rules import Board
from firmware.table.past_games import LatestEvening, Unfinished
from hardware.parts.strip import Pixels

if TYPE_CHECKING:
    from firmware.table.playing import Playing
    from firmware.table.table import Table


def downwards(steps: int, knob: bool) -> int:
    """How far down a list a turn goes: ▼ does, and the knob clockwise."""
    return steps if knob else -steps


class Overlay:
    """One picture with its keys. The table calls the methods, on the loop's thread; a game below goes on."""

    until_ns: int | None = None  # `time_up` is called then
    board: Board | None = None  # what the strip shows, where there is no game
    bright = False  # whether the display stays bright, however long no hand has come near
    holding = False  # whether it asks for buttons to be held
    rests = False  # whether nobody is busy with it, once it has not been touched for a moment
    one_back = False  # whether a long OK closes this one only
    sought: str | None = None  # what a page looks for in this list; None: nothing can be looked for

    def __init__(self, table: Table) -> None:
        self.table = table

    @property
    def invites(self) -> str:
        """What pages say of the game that is about to begin; empty: none is."""
        return ""

    def places(self) -> dict[str, str | None] | None:
        """By button who sits there, where this overlay asks who plays: an id, None for a guest."""
        return None

    def introduce(self, button: str, person: str) -> None:
        """Somebody at this button is known from now on."""

    def replace(self, id_: str, by: str | None) -> None:
        """Somebody is a guest from now on, or somebody else."""

    def opened(self) -> None:
        """The overlay has come to the top, for the first time or again."""

    def stands(self) -> bool:
        """Whether it still makes sense. If not, it is closed once it is on top."""
        return True

    def closed(self) -> None:
        """The overlay has been removed, however that came about."""

    def press(self, button: str, at_ns: int, error_ns: int) -> bool:
        """A player's button went down. False: not used here; over a game all overlays close, and the game gets it."""
        return False

    def hold(self, button: str) -> bool:
        """A player's button, pressed here, has been down for 0.6 s. False: not used here."""
        return False

    def turn(self, steps: int, knob: bool) -> None:
        """The knob was turned (clockwise is positive) or an arrow pressed (▲ is positive)."""

    def seek(self, text: str) -> None:
        """A page looks for this from now on; only where `sought` is not None."""

    def ok(self) -> None:
        """A short OK."""

    def ok_hold(self) -> None:
        """A long OK: back to the game, or to the menu where there is none; or to what is below."""
        (self.table.close if self.one_back else self.table.close_all)()

    def tick(self) -> None:
        """Time has passed, or a hand has moved; called while it is on top."""

    def time_up(self) -> None:
        """It is `until_ns`: this closes by itself."""
        self.table.close()

    def pixels(self, leds: int) -> Pixels | None:
        """A picture of its own for a strip of so many lamps; None: the table's."""
        return None

    def lamps(self) -> frozenset[str]:
        """The buttons that are asked, where there is no game."""
        return frozenset()

    def hands(self) -> tuple[str, ...]:
        """The buttons that are to be held, where there is no game."""
        return ()

    def lit_in_words(self) -> str:
        """What the picture shows by light alone, in words: what OK takes, who has pressed."""
        return ""

    def picture(self, now_ns: int) -> Image.Image:
        """The picture for the display."""
        raise NotImplementedError


class Sure(Overlay):
    """A question: OK is yes, a turn and a long OK are no."""

    one_back = True

    def turn(self, steps: int, knob: bool) -> None:
        self.table.close()


class OverGame(Overlay):
    """An overlay about the game below."""

    def __init__(self, game: Playing) -> None:
        super().__init__(game.table)
        self.game = game


class Menus(NamedTuple):
    """The overlays that the table and its game open by themselves; more of them neither has to know."""

    menu: Callable[[Table], Overlay]  # where there is no game
    reading: Callable[[Table], Overlay]  # while the latest game is read
    go_on: Callable[[Table, Unfinished], Overlay]  # asks whether to go on with a game
    back: Callable[[Playing], Overlay]
    more: Callable[[Playing, int], Overlay]  # OK takes none of its entries until then
    stamps: Callable[[Playing], Overlay]
    ending: Callable[[Playing], Overlay]
    evening: Callable[[Table, LatestEvening | None], Overlay]
