"""A model of our own controller in virtual time: what docs/protocol.md says of it, for the other end of a virtual line.

The controller's real program runs in a real MicroPython in tests/test_strip_controller.py.
"""

import json
from typing import Any

from hardware.parts.strip import Colour, Pixels, wire

IDLE = Colour(40, 24, 8)


class OwnController:
    """A strip's controller; it answers as soon as a line has come."""

    def __init__(self, leds: int, version: str = "1") -> None:
        self.leds = leds
        self._version = version
        self.refused = 0  # lines
        self.start(0.0)

    def start(self, now_s: float) -> None:
        """Take the power away and bring it back."""
        self.pixels: Pixels = (IDLE,) * self.leds
        self.on, self.brightness = True, 255
        self._line = b""

    @property
    def lamps(self) -> Pixels:
        """The light that comes out, once it has faded in."""
        level = self.brightness if self.on else 0
        return tuple(Colour(*(part * level // 255 for part in pixel)) for pixel in self.pixels)

    def tick(self, now_s: float) -> bytes:
        """Nothing is said later than at once."""
        return b""

    def hear(self, now_s: float, data: bytes) -> bytes:
        """Take what comes; what is said to it."""
        said = b""
        for byte in data:
            letter = bytes([byte])
            if not self._line and letter != b"{":
                said += {b"v": f"LuckyPaw {self._version}\r\n".encode(), b"l": self._shown()}.get(letter, b"")
            elif letter != b"\n":
                self._line += letter
            else:
                said += self._obey(self._line)
                self._line = b""
        return said

    def _shown(self) -> bytes:
        return json.dumps([int.from_bytes(bytes(pixel), "big") for pixel in self.pixels]).encode() + b"\r\n"

    def _obey(self, line: bytes) -> bytes:
        try:
            document = json.loads(line)
            seq, pixels = self._read(document)
        except (ValueError, LookupError, TypeError, AttributeError):
            self.refused += 1
            return b'{"error":20}\r\n'
        self.pixels = pixels
        self.on, self.brightness = document.get("on", self.on), document.get("bri", self.brightness)
        if document.get("v"):
            info = {"ver": self._version, "name": "Lucky Paw", "leds": {"count": self.leds}}
            state = {"on": self.on, "bri": self.brightness}
            return json.dumps({"state": state, "info": info}).encode() + b"\r\n"
        if seq is None:
            return b""
        return json.dumps({"kit": {"seq": seq, "crc": wire.checksum(pixels)}}).encode() + b"\r\n"

    def _read(self, document: dict[str, Any]) -> tuple[int | None, Pixels]:
        pixels = list(self.pixels)
        places: list[int] = []
        for item in document.get("seg", {}).get("i", []):
            if isinstance(item, int):
                places.append(item)
                continue
            if len(places) > 2:
                raise ValueError(places)
            start = places[0]
            stop = places[1] if len(places) == 2 else start + 1
            if len(item) != 6 or not 0 <= start < stop <= self.leds:
                raise ValueError(item)
            pixels[start:stop] = [Colour(*bytes.fromhex(item))] * (stop - start)
            places = []
        if places:
            raise ValueError(places)
        return document.get("kit", {}).get("seq"), tuple(pixels)
