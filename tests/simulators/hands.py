"""Hands on the page: what moves a part of the kit there, by keys alone, by the mouse alone, or by fingers alone.

A part is a player's button by its name, or `ok`.
"""

from typing import Protocol

from playwright.sync_api import Locator, Page

KEYS = {"P1": "1", "P2": "2", "P3": "3", "P4": "4", "ok": "Enter"}
CLICK_MS = 40
TABS = 60  # more than a page has things to go to


class Hands(Protocol):
    """Somebody's hands."""

    def down(self, part: str) -> None:
        """Hold a part down from now on."""
        ...

    def up(self, part: str) -> None:
        """Let it go."""
        ...

    def tap(self, part: str, ms: float = CLICK_MS) -> None:
        """One short press."""
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

    def down(self, part: str) -> None:
        self._keys.down(KEYS[part])

    def up(self, part: str) -> None:
        self._keys.up(KEYS[part])

    def tap(self, part: str, ms: float = CLICK_MS) -> None:
        self._keys.press(KEYS[part], delay=ms)

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
    """Finds the middle of what is pointed at, once: the window keeps its size, and is scrolled only for a drawer."""

    kind: str  # what points

    def __init__(self, page: Page) -> None:
        self._page = page
        self._browser = page.context.new_cdp_session(page)
        self._found: dict[str, tuple[float, float]] = {}

    def click(self, control: str, ms: float) -> None:
        """A short press. The browser itself times it, so that no busy machine makes a long one of it."""
        x, y = self.middle(control)
        asked = {"x": x, "y": y, "duration": ms, "gestureSourceType": self.kind}
        self._browser.send("Input.synthesizeTapGesture", asked)

    def follow(self, what: Locator) -> None:
        what.click()
        self._found.clear()  # the page may have been scrolled

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
    """One pointer: what has to stay down while it is elsewhere is latched."""

    kind = "mouse"

    def down(self, part: str) -> None:
        if part == "ok":
            self._page.mouse.move(*self.middle("ok"))
            self._page.mouse.down()
        else:
            self.click(f"latch-{part}", CLICK_MS)

    def up(self, part: str) -> None:
        if part == "ok":
            self._page.mouse.up()
        else:
            self.down(part)

    def tap(self, part: str, ms: float = CLICK_MS) -> None:
        self.click(part if part == "ok" else f"button-{part}", ms)

    def turn(self, steps: int, *, on: int) -> None:
        self.click("knob-up" if on > 0 else "knob-down", CLICK_MS)


class Fingers(Pointing):
    """As many as are needed."""

    kind = "touch"

    def __init__(self, page: Page) -> None:
        super().__init__(page)
        self._points: dict[str, dict[str, float]] = {}  # by part: where a finger lies

    def down(self, part: str) -> None:
        x, y = self.middle(self._control(part))
        number = next(n for n in range(10) if all(point["id"] != n for point in self._points.values()))
        self._points[part] = {"x": x, "y": y, "id": number}
        self._send("touchStart", list(self._points.values()))

    def up(self, part: str) -> None:
        self._send("touchEnd", [self._points.pop(part)])

    def tap(self, part: str, ms: float = CLICK_MS) -> None:
        if not self._points:
            self.click(self._control(part), ms)
            return
        self.down(part)  # beside another finger
        self._page.wait_for_timeout(ms)
        self.up(part)

    def turn(self, steps: int, *, on: int) -> None:
        self.tap("knob-up" if on > 0 else "knob-down")

    def _control(self, part: str) -> str:
        return part if part in ("ok", "knob-up", "knob-down") else f"button-{part}"

    def _send(self, kind: str, points: list[dict[str, float]]) -> None:
        self._browser.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
