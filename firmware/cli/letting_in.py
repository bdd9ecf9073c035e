"""Phones are let in, or no longer, while the program runs."""

import asyncio
from collections.abc import Callable, Coroutine
from contextlib import suppress
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING, Any

import msgspec

from firmware.cli import Failure
from firmware.translation import _
from hardware.config import PanelConfig

if TYPE_CHECKING:
    from firmware.phones.hub import Phones
    from firmware.phones.server import Server
    from firmware.table.app import App
    from firmware.web.pages import Making
    from hardware.parts import Report

END_S = 3.0  # how long the end of a server is waited for


async def first(task: "asyncio.Task[None]", event: Coroutine[Any, Any, object]) -> None:
    """Wait until the task ends or the event comes."""
    waiting = asyncio.create_task(event)
    try:
        await asyncio.wait((task, waiting), return_when=asyncio.FIRST_COMPLETED)
    finally:
        waiting.cancel()


class Door:
    """Where phones come in. On the loop's thread."""

    def __init__(self, app: "App", panel: PanelConfig, report: "Report") -> None:
        self._app, self._panel, self._report = app, panel, report
        self._hub: Phones | None = None  # kept while phones are not let in
        self._serving: tuple[Server, asyncio.Task[None]] | None = None
        # makes a page of the history for a phone, as `Panel.on_page`; and where: None where only phones have such pages
        self.on_page: Callable[[str], bytes | None] = lambda path: None
        self.making: Making | None = None
        self._one_at_a_time = asyncio.Lock()
        self._turning: set[asyncio.Task[None]] = set()
        self.on = panel.network != "off"  # what is wanted; it may take a moment

    async def begin(self) -> None:
        """Let phones in if the description says so; where that cannot be, PHONES says why, and the game goes on.

        Raises `Failure` where the libraries for it are missing.
        """
        if not self.on:
            return
        hub = self._app.table.phones = self._known()
        try:
            await self._let_in(hub)
        except OSError as error:
            from firmware.phones.link import Way
            from firmware.phones.network import Shut

            hub.way = Way(closed=error.closed if isinstance(error, Shut) else (str(error),))
            self._report("phones", str(error))

    def turn(self, on: bool, then: Callable[[str], None]) -> None:
        """Let phones in from now on, or no longer. `then` gets why that cannot be; empty: it is done."""
        self.on = on
        task = asyncio.create_task(self._turn(then))
        self._turning.add(task)
        task.add_done_callback(self._turning.discard)

    async def close(self) -> None:
        """Let nobody in any more."""
        self.on = False
        async with self._one_at_a_time:
            await self._end()

    async def _turn(self, then: Callable[[str], None]) -> None:
        from firmware.table.past_games import Call

        why = ""
        async with self._one_at_a_time:
            if not self.on:
                await self._end()
            elif self._serving is None:
                with suppress(ImportError):  # `_known` says so; the game does not wait for it
                    await asyncio.to_thread(import_module, "firmware.phones.server")
                try:
                    await self._let_in(self._known())
                except (Failure, OSError) as error:
                    self.on, why = False, str(error)
        self._app.post(Call(partial(then, why)))

    def _known(self) -> "Phones":
        """The phones that have joined. Raises `Failure` where the libraries for them are missing."""
        try:
            import_module("firmware.phones.server")
            from firmware.phones.hub import Phones
        except ImportError as error:
            raise Failure(_("phones need {name}: pip install luckypaw", name=error.name)) from None

        def wake() -> None:
            """The display shows whose phone is asleep."""
            self._app.wake()  # another one once the program runs

        if self._hub is None:
            self._hub = Phones(self._app.table, self._app.journal.phones)
            self._hub.on_change = wake
            self._app.follow(self._hub.hear, *Phones.KINDS)
        return self._hub

    async def _let_in(self, hub: "Phones") -> None:
        """Serve phones. Raises `OSError`, which says why not."""
        from firmware.phones import network
        from firmware.phones.server import Server
        from firmware.table.past_games import Call

        panel = self._panel
        if panel.network == "off":
            panel = msgspec.structs.replace(panel, network="lan")
        listener = network.listener(panel)
        hotspot = panel.network == "hotspot"
        hub.way = network.hotspot(listener) if hotspot else network.way(listener)
        server = Server(hub, lambda link, message: self._app.post(Call(partial(hub.take, link, message), waits=True)))
        server.on_page, server.soon = self.on_page, lambda what: self._app.post(Call(what))
        self.making = server.making = self.making or server.making
        task = asyncio.create_task(server.serve(listener, hotspot=hotspot))
        self._serving = server, task
        self._app.table.phones = hub
        await first(task, server.up())

    async def _end(self) -> None:
        """Close the pages of phones, and what serves them."""
        self._app.table.phones = None
        if self._hub is not None:
            self._hub.shut()
        if self._serving is not None:
            (server, task), self._serving = self._serving, None
            server.stop()
            await asyncio.wait((task,), timeout=END_S)
