"""What a screen reader is told: the live regions of the page in a real browser, in front of a kit at work."""

import pytest
from playwright.sync_api import Page

from firmware.panel.server import Panel
from tests.firmware.browser import Table
from tests.simulators.phone import SPACES
from tests.simulators.rig import Rig

BUILDING = "game[kitty_paw 3] +P1,P2,P3 3100 -P1,P3"  # a stopwatch runs, and P2 keeps the button down
FLASHES = {
    "a button that is stuck while the stopwatch runs": (f"{BUILDING} 11s", ["MEOW GO!", "P2 is stuck: let it go"]),
    "the same again, while the first still stands": ("P3 P3", ["this is P3"] * 2),
    "the same again, later": ("P3 6s P3", ["this is P3"] * 2),
    "of one step": ("unplug[strip] lost[P1]", ["strip lost: unplugged", "button P1 lost: GPIO 13: the chip is gone"]),
    "what is wrong with a number, each time": (f"{SPACES} 2s turn+1 turn+1", ["FLIP!", *["tap your button first"] * 2]),
}


@pytest.fixture
def watched(rig: Rig, table: Table, page: Page) -> Rig:
    """A kit whose news the page shows."""
    rig.app.follow(table.panel.hear, *Panel.KINDS)
    return rig


@pytest.mark.parametrize(("line", "said"), FLASHES.values(), ids=FLASHES)
def test_every_flash_is_read_out(watched: Rig, page: Page, line: str, said: list[str]) -> None:
    watched.do(line)
    lines = page.get_by_role("log").locator("p")
    lines.nth(len(said) - 1).wait_for(state="attached")
    assert lines.all_text_contents() == said


def test_what_stays_beside_a_running_stopwatch_is_read_out_without_it(watched: Rig, page: Page) -> None:
    watched.do(f"{BUILDING} 11s")
    for part in ("asked: P1, P2, P3", "hold OK:back"):  # each is said once it is calm
        page.locator("#spoken").get_by_text(part).wait_for(state="attached")
    assert page.locator("#spoken p").all_text_contents() == [
        "",
        "R1 LEVEL I last -1. done? press. hold OK:back",
        "asked: P1, P2, P3",
        "",
    ]
