"""A table and a browser in step: what hands do at the table keys do on the page, and both show the same picture."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from PIL import Image
from playwright.sync_api import Page

from tests.presses import CountingRig

KEYS = {"P1": "1", "P2": "2", "P3": "3", "P4": "4"}
SHORT_MS = 500  # shorter waits only keep two keys apart
APART_MS = 40


class Mirror(CountingRig):
    """A table with a virtual clock; the page follows it in real time. `shows` waits until the page shows a picture."""

    def __init__(self, state: Path, page: Page, shows: Callable[[Image.Image], None], **more: Any) -> None:
        self._page, self._shows = page, shows
        super().__init__(state, **more)

    def edge(self, name: str, *, down: bool) -> None:
        super().edge(name, down=down)
        self._key(KEYS[name], down=down)

    def push(self, *, down: bool) -> None:
        super().push(down=down)
        self._key("Enter", down=down)

    def turn(self, steps: int) -> None:
        super().turn(steps)
        self._page.keyboard.press("ArrowUp" if steps > 0 else "ArrowDown", delay=10)

    def _key(self, key: str, *, down: bool) -> None:
        (self._page.keyboard.down if down else self._page.keyboard.up)(key)

    def after(self, ms: float) -> "Mirror":
        super().after(ms)
        self._page.wait_for_timeout(ms if ms >= SHORT_MS else APART_MS)
        return self

    def look(self, phase: str) -> None:
        """Wait until the page shows what the table shows."""
        self._shows(self.picture)
