"""The strip's serial protocol, pure: WLED's JSON lines and one-letter commands, and a key of our own, `kit.seq`.

The end of a document is the only framing, so each line ends with a line feed: WLED drops the one byte after a document,
and reads the rest of a broken one as commands, some of which change the baud rate. Hence plain ASCII only, and lines
that fit a receive buffer of 256 bytes. Defined in docs/protocol.md.
"""

import json
from binascii import crc32
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from hardware.parts.strip import OFF, Colour, Pixels, as_bytes

BAUD = 115_200
VERSION = b"v"  # answered by one line, name and version: `WLED 2605010`
SHOWN = b"l"  # answered by one line, the pixels shown; see `parse_pixels`
ABOUT = b'{"v":true}\n'  # answered by one line; see `answer.compare`
OURS = b"LuckyPaw "
NAMES = (b"WLED ", OURS)  # the beginning of an answer to `VERSION`
MAX_LINE = 255  # bytes of a line, its line feed included
MAX_SEQ = 999_999

_ON = b'{"on":true,"bri":255}\n'  # WLED may be off or dimmed; a document that switches it on cannot set pixels
_START = '{"seg":{"id":0,"i":['
_END = "]}}\n"


class ColourRun(NamedTuple):
    """Lamps of one colour side by side."""

    start: int
    stop: int  # not included
    colour: Colour


class Seen(NamedTuple):
    """Our controller's answer to a picture's last line."""

    seq: int
    crc: int


def full(pixels: Pixels, seq: int) -> tuple[bytes, ...]:
    """A whole picture, to be sent without pauses.

    Every lamp is set, the dark ones too: only the first setting of pixels clears a running WLED, and freezes its
    effect; later ones only add. `seq` comes back from our own controller.
    """
    return (_ON, *_lines(_runs(pixels, range(len(pixels))), f']}},"kit":{{"seq":{seq}}}}}\n'))


def change(old: Pixels, new: Pixels) -> tuple[bytes, ...]:
    """The lines that turn an old picture into a new one of the same length: only lamps that differ."""
    return _lines(_runs(new, [n for n in range(len(new)) if new[n] != old[n]]), _END)


def fitted(pixels: Pixels, leds: int) -> Pixels:
    """A picture for so many lamps, cut off or filled up with dark ones."""
    return (*pixels[:leds], *[OFF] * (leds - len(pixels)))


def document(content: dict[str, Any]) -> bytes:
    """A line that sets something else than pixels."""
    return json.dumps(content, separators=(",", ":")).encode("ascii") + b"\n"


def checksum(pixels: Pixels) -> int:
    """The checksum by which our controller confirms a picture: the CRC-32 of red, green and blue of each lamp."""
    return crc32(as_bytes(pixels))


def is_version(line: bytes) -> bool:
    """Whether this is a strip controller's answer to `VERSION`."""
    return line.startswith(NAMES) and line.isascii() and line.decode().strip().isprintable()


def build(version: bytes) -> int | None:
    """The build of a WLED in its answer to `VERSION`: year, month, day and its number on that day."""
    word = version.removeprefix(NAMES[0]).strip()
    return int(word) if word.isdigit() else None


def parse_seen(line: bytes) -> Seen | None:
    """Number and checksum of the picture that our controller confirms; None for any other line."""
    try:
        kit: dict[str, Any] = json.loads(line)["kit"]
        seen = Seen(kit["seq"], kit["crc"])
    except (ValueError, LookupError, TypeError):
        return None
    return seen if type(seen.seq) is type(seen.crc) is int else None


def parse_pixels(line: bytes) -> Pixels:
    """The pixels of an answer to `SHOWN`, a JSON array. Raises `ValueError`.

    A pixel is a number, 0xWWRRGGBB (white is dropped), or a string "RRGGBB". A WLED that corrects colours answers with
    the corrected ones.
    """
    text = line.strip()
    if text[:1] != b"[" or text[-1:] != b"]":
        raise ValueError(f"not an array of pixels: {line!r}")
    words = text[1:-1].split(b",")
    return tuple(map(_pixel, words)) if words != [b""] else ()


def _lines(runs: Iterable[ColourRun], end: str) -> tuple[bytes, ...]:
    """The fewest lines that hold the runs; the last one ends with `end`."""
    done: list[str] = []
    line = _START
    for run in map(_written, runs):
        comma = "" if line.endswith("[") else ","
        if len(line) + len(comma) + len(run) + len(end) > MAX_LINE:
            done.append(line + _END)
            line, comma = _START, ""
        line += comma + run
    return tuple(text.encode("ascii") for text in (*done, line + end))


def _runs(pixels: Pixels, places: Iterable[int]) -> Iterator[ColourRun]:
    """The runs that cover these lamps, given in order."""
    run: ColourRun | None = None
    for n in places:
        if run is not None and n == run.stop and pixels[n] == run.colour:
            run = ColourRun(run.start, n + 1, run.colour)
            continue
        if run is not None:
            yield run
        run = ColourRun(n, n + 1, pixels[n])
    if run is not None:
        yield run


def _written(run: ColourRun) -> str:
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
