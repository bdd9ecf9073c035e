"""Shared by all tests: reports of parts, what is opened is closed, `--no-skips` and `--repeat`."""

import gc
import os
import subprocess
import sys
import tempfile
from collections.abc import Generator, Iterator, Sequence
from contextlib import suppress
from pathlib import Path

import pytest

from firmware.output.screens.canvas import Canvas
from hardware.mounts import volatile
from hardware.parts import Report
from tests import missing
from tests.simulators import resource_leaks, unsynced_journal

DISK = Path("/var/tmp")
if volatile(Path(tempfile.gettempdir())) and not volatile(DISK):  # the kit says where its games are not on a disk
    tempfile.tempdir = os.environ["TMPDIR"] = str(DISK)
Canvas.strict = True  # a text that does not fit fails the test that draws it
resource_leaks.watch()
unsynced_journal.hasten()
with suppress(ModuleNotFoundError):  # a guest of the lab may not have it
    from hypothesis import HealthCheck, settings

    settings.register_profile("busy", deadline=None, suppress_health_check=[HealthCheck.too_slow])  # as machines may be
    settings.load_profile("busy")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--no-skips", action="store_true", help="a test that is skipped or expected to fail is a failure")
    parser.addoption(
        "--may-be-missing",
        action="store_true",
        help="with --no-skips: a test that needs a package of tests/may_be_missing.txt may be skipped",
    )
    parser.addoption(
        "--left-out", type=Path, metavar="FILE", help="append to it what is missing here, of which tests are left out"
    )
    parser.addoption(
        "--repeat",
        type=int,
        default=0,
        metavar="N",
        help="run each test N times, with every processor busy: what waits for the machine shows it",
    )


@pytest.fixture
def repetition() -> None:
    """Which one it is, in the name of a test that is repeated."""


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if times := metafunc.config.getoption("repeat"):
        metafunc.fixturenames.append("repetition")
        metafunc.parametrize("repetition", range(times), indirect=True)


def pytest_collection_finish() -> None:
    """What is there for good is not looked through with each round of the garbage collector, and rounds are seldom."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000)


BUSY = "import os, sys\nwhile os.getppid() == int(sys.argv[1]): pass"  # it ends with the tests, however they end


def pytest_sessionstart(session: pytest.Session) -> None:
    """Keep every processor busy, once for all processes that run tests."""
    config = session.config
    if not config.getoption("repeat") or hasattr(config, "workerinput"):
        return
    command = [sys.executable, "-c", BUSY, str(os.getpid())]
    busy = [subprocess.Popen(command) for _ in range(os.cpu_count() or 1)]

    def rest() -> None:
        for each in busy:
            with each:
                each.kill()

    config.add_cleanup(rest)


@pytest.hookimpl(wrapper=True, tryfirst=True)  # outermost, so that it sees what pytest's own marks made of a test
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    judge_skip(item.config, report)
    return report


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_make_collect_report(
    collector: pytest.Collector,
) -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    report = yield
    judge_skip(collector.config, report)
    return report


def judge_skip(config: pytest.Config, report: pytest.TestReport | pytest.CollectReport) -> None:
    """Note why a test is skipped. With --no-skips make a failure of it, and of one that is expected to fail."""
    if not report.skipped:  # an unexpected pass is a failure already: xfail_strict
        return
    expected = getattr(report, "wasxfail", None)
    if expected is None:
        reason = missing.told(report)
        note_left_out(config, [reason])
    else:
        reason = f"expected to fail: {expected}"
    if not config.getoption("no_skips"):
        return
    if config.getoption("may_be_missing") and reason in missing.packages().values():
        return
    if expected is not None:
        delattr(report, "wasxfail")  # else it does not count for the exit status
    report.outcome = "failed"
    report.longrepr = f"--no-skips: {reason}"


def pytest_deselected(items: Sequence[pytest.Item]) -> None:
    """They are left out for what is missing, too."""
    if items:
        note_left_out(items[0].config, sorted(set(missing.of_deselected(items))))


def note_left_out(config: pytest.Config, reasons: list[str]) -> None:
    """Each of the processes that run tests appends its own."""
    file: Path | None = config.getoption("left_out")
    if file is not None:
        with file.open("a") as out:
            out.writelines(f"{reason}\n" for reason in reasons)


@pytest.fixture(autouse=True, scope="module")
def end_of_module() -> Iterator[None]:
    """What its fixtures have opened is closed."""
    with resource_leaks.End():
        yield


@pytest.fixture(autouse=True)
def end_of_test(end_of_module: None) -> Iterator[None]:
    """What a test has opened is closed."""
    with resource_leaks.End():
        yield


@pytest.fixture
def reports() -> list[tuple[str, str | None]]:
    """Reports of parts: the part, and its fault; None: it works again."""
    return []


@pytest.fixture
def report(reports: list[tuple[str, str | None]]) -> Report:
    """A report that ends in `reports`."""
    return lambda part, text: reports.append((part, text))
