"""Hands on the page: keys that repeat, Back, latches, fingers that slide; what is read out; whose button it is."""

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from msgspec import structs
from PIL import ImageColor
from playwright.sync_api import FrameLocator, Locator, Page

from firmware.messages import Known, Ranked, Scores, Words
from firmware.output import race_evidence
from firmware.output.photo_finish import for_pages
from firmware.people.names import Person
from firmware.table.long_press import HOLD_NS
from firmware.translation import lazy
from firmware.wishes.games import Sit
from firmware.wishes.people import Add
from firmware.wishes.who_may_wish import AnyWish
from firmware.wishes.wish import Answer, AskFirst, Denied, Done
from tests.firmware.browser import NAMES, Table
from tests.firmware.races import KERNEL_NS, raced
from tests.simulators.waiting import comes
from tests.simulators.wishing import decided

OK = [("ok", True), ("ok", False)]
LONG_MS = HOLD_NS // 1_000_000


@pytest.fixture
def passes(own_page: Page) -> Callable[[int], None]:
    """Lets time pass for the page, in ms; else its clock stands still."""
    own_page.clock.install(time=0)
    own_page.clock.pause_at(1000)
    return own_page.clock.run_for


def says(table: Table, **words: str) -> None:
    """Display and strip say this, and nothing else."""
    told: Any = {"words": dict.fromkeys(Words.__annotations__, "") | words}
    table.panel.hear(told)


def asks(table: Table, page: Page, question: str) -> None:
    """Another question is on the display."""
    says(table, question=question, display=question)
    page.wait_for_selector(f'#picture[aria-label="{question}"]')


def judged(table: Table, page: Page, players: tuple[str, str] = ("P1", "P2")) -> None:
    """A race is judged, and its photo finish opened."""
    race = raced(players, (1, 1_234_567, KERNEL_NS), (0, 1_235_801, KERNEL_NS))
    found = race_evidence.of(race, {})
    table.panel.hear({"evidence": found and for_pages(found)})
    page.click("#finish summary")
    page.wait_for_selector("#photo svg")


@pytest.mark.parametrize("key", ["ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight"])
def test_an_arrow_repeats(table: Table, page: Page, key: str) -> None:
    for _ in range(3):
        page.keyboard.down(key)
    page.keyboard.up(key)
    assert len(table.twins.some(3)) == 3


@pytest.mark.parametrize("key", ["1", "Enter", "Escape", "?"])
def test_no_other_key_repeats(table: Table, own_page: Page, passes: Callable[[int], None], key: str) -> None:
    own_page.keyboard.down(key)
    own_page.keyboard.down(key)
    passes(2 * LONG_MS)
    own_page.keyboard.up(key)
    own_page.keyboard.press("ArrowUp")
    done = []
    while (one := table.twins.next()) != ("turn", 1, False):
        done.append(one)
    assert len(done) == (0 if key == "?" else 2)


def test_an_arrow_that_is_held_on_does_not_answer_the_next_question(table: Table, page: Page) -> None:
    asks(table, page, "Closed?")
    page.keyboard.down("ArrowDown")
    assert table.twins.next() == ("turn", -1, False)
    asks(table, page, "Awake cats?")
    page.keyboard.down("ArrowDown")
    assert table.twins.nothing_more()


def test_escape_is_a_long_ok(table: Table, own_page: Page, passes: Callable[[int], None]) -> None:
    own_page.keyboard.press("Escape")
    passes(LONG_MS)
    assert (table.twins.next(), table.twins.nothing_more()) == (OK[0], True)
    passes(LONG_MS)
    assert table.twins.next() == OK[1]


def test_escape_shuts_the_photo_finish_first(table: Table, page: Page) -> None:
    judged(table, page)
    page.keyboard.press("Escape")
    assert (page.locator("#photo").is_visible(), table.twins.nothing_more()) == (False, True)


def test_a_question_mark_opens_the_help_which_names_every_key_and_shuts_it(page: Page) -> None:
    page.keyboard.press("?")
    for key in ("Hold all, or 0", "Enter", "Esc", "?", "→ ←", "↓ ↑"):
        assert page.locator("#keys dt").get_by_text(key, exact=True).is_visible(), key
    page.keyboard.press("?")
    assert page.locator("#keys").is_hidden()


def test_back_holds_ok_for_longer_than_a_long_press_takes_though_the_page_is_left(
    table: Table, own_page: Page, passes: Callable[[int], None]
) -> None:
    own_page.click('[data-part="back"]:visible')
    own_page.evaluate("window.dispatchEvent(new Event('blur'))")
    passes(LONG_MS)
    assert (table.twins.next(), table.twins.nothing_more()) == (OK[0], True)
    passes(LONG_MS)
    assert table.twins.next() == OK[1]


def test_four_buttons_are_held_by_clicks_alone_and_their_latches_say_so(table: Table, page: Page) -> None:
    for name in NAMES:
        page.click(f'[data-part="latch-{name}"]')
        assert page.get_by_role("button", name=f"Held {name}", pressed=True).inner_text() == "Held"
    assert table.twins.some(4) == [(name, True) for name in NAMES]


@pytest.mark.parametrize("part", ["latch-P1", "button-P1"])
def test_a_held_button_is_let_go_by_its_latch_and_by_itself(table: Table, page: Page, part: str) -> None:
    page.click('[data-part="latch-P1"]')
    page.click(f'[data-part="{part}"]')
    assert (table.twins.some(2), table.twins.nothing_more()) == ([("P1", True), ("P1", False)], True)


def test_a_latch_is_moved_by_the_space_bar(table: Table, page: Page) -> None:
    page.focus('[data-part="latch-P2"]')
    page.keyboard.press(" ")
    assert (table.twins.next(), table.twins.nothing_more()) == (("P2", True), True)


def hold_all(table: Table, page: Page, *asked: str) -> Locator:
    """The kit asks for these hands: its switch."""
    table.panel.hear({"hands": asked})
    page.wait_for_selector(f"#hold-all[aria-disabled={'false' if asked else 'true'}]")
    return page.get_by_role("button", name="Hold all")


def moves(down: bool, *names: str) -> list[tuple[str, bool]]:
    return [(name, down) for name in names]


@pytest.mark.parametrize("key", ["", "0", "Space"])
def test_all_buttons_that_are_asked_for_are_held_by_one_press_and_let_go_by_the_next(
    table: Table, page: Page, key: str
) -> None:
    switch = hold_all(table, page, "P1", "P3")
    for down in (True, False):
        if key == "Space":
            switch.focus()
        page.keyboard.press(key) if key else switch.click()
        assert table.twins.some(2) == moves(down, "P1", "P3")
        assert switch.get_attribute("aria-pressed") == str(down).lower()
    assert table.twins.nothing_more()


def test_after_the_signal_hands_leave_the_buttons_but_for_one_that_was_latched_by_itself(
    table: Table, page: Page
) -> None:
    hold_all(table, page, "P1", "P2").click()
    page.click('[data-part="latch-P4"]')
    assert table.twins.some(3) == moves(True, "P1", "P2", "P4")
    hold_all(table, page).click(force=True)  # nothing is asked for
    assert (table.twins.some(2), table.twins.nothing_more()) == (moves(False, "P1", "P2"), True)
    page.click('[data-part="button-P1"]')
    assert table.twins.some(2) == [("P1", True), ("P1", False)]


def test_a_press_lets_one_of_all_go_and_the_next_of_all_puts_it_back(table: Table, page: Page) -> None:
    page.click('[data-part="latch-P1"]')
    switch = hold_all(table, page, "P1", "P2")
    switch.click()
    page.click('[data-part="button-P2"]')
    switch.click()
    assert table.twins.some(4) == [("P1", True), ("P2", True), ("P2", False), ("P2", True)]
    hold_all(table, page)
    assert table.twins.some(2) == moves(False, "P1", "P2")


def test_nobody_is_held_on_a_page_that_is_left(table: Table, page: Page) -> None:
    switch = hold_all(table, page, "P1", "P2")
    switch.click()
    page.evaluate("window.dispatchEvent(new Event('blur'))")
    assert table.twins.some(4) == moves(True, "P1", "P2") + moves(False, "P1", "P2")
    assert switch.get_attribute("aria-pressed") == "false"


def test_a_finger_that_slides_off_a_button_still_holds_it(table: Table, page: Page) -> None:
    touch = page.context.new_cdp_session(page)
    box = page.locator('[data-part="button-P1"]').bounding_box()
    assert box is not None
    for far in (0, 40, 120, 240):
        finger = {"x": box["x"] + box["width"] / 2 + far, "y": box["y"] + box["height"] / 2, "id": 0}
        kind = "touchMove" if far else "touchStart"
        touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [finger]})
    assert (table.twins.next(), table.twins.nothing_more()) == (("P1", True), True)
    touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    assert table.twins.next() == ("P1", False)


def test_display_turn_and_verdict_are_read_out(table: Table, page: Page) -> None:
    spoken = {
        "chosen": "chosen: yes",
        "lasting": "Pattern right?. yes. no",
        "asked": "asked: P2",
        "verdict": "P2 first by 1.2 ms",
    }
    says(table, **spoken)
    for text in spoken.values():  # each line by a timer of its own
        page.locator("#spoken").get_by_text(text).wait_for(state="attached")
    assert page.locator("[aria-live=polite] p").all_text_contents() == list(spoken.values())


def test_a_line_is_read_out_once_it_is_calm_and_the_others_do_not_wait_for_it(
    table: Table, own_page: Page, passes: Callable[[int], None]
) -> None:
    for row in range(12):
        says(table, display=f"row {row}", lasting=f"row {row}", asked="asked: P2")
        own_page.wait_for_selector(f'#picture[aria-label="row {row}"]')
        passes(100)
    lines = own_page.locator("#spoken p")
    changing = lines.all_text_contents()
    passes(1000)
    assert (changing, lines.all_text_contents()) == (["", "", "asked: P2", ""], ["", "row 11", "asked: P2", ""])


def test_why_a_name_is_refused_is_read_out_each_time(table: Table, page: Page) -> None:
    def refuse(wish: AnyWish, tell: Callable[[Answer], None]) -> None:
        tell(Denied(lazy("too long")))

    def heard(times: int) -> bool:
        alerts: list[str] = page.evaluate("alerts")
        return alerts.count("too long") == times

    table.panel.on_wish = refuse
    page.evaluate("""window.alerts = []; new MutationObserver(
        () => alerts.push(document.querySelector("[role=alert]").textContent)
    ).observe(document.querySelector("[role=alert]"), {childList: true})""")
    page.click("#people summary")
    for times in (1, 2):
        page.get_by_label("Name", exact=True).fill("Ann")
        page.get_by_role("button", name="Add").click()
        assert comes(partial(heard, times))
    assert page.evaluate("alerts") == ["too long", "", "too long"]


@pytest.fixture
def edited(table: Table) -> list[AnyWish]:
    """What is done of what the page sends; Anna is known."""
    done: list[Any] = []

    def edit(wish: AnyWish, tell: Callable[[Answer], None]) -> None:
        decision = decided(wish, (Person("a" * 16, "Anna"),))
        if isinstance(decision, AskFirst | Denied):
            tell(decision)
        else:
            done.append(structs.replace(decision, agreed=frozenset(), id=""))
            tell(Done())

    table.panel.on_wish = edit
    return done


def enter(page: Page, name: str) -> None:
    """A new name in the drawer."""
    if page.locator("#new").is_hidden():
        page.click("#people summary")
    page.get_by_label("Name", exact=True).fill(name)
    page.get_by_role("button", name="Add").click()


def test_a_name_that_the_display_cannot_draw_asks_for_a_short_one_there(
    edited: list[AnyWish], table: Table, page: Page
) -> None:
    enter(page, "Юлия")
    short = page.get_by_label("On the display, in Latin letters")
    short.wait_for()
    page.keyboard.type("Юля")  # it has the keys
    page.keyboard.press("Enter")
    page.get_by_text("letters that it cannot draw").wait_for()
    short.fill("Julia")
    page.keyboard.press("Enter")
    short.wait_for(state="hidden")
    enter(page, "山田")
    page.get_by_role("button", name="Without a short name").click()
    short.wait_for(state="hidden")
    assert edited == [Add("Юлия", "Julia"), Add("山田")]


def test_a_name_that_is_known_is_asked_about_there(edited: list[AnyWish], table: Table, page: Page) -> None:
    enter(page, "anna")
    page.get_by_role("button", name="The same person: Anna").click()
    assert page.get_by_label("Name", exact=True).input_value() == ""
    enter(page, "anna")
    page.get_by_text("Anna is known").wait_for()
    enter(page, "ANNA")  # another one is asked about anew
    page.get_by_text("Is ANNA the same person").wait_for()
    page.get_by_role("button", name="Another person").click()
    page.get_by_text("Anna is known").wait_for(state="detached")
    assert edited == [Add("ANNA")]


BESIDE = b"""<p>a page</p><details><summary>more</summary><p>more of it</p></details><a href="/people">on</a>
<form><input name="x"><select><option>one<option>two</select><button type="button">do</button></form>"""


def read_beside(page: Page, path: str) -> FrameLocator:
    """The page beside the kit, once it is this one, and the kit has its keys."""
    page.wait_for_selector(f'#out[href$="{path}"]')
    return page.frame_locator("#pages")


def beside(table: Table, page: Page) -> FrameLocator:
    """A page of the history, beside the kit."""
    table.panel.on_page = lambda path: BESIDE
    page.click("#history summary")
    return read_beside(page, "/history")


@pytest.mark.parametrize("clicked", ["a page", "more", "do", "on"])
def test_after_a_click_beside_the_kit_its_keys_still_work(table: Table, page: Page, clicked: str) -> None:
    frame = beside(table, page)
    frame.get_by_text(clicked, exact=True).click()
    read_beside(page, "/people" if clicked == "on" else "/history")
    for key, done in (("1", [("P1", True), ("P1", False)]), ("Enter", OK), ("ArrowUp", [("turn", 1, False)])):
        page.keyboard.press(key)
        assert table.twins.some(len(done)) == done, key
    page.keyboard.press("Escape")
    page.wait_for_selector("#history .tray", state="hidden")
    assert table.twins.nothing_more()


def test_beside_the_kit_a_field_has_its_keys_and_a_button_its_enter(table: Table, page: Page) -> None:
    frame = beside(table, page)
    for field in ("input", "select"):
        frame.locator(field).focus()
        for key in ("1", "ArrowDown", "o"):
            page.keyboard.press(key)
    frame.locator("summary").focus()
    page.keyboard.press("Enter")
    frame.get_by_text("more of it").wait_for()
    page.keyboard.press(" ")
    frame.get_by_text("more of it").wait_for(state="hidden")
    assert (frame.locator("input").input_value(), table.twins.nothing_more()) == ("1o", True)
    page.keyboard.press("2")  # a digit is no key of a button's
    assert table.twins.some(2) == [("P2", True), ("P2", False)]


def test_a_key_that_is_held_beside_the_kit_is_let_go_with_the_page(table: Table, page: Page) -> None:
    frame = beside(table, page)
    frame.get_by_text("a page").click()
    page.keyboard.down("1")
    assert table.twins.next() == ("P1", True)
    page.click("#title")
    assert table.twins.next() == ("P1", False)


def test_after_a_click_in_a_table_of_a_drawer_the_keys_still_work(table: Table, page: Page) -> None:
    table.panel.hear({"people": KNOWN, "scores": STANDING})
    page.click("#scores summary")
    page.click("#ranked .points >> nth=0")
    page.keyboard.press("Enter")
    assert (table.twins.some(2), table.twins.nothing_more()) == (OK, True)


@pytest.mark.parametrize("words", [{"display": "P3 LAST"}, {"strip": "asked: P2"}])
def test_picture_and_strip_are_called_by_what_they_say(table: Table, page: Page, words: dict[str, str]) -> None:
    says(table, **words)
    page.get_by_role("img", name=next(iter(words.values()))).wait_for()


def colours(page: Page, *buttons: str) -> list[str]:
    script = "place => getComputedStyle(place).getPropertyValue('--colour').trim()"
    return [page.locator(f'.place[data-name="{button}"]').evaluate(script) for button in buttons]


def seat(table: Table, *seats: tuple[str, str, str]) -> None:
    """By seat the button, the label and who sits there."""
    table.panel.hear({"seats": [{"button": button, "name": name, "person": who} for button, name, who in seats]})


def sit(table: Table, page: Page, *seats: tuple[str, str]) -> None:
    """Who plays with which button, until the page knows it."""
    seat(table, *((*seat, "") for seat in seats))
    page.wait_for_selector('[data-button="none"]')


def test_a_button_keeps_its_own_colour_whoever_begins_and_has_none_where_nobody_plays(table: Table, page: Page) -> None:
    before = colours(page, *NAMES)
    sit(table, page, ("P3", "P3"), ("P1", "P1"))
    assert colours(page, "P1", "P3") == [before[0], before[2]]
    assert colours(page, "P4")[0] not in before
    seat(table)
    page.wait_for_selector('[data-button="none"]', state="detached")
    assert colours(page, *NAMES) == before


def test_in_a_game_a_button_has_the_name_of_who_plays_with_it(table: Table, page: Page) -> None:
    seat(table, ("P2", "P1", ""), ("P4", "P4", ""))
    page.get_by_role("button", name="P1, on button P2", exact=True).click()
    assert (page.inner_text('[data-part="button-P2"]'), table.twins.next()) == ("P1", ("P2", True))


@pytest.mark.parametrize("name", ["Jo", "Maximiliana", "<b>'\"&", "\u2068نگار\u2069", "=1+2"])
def test_below_the_label_stands_who_sits_there_as_text(table: Table, page: Page, name: str) -> None:
    seat(table, ("P2", "P2", name), ("P4", "P4", ""))
    page.get_by_role("button", name=f"P2 {name}", exact=True).wait_for()
    assert page.locator(".person").all_inner_texts() == ["", name, "", ""]


ANN, BEN = "a" * 16, "b" * 16
FIRST = Ranked(seat=1, label="P2", person=ANN, name="<i>Ann", points=12, place=1)
SECOND = Ranked(seat=0, label="P1", person=None, name="P1", points=-3, place=2)
STANDING = Scores(game=3, title="Kitty Paw", over=True, rows=(FIRST, SECOND))
KNOWN = (Known(id=ANN, name="Ann"), Known(id=BEN, name="Ben"))


def test_scores_are_ranked_and_names_are_text(table: Table, page: Page) -> None:
    assert page.locator("#scores").is_hidden()
    table.panel.hear({"people": ({"id": ANN, "name": "<i>Ann"}, KNOWN[1]), "scores": STANDING})
    page.click("#scores summary")
    rows = page.locator("#ranked tr")
    assert [row.split()[:3] for row in rows.all_inner_texts()] == [["1.", "P2", "12"], ["2.", "P1", "-3"]]
    chosen = "select => select.selectedOptions[0].text"
    assert [one.evaluate(chosen) for one in page.locator("#ranked select").all()] == ["<i>Ann", "guest"]
    table.panel.on_page = lambda path: f"<p>{path}".encode()
    page.click("#sheet")
    read_beside(page, f"http://127.0.0.1:{table.port}/games/3").get_by_text("/games/3").wait_for()
    assert page.locator("#ranked").is_hidden()
    page.click("#scores summary")
    table.panel.hear({"scores": {**STANDING, "over": False}})
    page.wait_for_selector("#sheet", state="hidden")
    table.panel.hear({"scores": None})
    page.wait_for_selector("#scores", state="hidden")


@pytest.mark.parametrize("size_px", [(1280, 800), (390, 844), (320, 568)], ids=str)
def test_scores_with_the_longest_names_stay_in_their_drawer(table: Table, page: Page, size_px: tuple[int, int]) -> None:
    page.set_viewport_size({"width": size_px[0], "height": size_px[1]})
    rows: list[Ranked] = [{**row, "points": -1000} for row in STANDING["rows"]]
    table.panel.hear({"people": ({"id": ANN, "name": "W" * 12}, KNOWN[1]), "scores": {**STANDING, "rows": rows}})
    page.click("#scores summary")
    right = "parts => Math.max(...parts.map(part => part.getBoundingClientRect().right))"
    inside, tray = (page.locator(f"#scores .tray{parts}").evaluate_all(right) for parts in (" *", ""))
    assert inside < tray


def test_the_history_is_read_beside_the_kit(table: Table, page: Page) -> None:
    table.panel.on_page = lambda path: f'<p>{path}<a href="/people">on</a>'.encode()
    page.click("#history summary")
    read_beside(page, "/history").get_by_text("on").click()
    read_beside(page, "/people").get_by_text("/people").wait_for()
    page.click("#display")
    page.keyboard.press("ArrowUp")
    assert table.twins.next() == ("turn", 1, False)  # the kit stays usable
    page.click("#history summary")
    page.click("#history summary")
    page.frame_locator("#pages").get_by_text("/history").wait_for()


def sitting(said: list[tuple[int, int, str | None]]) -> Callable[..., None]:
    """Takes wishes of the page, and notes who is to sit where."""

    def wish(wish: AnyWish, tell: Callable[[Answer], None]) -> None:
        assert isinstance(wish, Sit)
        said.append((wish.game, wish.seat, wish.person))
        tell(Done(game=wish.game))  # without this the next wish of the page waits

    return wish


def test_who_sits_where_is_put_right_on_the_page(table: Table, page: Page) -> None:
    said: list[tuple[int, int, str | None]] = []

    table.panel.on_wish = sitting(said)
    table.panel.hear({"people": KNOWN, "scores": STANDING})
    page.click("#scores summary")
    page.get_by_label("Who sits at P1").select_option(label="Ben")
    page.get_by_label("Who sits at P2").select_option(label="guest")
    assert comes(lambda: said == [(3, 0, BEN), (3, 1, None)])
    page.click("#display")
    page.keyboard.press("ArrowUp")
    assert table.twins.next() == ("turn", 1, False)  # the kit stays usable


@pytest.mark.parametrize("keys", ["Space ArrowDown Enter", "ArrowUp ArrowDown ArrowDown Enter", "B"])
def test_who_sits_where_is_put_right_by_keys(table: Table, page: Page, keys: str) -> None:
    """The list is opened, or stepped through while it is shut: who is passed on the way changes places with nobody."""
    said: list[tuple[int, int, str | None]] = []
    table.panel.on_wish = sitting(said)
    table.panel.hear({"people": KNOWN, "scores": STANDING})
    page.click("#scores summary")
    page.get_by_label("Who sits at P2").focus()
    for key in keys.split():
        page.keyboard.press(key)
    page.keyboard.press("Escape")
    assert comes(lambda: said == [(3, 1, BEN)])
    page.keyboard.press("ArrowUp")
    assert (table.twins.next(), said) == (("turn", 1, False), [(3, 1, BEN)])


def test_escape_shuts_a_drawer_and_keys_are_the_kits_again(table: Table, page: Page) -> None:
    table.panel.on_page = lambda path: b'<a href="/people">on</a>'
    for drawer in ("people", "history"):
        page.focus(f"#{drawer} summary")
        page.keyboard.press("Enter")
        if drawer == "history":
            read_beside(page, "/history").get_by_text("on").focus()
        page.keyboard.press("Escape")
        page.wait_for_selector(f"#{drawer} .tray", state="hidden")
        page.keyboard.press("Enter")
        assert table.twins.some(2) == OK


def test_a_lane_of_the_photo_finish_has_the_colour_of_its_players_button(table: Table, page: Page) -> None:
    sit(table, page, ("P4", "P4"), ("P3", "P3"))
    judged(table, page, ("P4", "P3"))
    stroke = "lines => lines.map(line => getComputedStyle(line).stroke)"
    assert page.eval_on_selector_all("#photo .whole .line", stroke) == [
        f"rgb{ImageColor.getrgb(colour)}" for colour in colours(page, "P3", "P4")
    ]
