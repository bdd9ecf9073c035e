"""What a machine may lack so that tests are left out; scripts/test tells it, with how to get it.

Each such test is marked: `pytest.mark.skipif(..., reason="Graphviz is missing: sudo apt install graphviz")`.
"""

from collections.abc import Iterable, Iterator
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import pytest

PACKAGES = Path(__file__).with_name("may_be_missing.txt")


def packages() -> dict[str, str]:
    """Those that may be missing everywhere, with what a test that needs one is skipped for."""
    lines = [line for line in PACKAGES.read_text().splitlines() if not line.startswith("#")]
    return {line.split(":")[0]: line.replace(":", " is missing:", 1) for line in lines}


def needs(package: str) -> pytest.MarkDecorator:
    """The mark of a test that needs one of them."""
    try:
        there = bool(version(package))
    except PackageNotFoundError:
        there = False
    return pytest.mark.skipif(not there, reason=packages()[package])


def told(report: pytest.TestReport | pytest.CollectReport) -> str:
    """What a skipped test was skipped for."""
    reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr)
    return reason.removeprefix("Skipped: ")


def of_deselected(items: Iterable[pytest.Item]) -> Iterator[str]:
    """What tests that were not selected would be skipped for."""
    for item in items:
        yield from (mark.kwargs["reason"] for mark in item.iter_markers("skipif") if any(mark.args))
