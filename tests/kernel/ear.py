"""Listens to a pin, and waits for what it says."""

from collections.abc import Iterable
from queue import Empty, SimpleQueue
from typing import Any, NamedTuple

from tests.simulators.waiting import PATIENCE_S

QUIET_S = 0.1  # long enough for an edge that should not come


class Heard(NamedTuple):
    """One call of `when_changed`."""

    ticks: float
    level: int
    pin: int


class Ear:
    """What pins have called back with, in the order it came. It must be kept: a pin holds no reference of its own."""

    def __init__(self) -> None:
        self._heard: SimpleQueue[Heard] = SimpleQueue()
        self._handlers: list[Any] = []

    def listen(self, factory: Any, *numbers: int, pull: str = "up", edges: str = "both") -> None:
        """Hear these pins, as inputs."""
        for number in numbers:
            pin = factory.pin(number)
            pin.input_with_pull(pull)
            pin.edges = edges
            self.attach(pin, number)

    def attach(self, pin: Any, number: int = 0) -> None:
        """Hear a pin that is an input already."""

        def changed(ticks: float, level: int) -> None:
            self._heard.put(Heard(ticks, int(level), number))

        self._handlers.append(changed)
        pin.when_changed = changed

    def next(self) -> Heard:
        """The next call, which must come."""
        return self._heard.get(timeout=PATIENCE_S)

    def take(self, count: int) -> list[Heard]:
        """So many calls, which must come."""
        return [self.next() for _ in range(count)]

    def is_quiet(self) -> bool:
        """Whether no further call comes."""
        try:
            self._heard.get(timeout=QUIET_S)
        except Empty:
            return True
        return False


def levels(heard: Iterable[Heard]) -> list[int]:
    """Only the levels."""
    return [call.level for call in heard]
