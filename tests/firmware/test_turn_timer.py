"""A turn against the clock: the display counts the seconds down."""

from collections.abc import Callable

import pytest

from tests.simulators.rig import Rig


def drafting(rig: Rig) -> None:
    rig.begin("Pack the Essentials", "P1", "P2", turn_timer_s=60).tap("P2").ok().ok().tap("P2")


def playing(rig: Rig) -> None:
    rig.begin("If It Fits", "P1", "P2", turn_timer_s=60).tap("P1").tap("P1").tap("P2").ok()


def adopting(rig: Rig) -> None:
    rig.begin("CAT Pageant", "P1", "P2", turn_timer_s=60, placing_countdown=0)
    for name in ("P1", "P2"):
        rig.tap(name, 3).ok().tap(name).ok().tap(name).ok().tap(name).ok().ok()
    rig.tap("P1", 2).tap("P2").ok().ok()


@pytest.mark.parametrize("begin", [drafting, playing, adopting])
def test_the_seconds_of_a_turn_are_counted_down(rig: Rig, begin: Callable[[Rig], None]) -> None:
    begin(rig)
    seen = [
        next(word for word in rig.after(1000).reads().replace("|", " ").split() if ":" in word and word[0].isdigit())
        for _ in range(4)
    ]
    minutes, seconds = map(int, seen[0].split(":"))
    assert seen == [
        f"{left // 60}:{left % 60:02}" for left in range(60 * minutes + seconds, 60 * minutes + seconds - 4, -1)
    ]
