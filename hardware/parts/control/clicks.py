"""Turns the edges of a knob's two contacts into clicks; pure."""

from typing import Literal, TypeAlias

# Clicks in one full turn of the two contacts, from both open to both open: Alps' EC11 is made with one and with two
# (30 detents, 15 pulses); four is rare. Sold as the same, and only a measurement tells them apart.
ClicksATurn: TypeAlias = Literal[1, 2, 4]

# (A, B) during one full turn clockwise, from both open: one contact changes each time
TURN = ((False, False), (True, False), (True, True), (False, True))


class Clicks:
    """Follows the two contacts of a knob, from one rest to the next."""

    def __init__(self, a_turn: ClicksATurn = 1, *, a: bool = False, b: bool = False) -> None:
        """`a_turn`: the clicks in one full turn of the contacts. `a` and `b`: which are closed now, while it rests."""
        self._closed = {"a": a, "b": b}
        self._long = len(TURN) // a_turn  # quarters of a turn from click to click
        between = a != b and a_turn != 4  # no knob of these rests there: it is being turned
        self._rest = 0 if between else self._place() % self._long
        self._quarters = 0  # since the knob last rested; bounce of a contact goes one on and one back

    def edge(self, contact: str, down: bool) -> int:
        """A contact has changed. Returns the clicks completed by that: mostly 0, negative anticlockwise."""
        before = self._place()
        self._closed[contact] = down
        after = self._place()
        self._quarters += {0: 0, 1: 1, 3: -1}[(after - before) % len(TURN)]
        if (after - self._rest) % self._long:
            return 0
        steps, self._quarters = round(self._quarters / self._long), 0
        return steps

    def _place(self) -> int:
        return TURN.index((self._closed["a"], self._closed["b"]))
