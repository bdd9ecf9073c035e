"""Phones on a bad network: nothing acknowledged is lost, nothing counted twice. In full: scripts/random phones."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from firmware.phones.hub import Phones
from firmware.table.half_entered import HalfEntered
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


def drops(entered: HalfEntered) -> Any:
    """A sent number is forgotten with the next event."""
    entered.sent = {}
    return FRESH(entered)


CHANGE, FRESH = Phones.change, HalfEntered.fresh


@pytest.mark.nightly
@pytest.mark.parametrize(("where", "name", "fault"), [(Phones, "change", forgets), (HalfEntered, "fresh", drops)])
def test_a_fault_is_found(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, where: type, name: str, fault: Callable[..., Any]
) -> None:
    monkeypatch.setattr(where, name, fault)
    found = evenings(tmp_path, CUTS, 1)
    assert found.lost or found.twice
