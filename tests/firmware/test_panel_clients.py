"""Limits of one unknown client, byte by byte: names, paths, sizes, numbers, times.

The first part asks the program in a process of its own.
"""

import socket
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from http.client import HTTPConnection

import pytest

from firmware.panel.server import MAX_PAGES
from firmware.web.limits import HTTP_BYTES, MAX_CONNECTIONS, PAGE_BYTES
from tests.firmware.browser import Table
from tests.firmware.clients import PING, WRONG_MESSAGES, frame, handshake
from tests.firmware.running import answer, get, line_to, status
from tests.simulators.program import Program, played_before
from tests.simulators.waiting import PATIENCE_S, comes


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Program]:
    """The program. After all that clients tried it ends with status 0 and an empty log."""
    state = str(played_before(tmp_path_factory.mktemp("state")))
    with Program("-m", "firmware", "play", "--emulated", "--port", "0", STATE_DIRECTORY=state) as program:
        yield program
        status, _, errors = program.end()
        assert (status, errors) == (0, "")


OTHER_NAMES = """
evil.example EVIL.example:8642 localhost. 127.0.0.1.:8642 localhost.evil.example 127.0.0.1.nip.example 127.1 2130706433
0x7f.0.0.1 0.0.0.0 192.168.0.4 ::1 [::] [::1%25lo] [0:0:0:0:0:0:0:1]:8642 [::ffff:127.0.0.1] localhost:8642:8642
localhost:123456 user@localhost localhost,evil.example
"""
ELSEWHERE = r"""
/../server.py /%2e%2e/server.py /..%2fserver.py /page/../../server.py /kit.js/../../../__main__.py /kit.js%00.html
//etc/passwd /....//server.py /..\server.py /index.html~ /server.py
"""
ORIGINS = ("http://evil.example", "null", "https://localhost", "http://localhost:1", "file://")
REQUESTS = [
    *((get("/", host), 403) for host in ("", *OTHER_NAMES.split())),
    *((get("/", host), 200) for host in ("localhost", "LocalHost:8642", "127.0.0.1:1", "[::1]", "[::1]:8642")),
    (get("/kit.js", "evil.example"), 403),
    (handshake("evil.example"), 403),
    *((get("/", more=f"Origin: {origin}\r\n"), 403) for origin in ORIGINS),
    *((get("/", verb=verb), 405) for verb in ("DELETE", "OPTIONS", "TRACE", "BREW")),
    (get("/", verb="POST"), 403),  # it names no origin
    *((get(path), 404) for path in ELSEWHERE.split()),  # none leads to a file that is not the page's
    (get("/", more=f"Cookie: {'a' * 7_000}\r\n"), 200),  # many cookies of other programs
]


@pytest.mark.parametrize(("words", "code"), REQUESTS, ids=[words[:90].decode() for words, _ in REQUESTS])
def test_a_request_is_answered_only_by_its_own_name_and_path(program: Program, words: bytes, code: int) -> None:
    assert status(answer(program.port, words)) == code


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("Origin: http://evil.example", 403),
        ("Origin: null", 403),
        ("Origin: http://localhost", 403),
        ("Origin: https://{here}", 403),
        ("Origin: http://{here}.evil.example", 403),
        ("Origin:", 403),
        ("Sec-Fetch-Mode: websocket", 403),
        ("Origin: http://{here}\r\nOrigin: http://evil.example", 400),
    ],
)
def test_a_page_from_elsewhere_or_nowhere_is_refused_a_websocket(program: Program, line: str, code: int) -> None:
    here = f"127.0.0.1:{program.port}"
    words = handshake(here).replace(f"Origin: http://{here}".encode(), line.format(here=here).encode())
    assert status(answer(program.port, words)) == code


def test_a_head_has_no_body(program: Program) -> None:
    head, body = answer(program.port, get("/kit.js", verb="HEAD")).split(b"\r\n\r\n", 1)
    assert (status(head), body) == (200, b"")


@pytest.mark.parametrize(
    "words",
    [
        pytest.param(b"GET /" + b"a" * 1_000_000 + b" HTTP/1.1\r\nHost: localhost\r\n\r\n", id="a path"),
        pytest.param(get("/", more=f"Cookie: {'a' * 1_000_000}\r\n"), id="a header"),
        pytest.param(get("/", more="A: b\r\n" * 20_000), id="headers"),
        pytest.param(b"\r\n" * 50_000, id="empty lines"),
    ],
)
def test_a_request_without_end_is_cut_off(program: Program, words: bytes) -> None:
    assert status(answer(program.port, words)) in (0, 400)  # the refusal may go under with the connection


STRICT = {
    "content-security-policy": "default-src 'self'; connect-src 'self' ws://localhost:* ws://127.0.0.1:*; ",
    "x-frame-options": "SAMEORIGIN",
    "x-content-type-options": "nosniff",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "referrer-policy": "same-origin",
    "cache-control": "no-store",
}


WORDS = {200: get("/"), 404: get("/none"), 403: get("/", "evil.example"), 405: get("/", verb="DELETE")}


@pytest.mark.parametrize(("code", "words"), [*WORDS.items(), (200, get("/kit.js"))])
def test_every_answer_has_the_strict_headers(program: Program, code: int, words: bytes) -> None:
    lines = answer(program.port, words).split(b"\r\n\r\n")[0].decode().split("\r\n")
    headers = dict(line.lower().split(": ", 1) for line in lines[1:])
    wrong = [name for name, value in STRICT.items() if not headers[name].startswith(value.lower())]
    assert (lines[0].split()[1], wrong) == (str(code), [])


class Client:
    """A WebSocket that was let in, byte by byte."""

    def __init__(self, port: int, more: str = "") -> None:
        self.line = line_to(port)
        self.line.sendall(handshake(f"127.0.0.1:{port}", more))
        self.received = b""
        while b"\r\n\r\n" not in self.received:
            self.received += self.line.recv(1)

    def closed_with(self, words: bytes) -> int:
        """The close code after these words; 0 where the connection is cut off without one."""
        try:
            self.line.sendall(words)
            while True:
                kind, length = self._some(2)
                if length == 126:
                    length = int.from_bytes(self._some(2), "big")
                data = self._some(length)
                if kind == 0x88:
                    return int.from_bytes(data[:2], "big")
        except ConnectionError:
            return 0

    def _some(self, count: int) -> bytes:
        data = b""
        while len(data) < count:
            more = self.line.recv(count - len(data))
            if not more:
                raise ConnectionResetError
            data += more
        return data


@pytest.mark.parametrize(("words", "code"), WRONG_MESSAGES.values(), ids=WRONG_MESSAGES)
def test_a_message_that_no_page_sends_ends_the_connection(program: Program, words: bytes, code: int) -> None:
    client = Client(program.port)
    with client.line:
        assert client.closed_with(words) == code


def test_no_compression_is_agreed_upon_so_no_message_grows(program: Program) -> None:
    client = Client(program.port, "Sec-WebSocket-Extensions: permessage-deflate; client_max_window_bits\r\n")
    client.line.close()
    assert b"deflate" not in client.received


@pytest.mark.parametrize("words", [frame(b"x" * 100, PING), frame(b'{"turn":1,"knob":true}')], ids=["pings", "turns"])
def test_who_sends_more_than_hands_can_is_cut_off(program: Program, words: bytes) -> None:
    client = Client(program.port)
    with client.line:
        assert client.closed_with(words * (3 * PAGE_BYTES // len(words))) == 0


def ended(line: socket.socket) -> bool:
    """Whether the server ends it soon, whatever it says before."""
    try:
        while line.recv(65536):
            pass
    except TimeoutError:
        return False
    except ConnectionError:
        return True
    return True


@pytest.fixture
def clients(table: Table) -> Iterator[Callable[[int], list[socket.socket]]]:
    """Opens so many connections, one after the other; they are closed after the test."""
    with ExitStack() as lines:
        yield lambda count: [lines.enter_context(line_to(table.port)) for _ in range(count)]


@pytest.fixture
def pages(table: Table) -> Iterator[Callable[[int], list[Client]]]:
    """Opens so many pages, or as many as are let in."""
    found: list[Client] = []

    def opened(count: int) -> list[Client]:
        found.extend(Client(table.port) for _ in range(count))
        return found[-count:]

    yield opened
    for page in found:
        page.line.close()


def test_who_asks_much_is_told_to_make_another_connection_and_never_cut_off(table: Table) -> None:
    with closing(HTTPConnection("127.0.0.1", table.port, timeout=PATIENCE_S)) as line:
        for _ in range(3 * HTTP_BYTES // 4000):
            line.request("GET", "/robots.txt", headers={"Cookie": "a" * 4000})
            line.getresponse().read()


def test_the_oldest_connection_makes_room_for_a_newcomer(clients: Callable[[int], list[socket.socket]]) -> None:
    oldest, second, *_ = clients(MAX_CONNECTIONS + 1)
    gone = ended(oldest)
    second.sendall(get("/"))
    assert (gone, status(second.recv(100))) == (True, 200)


def test_a_page_never_makes_room(table: Table, clients: Callable[[int], list[socket.socket]]) -> None:
    with table.browser() as browser:
        oldest, second, *_ = clients(MAX_CONNECTIONS + 1)
        gone = ended(oldest) and ended(second)
        browser.send('{"button":"P1","down":true}')
        assert (gone, table.twins.next()) == (True, ("P1", True))


def test_one_page_too_many_is_refused_until_another_goes(pages: Callable[[int], list[Client]]) -> None:
    first, *more = pages(MAX_PAGES + 1)
    assert [status(page.received) for page in (first, *more)] == [101] * MAX_PAGES + [503]
    first.line.close()
    assert comes(lambda: status(pages(1)[0].received) == 101)


def test_who_broke_the_rules_and_stays_makes_room(
    pages: Callable[[int], list[Client]], clients: Callable[[int], list[socket.socket]]
) -> None:
    broken = pages(MAX_PAGES)
    for page in broken:
        page.line.sendall(frame(b"{}"))
    clients(MAX_CONNECTIONS)
    assert all(ended(page.line) for page in broken)


def test_a_browser_that_reads_no_more_lets_go_of_its_buttons(table: Table) -> None:
    with table.lazy_browser() as lazy:
        lazy.send('{"button":"P1","down":true}')
        assert table.twins.next() == ("P1", True)
        for number in range(1000):
            table.display.show(number.to_bytes(4, "big") + bytes(1020))
            time.sleep(0.0005)
        table.later(PATIENCE_S)  # it is pinged,
        table.later(PATIENCE_S)  # and given up
        assert table.twins.next() == ("P1", False)
