"""One program at a time has the kit's parts, or the games of a folder."""

import os
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from hardware import one_program
from hardware.one_program import Holder, InUse, hold_games, hold_parts, parts_holder, refuse_parts
from tests.simulators.machine_for_doctor import locked
from tests.simulators.program import Program

HOLDS = """
import sys
from hardware import one_program
from pathlib import Path
with one_program.{}(Path(sys.argv[1])):
    print("ready", flush=True)
    sys.stdin.read()
"""
SERVICE = "0::/system.slice/luckypaw.service\n"
PARTS = "this kit's parts"


@pytest.fixture
def machine(tmp_path: Path) -> Path:
    """The root folder of a machine with parts, which tells what this one's kernel does."""
    for name in ("dev", "proc/812"):
        (tmp_path / name).mkdir(parents=True)
    (tmp_path / "proc/locks").symlink_to("/proc/locks")
    return tmp_path


def tells(machine: Path, locks: str) -> None:
    """From now on the kernel has this list of locks."""
    (machine / "proc/locks").unlink()
    (machine / "proc/locks").write_text(locks)


def refused(hold: Callable[[], object]) -> str:
    """What the second program is told."""
    with pytest.raises(InUse) as taken:
        hold()
    return taken.value.text


@pytest.mark.parametrize(
    ("hold", "place", "what"), [("hold_parts", ".", PARTS), ("hold_games", "in_use", "these games")]
)
def test_what_a_program_has_no_other_gets_until_it_ends(machine: Path, hold: str, place: str, what: str) -> None:
    take = partial(getattr(one_program, hold), machine / place)
    with Program("-c", HOLDS.format(hold), machine / place) as other:
        assert refused(take) == f"process {other.pid} uses {what}: end it first"
    take().release()


@pytest.mark.parametrize(
    ("told", "cgroup", "text"),
    [
        pytest.param(True, SERVICE, "the service uses {}: stop it first, sudo systemctl stop luckypaw", id="service"),
        pytest.param(True, "0::/user.slice\n", "process 812 uses {}: end it first", id="by hand"),
        pytest.param(True, None, "process 812 uses {}: end it first", id="hidden"),
        pytest.param(False, SERVICE, "another program uses {}: end it first", id="the kernel does not tell"),
    ],
)
def test_who_has_the_parts_is_said_with_how_to_get_them(
    machine: Path, told: bool, cgroup: str | None, text: str
) -> None:
    tells(machine, locked(machine / "dev", 812) if told else "")
    if cgroup is not None:
        (machine / "proc/812/cgroup").write_text(cgroup)
    with hold_parts(machine):
        assert refused(lambda: hold_parts(machine)) == text.format(PARTS)


@pytest.mark.parametrize(
    ("process", "other"), [(812, Holder(812, service=False)), (os.getpid(), None)], ids=["another", "this one"]
)
def test_who_asks_only_is_told_of_others(machine: Path, process: int, other: Holder | None) -> None:
    tells(machine, locked(machine / "dev", process))
    assert parts_holder(machine) == other


def test_who_asks_only_is_refused_as_well(machine: Path) -> None:
    refuse_parts(machine)
    tells(machine, locked(machine / "dev", 812))
    assert refused(lambda: refuse_parts(machine)) == f"process 812 uses {PARTS}: end it first"


@pytest.mark.parametrize("name", ["file/in_use", "folder/in_use"])
def test_games_that_nobody_can_write_need_no_holder(tmp_path: Path, name: str) -> None:
    """As on a card that has become read-only."""
    (tmp_path / "file").touch()
    (tmp_path / "folder/in_use").mkdir(parents=True)
    hold_games(tmp_path / name).release()


def test_on_a_file_system_without_locks_nothing_is_refused(machine: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def flock(*_: object) -> None:
        raise OSError(38, "Function not implemented")

    monkeypatch.setattr("fcntl.flock", flock)
    with hold_parts(machine):
        hold_parts(machine).release()
