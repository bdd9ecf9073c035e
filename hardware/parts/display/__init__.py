"""The display: 128x64 pixels, one bit each."""

from collections.abc import Callable
from typing import Protocol, TypeAlias

from PIL import Image

WIDTH_PX = 128
HEIGHT_PX = 64
SH1106_COLUMN = 2  # of the 132 of its memory: there most panels begin, in the middle; on some modules at 0

# Called with CLOCK_MONOTONIC ns when a picture's write has returned. On any thread.
Shown: TypeAlias = Callable[[int], None]


class Display(Protocol):
    """Shows pictures, on a thread of its own: the newest wins, older ones still waiting are dropped."""

    def show(self, picture: Image.Image, on_shown: Shown | None = None) -> None:
        """Take a 128x64 picture of mode "1" and return at once. `on_shown` is called once it is on the display."""
        ...

    def contrast(self, level: int) -> None:
        """Brightness from 0 to 255."""
        ...

    def close(self) -> None:
        """Blank the display and let go of the bus."""
        ...
