"""A table as .xlsx: the least that ECMA-376, part 1, asks for, with the texts within their cells."""

import io
import re
import zipfile
from collections.abc import Iterable, Sequence
from html import escape

LONGEST = 32_767  # UTF-16 units of a cell, to Excel; far more than any text of the kit's has
UNFIT = re.compile("[^\t\n\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")  # what XML cannot have, or keeps as another
ESCAPED = re.compile("_(?=x[0-9A-Fa-f]{4}_)")  # what a reader would take for an escaped letter

HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
PACKAGE = "http://schemas.openxmlformats.org/package/2006"
SHEET_TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml"
TEXT = 1  # a cell's style: text, also once somebody has edited it
PARTS = {
    "[Content_Types].xml": f'<Types xmlns="{PACKAGE}/content-types">'
    '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
    f'<Override PartName="/xl/workbook.xml" ContentType="{SHEET_TYPE}.sheet.main+xml"/>'
    f'<Override PartName="/xl/worksheets/sheet1.xml" ContentType="{SHEET_TYPE}.worksheet+xml"/>'
    f'<Override PartName="/xl/styles.xml" ContentType="{SHEET_TYPE}.styles+xml"/></Types>',
    "_rels/.rels": f'<Relationships xmlns="{PACKAGE}/relationships">'
    f'<Relationship Id="rId1" Type="{OFFICE}/officeDocument" Target="xl/workbook.xml"/></Relationships>',
    "xl/workbook.xml": f'<workbook xmlns="{MAIN}" xmlns:r="{OFFICE}">'
    '<sheets><sheet name="Lucky Paw" sheetId="1" r:id="rId1"/></sheets></workbook>',
    "xl/_rels/workbook.xml.rels": f'<Relationships xmlns="{PACKAGE}/relationships">'
    f'<Relationship Id="rId1" Type="{OFFICE}/worksheet" Target="worksheets/sheet1.xml"/>'
    f'<Relationship Id="rId2" Type="{OFFICE}/styles" Target="styles.xml"/></Relationships>',
    "xl/styles.xml": f'<styleSheet xmlns="{MAIN}">'
    '<fonts count="1"><font><sz val="11"/><name val="Calibri"/></font></fonts>'
    '<fills count="2"><fill><patternFill patternType="none"/></fill>'
    '<fill><patternFill patternType="gray125"/></fill></fills>'
    '<borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs>'
    '<cellXfs count="2"><xf xfId="0"/><xf xfId="0" numFmtId="49" applyNumberFormat="1"/></cellXfs></styleSheet>',
}


def workbook(rows: Iterable[Sequence[str | float | None]]) -> bytes:
    """A whole file with one sheet. The same rows give the same bytes."""

    def part(name: str) -> zipfile.ZipInfo:
        """With the first day of ZIP for its date."""
        found = zipfile.ZipInfo(name)
        found.compress_type = zipfile.ZIP_DEFLATED
        return found

    whole = io.BytesIO()
    with zipfile.ZipFile(whole, "w") as package:
        for name, content in PARTS.items():
            package.writestr(part(name), HEAD + content)
        with package.open(part("xl/worksheets/sheet1.xml"), "w") as sheet:
            sheet.write(f'{HEAD}<worksheet xmlns="{MAIN}">'.encode())
            sheet.write(b'<sheetFormatPr defaultColWidth="14" defaultRowHeight="15"/><sheetData>')
            for number, row in enumerate(rows, 1):
                cells = "".join(_cell(f"{_column(n)}{number}", cell) for n, cell in enumerate(row))
                sheet.write(f'<row r="{number}">{cells}</row>'.encode())
            sheet.write(b"</sheetData></worksheet>")
    return whole.getvalue()


def _column(n: int) -> str:
    """A column's letters: A to Z, AA, AB ..."""
    return (_column(n // 26 - 1) if n >= 26 else "") + chr(ord("A") + n % 26)


def _cell(place: str, cell: str | float | None) -> str:
    if cell is None:
        return ""
    if isinstance(cell, bool):
        return f'<c r="{place}" t="b"><v>{cell:d}</v></c>'
    if not isinstance(cell, str):
        return f'<c r="{place}"><v>{cell!r}</v></c>'
    return f'<c r="{place}" s="{TEXT}" t="inlineStr"><is><t xml:space="preserve">{_text(cell)}</t></is></c>'


def _text(text: str) -> str:
    """A text as XML, of the length that fits a cell. What XML cannot have is `_x0001_`, as the standard says."""
    fits = text.encode("utf-16-le", "surrogatepass")[: 2 * LONGEST].decode("utf-16-le", "replace")
    return escape(UNFIT.sub(lambda found: f"_x{ord(found[0]):04X}_", ESCAPED.sub("_x005F_", fits)), quote=False)
