"""A buzzer without hardware: whoever watches, panel or test, makes the sound."""

from collections.abc import Callable
from time import monotonic_ns

from hardware.buzzer import Tune


class EmulatedBuzzer:
    """The emulated twin. `now_ns` is the clock it stamps by: a virtual one, where the whole kit runs on it."""

    def __init__(self, now_ns: Callable[[], int] = monotonic_ns) -> None:
        self._now_ns = now_ns
        self._on_tune: Callable[[Tune], None] | None = None

    def watch(self, on_tune: Callable[[Tune], None]) -> None:
        """Hand each tune to this callback, on the thread of `play`; it cuts off the tune before. It must not block."""
        self._on_tune = on_tune

    def play(self, tune: Tune) -> int:
        """Hand a tune on. Returns the clock's ns, taken when it was done."""
        if self._on_tune is not None:
            self._on_tune(tune)
        return self._now_ns()

    def close(self) -> None:
        """Silence."""
        self.play(())
        self._on_tune = None
