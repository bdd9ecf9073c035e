"""A strip controller for MicroPython: takes WLED's serial commands on standard input; its lamps are standard error.

    micropython strip_answerer.py LEDS [START_MS]

It talks while it starts up, and misses what it is sent meanwhile. After each document that it obeys it tells its lamps,
a JSON array of 0xRRGGBB, as the strip's own line would.
"""

import json
import select
import sys
import time

TYPE_CHECKING = False  # MicroPython has no typing, and does not look at annotations
if TYPE_CHECKING:
    from typing import Any

LONGEST = 1024
VERSION = "Answerer 1"
HEX = "0123456789ABCDEFabcdef"


class Controller:
    """One segment of pixels, WLED's way."""

    def __init__(self, leds: int) -> None:
        self.pixels = [0] * leds
        self.on = True
        self.brightness = 128
        self.frozen = False

    def lamps(self) -> list[int]:
        """The light that comes out, 0xRRGGBB each."""
        level = self.brightness if self.on else 0
        parts = [[(pixel >> shift & 255) * level // 255 for shift in (16, 8, 0)] for pixel in self.pixels]
        return [red << 16 | green << 8 | blue for red, green, blue in parts]

    def obey(self, line: bytes) -> dict[str, Any] | None:
        """The answer to a document, or None. Raises ValueError; nothing has changed then."""
        document = checked(json.loads(line), dict)
        on = checked(document.get("on", self.on), bool)
        brightness = whole(document.get("bri", self.brightness), 255)
        segment = checked(document.get("seg", {}), dict)
        whole(segment.get("id", 0), 0)
        paints = strokes(checked(segment.get("i", []), list))
        verbose = checked(document.get("v", False), bool)

        self.on, self.brightness = on, brightness
        if "i" in segment and not self.frozen:
            self.frozen = True
            self.pixels = [0] * len(self.pixels)
        for start, stop, colour in paints:
            for place in range(start, min(stop, len(self.pixels))):
                self.pixels[place] = colour
        if not verbose:
            return None
        state = {"on": self.on, "bri": self.brightness}
        return {"state": state, "info": {"ver": VERSION, "leds": {"count": len(self.pixels)}}}


def checked(value: Any, kind: type) -> Any:
    """MicroPython's json takes more than JSON, so every value is looked at."""
    if type(value) is not kind:
        raise ValueError("wrong type")
    return value


def whole(value: Any, most: int) -> int:
    """A number from 0 to `most`."""
    number: int = checked(value, int)
    if not 0 <= number <= most:
        raise ValueError("out of range")
    return number


def strokes(items: list[Any]) -> list[tuple[int, int, int]]:
    """Start, stop and colour of each piece; colours in a row go on from the one before."""
    done: list[tuple[int, int, int]] = []
    places: list[int] = []
    start = 0
    for item in items:
        if type(item) is int:
            if len(places) == 2:
                raise ValueError("three numbers in a row")
            places.append(whole(item, 65535))
            continue
        start = places[0] if places else start
        stop = places[1] if len(places) == 2 and places[1] > start else start + 1
        done.append((start, stop, colour_of(item)))
        start = stop
        places = []
    if places:
        raise ValueError("numbers without a colour")
    return done


def colour_of(item: Any) -> int:
    """0xRRGGBB of "RRGGBB" or [red, green, blue]."""
    if type(item) is list and len(item) == 3:
        red, green, blue = [whole(part, 255) for part in item]
        return red << 16 | green << 8 | blue
    text: str = checked(item, str)
    if len(text) != 6 or not all(digit in HEX for digit in text):
        raise ValueError("no colour")
    return int(text, 16)


def say(text: str) -> None:
    """Answer one line."""
    sys.stdout.buffer.write(text.encode() + b"\r\n")
    sys.stdout.buffer.flush()


def start_up(milliseconds: int) -> None:
    """Talk, then forget what has come in."""
    for _ in range(milliseconds // 20):
        sys.stdout.buffer.write(b"Ada\xff boot 17\r\n[1,2\x00{")
        sys.stdout.buffer.flush()
        time.sleep(0.02)
    waiting = select.poll()
    waiting.register(sys.stdin, select.POLLIN)
    while waiting.poll(0) and sys.stdin.buffer.read(1):
        pass


def run(leds: int, start_ms: int) -> None:
    """Answer until the line is gone."""
    if start_ms:
        start_up(start_ms)
    controller = Controller(leds)
    line = b""
    while True:
        byte = sys.stdin.buffer.read(1)
        if not byte:
            return
        if line or byte == b"{":
            if byte != b"\n":
                line += byte if len(line) <= LONGEST else b""
                continue
            try:
                if len(line) > LONGEST:
                    raise ValueError("too long")
                answer = controller.obey(line)
                sys.stderr.write(json.dumps(controller.lamps()) + "\n")
                if answer is not None:
                    say(json.dumps(answer))
            except ValueError:
                say('{"error":9}')
            line = b""
        elif byte == b"v":
            say(VERSION)
        elif byte == b"l":
            say(json.dumps(controller.pixels))


run(int(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 0)
