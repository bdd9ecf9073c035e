"""The history on a phone: after OK at the kit the one for the table may open the pages beside the kit, for a while.

Who may is kept in memory only. What is edited there needs OK at the kit each time. All on the loop's thread.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from firmware.translation import Words, lazy, ngettext
from firmware.wishes.asker import CLOSED, Asker
from firmware.wishes.who_may_wish import AnyWish
from firmware.wishes.wish import Answer, Asked, AskFirst, Denied

if TYPE_CHECKING:
    from firmware.phones.hub import Phones

MINUTE_NS = 60_000_000_000


@dataclass
class Edited:
    """What a phone has wished, and what has become of it."""

    wish: AnyWish
    line: Words | None = None  # the same in words
    granted: bool = False
    answer: Answer | None = None  # None: OK at the kit is awaited, or the disk


class HistoryPhone:
    """Which phone has the history, and until when: one at a time, as only one answers for the table."""

    def __init__(self, phones: Phones) -> None:
        self._phones, self._table = phones, phones.table
        self.reader: str | None = None  # a phone's id; None: nobody
        self._until_ns = 0
        self.edited: Edited | None = None  # the latest edit that the kit was asked about

    def begin(self, phone: str, minutes: int) -> None:
        """A phone has it from now on."""
        self.reader, self._until_ns = phone, self._table.now_ns + minutes * MINUTE_NS

    def open_to(self, phone: str | None) -> bool:
        """Whether this phone may open the pages now."""
        return phone is not None and phone == self.reader and self._left > 0

    def lasts(self, phone: str) -> str:
        """How long this phone still has them, in words; empty: it has not."""
        return ngettext("for {n} more minute", "for {n} more minutes", self._left) if self.open_to(phone) else ""

    def end(self, phone: str | None = None) -> None:
        """It ends, if this phone has it; None: whoever has it."""
        reader = self.reader
        if reader is not None and phone in (None, reader):
            self.reader = self.edited = None
            self._phones.say_to(reader, lazy(CLOSED))

    def edit(self, phone: str, wish: AnyWish, then: Callable[[AskFirst | Denied | None], None]) -> None:
        """A phone changes something about people or games. `then`: what is asked first, why not; None: the kit asks."""
        if wish.id and self.edited is not None and self.edited.wish.id == wish.id:  # it came twice
            then(None)
            return
        edited = Edited(wish)

        def come(answer: Answer) -> None:
            if isinstance(answer, Asked) and not answer.granted:
                self.edited, edited.line = edited, answer.line
                then(None)
            elif isinstance(answer, Asked):
                edited.granted = True
            elif edited.line:
                edited.answer = answer
            elif isinstance(answer, AskFirst | Denied):
                then(answer)

        self._table.desk.take(Asker(phone, self._phones), wish, come)

    def tick(self) -> None:
        """Time has passed."""
        if not self._left:
            self.end()

    @property
    def due_ns(self) -> int | None:
        """When `tick` has to run next, or what `lasts` says changes."""
        return None if self.reader is None else self._until_ns - max(0, self._left - 1) * MINUTE_NS

    @property
    def _left(self) -> int:
        """The minutes that are left, the one under way included."""
        return max(0, -((self._table.now_ns - self._until_ns) // MINUTE_NS))
