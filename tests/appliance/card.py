"""The card in the machine: what its display and its lamps tell while the folder is looked at."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from threading import Event, Thread

from tests.appliance.machine import MACHINE
from tests.simulators.reading import text
from tests.simulators.real_table import Glass
from tests.simulators.sim_chip import CONFIGFS, Lines

CARD = "luckypaw-card.service"
BOOT = MACHINE / "boot/firmware"
FOLDER = BOOT / "luckypaw"
HOME = MACHINE / "opt/luckypaw"
INSTALL_S = 300.0
TOLD_S = 60.0
LAMP = 12  # of the first player


class Seen:
    """What people have seen so far: texts of the display, flashes of the first lamp, each with its time in seconds."""

    def __init__(self, note: Path | None = None) -> None:
        """`note`: a file that gets each new text as a line."""
        self._texts: list[tuple[float, str]] = []
        self._flashes: list[float] = []
        self._lit = 0
        self._pixels = b""
        self._note = note

    @property
    def told(self) -> list[str]:
        """The texts, in their order."""
        return [told for _, told in self._texts]

    def flashes(self, beginning: str) -> int:
        """How often the lamp has flashed since this was told."""
        times = [at for at, told in self._texts if told.startswith(beginning)]
        return sum(at > times[0] for at in self._flashes) if times else 0

    def read(self, glass: Glass) -> None:
        """Look at the display, and at what it has shown since the last look."""
        for since_ns, picture in glass.pictures():
            if (pixels := picture.tobytes()) == self._pixels:
                continue
            self._pixels, told = pixels, text(picture)
            if self._texts and self._texts[-1][1] == told:
                continue  # the bar has moved
            self._texts.append((since_ns / 1e9, told))
            if self._note is not None:
                with self._note.open("a") as file:
                    file.write(f"{told}\n")

    def glance(self, lines: Lines) -> None:
        """Look at the lamp."""
        lit = lines.value(LAMP)
        if lit > self._lit:
            self._flashes.append(time.monotonic())
        self._lit = lit


@contextmanager
def watching(note: Path | None = None, *, since_power_on: bool = False) -> Iterator[Seen]:
    """What is seen meanwhile, looked at by threads of their own: a flash is shorter than a picture takes to read."""
    glass, lines, seen, over = Glass(), Lines(CONFIGFS / "table"), Seen(note), Event()
    if not since_power_on:
        glass.picture()

    def again(look: Callable[[], None]) -> None:
        while not over.wait(0.02):
            look()

    threads = [Thread(target=again, args=(look,)) for look in (partial(seen.read, glass), partial(seen.glance, lines))]
    for thread in threads:
        thread.start()
    try:
        yield seen
    finally:
        over.set()
        for thread in threads:
            thread.join()
        glass.close()
        lines.close()


def left_over() -> set[str]:
    """What an installation has begun on the machine and not finished; nothing of it may stay."""
    releases = {path.name for path in (HOME / "releases").iterdir()}
    whole = {name for name in releases if (HOME / "releases" / name / "whole").exists()}
    besides = {
        path.name for path in HOME.iterdir() if path.name in {"incoming", "wheels"} or path.suffix in {".new", ".old"}
    }
    return releases - whole | besides
