"""`pytest --no-skips`: each way to leave a test out is a failure that names its reason."""

from pathlib import Path

import pytest

pytest_plugins = ["pytester"]

MARK = """
import pytest
@pytest.mark.skip(reason="too lazy")
def test_it(): pass
"""
CALL = """
import pytest
def test_it(): pytest.skip("too lazy")
"""
FIXTURE = """
import pytest
@pytest.fixture
def part(): pytest.skip("too lazy")
def test_it(part): pass
"""
XFAIL = """
import pytest
@pytest.mark.xfail(reason="too lazy")
def test_it(): assert False
"""
XFAIL_CALL = """
import pytest
def test_it(): pytest.xfail("too lazy")
"""
WAYS = [MARK, CALL, FIXTURE, XFAIL, XFAIL_CALL]
NAMES = ["mark", "call", "fixture", "xfail", "xfail call"]
MODULE = """
import pytest
pytest.skip("too lazy", allow_module_level=True)
"""


@pytest.fixture
def kit(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> pytest.Pytester:
    """A project of its own with this project's conftest.py, and none of the plugins around."""
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    pytester.makeconftest(Path(__file__).with_name("conftest.py").read_text())
    return pytester


@pytest.mark.parametrize("code", WAYS, ids=NAMES)
def test_a_test_left_out_fails(kit: pytest.Pytester, code: str) -> None:
    kit.makepyfile(code)
    outcomes = kit.runpytest("--no-skips").parseoutcomes()
    assert outcomes in ({"failed": 1}, {"errors": 1})  # in a fixture it is an error


@pytest.mark.parametrize("code", [*WAYS, MODULE], ids=[*NAMES, "module"])
def test_the_reason_is_told(kit: pytest.Pytester, code: str) -> None:
    kit.makepyfile(code)
    kit.runpytest("--no-skips").stdout.fnmatch_lines("*--no-skips: *too lazy*")


def test_a_module_left_out_fails(kit: pytest.Pytester) -> None:
    kit.makepyfile(MODULE)
    assert kit.runpytest("--no-skips").ret == pytest.ExitCode.INTERRUPTED


@pytest.mark.parametrize("code", WAYS, ids=NAMES)
def test_without_the_option_it_passes(kit: pytest.Pytester, code: str) -> None:
    kit.makepyfile(code)
    assert kit.runpytest().ret == pytest.ExitCode.OK


def test_a_test_that_passes_still_passes(kit: pytest.Pytester) -> None:
    kit.makepyfile("def test_it(): pass")
    assert kit.runpytest("--no-skips").parseoutcomes() == {"passed": 1}
