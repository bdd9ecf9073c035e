"""What phones are called, on the display and on pages: by a tag of their own, and by whose they are."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from engine.rules import Seat
from firmware.journal.phones import TABLE, WATCH, Phone
from firmware.phones.signs import tag, tags
from firmware.table.table import Table
from firmware.translation import L_, LazyText, Words, _


class HistoryReader(Protocol):
    """The history on phones."""

    @property
    def reader(self) -> str | None: ...


class JoinedPhones(Protocol):
    """What it needs of all phones."""

    by_id: dict[str, Phone]
    table: Table

    @property
    def history(self) -> HistoryReader: ...
    def seats(self, phone: Phone) -> tuple[Seat, ...]: ...


class Called:
    """The phones of a table by what they are called. On the loop's thread."""

    def __init__(self, phones: JoinedPhones) -> None:
        self._phones = phones
        self._tags = tags(phones.by_id)

    def joined(self, id_: str) -> None:
        """A phone has joined: its tag is free."""
        self._tags[id_] = tag(id_)

    def forget(self, id_: str) -> None:
        """A phone is not joined any more."""
        del self._tags[id_]

    def tag(self, phone: str) -> str:
        """What a phone is called on the display, and on its own page."""
        return self._tags[phone]

    def for_ok(self, names: Sequence[str]) -> str:
        """The phone that answers for the table, in words; empty: there is none. `names`: of the players, by seat."""
        phone = next((one for one in self._phones.by_id.values() if one.role == TABLE), None)
        return "" if phone is None else self._of(phone, names).words()

    def of(self, phone: str) -> LazyText:
        """A phone by whose it is in this game, for a page."""
        game = self._phones.table.game
        return self._of(self._phones.by_id[phone], () if game is None else game.page_names)

    def _of(self, phone: Phone, names: Sequence[str]) -> LazyText:
        seats = self._phones.seats(phone)
        if len(seats) == 1:
            return L_("{name}'s phone", name=names[seats[0]])
        return L_("phone {tag}", tag=self.tag(phone.id))

    def owners(self, phone: str) -> Words:
        """A phone that wants something, by its tag and by those it plays for."""
        names, name = self._names(self._phones.by_id[phone]), self.tag(phone)
        text = L_("phone {tag}", tag=name)
        return (L_("phone {tag} of {names}", tag=name, names=names), text) if names else text

    def texts(self, phone: Phone) -> tuple[str, ...]:
        """A phone by its tag, those it plays for, and its role; from the longest text on to one that always fits."""
        texts, name = [], self.tag(phone.id)
        for names in (self._names(phone), ""):
            text = f"{name} {names}".rstrip()
            roles = {TABLE: _("{phone}: table", phone=text), WATCH: _("{phone} looks on", phone=text)}
            if phone.id == self._phones.history.reader:
                roles[TABLE] = _("{phone}: history", phone=text)
            texts.append(roles.get(phone.role, text))
        return tuple(dict.fromkeys((*texts, name)))

    def _names(self, phone: Phone) -> str:
        table = self._phones.table
        drawn = [table.roster.beside(hold) or (hold if hold in table.names else "") for hold in phone.holds]
        return " ".join(filter(None, drawn))
