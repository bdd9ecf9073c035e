"""The control without hardware, moved by the panel or a test."""

from collections.abc import Callable

from hardware.parts.buttons import Edge
from hardware.parts.control import Turn


class EmulatedControl:
    """The emulated twin of a knob, or of ▲ ▼ OK. Reports come on the caller's thread."""

    def __init__(self, knob: bool) -> None:
        self.knob = knob
        self._on_turn: Callable[[Turn], None] | None = None
        self._on_edge: Callable[[Edge], None] | None = None

    def turn(self, steps: int, *, at_ns: int, knob: bool | None = None) -> None:
        """Turn it. `knob` is given where it differs from the fitted control: arrow keys beside a knob, a wheel."""
        if self._on_turn is not None:
            self._on_turn(Turn(steps, at_ns, self.knob if knob is None else knob))

    def push(self, *, down: bool, at_ns: int) -> None:
        """Press or release OK."""
        if self._on_edge is not None:
            self._on_edge(Edge("ok", down, at_ns))

    def listen(self, on_turn: Callable[[Turn], None], on_edge: Callable[[Edge], None]) -> None:
        """Report to these callbacks from now on."""
        self._on_turn, self._on_edge = on_turn, on_edge

    def down(self, button: str) -> bool | None:
        """None: there is no line."""
        return None

    def close(self) -> None:
        """Report no more."""
        self._on_turn = self._on_edge = None
