"""`scripts/check` says so when a row of `scripts/nightly` is older than a week."""

import subprocess
from pathlib import Path

import pytest

LIB = Path(__file__).resolve().parent.parent / "scripts" / "lib.sh"
TODAY = "2027-03-09"


@pytest.mark.parametrize(
    ("days", "note"),
    [
        pytest.param(["2027-03-02"], "", id="a week ago"),
        pytest.param(["2027-03-09", "2027-03-01", "2027-03-08"], "a row of scripts/nightly is 8 days", id="longer ago"),
        pytest.param([], "has not run yet", id="never"),
    ],
)
def test_a_row_more_than_a_week_old_is_noted(days: list[str], note: str, tmp_path: Path) -> None:
    rows = [f"| `scripts/some --seed $seed` | {day} | 1a2b3c4 | 3 | all right |" for day in days]
    table = ["| command | day | commit | minutes | result |", "|---|---|---|---|---|", *rows]
    other = "| a card | 2026-01-01 | 4 GB |"
    lines = ["# Measurements", other, "<!-- nightly -->", *table, "<!-- end of nightly -->", other]
    (tmp_path / "page.md").write_text("\n".join(lines) + "\n")
    command = f"source {LIB}; stale_nightly {tmp_path}/page.md {TODAY}"
    said = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=True).stdout
    assert (note in said, bool(said)) == (True, bool(note))
