"""A kit of which nothing comes any more, as where its plug was pulled: each page says so, and is back when it is."""

import re
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import NamedTuple

import pytest
from playwright.sync_api import Browser, Locator, Page

from firmware.web import serving
from tests.firmware.browser import Table, received
from tests.firmware.phone_table import PhoneTable
from tests.firmware.wire import Wire, wire
from tests.simulators.phone import SPACES
from tests.simulators.waiting import comes

PAGES = Path(serving.__file__).parent.parent / "panel" / "page"
MS = {name: int(ms) for name, ms in re.findall(r"(\w+_MS) = (\d+);", (PAGES / "silence.js").read_text())}
SILENT_MS, MOST_MS = 3 * MS["TICK_MS"], 2000  # until it is noticed; between two tries to connect
LOST = "No connection. Trying again…"


class Open(NamedTuple):
    """A page that is open, and the network before its kit."""

    page: Page
    network: Wire
    change: Callable[[], object]  # something happens at the kit
    seen: Locator  # which is then seen on the page
    lost: str  # what the page says

    def says(self, text: str, after_ms: int) -> bool:
        """Whether the page says so then."""
        self.page.clock.run_for(after_ms)
        return comes(lambda: self.status == text)

    @property
    def status(self) -> str:
        return self.page.locator("#status").inner_text()


@contextmanager
def on_a_phone(chromium: Browser, state: Path, path: str) -> Iterator[Open]:
    with (
        closing(PhoneTable(state)) as table,
        wire(table.port) as network,
        closing(chromium.new_context(viewport={"width": 390, "height": 844})) as context,
    ):
        page = context.new_page()
        page.goto(f"http://127.0.0.1:{network.port}/{table.phones.code}")
        page.locator("#play" if path else "#places button >> nth=0").click()
        page.wait_for_selector("#game:visible")
        page.clock.install(time=0)
        page.goto(f"http://127.0.0.1:{network.port}/{path}")
        page.wait_for_selector("#game:visible")
        page.clock.pause_at(1000)
        seen = page.get_by_role("heading", name="Empty spaces?")
        yield Open(page, network, lambda: table.play(SPACES), seen, LOST)


@contextmanager
def on_the_kits_own(chromium: Browser, _state: Path, path: str) -> Iterator[Open]:
    with closing(Table()) as table, wire(table.port) as network, closing(chromium.new_context()) as context:
        page = context.new_page()
        page.clock.install(time=0)
        page.goto(f"http://127.0.0.1:{network.port}/{path}")
        page.get_by_text("Connected", exact=True).wait_for()
        page.clock.pause_at(1000)

        def change() -> None:
            table.panel.part("strip", "it is away")

        yield Open(page, network, change, page.get_by_text("it is away"), "Connection lost. Trying again…")


KINDS = {"a phone": (on_a_phone, ""), "a board": (on_a_phone, "board"), "the kit's own page": (on_the_kits_own, "")}


@pytest.fixture(params=KINDS.values(), ids=list(KINDS))
def shown(request: pytest.FixtureRequest, chromium: Browser, tmp_path: Path) -> Iterator[Open]:
    """A page, connected; it complains about nothing."""
    opened, path = request.param
    with opened(chromium, tmp_path, path) as found:
        complaints: list[str] = []
        found.page.on("pageerror", lambda error: complaints.append(str(error)))
        yield found
        assert complaints == []


def test_a_page_that_hears_nothing_says_so_and_shows_what_is_new_when_the_kit_is_back(shown: Open) -> None:
    before = shown.status
    shown.network.cut()
    shown.page.clock.run_for(MS["TICK_MS"])
    assert shown.status == before
    assert shown.says(shown.lost, 2 * MS["TICK_MS"])
    shown.change()
    assert shown.seen.count() == 0
    shown.network.through()
    assert comes(lambda: shown.seen.count() == 1, meanwhile=lambda: shown.page.clock.run_for(MOST_MS))
    assert shown.status != shown.lost


def test_a_page_tries_again_as_long_as_the_kit_is_away(shown: Open) -> None:
    shown.network.cut()
    assert shown.says(shown.lost, SILENT_MS)
    made = shown.network.made
    assert comes(lambda: shown.network.made > made + 2, meanwhile=lambda: shown.page.clock.run_for(MOST_MS))
    assert shown.status == shown.lost


def test_a_page_that_slept_does_not_take_the_kit_for_gone(shown: Open) -> None:
    before, made = shown.status, shown.network.made
    shown.page.clock.fast_forward(3_600_000)  # timers are done once, as in a laptop that was shut
    assert (shown.status, shown.network.made) == (before, made)


def test_a_page_of_a_kit_where_nothing_happens_stays(shown: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    """The kit's signs alone keep it."""
    monkeypatch.setattr(serving, "SIGN_S", 0.01)
    made = shown.network.made
    shown.change()  # the next wait is as short
    for _ in range(4):
        passed = shown.network.passed
        assert comes(lambda: shown.network.passed > passed + 20)  # noqa: B023
        shown.page.clock.run_for(MS["TICK_MS"])
    assert (shown.status != shown.lost, shown.network.made) == (True, made)


def test_three_signs_fit_into_the_silence_that_a_page_stands() -> None:
    assert 2 * serving.SIGN_S * 1000 < 2 * MS["TICK_MS"] < SILENT_MS < 10_000


def test_a_server_gives_a_sign_where_it_has_no_news(
    table: Table, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(serving, "SIGN_S", 0.01)
    with closing(PhoneTable(tmp_path)) as phones, phones.page(phones.join().cookie) as phone, table.browser() as page:
        for line in (phone, page):
            while received(line):
                pass
            assert [received(line) for _ in range(2)] == [{}, {}]


def test_the_page_of_the_score_sheets_says_that_nobody_answers(chromium: Browser, table: Table) -> None:
    table.panel.on_sheets = lambda request: b'{"sheets": [], "taken": []}'
    with wire(table.port) as network, closing(chromium.new_context()) as context:
        page = context.new_page()
        page.clock.install()
        page.goto(f"http://127.0.0.1:{network.port}/sheets")
        page.get_by_text("Of the kit").wait_for()
        network.cut()
        page.locator("#new").click()
        assert comes(lambda: network.held > 0)
        page.clock.run_for(MS["ANSWER_MS"])
        page.get_by_text("Lucky Paw does not answer.").wait_for()
        network.through()
        assert comes(lambda: page.locator("#said").inner_text() == "", meanwhile=lambda: page.clock.run_for(1000))


def test_a_phone_that_joins_is_told_that_nobody_answers(chromium: Browser, tmp_path: Path) -> None:
    with (
        closing(PhoneTable(tmp_path)) as table,
        wire(table.port) as network,
        closing(chromium.new_context()) as context,
    ):
        page = context.new_page()
        page.clock.install()
        page.goto(f"http://127.0.0.1:{network.port}/")
        page.wait_for_selector("#join:visible")
        network.cut()
        page.locator("#code").fill(table.phones.code)
        page.locator("#enter button").click()
        page.clock.run_for(MS["ANSWER_MS"])
        page.get_by_text("The kit does not answer.").wait_for()
