"""The stand-in for a WLED on a serial port of its own, in real time, to be pulled and plugged."""

import time
from contextlib import ExitStack
from pathlib import Path

from hardware.parts.strip import OFF, Pixels
from tests.simulators.ports import device
from tests.simulators.wled import Wled


class PluggedWled:
    """A WLED whose port keeps its name when it is unplugged and plugged in again; it starts unplugged."""

    def __init__(self, folder: Path, leds: int) -> None:
        self.port = folder / "luckypaw-strip"
        self.wled = Wled(leds)
        self._power = ExitStack()
        self._on = False

    @property
    def lamps(self) -> Pixels:
        """The light that comes out; dark while unplugged."""
        return self.wled.lamps if self._on else (OFF,) * self.wled.leds

    def plug(self) -> None:
        """Give it power; it takes a moment to start."""
        self.wled.start(time.monotonic())
        self._power.enter_context(device(self.port, self._answer))
        self._on = True

    def unplug(self) -> None:
        """Pull the plug; the port goes away."""
        self._power.close()
        self._on = False

    def _answer(self, data: bytes) -> bytes:
        now_s = time.monotonic()
        return self.wled.hear(now_s, data) if data else self.wled.tick(now_s)
