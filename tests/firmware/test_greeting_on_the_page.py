"""The first start of the program, on its page in a real browser."""

from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.simulators.at_the_page import Table

pytestmark = pytest.mark.slow


def opened(browser: Browser, state: Path) -> Table:
    """The program, started where nobody has played."""
    return Table(browser, state, newcomer=True)


def test_a_newcomer_is_greeted_once(chromium: Browser, tmp_path: Path) -> None:
    table = opened(chromium, tmp_path)
    table.sees("Press each button").looks("page_greeting").tap("P1", "P2", "P3", "P4").sees("All of them work")
    table.sees("ALL RIGHT").looks("page_all_right").sees("A RACE!").looks("page_race_rules").tap("ok")
    for heat in ("1/3", "2/3", "3/3"):
        table.sees(f"GO! | hold OK:skip | RACE | {heat}").wait(150).tap("P2").tap("P1").looks("page_go").sees("P2 0.")
        table.looks("page_reaction")
    table.sees("P2 WINS").looks("page_race_over").tap("ok").sees("which game?")
    table.close()
    again = opened(chromium, tmp_path)
    assert "which game?" in again.reads()
    again.close()


def test_a_greeting_that_was_cut_short_comes_again_and_one_that_was_skipped_does_not(
    chromium: Browser, tmp_path: Path
) -> None:
    table = opened(chromium, tmp_path)
    table.sees("Press each button").tap("P1")
    table.kill()
    table.page.close()
    again = opened(chromium, tmp_path)
    again.sees("0/4").long_ok().sees("which game?").close()
    third = opened(chromium, tmp_path)
    assert "which game?" in third.reads()
    third.close()


def test_who_has_played_before_is_not_greeted(chromium: Browser, tmp_path: Path) -> None:
    table = Table(chromium, tmp_path)
    table.begin("kitty_paw", "P1", "P2").tap("ok").sees("HANDS ON")
    table.close()
    (tmp_path / "luckypaw" / "greeted").unlink()
    again = opened(chromium, tmp_path)
    assert "GO ON?" in again.reads()
    again.close()
