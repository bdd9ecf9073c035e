"""The golden pictures: what display and strip show must be what was looked at and committed."""

from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from scripts.generators import display_sheets, shelf_sheets, strip_sheets

pytestmark = pytest.mark.slow

SCREENS = Path(__file__).resolve().parent.parent / "docs" / "screens"
PICTURES = [
    *[("display", display_sheets, name) for name in display_sheets.SHEETS],
    *[("shelf", shelf_sheets, name) for name in shelf_sheets.PAGES],
    *[("strip", strip_sheets, name) for name in strip_sheets.SHEETS],
]


@pytest.mark.parametrize(("part", "made", "name"), [pytest.param(*one, id=f"{one[0]}-{one[2]}") for one in PICTURES])
def test_every_phase_looks_as_it_was_reviewed(part: str, made: Any, name: str) -> None:
    picture = made.sheet(name)
    with Image.open(SCREENS / f"{part}_{name}.png") as golden:
        same = golden.convert(picture.mode).tobytes() == picture.tobytes()
    assert same, "the pictures have changed: run scripts/make screens and look at docs/screens before you commit"
