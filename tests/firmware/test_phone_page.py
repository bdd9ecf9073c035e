"""The phone's page in a real browser with fingers: narrow, asleep and awake, reloaded, in two tabs, read out."""

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any, Literal
from unittest.mock import patch

import pytest
from playwright.sync_api import Browser, BrowserContext, Page

from firmware.phones import signs
from firmware.statistics import process
from tests.firmware.phone_table import PhoneTable
from tests.simulators.phone import SPACES
from tests.simulators.phone_page import NARROW_PX, gives_name
from tests.simulators.phone_page import opened as open_page
from tests.simulators.waiting import comes, until


@pytest.fixture
def table(tmp_path: Path) -> Iterator[PhoneTable]:
    table = PhoneTable(tmp_path)
    yield table
    table.close()


@pytest.fixture
def phones(chromium: Browser, table: PhoneTable) -> Iterator[Callable[..., Page]]:
    """Opens the page on another phone. None may complain about anything by the end of the test."""
    contexts: list[BrowserContext] = []
    complaints: list[str] = []

    def opened(path: str | None = None, scheme: Literal["dark", "light"] = "dark") -> Page:
        address = f"http://{table.host}/{table.phones.code if path is None else path}"
        page = open_page(chromium, address, complaints, scheme=scheme)
        contexts.append(page.context)
        return page

    yield opened
    for context in contexts:
        context.close()
    assert complaints == []


def seated(page: Page, name: str = "P2") -> Page:
    """Somebody has joined, sat down, and been welcomed."""
    page.get_by_role("button", name=name).tap()
    page.wait_for_selector("#game:not([hidden])")
    page.locator("#settled").tap()
    return page


def type_(page: Page, number: str) -> None:
    for digit in number:
        page.locator(".pad").get_by_role("button", name=digit, exact=True).tap()


def test_one_tap_from_the_scanned_address_to_you_are_mia(table: PhoneTable, phones: Callable[..., Page]) -> None:
    table.play("people[Anna Mia] [Kitty Paw] P1*2 P2*2")
    page = seated(phones(), "Mia")
    assert page.url == f"http://{table.host}/"  # the code is used up
    assert comes(
        lambda: (
            [table.phones.called.texts(one)[0] for one in table.phones.all]
            == [f"{signs.tag(one.id)} Mia" for one in table.phones.all]
        )
    )


def test_it_takes_less_than_two_seconds_on_a_slow_network(table: PhoneTable, phones: Callable[..., Page]) -> None:
    """400 kbit/s, 150 ms to and fro: by what has to come, and how often it waits for an answer before it asks on.

    Half a second is left for the phone's own work; the person's tap is not counted.
    """
    page = phones("nothing")
    network = page.context.new_cdp_session(page)
    turns: dict[str, int] = {}  # by address: after so many answers it is there
    asked, came = set[str](), dict[str, float]()  # bytes

    def sent(news: dict[str, Any]) -> None:
        asked.add(news["requestId"])
        match news["initiator"]:
            case {"type": "parser", "url": page_}:
                before = turns[page_]
            case {"type": "script"}:
                before = max(turns.values())
            case _:
                before = 0
        turns[news["request"]["url"]] = before + 1

    network.on("Network.requestWillBeSent", sent)
    network.on("Network.loadingFinished", lambda news: came.update({news["requestId"]: news["encodedDataLength"]}))
    network.send("Network.enable")
    network.send("Network.setCacheDisabled", {"cacheDisabled": True})
    page.goto(f"http://{table.host}/{table.phones.code}")
    seated(page, "P1")
    until(lambda: asked <= set(came), lambda: "everything has come", meanwhile=lambda: page.wait_for_timeout(10))
    connected = 1  # to and fro
    assert (connected + max(turns.values())) * 0.150 + sum(came.values()) / 50_000 < 1.5


def test_a_place_that_has_a_phone_says_what_helps(table: PhoneTable, phones: Callable[..., Page]) -> None:
    first, second = seated(phones(), "P1"), phones()
    second.get_by_role("button", name="P1 blue has a phone").tap()  # it joins with this tap
    second.get_by_text("P1 has a phone already. That one can leave the place").wait_for()
    first.get_by_role("button", name="Your place").tap()
    first.get_by_role("button", name="P1 blue you: tap to leave").tap()
    second.get_by_role("button", name="P1 blue", exact=True).tap()
    second.get_by_text("You are P1 (blue).").wait_for()


def test_one_phone_for_the_table_sees_for_whom_it_answers_and_another_is_refused_in_words(
    table: PhoneTable, phones: Callable[..., Page]
) -> None:
    first, second = seated(phones(), "P1"), seated(phones(), "P2")
    for page in (first, second):
        page.get_by_role("button", name="Your place").tap()
        page.get_by_role("button", name="Answer for the table").tap()
        page.get_by_text(
            "No longer answer for the table" if page is first else "answers for the table already"
        ).wait_for()
    first.get_by_role("button", name="To the game").tap()
    table.play(SPACES)
    first.get_by_role("heading", name="Empty spaces?").wait_for()
    assert first.locator(".whose").all_inner_texts() == ["P1", "P3"]


def test_display_and_page_show_the_same_signs_and_the_page_says_the_answer(
    table: PhoneTable, phones: Callable[..., Page]
) -> None:
    table.play(SPACES)
    table.play("1000")
    page = phones()
    page.get_by_role("button", name="P2 orange").tap()  # it joins with this tap
    page.get_by_text("The kit asks this now.").wait_for()
    assert comes(lambda: table.do(lambda: table.rig.top) == "Confirm")
    pieces = table.do(lambda: table.rig.pieces)
    tag = table.do(lambda: signs.tag(table.phones.all[0].id))
    assert (page.locator("#tag").inner_text(), page.locator("#wish .display").inner_text()) == (
        f"phone {tag}",
        f"{tag}: P2?",
    )
    assert {f"phone {tag}", f"{tag}: P2?"} <= pieces
    table.play("1000 ok")
    page.get_by_text("You play for P2.").wait_for()
    page.get_by_role("heading", name="Empty spaces?").wait_for()
    page.get_by_role("button", name="Undo: OK on the kit").tap()
    page.get_by_text(f"{tag}: UNDO?").wait_for()
    table.play("1000 turn+1")
    page.get_by_text("The kit says no. Ask again in 10 s.").wait_for()
    assert page.get_by_text("The kit asks this now.").is_hidden()


def test_who_gets_a_place_is_told_which_and_gives_a_name_there_and_then(
    table: PhoneTable, phones: Callable[..., Page]
) -> None:
    page = phones()
    page.get_by_role("button", name="P1 blue").tap()
    page.get_by_role("heading", name="You are P1 (blue).").wait_for()
    page.get_by_label("Your name").fill("Mia")
    page.get_by_role("button", name="Save").tap()
    page.get_by_role("heading", name="You are Mia (P1, blue).").wait_for()
    assert page.get_by_label("Your name").is_hidden()
    page.get_by_role("button", name="Close").tap()
    page.get_by_role("heading", name="You are Mia").wait_for(state="hidden")
    assert page.locator("#you").inner_text() == "Mia"
    assert [name for _id, name in table.rig.app.table.roster.everybody] == ["Mia"]


def test_the_welcome_does_not_stand_above_the_game(table: PhoneTable, phones: Callable[..., Page]) -> None:
    named, guest = phones(), phones()
    gives_name(named, "P1 blue", "Mia")
    named.get_by_role("heading", name="You are Mia (P1, blue).").wait_for()
    guest.get_by_role("button", name="P2 orange").tap()
    table.play(SPACES)
    named.get_by_role("heading", name="You are Mia").wait_for(state="hidden")
    guest.get_by_role("heading", name="You are P2 (orange).").wait_for()  # there it has a field for the name
    type_(guest, "3")
    guest.get_by_role("button", name="Send").tap()
    guest.get_by_role("heading", name="You are P2").wait_for(state="hidden")


def test_what_the_kit_shows_over_the_game_is_to_be_closed_first(table: PhoneTable, phones: Callable[..., Page]) -> None:
    page = seated(phones(), "P1")
    table.play(f"{SPACES} P1 P2 P3 ok ok")
    page.get_by_text("OK on the kit: Start round 2", exact=True).wait_for()
    table.play("ok!")
    page.get_by_text("First close what the kit shows. OK on the kit: Start round 2").wait_for()
    table.play("ok!")
    page.get_by_text("OK on the kit: Start round 2", exact=True).wait_for()


def test_whoever_is_not_asked_sees_who_is(table: PhoneTable, phones: Callable[..., Page]) -> None:
    one, two = seated(phones(), "P1"), seated(phones(), "P2")
    table.play("game[if_it_fits 2] P1 P1 P2")
    one.get_by_role("heading", name="Your turn").wait_for()
    two.get_by_role("heading", name="Waiting for P1").wait_for()
    assert two.get_by_text("Your turn").count() == 0


def test_a_second_tap_on_the_way_joins_once(table: PhoneTable, phones: Callable[..., Page]) -> None:
    page = phones()
    page.get_by_role("button", name="P1").evaluate("button => { button.click(); button.click(); }")
    page.wait_for_selector("#game:not([hidden])")
    assert len(table.phones.all) == 1


def test_it_is_at_the_game_again_when_its_button_is_pressed(table: PhoneTable, phones: Callable[..., Page]) -> None:
    page, late = seated(phones(), "P1"), phones("nothing")
    table.play("[Kitty Paw]")
    late.goto(f"http://{table.host}/{table.phones.code}")
    late.get_by_text("Nobody has pressed a button yet.").wait_for()
    page.get_by_text("press your button on the kit").wait_for()
    table.play("P1 P2 ok*2")
    page.get_by_role("heading", name="Kitty Paw").wait_for()
    page.wait_for_selector("#game:not([hidden])")


def test_who_has_joined_and_scans_again_goes_on(table: PhoneTable, phones: Callable[..., Page]) -> None:
    page = seated(phones())
    page.goto(f"http://{table.host}/{table.phones.code}")
    page.wait_for_selector("#game:not([hidden])")
    assert page.url == f"http://{table.host}/"
    assert len(table.phones.all) == 1


def test_a_number_is_typed_sent_and_changed(table: PhoneTable, phones: Callable[..., Page]) -> None:
    page = seated(phones())
    table.play(SPACES)
    page.get_by_role("heading", name="Empty spaces?").wait_for()
    type_(page, "12")
    page.get_by_role("button", name="delete").tap()
    type_(page, "4")
    assert page.locator("#asks output").inner_text() == "14"
    page.get_by_role("button", name="Send").tap()
    page.get_by_text("Sent. You may still change it.").wait_for()
    assert page.get_by_role("button", name="Send").is_disabled()
    type_(page, "3")
    page.get_by_role("button", name="Send").tap()
    assert comes(lambda: table.do(lambda: table.rig.playing.entry.values) == {1: 3})
    page.get_by_text("Waiting for P1, P3").wait_for()


@pytest.mark.parametrize("number", ["61", "999"])
def test_what_is_not_allowed_cannot_be_sent(table: PhoneTable, phones: Callable[..., Page], number: str) -> None:
    page = seated(phones())
    table.play(SPACES)
    type_(page, number)
    assert page.get_by_role("button", name="Send").is_disabled()
    assert page.get_by_text("0 to 60").is_visible()


def test_nothing_is_wider_than_the_narrowest_phone(table: PhoneTable, phones: Callable[..., Page]) -> None:
    table.play("people[Maximiliana Bartholomäus Konstantinos] [Pack & Stack] P1*2 P2*2 P3*2 ok*2")
    wide, pages = "document.documentElement.scrollWidth", (phones(), phones(scheme="light"))
    for page in pages:
        page.wait_for_selector("#places button")
        assert page.evaluate(wide) == NARROW_PX
        page.get_by_text("Only look on").tap()
        page.wait_for_selector("#game:not([hidden])")
        assert page.evaluate(wide) == NARROW_PX
    table.play("P1 ok 3300 P1 100 P2 100 P3 1700 ok")
    for page in pages:
        page.wait_for_selector("#photo svg")
        assert page.evaluate(wide) == NARROW_PX


def test_a_new_question_is_seen_wherever_the_page_was_scrolled_to(
    table: PhoneTable, phones: Callable[..., Page]
) -> None:
    def scrolled() -> None:
        page.evaluate("scrollTo(0, document.documentElement.scrollHeight)")
        assert page.evaluate("scrollY") > 0

    page = seated(phones())
    page.set_viewport_size({"width": NARROW_PX, "height": 300})
    table.play("game[pack_and_stack 3]")
    page.get_by_role("heading", name="Pack & Stack").wait_for()
    scrolled()
    table.play(SPACES.removeprefix("game[pack_and_stack 3]"))
    page.get_by_role("heading", name="Empty spaces?").wait_for()
    assert page.evaluate("scrollY") == 0
    scrolled()
    table.play("P1")
    page.get_by_text("Waiting for P3").wait_for()
    assert page.evaluate("scrollY") > 0


def test_every_key_is_as_large_as_a_thumb(table: PhoneTable, phones: Callable[..., Page]) -> None:
    page = seated(phones())
    table.play(SPACES)
    page.wait_for_selector(".pad")
    sizes = [key.bounding_box() for key in page.locator("#asks button").all()]
    assert all(box is not None and min(box["width"], box["height"]) >= 48 for box in sizes)


def test_a_fancier_is_typed_on_the_own_keyboard_and_undone_at_once(
    table: PhoneTable, phones: Callable[..., Page]
) -> None:
    page = seated(phones(), "P1")
    table.play("game[cat_pageant 2] P1 ok P1 ok P1 ok P1 ok")
    page.get_by_label("Save under a name?").fill("Tom Çat")
    page.get_by_role("button", name="Send").tap()
    page.get_by_role("heading", name="Waiting for P2").wait_for()
    assert table.do(lambda: table.rig.playing.play.state.named[0]) == "TOMCAT"
    page.get_by_role("button", name="Undo my answer").tap()
    page.get_by_role("heading", name="Save under a name?").wait_for()


def test_whoever_is_asked_later_enters_theirs_now(table: PhoneTable, phones: Callable[..., Page]) -> None:
    page = seated(phones(), "P2")
    table.play("game[cat_pageant 2]")
    for number in "2534":
        page.locator(".pad").get_by_role("button", name=number).tap()
        page.get_by_role("button", name="Send").tap()
        page.get_by_text(f"{number} ✓").wait_for()
    page.get_by_role("heading", name="Save under a name?").wait_for()
    page.get_by_role("button", name="no", exact=True).tap()
    page.get_by_role("heading", name="Waiting for P1").wait_for()
    table.play("P1 ok P1 ok P1 ok P1 ok ok")
    page.get_by_role("heading", name="Waiting for P1").wait_for(state="detached")


def test_of_few_numbers_the_one_that_the_kit_expects_is_marked(table: PhoneTable, phones: Callable[..., Page]) -> None:
    page = seated(phones())
    table.play(f"{SPACES} P1 P2*2 P3*3 ok P1 ok*3")
    page.get_by_role("heading", name="Orange boxes left?").wait_for()
    assert page.locator(".few .expected").all_inner_texts() == ["0"]


def test_one_tap_answers_what_is_held_for_and_the_press_that_follows(
    table: PhoneTable, phones: Callable[..., Page]
) -> None:
    page = seated(phones(), "P1")
    table.play("game[pack_the_essentials 2] P1 ok P1 ok P2 ok")
    page.get_by_role("button", name="Spend a rat + I took a tile").wait_for()
    page.get_by_role("button", name="Spend a rat + I took a tile").tap()
    page.get_by_text("Waiting for P2").wait_for()
    turn = table.do(lambda: table.rig.playing.play.board.turn)
    assert (turn, table.do(lambda: table.rig.playing.play.state.rats)) == ((1,), (0, 1))


@pytest.mark.parametrize("how", ["reload", "back", "tab", "sleep"])
def test_what_was_sent_is_still_there(table: PhoneTable, phones: Callable[..., Page], how: str) -> None:
    page = seated(phones())
    table.play(SPACES)
    type_(page, "7")
    page.get_by_role("button", name="Send").tap()
    page.get_by_text("Sent.").wait_for()
    if how == "reload":
        page.reload()
    elif how == "back":
        page.goto(f"http://{table.host}/board")
        page.go_back()
    elif how == "tab":
        page = page.context.new_page()
        page.goto(f"http://{table.host}/")
    else:
        page.context.set_offline(True)
        page.wait_for_timeout(300)
        page.context.set_offline(False)
    page.get_by_text("Sent. You may still change it.").wait_for()
    assert page.locator("#asks output").inner_text() == "7"


def test_a_phone_that_wakes_is_back_at_once(table: PhoneTable, phones: Callable[..., Page]) -> None:
    page = seated(phones())
    page.clock.install(time=0)
    page.clock.pause_at(1000)  # as in a phone that is asleep
    table.do(lambda: [link.close() for link in table.phones._links])  # noqa: SLF001
    page.get_by_text("No connection. Trying again…").wait_for()
    table.play(SPACES)
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    page.get_by_role("heading", name="Empty spaces?").wait_for()


def test_an_answer_that_got_lost_is_sent_again(table: PhoneTable, phones: Callable[..., Page]) -> None:
    page = seated(phones())
    table.play(SPACES)
    page.wait_for_selector(".pad")
    lost: list[object] = []
    with patch.object(table.phones, "take", lambda link, message: lost.append(message)):
        type_(page, "9")
        page.get_by_role("button", name="Send").tap()
        assert comes(lambda: bool(lost))
    page.get_by_text("Sent.").wait_for()
    assert table.do(lambda: table.rig.playing.entry.values) == {1: 9}


@pytest.mark.parametrize("name", ["<b>x</b>", "=1+1", "שלום", "\u0022 onload=x", "Maximiliana"])
def test_names_stay_text(table: PhoneTable, phones: Callable[..., Page], name: str) -> None:
    table.do(lambda: (table.rig.app.table.people.add("Ben"), table.rig.app.table.people.add(name), table.rig.after(0)))
    table.play("[Kitty Paw] P1*2 P2*2")
    page = phones()
    page.wait_for_selector("#places button")
    assert name in page.locator("#places bdi").all_inner_texts()
    seated(page, "P1")
    table.play("ok*2")
    assert comes(lambda: name in [text.strip("\u2068\u2069") for text in page.locator("#scores bdi").all_inner_texts()])


def test_a_question_is_read_out_and_its_keys_are_named(table: PhoneTable, phones: Callable[..., Page]) -> None:
    page = seated(phones())
    table.play(SPACES)
    page.locator("[aria-live=polite]").get_by_role("heading", name="Empty spaces?").wait_for()
    assert [key.get_attribute("aria-label") or key.inner_text() for key in page.locator(".pad button").all()] == [
        *"123456789",
        "delete",
        "0",
        "Send",
    ]


def test_the_history_is_opened_after_ok_and_a_change_in_it_after_another(
    table: PhoneTable, phones: Callable[..., Page], tmp_path: Path
) -> None:
    table.server.on_page = partial(process.Made(tmp_path), guest=True)
    table.play("people[Anna] [Kitty Paw] P1*2 P2 ok*2 menu[End the game now] 3000")
    page = seated(phones(), "P2")
    assert page.get_by_role("button", name="History").count() == 0
    page.get_by_role("button", name="Your place").tap()
    page.get_by_role("button", name="Answer for the table").tap()
    page.get_by_role("button", name="To the game").tap()
    page.get_by_role("button", name="History: OK on the kit").tap()
    page.get_by_text("HISTORY?").wait_for()
    table.play("1000 ok")
    page.get_by_text("for 15 more minutes").wait_for()
    page.get_by_role("link", name="History").tap()
    page.get_by_role("link", name="People").tap()
    page.get_by_role("heading", name="People").wait_for()
    assert page.evaluate("document.documentElement.scrollWidth") == NARROW_PX
    assert page.get_by_role("link", name="Score sheets").count() == 0
    page.get_by_text("New name").tap()
    page.get_by_label("Name").fill("Ben")
    page.get_by_role("button", name="Add").tap()
    page.get_by_text("new name: Ben").wait_for()
    table.play("1000 ok")
    page.get_by_role("heading", name="Ben").wait_for()
    page.get_by_role("link", name="To the game").tap()
    page.get_by_text("for 15 more minutes").wait_for()
    table.do(lambda: table.rig.after(15 * 60_000))
    page.get_by_text("The history is closed on this phone.").wait_for()
    assert page.get_by_role("link", name="History").is_hidden()


def test_the_board_shows_everything_and_has_no_control(table: PhoneTable, phones: Callable[..., Page]) -> None:
    page = phones()
    page.get_by_text("Only look on").tap()
    page.wait_for_selector("#game:not([hidden])")
    table.play(SPACES)
    page.get_by_role("link", name="A board for a tablet").tap()
    page.get_by_role("heading", name="Empty spaces?").wait_for()
    assert page.locator("button, input, select, form").count() == 0
    assert len(page.locator("#scores tr").all()) == 3
    page.wait_for_selector("#photo svg")
    table.play("menu[Main menu] game[if_it_fits 2] P1 P1 P2")
    page.get_by_text("draw 1, play 1").wait_for()


@pytest.mark.parametrize("size", [(1024, 768), (1280, 720), (1366, 768), (1920, 1080), (2560, 1440)])
def test_a_board_shows_all_of_it_at_once(table: PhoneTable, phones: Callable[..., Page], size: tuple[int, int]) -> None:
    """Nobody can scroll on a television: the code, every name and every score are inside of the window."""
    table.play("people[Maximiliana Konstantinos Bartholomäus] [Pack & Stack] P1*2 P2*2 P3*2 P4 ok*2")
    page = phones()
    page.get_by_text("Only look on").tap()
    page.wait_for_selector("#game:not([hidden])")
    table.play("P1 ok 3300 P1 100 P2 100 P3 1700 ok")
    page.set_viewport_size({"width": size[0], "height": size[1]})
    page.goto(f"http://{table.host}/board")
    page.wait_for_selector("#photo svg")
    parts = page.locator("#asked, #turn bdi, #scores tr, #own img, #hint, #tag").all()
    boxes = [box for part in parts if (box := part.bounding_box()) is not None]
    assert len(boxes) >= 4 + 4
    assert all(0 <= box["x"] <= box["x"] + box["width"] <= size[0] for box in boxes)
    assert all(0 <= box["y"] <= box["y"] + box["height"] <= size[1] for box in boxes)
    cut = (
        "[...document.querySelectorAll('bdi')].filter((name) => name.scrollWidth > name.parentNode.clientWidth).length"
    )
    assert page.evaluate(cut) == 0
    quiet = page.locator("#own img").bounding_box()
    assert quiet is not None
    assert quiet["width"] == quiet["height"] >= size[1] // 5


def test_a_board_says_where_the_code_is(table: PhoneTable, phones: Callable[..., Page]) -> None:
    page = phones()
    page.get_by_text("Only look on").tap()
    page.wait_for_selector("#game:not([hidden])")
    page.goto(f"http://{table.host}/board")
    page.get_by_text("“Phones” in the kit's menu shows the code.").wait_for()
    table.play("[Phones]")
    page.get_by_text("The code is on the kit's display.").wait_for()
    table.play("ok!")
    page.get_by_text("“Phones” in the kit's menu shows the code.").wait_for()


def test_whoever_cannot_answer_is_told_that_a_number_has_to_be_put_right(
    table: PhoneTable, phones: Callable[..., Page]
) -> None:
    page = phones()
    page.get_by_text("Only look on").tap()
    page.wait_for_selector("#game:not([hidden])")
    wrong = page.get_by_text("A number has to be put right, on the kit or on a phone.")
    table.play("sheet[Wizard 3] P1! P2! P3! ok P1=1 P2=1 P3!")
    page.get_by_text("All have answered").wait_for()
    assert wrong.count() == 0
    table.play("ok")
    wrong.wait_for()
    page.get_by_role("link", name="A board for a tablet").tap()
    wrong.wait_for()
    table.play("P2!")  # 1 + 0 + 0 fit
    page.get_by_text("All have answered").wait_for()
    assert wrong.count() == 0


def test_who_was_thrown_out_is_asked_for_the_code(table: PhoneTable, phones: Callable[..., Page]) -> None:
    page = seated(phones())
    table.do(lambda: table.phones.throw_out(table.phones.all[0].id))
    page.get_by_role("heading", name="Join the table").wait_for()
    page.get_by_text("The kit has let this phone go: join again.").wait_for()
    page.get_by_label("The code on the kit's display").fill(table.phones.code.lower())
    page.get_by_role("button", name="Join").tap()
    page.get_by_role("heading", name="Who are you?").wait_for()


def test_a_wrong_code_is_said(phones: Callable[..., Page]) -> None:
    page = phones("ZZZZZZ")
    page.get_by_text("That is not the code on the display.").wait_for()


def test_in_a_race_a_phone_says_where_to_press_and_then_who_is_missing(
    table: PhoneTable, phones: Callable[..., Page]
) -> None:
    page = seated(phones(), "P1")
    table.play("game[kitty_paw 3]")
    page.get_by_text("Hold your button on the kit!").wait_for()
    table.play("+P1")
    page.get_by_text("Waiting for P2, P3").wait_for()
    table.play("+P2,P3")
    page.get_by_text("Watch the kit!").wait_for()
    assert page.locator("#face p").all_inner_texts() == ["READY", "hold until the flash"]
    table.play("3100")
    page.get_by_text("Press your button on the kit!").wait_for()
    table.play("-P1,P2,P3 P1 100")
    page.get_by_text("Waiting for P2, P3").wait_for()


def test_before_the_signal_the_seconds_are_shown_and_nobody_is_asked(
    table: PhoneTable, phones: Callable[..., Page]
) -> None:
    page = phones()
    page.get_by_text("Only look on").tap()
    table.play("game[pack_and_stack 3] P1 ok")
    page.get_by_role("heading", name="Watch the kit!").wait_for()
    page.locator(".count", has_text="3").wait_for()
    table.play("1100")
    page.locator(".count", has_text="2").wait_for()
    assert (page.locator("#scores").get_by_text("asked").count(), page.get_by_text("Waiting for").count()) == (0, 0)


def test_who_has_sent_a_number_is_not_asked_any_more(table: PhoneTable, phones: Callable[..., Page]) -> None:
    page = seated(phones(), "P1")
    table.play(SPACES)
    page.locator("#scores tr", has_text="P1").get_by_text("asked").wait_for()
    type_(page, "7")
    page.get_by_role("button", name="Send").tap()
    page.locator("#scores tr", has_text="P1").get_by_text("asked").wait_for(state="detached")
    page.get_by_text("Waiting for P2, P3").wait_for()


def test_a_question_that_another_phone_has_answered_is_gone(table: PhoneTable, phones: Callable[..., Page]) -> None:
    one, two = seated(phones(), "P1"), seated(phones(), "P2")
    table.play("game[if_it_fits 3]")
    for page in (one, two):
        page.get_by_role("heading", name="Who starts?").wait_for()
    one.locator("#asks").get_by_role("button", name="I start").tap()
    two.get_by_role("heading", name="Who starts?").wait_for(state="detached")
    assert table.do(lambda: table.rig.playing.play.step) == 1


def test_photo_and_scores_stay_while_the_number_is_typed(table: PhoneTable, phones: Callable[..., Page]) -> None:
    page = seated(phones())
    table.play(SPACES)
    type_(page, "5")
    table.play("P1")  # somebody taps at the kit meanwhile
    page.wait_for_timeout(300)
    assert page.locator("#asks output").inner_text() == "5"
