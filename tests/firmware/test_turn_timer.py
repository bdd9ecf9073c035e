"""A turn against the clock: the display counts the seconds down."""

import re

import pytest

from tests.simulators.rig import Rig

FANCIERS = "P1*3 ok P1 ok P1 ok P1 ok*2 P2*3 ok P2 ok P2 ok P2 ok*2"


@pytest.mark.parametrize(
    "line",
    [
        "game[pack_the_essentials 2 turn_timer_s=60] P2 ok*2 P2",
        "game[if_it_fits 2 turn_timer_s=60] P1*2 P2 ok",
        f"game[cat_pageant 2 turn_timer_s=60 placing_countdown=0] {FANCIERS} P1*2 P2 ok*2",
    ],
    ids=["drafting", "playing", "adopting"],
)
def test_the_seconds_of_a_turn_are_counted_down(rig: Rig, line: str) -> None:
    rig.do(line)
    times = [re.search(r"(\d+):(\d\d)", rig.after(1000).reads()) for _ in range(4)]
    seen = [int(time[1]) * 60 + int(time[2]) for time in times if time is not None]
    assert seen == [seen[0] - n for n in range(4)]
