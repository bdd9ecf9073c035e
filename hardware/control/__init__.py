"""The control of the table: a rotary knob with push, or three buttons ▲ ▼ OK."""

from collections.abc import Callable
from typing import NamedTuple, Protocol

from hardware.buttons import Edge


class Turn(NamedTuple):
    """The knob was turned or an arrow pressed. Positive: clockwise, or ▲."""

    steps: int
    at_ns: int
    knob: bool  # in a list clockwise is the next row, ▲ the one before; both add to a number


class Control(Protocol):
    """Reports turns, and the raw edges of OK (button name `ok`), on any thread."""

    knob: bool  # a knob is fitted; else ▲ ▼ OK

    def listen(self, on_turn: Callable[[Turn], None], on_edge: Callable[[Edge], None]) -> None:
        """Report to these callbacks from now on. They must not block and must not raise."""
        ...

    def close(self) -> None:
        """Let go of the lines."""
        ...
