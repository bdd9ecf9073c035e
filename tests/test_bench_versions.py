"""scripts/bench versions: what it compares, and what it refuses to compare."""

from pathlib import Path

import pytest

from scripts.benches.versions import compared
from tests.simulators.program import run

SCRIPT = ("-m", "scripts.benches.versions")


@pytest.mark.parametrize(
    ("new", "again", "worse"),
    [
        ([10.1, 10.1, 10.1], [10.0, 10.0, 10.0], False),
        ([10.3, 10.3, 10.3], [10.0, 10.0, 10.0], True),
        ([10.3, 10.3, 10.3], [10.2, 10.2, 10.2], False),
        ([10.3, 10.3, 10.3], [9.8, 9.8, 9.8], False),
        ([10.0, 10.0, 99.0], [10.0, 10.0, 10.0], False),
        ([5.0, 5.0, 5.0], [10.0, 10.0, 10.0], False),
    ],
)
def test_a_row_is_worse_by_more_than_two_percent_above_what_equal_runs_differ(
    new: list[float], again: list[float], *, worse: bool
) -> None:
    assert compared([10.0, 10.0, 10.0], new, again)["worse"] == worse


def test_each_round_is_compared_within_itself() -> None:
    assert compared([10.0, 20.0, 40.0], [11.0, 22.0, 44.0], [10.0, 20.0, 40.0])["ratio"] == 1.1


def test_modules_of_another_tree_are_not_measured(tmp_path: Path) -> None:
    ran = run("-m", "tests.simulators.measured_version", tmp_path, "rules")
    assert (ran.returncode, ran.stdout) == (1, "")
    assert f", not of {tmp_path}" in ran.stderr


def test_the_name_of_no_commit_gets_a_line() -> None:
    ran = run(*SCRIPT, "no-such-commit")
    assert (ran.returncode, ran.stderr) == (1, "scripts/bench versions: no-such-commit: no such commit\n")
