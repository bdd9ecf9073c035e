"""Tables for spreadsheets: what a reader sees of each cell, by form and country; what a file of .xlsx is made of."""

import io
import posixpath
import zipfile
from typing import TypeAlias
from xml.etree import ElementTree as ET

import pytest

from firmware.spreadsheet import FORMS, Cell, DayOrTime, TableForm, form_of, written
from firmware.xlsx import LONGEST
from tests.simulators.libreoffice import Day, Shown, needs_libreoffice, read

CSV, SEMICOLON, XLSX = FORMS
BEGAN = "2026-02-08T20:15:00+01:00"
LOCALES = ("en-US", "de-DE", "zh-TW")
Seen: TypeAlias = dict[tuple[str, str], list[Shown | list[Shown]]]  # by form and locale: a cell, or what it fell into

# a cell; what stands there in each form: one thing for all locales, or one for each of them
CELLS: dict[str, tuple[Cell, object, object, object]] = {
    "a name": ("Anna", "Anna", "Anna", "Anna"),
    "letters of other scripts": ("Žofie 山田", "Žofie 山田", "Žofie 山田", "Žofie 山田"),
    "from right to left": ("שלום", "שלום", "שלום", "שלום"),
    "beyond 65,535": ("🐈", "🐈", "🐈", "🐈"),
    "a day, to some": ("1-2", "1-2", "'1-2", "1-2"),
    "a day, to others": ("3/4", "3/4", "'3/4", "3/4"),
    "zeros in front": ("00123", 123.0, "'00123", "00123"),
    "a formula": ("=1+1", "'=1+1", "'=1+1", "=1+1"),
    "a formula by plus": ("+1", "'+1", "'+1", "+1"),
    "a formula by minus": ("-1", "'-1", "'-1", "-1"),
    "a formula by at": ("@x", "'@x", "'@x", "@x"),
    "a formula in wide letters": ("＝1+1", "'＝1+1", "'＝1+1", "＝1+1"),
    "an exponent": ("1e5", 100_000.0, "'1e5", "1e5"),
    "a comma": ("1,5", ("1,5", 1.5, "1,5"), "'1,5", "1,5"),
    "a point": ("1.5", (1.5, "1.5", 1.5), "'1.5", "1.5"),
    "a day as people write it": ("2026-02-08", Day("2026-02-08"), "'2026-02-08", "2026-02-08"),
    "wide digits": ("１２", "１２", "'１２", "１２"),
    "brackets": ("(5)", "(5)", "'(5)", "(5)"),
    "an error": ("#N/A", "#N/A", "'#N/A", "#N/A"),
    "a month": ("May 2", "May 2", "May 2", "May 2"),
    "an apostrophe": ("'5", "'5", "''5", "'5"),
    "blanks": (" a  b ", " a  b ", "' a  b ", " a  b "),
    "two lines": ("a\nb", "a\nb", "a\nb", "a\nb"),
    "quotes and a comma": ('"a", b', '"a", b', '\'"a", b', '"a", b'),
    "a semicolon": ("a;b", ["a", "b"], "a;b", "a;b"),
    "a tab": ("a\tb", ["a", "b"], "a\tb", "a\tb"),
    "signs of XML": ("<b>&", "<b>&", "'<b>&", "<b>&"),
    "an escape of .xlsx": ("a_x0041_", "a_x0041_", "a_x0041_", "a_x0041_"),
    "a whole number": (-7, -7.0, -7.0, -7.0),
    "a large number": (999_999_999, 999_999_999.0, 999_999_999.0, 999_999_999.0),
    "a decimal": (7.5, (7.5, "7.5", 7.5), ("7,5", 7.5, "7,5"), 7.5),
    "a truth": (True, "True", "True", 1.0),
    "nothing": (None, None, None, None),
    "a day of the kit's": (DayOrTime("2026-02-08"), Day("2026-02-08"), Day("2026-02-08"), "2026-02-08"),
    "a moment of the kit's": (DayOrTime(BEGAN), BEGAN, BEGAN, BEGAN),
}


@pytest.fixture(scope="module")
def seen(tmp_path_factory: pytest.TempPathFactory) -> Seen:
    """Each cell between two others, so that one that falls into two is seen."""
    folder = tmp_path_factory.mktemp("tables")
    files = []
    for form in FORMS:
        files.append(folder / f"table{form.ending}")
        files[-1].write_bytes(written([["before", cell, "behind"] for cell, *_ in CELLS.values()], form))
    found: Seen = {}
    for locale in LOCALES:
        tables = read(files, locale, folder / locale)
        for form, file in zip(FORMS, files, strict=True):
            rows = tables[file.name]
            assert {(row[0], row[-1]) for row in rows} == {("before", "behind")}
            found[form.name, locale] = [row[1] if len(row) == 3 else row[1:-1] for row in rows]
    return found


@needs_libreoffice
@pytest.mark.slow
@pytest.mark.parametrize("form", FORMS, ids=[form.name for form in FORMS])
@pytest.mark.parametrize("what", CELLS)
def test_a_cell_is_seen_in_each_country(seen: Seen, what: str, form: TableForm) -> None:
    expected = CELLS[what][1 + FORMS.index(form)]
    by_locale = expected if isinstance(expected, tuple) and not isinstance(expected, Day) else (expected,) * 3
    at = list(CELLS).index(what)
    assert tuple(seen[form.name, locale][at] for locale in LOCALES) == by_locale


def test_in_xlsx_every_text_is_what_it_was() -> None:
    """What the table above says of that form, without exception."""
    assert {what for what, (cell, *_, there) in CELLS.items() if isinstance(cell, str) and cell != there} == set()


# --- .xlsx as a package ----------------------------------------------------------------------------------------------

TYPES = "{http://schemas.openxmlformats.org/package/2006/content-types}"
RELATED = "{http://schemas.openxmlformats.org/package/2006/relationships}Relationship"
MAIN = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"


def package(*row: Cell) -> dict[str, ET.Element]:
    """The parts of a file with this row, by name. All are well-formed."""
    with zipfile.ZipFile(io.BytesIO(written([row], XLSX))) as opened:
        assert opened.testzip() is None
        return {name: ET.fromstring(opened.read(name)) for name in opened.namelist()}


def texts(*row: Cell) -> list[str]:
    return [one.text or "" for one in package(*row)["xl/worksheets/sheet1.xml"].iter(f"{MAIN}t")]


def test_every_part_has_its_type_and_something_that_leads_to_it() -> None:
    parts = package("x")
    types = parts["[Content_Types].xml"]
    named = {one.get("PartName", "")[1:] for one in types.iter(f"{TYPES}Override")}
    endings = tuple(f".{one.get('Extension')}" for one in types.iter(f"{TYPES}Default"))
    led_to = set()
    for name, part in parts.items():
        if name.endswith(".rels"):
            base = posixpath.dirname(posixpath.dirname(name))
            led_to |= {posixpath.join(base, one.get("Target", "")) for one in part.iter(RELATED)}
    content = {name for name in parts if not name.endswith(endings)} - {"[Content_Types].xml"}
    assert content == named == led_to


@pytest.mark.parametrize(
    ("text", "there"),
    [
        pytest.param("a\x01b", "a_x0001_b", id="a control character"),
        pytest.param("a\r\nb", "a_x000D_\nb", id="a carriage return, which XML would make a line feed of"),
        pytest.param("a\ufffe", "a_xFFFE_", id="no character"),
        pytest.param("_x0041_", "_x005F_x0041_", id="what would be an escape"),
        pytest.param("_x41_", "_x41_", id="what would be none"),
        pytest.param("\ud800x", "\ufffdx", id="half a character"),
        pytest.param("x" * (LONGEST + 1), "x" * LONGEST, id="too long for a cell"),
        pytest.param("x" * (LONGEST - 1) + "🐈", "x" * (LONGEST - 1) + "\ufffd", id="too long by half a character"),
    ],
)
def test_what_xml_or_a_cell_cannot_have_is_written_so_that_the_file_opens(text: str, there: str) -> None:
    assert texts(text) == [there]


def test_cells_are_named_by_their_place_beyond_z() -> None:
    cells = package(*range(703))["xl/worksheets/sheet1.xml"].iter(f"{MAIN}c")
    names = [cell.get("r") for cell in cells]
    assert [names[n] for n in (0, 25, 26, 701, 702)] == ["A1", "Z1", "AA1", "ZZ1", "AAA1"]


@pytest.mark.parametrize("form", FORMS, ids=[form.name for form in FORMS])
def test_the_same_rows_give_the_same_bytes(form: TableForm, monkeypatch: pytest.MonkeyPatch) -> None:
    first = written([["a", 1]], form)
    monkeypatch.setattr("time.time", lambda: 2e9)
    assert written([["a", 1]], form) == first


@pytest.mark.parametrize(
    ("name", "form"),
    [
        ("x.csv", CSV),
        ("x.semicolon.csv", SEMICOLON),
        ("x.xlsx", XLSX),
        ("x.XLSX", XLSX),
        ("x.txt", None),
        ("xlsx", None),
    ],
)
def test_a_file_is_known_by_its_ending(name: str, form: TableForm | None) -> None:
    assert form_of(name) == form
