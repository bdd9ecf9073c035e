"""Pages of the statistics for both servers: one is made at a time, as each is a process of its own; and their forms.

A page says *Saved.* once, after a save: its address has a mark then, which counts for one page and is known here alone.
Whoever opens or reloads such an address later gets the page without that.
"""

import asyncio
import re
import secrets
import subprocess
from collections.abc import Callable
from urllib.parse import parse_qsl

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

from firmware.spreadsheet import FORMS, TableForm, form_of
from firmware.translation import _
from firmware.web.serving import body_of, cookie
from firmware.wishes import who_may_wish as wishes
from firmware.wishes.who_may_wish import AnyWish

PATHS = (
    *("/history", "/games", "/games/{number}", "/evenings", "/evenings/{number}"),
    *("/people", "/people/{id}", "/records"),
)
TABLES = tuple(f"/results{form.ending}" for form in FORMS)  # of the kit's own page only, as are those of games
OFFERING = re.compile(r"/history|/games/[0-9]+")  # pages that offer tables
FORM, YEAR_S = "luckypaw_form", 365 * 86_400  # a cookie: which form of a table this browser took last
PLAIN = re.compile(r"/[a-z0-9./]{1,40}")  # no page has other characters in its path
MAX_QUERY = 200  # characters
EDITED = ("/people", "/people/{person}", "/games/{game}")
FORM_BYTES, MAX_FIELDS = 16_384, 68  # of a form: two notes of 400 characters are the longest, one of seats has most
MAKING_S, AGAIN_S = 6.0, 2  # how long a browser waits for a page, well below a connection's life; until it asks again
SAVED, MARKS = "saved", 64  # what an address has after a save; saves that wait to be told
MOST, GUESTS = 16, 4  # pages that wait or are made: in all; of them those of phones


async def wish_of(request: Request) -> AnyWish:
    """The wish that a form sends. Raises `ValueError` for what no page sends."""
    body = (await body_of(request, FORM_BYTES)).decode("ascii")
    fields = parse_qsl(body, keep_blank_values=True, max_num_fields=MAX_FIELDS, errors="strict")
    form = dict(fields) | request.path_params
    if len(form) != len(fields) + len(request.path_params):
        raise ValueError("a field twice")
    wish = wishes.read_form(form)
    if wish.page != request.url.path:
        raise ValueError("another page's")
    return wish


class Making:
    """Where pages are made, one after the other, the kit's own first. On the loop's thread."""

    def __init__(self) -> None:
        self._turn = asyncio.Condition()
        self._busy = False
        self._wanted = {False: 0, True: 0}  # pages that wait or are made, by whether they are for a phone
        self._own_waits = 0
        self._marks: dict[str, None] = {}  # of saves that are still to be told, the oldest first

    def saved(self, address: str) -> str:
        """The address of a page that says once that something was saved."""
        mark = secrets.token_hex(8)
        self._marks[mark] = None
        if len(self._marks) > MARKS:
            del self._marks[next(iter(self._marks))]
        return f"{address}?{SAVED}={mark}"

    async def answer(self, request: Request, make: Callable[[str], bytes | None], *, guest: bool = False) -> Response:
        """The page that is asked for. `make` may block; it gets the address, and gives None where there is no page.

        `guest`: for a phone, which waits until nobody else does.
        """
        if sum(self._wanted.values()) >= MOST or (guest and self._wanted[True] >= GUESTS):
            return PlainTextResponse(_("Lucky Paw makes other pages just now: try again in a moment."), 503)
        path, query = request.scope["path"], request.url.query
        if PLAIN.fullmatch(path) is None or len(query) > MAX_QUERY:
            return PlainTextResponse(_("There is no such page."), 404)
        mark = dict(parse_qsl(query, keep_blank_values=True)).get(SAVED)
        if mark is not None:  # nothing else is asked of such a page
            query = SAVED if mark in self._marks else ""
        form = cookie(request.headers.get("cookie", ""), FORM)
        if OFFERING.fullmatch(path) and form in [one.name for one in FORMS[1:]]:  # the first is in front as it is
            query = f"{query}&form={form}".removeprefix("&")
        self._wanted[guest] += 1
        making = asyncio.create_task(self._make(f"{path}?{query}" if query else path, make, guest))
        making.add_done_callback(lambda _: self._done(guest))
        try:
            made = await asyncio.wait_for(asyncio.shield(making), MAKING_S)
        except TimeoutError:
            making.add_done_callback(lambda done: done.cancelled() or done.exception())
            again = {"Refresh": str(AGAIN_S)}
            return PlainTextResponse(_("Lucky Paw is adding up many games: one moment."), 503, headers=again)
        except (OSError, subprocess.SubprocessError) as error:
            raise RuntimeError("a page could not be made") from error  # an OSError means that the browser is gone
        if made is None:
            return PlainTextResponse(_("There is no such page."), 404)
        self._marks.pop(mark or "", None)
        if (table := form_of(path)) is not None:
            return _table(made, path, table)
        return Response(made, media_type="image/png" if path.endswith(".png") else "text/html")

    def _done(self, guest: bool) -> None:
        self._wanted[guest] -= 1

    async def _make(self, address: str, make: Callable[[str], bytes | None], guest: bool) -> bytes | None:
        self._own_waits += not guest
        async with self._turn:
            await self._turn.wait_for(lambda: not self._busy and not (guest and self._own_waits))
            self._busy = True
        self._own_waits -= not guest
        try:
            return await asyncio.to_thread(make, address)
        finally:
            self._busy = False
            async with self._turn:
                self._turn.notify_all()


def _table(made: bytes, path: str, form: TableForm) -> Response:
    """A file to be kept; its form stands in front the next time."""
    kept = {"Content-Disposition": f'attachment; filename="luckypaw{path.replace("/", "-")}"'}
    answer = Response(made, media_type=form.media, headers=kept)
    answer.set_cookie(FORM, form.name, max_age=YEAR_S, path="/", httponly=True, samesite="strict")
    return answer
