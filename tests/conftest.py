"""Shared by all tests: reports of parts, what is opened is closed, and `--no-skips`: a test that is skipped fails."""

from collections.abc import Generator, Iterator
from contextlib import suppress

import pytest

from firmware.screens.canvas import Canvas
from hardware.parts import Report
from tests.simulators import opened

Canvas.strict = True  # a text that does not fit fails the test that draws it
opened.watch()
with suppress(ModuleNotFoundError):  # a guest of the lab may not have it
    from hypothesis import HealthCheck, settings

    settings.register_profile("busy", deadline=None, suppress_health_check=[HealthCheck.too_slow])  # as machines may be
    settings.load_profile("busy")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--no-skips", action="store_true", help="a test that is skipped or expected to fail is a failure")


@pytest.hookimpl(wrapper=True, tryfirst=True)  # outermost, so that it sees what pytest's own marks made of a test
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    if item.config.getoption("no_skips"):
        fail_if_skipped(report)
    return report


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_make_collect_report(
    collector: pytest.Collector,
) -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    report = yield
    if collector.config.getoption("no_skips"):
        fail_if_skipped(report)
    return report


def fail_if_skipped(report: pytest.TestReport | pytest.CollectReport) -> None:
    """Make a failure of a report that says skipped or expected to fail; its text is the reason given for that."""
    if not report.skipped:  # an unexpected pass is a failure already: xfail_strict
        return
    expected = getattr(report, "wasxfail", None)
    if expected is not None:
        reason = f"expected to fail: {expected}"
    else:
        reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr)
    report.outcome = "failed"
    report.longrepr = f"--no-skips: {reason}"


@pytest.fixture(autouse=True, scope="module")
def end_of_module() -> Iterator[None]:
    """What its fixtures have opened is closed."""
    with opened.End():
        yield


@pytest.fixture(autouse=True)
def end_of_test(end_of_module: None) -> Iterator[None]:
    """What a test has opened is closed."""
    with opened.End():
        yield


@pytest.fixture
def reports() -> list[tuple[str, str | None]]:
    """Reports of parts: the part, and its fault; None: it works again."""
    return []


@pytest.fixture
def report(reports: list[tuple[str, str | None]]) -> Report:
    """A report that ends in `reports`."""
    return lambda part, text: reports.append((part, text))
