"""A table and a browser in step: what hands do at the table they do on the page, and both show the same picture."""

from pathlib import Path
from typing import Any

from firmware.cli.play import offer
from firmware.setup.steps import Setup
from firmware.table.back_menu import FixPoints, SideNumber
from firmware.table.playing import Playing
from tests.simulators.at_the_page import Table
from tests.simulators.page_input import Mouse
from tests.simulators.press_count import CountingRig, all_at_once


class Mirror(CountingRig):
    """A table, and the page of a running program, press by press, on one clock."""

    def __init__(self, state: Path, page: Table, **more: Any) -> None:
        self._page, self._taps, self._all = page, False, False
        super().__init__(state, start_ns=page.now_ms * 1_000_000, **more)
        offer(self.app.table, Setup(self.app, state, self.report))

    def move(self, names: tuple[str, ...], *, down: bool) -> "Mirror":
        asked = self.to_be_held()
        mouse = self._page.hands
        self._all = (
            isinstance(mouse, Mouse)
            and down
            and all_at_once(names, asked, [one for one in asked if one in self.app.table.held.down])
        )
        if isinstance(mouse, Mouse) and self._all:
            mouse.hold_all(*asked)
        super().move(names, down=down)
        self._all = False
        return self

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

    def hold(self, name: str) -> "Mirror":
        self._taps = True
        super().hold(name)
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
        return isinstance(mode, SideNumber) or (isinstance(mode, FixPoints) and mode.seat is not None)

    def _move(self, part: str, *, down: bool) -> None:
        if self._all:
            return
        if down:
            self._page.hands.down(part, stays=not self._taps)
        else:
            self._page.hands.up(part)
