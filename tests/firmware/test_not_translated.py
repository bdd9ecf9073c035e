"""A browser that translates a page leaves names, phones' tags and what is to be typed alone: `translate="no"`."""

from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from engine.game import NoOptions
from engine.rules import Action
from engine.sheets.reading import read
from engine.sheets.rules import rules
from firmware.journal.reader import History
from firmware.markup import said, text
from firmware.panel.server import Panel
from firmware.phones import captive
from firmware.phones.signs import tag
from firmware.table.playing import begin
from tests.engine.sheets.shelf import WIZARD
from tests.firmware.browser import Table
from tests.firmware.phone_table import PhoneTable
from tests.simulators import hard_history
from tests.simulators.phone_page import opened
from tests.simulators.rig import Rig

ZORA, QUILL, VESPER = PEOPLE = ("Zora", "Quill", "Vesper")
KNOWN = "people[Zora Quill Vesper]"
PACK, KITTY = "[Pack & Stack] P1*2 P2*2 P3*2", "[Kitty Paw] P1*2 P2*2 P3*2"
BEGUN = "ok*2"
NUMBERS = "P1 ok 3300 P1 100 P2 100 P3 1700 ok"
RACED = "+P1,P2,P3 3100 -P1,P2,P3 2s P2 300 P1 300 P3 300"
FIXED = "menu[Fix points] P1 turn+2 ok"
ENDED = "menu[End the game now] ok"
GAME = f"{KNOWN} {PACK} {BEGUN}"
# the texts in which one of these names is a word, those that a translator may change and those that it may not
FOUND = """(names) => {
    const found = {open: [], kept: []};
    const texts = document.createTreeWalker(document, NodeFilter.SHOW_TEXT);
    const joins = (sign) => Boolean(sign) && /[\\p{L}\\p{N}]/u.test(sign);
    while (texts.nextNode()) {
        const {data, parentElement: parent} = texts.currentNode;
        const has = names.some((name) => {
            const at = data.indexOf(name);
            return at >= 0 && !joins(data[at - 1]) && !joins(data[at + name.length]);
        });
        if (!has || parent.closest("script, style")) continue;
        found[parent.closest('[translate="no"]') ? "kept" : "open"].push(data.trim());
    }
    return found;
}"""


def to_translate(page: Page, *names: str) -> list[str]:
    """The texts with one of these names that a translator would change; the page shows at least one name."""
    found = page.evaluate(FOUND, list(names))
    assert found["kept"] or found["open"], "no name is shown"
    open_: list[str] = found["open"]
    return open_


@pytest.fixture
def phones(tmp_path: Path) -> Iterator[PhoneTable]:
    table = PhoneTable(tmp_path)
    yield table
    table.close()


@pytest.fixture
def phone(chromium: Browser, phones: PhoneTable) -> Iterator[Page]:
    """A phone that has scanned the code."""
    complaints: list[str] = []
    page = opened(chromium, f"http://{phones.host}/{phones.phones.code}", complaints)
    yield page
    page.context.close()
    assert complaints == []


# --- phones and boards -----------------------------------------------------------------------------------------------


def looks(page: Page) -> None:
    page.locator("#places button").first.wait_for()


def sits(page: Page) -> None:
    page.get_by_role("button", name="P2").tap()
    page.get_by_text("You are ").wait_for()


def plays(page: Page) -> None:
    sits(page)
    page.locator("#settled").tap()
    page.locator("#game:not([hidden])").wait_for()


def answers_for_the_table(page: Page) -> None:
    plays(page)
    page.locator("#seats").tap()
    page.locator("#table").tap()
    page.get_by_text("No longer answer for the table").wait_for()
    page.locator("#play").tap()


def wants_a_place(page: Page) -> None:
    page.get_by_role("button", name="P2").tap()
    page.locator("#wish:not([hidden])").wait_for()


def gives_a_name(page: Page) -> None:
    sits(page)
    page.locator("#name").fill(ZORA)
    page.get_by_role("button", name="Save").tap()
    page.get_by_text("Is that you?").wait_for()


def opens_a_board(page: Page) -> None:
    page.get_by_role("button", name="Only look on").tap()
    page.locator("#game:not([hidden])").wait_for()
    page.goto(page.url.rstrip("/") + "/board")
    page.locator("#game:not([hidden])").wait_for()


@pytest.mark.parametrize(
    ("before", "does", "after"),
    [
        pytest.param((KNOWN, PACK, BEGUN), looks, (), id="the places"),
        pytest.param((KNOWN, PACK), sits, (), id="a welcome"),
        pytest.param((KNOWN, PACK, BEGUN), wants_a_place, (), id="what the kit is asked"),
        pytest.param((KNOWN,), gives_a_name, (), id="a name that is known"),
        pytest.param((KNOWN, PACK), plays, (BEGUN,), id="a game"),
        pytest.param((KNOWN, PACK), plays, (BEGUN, NUMBERS), id="numbers"),
        pytest.param((KNOWN, KITTY), plays, (BEGUN, RACED), id="a race"),
        pytest.param((KNOWN, PACK), answers_for_the_table, (BEGUN, NUMBERS), id="numbers for the table"),
        pytest.param((KNOWN, KITTY), answers_for_the_table, (BEGUN, RACED), id="a race for the table"),
        pytest.param((KNOWN, PACK), answers_for_the_table, (BEGUN, FIXED), id="fixed points"),
        pytest.param((KNOWN, PACK), plays, (BEGUN, ENDED), id="the end"),
        pytest.param((KNOWN, PACK), opens_a_board, (BEGUN, NUMBERS), id="a board"),
        pytest.param((KNOWN, KITTY), opens_a_board, (BEGUN, RACED), id="a board with a photo finish"),
    ],
)
def test_on_phones_and_boards_names_are_not_translated(
    phones: PhoneTable, phone: Page, before: tuple[str, ...], does: Callable[[Page], None], after: tuple[str, ...]
) -> None:
    phones.play(" ".join(before))
    phone.reload()
    does(phone)
    if after:
        phones.play(" ".join(after))
        shown = phones.do(lambda: phones.phones.sight(phones.phones.all[0].id)["game"])
        phone.wait_for_function("game => JSON.stringify(told.game) === JSON.stringify(game)", arg=shown)
    assert to_translate(phone, *PEOPLE, *(tag(one.id) for one in phones.phones.all)) == []


def test_what_a_phone_is_called_is_not_translated(phones: PhoneTable, phone: Page) -> None:
    phone.get_by_role("button", name="Only look on").tap()
    phone.get_by_text("No game is on the table.").wait_for()
    own = tag(phones.phones.all[0].id)
    assert (phone.locator("#tag").inner_text(), to_translate(phone, own)) == (f"phone {own}", [])
    assert phone.locator("#tag").get_attribute("translate") is None  # the word beside it is


def test_the_game_on_the_page_is_called_as_on_the_display(phones: PhoneTable, phone: Page) -> None:
    phones.play(GAME)
    phone.get_by_role("button", name="Only look on").tap()
    phone.get_by_role("heading", name="Pack & Stack").wait_for()
    assert to_translate(phone, "Pack & Stack") == []


def test_the_address_to_type_is_not_translated(chromium: Browser) -> None:
    with chromium.new_page() as page:
        page.set_content(captive.page("10.42.0.1"))
        assert to_translate(page, "10.42.0.1") == []


def test_words_beside_names_are_translated(phones: PhoneTable, phone: Page) -> None:
    phones.play(f"{GAME} {NUMBERS}")
    phone.get_by_role("button", name="Only look on").tap()
    phone.locator("#scores .turn").first.wait_for()
    assert to_translate(phone, "Empty spaces", "asked").count("asked") == 3


# --- the kit's page --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "drawer"),
    [
        pytest.param(GAME, "", id="a game"),
        pytest.param(f"{GAME} {NUMBERS}", "people", id="everybody"),
        pytest.param(f"{GAME} {NUMBERS}", "scores", id="scores"),
        pytest.param(f"{KNOWN} {KITTY} {BEGUN} {RACED}", "finish", id="a photo finish"),
        pytest.param(f"{GAME} {ENDED}", "scores", id="the end"),
    ],
)
def test_on_the_kits_page_names_are_not_translated(rig: Rig, table: Table, page: Page, line: str, drawer: str) -> None:
    rig.app.follow(table.panel.hear, *Panel.KINDS)
    rig.do(line).after(0)
    page.locator(".person", has_text=ZORA).or_(page.locator(".name", has_text=ZORA)).first.wait_for()
    if drawer:
        page.locator(f"#{drawer}:not([hidden]) summary").click()
    page.locator("#spoken p", has_text=ZORA).first.wait_for(state="attached")
    assert to_translate(page, *PEOPLE) == []


# --- the table of rounds ---------------------------------------------------------------------------------------------


def count_a_round(rig: Rig) -> None:
    """A round of a score sheet is counted."""
    begin(rig.app.table, rules("sheet:test", read(WIZARD)), ("P1", "P2", "P3"), NoOptions())
    rig.playing.sit({seat: rig.app.table.people.add(name) for seat, name in enumerate(PEOPLE)})
    for verb, values in (("bid", (0, 0, 1)), ("won", (0, 0, 1))):
        for seat, value in enumerate(values):
            assert rig.playing.answer(Action(seat, verb, value, rig.now_ns))
    rig.after(0)


def test_in_the_rounds_of_the_kits_page_names_are_not_translated(rig: Rig, table: Table, page: Page) -> None:
    rig.app.follow(table.panel.hear, *Panel.KINDS)
    count_a_round(rig)
    page.locator("#rounds summary").click()
    page.locator("#counted tbody tr").wait_for()
    assert to_translate(page, *PEOPLE) == []


@pytest.mark.parametrize("does", [answers_for_the_table, opens_a_board])
def test_in_the_rounds_of_phones_and_boards_names_are_not_translated(
    phones: PhoneTable, phone: Page, does: Callable[[Page], None]
) -> None:
    does(phone)
    phones.do(lambda: count_a_round(phones.rig))
    if does is answers_for_the_table:
        phone.locator("#more summary").tap()
        phone.locator("#rounds tbody button").first.tap()
        phone.locator("#amend input").first.wait_for()  # what was entered, to be put right
    phone.locator("#rounds tbody tr").wait_for()
    assert to_translate(phone, *PEOPLE) == []


# --- the history -----------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def history(tmp_path_factory: pytest.TempPathFactory) -> tuple[dict[str, bytes], set[str]]:
    """Its pages, and who is known."""
    folder = tmp_path_factory.mktemp("state")
    pages = hard_history.pages(folder)
    with closing(History(folder / "journal.db")) as journal:
        return pages, {one.name for one in journal.everybody()}


NAMELESS = ("no games", "a refusal")


@pytest.mark.parametrize("kind", [kind for kind in hard_history.KINDS if kind not in NAMELESS])
def test_in_the_history_names_are_not_translated(
    table: Table, tab: Page, history: tuple[dict[str, bytes], set[str]], kind: str
) -> None:
    pages, names = history
    table.panel.on_page = pages.get
    tab.goto(f"http://127.0.0.1:{table.port}{hard_history.KINDS[kind]}")
    assert to_translate(tab, *names) == []


# --- names in a text -------------------------------------------------------------------------------------------------

TEXTS = [
    pytest.param("Zora won", ["Zora"], id="at the start"),
    pytest.param("won by Zora", ["Zora"], id="at the end"),
    pytest.param("Zora, Quill level", ["Zora", "Quill"], id="two"),
    pytest.param("Zoras number", [], id="a part of a word"),
    pytest.param("LaZora", [], id="the end of a word"),
    pytest.param("Zora\u2019s number", ["Zora"], id="with an apostrophe"),
    pytest.param("Zora Quill won", ["Zora Quill"], id="of two that fit the longer one"),
    pytest.param("P1: press", ["P1"], id="a button"),
    pytest.param("P12: press", [], id="another button"),
    pytest.param("wins: Zoë!", ["Zoë!"], id="a sign at its end"),
    pytest.param("wins: Zoë!!", ["Zoë!"], id="a sign more"),
    pytest.param(
        "\u2068\u05e0\u05d5\u05e2\u05d4\u2069: press", ["\u2068\u05e0\u05d5\u05e2\u05d4\u2069"], id="from right to left"
    ),
    pytest.param("", [], id="nothing"),
]
NAMES = (ZORA, QUILL, "Zora Quill", "P1", "Zoë!", "\u2068\u05e0\u05d5\u05e2\u05d4\u2069", "")
PARTS = """async ([known, text]) => {
    const {know, parts} = await import("/words.js");
    know(...known);
    const made = parts(text).map((part) => [part.textContent ?? part, part.textContent !== undefined]);
    return [made.map(([said]) => said).join(""), made.filter(([, name]) => name).map(([said]) => said)];
}"""


@pytest.mark.parametrize(("sentence", "names"), TEXTS)
def test_a_name_in_a_text_of_a_page_is_an_element(page: Page, sentence: str, names: list[str]) -> None:
    assert page.evaluate(PARTS, [list(NAMES), sentence]) == [sentence, names]


@pytest.mark.parametrize(("sentence", "names"), TEXTS)
def test_so_it_is_in_a_page_without_script(sentence: str, names: list[str]) -> None:
    made = text(said(sentence, NAMES))
    found = [part.partition("</bdi>")[0] for part in made.split('<bdi translate="no">')[1:]]
    assert (found, made.replace('<bdi translate="no">', "").replace("</bdi>", "")) == (names, text(sentence))
