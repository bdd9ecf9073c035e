"""The server for phones in front of a whole emulated kit, on a thread of its own; and phones that speak HTTP."""

import asyncio
import json
import threading
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from functools import partial
from http.client import HTTPConnection, HTTPMessage
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect
from websockets.typing import Origin

from firmware.phones.link import Link
from firmware.phones.server import Server
from firmware.table.past_games import Call
from firmware.web.serving import listen
from tests.simulators.phone import let_in
from tests.simulators.rig import Rig
from tests.simulators.waiting import PATIENCE_S

T = TypeVar("T")


class Answer(NamedTuple):
    status: int
    headers: HTTPMessage
    body: bytes

    @property
    def cookie(self) -> str:
        """The cookie that it sets, as it is sent back."""
        return (self.headers["Set-Cookie"] or "").partition(";")[0]


class PhoneTable:
    """A kit that lets phones in at 127.0.0.1."""

    def __init__(self, state: Path, rig: Callable[[Path], Rig] = Rig, *, hotspot: bool = False) -> None:
        """`rig` makes the kit."""
        self.loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self.loop.run_forever)
        self._thread.start()
        self.rig = self.do(lambda: rig(state))
        self.phones = self.do(lambda: let_in(self.rig))
        self.phones.on_change = self._step_soon
        self.server = self.do(lambda: Server(self.phones, self._post))
        self.server.soon = self._soon
        listener = listen("127.0.0.1", 0, "port")
        self._serving = asyncio.run_coroutine_threadsafe(self.server.serve(listener, hotspot=hotspot), self.loop)
        asyncio.run_coroutine_threadsafe(self.server.up(), self.loop).result(PATIENCE_S)

    @property
    def port(self) -> int:
        return self.server.port

    @property
    def host(self) -> str:
        return f"127.0.0.1:{self.port}"

    def _post(self, link: Link, message: object) -> None:
        self.rig.app.post(Call(partial(self.phones.take, link, message), waits=True))
        self.rig.after(0)

    def _soon(self, what: Callable[[], None]) -> None:
        self.rig.app.post(Call(what))
        self._step_soon()

    def _step_soon(self) -> None:
        self.loop.call_soon(self.rig.after, 0)

    def do(self, what: Callable[[], T]) -> T:
        """Do something on the loop's thread."""

        async def done() -> T:
            return what()

        return asyncio.run_coroutine_threadsafe(done(), self.loop).result(PATIENCE_S)

    def play(self, line: str) -> None:
        """Hands at the kit."""
        self.do(lambda: self.rig.do(line))

    def ask(self, method: str, path: str, body: str = "", **headers: str) -> Answer:
        """As a browser asks; `Host` and `Origin` are right unless they are given."""
        sent = {"Host": self.host} | ({"Origin": f"http://{self.host}"} if method == "POST" else {}) | headers
        with closing(HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE_S)) as line:
            line.request(method, path, body.encode(), {name: value for name, value in sent.items() if value})
            answer = line.getresponse()
            return Answer(answer.status, answer.headers, answer.read())

    def join(self, code: str | None = None) -> Answer:
        """The joining tap, with the code on the display."""
        return self.ask("POST", "/join", json.dumps({"code": self.phones.code if code is None else code}))

    @contextmanager
    def page(self, cookie: str, origin: str | None = None) -> Iterator[ClientConnection]:
        """A phone's page is open."""
        address = f"ws://127.0.0.1:{self.port}/ws"
        own = Origin(f"http://{self.host}" if origin is None else origin)
        with connect(address, origin=own, additional_headers={"Cookie": cookie} if cookie else {}) as line:
            yield line

    def close(self) -> None:
        self.loop.call_soon_threadsafe(self.server.stop)
        self._serving.result(PATIENCE_S)
        self.phones.on_change = lambda: None
        self.do(self.rig.close)
        asyncio.run_coroutine_threadsafe(asyncio.sleep(0.02), self.loop).result(PATIENCE_S)  # connections are closed
        self.loop.call_soon_threadsafe(self.loop.stop)
        self._thread.join()
        self.loop.close()


def told(line: ClientConnection, kind: str) -> Any:
    """The next news of a kind."""
    while True:
        news = json.loads(line.recv(timeout=PATIENCE_S))
        if kind in news:
            return news[kind]


def ended(line: ClientConnection) -> int | None:
    """The code by which the kit closes a link."""
    try:
        while True:
            line.recv(timeout=PATIENCE_S)
    except ConnectionClosed:
        return line.close_code
