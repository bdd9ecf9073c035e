"""A buzzer without hardware: the panel or a test gets its tunes."""

from collections.abc import Callable
from time import monotonic_ns

from hardware.parts.buzzer import Tune


class EmulatedBuzzer:
    """The emulated twin. `now_ns` is the clock of its stamps, virtual where the whole kit runs on a virtual clock."""

    def __init__(self, now_ns: Callable[[], int] = monotonic_ns) -> None:
        self._now_ns = now_ns
        self._on_tune: Callable[[Tune], None] | None = None

    def watch(self, on_tune: Callable[[Tune], None]) -> None:
        """Call this with each tune, on the thread of `play`; a tune cuts off the one before. It must not block."""
        self._on_tune = on_tune

    def play(self, tune: Tune) -> int:
        """Report a tune. Returns the clock's ns, taken after that."""
        if self._on_tune is not None:
            self._on_tune(tune)
        return self._now_ns()

    def close(self) -> None:
        """Silence."""
        self.play(())
        self._on_tune = None
