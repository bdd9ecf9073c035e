"""How the pages of the history look with the widest names and the longest sheets, and that they do without script."""

import re
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Literal

import pytest
from playwright.sync_api import Browser, Page

from firmware.statistics import process
from firmware.wishes.forms import question
from firmware.wishes.people import Add, Forget
from firmware.wishes.who_may_wish import AnyWish
from firmware.wishes.wish import Answer, AskFirst, Done
from hardware.parts.strip import Colour
from tests.firmware.browser import Table
from tests.simulators.hard_history import KINDS, NAMES, PERSONS, SHE, pages
from tests.simulators.page_colours import COLOUR_BLIND, CONTRAST, contrast, differences
from tests.simulators.random_evenings import Evenings
from tests.simulators.webkit import needs_webkit, webkit
from tests.simulators.wishing import decided

pytestmark = pytest.mark.slow

FORGOTTEN = f"/people/{'c' * 16}"  # where the question whether somebody is forgotten is shown
PHONE, ZOOMED, WIDE = 320, 640, 1280  # px; a window of 1280 px at 200 % has room for 640
READ = 4.5  # the least contrast of a text with its ground (WCAG 2.2, 1.4.3)
# the colours of a button that says so, of the others, and of the paper below
BUTTONS = r"""(says) => {
    const rgb = (one, part) => getComputedStyle(one)[part].match(/\d+/g).slice(0, 3).map(Number);
    const there = [...document.querySelectorAll("button")];
    const it = there.filter((one) => one.textContent.startsWith(says));
    const grounds = there.filter((one) => !it.includes(one)).map((one) => rgb(one, "backgroundColor"));
    const paper = rgb(it[0].closest(".asks, details"), "backgroundColor");
    return [it.length, rgb(it[0], "color"), rgb(it[0], "backgroundColor"), paper, ...grounds];
}"""
SIDEWAYS = """[...document.querySelectorAll(".wide:has(.stack)")].filter((one) => one.scrollWidth > one.clientWidth)
    .map((one) => [one.scrollWidth, one.clientWidth])"""
WIDTHS = "[document.documentElement.scrollWidth, innerWidth]"
# texts of plots that are too small, not inside, or over another one
BAD_TEXTS = """[...document.querySelectorAll(".plot")].flatMap((plot) => {
    const box = plot.getBoundingClientRect(), scale = box.width / plot.viewBox.baseVal.width;
    const texts = [...plot.querySelectorAll("text")].map((one) => [one, one.getBoundingClientRect()]);
    const meet = (a, b) => a.left < b.right && b.left < a.right && a.top + 3 < b.bottom && b.top + 3 < a.bottom;
    const bad = texts.filter(([one, at], n) => parseFloat(getComputedStyle(one).fontSize) * scale < 10
        || at.left < box.left || at.right > box.right || at.bottom > box.bottom
        || texts.slice(0, n).some(([, other]) => meet(at, other)));
    return bad.map(([one]) => one.textContent);
})"""


@pytest.fixture(scope="module")
def history(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    forget = Forget(PERSONS[0].id)
    asks = decided(forget, PERSONS)
    assert isinstance(asks, AskFirst)
    return pages(tmp_path_factory.mktemp("state")) | {FORGOTTEN: question(forget, asks, NAMES).encode()}


@pytest.fixture
def address(table: Table, history: dict[str, bytes]) -> str:
    """Where these pages are shown."""
    table.panel.on_page = history.get
    return f"http://127.0.0.1:{table.port}"


def test_no_page_is_wider_than_its_window(tab: Page, address: str) -> None:
    for path in KINDS.values():
        tab.goto(address + path)
        for width_px in (PHONE, ZOOMED, WIDE):
            tab.set_viewport_size({"width": width_px, "height": 568})
            wide, there = tab.evaluate(WIDTHS)
            assert wide == there, (path, width_px)


def test_texts_of_plots_can_be_read_and_do_not_meet(tab: Page, address: str) -> None:
    for path in (KINDS["a game with races"], KINDS["a game of six"], KINDS["an evening of six"], SHE):
        tab.goto(address + path)
        assert tab.locator(".plot").count() > 0, path
        for width_px in (PHONE, ZOOMED, WIDE):
            tab.set_viewport_size({"width": width_px, "height": 568})
            assert tab.evaluate(BAD_TEXTS) == [], (path, width_px)


@pytest.mark.parametrize("width_px", [PHONE, 390, 480])
def test_the_figures_of_a_photo_finish_are_stacked_on_a_narrow_page(tab: Page, address: str, width_px: int) -> None:
    tab.set_viewport_size({"width": width_px, "height": 568})
    tab.goto(address + KINDS["a game with races"])
    assert tab.locator(".stamps").count() > 0
    assert tab.evaluate(SIDEWAYS) == []
    figures = tab.get_by_role("table", name="Photo finish").last
    heads = figures.get_by_role("columnheader").all_text_contents()
    assert figures.get_by_role("row").count() == 1 + figures.get_by_role("rowheader").count()
    row = figures.get_by_role("row").last
    cells = row.get_by_role("cell").all()
    assert len(cells) == len(heads) - 1
    boxes = [row.get_by_role("rowheader").bounding_box(), *(cell.bounding_box() for cell in cells)]
    assert [box["y"] for box in boxes if box] == sorted(box["y"] for box in boxes if box)
    for head, cell in zip(heads[1:], cells, strict=True):
        label = cell.locator("span")
        assert label.count() == 0 or (label.is_visible() and label.text_content() == f"{head} ")
        assert (cell.text_content() == "") == (label.count() == 0)


@pytest.mark.parametrize("width_px", [PHONE, 390])
def test_no_figures_of_a_person_have_to_be_pushed_sideways(tab: Page, address: str, width_px: int) -> None:
    tab.set_viewport_size({"width": width_px, "height": 568})
    for path in (KINDS["a person"], SHE):
        tab.goto(address + path)
        assert tab.locator(".stack").count() > 0
        assert tab.evaluate(SIDEWAYS) == [], path


def test_on_a_wide_page_they_are_columns(tab: Page, address: str) -> None:
    tab.set_viewport_size({"width": WIDE, "height": 568})
    tab.goto(address + KINDS["a game with races"])
    assert tab.locator(".stamps span.narrow").first.is_hidden()
    tops = tab.locator(".stamps tr").last.locator("th, td").evaluate_all("all => all.map(one => one.offsetTop)")
    assert len({*tops}) == 1


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("path", [SHE, FORGOTTEN])
def test_forget_has_a_colour_of_its_own(
    chromium: Browser, address: str, path: str, scheme: Literal["light", "dark"]
) -> None:
    with chromium.new_context(color_scheme=scheme) as context:
        page = context.new_page()
        page.goto(address + path)
        many, *found = page.evaluate(BUTTONS, "Forget")
    ink, ground, paper, *others = (Colour(*one) for one in found)
    assert many == 1 and contrast(ink, ground) >= READ and contrast(ground, paper) >= CONTRAST
    assert all(min(differences(ground, other).values()) >= COLOUR_BLIND for other in others)
    assert others or path == FORGOTTEN


@pytest.fixture
def plain(chromium: Browser, address: str) -> Iterator[Page]:
    """Everybody's page in a browser that runs no script."""
    with chromium.new_context(java_script_enabled=False) as context:
        page = context.new_page()
        page.goto(f"{address}/people")
        yield page


def test_an_edit_needs_no_script(table: Table, plain: Page) -> None:
    edits: list[AnyWish] = []

    def done(wish: AnyWish, tell: Callable[[Answer], None]) -> None:
        edits.append(wish)
        tell(Done())

    table.panel.on_wish = done
    plain.get_by_text("New name").click()
    plain.get_by_label("Name").fill("Žofie")
    plain.get_by_role("button", name="Add").click()
    plain.wait_for_url(re.compile(r"/people\?saved=[0-9a-f]{16}$"))
    assert edits == [Add("Žofie")]


def test_a_filter_needs_no_script(plain: Page) -> None:
    plain.get_by_role("link", name="Games", exact=True).click()
    plain.get_by_label("With").select_option(NAMES[0])
    plain.get_by_label("Ended").select_option("finished")
    plain.get_by_role("button", name="Show").click()
    plain.wait_for_url("**/games?*")
    assert plain.url.endswith("/games?game=&person=0000000000000001&state=over")


def test_the_form_of_a_table_that_was_taken_last_stands_in_front(table: Table, plain: Page, tmp_path: Path) -> None:
    Evenings(tmp_path, 9).play(2)
    table.panel.on_page = partial(process.made, tmp_path)
    offered = plain.get_by_text("as a table:").locator("..").get_by_role("link")
    for label in ("Excel (.xlsx)", "CSV with ; and decimal comma", "CSV"):
        plain.goto(f"http://127.0.0.1:{table.port}/history")
        with plain.expect_download():
            offered.filter(has_text=re.compile(f"^{re.escape(label)}$")).click()
        for path in ("/history", "/games/1"):
            plain.goto(f"http://127.0.0.1:{table.port}{path}")
            assert offered.first.inner_text() == label


@pytest.mark.nightly
@needs_webkit
def test_webkit_shows_every_page_as_wide_as_its_window(address: str) -> None:
    with webkit() as browser:
        browser.open(f"{address}/people")
        for path in KINDS.values():
            for width_px in (PHONE, WIDE):
                browser.frame(path, width_px)
                assert browser.found(WIDTHS) == [width_px, width_px], path
                assert browser.found("document.querySelector('h1').innerText") != "", path
                assert browser.found(BAD_TEXTS) == [], (path, width_px)
