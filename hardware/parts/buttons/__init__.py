"""Buttons: report every raw edge with the time it happened. Players' buttons and the control's push alike."""

from collections.abc import Callable
from typing import Literal, NamedTuple, Protocol, TypeAlias

# what made the stamp: the kernel with the edge, our callback later, or the panel's server on arrival
Source: TypeAlias = Literal["kernel", "callback", "virtual"]


class Edge(NamedTuple):
    """A raw change of one line. `at_ns` is CLOCK_MONOTONIC, comparable within one boot."""

    button: str  # the name of the part: a player's button, or "ok", "up", "down"
    down: bool
    at_ns: int
    source: Source = "virtual"
    replaced: bool = False  # its stamp may have replaced that of an earlier edge: the line may have moved sooner
    lost_ns: int = 0  # edges before it were lost: the line may have moved so much sooner
    read_ns: int = 0  # when the line was read after that loss; its own stamp: no edge, but this reading

    @property
    def is_reading(self) -> bool:
        """Whether this is no edge, but a reading of the line after a loss."""
        return self.at_ns == self.read_ns


class Buttons(Protocol):
    """Reports every raw edge, on any thread, in no promised order."""

    def listen(self, on_edge: Callable[[Edge], None]) -> None:
        """Report to this callback from now on. It must not block and must not raise."""
        ...

    def down(self, button: str) -> bool | None:
        """Whether the line reads pressed now; None for a part that does not work."""
        ...

    def close(self) -> None:
        """Let go of the lines."""
        ...
