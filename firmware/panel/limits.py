"""What the page's connections may ask of the program: how many at once, how long, how much. Who takes more is dropped.

uvicorn bounds the size of a request's head and of a message; these are the bounds that it has no options for.
"""

import asyncio
import socket
import struct

from h11 import Request
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import Frame

MAX_CONNECTIONS = 64  # far fewer than the files a program may open: journal and lines need some, too
LIFE_S = 10.0  # of a connection that does not become a page's WebSocket, whatever it does
ROOM_BYTES = 1280  # taken in at one go, more than a message may have; between two the loop turns to its other work
HTTP_BYTES, PAGE_BYTES = 32_768, 8192  # that a connection may send at once: some heads; two hundred presses
BYTES_A_SECOND = 4096  # and for ever: six hands as fast as they can
MAX_FRAMES = 16  # of one message; empty ones would never make it too large
AT_ONCE = struct.pack("ii", 1, 0)  # struct linger


class _Measured(asyncio.BufferedProtocol):
    """A connection that is read in small pieces, and dropped when it sends too much. Stands before uvicorn's own."""

    loop: asyncio.AbstractEventLoop
    transport: asyncio.Transport
    burst_bytes: int

    @property
    def may_go(self) -> bool:
        """Whether a newcomer may have its place."""
        return True

    def __init__(self, *args: object, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)
        self._room = bytearray(ROOM_BYTES)
        self._allowance = float(self.burst_bytes)
        self._heard_s = self.born_s = self.loop.time()
        self.dropped = False

    def drop(self) -> None:
        """Close at once: a connection that does not read would never be closed in good order."""
        self.dropped = True
        line: socket.socket | None = self.transport.get_extra_info("socket")
        if line is not None:
            line.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, AT_ONCE)  # nor would the system forget what waits
        self.transport.abort()

    def get_buffer(self, sizehint: int) -> bytearray:
        """Where the next piece goes."""
        return self._room

    def buffer_updated(self, nbytes: int) -> None:
        """Take in a piece."""
        now_s = self.loop.time()
        self._allowance = min(self._allowance + BYTES_A_SECOND * (now_s - self._heard_s), self.burst_bytes) - nbytes
        self._heard_s = now_s
        if self._allowance < 0:
            self.drop()
            return
        try:
            self.data_received(bytes(self._room[:nbytes]))
        except Exception:  # the libraries may stumble over what nobody should send; that costs this connection alone
            self.drop()

    def eof_received(self) -> None:
        """Nothing more comes: it is closed."""

    def data_received(self, data: bytes) -> None:
        """What uvicorn does with it."""
        super().data_received(data)  # type: ignore[misc]


class HttpConnection(_Measured, H11Protocol):
    """A connection that asks for files, or says nothing at all; where there are too many the oldest one goes."""

    burst_bytes = HTTP_BYTES

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Take its place."""
        super().connection_made(transport)
        self._end = self.loop.call_later(LIFE_S, self.drop)
        there = [one for one in self.connections if isinstance(one, _Measured) and not one.dropped]
        if len(there) > MAX_CONNECTIONS:
            min((one for one in there if one.may_go), key=lambda one: one.born_s).drop()

    def connection_lost(self, exc: Exception | None) -> None:
        """It is gone."""
        self._end.cancel()
        super().connection_lost(exc)

    def handle_websocket_upgrade(self, event: Request) -> None:
        """It becomes a page's, or is refused as such."""
        self._end.cancel()
        super().handle_websocket_upgrade(event)


class PageConnection(_Measured, WebSocketsSansIOProtocol):
    """The WebSocket of a page."""

    burst_bytes = PAGE_BYTES

    @property
    def may_go(self) -> bool:
        """Whether it is no page's any more, and only waits for its end."""
        return self.close_sent or self.transport.is_closing()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Hold back what is said next while anything waits to be read: the newest picture replaces those before."""
        super().connection_made(transport)
        self.transport.set_write_buffer_limits(0)

    def keepalive_timeout(self) -> None:
        """It does not answer: gone, or does not read."""
        self.drop()

    def handle_cont(self, event: Frame) -> None:
        """One more piece of a message."""
        if len(self.frames) == MAX_FRAMES:
            self.drop()
        else:
            super().handle_cont(event)
