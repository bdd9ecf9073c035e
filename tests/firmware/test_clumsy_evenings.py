"""A new run of the program, seen from the page: what was shown stays. scripts/random clumsy plays whole evenings."""

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from engine.play import Play
from tests.firmware.browser import needs_chromium
from tests.simulators.at_the_page import KEEP, PAGE, Table, launched
from tests.simulators.clumsy import watched
from tests.simulators.clumsy.evening import WAYS, Evening
from tests.simulators.new_runs import begins_again
from tests.simulators.page_input import Mouse
from tests.simulators.rig import THREE

KITTY_PAW, ACTS = 2, 60  # a seed
BEHIND = WAYS[-1]  # the power is cut, and the clock shows less afterwards
LAPTOP = (1024, 768)
pytestmark = [pytest.mark.browser, needs_chromium]

# ms that it shows after the power cut
CLOCKS = [pytest.param(10**9, marks=pytest.mark.nightly, id="clock ahead"), pytest.param(5000, id="clock behind")]


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    with launched() as browser:
        yield browser


@pytest.fixture
def table(chromium: Browser, tmp_path: Path) -> Iterator[Table]:
    """A page, a pointer, and Kitty Paw for three."""
    found = Table(chromium, tmp_path, hands=Mouse, size=PAGE if KEEP else LAPTOP)
    found.page.emulate_media(reduced_motion="reduce")
    found.begin("kitty_paw", *THREE).tap("ok").sees("HANDS ON")
    yield found
    found.close()


def cut(table: Table, now_ms: int) -> Table:
    """Pull the plug; there is power again, and a clock that shows this."""
    table.kill()
    table.boot, table.now_ms = "another", now_ms
    table.start()
    return table.sees("GO ON?")


def points(table: Table) -> dict[str, str]:
    """The scores on the page."""
    rows = [row.locator("th, td").all_text_contents() for row in table.page.locator("#ranked tr").all()]
    return {label: score for _, label, score, _ in rows}


@pytest.mark.slow
@pytest.mark.parametrize("now_ms", CLOCKS)
def test_nobody_has_called_after_all_and_the_next_press_counts_though_the_power_was_cut(
    table: Table, now_ms: int
) -> None:
    table.flash(*THREE).wait(2000).together("P1", "P2").sees("Who said Meow?").looks("page_who_called")
    cut(table, now_ms).tap("ok").sees("Who said Meow?").rows(2).looks("page_nobody").tap("ok")
    table.sees("done? press").wait(1000).looks("page_play_on")
    assert table.reads().split(" | ")[0].startswith(("3.", "4."))  # the seconds since the flash, the cut left out
    table.tap("P3").sees("P3 MEOW").wait(150).tap("P1").sees("P2 LAST")
    table.looks("page_called_later")


@pytest.mark.slow
@pytest.mark.parametrize("now_ms", CLOCKS)
def test_points_fixed_in_a_race_stay_though_the_power_was_cut_and_later_steps_are_undone(
    table: Table, now_ms: int
) -> None:
    table.flash(*THREE).long_ok().sees("BACK").rows(1).sees("MORE").pick("Fix points").sees("whose?").rows(1)
    table.tap("ok").turn(3).sees("0 becomes 3").tap("ok").sees("done? press").looks("page_fixed")
    fixed = {"P1": "0", "P2": "3", "P3": "0"}
    assert points(table) == fixed
    cut(table, now_ms).sees("P2 3").tap("ok").sees("HANDS ON").looks("page_hands_again")
    assert points(table) == fixed
    table.flash(*THREE).tap("P1").wait(150).tap("P2").sees("P3 LAST").sees("Pattern right?")
    assert points(table) == fixed | {"P3": "-1"}
    for back_to in ("done? press", "HANDS ON"):
        table.long_ok().sees("BACK").tap("ok").long_ok().sees(back_to)
        assert points(table) == fixed


def cut_in_a_countdown(evening: Evening) -> None:
    """Begin the evening with a cut while hands wait for the flash, and go on."""
    by_chance, evening.cuts_from_now = evening.cuts_from_now, -1
    evening.go_on()
    while not begins_again((seen := evening.look()).play):
        evening.answer(seen)
    evening.cut(BEHIND)
    evening.go_on()
    evening.cuts_from_now = by_chance


@pytest.mark.nightly
def test_a_clumsy_evening_with_cuts_keeps_what_was_shown(chromium: Browser, tmp_path: Path) -> None:
    with closing(Evening(chromium, tmp_path, KITTY_PAW)) as evening:
        cut_in_a_countdown(evening)
        assert evening.begun_again == 1
        evening.play(ACTS)


def forgetful(start: Callable[[Evening], None], evening: Evening) -> None:
    """Before the power is back the latest fact goes."""
    with closing(sqlite3.connect(evening.journal)) as db, db:
        db.execute("delete from event where id = (select max(id) from event)")
    start(evening)


@pytest.mark.nightly
def test_a_journal_that_has_lost_a_fact_is_found(
    chromium: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    start = Evening.start
    monkeypatch.setattr(Evening, "start", lambda evening: forgetful(start, evening))
    with closing(Evening(chromium, tmp_path, KITTY_PAW)) as evening, pytest.raises(AssertionError, match="forgotten"):
        evening.play(ACTS)


@pytest.mark.nightly
def test_a_run_that_takes_back_something_else_is_found(
    chromium: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Here nothing may begin again."""

    def as_it_stood(play: Play) -> Play:
        return play

    monkeypatch.setattr(watched, "base", as_it_stood)
    with closing(Evening(chromium, tmp_path, KITTY_PAW)) as evening, pytest.raises(AssertionError, match="for Armed"):
        cut_in_a_countdown(evening)
