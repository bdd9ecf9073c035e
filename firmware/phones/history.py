"""The history on a phone: after OK at the kit the one for the table may open the pages beside the kit, for a while.

Who may is kept in memory only. All on the loop's thread.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from firmware.phones.wishes import Wish
from firmware.translation import _, ngettext

if TYPE_CHECKING:
    from firmware.phones.hub import Phones

MINUTES, MINUTE_NS = 15, 60_000_000_000


class History:
    """Which phone has the history, and until when: one at a time, as only one answers for the table."""

    def __init__(self, phones: Phones) -> None:
        self._phones, self._table = phones, phones.table
        self.reader: str | None = None  # a phone's id; None: nobody
        self._until_ns = 0

    def ask(self, phone: str) -> str:
        """Ask at the kit. Returns why not, in words; empty: it is asked."""

        def against() -> str:
            return "" if self._phones.for_table(phone) else _("You no longer answer for the table.")

        def grant() -> str:
            self.reader, self._until_ns = phone, self._table.now_ns + MINUTES * MINUTE_NS
            return _("The kit says yes.")

        line = (_("all games, {n} minutes", n=MINUTES), _("all games"))
        return self._phones.wishes.ask(Wish(phone, _("HISTORY?"), line, against, grant))

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
            self.reader = None
            self._phones.tell(reader, _("The history is closed on this phone."))

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
