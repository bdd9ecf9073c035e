"""The history on a phone: who may open it, for how long, what anybody else gets; one page is made at a time."""

import asyncio
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.requests import Request

from firmware.web import pages
from firmware.web.pages import GUESTS, MOST, PATHS, Making
from tests.firmware.phone_table import Answer, PhoneTable
from tests.simulators.phone import SPACES, Phone, let_in
from tests.simulators.rig import Rig
from tests.simulators.waiting import PATIENCE_S, until

STARTED = "game[if_it_fits 3] 1000"
MINUTE_MS, MS = 60_000, 1_000_000


@pytest.fixture
def rig(tmp_path: Path) -> Rig:
    rig = Rig(tmp_path)
    let_in(rig)
    return rig


def reader(rig: Rig, before: str = STARTED) -> Phone:
    """A phone for the table that has the history."""
    phone = Phone(rig).say(table=True)
    rig.do(f"{before} 5000" if before else "5000")
    phone.say(history=True)
    rig.do("1000 ok")
    assert phone.me["history"] == "for 15 more minutes"
    return phone


# --- who may ---------------------------------------------------------------------------------------------------------


def test_the_display_says_who_wants_what_and_for_how_long(rig: Rig) -> None:
    phone = Phone(rig).say(table=True)
    rig.do(STARTED)
    phone.say(history=True)
    assert {f"{phone.tag}: HISTORY?", "all games, 15 minutes", "OK: yes"} <= rig.after(0).pieces
    rig.do("1000 ok")
    assert phone.told == "The kit says yes."
    rig.do("menu[Phones] ok")
    assert f"{phone.tag}: history" in rig.rows


@pytest.mark.parametrize("before", ["", STARTED, f"{SPACES} 1000 menu[End the game now]"])
def test_ok_opens_it_with_a_game_on_after_its_end_and_without_one(rig: Rig, before: str) -> None:
    assert reader(rig, before).phones.history.reader is not None


@pytest.mark.parametrize("keys", ["1000 turn+1", "10000", "1000 P1"])
def test_anything_but_ok_leaves_it_closed(rig: Rig, keys: str) -> None:
    phone = Phone(rig).say(table=True)
    rig.do(STARTED)
    phone.say(history=True)
    rig.do(keys)
    assert phone.me["history"] == ""


@pytest.mark.parametrize("before", ["", "turn+1 2900", "menu[Phones] 5000"])
def test_over_a_menu_that_is_in_use_nothing_is_asked(rig: Rig, before: str) -> None:
    phone = Phone(rig).say(table=True)
    rig.do(before or "ok!").do("turn-1" if not before else "0")
    top = rig.top
    assert phone.say(history=True).told == "Not now. Ask again in a moment, when the kit shows its menu."
    assert rig.top == top


def test_only_a_phone_for_the_table_may_ask(rig: Rig) -> None:
    phone = Phone(rig, "P1")
    rig.do(STARTED)
    phone.say(history=True)
    assert (phone.open, rig.after(0).top) == (False, "Playing")


# --- how it ends -----------------------------------------------------------------------------------------------------


def test_the_page_says_how_long_it_lasts_and_when_it_has_ended(rig: Rig) -> None:
    phone = reader(rig)
    said = [phone.me["history"]]
    for _ in range(14):
        rig.after(MINUTE_MS)
        said.append(phone.me["history"])
    assert said == [*(f"for {n} more minutes" for n in range(15, 1, -1)), "for 1 more minute"]
    assert phone.phones.due_ns is not None
    rig.after((phone.phones.due_ns - rig.now_ns) // MS - 1)
    assert phone.phones.reads(phone.token) == phone.id
    rig.after(1)
    assert (phone.phones.reads(phone.token), phone.me["history"], phone.told) == (
        None,
        "",
        "The history is closed on this phone.",
    )
    phone.say(history=True)
    assert phone.me["history"] == ""  # until somebody presses OK again


def gives_back(rig: Rig, phone: Phone) -> None:
    phone.say(table=False)


def loses(rig: Rig, phone: Phone) -> None:
    phone.sleep()
    rig.after(3 * MINUTE_MS)
    Phone(rig).say(table=True)


def thrown_out(rig: Rig, phone: Phone) -> None:
    phone.phones.throw_out(phone.id)


def switched_off(rig: Rig, phone: Phone) -> None:
    phone.phones.shut()


def new_evening(rig: Rig, phone: Phone) -> None:
    phone.phones.new_evening()


def game_after_hours(rig: Rig, phone: Phone) -> None:
    rig.app.journal.idle_ns = lambda now_ns: 6 * 3600 * 10**9  # type: ignore[method-assign]
    phone.phones.expire(begins=True)


def restart(rig: Rig, phone: Phone) -> None:
    rig.restart()
    let_in(rig)


@pytest.mark.parametrize(
    "ends",
    [gives_back, loses, thrown_out, switched_off, new_evening, game_after_hours, restart],
    ids=lambda it: it.__name__,
)
def test_it_ends(rig: Rig, ends: Callable[[Rig, Phone], None]) -> None:
    phone = reader(rig)
    assert phone.phones.reads(phone.token) == phone.id
    ends(rig, phone)
    assert phone.phones.reads(phone.token) is None


def test_who_reads_is_not_away(rig: Rig) -> None:
    phone = reader(rig).sleep()
    for _ in range(5):
        rig.after(MINUTE_MS)
        assert phone.phones.reads(phone.token)
    other = Phone(rig).say(table=True)
    assert other.news["refused"].startswith("Another one answers for the table already")


# --- the pages -------------------------------------------------------------------------------------------------------

ADDRESSES = [
    *(path.format(id="0123456789abcdef", number="1") for path in PATHS),
    "/games/1.png",
    "/evenings/1?print=1",
    "/pages.css",
]
LINE = "The history is closed on this phone. The one that answers for the table may ask the kit for it."


@pytest.fixture
def table(tmp_path: Path) -> Iterator[PhoneTable]:
    table = PhoneTable(tmp_path)
    yield table
    table.close()


@pytest.fixture
def made(table: PhoneTable) -> list[str]:
    """The pages that were made."""
    made = list[str]()

    def make(path: str) -> bytes:
        made.append(path)
        return f"secret {path}".encode()

    table.server.on_page = make
    return made


def opened(table: PhoneTable) -> str:
    """The cookie of a phone that has the history."""
    cookie = table.join().cookie

    def grant() -> None:
        phone = Phone(table.rig, token=cookie.partition("=")[2]).say(table=True)
        table.rig.do(f"{STARTED} 5000")
        phone.say(history=True)
        table.rig.do("1000 ok")

    table.do(grant)
    return cookie


def closed(answer: Answer) -> bool:
    """Whether it is the one line, and nothing of the history."""
    return answer.status == 403 and LINE in answer.body.decode() and b"secret" not in answer.body


def test_the_phone_that_may_gets_the_pages_with_forms_that_lead_to_the_kit(table: PhoneTable, made: list[str]) -> None:
    cookie = opened(table)
    answers = [table.ask("GET", path, Cookie=cookie) for path in ADDRESSES]
    assert [answer.body.decode() for answer in answers[:-1]] == [f"secret {path}" for path in ADDRESSES[:-1]]
    assert b"The pages beside the kit" in answers[-1].body
    policies = [answer.headers.get_all("Content-Security-Policy") for answer in answers]
    assert all(
        len(policy) == 1 and "form-action 'self';" in policy[0] for policy in policies[:-1] if policy is not None
    )
    assert "form-action 'none';" in table.ask("GET", "/").headers["Content-Security-Policy"]


@pytest.mark.parametrize("ends", ["it is another phone", "it ends", "the phone is thrown out"])
def test_nobody_else_gets_anything_of_it(table: PhoneTable, made: list[str], ends: str) -> None:
    cookie = opened(table)
    if ends == "it ends":
        table.do(table.phones.history.end)
    elif ends == "the phone is thrown out":
        table.do(lambda: table.phones.throw_out(table.phones.all[0].id))
    else:
        cookie = table.join().cookie
    for cookies in (cookie, "", "luckypaw=", f"luckypaw={'x' * 32}", f"other={cookie}"):
        assert all(closed(table.ask("GET", path, Cookie=cookies)) for path in ADDRESSES)
    assert made == []


@pytest.mark.parametrize("foreign", [{"Host": "evil.example"}, {"Origin": "http://evil.example"}, {"Origin": "null"}])
def test_a_foreign_page_gets_nothing_with_the_right_cookie(
    table: PhoneTable, made: list[str], foreign: dict[str, str]
) -> None:
    cookie = opened(table)
    assert {table.ask("GET", path, Cookie=cookie, **foreign).status for path in ADDRESSES} == {403}
    assert made == []


def test_a_page_that_is_ready_too_late_is_not_given(table: PhoneTable) -> None:
    cookie = opened(table)

    def slow(path: str) -> bytes:
        table.do(table.phones.history.end)
        return b"secret"

    table.server.on_page = slow
    assert closed(table.ask("GET", "/people", Cookie=cookie))


# --- edits -----------------------------------------------------------------------------------------------------------


class Editor:
    """A phone that has the history, where Anna is known."""

    def __init__(self, table: PhoneTable) -> None:
        self.table = table
        table.play("people[Anna]")
        self.cookie = opened(table)
        self.anna = f"/people/{table.do(lambda: table.rig.app.table.roster.known[0])}"

    @property
    def names(self) -> list[str]:
        return [name for _id, name in self.table.do(lambda: self.table.rig.app.table.roster.everybody)]

    @property
    def pieces(self) -> set[str]:
        return self.table.do(lambda: self.table.rig.pieces)

    def get(self, path: str) -> Answer:
        """A page, and where it leads."""
        answer = self.table.ask("GET", path, Cookie=self.cookie)
        return self.get(answer.headers["Location"]) if answer.status == 303 else answer

    def send(self, form: str) -> Answer:
        """A form of Anna's page, and where it leads."""
        answer = self.table.ask("POST", self.anna, form, Cookie=self.cookie)
        return self.get(answer.headers["Location"]) if answer.status == 303 else answer


@pytest.fixture
def editor(table: PhoneTable) -> Editor:
    return Editor(table)


@pytest.mark.parametrize(
    ("keys", "names", "says"),
    [
        ("1000 ok", ["Anne"], "secret /people/"),
        ("1000 turn+1", ["Anna"], "The kit says no. Ask again in 10 s."),
        ("1000 P1", ["Anna"], "Not answered: the game goes on. Ask again."),
        ("1000 ok!", ["Anna"], LINE),  # it is thrown out
    ],
)
def test_an_edit_needs_ok_and_the_page_says_what_became_of_it(
    editor: Editor, made: list[str], keys: str, names: list[str], says: str
) -> None:
    answer = editor.send("do=rename&name=Anne&was=%5B%22Anna%22,%22%22%5D")
    assert "The kit asks this now: press OK there." in answer.body.decode()
    assert (answer.headers["Refresh"], editor.names) == ("2", ["Anna"])
    assert "Anna: rename to Anne" in editor.pieces
    editor.table.play(keys)
    until(lambda: "is being saved" not in editor.get("/edited").body.decode(), lambda: "it is saved")
    assert (editor.names, says in editor.get("/edited").body.decode()) == (names, True)


def test_a_page_says_once_that_an_edit_was_saved(editor: Editor, made: list[str]) -> None:
    editor.send("do=rename&name=Anne&was=%5B%22Anna%22,%22%22%5D")
    editor.table.play("1000 ok")
    until(lambda: "is being saved" not in editor.get("/edited").body.decode(), lambda: "it is saved")
    editor.get("/edited")
    assert made == [f"{editor.anna}?saved", editor.anna]


def test_what_is_asked_first_and_what_cannot_be_is_said_on_the_phone_alone(editor: Editor) -> None:
    answer = editor.send("do=forget&was=%5B%22Anna%22%5D")
    assert (answer.status, "FORGET?" in answer.body.decode()) == (200, True)
    assert "form-action 'self';" in answer.headers["Content-Security-Policy"]
    assert editor.send("do=rename&name=&was=%5B%22Anna%22,%22%22%5D").status == 422
    assert editor.send("do=fly").status == 400
    assert editor.table.do(lambda: editor.table.rig.top) == "Playing"  # nothing has come to the kit
    editor.send("do=forget&was=%5B%22Anna%22%5D&agreed=%5B%22forget%22,%22really%22%5D")
    assert "forget Anna" in editor.pieces
    assert "The kit asks already." in editor.send("do=rename&name=Anne&was=%5B%22Anna%22,%22%22%5D").body.decode()


def test_a_long_edit_stands_on_the_display_in_whole(editor: Editor, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also below the longest name that a phone can have."""
    table = editor.table
    table.do(lambda: table.rig.people("Bartholomeüs"))
    editor.anna = f"/people/{table.do(lambda: table.rig.app.table.roster.known[0])}"
    monkeypatch.setattr(table.phones.called, "tag", lambda phone: "Domino 2")
    editor.send("do=rename&name=Konstantinos&was=%5B%22Bartholome%C3%BCs%22,%22%22%5D")
    assert {"Domino 2: CHANGE?", "Konstantinos", "hold OK: throw it out"} <= editor.pieces


def test_nobody_else_edits(editor: Editor) -> None:
    table, other = editor.table, editor.table.join().cookie
    for path, form in ((editor.anna, "do=forget"), ("/people", "do=add&name=Ben"), ("/games/1", "do=seats&seat0=")):
        assert closed(table.ask("POST", path, form, Cookie=other))
        assert table.ask("POST", path, form, Cookie=editor.cookie, Origin="http://evil.example").status == 403
    assert closed(table.ask("GET", "/edited", Cookie=other))
    assert table.do(lambda: table.rig.top) == "Playing"


# --- one at a time ---------------------------------------------------------------------------------------------------


def asked(path: str) -> Request:
    return Request(
        {"type": "http", "method": "GET", "path": path, "query_string": b"", "headers": [], "server": ("a", 1)}
    )


def test_one_page_is_made_at_a_time_the_kits_own_first_and_few_phones_pages_wait() -> None:
    order, go_on, at_once = list[str](), threading.Event(), threading.Lock()

    def make(path: str) -> bytes:
        assert at_once.acquire(blocking=False)
        go_on.wait()
        order.append(path)
        at_once.release()
        return b""

    async def many() -> tuple[list[int], list[int]]:
        making = Making()

        def ask(path: str, *, guest: bool) -> "asyncio.Task[Any]":
            return asyncio.create_task(making.answer(asked(path), make, guest=guest))

        guests = [ask(f"/phone/{n}", guest=True) for n in range(GUESTS + 1)]
        await asyncio.sleep(0)
        own = [ask(f"/own/{n}", guest=False) for n in range(MOST - GUESTS + 1)]
        await asyncio.sleep(0)
        go_on.set()
        phones, kit = await asyncio.gather(*guests), await asyncio.gather(*own)
        return [one.status_code for one in phones], [one.status_code for one in kit]

    phones, kit = asyncio.run(many())
    assert phones == [200] * GUESTS + [503]
    assert kit == [200] * (MOST - GUESTS) + [503]
    first, *later = order
    assert first == "/phone/0"
    assert later == [f"/own/{n}" for n in range(MOST - GUESTS)] + [f"/phone/{n}" for n in range(1, GUESTS)]


def test_who_waits_too_long_is_told_to_come_again(
    table: PhoneTable, made: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    cookie, done = opened(table), threading.Event()
    make = table.server.on_page
    table.server.on_page = lambda path: make(path) if done.wait(PATIENCE_S) else None
    with monkeypatch.context() as impatient:
        impatient.setattr(pages, "MAKING_S", 0.1)
        answer = table.ask("GET", "/people", Cookie=cookie)
    assert (answer.status, answer.headers["Refresh"], b"secret" in answer.body) == (503, "2", False)
    done.set()
    assert table.ask("GET", "/people", Cookie=cookie).status == 200
