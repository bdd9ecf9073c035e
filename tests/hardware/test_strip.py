"""The LED strip: what goes over the line, and both twins, the real one against a controller in a real MicroPython."""

import random
import threading
import time
from binascii import crc32
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from select import select
from threading import Event
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from serial import Serial
from serial.tools.list_ports_common import ListPortInfo

from hardware.parts import Report
from hardware.parts.strip import OFF, Colour, Mounting, Pixels, Rhythm, lamp, ports, rhythm, serial, talk, wire
from hardware.parts.strip.emulated import EmulatedStrip
from hardware.parts.strip.serial import SerialStrip
from tests.hardware.reports import Reports
from tests.simulators.controller import Controller
from tests.simulators.machine_for_doctor import other_device
from tests.simulators.serial_faults import StormyPort
from tests.simulators.waiting import PATIENCE_S, comes

RED, GREEN, BLUE = Colour(254, 0, 0), Colour(0, 254, 0), Colour(0, 0, 254)
LEDS = 60
MAX_LEDS = 300
DARK: Pixels = (OFF,) * LEDS

COLOURS = st.sampled_from([OFF, RED, Colour(2, 4, 6)])
PICTURES = st.lists(COLOURS, min_size=1, max_size=MAX_LEDS).map(tuple)


def confetti(leds: int, seed: int = 0) -> Pixels:
    """As many colours as pixels, all steady: the longest picture there is."""
    dice = random.Random(seed)
    return tuple(lamp(Colour(dice.randrange(256), dice.randrange(256), n % 256)) for n in range(leds))


def quiet(part: str, text: str | None) -> None:
    """A report that nobody reads."""


ON = b'{"on":true,"bri":255}\n'
GOLDEN: list[tuple[str, Pixels, str]] = [
    ("a range ends before the next one starts", (RED, RED, BLUE, BLUE), '0,2,"FE0000",2,4,"0000FE"'),
    ("a single pixel needs no end, dark ones are named", (OFF, OFF, RED, OFF), '0,2,"000000",2,"FE0000",3,"000000"'),
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


@pytest.mark.parametrize("lines", [wire.full(confetti(MAX_LEDS), 999_999), wire.change(DARK * 5, confetti(MAX_LEDS))])
def test_every_line_is_plain_text_that_ends_in_a_line_feed_and_is_not_too_long(lines: tuple[bytes, ...]) -> None:
    assert max(map(len, lines)) <= wire.MAX_LINE
    assert {line.decode("ascii")[:-1].isprintable() and line.endswith(b"\n") for line in lines} == {True}


def test_the_turn_of_the_next_seat_is_sixty_bytes_at_most() -> None:
    bright, dim = Colour(230, 120, 0), Colour(30, 16, 0)
    pictures = [
        tuple(OFF if n % 15 == 14 else bright if n // 15 == seat else dim for n in range(LEDS)) for seat in range(4)
    ]
    turns = [wire.change(pictures[seat], pictures[(seat + 1) % 4]) for seat in range(4)]
    assert max(len(b"".join(turn)) for turn in turns) <= 60


def test_a_picture_is_cut_or_filled_to_the_number_of_lamps() -> None:
    fitted = [wire.fitted((RED, GREEN, BLUE), leds) for leds in (2, 3, 4)]
    assert fitted == [(RED, GREEN), (RED, GREEN, BLUE), (RED, GREEN, BLUE, OFF)]


def test_the_checksum_of_a_picture_is_the_crc_of_its_bytes() -> None:
    assert wire.checksum((Colour(1, 2, 3), Colour(4, 5, 6))) == crc32(bytes((1, 2, 3, 4, 5, 6)))


@given(st.builds(Colour, *[st.integers(0, 255)] * 3), st.sampled_from(Rhythm))
def test_a_rhythm_is_found_again_in_a_colour_of_which_no_part_differs_by_over_one(colour: Colour, kind: Rhythm) -> None:
    found = lamp(colour, kind)
    assert (rhythm(found), max(abs(a - b) for a, b in zip(colour, found, strict=True)) <= 1) == (kind, True)


def test_bits_that_are_no_rhythm_are_steady() -> None:
    bits = (Colour(0, 1, 1), Colour(1, 0, 1), Colour(1, 1, 0), Colour(1, 1, 1))
    assert {rhythm(colour) for colour in bits} == {Rhythm.STEADY}


@pytest.mark.parametrize(
    ("mounting", "sent"),
    [
        (Mounting(), (RED, GREEN, BLUE, OFF)),
        (Mounting(reversed=True), (OFF, BLUE, GREEN, RED)),
        (Mounting(offset=5), (OFF, RED, GREEN, BLUE)),
        (Mounting(reversed=True, offset=1), (RED, OFF, BLUE, GREEN)),
    ],
)
def test_a_mounting_puts_the_picture_where_the_strip_starts(mounting: Mounting, sent: Pixels) -> None:
    assert mounting.sent((RED, GREEN, BLUE, OFF)) == sent


ANSWERS: list[tuple[Callable[[bytes], object], bytes, object]] = [
    (wire.parse_pixels, b"[16646144,254,66051]\r\n", (RED, BLUE, Colour(1, 2, 3))),
    (wire.parse_pixels, b"[4294836224]", (RED,)),  # white is left out
    (wire.parse_pixels, b'["FE0000", "0000fe"]\n', (RED, BLUE)),
    (wire.parse_pixels, b"[]", ()),
    (wire.is_version, b"WLED 2508020\r", True),
    (wire.is_version, b"LuckyPaw 1\r", True),
    (wire.is_version, b"Answerer 1", False),
    (wire.is_version, b"WLED", False),
    (wire.is_version, b"WLED \xb0", False),
    (wire.build, b"WLED 2605010\r", 2605010),
    (wire.build, b"LuckyPaw 1\r", None),
    (wire.parse_seen, b'{"kit": {"seq": 7, "crc": 305419896}}\r', (7, 305419896)),
    (wire.parse_seen, b'{"error":20,"kit":{"seq":7}}', None),
    (wire.parse_seen, b'{"kit":{"seq":"7","crc":1}}', None),
    (wire.parse_seen, b'{"kit":7}', None),
    (wire.parse_seen, b"LuckyPaw 1", None),
]


@pytest.mark.parametrize(("read", "line", "answer"), ANSWERS)
def test_answers_are_read(read: Callable[[bytes], object], line: bytes, answer: object) -> None:
    assert read(line) == answer


@pytest.mark.parametrize(
    "line", [b"", b"WLED 17", b'{"error":3}', b"[1,", b"[-1]", b"[1.5]", b'["FF00"]', b'["F F0 0"]', b"[[1]]"]
)
def test_a_line_without_pixels_is_refused(line: bytes) -> None:
    with pytest.raises(ValueError, match=r"pixel|hexadecimal"):
        wire.parse_pixels(line)


@settings(max_examples=50)
@given(st.lists(PICTURES, min_size=1, max_size=3))
def test_the_emulated_strip_shows_each_picture_whole(pictures: list[Pixels]) -> None:
    strip = EmulatedStrip(MAX_LEDS, quiet)
    shown = []
    for picture in pictures:
        strip.show(picture + (OFF,) * (MAX_LEDS - len(picture)))
        shown.append(strip.pixels[: len(picture)])
    assert shown == pictures


def test_a_watcher_sees_the_picture_and_each_change(report: Report) -> None:
    strip, seen = EmulatedStrip(2, report), list[Pixels]()
    strip.watch(seen.append)
    for picture in [(RED, RED), (RED, RED), (RED, BLUE)]:
        strip.show(picture)
    assert seen == [(OFF, OFF), (RED, RED), (RED, BLUE)]


def test_an_emulated_strip_is_dark_before_its_first_picture_while_unplugged_and_once_closed(report: Report) -> None:
    strip = EmulatedStrip(2, report)
    seen = [strip.pixels]
    strip.show((RED, RED))
    seen.append(strip.pixels)
    strip.unplug()
    strip.show((RED, BLUE))
    seen.append(strip.pixels)
    strip.replug()
    seen.append(strip.pixels)
    strip.close()
    assert [*seen, strip.pixels] == [(OFF, OFF), (RED, RED), (OFF, OFF), (RED, BLUE), (OFF, OFF)]


def test_unplugging_an_emulated_strip_is_reported_once_each_way(report: Report, reports: Reports) -> None:
    strip = EmulatedStrip(2, report)
    for move in (strip.replug, strip.unplug, strip.unplug, strip.replug, strip.replug):
        move()
    assert reports == [("strip", "strip lost: unplugged"), ("strip", None)]


@pytest.fixture(autouse=True)
def patience(monkeypatch: pytest.MonkeyPatch) -> None:
    """The host waits for a controller that has no processor for a while."""
    monkeypatch.setattr(talk, "VERSIONS", 10_000)
    monkeypatch.setattr(talk, "DEAF_S", PATIENCE_S)
    monkeypatch.setattr(talk.Talk._answer, "__defaults__", (PATIENCE_S,))  # noqa: SLF001
    monkeypatch.setattr(serial, "WRITE_S", PATIENCE_S)


@pytest.fixture
def controller(tmp_path: Path) -> Iterator[Controller]:
    """A controller of 300 lamps, plugged in."""
    controller = Controller(tmp_path, MAX_LEDS)
    controller.plug()
    yield controller
    controller.unplug()


@pytest.fixture
def strip(
    controller: Controller, report: Report, reports: Reports, monkeypatch: pytest.MonkeyPatch
) -> Iterator[SerialStrip]:
    """The real twin on that controller's port, once it has said how many lamps it has."""
    monkeypatch.setattr(talk, "QUIET_S", 0.02)
    strip = SerialStrip(str(controller.port), report)
    assert comes(lambda: bool(reports))
    reports.clear()
    yield strip
    strip.close()


@pytest.fixture
def short_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody here talks by himself, or is asked for ever."""
    monkeypatch.setattr(talk, "QUIET_S", 0.02)
    monkeypatch.setattr(talk, "VERSIONS", 8)
    monkeypatch.setattr(serial, "RETRY_S", (0.02, 0.02))


@pytest.fixture
def fast_line(monkeypatch: pytest.MonkeyPatch) -> None:
    """A line that is never busy: a picture follows the other at once, and soon fills up a line that nobody reads."""
    monkeypatch.setattr(wire, "BAUD", 4_000_000)


class Gate:
    """Writes to a strip's port stand still while it is shut."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.standing, self.open = Event(), Event()
        write = Serial.write

        def stand(port: Serial, data: bytes) -> None:
            self.standing.set()
            self.open.wait()
            write(port, data)

        monkeypatch.setattr(Serial, "write", stand)


def flood(strip: SerialStrip, enough: Callable[[], bool], leds: int = MAX_LEDS) -> int:
    """Show one long picture after the other until it is enough; the number of the last one."""
    for n in count():
        strip.show(confetti(leds, n))
        if enough():
            return n
        time.sleep(0.01)
    raise AssertionError


def settle(controller: Controller, strip: SerialStrip) -> None:
    """Wait until strip and controller have met and a picture has gone the usual way."""
    assert comes(lambda: controller.documents > 0)
    strip.show((GREEN,) * MAX_LEDS)
    assert comes(lambda: controller.pixels()[0] == GREEN)


def lost(port: Path | str, why: str) -> tuple[str, str]:
    return ("strip", f"strip lost: {port} {why}")


@contextmanager
def real(*where: Any, **how: Any) -> Iterator[SerialStrip]:
    """The real twin on some port; closed afterwards."""
    strip = SerialStrip(*where, **how)
    try:
        yield strip
    finally:
        strip.close()


def test_an_error_of_any_kind_is_reported_and_the_port_tried_again(
    controller: Controller, report: Report, reports: list[tuple[str, str | None]]
) -> None:
    ports = iter([RuntimeError("no such bus")])

    def find() -> tuple[str, ...]:
        if (error := next(ports, None)) is not None:
            raise error
        return (str(controller.port),)

    with real(None, report, find=find):
        assert comes(lambda: len(reports) > 1)
    assert reports == [lost("USB", "fails: RuntimeError: no such bus"), ("strip", None)]


def test_pictures_that_come_too_fast_for_the_line_are_left_out(
    controller: Controller, strip: SerialStrip, monkeypatch: pytest.MonkeyPatch
) -> None:
    settle(controller, strip)
    monkeypatch.setattr(talk, "REFRESH_S", 60.0)
    before = controller.documents
    dots = [(OFF,) * n + (RED,) + (OFF,) * (MAX_LEDS - 1 - n) for n in range(200)]
    line_s = min(len(b"".join(wire.change(dots[0], dot))) for dot in dots) * 10 / wire.BAUD
    start_s = time.monotonic()
    for dot in dots:
        strip.show(dot)
        time.sleep(0.001)
    assert comes(lambda: controller.pixels() == dots[-1])
    assert controller.documents - before <= (time.monotonic() - start_s) / line_s + 1


def test_no_picture_is_sent_twice(controller: Controller, strip: SerialStrip, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(talk, "REFRESH_S", 60.0)
    settle(controller, strip)
    before = controller.documents
    strip.show((RED,) * MAX_LEDS)
    assert comes(lambda: controller.pixels()[0] == RED)
    strip.show((RED,) * MAX_LEDS)
    time.sleep(0.1)
    assert controller.documents == before + 1


def test_the_thread_does_not_poll(controller: Controller, report: Report, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(talk, "REFRESH_S", 60.0)
    sleeps_s: list[float] = []

    def wait(watched: list[Any], writing: tuple[()], trouble: tuple[()], seconds: float) -> Any:
        sleeps_s.append(seconds)
        return select(watched, writing, trouble, seconds)

    monkeypatch.setattr(serial, "select", wait)
    strip = SerialStrip(str(controller.port), report)
    settle(controller, strip)
    assert comes(lambda: 50 < sleeps_s[-1] <= 60)  # until the next whole picture
    strip.close()


@pytest.mark.usefixtures("short_waits")
def test_a_port_that_is_missing_is_reported_once_by_its_name(tmp_path: Path, report: Report, reports: Reports) -> None:
    with real(str(tmp_path / "luckypaw-strip"), report):
        assert comes(lambda: bool(reports))
        time.sleep(0.1)
    assert reports == [lost(tmp_path / "luckypaw-strip", "is not there")]


def test_a_port_that_another_program_uses_is_reported(controller: Controller, report: Report, reports: Reports) -> None:
    with Serial(str(controller.port), exclusive=True), real(str(controller.port), report):
        assert comes(lambda: bool(reports))
    assert reports == [lost(controller.port, "is in use by another program")]


def test_no_port_on_usb_is_reported(report: Report, reports: Reports) -> None:
    with real(None, report, find=tuple):
        assert comes(lambda: bool(reports))
    assert reports == [("strip", "strip lost: no controller found on USB")]


def test_only_the_number_of_lamps_is_learned_and_reported(
    controller: Controller, report: Report, reports: Reports
) -> None:
    with real(str(controller.port), report) as strip:
        assert comes(lambda: bool(reports) and controller.documents == 1)
        leds = strip.leds
    assert (leds, reports) == (MAX_LEDS, [("strip", None)])


def test_a_mounted_strip_gets_the_picture_in_the_order_of_its_lamps(controller: Controller, report: Report) -> None:
    mounting = Mounting(reversed=True, offset=2)
    with real(str(controller.port), report, mounting) as strip:
        assert comes(lambda: strip.leds == MAX_LEDS)
        strip.show(confetti(MAX_LEDS))
        assert comes(lambda: controller.pixels() == mounting.sent(confetti(MAX_LEDS)))


@pytest.fixture
def printer(tmp_path: Path) -> Iterator[Path]:
    """Another device, plugged in: it answers the same to everything."""
    with other_device(tmp_path, lambda data: b"echo:Unknown command\r\n") as port:
        yield port


class Looks:
    """How often a port was looked for, and opened."""

    def __init__(self, port: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.looks = self.opened = 0
        self._port, self._open = str(port), serial.open_port
        monkeypatch.setattr(serial, "open_port", self._opens)

    def find(self) -> tuple[str, ...]:
        self.looks += 1
        return (self._port,)

    def _opens(self, place: str, *, raised: bool) -> Serial:
        self.opened += 1
        return self._open(place, raised=raised)


@pytest.mark.usefixtures("short_waits")
def test_another_device_is_named_once_left_alone_and_tried_again_when_something_else_is_plugged_in(
    printer: Path, controller: Controller, report: Report, reports: Reports, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen = Looks(printer, monkeypatch)
    with real(None, report, find=seen.find):
        assert comes(lambda: bool(reports) and seen.looks > 10)
        assert reports == [lost(printer, "is no strip controller: it says 'echo:Unknown command'")]
        assert seen.opened == 1
        printer.unlink()
        printer.symlink_to(controller.port)
        assert comes(lambda: reports[1:] == [("strip", None)])


@pytest.mark.usefixtures("short_waits")
def test_of_two_ports_the_one_with_a_strip_is_found(printer: Path, controller: Controller, report: Report) -> None:
    with real(None, report, find=lambda: (str(printer), str(controller.port))) as strip:
        strip.show((RED,) * MAX_LEDS)
        assert comes(lambda: controller.pixels() == (RED,) * MAX_LEDS)


@pytest.mark.usefixtures("short_waits")
def test_a_board_that_dtr_or_rts_hold_in_reset_is_let_go(
    tmp_path: Path, controller: Controller, report: Report, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(talk, "VERSION_S", 0.05)
    opens, runs = serial.open_port, Path(controller.port)
    with other_device(tmp_path, lambda data: b"") as asleep:
        monkeypatch.setattr(serial, "open_port", lambda place, raised: opens(str(asleep if raised else runs)))
        with real("/dev/ttyUSB0", report) as strip:
            strip.show((RED,) * MAX_LEDS)
            assert comes(lambda: controller.pixels() == (RED,) * MAX_LEDS)
            controller.unplug()
            controller.plug()
            assert comes(lambda: controller.pixels() == (RED,) * MAX_LEDS)


@pytest.mark.parametrize("raised", [True, False])
def test_dtr_and_rts_are_both_up_or_both_down(
    raised: bool, controller: Controller, monkeypatch: pytest.MonkeyPatch
) -> None:
    told = list[tuple[str, bool]]()
    for line in ("dtr", "rts"):
        state = f"_{line}_state"
        monkeypatch.setattr(
            Serial, f"_update{state}", lambda port, line=line, state=state: told.append((line, getattr(port, state)))
        )
    with serial.open_port(str(controller.port), raised=raised):
        assert sorted(told) == [("dtr", raised), ("rts", raised)]


def usb(device: Path | str, vid: int | None, pid: int | None) -> ListPortInfo:
    port = ListPortInfo(str(device))
    port.vid, port.pid = vid, pid
    return port


# as USB names them, by what is written on the chip
CHIPS = {
    "Pico with MicroPython": (0x2E8A, 0x0005),
    "ESP32-S3": (0x303A, 0x1001),
    "CH340": (0x1A86, 0x7523),
    "CH340K": (0x1A86, 0x7522),
    "CH342": (0x1A86, 0x55D2),
    "CH343": (0x1A86, 0x55D3),
    "CH9102": (0x1A86, 0x55D4),
    "CP2102": (0x10C4, 0xEA60),
    "CP2105": (0x10C4, 0xEA70),
    "FT232R": (0x0403, 0x6001),
    "FT2232": (0x0403, 0x6010),
    "FT231X": (0x0403, 0x6015),
    "PL2303": (0x067B, 0x2303),
    "PL2303GC": (0x067B, 0x23A3),
}


@pytest.mark.parametrize("chip", CHIPS.values(), ids=CHIPS)
def test_every_chip_on_boards_for_strips_is_usual(chip: tuple[int, int], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("serial.tools.list_ports.comports", lambda: [usb("/dev/ttyACM1", *chip)])
    assert (ports.candidates(), ports.usual("/dev/ttyACM1")) == (("/dev/ttyACM1",), True)


def test_ports_are_found_by_usb_identity_lasting_name_or_udev(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pico, by_id, named = tmp_path / "ttyACM0", tmp_path / "by-id", tmp_path / "luckypaw-strip"
    plugged = [
        usb("/dev/ttyACM1", 0x1234, 0x0001),
        usb("/dev/ttyUSB0", 0x1A86, 0x7523),
        usb("/dev/ttyS0", None, None),
        usb(pico, 0x2E8A, 0x0005),
    ]
    monkeypatch.setattr("serial.tools.list_ports.comports", lambda: plugged)
    monkeypatch.setattr(ports, "NAMED", named)
    monkeypatch.setattr(ports, "BY_ID", by_id)
    assert ports.candidates() == (str(pico), "/dev/ttyUSB0", "/dev/ttyACM1")
    assert [ports.usual(place) for place in ports.candidates()] == [True, True, False]
    pico.touch()
    by_id.mkdir()
    (by_id / "usb-MicroPython_Board").symlink_to(pico)
    assert ports.candidates() == (str(by_id / "usb-MicroPython_Board"), "/dev/ttyUSB0", "/dev/ttyACM1")
    assert ports.usual(str(by_id / "usb-MicroPython_Board"))
    named.touch()
    assert ports.candidates() == (str(named),)
    assert ports.usual(str(named))


@pytest.mark.usefixtures("short_waits")
@pytest.mark.parametrize("usual", [True, False], ids=["of a usual kind", "anybody's"])
def test_a_device_that_says_nothing_is_asked_again_and_again_only_if_it_may_be_a_strip(
    usual: bool, tmp_path: Path, report: Report, monkeypatch: pytest.MonkeyPatch
) -> None:
    with other_device(tmp_path, lambda data: b"") as port:
        seen = Looks(port, monkeypatch)
        monkeypatch.setattr(serial, "usual", lambda place: usual)
        monkeypatch.setattr(talk, "VERSION_S", 0.01)
        with real(None, report, find=seen.find):
            assert comes(lambda: seen.looks > 3 * serial.UNUSUAL_TRIES)
            assert (seen.opened == serial.UNUSUAL_TRIES) is not usual


def test_a_strip_plugged_in_later_shows_the_newest_picture(controller: Controller, report: Report) -> None:
    controller.unplug()
    with real(str(controller.port), report) as strip:
        strip.show((RED,) * MAX_LEDS)
        strip.show((BLUE,) * MAX_LEDS)
        controller.plug()
        assert comes(lambda: controller.pixels() == (BLUE,) * MAX_LEDS)


@pytest.mark.usefixtures("fast_line")
def test_a_strip_unplugged_in_mid_line_catches_up_later(
    controller: Controller, strip: SerialStrip, reports: Reports, monkeypatch: pytest.MonkeyPatch
) -> None:
    settle(controller, strip)
    under_way: list[bytes] = []
    seen: list[bytes | None] = [None, None]
    write = Serial.write

    def noted(port: Serial, data: bytes) -> None:
        under_way.append(data)
        write(port, data)
        under_way.clear()

    def stands() -> bool:
        seen[:] = seen[1], next(iter(under_way), None)
        return seen[0] is seen[1] is not None

    monkeypatch.setattr(Serial, "write", noted)
    controller.hang()
    latest = flood(strip, stands)  # in the middle of a line
    controller.unplug()
    assert comes(lambda: len(reports) == 1)
    controller.plug()
    assert comes(lambda: controller.pixels() == confetti(MAX_LEDS, latest))
    assert comes(lambda: reports[1:] == [("strip", None)])
    assert reports[0] in (lost(controller.port, "was unplugged"), lost(controller.port, "takes no data"))  # the first


@pytest.mark.parametrize("before", ["half a line of a program that died", "a start that babbles"])
def test_earlier_noise_does_not_spoil_pictures(
    controller: Controller, report: Report, reports: Reports, before: str
) -> None:
    if before == "a start that babbles":
        controller.unplug()
        controller.plug(start_ms=600)
    else:
        with Serial(str(controller.port)) as port:
            port.write(wire.full((GREEN,) * MAX_LEDS, 1)[0][:30])
    with real(str(controller.port), report) as strip:
        strip.show((RED,) * MAX_LEDS)
        assert comes(lambda: controller.pixels() == (RED,) * MAX_LEDS)
    assert reports in ([], [("strip", None)])  # never lost


@pytest.mark.usefixtures("fast_line")
def test_a_hung_controller_is_reported(
    controller: Controller, strip: SerialStrip, reports: Reports, monkeypatch: pytest.MonkeyPatch
) -> None:
    settle(controller, strip)
    controller.hang()
    write = Serial.write

    def impatient(port: Serial, data: bytes) -> None:
        port.write_timeout = 0.5
        write(port, data)

    monkeypatch.setattr(Serial, "write", impatient)
    flood(strip, lambda: bool(reports))
    assert reports == [lost(controller.port, "takes no data")]


def test_nobody_waits_while_a_write_stands_still(
    controller: Controller, strip: SerialStrip, monkeypatch: pytest.MonkeyPatch
) -> None:
    settle(controller, strip)
    gate = Gate(monkeypatch)
    latest = flood(strip, gate.standing.is_set) + 1
    strip.show(confetti(MAX_LEDS, latest))  # returns
    gate.open.set()
    assert comes(lambda: controller.pixels() == confetti(MAX_LEDS, latest))


def test_closing_does_not_wait_for_a_write_that_stands_still(
    controller: Controller, strip: SerialStrip, monkeypatch: pytest.MonkeyPatch
) -> None:
    settle(controller, strip)
    gate = Gate(monkeypatch)
    flood(strip, gate.standing.is_set)
    strip.close()  # returns
    gate.open.set()
    assert comes(lambda: "strip" not in {thread.name for thread in threading.enumerate()})


def test_after_a_storm_with_pulled_plugs_the_picture_is_back(tmp_path: Path, report: Report) -> None:
    stormy = StormyPort(tmp_path, LEDS)
    with stormy.raging() as port:
        strip = SerialStrip(port, report)
        latest = flood(strip, lambda: stormy.plugs > 8, LEDS)
        stormy.calm_down()
        assert comes(lambda: stormy.pixels == confetti(LEDS, latest))
        strip.close()


def test_a_closed_strip_leaves_no_file_open(controller: Controller, report: Report) -> None:
    before = len(list(Path("/proc/self/fd").iterdir()))
    SerialStrip(str(controller.port), report).close()
    assert len(list(Path("/proc/self/fd").iterdir())) == before


def test_a_closed_strip_is_dark_and_still_takes_pictures(controller: Controller, strip: SerialStrip) -> None:
    strip.show((RED,) * MAX_LEDS)
    assert comes(lambda: controller.pixels()[0] == RED)
    strip.close()
    strip.show((RED,) * MAX_LEDS)
    strip.close()
    assert comes(lambda: controller.pixels() == (OFF,) * MAX_LEDS)
