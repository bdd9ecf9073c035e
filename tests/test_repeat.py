"""`pytest --repeat N`: each test so often, with every processor busy meanwhile."""

from pathlib import Path

import pytest

pytest_plugins = ["pytester"]

CODE = """
import os, pytest

@pytest.mark.parametrize("one", "ab")
def test_it(one):
    children = open(f"/proc/self/task/{os.getpid()}/children").read().split()
    assert len(children) >= os.cpu_count()
"""


@pytest.fixture
def done(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> pytest.RunResult:
    """A project of its own with this project's conftest.py, repeated three times."""
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    pytester.makeconftest(Path(__file__).with_name("conftest.py").read_text())
    pytester.makepyfile(CODE)
    return pytester.runpytest_subprocess("--repeat", "3")


def test_each_test_runs_so_often_beside_a_program_on_every_processor(done: pytest.RunResult) -> None:
    assert done.parseoutcomes() == {"passed": 6}
