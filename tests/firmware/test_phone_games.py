"""Whole games with phones in a real browser: taps on their pages, hands on the kit, and the same scores everywhere."""

from collections.abc import Iterator
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any, cast

import pytest
from playwright.sync_api import Browser

from engine import games
from firmware.journal.reader import History
from tests.firmware.phone_table import PhoneTable
from tests.simulators.phone_evenings import Watched, WithPhones, begun, kit_for, recorded
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


@pytest.fixture
def pages(chromium: Browser, tmp_path: Path, players: int, phones: int) -> Iterator[Pages]:
    table = Pages(chromium, tmp_path / "phones", players, phones)
    yield table
    table.close()


@pytest.mark.slow
@pytest.mark.no_cover
@pytest.mark.parametrize(
    ("game", "players", "phones"),
    [
        ("if_it_fits", 3, 2),
        pytest.param("kitty_paw", 3, 1, marks=pytest.mark.nightly),
        pytest.param("pack_the_essentials", 4, 3, marks=pytest.mark.nightly),
        pytest.param("cat_pageant", 4, 4, marks=pytest.mark.nightly),
        pytest.param("if_it_fits", 5, 5, marks=pytest.mark.nightly),
        pytest.param("pack_and_stack", 6, 6, marks=pytest.mark.nightly),
    ],
)
def test_a_whole_game_with_phones(pages: Pages, tmp_path: Path, game: str, players: int, phones: int) -> None:
    ends = []
    alone, given = recorded(tmp_path / "alone", game, players, lambda rig: ends.append(rig.picture.tobytes()))
    if game == "kitty_paw":  # which asks nobody in particular
        pages.phones[0].say(table=True)
    begun(pages.rig, game, players)
    for phone in pages.phones:
        phone.taps = 0
    together = WithPhones(pages.rig, pages.phones).play(given)
    for phone in pages.phones:
        phone.page.get_by_text("The game is over.").wait_for()
    shown = {phone.button: phone.scores for phone in pages.phones}
    found = shown | {"kit": together.scores, "journal": pages.journaled(game)}
    assert found == dict.fromkeys(found, alone.scores)
    assert pages.rig.picture.tobytes() == ends[0]
    assert sum(phone.taps for phone in pages.phones) == together.taps > 0
    assert [*pages.complaints, *(text for phone in pages.phones for text in phone.complaints)] == []
