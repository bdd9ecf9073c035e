"""`scripts/check` says so when `scripts/nightly` has not run for more than a week."""

import subprocess
from pathlib import Path

import pytest

LIB = Path(__file__).resolve().parent.parent / "scripts" / "lib.sh"
TODAY = "2027-03-09"


@pytest.mark.parametrize(
    ("page", "note"),
    [
        pytest.param("Last run: 2027-03-02, commit 1a2b3c4, 240 minutes.", "", id="a week ago"),
        pytest.param("Last run: 2027-03-01, commit 1a2b3c4, 240 minutes.", "last ran 8 days ago", id="longer ago"),
        pytest.param("No run yet.", "has not run yet", id="never"),
    ],
)
def test_a_last_run_more_than_a_week_ago_is_noted(page: str, note: str, tmp_path: Path) -> None:
    (tmp_path / "page.md").write_text(f"# Measurements\n\n{page}\n")
    command = f"source {LIB}; stale_nightly {tmp_path}/page.md {TODAY}"
    said = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=True).stdout
    assert (note in said, bool(said)) == (True, bool(note))
