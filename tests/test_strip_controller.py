"""The strip's controller: its own files in a real MicroPython. What must hold is docs/protocol.md, its last chapter."""

import json
import os
import random
import shutil
import signal
import subprocess
import time
import zlib
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import NamedTuple

import pytest

from hardware.strip import OFF, Colour, Pixels, Rhythm, lamp
from tests.simulators.controller import PLENTY_MA, PROGRAM, Board, environment, micropython
from tests.simulators.waiting import comes

LEDS = 12
RED, GREEN, BLUE = Colour(254, 0, 0), Colour(0, 254, 0), Colour(0, 0, 254)  # steady: their lowest bits are 0
WHITE = Colour(254, 254, 254)
DARK: Pixels = (OFF,) * LEDS
AMBER = (24, 12, 1)

StartBoard = Callable[..., Board]


def crc(pixels: Pixels) -> int:
    """What the controller says of these pixels."""
    return zlib.crc32(bytes(part for pixel in pixels for part in pixel))


def change(pixels: Pixels, start: int = 0, rest: str = "") -> bytes:
    """A line that names these lamps one by one; `rest` follows the segment."""
    items = ",".join(f'{n},"{bytes(pixel).hex()}"' for n, pixel in enumerate(pixels, start))
    return f'{{"seg":{{"id":0,"i":[{items}]}}{rest}}}\n'.encode()


def in_kit(pixels: Pixels) -> bytes:
    """A change by the kit, so that rhythms are obeyed."""
    return change(pixels, rest=',"kit":{}')


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
    board.send(change(DARK))
    board.wait(500)
    return board


# --- who are you, what do you show -----------------------------------------------------------------------------------


def test_it_says_who_it_is(board: Board) -> None:
    assert board.answers(b"v") == [b"LuckyPaw 1"]


def test_it_says_its_pixels(board: Board) -> None:
    board.send(change((RED, GREEN, Colour(1, 2, 3))))
    assert board.answers(b"l") == [b"[16646144,65024,66051" + b",0" * 9 + b"]"]


def test_it_says_the_pixels_as_sent_not_as_they_move(board: Board) -> None:
    board.send(in_kit((lamp(RED, Rhythm.FLASH),) * LEDS))
    board.wait(300)
    assert board.answers(b"l") == [b"[" + b",".join([b"16646400"] * LEDS) + b"]"]


def test_three_hundred_pixels_are_said_whole(start: StartBoard) -> None:
    board = start(leds=300)
    board.send(b'{"seg":{"i":[0,300,"ABCDEF"]}}\n')
    assert board.answers(b"l") == [b"[" + b",".join([b"11259375"] * 300) + b"]"]


def test_a_long_answer_leaves_usb_a_millisecond_a_packet(start: StartBoard) -> None:
    board = start(leds=300)
    start_ms = board.now_ms
    length = len(board.answers(b"l")[0] + b"\r\n")
    assert board.now_ms - start_ms == (length - 1) // 64


def test_it_says_what_it_is(board: Board) -> None:
    assert board.answers(b'{"v":true}\n') == [
        b'{"state":{"on":true,"bri":255},"info":{"ver":"1","name":"Lucky Paw","leds":{"count":12}}}'
    ]


def test_what_it_is_tells_how_bright_it_was_told_to_be(board: Board) -> None:
    assert board.answers(b'{"on":false,"bri":7,"v":true}\n')[0].startswith(b'{"state":{"on":false,"bri":7},')


def test_commands_need_no_line_feed(board: Board) -> None:
    assert board.answers(b"vvv") == [b"LuckyPaw 1"] * 3


def test_letters_within_a_document_are_no_commands(board: Board) -> None:
    assert board.answers(b'{"vlvl":"vl"}\n') == []


def test_a_line_feed_alone_is_not_answered(board: Board) -> None:
    assert board.answers(b"\n\r\n\n") == []


def test_bytes_that_begin_nothing_are_passed_over_in_silence(board: Board) -> None:
    noise = bytes(byte for byte in range(256) if byte not in b"{vl")
    assert board.answers(noise + b"v") == [b"LuckyPaw 1"]


# --- pictures --------------------------------------------------------------------------------------------------------

FULL = b'{"on":true,"bri":255,"seg":{"id":0,"i":[0,14,"1E1000",15,29,"E67800",29,60,"000000"]},"kit":{"seq":7}}\n'
CHANGE = b'{"seg":{"id":0,"i":[0,14,"1E1000",15,29,"E67800"]}}\n'
PIECES: Pixels = (*(Colour(30, 16, 0),) * 14, OFF, *(Colour(230, 120, 0),) * 14, *(OFF,) * 31)


def test_a_full_picture_is_shown(start: StartBoard) -> None:
    board = start(leds=60)
    board.send(FULL)
    board.wait(225)
    assert lamps(board) == PIECES


def test_a_full_picture_is_answered_with_its_number_and_checksum(start: StartBoard) -> None:
    assert start(leds=60).answers(FULL) == [b'{"kit":{"seq":7,"crc":%d}}' % crc(PIECES)]


def test_a_change_is_not_answered(start: StartBoard) -> None:
    assert start(leds=60).answers(CHANGE) == []


def test_a_change_leaves_the_other_lamps(board: Board) -> None:
    board.send(change((RED,) * LEDS))
    board.send(b'{"seg":{"i":[1,3,"0000FE",5,"00FE00"]}}\n')
    board.wait(500)
    assert lamps(board) == (RED, BLUE, BLUE, RED, RED, GREEN, *(RED,) * 6)


def test_a_later_range_paints_over_an_earlier_one(board: Board) -> None:
    board.send(b'{"seg":{"i":[0,12,"FE0000",0,12,"0000FE"]}}\n')
    board.wait(500)
    assert lamps(board) == (BLUE,) * LEDS


def test_a_picture_of_many_lines_is_shown_whole(start: StartBoard) -> None:
    board, dice = start(leds=300), random.Random(0)
    confetti: Pixels = tuple(Colour(*(2 * dice.randrange(128) for _ in range(3))) for _ in range(300))
    for place in range(0, 300, 15):
        board.send(change(confetti[place : place + 15], place))
    board.wait(500)
    assert lamps(board) == confetti


def test_small_letters_are_hexadecimal_too(board: Board) -> None:
    board.send(b'{"seg":{"i":[0,12,"abcdef"]}}\n')
    assert board.answers(b'{"kit":{"seq":1}}\n') == [
        b'{"kit":{"seq":1,"crc":%d}}' % crc((Colour(171, 205, 239),) * LEDS)
    ]


@pytest.mark.parametrize("seq", [0, 999_999])
def test_numbers_go_from_0_to_999999(board: Board, seq: int) -> None:
    assert board.answers(b'{"kit":{"seq":%d}}\n' % seq) == [b'{"kit":{"seq":%d,"crc":%d}}' % (seq, crc(DARK))]


def test_the_checksum_is_of_the_rhythms_too(board: Board) -> None:
    pixels = (lamp(RED, Rhythm.BREATHE),) * LEDS
    assert board.answers(change(pixels, rest=',"kit":{"seq":3}')) == [b'{"kit":{"seq":3,"crc":%d}}' % crc(pixels)]


def test_a_line_may_end_with_a_carriage_return(board: Board) -> None:
    assert board.answers(b'{"kit":{"seq":1}}\r\n') == [b'{"kit":{"seq":1,"crc":%d}}' % crc(DARK)]


def test_unknown_keys_are_passed_over(board: Board) -> None:
    line = b'{"tt":[0.5,-1e3,{"a":null}],"seg":{"fx":"\\u00e9","i":[0,12,"FE0000"]},"kit":{"seq":1,"to":[]}}\n'
    assert board.answers(line) == [b'{"kit":{"seq":1,"crc":%d}}' % crc((RED,) * LEDS)]


def test_half_its_brightness_is_half_its_light(dark: Board) -> None:
    dark.send(b'{"bri":127,"seg":{"i":[0,12,"FE0000"]}}\n')
    dark.wait(0)
    assert lamps(dark)[0] == Colour(126, 0, 0)


def test_switched_off_it_is_dark(dark: Board) -> None:
    dark.send(b'{"on":false,"seg":{"i":[0,12,"FE0000"]}}\n')
    dark.wait(0)
    assert lamps(dark) == DARK


def test_switched_on_again_it_shows_its_picture(dark: Board) -> None:
    dark.send(b'{"on":false,"seg":{"i":[0,12,"FE0000"]}}\n{"on":true}\n')
    dark.wait(25)
    assert lamps(dark) == (RED,) * LEDS


# --- what is wrong ---------------------------------------------------------------------------------------------------

NOT_JSON = [
    b"{",
    b"{}}",
    b"{} {}",
    b'{"bri":1,}',
    b'{"bri":1,,"on":true}',
    b'{"bri" 1}',
    b'{"bri":1 "on":true}',
    b'{,"bri":1}',
    b"{bri:1}",
    b"{1:1}",
    b'{"bri":01}',
    b'{"bri":+1}',
    b'{"bri":1.}',
    b'{"bri":.5}',
    b'{"bri":-}',
    b'{"bri":1e}',
    b'{"bri":0x10}',
    b'{"bri":}',
    b'{"on":True}',
    b'{"on":truely}',
    b'{"on":tru}',
    b"{\"on\":'true'}",
    b'{"a":"\\q"}',
    b'{"a":"\\u12G4"}',
    b'{"a":"\x01"}',
    b'{"a":"',
    b'{"a":"\\',
    b'{"a":"\\"}',
    b'{"seg":{"i":[0 12 "FE0000"]}}',
    b'{"seg":{"i":[0,12,"FE0000"}]}',
    b'{"seg":{"i":[0,12,"FE0000"]}',
    b'{"seg":{"i":[0,12,"FE0000",]}}',
    b'{"seg":{"i":[0,12,"FE\xb00"]}}',
    b'{"seg":' * 140,
]

WRONG_VALUES = [
    '"on":1',
    '"on":"true"',
    '"on":null',
    '"bri":256',
    '"bri":-1',
    '"bri":1.0',
    '"bri":1e2',
    '"bri":true',
    '"bri":"1"',
    '"bri":99999999999999999999999',
    '"v":1',
    '"v":null',
    '"seg":[]',
    '"seg":[{"i":[0,"FE0000"]}]',
    '"seg":null',
    '"seg":{"id":1}',
    '"seg":{"id":false}',
    '"seg":{"i":{}}',
    '"seg":{"i":"FE0000"}',
    '"seg":{"i":null}',
    '"seg":{"i":[0]}',
    '"seg":{"i":[0,1]}',
    '"seg":{"i":[0,1,2]}',
    '"seg":{"i":["FE0000"]}',
    '"seg":{"i":[0,"FE0000","0000FE"]}',
    '"seg":{"i":[0,1,2,"FE0000"]}',
    '"seg":{"i":[12,"FE0000"]}',
    '"seg":{"i":[0,13,"FE0000"]}',
    '"seg":{"i":[-1,"FE0000"]}',
    '"seg":{"i":[3,3,"FE0000"]}',
    '"seg":{"i":[3,2,"FE0000"]}',
    '"seg":{"i":[0.0,"FE0000"]}',
    '"seg":{"i":[true,"FE0000"]}',
    '"seg":{"i":[0,null,"FE0000"]}',
    '"seg":{"i":[0,"FE000"]}',
    '"seg":{"i":[0,"FE00000"]}',
    '"seg":{"i":[0,"FE000G"]}',
    '"seg":{"i":[0,"0xFE00"]}',
    '"seg":{"i":[0," FE000"]}',
    '"seg":{"i":[0,"+FE000"]}',
    '"seg":{"i":[0,"FE\\u00e900"]}',
    '"seg":{"i":[0,[254,0,0]]}',
    '"seg":{"i":[0,254]}',
]

WRONG_NUMBERS = ['"kit":[]', '"kit":true', '"kit":{"seq":1000000}', '"kit":{"seq":-1}', '"kit":{"seq":1.5}']
WRONG_NUMBERS += ['"kit":{"seq":"1"}', '"kit":{"seq":true}', '"kit":{"seq":null}']


@pytest.fixture(scope="module")
def long_lived(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Board]:
    """One board for all lines that are refused: none of them may change anything."""
    folder = tmp_path_factory.mktemp("board")
    with Board(folder, json.dumps({"leds": LEDS, "max_mA": PLENTY_MA})) as board:
        board.send(change((BLUE,) * LEDS))
        board.wait(500)
        yield board


def as_it_was(board: Board) -> bool:
    """Whether the board of refused lines shows and says what it did at first."""
    said = board.answers(b'l{"v":true}\n')
    stands = said[0] == b"[" + b",".join([b"254"] * LEDS) + b"]" and b'"on":true,"bri":255' in said[1]
    return stands and lamps(board) == (BLUE,) * LEDS


@pytest.mark.parametrize("line", NOT_JSON)
def test_what_is_not_json_is_refused(long_lived: Board, line: bytes) -> None:
    assert long_lived.answers(line + b"\n") == [b'{"error":9}']
    assert as_it_was(long_lived)


@pytest.mark.parametrize("wrong", WRONG_VALUES)
@pytest.mark.parametrize("form", ['{"kit":{"seq":5},"bri":9,%s}', '{%s,"kit":{"seq":5}}'])
def test_a_wrong_value_is_refused_with_its_lines_number(long_lived: Board, wrong: str, form: str) -> None:
    assert long_lived.answers((form % wrong + "\n").encode()) == [b'{"error":20,"kit":{"seq":5}}']
    assert as_it_was(long_lived)


@pytest.mark.parametrize("wrong", [*WRONG_VALUES, *WRONG_NUMBERS, '"kit":{"repl":1}'])
def test_a_wrong_value_in_a_line_without_a_number_is_refused(long_lived: Board, wrong: str) -> None:
    line = '{"seg":{"i":[0,12,"FE0000"]},' + wrong + "}\n"
    assert long_lived.answers(line.encode()) == [b'{"error":20}']
    assert as_it_was(long_lived)


def test_a_line_with_one_wrong_colour_paints_none(long_lived: Board) -> None:
    long_lived.answers(b'{"seg":{"i":[0,6,"FE0000",6,12,"no one"]}}\n')
    assert as_it_was(long_lived)


def test_a_line_of_1024_bytes_is_understood(board: Board) -> None:
    line = b'{"kit":{"seq":1},"a":"' + b"x" * 1000
    assert board.answers(line[: 1024 - 3] + b'"}\n') == [b'{"kit":{"seq":1,"crc":%d}}' % crc(DARK)]


@pytest.mark.parametrize("beyond", [1, 1024, 50_000])
def test_a_longer_line_is_refused(board: Board, beyond: int) -> None:
    assert board.answers(b'{"a":"' + b"x" * (1024 - 9 + beyond) + b'"}\n') == [b'{"error":21}']


@pytest.mark.parametrize("before", [*NOT_JSON, b"{" * 5000, b"\x00\xff\xb0\x03", b'null,"i":[', b"Ada\x00"])
def test_whatever_came_before_the_line_after_the_next_line_feed_is_understood(long_lived: Board, before: bytes) -> None:
    answers = long_lived.answers(before + b'\n{"kit":{"seq":77}}\n')
    assert answers[-1] == b'{"kit":{"seq":77,"crc":%d}}' % crc((BLUE,) * LEDS)


# --- how lamps move --------------------------------------------------------------------------------------------------


def test_a_lamp_that_gets_brighter_is_bright_at_once(dark: Board) -> None:
    dark.send(change((RED,) * LEDS))
    dark.wait(0)
    assert lamps(dark) == (RED,) * LEDS


def test_a_lamp_that_gets_darker_fades_over_200_ms(dark: Board) -> None:
    dark.send(change((RED,)))
    dark.wait(100)
    dark.send(change((OFF,)))
    assert lights(dark, [0, 25, 50, 100, 150, 175, 200, 300]) == [254, 222, 190, 127, 63, 31, 0, 0]


def test_a_darker_colour_comes_as_the_old_one_goes(dark: Board) -> None:
    dark.send(change((Colour(200, 100, 0),)))
    dark.wait(100)
    dark.send(change((Colour(0, 100, 50),)))
    dark.wait(100)
    assert lamps(dark)[0] == Colour(100, 100, 25)


def test_each_lamp_fades_in_its_own_time(dark: Board) -> None:
    dark.send(change((RED, RED)))
    dark.wait(100)
    dark.send(change((OFF,), 0))
    dark.wait(100)
    dark.send(change((OFF,), 1))
    dark.wait(100)
    assert [pixel.red for pixel in lamps(dark)[:2]] == [0, 127]


def test_a_fade_is_not_begun_anew_by_the_same_picture(dark: Board) -> None:
    dark.send(change((RED,)))
    dark.wait(100)
    dark.send(change((OFF,)))
    dark.wait(100)
    dark.send(change((OFF,)))
    assert lights(dark, [100]) == [0]


def test_a_fade_begins_at_the_light_of_just_then(dark: Board) -> None:
    dark.send(change((RED,)))
    dark.wait(100)
    dark.send(change((OFF,)))
    dark.wait(110)
    dark.send(change((Colour(20, 0, 0),)))  # from 114
    assert lights(dark, [90, 215]) == [71, 20]


def test_a_lamp_that_gets_brighter_ends_its_fade(dark: Board) -> None:
    dark.send(change((RED,)))
    dark.wait(100)
    dark.send(change((OFF,)))
    dark.wait(100)
    dark.send(change((RED,)))
    assert lights(dark, [25, 200]) == [254, 254]


def test_less_brightness_fades_too(dark: Board) -> None:
    dark.send(change((RED,)))
    dark.wait(100)
    dark.send(b'{"on":false}\n')
    assert lights(dark, [100, 200]) == [127, 0]


def test_while_a_picture_stands_nothing_is_sent_to_the_lamps(dark: Board) -> None:
    dark.send(change((RED,) * LEDS))
    dark.wait(0)
    before = len(dark.frames)
    dark.wait(4900)
    assert len(dark.frames) == before


def test_a_picture_that_changes_nothing_is_sent_to_the_lamps_once_more(dark: Board) -> None:
    before = len(dark.frames)
    dark.send(change(DARK))
    dark.wait(1000)
    assert len(dark.frames) == before + 1


def test_while_lamps_move_there_are_40_frames_a_second(dark: Board) -> None:
    dark.send(change((RED,)))
    dark.wait(100)
    dark.send(change((OFF,)))
    start_ms = dark.now_ms
    dark.wait(1000)
    assert [frame.at_ms - start_ms for frame in dark.frames[-9:]] == list(range(0, 201, 25))


def test_changes_in_quick_succession_share_frames(dark: Board) -> None:
    before = len(dark.frames)
    for red in range(100, 200):
        dark.send(change((Colour(red, 0, 0),)))
        dark.wait(5)
    assert len(dark.frames) - before == 1 + 500 / 25


def test_a_breath_is_a_sine_of_2_s(dark: Board) -> None:
    dark.send(in_kit((lamp(RED, Rhythm.BREATHE),)))
    assert lights(dark, [0, 250, 500, 750, 1000, 1500, 2000, 3000]) == [254, 226, 158, 91, 63, 158, 254, 63]


def test_a_flash_is_on_and_off_for_250_ms_each(dark: Board) -> None:
    dark.send(in_kit((lamp(RED, Rhythm.FLASH),)))
    assert lights(dark, [0, 225, 250, 475, 500, 725, 750]) == [254, 254, 0, 0, 254, 254, 0]


def test_a_flash_is_sent_to_the_lamps_only_as_it_changes(dark: Board) -> None:
    dark.send(in_kit((lamp(RED, Rhythm.FLASH),)))
    start_ms, before = dark.now_ms, len(dark.frames)
    dark.wait(1000)
    assert [frame.at_ms - start_ms for frame in dark.frames[before:]] == [0, 250, 500, 750, 1000]


def test_a_chase_runs_from_the_strips_start(dark: Board) -> None:
    colour = lamp(Colour(200, 0, 0), Rhythm.CHASE)
    dark.send(in_kit((colour,) * LEDS))
    pictures = []
    dark.wait(25)  # frames come each 25 ms, steps each 80
    for _ in range(7):
        pictures.append([pixel.red for pixel in lamps(dark)])
        dark.wait(80)
    full, half, quarter, rest = 201, 100, 50, 23
    runs = [[full, rest, rest, rest, quarter, half], [half, full, rest, rest, rest, quarter]]
    runs += [[quarter, half, full, rest, rest, rest], [rest, quarter, half, full, rest, rest]]
    runs += [[rest, rest, quarter, half, full, rest], [rest, rest, rest, quarter, half, full]]
    assert pictures == [run * 2 for run in (*runs, runs[0])]


def test_a_chase_counts_from_the_strips_start_wherever_it_is(dark: Board) -> None:
    dark.send(b'{"seg":{"i":[2,8,"FF0000"]},"kit":{}}\n')
    assert lights(dark, [25, 175], place=2) == [29, 255]


@pytest.mark.parametrize("bits", [0b011, 0b101, 0b110, 0b111])
def test_other_bits_are_steady(dark: Board, bits: int) -> None:
    dark.send(in_kit((Colour(200 | bits >> 2, 200 | bits >> 1 & 1, 200 | bits & 1),) * LEDS))
    dark.wait(0)
    before = len(dark.frames)
    dark.wait(3000)
    assert len(dark.frames) == before


@pytest.mark.parametrize("rhythm", [Rhythm.BREATHE, Rhythm.FLASH, Rhythm.CHASE])
def test_without_a_kit_rhythms_are_plain_colours(dark: Board, rhythm: Rhythm) -> None:
    picture = (lamp(RED, rhythm),) * LEDS
    dark.send(change(picture))
    dark.wait(3000)
    assert lamps(dark) == picture


def test_rhythms_are_moved_from_the_first_line_with_a_kit_on(dark: Board) -> None:
    dark.send(change((lamp(RED, Rhythm.FLASH),)))
    dark.wait(1000)
    dark.send(b'{"kit":{"seq":1}}\n')
    assert lights(dark, [0, 250]) == [254, 0]


def test_rhythms_go_on_in_lines_without_a_kit(dark: Board) -> None:
    dark.send(b'{"kit":{"seq":1}}\n')
    dark.send(change((lamp(RED, Rhythm.FLASH),)))
    assert lights(dark, [0, 250]) == [254, 0]


def test_rhythms_stop_when_the_kit_is_gone(dark: Board) -> None:
    dark.send(b'{"kit":{"seq":1}}\n')
    dark.wait(5500)
    dark.send(change((lamp(RED, Rhythm.FLASH),)))
    assert lights(dark, [25, 275, 525]) == [254, 254, 254]


def test_a_refused_kit_moves_nothing(dark: Board) -> None:
    dark.send(change((lamp(RED, Rhythm.FLASH),)))
    dark.send(b'{"kit":{"seq":-1}}\n')
    assert lights(dark, [0, 250]) == [254, 254]


def test_lamps_of_one_rhythm_move_together_whenever_they_were_sent(dark: Board) -> None:
    dark.send(in_kit((lamp(RED, Rhythm.FLASH),)))
    dark.wait(125)
    dark.send(change((lamp(RED, Rhythm.FLASH),), 1))
    dark.wait(125)
    assert [pixel.red for pixel in lamps(dark)[:2]] == [0, 0]


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


# --- waiting for the kit ---------------------------------------------------------------------------------------------


def test_at_power_up_one_lamp_in_six_is_amber(board: Board) -> None:
    assert (board.frames[0].at_ms, lamps(board)) == (1000, ((*AMBER,), *(OFF,) * 5) * 2)


def test_while_it_waits_it_breathes(board: Board) -> None:
    assert lights(board, [500, 1000, 2000]) == [15, 6, 24]


def test_it_waits_until_the_first_picture(board: Board) -> None:
    for _ in range(10):
        board.send(b'v{"v":true}\n')
        board.wait(1000)
    assert lamps(board)[0] == AMBER


def test_the_first_picture_ends_the_waiting(board: Board) -> None:
    board.send(b'{"seg":{"i":[1,"FE0000"]}}\n')
    board.wait(225)
    assert lamps(board) == (OFF, RED, *(OFF,) * 10)


def test_after_5_s_without_a_byte_it_waits_again(dark: Board) -> None:
    dark.send(change((RED,) * LEDS))
    dark.wait(0)
    start_ms, before = dark.now_ms, len(dark.frames)
    dark.wait(6000)
    assert dark.frames[before].at_ms - start_ms == 5000


def test_a_byte_keeps_the_picture(dark: Board) -> None:
    dark.send(change((RED,) * LEDS))
    for _ in range(4):
        dark.wait(4999)
        dark.send(b"\n")
    assert lamps(dark) == (RED,) * LEDS


def test_a_forgotten_picture_is_no_longer_said(dark: Board) -> None:
    dark.send(change((RED,) * LEDS))
    dark.wait(5000)
    assert dark.answers(b"l") == [b"[" + b",".join([b"0"] * LEDS) + b"]"]


def test_with_the_picture_the_brightness_is_forgotten(dark: Board) -> None:
    dark.send(b'{"on":false,"bri":1}\n')
    dark.wait(5000)
    assert b'"on":true,"bri":255' in dark.answers(b'{"v":true}\n')[0]


def test_after_the_waiting_a_picture_begins_with_dark_lamps(dark: Board) -> None:
    dark.send(change((RED,) * LEDS))
    dark.wait(6000)
    dark.send(change((BLUE,)))
    dark.wait(225)
    assert lamps(dark) == (BLUE, *(OFF,) * 11)


def test_fades_and_waiting_go_on_when_the_clock_has_run_over(dark: Board) -> None:
    dark.send(change((RED,)))
    for _ in range(150):  # longer than half the clock's period
        dark.wait(4000)
        dark.send(b"\n")
    dark.send(change((OFF,)))
    assert [*lights(dark, [0, 100, 200]), *lights(dark, [4800, 5800])] == [254, 127, 0, 24, 6]


# --- current ---------------------------------------------------------------------------------------------------------


def test_a_frame_that_takes_too_much_is_dimmed_until_it_fits(start: StartBoard) -> None:
    board = start(leds=60, max_mA=500)
    board.send(b'{"seg":{"i":[0,60,"FEFEFE"]}}\n')
    board.wait(25)
    assert 480 < current_ma(board.frames[-1].data, 60) <= 500


def test_dimming_keeps_the_colours_shares(start: StartBoard) -> None:
    board = start(leds=60, max_mA=500)
    board.send(b'{"seg":{"i":[0,60,"FE7E3E"]}}\n')
    board.wait(25)
    assert lamps(board)[0] == Colour(53, 26, 13)


def test_a_frame_that_fits_is_not_dimmed(start: StartBoard) -> None:
    board = start(leds=60, max_mA=500)
    board.send(b'{"seg":{"i":[0,7,"FEFEFE"]}}\n')  # 478 mA
    board.wait(225)
    assert lamps(board) == (*(WHITE,) * 7, *(OFF,) * 53)


@pytest.mark.parametrize("kind", ["WS2812", "SK6812"])
def test_no_frame_ever_takes_more_than_is_allowed(start: StartBoard, kind: str) -> None:
    board, dice = start(leds=40, max_mA=700, kind=kind), random.Random(1)
    for _ in range(40):
        board.send(in_kit(tuple(Colour(*(dice.randrange(256) for _ in range(3))) for _ in range(40))))
        board.wait(200)
    assert max(current_ma(frame.data, 40) for frame in board.frames) <= 700


def test_an_sk6812_shows_white_for_a_third_of_the_current(start: StartBoard) -> None:
    board = start(leds=60, max_mA=1260, kind="SK6812")
    board.send(b'{"seg":{"i":[0,60,"FEFEFE"]}}\n')
    board.wait(225)
    assert board.frames[-1].data == bytes([0, 0, 0, 254]) * 60


def test_where_all_current_is_needed_at_rest_lamps_stay_dark(start: StartBoard) -> None:
    board = start(leds=100, max_mA=100)
    board.send(b'{"seg":{"i":[0,100,"FEFEFE"]}}\n')
    board.wait(500)
    assert lamps(board) == (OFF,) * 100


# --- the strip -------------------------------------------------------------------------------------------------------


def test_a_ws2812_gets_green_red_blue(dark: Board) -> None:
    dark.send(change((Colour(2, 4, 6),)))
    dark.wait(0)
    assert dark.frames[-1].data[:3] == bytes([4, 2, 6])


@pytest.mark.parametrize(
    ("colour", "data"),
    [
        (Colour(2, 4, 6), [2, 0, 4, 2]),
        (Colour(6, 4, 2), [2, 4, 0, 2]),
        (Colour(4, 2, 6), [0, 2, 4, 2]),
        (WHITE, [0, 0, 0, 254]),
        (RED, [0, 254, 0, 0]),
    ],
)
def test_an_sk6812_gets_green_red_blue_and_the_white_they_share(
    start: StartBoard, colour: Colour, data: list[int]
) -> None:
    board = start(kind="SK6812")
    board.send(change((colour,) * LEDS))
    board.wait(225)
    assert board.frames[-1].data == bytes(data) * LEDS


# --- settings --------------------------------------------------------------------------------------------------------


def test_settings_say_which_strip_is_on_which_pin(start: StartBoard) -> None:
    assert start(leds=300, pin=2, kind="SK6812").told[0] == "strip 2 300 4"


def test_without_settings_it_is_60_ws2812_on_pin_16(tmp_path: Path) -> None:
    with Board(tmp_path, None) as board:
        assert (board.told[0], board.greeting) == ("strip 16 60 3", [])


@pytest.mark.parametrize("text", ["", "{", "[]", "null", '{"leds":'])
def test_settings_that_cannot_be_read_are_named(tmp_path: Path, text: str) -> None:
    with Board(tmp_path, text) as board:
        said = [b"strip.json: not a JSON object; the defaults are taken"]
        assert (board.told[0], board.greeting) == ("strip 16 60 3", said)


@pytest.mark.parametrize(
    ("key", "value", "sentence"),
    [
        ("leds", 7, "strip.json: leds = 7: allowed is a whole number from 8 to 300; taken is 60"),
        ("leds", 301, "strip.json: leds = 301: allowed is a whole number from 8 to 300; taken is 60"),
        ("leds", "12", "strip.json: leds = '12': allowed is a whole number from 8 to 300; taken is 60"),
        ("leds", 12.0, "strip.json: leds = 12.0: allowed is a whole number from 8 to 300; taken is 60"),
        ("pin", 23, "strip.json: pin = 23: allowed is a whole number from 0 to 22, 26, 27 or 28; taken is 16"),
        ("pin", False, "strip.json: pin = False: allowed is a whole number from 0 to 22, 26, 27 or 28; taken is 16"),
        ("kind", "WS2811", "strip.json: kind = 'WS2811': allowed is WS2812 or SK6812; taken is WS2812"),
        ("max_mA", 20001, "strip.json: max_mA = 20001: allowed is a whole number from 100 to 20000; taken is 500"),
        ("max_mA", 99, "strip.json: max_mA = 99: allowed is a whole number from 100 to 20000; taken is 500"),
        ("lamps", 12, "strip.json: lamps is unknown"),
    ],
)
def test_a_setting_that_is_wrong_is_named(start: StartBoard, key: str, value: object, sentence: str) -> None:
    assert start(**{key: value}).greeting == [sentence.encode()]


def test_a_limit_that_leaves_no_light_is_named(start: StartBoard) -> None:
    sentence = b"strip.json: max_mA = 200 leaves no light: 300 lamps take that much at rest"
    assert start(leds=300, max_mA=200).greeting == [sentence]


# --- the board -------------------------------------------------------------------------------------------------------


def test_a_watchdog_of_4_s_is_started(board: Board) -> None:
    assert board.told[1] == "watchdog 4000"


@pytest.mark.parametrize("waiting", [True, False])
def test_the_watchdog_is_fed_each_second_at_least(board: Board, waiting: bool) -> None:
    if not waiting:
        board.send(change(DARK))
        board.wait(500)
    before = board.meals()
    board.wait(4000)
    assert board.meals() - before >= 4


def test_the_watchdog_is_fed_while_bytes_pour_in(board: Board) -> None:
    before = board.meals()
    board.answers(b"\n" * 50_000)
    assert board.meals() - before > 50_000 / 100


def test_ctrl_c_on_the_line_is_a_byte_like_others(board: Board) -> None:
    assert board.answers(b"\x03\x03\r\x01\x04v") == [b"LuckyPaw 1"]


def test_asked_for_the_repl_it_starts_anew(board: Board) -> None:
    board.send(b'{"kit":{"repl":true}}\n')
    board.ended()
    assert board.told[-1] == "reset"


def test_a_false_wish_for_the_repl_is_none(board: Board) -> None:
    assert board.answers(b'{"kit":{"seq":1,"repl":false}}\n') == [b'{"kit":{"seq":1,"crc":%d}}' % crc(DARK)]


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
        assert self._process.stdout is not None
        os.set_blocking(self._process.stdout.fileno(), False)

    def __enter__(self) -> "Terminal":
        return self

    def __exit__(self, *_: object) -> None:
        self._process.kill()
        self._process.communicate()

    def type(self, text: str) -> None:
        """Write to the line."""
        assert self._process.stdin is not None
        self._process.stdin.write(text.encode())
        self._process.stdin.flush()

    def says(self, wanted: str) -> bool:
        """Whether this comes, within 5 s."""
        assert self._process.stdout is not None
        output = self._process.stdout

        def heard() -> bool:
            self.text += (output.read() or b"").decode()
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
    with Terminal(tmp_path) as terminal:
        time.sleep(0.3)
        terminal.interrupt()
        assert terminal.says("KeyboardInterrupt")
        assert terminal.is_at_the_repl()


def test_the_line_is_not_taken_before_the_first_second_is_over(tmp_path: Path) -> None:
    with Terminal(tmp_path) as terminal:
        begin_s = time.monotonic()
        assert terminal.says("watchdog 4000")
        assert time.monotonic() - begin_s > 0.9


def test_later_ctrl_c_is_switched_off(tmp_path: Path) -> None:
    with Terminal(tmp_path, "live") as terminal:
        terminal.type("v")
        assert terminal.says("LuckyPaw 1")
        assert not terminal.minds_ctrl_c()


def test_asked_for_the_repl_it_is_there_after_the_start(tmp_path: Path) -> None:
    (tmp_path / "repl").touch()
    with Terminal(tmp_path, "live") as terminal:
        assert terminal.is_at_the_repl()


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
        assert terminal.says("Error: ")
        assert terminal.is_at_the_repl()


def test_a_program_that_fails_at_work_says_why_and_starves_the_watchdog(tmp_path: Path) -> None:
    with Terminal(tmp_path, "live", "torn_wire") as terminal:
        assert terminal.says("OSError: torn")
        terminal.type(
            "import machine, time\r\nmeals = machine.fed\r\ntime.sleep(0.3)\r\nprint('more', machine.fed - meals)\r\n"
        )
        assert terminal.says("more 0")


# --- fuzz ------------------------------------------------------------------------------------------------------------

NOISE = 1_000_000  # bytes
LINES = 100_000
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
    last_answer: bytes
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
        last = board.answers(LAST)[-1]
        board.wait(500)
        return Fuzzed(unanswered, last, lamps(board), board.memory() - before)


def noise() -> Iterator[bytes]:
    """Random bytes, a hundred at a time."""
    dice = random.Random(SEED)
    return (dice.randbytes(100) for _ in range(NOISE // 100))


def bad_lines() -> Iterator[bytes]:
    """Lines that were good, four at a time."""
    dice = random.Random(SEED)
    return (b"\n".join(mutated(dice.choice(GOOD_LINES), dice) for _ in range(4)) for _ in range(LINES // 4))


@pytest.fixture(scope="module", params=[noise, bad_lines], ids=["a million bytes", "100,000 spoilt lines"])
def fuzzed(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Fuzzed:
    """What is left of a board after all that."""
    return fuzz(tmp_path_factory.mktemp("fuzzed"), request.param())


def test_the_line_after_noise_is_always_answered(fuzzed: Fuzzed) -> None:
    assert fuzzed.unanswered == []


def test_a_picture_after_noise_is_shown_right(fuzzed: Fuzzed) -> None:
    assert fuzzed.shown == (*(RED,) * 6, *(BLUE,) * 6)


def test_a_picture_after_noise_is_answered_right(fuzzed: Fuzzed) -> None:
    assert fuzzed.last_answer == b'{"kit":{"seq":999999,"crc":%d}}' % crc((*(RED,) * 6, *(BLUE,) * 6))


def test_memory_stays_flat_whatever_comes(fuzzed: Fuzzed) -> None:
    assert abs(fuzzed.grown) <= 2048
