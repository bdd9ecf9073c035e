"""The golden pictures: what the display shows must be what was looked at and committed."""

from pathlib import Path

import pytest
from PIL import Image

from scripts.generators import sheets

SCREENS = Path(__file__).resolve().parent.parent / "docs" / "screens"


@pytest.mark.parametrize("game", sheets.SHEETS)
def test_every_phase_looks_as_it_was_reviewed(game: str) -> None:
    with Image.open(SCREENS / f"display_{game}.png") as golden:
        same = golden.convert("L").tobytes() == sheets.sheet(game).tobytes()
    assert same, "the pictures have changed: run scripts/make-screens and look at docs/screens before you commit"
