"""The panel: what the browser is told, what it may press, and who is refused; at the end in a real browser."""

import asyncio
import json
import time
from base64 import b64decode
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from typing import Any
from xml.etree import ElementTree as ET

import pytest
from msgspec import structs
from playwright.sync_api import Browser, Page
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection

from firmware.certificate import UNMEASURED, Standing
from firmware.cli.play import panel_of
from firmware.panel.server import Panel
from hardware.buzzer import Tone
from hardware.config import TABLE
from hardware.gpio import open_factory
from hardware.kit import Kit, open_real
from hardware.strip import Colour
from tests.firmware.browser import NAMES, SOON_S, Table, hear_of, heard
from tests.firmware.certificates import made
from tests.firmware.running import answer, get, status


def say(browser: ClientConnection, **message: Any) -> None:
    browser.send(json.dumps(message))


def closed_with(browser: ClientConnection) -> int | None:
    """The code the server closes the connection with."""
    try:
        while True:
            heard(browser)
    except ConnectionClosed as closed:
        return None if closed.rcvd is None else closed.rcvd.code


def picture(seed: int) -> bytes:
    """A picture like no other: its number in the first bytes."""
    return seed.to_bytes(4, "big") + bytes(1020)


# --- what a browser is told ------------------------------------------------------------------------------------------


def test_a_browser_is_told_what_the_kit_is_made_of(table: Table) -> None:
    with table.browser() as browser:
        assert heard(browser)["kit"] == {
            "title": "Lucky Paw",
            "buttons": [{"name": name, "lamp": name in ("P1", "P2"), "press": True} for name in NAMES],
            "control": True,
            "knob": True,
            "display": True,
            "leds": 8,
            "shape": "straight",
            "sides": None,
            "sound": True,
            "certificate": None,
        }


def test_a_browser_is_told_the_state_as_it_stands(table: Table) -> None:
    table.display.show(picture(7))
    table.strip.show((Colour(255, 0, 16),) * 2)
    table.lamps.show(frozenset(("P2", "P1")))
    table.panel.part("display", "display: nothing at 0x3C")
    with table.browser() as first:
        heard(first)
    with table.browser() as second:
        state = heard(second)
    assert b64decode(state.pop("picture")) == picture(7)
    del state["kit"]
    assert state == {
        "contrast": 200,
        "strip": "FF0010FF0010",
        "lamps": ["P1", "P2"],
        "parts": {"display": "display: nothing at 0x3C", "strip": None},
        "plugged": {"display": True, "strip": True},
        "evidence": None,
        "words": None,
        "seats": [],
    }


def test_a_tune_is_told_as_it_starts_but_not_to_a_browser_that_comes_later(table: Table) -> None:
    with table.browser() as browser:
        heard(browser)
        table.buzzer.play((Tone(880, 120), Tone(0, 30)))
        assert heard(browser) == {"tune": [[880, 120], [0, 30]]}
        with table.browser() as later:
            assert "tune" not in heard(later)


def test_a_part_that_is_back_is_told(table: Table) -> None:
    with table.browser() as browser:
        heard(browser)
        table.panel.part("strip", "strip: gone")
        assert hear_of(browser, "parts")["strip"] == "strip: gone"
        table.panel.part("strip", None)
        assert hear_of(browser, "parts")["strip"] is None


def test_a_browser_that_does_not_read_gets_the_newest_picture_and_no_queue(table: Table) -> None:
    pictures = 1000
    with table.lazy_browser() as lazy, table.browser() as eager:
        heard(eager)
        for number in range(1, pictures + 1):
            table.display.show(picture(number))
            assert b64decode(heard(eager)["picture"]) == picture(number)
        got = 0
        while True:
            got += 1
            if b64decode(heard(lazy).get("picture", "")) == picture(pictures):
                break
    assert got < pictures / 3


# --- what a browser may do -------------------------------------------------------------------------------------------


def test_a_press_is_stamped_on_arrival(table: Table) -> None:
    with table.browser() as browser:
        before_ns = time.monotonic_ns()
        say(browser, button="P2", down=True)
        table.twins.next()
        assert before_ns < table.twins.stamps[0] < time.monotonic_ns()


def test_ok_and_turns_are_delivered(table: Table) -> None:
    with table.browser() as browser:
        say(browser, ok=True)
        say(browser, ok=False)
        say(browser, turn=-3, knob=True)
        say(browser, turn=1, knob=False)
        assert table.twins.some(4) == [("ok", True), ("ok", False), ("turn", -3, True), ("turn", 1, False)]


def test_what_a_browser_holds_is_released_when_it_goes(table: Table) -> None:
    with table.browser() as browser:
        say(browser, button="P3", down=True)
        say(browser, ok=True)
        table.twins.some(2)
    assert table.twins.some(2) == [("P3", False), ("ok", False)]


def test_a_button_that_another_browser_holds_too_stays_down(table: Table) -> None:
    with table.browser() as one:
        say(one, button="P1", down=True)
        assert table.twins.next() == ("P1", True)
        with table.browser() as other:
            say(other, button="P1", down=True)
            say(other, button="P2", down=True)
            assert table.twins.next() == ("P2", True)
        assert table.twins.next() == ("P2", False)
        assert table.twins.nothing_more()


def test_a_part_is_unplugged_and_everybody_is_told(table: Table) -> None:
    with table.browser() as browser, table.browser() as other:
        heard(other)
        say(browser, plug="strip", **{"in": False})
        assert table.twins.next() == ("strip", "unplugged")
        assert hear_of(other, "plugged") == {"display": True, "strip": False}


def test_after_a_broken_message_nothing_has_happened_and_the_next_browser_is_served(table: Table) -> None:
    with table.browser() as browser:
        browser.send('{"ok":1}')
        assert closed_with(browser) == 1008
    with table.browser() as browser:
        say(browser, button="P4", down=True)
        assert table.twins.next() == ("P4", True)


def without_twins() -> Panel:
    """The panel of a kit whose parts are all real."""
    return Panel(NAMES, buttons=None, control=None, display=None, lamps=None, buzzer=None, strip=None)


def test_real_buttons_cannot_be_pressed_in_the_browser() -> None:
    with closing(Table(panel=without_twins())) as table, table.browser() as browser:
        assert not any(button["press"] for button in heard(browser)["kit"]["buttons"])
        say(browser, button="P1", down=True)
        assert closed_with(browser) == 1008


# --- where it listens, and how it stops ------------------------------------------------------------------------------


def served_in_vain(host: str, port: int) -> str:
    """Why it cannot be served there."""
    with ThreadPoolExecutor(1) as elsewhere, pytest.raises((ValueError, OSError)) as refused:
        elsewhere.submit(asyncio.run, without_twins().serve(host, port)).result(SOON_S)
    return str(refused.value)


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.168.0.4", ""])
def test_only_loopback_is_listened_on(host: str) -> None:
    assert served_in_vain(host, 0) == f"panel.host {host!r}: only a loopback address is allowed until pairing exists"


def test_a_port_in_use_is_named(table: Table) -> None:
    assert served_in_vain("127.0.0.1", table.port) == f"panel.port {table.port}: taken by another program"


def test_stopping_releases_what_is_held() -> None:
    table = Table()
    with table.browser() as browser:
        say(browser, button="P1", down=True)
        table.twins.next()
        table.close()
    assert table.twins.next() == ("P1", False)


def test_it_stops_although_a_browser_does_not_read() -> None:
    table = Table()
    with table.lazy_browser(), table.browser() as eager:
        stuff(table, eager)
        table.close()
    assert not table.thread.is_alive()


def test_it_stops_while_a_browser_is_going() -> None:
    table = Table()
    with table.lazy_browser() as lazy, table.browser() as eager:
        stuff(table, eager)
        lazy.socket.sendall(b"\x88\x80\0\0\0\0")  # a close frame; the answer to it gets stuck
        stuff(table, eager)
        table.close()
        with pytest.raises(OSError, match="refused"):
            table.browser()


def stuff(table: Table, eager: ClientConnection) -> None:
    """So many pictures that the line of a browser that does not read is full."""
    for number in range(500):
        table.display.show(picture(number))
        while "picture" not in heard(eager):
            pass


# --- the certificate -------------------------------------------------------------------------------------------------

SVG = "{http://www.w3.org/2000/svg}"
CERTIFICATE = made(*(9 + n % 7 for n in range(1996)), 21, 22, 30, 38.9, board="Pi <5> & more")


@pytest.fixture
def measured() -> Iterator[Table]:
    """A panel of a kit that has a certificate."""
    with closing(Table(standing=Standing(CERTIFICATE))) as table:
        yield table


def histogram(table: Table) -> ET.Element:
    """The histogram as a browser takes it in."""
    head, picture = answer(table.port, get("/certificate.svg")).split(b"\r\n\r\n", 1)
    assert b"\r\ncontent-type: image/svg+xml\r\n" in head.lower()
    return ET.fromstring(picture)


def test_without_a_certificate_there_is_no_picture(table: Table) -> None:
    assert status(answer(table.port, get("/certificate.svg"))) == 404


def test_the_picture_marks_percentiles_the_largest_and_the_band(measured: Table) -> None:
    texts = [text.text for text in histogram(measured).iter(f"{SVG}text")]
    assert texts[-5:] == ["p50 12 µs", "p99 15 µs", "p99.9 22 µs", "max 38.9 µs", "tie band 60 µs"]


def test_the_picture_has_a_bar_for_each_bin_with_pulses_in_it(measured: Table) -> None:
    bars = [path for path in histogram(measured).iter(f"{SVG}path") if path.get("fill")]
    assert len(bars) == 7 + 4


def test_nothing_of_the_picture_lies_outside_it(measured: Table) -> None:
    texts = [text for text in histogram(measured).iter(f"{SVG}text") if text.get("paint-order")]
    assert max(float(text.get("x", "")) + 4 * len(text.text or "") for text in texts) <= 760


def test_the_picture_has_no_scripts_and_fetches_nothing(measured: Table) -> None:
    kinds = {element.tag.removeprefix(SVG) for element in histogram(measured).iter()}
    assert kinds == {"svg", "title", "rect", "text", "path"}


def test_a_certificate_that_does_not_count_says_so() -> None:
    with closing(Table(standing=Standing(CERTIFICATE, "kernel changed"))) as table, table.browser() as browser:
        texts = [text.text for text in histogram(table).iter(f"{SVG}text")]
        told = heard(browser)["kit"]["certificate"]
    assert ("unused: kernel changed" in texts, told.endswith("; unused: kernel changed")) == (True, True)


def test_a_browser_is_told_the_certificate_in_words(measured: Table) -> None:
    with measured.browser() as browser:
        told = heard(browser)["kit"]["certificate"]
    assert told.startswith("Stamps are late by 12 µs (p50), 15 µs (p99), at most 38.9 µs; tie band 60 µs; measured 2")


# --- a kit whose parts are all real ----------------------------------------------------------------------------------


@pytest.fixture
def real_kit(monkeypatch: pytest.MonkeyPatch) -> Iterator[Kit]:
    """A kit on gpiozero's mock pins, without a strip, on a machine that has not got its display."""
    monkeypatch.setattr("hardware.gpio.open_factory", lambda driver, open_factory=open_factory: open_factory("mock"))
    kit = open_real(structs.replace(TABLE, strip=None), lambda part, text: None)
    yield kit
    kit.close()


def test_real_parts_alone_have_no_page(real_kit: Kit) -> None:
    assert panel_of(real_kit, UNMEASURED, wanted=False) is None


def test_real_parts_have_a_page_where_one_is_wanted_and_nothing_on_it_can_be_pressed(
    real_kit: Kit, chromium: Browser
) -> None:
    panel = panel_of(real_kit, Standing(CERTIFICATE), wanted=True)
    assert panel is not None
    with closing(Table(panel=panel)) as table, chromium.new_page() as page:
        page.goto(f"http://127.0.0.1:{table.port}/")
        page.locator("#certificate summary").wait_for()
        assert page.locator("#hints").text_content() == ""
        assert page.locator("button[data-part]:visible:enabled").count() == 0


# --- in a real browser -----------------------------------------------------------------------------------------------


def test_the_keys_1_to_4_press_the_players_buttons(table: Table, page: Page) -> None:
    for key in "12345":
        page.keyboard.press(key)
    assert table.twins.some(8) == [(name, down) for name in NAMES for down in (True, False)]
    assert table.twins.nothing_more()


@pytest.mark.parametrize(
    ("key", "done"),
    [
        ("Enter", [("ok", True), ("ok", False)]),
        ("ArrowUp", [("turn", 1, False)]),
        ("ArrowDown", [("turn", -1, False)]),
        ("ArrowRight", [("turn", 1, True)]),
        ("ArrowLeft", [("turn", -1, True)]),
    ],
)
def test_a_key_does_what_the_control_does(table: Table, page: Page, key: str, done: list[tuple[object, ...]]) -> None:
    page.keyboard.press(key)
    assert table.twins.some(len(done)) == done


def test_the_wheel_turns_as_the_arrows_do(table: Table, page: Page) -> None:
    page.hover('[data-part="knob"]', position={"x": 20, "y": 80})
    page.mouse.wheel(0, -120)
    page.mouse.wheel(0, 120)
    assert table.twins.some(2) == [("turn", 1, False), ("turn", -1, False)]


def test_dragging_the_knob_clockwise_turns_it_up(table: Table, page: Page) -> None:
    box = page.locator('[data-part="knob"]').bounding_box()
    assert box is not None
    x, y, reach = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2, box["width"] * 0.42
    page.mouse.move(x, y - reach)
    page.mouse.down()
    page.mouse.move(x + reach * 0.8, y - reach * 0.6)
    page.mouse.up()
    assert table.twins.next() == ("turn", 3, True)


def test_shift_click_keeps_a_button_down_until_the_next_click(table: Table, page: Page) -> None:
    page.click('[data-part="button-P1"]', modifiers=["Shift"])
    page.click('[data-part="button-P4"]')
    assert table.twins.some(3) == [("P1", True), ("P4", True), ("P4", False)]
    page.click('[data-part="button-P1"]')
    assert table.twins.next() == ("P1", False)


def test_losing_focus_releases_all(table: Table, page: Page) -> None:
    page.click('[data-part="button-P1"]', modifiers=["Shift"])
    page.keyboard.down("2")
    page.click('[data-part="latch-P3"]')
    table.twins.some(3)
    page.evaluate("window.dispatchEvent(new Event('blur'))")
    assert set(table.twins.some(3)) == {("P1", False), ("P2", False), ("P3", False)}


def test_several_fingers_press_at_once(table: Table, page: Page) -> None:
    touch = page.context.new_cdp_session(page)
    boxes = [page.locator(f'[data-part="button-{name}"]').bounding_box() for name in ("P1", "P3")]
    fingers = [{"x": box["x"] + 50, "y": box["y"] + 50, "id": n} for n, box in enumerate(boxes) if box is not None]
    touch.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": fingers})
    touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    events = table.twins.some(4)
    assert (set(events[:2]), set(events[2:])) == ({("P1", True), ("P3", True)}, {("P1", False), ("P3", False)})


def test_the_picture_is_drawn_pixel_for_pixel(table: Table, page: Page) -> None:
    shown = bytes((n * 37 + n // 16) % 256 for n in range(1024))
    table.display.show(shown)
    page.wait_for_selector("#picture[style]")
    lit = page.evaluate(
        "[...document.querySelector('#picture').getContext('2d').getImageData(0, 0, 128, 64).data]"
        ".filter((_, n) => n % 4 === 3)"
    )
    assert [alpha == 255 for alpha in lit] == [bool(byte & 128 >> bit) for byte in shown for bit in range(8)]


def test_lamps_light_up(table: Table, page: Page) -> None:
    table.lamps.show(frozenset(("P2",)))
    page.wait_for_selector(".lit .dome")
    assert page.locator(".lit .dome").count() == 1


def test_the_first_click_turns_sound_on(table: Table, page: Page) -> None:
    table.buzzer.play((Tone(440, 20),))
    page.click('[data-part="button-P1"]')
    page.wait_for_selector("#sound[aria-checked=true]", state="attached")
    table.buzzer.play((Tone(880, 20), Tone(0, 20), Tone(660, 1)))
    table.panel.part("buzzer", "the tune before this has come")
    page.wait_for_selector("text=the tune before this has come")
    assert page.evaluate("tones") == [880, 660]


def test_a_lost_part_is_said_in_the_status_line(table: Table, page: Page) -> None:
    table.panel.part("strip", "strip: unplugged from the test")
    page.wait_for_selector("text=strip: unplugged from the test")
    assert page.text_content('[data-part="status"]') == "strip: unplugged from the test"


def test_the_drawer_unplugs_the_display(table: Table, page: Page) -> None:
    page.click("#drawer summary")
    page.click('[data-part="plug-display"]')
    assert table.twins.next() == ("display", "unplugged")


def test_a_lost_connection_is_said_and_found_again(table: Table, page: Page) -> None:
    table.close()
    page.wait_for_selector("text=Connection lost")
    again = Table(table.port)
    page.wait_for_selector("text=Connected")
    page.keyboard.press("3")
    assert again.twins.some(2) == [("P3", True), ("P3", False)]
    again.close()


def test_the_certificate_opens_from_its_drawer(measured: Table, chromium: Browser) -> None:
    with chromium.new_page() as page:
        page.goto(f"http://127.0.0.1:{measured.port}/")
        page.click("#certificate summary")
        shown = page.wait_for_function("document.querySelector('#histogram').naturalWidth")
        assert (shown.json_value(), page.get_by_role("img", name="tie band 60 µs").is_visible()) == (760, True)


def test_the_page_of_a_kit_without_a_certificate_has_no_such_drawer(page: Page) -> None:
    assert page.locator("#certificate").is_hidden()
