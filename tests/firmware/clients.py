"""Unknown clients that attack the page: `python -m tests.firmware.clients PORT STORM`.

Each keeps a connection as long as the server lets it, and then makes another. When standard input ends so does the
storm, and prints how many they made.
"""

import asyncio
import resource
import select
import socket
import struct
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from itertools import chain, cycle, repeat
from random import Random

MANY, SOME = 1000, 24  # connections at once; SOME are more than are let in as pages
PAUSE_S = 0.2  # between two looks whether the connection still stands, and before the next one
GONE = select.POLLERR | select.POLLHUP | select.POLLRDHUP
TEXT, BINARY, CONTINUED, PING = 1, 2, 0, 9

dice = Random(7)


def handshake(host: str, more: str = "") -> bytes:
    """The request that a page opens its WebSocket with."""
    return (
        f"GET /ws HTTP/1.1\r\nHost: {host}\r\nOrigin: http://{host}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        f"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n{more}\r\n"
    ).encode()


def frame(data: bytes, kind: int = TEXT, *, last: bool = True, deflated: bool = False, masked: bool = True) -> bytes:
    """A frame of a WebSocket; its mask changes nothing."""
    length, mask = len(data), 0x80 * masked
    head = (kind | 0x80 * last | 0x40 * deflated, mask | (length if length < 126 else 126 if length < 65536 else 127))
    size = b"" if length < 126 else struct.pack(">H" if length < 65536 else ">Q", length)
    return bytes(head) + size + bytes(4) * masked + data


OK = b'{"ok":true}'
WRONG_MESSAGES = {  # what no page sends, and the code that ends the connection; 0: it is cut off without one
    "no JSON": (frame(b"P1"), 1008),
    "deep": (frame(b"[" * 1000), 1008),
    "deep objects": (frame(b'{"a":' * 150 + b"1" + b"}" * 150), 1008),
    "bytes": (frame(OK, BINARY), 1008),
    "nothing in it": (frame(b"{}"), 1008),
    "an unknown button": (frame(b'{"button":"P9","down":true}'), 1008),
    "no name": (frame(b'{"button":5,"down":true}'), 1008),
    "half a character": (frame(b'{"button":"\\ud800","down":true}'), 1008),
    "down is no truth value": (frame(b'{"button":"P1","down":1}'), 1008),
    "a stamp of its own": (frame(b'{"button":"P1","down":true,"at_ns":5}'), 1008),
    "ok is no truth value": (frame(b'{"ok":null}'), 1008),
    "turned too far": (frame(b'{"turn":21,"knob":true}'), 1008),
    "no turn": (frame(b'{"turn":0,"knob":true}'), 1008),
    "turn is true": (frame(b'{"turn":true,"knob":true}'), 1008),
    "a number of many digits": (frame(b'{"turn":' + b"9" * 900 + b',"knob":true}'), 1008),
    "a number without end": (frame(b'{"turn":1e999,"knob":true}'), 1008),
    "a number that is not whole": (frame(b'{"turn":1.0,"knob":true}'), 1008),
    "an unknown part": (frame(b'{"plug":"buzzer","in":true}'), 1008),
    "a text too large": (frame(OK.ljust(1025)), 1009),
    "bytes too large": (frame(bytes(70_000), BINARY), 1009),
    "an endless text announced": (struct.pack(">BBQ", 0x81, 0xFF, 1 << 62), 1009),
    "fragments too large": (frame(b"x" * 600, last=False) + frame(b"x" * 600, CONTINUED, last=False) * 600, 1009),
    "empty fragments without end": (frame(b"", last=False) + frame(b"", CONTINUED, last=False) * 4000, 0),
    "no UTF-8": (frame(b"\xff\xfe{}"), 1007),
    "deflated": (frame(OK, deflated=True), 1002),
    "without mask": (frame(OK, masked=False), 1002),
    "a fragment of nothing": (frame(OK, CONTINUED), 1002),
    "a frame of no kind": (frame(OK, 3), 1002),
    "a ping too large": (frame(b"x" * 126, PING), 1002),
}
BROKEN_REQUESTS = (
    b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",  # TLS
    b"\r\n" * 20_000,
    b"GET\r\n\r\n",
    b"GET / HTTP/1.1\r\n\r\n",
    b"GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n",
    b"GET / HTTP/1.1\r\nHost: localhost\r\n Folded: yes\r\n\xff: \xff\r\n\r\n",
    b"GET /" + b"a" * 1_000_000 + b" HTTP/1.1\r\nHost: localhost\r\n\r\n",
    b"GET / HTTP/1.1\r\nHost: localhost\r\nCookie: " + b"a" * 1_000_000 + b"\r\n\r\n",
    b"GET / HTTP/1.1\r\nHost: localhost\r\n" + b"A: b\r\n" * 20_000 + b"\r\n",
    b"GET /../../etc/passwd HTTP/1.1\r\nHost: localhost\r\n\r\n",
    b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000000000\r\n\r\n" + bytes(1_000_000),
    b"POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n" + b"1\r\na\r\n" * 100_000,
    b"GET / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nfffffffffffffffff\r\n",
    b"GET /kit.css HTTP/1.1\r\nHost: localhost\r\n\r\n" * 2000,
    handshake("localhost", "A: b\r\n" * 200),
    handshake("localhost", "A: " + "b" * 10_000 + "\r\n"),
    handshake("localhost", "Sec-WebSocket-Extensions: ;;;\r\n"),
    handshake("localhost").replace(b"13", b"8"),
    handshake("localhost").replace(b"dGhlIHNhbXBsZSBub25jZQ==", b"key"),
    handshake("localhost").replace(b"GET", b"POST"),
    handshake("evil.example"),
    handshake("localhost").replace(b"http://localhost", b"http://evil.example"),
)


@dataclass(frozen=True)
class Sort:
    """A sort of client: its first message, and those that it repeats."""

    opening: Callable[[str], bytes]
    more: Callable[[], Iterator[bytes]] = lambda: iter(())
    pause_s: float = 0.0
    page: bool = False  # opens a WebSocket before it says more
    reads: bool = True
    stays: bool = True


def nothing(host: str) -> bytes:
    return b""


def presses() -> Iterator[bytes]:
    return cycle(frame(b'{"button":"P4","down":%s}' % down) * 20 for down in (b"true", b"false"))


def any_wrong_message() -> Iterator[bytes]:
    return iter((dice.choice([words for words, _ in WRONG_MESSAGES.values()]),))


SILENT = Sort(nothing)
HALF = Sort(lambda host: b"GET / HTTP/1.1\r\nHost: localhost\r\n", lambda: repeat(b"A: b\r\n"), 0.5)
MUTE = Sort(handshake, page=True, reads=False)
PINGS = Sort(handshake, lambda: repeat(frame(b"x" * 100, PING) * 10), page=True, reads=False)
GREEDY = Sort(lambda host: b"GET /kit.css HTTP/1.1\r\nHost: localhost\r\n\r\n" * 50, reads=False)
PRESSES = Sort(handshake, presses, page=True)
MESSAGES = Sort(
    partial(handshake, more="Sec-WebSocket-Extensions: permessage-deflate\r\n"), any_wrong_message, page=True
)
REQUESTS = Sort(lambda host: dice.choice(BROKEN_REQUESTS))
PASSING = Sort(nothing, stays=False)

STORMS: dict[str, tuple[tuple[Sort, int], ...]] = {
    "broken messages and requests": ((MESSAGES, SOME), (REQUESTS, SOME), (PASSING, SOME)),
    "a flood of presses": ((PRESSES, SOME),),
    "a thousand who say nothing or never finish": ((SILENT, MANY // 2), (HALF, MANY // 2)),
    "a thousand who do not read": ((MUTE, MANY), (PINGS, SOME), (GREEDY, SOME)),
}


class Storm:
    """Unknown clients at a port, until standard input ends."""

    def __init__(self, port: int) -> None:
        self._port = port
        self.made = 0  # connections

    async def blow(self, storm: str) -> None:
        clients = [asyncio.create_task(self._client(sort)) for sort, most in STORMS[storm] for _ in range(most)]
        await asyncio.to_thread(sys.stdin.read)
        for one in clients:
            one.cancel()

    async def _client(self, sort: Sort) -> None:
        """Come again and again."""
        while True:
            with socket.socket() as line, suppress(OSError):
                if not sort.reads:
                    line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
                line.setblocking(False)
                await self._visit(sort, line)
            await asyncio.sleep(PAUSE_S)

    async def _visit(self, sort: Sort, line: socket.socket) -> None:
        """One connection, until the server ends it."""
        loop = asyncio.get_running_loop()
        await loop.sock_connect(line, ("127.0.0.1", self._port))
        self.made += 1
        await loop.sock_sendall(line, sort.opening(f"127.0.0.1:{self._port}"))
        if sort.page and b" 101 " not in await loop.sock_recv(line, 100):
            return
        for words in chain(sort.more(), repeat(b"") if sort.stays else ()):
            await loop.sock_sendall(line, words)
            await asyncio.sleep(sort.pause_s if words else PAUSE_S)
            if gone(line, sort.reads):
                return


def gone(line: socket.socket, reads: bool) -> bool:
    """Whether the server has ended it."""
    with suppress(BlockingIOError):
        while reads and line.recv(65536):
            pass
    poll = select.poll()
    poll.register(line, GONE)
    return bool(poll.poll(0))


if __name__ == "__main__":
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    storm = Storm(int(sys.argv[1]))
    asyncio.run(storm.blow(sys.argv[2]))
    print(storm.made)
