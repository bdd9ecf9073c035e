"""Undo without regret on the whole kit, in small; `scripts/random undo` plays whole evenings."""

from collections.abc import Callable
from pathlib import Path

import pytest

from engine import games
from firmware.output import screens
from tests.simulators import evenings
from tests.simulators.rig import Rig
from tests.simulators.undoing import undone_evening

pytestmark = pytest.mark.slow

ACTS = 14  # things done in an evening, each undone and redone


@pytest.mark.nightly
@pytest.mark.parametrize("name", games.names())
def test_every_step_is_undone_and_redone_with_the_same_picture_and_strip(name: str, tmp_path: Path) -> None:
    found = undone_evening(tmp_path, name, 2, ACTS)
    assert found.undone > ACTS and found.seen > ACTS


def seen(rig: Rig) -> tuple[object, ...]:
    """What the kit shows, a stopwatch at its start."""
    return screens.draw(rig.playing.committed).tobytes(), rig.pixels, rig.lit, rig.scores


def all_the_way(rig: Rig, change: Callable[[Rig], Rig]) -> list[tuple[object, ...]]:
    """What is seen now and after each change by Back, until there is none any more."""
    found, before = [seen(rig)], None
    while rig.playing.play is not before:
        before = rig.playing.play
        change(rig.ok_hold()).ok_hold()
        found += [seen(rig)] if rig.playing.play is not before else []
    return found


@pytest.mark.parametrize("evening", [evenings.kitty_paw, evenings.pack_and_stack], ids=["kitty_paw", "pack_and_stack"])
def test_an_evening_with_races_is_undone_to_its_start_and_redone_to_its_end(
    evening: Callable[[Rig], tuple[int, ...]], tmp_path: Path
) -> None:
    rig = Rig(tmp_path)
    evening(rig)
    rig.after(2000)
    down = all_the_way(rig, lambda rig: rig.ok())
    assert all_the_way(rig, lambda rig: rig.arrow(1)) == down[::-1]
    assert len(down) > ACTS
    rig.close()
