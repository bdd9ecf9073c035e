"""SET UP on the page of the running program, in a real browser."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.simulators.at_the_page import Table

pytestmark = pytest.mark.slow


@pytest.fixture
def table(chromium: Browser, tmp_path: Path) -> Iterator[Table]:
    found = Table(chromium, tmp_path)
    yield found
    found.close()


def set_up(table: Table, row: str) -> Table:
    """Choose a row of SET UP."""
    while table.reads().split(" | ")[0] != "Set up":
        table.down_a_row()
    table.tap("ok").sees("SET UP")
    return table.pick(row)


@pytest.mark.nightly
def test_the_guided_check_is_answered_by_keys(table: Table) -> None:
    set_up(table, "Check the kit").sees("OK: start").looks("page_set_up").tap("ok")
    table.sees("frame complete?").tap("ok")
    for name in ("P1", "P2", "P3", "P4"):
        table.sees(f"{name} | GPIO").tap(name)
    table.sees("KNOB").click(*["knob-up"] * 4).sees("PUSH").tap("ok")
    for name in ("P1", "P2", "P3", "P4"):
        table.sees(f"lit for {name}").tap(name)
    table.sees("TONE?").tap("ok").sees("ALL RIGHT").tap("ok").sees("SET UP")


def test_another_kit_is_tried_and_kept_and_the_page_shows_it(table: Table) -> None:
    set_up(table, "Choose the kit").sees("WHICH KIT?")
    table.hands.turn(1, on=-1)
    table.sees("Duo: 2").tap("ok").sees("OK: try it").tap("ok").sees("KEEP IT?").looks("page_keep_kit")
    table.until(lambda: table.page.locator('[data-part^="button-"]').count() == 2)
    table.tap("ok").sees("kept")
    assert (table.state / "luckypaw" / "kit.chosen").read_text() == "duo\n"
