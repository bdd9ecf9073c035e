"""Whole evenings with names of one letter and of twelve: by the kit's knob; on its page by keys and by the mouse.

Two games of one round each. The same four are proposed for the second one. In both, two who look alike were mixed up
and are put right.
"""

import re
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import NamedTuple, Protocol

import pytest
from playwright.sync_api import Browser, Page, expect

from engine import games
from firmware.journal.reader import History
from firmware.people.spelling import PLAIN, RING, marked
from firmware.statistics.game_totals import up_to_date
from firmware.statistics.person_figures import Figures
from tests.simulators.at_the_page import KEEP, PAGE, Table
from tests.simulators.page_input import Hands, Keys, Mouse
from tests.simulators.rig import FOUR, Rig
from tests.simulators.waiting import PATIENCE_S

pytestmark = pytest.mark.slow

Names = tuple[str, str, str, str]
NAMES: dict[int, Names] = {  # by their letters; the last two look alike
    1: ("W", "Ž", "E", "É"),
    12: ("Wwwwwwwwwwww", "Žofie-Šárka1", "Christianne1", "Christianne2"),
}
SIZES: dict[Callable[[Page], Hands], tuple[int, int]] = {Keys: (320, 240), Mouse: (390, 844)}  # small: soon drawn
CUT = """texts => texts.filter(text => {
    const own = text.getBoundingClientRect(), drawing = text.ownerSVGElement.getBoundingClientRect();
    return own.left < drawing.left || own.right > drawing.right;
}).map(text => text.textContent)"""  # texts that reach beyond their drawing


class Round(NamedTuple):
    """One round of Pack & Stack; after it somebody is out."""

    grabs: tuple[str, str, str]  # who has pressed, one after the other
    empties: tuple[int, int, int, int]
    out: str  # who has eight blue boxes left, which cost 80
    scores: tuple[int, int, int, int]


FIRST = Round(("P2", "P4", "P1"), (3, 1, 2, 0), "P1", (75 - 83, 75 - 1, 75 - 2, 75 + 10))
SECOND = Round(("P3", "P1", "P2"), (2, 1, 0, 3), "P2", (75 - 2, 75 - 81, 75 + 10, 75 - 3))


class AtTheTable(Protocol):
    """What people do at a kit or at its page, and what they see; times in ms."""

    def tap(self, *parts: str) -> "AtTheTable": ...
    def hold(self, part: str) -> "AtTheTable": ...
    def turn(self, steps: int) -> "AtTheTable": ...
    def pick(self, row: str) -> "AtTheTable": ...
    def wait(self, ms: float) -> "AtTheTable": ...
    def sees(self, text: str) -> "AtTheTable": ...
    def reads(self) -> str: ...
    def looks(self, name: str) -> "AtTheTable": ...


class AtTheKit:
    """The same by the kit's buttons and its knob."""

    def __init__(self, rig: Rig, letters: int) -> None:
        self.rig, self.letters = rig, letters
        self.reads = rig.reads

    def tap(self, *parts: str) -> "AtTheKit":
        for part in parts:
            self.rig.tap(part)
        return self

    def hold(self, part: str) -> "AtTheKit":
        self.rig.hold(part)
        return self

    def turn(self, steps: int) -> "AtTheKit":
        """More of a number, down a list."""
        for _ in range(abs(steps)):
            self.rig.control.turn(1 if steps > 0 else -1, at_ns=self.rig.now_ns, knob=True)
            self.rig.app.step(self.rig.now_ns)
        return self

    def pick(self, row: str) -> "AtTheKit":
        """OK at the row of a list that begins so."""
        (at,) = (n for n, text in enumerate(self.rig.rows) if text.startswith(row))
        return self.turn(at - self.rig.listing.at).tap("ok")

    def wait(self, ms: float) -> "AtTheKit":
        self.rig.after(ms)
        return self

    def sees(self, text: str) -> "AtTheKit":
        """Wait until this can be read."""
        for _ in range(20):
            if text in self.reads():
                return self
            self.wait(250)
        raise AssertionError(f"waited in vain for {text}; the display says: {self.reads()}")

    def looks(self, name: str) -> "AtTheKit":
        if KEEP:
            self.rig.picture.resize((768, 384)).save(Path(KEEP) / f"kit_{self.letters}_{name}.png")
        return self

    def spell(self, name: str) -> None:
        """A new name, letter by letter."""
        self.pick("New name")
        for letter in name.lower():
            plain = next(one for one in PLAIN if letter in marked(one))
            self.turn(RING.index(plain)).tap(*["P1"] * marked(plain).index(letter), "ok")
        self.looks("spelt").turn(-1).tap("ok")


# --- the evening -----------------------------------------------------------------------------------------------------


def begin(table: AtTheTable) -> None:
    table.sees("START").looks("start").tap("ok").sees("youngest").looks("youngest").tap("P3")


def play(table: AtTheTable, this: Round) -> None:
    """A game of one round, from its deal to the evening's table."""
    table.sees("DEAL 2").tap("ok").wait(3500).sees("slap yours")
    for player in this.grabs:
        table.tap(player).wait(100)
    table.sees("LAST").looks("last").wait(1600).looks("packing").tap("ok").sees("Empty spaces?")
    for player, many in zip(FOUR, this.empties, strict=True):
        if many:
            table.tap(player).turn(many - 5)
        else:
            table.hold(player)
    table.looks("empties").tap("ok")
    table.sees("Boxes left?").tap(this.out).sees("Green boxes left?").tap("ok", "ok", "ok", "ok")
    table.sees("Blue boxes left?").tap(this.out).turn(7).looks("left_over").tap("ok")
    table.sees("somebody is out").looks("result").tap("ok").sees("WIN").looks("end")
    table.wait(2100).tap("ok").sees("EVENING")


def won(table: AtTheTable, names: Names) -> dict[str, tuple[int, int]]:
    """The evening's table on the display: wins and games by name, where no marks make it hard to read."""
    read = table.sees("EVENING").sees(" 0").looks("evening").reads()
    plain = "|".join(name for name in names if name.isascii())
    found = re.findall(rf"\b({plain}) (?:won )?(\d)(?: of |/)(\d)", read)
    return {name: (int(wins), int(of)) for name, wins, of in found}


def tally(names: Names, wins: tuple[int, int, int, int], of: int) -> dict[str, tuple[int, int]]:
    """The same, as it has to be."""
    return {name: (each, of) for name, each in zip(names, wins, strict=True) if name.isascii()}


def two_games(table: AtTheTable, names: Names) -> None:
    """Four sit down, the last two at each other's buttons, and play; then they are proposed, and play once more."""
    table.pick("Pack & Stack").sees("Who plays?").tap("P1", "P1", "P2", "P2", "P3", "P3", "P3", "P4", "P4")
    table.hold("P4").sees("P4 guest").looks("guest").tap("P4").sees(f"P4 {names[2]}").looks("joined").tap("ok")
    begin(table)
    play(table, FIRST)
    assert won(table, names) == tally(names, (0, 0, 1, 0), 1)
    table.tap("P1").sees("NEXT?").pick("Other game").sees("LUCKY PAW").pick("Pack & Stack").sees("Who plays?")
    table.tap(*FOUR).sees(f"{names[2]}?").looks("proposed").tap("ok")
    begin(table)
    play(table, SECOND)
    assert won(table, names) == tally(names, (0, 0, 1, 1), 2)


def check(folder: Path, names: Names) -> None:
    """What the journal has once both games are put right: the scores, who sat where, and the sums."""
    with closing(History(folder / "journal.db")) as history:
        rules = games.rules("pack_and_stack")
        assert [history.play(game, rules).scores for game in (1, 2)] == [FIRST.scores, SECOND.scores]
        assert [history.names(game) for game in (1, 2)] == [dict(enumerate(names))] * 2
    with closing(up_to_date(folder)) as db:
        figures = Figures(db)
        (evening,) = figures.evenings
        found = {figures.names[one.person]: (one.wins, one.games) for one in figures.tally(evening)}
    assert found == dict(zip(names, ((0, 2), (0, 2), (1, 2), (1, 2)), strict=True))


every_length = pytest.mark.parametrize("letters", NAMES)


@every_length
def test_an_evening_at_the_kit(rig: Rig, tmp_path: Path, letters: int) -> None:
    """Names are spelt by the knob, and put right in the menus: after the end, and in the history."""
    names, table = NAMES[letters], AtTheKit(rig, letters)
    table.pick("People")
    for name in reversed(names):
        table.spell(name)
    rig.ok_hold()
    two_games(table, names)
    table.tap("P1").pick("Who sat there")
    swap(table, 1)
    assert won(table.pick("Evening"), names) == tally(names, (0, 0, 2, 0), 2)
    table.tap("P1").pick("Other game").pick("History").turn(1).looks("history").tap("ok")
    table.turn(9).sees("WHO SAT THERE?").looks("old_game").tap("ok")
    swap(table, -1)
    rig.do("ok!*2")
    assert won(table.pick("Evening"), names) == tally(names, (0, 0, 1, 1), 2)
    rig.close()
    check(tmp_path, names)


def swap(table: AtTheKit, way: int) -> None:
    """The two who were mixed up, who are known one after the other, in the order of the latest game."""
    for player, steps in (("P3", way), ("P4", -way)):
        table.pick(player).turn(steps).looks(f"put_right_{player}").tap("ok")
    table.pick("DONE")


# --- the page --------------------------------------------------------------------------------------------------------


@pytest.fixture
def opened(chromium: Browser, tmp_path: Path) -> Iterator[Callable[[Callable[[Page], Hands]], Table]]:
    """Opens the page of a new kit, for one pair of hands."""
    tables: list[Table] = []

    def one(hands: Callable[[Page], Hands]) -> Table:
        tables.append(Table(chromium, tmp_path, hands=hands, size=PAGE if KEEP else SIZES[hands]))
        return tables[0]

    yield one
    for table in tables:
        table.close()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("hands", "letters"),
    [
        (Keys, 1),
        pytest.param(Keys, 12, marks=pytest.mark.nightly),
        pytest.param(Mouse, 1, marks=pytest.mark.nightly),
        pytest.param(Mouse, 12, marks=pytest.mark.nightly),
    ],
)
def test_an_evening_at_the_page(
    opened: Callable[[Callable[[Page], Hands]], Table], tmp_path: Path, hands: Callable[[Page], Hands], letters: int
) -> None:
    """Names are written, and put right, in the drawers: among the scores, and on the page of an old game."""
    names, table = NAMES[letters], opened(hands)
    write(table, names)
    two_games(table, names)
    among_the_scores(table, names)
    assert won(table.tap("P1").sees("NEXT?").pick("Evening"), names) == tally(names, (0, 0, 2, 0), 2)
    table.tap("P1").sees("NEXT?")
    on_the_old_games_page(table, names)
    assert won(table.pick("Evening"), names) == tally(names, (0, 0, 1, 1), 2)
    table.tap("P1").sees("NEXT?")
    check(tmp_path / "luckypaw", names)


def write(table: Table, names: Names) -> None:
    """New names, the last in front."""
    page, hands = table.page, table.hands
    hands.follow(page.locator("#people summary"))
    for name in reversed(names):
        hands.write(page.get_by_label("Name", exact=True), name)
        hands.follow(page.get_by_role("button", name="Add"))
        page.locator("#known").get_by_text(name, exact=True).wait_for()
    table.looks("page_people")
    hands.shut(page.locator("#people"))


def among_the_scores(table: Table, names: Names) -> None:
    """The scores of the game on the table: ranked, with who sits there; put right; then its score sheet."""
    page, hands = table.page, table.hands
    hands.follow(page.locator("#scores summary"))
    rows = page.locator("#ranked tr")
    ranked = [["1.", "P3", "85"], ["2.", "P1", "73"], ["3.", "P4", "72"], ["4.", "P2", "-6"]]
    assert [row.split()[:3] for row in rows.all_inner_texts()] == ranked
    chosen = "select => select.selectedOptions[0].text"
    sat = [one.evaluate(chosen) for one in page.locator("#ranked select").all()]
    assert sat == [names[3], names[0], names[2], names[1]]
    hands.choose(page.get_by_label("Who sits at P3"), names[2])
    people = [page.locator(f'[data-name="{player}"] .person') for player in FOUR]
    table.until(lambda: tuple(one.text_content() for one in people) == names)
    table.looks("page_scores")
    hands.follow(page.locator("#sheet"))
    totals = page.frame_locator("#pages").get_by_role("row", name="total")
    totals.wait_for()
    assert totals.locator("td").all_inner_texts()[:4] == [str(points) for points in SECOND.scores]
    table.looks("page_sheet")
    hands.shut(page.locator("#history"))


def on_the_old_games_page(table: Table, names: Names) -> None:
    """From the evenings to the first game, and who sat there."""
    page, hands = table.page, table.hands
    hands.follow(page.locator("#history summary"))
    pages = page.frame_locator("#pages")
    hands.follow(pages.get_by_role("link", name="Evenings"))
    pages.get_by_role("heading", name="Evenings").wait_for()
    hands.follow(pages.locator("tbody a").first)
    pages.get_by_text("By wins").wait_for()
    table.looks("page_evening")
    hands.follow(pages.locator('a[href="/games/1"]').first)
    pages.locator("svg.finish").first.wait_for()
    assert pages.locator("svg.finish text").evaluate_all(CUT) == []
    hands.follow(pages.get_by_text("Who sat there?", exact=True))
    form = pages.locator("form").filter(has=pages.get_by_label("P3"))
    for seat in (2, 3):
        hands.choose(form.get_by_label(f"P{seat + 1}"), names[seat])
    table.looks("page_old_game")
    hands.follow(form.get_by_role("button"))
    heads = pages.get_by_role("table").first.locator("thead th")
    expect(heads.nth(3)).to_have_text(names[2], timeout=1000 * PATIENCE_S)
    assert heads.all_text_contents()[1:5] == list(names)
    table.looks("page_old_game_put_right")
    hands.shut(page.locator("#history"))
