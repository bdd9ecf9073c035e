"""What the display shows in each phase of a whole game, on one sheet: golden pictures, looked at as pictures."""

import tempfile
from pathlib import Path

from PIL import Image

from tests import evenings
from tests.firmware.rig import Rig

GAMES = ("kitty_paw", "pack_and_stack")
ENLARGED = 3
COLUMNS = 4
GAP_PX = 6
FRAME = 90  # grey


def phases(game: str) -> list[tuple[str, Image.Image]]:
    """Each phase by name, in the order of play."""
    found: list[tuple[str, Image.Image]] = []
    with tempfile.TemporaryDirectory() as folder:
        rig = Rig(Path(folder))
        getattr(evenings, game)(rig, lambda phase: found.append((phase, rig.picture)))
        rig.close()
    return found


def sheet(game: str) -> Image.Image:
    """All phases of a game, row by row."""
    found = phases(game)
    width, height = 128 * ENLARGED, 64 * ENLARGED
    rows = -(-len(found) // COLUMNS)
    page = Image.new("L", (COLUMNS * (width + GAP_PX) + GAP_PX, rows * (height + GAP_PX) + GAP_PX), FRAME)
    for n, (_, picture) in enumerate(found):
        x, y = n % COLUMNS * (width + GAP_PX) + GAP_PX, n // COLUMNS * (height + GAP_PX) + GAP_PX
        page.paste(picture.resize((width, height)).convert("L"), (x, y))
    return page
