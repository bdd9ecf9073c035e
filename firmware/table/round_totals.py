"""The totals after a round: a picture of their own for a moment, unless somebody answers before that."""

from __future__ import annotations

from collections.abc import Sequence

from PIL import Image

from engine.play import Play
from engine.stamps import S
from firmware.output.screens import score
from firmware.table import question
from firmware.table.question import Kind
from firmware.translation import language

SHOWN_NS = 3 * S
BY_TABLE = (Kind.CHOOSE, Kind.NUMBER)  # of a question to the table: the control answers it


class RoundTotals:
    """After which round they are shown, and until when."""

    def __init__(self) -> None:
        self.until_ns: int | None = None  # None: they are not shown
        self._gained: tuple[int, ...] = ()
        self._round = 0
        self._kept: tuple[object, Image.Image] | None = None

    def follow(self, before: Play, play: Play, now_ns: int) -> None:
        """The game that people see is another one."""
        self.hide()
        if _counts(before, play):
            self.until_ns, self._round = now_ns + SHOWN_NS, before.board.round
            self._gained = tuple([new - old for new, old in zip(play.scores, before.scores, strict=True)])

    def hide(self) -> bool:
        """The question is shown from now on. Returns whether the totals were."""
        shown, self.until_ns, self._kept = self.until_ns is not None, None, None
        return shown

    def picture(self, play: Play, names: Sequence[str]) -> Image.Image:
        """The totals of this game."""
        drawn_of = play, names, language()
        if self._kept is None or self._kept[0] != drawn_of:
            self._kept = drawn_of, score.counted(play, self._round, self._gained, tuple(names))
        return self._kept[1]


def _counts(before: Play, play: Play) -> bool:
    """Whether a round of a score sheet has been counted, and all, or the table, are asked next."""
    if play.rules.tally is None or not play.rules.totals or play.board.round != before.board.round + 1:
        return False
    q = question.of(play.offers)
    all_ = q.kind is Kind.COUNT and len(q.numbers) > 1
    return all_ or (q.kind in BY_TABLE and q.control is not None and q.control.seat is None)
