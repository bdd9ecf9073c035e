"""The serial line: bytes in, answers out, as docs/protocol.md defines, "The strip's serial line"."""

import time
from binascii import crc32, unhexlify

from plain_json import loads

VERSION = "1"
MAX_LINE = 1024  # bytes of a line, its line feed included
MAX_SEQ = 999999

NOT_JSON, WRONG_VALUE, TOO_LONG = 9, 20, 21


class Wrong(Exception):
    """A value of a wrong type, or out of range."""


class Line:
    """Reads the line byte by byte; a document is `{` to the next line feed."""

    def __init__(self, lamps: Lamps, say: Callable[[str], None], to_repl: Callable[[], None]) -> None:
        self._lamps = lamps
        self._say = say
        self._to_repl = to_repl
        self._text = bytearray(MAX_LINE - 1)
        self._length = 0  # may exceed the buffer
        self._seq = None  # of the current document

    def take(self, byte: int) -> None:
        """One byte of the line."""
        length = self._length
        if length:
            if byte == 0x0A:
                self._length = 0
                self._end(length)
            else:
                if length < MAX_LINE - 1:
                    self._text[length] = byte
                self._length = length + 1
        elif byte == 0x7B:  # {
            self._text[0] = byte
            self._length = 1
        elif byte == 0x76:  # v
            self._say("LuckyPaw " + VERSION)
        elif byte == 0x6C:  # l
            self._send_pixels()

    def _end(self, length: int) -> None:
        self._seq = None
        if length >= MAX_LINE:
            self._refuse(TOO_LONG)
            return
        try:
            document = loads(bytes(self._text[:length]))
        except Exception:  # another error where memory is too small
            self._refuse(NOT_JSON)
            return
        try:
            self._obey(document)
        except Wrong:
            self._refuse(WRONG_VALUE)

    def _refuse(self, error: int) -> None:
        if self._seq is None:
            self._say('{"error":%d}' % error)
        else:
            self._say('{"error":%d,"kit":{"seq":%d}}' % (error, self._seq))

    def _obey(self, document: dict) -> None:
        """Check all of a document, then apply it. Raises `Wrong` before any change."""
        lamps = self._lamps
        kit = value(document, "kit", None, dict)
        if kit is not None:
            self._seq = number(kit, "seq", None, MAX_SEQ)
        on = value(document, "on", lamps.on, bool)
        bri = number(document, "bri", lamps.bri, 255)
        asked = value(document, "v", False, bool)
        segment = value(document, "seg", {}, dict)
        number(segment, "id", 0, 0)
        items = value(segment, "i", None, list)
        strokes = None if items is None else strokes_of(items, lamps.leds)
        if kit is not None and value(kit, "repl", False, bool):
            self._to_repl()

        if strokes is not None or on != lamps.on or bri != lamps.bri or kit is not None:
            lamps.show(strokes, on, bri, kit is not None, time.ticks_ms())
        if asked:
            self._send_state()
        if self._seq is not None:
            self._say('{"kit":{"seq":%d,"crc":%d}}' % (self._seq, crc32(lamps.picture)))

    def _send_state(self) -> None:
        lamps = self._lamps
        state = '{"on":%s,"bri":%d}' % ("true" if lamps.on else "false", lamps.bri)
        info = '{"ver":"%s","name":"Lucky Paw","leds":{"count":%d}}' % (VERSION, lamps.leds)
        self._say('{"state":%s,"info":%s}' % (state, info))

    def _send_pixels(self) -> None:
        parts = self._lamps.picture
        pixels = (parts[n] << 16 | parts[n + 1] << 8 | parts[n + 2] for n in range(0, len(parts), 3))
        self._say("[%s]" % ",".join(str(pixel) for pixel in pixels))


def value(document: dict, key: str, default: object, kind: type) -> object:
    """The value of a key, of this type. Raises `Wrong`."""
    if key not in document:
        return default
    content = document[key]
    if type(content) is not kind:  # True is no number
        raise Wrong
    return content


def number(document: dict, key: str, default: object, most: int) -> int:
    """A whole number from 0 to `most`. Raises `Wrong`."""
    if key not in document:
        return default
    return whole(document[key], 0, most)


def whole(content: object, least: int, most: int) -> int:
    """A whole number in this range. Raises `Wrong`."""
    if type(content) is not int or not least <= content <= most:
        raise Wrong
    return content


def strokes_of(items: list, leds: int) -> list:
    """The strokes (start, stop, 0xRRGGBB) of a list of ranges. Raises `Wrong`."""
    strokes = []
    n = 0
    while n < len(items):
        start = whole(items[n], 0, leds - 1)
        n += 1
        stop = start + 1
        if n < len(items) and type(items[n]) is int:
            stop = whole(items[n], start + 1, leds)
            n += 1
        if n == len(items):
            raise Wrong
        strokes.append((start, stop, colour(items[n])))
        n += 1
    return strokes


def colour(text: object) -> int:
    """0xRRGGBB of "RRGGBB". Raises `Wrong`."""
    if type(text) is not str or len(text) != 6:
        raise Wrong
    try:
        return int.from_bytes(unhexlify(text), "big")
    except ValueError:
        raise Wrong from None
