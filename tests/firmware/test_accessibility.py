"""The pages for people who cannot see, hear or point as others do: findings of axe-core; what a control is called."""

import re
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Literal, NamedTuple

import pytest
from playwright.sync_api import Browser, Page

from firmware.panel.server import Panel
from firmware.people.names import Person
from firmware.wishes.forms import question, refusal
from firmware.wishes.games import WriteRemark
from firmware.wishes.people import Add, Forget
from firmware.wishes.who_may_wish import AnyWish
from firmware.wishes.wish import AskFirst, Denied
from tests.firmware import browser
from tests.firmware.browser import Table, opened
from tests.firmware.phone_table import PhoneTable
from tests.simulators import hard_history
from tests.simulators.axe import findings
from tests.simulators.phone import SPACES
from tests.simulators.phone_page import opened as open_phone
from tests.simulators.rig import Rig
from tests.simulators.wishing import decided

pytestmark = pytest.mark.slow


class Look(NamedTuple):
    width_px: int
    height_px: int
    scheme: Literal["light", "dark"]
    motion: Literal["no-preference", "reduce"]


LOOKS = (
    Look(1280, 800, "light", "no-preference"),
    Look(1280, 800, "dark", "reduce"),
    Look(320, 568, "light", "reduce"),
    Look(320, 568, "dark", "no-preference"),
)


def look(page: Page, look: Look) -> None:
    """The page is looked at like this from now on."""
    page.set_viewport_size({"width": look.width_px, "height": look.height_px})
    page.emulate_media(color_scheme=look.scheme, reduced_motion=look.motion)


@pytest.fixture(scope="module")
def history(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    return hard_history.pages(tmp_path_factory.mktemp("state"))


GAME = "people[Anna Ben] [Kitty Paw] P1*2 P2*2 P3 ok*2"
RACE = f"{GAME} +P1,P2,P3 3100 -P1,P2,P3"
STATES = {
    "idle": ("", ""),
    "in a game": (GAME, ""),
    "in a race": (f"{RACE} 2s P2", ""),
    "over": (f"{GAME} menu[End the game now] ok", "scores"),
    **{
        f"with {drawer}": (f"{RACE} P2 300 P1 300 P3 300", drawer) for drawer in ("help", "people", "scores", "history")
    },
    **{f"with {drawer}": (f"{RACE} P2 300 P1 300 P3 300", drawer) for drawer in ("finish", "drawer")},
}


@pytest.mark.parametrize(("line", "drawer"), STATES.values(), ids=STATES)
def test_axe_finds_nothing_on_the_page_of_the_kit(
    rig: Rig, table: Table, page: Page, history: dict[str, bytes], line: str, drawer: str
) -> None:
    table.panel.on_page = history.get
    rig.app.follow(table.panel.hear, *Panel.KINDS)
    rig.do(line).after(0)
    page.wait_for_selector("#picture:not([aria-label=nothing])")
    if drawer:
        page.click(f"#{drawer} summary")
        page.locator(f"#{drawer} .tray").wait_for()
    if drawer == "history":
        page.frame_locator("#pages").locator("h1").wait_for()
    for one in LOOKS:
        look(page, one)
        assert findings(page) == [], one


CROSSED = (LOOKS[0], LOOKS[3])  # wide and light, narrow and dark
OF_PAGES = [  # by day each page in one of them, by turns
    *(pytest.param(path, CROSSED[n % 2 :][:1], id=kind) for n, (kind, path) in enumerate(hard_history.KINDS.items())),
    *(
        pytest.param(path, LOOKS, id=f"{kind} in all looks", marks=pytest.mark.nightly)
        for kind, path in hard_history.KINDS.items()
    ),
]


@pytest.mark.parametrize(("path", "looks"), OF_PAGES)
def test_axe_finds_nothing_on_the_pages_of_the_history(
    table: Table, page: Page, history: dict[str, bytes], path: str, looks: tuple[Look, ...]
) -> None:
    table.panel.on_page = history.get
    page.goto(f"http://127.0.0.1:{table.port}{path}")
    page.locator("details").evaluate_all("all => all.forEach((one) => (one.open = true))")
    for one in looks:
        look(page, one)
        assert findings(page) == [], one


ANNA = (Person("a" * 16, "Anna"),)


@pytest.mark.parametrize("wish", [Add("anna"), Add("山田"), Forget("a" * 16), WriteRemark(1, "x" * 201, "")])
def test_axe_finds_nothing_on_the_pages_that_ask_or_refuse(table: Table, page: Page, wish: AnyWish) -> None:
    decision = decided(wish, ANNA)
    assert isinstance(decision, AskFirst | Denied)
    made = question(wish, decision) if isinstance(decision, AskFirst) else refusal(wish, decision)
    table.panel.on_page = lambda path: made.encode()
    page.goto(f"http://127.0.0.1:{table.port}/people")
    page.locator("form").first.wait_for()
    for one in LOOKS:
        look(page, one)
        assert findings(page) == [], one


MOVED = f"{GAME} menu[Seats] P4 P2 P1"  # P1 and P3 have changed buttons
CONTROLS = "button, summary, a, input, select"
SEEN = """(all) => all.map((one) => {
    if (!one.checkVisibility()) return null;
    const beside = one.labels?.[0] ?? (one.matches("select") ? one.closest("tr").querySelector("th") : one);
    return beside.innerText;
})"""


def controls(page: Page) -> Iterator[tuple[str, str]]:
    """The texts of the controls that are visible, and the names by which they can be called."""
    texts = page.locator(CONTROLS).evaluate_all(SEEN)
    line = page.context.new_cdp_session(page)
    root = line.send("DOM.getDocument")["root"]["nodeId"]
    found = line.send("DOM.querySelectorAll", {"nodeId": root, "selector": CONTROLS})["nodeIds"]
    for text, node in zip(texts, found, strict=True):
        if text is not None:
            told = line.send("Accessibility.getPartialAXTree", {"nodeId": node, "fetchRelatives": False})["nodes"][0]
            yield spoken(text), spoken(told["name"]["value"])
    line.detach()


def spoken(text: str) -> str:
    """What can be said of a text: signs cannot."""
    return " ".join(re.findall(r"\w+", text)).casefold()


@pytest.mark.parametrize("knob", [True, False])
def test_every_control_can_be_called_by_what_it_shows(
    monkeypatch: pytest.MonkeyPatch, tab: Page, rig: Rig, knob: bool
) -> None:
    monkeypatch.setattr(browser.Control, "knob", knob)
    rig.do(MOVED)
    with closing(Table()) as table, opened(tab, table) as page:
        table.panel.on_page = lambda path: b"<p>history"
        before = list(controls(page))
        rig.app.follow(table.panel.hear, *Panel.KINDS)
        rig.after(0)
        page.wait_for_selector('[data-button="none"]')
        page.click('[data-part="latch-P4"]')
        page.wait_for_selector('[data-part="latch-P4"][aria-pressed=true]')
        found = [*before, *controls(page)]
        for drawer in page.locator(".drawer:not([hidden]) summary").all():
            drawer.click()
            page.wait_for_selector("#history:not([open]), #out[href]", state="attached")  # until then it is no link
            found += controls(page)
    assert [(text, name) for text, name in found if text not in name or not name] == []


def test_no_two_buttons_have_one_name(rig: Rig, table: Table, page: Page) -> None:
    rig.app.follow(table.panel.hear, "seats")
    rig.do(MOVED)
    page.wait_for_selector('[data-button="none"]')
    page.get_by_role("button", name="P1 Anna, on button P4").first.wait_for()
    names = re.findall(r'button "([^"]*)"', page.locator("#players").aria_snapshot())
    assert [name for name in names if "Hold" not in name] == [
        "P3, on button P1",
        "P2 Ben",
        "–, on button P3",
        "P1 Anna, on button P4",
    ]


TAKEN = "game[kitty_paw 3]"
RACED = f"{TAKEN} +P1,P2,P3 3100 -P1,P2,P3 P2 300 P1 300 P3 300"
PHONES = {  # who opens which page, what is played then, and what is there at the end
    "joins": ("", "ZZZZZZ", "", "#refused:not(:empty)"),
    "says who it is": ("", "", "", "#places button"),
    "has a seat": ("P2", "", "", "#game"),
    "is asked": ("P1", "", "game[pack_and_stack 3]", "#asks button"),
    "in a race": ("P2", "", f"{TAKEN} +P1", "#waiting:not(:empty)"),
    "after a race": ("P2", "", RACED, "#photo svg"),
    "enters a number": ("P2", "", SPACES, "#asks output"),
    "a board": ("P2", "board", RACED, "#photo svg"),
    "a board in the menu": ("P2", "board", "", "#game"),
    "a board that has not joined": ("", "board", "", "#join"),
}


@pytest.fixture
def phones(tmp_path: Path) -> Iterator[PhoneTable]:
    table = PhoneTable(tmp_path)
    yield table
    table.close()


@pytest.mark.parametrize(("seat", "path", "line", "there"), PHONES.values(), ids=PHONES)
def test_axe_finds_nothing_on_phones_and_boards(
    phones: PhoneTable, chromium: Browser, seat: str, path: str, line: str, there: str
) -> None:
    code = f"http://{phones.host}/{phones.phones.code}"
    page = open_phone(chromium, f"http://{phones.host}/{path}" if path and not seat else code, [])
    with closing(page.context):
        if seat:
            page.get_by_role("button", name=seat).tap()
            page.wait_for_selector("#game:not([hidden])")
        if seat and path:
            page.goto(f"http://{phones.host}/{path}")
        phones.play(line)
        page.wait_for_selector(there)
        for one in LOOKS:
            look(page, one)
            assert findings(page) == [], one
