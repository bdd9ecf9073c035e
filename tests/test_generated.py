"""What scripts make is told apart from what people write: it is marked for Git, and says what has made it."""

import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

from firmware.fonts import sheet_file
from firmware.output.screens.font import SIZES
from hardware.building.documents import FOLDER, WIRING
from scripts.generators import check_page, display_sheets, game_pages, sheets_page, strip_sheets

ROOT = Path(__file__).resolve().parent.parent
DOCS = ROOT / "docs"
HAVE_COMMENTS = {".md", ".svg", ".txt"}


def made() -> Iterator[Path]:
    """All that scripts/build-docs, scripts/make and scripts/bench fairness write into the project."""
    yield from (path for path in (ROOT / FOLDER).rglob("*") if path.is_file())
    yield from (ROOT / WIRING, check_page.PAGE, sheets_page.PAGE)
    for game in game_pages.EVENINGS:
        yield from (game_pages.FOLDER / f"{game}.md", *(game_pages.FOLDER / game).iterdir())
    yield from (DOCS / "screens" / f"display_{name}.png" for name in display_sheets.SHEETS)
    yield from (DOCS / "screens" / f"strip_{name}.png" for name in strip_sheets.SHEETS)
    yield from (DOCS / "screens").glob("page_*.jpg")
    yield from map(sheet_file, SIZES)
    yield from (ROOT / "requirements.txt", ROOT / "requirements-build.txt", DOCS / "fairness.svg")


def test_what_a_script_makes_is_marked_as_generated(tmp_path: Path) -> None:
    subprocess.run(
        ["git", "init", "-q", tmp_path], check=True
    )  # this folder may be a release's, which is no repository
    shutil.copy(ROOT / ".gitattributes", tmp_path)
    paths = "\0".join(str(path.relative_to(ROOT)) for path in made())
    command = ["git", "-C", str(tmp_path), "check-attr", "-z", "--stdin", "linguist-generated"]
    told = subprocess.run(command, input=paths, capture_output=True, text=True, check=True).stdout.split("\0")
    assert [path for path, how in zip(told[::3], told[2::3], strict=False) if how != "set"] == []


def test_what_a_script_makes_says_by_which() -> None:
    noted = (path for path in made() if path.suffix in HAVE_COMMENTS)
    unsaid = [path for path in noted if "by scripts/" not in "".join(path.read_text().splitlines()[:2])]
    assert unsaid == []
