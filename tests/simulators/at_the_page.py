"""A browser in front of the running program, and somebody's hands at its page."""

import base64
import json
import os
import signal
import time
from collections.abc import Callable
from pathlib import Path

from PIL import Image
from playwright.sync_api import Browser, Page

from engine import games
from tests import sixth_game
from tests.simulators import reading
from tests.simulators.hands import Hands, Keys
from tests.simulators.program import Program, played_before

QUIET = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"]
PAGE = (1280, 800)  # px
LONG_MS = 750  # a long press
KEEP = os.environ.get("LUCKYPAW_SCREENS")  # a folder: screenshots of each phase are kept there


class Table:
    """A browser in front of the running program, and hands at its page."""

    def __init__(
        self,
        browser: Browser,
        state: Path,
        *options: str | Path,
        hands: Callable[[Page], Hands] = Keys,
        size: tuple[int, int] = PAGE,
        sixth: bool = False,
        newcomer: bool = False,
    ) -> None:
        """`newcomer`: the program is started for the first time."""
        self.state, self.port = state, 0
        if not newcomer:
            played_before(state / "luckypaw")
        self.command = (*(sixth_game.PROGRAM[1:] if sixth else ("-m", "firmware")), *options)
        self.games = sorted((*games.names(), "harvest") if sixth else games.names())
        self.browser = browser
        self.picture = Image.new("1", (128, 64))
        self.errors: list[str] = []
        self.start()
        self.open(*size)
        self.hands = hands(self.page)

    def start(self) -> None:
        """Start the program, on the port it had before if it is started again."""
        state = {"XDG_STATE_HOME": str(self.state)}
        self.program = Program(*self.command, "play", "--emulated", "--port", str(self.port), **state)
        self.port = self.program.port

    def size(self, width_px: int, height_px: int) -> "Table":
        """Another size of the window."""
        self.page.set_viewport_size({"width": width_px, "height": height_px})
        return self

    def open(self, width_px: int = PAGE[0], height_px: int = PAGE[1]) -> None:
        """Open the page."""
        self.page: Page = self.browser.new_page(viewport={"width": width_px, "height": height_px})
        self.page.on("websocket", lambda socket: socket.on("framereceived", self._heard))
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.page.goto(f"http://127.0.0.1:{self.port}/")
        self.until(lambda: bool(reading.text(self.picture)))

    def _heard(self, frame: str | bytes) -> None:
        news = json.loads(frame)
        if "picture" in news:
            self.picture = Image.frombytes("1", (128, 64), base64.b64decode(news["picture"]))

    def reads(self) -> str:
        """The text on the display as the page was sent it."""
        return reading.text(self.picture)

    def until(self, true: Callable[[], bool], timeout_s: float = 15, every_ms: float = 20) -> None:
        """Let the page live until something is true."""
        end = time.monotonic() + timeout_s
        while not true():
            assert time.monotonic() < end, f"waited in vain; the display says: {self.reads()}"
            self.page.wait_for_timeout(every_ms)

    def sees(self, text: str) -> "Table":
        """Wait until this can be read."""
        self.until(lambda: text in self.reads())
        return self

    def passes(self) -> None:
        """Press OK, and wait until something else can be read."""
        text = self.reads()
        self.tap("ok").until(lambda: self.reads() != text)

    def shows(self, picture: Image.Image) -> None:
        """Wait until the page shows this picture."""
        wanted = picture.convert("1").tobytes()
        self.until(lambda: self.picture.tobytes() == wanted, every_ms=5)

    def wait(self, ms: float) -> "Table":
        self.page.wait_for_timeout(ms)
        return self

    def tap(self, *parts: str) -> "Table":
        """Short presses, one after the other."""
        for part in parts:
            self.hands.tap(part)
            self.wait(60)
        return self

    def turn(self, steps: int) -> "Table":
        """More of a number, or less."""
        for _ in range(abs(steps)):
            self.hands.turn(steps, on=steps)
            self.wait(20)
        return self

    def rows(self, steps: int) -> "Table":
        """Down a list: what counts up a number goes up a list by the arrows, and down by the knob."""
        for _ in range(steps):
            self.hands.turn(-1, on=1)
            self.wait(20)
        return self

    def click(self, *parts: str) -> "Table":
        """Clicks on the page."""
        for part in parts:
            self.page.locator(f'[data-part="{part}"]:visible').click(delay=40)
            self.wait(50)
        return self

    def hold(self, part: str) -> "Table":
        """One long press; by the mouse its latch, twice."""
        self.hands.down(part)
        self.wait(LONG_MS)
        self.hands.up(part)
        return self.wait(80)

    def down_a_row(self) -> None:
        """To the next row of a list, which must have one."""
        text = self.reads()
        self.rows(1).until(lambda: self.reads() != text)

    def pick(self, row: str) -> "Table":
        """Down a list to the row that begins so, and OK."""
        while not self.reads().startswith(row):
            self.down_a_row()
        return self.tap("ok")

    def choose(self, name: str) -> "Table":
        """From the menu to who plays this game."""
        return self.rows(self.games.index(name)).tap("ok").sees("Who plays?")

    def begin(self, name: str, *players: str) -> "Table":
        """From the menu to the options of this game."""
        return self.choose(name).tap(*players, "ok").sees("START")

    def open_drawer(self) -> "Table":
        """Open the drawer with the plugs."""
        self.page.locator("#drawer summary").click()
        return self.wait(50)

    def long_ok(self) -> "Table":
        """A long push of OK."""
        self.hands.tap("ok", LONG_MS)
        return self.wait(80)

    def flash(self, *players: str) -> "Table":
        """Hands on, until the flash, hands off."""
        for player in players:
            self.hands.down(player)
        self.sees("done? press")
        for player in players:
            self.hands.up(player)
        return self.wait(100)

    def together(self, event: str, *keys: str) -> "Table":
        """Move several keys in the same millisecond."""
        script = """([event, keys]) => keys.forEach(key => document.body.dispatchEvent(
            new KeyboardEvent(event, {key, code: 'Digit' + key, bubbles: true})))"""
        self.page.evaluate(script, [event, keys])
        return self

    def looks(self, name: str) -> "Table":
        """Keep a screenshot, where a folder for them was named."""
        if KEEP:
            self.page.emulate_media(reduced_motion="reduce")  # the strip at rest
            self.page.wait_for_timeout(100)
            self.page.screenshot(path=str(Path(KEEP) / f"{name}.png"))
            self.page.emulate_media(reduced_motion="no-preference")
        return self

    def kill(self) -> None:
        """Pull the plug."""
        self.program.end(signal.SIGKILL)

    def close(self) -> None:
        """Close the page and end the program, which must end well."""
        self.page.close()
        assert self.program.end()[0] == 0
        assert self.errors == []
