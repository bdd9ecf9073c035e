"""`pytest --no-skips`: each way to leave a test out is a failure that names its reason."""

from pathlib import Path

import pytest

pytest_plugins = ["pytester"]

WAYS = {
    "mark": '@pytest.mark.skip(reason="too lazy")\ndef test_it(): pass',
    "call": 'def test_it(): pytest.skip("too lazy")',
    "fixture": '@pytest.fixture\ndef part(): pytest.skip("too lazy")\ndef test_it(part): pass',
    "xfail": '@pytest.mark.xfail(reason="too lazy")\ndef test_it(): assert False',
    "xfail call": 'def test_it(): pytest.xfail("too lazy")',
}
MODULE = 'pytest.skip("too lazy", allow_module_level=True)'
TOLD = "*--no-skips: *too lazy*"

each_way = pytest.mark.parametrize("code", WAYS.values(), ids=WAYS)


@pytest.fixture
def kit(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> pytest.Pytester:
    """A project of its own with this project's conftest.py, and none of the plugins around."""
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    pytester.makeconftest(Path(__file__).with_name("conftest.py").read_text())
    return pytester


def run(kit: pytest.Pytester, code: str, *options: str) -> pytest.RunResult:
    kit.makepyfile(f"import pytest\n{code}\n")
    return kit.runpytest(*options)


@each_way
def test_a_test_left_out_fails_and_the_reason_is_told(kit: pytest.Pytester, code: str) -> None:
    done = run(kit, code, "--no-skips")
    assert done.parseoutcomes() in ({"failed": 1}, {"errors": 1})  # in a fixture it is an error
    done.stdout.fnmatch_lines(TOLD)


def test_a_module_left_out_fails_and_the_reason_is_told(kit: pytest.Pytester) -> None:
    done = run(kit, MODULE, "--no-skips")
    assert done.ret == pytest.ExitCode.INTERRUPTED
    done.stdout.fnmatch_lines(TOLD)


@each_way
def test_without_the_option_it_passes(kit: pytest.Pytester, code: str) -> None:
    assert run(kit, code).ret == pytest.ExitCode.OK


def test_a_test_that_passes_still_passes(kit: pytest.Pytester) -> None:
    assert run(kit, "def test_it(): pass", "--no-skips").parseoutcomes() == {"passed": 1}
