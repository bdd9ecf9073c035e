"""Places and the role of the table: what a phone may claim, and who has it then. The desk does it by their wishes."""

from __future__ import annotations

from collections.abc import Container
from typing import TYPE_CHECKING

import msgspec

from engine.stamps import S
from firmware.buttons import numbers
from firmware.journal.phones import SEAT, TABLE, WATCH, Phone
from firmware.people.names import beside
from firmware.phones.view import SeatPlace
from firmware.translation import L_, Why, translated
from firmware.wishes.phones import Introduce, Take
from hardware.seat_colours import SEAT_COLOURS

if TYPE_CHECKING:
    from firmware.phones.hub import Phones

ROLE_NS = 10 * S  # from one announcement of the role to the next, at least


class Claims:
    """What phones have claimed in this run. On the loop's thread."""

    def __init__(self, phones: Phones) -> None:
        self._phones, self._table = phones, phones.table
        self.since_ns: dict[tuple[str, str], int] = {}  # by phone and hold, or role
        self._announced_ns = phones.table.now_ns - ROLE_NS

    def forget(self, id_: str) -> None:
        """A phone is not joined any more."""
        self.since_ns = {key: at_ns for key, at_ns in self.since_ns.items() if key[0] != id_}

    def places(self, phone: Phone | None = None) -> list[SeatPlace]:
        """The places of this table, for somebody who has to say who they are. `phone`: None before it has joined."""
        others = [other for other in self._phones.all if other is not phone and self._phones.keeps(other)]
        taken = {hold for other in others for hold in other.holds}
        own = () if phone is None else phone.holds
        found = []
        for button, label, person in self._table.people.places():
            (number,) = numbers((button,), self._table.names)
            key, name = person or button, beside(self._table.roster.named(person), self._table.names)
            mine, colour = key in own, "" if number is None else translated(SEAT_COLOURS[number].name)
            found.append(SeatPlace(button, label, name, key in taken and not mine, mine, number, colour))
        return found

    def place(self, id_: str, button: str) -> SeatPlace | None:
        """The place at this button, as a phone sees it; None where there is none."""
        phone = self._phones.by_id.get(id_)
        return None if phone is None else next((one for one in self.places(phone) if one.button == button), None)

    def own_place(self, id_: str, wish: Take | Introduce) -> str | None:
        """The name at the place of a wish, empty for a guest; None if the phone does not play for that place."""
        place = self.place(id_, wish.button)
        return place.name if place is not None and place.mine else None

    def freely(self, id_: str, wish: Take) -> bool:
        """Whether a place may be taken without OK: no game is on, or the phone plays for it already."""
        return self._table.game is None or self._table.game.play.over or self.own_place(id_, wish) is not None

    def hold(self, id_: str, button: str) -> None:
        """From now on a phone plays for a place, and no other one does."""
        phone = self._phones.by_id[id_]
        label, person = self._table.people.place(button)
        key = person or button
        for other in self._phones.all:
            if other.id != id_ and key in other.holds:
                self.let_go(other, {key})
                self._phones.say_to(other.id, L_("{place} has another phone now.", place=label))
        if key not in phone.holds:
            role = SEAT if phone.role == WATCH else phone.role
            self.since_ns[id_, key] = self._table.now_ns
            self._phones.change(msgspec.structs.replace(phone, holds=(*phone.holds, key), role=role))

    def leave(self, id_: str, button: str) -> None:
        """A phone does not play for a place any more."""
        self.let_go(self._phones.by_id[id_], {button, self._table.people.place(button)[1]})

    def let_go(self, phone: Phone, keys: Container[str | None]) -> None:
        """A phone does not play for these any more."""
        holds = tuple(hold for hold in phone.holds if hold not in keys)
        role = WATCH if phone.role == SEAT and not holds else phone.role
        self._phones.change(msgspec.structs.replace(phone, holds=holds, role=role))

    def against_place(self, id_: str, button: str) -> Why:
        """Why a phone may not play for a place; None: it may."""
        place = self.place(id_, button)
        if place is None:
            return L_("There is no such place any more.")
        says = L_(
            "{place} has a phone already. That one can leave the place, or the kit throws it out.", place=place.label
        )
        return says if place.taken else None

    def sits_there(self, button: str) -> str:
        """Who sits at a button, as the display has it; else its label."""
        label, person = self._table.people.place(button)
        return self._table.roster.beside(person) or label

    def introduce(self, button: str, person: str) -> None:
        """The guest at a place has given a name."""
        self._phones.follow(button, person)
        self._table.people.introduce(button, person)

    def against_role(self, id_: str, *, table: bool) -> Why:
        """Why a phone may not answer for the table; None: it may, or no longer wants to."""
        other = self._other_table(id_)
        if not table or self._phones.for_table(id_):
            return None
        if other is not None and self._phones.keeps(other):
            return L_("Another one answers for the table already: {phone}.", phone=self._phones.called.of(other.id))
        return L_("Not now. Try again in a moment.") if self._table.now_ns < self._announced_ns + ROLE_NS else None

    def _other_table(self, id_: str) -> Phone | None:
        return next((one for one in self._phones.all if one.role == TABLE and one.id != id_), None)

    def be_table(self, id_: str, *, table: bool) -> None:
        """A phone answers for the table, or no longer does."""
        phone = self._phones.by_id[id_]
        if not table:
            self._phones.change(msgspec.structs.replace(phone, role=SEAT if phone.holds else WATCH))
            return
        self.since_ns[phone.id, TABLE] = self._table.now_ns
        if phone.role == TABLE:
            return
        if (other := self._other_table(id_)) is not None:
            self._phones.change(msgspec.structs.replace(other, role=SEAT if other.holds else WATCH))
            by = self._phones.called.of(phone.id)
            self._phones.say_to(other.id, L_("You no longer answer for the table: {phone} does.", phone=by))
        self._announced_ns = self._table.now_ns
        self._phones.change(msgspec.structs.replace(phone, role=TABLE))
        self._table.note(L_("{phone} answers for the table", phone=self._phones.called.tag(phone.id)))
