"""The picture of a game's end: for a moment it ignores input that was meant for the game."""

from functools import partial

from engine.stamps import S
from firmware.table import past_games
from firmware.table.interfaces import Read
from firmware.table.past_games import LatestEvening

QUIET_NS = 2 * S  # how long it ignores input
WAIT_STEPS = 8  # in which it shows how much of that is over


class EndPicture:
    """When it came, and the evening that follows it."""

    def __init__(self) -> None:
        self.shown_ns: int | None = None
        self.evening: LatestEvening | None = None  # with this game, once it is summed; None: to be summed anew
        self.evening_shown = True
        self._asked: object = None  # the latest sum that is awaited

    def sum(self, read: Read | None, *, apart: bool) -> None:
        """Sum the evening; `read`: None where there is nothing to sum."""
        self.evening, self.evening_shown = None, read is None
        asked = self._asked = object()

        def summed(evening: LatestEvening | None) -> None:
            if evening is None:
                self.evening_shown = True  # there is nothing to show
            elif self._asked is asked:  # else it was put right meanwhile
                self.evening = evening

        if read is not None:
            read(partial(past_games.evening, apart=apart), summed, lambda: True)

    def put_right(self) -> None:
        """Who sat there was put right: the evening is to be summed anew."""
        self.evening = self._asked = None

    def deaf(self, at_ns: int) -> bool:
        """Whether input that begins at this time is ignored."""
        return self.shown_ns is not None and at_ns < self.shown_ns + QUIET_NS

    def waited(self, now_ns: int) -> float:
        """How much of that time is over, in steps: from 0 to 1."""
        return 1 if self.shown_ns is None else min(WAIT_STEPS, self._steps(now_ns, self.shown_ns)) / WAIT_STEPS

    def changes_ns(self, now_ns: int) -> int | None:
        """When it shows the next step."""
        if self.shown_ns is None or not self.deaf(now_ns):
            return None
        return self.shown_ns + (self._steps(now_ns, self.shown_ns) + 1) * QUIET_NS // WAIT_STEPS

    @staticmethod
    def _steps(now_ns: int, shown_ns: int) -> int:
        return (now_ns - shown_ns) * WAIT_STEPS // QUIET_NS
