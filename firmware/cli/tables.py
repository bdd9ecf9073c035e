"""Tables that commands print."""

import sys
from collections.abc import Iterable

from firmware.cli import Failure
from firmware.spreadsheet import Row, TableForm, write_csv, written
from firmware.translation import _


def print_table(rows: Iterable[Row], form: TableForm) -> None:
    """Print a table: CSV as text of this terminal, other forms as the file that they are. Raises `Failure`."""
    if form.name == "csv":
        write_csv(rows, sys.stdout)
    elif form.ending == ".xlsx" and sys.stdout.isatty():
        raise Failure(_("no terminal shows .xlsx: put > table.xlsx behind the command"))
    else:
        sys.stdout.buffer.write(written(rows, form))
