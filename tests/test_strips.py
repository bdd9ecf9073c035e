"""The golden pictures of the strip: what it shows must be what was looked at and committed."""

from pathlib import Path

import pytest
from PIL import Image

from scripts.generators import strips

SCREENS = Path(__file__).resolve().parent.parent / "docs" / "screens"


@pytest.mark.parametrize("name", strips.SHEETS)
def test_the_strip_looks_as_it_was_reviewed(name: str) -> None:
    with Image.open(SCREENS / f"strip_{name}.png") as golden:
        same = golden.convert("RGB").tobytes() == strips.sheet(name).tobytes()
    assert same, "the pictures have changed: run scripts/make-screens and look at docs/screens before you commit"
