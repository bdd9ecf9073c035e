"""The LED strip: what goes over the line, and both twins, the real one against a controller in a real MicroPython."""

import os
import pty
import random
import time
import tty
from binascii import crc32
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from threading import Thread

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from serial import Serial
from serial.tools.list_ports_common import ListPortInfo

from hardware.parts import Report
from hardware.strip import OFF, Colour, Mounting, Pixels, Rhythm, lamp, ports, rhythm, serial, talk, wire
from hardware.strip.emulated import EmulatedStrip
from hardware.strip.serial import SerialStrip
from tests.simulators.controller import Controller
from tests.simulators.storm import StormyPort
from tests.simulators.waiting import comes

RED, GREEN, BLUE = Colour(254, 0, 0), Colour(0, 254, 0), Colour(0, 0, 254)
LEDS = 60
MOST_LEDS = 300
DARK: Pixels = (OFF,) * LEDS

Told = list[tuple[str, str | None]]

COLOURS = st.sampled_from([OFF, RED, Colour(2, 4, 6)])
PICTURES = st.lists(COLOURS, min_size=1, max_size=MOST_LEDS).map(tuple)


def confetti(leds: int, seed: int = 0) -> Pixels:
    """As many colours as pixels, all steady: the longest picture there is."""
    dice = random.Random(seed)
    return tuple(lamp(Colour(dice.randrange(256), dice.randrange(256), n % 256)) for n in range(leds))


def quiet(part: str, text: str | None) -> None:
    """A report that nobody reads."""


# --- the lines -------------------------------------------------------------------------------------------------------

ON = b'{"on":true,"bri":255}\n'
GOLDEN: list[tuple[str, Pixels, str]] = [
    ("one colour is one range", (RED,) * 60, '0,60,"FE0000"'),
    ("a range ends before the next one starts", (RED, RED, BLUE, BLUE), '0,2,"FE0000",2,4,"0000FE"'),
    ("a single pixel needs no end", (RED, GREEN, GREEN), '0,"FE0000",1,3,"00FE00"'),
    ("dark pixels are named too", (OFF, OFF, RED, OFF), '0,2,"000000",2,"FE0000",3,"000000"'),
    ("small parts keep their zeros", (Colour(1, 2, 3),), '0,"010203"'),
]


@pytest.mark.parametrize(("pixels", "pieces"), [case[1:] for case in GOLDEN], ids=[case[0] for case in GOLDEN])
def test_a_short_picture_is_one_line_after_switching_on(pixels: Pixels, pieces: str) -> None:
    assert wire.full(pixels, 7) == (ON, f'{{"seg":{{"id":0,"i":[{pieces}]}},"kit":{{"seq":7}}}}\n'.encode())


def test_a_long_picture_goes_on_in_a_second_line_with_its_number() -> None:
    pieces = [f'{place},"{"00FE00" if place % 2 else "FE0000"}"' for place in range(20)]
    assert wire.full((RED, GREEN) * 10, 12) == (
        ON,
        f'{{"seg":{{"id":0,"i":[{",".join(pieces[:18])}]}}}}\n'.encode(),
        f'{{"seg":{{"id":0,"i":[{",".join(pieces[18:])}]}},"kit":{{"seq":12}}}}\n'.encode(),
    )


CHANGES: list[tuple[str, Pixels, Pixels, str]] = [
    ("one piece darker, one brighter", (RED, RED, OFF, OFF), (OFF, OFF, BLUE, BLUE), '0,2,"000000",2,4,"0000FE"'),
    ("what stays is not sent", (RED, RED, OFF, OFF), (RED, RED, RED, OFF), '2,"FE0000"'),
    ("one colour around what stays", (OFF, RED, OFF), (RED, RED, RED), '0,"FE0000",2,"FE0000"'),
]


@pytest.mark.parametrize(("old", "new", "pieces"), [case[1:] for case in CHANGES], ids=[case[0] for case in CHANGES])
def test_a_change_names_only_the_lamps_that_differ(old: Pixels, new: Pixels, pieces: str) -> None:
    assert wire.change(old, new) == (f'{{"seg":{{"id":0,"i":[{pieces}]}}}}\n'.encode(),)


@pytest.mark.parametrize("lines", [wire.full(confetti(MOST_LEDS), 999_999), wire.change(DARK * 5, confetti(MOST_LEDS))])
def test_the_longest_picture_stays_within_the_length_of_a_line(lines: tuple[bytes, ...]) -> None:
    assert max(map(len, lines)) <= wire.LONGEST


def test_lines_are_plain_text_with_one_line_feed_at_the_end() -> None:
    ends = {line.isascii() and line.decode()[:-1].isprintable() and line.endswith(b"\n") for line in wire.full(DARK, 1)}
    assert ends == {True}


def test_the_turn_of_the_next_seat_is_sixty_bytes_at_most() -> None:
    bright, dim = Colour(230, 120, 0), Colour(30, 16, 0)
    pictures = [
        tuple(OFF if n % 15 == 14 else bright if n // 15 == seat else dim for n in range(LEDS)) for seat in range(4)
    ]
    turns = [wire.change(pictures[seat], pictures[(seat + 1) % 4]) for seat in range(4)]
    assert max(len(b"".join(turn)) for turn in turns) <= 60


@pytest.mark.parametrize(
    ("leds", "picture"), [(2, (RED, GREEN)), (3, (RED, GREEN, BLUE)), (4, (RED, GREEN, BLUE, OFF))]
)
def test_a_picture_is_cut_or_filled_to_the_number_of_lamps(leds: int, picture: Pixels) -> None:
    assert wire.fitted((RED, GREEN, BLUE), leds) == picture


def test_the_checksum_of_a_picture_is_the_crc_of_its_bytes() -> None:
    assert wire.checksum((Colour(1, 2, 3), Colour(4, 5, 6))) == crc32(bytes((1, 2, 3, 4, 5, 6)))


# --- rhythms and mounting --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", list(Rhythm))
@pytest.mark.parametrize("colour", [OFF, Colour(255, 255, 255), Colour(1, 128, 77)])
def test_a_rhythm_in_a_colour_is_found_again(kind: Rhythm, colour: Colour) -> None:
    assert rhythm(lamp(colour, kind)) is kind


@given(st.builds(Colour, *[st.integers(0, 255)] * 3), st.sampled_from(Rhythm))
def test_a_rhythm_changes_no_part_of_a_colour_by_more_than_one(colour: Colour, kind: Rhythm) -> None:
    assert max(abs(a - b) for a, b in zip(colour, lamp(colour, kind), strict=True)) <= 1


@pytest.mark.parametrize("bits", [Colour(0, 1, 1), Colour(1, 0, 1), Colour(1, 1, 0), Colour(1, 1, 1)])
def test_bits_that_are_no_rhythm_are_steady(bits: Colour) -> None:
    assert rhythm(bits) is Rhythm.STEADY


MOUNTINGS = [
    (Mounting(), (RED, GREEN, BLUE, OFF)),
    (Mounting(reversed=True), (OFF, BLUE, GREEN, RED)),
    (Mounting(offset=1), (OFF, RED, GREEN, BLUE)),
    (Mounting(offset=5), (OFF, RED, GREEN, BLUE)),
    (Mounting(reversed=True, offset=1), (RED, OFF, BLUE, GREEN)),
]


@pytest.mark.parametrize(("mounting", "sent"), MOUNTINGS)
def test_a_mounting_puts_the_picture_where_the_strip_starts(mounting: Mounting, sent: Pixels) -> None:
    assert mounting.sent((RED, GREEN, BLUE, OFF)) == sent


# --- answers ---------------------------------------------------------------------------------------------------------


ANSWERS: list[tuple[str, bytes, Pixels]] = [
    ("numbers", b"[16646144,254,66051]\r\n", (RED, BLUE, Colour(1, 2, 3))),
    ("white is left out", b"[4294836224]", (RED,)),
    ("strings", b'["FE0000", "0000fe"]\n', (RED, BLUE)),
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
        (b"LuckyPaw 1\r", True),
        (b"Answerer 1", False),
        (b"WLED", False),
        (b"v", False),
        (b'{"error": 9}', False),
        (b"[1, 2]", False),
        (b"WLED \xb0", False),
    ],
)
def test_a_version_is_told_from_other_lines(line: bytes, version: bool) -> None:
    assert wire.is_version(line) == version


@pytest.mark.parametrize(
    ("line", "count"),
    [
        (b'{"state":{"on":true},"info":{"ver":"0.15.0","leds":{"count":60,"pwr":0}}}\r', 60),
        (b'{"info":{"leds":{"count":true}}}', None),
        (b'{"info":[]}', None),
        (b"[1,2]", None),
        (b"Ada", None),
    ],
)
def test_how_many_lamps_there_are_is_read_from_an_answer(line: bytes, count: int | None) -> None:
    assert wire.parse_count(line) == count


@pytest.mark.parametrize(
    ("line", "seen"),
    [
        (b'{"kit": {"seq": 7, "crc": 305419896}}\r', (7, 305419896)),
        (b'{"error":20,"kit":{"seq":7}}', None),
        (b'{"kit":{"seq":"7","crc":1}}', None),
        (b'{"kit":7}', None),
        (b"LuckyPaw 1", None),
    ],
)
def test_which_picture_was_seen_is_read_from_an_answer(line: bytes, seen: tuple[int, int] | None) -> None:
    assert wire.parse_seen(line) == seen


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
def strip(controller: Controller, report: Report, told: Told, monkeypatch: pytest.MonkeyPatch) -> Iterator[SerialStrip]:
    """The real twin on that controller's port, once it has said how many lamps it has."""
    monkeypatch.setattr(talk, "QUIET_S", 0.02)
    strip = SerialStrip(str(controller.port), report)
    assert comes(lambda: bool(told))
    told.clear()
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
def short_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody here talks by himself, and everybody answers soon."""
    monkeypatch.setattr(talk, "QUIET_S", 0.02)
    monkeypatch.setattr(talk, "VERSION_S", 0.05)
    monkeypatch.setattr(serial, "RETRY_S", (0.02, 0.02))


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


def test_pictures_that_come_too_fast_for_the_line_are_left_out(
    controller: Controller, strip: SerialStrip, monkeypatch: pytest.MonkeyPatch
) -> None:
    settle(controller, strip)
    monkeypatch.setattr(talk, "REFRESH_S", 60.0)
    before = controller.documents
    dots = [(OFF,) * n + (RED,) + (OFF,) * (MOST_LEDS - 1 - n) for n in range(200)]
    line_s = min(len(b"".join(wire.change(dots[0], dot))) for dot in dots) * 10 / wire.BAUD
    start_s = time.monotonic()
    for dot in dots:
        strip.show(dot)
        time.sleep(0.001)
    assert comes(lambda: controller.pixels() == dots[-1])
    assert controller.documents - before <= (time.monotonic() - start_s) / line_s + 1


def test_the_same_picture_is_not_sent_again_at_once(
    controller: Controller, strip: SerialStrip, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(talk, "REFRESH_S", 60.0)
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
    monkeypatch.setattr(talk, "REFRESH_S", 60.0)
    strip = SerialStrip(str(controller.port), report)
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


def test_a_strip_that_is_not_lost_reports_nothing_more(controller: Controller, strip: SerialStrip, told: Told) -> None:
    assert comes(lambda: controller.documents == 1)
    strip.close()
    assert told == []


def test_a_port_that_is_missing_is_reported_once_by_its_name(
    tmp_path: Path, report: Report, told: Told, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(serial, "RETRY_S", (0.02, 0.02))
    strip = SerialStrip(str(tmp_path / "luckypaw-strip"), report)
    assert comes(lambda: bool(told))
    time.sleep(0.1)
    strip.close()
    assert told == [lost(tmp_path / "luckypaw-strip", "is not there")]


def test_a_port_that_another_program_uses_is_reported(controller: Controller, report: Report, told: Told) -> None:
    with Serial(str(controller.port), exclusive=True):
        strip = SerialStrip(str(controller.port), report)
        assert comes(lambda: bool(told))
        strip.close()
    assert told == [lost(controller.port, "is in use by another program")]


def test_the_number_of_lamps_is_learned_and_told(controller: Controller, report: Report, told: Told) -> None:
    strip = SerialStrip(str(controller.port), report)
    assert comes(lambda: bool(told))
    assert (strip.leds, told) == (MOST_LEDS, [("strip", None)])
    strip.close()


def test_a_mounted_strip_gets_the_picture_in_the_order_of_its_lamps(controller: Controller, report: Report) -> None:
    mounting = Mounting(reversed=True, offset=2)
    strip = SerialStrip(str(controller.port), report, mounting)
    assert comes(lambda: strip.leds == MOST_LEDS)
    strip.show(confetti(MOST_LEDS))
    assert comes(lambda: controller.pixels() == mounting.sent(confetti(MOST_LEDS)))
    strip.close()


class Printer:
    """Another device on a port: it says the same to whatever comes, and counts what it hears."""

    def __init__(self, folder: Path) -> None:
        self.port = folder / "printer"
        self.heard = 0
        self._far = -1
        self._reader = Thread()

    def plug(self) -> None:
        """Give it a port."""
        self._far, near = pty.openpty()
        tty.setraw(near)
        self.port.symlink_to(os.ttyname(near))
        self._near = near
        self._reader = Thread(target=self._answer)
        self._reader.start()

    def unplug(self) -> None:
        """Take its port away."""
        self.port.unlink()
        os.close(self._near)
        self._reader.join()
        os.close(self._far)

    def _answer(self) -> None:
        with suppress(OSError):  # nobody has the port open any more
            while os.read(self._far, 100):
                self.heard += 1
                os.write(self._far, b"echo:Unknown command\r\n")


@pytest.fixture
def printer(tmp_path: Path) -> Iterator[Printer]:
    """Another device, plugged in."""
    printer = Printer(tmp_path)
    printer.plug()
    yield printer
    printer.unplug()


@pytest.mark.usefixtures("short_waits")
def test_another_device_is_named_once_and_left_alone(printer: Printer, report: Report, told: Told) -> None:
    strip = SerialStrip(str(printer.port), report)
    assert comes(lambda: bool(told))
    heard = printer.heard
    time.sleep(0.5)
    strip.close()
    assert told == [lost(printer.port, "is no strip controller: it says 'echo:Unknown command'")]
    assert printer.heard == heard


@pytest.mark.usefixtures("short_waits")
def test_a_port_with_another_device_is_tried_again_when_something_else_is_plugged_in(
    printer: Printer, report: Report, told: Told, tmp_path: Path
) -> None:
    strip = SerialStrip(str(printer.port), report)
    assert comes(lambda: bool(told))
    printer.port.unlink()
    controller = Controller(tmp_path, LEDS)
    controller.plug()
    printer.port.symlink_to(controller.port)
    try:
        assert comes(lambda: told[1:] == [("strip", None)])
    finally:
        strip.close()
        controller.unplug()


@pytest.mark.usefixtures("short_waits")
def test_of_several_ports_the_one_with_a_strip_is_found(
    printer: Printer, controller: Controller, report: Report, told: Told
) -> None:
    strip = SerialStrip(None, report, find=lambda: (str(printer.port), str(controller.port)))
    strip.show((RED,) * MOST_LEDS)
    assert comes(lambda: controller.pixels() == (RED,) * MOST_LEDS)
    strip.close()


def test_a_table_with_nothing_on_usb_is_told_so(report: Report, told: Told) -> None:
    strip = SerialStrip(None, report, find=tuple)
    assert comes(lambda: bool(told))
    strip.close()
    assert told == [("strip", "strip lost: no controller found on USB")]


def usb(device: str, vid: int | None, pid: int | None) -> ListPortInfo:
    port = ListPortInfo(device)
    port.vid, port.pid = vid, pid
    return port


def test_ports_are_found_by_their_usb_identity_the_likeliest_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = [
        usb("/dev/ttyUSB0", 0x1A86, 0x7523),
        usb("/dev/ttyACM1", 0x1234, 0x0001),
        usb("/dev/ttyS0", None, None),
        usb("/dev/ttyACM0", 0x2E8A, 0x0005),
    ]
    monkeypatch.setattr("serial.tools.list_ports.comports", lambda: found)
    monkeypatch.setattr(ports, "NAMED", tmp_path / "none")
    monkeypatch.setattr(ports, "BY_ID", tmp_path / "none")
    assert ports.candidates() == ("/dev/ttyACM0", "/dev/ttyUSB0")


def test_a_port_is_called_by_the_name_that_it_keeps(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    device = tmp_path / "ttyACM0"
    device.touch()
    (tmp_path / "by-id").mkdir()
    kept = tmp_path / "by-id" / "usb-MicroPython_Board"
    kept.symlink_to(device)
    monkeypatch.setattr("serial.tools.list_ports.comports", lambda: [usb(str(device), 0x2E8A, 0x0005)])
    monkeypatch.setattr(ports, "NAMED", tmp_path / "none")
    monkeypatch.setattr(ports, "BY_ID", tmp_path / "by-id")
    assert ports.candidates() == (str(kept),)


def test_a_port_that_a_udev_rule_names_is_the_only_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    named = tmp_path / "luckypaw-strip"
    named.touch()
    monkeypatch.setattr(ports, "NAMED", named)
    assert ports.candidates() == (str(named),)


def test_a_strip_plugged_in_later_shows_the_newest_picture(tmp_path: Path, report: Report) -> None:
    controller = Controller(tmp_path, LEDS)
    strip = SerialStrip(str(controller.port), report)
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
    assert comes(lambda: told[1:] == [("strip", None)])
    assert told[0] in (lost(controller.port, "was unplugged"), lost(controller.port, "takes no data"))  # the first


def test_half_a_line_of_a_program_that_died_does_not_spoil_the_picture(
    controller: Controller, report: Report, told: Told
) -> None:
    with Serial(str(controller.port)) as port:
        port.write(wire.full((GREEN,) * MOST_LEDS, 1)[0][:30])
    strip = SerialStrip(str(controller.port), report)
    strip.show((RED,) * MOST_LEDS)
    assert comes(lambda: controller.pixels() == (RED,) * MOST_LEDS)
    strip.close()
    assert told in ([], [("strip", None)])  # never lost


def test_a_controller_that_babbles_while_it_starts_gets_the_picture(tmp_path: Path, report: Report, told: Told) -> None:
    controller = Controller(tmp_path, LEDS)
    controller.plug(start_ms=600)
    strip = SerialStrip(str(controller.port), report)
    strip.show((RED,) * LEDS)
    try:
        assert comes(lambda: controller.pixels() == (RED,) * LEDS)
    finally:
        strip.close()
        controller.unplug()
    assert told in ([], [("strip", None)])  # never lost


def test_a_picture_that_the_controller_refused_is_sent_again(
    controller: Controller, report: Report, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(talk, "REFRESH_S", 0.2)
    change, broken = wire.change, [b'{"seg":{"i":[0,"no colour"]}}\n']
    strip = SerialStrip(str(controller.port), report)
    settle(controller, strip)
    monkeypatch.setattr(wire, "change", lambda old, new: (broken.pop(),) if broken else change(old, new))
    strip.show((RED,) * MOST_LEDS)
    assert comes(lambda: controller.pixels() == (RED,) * MOST_LEDS)
    strip.close()


def test_a_controller_that_never_answers_is_reported(
    hung_port: str, report: Report, told: Told, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(talk, "VERSIONS", 1)
    strip = SerialStrip(hung_port, report)
    assert comes(lambda: bool(told))
    strip.close()
    assert told == [lost(hung_port, "does not answer")]


def test_a_controller_that_stops_answering_is_reported(
    controller: Controller, report: Report, told: Told, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(talk, "REFRESH_S", 0.1)
    monkeypatch.setattr(talk, "DEAF_S", 0.3)
    strip = SerialStrip(str(controller.port), report)
    settle(controller, strip)
    controller.hang()
    assert comes(lambda: len(told) == 2)
    strip.close()
    assert told[1:] == [lost(controller.port, "does not answer any more")]


def test_a_controller_that_never_falls_silent_is_reported(
    tmp_path: Path, report: Report, told: Told, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(talk, "TALK_S", 0.3)
    controller = Controller(tmp_path, LEDS)
    controller.plug(start_ms=5000)
    strip = SerialStrip(str(controller.port), report)
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


def test_after_a_storm_with_plugs_pulled_in_mid_line_the_newest_picture_is_back_in_two_seconds(
    tmp_path: Path, report: Report
) -> None:
    stormy = StormyPort(tmp_path, LEDS)
    with stormy.raging() as port:
        strip = SerialStrip(port, report)
        end_s = time.monotonic() + 8
        seed = 0
        while time.monotonic() < end_s:
            seed += 1
            strip.show(confetti(LEDS, seed))
            time.sleep(0.03)
        stormy.calm_down()
        came_back = comes(lambda: stormy.pixels == confetti(LEDS, seed), 2.3)  # it may be unplugged for 0.2 s more
        strip.close()
    assert (came_back, stormy.plugs > 3) == (True, True)


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
