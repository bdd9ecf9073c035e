"""The page of the score sheets: what its server answers, and a game written, tried and kept in a browser."""

import json
import os
import resource
import select
import signal
from collections.abc import Iterator
from contextlib import closing
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page

from engine.sheets.sheet import schema
from firmware.panel.server import SHEET_BYTES
from firmware.shelf import folders, helper, trial
from firmware.shelf.helper import Helper
from firmware.shelf.workshop import LARGEST, UnfitRequest, Workshop, answered
from tests.engine.sheets.shelf import WIZARD
from tests.firmware.browser import Table
from tests.firmware.command import Ran
from tests.simulators.axe import findings
from tests.simulators.every_game import TEN, rules_of
from tests.simulators.program import Program, played_before
from tests.simulators.rig import Rig
from tests.simulators.waiting import PATIENCE_S, until

GOLF = """title = "Short golf"
players = [2, 4]
rounds = 2
win = "-total"
ask = [{ id = "strokes", low = 1, high = 20, title = "Strokes" }]
"""
WRONG = GOLF.replace("players = [2, 4]", "players = [4, 2]").replace("strokes", "Strokes", 1)


@pytest.fixture
def workshop(tmp_path: Path) -> Workshop:
    return Workshop(tmp_path, tmp_path / "card")


def own(folder: Path, name: str, text: str) -> None:
    (folder / "games").mkdir(exist_ok=True)
    (folder / "games" / name).write_text(text)


def rows(workshop: Workshop) -> dict[str, Any]:
    return {row["name"]: row for row in workshop.all()["sheets"]}


# --- lists, texts, errors ---------------------------------------------------------------------------------------------


def test_all_sheets_are_listed_with_what_they_hide_and_what_is_wrong(tmp_path: Path, workshop: Workshop) -> None:
    own(tmp_path, "wizard.toml", GOLF)
    own(tmp_path, "wrong.toml", WRONG)
    own(tmp_path, "kitty_paw.toml", GOLF)
    listed = rows(workshop)
    assert (listed["wizard"]["own"], listed["wizard"]["hides"]) == (True, ["kit: wizard.toml"])
    assert [(one["line"], one["key"]) for one in listed["wrong"]["errors"]] == [(5, "ask 1 id")]
    assert listed["kitty_paw"]["wrong"].startswith("kitty_paw is a game of the kit")
    assert not [row for row in listed.values() if row["place"] == folders.KIT and (row["errors"] or row["wrong"])]


def test_a_text_is_read_with_its_errors(workshop: Workshop) -> None:
    told = workshop.read(GOLF.replace("rounds = 2", "rounds = 'roundz'\npints = 1"), {})
    assert told["document"]["pints"] == 1 and told["players"] is None
    assert [(one["line"], one["key"]) for one in told["errors"]] == [(4, "pints")]
    assert workshop.read("title = ", {}) | {"errors": []} == {
        "text": "title = ",
        "document": None,
        "errors": [],
        "remarks": [],
        "players": None,
    }


@pytest.mark.parametrize(
    ("ask", "remarks"),
    [
        ('id = "a", title = "Stones “black”…"', []),
        ('id = "a", title = "石"', [("ask 1 title", "the display shows ? for 石; pages and phones show them")]),
        ('id = "a", words = ["Win", "Tie", "tie"]', []),
        (
            'id = "a", words = ["赢", "Tie", "输"]',
            [
                ("ask 1 words", "the display shows ? for 赢 输; pages and phones show them"),
                ("ask 1 words", '"赢" and "输" look alike on the display'),
            ],
        ),
        ('id = "a", words = ["2-1", "2–1"]', []),
        ('id = "a", words = ["2-1", "2—1"]', [("ask 1 words", '"2-1" and "2—1" look alike on the display')]),
        (
            'id = "a", title = "Row", per = "box" }, { id = "b", title = "Row", per = "box"',
            [("ask 2 title", '"Row" and "Row" look alike on the display')],
        ),
    ],
)
def test_what_the_display_cannot_show_is_remarked_where_it_is_written(
    workshop: Workshop, tmp_path: Path, ask: str, remarks: list[tuple[str, str]]
) -> None:
    text = f'title = "T"\nplayers = [2, 2]\nask = [{{ {ask} }}]\n'
    told = workshop.read(text, {})
    assert [(one["key"], one["text"]) for one in told["remarks"]] == remarks
    assert (told["errors"], told["players"]) == ([], (2, 2))
    file = tmp_path / "t.toml"
    file.write_text(text + ("" if "box" in ask else 'rounds = 2\npoints = "a"\n'))
    done = Ran(("game", "check", file), tmp_path)
    assert done.status == any("alike" in said for _key, said in remarks)
    assert [said for _key, said in remarks if said not in done.out] == []


def test_what_the_form_changes_is_changed_in_the_text_alone(workshop: Workshop) -> None:
    told = workshop.read(f"# of ours\n{GOLF}odd = inf\n", {"rounds": 9, "win": None})
    assert told["text"] == f"# of ours\n{GOLF}odd = inf\n".replace("= 2\n", "= 9\n").replace('win = "-total"\n', "")
    assert told["document"]["odd"] == "inf"


def test_a_text_that_is_no_toml_stays_as_it_is(workshop: Workshop) -> None:
    assert workshop.read("title = ", {"rounds": 9})["text"] == "title = "


# --- tries ------------------------------------------------------------------------------------------------------------


def tried(workshop: Workshop, text: str, *moves: list[Any], now_ms: int = 0, players: int = 2) -> dict[str, Any]:
    return workshop.tried(text, players, list(moves), now_ms)


def test_a_try_shows_what_is_asked_and_the_totals(workshop: Workshop) -> None:
    begun = tried(workshop, GOLF)
    assert [(one["seat"], one["text"], one["low"], one["high"]) for one in begun["asks"]] == [
        (0, "Strokes", 1, 20),
        (1, "Strokes", 1, 20),
    ]
    after = tried(workshop, GOLF, [5, 0, "strokes", 3], [9, 1, "strokes", 5])
    assert ([seat["total"] for seat in after["seats"]], after["where"]) == ([3, 5], ["2/2"])
    over = tried(workshop, GOLF, [5, 0, "strokes", 3], [9, 1, "strokes", 5], [10, None, "", None])
    assert over["over"] and over["asks"] == [] and over["says"][1] in ("Won by P1.", "Won by P2.", "Won by P1, P2.")


@pytest.mark.parametrize("name", TEN.values())
def test_a_sheet_of_each_kind_is_tried_by_rounds_at_random(workshop: Workshop, name: str) -> None:
    text = rules_of(name).text
    low, high = workshop.read(text, {})["players"]
    for players in {low, high}:
        told = tried(workshop, text, *[[0, None, "", None]] * 4, players=players)
        assert told["over"] or told["asks"]
        assert len(told["seats"]) == players


RACE = 'title = "R"\nplayers = [2, 3]\nrace = { kind = "signal", delay = [1, 1] }\nrounds = 2\n'


def test_time_passes_in_a_try(workshop: Workshop) -> None:
    ready = tried(workshop, RACE)
    assert [one["verb"] for one in ready["asks"]] == ["start"]
    armed = tried(workshop, RACE, [10, None, "start", None], now_ms=10)
    assert armed["due_ms"] == 1010
    raced = tried(workshop, RACE, [10, None, "start", None], [1500, 1, "press", None], now_ms=9000)
    assert [seat["total"] for seat in raced["seats"]] == [0, 1]


@pytest.mark.parametrize(
    ("text", "moves", "players", "says"),
    [
        (GOLF, [[0, 0, "strokes", 99]], 2, {"refused": "strokes 99: must be a whole number from 1 to 20"}),
        (GOLF, [[0, 0, "strokes", 9]] * (trial.MOST_MOVES + 1), 2, {"refused": "a try has at most 300 moves"}),
        (GOLF, [], 5, {"refused": "players: must be from 2 to 4"}),
        (GOLF, [[0]], 2, {"refused": "no such move"}),
    ],
)
def test_a_try_refuses(
    workshop: Workshop, text: str, moves: list[list[Any]], players: int, says: dict[str, Any]
) -> None:
    assert tried(workshop, text, *moves, players=players) == says


# --- files ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("title", "name"),
    [
        ("Wizard", "wizard"),
        ("6 nimmt!", "6_nimmt"),
        ("Mölkky: a & b", "mölkky_a_b"),
        ("!?", "game"),
        ("x" * 99, "x" * 40),
    ],
)
def test_a_name_is_proposed_from_the_title(workshop: Workshop, title: str, name: str) -> None:
    told = workshop.named(Workshop.answer(workshop, {"do": "name", "name": "", "title": title})["name"])
    assert (told["name"], told["wrong"]) == (name, "")


def test_a_name_says_what_it_hides_and_what_hides_it(tmp_path: Path, workshop: Workshop) -> None:
    assert workshop.named("wizard")["says"].startswith("Wizard of the kit is hidden by it")
    assert workshop.named("kitty_paw")["wrong"].startswith("kitty_paw is a game of the kit")
    card = tmp_path / "card" / "luckypaw" / "games"
    card.mkdir(parents=True)
    (card / "wizard.toml").write_text(GOLF)
    assert workshop.named("wizard")["says"] == "A file of that name on the card hides it."


def test_a_file_is_replaced_only_where_that_is_meant(tmp_path: Path, workshop: Workshop) -> None:
    assert workshop.save("golf", GOLF, over=False) == {"done": True}
    assert workshop.save("golf", "other", over=False) == {"there": True}
    assert workshop.open("golf") == {"text": GOLF, "own": True}
    assert workshop.save("golf", "other", over=True) == {"done": True}
    assert (tmp_path / "games" / "golf.toml").read_text() == "other"
    assert workshop.answer({"do": "remove", "name": "golf"}) == {"done": True}
    assert workshop.answer({"do": "remove", "name": "golf"}) == {"refused": "There is no such sheet any more."}


def test_a_file_of_another_computer_is_changed_and_removed_too(tmp_path: Path, workshop: Workshop) -> None:
    own(tmp_path, "GOLF.toml.txt", GOLF)
    assert workshop.save("golf", f"{GOLF}bgg = 1\n", over=True) == {"done": True}
    assert [file.name for file in (tmp_path / "games").iterdir()] == ["golf.toml"]
    own(tmp_path, "kitty_paw.toml", GOLF)
    assert workshop.remove("kitty_paw") == {"done": True}
    assert not (tmp_path / "games" / "kitty_paw.toml").exists()


@pytest.mark.parametrize("name", ["../x", "kitty_paw", "", "Wizard"])
def test_no_other_file_is_written_or_removed(tmp_path: Path, workshop: Workshop, name: str) -> None:
    for request in ({"do": "save", "name": name, "text": GOLF, "over": True}, {"do": "remove", "name": name}):
        assert "refused" in workshop.answer(request)
    assert not list(tmp_path.iterdir())


def test_a_file_that_is_too_long_or_no_text_is_not_opened(tmp_path: Path, workshop: Workshop) -> None:
    own(tmp_path, "long.toml", "#" * (LARGEST + 1))
    (tmp_path / "games" / "none.toml").write_bytes(b"\xff")
    os.mkfifo(tmp_path / "games" / "pipe.toml")
    assert [list(workshop.open(name)) for name in ("long", "none", "pipe", "gone")] == [["refused"]] * 4


@pytest.mark.parametrize(
    "request_",
    [
        b"",
        b"{",
        b"[" * 9000,
        b"1",
        b'{"do": "list", "more": 1}',
        b'{"do": "read", "text": 1, "changes": {}}',
        b'{"do": "read", "text": "\\ud800", "changes": {}}',
        json.dumps({"do": "read", "text": "x" * (LARGEST + 1), "changes": {}}).encode(),
    ],
    ids=lambda given: given[:20],
)
def test_what_the_page_never_asks_has_no_answer(workshop: Workshop, request_: bytes) -> None:
    assert answered(workshop, request_) == b""


# --- the process ------------------------------------------------------------------------------------------------------


@pytest.fixture
def asked(tmp_path: Path) -> Iterator[Helper]:
    with closing(Helper(tmp_path)) as found:
        yield found


def test_the_helper_answers_line_by_line_and_begins_anew_once_it_is_gone(asked: Helper) -> None:
    request = json.dumps({"do": "name", "name": "golf", "title": ""}, indent=1).encode()
    first = asked(request)
    assert json.loads(first)["name"] == "golf" and asked(b"[") == b""
    process = asked.process
    assert process is not None
    process.kill()
    process.wait()
    assert asked(request) == first


def test_the_helper_has_the_lowest_priority_and_little_memory(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    had: list[Any] = []
    monkeypatch.setattr(os, "nice", had.append)
    monkeypatch.setattr(resource, "setrlimit", lambda what, limits: had.append(limits))
    monkeypatch.setattr(select, "select", lambda *_: ([], [], []))  # quiet
    helper.main(str(tmp_path), "5")
    assert had == [19, (256 << 20, 256 << 20)]


ROUNDS = [[0, None, "", None]] * 10  # played at random


def test_what_takes_too_long_ends_the_helper(asked: Helper, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as impatient:
        impatient.setattr(helper, "LONGEST_S", 0.001)
        with pytest.raises(TimeoutError):
            asked(json.dumps({"do": "try", "text": WIZARD, "players": 6, "moves": ROUNDS, "now_ms": 0}).encode())
    assert asked(b'{"do": "list"}')


def test_on_a_busy_machine_the_same_request_waits_on_and_another_begins_after_it(
    asked: Helper, monkeypatch: pytest.MonkeyPatch
) -> None:
    slow = json.dumps({"do": "try", "text": WIZARD, "players": 6, "moves": 10 * ROUNDS, "now_ms": 0}).encode()
    named = json.dumps({"do": "name", "name": "golf", "title": ""}).encode()
    assert asked(named)
    process = asked.process
    for then in (slow, named):
        with monkeypatch.context() as busy:
            busy.setattr(helper, "WAIT_S", 0.0)
            for request in (slow, named, slow):
                with pytest.raises(BlockingIOError):
                    asked(request)
        assert ("over" in json.loads(asked(then))) == (then == slow)
    assert asked.process is process


def test_a_helper_that_has_ended_is_waited_for_and_its_pipes_are_closed(asked: Helper) -> None:
    """As one does by itself when the page is quiet."""
    assert asked(b'{"do": "list"}')
    process = asked.process
    assert process is not None and process.stdin is not None and process.stdout is not None
    os.kill(process.pid, signal.SIGTERM)
    until(lambda: asked.process is None, lambda: "the helper is waited for")
    assert (process.returncode, process.stdin.closed, process.stdout.closed) == (-signal.SIGTERM, True, True)


def test_a_closed_helper_answers_no_more(asked: Helper) -> None:
    asked.close()
    assert (asked(b'{"do": "list"}'), asked.process) == (b"", None)


# --- the kit's server -------------------------------------------------------------------------------------------------


def requested(
    port: int, method: str, path: str, body: bytes | None = None, origin: str | None = None
) -> tuple[int, str, bytes]:
    host = f"localhost:{port}"
    headers = {"Host": host, "Origin": origin or f"http://{host}"}
    with closing(HTTPConnection("127.0.0.1", port, timeout=PATIENCE_S)) as line:
        line.request(method, path, body, headers)
        answer = line.getresponse()
        return answer.status, answer.headers["Content-Type"].partition(";")[0], answer.read()


def test_the_server_asks_the_workshop(table: Table, workshop: Workshop) -> None:
    table.panel.on_sheets = lambda request: answered(workshop, request)
    status, kind, body = requested(table.port, "POST", "/sheets", b'{"do":"open","name":"wizard"}')
    assert (status, kind, "Wizard" in json.loads(body)["text"]) == (200, "application/json", True)
    assert requested(table.port, "POST", "/sheets", b"{")[0] == 400
    assert requested(table.port, "POST", "/sheets", b"x" * (SHEET_BYTES + 1))[0] == 413
    assert requested(table.port, "POST", "/sheets", b'{"do":"list"}', "http://evil.example")[0] == 403
    assert json.loads(requested(table.port, "GET", "/sheets/format.json")[2]) == json.loads(json.dumps(schema()))


def test_a_sheet_is_copied_to_a_file(table: Table, workshop: Workshop) -> None:
    table.panel.on_sheets = lambda request: answered(workshop, request)
    text = (folders.SHIPPED / "wizard.toml").read_bytes()
    assert requested(table.port, "GET", "/sheets/wizard.toml") == (200, "application/toml", text)
    assert requested(table.port, "GET", "/sheets/none.toml")[0] == 404


def failing(request: bytes) -> bytes:
    raise OSError(12, "Cannot allocate memory")


@pytest.mark.parametrize(
    ("error", "status"), [(TimeoutError(), 422), (BlockingIOError(), 503), (OSError(12, "Cannot allocate memory"), 503)]
)
def test_a_workshop_that_fails_is_said(table: Table, error: Exception, status: int) -> None:
    def fails(request: bytes) -> bytes:
        raise error

    table.panel.on_sheets = fails
    assert requested(table.port, "POST", "/sheets", b"{}")[0] == status
    assert requested(table.port, "GET", "/sheets")[0] == 200


def test_an_unfit_request_is_told_apart(workshop: Workshop) -> None:
    with pytest.raises(UnfitRequest):
        workshop.answer({"do": "burn"})


def test_the_kit_answers_the_page_and_ends_with_its_helper(tmp_path: Path) -> None:
    command = ("-m", "tests.simulators.controlled_clock", "0", "play", "--emulated", "--port", "0")
    with Program(*command, STATE_DIRECTORY=str(played_before(tmp_path / "state"))) as program:
        status, _kind, body = requested(program.port, "POST", "/sheets", b'{"do":"open","name":"wizard"}')
        assert (status, "Wizard" in json.loads(body)["text"]) == (200, True)
        ended, _, errors = program.end()
        assert (ended, errors) == (0, "")


# --- in a browser -----------------------------------------------------------------------------------------------------


@pytest.fixture
def written(table: Table, tab: Page, asked: Helper) -> Iterator[Page]:
    """The page of the sheets. It must not complain about anything by the end."""
    complaints: list[str] = []
    tab.set_default_timeout(1000 * PATIENCE_S)
    tab.set_viewport_size({"width": 1280, "height": 900})
    listeners: dict[str, Any] = {
        "console": lambda message: complaints.append(message.text) if message.type == "error" else None,
        "pageerror": lambda error: complaints.append(str(error)),
        "dialog": lambda dialog: dialog.accept(),
    }
    for event, listener in listeners.items():
        tab.on(event, listener)  # type: ignore[call-overload]
    table.panel.on_sheets = asked
    tab.goto(f"http://127.0.0.1:{table.port}/sheets")
    tab.wait_for_selector(".sheets li")
    yield tab
    tab.goto("about:blank")
    for event, listener in listeners.items():
        tab.remove_listener(event, listener)
    assert complaints == []


def field(page: Page, label: str, n: int = 0) -> Any:
    return page.get_by_label(label, exact=True).nth(n)


def file(page: Page) -> str:
    return page.locator("#toml").input_value()


def wait_for_file(page: Page, text: str) -> None:
    page.wait_for_function("text => document.getElementById('toml').value.includes(text)", arg=text)


def test_a_number_in_the_wide_digits_of_a_keyboard_is_that_number(written: Page) -> None:
    written.click("#new")
    field(written, "Rounds").fill("\uff13")
    wait_for_file(written, "rounds = 3\n")


@pytest.mark.slow
def test_somebody_writes_a_game_tries_it_keeps_it_changes_it_and_removes_it(
    written: Page, rig: Rig, tmp_path: Path
) -> None:
    page = written
    rig.after(0)
    page.click("#new")
    field(page, "Title").fill("Our whist")
    field(page, "Rounds").fill("3")
    field(page, "Question").fill("Your bid?")
    page.get_by_role("button", name="Add a question").first.click()
    page.keyboard.type("Tricks won")
    field(page, "Points of a round").fill("10 if trick_won == your_bid else 0")
    error = page.locator('[data-key="points"] .error')
    error.wait_for()
    assert "trick_won is unknown" in error.inner_text()
    assert "trick_won is unknown" in page.locator("#wrong").inner_text()
    assert page.locator("#lines mark").inner_text().strip() == f"▸{file(page).split('points')[0].count(chr(10)) + 1}"
    assert page.locator("#start").is_disabled()
    field(page, "Points of a round").fill("10 if tricks_won == your_bid else 0")
    error.wait_for(state="hidden")

    page.locator("#many").select_option("2")
    page.click("#start")
    for label, number in (
        ("P1: Your bid?", "2"),
        ("P2: Your bid?", "1"),
        ("P1: Tricks won", "2"),
        ("P2: Tricks won", "0"),
    ):
        field(page, f"{label} (0 to 999)").fill(number)
        page.keyboard.press("Enter")
        page.get_by_label(f"{label} (0 to 999)", exact=True).wait_for(state="detached")
    totals = page.locator("#trial tbody td").all_inner_texts()
    assert totals == ["10", "0"]
    page.click("#undo")
    page.get_by_label("P2: Tricks won (0 to 999)", exact=True).wait_for()
    page.click("#random")
    page.get_by_text("2/3").wait_for()

    assert page.locator("#name").input_value() == "our_whist"
    page.click("#save")
    page.get_by_text("our_whist.toml is kept").wait_for()
    assert rig.do("[All] 0 [Our whist] 0").top == "Join"

    page.get_by_role("button", name="Change Our whist").click()
    field(page, "Rounds").fill("players")
    wait_for_file(page, 'rounds = "players"')
    page.click("#save")
    page.get_by_text("our_whist.toml is kept").wait_for()
    assert 'rounds = "players"' in (tmp_path / "games" / "our_whist.toml").read_text()
    page.get_by_role("button", name="Remove Our whist").click()
    page.get_by_text("Our whist is removed.").wait_for()
    page.get_by_role("heading", name="Our whist").wait_for(state="detached")
    assert not list((tmp_path / "games").iterdir())


@pytest.mark.slow
def test_the_form_offers_for_a_place_only_what_it_takes(written: Page) -> None:
    page = written

    def ways(n: int = 0, label: str = "Who answers") -> list[str]:
        options: list[str] = field(page, label, n).locator("option").evaluate_all("all => all.map(one => one.value)")
        return options

    page.click("#new")
    page.get_by_role("button", name="Add a question").first.click()
    assert ways(1) == ["", "turn", "table", "any", "box"]
    field(page, "Who answers", 1).select_option("any")
    wait_for_file(page, 'per = "any"')
    assert [field(page, "Who answers", n).input_value() for n in (0, 1)] == ["any", "any"]
    assert field(page, "Rounds").is_hidden()
    assert ways(0, "The answer is") == ["number", "yes", "words"]
    field(page, "Who answers", 0).select_option("table")
    assert [field(page, "Who answers", n).input_value() for n in (0, 1)] == ["table", ""]
    page.locator("summary", has_text="More about rounds").click()
    assert field(page, "Who still has a turn").is_hidden()
    field(page, "Teams").fill("2")
    page.keyboard.press("Tab")
    page.locator("option[value=team]").first.wait_for(state="attached")
    assert ways(0) == ["", "turn", "table", "team", "any", "box"]
    page.locator("summary", has_text="A race, or a clock").click()
    field(page, "Race of every round").select_option("first")
    assert (ways(0), field(page, "A wrong answer locks out").is_visible()) == (["race"], False)
    wait_for_file(page, 'race = { kind = "first" }')
    page.locator("summary", has_text="Questions at the end").click()
    page.get_by_role("button", name="Add a question").last.click()
    assert ways(2) == ["", "table", "team"]
    page.locator("#wrong p").wait_for()


@pytest.mark.slow
@pytest.mark.parametrize("ask", ["3", '"a"', "[1, 2]", "{ id = 1 }"])
def test_questions_that_are_no_list_of_tables_leave_the_rest_of_the_form(written: Page, ask: str) -> None:
    written.click("#new")
    field(written, "Title").fill("Before")
    wait_for_file(written, '"Before"')
    written.locator("#toml").fill(f'title = "After"\nplayers = [2, 4]\nask = {ask}\n')
    written.wait_for_function("() => document.querySelector('#fields input').value === 'After'")
    written.get_by_text("These can only be changed in the file.").wait_for()
    written.locator("summary", has_text="A race, or a clock").click()
    field(written, "Race of every round").select_option("first")
    wait_for_file(written, "race = ")
    assert f"ask = {ask}" in file(written)


@pytest.mark.slow
def test_a_remark_stands_at_its_field_and_below_the_file(written: Page) -> None:
    written.click("#new")
    field(written, "Title").fill("囲碁")
    remark = written.locator('[data-key="title"] .remark')
    remark.wait_for()
    assert remark.inner_text() == written.locator("#wrong .remark li").inner_text().removeprefix("Line 1 title: ")
    assert written.locator("#start").is_enabled()


@pytest.mark.slow
def test_the_form_follows_the_file_and_throws_nothing_away(written: Page, tmp_path: Path) -> None:
    page = written
    page.get_by_role("button", name="Make your own of Tichu").click()
    wait_for_file(page, "Tichu")
    text = f"# as we play it\nodd = 1\n{file(page)}"
    page.locator("#toml").fill(text)
    page.locator("#wrong li").wait_for()
    field(page, "Title").fill("Our Tichu")
    wait_for_file(page, "Our Tichu")
    assert file(page) == text.replace('"Tichu"', '"Our Tichu"', 1)
    page.locator("#toml").fill(file(page).replace("odd = 1\n", "").replace("Our Tichu", "Third"))
    page.wait_for_function("() => document.querySelector('#fields input').value === 'Third'")
    page.locator("#toml").fill("title = ")
    page.locator("#unread").wait_for()
    assert field(page, "Title").is_disabled()


@pytest.mark.slow
def test_what_was_typed_while_the_kit_did_not_answer_is_read_once_it_does(
    table: Table, tab: Page, workshop: Workshop
) -> None:
    table.panel.on_sheets = lambda request: answered(workshop, request)
    tab.goto(f"http://127.0.0.1:{table.port}/sheets")
    tab.click("#new")
    tab.locator("#wrong p").wait_for()
    table.panel.on_sheets = failing
    tab.locator("#toml").fill(GOLF)
    tab.locator("#said:not(:empty)").wait_for()
    table.panel.on_sheets = lambda request: answered(workshop, request)
    tab.wait_for_function("() => document.querySelector('#fields input')?.value === 'Short golf'")
    assert tab.locator("#said").text_content() == ""


@pytest.mark.slow
def test_what_the_kit_has_not_read_is_not_kept_until_it_has(table: Table, tab: Page, workshop: Workshop) -> None:
    def kit(request: bytes) -> bytes:
        return answered(workshop, request)

    table.panel.on_sheets = kit
    tab.goto(f"http://127.0.0.1:{table.port}/sheets")
    tab.click("#new")
    tab.locator("#wrong p").wait_for()
    table.panel.on_sheets = lambda request: (failing if b'"do":"read"' in request else kit)(request)
    field(tab, "Title").fill("Our whist")
    tab.click("#save")
    tab.locator("#said:not(:empty)").wait_for()
    assert tab.locator("#writing").is_visible()
    assert not [row for row in rows(workshop).values() if row["own"]]
    table.panel.on_sheets = kit  # the page asks again by itself
    tab.get_by_text("toml is kept").wait_for()
    assert [row["title"] for row in rows(workshop).values() if row["own"]] == ["Our whist"]


@pytest.mark.slow
def test_sheets_of_all_concepts_go_through_the_form_unchanged(written: Page) -> None:
    page = written
    page.click("#new")
    for name in ("tichu", "skat_list", "yahtzee", "reaction_duel", "chess_clock", "quiz_buzzer", "hanabi", "molkky"):
        sheet = folders.SHIPPED / f"{name}.toml"
        page.locator("#toml").fill(sheet.read_text())
        title = sheet.read_text().partition('title = "')[2].partition('"')[0]
        page.wait_for_function("title => document.querySelector('#fields input')?.value === title", arg=title)
        page.wait_for_function("() => document.querySelector('#wrong p')")
        assert page.locator("#fields :is(input, select, textarea)[disabled]").count() == 0, sheet.stem
        assert file(page) == sheet.read_text()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("scheme", "width"),
    [
        ("light", 1280),
        ("dark", 320),
        pytest.param("light", 320, marks=pytest.mark.nightly),
        pytest.param("dark", 1280, marks=pytest.mark.nightly),
    ],
)
def test_axe_finds_nothing_on_the_page_of_the_sheets(written: Page, tmp_path: Path, width: int, scheme: Any) -> None:
    page = written
    own(tmp_path, "wrong.toml", WRONG)
    page.reload()
    page.get_by_role("button", name="Change Short golf").wait_for()
    page.set_viewport_size({"width": width, "height": 800})
    page.emulate_media(color_scheme=scheme)
    found = findings(page)
    page.get_by_role("button", name="Change Short golf").click()
    page.locator("#wrong li").wait_for()
    page.evaluate("for (const fold of document.querySelectorAll('#fields details')) fold.open = true")
    found += findings(page)
    page.locator("#toml").fill(GOLF)
    page.locator("#wrong p").wait_for()
    page.click("#start")
    page.locator("#trial table").wait_for()
    assert found + findings(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= width
