"""What people's keyboards and clipboards make of the code on the display, of a short name and of a number."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from firmware.people.names import capitals, cleaned, cleaned_latin
from firmware.people.notes import cleaned_note
from firmware.phones import server
from firmware.phones.hub import Phones
from firmware.phones.signs import CODE, LETTERS, copied
from tests.firmware.phone_table import PhoneTable
from tests.simulators.phone import Phone, let_in
from tests.simulators.phone_page import opened
from tests.simulators.rig import Rig

CODE_SHOWN = "BGW2K6"

TYPED = [
    pytest.param("BGW2K6", id="as shown"),
    pytest.param("bgw2k6", id="small letters"),
    pytest.param(" BGW2K6 ", id="blanks around, as swiping gives"),
    pytest.param("BGW2K6\u00a0", id="a no-break blank behind"),
    pytest.param("BGW 2K6", id="a blank within"),
    pytest.param("B G W 2 K 6", id="a blank after each"),
    pytest.param("BGW\u30002K6", id="a wide blank within"),
    pytest.param("BGW-2K6", id="a hyphen within"),
    pytest.param("BGW\u20132K6", id="a dash within, as phones make of two hyphens"),
    pytest.param("BGW2K6.", id="a full stop behind, as two blanks give"),
    pytest.param("\u201cBGW2K6\u201d", id="in quotes"),
    pytest.param("BGW2K6\n", id="a line's end behind"),
    pytest.param("\ufeffBGW2K6\u200b", id="pasted: a byte order mark before, a zero-width blank behind"),
    pytest.param("BGW\u00ad2\u2060K\u200d6", id="pasted: marks within that nobody sees"),
    pytest.param("\u2068BGW2K6\u2069", id="pasted: marks of direction around"),
    pytest.param("\uff22\uff27\uff37\uff12\uff2b\uff16", id="a keyboard of East Asia: wide"),
    pytest.param("\uff42\uff47\uff57\uff12\uff4b\uff16", id="the same, small"),
    pytest.param("BGW\uff12K\uff16", id="only the digits wide"),
    pytest.param("BGW\u0662K\u0666", id="Arabic-Indic digits"),
    pytest.param("BGW\u06f2K\u06f6", id="Persian digits"),
    pytest.param("BGW\u0968K\u096c", id="Devanagari digits"),
    pytest.param("BGW\u09e8K\u09ec", id="Bengali digits"),
    pytest.param(
        "\U0001d401\U0001d406\U0001d416\U0001d7d0\U0001d40a\U0001d7d4", id="pasted: bold signs of mathematics"
    ),
]
WRONG = [
    pytest.param("BGW2K7", id="another digit"),
    pytest.param("BGW2K", id="one sign less"),
    pytest.param("BGW2K66", id="one sign more"),
    pytest.param("6K2WGB", id="another order"),
    pytest.param("", id="nothing"),
    pytest.param(" -\u200b", id="nothing but what is left out"),
    pytest.param("BGW2K\u5b57", id="a letter of another script"),
    pytest.param("\uff22\uff27\uff37\uff12\uff2b\uff17", id="wide, another digit"),
    pytest.param("BGW\u0662K\u0667", id="Arabic-Indic, another digit"),
    pytest.param("BGW\ufdfaK6", id="a sign that stands for a sentence"),
    pytest.param("\u0000BGW2K7", id="a zero byte"),
]


@pytest.fixture
def table(tmp_path: Path) -> Iterator[PhoneTable]:
    table = PhoneTable(tmp_path)
    table.phones.code = CODE_SHOWN
    yield table
    table.close()


@pytest.fixture(scope="module")
def phones(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Phones]:
    rig = Rig(tmp_path_factory.mktemp("state"))
    phones = let_in(rig)
    phones.code = CODE_SHOWN
    yield phones
    rig.close()


def asked(table: PhoneTable, path: str, code: str) -> int:
    return table.ask("POST", path, json.dumps({"code": code})).status


@pytest.mark.parametrize("typed", TYPED)
def test_the_code_is_right_however_it_is_typed(phones: Phones, typed: str) -> None:
    assert phones.right(typed)


@pytest.mark.parametrize("typed", WRONG)
def test_another_code_is_wrong_however_it_is_typed(phones: Phones, typed: str) -> None:
    assert not phones.right(typed)


def test_no_sign_of_a_code_is_taken_for_another_one() -> None:
    wide = [chr(ord(sign) - ord("!") + 0xFF01) for sign in LETTERS]
    assert [copied(sign) for sign in (*LETTERS, *LETTERS.lower(), *wide)] == [*LETTERS] * 3


def test_whoever_types_it_wide_joins(table: PhoneTable) -> None:
    wide = "\uff42\uff47\uff57 \uff12\uff4b\uff16"
    assert (asked(table, "/look", wide), asked(table, "/join", wide), len(table.phones.all)) == (200, 200, 1)


@pytest.mark.parametrize("typed", WRONG)
def test_a_wrong_one_slows_newcomers_however_it_is_typed(
    table: PhoneTable, typed: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server, "WRONG_S", server.SLOWEST_S)
    assert (asked(table, "/look", typed), asked(table, "/look", CODE_SHOWN)) == (403, 429)


@pytest.mark.parametrize(
    "typed",
    ["BGW 2K6", "\uff22\uff27\uff37\uff0d\uff12\uff2b\uff16", "BGW\u0662K\u0666", "\u200b" + CODE_SHOWN],
    ids=["a blank", "wide", "Arabic-Indic", "pasted"],
)
def test_on_the_page_it_may_be_typed_so_or_behind_the_address(table: PhoneTable, chromium: Browser, typed: str) -> None:
    complaints: list[str] = []
    for path in ("", typed):
        page = opened(chromium, f"http://{table.host}/{path}", complaints)
        if not path:
            page.locator("#code").tap()  # as soon as it is there: a hidden field takes no letters
            page.keyboard.insert_text(typed)  # no more than the field has room for
            page.get_by_role("button", name="Join").tap()
        page.get_by_text("Who are you?").wait_for()
        page.context.close()
    assert (complaints, len(CODE_SHOWN)) == ([], CODE)


def test_a_path_that_is_no_code_is_no_page(table: PhoneTable) -> None:
    assert [table.ask("GET", path).status for path in ("/BGW2K", "/robots.txt", "/%20-%20", "/%EF%BC%A2")] == [404] * 4


@pytest.mark.parametrize(
    ("typed", "drawn"),
    [
        pytest.param("\uff2a\uff55\uff4c\uff49\uff41", "Julia", id="wide"),
        pytest.param("R\u0662", "R2", id="Arabic-Indic digits"),
        pytest.param("Ju\u0308rgen", "J\u00fcrgen", id="a letter and its mark"),
        pytest.param("Zo\u00eb", "Zo\u00eb", id="as the display has it"),
    ],
)
def test_a_short_name_is_taken_in_the_letters_of_the_display(typed: str, drawn: str) -> None:
    assert cleaned_latin(typed) == drawn


@pytest.mark.parametrize(
    ("typed", "entered"),
    [
        pytest.param("\uff4d\uff49\uff41 \uff12", "MIA2", id="wide"),
        pytest.param("Mia \u0662", "MIA2", id="Arabic-Indic digits"),
        pytest.param("Mia-\u06f2", "MIA2", id="Persian digits"),
    ],
)
def test_a_word_of_capitals_and_digits_is_taken(typed: str, entered: str) -> None:
    assert capitals(typed) == entered


HIDDEN = "\u200b\ufeff\u200e\u00ad"  # what a chat, a page or a word processor may have left, seen by nobody


@pytest.mark.parametrize("clean", [cleaned, cleaned_note], ids=["a name", "a note"])
@pytest.mark.parametrize(
    "typed", [f"{HIDDEN}Anna{HIDDEN}", "Anna" + " " * 500, f"{HIDDEN * 200}Anna", "\u00a0Anna\t\n"]
)
def test_what_is_pasted_is_cleaned_before_it_is_measured(clean: Callable[[str], str], typed: str) -> None:
    assert clean(typed) == "Anna"


def test_a_word_is_measured_by_its_letters(tmp_path: Path) -> None:
    rig = Rig(tmp_path)
    let_in(rig)
    phone = Phone(rig.do("game[cat_pageant 2] P1*2 ok P1*5 ok P1 ok P1*3 ok"), "P1")
    (ask,) = [one for one in phone.asks if "letters" in one]
    assert phone.send(ask["id"], " m " * 30) == "at most 8 letters"
    assert phone.send(ask["id"], f"{' ' * 90}m i a{HIDDEN}") == ""
    assert rig.playing.play.state.named[0] == "MIA"
