"""The stand-in for a WLED does what WLED does, and takes every picture that the kit sends."""

import json
from random import Random

import pytest

from hardware.strip import OFF, Colour, Pixels, Rhythm, lamp, wire
from tests.simulators.wled import BYTE_S, EFFECT, START_S, WAITING_BYTES, Wled

RED, GREEN, BLUE = Colour(255, 0, 0), Colour(0, 255, 0), Colour(0, 0, 255)
UP_S = START_S + 0.001
LATER_S = 1.0  # after the latest byte: everything has been read, every time-out is over
LEDS = 4


@pytest.fixture
def wled() -> Wled:
    """A WLED of four lamps that is up and has said what it says then."""
    up = Wled(LEDS)
    up.tick(UP_S)
    return up


def said(wled: Wled, *data: bytes) -> bytes:
    """All that it says to this, each piece a moment after the one before."""
    answers, now_s = b"", UP_S
    for piece in data:
        answers += wled.hear(now_s, piece)
        now_s += len(piece) * BYTE_S + 0.01
    return answers + wled.tick(now_s + LATER_S)


def painted(wled: Wled, items: str) -> Pixels:
    """Its pixels after one document with these ranges."""
    said(wled, f'{{"seg":{{"i":[{items}]}}}}\n'.encode())
    return wled.pixels


# --- power -----------------------------------------------------------------------------------------------------------


def test_it_babbles_at_power_up() -> None:
    assert Wled(LEDS).tick(0.0).endswith(b"Ada\r\n")


def test_it_hears_nothing_before_it_is_up() -> None:
    wled = Wled(LEDS)
    wled.tick(0.0)
    assert (wled.hear(START_S / 2, b"v"), wled.tick(UP_S)) == (b"", b"")


def test_power_up_ends_what_was_painted(wled: Wled) -> None:
    painted(wled, '0,4,"FF0000"')
    wled.start(10.0)
    assert wled.pixels == (EFFECT,) * LEDS


# --- commands of one byte --------------------------------------------------------------------------------------------


VERSION = b"WLED 2508020\r\n"
PAINT = b'{"seg":{"i":[0,"FF0000",2,"010203"]}}\n'


@pytest.mark.parametrize(
    ("data", "answer"),
    [
        pytest.param([b"v"], VERSION, id="its version"),
        pytest.param([PAINT, b"l"], b"[16711680,0,66051,0]\r\n", id="its pixels"),
        pytest.param([PAINT, b"L"], b"\xc9\xda\x00\x0c\xff\0\0\0\0\0\1\2\3\0\0\x006\n", id="its pixels as a frame"),
        pytest.param([b"\xc9\xaa"], b"\xac", id="a ping of another protocol"),
        pytest.param([b"\xc9\xda\x00\x03vvvv"], VERSION, id="a frame of another protocol is no command"),
        pytest.param([b"Ada\x00\x01\x54vvvvvvv"], VERSION, id="an Adalight frame is no command"),
        pytest.param([b"IMPROV\x01\x03\x01vvv"], VERSION, id="an Improv packet is no command"),
        pytest.param([b"\xb0", b"v"], VERSION, id="its own baud rate changes nothing"),
        pytest.param([b'{"on":true,"bri":255}\n'], b"", id="nothing to a document"),
    ],
)
def test_what_it_says(wled: Wled, data: list[bytes], answer: bytes) -> None:
    assert said(wled, *data) == answer


def test_another_baud_rate_makes_it_deaf(wled: Wled) -> None:
    assert (said(wled, b"\xb3", b"v"), wled.faults) == (b"", ["changes the baud rate: '³'"])


def test_it_hears_again_after_power_up(wled: Wled) -> None:
    said(wled, b"\xb3")
    wled.start(10.0)
    wled.tick(10.0 + UP_S)
    assert wled.hear(10.0 + UP_S, b"v") == VERSION


# --- documents -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("items", "pixels"),
    [
        pytest.param('0,2,"FF0000",2,4,"0000FF"', (RED, RED, BLUE, BLUE), id="ranges"),
        pytest.param('1,"FF0000"', (OFF, RED, OFF, OFF), id="a single lamp; what was there before is cleared"),
        pytest.param('"FF0000","00FF00"', (RED, GREEN, OFF, OFF), id="colours in a row from the start"),
        pytest.param('1,"FF0000","00FF00"', (OFF, RED, GREEN, OFF), id="colours in a row go on"),
        pytest.param('0,2,"FF0000","00FF00"', (RED, RED, GREEN, OFF), id="colours go on after a range"),
        pytest.param('0,4,"010203FF"', (Colour(1, 2, 3),) * 4, id="with white"),
        pytest.param("0,2,[1,2,3],[4,5,6,7]", (Colour(1, 2, 3),) * 2 + (Colour(4, 5, 6), OFF), id="lists"),
    ],
)
def test_a_document_paints_lamps(wled: Wled, items: str, pixels: Pixels) -> None:
    assert (painted(wled, items), wled.faults) == (pixels, [])


def test_a_second_document_adds_to_what_is_there(wled: Wled) -> None:
    painted(wled, '0,4,"FF0000"')
    assert painted(wled, '1,"00FF00"') == (RED, GREEN, RED, RED)


def test_brightness_dims_the_light_and_not_the_pixels(wled: Wled) -> None:
    said(wled, b'{"bri":128,"seg":{"i":[0,4,"FF0000"]}}\n')
    assert (wled.pixels[0], wled.lamps[0]) == (RED, Colour(128, 0, 0))


@pytest.mark.parametrize(
    ("data", "lamps", "faults"),
    [
        pytest.param([b'{"on":false}\n'], OFF, [], id="switched off it is dark"),
        pytest.param(
            [b'{"bri":255,"seg":{"i":[0,4,"FF0000"]}}\n', b'{"seg":{"frz":false}}\n'],
            EFFECT,
            [],
            id="frozen lamps can be given back to the effect",
        ),
        pytest.param(
            [b'{"on":false,"bri":255}\n', b'{"on":true,"seg":{"i":[0,4,"FF0000"]}}\n'],
            EFFECT,
            ["switched on and painted at once"],
            id="switched on and painted in one document it shows its effect",
        ),
        pytest.param(
            [b'{"bri":255,"kit":{"seq":7},"seg":{"i":[0,4,"FF0000"]},"tt":0}\n'],
            RED,
            [],
            id="keys that it does not know are passed over",
        ),
        pytest.param(
            [b'{ "a" : [ ] , "b":[1, -2.5e3,null,[true,{}]],"c":"\\"}{", "d":{}, "on" :false }\n'],
            OFF,
            [],
            id="any JSON is understood",
        ),
    ],
)
def test_what_a_document_does(wled: Wled, data: list[bytes], lamps: Colour, faults: list[str]) -> None:
    said(wled, *data)
    assert (wled.lamps, wled.faults) == ((lamps,) * LEDS, faults)


def test_asked_for_everything_it_says_how_many_lamps_it_has(wled: Wled) -> None:
    assert json.loads(said(wled, b'{"v":true}\n'))["info"]["leds"]["count"] == LEDS


def test_everything_takes_its_time_on_the_line(wled: Wled) -> None:
    wled.hear(UP_S, b'{"v":true}\n')
    assert [wled.hear(UP_S + after_s, b"v") for after_s in (0.13, 0.25)] == [b"", VERSION * 2]


def test_the_byte_after_a_document_is_thrown_away(wled: Wled) -> None:
    said(wled, b'{"bri":1}{"bri":2}\n')
    assert wled.brightness == 1


def test_a_line_feed_may_come_late(wled: Wled) -> None:
    assert (said(wled, b'{"bri":1}', b'\n{"bri":2}\n'), wled.brightness, wled.faults) == (b"", 2, [])


def test_busy_it_says_so_and_takes_the_document_later(wled: Wled) -> None:
    wled.busy = True
    busy = wled.hear(UP_S, b'{"bri":1}\n')
    wled.busy = False
    wled.tick(UP_S + 1.0)
    assert (busy, wled.brightness, wled.faults) == (b'{"error":3}\r\n', 1, [])


# --- what it does not understand -------------------------------------------------------------------------------------

NO_LINE_FEED = """no line feed after a document: b'{"bri":1}'"""
WRONG = [
    pytest.param([b'{"bri":1,}\n'], ["""'}' in a document: b'{"bri":1,}'"""], id="a broken document"),
    pytest.param([b'{"on":tru}\n'], ["""'tru}' in a document: b'{"on":tru}'"""], id="a broken word"),
    pytest.param([b'{"v":1', b"2"], ["""a gap in a document: b'{"v":12'"""], id="half a document"),
    pytest.param([b"{" * 2], ["""'{' in a document: b'{{'"""], id="a brace too many"),
    pytest.param([b'{"bri":1}v'], [NO_LINE_FEED], id="no line feed"),
    pytest.param([b'{"bri":1}'], [NO_LINE_FEED], id="no line feed at the end"),
    pytest.param([b'{"bri":1}', b"v"], [NO_LINE_FEED], id="no line feed but v"),
    pytest.param([b"x"], ["no command: 'x'"], id="an unknown command"),
    pytest.param([b"\xfc"], ["no command: 'ü'"], id="a byte that is no ASCII"),
    pytest.param([b'{"n":"\xfc"}\n'], ["""not plain ASCII: b'{"n":"\\xfc"}'"""], id="a document that is no ASCII"),
    pytest.param([b'{"n":"' + b"-" * 247 + b'"}\n'], ["a line of 256 bytes"], id="a line that is too long"),
    pytest.param([b'{"bri":256}\n'], ["no brightness: 256"], id="a wrong brightness"),
    pytest.param([b'{"on":1}\n'], ["neither on nor off: 1"], id="a wrong switch"),
    pytest.param([b'{"seg":{"id":1}}\n'], ["no such segment: {'id': 1}"], id="a segment that is not there"),
    pytest.param([b'{"seg":{"i":[0,4]}}\n'], ["numbers without a colour: 0"], id="no colour"),
    pytest.param([b'{"seg":{"i":[0,"FF00"]}}\n'], ["no colour: 'FF00'"], id="a short colour"),
    pytest.param([b'{"seg":{"i":[0,[256,0,0]]}}\n'], ["no colour: [256, 0, 0]"], id="a wrong list"),
    pytest.param([b'{"seg":{"i":[3,5,"FF0000"]}}\n'], ["past the last lamp: 3,5"], id="a range too long"),
    pytest.param([b'{"seg":{"i":[2,1,"FF0000"]}}\n'], ["a range that ends before it starts: 2,1"], id="a range turned"),
    pytest.param([b'{"seg":{"i":[0,1,2,"FF0000"]}}\n'], ["a third number in a row: 2"], id="three numbers"),
]


@pytest.mark.parametrize(("data", "faults"), WRONG)
def test_what_it_does_not_understand_is_a_fault(wled: Wled, data: list[bytes], faults: list[str]) -> None:
    said(wled, *data)
    assert wled.faults == faults


def test_a_gap_ends_a_document_and_the_rest_is_commands(wled: Wled) -> None:
    wled.hear(UP_S, b'{"on":fa')
    assert wled.hear(UP_S + 0.2, b"lse}\n") == b"[16752640,16752640,16752640,16752640]\r\n"


def test_a_shorter_pause_does_no_harm(wled: Wled) -> None:
    wled.hear(UP_S, b'{"on":fa')
    wled.hear(UP_S + 0.09, b"lse}\n")
    assert (wled.on, wled.faults) == (False, [])


def test_a_command_in_the_rest_of_a_broken_document_is_a_fault(wled: Wled) -> None:
    said(wled, b'{"bri":1,,"v":true}\n')
    assert wled.faults[1:] == ["read as a command: 'v'"]


def test_it_understands_the_line_after_a_broken_one(wled: Wled) -> None:
    said(wled, b'{"bri":1,,"v":true}\n', b'{"bri":3}\n')
    assert wled.brightness == 3


def test_a_document_that_needs_too_much_memory_is_given_up(wled: Wled) -> None:
    said(wled, b'{"bri":1,"i":[' + b"1," * 700 + b"1]}\n")
    assert (wled.brightness, wled.faults[0][:8]) == (128, "too much")


def test_a_document_that_is_too_deep_is_given_up(wled: Wled) -> None:
    said(wled, b'{"a":' * 11)
    assert wled.faults[0][:8] == "too deep"


def test_what_comes_while_it_talks_waits_up_to_256_bytes(wled: Wled) -> None:
    wled.hear(UP_S, b'{"v":true}\n')
    wled.hear(UP_S + 0.02, b"\n" * (WAITING_BYTES - 1))  # and the line feed of the document
    assert (said(wled).count(b"info"), wled.faults) == (0, [])


def test_what_comes_beyond_that_is_lost(wled: Wled) -> None:
    wled.hear(UP_S, b'{"v":true}\n')
    wled.hear(UP_S + 0.02, b"\n" * WAITING_BYTES + b"vv")
    wled.tick(UP_S + LATER_S)
    assert wled.faults == ["lost: \nvv"]


# --- the kit ---------------------------------------------------------------------------------------------------------


def sent(pixels: Pixels) -> tuple[bytes, ...]:
    """The lines of a whole picture."""
    return wire.full(pixels, 7)


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
        for line in sent(picture):
            wled.hear(now_s, line)
        now_s += 0.4
        wled.tick(now_s)
        shown.append(wled.lamps)
    assert (wled.faults, shown) == ([], pictures)


def test_pictures_are_taken_one_straight_after_the_other() -> None:
    dice, wled = Random(1), Wled(300)
    pictures = [confetti(300, dice) for _ in range(6)]
    wled.hear(UP_S, b"".join(line for picture in pictures for line in sent(picture)))
    wled.tick(UP_S + 10.0)
    assert (wled.faults, wled.lamps) == ([], pictures[-1])


def test_questions_may_come_between_the_lines_of_a_picture() -> None:
    dice, wled = Random(2), Wled(30)
    wled.tick(UP_S)
    picture = confetti(30, dice)
    heard = b"".join(wled.hear(UP_S, line + wire.VERSION) for line in sent(picture))
    heard += wled.tick(UP_S + LATER_S)
    assert (heard, wled.faults) == (VERSION * len(sent(picture)), [])
