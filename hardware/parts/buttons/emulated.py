"""Buttons without hardware, moved by the panel or a test."""

from collections.abc import Callable, Iterable

from hardware.parts.buttons import Edge


class EmulatedButtons:
    """The emulated twin. Edges come on the caller's thread, stamped `virtual`."""

    def __init__(self, names: Iterable[str]) -> None:
        self._down = dict.fromkeys(names, False)
        self._on_edge: Callable[[Edge], None] | None = None

    def edge(self, button: str, *, down: bool, at_ns: int) -> None:
        """Move a button. Raises `KeyError` for one that the kit does not have."""
        if button not in self._down:
            raise KeyError(button)
        self._down[button] = down
        if self._on_edge is not None:
            self._on_edge(Edge(button, down, at_ns))

    def listen(self, on_edge: Callable[[Edge], None]) -> None:
        """Report to this callback from now on."""
        self._on_edge = on_edge

    def down(self, button: str) -> bool | None:
        """Whether the button is held now; None for one that the kit does not have."""
        return self._down.get(button)

    def close(self) -> None:
        """Report no more."""
        self._on_edge = None
