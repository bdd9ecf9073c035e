"""A score sheet's game on a phone's page in a real browser: numbers below 0 and by steps, and boxes."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from engine.game import NoOptions
from engine.sheets.reading import read
from engine.sheets.rules import rules
from firmware.table.playing import begin
from tests.engine.sheets.shelf import sheet
from tests.firmware.phone_table import PhoneTable
from tests.simulators.phone_page import opened
from tests.simulators.waiting import until

STEPS = sheet("[2, 2]", 'ask = [{ id = "a", low = -25, high = 125, step = 5 }]', "rounds = 2")
BOXES = sheet("[2, 2]", 'ask = [{ id = "ones", per = "box", high = 50 }, { id = "twos", per = "box", high = 60 }]')


@pytest.fixture
def table(tmp_path: Path) -> Iterator[PhoneTable]:
    table = PhoneTable(tmp_path)
    yield table
    table.close()


@pytest.fixture
def page(chromium: Browser, table: PhoneTable) -> Iterator[Page]:
    """The phone of P1, on which nothing fails."""
    complaints: list[str] = []
    page = opened(chromium, f"http://{table.host}/{table.phones.code}", complaints)
    page.get_by_role("button", name="P1").tap()
    page.locator("#settled").tap()
    yield page
    page.context.close()
    assert complaints == []


def on(table: PhoneTable, text: str) -> None:
    def begun() -> None:
        begin(table.rig.app.table, rules("sheet:test", read(text)), ("P1", "P2"), NoOptions())
        table.rig.after(0)

    table.do(begun)


def tap(page: Page, *keys: str) -> None:
    for key in keys:
        page.locator("#asks").get_by_role("button", name=key, exact=True).tap()


def test_a_number_below_0_is_typed_by_its_sign_within_the_limits(table: PhoneTable, page: Page) -> None:
    on(table, STEPS)
    send = page.get_by_role("button", name="Send")
    tap(page, "minus")
    assert send.is_disabled()
    tap(page, "2", "5", "5")
    assert (page.locator("output").inner_text(), send.is_disabled()) == ("−255", True)
    tap(page, "delete")
    page.get_by_text("new total: −25").wait_for()
    tap(page, "+5", "Send")
    until(
        lambda: table.do(lambda: [one.value for one in table.rig.playing.entered.sent.values()]) == [-20],
        lambda: "the number is not sent",
    )


def test_a_box_is_chosen_before_its_number(table: PhoneTable, page: Page) -> None:
    on(table, BOXES)
    tap(page, "ones", "Another box", "twos", "7", "Send")
    until(lambda: table.do(lambda: table.rig.playing.play.scores) == (7, 0), lambda: "the box is empty")
