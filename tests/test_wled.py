"""The stand-in for a WLED does what WLED does, and takes every picture that the kit sends."""

import json
from random import Random
from typing import TypeAlias

import pytest

from hardware.parts.strip import OFF, Colour, Pixels, Rhythm, lamp, wire
from tests.simulators.wled import BYTE_S, EFFECT, START_S, WAITING_BYTES, Wled

RED, GREEN, BLUE = Colour(255, 0, 0), Colour(0, 255, 0), Colour(0, 0, 255)
UP_S = START_S + 0.001
LATER_S = 1.0  # after the latest byte: everything has been read, every time-out is over
LEDS = 4
Steps: TypeAlias = list[bytes | float]  # pieces to send, and seconds to wait


@pytest.fixture
def wled() -> Wled:
    """A WLED of four lamps that is up and has sent what it sends then."""
    up = Wled(LEDS)
    up.tick(UP_S)
    return up


def answer(wled: Wled, steps: Steps) -> bytes:
    """All that it sends: each piece comes a moment after the one before; numbers are seconds without a byte."""
    sent, now_s = b"", UP_S
    for step in steps:
        if not isinstance(step, bytes):
            now_s += step
        else:
            sent += wled.hear(now_s, step)
            now_s += len(step) * BYTE_S + 0.01
    return sent + wled.tick(now_s + LATER_S)


def test_it_babbles_at_power_up() -> None:
    assert Wled(LEDS).tick(0.0).endswith(b"Ada\r\n")


def test_it_hears_nothing_before_it_is_up() -> None:
    wled = Wled(LEDS)
    wled.tick(0.0)
    assert (wled.hear(START_S / 2, b"v"), wled.tick(UP_S)) == (b"", b"")


def test_power_up_ends_what_was_painted_and_another_baud_rate(wled: Wled) -> None:
    answer(wled, [PAINT, b"\xb3"])
    wled.start(10.0)
    wled.tick(10.0 + UP_S)
    heard = wled.hear(10.0 + UP_S, b"v") + wled.tick(10.0 + UP_S + LATER_S)
    assert (wled.pixels, heard) == ((EFFECT,) * LEDS, VERSION)


VERSION = b"WLED 2605010\r\n"
PAINT = b'{"seg":{"i":[0,"FF0000",2,"010203"]}}\n'
ALL_RED = b'{"bri":255,"seg":{"i":[0,4,"FF0000"]}}\n'
ANSWERS: dict[str, tuple[Steps, bytes]] = {
    "its version": ([b"v"], VERSION),
    "its pixels": ([PAINT, b"l"], b"[16711680,0,66051,0]\r\n"),
    "its pixels as a frame": ([PAINT, b"L"], b"\xc9\xda\x00\x0c\xff\0\0\0\0\0\1\2\3\0\0\x006\n"),
    "a ping of another protocol": ([b"\xc9\xaa"], b"\xac"),
    "a frame of another protocol is no command": ([b"\xc9\xda\x00\x03vvvv"], VERSION),
    "an Adalight frame is no command": ([b"Ada\x00\x01\x54vvvvvvv"], VERSION),
    "an Improv packet is no command": ([b"IMPROV\x01\x03\x01vvv"], VERSION),
    "its own baud rate changes nothing": ([b"\xb0", b"v"], VERSION),
    "nothing to a document": ([b'{"on":true,"bri":255}\n'], b""),
    "a gap ends a document, and the rest is commands": (
        [b'{"on":fa', 0.2, b"lse}\n"],
        b"[%s]\r\n" % b",".join([b"16752640"] * 4),
    ),
}
PAINTED: dict[str, tuple[str, Pixels]] = {
    "ranges": ('0,2,"FF0000",2,4,"0000FF"', (RED, RED, BLUE, BLUE)),
    "a single lamp; what was there before is cleared": ('1,"FF0000"', (OFF, RED, OFF, OFF)),
    "colours in a row from the start": ('"FF0000","00FF00"', (RED, GREEN, OFF, OFF)),
    "colours in a row go on": ('1,"FF0000","00FF00"', (OFF, RED, GREEN, OFF)),
    "colours go on after a range": ('0,2,"FF0000","00FF00"', (RED, RED, GREEN, OFF)),
    "with white": ('0,4,"010203FF"', (Colour(1, 2, 3),) * 4),
    "lists": ("0,2,[1,2,3],[4,5,6,7]", (Colour(1, 2, 3), Colour(1, 2, 3), Colour(4, 5, 6), OFF)),
    "a second document adds to what is there": ('0,4,"FF0000"]}}\n{"seg":{"i":[1,"00FF00"', (RED, GREEN, RED, RED)),
}
LAMPS: dict[str, tuple[Steps, Colour]] = {
    "switched off it is dark": ([b'{"on":false}\n'], OFF),
    "brightness dims the light": ([ALL_RED, b'{"bri":128}\n'], Colour(128, 0, 0)),
    "frozen lamps can be given back to the effect": ([ALL_RED, b'{"seg":{"frz":false}}\n'], EFFECT),
    "unknown keys are passed over": ([ALL_RED.replace(b"{", b'{"kit":{"seq":7},"tt":0,', 1)], RED),
    "any JSON is understood": (
        [b'{ "a" : [ ] , "b":[1, -2.5e3,null,[true,{}]],"c":"\\"}{", "d":{}, "on" :false }\n'],
        OFF,
    ),
    "a shorter pause does no harm": ([b'{"on":fa', 0.08, b"lse}\n"], OFF),
}
NO_LINE_FEED = """no line feed after a document: b'{"bri":1}'"""
FAULTS: dict[str, tuple[Steps, list[str]]] = {
    "a broken document": ([b'{"bri":1,}\n'], ["""'}' in a document: b'{"bri":1,}'"""]),
    "a broken word": ([b'{"on":tru}\n'], ["""'}' in a document: b'{"on":tru}'"""]),
    "half a document": ([b'{"v":1', b"2"], ["""a gap in a document: b'{"v":12'"""]),
    "a brace too many": ([b"{" * 2], ["""'{' in a document: b'{{'"""]),
    "a document that is too deep": ([b'{"a":' * 11], ["too deep in a document: b'" + '{"a":' * 10 + "{'"]),
    "no line feed": ([b'{"bri":1}v'], [NO_LINE_FEED]),
    "no line feed at the end": ([b'{"bri":1}'], [NO_LINE_FEED]),
    "no line feed but v": ([b'{"bri":1}', b"v"], [NO_LINE_FEED]),
    "an unknown command": ([b"x"], ["no command: 'x'"]),
    "a byte that is no ASCII": ([b"\xfc"], ["no command: 'ü'"]),
    "another baud rate makes it deaf": ([b"\xb3", b"v"], ["changes the baud rate: '³'"]),
    "a document that is no ASCII": ([b'{"n":"\xfc"}\n'], ["""not plain ASCII: b'{"n":"\\xfc"}'"""]),
    "a line that is too long": ([b'{"n":"' + b"-" * 247 + b'"}\n'], ["a line of 256 bytes"]),
    "a wrong brightness": ([b'{"bri":256}\n'], ["no brightness: 256"]),
    "a wrong switch": ([b'{"on":1}\n'], ["neither on nor off: 1"]),
    "a segment that is not there": ([b'{"seg":{"id":1}}\n'], ["no such segment: {'id': 1}"]),
    "no colour": ([b'{"seg":{"i":[0,4]}}\n'], ["numbers without a colour: 0"]),
    "a short colour": ([b'{"seg":{"i":[0,"FF00"]}}\n'], ["no colour: 'FF00'"]),
    "a wrong list": ([b'{"seg":{"i":[0,[256,0,0]]}}\n'], ["no colour: [256, 0, 0]"]),
    "a range too long": ([b'{"seg":{"i":[3,5,"FF0000"]}}\n'], ["past the last lamp: 3,5"]),
    "a range turned": ([b'{"seg":{"i":[2,1,"FF0000"]}}\n'], ["a range that ends before it starts: 2,1"]),
    "three numbers": ([b'{"seg":{"i":[0,1,2,"FF0000"]}}\n'], ["a third number in a row: 2"]),
    "a command in the rest": (
        [b'{"a":1,,"v":true}\n'],
        ["""',' in a document: b'{"a":1,,'""", "read as a command: 'v'"],
    ),
    "switched on and painted in one document": (
        [b'{"on":false}\n', b'{"on":true,"seg":{"i":[0,"FF0000"]}}\n'],
        ["switched on and painted at once"],
    ),
}
LINE_FEED_LATE: Steps = [b'{"bri":1}', b'\n{"bri":2}\n']
BRIGHTNESS: dict[str, tuple[Steps, int]] = {
    "the byte after a document is thrown away": ([b'{"bri":1}{"bri":2}\n'], 1),
    "a line feed may come late": (LINE_FEED_LATE, 2),
    "the line after a broken one is understood": ([b'{"bri":1,,"v":true}\n', b'{"bri":3}\n'], 3),
    "a document that needs too much memory is given up": ([b'{"bri":1,"i":[' + b"1," * 700 + b"1]}\n"], 128),
}


@pytest.mark.parametrize(("steps", "expected"), ANSWERS.values(), ids=ANSWERS)
def test_what_it_answers(wled: Wled, steps: Steps, expected: bytes) -> None:
    assert answer(wled, steps) == expected


@pytest.mark.parametrize(("items", "pixels"), PAINTED.values(), ids=PAINTED)
def test_a_document_paints_lamps(wled: Wled, items: str, pixels: Pixels) -> None:
    answer(wled, [f'{{"seg":{{"i":[{items}]}}}}\n'.encode()])
    assert (wled.pixels, wled.faults) == (pixels, [])


@pytest.mark.parametrize(("steps", "light"), LAMPS.values(), ids=LAMPS)
def test_what_light_comes_of_a_document(wled: Wled, steps: Steps, light: Colour) -> None:
    answer(wled, steps)
    assert (wled.lamps, wled.faults) == ((light,) * LEDS, [])


@pytest.mark.parametrize(("steps", "faults"), FAULTS.values(), ids=FAULTS)
def test_what_it_does_not_understand_is_a_fault(wled: Wled, steps: Steps, faults: list[str]) -> None:
    answer(wled, steps)
    assert wled.faults == faults


@pytest.mark.parametrize(("steps", "brightness"), BRIGHTNESS.values(), ids=BRIGHTNESS)
def test_which_document_counts(wled: Wled, steps: Steps, brightness: int) -> None:
    answer(wled, steps)
    assert wled.brightness == brightness


def test_a_line_feed_that_comes_late_is_no_fault(wled: Wled) -> None:
    assert (answer(wled, LINE_FEED_LATE), wled.faults) == (b"", [])


def test_brightness_does_not_change_the_pixels(wled: Wled) -> None:
    answer(wled, [ALL_RED, b'{"bri":128}\n'])
    assert wled.pixels == (RED,) * LEDS


def test_painted_as_it_is_switched_on_it_shows_its_effect(wled: Wled) -> None:
    answer(wled, [b'{"on":false,"bri":255}\n', b'{"on":true,"seg":{"i":[0,4,"FF0000"]}}\n'])
    assert wled.lamps == (EFFECT,) * LEDS


def test_asked_for_everything_it_says_how_many_lamps_it_has(wled: Wled) -> None:
    assert json.loads(answer(wled, [b'{"v":true}\n']))["info"]["leds"]["count"] == LEDS


def test_everything_takes_its_time_on_the_line(wled: Wled) -> None:
    wled.hear(UP_S, b'{"v":true}\n')
    assert [wled.tick(UP_S + after_s).endswith(b"}\r\n") for after_s in (0.14, 0.15)] == [False, True]


def test_busy_it_says_so_and_takes_the_document_later(wled: Wled) -> None:
    wled.busy = True
    busy = wled.hear(UP_S, b'{"bri":1}\n') + wled.tick(UP_S + 0.1)
    wled.busy = False
    wled.tick(UP_S + 1.0)
    assert (busy, wled.brightness, wled.faults) == (b'{"error":3}\r\n', 1, [])


@pytest.mark.parametrize(
    ("data", "faults"), [(b"\n" * (WAITING_BYTES - 1), []), (b"\n" * WAITING_BYTES + b"vv", ["lost: \nvv"])]
)
def test_what_comes_while_it_talks_waits_up_to_256_bytes(wled: Wled, data: bytes, faults: list[str]) -> None:
    wled.hear(UP_S, b'{"v":true}\n')  # its line feed waits as well
    wled.hear(UP_S + 0.02, data)
    wled.tick(UP_S + LATER_S)
    assert wled.faults == faults


def confetti(leds: int, dice: Random) -> Pixels:
    """A picture of any kind: few colours in long runs, or as many as lamps, with every rhythm."""
    spread = dice.choice((1, 2, 5, 40))
    drawn: list[Colour] = []
    while len(drawn) < leds:
        colour = Colour(*dice.choices(range(256), k=3)) if dice.random() < 0.9 else OFF
        drawn += [lamp(colour, dice.choice(list(Rhythm)))] * dice.randint(1, spread)
    return tuple(drawn[:leds])


@pytest.mark.parametrize("leds", [8, 9, 31, 60, 99, 144, 256, 300])
def test_every_picture_is_taken_as_it_is(leds: int) -> None:
    dice, wled, now_s = Random(leds), Wled(leds), UP_S
    shown = []
    pictures = [confetti(leds, dice) for _ in range(12)]
    for picture in pictures:
        for line in wire.full(picture, 7):
            wled.hear(now_s, line)
        now_s += 0.4
        wled.tick(now_s)
        shown.append(wled.lamps)
    assert (wled.faults, shown) == ([], pictures)


def test_pictures_are_taken_one_straight_after_the_other() -> None:
    dice, wled = Random(1), Wled(300)
    pictures = [confetti(300, dice) for _ in range(6)]
    wled.hear(UP_S, b"".join(line for picture in pictures for line in wire.full(picture, 7)))
    wled.tick(UP_S + 10.0)
    assert (wled.faults, wled.lamps) == ([], pictures[-1])


def test_questions_may_come_between_the_lines_of_a_picture() -> None:
    dice, wled = Random(2), Wled(30)
    wled.tick(UP_S)
    picture = confetti(30, dice)
    heard = b"".join(wled.hear(UP_S, line + wire.VERSION) for line in wire.full(picture, 7))
    heard += wled.tick(UP_S + LATER_S)
    assert (heard, wled.faults) == (VERSION * len(wire.full(picture, 7)), [])
