"""docs/check.md: a written part, and below a line the table of all faults, generated from the findings."""

from collections.abc import Iterator
from pathlib import Path

from hardware.doctor.findings import BY_CODE, FAULTS, How, example

PAGE = Path(__file__).resolve().parents[2] / "docs" / "check.md"
MADE = "<!-- Made by scripts/make check from here on. -->"
TITLES: dict[How, str] = {
    "alone": "Found by itself",
    "journal": "Found in the journal",
    "guided": "Found with `--guided`",
    "self": "Found with `--self`",
}


def made() -> str:
    """The generated part of the page."""
    return "\n".join(["## All faults", "", *table()])


def table() -> Iterator[str]:
    """All faults, each with an example."""
    yield f"{len(BY_CODE)} faults are distinguished. Names, pins and numbers are examples; *note*: information only."
    for how, title in TITLES.items():
        yield from ("", f"### {title}", "", "| code | finding | remedy |", "|---|---|---|")
        for one in map(example, FAULTS[how]):
            text = f"{one.part}, {one.place}: {one.text}{' *(note)*' if one.note else ''}"
            yield f"| `{one.code}` | {text} | {one.remedy} |"
    yield ""


def written() -> str:
    """The written part of the page."""
    return PAGE.read_text().split(MADE)[0]


def page() -> str:
    """The whole page."""
    return f"{written()}{MADE}\n\n{made()}"
