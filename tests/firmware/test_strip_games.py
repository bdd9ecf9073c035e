"""Whole games on the strip: the real driver, a serial line, and the controller's own program in a real MicroPython.

Kitty Paw and Pack & Stack go the same way from driven pins, in tests/test_main_job.py.
"""

from collections.abc import Callable
from pathlib import Path

import pytest

from firmware.output import strip_picture
from tests.simulators import evenings
from tests.simulators.controller import micropython_controller
from tests.simulators.strip_rig import StripRig
from tests.simulators.waiting import until

LEDS = 60


@pytest.mark.parametrize(
    "evening",
    [evenings.pack_the_essentials, evenings.if_it_fits, evenings.cat_pageant],
    ids=["pack_the_essentials", "if_it_fits", "cat_pageant"],
)
def test_every_picture_of_a_whole_game_arrives_pixel_for_pixel(
    evening: Callable[..., tuple[int, ...]], tmp_path: Path
) -> None:
    seen = set()
    with micropython_controller(tmp_path, LEDS) as (port, lamps):
        (tmp_path / "kit").mkdir()
        rig = StripRig(tmp_path / "kit", port)

        def look(phase: str) -> None:
            wanted = strip_picture.pixels(rig.app.table.light(), LEDS)
            until(lambda: lamps() == wanted, lambda: f"the strip shows {phase}")
            seen.add(wanted)

        evening(rig, look)
        rig.close()
    assert len(seen) >= 8
