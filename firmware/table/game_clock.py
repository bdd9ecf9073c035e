"""The clock of a game that people see running, and what is heard of it."""

from engine.face import Left, Overtime, runs_out
from engine.play import Play
from engine.stamps import S
from firmware.output import sounds
from hardware.parts.buzzer import Tune

HURRY_NS = 10 * S  # before its end a clock warns


class GameClock:
    """The time left, in whole seconds."""

    def __init__(self, play: Play, now_ns: int) -> None:
        self._ends_ns: Left | None = None
        self._warned_ns = now_ns  # what it had to warn of by then has been heard
        self.follow(play, now_ns)

    def follow(self, play: Play, now_ns: int) -> None:
        """The game has gone on."""
        ends_ns = None if play.over else runs_out(play.rules.face(play.state))
        if ends_ns != self._ends_ns:
            self._ends_ns, self._warned_ns = ends_ns, now_ns

    def warns(self, now_ns: int) -> tuple[Tune, bool] | None:
        """What is heard by now, and was not yet: that little time is left, or none; of both the latter.

        And whether the time is up by a clock that only warns.
        """
        if (ends_ns := self._ends_ns) is None:
            return None
        due = ((ends_ns, sounds.TIME_UP), (ends_ns - HURRY_NS, sounds.HURRY))
        heard = next(((at_ns, tune) for at_ns, tune in due if self._warned_ns < at_ns <= now_ns), None)
        self._warned_ns = max(self._warned_ns, now_ns)
        return heard and (heard[1], heard[0] == ends_ns and isinstance(ends_ns, Overtime))

    def changes_ns(self, now_ns: int) -> int | None:
        """When its next second begins."""
        ends_ns = self._ends_ns
        if ends_ns is None or (now_ns >= ends_ns and not isinstance(ends_ns, Overtime)):
            return None
        return now_ns + 1 + (ends_ns - now_ns - 1) % S
