"""Limits of the page's connections: how many at once, how long, how much. A connection beyond them is dropped.

uvicorn bounds the size of a request's head and of a message; these are the limits that it has no options for.
"""

import asyncio
import fcntl
import socket
import struct
import termios
from collections import Counter
from contextlib import suppress
from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import Frame

MAX_CONNECTIONS = 64  # far fewer than the files a program may open: journal and lines need some, too
LIFE_S = 10.0  # of a request: from its first byte until it is answered; then until that has arrived
IDLE_S = 75.0  # of a connection before a request and between two: browsers keep some, and use them again
SPARE_S = 5.0  # so much earlier a browser is told to give it up: what it sends must not meet its end
LEAVING_S = 2.0  # from the end of what is sent until the other side has closed, too
ROOM_BYTES = 1280  # read at one go, more than a message may have; between two the loop turns to its other work
HTTP_BYTES, PAGE_BYTES = 32_768, 8192  # that a connection may send at once: some heads; two hundred presses
HTTP_PIECE, PAGE_PIECE = 64, 16  # what a piece counts at least: each costs the loop a turn, however small it is
MAX_LINES = 200  # of a request; a browser sends some twenty, and each costs the loop time of its own
BYTES_A_SECOND = 4096  # on average: six hands as fast as they can
MAX_FRAMES = 16  # of one message; empty ones would never make it too large
AT_ONCE = struct.pack("ii", 1, 0)  # struct linger
LATE = b"HTTP/1.1 408 Request Timeout"
WRONG = b"HTTP/1.1 400 Bad Request"
BUSY = b"HTTP/1.1 503 Service Unavailable"
FRESH = {h11.CLIENT: h11.IDLE, h11.SERVER: h11.IDLE}  # both sides of a connection, before a request


class _GoodOrder:
    """A transport for uvicorn whose `close` says goodbye first."""

    def __init__(self, transport: asyncio.Transport, connection: "_Measured") -> None:
        self._transport, self._connection = transport, connection

    def __getattr__(self, name: str) -> Any:
        return getattr(self._transport, name)

    def is_closing(self) -> bool:
        """Whether nothing can be sent any more."""
        return self._connection.leaving or self._transport.is_closing()

    def write(self, data: bytes) -> None:
        """Send, unless it is closed."""
        if not self.is_closing():
            self._transport.write(data)

    def close(self) -> None:
        """Close in good order."""
        self._connection.leave()


class _Measured(asyncio.BufferedProtocol):
    """A connection that is read in small pieces, and dropped when it sends too much. Stands before uvicorn's own."""

    loop: asyncio.AbstractEventLoop
    transport: asyncio.Transport  # as uvicorn has it
    burst_bytes: int
    piece_bytes: int
    address: str  # of the other side

    @property
    def may_go(self) -> bool:
        """Whether it may be dropped for a newcomer."""
        return True

    @property
    def idle(self) -> bool:
        """Whether nothing is lost if it goes."""
        return self.leaving and not self.unsent

    def __init__(self, *args: object, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)
        self._room = bytearray(ROOM_BYTES)
        self._allowance = float(self.burst_bytes)
        self._read_s = self.since_s = self.loop.time()
        self._end: asyncio.TimerHandle | None = None  # of its time
        self.leaving = self.dropped = False
        self.address = ""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Note who is at the other side."""
        assert isinstance(transport, asyncio.Transport)
        self._line = transport
        super().connection_made(_GoodOrder(transport, self))  # type: ignore[arg-type]
        self.address = (transport.get_extra_info("peername") or ("",))[0]

    def connection_lost(self, exc: Exception | None) -> None:
        """End its time."""
        self._stop()
        super().connection_lost(exc)

    @property
    def unsent(self) -> bool:
        """Whether the other side has not got yet all that it was sent."""
        waiting = bytearray(4)
        with suppress(OSError, ValueError):  # other systems than Linux do not tell; it is closed
            fcntl.ioctl(self._line.get_extra_info("socket").fileno(), termios.TIOCOUTQ, waiting)
        return self._line.get_write_buffer_size() > 0 or any(waiting)

    def drop(self) -> None:
        """Close at once: in good order where all has arrived, else by a reset.

        A connection whose browser does not read would never close in good order.
        """
        self.dropped = True
        line: socket.socket = self._line.get_extra_info("socket")
        if self.unsent:
            line.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, AT_ONCE)  # else the system would keep its unsent bytes
        self._line.abort()

    def leave(self) -> None:
        """Close in good order. For a moment what still comes is read: unread it would reset the connection.

        A reset takes along what the other side has not read yet, an answer too.
        """
        if self.leaving or self._line.is_closing():
            return
        self.leaving = True
        with suppress(OSError):  # it is gone
            self._line.write_eof()
        self._line.resume_reading()
        self._stop()
        self._end = self.loop.call_later(LEAVING_S, self._left)

    def _left(self) -> None:
        """The other side has had its time to close; on a slow network the last answer may be on its way."""
        if self.unsent:
            self._end = self.loop.call_later(LIFE_S, self.drop)
        else:
            self.drop()

    def _stop(self) -> None:
        if self._end is not None:
            self._end.cancel()

    def refuse(self, why: bytes) -> None:
        """Answer what uvicorn does not, and close."""
        self.transport.write(why + b"\r\nConnection: close\r\nContent-Length: 0\r\n\r\n")
        self.leave()

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
        if self.leaving:
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
    """A connection that asks for files, or is silent; where there are too many one is dropped."""

    burst_bytes, piece_bytes = HTTP_BYTES, HTTP_PIECE

    def __init__(self, *args: object, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)
        self._lines = 0  # of the request that is being read, its body's included

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Begin its time; drop one of too many, if possible one that is idle."""
        super().connection_made(transport)
        self._begin()
        there = [one for one in self.connections if isinstance(one, _Measured) and not one.dropped]
        if len(there) > MAX_CONNECTIONS:
            # of the address with most of them: one that opens many takes no place of the others
            many = Counter(one.address for one in there if one.may_go)
            first, *more = sorted(
                (one for one in there if one.may_go), key=lambda one: (-many[one.address], one.since_s)
            )
            goes = [first, *(one for one in more if one.address == first.address)]
            next((one for one in goes if one.idle), first).drop()

    @property
    def fresh(self) -> bool:
        """Whether nothing of a request has come, or all is answered."""
        return self.conn.states == FRESH and not self.conn.trailing_data[0]

    @property
    def idle(self) -> bool:
        """Whether nothing is lost if it goes."""
        return (self.leaving or self.fresh) and not self.unsent

    @property
    def worn(self) -> bool:
        """Whether half of the bytes that it may send are used up."""
        return self._allowance < self.burst_bytes / 2

    def _begin(self) -> None:
        """A request begins, or the wait for one."""
        if not self.leaving:
            self._stop()
            self.since_s = self.loop.time()
            self._end = self.loop.call_later(min(LIFE_S, IDLE_S), self._look)

    def _look(self) -> None:
        """See what has become of its request, or of the wait for one."""
        rest_s = self.since_s + IDLE_S - self.loop.time()
        if self.unsent:  # its browser does not read
            self.drop()
        elif self.fresh and rest_s > 0:
            self._end = self.loop.call_later(rest_s, self._look)
        elif self.fresh or self.conn.our_state not in (h11.IDLE, h11.SEND_RESPONSE):  # the answer has begun
            self.leave()
        else:
            self.refuse(BUSY if self.conn.their_state is h11.DONE else LATE)

    def data_received(self, data: bytes) -> None:
        """Pass a piece to uvicorn, unless the request has too many lines: of its head, or of chunks of its body.

        The answer of a worn connection is its last, and says so: the browser's next click is not met by its drop.
        """
        if self.fresh:
            self._begin()
        self._lines += data.count(b"\n")
        if self._lines > MAX_LINES:
            self.drop()
            return
        super().data_received(data)
        if self.cycle is not None:  # it answers in a later turn of the loop
            lasts = (b"connection", b"close") if self.worn else (b"keep-alive", b"timeout=%d" % (IDLE_S - SPARE_S))
            self.cycle.default_headers = [*self.server_state.default_headers, lasts]

    def on_response_complete(self) -> None:
        """A request is answered; the next one begins."""
        self._lines = 0
        super().on_response_complete()
        self._unset_keepalive_if_required()  # it knows one time only
        self._begin()

    def handle_websocket_upgrade(self, event: h11.Request) -> None:
        """The connection becomes a page's, or is refused."""
        self._stop()
        self.transport = self._line  # that has an end of its own
        super().handle_websocket_upgrade(event)


class PageConnection(_Measured, WebSocketsSansIOProtocol):
    """The WebSocket of a page."""

    burst_bytes, piece_bytes = PAGE_BYTES, PAGE_PIECE

    @property
    def may_go(self) -> bool:
        """Whether it is being closed."""
        return self.close_sent or self.transport.is_closing()

    @property
    def idle(self) -> bool:
        """Whether nothing is lost if it goes."""
        return self.may_go

    def data_received(self, data: bytes) -> None:
        """Pass a piece to uvicorn. It does not answer what cannot become a WebSocket: with a body, too long."""
        super().data_received(data)
        if not self.handshake_initiated:
            self.close_sent = True
            self.refuse(WRONG)

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Send nothing while anything waits to be read: the newest picture replaces those before."""
        super().connection_made(transport)
        self.transport.set_write_buffer_limits(0)

    def keepalive_timeout(self) -> None:
        """A ping was not answered: the browser is gone, does not read, or is no browser."""
        if self.unsent:
            self.drop()
        else:
            super().keepalive_timeout()
            self.queue.put_nowait({"type": "websocket.disconnect", "code": 1011})  # its buttons are let go now

    def handle_cont(self, event: Frame) -> None:
        """One more frame of a message."""
        if len(self.frames) == MAX_FRAMES:
            self.drop()
        else:
            super().handle_cont(event)
