"""Fixtures of the tests of real twins: gpiozero's mock pins, and a clock for them."""

import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from hardware.parts.gpio import open_factory
from tests.simulators.waiting import comes


@pytest.fixture
def factory() -> Any:
    """A mock pin factory of its own for each test; `factory.pin(5).drive_low()` closes the contact on GPIO 5."""
    return open_factory("mock").inputs


@pytest.fixture
def set_time(monkeypatch: pytest.MonkeyPatch) -> Callable[[int], None]:
    """Sets the time, in ns, at which mock pins change from now on."""
    at_ns = 0

    def set_ns(now_ns: int) -> None:
        nonlocal at_ns
        at_ns = now_ns

    monkeypatch.setattr("gpiozero.pins.mock.monotonic", lambda: at_ns / 1e9)
    return set_ns


@pytest.fixture(autouse=True)
def nothing_is_tried_again() -> Iterator[None]:
    """A test closes what it opens; with it ends the thread that tries lost lines again."""
    yield
    assert comes(lambda: "lost-lines" not in [thread.name for thread in threading.enumerate()])
