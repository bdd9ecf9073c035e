"""A table and a browser in step: what hands do at the table they do on the page, and both show the same picture."""

from pathlib import Path
from typing import Any

from firmware.setup.menu import offer
from firmware.setup.steps import Setup
from firmware.table.back_menu import Fix, SideNumber
from firmware.table.playing import Playing
from tests.simulators.at_the_page import Table
from tests.simulators.press_count import CountingRig


class Mirror(CountingRig):
    """A table, and the page of a running program, press by press, on one clock."""

    def __init__(self, state: Path, page: Table, **more: Any) -> None:
        self._page, self._taps = page, False
        super().__init__(state, start_ns=page.now_ms * 1_000_000, **more)
        offer(self.app.table, Setup(self.app, state, self.report))

    def edge(self, name: str, *, down: bool) -> None:
        super().edge(name, down=down)
        self._move(name, down=down)

    def push(self, *, down: bool) -> None:
        super().push(down=down)
        self._move("ok", down=down)

    def turn(self, steps: int) -> None:
        on = steps if self._counts() else -steps
        super().turn(steps)
        self._page.hands.turn(steps, on=on)

    def tap(self, name: str, times: int = 1) -> "Mirror":
        self._taps = True
        super().tap(name, times)
        self._taps = False
        return self

    def after(self, ms: float) -> "Mirror":
        super().after(ms)
        self._page.wait(ms)
        assert self._page.picture.tobytes() == self.picture.convert("1").tobytes(), (self._page.reads(), self.reads())
        return self

    def _counts(self) -> bool:
        """Whether what is turned is a number: there clockwise does what ▲ does, in a list what ▼ does."""
        mode = self.app.table.top
        if isinstance(mode, Playing):
            return mode.question.control is None or not mode.question.control.options
        return isinstance(mode, SideNumber) or (isinstance(mode, Fix) and mode.seat is not None)

    def _move(self, part: str, *, down: bool) -> None:
        if down:
            self._page.hands.down(part, stays=not self._taps)
        else:
            self._page.hands.up(part)
