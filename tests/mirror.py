"""A table and a browser in step: what hands do at the table keys do on the page, and both show the same picture."""

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from PIL import Image
from playwright.sync_api import Page

from tests.presses import CountingRig

KEYS = {"P1": "1", "P2": "2", "P3": "3", "P4": "4"}
APART_S = 0.035  # between two edges of one line: longer than it is locked
LONG_MS = 500  # shorter waits mean nothing to the game


class Mirror(CountingRig):
    """A table with a virtual clock; the page follows in real time, press by press.

    `shows` waits until the page shows a picture.
    """

    def __init__(self, state: Path, page: Page, shows: Callable[[Image.Image], None], **more: Any) -> None:
        self._page, self._shows = page, shows
        self._moved_s: dict[str, float] = {}  # when, by key
        self._pressing: str | None = None  # a key that goes down as soon as it is known for how long
        self._released = False  # whether the last key that moved went up
        super().__init__(state, **more)

    def edge(self, name: str, *, down: bool) -> None:
        super().edge(name, down=down)
        self._key(KEYS[name], down=down)

    def push(self, *, down: bool) -> None:
        super().push(down=down)
        self._key("Enter", down=down)

    def turn(self, steps: int) -> None:
        super().turn(steps)
        self._press()
        self._page.keyboard.press("ArrowUp" if steps > 0 else "ArrowDown")

    def _key(self, key: str, *, down: bool) -> None:
        """Move a key; a short press in one go, so that no busy machine makes a long one of it."""
        short = not down and self._pressing == key
        if short:
            self._pressing = None
        else:
            self._press()
        self._released = not down
        if down:
            self._pressing = key
            return
        self._rest(key)
        if short:
            self._page.keyboard.press(key, delay=1000 * APART_S)
        else:
            self._page.keyboard.up(key)
        self._moved_s[key] = time.monotonic()

    def _press(self) -> None:
        """The key that waits goes down, and stays there."""
        if self._pressing is not None:
            self._rest(self._pressing)
            self._page.keyboard.down(self._pressing)
            self._moved_s[self._pressing] = time.monotonic()
            self._pressing = None

    def _rest(self, key: str) -> None:
        rest_s = self._moved_s.get(key, 0.0) + APART_S - time.monotonic()
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
