"""LibreOffice as people have it in their country: what it makes of a table that was handed over to them.

CSV is opened with what LibreOffice's dialog proposes. It knows UTF-8 by the mark, takes a comma, a semicolon and a tab
for separators, and looks for no days, times and formulas. Without the dialog LibreOffice would read other letters, and
take a comma alone.
"""

import shutil
import subprocess
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple, TypeAlias
from xml.etree import ElementTree as ET

import pytest

from tests.simulators.waiting import PATIENCE_S

SOFFICE = shutil.which("soffice")
needs_libreoffice = pytest.mark.skipif(
    SOFFICE is None, reason="LibreOffice is missing: sudo apt install libreoffice-calc-nogui"
)
# separators, quotes, UTF-8, from line 1, the columns' kinds, the locale's language, quoted is text, special numbers,
# four for other things, formulas
DIALOG = "Text - txt - csv (StarCalc):44/59/9,34,76,1,,0,false,false,,,,,false"
PROFILE = """<?xml version="1.0" encoding="UTF-8"?>
<oor:items xmlns:oor="http://openoffice.org/2001/registry"><item oor:path="/org.openoffice.Setup/L10N">
<prop oor:name="ooSetupSystemLocale" oor:op="fuse"><value>{locale}</value></prop></item></oor:items>
"""
OASIS = "{urn:oasis:names:tc:opendocument:xmlns:"
TABLE, OFFICE, TEXT = OASIS + "table:1.0}", OASIS + "office:1.0}", OASIS + "text:1.0}"


class Day(NamedTuple):
    """A cell that was taken for a day."""

    iso: str


class Formula(NamedTuple):
    """A cell that reckons."""

    of: str


Shown: TypeAlias = str | float | Day | Formula | None  # what a cell is; a truth is 1 or 0


def read(files: Iterable[Path], locale: str, folder: Path) -> dict[str, list[list[Shown]]]:
    """The cells of each file, by its name. `folder`: for what LibreOffice writes; of its own."""
    user = folder / "profile" / "user"
    user.mkdir(parents=True)
    (user / "registrymodifications.xcu").write_text(PROFILE.format(locale=locale))
    found: dict[str, list[list[Shown]]] = {}
    by_kind: dict[str, list[Path]] = {}
    for file in files:
        by_kind.setdefault(file.suffix, []).append(file)
    for kind, those in by_kind.items():
        dialog = [f"--infilter={DIALOG}"] if kind == ".csv" else []
        command = [str(SOFFICE), f"-env:UserInstallation={user.parent.as_uri()}", "--headless", *dialog]
        made = folder / f"from{kind}"
        subprocess.run(
            [*command, "--convert-to", "fods", "--outdir", made, *those],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            check=True,
            timeout=PATIENCE_S,
        )
        found |= {file.name: list(_rows(made / f"{file.stem}.fods")) for file in those}
    return found


def _rows(file: Path) -> Iterator[list[Shown]]:
    for row in ET.parse(file).iter(f"{TABLE}table-row"):
        cells: list[Shown] = []
        for cell in row.iter(f"{TABLE}table-cell"):
            cells += [_shown(cell)] * int(cell.get(f"{TABLE}number-columns-repeated", "1"))
        while cells and cells[-1] is None:
            cells.pop()
        if cells:
            yield cells


def _shown(cell: ET.Element) -> Shown:
    match cell.get(f"{OFFICE}value-type"):
        case None:
            return None
        case _ if (formula := cell.get(f"{TABLE}formula")) not in (None, "of:=TRUE()", "of:=FALSE()"):
            return Formula(str(formula))
        case "string":
            return "\n".join("".join(_letters(line)) for line in cell.iter(f"{TEXT}p"))
        case "date":
            return Day(str(cell.get(f"{OFFICE}date-value")))
        case "boolean":
            return float(cell.get(f"{OFFICE}boolean-value") == "true")
        case kind:
            assert kind == "float", kind
            return float(str(cell.get(f"{OFFICE}value")))


def _letters(line: ET.Element) -> Iterator[str]:
    yield line.text or ""
    for part in line:
        yield {f"{TEXT}s": " ", f"{TEXT}tab": "\t"}.get(part.tag, "") * int(part.get(f"{TEXT}c", "1"))
        yield from (*_letters(part), part.tail or "")
