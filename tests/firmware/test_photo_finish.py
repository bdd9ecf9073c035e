"""The photo finish on the page: messages of a race, and the drawing, in a real browser."""

from collections.abc import Iterator
from contextlib import closing

import pytest
from playwright.sync_api import Page

from engine.play import Play
from firmware.output import race_evidence
from firmware.output.photo_finish import drawing, figure, figures, for_pages
from firmware.output.race_evidence import Evidence
from hardware.seat_colours import SEAT_COLOURS
from tests.engine.sheets.table import Table as SheetTable
from tests.firmware.browser import WINDOW, Table, next_news, opened
from tests.firmware.races import KERNEL_NS, MS, VIRTUAL_NS, raced

P = ("P1", "P2", "P3", "P4")
FIRST, SECOND, THIRD = (1, 1_234_567, KERNEL_NS), (0, 1_235_801, KERNEL_NS), (2, 1_276_001, KERNEL_NS)
DEAD_HEAT = (2, 1_235_841, KERNEL_NS)
LATE = raced(P[:3], FIRST, SECOND, late=((2, 1_500_000, KERNEL_NS),))
TWO, HEAT = raced(P[:2], FIRST, SECOND), raced(P[:3], FIRST, SECOND, DEAD_HEAT)
WHOLE = "#photo .whole"  # the strip of the whole race


@pytest.fixture(scope="module")
def table() -> Iterator[Table]:
    with closing(Table()) as table:
        yield table


@pytest.fixture(scope="module")
def loaded(table: Table, tab: Page) -> Iterator[Page]:
    with opened(tab, table) as page:
        page.emulate_media(reduced_motion="reduce")
        yield page


@pytest.fixture(autouse=True)
def gone_in_the_end(table: Table) -> Iterator[None]:
    """No photo finish is left to the next test."""
    yield
    table.panel.hear({"evidence": None})


@pytest.fixture
def page(loaded: Page) -> Page:
    """The page, on which nothing moves; it is loaded once."""
    loaded.wait_for_selector("#finish", state="hidden")
    loaded.set_viewport_size(WINDOW)
    loaded.evaluate("document.documentElement.removeAttribute('style')")
    return loaded


def show(table: Table, page: Page, play: Play) -> Page:
    """A race is judged, and somebody opens the photo finish."""
    return photo(table, page, race_evidence.of(play, dict.fromkeys(P, "kernel")))


def photo(table: Table, page: Page, found: race_evidence.Evidence | None) -> Page:
    """The photo finish of this."""
    table.panel.hear({"evidence": found and for_pages(found)})
    page.click("#finish summary")
    page.wait_for_selector("#photo svg")
    return page


def cells(page: Page) -> list[list[str]]:
    """The table as a screen reader reads it."""
    found: list[list[str]] = page.eval_on_selector_all(
        "#photo tr", "rows => rows.map(row => [...row.cells].map(cell => cell.textContent))"
    )
    return found


def test_a_browser_is_sent_the_evidence_and_so_is_one_that_comes_later(table: Table) -> None:
    found = race_evidence.of(TWO, {"P1": "kernel"})
    with table.browser() as browser:
        table.panel.hear({"evidence": found and for_pages(found)})
        while (sent := next_news(browser, "evidence")) is None:
            pass
    rows = [(row["name"], row["gap_ns"], row["source"]) for row in sent["rows"]]
    assert rows == [("P2", None, "unknown"), ("P1", 1_234_000, "kernel")]
    with table.browser() as later:
        assert next_news(later, "evidence")["verdict"] == ["P2 first by 1.23 ms (timing error ±0.1 ms)"]


def test_a_photo_finish_comes_with_its_race_and_goes_with_it(table: Table, page: Page) -> None:
    assert page.locator("#finish").is_hidden()
    show(table, page, TWO)
    table.panel.hear({"evidence": None})
    page.wait_for_selector("#finish", state="hidden")
    assert page.locator("#finish").get_attribute("open") is None


def test_lanes_have_the_players_colours_and_the_verdict_stands_above(table: Table, page: Page) -> None:
    show(table, page, TWO)
    strokes = page.eval_on_selector_all(f"{WHOLE} .line", "lines => lines.map(line => getComputedStyle(line).stroke)")
    assert strokes == [f"rgb{SEAT_COLOURS[seat].rgb}" for seat in (1, 0)]
    assert page.locator(".verdict").inner_text() == "P2 first by 1.23 ms (timing error ±0.1 ms)."


def test_lines_stand_in_the_order_of_the_stamps_and_inside_anothers_bar_where_they_tie(
    table: Table, page: Page
) -> None:
    show(table, page, HEAT)
    lines = page.eval_on_selector_all(f"{WHOLE} .line", "lines => lines.map(line => line.getBBox().x)")
    assert lines == sorted(lines) and len(lines) == 3
    inside = page.eval_on_selector_all(
        WHOLE,
        """([svg]) => {
            const boxes = [...svg.querySelectorAll('.band')].map(band => band.getBBox());
            const lines = [...svg.querySelectorAll('.line')].map(line => line.getBBox().x);
            return lines.map(at => boxes.filter(box => box.x < at && at < box.x + box.width).length);
        }""",
    )
    assert inside == [1, 2, 2]


DRAWN = {
    "a tie is bracketed": (HEAT, f"{WHOLE} .tie", 1),
    "no tie, no bracket": (raced(P[:3], FIRST, SECOND, THIRD), "#photo .tie", 0),
    "a late press is dashed": (LATE, "#photo .late", 1),
    "a short race is drawn once": (raced(P[:2], (1, 120_000, KERNEL_NS), (0, 127_000, KERNEL_NS)), "#photo .near", 0),
    "two stamps of the same moment are drawn": (
        raced(P[:2], (0, 350_000, KERNEL_NS), (1, 350_000, KERNEL_NS)),
        f"{WHOLE} .line",
        2,
    ),
}


@pytest.mark.parametrize(("play", "selector", "shapes"), DRAWN.values(), ids=DRAWN)
def test_shapes_are_drawn(table: Table, page: Page, play: Play, selector: str, shapes: int) -> None:
    assert show(table, page, play).locator(selector).count() == shapes


def test_a_close_pair_in_a_long_race_is_shown_enlarged(table: Table, page: Page) -> None:
    show(table, page, LATE)
    assert page.locator("#photo .near .who").all_text_contents() == ["P2", "P1"]


@pytest.mark.parametrize("which", ["whole", "near"])
def test_an_axis_begins_at_the_first_press_where_there_was_no_signal(table: Table, page: Page, which: str) -> None:
    late = ((2, 900_000, KERNEL_NS),)
    found = race_evidence.of(raced(P[:3], (0, 200_000, VIRTUAL_NS), (1, 201_000, KERNEL_NS), late=late), {})
    assert found is not None
    rows = tuple(row._replace(after_ns=(row.after_ns or 0) - 200 * MS) for row in found.rows)
    photo(table, page, found._replace(rows=rows, signal=False))
    texts = page.locator(f"#photo .{which} text.quiet").all_text_contents()
    assert texts[0] == "0"


def test_the_table_has_the_same_figures(table: Table, page: Page) -> None:
    show(table, page, raced(P[:3], FIRST, SECOND, benched=(2,)))
    assert cells(page) == [
        ["Player", "After the signal", "Gap", "Timing error", "Timed by", "Notes"],
        ["P2", "1,234.56 ms", "", "±0.1 ms", "kernel", ""],
        ["P1", "1,235.80 ms", "+1.23 ms", "±0.1 ms", "kernel", ""],
        ["P3", "", "", "", "", "no button"],
    ]


def test_the_caption_says_who_stamped_and_how_exactly(table: Table, page: Page) -> None:
    show(table, page, raced(P[:2], FIRST, (0, 1_270_000, VIRTUAL_NS)))
    page.locator("#photo figcaption", has_text="Timed by: kernel ±0.1 ms, kernel ±10 ms.").wait_for()


@pytest.mark.parametrize("font", ["", "DejaVu Serif"])  # the machine's own, and one that is wider than most
@pytest.mark.parametrize("width", [360, 390, 1280])
def test_nothing_is_wider_than_its_frame(table: Table, page: Page, width: int, font: str) -> None:
    page.set_viewport_size({"width": width, "height": 740})
    for kind in ("--engraved", "--plain") if font else ():
        page.evaluate("([kind, font]) => document.documentElement.style.setProperty(kind, font)", [kind, font])
    presses = [(seat, 99_000_000 + 17 * seat, KERNEL_NS) for seat in range(4)]
    show(table, page, raced(("P1", "P2", "ANNA", "BERT"), *presses))
    outside = page.eval_on_selector_all(
        "#photo svg",
        """svgs => svgs.flatMap(svg => [...svg.querySelectorAll('text, line, polyline, rect')].filter(shape => {
            const [box, frame] = [shape.getBoundingClientRect(), svg.getBoundingClientRect()];
            return box.left < frame.left - 1 || box.right > frame.right + 1;
        }).map(shape => shape.outerHTML))""",
    )
    assert outside == []


@pytest.mark.parametrize("width", [360, 1280])
def test_the_page_does_not_grow_wider(table: Table, page: Page, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 740})
    show(table, page, raced(P, FIRST, SECOND, late=((2, 1_500_000, KERNEL_NS),)))
    wide, room = page.evaluate("[document.documentElement.scrollWidth, innerWidth]")
    assert wide <= room


def test_players_are_pressed_by_their_keys_while_it_is_open(table: Table, page: Page) -> None:
    show(table, page, TWO).keyboard.press("1")
    assert table.twins.some(2) == [("P1", True), ("P1", False)]


def of_sheet(kind: str, *presses: int) -> Evidence:
    """A race of a score sheet without a signal."""
    table = SheetTable(f'title = "T"\nplayers = [3, 3]\nrace = {{ kind = "{kind}" }}\nend = "total > 9"', 3)
    for seat in presses:
        table.press(seat)
    found = race_evidence.of(table.tick().play, {})
    assert found is not None
    return found


def test_one_press_without_a_signal_has_no_time() -> None:
    race = of_sheet("first", 1)
    assert (race.signal, race.timed) == (False, False)
    assert figure(race) == '<p class="verdict"><span><bdi translate="no">P2</bdi> first.</span></p>'
    assert figures(race) == drawing(race) == ""


def test_several_presses_without_a_signal_are_drawn_after_the_first_of_them() -> None:
    race = of_sheet("order", 1, 2)
    assert (race.signal, race.timed) == (False, True)
    assert "after the first press" in figure(race) and "signal" not in figure(race)
