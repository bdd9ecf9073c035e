"""What goes over the strip's serial line: WLED's JSON lines and one-letter commands, pure.

A controller has no other framing than the end of a document, so each line ends with a line feed: WLED throws away the
one byte after a document, and reads what is left of a broken one as commands, some of which change the baud rate.
Hence plain ASCII only, and lines that fit a receive buffer of 256 bytes.
"""

from hardware.strip import Colour, Pixels

BAUD = 115_200
VERSION = b"v"  # answered by one line, a name and a version: `WLED 2508020`
SHOWN = b"l"  # answered by one line, the pixels that are shown; see `parse_pixels`
LONGEST = 255  # bytes of a line, its line feed included

_FIRST = '{"on":true,"bri":255,"seg":{"id":0,"i":['  # full brightness; WLED may have been left off or dimmed
_MORE = '{"seg":{"id":0,"i":['
_END = "]}}\n"


def lines(pixels: Pixels) -> tuple[bytes, ...]:
    """A whole picture, to be sent as it stands: no pause is needed in or between the lines.

    Runs of one colour are `start,stop,"RRGGBB"`, stop not included, or `start,"RRGGBB"` for a single pixel. Every pixel
    is named, the dark ones too: only the first line to a running WLED clears what was shown before. That line freezes
    its effect, so that the lines after it only add.
    """
    done: list[str] = []
    line = _FIRST
    for run in _runs(pixels):
        comma = "" if line.endswith("[") else ","
        if len(line) + len(comma) + len(run) + len(_END) > LONGEST:
            done.append(line + _END)
            line, comma = _MORE, ""
        line += comma + run
    return tuple(text.encode("ascii") for text in (*done, line + _END))


def is_version(line: bytes) -> bool:
    """Whether this can be the answer to `VERSION`: words in plain ASCII. An echo or a JSON line is none."""
    plain = line.isascii() and line.decode().strip().isprintable()
    return plain and line[:1].isalpha() and len(line.split()) > 1


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


def _runs(pixels: Pixels) -> list[str]:
    runs: list[str] = []
    start = 0
    for stop in range(1, len(pixels) + 1):
        if stop == len(pixels) or pixels[stop] != pixels[start]:
            red, green, blue = pixels[start]
            place = f"{start}" if stop == start + 1 else f"{start},{stop}"
            runs.append(f'{place},"{red:02X}{green:02X}{blue:02X}"')
            start = stop
    return runs


def _pixel(word: bytes) -> Colour:
    word = word.strip()
    if word.isdigit():
        return Colour(*(int(word) & 0xFFFFFF).to_bytes(3, "big"))
    if word[:1] == word[-1:] == b'"':
        colour = bytes.fromhex(word[1:-1].decode("ascii"))
        if len(colour) == 3:
            return Colour(*colour)
    raise ValueError(f"not a pixel: {word!r}")
