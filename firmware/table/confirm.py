"""Asks at the kit whether something may be done that a phone wants."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import Enum, auto

from PIL import Image

from firmware.output import sounds
from firmware.output.screens.canvas import wrapped
from firmware.output.screens.menus import message
from firmware.output.screens.view import turn
from firmware.table.overlay import Overlay
from firmware.table.table import Table
from firmware.translation import Words, _, in_words
from hardware.parts.buzzer import Tune

EARLY_NS = 1_000_000_000  # what is pressed by then was meant for the picture before
ROWS = 2  # of the small line
WAIT_NS = 10_000_000_000  # then the answer is no


class Reply(Enum):
    """What the kit says to a phone."""

    YES = auto()
    NO = auto()
    OUT = auto()  # no, and the phone is thrown out
    NONE = auto()  # a player's press closed the question, or it makes no sense any more


class Confirm(Overlay):
    """OK is yes; a turn is no, and so is time; a long OK throws the phone out. `then` is called once in any case."""

    bright = True  # else nobody sees that a phone waits for an answer

    def __init__(
        self, table: Table, texts: Sequence[Words], *, stands: Callable[[], bool], then: Callable[[Reply], None]
    ) -> None:
        """`texts`: who wants it, what, and more about it in a small line, which may take two rows.

        `stands`: see `Overlay`.
        """
        super().__init__(table)
        self._texts = texts
        self._stands, self._then = stands, then
        self._early_ns = table.now_ns + EARLY_NS
        self.until_ns = table.now_ns + WAIT_NS
        self._answer = Reply.NONE

    def stands(self) -> bool:
        return self._stands()

    def closed(self) -> None:
        self._then(self._answer)

    def turn(self, steps: int, knob: bool) -> None:
        self._say(Reply.NO, sounds.BACK)

    def ok(self) -> None:
        self._say(Reply.YES, sounds.DONE)

    def ok_hold(self) -> None:
        self._say(Reply.OUT, sounds.VOID)

    def time_up(self) -> None:
        self._answer = Reply.NO
        self.table.close()

    def _say(self, answer: Reply, tune: Tune) -> None:
        if self.table.made_ns < self._early_ns:
            self.table.sound(sounds.CLICK)
            return
        self.table.sound(tune)
        self._answer = answer
        self.table.close()

    def picture(self, now_ns: int) -> Image.Image:
        who, text, line = map(in_words, self._texts)
        keys = (_("{turn}: no", turn=turn(self.table.knob)), _("OK: yes"))
        return message(who, text, (*wrapped(line, ROWS), _("hold OK: throw it out")), keys)
