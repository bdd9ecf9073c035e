"""Whole games in a real browser, by keys, mouse or fingers alone, on the program as `scripts/play` starts it."""

import base64
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import pytest
from PIL import Image
from playwright.sync_api import Browser, Page, WebSocket, sync_playwright

from engine import games
from hardware.config import KITS, kits
from scripts.generators import game_pages
from tests import sixth_game
from tests.simulators import reading
from tests.simulators.hands import Fingers, Hands, Keys, Mouse
from tests.simulators.mirror import Mirror
from tests.simulators.presses import Cost

ROOT = Path(__file__).resolve().parent.parent
CHROMIUM = shutil.which("chromium")
QUIET = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"]
LUCKYPAW = (sys.executable, "-m", "firmware")
PAGE = (1280, 800)  # px
LAPTOP, PHONE = (1024, 768), (390, 844)
SMALL_PAGE = (320, 240)  # drawn in no time: a whole game is hundreds of pictures
AT_A_TIME = 3  # browsers
KEEP = os.environ.get("LUCKYPAW_SCREENS")  # a folder: screenshots of each phase are kept there

pytestmark = [
    pytest.mark.alone,
    pytest.mark.browser,
    pytest.mark.skipif(CHROMIUM is None, reason="Chromium is missing: apt-get install chromium"),
]


class Table:
    """A browser in front of the running program."""

    def __init__(
        self, browser: Browser, state: Path, config: str = "", *, sixth: bool = False, size: tuple[int, int] = PAGE
    ) -> None:
        self.state, self.port = state, 0
        self.command = sixth_game.PROGRAM if sixth else LUCKYPAW
        self.games = sorted((*games.names(), "harvest") if sixth else games.names())
        self.program: subprocess.Popen[str] | None = None
        self.config = state / "kit.toml" if config else None
        if self.config is not None:
            self.config.write_text(config)
        self.browser = browser
        self.picture = Image.new("1", (128, 64))
        self.errors: list[str] = []
        self.start()
        self.open(*size)

    def start(self) -> None:
        """Start the program, on the port it had before if it is started again."""
        config = ["--config", str(self.config)] if self.config else []
        self.program = subprocess.Popen(
            [*self.command, *config, "play", "--emulated", "--port", str(self.port)],
            cwd=ROOT,
            env={**os.environ, "XDG_STATE_HOME": str(self.state)},
            stdout=subprocess.PIPE,
            text=True,
        )
        assert self.program.stdout is not None
        found = re.search(r"http://127\.0\.0\.1:(\d+)", self.program.stdout.readline())
        assert found is not None
        self.port = int(found[1])

    def size(self, width_px: int, height_px: int) -> "Table":
        """Another size of the window."""
        self.page.set_viewport_size({"width": width_px, "height": height_px})
        return self

    def open(self, width_px: int = PAGE[0], height_px: int = PAGE[1]) -> None:
        """Open the page."""
        self.page: Page = self.browser.new_page(viewport={"width": width_px, "height": height_px})
        self.page.on("websocket", self._connected)
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.page.goto(f"http://127.0.0.1:{self.port}/")
        self.until(lambda: bool(reading.text(self.picture)))

    def _connected(self, socket: WebSocket) -> None:
        socket.on("framereceived", self._heard)

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

    def shows(self, picture: Image.Image) -> None:
        """Wait until the page shows this picture."""
        wanted = picture.convert("1").tobytes()
        self.until(lambda: self.picture.tobytes() == wanted, every_ms=5)

    def wait(self, ms: float) -> "Table":
        self.page.wait_for_timeout(ms)
        return self

    def keys(self, *keys: str) -> "Table":
        """Short presses of keys, one after the other."""
        for key in keys:
            self.page.keyboard.press(key, delay=40)
            self.wait(50)
        return self

    def click(self, *parts: str) -> "Table":
        """Clicks on the page."""
        for part in parts:
            self.page.locator(f'[data-part="{part}"]:visible').click(delay=40)
            self.wait(50)
        return self

    def choose(self, name: str) -> "Table":
        """From the menu to who plays this game."""
        return self.keys(*["ArrowDown"] * self.games.index(name), "Enter").sees("Who plays?")

    def begin(self, name: str, *players: str) -> "Table":
        """From the menu to the options of this game."""
        return self.choose(name).keys(*players, "Enter").sees("START")

    def open_drawer(self) -> "Table":
        """Open the drawer with the plugs."""
        self.page.locator("#drawer summary").click()
        return self.wait(50)

    def long_ok(self) -> "Table":
        self.page.keyboard.press("Enter", delay=750)
        return self.wait(80)

    def flash(self, *keys: str) -> "Table":
        """Hands on, until the flash, hands off."""
        for key in keys:
            self.page.keyboard.down(key)
        self.sees("done? press")
        for key in keys:
            self.page.keyboard.up(key)
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
        assert self.program is not None
        self.program.send_signal(signal.SIGKILL)
        self._ended()

    def close(self) -> None:
        assert self.program is not None
        self.page.close()
        self.program.send_signal(signal.SIGTERM)
        self._ended()
        assert self.program.returncode == 0
        assert self.errors == []

    def _ended(self) -> None:
        assert self.program is not None and self.program.stdout is not None
        self.program.wait(10)
        self.program.stdout.close()


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        found = playwright.chromium.launch(executable_path=CHROMIUM, args=QUIET)
        yield found
        found.close()


@pytest.fixture
def table(browser: Browser, tmp_path: Path) -> Iterator[Table]:
    found = Table(browser, tmp_path)
    yield found
    found.close()


def meow(table: Table, caller: str, second: str, points: int) -> None:
    """A round in which the caller is right."""
    table.flash("1", "2", "3").keys(caller).wait(150).keys(second).wait(150)
    table.keys("Enter").sees("Card is worth").keys(
        *["ArrowUp"] * (points - 6), *["ArrowDown"] * (6 - points), "Enter"
    ).sees("remove 2 cards")


def dead_heat(table: Table, *keys: str) -> None:
    """Two Meows inside the tie band. A busy machine may stamp them too far apart: then they are taken back."""
    for _ in range(5):
        table.together("keydown", *keys).until(lambda: "tie" in table.reads() or "right?" in table.reads())
        if "tie" in table.reads():
            return
        table.together("keyup", *keys).wait(80).long_ok().sees("BACK").keys("Enter").long_ok().sees("done? press")
    raise AssertionError("five times two keys of one millisecond were stamped more than 10 ms apart")


def test_a_whole_game_of_kitty_paw(table: Table) -> None:
    """To the fifth card, with what people do: mis-press, bumped Meow, dead heat, undo, reload, unplug, power cut."""
    table.looks("page_menu").choose("kitty_paw")
    table.click("button-P1", "button-P2", "button-P4").click("button-P4", "button-P3")  # a mis-press, put right
    table.looks("page_join").keys("Enter").sees("START").keys("Enter").sees("HANDS ON").looks("page_hands")

    # a bumped button: Back returns to the running round
    table.flash("1", "2", "3").looks("page_build").keys("3").wait(100).keys("1").sees("Pattern right?")
    table.long_ok().sees("BACK").looks("page_back").keys("Enter").wait(50).long_ok().sees("done? press")
    # the page is reloaded in mid-race
    table.page.reload()
    table.sees("done? press")
    table.keys("2").wait(200).looks("page_meow").keys("1").sees("P3 LAST").looks("page_last")
    table.keys("Enter").sees("Card is worth").keys("Enter").sees("remove 2 cards")
    # an undo over the verdict: the card was a seven
    table.long_ok().sees("P2 +6").keys("Enter").wait(50).long_ok().sees("Card is worth")
    table.keys("ArrowUp", "Enter").sees("remove 2 cards").looks("page_clean_up").keys("Enter")

    # a dead heat on purpose: two keys at once
    dead_heat(table.sees("HANDS ON").flash("1", "2", "3"), "1", "2")
    table.sees("P1/P2 tie").looks("page_tie").together("keyup", "1", "2")
    table.wait(80).keys("ArrowDown", "Enter").sees("Pattern right?").keys("ArrowDown", "Enter").sees("remove 2 cards")
    table.keys("Enter")

    # the display is unplugged in a round and comes back with what stands now
    table.sees("HANDS ON").open_drawer().click("plug-display").until(lambda: not any(table.picture.tobytes()))
    table.click("plug-display").sees("HANDS ON").open_drawer()

    # the plug is pulled; the game is offered and goes on
    table.kill()
    table.start()
    table.sees("GO ON?").looks("page_resume").keys("Enter").sees("HANDS ON")

    for points in (4, 5, 6, 7):
        meow(table, "2", "3", points)
        table.keys("Enter").wait(100)
    table.sees("P2 WINS").looks("page_end_kitty_paw")
    assert "28" in table.reads()  # 7 - 1 + 4 + 5 + 6 + 7


@pytest.mark.parametrize("kit", kits())
def test_a_whole_game_of_kitty_paw_for_two_on_each_kit(kit: str, browser: Browser, tmp_path: Path) -> None:
    """To the fifth card; P1 is always the first, and right."""
    table = Table(browser, tmp_path, (KITS / f"{kit}.toml").read_text())
    table.begin("kitty_paw", "1", "2").keys("Enter")
    for _ in range(5):
        table.sees("HANDS ON").flash("1", "2").keys("1").wait(150).keys("2").wait(150)
        table.keys("Enter").sees("Card is worth").keys("Enter").sees("remove 2 cards").keys("Enter")
    table.sees("P1 WINS").close()


def race(table: Table, *keys: str) -> None:
    """From the deal until slaps are over: a press for each, slow enough to be told apart."""
    table.keys("Enter").sees("FLIP!").wait(350)
    for key in keys:
        table.keys(key).wait(60)
    table.sees("LAST").wait(1600)


def test_a_whole_game_of_pack_and_stack_counted_quickly(table: Table) -> None:
    table.begin("pack_and_stack", "1", "2", "3", "4")
    table.keys("Enter").sees("Who is the youngest?").looks("page_youngest").click("button-P3").sees("DEAL 2")
    table.looks("page_deal").keys("Enter").sees("2").looks("page_countdown").keys("4").sees("P4 too early")
    table.sees("FLIP!").looks("page_flip").wait(350).keys("2").wait(60).keys("4").wait(60).looks("page_race")
    table.keys("1").sees("P3 LAST").looks("page_packing").wait(1600)  # slaps of the race are over
    table.keys("1", "2", "3", "4").sees("Empty spaces?")
    for _ in range(3):
        table.keys("1").keys(*["ArrowUp"] * 11, "2", "3", "3", "4").looks("page_empties").keys("Enter")
        table.sees("Green left?").keys("1", *["Enter"] * 5).sees("boxes, trucks back").looks("page_result")
        table.keys("Enter").sees("DEAL 2")
        race(table, "2", "4", "1")
        table.keys("Enter").sees("Empty spaces?")
    table.keys("1").keys(*["ArrowUp"] * 59, "2", "3", "4", "Enter").sees("Green left?").keys(*["Enter"] * 5)
    table.sees("ENDS: somebody is out").keys("Enter").sees("WIN").looks("page_end_pack_and_stack")


@pytest.mark.nightly
def test_a_whole_game_of_pack_and_stack_checked(table: Table) -> None:
    """Loads and trucks are entered, empty spaces computed; a load of one green box in the largest truck costs 59."""
    table.begin("pack_and_stack", "1", "2", "3", "4")
    table.keys(*["ArrowDown"] * 6, "Enter", "ArrowDown", "Enter").sees("checked").looks("page_options")
    table.keys(*["ArrowUp"] * 6, "Enter").sees("Who is the youngest?").keys("1").sees("Green")
    for n in range(2):
        table.keys("1", "2", "2", "3", "3", "3", "4").looks("page_load").keys("Enter")
        for colour in ("Yellow", "Red", "Orange", "Blue"):
            table.sees(colour).keys("1", "ArrowDown", "2", "3", "3", "4", "ArrowDown", "Enter")
        table.sees("DEAL 2")
        race(table, "2", "3", "4")
        table.keys("Enter").sees("Levels?").keys("1", *["ArrowUp"] * 3, "2", "3", "3", "4", "Enter")
        table.sees("Area?").keys("1", *["ArrowUp"] * 14, "2", *["ArrowUp"] * 14).looks("page_area")
        table.keys("3", *["ArrowUp"] * 14, "4", "Enter").sees("Green left?")
        while "boxes, trucks back" not in table.reads() and "ENDS" not in table.reads():
            table.keys("Enter").wait(60)
        table.keys("Enter").wait(100)
        if n == 0:
            table.sees("Green")
    table.sees("WIN")


EVENINGS = [
    (game, players)
    for game in ("cat_pageant", "pack_the_essentials", "if_it_fits")
    for players in game_pages.EVENINGS[game]
]
POINTERS: dict[str, tuple[Callable[[Page], Hands], tuple[int, int]]] = {
    "mouse": (Mouse, LAPTOP),
    "fingers": (Fingers, PHONE),
}


@contextmanager
def own_browser(size: tuple[int, int]) -> Iterator[Table]:
    """A table with a browser and a folder of its own."""
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        table = Table(playwright.chromium.launch(executable_path=CHROMIUM, args=QUIET), Path(folder), size=size)
        try:
            yield table
        except BaseException:
            table.kill()
            raise
        table.close()
        table.browser.close()


def whole_game(
    game: str, players: int, made: Callable[[Page], Hands] = Keys, size: tuple[int, int] = SMALL_PAGE
) -> tuple[bool, Cost]:
    """Play a whole game in a browser of its own: whether it came to its scores, and what it cost.

    On the way the page shows what a table shows that is played by the same hands.
    """
    with own_browser(size) as table:
        (twin := table.state / "twin").mkdir()
        hands = Mirror(twin, table.page, made(table.page), table.shows)
        scores = game_pages.EVENINGS[game][players](hands, hands.look)
        hands.look("end")
        table.size(*PAGE).wait(300).looks(f"page_{game}_{players}")
        found = hands.scores == scores, hands.cost
        hands.close()
    return found


@pytest.fixture(scope="module")
def whole_games() -> dict[tuple[str, int], Future[tuple[bool, Cost]]]:
    """All of them, a few at a time: they mostly wait."""
    with ThreadPoolExecutor(AT_A_TIME) as pool:
        return {evening: pool.submit(whole_game, *evening) for evening in EVENINGS}


@pytest.mark.nightly
@pytest.mark.parametrize("evening", EVENINGS, ids=lambda evening: f"{evening[0]}-{evening[1]}")
def test_a_whole_game_costs_the_presses_that_its_page_says(
    whole_games: dict[tuple[str, int], Future[tuple[bool, Cost]]], evening: tuple[str, int]
) -> None:
    """With a mis-press, an undo, and a point fixed later."""
    game, players = evening
    assert whole_games[evening].result() == (True, game_pages.costs(game)[players])


# --- by pointers alone -----------------------------------------------------------------------------------------------


class Pointed:
    """Somebody who plays by mouse or by fingers alone, in real time: races have no twin to keep in step with."""

    def __init__(self, table: Table, hands: Hands) -> None:
        self.table, self._hands = table, hands

    def tap(self, *parts: str) -> Table:
        """Short presses, one after the other."""
        for part in parts:
            self._hands.tap(part)
            self.table.wait(60)
        return self.table

    def turn(self, clicks: int) -> None:
        """Clockwise: on in a list, more in a number."""
        for _ in range(abs(clicks)):
            self._hands.turn(clicks, on=clicks)
            self.table.wait(20)

    def begin(self, name: str, *players: str) -> None:
        """From the menu into a game."""
        self.turn(self.table.games.index(name))
        self.tap("ok").sees("Who plays?")
        self.tap(*players, "ok").sees("START")
        self.tap("ok")

    def flash(self, *players: str) -> None:
        """Hands on, all at once; the flash; hands off."""
        for player in players:
            self._hands.down(player)
        self.table.sees("done? press")
        for player in players:
            self._hands.up(player)
        self.table.wait(100)


def kitty_paw(player: Pointed) -> bool:
    """To the fifth card; P2 is always right, P1 always the last."""
    table = player.table
    player.begin("kitty_paw", "P1", "P2", "P3")
    for points in (6, 4, 5, 6, 7):
        table.sees("HANDS ON")
        player.flash("P1", "P2", "P3")
        player.tap("P2").wait(150)
        player.tap("P3").wait(2000)
        player.tap("ok").sees("Card is worth")
        player.turn(points - 6)
        player.tap("ok").sees("remove 2 cards")
        player.tap("ok")
    return "28" in table.sees("P2 WINS").reads()


def pack_and_stack(player: Pointed) -> bool:
    """Two rounds in which P1 packs next to nothing."""
    table = player.table
    player.begin("pack_and_stack", "P1", "P2", "P3")
    table.sees("Who is the youngest?")
    player.tap("P1")
    for _ in range(2):
        table.sees("DEAL 2")
        player.tap("ok").sees("FLIP!").wait(350)
        player.tap("P2").wait(200)
        player.tap("P3").sees("P1 LAST").wait(2000)
        player.tap("ok").sees("Empty spaces?")
        player.tap("P1")
        player.turn(59)
        player.tap("P2", "P3", "ok").sees("Green left?")
        player.tap(*["ok"] * 5)
        table.until(lambda: "boxes, trucks back" in table.reads() or "ENDS: somebody is out" in table.reads())
        player.tap("ok")
    return "WIN" in table.sees("WIN").reads()


def raced_game(play: Callable[[Pointed], bool], hands: str) -> bool:
    """Play a game with races in a browser of its own: whether it came to its end."""
    made, size = POINTERS[hands]
    with own_browser(size) as table:
        return play(Pointed(table, made(table.page)))


def mirrored_game(game: str, players: int, hands: str) -> bool:
    """Play an evening: whether it came to its scores."""
    return whole_game(game, players, *POINTERS[hands])[0]


POINTED: dict[str, Callable[[str], bool]] = {
    "cat_pageant": partial(mirrored_game, "cat_pageant", 2),
    "if_it_fits": partial(mirrored_game, "if_it_fits", 3),
    "kitty_paw": partial(raced_game, kitty_paw),
    "pack_and_stack": partial(raced_game, pack_and_stack),
    "pack_the_essentials": partial(mirrored_game, "pack_the_essentials", 2),
}
POINTED_GAMES = [(game, hands) for game in POINTED for hands in POINTERS]


@pytest.fixture(scope="module")
def pointed_games() -> dict[tuple[str, str], Future[bool]]:
    """All of them, a few at a time."""
    with ThreadPoolExecutor(AT_A_TIME) as pool:
        return {(game, hands): pool.submit(POINTED[game], hands) for game, hands in POINTED_GAMES}


@pytest.mark.nightly
@pytest.mark.parametrize(("game", "hands"), POINTED_GAMES)
def test_a_whole_game_is_played_by_pointers_alone(
    pointed_games: dict[tuple[str, str], Future[bool]], game: str, hands: str
) -> None:
    assert pointed_games[game, hands].result()


def test_a_race_ends_in_a_photo_finish(table: Table) -> None:
    """From the deal to the strip: the lines stand in the order in which the keys were pressed; the display agrees."""
    table.begin("pack_and_stack", "1", "2", "3").keys("Enter")
    table.sees("Who is the youngest?").keys("1").sees("DEAL 2")
    race(table, "3", "1")
    finish = table.page.locator("#finish")
    finish.locator("summary").click()
    table.wait(600).looks("page_photo_finish")
    names = finish.locator("svg").first.locator(".who").all_text_contents()
    lines = finish.locator("svg").first.locator(".line").evaluate_all("lines => lines.map(line => line.getBBox().x)")
    finish.locator("summary").click()
    table.keys("ArrowUp").sees("P3 FIRST P2 LAST").looks("page_evidence")
    assert (names, lines) == (["P3", "P1", "P2"], sorted(lines))


def test_the_page_fits_a_phone(browser: Browser, tmp_path: Path) -> None:
    table = Table(browser, tmp_path)
    table.page.close()
    table.open(360, 740)
    table.wait(300)
    wide = table.page.evaluate("document.documentElement.scrollWidth")
    table.looks("page_phone").close()
    assert wide <= 360


def test_a_sixth_game_is_played_as_it_is(browser: Browser, tmp_path: Path) -> None:
    table = Table(browser, tmp_path, sixth=True)
    table.begin("harvest", "1", "2").keys("Enter")
    for _ in range(3):
        table.sees("Sheaves?").keys("1", "1", "2").looks("page_sixth_game").keys("Enter")
    table.sees("P2 WINS").close()
