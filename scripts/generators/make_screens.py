"""Make docs/screens: the pictures of display and strip in each phase of every game, races, and the page in a browser.

Run it after a visible change, and look at the pictures before you commit them. A test compares the sheets of display
and strip with the program; the pictures of the page need Chromium and three minutes.
"""

import argparse
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from PIL import Image

from scripts.generators import display_sheets, history_sheets, phone_sheets, shelf_sheets, strip_sheets

ROOT = Path(__file__).resolve().parents[2]

SCREENS = ROOT / "docs" / "screens"


def pages() -> None:
    """The page in each phase, by the browser's own games; and the pages of phones, boards and the history."""
    phone_sheets.save(SCREENS)
    history_sheets.save(SCREENS)
    with tempfile.TemporaryDirectory() as folder:
        env = {**os.environ, "LUCKYPAW_SCREENS": folder, "PYTHONPATH": str(ROOT)}
        subprocess.run(
            [sys.executable, "-P", "-m", "pytest", "-q", "tests/test_browser.py"], cwd=ROOT, env=env, check=True
        )
        for path in sorted(Path(folder).glob("*.png")):
            with Image.open(path) as shot:
                small = shot.convert("RGB").resize(
                    (shot.width * 2 // 3, shot.height * 2 // 3), Image.Resampling.LANCZOS
                )
            small.save(SCREENS / f"{path.stem}.jpg", quality=82, optimize=True)
            print(f"docs/screens/{path.stem}.jpg")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(
        prog="scripts/make screens", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--display", action="store_true", help="make only the sheets of display and strip")
    args = parser.parse_args()
    SCREENS.mkdir(exist_ok=True)
    for game in display_sheets.SHEETS:
        display_sheets.sheet(game).save(SCREENS / f"display_{game}.png", optimize=True)
        print(f"docs/screens/display_{game}.png")
    for name in shelf_sheets.PAGES:
        shelf_sheets.sheet(name).save(SCREENS / f"shelf_{name}.png", optimize=True)
        print(f"docs/screens/shelf_{name}.png")
    for name in strip_sheets.SHEETS:
        strip_sheets.sheet(name).save(SCREENS / f"strip_{name}.png", optimize=True)
        print(f"docs/screens/strip_{name}.png")
    if not args.display:
        pages()
