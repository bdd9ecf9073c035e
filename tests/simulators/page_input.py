"""Hands on the page: what moves a part of the kit there, by keys alone, by the mouse alone, or by fingers alone.

A part is a player's button by its name, or `ok`.
"""

from typing import Protocol

from playwright.sync_api import Locator, Page

KEYS = {"P1": "1", "P2": "2", "P3": "3", "P4": "4", "ok": "Enter"}
TABS = 60  # more than a page has things to go to


class Hands(Protocol):
    """Somebody's hands."""

    def down(self, part: str, *, stays: bool = True) -> None:
        """Hold a part down from now on. `stays`: also while these hands press others."""
        ...

    def up(self, part: str) -> None:
        """Let it go."""
        ...

    def turn(self, steps: int, *, on: int) -> None:
        """Turn one step: `steps` as an arrow does (▲ is positive), `on` as a knob does (clockwise is positive)."""
        ...

    def follow(self, what: Locator) -> None:
        """Take what is on the page beside the kit: a drawer, a link, a button."""
        ...

    def choose(self, row: Locator, text: str) -> None:
        """Choose in a list of the page."""
        ...

    def write(self, field: Locator, text: str) -> None:
        """Write into a field of the page."""
        ...

    def shut(self, drawer: Locator) -> None:
        """Shut a drawer: the hands are at the kit again."""
        ...


class Keys:
    """The keyboard."""

    def __init__(self, page: Page) -> None:
        self._keys = page.keyboard

    def down(self, part: str, *, stays: bool = True) -> None:
        self._keys.down(KEYS[part])

    def up(self, part: str) -> None:
        self._keys.up(KEYS[part])

    def turn(self, steps: int, *, on: int) -> None:
        self._keys.press("ArrowUp" if steps > 0 else "ArrowDown")

    def follow(self, what: Locator) -> None:
        self._reach(what)
        self._keys.press("Enter")

    def choose(self, row: Locator, text: str) -> None:
        self._reach(row)
        at, wanted = row.evaluate(
            "(row, text) => [row.selectedIndex, [...row.options].findIndex(one => one.text === text)]", text
        )
        self._keys.press("Space")  # it opens
        for _ in range(abs(wanted - at)):
            self._keys.press("ArrowDown" if wanted > at else "ArrowUp")
        self._keys.press("Enter")

    def write(self, field: Locator, text: str) -> None:
        self._reach(field)
        self._keys.type(text)

    def shut(self, drawer: Locator) -> None:
        self._keys.press("Escape")

    def _reach(self, what: Locator) -> None:
        """Go on, one by one, to this."""
        here = "one => one.ownerDocument.hasFocus() && one === one.ownerDocument.activeElement"
        for _ in range(TABS):
            if what.evaluate(here):
                return
            self._keys.press("Tab")
        raise AssertionError(f"no key leads to {what}")


class Pointing:
    """Finds the middle of what is pointed at, once: the window keeps its size, and is scrolled only for a drawer.

    What is below may move what is above in a small window: then `look_anew`.
    """

    def __init__(self, page: Page) -> None:
        self._page = page
        self._found: dict[str, tuple[float, float]] = {}

    def look_anew(self) -> None:
        """Find everything again."""
        self._found.clear()

    def follow(self, what: Locator) -> None:
        what.click()
        self.look_anew()  # the page may have been scrolled

    def choose(self, row: Locator, text: str) -> None:
        row.select_option(label=text)  # its rows are the system's: no pointer of a test gets there

    def write(self, field: Locator, text: str) -> None:
        field.click()
        self._page.keyboard.type(text)

    def shut(self, drawer: Locator) -> None:
        self.follow(drawer.locator("summary"))

    def middle(self, control: str) -> tuple[float, float]:
        if control not in self._found:
            box = self._page.locator(f'[data-part="{control}"]:visible').bounding_box()
            assert box is not None
            self._found[control] = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        return self._found[control]


class Mouse(Pointing):
    """One pointer: what has to stay down while it is elsewhere is latched, but for OK."""

    def __init__(self, page: Page) -> None:
        super().__init__(page)
        self._latched: set[str] = set()
        self._all: set[str] = set()  # held by Hold all

    def down(self, part: str, *, stays: bool = True) -> None:
        if stays and part != "ok":
            self._latched.add(part)
            self._page.mouse.click(*self.middle(f"latch-{part}"))
        else:
            self._page.mouse.move(*self.middle(part if part == "ok" else f"button-{part}"))
            self._page.mouse.down()

    def hold_all(self, *parts: str) -> None:
        """Hold all these buttons, which the kit asks for."""
        self._latched -= {*parts}
        self._all |= {*parts}
        self._page.mouse.click(*self.middle("hold-all"))

    def up(self, part: str) -> None:
        if part in self._all:  # at the signal it has gone up by itself
            self._all.remove(part)
            if self._page.locator(f'[data-part="button-{part}"].down').count():
                self._page.mouse.click(*self.middle(f"button-{part}"))
        elif part in self._latched:
            self._latched.remove(part)
            self._page.mouse.click(*self.middle(f"latch-{part}"))
        else:
            self._page.mouse.up()

    def turn(self, steps: int, *, on: int) -> None:
        self._page.mouse.click(*self.middle("knob-up" if on > 0 else "knob-down"))


class Fingers(Pointing):
    """As many as are needed."""

    def __init__(self, page: Page) -> None:
        super().__init__(page)
        self._browser = page.context.new_cdp_session(page)
        self._points: dict[str, dict[str, float]] = {}  # by part: where a finger lies

    def down(self, part: str, *, stays: bool = True) -> None:
        x, y = self.middle(part if part in ("ok", "knob-up", "knob-down") else f"button-{part}")
        number = next(n for n in range(10) if all(point["id"] != n for point in self._points.values()))
        self._points[part] = {"x": x, "y": y, "id": number}
        self._send("touchStart", list(self._points.values()))

    def up(self, part: str) -> None:
        self._send("touchEnd", [self._points.pop(part)])

    def turn(self, steps: int, *, on: int) -> None:
        knob = "knob-up" if on > 0 else "knob-down"
        self.down(knob)
        self.up(knob)

    def _send(self, kind: str, points: list[dict[str, float]]) -> None:
        self._browser.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
