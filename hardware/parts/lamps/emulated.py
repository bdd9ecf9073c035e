"""Lamps without hardware, seen by the panel or a test."""

from collections.abc import Callable, Iterable
from time import monotonic_ns


class EmulatedLamps:
    """The emulated twin. `now_ns` is the clock of its stamps, virtual where the whole kit runs on a virtual clock."""

    def __init__(self, names: Iterable[str], now_ns: Callable[[], int] = monotonic_ns) -> None:
        self.names = frozenset(names)
        self.lit: frozenset[str] = frozenset()
        self._now_ns = now_ns
        self._on_lit: Callable[[frozenset[str]], None] | None = None

    def watch(self, on_lit: Callable[[frozenset[str]], None]) -> None:
        """Call this with the lit lamps: now, and on the thread of `show` at each change. It must not block."""
        self._on_lit = on_lit
        on_lit(self.lit)

    def show(self, lit: frozenset[str]) -> int:
        """Light these lamps and no others. Returns the clock's ns, taken when it was done."""
        lit &= self.names
        if lit != self.lit:
            self.lit = lit
            if self._on_lit is not None:
                self._on_lit(lit)
        return self._now_ns()

    def close(self) -> None:
        """All lamps off."""
        self.show(frozenset())
