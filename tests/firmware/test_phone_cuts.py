"""Phones on a bad network: nothing acknowledged is lost, nothing counted twice. In full: scripts/random phones."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from firmware.phones.hub import Phones
from firmware.table.playing import Playing
from tests.simulators.phone_cuts import evenings

CUTS = 1500


@pytest.mark.slow
def test_nothing_is_lost_and_nothing_counted_twice(tmp_path: Path) -> None:
    found = evenings(tmp_path, CUTS // 2, 1)
    assert (found.lost, found.twice) == ([], [])
    for what in ("killed", "dropped", "doubled", "reordered", "asleep", "stale", "closed", "kept over a cut"):
        assert found.happened[what] > 5, what


def forgets(phones: Phones, phone: Any) -> int:
    """Nonces are not stored."""
    return CHANGE(phones, type(phone)(phone.id, phone.token, phone.role, phone.holds))


def drops(game: Playing) -> Any:
    """A sent number is forgotten with the next event."""
    game.sent = {}
    return ENTRY(game)


CHANGE, ENTRY = Phones._change, Playing._entry  # noqa: SLF001


@pytest.mark.nightly
@pytest.mark.parametrize(("where", "name", "fault"), [(Phones, "_change", forgets), (Playing, "_entry", drops)])
def test_a_fault_is_found(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, where: type, name: str, fault: Callable[..., Any]
) -> None:
    monkeypatch.setattr(where, name, fault)
    found = evenings(tmp_path, CUTS, 1)
    assert found.lost or found.twice
