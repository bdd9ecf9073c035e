"""Tests can fail: each line of `known_faults.toml` that is made wrong turns the test named beside it red.

Whoever moves a line moves its fault; whoever removes a test names the one that finds its fault from then on. Ten faults
are tried by day, by turns as the commit's name falls; all of them at night.
"""

import re
import shutil
import subprocess
import sys
import tomllib
from collections import Counter
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.simulators.program import ROOT
from tests.simulators.without_coverage import untraced_environ

PRODUCT = ("engine", "firmware", "hardware")
PYTEST = (sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:xdist", "-m", "")
BY_DAY = 10
FEWEST = 3  # a room


class Fault(NamedTuple):
    """One line that is made wrong."""

    file: str
    old: str  # without its indentation; it stands once in the file
    new: str
    test: str  # as pytest names it: the only one that is run

    def made_in(self, text: str) -> str:
        """A file's text with this fault. Raises `ValueError` where the line does not stand there once."""
        made, found = re.subn(
            rf"^([ \t]*){re.escape(self.old)}$", lambda at: at[1] + self.new, text, flags=re.MULTILINE
        )
        if found != 1:
            raise ValueError(f"{self.file} has {found} lines {self.old!r}: move the fault to where the line went")
        return made


def room(file: Path) -> str:
    """The folder of the product that a file is in; what lies deeper belongs to it."""
    return "/".join(file.parts[:-1][:2])


FAULTS = [Fault(**one) for one in tomllib.loads((ROOT / "tests/known_faults.toml").read_text("utf-8"))["fault"]]


def by_day() -> set[int]:
    """The turn of this commit."""
    head = subprocess.run(["git", "rev-parse", "HEAD"], cwd=ROOT, capture_output=True, text=True, check=False).stdout
    first = int(head[:8] or "0", 16) * BY_DAY
    return {(first + n) % len(FAULTS) for n in range(BY_DAY)}


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The project, to be made wrong."""
    place = tmp_path_factory.mktemp("copy") / "project"
    # what is compiled is copied: it saves a second each
    without = shutil.ignore_patterns(".git", ".venv*", ".*_cache", "*.egg-info", ".lgd-*")
    shutil.copytree(ROOT, place, ignore=without, symlinks=True)
    return place


TODAY = by_day()
TURNS = [
    pytest.param(one, marks=getattr(pytest.mark, "slow" if n in TODAY else "nightly")) for n, one in enumerate(FAULTS)
]


@pytest.mark.parametrize("fault", TURNS, ids=lambda fault: f"{fault.file}: {fault.old}")
def test_a_fault_is_found_by_its_test(copy: Path, fault: Fault) -> None:
    file = copy / fault.file
    sound = file.read_text("utf-8")
    env = untraced_environ() | {"PYTHONPATH": str(copy), "PYTHONDONTWRITEBYTECODE": "1"}
    file.write_text(fault.made_in(sound), "utf-8")
    try:
        done = subprocess.run([*PYTEST, fault.test], cwd=copy, env=env, capture_output=True, text=True, check=False)
    finally:
        file.write_text(sound, "utf-8")
    assert done.returncode == pytest.ExitCode.TESTS_FAILED, done.stdout + done.stderr


def test_each_fault_can_be_made() -> None:
    for fault in FAULTS:
        assert fault.new != fault.old
        fault.made_in((ROOT / fault.file).read_text("utf-8"))
        file, name = fault.test.split("::")
        there = rf"^(def )?{name.partition('[')[0]}( =|\()"
        assert re.search(there, (ROOT / file).read_text("utf-8"), re.MULTILINE), fault


def test_each_room_has_three() -> None:
    files = [file.relative_to(ROOT) for top in PRODUCT for file in (ROOT / top).rglob("*.py")]
    faults = Counter(room(Path(fault.file)) for fault in FAULTS)
    assert {room(file) for file in files if file.name != "__init__.py" and faults[room(file)] < FEWEST} == set()


def test_no_line_is_made_wrong_twice() -> None:
    assert [line for line, many in Counter((fault.file, fault.old) for fault in FAULTS).items() if many > 1] == []
