"""Connections on which nothing happens: each ends in good order after its time, and nothing is logged."""

import re
import select
import socket
import ssl
import struct
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, suppress

import pytest
from playwright.sync_api import Browser

from firmware.web import limits, serving
from firmware.web.limits import MAX_CONNECTIONS
from tests.firmware.browser import Table
from tests.firmware.clients import frame, handshake
from tests.firmware.running import answer, get, line_to, status
from tests.firmware.wire import wire
from tests.simulators.waiting import PATIENCE_S, comes


@pytest.fixture(autouse=True)
def log(caplog: pytest.LogCaptureFixture) -> Iterator[None]:
    """Nothing is logged."""
    yield
    assert caplog.messages == []


ASKS = b"GET /icon.svg HTTP/1.1\r\nHost: localhost\r\n"
SENDS = b"POST /sheets HTTP/1.1\r\nHost: localhost\r\nOrigin: http://localhost\r\nContent-Length: %d\r\n\r\n"
LAST = b"Connection: close\r\nContent-Length"
GREETS = b"\x16\x03\x01\x07\x00\x01\x00\x06\xfc\x03\x03" + bytes(1800)  # as long as that of a browser of today
PONG = 10
GONE = struct.pack(">BBH", 0x88, 2 + len("keepalive ping timeout"), 1011)


def request() -> float:
    return limits.LIFE_S


def idle() -> float:
    return limits.IDLE_S


def ping() -> float:
    return serving.PING_S


class Client:
    """Who reads what comes, and says nothing more."""

    def __init__(self, line: socket.socket) -> None:
        self.line, self.received, self.end = line, b"", ""

    def heard(self, seconds: float = 0) -> str:
        """The status of each answer, and whether it is the last; how a WebSocket is closed; how all ended."""
        self.line.settimeout(seconds)
        with suppress(BlockingIOError):
            try:
                while more := self.line.recv(65536):
                    self.received += more
                self.end = "end"
            except ConnectionResetError:
                self.end = "reset"
        heads = re.findall(rb"HTTP/1\.1 (\d+)[^\r]*\r\n(.*?)\r\n\r\n", self.received, re.DOTALL)
        said = [code.decode() + " last" * (b"connection: close" in head.lower()) for code, head in heads]
        return ", ".join([*said, *["1011"] * (GONE in self.received), *[self.end] * bool(self.end)])

    def to_the_end(self) -> str:
        """All of it."""
        return self.heard(PATIENCE_S)


@pytest.mark.parametrize(
    ("words", "at_once", "waits", "then"),
    [
        pytest.param(b"", "", (idle,), "end", id="nothing at all"),
        pytest.param(ASKS[:9], "", (request,), "408 last, end", id="half a line"),
        pytest.param(ASKS, "", (request,), "408 last, end", id="half a head"),
        pytest.param(SENDS % 40 + b"{", "", (request,), "408 last, end", id="half a body"),
        pytest.param(SENDS.replace(b"Content-Length: %d", b"Transfer-Encoding: chunked"), "", (request,),
                     "408 last, end", id="a body in chunks without the first"),
        pytest.param(ASKS + b"\r\n", "200", (idle,), "end", id="between two requests"),
        pytest.param((ASKS + b"\r\n") * 3 + ASKS, "200, 200, 200", (request,), "408 last, end",
                     id="half of the fourth"),
        pytest.param(SENDS % 2 + b"{}", "400", (idle,), "end", id="after a request that was wrong"),
        pytest.param(ASKS + b"Connection: close\r\n\r\n", "200 last, end", (), "", id="the browser's last request"),
        pytest.param(SENDS.replace(b"Content-Length", LAST) % 30_000 + bytes(30_000), "413 last, end", (), "",
                     id="more than is read"),
        pytest.param(b"\r\n", "400 last, end", (), "", id="no request"),
        pytest.param(GREETS, "400 last, end", (), "", id="TLS"),
        pytest.param(handshake("localhost", "Content-Length: 2000\r\n") + bytes(2000), "400 last, end", (), "",
                     id="a WebSocket with a body"),
        pytest.param(handshake("evil.example"), "403 last, end", (), "", id="a WebSocket that is refused"),
        pytest.param(handshake("localhost"), "101", (ping, ping), "1011, end", id="a WebSocket that answers no ping"),
    ],
)  # fmt: skip
def test_it_ends_in_good_order(
    table: Table, words: bytes, at_once: str, waits: tuple[Callable[[], float], ...], then: str
) -> None:
    with line_to(table.port) as line:
        client = Client(line)
        line.sendall(words)
        assert status(answer(table.port, get("/"))) == 200  # it has been let in, and read, before
        assert comes(lambda: client.heard() == at_once), client.heard()
        table.later(0)  # and its time has begun
        for wait in waits[:-1]:
            table.later(wait())
        if waits:
            table.later(waits[-1]() - 1)
            assert client.heard() == at_once
            table.later(1)
            assert client.to_the_end() == ", ".join(filter(None, (at_once, then)))


def test_an_answer_says_how_long_its_connection_is_kept(table: Table) -> None:
    with line_to(table.port) as line:
        client = Client(line)
        line.sendall(ASKS + b"\r\n")
        assert comes(lambda: client.heard() == "200")
    assert f"keep-alive: timeout={limits.IDLE_S - limits.SPARE_S:.0f}\r\n" in client.received.decode().lower()


@pytest.mark.parametrize(
    ("path", "wait", "then"),
    [
        pytest.param("/icon.svg", idle, "200, end", id="it has arrived"),
        pytest.param("/kit.css", request, "200, reset", id="it has not: the system would keep the rest"),
    ],
)
def test_an_answer_that_nobody_reads(table: Table, path: str, wait: Callable[[], float], then: str) -> None:
    with socket.socket() as line:
        line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        line.connect(("127.0.0.1", table.port))
        line.sendall(ASKS.replace(b"/icon.svg", path.encode()) + b"\r\n")
        assert status(answer(table.port, get("/"))) == 200  # it has been let in, and answered, before
        table.later(wait())
        assert status(answer(table.port, get("/"))) == 200
        assert Client(line).to_the_end() == then


def test_a_request_that_the_kit_does_not_answer_in_time(table: Table) -> None:
    begun, over = threading.Event(), threading.Event()

    def busy(_request: bytes) -> bytes:
        begun.set()
        over.wait()
        return b"{}"

    table.panel.on_sheets = busy
    with line_to(table.port) as line:
        line.sendall(SENDS % 2 + b"{}")
        assert begun.wait(PATIENCE_S)
        table.later(request())
        assert Client(line).to_the_end() == "503 last, end"
    over.set()


def test_a_last_answer_has_its_time_on_a_slow_network(table: Table) -> None:
    with socket.socket() as line:
        line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        line.connect(("127.0.0.1", table.port))
        line.sendall(get("/kit.css"))
        assert comes(lambda: bool(select.select([line], [], [], 0)[0]))
        table.later(limits.LIFE_S)
        client = Client(line)
        assert client.to_the_end() == "200 last, end"
        assert client.received.endswith(answer(table.port, get("/kit.css"))[-100:])


def test_a_websocket_that_says_nothing_stays_as_long_as_it_answers_pings(table: Table) -> None:
    with line_to(table.port) as line:
        client = Client(line)
        line.sendall(handshake("localhost"))
        assert comes(lambda: client.heard() == "101")
        table.later(0)
        waited_s = 0.0
        while waited_s < 2 * limits.IDLE_S:
            client.received = b""
            table.later(ping())
            waited_s += ping()
            assert comes(lambda: client.heard() == "" and b"\x89\x04" in client.received)
            line.sendall(frame(client.received.partition(b"\x89\x04")[2][:4], PONG))
            line.sendall(frame(b'{"turn":1,"knob":true}'))
            assert table.twins.next() == ("turn", 1, True)  # and the pong was read before


def test_of_one_address_an_idle_connection_makes_room_and_none_with_a_request(table: Table) -> None:
    with ExitStack() as lines:
        clients = [Client(lines.enter_context(line_to(table.port))) for _ in range(MAX_CONNECTIONS)]
        for client in clients[:2]:
            client.line.sendall(ASKS)
        assert comes(lambda: status(answer(table.port, get("/"))) == 200)
        assert [client.to_the_end() for client in clients[2:3]] == ["end"]
        clients[0].line.sendall(b"\r\n")
        assert comes(lambda: clients[0].heard() == "200")


def test_a_client_of_tls_is_told_that_this_is_none(table: Table) -> None:
    with line_to(table.port) as line, pytest.raises(ssl.SSLError, match="WRONG_VERSION"):
        ssl.create_default_context().wrap_socket(line, server_hostname="localhost")


def test_a_click_that_crosses_the_end_of_a_connection_is_not_lost_nor_done_twice(
    table: Table, chromium: Browser
) -> None:
    asked: list[bytes] = []

    def answered(request: bytes) -> bytes:
        asked.append(request)
        return request

    table.panel.on_sheets = answered
    ask = """() => fetch("/sheets", {method: "POST", body: "{}"}).then((answer) => answer.status)"""
    with wire(table.port) as network, closing(chromium.new_context()) as context:
        page = context.new_page()
        page.goto(f"http://127.0.0.1:{network.port}/icon.svg")
        assert page.evaluate(ask) == 200
        made = network.made
        network.up.clear()
        page.evaluate(f"() => {{ window.asks = ({ask})(); }}")
        assert comes(lambda: network.held == 1)  # it is on its way, in the connection of before
        table.later(idle())
        assert comes(lambda: network.made > made)  # that has ended, and the browser asks again by another one
        network.through()
        assert page.evaluate("() => window.asks") == 200
        assert len(asked) == 2
