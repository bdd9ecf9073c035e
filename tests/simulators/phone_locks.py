"""Phones that lock by themselves, and the pictures of the kit meanwhile, beside those where none does."""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from PIL import Image, ImageChops

from engine.rules import Action
from firmware.output.screens.canvas import MOON
from tests.simulators.phone import Phone
from tests.simulators.phone_evenings import Watched, WithPhones
from tests.simulators.rig import MS, S

LOCKS_S = 30  # after it was touched
THINK_MS = 8000  # before each answer
SIZE_PX = (128, 64)
MOST_MOONS = 6


class Shown(NamedTuple):
    """A picture, and when it came."""

    at_ns: int
    picture: bytes


class Locking(WithPhones):
    """People who think, and wake their phone to answer."""

    def __init__(self, rig: Watched, phones: Sequence[Phone], shown: list[Shown], *, locks: bool) -> None:
        """`shown`: gets every picture of the game. `locks`: else no phone loses its link, at the same inputs."""
        super().__init__(rig, phones)
        self._phones, self._locks = phones, locks
        self._due_ns = dict.fromkeys(range(len(phones)), rig.now_ns + LOCKS_S * S)  # by phone that is awake
        rig.display.watch(lambda picture: shown.append(Shown(rig.now_ns, picture)))

    def who(self, action: Action) -> Phone | None:
        self.think()
        self.wake(0 if action.seat is None else action.seat % len(self._phones))
        found = super().who(action)
        assert found is None or isinstance(found, Phone)
        return found

    def think(self) -> None:
        """Some time; phones lock on the way."""
        end_ns = self.rig.now_ns + THINK_MS * MS
        while self._due_ns and (due_ns := min(self._due_ns.values())) <= end_ns:
            self.rig.after(max(0, due_ns - self.rig.now_ns) / MS)
            for n in [n for n, one_ns in self._due_ns.items() if one_ns == due_ns]:
                del self._due_ns[n]
                if self._locks:
                    self._phones[n].sleep()
            self.rig.after(0)
        self.rig.after((end_ns - self.rig.now_ns) / MS)
        assert self.later_ns is not None
        self.later_ns += THINK_MS * MS

    def wake(self, n: int) -> None:
        """Somebody touches a phone."""
        if n not in self._due_ns and self._locks:
            self._phones[n].connect()
        self._due_ns[n] = self.rig.now_ns + LOCKS_S * S


def beside(one: Iterable[Shown], other: Iterable[Shown]) -> Iterator[tuple[bytes, bytes]]:
    """The pictures that stand at the same time on two kits, whenever either changes."""
    first, second = dict(one), dict(other)
    a = b = b""
    for at_ns in sorted(first.keys() | second.keys()):
        a, b = first.get(at_ns, a), second.get(at_ns, b)
        if a and b:
            yield a, b


def moons(one: bytes, other: bytes) -> int | None:
    """How many moons are all that differs between two pictures; None where anything else does."""
    images = (Image.frombytes("1", SIZE_PX, picture) for picture in (one, other))
    differs = ImageChops.logical_xor(*images)
    for found in range(MOST_MOONS):
        box = differs.getbbox()
        if box is None:
            return found
        row = differs.crop((0, box[1], SIZE_PX[0], box[1] + 1)).getbbox()
        assert row is not None
        flip(differs, row[0] - MOON[0].index("#"), box[1])
    return None


def flip(image: Image.Image, left: int, top: int) -> None:
    """Draw a moon, or take it away."""
    for down, row in enumerate(MOON):
        for across, inked in enumerate(row):
            x, y = left + across, top + down
            if inked == "#" and 0 <= x < image.width and y < image.height:
                image.putpixel((x, y), 0 if image.getpixel((x, y)) else 255)
