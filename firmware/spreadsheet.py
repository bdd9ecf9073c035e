"""Tables for a spreadsheet, in three forms: CSV, CSV for where a comma is the decimal sign, and .xlsx.

In CSV a text is no more than its letters: a spreadsheet takes 00123 for 123, and 1-2 for a day, in quotes, too. Only an
apostrophe before it helps, and that stays to be seen. A cell of .xlsx says that it is text.
"""

import csv
import io
import unicodedata
from collections.abc import Iterable, Sequence
from typing import NamedTuple, TextIO, TypeAlias

from engine.words import N_


class TableForm(NamedTuple):
    """A form of a table."""

    name: str  # as an option of the command line
    label: str
    ending: str  # of a file
    media: str


FORMS = (
    TableForm("csv", N_("CSV"), ".csv", "text/csv"),
    TableForm("semicolon", N_("CSV with ; and decimal comma"), ".semicolon.csv", "text/csv"),
    TableForm(
        "xlsx", N_("Excel (.xlsx)"), ".xlsx", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
    ),
)
ENDINGS = {form.ending: form for form in FORMS}


class DayOrTime(str):
    """A day or a time of the kit's own making: a spreadsheet may take it for one."""

    __slots__ = ()


Cell: TypeAlias = str | float | None  # whole numbers and truths are `float` to the type checkers
Row: TypeAlias = Sequence[Cell]

MARK = "\ufeff"  # the byte order mark, without which Excel takes letters for others
FORMULA = tuple("=+-@\uff1d\uff0b\uff0d\uff20")  # what a formula begins with


def form_of(path: str) -> TableForm | None:
    """The form of a file by its ending; None for what is no table."""
    fits = [form for form in FORMS if path.lower().endswith(form.ending)]
    return max(fits, key=lambda form: len(form.ending), default=None)


def written(rows: Iterable[Row], form: TableForm) -> bytes:
    """A whole file. The same rows give the same bytes."""
    if form.name == "xlsx":
        from firmware import xlsx  # which a start need not wait for

        return xlsx.workbook(rows)
    out = io.StringIO()
    out.write(MARK)
    if form.name == "csv":
        write_csv(rows, out)
    else:
        _write_semicolons(rows, out)
    return out.getvalue().encode()


def write_csv(rows: Iterable[Row], out: TextIO) -> None:
    """CSV as other programs read it, without a mark."""
    csv.writer(out, lineterminator="\n").writerows([_no_formula(cell) for cell in row] for row in rows)


def _no_formula(cell: Cell) -> Cell:
    """A cell that no spreadsheet takes for a formula: a name may begin with =, +, - or @."""
    return f"'{cell}" if isinstance(cell, str) and cell.startswith(FORMULA) else cell


def _write_semicolons(rows: Iterable[Row], out: TextIO) -> None:
    """CSV as Excel reads it where a comma is the decimal sign.

    All but whole numbers is in quotes: LibreOffice's dialog has a comma, a semicolon and a tab for separators. There is
    no first line `sep=;`: with it Excel no longer heeds the mark (reported in alexcaza/export-to-csv#119).
    """
    writer = csv.writer(out, delimiter=";", lineterminator="\n", quoting=csv.QUOTE_NONNUMERIC)
    writer.writerows([_local(cell) for cell in row] for row in rows)


def _local(cell: Cell) -> Cell:
    """A cell in which text stays text: an apostrophe stands before what may be more."""
    if isinstance(cell, str):
        return f"'{cell}" if not isinstance(cell, DayOrTime) and _may_be_more(cell) else str(cell)
    return str(cell).replace(".", ",") if isinstance(cell, float) else cell


def _may_be_more(text: str) -> bool:
    """Whether a spreadsheet may take it for a number, a day, an error or a formula: it begins with a digit or a sign.

    A month that begins with its name is let through: who has the names in all languages?
    """
    first = unicodedata.category(text.lstrip()[:1] or "a")
    return text[:1].isspace() or first[0] in "NPC" or first in ("Sm", "Sc", "Sk")
