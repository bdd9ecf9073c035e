"""The stand-in for a WLED on a serial port of its own, in real time, to be pulled and plugged."""

import os
import pty
import select
import time
import tty
from pathlib import Path
from threading import Event, Thread

from hardware.strip import OFF, Pixels
from tests.simulators.wled import Wled

TICK_S = 0.01


class PluggedWled:
    """A WLED whose port keeps its name when it is unplugged and plugged in again; it starts unplugged."""

    def __init__(self, folder: Path, leds: int) -> None:
        self.port = folder / "luckypaw-strip"
        self.wled = Wled(leds)
        self._leds = leds
        self._ends: tuple[int, int] | None = None
        self._pulled = Event()
        self._thread = Thread()

    @property
    def lamps(self) -> Pixels:
        """The light that comes out; dark while unplugged."""
        return (OFF,) * self._leds if self._ends is None else self.wled.lamps

    def plug(self) -> None:
        """Give it power; it takes a moment to start."""
        ours, line = self._ends = pty.openpty()  # the line's end stays open: without any there is nothing to read
        tty.setraw(line)
        self.wled.start(time.monotonic())
        self._pulled.clear()
        self._thread = Thread(target=self._run, args=(ours,))
        self._thread.start()
        self.port.symlink_to(os.ttyname(line))

    def unplug(self) -> None:
        """Pull the plug; the port goes away."""
        if self._ends is None:
            return
        self.port.unlink()
        self._pulled.set()
        self._thread.join()
        for end in self._ends:
            os.close(end)
        self._ends = None

    def _run(self, end: int) -> None:
        while not self._pulled.is_set():
            ready, _, _ = select.select([end], (), (), TICK_S)
            now_s = time.monotonic()
            said = self.wled.hear(now_s, os.read(end, 4096)) if ready else self.wled.tick(now_s)
            os.write(end, said)
