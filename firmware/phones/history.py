"""The history on a phone: after OK at the kit the one for the table may open the pages beside the kit, for a while.

Who may is kept in memory only. What is edited there needs OK at the kit each time. All on the loop's thread.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from firmware.people.edits import Answer, AnyEdit, Ask, Decision, Refused, described
from firmware.phones.wishes import Wish
from firmware.translation import _, ngettext

if TYPE_CHECKING:
    from firmware.phones.hub import Phones

MINUTES, MINUTE_NS = 15, 60_000_000_000


@dataclass
class Edited:
    """An edit of a phone, and what has become of it."""

    edit: AnyEdit
    agreed: frozenset[str]
    line: str  # the same in words
    granted: bool = False
    answer: Answer | None = None  # None: OK at the kit is awaited, or the disk


class History:
    """Which phone has the history, and until when: one at a time, as only one answers for the table."""

    def __init__(self, phones: Phones) -> None:
        self._phones, self._table = phones, phones.table
        self.reader: str | None = None  # a phone's id; None: nobody
        self._until_ns = 0
        self._deciding = False
        self.edited: Edited | None = None  # the latest edit that the kit was asked about

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
            self.reader = self.edited = None
            self._phones.tell(reader, _("The history is closed on this phone."))

    def edit(
        self, phone: str, edit: AnyEdit, agreed: frozenset[str], then: Callable[[Ask | Refused | None], None]
    ) -> None:
        """A phone changes something about people or games. `then`: what is asked first, why not; None: the kit asks."""
        if not self.open_to(phone):
            then(Refused(_("The history is closed on this phone.")))
        elif self._deciding:
            then(Refused(_("The kit asks already.")))
        else:
            self._deciding = True
            self._table.editing.look(edit, agreed, partial(self._decided, phone, edit, agreed, then))

    def _decided(
        self,
        phone: str,
        edit: AnyEdit,
        agreed: frozenset[str],
        then: Callable[[Ask | Refused | None], None],
        decision: Decision,
    ) -> None:
        self._deciding = False
        if isinstance(decision, Ask | Refused):
            then(decision)
            return
        edited = Edited(edit, agreed, described(decision.edit, self._table.roster.persons))

        def against() -> str:
            return "" if self.open_to(phone) else _("The history is closed on this phone.")

        def come(answer: Answer) -> None:
            edited.answer = answer

        def grant() -> str:
            edited.granted = True
            self._table.editing.take(edit, agreed, come)  # what is known may be another thing by now
            return ""

        def tell(text: str) -> None:
            if text:
                edited.answer = Refused(text)

        why = self._phones.wishes.ask(Wish(phone, _("CHANGE?"), edited.line, against, grant, tell))
        if not why:
            self.edited = edited
        then(Refused(why) if why else None)

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
