"""The control of the table: a rotary knob with push, or three buttons ▲ ▼ OK."""

from collections.abc import Callable
from typing import NamedTuple, Protocol

from hardware.parts.buttons import Edge


class Turn(NamedTuple):
    """The knob was turned or an arrow pressed. Positive: clockwise, or ▲."""

    steps: int
    at_ns: int
    knob: bool  # in a list clockwise is the next row, ▲ the one before; both add to a number


class Control(Protocol):
    """Reports turns, and the raw edges of OK and of arrows (`ok`, `up`, `down`), on any thread."""

    knob: bool  # a knob is fitted; else ▲ ▼ OK

    def listen(self, on_turn: Callable[[Turn], None], on_edge: Callable[[Edge], None]) -> None:
        """Report to these callbacks from now on. They must not block and must not raise."""
        ...

    def down(self, button: str) -> bool | None:
        """Whether the line reads pressed now; None for one that does not work, or that there is not."""
        ...

    def close(self) -> None:
        """Let go of the lines."""
        ...
