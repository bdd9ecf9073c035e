"""docs/check.md: above a line stands what people wrote; below it the table of all faults, made from the findings."""

from collections.abc import Iterator
from pathlib import Path

from hardware.doctor.findings import FAULTS, How, example

PAGE = Path(__file__).resolve().parents[2] / "docs" / "check.md"
MADE = "<!-- Made by scripts/make-check from here on. -->"
TITLES: dict[How, str] = {
    "alone": "Found by itself",
    "guided": "Found with `--guided`",
    "self": "Found with `--self`",
}


def made() -> str:
    """The part of the page that is made."""
    return "\n".join(["## Everything it can say", "", *table()])


def table() -> Iterator[str]:
    """All faults, each with the words of an example."""
    yield f"{len(FAULTS)} faults are told apart. Names, pins, numbers are those of an example; *note*: worth knowing,"
    yield "but no fault."
    for how, title in TITLES.items():
        yield from ("", f"### {title}", "", "| code | what it says | what to do |", "|---|---|---|")
        for fault in FAULTS:
            if fault.how == how:
                found = example(fault)
                says = f"{found.part}, {found.place}: {found.text}{' *(note)*' if found.note else ''}"
                yield f"| `{found.code}` | {says} | {found.remedy} |"
    yield ""


def written() -> str:
    """The part of the page that people wrote."""
    return PAGE.read_text().split(MADE)[0]


def page() -> str:
    """The whole page as it is to be."""
    return f"{written()}{MADE}\n\n{made()}"
