"""PHONES on the display: how to join, who has, and throwing one out."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PIL import Image

from engine.words import N_
from firmware.output import sounds
from firmware.output.screens import phones as pictures
from firmware.output.screens.menus import message
from firmware.output.screens.view import turn
from firmware.table.interfaces import Hub
from firmware.table.listing import Listing, Rows
from firmware.table.overlay import Overlay, Sure, downwards
from firmware.table.table import Table
from firmware.translation import _, translated


class Joining(Overlay):
    """The kit's own Wi-Fi, the addresses with the code: the control chooses. OK: the phones that have joined."""

    one_back = True

    def __init__(self, table: Table, phones: Hub) -> None:
        super().__init__(table)
        self.phones, self.at = phones, 0

    def ok(self) -> None:
        self.table.sound(sounds.CLICK)
        self.table.open(Joined(self.table, self.phones))

    def turn(self, steps: int, knob: bool) -> None:
        self.at += downwards(steps, knob)
        self.table.sound(sounds.TURN)

    def picture(self, now_ns: int) -> Image.Image:
        way, code = self.phones.way, self.phones.code
        if way.closed:
            return pictures.closed([translated(line) for line in way.closed])
        shown: list[Callable[..., Image.Image]] = [] if way.wifi is None else pictures.wifi_pages(*way.wifi)
        shown += [partial(pictures.joining, address, code) for address in way.addresses]
        return shown[self.at % len(shown)](more=turn(self.table.knob) if len(shown) > 1 else "")


class Joined(Listing):
    """The phones that have joined; OK throws one out."""

    title = N_("PHONES")

    def __init__(self, table: Table, phones: Hub) -> None:
        super().__init__(table)
        self.phones = phones

    def rows(self) -> Rows:
        rows: Rows = []
        for phone in self.phones.all:
            texts = self.phones.called.texts(phone)
            if not self.phones.connected(phone.id):
                texts = tuple(_("{name}: away", name=text) for text in texts)
            rows.append((texts, partial(self.ask, phone.id)))
        return [*rows, (_("Back"), self.table.close)]

    def ask(self, id_: str) -> None:
        """Ask whether a phone is thrown out."""
        self.table.open(ThrowOut(self.table, self.phones, id_))


class ThrowOut(Sure):
    """Asks whether a phone is to join again, with another code."""

    def __init__(self, table: Table, phones: Hub, id_: str) -> None:
        super().__init__(table)
        self.phones, self._id = phones, id_

    def ok(self) -> None:
        self.table.sound(sounds.VOID)
        self.table.close()
        self.phones.throw_out(self._id)

    def picture(self, now_ns: int) -> Image.Image:
        phone = next((one for one in self.phones.all if one.id == self._id), None)
        name = "" if phone is None else self.phones.called.texts(phone)
        keys = (_("{turn}: no", turn=turn(self.table.knob)), _("OK: throw out"))
        return message(name, _("THROW OUT?"), (_("the code changes"),), keys)
