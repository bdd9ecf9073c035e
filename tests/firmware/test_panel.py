"""The panel: messages to the browser, presses, and refusals; at the end in a real browser."""

import asyncio
import json
import time
from base64 import b64decode
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from queue import Queue
from typing import Any
from xml.etree import ElementTree as ET

import pytest
from msgspec import structs
from playwright.sync_api import Browser, Page
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection

from firmware.cli.play import panel_of
from firmware.output.public import certificate as summary
from firmware.panel.server import Panel
from firmware.setup.certificate import Certificate, Standing
from hardware.config import TABLE
from hardware.kit import open_real
from hardware.parts.buzzer import Tone
from hardware.parts.gpio import open_factory
from hardware.parts.strip import Colour
from tests.firmware.browser import NAMES, Table, next_news, received
from tests.firmware.certificates import made
from tests.firmware.running import answer, get, status
from tests.simulators.waiting import PATIENCE_S, until

# asked again and again from here: a wait inside the page would need what its policy forbids
DRAWN = "(picture => picture.complete && picture.naturalWidth > 0)(document.querySelector('#histogram'))"


def say(browser: ClientConnection, **message: Any) -> None:
    browser.send(json.dumps(message))


def closed_with(browser: ClientConnection) -> int | None:
    """The code the server closes the connection with."""
    try:
        while True:
            received(browser)
    except ConnectionClosed as closed:
        return None if closed.rcvd is None else closed.rcvd.code


def picture(seed: int) -> bytes:
    """A picture like no other: its number in the first bytes."""
    return seed.to_bytes(4, "big") + bytes(1020)


def test_a_browser_is_sent_the_parts_of_the_kit(table: Table) -> None:
    with table.browser() as browser:
        assert received(browser)["kit"] == {
            "title": "Lucky Paw",
            "buttons": [{"name": name, "lamp": name in ("P1", "P2"), "press": True} for name in NAMES],
            "control": True,
            "knob": True,
            "display": True,
            "leds": 8,
            "shape": "straight",
            "sides": None,
            "sound": True,
        }


def test_a_browser_is_sent_the_present_state(table: Table) -> None:
    table.display.show(picture(7))
    table.strip.show((Colour(255, 0, 16),) * 2)
    table.lamps.show(frozenset(("P2", "P1")))
    table.panel.part("display", "display: nothing at 0x3C")
    with table.browser() as first:
        received(first)
    with table.browser() as second:
        state = received(second)
    assert b64decode(state.pop("picture")) == picture(7)
    del state["kit"]
    assert state == {
        "contrast": 200,
        "strip": "FF0010FF0010",
        "lamps": ["P1", "P2"],
        "parts": {"display": "display: nothing at 0x3C", "strip": None},
        "plugged": {"display": True, "strip": True},
    }


def test_a_tune_is_sent_as_it_starts_but_not_to_a_browser_that_comes_later(table: Table) -> None:
    with table.browser() as browser:
        received(browser)
        table.buzzer.play((Tone(880, 120), Tone(0, 30)))
        assert received(browser) == {"tune": [[880, 120], [0, 30]]}
        with table.browser() as later:
            assert "tune" not in received(later)


def test_a_part_that_is_lost_or_back_is_reported(table: Table) -> None:
    with table.browser() as browser:
        received(browser)
        for text in ("strip: gone", None):
            table.panel.part("strip", text)
            assert next_news(browser, "parts")["strip"] == text


def test_a_browser_that_does_not_read_gets_the_newest_picture_and_no_queue(table: Table) -> None:
    pictures = 1000
    with table.lazy_browser() as lazy, table.browser() as eager:
        received(eager)
        for number in range(1, pictures + 1):
            table.display.show(picture(number))
            assert b64decode(received(eager)["picture"]) == picture(number)
        got = 0
        while True:
            got += 1
            if b64decode(received(lazy).get("picture", "")) == picture(pictures):
                break
    assert got < pictures / 3


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
        say(browser, turn=20, knob=False)  # as many as one message may have
        turns = [("turn", -3, True), ("turn", 1, False), ("turn", 20, False)]
        assert table.twins.some(5) == [("ok", True), ("ok", False), *turns]


def test_what_a_page_looks_for_is_told_in_plain_signs(table: Table) -> None:
    sought = Queue[str]()
    table.panel.on_seek = sought.put
    with table.browser() as browser:
        say(browser, seek="ti\u202e\n")
        assert sought.get(timeout=PATIENCE_S) == "ti"
        say(browser, seek="x" * 41)
        assert (closed_with(browser), sought.empty()) == (1008, True)


def test_what_a_browser_holds_is_released_when_it_goes_but_a_button_that_another_one_holds(table: Table) -> None:
    with table.browser() as one:
        say(one, button="P1", down=True)
        assert table.twins.next() == ("P1", True)
        with table.browser() as other:
            say(other, button="P1", down=True)
            say(other, button="P2", down=True)
            say(other, ok=True)
            assert table.twins.some(2) == [("P2", True), ("ok", True)]
        assert table.twins.some(2) == [("P2", False), ("ok", False)]
        assert table.twins.nothing_more()


def test_a_part_is_unplugged_and_everybody_is_notified(table: Table) -> None:
    with table.browser() as browser, table.browser() as other:
        received(other)
        say(browser, plug="strip", **{"in": False})
        assert table.twins.next() == ("strip", "unplugged")
        assert next_news(other, "plugged") == {"display": True, "strip": False}


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
        assert not any(button["press"] for button in received(browser)["kit"]["buttons"])
        say(browser, button="P1", down=True)
        assert closed_with(browser) == 1008


def served_in_vain(host: str, port: int) -> str:
    """Why it cannot be served there."""
    with ThreadPoolExecutor(1) as elsewhere, pytest.raises((ValueError, OSError)) as refused:
        elsewhere.submit(asyncio.run, without_twins().serve(host, port)).result(PATIENCE_S)
    return str(refused.value)


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.168.0.4", ""])
def test_only_loopback_is_listened_on(host: str) -> None:
    assert served_in_vain(host, 0) == f"panel.host {host!r}: must be a loopback address"


def test_a_port_in_use_is_named(table: Table) -> None:
    assert served_in_vain("127.0.0.1", table.port) == f"panel.port {table.port}: taken by another program"


def test_stopping_releases_what_is_held() -> None:
    table = Table()
    with table.browser() as browser:
        say(browser, button="P1", down=True)
        table.twins.next()
        table.close()
    assert table.twins.next() == ("P1", False)


@pytest.mark.parametrize("words", [b"", b"\x88\x80\0\0\0\0"], ids=["no", "a close frame whose answer gets stuck"])
def test_it_stops_although_a_browser_does_not_read(words: bytes) -> None:
    table = Table()
    with table.lazy_browser() as lazy, table.browser() as eager:
        stuff(table, eager)
        lazy.socket.sendall(words)
        stuff(table, eager)
        table.close()
        with pytest.raises(OSError, match="refused"):
            table.browser()
    assert not table.thread.is_alive()


def stuff(table: Table, eager: ClientConnection) -> None:
    """So many pictures that the line of a browser that does not read is full."""
    for number in range(500):
        table.display.show(picture(number))
        while "picture" not in received(eager):
            pass


SVG = "{http://www.w3.org/2000/svg}"
CERTIFICATE = made(*(9 + n % 7 for n in range(1996)), 21, 22, 30, 38.9, board="Pi <5> & more")


def certify(table: Table, certificate: Certificate, unused: str | None = None) -> None:
    """The kit has this certificate."""
    table.panel.standing = lambda: Standing(certificate, unused)
    table.panel.hear({"certificate": summary(certificate, unused)})


@pytest.fixture
def measured() -> Iterator[Table]:
    """A panel of a kit that has a certificate."""
    with closing(Table()) as table:
        certify(table, CERTIFICATE)
        yield table


def histogram(table: Table) -> ET.Element:
    """The histogram as a browser takes it in."""
    head, picture = answer(table.port, get("/certificate.svg")).split(b"\r\n\r\n", 1)
    assert b"\r\ncontent-type: image/svg+xml\r\n" in head.lower()
    return ET.fromstring(picture)


def test_the_picture_marks_percentiles_band_and_a_bar_for_each_bin_within_it_and_without_scripts(
    measured: Table,
) -> None:
    picture = histogram(measured)
    texts = list(picture.iter(f"{SVG}text"))
    marks = ["p50 12 µs", "p99 15 µs", "p99.9 22 µs", "max 38.9 µs", "timing error 60 µs"]
    assert [text.text for text in texts[-5:]] == marks
    assert len([path for path in picture.iter(f"{SVG}path") if path.get("fill")]) == 7 + 4
    inside = [text for text in texts if text.get("paint-order")]
    assert max(float(text.get("x", "")) + 4 * len(text.text or "") for text in inside) <= 760
    assert {element.tag.removeprefix(SVG) for element in picture.iter()} == {"svg", "title", "rect", "text", "path"}


def test_a_certificate_that_does_not_count_says_so_in_its_picture_and_in_words() -> None:
    with closing(Table()) as table:
        certify(table, CERTIFICATE, "kernel changed")
        with table.browser() as browser:
            texts = [text.text for text in histogram(table).iter(f"{SVG}text")]
            words = received(browser)["certificate"]
    assert ("unused: kernel changed" in texts, words.endswith("; unused: kernel changed")) == (True, True)
    assert words.startswith(
        "Stamps are late by 12 µs (p50), 15 µs (p99), at most 38.9 µs; timing error 60 µs; measured 2"
    )


def test_real_parts_have_a_page_only_where_one_is_wanted_and_nothing_on_it_can_be_pressed(
    monkeypatch: pytest.MonkeyPatch, chromium: Browser
) -> None:
    monkeypatch.setattr(
        "hardware.parts.gpio.open_factory", lambda driver, open_factory=open_factory: open_factory("mock")
    )
    with closing(open_real(structs.replace(TABLE, strip=None), lambda part, text: None)) as kit:  # its display is lost
        assert panel_of(kit, wanted=False) is None
        panel = panel_of(kit, wanted=True)
        with closing(Table(panel=panel)) as table, chromium.new_page() as page:
            page.goto(f"http://127.0.0.1:{table.port}/")
            page.locator("#kit.built").wait_for()
            assert page.locator("#hints").text_content() == ""
            assert page.locator("button[data-part]:visible:enabled").count() == 0


def test_the_keys_1_to_4_press_the_players_buttons(table: Table, page: Page) -> None:
    for key in "12345":
        page.keyboard.press(key)
    assert table.twins.some(8) == [(name, down) for name in NAMES for down in (True, False)]
    assert table.twins.nothing_more()


def test_keys_and_wheel_do_what_the_control_does(table: Table, page: Page) -> None:
    for key in ("Enter", "ArrowUp", "ArrowDown", "ArrowRight", "ArrowLeft"):
        page.keyboard.press(key)
    arrows = [("turn", 1, False), ("turn", -1, False)]
    assert table.twins.some(6) == [("ok", True), ("ok", False), *arrows, ("turn", 1, True), ("turn", -1, True)]
    page.hover('[data-part="knob"]', position={"x": 20, "y": 80})
    page.mouse.wheel(0, -120)
    page.mouse.wheel(0, 120)
    assert table.twins.some(2) == arrows


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


def test_a_letter_is_the_first_of_what_is_looked_for_where_something_can_be(table: Table, page: Page) -> None:
    sought = Queue[str]()
    table.panel.on_seek = sought.put
    page.keyboard.press("x")
    table.panel.hear({"sought": ""})
    page.wait_for_selector("#seek", state="visible")
    page.keyboard.type("ti")
    assert [sought.get(timeout=PATIENCE_S) for _ in range(2)] == ["t", "ti"]
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    assert table.twins.some(3) == [("turn", -1, False), ("ok", True), ("ok", False)]
    table.panel.hear({"sought": None})
    page.wait_for_selector("#seek", state="hidden")
    page.keyboard.press("1")
    assert table.twins.some(2) == [("P1", True), ("P1", False)]


def test_the_drawer_unplugs_the_display_and_the_status_line_names_a_lost_part(table: Table, page: Page) -> None:
    page.click("#drawer summary")
    page.click('[data-part="plug-display"]')
    assert table.twins.next() == ("display", "unplugged")
    table.panel.part("display", "display: unplugged from the test")
    page.wait_for_selector("text=display: unplugged from the test")
    assert page.text_content('[data-part="status"]') == "display: unplugged from the test"


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
        until(lambda: page.evaluate(DRAWN), lambda: "the histogram is there")
        assert (
            page.evaluate("document.querySelector('#histogram').naturalWidth"),
            page.get_by_role("img", name="timing error 60 µs").is_visible(),
        ) == (760, True)


def test_a_page_that_is_open_shows_the_certificate_of_a_new_measurement(measured: Table, chromium: Browser) -> None:
    with chromium.new_page() as page:
        page.goto(f"http://127.0.0.1:{measured.port}/")
        page.click("#certificate summary")
        page.get_by_role("img", name="timing error 60 µs").wait_for()
        before = page.locator("#histogram").screenshot()
        certify(measured, made(1, 5, 80))
        page.get_by_role("img", name="at most 80 µs").wait_for()
        until(lambda: page.evaluate(DRAWN), lambda: "the histogram is there")
        assert page.locator("#histogram").screenshot() != before


def test_without_a_certificate_there_is_neither_a_drawer_nor_a_picture(table: Table, page: Page) -> None:
    assert page.locator("#certificate").is_hidden()
    assert status(answer(table.port, get("/certificate.svg"))) == 404
