"""A browser in front of the running program, and somebody's hands at its page.

The program's clock is in the hands of the test, by the page's own link: `wait` lets time pass for the kit, and returns
once the page shows what has come of it. `until` lets it pass bit by bit.
"""

import base64
import os
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from PIL import Image
from playwright.sync_api import Browser, Page, sync_playwright

from engine import games
from tests.firmware.browser import CHROMIUM
from tests.simulators import reading
from tests.simulators.controlled_clock import BOOT, SIXTH
from tests.simulators.page_input import Hands, Keys
from tests.simulators.program import Program, played_before
from tests.simulators.waiting import PATIENCE_S, until

QUIET = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"]
PAGE = (1280, 800)  # px
SHORT_MS, LONG_MS = 60, 750  # presses
TICK_MS = 50  # while something is waited for
ON_MS = 1_000_000  # where the clock stands at first
LINK = """
    let link = null, picture = "", asked = null;
    window.clicks = 0; // presses of a pointer
    addEventListener("pointerdown", () => window.clicks++, true);
    window.told = {tunes: 0}; // the newest of each kind of news, and how many tunes were played
    WebSocket = class extends WebSocket {
        constructor(...where) {
            super(...where);
            link = this;
            this.addEventListener("message", ({data}) => {
                const news = JSON.parse(data);
                picture = news.picture ?? picture;
                Object.assign(window.told, news, {tunes: window.told.tunes + ("tune" in news)});
                if (asked !== null && news.passed === asked.id) asked.done(picture);
            });
            this.addEventListener("close", () => asked?.done(null));
        }
    };
    window.timePasses = (ms, patience) => new Promise((done, fail) => {
        setTimeout(() => fail(new Error("the program hangs")), patience);
        asked = {id: Math.random(), done};
        if (link?.readyState === WebSocket.OPEN) link.send(JSON.stringify({after: ms, id: asked.id}));
        else done(null);
    });
"""
KEEP = os.environ.get("LUCKYPAW_SCREENS")  # a folder: screenshots of each phase are kept there


@contextmanager
def launched() -> Iterator[Browser]:
    """A browser that draws as little as it can."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=QUIET)
        yield browser
        browser.close()


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
        self.state, self.port, self.now_ms = state, 0, ON_MS
        self.boot: str | None = None  # the boot's id; None: this machine's
        if not newcomer:
            played_before(state / "luckypaw")
        self.options = (*((SIXTH,) if sixth else ()), *options)
        self.games = sorted((*games.names(), "harvest") if sixth else games.names())
        self.browser = browser
        self.errors: list[str] = []
        self.start()
        self.open(*size)
        self.hands = hands(self.page)

    def start(self) -> None:
        """Start the program, on the port it had before if it is started again; an open page finds it."""
        told = ("-m", "tests.simulators.controlled_clock", str(self.now_ms * 1_000_000))
        boot = () if self.boot is None else (BOOT, self.boot)
        words = ("play", "--emulated", "--port", str(self.port))
        self.program = Program(*told, *boot, *self.options, *words, XDG_STATE_HOME=str(self.state))
        self.port = self.program.port

    def size(self, width_px: int, height_px: int) -> "Table":
        """Another size of the window."""
        self.page.set_viewport_size({"width": width_px, "height": height_px})
        return self

    def open(self, width_px: int = PAGE[0], height_px: int = PAGE[1]) -> None:
        """Open the page."""
        self.page: Page = self.browser.new_page(viewport={"width": width_px, "height": height_px})
        self.page.set_default_timeout(1000 * PATIENCE_S)
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.page.add_init_script(LINK)
        self.prepare()
        self.page.goto(f"http://127.0.0.1:{self.port}/")
        self._follow()

    def prepare(self) -> None:
        """Something is done with the page before it is opened."""

    def reload(self) -> "Table":
        """Open the page anew."""
        self.page.reload()
        return self._follow()

    def _follow(self) -> "Table":
        """Wait until the page is connected: before that it takes no presses."""
        self.picture = Image.new("1", (128, 64))
        self.until(lambda: bool(self.reads()))
        return self

    def reads(self) -> str:
        """The text on the display as the page was sent it."""
        return reading.text(self.picture)

    def until(self, true: Callable[[], bool]) -> None:
        """Let time pass until something is true."""
        what = "the display says something else"
        until(true, lambda: f"{what}: {self.reads()}", meanwhile=lambda: self._time_passes(TICK_MS))

    def sees(self, text: str) -> "Table":
        """Wait until this can be read."""
        self.until(lambda: text in self.reads())
        return self

    def passes(self) -> None:
        """Press OK, and wait until something else can be read."""
        text = self.reads()
        self.tap("ok").until(lambda: self.reads() != text)

    def wait(self, ms: float) -> "Table":
        """Let time pass."""
        assert self._time_passes(round(ms)), "the page has lost the program"
        return self

    def _time_passes(self, ms: int) -> bool:
        """Let time pass: whether it does, while the page is connected."""
        shown = self.page.evaluate("([ms, patience]) => timePasses(ms, patience)", [ms, 1000 * PATIENCE_S])
        if shown is None:
            return False
        self.now_ms += ms
        self.picture = Image.frombytes("1", (128, 64), base64.b64decode(shown))
        return True

    def press(self, part: str, ms: int) -> "Table":
        """One press. It may have the program start anew."""
        self.hands.down(part, stays=False)
        self.wait(ms)
        self.hands.up(part)
        self._time_passes(SHORT_MS)
        return self

    def tap(self, *parts: str) -> "Table":
        """Short presses, one after the other."""
        for part in parts:
            self.press(part, SHORT_MS)
        return self

    def together(self, *parts: str) -> "Table":
        """Short presses, all at once."""
        for part in parts:
            self.hands.down(part)
        self.wait(SHORT_MS)
        for part in parts:
            self.hands.up(part)
        return self.wait(SHORT_MS)

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
            self.page.locator(f'[data-part="{part}"]:visible').click()
            self.wait(SHORT_MS)
        return self

    def hold(self, part: str) -> "Table":
        """One long press; by the mouse its latch, twice."""
        self.hands.down(part)
        self.wait(LONG_MS)
        self.hands.up(part)
        return self.wait(SHORT_MS)

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
        return self.press("ok", LONG_MS)

    def flash(self, *players: str) -> "Table":
        """Hands on, until the flash, hands off."""
        for player in players:
            self.hands.down(player)
        self.sees("done? press")
        for player in players:
            self.hands.up(player)
        return self.wait(100)

    def looks(self, name: str) -> "Table":
        """Keep a screenshot, where a folder for them was named."""
        if KEEP:
            self.page.emulate_media(reduced_motion="reduce")  # the strip at rest
            self.page.screenshot(path=str(Path(KEEP) / f"{name}.png"), animations="disabled")
            self.page.emulate_media(reduced_motion="no-preference")
        return self

    def kill(self) -> None:
        """Pull the plug."""
        self.program.end(signal.SIGKILL)

    def close(self) -> None:
        """Close the page and end the program, which must end well."""
        self.page.close()
        assert self.program.end()[0] == 0
        assert self.errors == [], self.errors
