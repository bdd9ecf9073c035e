"""The LED strip: what goes over the line, and both twins, the real one against a controller in a real MicroPython."""

import os
import pty
import random
import time
import tty
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from serial import Serial

from hardware.parts import Report
from hardware.strip import OFF, Colour, Pixels, serial, wire
from hardware.strip.emulated import EmulatedStrip
from hardware.strip.serial import SerialStrip
from tests.controller import Controller, micropython_controller
from tests.waiting import comes

RED, GREEN, BLUE = Colour(255, 0, 0), Colour(0, 255, 0), Colour(0, 0, 255)
LEDS = 60
MOST_LEDS = 300
DARK: Pixels = (OFF,) * LEDS

Told = list[tuple[str, str | None]]

COLOURS = st.sampled_from([OFF, RED, Colour(1, 2, 3)])
PICTURES = st.lists(COLOURS, min_size=1, max_size=MOST_LEDS).map(tuple)


def confetti(leds: int, seed: int = 0) -> Pixels:
    """As many colours as pixels: the longest picture there is."""
    dice = random.Random(seed)
    return tuple(Colour(dice.randrange(256), dice.randrange(256), n % 256) for n in range(leds))


def quiet(part: str, text: str | None) -> None:
    """A report that nobody reads."""


# --- the lines -------------------------------------------------------------------------------------------------------

FIRST = '{"on":true,"bri":255,"seg":{"id":0,"i":['
GOLDEN: list[tuple[str, Pixels, str]] = [
    ("one colour is one range", (RED,) * 60, '0,60,"FF0000"'),
    ("a range ends before the next one starts", (RED, RED, BLUE, BLUE), '0,2,"FF0000",2,4,"0000FF"'),
    ("a single pixel needs no end", (RED, GREEN, GREEN), '0,"FF0000",1,3,"00FF00"'),
    ("dark pixels are named too", (OFF, OFF, RED, OFF), '0,2,"000000",2,"FF0000",3,"000000"'),
    ("small parts keep their zeros", (Colour(1, 2, 3),), '0,"010203"'),
]


@pytest.mark.parametrize(("pixels", "pieces"), [case[1:] for case in GOLDEN], ids=[case[0] for case in GOLDEN])
def test_a_short_picture_is_one_line(pixels: Pixels, pieces: str) -> None:
    assert wire.lines(pixels) == (f"{FIRST}{pieces}]}}}}\n".encode(),)


def test_a_long_picture_goes_on_in_a_second_line() -> None:
    pieces = [f'{place},"{"00FF00" if place % 2 else "FF0000"}"' for place in range(20)]
    assert wire.lines((RED, GREEN) * 10) == (
        f"{FIRST}{','.join(pieces[:18])}]}}}}\n".encode(),
        f'{{"seg":{{"id":0,"i":[{",".join(pieces[18:])}]}}}}\n'.encode(),
    )


def test_the_longest_picture_stays_within_the_length_of_a_line() -> None:
    assert max(map(len, wire.lines(confetti(MOST_LEDS)))) <= wire.LONGEST


def test_lines_are_plain_text_with_one_line_feed_at_the_end() -> None:
    ends = {line.isascii() and line.decode()[:-1].isprintable() and line.endswith(b"\n") for line in wire.lines(DARK)}
    assert ends == {True}


ANSWERS: list[tuple[str, bytes, Pixels]] = [
    ("numbers", b"[16711680,255,66051]\r\n", (RED, BLUE, Colour(1, 2, 3))),
    ("white is left out", b"[4294901760]", (RED,)),
    ("strings", b'["FF0000", "0000ff"]\n', (RED, BLUE)),
    ("no pixels", b"[]", ()),
]


@pytest.mark.parametrize(("line", "pixels"), [case[1:] for case in ANSWERS], ids=[case[0] for case in ANSWERS])
def test_pixels_are_read_from_an_answer(line: bytes, pixels: Pixels) -> None:
    assert wire.parse_pixels(line) == pixels


@pytest.mark.parametrize(
    "line", [b"", b"WLED 17", b'{"error":3}', b"[1,2", b"[1,]", b"[-1]", b"[1.5]", b'["FF00"]', b'["F F0 0"]', b"[[1]]"]
)
def test_what_is_no_answer_with_pixels_is_refused(line: bytes) -> None:
    with pytest.raises(ValueError, match=r"pixel|hexadecimal"):
        wire.parse_pixels(line)


@pytest.mark.parametrize(
    ("line", "version"),
    [
        (b"WLED 2508020\r", True),
        (b"Answerer 1", True),
        (b"v", False),
        (b'{"error": 9}', False),
        (b"[1, 2]", False),
        (b"\xb0 1", False),
    ],
)
def test_a_version_is_told_from_other_lines(line: bytes, version: bool) -> None:
    assert wire.is_version(line) == version


# --- the emulated twin -----------------------------------------------------------------------------------------------


@settings(deadline=None, max_examples=50)
@given(st.lists(PICTURES, min_size=1, max_size=3))
def test_the_emulated_strip_shows_each_picture_whole(pictures: list[Pixels]) -> None:
    strip = EmulatedStrip(MOST_LEDS, quiet)
    shown = []
    for picture in pictures:
        strip.show(picture + (OFF,) * (MOST_LEDS - len(picture)))
        shown.append(strip.pixels[: len(picture)])
    assert shown == pictures


def test_an_emulated_strip_is_dark_at_first(report: Report) -> None:
    assert EmulatedStrip(LEDS, report).pixels == DARK


def test_a_watcher_is_told_each_change_and_nothing_else(report: Report) -> None:
    strip, seen = EmulatedStrip(2, report), list[Pixels]()
    strip.watch(seen.append)
    for picture in [(RED, RED), (RED, RED), (RED, BLUE)]:
        strip.show(picture)
    assert seen == [(RED, RED), (RED, BLUE)]


def test_an_unplugged_emulated_strip_is_dark(report: Report) -> None:
    strip = EmulatedStrip(2, report)
    strip.show((RED, RED))
    strip.unplug()
    assert strip.pixels == (OFF, OFF)


def test_a_replugged_emulated_strip_shows_the_newest_picture(report: Report) -> None:
    strip = EmulatedStrip(2, report)
    strip.unplug()
    strip.show((RED, RED))
    strip.show((RED, BLUE))
    strip.replug()
    assert strip.pixels == (RED, BLUE)


def test_unplugging_an_emulated_strip_is_reported_once_each_way(report: Report, told: Told) -> None:
    strip = EmulatedStrip(2, report)
    for move in (strip.replug, strip.unplug, strip.unplug, strip.replug, strip.replug):
        move()
    assert told == [("strip", "strip lost: unplugged"), ("strip", None)]


def test_a_closed_emulated_strip_is_dark(report: Report) -> None:
    strip = EmulatedStrip(2, report)
    strip.show((RED, RED))
    strip.close()
    assert strip.pixels == (OFF, OFF)


# --- the real twin ---------------------------------------------------------------------------------------------------


@pytest.fixture
def controller(tmp_path: Path) -> Iterator[Controller]:
    """A controller of 300 lamps, plugged in."""
    controller = Controller(tmp_path, MOST_LEDS)
    controller.plug()
    yield controller
    controller.unplug()


@pytest.fixture
def strip(controller: Controller, report: Report, monkeypatch: pytest.MonkeyPatch) -> Iterator[SerialStrip]:
    """The real twin on that controller's port; it knows that this controller says nothing by itself."""
    monkeypatch.setattr(serial, "QUIET_S", 0.02)
    strip = SerialStrip(str(controller.port), MOST_LEDS, report)
    yield strip
    strip.close()


@pytest.fixture
def hung_port(tmp_path: Path) -> Iterator[str]:
    """A port that opens, and from which nobody reads."""
    far, near = pty.openpty()
    tty.setraw(near)
    link = tmp_path / "luckypaw-strip"
    link.symlink_to(os.ttyname(near))
    yield str(link)
    os.close(far)
    os.close(near)


@pytest.fixture
def fast_line(monkeypatch: pytest.MonkeyPatch) -> None:
    """A line that is never busy: a picture follows the other at once, and soon fills up a line that nobody reads."""
    monkeypatch.setattr(wire, "BAUD", 4_000_000)


def flood(strip: SerialStrip) -> float:
    """Show 30 long pictures in 0.3 s; how long the longest call took, in seconds."""
    longest_s = 0.0
    for n in range(30):
        picture = confetti(MOST_LEDS, n)
        before_s = time.monotonic()
        strip.show(picture)
        longest_s = max(longest_s, time.monotonic() - before_s)
        time.sleep(0.01)
    return longest_s


def settle(controller: Controller, strip: SerialStrip) -> None:
    """Wait until strip and controller have met and a picture has gone the usual way."""
    assert comes(lambda: controller.documents > 0)
    strip.show((GREEN,) * MOST_LEDS)
    assert comes(lambda: controller.pixels()[0] == GREEN)


def lost(port: Path | str, why: str) -> tuple[str, str]:
    return ("strip", f"strip lost: {port} {why}")


def test_a_picture_arrives_pixel_for_pixel(controller: Controller, strip: SerialStrip) -> None:
    strip.show(confetti(MOST_LEDS))
    assert comes(lambda: controller.pixels() == confetti(MOST_LEDS))


def test_of_many_pictures_the_newest_stays(controller: Controller, strip: SerialStrip) -> None:
    flood(strip)
    assert comes(lambda: controller.pixels() == confetti(MOST_LEDS, 29))


def test_pictures_that_come_too_fast_for_the_line_are_left_out(controller: Controller, strip: SerialStrip) -> None:
    settle(controller, strip)
    before = controller.documents
    dots = [(OFF,) * n + (RED,) + (OFF,) * (MOST_LEDS - 1 - n) for n in range(200)]
    line_s = min(len(b"".join(wire.lines(dot))) for dot in dots) * 10 / wire.BAUD
    start_s = time.monotonic()
    for dot in dots:
        strip.show(dot)
        time.sleep(0.001)
    assert comes(lambda: controller.pixels() == dots[-1])
    assert controller.documents - before <= (time.monotonic() - start_s) / line_s + 1


def test_the_same_picture_is_not_sent_again(controller: Controller, strip: SerialStrip) -> None:
    settle(controller, strip)
    before = controller.documents
    strip.show((RED,) * MOST_LEDS)
    assert comes(lambda: controller.pixels()[0] == RED)
    strip.show((RED,) * MOST_LEDS)
    time.sleep(0.1)
    assert controller.documents == before + 1


def test_between_two_pings_the_thread_sleeps(
    controller: Controller, report: Report, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(serial, "PING_S", 60.0)
    strip = SerialStrip(str(controller.port), MOST_LEDS, report)
    settle(controller, strip)
    time.sleep(0.1)
    wakings: list[float] = []

    def now_s() -> float:
        wakings.append(time.monotonic())
        return wakings[-1]

    monkeypatch.setattr(serial, "monotonic", now_s)
    time.sleep(0.5)
    assert wakings == []
    strip.close()


def test_a_strip_that_was_never_lost_reports_nothing(controller: Controller, strip: SerialStrip, told: Told) -> None:
    assert comes(lambda: controller.documents == 1)
    strip.close()
    assert told == []


def test_a_port_that_is_missing_is_reported_once_by_its_name(
    tmp_path: Path, report: Report, told: Told, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(serial, "RETRY_S", (0.02, 0.02))
    strip = SerialStrip(str(tmp_path / "luckypaw-strip"), LEDS, report)
    assert comes(lambda: bool(told))
    time.sleep(0.1)
    strip.close()
    assert told == [lost(tmp_path / "luckypaw-strip", "is not there")]


def test_a_port_that_another_program_uses_is_reported(controller: Controller, report: Report, told: Told) -> None:
    with Serial(str(controller.port), exclusive=True):
        strip = SerialStrip(str(controller.port), MOST_LEDS, report)
        assert comes(lambda: bool(told))
        strip.close()
    assert told == [lost(controller.port, "is in use by another program")]


def test_a_strip_plugged_in_later_shows_the_newest_picture(tmp_path: Path, report: Report) -> None:
    controller = Controller(tmp_path, LEDS)
    strip = SerialStrip(str(controller.port), LEDS, report)
    strip.show((RED,) * LEDS)
    strip.show((BLUE,) * LEDS)
    controller.plug()
    try:
        assert comes(lambda: controller.pixels() == (BLUE,) * LEDS)
    finally:
        strip.close()
        controller.unplug()


@pytest.mark.usefixtures("fast_line")
def test_a_strip_unplugged_in_mid_line_shows_the_newest_picture_when_it_is_back(
    controller: Controller, strip: SerialStrip, told: Told
) -> None:
    settle(controller, strip)
    controller.hang()
    flood(strip)  # a write stands still in the middle of a line
    controller.unplug()
    assert comes(lambda: len(told) == 1)
    controller.plug()
    assert comes(lambda: controller.pixels() == confetti(MOST_LEDS, 29))
    assert comes(lambda: told == [lost(controller.port, "was unplugged"), ("strip", None)])


def test_half_a_line_of_a_program_that_died_does_not_spoil_the_picture(
    controller: Controller, report: Report, told: Told
) -> None:
    with Serial(str(controller.port)) as port:
        port.write(wire.lines((GREEN,) * MOST_LEDS)[0][:30])
    strip = SerialStrip(str(controller.port), MOST_LEDS, report)
    strip.show((RED,) * MOST_LEDS)
    assert comes(lambda: controller.pixels() == (RED,) * MOST_LEDS)
    strip.close()
    assert told == []


def test_a_controller_that_babbles_while_it_starts_gets_the_picture(tmp_path: Path, report: Report, told: Told) -> None:
    controller = Controller(tmp_path, LEDS)
    controller.plug(start_ms=600)
    strip = SerialStrip(str(controller.port), LEDS, report)
    strip.show((RED,) * LEDS)
    try:
        assert comes(lambda: controller.pixels() == (RED,) * LEDS)
    finally:
        strip.close()
        controller.unplug()
    assert told == []


def test_a_picture_that_the_controller_refused_is_sent_again(
    controller: Controller, report: Report, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(serial, "PING_S", 0.2)
    lines, broken = wire.lines, [b'{"seg":{"i":[0,"no colour"]}}\n']
    strip = SerialStrip(str(controller.port), MOST_LEDS, report)
    settle(controller, strip)
    monkeypatch.setattr(wire, "lines", lambda pixels: (broken.pop(),) if broken else lines(pixels))
    strip.show((RED,) * MOST_LEDS)
    assert comes(lambda: controller.pixels() == (RED,) * MOST_LEDS)
    strip.close()


def test_a_controller_that_never_answers_is_reported(
    hung_port: str, report: Report, told: Told, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(serial, "ANSWER_S", 0.2)
    strip = SerialStrip(hung_port, LEDS, report)
    assert comes(lambda: bool(told))
    strip.close()
    assert told == [lost(hung_port, "does not answer")]


def test_a_controller_that_stops_answering_is_reported(
    controller: Controller, report: Report, told: Told, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(serial, "PING_S", 0.1)
    strip = SerialStrip(str(controller.port), MOST_LEDS, report)
    settle(controller, strip)
    controller.hang()
    assert comes(lambda: bool(told))
    strip.close()
    assert told == [lost(controller.port, "does not answer any more")]


def test_a_controller_that_never_falls_silent_is_reported(
    tmp_path: Path, report: Report, told: Told, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(serial, "TALK_S", 0.3)
    controller = Controller(tmp_path, LEDS)
    controller.plug(start_ms=5000)
    strip = SerialStrip(str(controller.port), LEDS, report)
    assert comes(lambda: bool(told))
    strip.close()
    controller.unplug()
    assert told == [lost(controller.port, "never falls silent")]


@pytest.mark.usefixtures("fast_line")
def test_a_hung_controller_is_reported_as_taking_no_data(
    controller: Controller, strip: SerialStrip, told: Told
) -> None:
    settle(controller, strip)
    controller.hang()
    flood(strip)
    assert comes(lambda: bool(told))
    assert told == [lost(controller.port, "takes no data")]


@pytest.mark.usefixtures("fast_line")
def test_showing_never_waits_for_a_hung_controller(controller: Controller, strip: SerialStrip) -> None:
    settle(controller, strip)
    controller.hang()
    assert flood(strip) < 0.4  # a write stands for 0.5 s


@pytest.mark.usefixtures("fast_line")
def test_closing_waits_no_longer_than_about_a_second_for_a_hung_controller(
    controller: Controller, strip: SerialStrip
) -> None:
    settle(controller, strip)
    controller.hang()
    flood(strip)
    before_s = time.monotonic()
    strip.close()
    assert time.monotonic() - before_s < 1.5


def test_a_closed_strip_is_dark(controller: Controller, strip: SerialStrip) -> None:
    strip.show((RED,) * MOST_LEDS)
    assert comes(lambda: controller.pixels()[0] == RED)
    strip.close()
    assert comes(lambda: controller.pixels() == (OFF,) * MOST_LEDS)


def test_a_closed_strip_takes_pictures_without_complaint(controller: Controller, strip: SerialStrip) -> None:
    strip.close()
    strip.show((RED,) * MOST_LEDS)
    strip.close()
    assert controller.pixels() == (OFF,) * MOST_LEDS


# --- the controller of these tests -----------------------------------------------------------------------------------


@pytest.fixture
def line(tmp_path: Path) -> Iterator[Serial]:
    """A bare line to a controller of six lamps."""
    with micropython_controller(tmp_path, 6) as (port, _), Serial(port, timeout=2) as line:
        yield line


def test_the_controller_says_its_version(line: Serial) -> None:
    line.write(b"v")
    assert line.readline() == b"Answerer 1\r\n"


def test_the_controller_says_what_it_shows(line: Serial) -> None:
    line.write(b'{"seg":{"i":[0,2,"FF0000","00FF00",4,[0,0,255]]}}\nl')
    assert wire.parse_pixels(line.readline()) == (RED, RED, GREEN, OFF, BLUE, OFF)


def test_the_controller_says_its_state_when_asked_to(line: Serial) -> None:
    line.write(b'{"bri":255,"v":true}\n')
    assert b'"bri": 255' in line.readline()


@pytest.mark.parametrize(
    "document",
    [
        b"{",
        b'{"bri":256}',
        b'{"bri":true}',
        b'{"on":1}',
        b'{"seg":[]}',
        b'{"seg":{"i":["FF00"]}}',
        b'{"seg":{"i":["0xFF00"]}}',
        b'{"seg":{"i":[1,2,3,"FF0000"]}}',
        b'{"seg":{"i":[1,2]}}',
        b'{"seg":{"i":[0,"FF0000"],"id":1}}',
        b'{"v":"' + b"x" * 1024 + b'"}',
    ],
)
def test_the_controller_refuses_a_document_that_is_wrong(line: Serial, document: bytes) -> None:
    line.write(document + b"\n")
    assert line.readline() == b'{"error":9}\r\n'
