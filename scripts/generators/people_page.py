"""docs/people.md: written, and at its end every place for text, from the list that forgetting goes by."""

from pathlib import Path

from firmware.journal.places import PLACES

PAGE = Path(__file__).resolve().parents[2] / "docs" / "people.md"
MADE = "<!-- Made by scripts/make people from here on. -->"


def page() -> str:
    """The page as it has to be."""
    written, _, _ = PAGE.read_text(encoding="utf-8").partition(MADE)
    return f"{written}{MADE}\n\n{table()}"


def table() -> str:
    """A row for all places that have the same and of which the same becomes."""
    rows: dict[tuple[str, str, bool], list[str]] = {}
    for place in PLACES:
        where = f"`{place.where}`" if place.column else f"file `{place.where[1:]}`"
        rows.setdefault((place.has, place.becomes, place.column), []).append(where)
    lines = ["| place | has | when somebody is forgotten | in a backup |", "|---|---|---|---|"]
    for (has, becomes, column), where_ in rows.items():
        lines.append(f"| {', '.join(where_)} | {has} | {becomes} | {'yes' if column else 'no'} |")
    return "\n".join(lines) + "\n"
