"""The kernel lab: its command, and a mark for tests that need something of it."""

import subprocess
from functools import cache
from pathlib import Path

import pytest

LAB = Path(__file__).resolve().parents[2] / "scripts" / "kernel-lab"


@cache  # each question is a program that starts
def needs(*what: str) -> pytest.MarkDecorator:
    """Skip a test where one of these guests, disks and cards has not been built."""
    ready = subprocess.run([LAB, "ready", *what], check=False, capture_output=True).returncode == 0
    build = f"scripts/kernel-lab build {' '.join(what)}"
    return pytest.mark.skipif(not ready, reason=f"The kernel lab is missing, for Debian 12 on x86_64: {build}")
