"""The panel's server: the page, and one WebSocket a browser that shows the emulated twins and presses their buttons.

It listens on loopback only and refuses foreign pages: Host and Origin are checked on every request. Presses are
stamped on arrival. Outputs keep only the newest: a browser that does not read costs one picture, not a queue.
"""

import asyncio
import json
import re
import threading
import time
from base64 import b64encode
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any, Literal, Protocol, TypeAlias
from urllib.parse import quote

from starlette.applications import Starlette
from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.types import ASGIApp, Receive, Scope, Send
from starlette.websockets import WebSocket, WebSocketDisconnect

from engine.sheets.limits import LONGEST_TITLE
from engine.words import seen
from firmware.messages import WISHED, Entered, Kit, Offered, OnPage, TableNews, Wished
from firmware.panel import histogram
from firmware.setup.certificate import UNMEASURED, Standing
from firmware.translation import _, translated
from firmware.web import pages, seats_css
from firmware.web.serving import Serving, body_of, listen, news_or_sign, unable
from firmware.wishes import forms
from firmware.wishes import who_may_wish as wishes
from firmware.wishes.who_may_wish import AnyWish
from firmware.wishes.wish import Answer, AskFirst, Denied, Done
from hardware.layout.lid import Sides
from hardware.parts.buzzer import Tone
from hardware.parts.strip import Pixels, as_bytes

PAGE = Path(__file__).resolve().parent / "page"
FILES = {
    "/": ("index.html", "text/html"),
    "/kit.css": ("kit.css", "text/css"),
    "/kit.js": ("kit.js", "text/javascript"),
    "/finish.css": ("finish.css", "text/css"),
    "/strip.js": ("strip.js", "text/javascript"),
    "/rounds.js": ("rounds.js", "text/javascript"),
    "/rounds.css": ("rounds.css", "text/css"),
    "/silence.js": ("silence.js", "text/javascript"),
    "/words.js": ("words.js", "text/javascript"),
    "/pages.css": ("pages.css", "text/css"),
    "/sheets": ("sheets.html", "text/html"),
    "/sheets.css": ("sheets.css", "text/css"),
    "/sheets.js": ("sheets.js", "text/javascript"),
    "/sheet_form.js": ("sheet_form.js", "text/javascript"),
    "/sheet_trial.js": ("sheet_trial.js", "text/javascript"),
    "/icon.svg": ("icon.svg", "image/svg+xml"),
}
SHEET_BYTES = 24_576  # of a request about score sheets: a text, what is changed in it, the moves of a try
GATHER_S = 0.01  # between two things that pages ask of the table
SAVING_S = 5.0  # how long a browser waits until a change is on the disk
POLICY = (
    "default-src 'self'",
    "connect-src 'self' ws://localhost:* ws://127.0.0.1:*",  # to an older browser 'self' is no WebSocket
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'self'",
)
HEADERS = [
    ("Content-Security-Policy", "; ".join(POLICY)),
    ("X-Frame-Options", "SAMEORIGIN"),
    ("Cross-Origin-Opener-Policy", "same-origin"),
]
FOREIGN = ("cross-site", "same-site")  # a picture, a frame or a script that another page asks for; a link may lead here
LOOPBACK = {"localhost": "127.0.0.1", "127.0.0.1": "127.0.0.1", "::1": "::1"}
MOST = 999_999_999  # of games and seats
HOST = re.compile(r"(localhost|127\.0\.0\.1|\[::1\])(:\d{1,5})?", re.ASCII)

MAX_PAGES = 16  # at once; a newcomer is refused, as a page in use may not be dropped
MAX_ASKS = 8  # of one page, that the table has not answered yet
MAX_STEPS = 20  # of one turn; a hand on the wheel does not reach it
STALE_NS = 1_000_000_000  # a tune that old is out of place
BROKEN_RULES = 1008  # WebSocket close code
OK = "ok"  # as `Edge` calls it

Shape: TypeAlias = Literal["straight", "ring"]


class ButtonsTwin(Protocol):
    """The emulated player buttons, as far as the page uses them; likewise below."""

    def edge(self, button: str, *, down: bool, at_ns: int) -> None: ...


class ControlTwin(Protocol):
    """The emulated knob, or ▲ ▼ OK."""

    @property
    def knob(self) -> bool: ...
    def turn(self, steps: int, *, at_ns: int, knob: bool | None) -> None: ...
    def push(self, *, down: bool, at_ns: int) -> None: ...


class DisplayTwin(Protocol):
    """The emulated display. A picture is 64 rows of 16 bytes, leftmost pixel first."""

    @property
    def level(self) -> int: ...
    def watch(self, on_picture: Callable[[bytes], None], /) -> None: ...
    def unplug(self) -> None: ...
    def replug(self) -> None: ...


class LampsTwin(Protocol):
    """The emulated lamps."""

    @property
    def names(self) -> frozenset[str]: ...
    def watch(self, on_lit: Callable[[frozenset[str]], None], /) -> None: ...


class BuzzerTwin(Protocol):
    """The emulated buzzer."""

    def watch(self, on_tune: Callable[[tuple[Tone, ...]], None], /) -> None: ...


class StripTwin(Protocol):
    """The emulated strip."""

    @property
    def leds(self) -> int: ...
    def watch(self, on_pixels: Callable[[Pixels], None], /) -> None: ...
    def unplug(self) -> None: ...
    def replug(self) -> None: ...


class _Unfit(Exception):
    """A message that the page never sends. The text is the reason, in one line."""


class _News(OnPage, total=False):
    tune_ns: int  # when the tune began; not sent


class _Client:
    """One browser: the news it has not been sent, and the buttons that it holds."""

    def __init__(self, news: dict[str, Any]) -> None:
        self.news = news  # by kind: the newest only
        self.held: set[str] = set()
        self.wake = asyncio.Event()
        self.wake.set()

    def add(self, news: Mapping[str, Any]) -> None:
        self.news.update(news)
        self.wake.set()


class Panel:
    """The kit in the browser. Each twin may be None: the part is real, or there is none.

    The twins' callbacks may come on any thread, before, while and after it serves.
    """

    # of news: `hear` gets them
    KINDS = (
        "evidence",
        "words",
        "flashes",
        "seats",
        "hands",
        "people",
        "scores",
        "rounds",
        "rows",
        "certificate",
        "sought",
    )

    def __init__(
        self,
        names: Sequence[str],
        *,
        buttons: ButtonsTwin | None,
        control: ControlTwin | None,
        display: DisplayTwin | None,
        lamps: LampsTwin | None,
        buzzer: BuzzerTwin | None,
        strip: StripTwin | None,
        shape: Shape = "straight",
        sides: Sides | None = None,
        title: str = "Lucky Paw",
    ) -> None:
        """`names` are those of the player buttons, round the table; the twins are watched from now on.

        `shape` is the strip's, `sides` are the seats' places round the display.
        """
        self._names = frozenset(names)
        self._buttons, self._control, self._display, self._strip = buttons, control, display, strip
        with_lamp = frozenset() if lamps is None else lamps.names
        kit: Kit = {
            "title": title,
            "buttons": [{"name": name, "lamp": name in with_lamp, "press": buttons is not None} for name in names],
            "control": control is not None,
            "knob": control is not None and control.knob,
            "display": display is not None,
            "leds": 0 if strip is None else strip.leds,  # the length may change later on
            "shape": shape,
            "sides": None if sides is None else sides._asdict(),
            "sound": buzzer is not None,
        }
        # makes a page of the statistics by its path, None where there is none; called on any thread, and may block
        self.on_page: Callable[[str], bytes | None] = lambda path: None
        self.making = pages.Making()  # one for both servers
        # answers the page of the score sheets, JSON to JSON; empty for what that never sends; likewise called
        self.on_sheets: Callable[[bytes], bytes] = lambda request: b""
        self._asking, self._asked = asyncio.Lock(), 0
        # takes a wish, and tells what comes of it: on any thread, maybe late or never
        self.on_wish: Callable[[AnyWish, Callable[[Answer], None]], None] = lambda *wish: None
        self._asks = deque[tuple[_Client, Callable[[Callable[[OnPage], None]], None]]]()  # the first is being answered
        self._editing = 0
        # tells what was entered in an earlier round, None without a game; likewise
        self.on_look: Callable[[int, Callable[[Entered | None], None]], None] = lambda *look: None
        self.on_seek: Callable[[str], None] = lambda text: None  # looks for a text in the list that is shown
        self.standing: Callable[[], Standing] = lambda: UNMEASURED  # of the certificate that is drawn
        self._address: tuple[str, int] | None = None
        self._clients: set[_Client] = set()
        self._state: dict[str, Any] = {"kit": kit}  # sent to a new browser; only for the loop
        self._known: tuple[str, ...] = ()  # the names of everybody
        self._parts: dict[str, str | None] = {"display": None, "strip": None}
        self._plugged = {"display": True, "strip": True}
        self._lock = threading.Lock()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._fresh: dict[str, Any] = {"parts": dict(self._parts), "plugged": dict(self._plugged), "lamps": []}
        files = {path: ((PAGE / name).read_bytes(), kind) for path, (name, kind) in FILES.items()}
        files[f"/{seats_css.NAME}"] = (seats_css.sheet(), "text/css")

        async def page(request: Request) -> Response:
            content, kind = files[request.url.path]
            return Response(content, media_type=kind)

        routes = [Route(path, page) for path in files]
        routes += [Route(path, self._statistics) for path in (*pages.PATHS, *pages.TABLES)]
        routes += [Route(path, self._edit, methods=["POST"]) for path in pages.EDITED]
        routes.append(Route("/sheets", self._sheets, methods=["POST"]))
        routes.append(Route("/sheets/format.json", self._format))
        routes.append(Route("/sheets/{name}.toml", self._sheet_file))
        routes.append(Route("/certificate.svg", self._histogram))
        self.app = Starlette(
            routes=[*routes, WebSocketRoute("/ws", self._talk)], exception_handlers={Exception: unable}
        )
        self._serving = Serving(self._guarded, HEADERS)
        if display is not None:
            display.watch(self._on_picture)
        if lamps is not None:
            lamps.watch(self._on_lit)
        if buzzer is not None:
            buzzer.watch(self._on_tune)
        if strip is not None:
            strip.watch(self._on_pixels)

    # --- from the kit, on any thread ---------------------------------------------------------------------------------

    def part(self, name: str, text: str | None) -> None:
        """Show in the status line the fault of a part, or None once it works again."""
        with self._lock:
            self._parts[name] = text and translated(text)
            parts = dict(self._parts)
        self._publish({"parts": parts})

    def hear(self, news: TableNews) -> None:
        """Show what has changed of the table, by kind."""
        if "people" in news:
            self._known = tuple(one["name"] for one in news["people"])
        self._publish(news)

    def _on_picture(self, picture: bytes) -> None:
        assert self._display is not None
        self._publish({"picture": b64encode(picture).decode(), "contrast": self._display.level})

    def _on_lit(self, lit: frozenset[str]) -> None:
        self._publish({"lamps": sorted(lit)})

    def _on_tune(self, tune: tuple[Tone, ...]) -> None:
        self._publish({"tune": tune, "tune_ns": time.monotonic_ns()})

    def _on_pixels(self, pixels: Pixels) -> None:
        self._publish({"strip": as_bytes(pixels).hex().upper()})

    def _publish(self, news: TableNews | _News) -> None:
        with self._lock:
            waiting = bool(self._fresh)
            self._fresh.update(news)
            if self._loop is not None and not waiting:
                self._loop.call_soon_threadsafe(self._spread)

    # --- on the loop -------------------------------------------------------------------------------------------------

    @property
    def address(self) -> tuple[str, int] | None:
        """Host and port it listens on; None before."""
        return self._address

    async def up(self) -> None:
        """Wait until browsers are answered; for ever if `serve` failed."""
        await self._serving.up()

    async def serve(self, host: str, port: int) -> None:
        """Answer browsers until `stop`. Once only; port 0 takes a free one.

        Raises `ValueError` for a host that is not loopback, `OSError` for a port that cannot be used; one line each.
        """
        if host not in LOOPBACK:
            raise ValueError(_("panel.host {host!r}: must be a loopback address", host=host))
        listener = listen(LOOPBACK[host], port, "panel.port")
        self._address = listener.getsockname()[:2]
        with self._lock:
            self._loop = asyncio.get_running_loop()
        self._spread()
        try:
            await self._serving.serve(listener)
        finally:
            with self._lock:
                self._loop = None

    def stop(self) -> None:
        """End `serve`. On the loop's thread."""
        self._serving.stop()

    def _spread(self) -> None:
        """Add the fresh news to the state and send them to every browser."""
        with self._lock:
            fresh, self._fresh = self._fresh, {}
        for client in self._clients:
            client.add(fresh)
        self._state.update(fresh)
        self._state.pop("tune", None)  # over by the time the next browser comes

    async def _guarded(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers, page = Headers(scope=scope), scope["type"] == "websocket"
        changes = page or scope["method"] == "POST"
        app: ASGIApp = self.app
        foreign = headers.get("sec-fetch-site") in FOREIGN and headers.get("sec-fetch-dest") != "document"
        if foreign or not _ours(headers.getlist("host"), headers.getlist("origin"), changes=changes):
            app = PlainTextResponse(_("Lucky Paw answers pages of its own address on this machine only."), 403)
        elif page and len(self._clients) >= MAX_PAGES:
            app = PlainTextResponse(_("Lucky Paw is open on {n} pages already.", n=MAX_PAGES), 503)
        await app(scope, receive, send)

    async def _histogram(self, _request: Request) -> Response:
        standing = self.standing()
        if standing.certificate is None:
            return PlainTextResponse(_("This kit has not been measured yet."), 404)
        return Response(histogram.svg(standing.certificate, standing.unused), media_type="image/svg+xml")

    async def _statistics(self, request: Request) -> Response:
        return await self.making.answer(request, self.on_page)

    async def _edit(self, request: Request) -> Response:
        """A form of a page: it is done, and the page that shows it comes next; or a page that asks, or says why not."""
        try:
            wish = await pages.wish_of(request)
        except ValueError:
            return PlainTextResponse(_("That is no form of the page."), 400)
        if self._editing >= MAX_PAGES:
            return PlainTextResponse(_("Lucky Paw answers other pages just now: try again in a moment."), 503)
        self._editing += 1
        try:
            answer = await asyncio.wait_for(self._answer(wish), SAVING_S)
        except TimeoutError:
            return Response(forms.unsaved(wish), 503, media_type="text/html")
        finally:
            self._editing -= 1
        match answer:
            case AskFirst():
                return Response(forms.question(wish, answer, self._known), media_type="text/html")
            case Denied():
                return Response(forms.refusal(wish, answer, self._known), 422, media_type="text/html")
        assert isinstance(answer, Done)  # the kit's own page needs no OK at the kit
        return RedirectResponse(self.making.saved(forms.shown_at(answer)), 303)

    def _answer(self, wish: AnyWish) -> asyncio.Future[Answer]:
        """What comes of a wish."""
        loop = asyncio.get_running_loop()
        found: asyncio.Future[Answer] = loop.create_future()

        def told(answer: Answer) -> None:
            if not found.done():  # whoever asked has gone
                found.set_result(answer)

        def tell(answer: Answer) -> None:
            with suppress(RuntimeError):  # the loop is closed
                loop.call_soon_threadsafe(told, answer)

        self.on_wish(wish, tell)
        return found

    async def _sheets(self, request: Request) -> Response:
        """A question of the page of the score sheets."""
        try:
            body = await body_of(request, SHEET_BYTES)
        except ValueError:
            return PlainTextResponse(_("A request has at most {n} bytes.", n=SHEET_BYTES), 413)
        return await self._workshop(body)

    async def _workshop(self, request: bytes) -> Response:
        if self._asked >= MAX_PAGES:
            return PlainTextResponse(_("Lucky Paw answers other pages just now: try again in a moment."), 503)
        self._asked += 1
        try:
            async with self._asking:
                answer = await asyncio.to_thread(self.on_sheets, request)
        except TimeoutError:
            return PlainTextResponse(_("That sheet takes too long to reckon."), 422)
        except BlockingIOError:
            return PlainTextResponse(_("The kit is busy. This page asks again by itself."), 503)
        except OSError as error:
            raise RuntimeError("the workshop cannot answer") from error  # an OSError means that the browser is gone
        finally:
            self._asked -= 1
        if not answer:
            return PlainTextResponse(_("That is no request of the page."), 400)
        return Response(answer, media_type="application/json")

    async def _format(self, _request: Request) -> Response:
        return Response(await asyncio.to_thread(sheet_format), media_type="application/schema+json")

    async def _sheet_file(self, request: Request) -> Response:
        """A sheet as a file to keep."""
        name = request.path_params["name"]
        answer = await self._workshop(json.dumps({"do": "open", "name": name}).encode())
        opened = json.loads(bytes(answer.body)) if answer.status_code == 200 else {}
        if "text" not in opened:
            return PlainTextResponse(_("There is no such sheet."), 404) if opened else answer
        kept = {"Content-Disposition": f"attachment; filename*=UTF-8''{quote(name)}.toml"}
        return Response(opened["text"], media_type="application/toml", headers=kept)

    async def _talk(self, browser: WebSocket) -> None:
        await browser.accept()
        client = _Client(dict(self._state))
        self._clients.add(client)
        feed = asyncio.create_task(_feed(browser, client))
        try:
            reason = await self._listen_to(browser, client)
        finally:
            feed.cancel()
            self._clients.discard(client)
            for part in sorted(client.held):
                self._hold(client, part, down=False, at_ns=time.monotonic_ns())
        if reason is not None:
            with suppress(WebSocketDisconnect, RuntimeError):  # gone meanwhile
                await browser.close(BROKEN_RULES, reason)

    async def _listen_to(self, browser: WebSocket, client: _Client) -> str | None:
        """Handle the browser's messages until it goes. Returns why its last message was refused, else None."""
        while True:
            message = await browser.receive()
            at_ns = time.monotonic_ns()
            if message["type"] == "websocket.disconnect":
                return None
            try:
                self._do(client, _read(message.get("text")), at_ns)
            except _Unfit as unfit:
                return str(unfit)
            await asyncio.sleep(0)  # one message of each page, then the table

    def _do(self, client: _Client, message: object, at_ns: int) -> None:
        """Handle a message of the page. Raises `_Unfit`; then nothing happens."""
        match message:
            case {"button": str(name), "down": bool(down), **rest} if not rest:
                if self._buttons is None or name not in self._names:
                    raise _Unfit("no such button")
                self._hold(client, name, down=down, at_ns=at_ns)
            case {"ok": bool(down), **rest} if not rest and self._control is not None:
                self._hold(client, OK, down=down, at_ns=at_ns)
            case {"turn": int(steps), "knob": bool(knob), **rest} if not rest and self._control is not None:
                if isinstance(steps, bool) or not 0 < abs(steps) <= MAX_STEPS:
                    raise _Unfit("no such turn")
                self._control.turn(steps, at_ns=at_ns, knob=knob)
            case {"do": str(), "id": str()}:
                self._wish(client, message)
            case {"round": int(round_), **rest} if not rest:
                self._look(client, round_)
            case {"person": _} | {"sits": _} | {"amend": _}:  # a page of an older version
                client.add({"refused": _("Load this page again."), "amended": _("Load this page again.")})
            case {"seek": str(text), **rest} if not rest:
                if len(text) > LONGEST_TITLE:
                    raise _Unfit("too long")
                self.on_seek(seen(text))
            case {"plug": "display" | "strip" as name, "in": bool(fitted), **rest} if not rest:
                self._plug(name, fitted)
            case _:
                raise _Unfit("unknown message")

    def _hold(self, client: _Client, part: str, *, down: bool, at_ns: int) -> None:
        """Press or release a button. One that another browser holds too stays down."""
        if down == (part in client.held):
            return
        (client.held.add if down else client.held.remove)(part)
        if any(part in other.held for other in self._clients if other is not client):
            return
        if part == OK and self._control is not None:
            self._control.push(down=down, at_ns=at_ns)
        elif self._buttons is not None:
            self._buttons.edge(part, down=down, at_ns=at_ns)

    def _ask(self, client: _Client, start: Callable[[Callable[[OnPage], None]], None]) -> None:
        """Ask something of the table: one thing after the other, of all pages. `start` gets what takes the answer.

        That may come on any thread; where it never does, the next one begins after a while. Raises `_Unfit`.
        """
        if sum(one is client for one, _ in self._asks) >= MAX_ASKS:
            raise _Unfit("too much at once")
        self._asks.append((client, start))
        if len(self._asks) == 1:
            self._begin()

    def _begin(self) -> None:
        """Begin with what is asked first."""
        loop, asked = asyncio.get_running_loop(), self._asks[0]
        client, start = asked

        def over() -> None:
            late.cancel()
            if self._asks and self._asks[0] is asked:
                self._asks.popleft()
                if self._asks:
                    loop.call_later(GATHER_S, self._begin)

        def tell(news: OnPage) -> None:
            with suppress(RuntimeError):  # the loop is closed
                loop.call_soon_threadsafe(client.add, news)
                loop.call_soon_threadsafe(over)

        late = loop.call_later(SAVING_S, over)
        start(tell)

    def _wish(self, client: _Client, message: Any) -> None:
        """A page wishes something. The answer may come on any thread, and later. Raises `_Unfit`."""
        try:
            wish = wishes.read(message)
        except ValueError:
            raise _Unfit("no such wish") from None
        self._ask(client, lambda tell: self.on_wish(wish, lambda answer: tell(_told(wish.id, answer))))

    def _look(self, client: _Client, round_: int) -> None:
        """Ask what was entered in an earlier round. The answer may come on any thread."""
        if isinstance(round_, bool) or not 0 <= round_ <= MOST:
            raise _Unfit("no such round")
        self._ask(client, lambda tell: self.on_look(round_, lambda found: tell({"entered": found} if found else {})))

    def _plug(self, name: str, fitted: bool) -> None:
        twin = self._display if name == "display" else self._strip
        if twin is None:
            raise _Unfit("no such part")
        if fitted:
            twin.replug()
        else:
            twin.unplug()
        self._plugged[name] = fitted
        self._publish({"plugged": dict(self._plugged)})


def _told(id_: str, answer: Answer) -> Any:
    """What a page is told of a wish of its, by the id of the press."""
    told: Wished = {"refused": answer.line.words() if isinstance(answer, Denied) else "", "asks": None}
    if isinstance(answer, AskFirst):
        offered: list[Offered] = [
            {"label": one.label.words(), "agreed": None if one.wish is None else sorted(one.wish.agreed)}
            for one in answer.choices
            if not one.latin
        ]
        lines = [one.words() for one in answer.lines]
        told["asks"] = {"lines": lines, "latin": len(offered) < len(answer.choices), "choices": offered}
    return {f"{WISHED} {id_}": told}


async def _feed(browser: WebSocket, client: _Client) -> None:
    """Send a browser the news, as fast as it reads; where there is none a sign, which is empty."""
    while True:
        await news_or_sign(client.wake)
        news, client.news = client.news, {}
        if time.monotonic_ns() - news.pop("tune_ns", 0) >= STALE_NS:
            news.pop("tune", None)
        try:
            await browser.send_text(json.dumps(news, separators=(",", ":")))
        except (WebSocketDisconnect, RuntimeError):  # gone, or being closed: `_talk` ends it
            return


@cache
def sheet_format() -> bytes:
    """The JSON schema of a score sheet, with its descriptions in the language of the pages."""
    from engine.sheets.sheet import schema  # a start need not wait for it

    def told(part: object) -> object:
        if isinstance(part, dict):
            return {
                key: translated(one) if key == "description" and isinstance(one, str) else told(one)
                for key, one in part.items()
            }
        return list(map(told, part)) if isinstance(part, list | tuple) else part

    return json.dumps(told(schema())).encode()


def _read(text: str | None) -> object:
    """A message as data. Raises `_Unfit`."""
    if text is None:
        raise _Unfit("not text")
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        raise _Unfit("not JSON") from None


def _ours(hosts: list[str], origins: list[str], *, changes: bool) -> bool:
    """Whether a request is for this machine by name, and not sent by a page from elsewhere.

    The name matters: a foreign page can have its own name resolved to 127.0.0.1. What `changes` something must name its
    origin, as every browser's does.
    """
    if len(hosts) != 1 or HOST.fullmatch(hosts[0].lower()) is None or (changes and not origins):
        return False
    return all(origin.lower() == f"http://{hosts[0].lower()}" for origin in origins)
