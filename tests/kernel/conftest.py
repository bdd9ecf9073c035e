"""Tests on a kernel that simulates GPIO chips. They run in the kernel lab only, which says so by LUCKYPAW_LAB."""

import os
from collections.abc import Iterator
from typing import Any

import pytest

from hardware.parts.gpio.gpiod_factory import GpiodFactory
from tests.kernel.ear import Ear
from tests.simulators.sim_chip import SimChip

# what a machine leaves out: a host all of it, QEMU (two slow CPUs) what User-Mode Linux (one) runs, and the reverse
LEFT_OUT = {"uml": ["two_cpus/*"], "qemu": ["test_*.py"]}
collect_ignore_glob = LEFT_OUT.get(os.environ.get("LUCKYPAW_LAB", ""), ["*"])


@pytest.fixture
def chip() -> Iterator[SimChip]:
    """A chip like a Raspberry Pi 4's, the only one in the machine: lgpio looks for it by its number 0."""
    with SimChip() as chip:
        yield chip


@pytest.fixture
def factory(chip: SimChip) -> Iterator[Any]:
    """Our pin factory on that chip."""
    with GpiodFactory() as factory:
        yield factory


@pytest.fixture
def ear() -> Ear:
    """What pins call back with."""
    return Ear()
