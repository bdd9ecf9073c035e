"""Strangers in front of both servers: requests as nobody's browser makes them, and what each costs the loop.

`python -m tests.simulators.hostile_requests` prints the dearest of them, by server, as multiples of the smallest
file. All on the loopback interface, a few thousand requests.
"""

import asyncio
import logging
import socket
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

from starlette.applications import Starlette
from starlette.routing import BaseRoute, Route

from firmware.translation import lazy
from firmware.wishes.who_may_wish import AnyWish
from firmware.wishes.wish import Answer, AskFirst, Denied
from tests.firmware.browser import Table
from tests.firmware.phone_table import PhoneTable
from tests.simulators.waiting import PATIENCE_S
from tests.simulators.wishing import decided

SMALLEST = "/icon.svg"
SIZES = (7_500, 15_000)  # of what is hostile: as much as a head may have, and more; bytes
TIMES = 9  # each, and the smallest file before it: a busy processor is slower for a moment
SAMPLES = {
    "code": "ABCDEF",
    "id": "1234abcd",
    "name": "golf",
    "number": "1",
    "game": "1",
    "person": "0" * 16,
}  # for the parts of a path
LIMIT = 5.0  # what a request of a stranger may cost the loop, as a multiple of the smallest file
TURNS = 4  # of the loop until it has done with a connection that is gone
SHORT = "a byte of nine"
WEBSOCKET = (
    b"Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
    b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
)


def filled(piece: bytes, size: int, before: bytes = b"", behind: bytes = b"") -> bytes:
    """A piece again and again, up to a size."""
    return before + piece * ((size - len(before) - len(behind)) // len(piece)) + behind


def heads(size: int) -> Iterator[tuple[str, bytes]]:
    """Lines of a head, each kind of its own."""
    yield "a long line", filled(b"b", size, b"A: ", b"\r\n")
    yield "many lines", filled(b"A:b\r\n", size)
    yield "more lines than a WebSocket may have", b"A:b\r\n" * 130
    yield "a cookie of backslashes", filled(b"\\", size, b'Cookie: luckypaw="', b'"\r\n')
    yield "a cookie of many pairs", filled(b"a=b;", size, b"Cookie: ", b"\r\n")
    yield "many cookies", filled(b"Cookie: luckypaw=b\r\n", size)
    yield "many commas", filled(b",", size, b"Connection: ", b"\r\n")
    yield "many blanks", filled(b" ", size, b"Cookie:", b"x\r\n")
    yield "many types", filled(b"a/b;q=0.1,", size, b"Accept-Encoding: ", b"\r\n")


def bodies(size: int) -> Iterator[tuple[str, bytes, bytes]]:
    """Bodies, behind the lines of the head that announce them."""
    for what, body in (
        ("deep lists", filled(b"[", size)),
        ("deep objects", filled(b'{"x":', size)),
        ("a deep unknown value", filled(b"[", min(size, 900), b'{"x":')),
        ("a long code", filled(b"A", size, b'{"code":"', b'"}')),
        ("escapes", filled(b"\\u00e9", size, b'{"code":"', b'"}')),
        ("half a character", b'{"code":"\\ud800"}'),
        ("a code that is none", b'{"code":5}'),
        ("bytes", b"\xff\xfe\x00"),
        ("a huge number", filled(b"9", size, b'{"code":', b"}")),
        ("a form of many fields", filled(b"a=b&", size)),
        ("a form of huge numbers", filled(b"9", size, b"person=&seat=")),
        ("a form of a name that is none", filled(b"%CC%81", min(size, 3000), b"do=add&name=a")),
        ("a form of a long note", filled(b"%F0%9F%90%88", size, b"do=remark&day=&note=")),
        ("a form of percents", filled(b"%ff", size, b"seat=1&person=")),
    ):
        yield what, b"Content-Length: %d\r\n" % len(body), body
    yield "chunks", b"Transfer-Encoding: chunked\r\n", filled(b"1\r\na\r\n", size, b"", b"0\r\n\r\n")
    yield SHORT, b"Content-Length: 9\r\n", b"x"
    yield "a wrong length", b"Content-Length: -9\r\n", b"x"
    yield "two lengths", b"Content-Length: 1\r\nContent-Length: 2\r\n", b"x"


def targets(size: int) -> Iterator[tuple[str, bytes]]:
    """Paths that lead nowhere."""
    yield "a long path", filled(b"a", size, b"/")
    yield "a path of percents", filled(b"%41", size, b"/")
    yield "a path of no text", filled(b"%ff", size, b"/")
    yield "a path of slashes", filled(b"/", size)
    yield "a path of dots", filled(b"../", size, b"/")
    yield "a huge number", filled(b"9", size, b"/games/")
    yield "a long query", filled(b"a=b&", size, b"/?")
    yield "half a percent", b"/%"
    yield "an address", b"http://evil.example/"
    yield "a star", b"*"


class Request(NamedTuple):
    """A request of a stranger."""

    what: str
    bytes: bytes
    whole: bool = True  # else it is never answered


class Door(NamedTuple):
    """A server: its name, its app, where it listens, the thread of its loop, and a way to wait for that."""

    name: str
    app: Starlette
    port: int
    thread: int
    loop: asyncio.AbstractEventLoop

    def request(self, method: str, target: bytes, lines: bytes = b"", body: bytes = b"", *, host: bytes = b"") -> bytes:
        """A request with the right Host, and the Origin of its own page."""
        own = b"127.0.0.1:%d" % self.port
        first = b"%s %s HTTP/1.1\r\nHost: %s\r\n" % (method.encode(), target, host or own)
        return first + b"Origin: http://%s\r\n" % own + lines + b"\r\n" + body

    def send(self, words: bytes, *, whole: bool = True) -> bytes:
        """Send it on a connection of its own, and wait until it is answered or dropped. Returns what was answered."""
        got = b""
        with socket.create_connection(("127.0.0.1", self.port), PATIENCE_S) as line, suppress(ConnectionError):
            line.sendall(words)
            while whole and not complete(got) and (more := line.recv(65536)):
                got += more
        for _ in range(TURNS):
            asyncio.run_coroutine_threadsafe(asyncio.sleep(0), self.loop).result(PATIENCE_S)
        return got

    def cost_s(self, words: bytes, *, whole: bool = True) -> float:
        """The time of the loop's processor that it takes, s; `time.sleep` of others does not count."""
        clock = time.pthread_getcpuclockid(self.thread)
        before_s = time.clock_gettime(clock)
        self.send(words, whole=whole)
        return time.clock_gettime(clock) - before_s

    @contextmanager
    def untraced(self) -> Iterator[None]:
        """What runs on the loop meanwhile is not traced: `coverage` costs more than the lines that it counts."""

        async def swap(tracer: Any) -> Any:
            before = sys.gettrace()
            sys.settrace(tracer)
            return before

        tracer = asyncio.run_coroutine_threadsafe(swap(None), self.loop).result(PATIENCE_S)
        try:
            yield
        finally:
            asyncio.run_coroutine_threadsafe(swap(tracer), self.loop).result(PATIENCE_S)

    def ratio(self, request: Request, times: int = TIMES) -> float:
        """The same as a multiple of the smallest file, measured in turn."""
        smallest = self.request("GET", SMALLEST.encode())
        pairs = [(self.cost_s(smallest), self.cost_s(request.bytes, whole=request.whole)) for _ in range(times)]
        return median(cost for _, cost in pairs) / median(least for least, _ in pairs)

    def requests(self, sizes: tuple[int, ...] = SIZES) -> Iterator[Request]:
        """Every route, asked in every hostile way; and paths without a route."""
        for route in paths(self.app.routes):
            for method in ("GET", "POST", "DELETE"):
                yield Request(f"{method} {route}", self.request(method, route.encode()))
            for size in sizes:
                for what, lines in heads(size):
                    yield Request(f"GET {route}, {what}", self.request("GET", route.encode(), lines))
                    if route == "/ws":
                        request = self.request("GET", b"/ws", WEBSOCKET + lines)
                        yield Request(f"a WebSocket, {what}", request)
                for what, lines, body in bodies(size):
                    request = self.request("POST", route.encode(), lines, body)
                    yield Request(f"POST {route}, {what}", request, what != SHORT)
                    if route == "/ws":
                        request = self.request("GET", b"/ws", WEBSOCKET + lines, body)
                        yield Request(f"a WebSocket with a body, {what}", request)
                for what, lines in heads(size):
                    yield Request(
                        f"POST {route}, {what}",
                        self.request("POST", route.encode(), b"Content-Length: 2\r\n" + lines, b"{}"),
                    )
        for size in sizes:
            for what, target in targets(size):
                for method in ("GET", "POST"):
                    yield Request(f"{method} {what}", self.request(method, target))
        yield Request("a WebSocket", self.request("GET", b"/ws", WEBSOCKET))
        yield Request("a WebSocket elsewhere", self.request("GET", b"/", WEBSOCKET))
        yield Request("another kit's name", self.request("GET", b"/", host=b"evil.example"))
        yield Request("a long name", self.request("GET", b"/", host=filled(b"a", SIZES[0])))
        yield Request("a name of no text", self.request("GET", b"/qr.svg", host=b"\xff\xfe"))


def paths(routes: list[BaseRoute]) -> Iterator[str]:
    """A path for each route."""
    for path in dict.fromkeys(route.path for route in routes if isinstance(route, Route)):
        yield path.replace(":str", "").format(**SAMPLES)
    yield "/ws"


def complete(got: bytes) -> bool:
    """Whether an answer has come as a whole."""
    head, end, body = got.partition(b"\r\n\r\n")
    length = next((int(line[15:]) for line in head.lower().split(b"\r\n") if line.startswith(b"content-length:")), 0)
    return bool(end) and len(body) >= length


def refuse(wish: AnyWish, tell: Callable[[Answer], None]) -> None:
    """A wish that is looked at, and not done."""
    decision = decided(wish, ())
    tell(decision if isinstance(decision, AskFirst | Denied) else Denied(lazy("not here")))


class Doors:
    """Both servers, each on a loop of its own. `pages` counts how often a page of the statistics was made."""

    def __init__(self, folder: Path) -> None:
        self.phones, self.panel = PhoneTable(folder), Table()
        self.pages: list[str] = []
        self.panel.panel.on_page = self.pages.append
        self.panel.panel.on_wish = refuse
        inside = self.phones.loop
        thread = self.phones.do(threading.get_ident)
        self.doors = (
            Door("phones", self.phones.server.app, self.phones.port, thread, inside),
            Door("panel", self.panel.panel.app, self.panel.port, self.panel.thread.ident or 0, self.panel.loop),
        )

    def close(self) -> None:
        self.phones.close()
        self.panel.close()


class Logged(logging.Handler):
    """What would be in a service's log."""

    def __init__(self) -> None:
        super().__init__()
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.lines += self.format(record).splitlines()


def dearest(door: Door, requests: Iterable[Request]) -> list[tuple[float, str]]:
    """What hostile requests cost, the dearest first. Those that seem dear are measured again."""
    found = []
    with door.untraced():
        for request in requests:
            ratio = door.ratio(request, 1)
            found.append((door.ratio(request) if ratio > LIMIT / 2 else ratio, request.what))
    return sorted(found, reverse=True)


def main() -> None:
    """Print it."""
    logged = Logged()
    logging.getLogger().addHandler(logged)
    with tempfile.TemporaryDirectory() as folder:
        doors = Doors(Path(folder))
        try:
            for door in doors.doors:
                costs = dearest(door, door.requests())
                print(f"{door.name}: {len(costs)} requests; the dearest, as multiples of the smallest file:")
                for ratio, what in costs[:8]:
                    print(f"  {ratio:6.1f}  {what}")
        finally:
            doors.close()
    print(f"lines in the log: {len(logged.lines)}")
    print("\n".join(logged.lines[:5]), file=sys.stderr)


if __name__ == "__main__":
    main()
