"""A browser that keeps no cookies: it is told so in a sentence, and no phone stays joined that nobody can open."""

from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Route
from websockets.sync.client import connect
from websockets.typing import Origin

from firmware.phones.hub import Phones
from tests.firmware.phone_table import PhoneTable, ended
from tests.simulators.phone import Phone, let_in
from tests.simulators.phone_page import opened
from tests.simulators.rig import Rig
from tests.simulators.waiting import comes

NONE_KEPT = "This browser keeps no cookies: allow them for this address, or use another browser."
LET_GO = "The kit has let this phone go: join again."
HERE, THERE = "192.168.1.30", "192.168.1.31"


@pytest.fixture
def table(tmp_path: Path) -> Iterator[PhoneTable]:
    table = PhoneTable(tmp_path)
    yield table
    table.close()


@pytest.fixture
def rig(tmp_path: Path) -> Rig:
    return Rig(tmp_path)


def without_cookies(context: BrowserContext) -> None:
    """The browser takes no cookie of the only answer that has one, and sends none, as where people block them."""

    def answer(route: Route) -> None:
        got = route.fetch()
        headers = {name: value for name, value in got.headers.items() if name.lower() != "set-cookie"}
        context.clear_cookies()
        route.fulfill(response=got, headers=headers)

    context.route("**/join", answer)


def phone_page(chromium: Browser, table: PhoneTable, path: str = "") -> Page:
    complaints: list[str] = []
    page = opened(chromium, f"http://{table.host}/{path}", complaints)
    page.context.on("close", lambda _: complaints.clear())
    return page


def scanned(page: Page, table: PhoneTable) -> None:
    page.goto(f"http://{table.host}/{table.phones.code}")
    page.get_by_role("button", name="P1").tap()


def typed(page: Page, table: PhoneTable) -> None:
    page.goto(f"http://{table.host}/")
    page.locator("#code").fill(table.phones.code)
    page.get_by_role("button", name="Join").tap()
    page.get_by_role("button", name="P2").tap()


def to_look_on(page: Page, table: PhoneTable) -> None:
    page.goto(f"http://{table.host}/{table.phones.code}")
    page.get_by_role("button", name="Only look on").tap()


@pytest.mark.parametrize(
    ("join", "table_has"),
    [
        pytest.param(scanned, "a game", id="scanned, a place in a game that is on"),
        pytest.param(typed, "", id="typed, a place"),
        pytest.param(to_look_on, "", id="to look on"),
    ],
)
def test_it_is_told_so_at_each_try_and_leaves_no_phone(
    chromium: Browser, table: PhoneTable, join: Callable[[Page, PhoneTable], None], table_has: str
) -> None:
    if table_has:
        table.play("game[pack_and_stack 3]")
    page = phone_page(chromium, table)
    without_cookies(page.context)
    said = []
    for _try in range(3):
        join(page, table)
        page.get_by_text(NONE_KEPT).wait_for()
        said.append((page.locator("main:not([hidden])").get_attribute("id"), len(table.phones.all)))
    page.context.close()
    assert said == [("join", 0)] * 3


def test_a_browser_that_keeps_them_plays(chromium: Browser, table: PhoneTable) -> None:
    page = phone_page(chromium, table)
    scanned(page, table)
    page.locator("#game:not([hidden])").wait_for()
    assert (page.locator("#refused").inner_text(), len(table.phones.all)) == ("", 1)
    page.context.close()


def test_a_phone_that_the_kit_has_thrown_out_is_told_that(chromium: Browser, table: PhoneTable) -> None:
    page = phone_page(chromium, table)
    scanned(page, table)
    page.locator("#settled").tap()
    assert comes(lambda: table.phones.connected(table.phones.all[0].id))
    table.do(lambda: table.phones.throw_out(table.phones.all[0].id))
    page.get_by_text(LET_GO).wait_for()
    page.context.close()


def test_a_phone_whose_cookies_are_cleared_while_it_plays_is_told_so_and_stays_joined(
    chromium: Browser, table: PhoneTable
) -> None:
    page = phone_page(chromium, table)
    scanned(page, table)
    page.locator("#settled").tap()
    page.context.clear_cookies()
    page.evaluate("dispatchEvent(new Event('online'))")  # it connects anew
    page.get_by_text(NONE_KEPT).wait_for()
    assert len(table.phones.all) == 1  # whoever uses it has had its page; at the kit it can be thrown out
    page.context.close()


@pytest.mark.parametrize(
    ("address", "cookie", "left", "reason"),
    [
        pytest.param("/ws?joined", "", 0, "no cookie", id="its first page, without the cookie"),
        pytest.param("/ws", "", 1, "no cookie", id="a page that has not joined"),
        pytest.param("/ws?joined", "luckypaw=another", 1, "join first", id="with another phone's cookie"),
    ],
)
def test_only_a_page_that_has_just_joined_without_a_cookie_lets_its_phone_go(
    table: PhoneTable, address: str, cookie: str, left: int, reason: str
) -> None:
    table.join()
    headers = {"Cookie": cookie} if cookie else {}
    origin = Origin(f"http://{table.host}")
    with connect(f"ws://{table.host}{address}", origin=origin, additional_headers=headers) as line:
        code = ended(line)
        assert (code, line.close_reason, len(table.phones.all)) == (4401, reason, left)


@pytest.mark.parametrize(
    ("joined", "goes"),
    [
        pytest.param([HERE], {0}, id="the one that joined there"),
        pytest.param([HERE, HERE], {1}, id="of two there the latest: a router may show several as one"),
        pytest.param([THERE], set(), id="none that joined elsewhere"),
        pytest.param([HERE, THERE], {0}, id="not a later one elsewhere"),
        pytest.param([], set(), id="none"),
    ],
)
def test_of_an_address_the_latest_phone_without_a_page_goes(rig: Rig, joined: list[str], goes: set[int]) -> None:
    phones = let_in(rig)
    for address in joined:
        phones.join(phones.code, address=address)
    before = phones.all
    phones.unkept(HERE)
    assert {n for n, phone in enumerate(before) if phone not in phones.all} == goes
    rig.close()


def test_a_phone_that_has_had_its_page_stays(rig: Rig) -> None:
    phones = let_in(rig)
    token = phones.join(phones.code, address=HERE)
    assert token is not None
    Phone(rig, token=token)
    phones.unkept(HERE)
    assert len(phones.all) == 1
    rig.close()


def test_what_it_wanted_at_the_kit_is_not_asked_any_more(tmp_path: Path) -> None:
    with closing(Rig(tmp_path)) as rig:
        phones = let_in(rig.do("game[pack_and_stack 3]"))
        phones.join(phones.code, "P1", HERE)
        asked = rig.after(0).reads()
        phones.unkept(HERE)
        assert ("P1?" in asked, "P1?" in rig.after(0).reads(), isinstance(phones, Phones)) == (True, False, True)
