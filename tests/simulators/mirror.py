"""A table and a browser in step: what hands do at the table they do on the page, and both show the same picture."""

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from PIL import Image
from playwright.sync_api import Page

from firmware.table.back import Fix, SideNumber
from firmware.table.playing import Playing
from tests.simulators.hands import Hands
from tests.simulators.presses import CountingRig

APART_S = 0.05  # between two edges of one line: longer than it is locked, on a busy machine too
LONG_MS = 500  # shorter waits mean nothing to the game


class Mirror(CountingRig):
    """A table with a virtual clock; the page follows in real time, press by press.

    `shows` waits until the page shows a picture.
    """

    def __init__(
        self, state: Path, page: Page, hands: Hands, shows: Callable[[Image.Image], None], **more: Any
    ) -> None:
        self._page, self._hands, self._shows = page, hands, shows
        self._moved_s: dict[str, float] = {}  # when, by part
        self._pressing: str | None = None  # a part that goes down as soon as it is known for how long
        self._released = False  # whether the last part that moved went up
        super().__init__(state, **more)

    def edge(self, name: str, *, down: bool) -> None:
        super().edge(name, down=down)
        self._move(name, down=down)

    def push(self, *, down: bool) -> None:
        super().push(down=down)
        self._move("ok", down=down)

    def turn(self, steps: int) -> None:
        on = steps if self._counts() else -steps
        super().turn(steps)
        self._press()
        self._hands.turn(steps, on=on)

    def _counts(self) -> bool:
        """Whether what is turned is a number: there clockwise does what ▲ does, in a list what ▼ does."""
        mode = self.app.table.top
        if isinstance(mode, Playing):
            return mode.question.control is None or not mode.question.control.options
        return isinstance(mode, SideNumber) or (isinstance(mode, Fix) and mode.seat is not None)

    def _move(self, part: str, *, down: bool) -> None:
        """Move a part; a short press in one go, so that no busy machine makes a long one of it."""
        short = not down and self._pressing == part
        if short:
            self._pressing = None
        else:
            self._press()
        self._released = not down
        if down:
            self._pressing = part
            return
        self._rest(part)
        if short:
            self._hands.tap(part, 1000 * APART_S)
        else:
            self._hands.up(part)
        self._moved_s[part] = time.monotonic()

    def _press(self) -> None:
        """The part that waits goes down, and stays there."""
        if self._pressing is not None:
            self._rest(self._pressing)
            self._hands.down(self._pressing)
            self._moved_s[self._pressing] = time.monotonic()
            self._pressing = None

    def _rest(self, part: str) -> None:
        rest_s = self._moved_s.get(part, 0.0) + APART_S - time.monotonic()
        if rest_s > 0:
            self._page.wait_for_timeout(1000 * rest_s)

    def after(self, ms: float) -> "Mirror":
        super().after(ms)
        if ms >= LONG_MS:
            self._press()
            self._page.wait_for_timeout(ms)
        if ms >= LONG_MS or self._released:
            self._shows(self.picture)
        return self

    def look(self, phase: str) -> None:
        """Wait until the page shows what the table shows."""
        self._press()
        self._shows(self.picture)
