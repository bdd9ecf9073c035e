"""Whole games in a real browser, by keys, mouse or fingers alone, on the whole program with its clock in our hands."""

from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from hardware.config import KITS, kits
from scripts.generators import game_pages
from tests.firmware.browser import needs_chromium
from tests.simulators.at_the_page import KEEP, PAGE, Table, launched
from tests.simulators.mirror import Mirror
from tests.simulators.page_input import Fingers, Hands, Keys, Mouse
from tests.simulators.rig import FOUR, THREE

LAPTOP, PHONE = (1024, 768), (390, 844)
SMALL_PAGE = (320, 240)  # drawn in no time: a whole game is hundreds of pictures

pytestmark = [pytest.mark.slow, pytest.mark.browser, needs_chromium]


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with launched() as found:
        yield found


@pytest.fixture
def table(browser: Browser, tmp_path: Path) -> Iterator[Table]:
    found = Table(browser, tmp_path, size=PAGE if KEEP else SMALL_PAGE)
    yield found
    found.close()


def meow(table: Table, players: tuple[str, ...], caller: str, second: str, points: int = 6) -> None:
    """A round in which the caller is right."""
    table.sees("HANDS ON").flash(*players).tap(caller).wait(150).tap(second).sees("Pattern right?").tap("ok")
    table.sees("Card is worth").turn(points - 6).tap("ok").sees("remove 2 cards").tap("ok")


def test_a_whole_game_of_kitty_paw(table: Table) -> None:
    """To the fifth card, with what people do: mis-press, bumped Meow, dead heat, undo, reload, unplug, power cut."""
    table.looks("page_menu").choose("kitty_paw")
    table.click("button-P1", "button-P2", "button-P4").click("button-P4", "button-P3")  # a mis-press, put right
    table.looks("page_join").tap("ok").sees("START").tap("ok").sees("HANDS ON").looks("page_hands")

    # a bumped button: Back returns to the running round
    table.flash(*THREE).looks("page_build").tap("P3").wait(50).tap("P1").sees("Pattern right?")
    table.long_ok().sees("BACK").looks("page_back").tap("ok").long_ok().sees("done? press")
    # the page is reloaded in mid-race
    table.reload().sees("done? press")
    table.tap("P2").wait(150).looks("page_meow").tap("P1").sees("P3 LAST").looks("page_last")
    table.sees("Pattern right?").tap("ok").sees("Card is worth").tap("ok").sees("remove 2 cards")
    # an undo over the verdict: the card was a seven
    table.long_ok().sees("P2 +6").tap("ok").long_ok().sees("Card is worth")
    table.turn(1).tap("ok").sees("remove 2 cards").looks("page_clean_up").tap("ok")

    # a dead heat on purpose: two keys at once
    table.sees("HANDS ON").flash(*THREE).together("P1", "P2").sees("P1/P2 tie").looks("page_tie")
    table.rows(1).tap("ok").sees("Pattern right?").rows(1).tap("ok").sees("remove 2 cards").tap("ok")

    # the display is unplugged in a round and comes back with what stands now
    table.sees("HANDS ON").open_drawer().click("plug-display").until(lambda: not any(table.picture.tobytes()))
    table.click("plug-display").sees("HANDS ON").open_drawer()

    # the plug is pulled; the game is offered and goes on
    table.kill()
    table.start()
    table.sees("GO ON?").looks("page_resume").tap("ok").sees("HANDS ON")

    for points in (4, 5, 6, 7):
        meow(table, THREE, "P2", "P3", points)
    table.sees("P2 WINS").looks("page_end_kitty_paw")
    assert "28" in table.reads()  # 7 - 1 + 4 + 5 + 6 + 7


@pytest.mark.nightly
@pytest.mark.parametrize("kit", kits())
def test_a_whole_game_of_kitty_paw_for_two_on_each_kit(kit: str, browser: Browser, tmp_path: Path) -> None:
    """To the fifth card; P1 is always the first, and right."""
    table = Table(browser, tmp_path, "--config", KITS / f"{kit}.toml")
    table.begin("kitty_paw", "P1", "P2").tap("ok")
    for _ in range(5):
        meow(table, ("P1", "P2"), "P1", "P2")
    table.sees("P1 WINS").close()


def race(table: Table, *players: str) -> Table:
    """From the deal until slaps are over: a press for each, slow enough to be told apart."""
    table.sees("DEAL 2").tap("ok").sees("slap yours").wait(350)
    for player in players:
        table.tap(player).wait(100)
    return table.sees("LAST").wait(1600)


@pytest.mark.nightly
def test_a_whole_game_of_pack_and_stack_counted_quickly(table: Table) -> None:
    table.begin("pack_and_stack", *FOUR)
    table.tap("ok").sees("Who is the youngest?").looks("page_youngest").click("button-P3").sees("DEAL 2")
    table.looks("page_deal").tap("ok").sees("2").looks("page_countdown").tap("P4").sees("P4 too early")
    table.sees("FLIP!").looks("page_flip").wait(350).tap("P2", "P4").looks("page_race")
    table.tap("P1").sees("P3 LAST").looks("page_packing").wait(1600)  # slaps of the race are over
    table.tap(*FOUR).sees("Empty spaces?")
    for _ in range(3):
        table.tap("P1").turn(11).tap("P2", "P3", "P3", "P4").looks("page_empties").tap("ok")
        table.sees("Boxes left?").tap("P1").sees("Green boxes left?").tap("P1", *["ok"] * 5)
        table.sees("boxes, trucks back").looks("page_result").tap("ok")
        race(table, "P2", "P4", "P1").tap("ok").sees("Empty spaces?")
    table.tap("P1").turn(59).tap("P2", "P3", "P4", "ok").sees("Boxes left?").tap("ok")
    table.sees("somebody is out").tap("ok").sees("WIN").looks("page_end_pack_and_stack")


@pytest.mark.nightly
def test_a_whole_game_of_pack_and_stack_checked(table: Table) -> None:
    """Loads and trucks are entered, empty spaces computed; a load of one green box in the largest truck costs 59."""
    table.begin("pack_and_stack", *FOUR)
    table.rows(8).tap("ok").rows(1).tap("ok").sees("checked").looks("page_options")
    table.turn(8).tap("ok").sees("Who is the youngest?").tap("P1").sees("Green")
    for n in range(2):
        for colour in ("Green", "Yellow", "Red", "Orange", "Blue"):
            table.sees(colour)
            for name, boxes in zip(FOUR, (1, 2, 3, 1) if colour == "Green" else (0, 1, 2, 0), strict=True):
                table.tap(name)
                if boxes != 1:
                    table.turn(boxes - 1)
            if colour == "Green":
                table.looks("page_load")
            table.tap("ok")
        race(table, "P2", "P3", "P4").tap("ok").sees("Levels?").tap("P1").turn(3).tap("P2", "P3", "P3", "P4", "ok")
        table.sees("Area?").tap("P1").turn(14).tap("P2").turn(14).looks("page_area")
        table.tap("P3").turn(14).tap("P4", "ok").sees("Green boxes left?")
        while "boxes, trucks back" not in table.reads() and "somebody is out" not in table.reads():
            table.passes()
        table.tap("ok").wait(100)
        if n == 0:
            table.sees("Green")
    table.sees("WIN")


HANDS: dict[str, tuple[Callable[[Page], Hands], tuple[int, int]]] = {
    "keys": (Keys, SMALL_PAGE),
    "mouse": (Mouse, LAPTOP),
    "fingers": (Fingers, PHONE),
}
EVENINGS = [(game, n, "keys") for game in game_pages.EVENINGS for n in game_pages.EVENINGS[game]] + [
    (game, min(game_pages.EVENINGS[game], key=lambda n: abs(n - 2)), hands)
    for game in game_pages.EVENINGS
    for hands in ("mouse", "fingers")
]


@pytest.mark.nightly
@pytest.mark.parametrize(("game", "players", "hands"), EVENINGS)
def test_a_whole_game_ends_as_it_must_and_costs_the_presses_that_its_page_says(
    browser: Browser, tmp_path: Path, game: str, players: int, hands: str
) -> None:
    """With a mis-press, an undo, and a point fixed later; by keys, the mouse or fingers alone.

    On the way the page shows what a table shows that is played by the same hands.
    """
    made, size = HANDS[hands]
    table = Table(browser, tmp_path / "page", hands=made, size=size)
    with table.program, closing(Mirror(tmp_path, table)) as mirror:
        scores = game_pages.EVENINGS[game][players](mirror)
        assert (mirror.scores, mirror.cost) == (scores, game_pages.costs(game)[players])
        if hands == "mouse":
            pressed = len(mirror.on_page["mouse"].presses) + len(mirror.steps)
            assert table.page.evaluate("clicks") == pressed
        table.size(*PAGE).looks(f"page_{game}_{players}").close()


def test_a_race_ends_in_a_photo_finish(table: Table) -> None:
    """From the deal to the strip: the lines stand in the order in which the keys were pressed; the display agrees."""
    table.begin("pack_and_stack", *THREE).tap("ok").sees("Who is the youngest?").tap("P1")
    race(table, "P3", "P1")
    finish = table.page.locator("#finish")
    finish.locator("summary").click()
    table.wait(600).looks("page_photo_finish")
    names = finish.locator(".whole .who").all_text_contents()
    lines = finish.locator(".whole .line").evaluate_all("lines => lines.map(line => line.getBBox().x)")
    finish.locator("summary").click()
    table.turn(1).sees("P3 FIRST P2 LAST").looks("page_evidence")
    assert (names, lines) == (["P3", "P1", "P2"], sorted(lines))


def test_the_page_fits_a_phone(browser: Browser, tmp_path: Path) -> None:
    table = Table(browser, tmp_path, size=(360, 740)).wait(300)
    wide = table.page.evaluate("document.documentElement.scrollWidth")
    table.looks("page_phone").close()
    assert wide <= 360


@pytest.mark.nightly
def test_a_sixth_game_is_played_as_it_is(browser: Browser, tmp_path: Path) -> None:
    table = Table(browser, tmp_path, sixth=True)
    table.begin("harvest", "P1", "P2").tap("ok")
    for _ in range(3):
        table.sees("Sheaves?").tap("P1", "P1", "P2").looks("page_sixth_game").tap("ok")
    table.sees("P2 WINS").close()
