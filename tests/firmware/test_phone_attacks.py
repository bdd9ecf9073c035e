"""Phones that have joined and mean ill get no further than the figures in docs/measurements.md."""

from pathlib import Path

import pytest

from tests.simulators.phone_attacks import ROWS, TRIES, Up

FOUND = (
    *(0, 0, "C", 0, 0, 20),
    *(Up(50, 3, 10.0), Up(7, 3, 9.9), Up(41, 20, 1.9), Up(7, 3, 9.9), Up(1, 6, 9.9), Up(7, 3, 9.9)),
    0,
)


# only at night; what stops these attacks is tried in tests/firmware/test_phone_wishes.py
LONG = (f"of {TRIES}", "ten minutes", "`end`", "percent")
ATTACKS = [
    pytest.param(what, found, id=what, marks=[pytest.mark.nightly] * any(word in what for word in LONG))
    for what, found in zip(ROWS, FOUND, strict=True)
]


@pytest.mark.slow
@pytest.mark.parametrize(("what", "found"), ATTACKS)
def test_so_far_and_no_further(what: str, found: object, tmp_path: Path) -> None:
    assert ROWS[what](tmp_path) == found
