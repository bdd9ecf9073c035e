"""A kit of four buttons, all emulated, on a virtual clock; a panel, and its page in a real browser."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, ConsoleMessage, Page, sync_playwright

from tests.firmware.browser import CHROMIUM, Table, needs_chromium
from tests.simulators.rig import Rig
from tests.simulators.waiting import PATIENCE_S

PATIENCE_MS = 1000 * PATIENCE_S

pytest.register_assert_rewrite("tests.firmware.outcomes")  # which is no test file, but asserts


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what needs Chromium."""
    for item in items:
        if "chromium" in getattr(item, "fixturenames", ()):
            item.add_marker("browser")
            item.add_marker(needs_chromium)


@pytest.fixture(scope="session", autouse=True)
def patience() -> Iterator[None]:
    """A page that has no processor for a while is not taken for gone."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("firmware.web.serving.PING_S", PATIENCE_S)
        patch.setattr("firmware.phones.server.PING_S", PATIENCE_S)
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
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"], timeout=PATIENCE_MS)
        yield browser
        browser.close()


@pytest.fixture
def page(table: Table, chromium: Browser) -> Iterator[Page]:
    """The page, connected. It must not complain about anything by the end of the test."""
    complaints: list[str] = []

    def note(message: ConsoleMessage) -> None:
        """Chromium also names every try to connect that fails; only a panel that is stopped may make it do so."""
        stopped = not table.thread.is_alive()
        if message.type == "error" and not (stopped and "ERR_CONNECTION_REFUSED" in message.text):
            complaints.append(message.text)

    page = chromium.new_page(viewport={"width": 1280, "height": 800})
    page.set_default_timeout(PATIENCE_MS)
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("console", note)
    page.add_init_script(
        "window.tones = []; const start = OscillatorNode.prototype.start;"
        "OscillatorNode.prototype.start = function (at) { tones.push(this.frequency.value); start.call(this, at); };"
    )
    page.goto(f"http://127.0.0.1:{table.port}/")
    page.wait_for_selector(".built")
    yield page
    page.close()
    assert complaints == []
