"""The pages beside the kit: every link leads somewhere, every name is text, every plot has its table; nothing else."""

import os
import re
import socket
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from functools import partial
from html.parser import HTMLParser
from http.client import HTTPConnection, HTTPException, HTTPMessage
from pathlib import Path
from typing import NamedTuple
from urllib.parse import quote

import pytest

from firmware.journal.writer import Journal
from firmware.markup import Markup
from firmware.panel import server
from firmware.people.names import Person
from firmware.shelf.workshop import Workshop, answered
from firmware.spreadsheet import FORMS, TableForm, form_of
from firmware.statistics import bgstats, plots, process
from firmware.statistics.pages import Pages
from firmware.web import pages as making
from firmware.web import serving
from firmware.wishes.games import ChangeSeats, WriteRemark
from firmware.wishes.people import Add, Forget
from firmware.wishes.who_may_wish import AnyWish
from firmware.wishes.wish import Answer, Done
from tests.firmware.browser import Table
from tests.firmware.command import Ran
from tests.simulators.program import Program
from tests.simulators.random_evenings import Evenings, Known
from tests.simulators.waiting import PATIENCE_S, comes

HOSTILE = ("<b>x</b>", "=1+1", '" onload="x', "&lt;i&gt;", "שלום", "'><script>")


TAGS = """
html head meta title link body nav main h1 h2 p a bdi ul li table caption thead tbody tr th td figure figcaption
svg g line polyline circle rect ellipse path text header div span section i
details summary form input label select option button
"""


class Read(HTMLParser):
    """A page as a browser takes it: its elements, links, names; whether every element is closed."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.links: list[str] = []
        self.names: list[str] = []
        self.titles = 0
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        self.links += [str(value) for key, value in attrs if tag == "a" and key == "href"]
        if tag not in ("meta", "link", "input"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open[-1:] == ["bdi"]:
            self.names.append(data)

    def count(self, tag: str) -> int:
        return sum(name == tag for name, _ in self.elements)


class State(NamedTuple):
    folder: Path
    known: Known
    names: dict[str, str]
    pages: dict[str, Read]  # all that links lead to


@pytest.fixture(scope="module")
def state(tmp_path_factory: pytest.TempPathFactory) -> State:
    """Some evenings of people with hostile names, and all pages that can be reached."""
    folder = tmp_path_factory.mktemp("state")
    known = Evenings(folder, 8).play(14)
    names = {id_: HOSTILE[n % len(HOSTILE)] for n, id_ in enumerate(sorted(known.names))}
    with closing(Journal(folder / "journal.db", "x", lambda n: None, lambda t: None, threaded=False)) as journal:
        journal.write_people([Person(id_, name, counted=id_ not in known.uncounted) for id_, name in names.items()])
    found, todo = dict[str, Read](), ["/people"]
    with closing(Pages(folder)) as pages:
        while todo:
            path = todo.pop()
            made = pages.page(path)
            assert made is not None, path
            if isinstance(made, bytes):
                assert made.startswith((b"\x89PNG", b"\xef\xbb\xbf", b"PK"))  # a picture, CSV, .xlsx
                continue
            found[path] = Read(made)
            ours = [
                link
                for link in found[path].links
                if not link.startswith((bgstats.CREATE, "/sheets", "#")) and link != "/"
            ]
            todo += [link for link in dict.fromkeys(ours) if link not in found and link not in todo]
    return State(folder, known, names, found)


def made(state: State, path: str) -> Markup | bytes | None:
    """The page, made here."""
    with closing(Pages(state.folder)) as pages:
        return pages.page(path)


@pytest.mark.slow
def test_every_page_is_reached(state: State) -> None:
    games = {f"/games/{game}" for game in (*state.known.ended, *state.known.by_hand)}
    counted = {f"/people/{id_}" for id_ in state.names.keys() - state.known.uncounted}
    assert games | counted | {"/people", "/evenings", "/records", "/evenings/1"} <= state.pages.keys()


def test_every_page_is_whole_and_has_no_script_and_no_style_of_its_own(state: State) -> None:
    allowed = set(TAGS.split())
    for page in state.pages.values():
        assert page.open == []
        assert {tag for tag, _ in page.elements} <= allowed
        assert not [key for _, attributes in page.elements for key in attributes if key == "style" or key[:2] == "on"]


def test_names_stay_text(state: State) -> None:
    """Each stands in an element of its own, in a direction of its own, letter by letter."""
    allowed = {*HOSTILE, "P1", "P2", "P3", "P4", "P5", "P6"}
    shown = {name for page in state.pages.values() for name in page.names}
    assert set(HOSTILE) <= shown
    assert not {name for name in shown if name.strip("\u2068\u2069") not in allowed}


def test_every_plot_says_what_it_shows_and_has_its_table(state: State) -> None:
    plots = 0
    for path, page in state.pages.items():
        drawn = [attributes for tag, attributes in page.elements if tag == "svg" and attributes.get("class") != "paw"]
        plots += len(drawn)
        assert len(drawn) <= page.count("figure")  # of one press without a signal there is nothing to draw
        assert all(attributes.get("role") == "img" for attributes in drawn)
        assert page.count("table") >= len(drawn), path
        assert page.count("title") == 1 + len(drawn)
    assert plots > 10


@pytest.mark.parametrize(("least", "every"), [(0.1, 1), (1.1, 2), (2, 2), (3, 5), (20.1, 50), (101, 200)])
def test_a_plot_has_labels_at_round_distances(least: float, every: int) -> None:
    assert plots.stride(least) == every


@pytest.mark.parametrize(
    ("name", "shown"), [("Maximiliane", "Maximiliane"), ("WWWWWWWWWWWW", "WWWWW…"), ("山田" * 6, "山田山田山…")]
)
def test_a_plot_has_names_as_far_as_there_is_room(name: str, shown: str) -> None:
    assert plots.shortened(name, 130) == shown


def test_a_plot_has_large_values_in_full() -> None:
    assert plots.number(12345678.0) == "12345678"


def test_a_game_shows_its_results_as_the_second_scorer_has_them(state: State) -> None:
    with closing(Pages(state.folder)) as pages:
        for one in state.known.ended.values():
            page = pages.page(f"/games/{one.game}")
            assert isinstance(page, str)
            row = re.search(r'<th scope="row">total</th>(.*?)</tr>', page)
            assert row is not None
            assert [int(n) for n in re.findall(r"<td>(-?\d+)</td>", row[1])] == list(one.totals)


@pytest.mark.parametrize("path", ["/", "/people/", "/people/x", "/people/0123456789abcdef", "/games/0", "/evenings/0"])
def test_there_are_no_other_pages(state: State, path: str) -> None:
    assert made(state, path) is None


def test_nothing_ranks_people_by_their_meows_and_nobody_is_the_slowest(state: State) -> None:
    text = str(made(state, "/records")).lower()
    assert "grabs" in text
    assert not re.search("meow|slow|lost|worst", text)


def test_the_helper_makes_the_same_page(state: State) -> None:
    page = process.made(state.folder, "/evenings/1")
    assert page is not None and page.decode() == made(state, "/evenings/1")
    assert process.made(state.folder, "/games/999999") is None


def test_without_a_journal_there_is_no_page(tmp_path: Path) -> None:
    assert process.made(tmp_path, "/people") is None
    assert list(tmp_path.iterdir()) == []


def test_the_helper_has_the_lowest_priority(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    by: list[int] = []
    monkeypatch.setattr(os, "nice", by.append)
    with pytest.raises(SystemExit):
        process.main(str(tmp_path), "/none")
    assert by == [19]


# --- the kit's server ------------------------------------------------------------------------------------------------


@pytest.fixture
def program(state: State) -> Iterator[Program]:
    command = ("-m", "tests.simulators.controlled_clock", "0", "play", "--emulated", "--port", "0")
    with Program(*command, STATE_DIRECTORY=str(state.folder)) as program:
        yield program
        ended, _, errors = program.end()
        assert (ended, errors) == (0, "")


class Answered(NamedTuple):
    status: int
    headers: HTTPMessage
    body: bytes


def asked(port: int, path: str, host: str = "localhost", cookie: str = "") -> Answered:
    """As a browser asks, which keeps the line open until it is answered."""
    with closing(HTTPConnection("127.0.0.1", port, timeout=PATIENCE_S)) as line:
        line.request("GET", path, headers={"Host": host, "Cookie": cookie})
        answer = line.getresponse()
        return Answered(answer.status, answer.headers, answer.read())


def test_the_kit_answers_with_them(state: State, program: Program) -> None:
    for path, code in (("/people", 200), ("/evenings/1", 200), ("/games/99999", 404), ("/evenings/x", 404)):
        answer = asked(program.port, path)
        assert answer.status == code, path
        assert str(answer.headers["Content-Security-Policy"]).startswith("default-src 'self'")
    assert asked(program.port, "/people").body.decode() == made(state, "/people")
    assert asked(program.port, "/people", "evil.example").status == 403
    assert asked(program.port, "/pages.css").headers["Content-Type"].startswith("text/css")


TABLES = [f"{of}{form.ending}" for of in ("/results", "/games/1") for form in FORMS]


@pytest.mark.parametrize("path", TABLES)
def test_a_table_is_a_file_with_a_name(table: Table, state: State, path: str) -> None:
    table.panel.on_page = partial(process.made, state.folder)
    form = form_of(path)
    answer = asked(table.port, path)
    assert form is not None and answer.headers["Content-Type"].split(";")[0] == form.media
    assert answer.headers["Content-Disposition"] == f'attachment; filename="luckypaw{path.replace("/", "-")}"'
    assert answer.body == made(state, path)


@pytest.mark.parametrize("form", FORMS, ids=[form.name for form in FORMS])
def test_the_page_and_the_command_hand_over_the_same(state: State, form: TableForm, tmp_path: Path) -> None:
    (tmp_path / "luckypaw").symlink_to(state.folder)
    assert Ran(("export", f"--{form.name}", tmp_path / "x"), tmp_path).status == 0
    assert (tmp_path / "x").read_bytes() == made(state, f"/results{form.ending}")


@pytest.mark.parametrize("path", TABLES)
def test_a_phone_gets_no_table(state: State, path: str) -> None:
    with closing(Pages(state.folder, guest=True)) as pages:
        assert pages.page(path) is None


@pytest.mark.parametrize(
    ("cookie", "path", "asked_for"),
    [
        pytest.param("luckypaw_form=xlsx", "/history", "/history?form=xlsx", id="a form"),
        pytest.param("a=b; luckypaw_form=semicolon", "/games/1", "/games/1?form=semicolon", id="among other cookies"),
        pytest.param("luckypaw_form=csv", "/history", "/history", id="the one in front anyway"),
        pytest.param("luckypaw_form=pdf", "/history", "/history", id="none of ours"),
        pytest.param("luckypaw_form=xlsx", "/people", "/people", id="a page without tables"),
        pytest.param("luckypaw_form=xlsx", "/games/1.png", "/games/1.png", id="a picture"),
    ],
)
def test_a_browser_that_took_a_form_asks_for_it(table: Table, cookie: str, path: str, asked_for: str) -> None:
    paths: list[str] = []
    table.panel.on_page = paths.append
    asked(table.port, path, cookie=cookie)
    assert paths == [asked_for]


def test_no_table_stays_in_memory(state: State) -> None:
    pages = process.Made(state.folder)
    assert pages("/results.xlsx") is not None and vars(pages)["_pages"] == {}


ODD: tuple[str, ...] = ("%00", "%0A", "1%0A", "%FF", "%ED%A0%80", "%3F", "%23", "%2F..", "%F0%9F%90%88")
ODD += ("-1", "9" * 20, "\u0663", "a" * 2000)


@pytest.mark.parametrize("odd", ODD, ids=ascii)
@pytest.mark.parametrize("under", ["/people", "/games", "/evenings", "/sheets"])
def test_odd_addresses_are_no_pages(table: Table, state: State, under: str, odd: str) -> None:
    table.panel.on_page = partial(process.made, state.folder)
    table.panel.on_sheets = partial(answered, Workshop(state.folder))
    name = quote(odd, safe="%")
    paths = [f"{under}/{name}.toml"] if under == "/sheets" else [f"{under}/{name}", f"{under}/{name}.png"]
    assert {path: asked(table.port, path).status for path in paths} == dict.fromkeys(paths, 404)


PERSON = "a" * 16


@pytest.mark.parametrize(
    ("path", "form", "origin", "status", "said"),
    [
        ("/games/7", f"do=seats&seat0=&seat1={PERSON}", True, 303, [ChangeSeats(7, (None, PERSON))]),
        ("/games/7", f"do=seats&seat0={PERSON}", False, 403, []),  # another page's, or none's
        ("/games/7", "seat0=", True, 400, []),
        ("/games/7", "do=seats&seatx=", True, 400, []),
        ("/games/7", "do=seats&seat1=", True, 400, []),
        ("/games/7", "do=seats&seat0=&seat0=", True, 400, []),
        ("/games/7", "do=seats&seat0=%ff", True, 400, []),
        ("/games/7", "do=seats&seat0=\xff", True, 400, []),
        ("/games/7", "do=seats&seat0=&game=8", True, 400, []),
        ("/games/07", "do=seats&seat0=", True, 400, []),
        ("/games/7.png", "do=seats&seat0=", True, 400, []),
        ("/games/7", "do=add&name=x", True, 400, []),
        ("/games/7", f"do=remark&note={'%F0%9F%90%88' * 400}&day=", True, 303, [WriteRemark(7, "🐈" * 400, "")]),
        ("/games/7", f"do=remark&note={'x' * 9000}&day=", True, 400, []),
        ("/people", "do=add&name=Anna", True, 303, [Add("Anna")]),
        ("/people", "do=add&name=Anna&a=1&b=2&c=3&d=4&e=5", True, 400, []),
        ("/people", f"do=forget&person={PERSON}", True, 400, []),  # at another page's address
        (f"/people/{PERSON}", "do=forget", True, 303, [Forget(PERSON)]),
        ("/people/x", "do=forget", True, 400, []),
        ("/records", "do=add&name=Anna", True, 405, []),
    ],
)
def test_a_form_changes_what_it_says(
    table: Table, path: str, form: str, origin: bool, status: int, said: list[AnyWish]
) -> None:
    edits: list[AnyWish] = []

    def edit(wish: AnyWish, tell: Callable[[Answer], None]) -> None:
        edits.append(wish)
        tell(Done(PERSON))

    table.panel.on_wish = edit
    answer = posted(table.port, path, form, "" if origin else "http://evil.example")
    assert (answer.status, edits) == (status, said)
    assert status != 303 or re.fullmatch(rf"/people/{PERSON}\?saved=[0-9a-f]{{16}}", answer.headers["Location"])


def test_a_page_says_once_that_something_was_saved(table: Table) -> None:
    """Not to whoever reloads its address, or makes one up."""
    made: list[str] = []

    def make(path: str) -> bytes:
        made.append(path)
        return b""

    table.panel.on_page = make
    table.panel.on_wish = lambda wish, tell: tell(Done(PERSON))
    saved = str(posted(table.port, "/people", "do=add&name=Anna").headers["Location"])
    for path in (saved, saved, "/people?saved", "/people?saved=", "/people?%73aved=1&from=2"):
        asked(table.port, path)
    assert made == [f"/people/{PERSON}?saved", f"/people/{PERSON}", *["/people"] * 3]


def test_a_page_that_is_not_made_in_time_says_it_later(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    go_on = threading.Event()
    table.panel.on_page = lambda path: path.encode() if go_on.wait(PATIENCE_S) else None
    table.panel.on_wish = lambda wish, tell: tell(Done(PERSON))
    saved = str(posted(table.port, "/people", "do=add&name=Anna").headers["Location"])
    with monkeypatch.context() as impatient:
        impatient.setattr(making, "MAKING_S", 0.1)
        assert asked(table.port, saved).status == 503
    go_on.set()
    assert asked(table.port, saved).body == f"/people/{PERSON}?saved".encode()


def posted(port: int, path: str, form: str, origin: str = "") -> Answered:
    """A form is sent, as a browser does."""
    host = f"localhost:{port}"
    headers = {"Host": host, "Origin": origin or f"http://{host}"}
    with closing(HTTPConnection("127.0.0.1", port, timeout=PATIENCE_S)) as line:
        line.request("POST", path, form.encode("latin-1"), headers)
        answer = line.getresponse()
        return Answered(answer.status, answer.headers, answer.read())


def test_what_is_not_saved_in_time_is_said(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server, "SAVING_S", 0.1)
    answer = posted(table.port, "/people", "do=add&name=Anna")  # nobody ever answers
    assert (answer.status, b"not saved yet" in answer.body) == (503, True)


def test_it_stops_although_a_form_waits_for_the_table(monkeypatch: pytest.MonkeyPatch) -> None:
    table, asked_for = Table(), threading.Event()
    monkeypatch.setattr(server, "SAVING_S", PATIENCE_S * 10)
    table.panel.on_wish = lambda wish, tell: asked_for.set()  # nobody ever answers
    with ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(posted, table.port, "/people", "do=add&name=Anna")
        assert asked_for.wait(PATIENCE_S)
        table.close()
        with pytest.raises((OSError, HTTPException)):
            waiting.result(PATIENCE_S)


def test_not_more_edits_than_pages_wait_at_a_time(table: Table) -> None:
    waiting: list[Callable[[Answer], None]] = []
    table.panel.on_wish = lambda wish, tell: waiting.append(tell)
    with ThreadPoolExecutor(server.MAX_PAGES) as pool:
        first = [pool.submit(posted, table.port, "/people", "do=add&name=A") for _ in range(server.MAX_PAGES)]
        assert comes(lambda: len(waiting) == server.MAX_PAGES)
        assert posted(table.port, "/people", "do=add&name=A").status == 503
        for tell in waiting:
            tell(Done())
        assert {each.result().status for each in first} == {303}


def test_one_page_is_made_at_a_time_and_the_kit_is_answered_meanwhile(table: Table) -> None:
    at_once: list[bool] = []
    making, go_on = threading.Lock(), threading.Event()

    def slow(path: str) -> bytes:
        at_once.append(making.locked())
        with making:
            go_on.wait(PATIENCE_S)
        return path.encode()

    table.panel.on_page = slow
    paths = ("/people", "/records", "/evenings")
    with ThreadPoolExecutor() as pool:
        answers = [pool.submit(asked, table.port, path) for path in paths]
        assert comes(making.locked)
        assert asked(table.port, "/").status == 200
        assert not any(each.done() for each in answers)
        go_on.set()
        assert [each.result().body.decode() for each in answers] == list(paths)
    assert at_once == [False, False, False]


def test_who_waits_too_long_is_told_to_come_again(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    done = threading.Event()

    def slow(path: str) -> bytes:
        done.wait(PATIENCE_S)
        return b"made"

    table.panel.on_page = slow
    with monkeypatch.context() as impatient:
        impatient.setattr(making, "MAKING_S", 0.1)
        answer = asked(table.port, "/people")
    assert (answer.status, answer.headers["Refresh"]) == (503, "2")
    done.set()
    table.panel.on_page = lambda path: b"made"
    assert asked(table.port, "/people").body == b"made"


def test_no_answer_waits_for_a_slow_acknowledgement() -> None:
    """Small messages leave at once; a connection inherits that from the listener."""
    with (
        closing(serving.listen("127.0.0.1", 0, "port")) as listener,
        closing(socket.create_connection(listener.getsockname()[:2])),
        closing(listener.accept()[0]) as line,
    ):
        assert line.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY) != 0
