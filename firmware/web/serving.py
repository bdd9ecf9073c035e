"""A web server on one listening socket: uvicorn in the kit's own loop, within limits, without its signal handlers."""

import asyncio
import errno
import logging
import socket
import time
import traceback
from collections.abc import Generator
from contextlib import contextmanager, suppress

import uvicorn
from starlette.requests import ClientDisconnect, Request
from starlette.responses import PlainTextResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send

from firmware.translation import _
from firmware.web.limits import HttpConnection, PageConnection

HEADERS = [
    ("X-Content-Type-Options", "nosniff"),
    ("Cross-Origin-Resource-Policy", "same-origin"),
    ("Referrer-Policy", "same-origin"),  # without any a form would name no origin
    ("Cache-Control", "no-store"),
]
MAX_BYTES = 1024  # of a message from a page, and of a request's body
HEAD_BYTES = 8192  # of a request's head; browsers send along cookies of other programs on this machine
QUIET_S = 60.0  # between two lines in the log about requests that could not be answered
NEWCOMERS, QUEUE = 8, 128  # connections accepted at one go; connections that wait for it
BACKLOG_BYTES = 32_768  # the system would keep megabytes of old pictures for a browser that does not read
SIGN_S = 2.4  # a page is told something at least so often: it takes a kit that says nothing for gone (silence.js)
PING_S = 5.0  # a browser that vanished is noticed after twice that

logger = logging.getLogger(__name__)


class _Server(uvicorn.Server):
    """uvicorn without its signal handlers and without its ten ticks a second."""

    def __init__(self, config: uvicorn.Config, up: asyncio.Event, stop: asyncio.Event) -> None:
        super().__init__(config)
        self._up, self._stop = up, stop

    @contextmanager
    def capture_signals(self) -> Generator[None, None, None]:
        # uvicorn's own would end the process by SIGTERM before the program has closed its journal
        yield

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await self.on_tick(0)  # sets the headers, before the first connection
        await super().startup(sockets)
        for listener in sockets or ():
            listener.listen(QUEUE)  # asyncio uses one number for both
        self._up.set()

    async def main_loop(self) -> None:
        await self._stop.wait()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        # asyncio needs two turns of the loop to make a connection of one that it has accepted. A server that is closed
        # meanwhile leaves it open: its browser waits, and Python 3.14 writes a traceback.
        for listener in sockets or ():
            asyncio.get_running_loop().remove_reader(listener)  # accept no more
        for _turn in range(2):
            await asyncio.sleep(0)
        # uvicorn's own waits for browsers that do not read, and raises InvalidState where one is just going
        for server in self.servers:
            server.close()
        for connection in list(self.server_state.connections):
            connection.transport.abort()
        for task in self.server_state.tasks:  # nobody is left to answer: one may wait for the table for seconds
            task.cancel()
        await asyncio.gather(*self.server_state.tasks, return_exceptions=True)


class Serving:
    """Answers browsers from `serve` to `stop`, once. All on the loop's thread."""

    def __init__(self, app: ASGIApp, headers: list[tuple[str, str]], *, ping_s: float | None = None) -> None:
        """`headers`: of every answer, besides `HEADERS`. A browser that vanished is noticed after twice `ping_s`."""
        self._app, self._headers, self._ping_s = app, headers, ping_s
        self._up, self._stop = asyncio.Event(), asyncio.Event()
        self._told_s: float | None = None  # when the log was last told of a request

    async def up(self) -> None:
        """Wait until browsers are answered; for ever if `serve` failed."""
        await self._up.wait()

    async def serve(self, listener: socket.socket) -> None:
        """Answer browsers until `stop`."""
        ping_s = PING_S if self._ping_s is None else self._ping_s
        config = uvicorn.Config(
            self._answered,
            interface="asgi3",
            http=HttpConnection,
            ws=PageConnection,
            loop="asyncio",
            lifespan="off",
            log_config=None,
            log_level="critical",  # lower levels are about bad requests
            access_log=False,
            proxy_headers=False,
            server_header=False,
            date_header=False,
            headers=[*HEADERS, *self._headers],
            backlog=NEWCOMERS,
            h11_max_incomplete_event_size=HEAD_BYTES,
            ws_max_size=MAX_BYTES,
            ws_per_message_deflate=False,
            ws_ping_interval=ping_s,
            ws_ping_timeout=ping_s,
        )
        await _Server(config, self._up, self._stop).serve(sockets=[listener])

    async def _answered(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await self._app(scope, receive, send)
        except (OSError, ClientDisconnect):
            return  # the browser is gone
        except Exception as error:
            self._tell_of(error)

    def _tell_of(self, error: Exception) -> None:
        """A line in the log, not more often than once a minute: strangers may ask as often as they like."""
        now_s = time.monotonic()
        if self._told_s is None or now_s - self._told_s >= QUIET_S:
            self._told_s = now_s
            cause = error.__cause__ or error
            where = traceback.extract_tb(cause.__traceback__)[-1]
            what = f"{type(cause).__name__} in {where.name}, line {where.lineno}"
            logger.error("A browser could not be answered: %s", what)

    def stop(self) -> None:
        """End `serve`."""
        self._stop.set()


def unable(request: Request, error: Exception) -> Response:
    """The answer where the kit has failed; Starlette's own is the status 500."""
    return PlainTextResponse(_("Lucky Paw cannot answer this now."), 503)


def cookie(cookies: str, name: str) -> str:
    """What the cookie of this name holds, of a request's; empty where there is none."""
    for pair in cookies.split(";"):  # `http.cookies` takes quadratic time on some Pythons
        key, _equals, value = pair.partition("=")
        if key.strip() == name:
            return value.strip()
    return ""


async def news_or_sign(wake: asyncio.Event) -> None:
    """Wait until there is news for a page, or until it needs a sign that the kit is there."""
    with suppress(TimeoutError):
        async with asyncio.timeout(SIGN_S):
            await wake.wait()
    wake.clear()


async def body_of(request: Request, most: int = MAX_BYTES) -> bytes:
    """The body of a request. Raises `ValueError` where it has more bytes than it may have."""
    body = b""
    async for piece in request.stream():
        body += piece
        if len(body) > most:
            raise ValueError(f"at most {most} bytes")
    return body


def listen(address: str, port: int, key: str) -> socket.socket:
    """A listening socket. Raises `OSError`, in one line that names the `key` of the description."""
    listener = socket.socket(socket.AF_INET6 if ":" in address else socket.AF_INET)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, BACKLOG_BYTES)  # its connections inherit it
        # else a picture may wait 40 ms for an acknowledgement: asyncio sees to that only where a socket names TCP
        listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        listener.bind((address, port))
        listener.listen(QUEUE)
    except (OSError, OverflowError) as error:
        listener.close()
        taken = isinstance(error, OSError) and error.errno == errno.EADDRINUSE
        reason = _("taken by another program") if taken else getattr(error, "strerror", None) or str(error)
        raise OSError(f"{key} {port}: {reason}") from None
    return listener
