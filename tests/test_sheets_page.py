"""docs/score-sheets.md: its sheets can be played, its tables of games and its errors are what the program says."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.game import NoOptions
from engine.rules import Offer
from engine.sheets.reading import SheetErrors, read
from engine.sheets.rules import rules
from scripts.generators import sheets_page
from tests.engine.sheets.table import Table
from tests.simulators.players import random_game

TEXT = sheets_page.PAGE.read_text(encoding="utf-8")
EXAMPLES = sorted((Path(__file__).parent / "engine" / "sheets" / "examples").glob("*.toml"))
HEAD = 'title = "T"\nplayers = [2, 4]\n'


def statements(text: str) -> dict[str, str]:
    """The lines of a sheet by key: a key begins its line, what belongs to it does not."""
    parts = re.findall(r"^(?:[a-z].*)(?:\n[ \]}'].*)*", text, re.MULTILINE)
    return {part.split(" =")[0]: part for part in parts}


def sheets() -> Iterator[tuple[str, str, str]]:
    """The page's sheets: the heading, the text, and what follows. Lines of a change are put into the sheet before."""
    sheet: dict[str, str] = {}
    for part in re.split(r"^##+ ", TEXT, flags=re.MULTILINE)[1:]:
        heading = part.splitlines()[0]
        for block, behind in re.findall(r"```toml\n(.*?)```(.*?)(?=```toml|\Z)", part, re.DOTALL):
            sheet = statements(block) if block.startswith("title") else {**sheet, **statements(block)}
            yield heading, "\n".join(sheet.values()), behind


PLAYED = {heading: (text, behind) for heading, text, behind in sheets() if heading != "When something is wrong"}


def test_the_reference_is_as_it_would_be_made() -> None:
    assert sheets_page.page() == TEXT, "run scripts/make sheets"


@pytest.mark.parametrize(
    "text", [text for text, _ in PLAYED.values()] + [one.read_text(encoding="utf-8") for one in EXAMPLES]
)
def test_a_sheet_is_played_to_its_end_by_few_and_by_many(text: str) -> None:
    one = rules("sheet:page", read(text))
    tables = [(players, seed) for players in one.seats for seed in range(2)]
    assert all(random_game(one, players, NoOptions(), seed).play.over for players, seed in tables)


def matching(table: Table, title: str, seat: int | None) -> Offer:
    """What this seat, or the table, is asked by this title."""
    shown = [o for o in table.play.offers if o.seat == seat and table.rules.label(table.state, o) == title]
    assert shown, f"{title} is not asked: {table.verbs}"
    return shown[0]


def value(table: Table, offer: Offer, said: str) -> int | None:
    """An answer as the page has it: a number, a word, a player."""
    if offer.low is None or offer.high is None:
        return None
    if not offer.says:
        return int(said)
    return next(n for n in range(offer.low, offer.high + 1) if table.rules.label(table.state, offer, n) == said)


def row(table: Table, what: str, table_says: str, cells: list[str]) -> None:
    """One row of a game: the totals, the winners, a press, what is wrong, or an answer."""
    if what == "**total**":
        assert list(table.play.scores) == [int(cell) for cell in cells]
    elif what == "**winner**":
        assert table.play.winners == tuple(seat for seat, cell in enumerate(cells) if cell)
        assert table.play.over
    elif what == "*press*":
        table.press(cells.index("first")).tick()
    elif what.startswith("*"):
        assert table.rules.face(table.state).wrong == what.strip("*")
    elif not any(cells):
        offer = matching(table, what, None)
        table.say(None, offer.verb, value(table, offer, table_says))
    else:
        for seat, cell in enumerate(cells):
            if cell:
                offer = matching(table, what, seat)
                table.say(seat, offer.verb, value(table, offer, cell))


@pytest.mark.parametrize("heading", [heading for heading, (_, behind) in PLAYED.items() if "| P1 |" in behind])
def test_a_game_goes_as_its_table_says(heading: str) -> None:
    text, behind = PLAYED[heading]
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in behind.splitlines() if line[:1] == "|"]
    head, *played = [cells for cells in rows if not cells[0].startswith("---")]
    seats = [n for n, name in enumerate(head) if re.fullmatch(r"P\d", name)]
    table = Table(text, len(seats))
    for cells in played:
        row(table, cells[0], cells[1] if head[1] == "table" else "", [cells[n] for n in seats])


def test_errors_are_as_the_program_says_them() -> None:
    part = TEXT.split("## When something is wrong")[1].split("\n## ")[0]
    block, *said = re.findall(r"```(?:toml)?\n(.*?)```", part, re.DOTALL)
    mended = block.replace("player =", "players =").replace("higth", "high")
    for text, errors in zip((block, mended), said, strict=True):
        with pytest.raises(SheetErrors) as wrong:
            read(text, "broken.toml")
        assert str(wrong.value) == errors.strip()
    for line, message in re.findall(r"^\| `(.*?)` \| (.*?) \| ", part, re.MULTILINE):
        asks = "" if line.startswith("ask") else 'ask = [{ id = "cards" }]\n'
        with pytest.raises(SheetErrors) as wrong:
            read(f"{HEAD}{asks}{line}\n", "my.toml")
        assert wrong.value.errors[0].key + ": " + wrong.value.errors[0].text == message
