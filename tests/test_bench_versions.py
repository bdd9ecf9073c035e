"""scripts/bench-versions: what it compares, and what it refuses to compare."""

from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader
from pathlib import Path
from typing import Any

import pytest

from tests.simulators.program import ROOT, run

SCRIPT = "scripts/bench-versions"


@pytest.fixture(scope="module")
def bench() -> Any:
    loader = SourceFileLoader("bench_versions", str(ROOT / SCRIPT))
    spec = spec_from_loader(loader.name, loader)
    assert spec is not None
    module = module_from_spec(spec)
    loader.exec_module(module)
    return module


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
    bench: Any, new: list[float], again: list[float], *, worse: bool
) -> None:
    assert bench.compared([10.0, 10.0, 10.0], new, again)["worse"] == worse


def test_each_round_is_compared_within_itself(bench: Any) -> None:
    assert bench.compared([10.0, 20.0, 40.0], [11.0, 22.0, 44.0], [10.0, 20.0, 40.0])["ratio"] == 1.1


def test_modules_of_another_tree_are_not_measured(tmp_path: Path) -> None:
    ran = run("-m", "tests.simulators.measured_version", tmp_path, "rules")
    assert (ran.returncode, ran.stdout) == (1, "")
    assert f", not of {tmp_path}" in ran.stderr


def test_the_name_of_no_commit_gets_a_line() -> None:
    ran = run(SCRIPT, "no-such-commit")
    assert (ran.returncode, ran.stderr) == (1, "bench-versions: no-such-commit: no such commit\n")
