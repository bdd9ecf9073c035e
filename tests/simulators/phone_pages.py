"""A table whose kit runs on a thread of its own, with phones in a real browser."""

from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any, cast

from playwright.sync_api import Browser

from engine import games
from firmware.journal.reader import History
from tests.firmware.phone_table import PhoneTable
from tests.simulators.phone_evenings import Watched, kit_for
from tests.simulators.phone_page import NARROW_PX, WIDE_PX, PagePhone, opened


class OnItsLoop:
    """The kit of a table, for hands on another thread: all is done on the loop's."""

    def __init__(self, table: PhoneTable) -> None:
        self._table = table

    def __getattr__(self, name: str) -> Any:
        rig = self._table.rig
        found = self._table.do(lambda: getattr(rig, name))
        if not callable(found):
            return found

        def done(*values: Any, **more: Any) -> Any:
            result = self._table.do(lambda: found(*values, **more))
            return self if result is rig else result

        return done


class Pages:
    """A table with some phones."""

    def __init__(self, chromium: Browser, folder: Path, players: int, phones: int) -> None:
        self.folder = folder
        self.table = PhoneTable(folder, partial(Watched, config=kit_for(players)))
        self.rig = cast(Watched, OnItsLoop(self.table))
        self.complaints: list[str] = []
        self.phones = [self._phone(chromium, n) for n in range(phones)]

    def _phone(self, chromium: Browser, n: int) -> PagePhone:
        hub, width_px = self.table.phones, (NARROW_PX, WIDE_PX)[n % 2]
        page = opened(chromium, f"http://{self.table.host}/{hub.code}", self.complaints, width_px=width_px)
        return PagePhone(page, f"P{n + 1}", lambda: self.table.do(lambda: hub.sight(hub.all[n].id)))

    def journaled(self, game: str) -> tuple[int, ...]:
        """The scores of the only game in the journal."""
        with closing(History(self.folder / "journal.db")) as history:
            (row,) = history.games()
            return history.play(row.game, games.rules(game)).scores

    def close(self) -> None:
        for phone in self.phones:
            phone.page.context.close()
        self.table.close()
