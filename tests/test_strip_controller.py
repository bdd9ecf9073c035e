"""The strip's controller: its own files in a real MicroPython. What must hold is docs/protocol.md, its last chapter."""

import json
import os
import random
import shutil
import signal
import subprocess
import zlib
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import NamedTuple

import pytest

from hardware.parts.strip import OFF, Colour, Pixels, Rhythm, lamp
from tests.simulators.controller import PLENTY_MA, PROGRAM, Board, environment, micropython
from tests.simulators.waiting import comes

pytestmark = pytest.mark.slow

LEDS = 12
RED, GREEN, BLUE = Colour(254, 0, 0), Colour(0, 254, 0), Colour(0, 0, 254)  # steady: their lowest bits are 0
WHITE = Colour(254, 254, 254)
ALL_RED: Pixels = (RED,) * LEDS
DARK: Pixels = (OFF,) * LEDS
AMBER = Colour(24, 12, 1)

StartBoard = Callable[..., Board]
Steps = list[bytes | int]  # lines to send, and ms to wait


def answer(seq: int, pixels: Pixels) -> bytes:
    """What the controller says to a number while it has these pixels."""
    crc = zlib.crc32(bytes(part for pixel in pixels for part in pixel))
    return b'{"kit":{"seq":%d,"crc":%d}}' % (seq, crc)


def change(pixels: Pixels, start: int = 0, rest: str = "") -> bytes:
    """A line that names these lamps one by one; `rest` follows the segment."""
    items = ",".join(f'{n},"{bytes(pixel).hex()}"' for n, pixel in enumerate(pixels, start))
    return f'{{"seg":{{"id":0,"i":[{items}]}}{rest}}}\n'.encode()


def in_kit(*pixels: Colour) -> bytes:
    """A change by the kit, so that rhythms are obeyed."""
    return change(pixels, rest=',"kit":{}')


def paint(items: str, more: str = "") -> bytes:
    """A line with these ranges, after `more`."""
    return f'{{{more}"seg":{{"i":[{items}]}}}}\n'.encode()


def lit(*pixels: Colour) -> Pixels:
    """These lamps are on, those after them off."""
    return (*pixels, *DARK[len(pixels) :])


def pixels_said(number: int, leds: int = LEDS) -> list[bytes]:
    """The answer to `l` while all lamps have one colour."""
    return [b"[" + b",".join([b"%d" % number] * leds) + b"]"]


def after(board: Board, *steps: bytes | int) -> Board:
    """Do these steps."""
    for step in steps:
        if isinstance(step, bytes):
            board.send(step)
        else:
            board.wait(step)
    return board


def lamps(board: Board) -> Pixels:
    """What the lamps of a WS2812 show now."""
    return tuple(Colour(red, green, blue) for green, red, blue in zip(*[iter(board.frames[-1].data)] * 3, strict=True))


def lights(board: Board, times_ms: list[int], place: int = 0) -> list[int]:
    """The red of one lamp at these times, counted from now."""
    start_ms, found = board.now_ms, []
    for at_ms in times_ms:
        board.wait(start_ms + at_ms - board.now_ms)
        found.append(lamps(board)[place].red)
    return found


def frame_times(board: Board, wait_ms: int) -> list[int]:
    """When frames go to the lamps meanwhile, counted from now."""
    start_ms, before = board.now_ms, len(board.frames)
    board.wait(wait_ms)
    return [frame.at_ms - start_ms for frame in board.frames[before:]]


def current_ma(data: bytes, leds: int) -> float:
    """What lamps draw that show this frame."""
    return leds * 1 + sum(data) * 20 / 255


@pytest.fixture
def start(tmp_path: Path) -> Iterator[StartBoard]:
    """Start a board of 12 lamps, or with other settings; as often as wished, each in a folder of its own."""
    with ExitStack() as boards:

        def started(**settings: object) -> Board:
            folder = tmp_path / f"board{len(list(tmp_path.iterdir()))}"
            folder.mkdir()
            text = json.dumps({"leds": LEDS, "max_mA": PLENTY_MA, **settings})
            return boards.enter_context(Board(folder, text))

        yield started


@pytest.fixture
def board(start: StartBoard) -> Board:
    """A board of 12 lamps that waits for its first picture."""
    return start()


@pytest.fixture
def dark(board: Board) -> Board:
    """A board of 12 lamps that shows a dark picture, and stands."""
    return after(board, change(DARK), 500)


FULL = b'{"on":true,"bri":255,"seg":{"id":0,"i":[0,14,"1E1000",15,29,"E67800",29,60,"000000"]},"kit":{"seq":7}}\n'
PIECES: Pixels = (*(Colour(30, 16, 0),) * 14, OFF, *(Colour(230, 120, 0),) * 14, *(OFF,) * 31)
UNKNOWN = b'{"tt":[0.5,-1e3,{"a":null}],"seg":{"fx":"\\u00e9","i":[0,12,"FE0000"]},"kit":{"seq":1,"to":[]}}\n'
NOISE_AND_V = bytes(byte for byte in range(256) if byte not in b"{vl") + b"v"
LONG = (b'{"kit":{"seq":1},"a":"' + b"x" * 1000)[: 1024 - 3] + b'"}\n'
BREATH = lamp(RED, Rhythm.BREATHE)
FLASH = in_kit(lamp(RED, Rhythm.FLASH))

STATE = b'{"state":{"on":true,"bri":255}'
INFO = b',"info":{"ver":"1","name":"Lucky Paw","leds":{"count":12}}}'

ANSWERS = {
    "it says who it is": (b"v", [b"LuckyPaw 1"]),
    "commands need no line feed": (b"vvv", [b"LuckyPaw 1"] * 3),
    "letters within a document are no commands": (b'{"vlvl":"vl"}\n', []),
    "a line feed alone is not answered": (b"\n\r\n\n", []),
    "bytes that begin nothing are passed over in silence": (NOISE_AND_V, [b"LuckyPaw 1"]),
    "Ctrl-C is a byte like others": (b"\x03\x03\r\x01\x04v", [b"LuckyPaw 1"]),
    "it says its pixels": (change((RED, GREEN, Colour(1, 2, 3))) + b"l", [b"[16646144,65024,66051" + b",0" * 9 + b"]"]),
    "a change is not answered": (paint('0,6,"1E1000",7,9,"E67800"'), []),
    "small letters are hexadecimal too": (paint('0,12,"abcdef"') + b"l", pixels_said(0xABCDEF)),
    "numbers go from 0": (b'{"kit":{"seq":0}}\n', [answer(0, DARK)]),
    "numbers go to 999999": (b'{"kit":{"seq":999999}}\n', [answer(999_999, DARK)]),
    "the checksum is of the rhythms too": (
        change((BREATH,) * LEDS, rest=',"kit":{"seq":3}'),
        [answer(3, (BREATH,) * LEDS)],
    ),
    "a line may end with a carriage return": (b'{"kit":{"seq":1}}\r\n', [answer(1, DARK)]),
    "unknown keys are passed over": (UNKNOWN, [answer(1, ALL_RED)]),
    "a line of 1024 bytes is understood": (LONG, [answer(1, DARK)]),
    "a line of 1025 bytes is refused": (b'{"a":"' + b"x" * 1016 + b'"}\n', [b'{"error":21}']),
    "a line of 51,000 bytes is refused": (b'{"a":"' + b"x" * 51_000 + b'"}\n', [b'{"error":21}']),
    "a false wish for the REPL is none": (b'{"kit":{"seq":1,"repl":false}}\n', [answer(1, DARK)]),
    "it says what it is": (b'{"v":true}\n', [STATE + INFO]),
    "and how bright it was told to be": (b'{"on":false,"bri":7,"v":true}\n', [b'{"state":{"on":false,"bri":7}' + INFO]),
}


@pytest.mark.parametrize(("data", "answers"), ANSWERS.values(), ids=ANSWERS)
def test_what_it_answers(board: Board, data: bytes, answers: list[bytes]) -> None:
    assert board.answers(data) == answers


LATER: dict[str, tuple[Steps, bytes, list[bytes]]] = {
    "pixels as sent, not as moved": ([in_kit(*(lamp(RED, Rhythm.FLASH),) * LEDS), 300], b"l", pixels_said(0xFE0100)),
    "a forgotten picture no more": ([change(ALL_RED), 5000], b"l", pixels_said(0)),
    "with the picture the brightness is forgotten": (
        [b'{"on":false,"bri":1}\n', 5000],
        b'{"v":true}\n',
        [STATE + INFO],
    ),
}


@pytest.mark.parametrize(("steps", "data", "answers"), LATER.values(), ids=LATER)
def test_what_it_answers_later(dark: Board, steps: Steps, data: bytes, answers: list[bytes]) -> None:
    assert after(dark, *steps).answers(data) == answers


def test_three_hundred_pixels_are_said_whole(start: StartBoard) -> None:
    assert after(start(leds=300), paint('0,300,"ABCDEF"')).answers(b"l") == pixels_said(0xABCDEF, 300)


def test_a_long_answer_leaves_usb_a_millisecond_a_packet(start: StartBoard) -> None:
    board = start(leds=300)
    start_ms = board.now_ms
    length = len(board.answers(b"l")[0] + b"\r\n")
    assert board.now_ms - start_ms == (length - 1) // 64


def test_a_full_picture_is_answered_with_its_number_and_checksum_and_shown(start: StartBoard) -> None:
    board = start(leds=60)
    assert (board.answers(FULL), lamps(after(board, 225))) == ([answer(7, PIECES)], PIECES)


RED_OFF = paint('0,12,"FE0000"', '"on":false,')
REDS = change(ALL_RED)
SHOWN: dict[str, tuple[Steps, Pixels]] = {
    "a change leaves the other lamps": (
        [REDS, paint('1,3,"0000FE",5,"00FE00"'), 500],
        (RED, BLUE, BLUE, RED, RED, GREEN, *(RED,) * 6),
    ),
    "a later range paints over an earlier one": ([paint('0,12,"FE0000",0,12,"0000FE"'), 500], (BLUE,) * LEDS),
    "half its brightness is half its light": ([paint('0,12,"FE0000"', '"bri":127,'), 0], (Colour(126, 0, 0),) * LEDS),
    "switched off it is dark": ([RED_OFF, 0], DARK),
    "switched on again it shows its picture": ([RED_OFF, b'{"on":true}\n', 25], ALL_RED),
    "a lamp that gets brighter is bright at once": ([REDS, 0], ALL_RED),
    "a darker colour comes as the old one goes": (
        [change((Colour(200, 100, 0),)), 100, change((Colour(0, 100, 50),)), 100],
        lit(Colour(100, 100, 25)),
    ),
    "each lamp fades in its own time": (
        [change((RED, RED)), 100, change((OFF,)), 100, change((OFF,), 1), 100],
        lit(OFF, Colour(127, 0, 0)),
    ),
    "lamps of one rhythm move together whenever they were sent": (
        [FLASH, 125, change((lamp(RED, Rhythm.FLASH),), 1), 125],
        DARK,
    ),
    "a byte keeps the picture": ([REDS, *Steps([4999, b"\n"]) * 4], ALL_RED),
    "after the waiting a picture begins with dark lamps": ([REDS, 6000, change((BLUE,)), 225], lit(BLUE)),
}


@pytest.mark.parametrize(("steps", "pixels"), SHOWN.values(), ids=SHOWN)
def test_what_is_shown(dark: Board, steps: Steps, pixels: Pixels) -> None:
    assert lamps(after(dark, *steps)) == pixels


def test_a_picture_of_many_lines_is_shown_whole(start: StartBoard) -> None:
    board, dice = start(leds=300), random.Random(0)
    confetti: Pixels = tuple(Colour(*(2 * dice.randrange(128) for _ in range(3))) for _ in range(300))
    lines = [change(confetti[place : place + 15], place) for place in range(0, 300, 15)]
    assert lamps(after(board, *lines, 500)) == confetti


BROKEN = rb"""
{
{}}
{} {}
{"bri":1,}
{"bri":1,,"on":true}
{"bri" 1}
{"bri":1 "on":true}
{,"bri":1}
{bri:1}
{1:1}
{"bri":01}
{"bri":1.}
{"bri":.5}
{"bri":-}
{"bri":1e}
{"bri":0x10}
{"bri":}
{"on":True}
{"on":truely}
{"a":"\q"}
{"a":"\u12G4"}
{"a":"
{"a":"\
{"a":"\"}
{"seg":{"i":[0 12 "FE0000"]}}
{"seg":{"i":[0,12,"FE0000"}]}
{"seg":{"i":[0,12,"FE0000"]}
{"seg":{"i":[0,12,"FE0000",]}}
"""
NOT_JSON = [*BROKEN.split(b"\n")[1:-1], b'{"a":"\x01"}', b'{"seg":{"i":[0,12,"FE\xb00"]}}', b'{"seg":' * 140]

WRONG_ITEMS = [
    *("{}", '"FE0000"', "null"),  # no list
    *("[0]", "[0,1]", "[0,1,2]", '["FE0000"]', '[0,"FE0000","0000FE"]', '[0,1,2,"FE0000"]'),  # out of order
    *('[12,"FE0000"]', '[0,13,"FE0000"]', '[-1,"FE0000"]', '[3,3,"FE0000"]', '[3,2,"FE0000"]'),  # out of range
    *('[0.0,"FE0000"]', '[true,"FE0000"]', '[0,null,"FE0000"]'),  # no place
    *('[0,"FE000"]', '[0,"FE00000"]', '[0,"FE000G"]', '[0,"0xFE00"]', '[0," FE000"]', '[0,"+FE000"]'),  # no colour
    *('[0,"FE\\u00e900"]', "[0,[254,0,0]]", "[0,254]"),
]
WRONG = {
    "on": ["1", '"true"', "null"],
    "bri": ["256", "-1", "1.0", "1e2", "true", '"1"', "99999999999999999999999"],
    "v": ["1", "null"],
    "seg": ["[]", '[{"i":[0,"FE0000"]}]', "null", '{"id":1}', '{"id":false}', *(f'{{"i":{i}}}' for i in WRONG_ITEMS)],
}
WRONG_KITS = {
    "kit": ["[]", "true", '{"repl":1}', *(f'{{"seq":{n}}}' for n in ("1000000", "-1", "1.5", '"1"', "true", "null"))]
}


def pairs(wrong: dict[str, list[str]]) -> list[str]:
    """Each key with each of its values."""
    return [f'"{key}":{value}' for key, values in wrong.items() for value in values]


@pytest.fixture(scope="module")
def long_lived(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Board]:
    """One board for all lines that are refused: none of them may change anything."""
    folder = tmp_path_factory.mktemp("board")
    with Board(folder, json.dumps({"leds": LEDS, "max_mA": PLENTY_MA})) as board:
        yield after(board, change((BLUE,) * LEDS), 500)


def as_it_was(board: Board) -> bool:
    """Whether the board of refused lines shows and says what it did at first."""
    [said, state] = board.answers(b'l{"v":true}\n')
    return [said] == pixels_said(0xFE) and b'"on":true,"bri":255' in state and lamps(board) == (BLUE,) * LEDS


@pytest.mark.parametrize("line", NOT_JSON)
def test_what_is_not_json_is_refused(long_lived: Board, line: bytes) -> None:
    assert long_lived.answers(line + b"\n") == [b'{"error":9}']
    assert as_it_was(long_lived)


@pytest.mark.parametrize("wrong", pairs(WRONG))
@pytest.mark.parametrize("form", ['{"kit":{"seq":5},"bri":9,%s}', '{%s,"kit":{"seq":5}}'])
def test_a_wrong_value_is_refused_with_its_lines_number(long_lived: Board, wrong: str, form: str) -> None:
    assert long_lived.answers((form % wrong + "\n").encode()) == [b'{"error":20,"kit":{"seq":5}}']
    assert as_it_was(long_lived)


@pytest.mark.parametrize("wrong", ['"on":1', '"seg":{"i":[0,6,"FE0000",6,12,"no one"]}', *pairs(WRONG_KITS)])
def test_a_wrong_value_in_a_line_without_a_number_is_refused(long_lived: Board, wrong: str) -> None:
    line = '{"seg":{"i":[0,12,"FE0000"]},' + wrong + "}\n"
    assert long_lived.answers(line.encode()) == [b'{"error":20}']
    assert as_it_was(long_lived)


@pytest.mark.parametrize("before", [*NOT_JSON, b"{" * 5000, b"\x00\xff\xb0\x03", b'null,"i":[', b"Ada\x00"])
def test_whatever_came_before_the_line_after_the_next_line_feed_is_understood(long_lived: Board, before: bytes) -> None:
    assert long_lived.answers(before + b'\n{"kit":{"seq":77}}\n')[-1] == answer(77, (BLUE,) * LEDS)


ON, OUT = change((RED,)), change((OFF,))
PLAIN_FLASH, KIT = change((lamp(RED, Rhythm.FLASH),)), b'{"kit":{"seq":1}}\n'

MOVES: dict[str, tuple[Steps, dict[int, int]]] = {
    "a lamp that gets darker fades over 200 ms": (
        [ON, 100, OUT],
        {0: 254, 25: 222, 50: 190, 100: 127, 150: 63, 175: 31, 200: 0, 300: 0},
    ),
    "a fade is not begun anew by the same picture": ([ON, 100, OUT, 100, OUT], {100: 0}),
    "a fade begins at the light of just then": (
        [ON, 100, OUT, 110, change((Colour(20, 0, 0),))],  # from 114
        {90: 71, 215: 20},
    ),
    "a lamp that gets brighter ends its fade": ([ON, 100, OUT, 100, ON], {25: 254, 200: 254}),
    "less brightness fades too": ([ON, 100, b'{"on":false}\n'], {100: 127, 200: 0}),
    "a breath is a sine of 2 s": (
        [in_kit(BREATH)],
        {0: 254, 250: 226, 500: 158, 750: 91, 1000: 63, 1500: 158, 2000: 254, 3000: 63},
    ),
    "a flash is on and off for 250 ms each": ([FLASH], {0: 254, 225: 254, 250: 0, 475: 0, 500: 254, 725: 254, 750: 0}),
    "rhythms are moved from the first line with a kit on": ([PLAIN_FLASH, 1000, KIT], {0: 254, 250: 0}),
    "rhythms go on in lines without a kit": ([KIT, PLAIN_FLASH], {0: 254, 250: 0}),
    "rhythms stop when the kit is gone": ([KIT, 5500, PLAIN_FLASH], {25: 254, 275: 254, 525: 254}),
    "a refused kit moves nothing": ([PLAIN_FLASH, b'{"kit":{"seq":-1}}\n'], {0: 254, 250: 254}),
    "fades and waiting go on when the clock has run over": (
        [ON, *Steps([4000, b"\n"]) * 150, OUT],  # longer than half the clock's period
        {0: 254, 100: 127, 200: 0, 5000: 24, 6000: 6},
    ),
}


@pytest.mark.parametrize(("steps", "reds"), MOVES.values(), ids=MOVES)
def test_how_a_lamp_moves(dark: Board, steps: Steps, reds: dict[int, int]) -> None:
    after(dark, *steps)
    assert dict(zip(reds, lights(dark, list(reds)), strict=True)) == reds


FRAMES: dict[str, tuple[Steps, int, list[int]]] = {
    "while a picture stands nothing is sent": ([REDS, 0], 4900, []),
    "a picture that changes nothing is sent once more": ([change(DARK)], 1000, [0]),
    "while lamps move there are 40 a second": ([ON, 100, OUT], 1000, list(range(0, 201, 25))),
    "a flash is sent only as it changes": ([FLASH], 1000, [0, 250, 500, 750, 1000]),
}


@pytest.mark.parametrize(("steps", "wait_ms", "times_ms"), FRAMES.values(), ids=FRAMES)
def test_when_frames_go_to_the_lamps(dark: Board, steps: Steps, wait_ms: int, times_ms: list[int]) -> None:
    assert frame_times(after(dark, *steps), wait_ms) == times_ms


def test_changes_in_quick_succession_share_frames(dark: Board) -> None:
    before = len(dark.frames)
    for red in range(100, 200):
        after(dark, change((Colour(red, 0, 0),)), 5)
    assert len(dark.frames) - before == 1 + 500 / 25


def test_a_chase_runs_from_the_strips_start(dark: Board) -> None:
    after(dark, in_kit(*(lamp(Colour(200, 0, 0), Rhythm.CHASE),) * LEDS), 25)  # frames come each 25 ms, steps each 80
    pictures = []
    for _ in range(7):
        pictures.append([pixel.red for pixel in lamps(dark)])
        dark.wait(80)
    full, half, quarter, rest = 201, 100, 50, 23
    first = [full, rest, rest, rest, quarter, half]
    assert pictures == [(first[-n:] + first[:-n]) * 2 for n in (0, 1, 2, 3, 4, 5, 0)]


def test_a_chase_counts_from_the_strips_start_wherever_it_is(dark: Board) -> None:
    dark.send(b'{"seg":{"i":[2,8,"FF0000"]},"kit":{}}\n')
    assert lights(dark, [25, 175], place=2) == [29, 255]


@pytest.mark.parametrize("bits", [0b011, 0b101, 0b110, 0b111])
def test_other_bits_are_steady(dark: Board, bits: int) -> None:
    colour = Colour(200 | bits >> 2, 200 | bits >> 1 & 1, 200 | bits & 1)
    assert frame_times(after(dark, in_kit(*(colour,) * LEDS), 0), 3000) == []


@pytest.mark.parametrize("rhythm", [Rhythm.BREATHE, Rhythm.FLASH, Rhythm.CHASE])
def test_without_a_kit_rhythms_are_plain_colours(dark: Board, rhythm: Rhythm) -> None:
    picture = (lamp(RED, rhythm),) * LEDS
    assert lamps(after(dark, change(picture), 3000)) == picture


ALLOCATIONS = """
import gc
from lamps import Lamps

class Strip:
    buf = bytearray(4 * 300)
    def write(self):
        pass

lamps = Lamps(Strip(), 300, WHITE, 2000, 0)
lamps.show([(0, 100, 0xFF0000), (100, 200, 0x00FE01), (200, 300, 0x00FF00)], True, 200, True, 0)

def taken(since_ms, until_ms):
    before = gc.mem_alloc()
    for now in range(since_ms, until_ms, 25):
        lamps.frame(now)
    return gc.mem_alloc() - before

gc.disable()
taken(0, 100)
print(taken(100, 3000))
"""


@pytest.mark.parametrize("white", [True, False])
def test_frames_take_no_memory(white: bool) -> None:
    script = ALLOCATIONS.replace("WHITE", str(white))
    assert subprocess.check_output([micropython(), "-c", script], env=environment("live")) == b"0\n"


def test_at_power_up_one_lamp_in_six_is_amber(board: Board) -> None:
    assert (board.frames[0].at_ms, lamps(board)) == (1000, (AMBER, *(OFF,) * 5) * 2)


def test_while_it_waits_it_breathes(board: Board) -> None:
    assert lights(board, [500, 1000, 2000]) == [15, 6, 24]


def test_it_waits_until_the_first_picture(board: Board) -> None:
    assert lamps(after(board, *Steps([b'v{"v":true}\n', 1000]) * 10))[0] == AMBER


def test_the_first_picture_ends_the_waiting(board: Board) -> None:
    assert lamps(after(board, paint('1,"FE0000"'), 225)) == lit(OFF, RED)


def test_after_5_s_without_a_byte_it_waits_again(dark: Board) -> None:
    assert frame_times(after(dark, REDS, 0), 6000)[0] == 5000


WS2812_60: dict[str, object] = {"leds": 60, "max_mA": 500}
SK6812: dict[str, object] = {"kind": "SK6812"}


def test_a_frame_that_takes_too_much_is_dimmed_until_it_fits(start: StartBoard) -> None:
    board = after(start(**WS2812_60), paint('0,60,"FEFEFE"'), 25)
    assert 480 < current_ma(board.frames[-1].data, 60) <= 500


@pytest.mark.parametrize("kind", ["WS2812", "SK6812"])
def test_no_frame_ever_takes_more_than_is_allowed(start: StartBoard, kind: str) -> None:
    board, dice = start(leds=40, max_mA=700, kind=kind), random.Random(1)
    for _ in range(40):
        after(board, in_kit(*(Colour(*(dice.randrange(256) for _ in range(3))) for _ in range(40))), 200)
    assert max(current_ma(frame.data, 40) for frame in board.frames) <= 700


FRAME_BYTES: dict[str, tuple[dict[str, object], str, bytes]] = {
    "dimming keeps the colours' shares": (WS2812_60, '0,60,"FE7E3E"', bytes([26, 53, 13]) * 60),
    "a frame that fits is not dimmed": (WS2812_60, '0,7,"FEFEFE"', bytes([254] * 21 + [0] * 159)),  # 478 mA
    "an SK6812 shows white for a third of the current": (
        {"leds": 60, "max_mA": 1260, **SK6812},
        '0,60,"FEFEFE"',
        bytes([0, 0, 0, 254]) * 60,
    ),
    "where all current is needed at rest lamps stay dark": ({"leds": 100, "max_mA": 100}, '0,100,"FEFEFE"', bytes(300)),
    "a WS2812 gets green, red, blue": ({}, '0,12,"020406"', bytes([4, 2, 6]) * LEDS),
    "an SK6812 gets the white they share too, red": (SK6812, '0,12,"020406"', bytes([2, 0, 4, 2]) * LEDS),
    "blue": (SK6812, '0,12,"060402"', bytes([2, 4, 0, 2]) * LEDS),
    "green": (SK6812, '0,12,"040206"', bytes([0, 2, 4, 2]) * LEDS),
    "none": (SK6812, '0,12,"FE0000"', bytes([0, 254, 0, 0]) * LEDS),
}


@pytest.mark.parametrize(("settings", "items", "data"), FRAME_BYTES.values(), ids=FRAME_BYTES)
def test_what_goes_to_the_strip(start: StartBoard, settings: dict[str, object], items: str, data: bytes) -> None:
    assert after(start(**settings), paint(items), 500).frames[-1].data == data


def test_settings_say_which_strip_is_on_which_pin_and_a_watchdog_of_4_s_is_started(start: StartBoard) -> None:
    assert start(leds=300, pin=2, kind="SK6812").told[:2] == ["strip 2 300 4", "watchdog 4000"]


@pytest.mark.parametrize(
    ("text", "said"),
    [(None, []), *((text, [b"strip.json: not a JSON object; the defaults are used"]) for text in ("", "{", "[]"))],
)
def test_without_settings_it_is_60_ws2812_on_pin_16(tmp_path: Path, text: str | None, said: list[bytes]) -> None:
    with Board(tmp_path, text) as board:
        assert (board.told[0], board.greeting) == ("strip 16 60 3", said)


LEDS_ALLOWED = "must be a whole number from 8 to 300; using 60"
PINS_ALLOWED = "must be a whole number from 0 to 22, 26, 27 or 28; using 16"
MA_ALLOWED = "must be a whole number from 100 to 20000; using 500"


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        ({"leds": 7}, f"leds = 7: {LEDS_ALLOWED}"),
        ({"leds": 301}, f"leds = 301: {LEDS_ALLOWED}"),
        ({"leds": "12"}, f"leds = '12': {LEDS_ALLOWED}"),
        ({"leds": 12.0}, f"leds = 12.0: {LEDS_ALLOWED}"),
        ({"pin": 23}, f"pin = 23: {PINS_ALLOWED}"),
        ({"pin": False}, f"pin = False: {PINS_ALLOWED}"),
        ({"kind": "WS2811"}, "kind = 'WS2811': must be WS2812 or SK6812; using WS2812"),
        ({"max_mA": 20001}, f"max_mA = 20001: {MA_ALLOWED}"),
        ({"max_mA": 99}, f"max_mA = 99: {MA_ALLOWED}"),
        ({"lamps": 12}, "lamps is unknown"),
        ({"leds": 300, "max_mA": 200}, "max_mA = 200 leaves no light: 300 lamps take that much at rest"),
    ],
)
def test_a_setting_that_is_wrong_is_named(start: StartBoard, settings: dict[str, object], sentence: str) -> None:
    assert start(**settings).greeting == [f"strip.json: {sentence}".encode()]


@pytest.mark.parametrize("waiting", [True, False])
def test_the_watchdog_is_fed_each_second_at_least(board: Board, waiting: bool) -> None:
    if not waiting:
        after(board, change(DARK), 500)
    before = board.meals()
    board.wait(4000)
    assert board.meals() - before >= 4


def test_the_watchdog_is_fed_while_bytes_pour_in(board: Board) -> None:
    before = board.meals()
    board.answers(b"\n" * 50_000)
    assert board.meals() - before > 50_000 / 100


def test_asked_for_the_repl_it_starts_anew(board: Board) -> None:
    board.send(b'{"kit":{"repl":true}}\n')
    board.ended()
    assert board.told[-1] == "reset"


class Terminal:
    """A board in real time with a person at its line; it stays at the REPL when the program ends."""

    def __init__(self, folder: Path, *stand_ins: str, program: Path = PROGRAM) -> None:
        self.text = ""
        self._process = subprocess.Popen(
            [micropython(), "-i", str(program / "main.py")],
            cwd=folder,
            env=environment(*stand_ins, program=program),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
        )
        assert self._process.stdin is not None and self._process.stdout is not None
        self._input, self._output = self._process.stdin, self._process.stdout
        os.set_blocking(self._output.fileno(), False)

    def __enter__(self) -> "Terminal":
        return self

    def __exit__(self, *_: object) -> None:
        self._process.kill()
        self._process.communicate()

    def type(self, text: str) -> None:
        """Write to the line."""
        self._input.write(text.encode())
        self._input.flush()

    def says(self, wanted: str) -> bool:
        """Whether this comes."""

        def heard() -> bool:
            self.text += (self._output.read() or b"").decode()
            return wanted in self.text

        return comes(heard)

    def is_at_the_repl(self) -> bool:
        """Whether somebody computes there."""
        self.type("print('six times seven', 6*7)\r\n")
        return self.says("six times seven 42")

    def interrupt(self) -> None:
        """What Ctrl-C becomes while it is not switched off."""
        self._process.send_signal(signal.SIGINT)

    def minds_ctrl_c(self) -> bool:
        """Whether the program has asked for interrupts."""
        status = Path(f"/proc/{self._process.pid}/status").read_text()
        caught = next(int(line.split()[1], 16) for line in status.splitlines() if line.startswith("SigCgt"))
        return bool(caught >> (signal.SIGINT - 1) & 1)


def test_ctrl_c_within_the_first_second_leads_to_the_repl(tmp_path: Path) -> None:
    with Terminal(tmp_path, "grace") as terminal:
        assert terminal.says("sleeps 1000\n")
        terminal.interrupt()
        assert terminal.says("KeyboardInterrupt") and terminal.is_at_the_repl()


def test_the_line_is_not_taken_before_the_first_second_is_over(tmp_path: Path) -> None:
    with Terminal(tmp_path, "grace") as terminal:
        assert terminal.says("sleeps 1000\n") and "watchdog" not in terminal.text
    with Terminal(tmp_path, "live") as terminal:
        assert terminal.says("watchdog 4000")


def test_later_ctrl_c_is_switched_off(tmp_path: Path) -> None:
    with Terminal(tmp_path, "live") as terminal:
        terminal.type("v")
        assert terminal.says("LuckyPaw 1")
        assert not terminal.minds_ctrl_c()


def test_the_wish_for_the_repl_is_kept_over_one_start(tmp_path: Path) -> None:
    with Board(tmp_path, None) as board:
        board.send(b'{"kit":{"repl":true}}\n')
        board.ended()
    with Terminal(tmp_path, "live") as terminal:
        assert terminal.is_at_the_repl()
    with Terminal(tmp_path, "live") as terminal:
        terminal.type("v")
        assert terminal.says("LuckyPaw 1")


@pytest.mark.parametrize("broken", sorted(path.name for path in PROGRAM.glob("*.py") if path.name != "main.py"))
@pytest.mark.parametrize("how", ["def half(", "", "1 / 0", None])
def test_a_broken_copy_says_why_and_leaves_the_repl(tmp_path: Path, broken: str, how: str | None) -> None:
    copy = tmp_path / "copy"
    shutil.copytree(PROGRAM, copy)
    (copy / broken).unlink()
    if how is not None:
        (copy / broken).write_text(how)
    with Terminal(tmp_path, "live", program=copy) as terminal:
        assert terminal.says("Error: ") and terminal.is_at_the_repl()


def test_a_program_that_fails_at_work_says_why_and_starves_the_watchdog(tmp_path: Path) -> None:
    with Terminal(tmp_path, "live", "torn_wire") as terminal:
        assert terminal.says("OSError: torn")
        terminal.type(
            "import machine, time\r\nmeals = machine.fed\r\ntime.sleep(0.3)\r\nprint('more', machine.fed - meals)\r\n"
        )
        assert terminal.says("more 0")


KINDS = b'{}[]":,012.-euvl \\\x00\xb0\n'  # a byte of each kind that is read in another way
SEED = 20_251_120
LAST = b'{"on":true,"bri":255,"seg":{"id":0,"i":[0,6,"FE0000",6,12,"0000FE"]},"kit":{"seq":999999}}\n'
GOOD_LINES = [
    b'{"seg":{"i":[3,"1E1000"]}}',
    b'{"seg":{"id":0,"i":[0,9,"E67801"]}}',
    b'{"bri":9,"kit":{"seq":7}}',
    b'{"on":true,"v":false}',
    b'{"seg":{"i":[2,"00FF00",5,7,"FF0000"]}}',
]


class Fuzzed(NamedTuple):
    """What came of it."""

    unanswered: list[int]  # numbers of good lines
    last_answers: list[bytes]
    shown: Pixels
    grown: int  # bytes of memory


def mutated(line: bytes, dice: random.Random) -> bytes:
    """A line with one to three bytes changed, lost, doubled or put in."""
    text = bytearray(line)
    for _ in range(dice.randint(1, 3)):
        place = dice.randrange(len(text))
        byte = dice.choice(b'{}[]":,0129.-eEtfnul \\\x03\x00\xb0\n') if dice.random() < 0.5 else dice.randrange(256)
        text[place : place + dice.randint(0, 1)] = bytes([byte] * dice.choice([0, 1, 1, 2]))
    return bytes(text)


def fuzz(folder: Path, pieces: Iterator[bytes]) -> Fuzzed:
    """Send each piece and a good line after it, which must be answered; in the end a picture."""
    with Board(folder, json.dumps({"leds": LEDS, "max_mA": PLENTY_MA})) as board:
        board.answers(LAST)
        before = board.memory()
        unanswered, waiting, data = list[int](), list[int](), b""

        def ask() -> None:
            answered = {line[:20] for line in board.answers(data)}
            unanswered.extend(seq for seq in waiting if b'{"kit":{"seq":%d' % seq not in answered)

        for seq, piece in enumerate(pieces, 100_000):
            data += piece + b'\n{"kit":{"seq":%d}}\n' % seq
            waiting.append(seq)
            if len(data) > 10_000:
                ask()
                waiting, data = [], b""
        ask()
        last = board.answers(LAST)[-1:]
        return Fuzzed(unanswered, last, lamps(after(board, 500)), board.memory() - before)


def noise(count: int) -> Iterator[bytes]:
    """So many random bytes, a hundred at a time."""
    dice = random.Random(SEED)
    return (dice.randbytes(100) for _ in range(count // 100))


def by_chance(count: int) -> Iterator[bytes]:
    """So many lines that were good, four at a time."""
    dice = random.Random(SEED)
    return (b"\n".join(mutated(dice.choice(GOOD_LINES), dice) for _ in range(4)) for _ in range(count // 4))


def one_by_one() -> Iterator[bytes]:
    """Each byte of each good line lost, changed into one of every kind, or with one before it; each wrong value."""
    for line in GOOD_LINES:
        for n in range(len(line)):
            yield line[:n] + line[n + 1 :]
            for kind in KINDS:
                yield line[:n] + bytes((kind,)) + line[n + 1 :]
                yield line[:n] + bytes((kind,)) + line[n:]
    for wrong in pairs(WRONG | WRONG_KITS):
        yield f"{{{wrong}}}".encode()


SPOILT = [
    pytest.param(partial(noise, 100_000), id="100,000 bytes"),
    pytest.param(one_by_one, id="every byte spoilt in every way"),
    pytest.param(partial(noise, 1_000_000), id="a million bytes", marks=pytest.mark.nightly),
    pytest.param(partial(by_chance, 100_000), id="100,000 spoilt lines", marks=pytest.mark.nightly),
]


@pytest.fixture(scope="module", params=SPOILT)
def fuzzed(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Fuzzed:
    """What is left of a board after all that."""
    return fuzz(tmp_path_factory.mktemp("fuzzed"), request.param())


def test_after_noise_lines_are_answered_and_pictures_shown(fuzzed: Fuzzed) -> None:
    picture = (*(RED,) * 6, *(BLUE,) * 6)
    assert fuzzed[:3] == ([], [answer(999_999, picture)], picture)


def test_memory_stays_flat_whatever_comes(fuzzed: Fuzzed) -> None:
    assert abs(fuzzed.grown) <= 2048
