"""Limits of the page's connections: how many at once, how long, how much. A connection beyond them is dropped.

uvicorn bounds the size of a request's head and of a message; these are the limits that it has no options for.
"""

import asyncio
import socket
import struct
from collections import Counter

from h11 import Request
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import Frame

MAX_CONNECTIONS = 64  # far fewer than the files a program may open: journal and lines need some, too
LIFE_S = 10.0  # of a connection that does not become a page's WebSocket, whatever it does
ROOM_BYTES = 1280  # read at one go, more than a message may have; between two the loop turns to its other work
HTTP_BYTES, PAGE_BYTES = 32_768, 8192  # that a connection may send at once: some heads; two hundred presses
HTTP_PIECE, PAGE_PIECE = 64, 16  # what a piece counts at least: each costs the loop a turn, however small it is
MAX_LINES = 200  # of a request; a browser sends some twenty, and each costs the loop time of its own
BYTES_A_SECOND = 4096  # on average: six hands as fast as they can
MAX_FRAMES = 16  # of one message; empty ones would never make it too large
AT_ONCE = struct.pack("ii", 1, 0)  # struct linger


class _Measured(asyncio.BufferedProtocol):
    """A connection that is read in small pieces, and dropped when it sends too much. Stands before uvicorn's own."""

    loop: asyncio.AbstractEventLoop
    transport: asyncio.Transport
    burst_bytes: int
    piece_bytes: int
    address: str  # of the other side

    @property
    def may_go(self) -> bool:
        """Whether it may be dropped for a newcomer."""
        return True

    def __init__(self, *args: object, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)
        self._room = bytearray(ROOM_BYTES)
        self._allowance = float(self.burst_bytes)
        self._read_s = self.born_s = self.loop.time()
        self.dropped = False
        self.address = ""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Note who is at the other side."""
        super().connection_made(transport)
        self.address = (transport.get_extra_info("peername") or ("",))[0]

    def drop(self) -> None:
        """Close at once: a connection whose browser does not read would never close in good order."""
        self.dropped = True
        line: socket.socket | None = self.transport.get_extra_info("socket")
        if line is not None:
            line.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, AT_ONCE)  # else the system would keep its unsent bytes
        self.transport.abort()

    def get_buffer(self, sizehint: int) -> bytearray:
        """The buffer of the next piece."""
        return self._room

    def buffer_updated(self, nbytes: int) -> None:
        """Handle a piece, or drop the connection."""
        now_s = self.loop.time()
        allowed = min(self._allowance + BYTES_A_SECOND * (now_s - self._read_s), self.burst_bytes)
        self._allowance = allowed - max(nbytes, self.piece_bytes)
        self._read_s = now_s
        if self._allowance < 0:
            self.drop()
            return
        try:
            self.data_received(bytes(self._room[:nbytes]))
        except Exception:  # the libraries may raise anything on bad input; only this connection is lost
            self.drop()

    def eof_received(self) -> None:
        """The browser has closed its side: close."""

    def data_received(self, data: bytes) -> None:
        """Pass a piece to uvicorn."""
        super().data_received(data)  # type: ignore[misc]


class HttpConnection(_Measured, H11Protocol):
    """A connection that asks for files, or is silent; where there are too many the oldest one is dropped."""

    burst_bytes, piece_bytes = HTTP_BYTES, HTTP_PIECE

    def __init__(self, *args: object, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)
        self._lines = 0  # of the request that is being read, its body's included

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin its time; drop the oldest of too many."""
        super().connection_made(transport)
        self._end = self.loop.call_later(LIFE_S, self.drop)
        there = [one for one in self.connections if isinstance(one, _Measured) and not one.dropped]
        if len(there) > MAX_CONNECTIONS:
            # of the address with most of them: one that opens many takes no place of the others
            many = Counter(one.address for one in there if one.may_go)
            most = many.most_common(1)[0][0]
            min((one for one in there if one.may_go and one.address == most), key=lambda one: one.born_s).drop()

    def connection_lost(self, exc: Exception | None) -> None:
        """End its time."""
        self._end.cancel()
        super().connection_lost(exc)

    @property
    def worn(self) -> bool:
        """Whether half of what it may have is used up, of time or of bytes."""
        return self.loop.time() - self.born_s > LIFE_S / 2 or self._allowance < self.burst_bytes / 2

    def data_received(self, data: bytes) -> None:
        """Pass a piece to uvicorn, unless the request has too many lines: of its head, or of chunks of its body.

        The answer of a worn connection is its last, and says so: the browser's next click is not met by its drop.
        """
        self._lines += data.count(b"\n")
        if self._lines > MAX_LINES:
            self.drop()
            return
        super().data_received(data)
        if self.cycle is not None and self.worn:  # it answers in a later turn of the loop
            self.cycle.default_headers = [*self.server_state.default_headers, (b"connection", b"close")]

    def on_response_complete(self) -> None:
        """A request is answered; the next one begins."""
        self._lines = 0
        super().on_response_complete()

    def handle_websocket_upgrade(self, event: Request) -> None:
        """The connection becomes a page's, or is refused."""
        self._end.cancel()
        super().handle_websocket_upgrade(event)


class PageConnection(_Measured, WebSocketsSansIOProtocol):
    """The WebSocket of a page."""

    burst_bytes, piece_bytes = PAGE_BYTES, PAGE_PIECE

    @property
    def may_go(self) -> bool:
        """Whether it is being closed."""
        return self.close_sent or self.transport.is_closing()

    def data_received(self, data: bytes) -> None:
        """Pass a piece to uvicorn. It does not answer what cannot become a WebSocket: with a body, too long."""
        super().data_received(data)
        if not self.handshake_initiated:
            self.close_sent = True
            self.transport.write(b"HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Length: 0\r\n\r\n")
            self.transport.close()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Send nothing while anything waits to be read: the newest picture replaces those before."""
        super().connection_made(transport)
        self.transport.set_write_buffer_limits(0)

    def keepalive_timeout(self) -> None:
        """A ping was not answered: the browser is gone, or does not read."""
        self.drop()

    def handle_cont(self, event: Frame) -> None:
        """One more frame of a message."""
        if len(self.frames) == MAX_FRAMES:
            self.drop()
        else:
            super().handle_cont(event)
