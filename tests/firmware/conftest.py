"""A kit of four buttons, all emulated, on a virtual clock; a panel, and its page in a real browser."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Error, Frame, Page, sync_playwright

from tests.firmware.browser import CHROMIUM, Table, needs_chromium, opened
from tests.simulators.rig import Rig
from tests.simulators.waiting import PATIENCE_S, patient_servers

pytest.register_assert_rewrite("tests.firmware.outcomes")  # which is no test file, but asserts


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what needs Chromium."""
    for item in items:
        if "chromium" in getattr(item, "fixturenames", ()):
            item.add_marker("browser")
            item.add_marker(needs_chromium)


@pytest.fixture(scope="session", autouse=True)
def patience() -> Iterator[None]:
    with patient_servers():
        yield


@pytest.fixture
def rig(tmp_path: Path) -> Iterator[Rig]:
    kit = Rig(tmp_path)
    yield kit
    kit.close()


@pytest.fixture
def table() -> Iterator[Table]:
    """A panel with small twins."""
    table = Table()
    yield table
    table.close()


@pytest.fixture(scope="module")  # no wider: while it is open, the sync_playwright() of test_browser.py is refused
def chromium() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"], timeout=1000 * PATIENCE_S)
        yield browser
        browser.close()


WATCHED = """
window.pressed = new Set();
addEventListener("keydown", event => pressed.add(event.key), true);
addEventListener("keyup", event => pressed.delete(event.key), true);
window.tones = [];
const start = OscillatorNode.prototype.start;
OscillatorNode.prototype.start = function (at) { tones.push(this.frequency.value); start.call(this, at); };
"""


@pytest.fixture(scope="module")
def tab(chromium: Browser) -> Iterator[Page]:
    """One tab for a file's tests: to open another takes longer than most of them do."""
    with chromium.new_page() as tab:
        tab.add_init_script(WATCHED)
        yield tab


@pytest.fixture
def page(table: Table, tab: Page) -> Iterator[Page]:
    """The page, connected. It must not complain about anything by the end of the test."""
    with opened(tab, table):
        yield tab
        for frame in tab.frames:  # the next test has the same keyboard, on which a key that is down only repeats
            for key in held(frame):
                tab.keyboard.up(key)


def held(frame: Frame) -> list[str]:
    """The keys that are down in a frame: none in one that leaves its page, as the next page has heard of none."""
    try:
        keys: list[str] = frame.evaluate("[...(window.pressed ?? [])]")
    except Error:
        return []
    return keys


@pytest.fixture
def own_page(table: Table, chromium: Browser) -> Iterator[Page]:
    """The same in a tab of its own, for what cannot be undone, as another clock is."""
    with chromium.new_page() as tab, opened(tab, table):
        yield tab
