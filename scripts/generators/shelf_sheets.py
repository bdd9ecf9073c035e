"""Sheets of the display's pictures of every shipped score sheet, in games whose sums were worked out by hand."""

from collections.abc import Iterator, Sequence

from PIL import Image

from firmware.output import screens
from firmware.output.screens.canvas import HEIGHT_PX, WIDTH_PX
from firmware.table import question
from firmware.table.question import EMPTY, Entry
from tests.engine.sheets.plays import Answers, number
from tests.engine.sheets.table import Table
from tests.engine.sheets.test_shelf import begun, said, step
from tests.engine.sheets.test_shelf_sums import SHEETS, USUAL

PAGES = ("a_c", "d_k", "l_q", "r_s", "t_z")  # by the first letter of the file
NAMES = ("Anna", "Ben", "Chris", "Dora", "Emil", "Frida")
SHOWN = 5  # pictures of a sheet
GAP_PX, FRAME = 6, 90


def sheet(page: str) -> Image.Image:
    """A row a score sheet, of all whose file begins with these letters."""
    first, last = page.split("_")
    rows = [shots(name) for name in sorted(SHEETS) if first <= name[0] <= last]
    high, wide = HEIGHT_PX + GAP_PX, WIDTH_PX + GAP_PX
    whole = Image.new("L", (GAP_PX + SHOWN * wide, GAP_PX + len(rows) * high), FRAME)
    for y, row in enumerate(rows):
        for x, picture in enumerate(row):
            whole.paste(picture.convert("L"), (GAP_PX + x * wide, GAP_PX + y * high))
    return whole


def shots(name: str) -> list[Image.Image]:
    """The first question, a step in the middle as it is entered, and how the game stands at the end."""
    games = [play for play in USUAL if play.sheet == name and play.players <= len(NAMES)]
    if not games:  # a clock alone
        table = begun(name, SHEETS[name]["players"][0])
        return [shown(table), shown(table.say(0, "pass", None, 12_000))]
    play = max(games, key=lambda play: (play.end != "open", len(play.steps), -play.players))
    table = begun(name, play.players)
    found, middle = [shown(table)], list[Image.Image]()
    for n, answers in enumerate(play.steps):
        if n == len(play.steps) // 2:
            middle = list(entered(table, name, answers))
        step(table, name, answers)
    if play.end == "finish":
        table.say(None, "finish")
    last = list(entered(table, name, play.final or {}))
    for ask, given in (play.final or {}).items():
        said(table, name, ask, given)
    return [*found, *[*middle, *last][-(SHOWN - 2) :], shown(table)]


def entered(table: Table, name: str, answers: Answers) -> Iterator[Image.Image]:
    """The asks of a step, each with what will be answered. The table goes on only in a copy."""
    before = table.play, list(table.facts), table.now_ns
    if "by" in answers and "race" not in SHEETS[name]:
        seat, ask = number(answers, "by"), next(ask for ask in answers if ask != "by")
        yield shown(table)
        offer = next(offer for offer in table.play.offers if (offer.seat, offer.verb) == (seat, ask))
        picked = (seat, ask) if offer.alone else None
        yield shown(table, Entry({seat: number(answers, ask)}, seat, picked=picked))
    elif "placed" in answers or "by" in answers:
        yield shown(table)
    else:
        for ask, given in answers.items():
            yield shown(table, entry(table, ask, given))
            said(table, name, ask, given)
    table.play, table.facts, table.now_ns = before


def entry(table: Table, ask: str, given: int | Sequence[int | None]) -> Entry:
    """These numbers as they are entered at the kit."""
    asked = question.of(table.play.offers)
    if isinstance(given, int):
        return Entry({None: given})
    seats = [seat for seat, value in enumerate(given) if value is not None and seat in asked.count]
    return Entry({seat: given[seat] or 0 for seat in seats}, max(seats, default=None))


def shown(table: Table, entry: Entry = EMPTY) -> Image.Image:
    """The display with these names."""
    return screens.draw(table.play, entry, table.now_ns, names=NAMES[: len(table.play.players)])
