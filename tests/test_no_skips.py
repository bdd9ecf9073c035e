"""`pytest --no-skips`: each way to leave a test out is a failure that names its reason; what is left out is told."""

import re
import tomllib
from pathlib import Path

import pytest

from tests import missing

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
    assert done.ret == pytest.ExitCode.TESTS_FAILED
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


ALLOWED = "--no-skips", "--may-be-missing"


@pytest.mark.parametrize("reason", missing.packages().values(), ids=missing.packages())
def test_a_test_may_need_a_package_that_may_be_missing(kit: pytest.Pytester, reason: str) -> None:
    code = f"def test_it(): pytest.skip({reason!r})"
    assert run(kit, code, *ALLOWED).parseoutcomes() == {"skipped": 1}
    assert run(kit, code, "--no-skips").parseoutcomes() == {"failed": 1}


@each_way
def test_where_packages_may_be_missing_nothing_else_may(kit: pytest.Pytester, code: str) -> None:
    assert run(kit, code, *ALLOWED).ret == pytest.ExitCode.TESTS_FAILED


def test_what_may_be_missing_is_what_the_newest_pythons_are_not_asked_for() -> None:
    project = tomllib.loads(Path(__file__).parents[1].joinpath("pyproject.toml").read_text())["project"]
    asked = {text for extra in project["optional-dependencies"].values() for text in extra if "python_version" in text}
    assert {re.split("[<>=]", text)[0] for text in asked} == set(missing.packages())


@pytest.mark.parametrize("options", [(), ("-m", "not slow")], ids=["skipped", "not even selected"])
def test_what_was_missing_is_told_with_the_way_to_get_it(kit: pytest.Pytester, options: tuple[str, ...]) -> None:
    file = kit.path / "left out"
    kit.makeini("[pytest]\nmarkers = slow")
    code = """
@pytest.mark.skipif(True, reason="Cats are missing: sudo apt install cat")
@pytest.mark.slow
@pytest.mark.parametrize("n", [1, 2])
def test_it(n): pass

@pytest.mark.skipif(False, reason="Dogs are missing: sudo apt install dog")
@pytest.mark.slow
def test_another(): pass
"""
    run(kit, code, f"--left-out={file}", *options)
    assert set(file.read_text().splitlines()) == {"Cats are missing: sudo apt install cat"}
