"""Turns the edges of a knob's two contacts into clicks; pure."""

# (A, B) during one click clockwise, from rest to rest: one contact changes each time
CLICK = ((False, False), (True, False), (True, True), (False, True))


class Clicks:
    """Follows a knob that makes one full turn of its two contacts a click; it begins at rest."""

    def __init__(self) -> None:
        self._closed = {"a": False, "b": False}
        self._quarters = 0  # since the knob last rested; bounce of a contact goes one on and one back

    def edge(self, contact: str, down: bool) -> int:
        """A contact has changed. Returns the clicks completed by that: mostly 0, negative anticlockwise."""
        before = self._place()
        self._closed[contact] = down
        after = self._place()
        self._quarters += {0: 0, 1: 1, 3: -1}[(after - before) % 4]
        if after != 0:
            return 0
        steps, self._quarters = round(self._quarters / 4), 0
        return steps

    def _place(self) -> int:
        return CLICK.index((self._closed["a"], self._closed["b"]))
