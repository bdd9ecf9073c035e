"""Phones are let in by the control, in SET UP, and no longer, while the program runs."""

import asyncio
from collections.abc import Callable, Coroutine
from pathlib import Path

import pytest
from websockets.asyncio.client import ClientConnection, connect
from websockets.typing import Origin

from firmware.cli import letting_in
from firmware.cli.letting_in import Door
from firmware.cli.play import offer
from firmware.phones import network
from firmware.phones.hub import Phones
from firmware.setup.steps import Setup
from firmware.web.serving import listen
from hardware.config import PanelConfig
from tests.simulators.rig import Rig
from tests.simulators.waiting import PATIENCE_S

pytestmark = pytest.mark.slow

OFF, ON = PanelConfig(phones_port=0), PanelConfig(network="lan", phones_port=0)


class Hall:
    """A kit in the browser, on the loop of a test."""

    def __init__(self, rig: Rig, folder: Path, panel: PanelConfig) -> None:
        self.rig = rig
        self.door = Door(rig.app, panel, rig.report)
        offer(rig.app.table, Setup(rig.app, folder, rig.report, phones=self.door))

    @property
    def phones(self) -> Phones:
        found = self.rig.app.table.phones
        assert isinstance(found, Phones)
        return found

    @property
    def address(self) -> str:
        (found,) = self.phones.way.addresses
        return found

    async def until(self, true: Callable[[], bool]) -> None:
        """Wait until something is true."""
        async with asyncio.timeout(PATIENCE_S):
            while not true():
                await asyncio.sleep(0.005)
                self.rig.after(1)

    async def turn(self, row: str, shows: str) -> None:
        """Turn the row of SET UP, and wait for what the display shows then."""
        self.rig.choose(row)
        await self.until(lambda: shows in self.rig.reads())

    async def page(self, token: str) -> ClientConnection:
        """The page of a phone that has joined."""
        origin = Origin(f"http://{self.address}")
        return await connect(
            f"ws://{self.address}/ws", origin=origin, additional_headers={"Cookie": f"luckypaw={token}"}
        )


@pytest.fixture
def evening(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    monkeypatch.setattr(network, "addresses", lambda: ("127.0.0.1",))

    def run(what: Callable[[Hall], Coroutine[None, None, None]], panel: PanelConfig = OFF) -> None:
        async def done() -> None:
            rig = Rig(tmp_path)
            hall = Hall(rig, tmp_path, panel)
            try:
                await hall.door.begin()
                await what(hall)
            finally:
                await hall.door.close()
                rig.close()

        asyncio.run(done())

    return run


def test_phones_are_off_until_the_control_lets_them_in_and_the_code_is_shown_at_once(
    evening: Callable[..., None],
) -> None:
    async def played(hall: Hall) -> None:
        assert (hall.rig.app.table.phones, "Phones" in hall.rig.rows) == (None, False)
        hall.rig.choose("Set up")
        await hall.turn("Phones: off", "hold OK:back")
        assert {"http://", hall.phones.code} <= hall.rig.pieces
        hall.rig.do("ok!")
        assert "Phones: on" in hall.rig.rows
        hall.rig.do("ok!")
        assert "Phones" in hall.rig.rows

    evening(played)


def test_off_closes_the_pages_and_the_history_in_a_game_and_who_comes_back_has_place_and_role(
    evening: Callable[..., None],
) -> None:
    async def played(hall: Hall) -> None:
        phones = hall.phones
        token = phones.join(phones.code, "P2")
        assert token is not None
        page = await hall.page(token)
        await page.send('{"do":"table","table":true,"id":"1"}')
        await hall.until(lambda: phones.all[0].role == "table")
        hall.rig.do("[If It Fits] P1 P2 ok*2 1000")
        await page.send('{"do":"history","id":"2"}')
        await hall.until(lambda: hall.rig.top == "Confirm")
        hall.rig.do("1000 ok")
        assert phones.reads(token) is not None
        hall.rig.menu("Main menu").choose("Set up")
        await hall.turn("Phones: on", "Phones: off")
        await asyncio.wait_for(page.wait_closed(), PATIENCE_S)
        assert phones.reads(token) is None
        hall.rig.do("ok! [Go on]").menu("Main menu").choose("Set up")
        await hall.turn("Phones: off", "hold OK:back")
        (await hall.page(token)).transport.abort()
        assert [(one.role, one.holds) for one in hall.phones.all] == [("table", ("P2",))]

    evening(played, ON)


def test_who_turns_it_fast_gets_what_was_chosen_last(evening: Callable[..., None]) -> None:
    async def played(hall: Hall) -> None:
        said: list[str] = []
        for on in (True, False, True, False, True):
            hall.door.turn(on, said.append)
        await hall.until(lambda: len(said) == 5)
        assert (said, len(hall.phones.way.addresses)) == ([""] * 5, 1)
        for on in (False, True, False):
            hall.door.turn(on, said.append)
        await hall.until(lambda: len(said) == 8)
        assert (said[5:], hall.rig.app.table.phones) == ([""] * 3, None)

    evening(played)


def test_a_port_that_is_taken_is_told_and_phones_stay_off(evening: Callable[..., None]) -> None:
    with listen("127.0.0.1", 0, "port") as other:
        port = other.getsockname()[1]

        async def played(hall: Hall) -> None:
            hall.rig.choose("Set up")
            await hall.turn("Phones: off", "NOT DONE")
            assert "taken by another program" in hall.rig.pieces
            hall.rig.ok()
            assert (hall.rig.app.table.phones, "Phones: off" in hall.rig.rows) == (None, True)

        evening(played, PanelConfig(phones_port=port))


def test_libraries_that_are_missing_are_told(evening: Callable[..., None], monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> None:
        raise ImportError(name="segno")

    async def played(hall: Hall) -> None:
        monkeypatch.setattr(letting_in, "import_module", missing)
        hall.rig.choose("Set up")
        await hall.turn("Phones: off", "phones need segno")

    evening(played)
