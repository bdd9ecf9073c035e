"""The strip on the page, in a real browser: every length and shape, in its colours, moving as they say."""

from contextlib import closing
from itertools import pairwise

import pytest
from msgspec import structs
from playwright.sync_api import Page

from firmware.cli.play import panel_of
from hardware.config import TABLE, StripConfig
from hardware.kit import open_emulated
from hardware.parts.strip import OFF, Colour, Pixels, Rhythm, lamp
from tests.firmware.browser import Table, opened, received
from tests.simulators.waiting import comes

RED, BLUE, GREY = Colour(254, 0, 0), Colour(0, 0, 254), Colour(60, 60, 60)
BRIGHT = 600  # red, green and blue together, in the middle of a lamp that is fully lit

# the brightest spot of each part of the strip, from its start on
ROW = """parts => {
    const { width, height } = document.querySelector("#leds");
    const { data } = document.querySelector("#leds").getContext("2d").getImageData(0, 0, width, height);
    const brightest = Array(parts).fill(0);
    for (let n = 0; n < data.length / 4; n++) {
        const part = Math.min(parts - 1, Math.floor(((n % width) / width) * parts));
        brightest[part] = Math.max(brightest[part], data[4 * n] + data[4 * n + 1] + data[4 * n + 2]);
    }
    return brightest;
}"""
COLOUR = """([across, down]) => {
    const canvas = document.querySelector("#leds");
    const at = [Math.floor(canvas.width * across), Math.floor(canvas.height * down), 1, 1];
    return [...canvas.getContext("2d").getImageData(...at).data].slice(0, 3);
}"""


def show(table: Table, page: Page, pixels: Pixels) -> None:
    """Show a picture, and wait until the page does."""
    lit = sum(max(part & ~1 for part in pixel) > 0 for pixel in pixels)
    page.evaluate("document.querySelector('#leds').removeAttribute('data-lit')")
    table.strip.show(pixels)
    page.wait_for_selector(f"#leds[data-lit='{lit}']")


def bright(page: Page, parts: int) -> list[bool]:
    """Which lamps of a row are fully lit."""
    return [light > BRIGHT for light in page.evaluate(ROW, parts)]


def show_moving(table: Table, page: Page, pixels: Pixels) -> None:
    """Show a picture while the page's clock stands still, amid the steps of every rhythm."""
    page.clock.install(time=0)
    page.clock.pause_at(10_000)
    show(table, page, pixels)
    page.clock.run_for(2040 - round(page.evaluate("performance.now()")) % 2000)


def seen(page: Page, parts: int, times: int, each_ms: int) -> list[list[int]]:
    """How bright the lamps of a row are, so often."""
    found = []
    for _ in range(times):
        found.append(page.evaluate(ROW, parts))
        page.clock.run_for(each_ms)
    return found


def test_the_page_has_the_shape_that_the_kits_description_gives_the_strip() -> None:
    kit = open_emulated(
        structs.replace(TABLE, strip=StripConfig(shape="ring")), lambda part, text: None, threaded=False
    )
    with closing(kit), closing(Table(panel=panel_of(kit, wanted=True))) as table, table.browser() as browser:
        assert received(browser)["kit"]["shape"] == "ring"


def test_a_lamp_shines_at_its_place_bright_dim_or_not_at_all(table: Table, page: Page) -> None:
    show(table, page, (OFF, OFF, RED, *(lamp(OFF, Rhythm.FLASH),) * 5))
    assert bright(page, 8) == [False, False, True, *[False] * 5]
    show(table, page, (RED, GREY, *(OFF,) * 6))
    red, grey, off, *_ = page.evaluate(ROW, 8)
    assert red > 0 < grey > off


def test_a_lamp_has_its_colour(table: Table, page: Page) -> None:
    show(table, page, (BLUE,) * 8)
    red, green, blue = page.evaluate(COLOUR, [0.5 / 8 + 0.004, 0.3])
    assert blue > 100 > max(red, green)


@pytest.mark.parametrize(("leds", "width", "rows"), [(60, 390, 1), (144, 1280, 1), (300, 1280, 2), (300, 390, 5)])
def test_a_long_strip_goes_on_in_another_row(table: Table, page: Page, leds: int, width: int, rows: int) -> None:
    page.set_viewport_size({"width": width, "height": 844})
    show(table, page, (RED,) * leds)
    page.wait_for_selector(f"#leds[data-rows='{rows}']")


def test_the_page_is_no_wider_than_a_phone(table: Table, page: Page) -> None:
    page.set_viewport_size({"width": 360, "height": 640})
    show(table, page, (RED,) * 300)
    assert comes(lambda: page.evaluate("document.documentElement.scrollWidth") == 360)


def test_the_last_lamp_of_a_long_strip_is_in_the_last_row(table: Table, page: Page) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    show(table, page, (OFF,) * 299 + (RED,))
    page.wait_for_selector("#leds[data-rows='5']")
    spots = [page.evaluate(COLOUR, [0.97, down / 40]) for down in range(40)]
    assert [n // 8 for n, spot in enumerate(spots) if sum(spot) > BRIGHT // 2][-1] == 4


def test_a_strip_of_another_length_is_shown_to_who_comes_later(table: Table, page: Page) -> None:
    table.strip.show((RED,) * 16)
    page.reload()
    page.wait_for_selector("#leds[data-lit='16']")
    assert bright(page, 16) == [True] * 16


def test_a_ring_goes_round_clockwise_from_the_top_and_lies_round_the_kits_name(tab: Page) -> None:
    with closing(Table(shape="ring")) as table, opened(tab, table) as page:
        for place, spot in ((0, (0.5, 0.05)), (2, (0.95, 0.5)), (4, (0.5, 0.95)), (6, (0.05, 0.5))):
            show(table, page, tuple(RED if n == place else OFF for n in range(8)))
            assert sum(page.evaluate(COLOUR, spot)) > BRIGHT, place
        outer, inner = (page.locator(which).bounding_box() for which in ("#leds", "#title"))
    assert outer is not None and inner is not None
    aside = (inner["x"] + inner["width"] / 2) // 8 - (outer["x"] + outer["width"] / 2) // 8
    assert (aside, inner["y"] > outer["y"], inner["width"] < outer["width"] * 0.8) == (0, True, True)


FLASHING = (lamp(RED, Rhythm.FLASH),) * 8


def test_a_flash_is_on_and_off(table: Table, own_page: Page) -> None:
    show_moving(table, own_page, FLASHING)
    on = [lamps[0] > BRIGHT for lamps in seen(own_page, 1, 4, 250)]
    assert on in ([True, False] * 2, [False, True] * 2)


def test_a_breath_goes_down_and_comes_back_in_two_seconds(table: Table, own_page: Page) -> None:
    show_moving(table, own_page, (lamp(RED, Rhythm.BREATHE),) * 8)
    lights = [lamps[0] for lamps in seen(own_page, 1, 40, 100)]
    assert (max(lights) > BRIGHT > min(lights) + 50, lights[:20] == lights[20:]) == (True, True)


def test_a_running_light_goes_on_by_a_lamp_each_step(table: Table, own_page: Page) -> None:
    show_moving(table, own_page, (lamp(RED, Rhythm.CHASE),) * 12)
    places = [[n for n, light in enumerate(row) if light == max(row)] for row in seen(own_page, 12, 7, 80)]
    steps = [(after[0] - before[0]) % 6 for before, after in pairwise(places)]
    assert (steps, [len(there) for there in places]) == ([1] * 6, [2] * 7)


def test_a_steady_strip_costs_nothing(table: Table, page: Page) -> None:
    page.evaluate(
        "() => { window.frames_ = 0; const ask = requestAnimationFrame;"
        "window.requestAnimationFrame = then => { frames_ += 1; return ask(then); }; }"
    )
    show(table, page, FLASHING)
    moved = comes(lambda: page.evaluate("frames_") > 2)
    show(table, page, (RED,) * 8)
    before = page.evaluate("frames_")
    page.wait_for_timeout(200)
    assert (moved, page.evaluate("frames_") - before) == (True, 0)


def test_who_wants_no_motion_sees_the_lamps_at_rest(table: Table, own_page: Page) -> None:
    own_page.emulate_media(reduced_motion="reduce")
    show_moving(table, own_page, FLASHING)
    assert [lamps[0] > BRIGHT for lamps in seen(own_page, 1, 4, 250)] == [True] * 4


def test_an_unplugged_strip_lights_no_wood(table: Table, page: Page) -> None:
    show(table, page, (RED,) * 8)
    page.click("#drawer summary")
    page.click('[data-part="plug-strip"]')
    page.wait_for_selector("#strip.unplugged")
    assert page.locator("#light").is_hidden()


def test_the_page_works_in_a_window_that_has_no_room_for_the_ring(tab: Page) -> None:
    with closing(Table(shape="ring")) as table, opened(tab, table) as page:
        for height in (440, 480):
            page.set_viewport_size({"width": 640, "height": height})
            page.reload()
            page.wait_for_selector(".built")
            show(table, page, (RED,) * 8)
            assert page.text_content("#status") == "Connected"
