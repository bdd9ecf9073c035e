"""What goes over the strip's serial line, pure: WLED's JSON lines and one-letter commands, and our one key more.

A controller has no other framing than the end of a document, so each line ends with a line feed: WLED throws away the
one byte after a document, and reads what is left of a broken one as commands, some of which change the baud rate.
Hence plain ASCII only, and lines that fit a receive buffer of 256 bytes. docs/protocol.md tells it all.
"""

import json
from binascii import crc32
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from hardware.strip import OFF, Colour, Pixels, as_bytes

BAUD = 115_200
VERSION = b"v"  # answered by one line, a name and a version: `WLED 2508020`
SHOWN = b"l"  # answered by one line, the pixels that are shown; see `parse_pixels`
ABOUT = b'{"v":true}\n'  # answered by one line; see `parse_count`
NAMES = (b"WLED ", b"LuckyPaw ")  # how the answer to `VERSION` begins
MAX_LINE = 255  # bytes of a line, its line feed included
MAX_SEQ = 999_999

_ON = b'{"on":true,"bri":255}\n'  # WLED may have been left off or dimmed; a document that switches it on cannot paint
_START = '{"seg":{"id":0,"i":['
_END = "]}}\n"


class Run(NamedTuple):
    """Lamps of one colour side by side."""

    start: int
    stop: int  # not included
    colour: Colour


class Seen(NamedTuple):
    """Our controller's answer to a picture's last line."""

    seq: int
    crc: int


def full(pixels: Pixels, seq: int) -> tuple[bytes, ...]:
    """A whole picture, to be sent as it stands: no pause is needed in or between the lines.

    Every lamp is named, the dark ones too: only the first painting of a running WLED clears what was shown before. That
    freezes its effect, so that what follows only adds. `seq` comes back from our own controller.
    """
    return (_ON, *_lines(_runs(pixels, range(len(pixels))), f']}},"kit":{{"seq":{seq}}}}}\n'))


def change(old: Pixels, new: Pixels) -> tuple[bytes, ...]:
    """What makes the new picture of an old one of the same length: only lamps that differ."""
    return _lines(_runs(new, [n for n in range(len(new)) if new[n] != old[n]]), _END)


def fitted(pixels: Pixels, leds: int) -> Pixels:
    """A picture for so many lamps, cut off or with dark ones added."""
    return (*pixels[:leds], *[OFF] * (leds - len(pixels)))


def checksum(pixels: Pixels) -> int:
    """What our controller says of a picture: the CRC-32 of red, green and blue of each lamp."""
    return crc32(as_bytes(pixels))


def is_version(line: bytes) -> bool:
    """Whether this is a strip controller's answer to `VERSION`."""
    return line.startswith(NAMES) and line.isascii() and line.decode().strip().isprintable()


def parse_count(line: bytes) -> int | None:
    """How many lamps there are, by an answer to `ABOUT`; None where the line is something else."""
    try:
        count = json.loads(line)["info"]["leds"]["count"]
    except (ValueError, LookupError, TypeError):
        return None
    return count if type(count) is int else None


def parse_seen(line: bytes) -> Seen | None:
    """Which picture our controller has, and its checksum; None where the line is something else."""
    try:
        found: dict[str, Any] = json.loads(line)["kit"]
        seen = Seen(found["seq"], found["crc"])
    except (ValueError, LookupError, TypeError):
        return None
    return seen if type(seen.seq) is type(seen.crc) is int else None


def parse_pixels(line: bytes) -> Pixels:
    """The pixels of an answer to `SHOWN`, a JSON array. Raises `ValueError`.

    A pixel is a number, 0xWWRRGGBB (the white is left out here), or a string "RRGGBB". A WLED that corrects colours
    answers with the corrected ones.
    """
    text = line.strip()
    if text[:1] != b"[" or text[-1:] != b"]":
        raise ValueError(f"not an array of pixels: {line!r}")
    words = text[1:-1].split(b",")
    return tuple(map(_pixel, words)) if words != [b""] else ()


def _lines(runs: Iterable[Run], end: str) -> tuple[bytes, ...]:
    """As few lines as hold the runs; the last one ends with `end`."""
    done: list[str] = []
    line = _START
    for run in map(_written, runs):
        comma = "" if line.endswith("[") else ","
        if len(line) + len(comma) + len(run) + len(end) > MAX_LINE:
            done.append(line + _END)
            line, comma = _START, ""
        line += comma + run
    return tuple(text.encode("ascii") for text in (*done, line + end))


def _runs(pixels: Pixels, places: Iterable[int]) -> Iterator[Run]:
    """The runs that cover these places, which are in order."""
    run: Run | None = None
    for n in places:
        if run is not None and n == run.stop and pixels[n] == run.colour:
            run = Run(run.start, n + 1, run.colour)
            continue
        if run is not None:
            yield run
        run = Run(n, n + 1, pixels[n])
    if run is not None:
        yield run


def _written(run: Run) -> str:
    place = f"{run.start}" if run.stop == run.start + 1 else f"{run.start},{run.stop}"
    return f'{place},"{bytes(run.colour).hex().upper()}"'


def _pixel(word: bytes) -> Colour:
    word = word.strip()
    if word.isdigit():
        return Colour(*(int(word) & 0xFFFFFF).to_bytes(3, "big"))
    if word[:1] == word[-1:] == b'"':
        colour = bytes.fromhex(word[1:-1].decode("ascii"))
        if len(colour) == 3:
            return Colour(*colour)
    raise ValueError(f"not a pixel: {word!r}")
