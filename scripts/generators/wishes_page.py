"""docs/threat-model.md: written, and at its end who may wish what, from the table that the desk goes by."""

from pathlib import Path

from firmware.wishes.asker import Cell, When, Wisher
from firmware.wishes.who_may_wish import ROWS

PAGE = Path(__file__).resolve().parents[2] / "docs" / "threat-model.md"
MADE = "<!-- Made by scripts/make wishes from here on. -->"


def page() -> str:
    """The page as it has to be."""
    written, _, _ = PAGE.read_text(encoding="utf-8").partition(MADE)
    return f"{written}{MADE}\n\n{table()}"


def table() -> str:
    """A row a wish, a column for each who may wish it."""
    lines = [f"| wish | {' | '.join(one.value for one in Wisher)} |", f"|---|{'---|' * len(Wisher)}"]
    for kind, cells in ROWS.items():
        says = (kind.__doc__ or "").partition("\n")[0].removesuffix(".")
        asked = "; something may be asked first" if kind.asks else ""
        lines.append(f"| {says}{asked} | {' | '.join(map(words, cells))} |")
    return "\n".join(lines) + "\n"


def words(cell: Cell) -> str:
    """When a wish is done."""
    if cell.when is When.NO:
        return "no"
    says = cell.when.value
    if cell.at_once is not None:
        says = f"{When.NOW.value} if {cell.at_once.says}, else {says}"
    only = " and ".join(one.says for one in cell.only)
    return f"{says}, only if {only}" if only else says
