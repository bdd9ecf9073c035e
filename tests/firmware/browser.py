"""A panel in front of browsers: small twins of every part of the kit, and the messages that a browser receives."""

import asyncio
import json
import shutil
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from queue import Empty, SimpleQueue
from typing import Any

import pytest
from playwright.sync_api import ConsoleMessage, Error, Page, ViewportSize
from websockets.sync.client import ClientConnection, connect

from firmware.panel.server import Panel, Shape
from hardware.parts.buzzer import Tone
from hardware.parts.strip import Pixels
from tests.simulators.waiting import PATIENCE_S

# The shell is the same browser without windows, and takes a third less of the processor.
CHROMIUM = shutil.which("chromium-headless-shell") or shutil.which("chromium")
needs_chromium = pytest.mark.skipif(CHROMIUM is None, reason="Chromium is missing: sudo apt install chromium")
WINDOW = ViewportSize(width=1280, height=800)
NAMES = ("P1", "P2", "P3", "P4")


class Twins:
    """Small twins of every part: they record what was done to them, and show what a test sends."""

    def __init__(self) -> None:
        self.done: SimpleQueue[tuple[Any, ...]] = SimpleQueue()
        self.stamps: list[int] = []

    def next(self) -> tuple[Any, ...]:
        return self.done.get(timeout=PATIENCE_S)

    def some(self, count: int) -> list[tuple[Any, ...]]:
        return [self.next() for _ in range(count)]

    def nothing_more(self) -> bool:
        try:
            self.done.get(timeout=0.05)
        except Empty:
            return True
        return False


class Buttons:
    def __init__(self, twins: Twins) -> None:
        self._twins = twins

    def edge(self, button: str, *, down: bool, at_ns: int) -> None:
        self._twins.stamps.append(at_ns)
        self._twins.done.put((button, down))


class Control:
    knob = True

    def __init__(self, twins: Twins) -> None:
        self._twins = twins

    def turn(self, steps: int, *, at_ns: int, knob: bool | None) -> None:
        self._twins.done.put(("turn", steps, knob))

    def push(self, *, down: bool, at_ns: int) -> None:
        self._twins.done.put(("ok", down))


class Pluggable:
    def __init__(self, twins: Twins, name: str) -> None:
        self._twins, self._name = twins, name

    def unplug(self) -> None:
        self._twins.done.put((self._name, "unplugged"))

    def replug(self) -> None:
        self._twins.done.put((self._name, "plugged"))


class Display(Pluggable):
    level = 200
    show: Callable[[bytes], None]

    def watch(self, on_picture: Callable[[bytes], None]) -> None:
        self.show = on_picture


class Strip(Pluggable):
    leds = 8
    show: Callable[[Pixels], None]

    def watch(self, on_pixels: Callable[[Pixels], None]) -> None:
        self.show = on_pixels


class Lamps:
    names = frozenset(("P1", "P2"))
    show: Callable[[frozenset[str]], None]

    def watch(self, on_lit: Callable[[frozenset[str]], None]) -> None:
        self.show = on_lit


class Buzzer:
    play: Callable[[tuple[Tone, ...]], None]

    def watch(self, on_tune: Callable[[tuple[Tone, ...]], None]) -> None:
        self.play = on_tune


class Table:
    """A panel with all its twins, unless another is given, served by a loop on a thread of its own."""

    def __init__(self, port: int = 0, panel: Panel | None = None, shape: Shape = "straight") -> None:
        self.twins = Twins()
        self.display, self.strip = Display(self.twins, "display"), Strip(self.twins, "strip")
        self.lamps, self.buzzer = Lamps(), Buzzer()
        self.panel = panel or Panel(
            NAMES,
            buttons=Buttons(self.twins),
            control=Control(self.twins),
            display=self.display,
            lamps=self.lamps,
            buzzer=self.buzzer,
            strip=self.strip,
            shape=shape,
        )
        self.loop = asyncio.new_event_loop()
        self.thread = threading.Thread(target=self._run, args=(port,))
        self.thread.start()
        asyncio.run_coroutine_threadsafe(self.panel.up(), self.loop).result(PATIENCE_S)
        assert self.panel.address is not None
        self.port = self.panel.address[1]

    def later(self, seconds: float) -> None:
        """For the panel it is so much later, and what was due meanwhile is done."""
        now_s = self.loop.time
        self.loop.time = lambda: now_s() + seconds  # type: ignore[method-assign]
        for _ in range(3):  # turns of the loop
            asyncio.run_coroutine_threadsafe(asyncio.sleep(0), self.loop).result(PATIENCE_S)

    def _run(self, port: int) -> None:
        self.loop.run_until_complete(self.panel.serve("127.0.0.1", port))
        self.loop.close()

    def close(self) -> None:
        if self.thread.is_alive():
            self.loop.call_soon_threadsafe(self.panel.stop)
            self.thread.join()

    def browser(self, **more: Any) -> ClientConnection:
        """A WebSocket as the page opens it."""
        return line_of_page(self.port, **more)

    def lazy_browser(self) -> ClientConnection:
        """A WebSocket that takes in next to nothing while nobody reads from it."""
        line = socket.socket()
        line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        line.connect(("127.0.0.1", self.port))
        return self.browser(sock=line, max_queue=1, close_timeout=0.1)


def line_of_page(port: int, **more: Any) -> ClientConnection:
    """A WebSocket as the page opens it, to whatever serves it at this port."""
    here = f"127.0.0.1:{port}"
    more.setdefault("origin", f"http://{here}")
    line: ClientConnection = connect(f"ws://{here}/ws", compression=None, **more)
    return line


def received(browser: ClientConnection) -> dict[str, Any]:
    """The next message of the server."""
    message: dict[str, Any] = json.loads(browser.recv(timeout=PATIENCE_S))
    return message


def next_news(browser: ClientConnection, key: str) -> Any:
    """The next news of one kind."""
    while key not in (news := received(browser)):
        pass
    return news[key]


@contextmanager
def opened(tab: Page, table: Table) -> Iterator[Page]:
    """The page in this tab, connected, with nothing left of the test before.

    It must not complain about anything by the end.
    """
    complaints: list[str] = []

    def note(message: ConsoleMessage) -> None:
        """Chromium also names every try to connect that fails; only a panel that is stopped may make it do so."""
        stopped = not table.thread.is_alive()
        if message.type == "error" and not (stopped and "ERR_CONNECTION_REFUSED" in message.text):
            complaints.append(message.text)

    def fail(error: Error) -> None:
        complaints.append(str(error))

    tab.set_default_timeout(1000 * PATIENCE_S)
    tab.set_viewport_size(WINDOW)
    tab.emulate_media(reduced_motion="null")
    tab.mouse.move(0, 0)
    tab.on("console", note)
    tab.on("pageerror", fail)
    tab.goto(f"http://127.0.0.1:{table.port}/")
    tab.wait_for_selector(".built")
    yield tab
    tab.goto("about:blank")  # or it would try for ever to connect, maybe to another test's port
    tab.remove_listener("console", note)
    tab.remove_listener("pageerror", fail)
    assert complaints == []
