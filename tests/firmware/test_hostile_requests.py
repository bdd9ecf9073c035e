"""Whoever has not joined costs the table nothing: no time, no error, no traceback, hardly a line in the log."""

import asyncio
import logging
import socket
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Route

from firmware.phones import server
from firmware.statistics import process
from firmware.web import serving
from firmware.web.limits import MAX_LINES
from firmware.web.serving import HEAD_BYTES, Serving, listen
from tests.firmware.phone_table import PhoneTable
from tests.firmware.running import status
from tests.simulators.hostile_requests import LIMIT, SIZES, Door, Doors, Logged, dearest
from tests.simulators.waiting import PATIENCE_S


@pytest.fixture(scope="module")
def doors(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Doors]:
    doors = Doors(tmp_path_factory.mktemp("doors"))
    yield doors
    doors.close()


@pytest.fixture(scope="module", params=["phones", "panel"])
def door(doors: Doors, request: pytest.FixtureRequest) -> Door:
    return next(door for door in doors.doors if door.name == request.param)


@pytest.fixture
def logged() -> Iterator[Logged]:
    """The lines in the log."""
    logged = Logged()
    logging.getLogger().addHandler(logged)
    yield logged
    logging.getLogger().removeHandler(logged)


@pytest.mark.slow
def test_no_request_costs_the_loop_more_than_five_times_the_smallest_file(door: Door) -> None:
    assert [(what, ratio) for ratio, what in dearest(door, door.requests(SIZES[:1])) if ratio > LIMIT] == []


@pytest.mark.slow
@pytest.mark.parametrize("size", SIZES)
def test_no_request_is_an_error_of_the_kits_or_leaves_a_line_in_the_log(door: Door, size: int, logged: Logged) -> None:
    requests = list(door.requests((size,)))
    answered = [status(door.send(request.bytes, whole=request.whole)) for request in requests]
    wrong = [request.what for request, code in zip(requests, answered, strict=True) if 500 <= code != 503]
    assert (wrong, logged.lines) == ([], [])


def test_a_request_may_have_a_browsers_lines_and_not_many_more(door: Door) -> None:
    def asked(lines: int) -> int:
        return status(door.send(door.request("GET", b"/", b"A: b\r\n" * lines)))

    assert (asked(MAX_LINES // 2), asked(MAX_LINES)) == (200, 0)


def test_a_request_may_have_the_cookies_of_other_programs_and_not_many_more(door: Door) -> None:
    def asked(size: int) -> int:
        return status(door.send(door.request("GET", b"/", b"Cookie: " + b"a" * size + b"\r\n")))

    assert (asked(HEAD_BYTES // 2), asked(2 * HEAD_BYTES)) == (200, 400)


def test_on_one_connection_a_browser_may_ask_for_many_files(door: Door) -> None:
    ask = door.request("GET", b"/icon.svg", b"A: b\r\n" * 20)
    assert door.send(ask * 20).count(b"HTTP/1.1 200") > 0  # dropped it would be without any


@pytest.mark.parametrize("site", ["cross-site", "same-site"])
def test_a_page_from_elsewhere_gets_nothing_of_the_kits_own_by_a_picture_or_a_frame(doors: Doors, site: str) -> None:
    panel = doors.doors[1]

    def asked(destination: str) -> int:
        lines = f"Sec-Fetch-Site: {site}\r\nSec-Fetch-Dest: {destination}\r\n".encode()
        return status(panel.send(panel.request("GET", b"/people", lines)))

    doors.pages.clear()
    assert ([asked(each) for each in ("image", "iframe", "empty")], doors.pages) == ([403] * 3, [])
    assert asked("document") == 404  # a link leads here


def test_what_cannot_be_answered_is_a_line_in_the_log_once_a_minute(
    doors: Doors, logged: Logged, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def broken(request: Request) -> Response:
        raise ZeroDivisionError("secret")

    phones = doors.doors[0]
    first = phones.app.routes[0]
    assert isinstance(first, Route)
    monkeypatch.setattr(first, "app", lambda scope, receive, send: broken(Request(scope)))
    said = [phones.send(phones.request("GET", b"/")) for _ in range(5)]
    assert [status(answer) for answer in said] == [503] * 5
    assert [line.rpartition(",")[0] for line in logged.lines] == [
        "A browser could not be answered: ZeroDivisionError in broken"
    ]


def test_a_page_that_cannot_be_made_is_a_line_in_the_log_once_a_minute(
    doors: Doors, logged: Logged, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(path: str) -> bytes:
        raise OSError(12, "Cannot allocate memory")

    monkeypatch.setattr(doors.panel.panel, "on_page", broken)
    panel = doors.doors[1]
    said = [status(panel.send(panel.request("GET", path))) for path in (b"/people", b"/people", b"/records", b"/")]
    assert said == [503, 503, 503, 200]
    assert [line.rpartition(",")[0] for line in logged.lines] == ["A browser could not be answered: OSError in broken"]


def test_a_page_of_the_statistics_is_made_once_until_the_journal_changes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = list[str]()
    monkeypatch.setattr(process, "made", lambda folder, path, guest: made.append(path))
    pages, journal = process.Made(tmp_path), tmp_path / "journal.db"
    for _ in range(3):
        pages("/people")
    journal.write_text("new")
    pages("/people")
    assert made == ["/people"] * 2


def test_a_table_is_kept_for_who_asks_again_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = list[tuple[str, bool]]()

    def make(folder: Path, path: str, guest: bool) -> bytes:
        made.append((path, guest))
        return b"table"

    monkeypatch.setattr(process, "made", make)
    pages, asked = process.Made(tmp_path), "/results.xlsx"
    assert [pages(asked) for _ in range(3)] == [b"table"] * 3
    pages("/games/1.csv")
    pages(asked, guest=True)
    (tmp_path / "journal.db").write_text("new")
    pages(asked, guest=True)
    assert made == [(asked, False)] * 2 + [("/games/1.csv", False)] + [(asked, True)] * 2


def test_whoever_puts_something_right_sees_no_kept_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made, sat = list[str](), list[int]()
    monkeypatch.setattr(process, "made", lambda folder, path, guest: made.append(path))
    pages = process.Made(tmp_path)
    pages("/games/1")
    pages.after(sat.append)(1)
    pages("/games/1")
    assert (sat, made) == ([1], ["/games/1"] * 2)


def test_only_so_many_pages_are_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(process, "made", lambda folder, path, guest: path.encode())
    pages = process.Made(tmp_path)
    assert [pages(f"/people/{n}") for n in range(3 * process.KEPT)][-1] == f"/people/{3 * process.KEPT - 1}".encode()
    assert len(vars(pages)["_pages"]) <= process.KEPT


def test_guesses_that_are_sent_at_once_are_judged_one_by_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("WRONG_S", "SLOWEST_S"):  # so that the wait is not over before all have come
        monkeypatch.setattr(server, name, PATIENCE_S)
    table, guesses = PhoneTable(tmp_path), 60
    try:
        with ThreadPoolExecutor(guesses) as strangers:
            answers = list(strangers.map(lambda _: table.join("AAAAAA").status, range(guesses)))
    finally:
        table.close()
    assert sorted(answers) == [403, *[429] * (guesses - 1)]


def test_who_has_gone_before_all_was_sent_is_no_error() -> None:
    async def gone() -> dict[str, str]:
        return {"type": "http.disconnect"}

    scope = {"type": "http", "method": "POST", "headers": []}
    with pytest.raises(ClientDisconnect):
        asyncio.run(serving.body_of(Request(scope, gone)))


def test_who_comes_while_the_program_ends_is_not_kept_waiting() -> None:
    async def read() -> bytes:
        page, listener = Serving(Response(), []), listen("127.0.0.1", 0, "panel.port")
        served = asyncio.create_task(page.serve(listener))
        await page.up()
        with socket.create_connection(listener.getsockname()) as line:
            await asyncio.sleep(0)  # it is let in, but not yet a connection
            page.stop()
            await served
            line.setblocking(False)
            return await asyncio.wait_for(asyncio.get_running_loop().sock_recv(line, 1), PATIENCE_S)

    assert asyncio.run(read()) == b""
