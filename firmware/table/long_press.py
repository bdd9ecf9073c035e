"""Buttons that are down, OK among them: which press is a long one, and which button is stuck."""

from collections.abc import Iterable

from engine.stamps import MS, S

HOLD_NS = 600 * MS  # what is down for so long is a long press; a long OK means Back
STUCK_NS = 10 * S  # a button held for so long without being asked for is out of play


class HeldDown:
    """What is down, by button; `ok` too."""

    def __init__(self) -> None:
        self.down: dict[str, int] = {}  # since when
        self.stuck: set[str] = set()
        self._answered: set[str] = set()  # whose hold is answered, or that went down for a picture no longer shown
        self._wanted_ns = 0  # until when holding a button was asked for

    def goes_down(self, button: str, at_ns: int, *, wakes: bool) -> None:
        """`wakes`: this only wakes the display, however long it lasts."""
        self.down[button] = at_ns
        if wakes:
            self._answered.add(button)

    def goes_up(self, button: str) -> int | None:
        """A button went up. Returns since when it was down; None if its hold was answered."""
        since_ns = self.down.pop(button, None)
        short = button not in self._answered
        self._answered.discard(button)
        return since_ns if short else None

    def forget(self, button: str) -> None:
        """A button is lost: nobody knows whether it is held."""
        self.goes_up(button)
        self.stuck.discard(button)

    def cover(self, buttons: Iterable[str]) -> None:
        """Those of these buttons that are down were meant for another picture: holding them on has no effect."""
        self._answered.update(self.down.keys() & buttons)

    def want(self, now_ns: int) -> None:
        """Holding a button is asked for now."""
        self._wanted_ns = now_ns

    def long_since_ns(self, button: str, at_ns: int) -> int | None:
        """Since when a button has been down, if that is a long press by `at_ns`; returned only once."""
        since_ns = self.down.get(button, at_ns)
        if button in self._answered or at_ns - since_ns < HOLD_NS:
            return None
        self._answered.add(button)
        return since_ns

    @property
    def long_ns(self) -> list[int]:
        """When presses become long ones."""
        return [since_ns + HOLD_NS for button, since_ns in self.down.items() if button not in self._answered]

    def stuck_ns(self, *, wanted: bool) -> dict[str, int]:
        """When buttons that are held go out of play; not as long as that is `wanted`."""
        free = set[str]() if wanted else self.down.keys() - self.stuck - {"ok"}
        return {button: max(self.down[button], self._wanted_ns) + STUCK_NS for button in self.down if button in free}
