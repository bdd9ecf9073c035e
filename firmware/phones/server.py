"""The server for phones: one page, and one WebSocket for each phone that has joined. It knows no button of the kit.

A request changes nothing but by POST: joining makes a cookie, which only this page's own scripts send along. Host must
be the address at which this very connection arrived; a page from elsewhere is refused by its Origin. Who asks for the
kit by its name is led on to the address. A WebSocket needs the cookie of a phone that has joined, and the pages of the
history that of the phone which the kit has allowed to open them. In the kit's own Wi-Fi other Hosts are phones that
look for the internet: they get a page that says where the kit is, and no cookie.
"""

import asyncio
import gzip
import json
import re
import socket
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import lru_cache, partial
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import quote

import msgspec
from starlette.applications import Starlette
from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, PlainTextResponse, RedirectResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from starlette.websockets import WebSocket, WebSocketDisconnect

from firmware import qr
from firmware.markup import document, html
from firmware.phones import captive, network
from firmware.phones.history import Edited
from firmware.phones.hub import Phones
from firmware.phones.link import Link
from firmware.phones.signs import CODE, copied
from firmware.translation import NOTHING, _, in_words
from firmware.web import pages, seats_css
from firmware.web.serving import Serving, body_of, cookie, news_or_sign, unable
from firmware.wishes import forms
from firmware.wishes.who_may_wish import AnyWish
from firmware.wishes.wish import AskFirst, Denied, Done

PAGE = Path(__file__).resolve().parent / "page"
SHARED = Path(__file__).resolve().parent.parent / "panel" / "page"  # files that the kit's own page has, too
FILES = {
    "/": (PAGE / "phone.html", "text/html"),
    "/board": (PAGE / "board.html", "text/html"),
    "/phone.css": (PAGE / "phone.css", "text/css"),
    "/board.css": (PAGE / "board.css", "text/css"),
    "/phone.js": (PAGE / "phone.js", "text/javascript"),
    "/joining.js": (PAGE / "joining.js", "text/javascript"),
    "/questions.js": (PAGE / "questions.js", "text/javascript"),
    "/board.js": (PAGE / "board.js", "text/javascript"),
    "/common.js": (PAGE / "common.js", "text/javascript"),
    "/old.js": (PAGE / "old.js", "text/javascript"),
    "/finish.css": (SHARED / "finish.css", "text/css"),
    "/rounds.css": (SHARED / "rounds.css", "text/css"),
    "/rounds.js": (SHARED / "rounds.js", "text/javascript"),
    "/silence.js": (SHARED / "silence.js", "text/javascript"),
    "/words.js": (SHARED / "words.js", "text/javascript"),
    "/pages.css": (SHARED / "pages.css", "text/css"),
    "/icon.svg": (SHARED / "icon.svg", "image/svg+xml"),
}
OF_PAGES = "/pages.css"  # of the history only
EDITED, AGAIN_S = "/edited", 2  # what has become of the latest edit; until a browser asks again
DECIDING_S = 5.0  # how long a browser waits to hear whether the kit asks for OK
CSP = "Content-Security-Policy"
POLICY = "default-src 'self'; connect-src 'self'; base-uri 'none'; form-action {forms}; frame-ancestors 'none'"
HEADERS = [("X-Frame-Options", "DENY")]
# behind a kit's name in a home network, by its router; -2 where another machine has that name
HOME = r"\.(local|lan|home|home\.arpa|internal|localdomain|fritz\.box)"
COOKIE = "luckypaw"
LOOK_S = 2.0  # between two looks at the machine's addresses
YEAR_S = 365 * 86_400
NO_SESSION, BROKEN_RULES = 4401, 1008  # WebSocket close codes
NO_COOKIE = "no cookie"  # the reason of the first, where a page comes without one
JOINED = "joined"  # in the address of a page's first WebSocket after it has joined
PING_S = 2.4  # the mark of a phone that is gone is on the display within 5 s
WRONG_S, SLOWEST_S = 0.5, 30.0  # a newcomer waits so long after a wrong code, each time longer, and at most so long
GATHER_S = 0.01
CALM_S = 120.0  # after so long without a wrong code nobody waits


class Newcomer(msgspec.Struct):
    """What a phone sends that has not joined yet."""

    code: str
    button: str | None = None  # the place that it wants


class _Read(NamedTuple):
    """A message that was read of a page; `passed` is done once it was passed on."""

    link: Link
    message: object
    passed: asyncio.Future[None]


def _without_comments(file: Path) -> bytes:
    """A file of the page as a phone gets it: what is written for people is a tenth of a script."""
    content = file.read_bytes()
    return re.sub(rb"(?m)^ *//.*\n", b"", content) if file.suffix == ".js" else content


class Server:
    """Serves phones on one address. All on the loop's thread but `post`, which it only calls."""

    def __init__(self, phones: Phones, post: Callable[[Link, object], None]) -> None:
        """`post` takes a message of a page."""
        self.phones, self._post = phones, post
        # makes a page of the history by its path, None where there is none; called on any thread, and may block
        self.on_page: Callable[[str], bytes | None] = lambda path: None
        self.making = pages.Making()  # one for both servers
        # does something with the table, at its next step
        self.soon: Callable[[Callable[[], None]], None] = lambda what: None
        self._read: list[_Read] = []  # messages that wait: one of each page
        self._hotspot = False
        self._stopped = asyncio.Event()
        self._shown: Edited | None = None  # the latest edit of which a page has said that it is saved
        self._wrong, self._wrong_s = 0, 0.0  # codes in a row, and when the latest was
        self._files = {path: (_without_comments(file), kind) for path, (file, kind) in FILES.items()}
        self._files[f"/{seats_css.NAME}"] = (seats_css.sheet(), "text/css")
        self._compressed = {path: gzip.compress(content, mtime=0) for path, (content, _) in self._files.items()}
        routes = [Route(path, self._file) for path in self._files if path != OF_PAGES]
        routes += [Route(path, self._history) for path in (*pages.PATHS, OF_PAGES)]
        routes += [Route(path, self._edit, methods=["POST"]) for path in pages.EDITED]
        routes.append(Route(EDITED, self._edited))
        routes.append(Route("/qr.svg", self._qr))
        routes.append(Route("/{code:str}", self._page))  # the code is for the page's script
        routes.append(Route("/look", self._look, methods=["POST"]))
        routes.append(Route("/join", self._join, methods=["POST"]))
        self.app = Starlette(
            routes=[*routes, WebSocketRoute("/ws", self._talk)], exception_handlers={Exception: unable}
        )
        self._serving = Serving(self._guarded, HEADERS, ping_s=PING_S)
        self.port = 0

    async def serve(self, listener: socket.socket, *, hotspot: bool = False) -> None:
        """Answer phones until `stop`. `hotspot`: in the kit's own Wi-Fi, where every name leads here."""
        self._hotspot = hotspot
        self.port = int(listener.getsockname()[1])
        looking = asyncio.create_task(self._look_around(listener))
        try:
            await self._serving.serve(listener)
        finally:
            looking.cancel()

    async def _look_around(self, listener: socket.socket) -> None:
        """Networks come and go, and addresses with them."""
        look = network.hotspot if self._hotspot else network.way
        while True:
            self.phones.way = await asyncio.to_thread(look, listener)
            await asyncio.sleep(LOOK_S)

    async def up(self) -> None:
        """Wait until phones are answered."""
        await self._serving.up()

    def stop(self) -> None:
        """End `serve`; what pages have sent and nobody has read is let go."""
        self._stopped.set()
        self._serving.stop()

    # --- requests ----------------------------------------------------------------------------------------------------

    async def _guarded(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def answer(message: Message) -> None:
            if message["type"].endswith("http.response.start"):  # also of a WebSocket that is refused
                MutableHeaders(scope=message).setdefault(CSP, POLICY.format(forms="'none'"))
            await send(message)

        app: ASGIApp = self.app
        headers, server = Headers(scope=scope), scope["server"]
        changes = scope["type"] == "websocket" or scope["method"] == "POST"
        if not ours(headers, server, changes=changes):
            app = PlainTextResponse(_("Lucky Paw answers its own pages at its own address only."), 403)
            if not changes and called(headers, server):
                app = RedirectResponse(f"http://{at(server)}{scope['path']}", 307)
            elif self._hotspot and not changes and not meant(headers, server):
                # looking for the internet; with another status Android would not take it for a page to show
                app = HTMLResponse(captive.page(server[0]))
        await app(scope, receive, answer)

    async def _file(self, request: Request) -> Response:
        return self._answer(request, request.url.path)

    def _answer(self, request: Request, path: str) -> Response:
        """A file, compressed where the phone can read that: its network may be slow."""
        content, kind = self._files[path]
        if "gzip" in request.headers.get("accept-encoding", ""):
            return Response(self._compressed[path], media_type=kind, headers={"Content-Encoding": "gzip"})
        return Response(content, media_type=kind)

    async def _page(self, request: Request) -> Response:
        """The address with the code, as the display shows it."""
        code = copied(typed := request.path_params["code"])
        if len(code) != CODE:
            return PlainTextResponse(_("There is no such page."), 404)
        if code != typed.upper():
            return RedirectResponse(f"/{quote(code)}", 307)  # it was typed: the page's script reads it as it is shown
        return self._answer(request, "/")

    async def _history(self, request: Request) -> Response:
        """A page of the history, for the phone that may open it."""
        token = cookie(request.headers.get("cookie", ""), COOKIE)
        if self.phones.reads(token) is None:
            return _closed()
        if request.url.path == OF_PAGES:
            return self._answer(request, OF_PAGES)
        answer = await self.making.answer(request, self.on_page, guest=True)
        return _with_forms(answer) if self.phones.reads(token) else _closed()  # its time may be over meanwhile

    async def _edit(self, request: Request) -> Response:
        """A form of the history: the kit asks for OK; or a page asks something first, or says why not."""
        phone = self.phones.reads(cookie(request.headers.get("cookie", ""), COOKIE))
        if phone is None:
            return _closed()
        try:
            wish = await pages.wish_of(request)
        except ValueError:
            return PlainTextResponse(_("That is no form of the page."), 400)
        found: asyncio.Future[AskFirst | Denied | None] = asyncio.get_running_loop().create_future()

        def told(answer: AskFirst | Denied | None) -> None:
            if not found.done():  # whoever asked has gone
                found.set_result(answer)

        self.soon(partial(self.phones.history.edit, phone, wish, told))
        try:
            answer = await asyncio.wait_for(found, DECIDING_S)
        except TimeoutError:
            return PlainTextResponse(_("Lucky Paw is busy: try again in a moment."), 503)
        if answer is None:
            return RedirectResponse(EDITED, 303)
        return _with_forms(HTMLResponse(*self._said(wish, answer)))

    async def _edited(self, request: Request) -> Response:
        """What has become of the latest edit."""
        edited = self.phones.history.edited
        if self.phones.reads(cookie(request.headers.get("cookie", ""), COOKIE)) is None:
            return _closed()
        if edited is None:
            return PlainTextResponse(_("There is no such page."), 404)
        if isinstance(edited.answer, Done):
            shown, self._shown = self._shown, edited
            address = forms.shown_at(edited.answer)
            return RedirectResponse(address if shown is edited else self.making.saved(address), 303)
        if isinstance(edited.answer, AskFirst | Denied):
            return _with_forms(HTMLResponse(self._said(edited.wish, edited.answer)[0]))
        says = (
            _("The kit says yes: it is being saved.") if edited.granted else _("The kit asks this now: press OK there.")
        )
        line = in_words(edited.line or NOTHING)[0]
        return HTMLResponse(forms.waiting(line, says, EDITED), headers={"Refresh": str(AGAIN_S)})

    def _said(self, wish: AnyWish, answer: AskFirst | Denied) -> tuple[str, int]:
        """The page that asks something first, or says why it is not done; and its status."""
        known = self.phones.table.roster.names
        if isinstance(answer, AskFirst):
            return forms.question(wish, answer, known), 200
        return forms.refusal(wish, answer, known), 422

    async def _qr(self, request: Request) -> Response:
        """The address without the code, for a board: who wants to join looks at the display for that."""
        return Response(_code_of(request.headers["host"].upper()), media_type="image/svg+xml")

    async def _look(self, request: Request) -> Response:
        """The places of the table, for who has the code and has not joined yet. It changes nothing."""
        if self.phones.known(cookie(request.headers.get("cookie", ""), COOKIE)):
            return JSONResponse({"refused": "", "joined": True})
        asked = await self._newcomer(request)
        if isinstance(asked, Response):
            return asked
        return JSONResponse({"refused": "", "places": [place._asdict() for place in self.phones.claims.places()]})

    async def _newcomer(self, request: Request) -> "Newcomer | Response":
        """What somebody asks for who has the code; else the refusal. Wrong codes slow newcomers, and nobody else."""
        try:
            asked = msgspec.json.decode(await body_of(request), type=Newcomer)
        except ValueError:
            return _refusal(_("That is no code."), 400)
        wait_s = self._wait_s()  # from here on without a pause: guesses that come at once are judged one by one
        if wait_s > 0:
            return _refusal(_("Too many wrong codes. Try again in {n} s.", n=round(wait_s + 0.5)), 429)
        if not self.phones.right(asked.code):
            self._wrong, self._wrong_s = self._wrong + 1, time.monotonic()
            return _refusal(_("That is not the code on the display."), 403)
        self._wrong = 0
        return asked

    async def _join(self, request: Request) -> Response:
        """The tap that joins: the code for a cookie. A second tap of the same phone changes nothing."""
        if (known := self.phones.known(cookie(request.headers.get("cookie", ""), COOKIE))) is not None:
            return JSONResponse({"refused": ""} | self.phones.sight(known))
        asked = await self._newcomer(request)
        if isinstance(asked, Response):
            return asked
        try:
            token = self.phones.join(asked.code, asked.button, request.client.host if request.client else "")
        except ValueError as error:
            return _refusal(str(error), 503)
        assert token is not None
        phone = self.phones.known(token)
        assert phone is not None
        answer = JSONResponse({"refused": ""} | self.phones.sight(phone))
        answer.set_cookie(COOKIE, token, max_age=YEAR_S, path="/", httponly=True, samesite="strict")
        return answer

    def _wait_s(self) -> float:
        since_s = time.monotonic() - self._wrong_s
        if self._wrong == 0 or since_s >= CALM_S:
            self._wrong = 0
            return 0.0
        wait_s: float = WRONG_S * 2 ** min(self._wrong - 1, 10)
        return min(wait_s, SLOWEST_S) - since_s

    # --- a phone's page ----------------------------------------------------------------------------------------------

    async def _talk(self, browser: WebSocket) -> None:
        token = cookie(browser.headers.get("cookie", ""), COOKIE)
        phone = self.phones.known(token)
        await browser.accept()
        if phone is None:
            if not token and JOINED in browser.query_params and browser.client:
                self.phones.unkept(browser.client.host)
            with suppress(WebSocketDisconnect, RuntimeError):
                await browser.close(NO_SESSION, "join first" if token else NO_COOKIE)
            return
        news: dict[str, Any] = {}
        wake, closed = asyncio.Event(), asyncio.Event()

        def tell(fresh: Mapping[str, Any]) -> None:
            news.update(fresh)
            wake.set()

        link = Link(phone, tell, closed.set)
        tasks = [
            asyncio.create_task(_feed(browser, news, wake)),
            asyncio.create_task(closed.wait()),
            asyncio.create_task(self._stopped.wait()),
            asyncio.create_task(self._listen(browser, link)),
        ]
        self.phones.connect(link)
        try:
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        finally:
            self.phones.disconnect(link)
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
        out = self.phones.known(token) is None
        with suppress(WebSocketDisconnect, RuntimeError):  # gone meanwhile
            await browser.close(NO_SESSION if out else BROKEN_RULES)

    async def _listen(self, browser: WebSocket, link: Link) -> None:
        """Pass on a page's messages until it goes, or sends what no page sends."""
        while True:
            message = await browser.receive()
            if message["type"] == "websocket.disconnect":
                return
            try:
                read = json.loads(message.get("text") or "")
            except (ValueError, RecursionError):
                return
            loop = asyncio.get_running_loop()
            if not self._read:
                loop.call_later(GATHER_S, self._pass_on)
            waiting = _Read(link, read, loop.create_future())
            self._read.append(waiting)
            await waiting.passed  # a page that sends faster than this waits for itself

    def _pass_on(self) -> None:
        """Pass on what was read: many phones at once cost the game no more than one, and nobody sees the wait.

        Of each phone it is one message at a time, so that a flood waits where it comes from.
        """
        waiting, self._read, phones = self._read, [], set[str]()
        for one in waiting:
            if one.link.phone in phones:
                self._read.append(one)
                continue
            phones.add(one.link.phone)
            self._post(one.link, one.message)
            if not one.passed.done():  # its page has gone
                one.passed.set_result(None)
        if self._read:
            asyncio.get_running_loop().call_later(GATHER_S, self._pass_on)


@lru_cache(maxsize=8)  # a machine has few addresses
def _code_of(host: str) -> str:
    """The QR code of the address of a host, as SVG."""
    svg = qr.of_address(f"{host}/").svg_inline(scale=4)
    return svg.replace("<svg ", '<svg xmlns="http://www.w3.org/2000/svg" ', 1)


def _refusal(text: str, status: int) -> Response:
    """Why it is not done, in a line."""
    return JSONResponse({"refused": text}, status)


def _with_forms(answer: Response) -> Response:
    """A page of the history, whose forms lead to the kit."""
    answer.headers[CSP] = POLICY.format(forms="'self'")
    return answer


def _closed() -> Response:
    """Why a phone gets no page of the history, and where it can ask for it."""
    says = _("The history is closed on this phone. The one that answers for the table may ask the kit for it.")
    link = html("a", _("To the game"), href="/")
    look = html("meta", name="color-scheme", content="dark light")
    return HTMLResponse(document("Lucky Paw", html("p", says), html("p", link), head=look), 403)


async def _feed(browser: WebSocket, news: dict[str, Any], wake: asyncio.Event) -> None:
    """Send a page its news, as fast as it reads; where there is none a sign, which is empty."""
    while True:
        await news_or_sign(wake)
        text = json.dumps(news, separators=(",", ":"))
        news.clear()
        try:
            await browser.send_text(text)
        except (WebSocketDisconnect, RuntimeError):  # gone, or being closed
            return


def ours(headers: Headers, server: tuple[str, int | None], *, changes: bool) -> bool:
    """Whether a request is for this kit, and from its own pages."""
    origins = headers.getlist("origin")
    if not meant(headers, server) or (changes and len(origins) != 1):
        return False
    return all(origin.lower() == f"http://{headers['host'].lower()}" for origin in origins)


def meant(headers: Headers, server: tuple[str, int | None]) -> bool:
    """Whether a request is for this kit: by the address at which it arrived."""
    return host_of(headers, server) == at((server[0], None))


def called(headers: Headers, server: tuple[str, int | None]) -> bool:
    """Whether a request is for this kit by its name, as home networks have it."""
    own = rf"{re.escape(socket.gethostname().lower())}(-\d{{1,3}})?({HOME})?\.?"
    return re.fullmatch(own, host_of(headers, server)) is not None


def at(server: tuple[str, int | None]) -> str:
    """An address as a browser writes it."""
    address, port = server
    host = f"[{address}]" if ":" in address else address
    return host if port in (80, None) else f"{host}:{port}"


def host_of(headers: Headers, server: tuple[str, int | None]) -> str:
    """The host that a request names, without the port at which it arrived; empty: none, or another port."""
    hosts, port = headers.getlist("host"), server[1]
    if len(hosts) != 1:
        return ""
    host, _, last = hosts[0].lower().rpartition(":")
    if last == str(port):
        return host
    return hosts[0].lower() if port == 80 else ""
