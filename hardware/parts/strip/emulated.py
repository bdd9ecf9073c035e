"""The LED strip without hardware: decodes the lines of a real one for the panel or a test."""

import json
from collections.abc import Callable
from threading import RLock
from typing import Any

from hardware.parts import Report
from hardware.parts.strip import OFF, Colour, Pixels, wire
from hardware.words import N_


class EmulatedStrip:
    """The emulated twin. Synchronous, for any thread; dark while unplugged, as a controller powered by its cable."""

    def __init__(self, leds: int, report: Report) -> None:
        self.leds = leds
        self._report = report
        self._lock = RLock()  # held during `on_pixels`, so that an older picture is never reported last
        self._newest: Pixels = (OFF,) * leds
        self._controller: _Controller | None = _Controller(leds)
        self._seen = self._newest
        self._on_pixels: Callable[[Pixels], None] | None = None

    @property
    def pixels(self) -> Pixels:
        """The pixels shown now."""
        with self._lock:
            return self._seen

    def watch(self, on_pixels: Callable[[Pixels], None]) -> None:
        """Call this with the pixels shown: now, and at each change on its thread. It must not block."""
        with self._lock:
            self._on_pixels = on_pixels
            on_pixels(self._seen)

    def show(self, pixels: Pixels, *, calm: bool = True) -> None:
        """Show a picture of `leds` pixels, or keep it until the strip is plugged in again."""
        with self._lock:
            self._newest = pixels
            self._refresh()

    def unplug(self) -> None:
        """Unplug the strip; the loss is reported."""
        with self._lock:
            if self._controller is None:
                return
            self._controller = None
            self._refresh()
        self._report("strip", N_("strip lost: unplugged"))

    def replug(self) -> None:
        """Plug the strip in, with the newest picture; its return is reported."""
        with self._lock:
            if self._controller is not None:
                return
            self._controller = _Controller(self.leds)
            self._refresh()
        self._report("strip", None)

    def close(self) -> None:
        """Strip off."""
        self.show((OFF,) * self.leds)

    def _refresh(self) -> None:
        seen: Pixels = (OFF,) * self.leds
        if self._controller is not None:
            for line in wire.full(self._newest, 1):
                self._controller.take(line)
            seen = self._controller.lamps
        if seen != self._seen:
            self._seen = seen
            if self._on_pixels is not None:
                self._on_pixels(seen)


class _Controller:
    """A WLED that reads the lines of `wire`: one segment, its pixels set one by one."""

    def __init__(self, leds: int) -> None:
        self._pixels = [OFF] * leds
        self._on = True
        self._brightness = 128  # WLED's own after power-up
        self._frozen = False

    @property
    def lamps(self) -> Pixels:
        """The visible colours."""
        level = self._brightness if self._on else 0
        return tuple(Colour(*(part * level // 255 for part in pixel)) for pixel in self._pixels)

    def take(self, line: bytes) -> None:
        """Apply one line."""
        document: dict[str, Any] = json.loads(line)
        self._on = document.get("on", self._on)
        self._brightness = document.get("bri", self._brightness)
        if "seg" in document and not self._frozen:
            self._frozen = True
            self._pixels = [OFF] * len(self._pixels)
        place: list[int] = []
        for item in document.get("seg", {"i": []})["i"]:
            if isinstance(item, int):
                place.append(item)
                continue
            start = place[0]
            stop = place[1] if len(place) == 2 else start + 1
            self._pixels[start:stop] = [Colour(*bytes.fromhex(item))] * (stop - start)
            place = []
