"""Everything that can go wrong on a serial line: in virtual time as a function, in real time as a port."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from random import Random
from threading import Event, Thread
from time import monotonic

from hardware.parts.strip import Pixels
from tests.simulators.own_controller import OwnController
from tests.simulators.ports import plugged, serve


class Storm:
    """What arrives of what is sent: bytes are lost, doubled, changed and made up; resets; unplugging as `OSError`.

    Noise never has the bytes 0xB0 to 0xB7: they change a WLED's baud rate for good, and no host can mend that.
    """

    def __init__(self, seed: int, reset: Callable[[float], None]) -> None:
        self._dice = Random(seed)
        self._reset = reset
        self.until_s = 0.0  # the end of this burst
        self.bursts = 0

    def __call__(self, now_s: float, data: bytes) -> bytes:
        if now_s >= self.until_s:
            return data
        what = self._dice.random() if data else 10 * self._dice.random()
        if what < 0.01:
            self._reset(now_s)
            return b""
        if what < 0.02:
            raise OSError("unplugged")
        return b"".join(map(self._spoilt, data))

    def _spoilt(self, byte: int) -> bytes:
        if self._dice.random() < 0.97:
            return bytes([byte])
        other = self._dice.randrange(128)
        return self._dice.choice((b"", bytes([byte, byte]), bytes([other]), bytes([byte, other])))


class StormyPort:
    """A controller on a port in an endless storm: besides, it is plugged in anew under other names all the time."""

    def __init__(self, folder: Path, leds: int, seed: int = 1) -> None:
        self.port = folder / "luckypaw-strip"  # a link that keeps its name, as udev makes it
        self.plugs = 0
        self._controller = OwnController(leds)
        self._storm = Storm(seed, self._controller.start)
        self._storm.until_s = float("inf")
        self._dice = Random(seed)
        self._calm, self._over = Event(), Event()
        self._until_s = 0.0  # the end of this plug
        self._thread = Thread(target=self._run)

    def _run(self) -> None:
        while not self._over.is_set():
            with suppress(OSError), plugged(self.port) as far:
                self.plugs += 1
                self._until_s = monotonic() + self._dice.uniform(0.05, 2.0)
                serve(far, self._answer, self._unplugged)
            self._over.wait(self._dice.uniform(0.0, 0.2))

    def _unplugged(self) -> bool:
        return self._over.is_set() or (monotonic() >= self._until_s and not self._calm.is_set())

    def _answer(self, data: bytes) -> bytes:
        now_s = monotonic()
        said = self._storm(now_s, self._controller.hear(now_s, self._storm(now_s, data)))
        noisy = self._dice.random() < 0.1 and not self._calm.is_set()
        return said + bytes(self._dice.randrange(128) for _ in range(self._dice.randrange(20) if noisy else 0))

    @property
    def pixels(self) -> Pixels:
        """What the controller shows."""
        return self._controller.pixels

    def calm_down(self) -> None:
        """From now on nothing goes wrong; plugged in it stays so."""
        self._storm.until_s = 0.0
        self._calm.set()

    @contextmanager
    def raging(self) -> Iterator[str]:
        """The port's name while the storm lasts."""
        self._thread.start()
        try:
            yield str(self.port)
        finally:
            self._over.set()
            self._thread.join()
