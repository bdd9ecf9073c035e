"""The machine that the kernel lab has booted from a disk: its commands, its files, the kit installed on it.

Tests run beside the machine, among the host's files; the machine finds those in /mnt/tree.
"""

import hashlib
import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import chain
from pathlib import Path

from firmware.state_folder import GREETED
from hardware.config import load
from hardware.parts.strip import OFF, Pixels
from tests.simulators.controller import pixels_of
from tests.simulators.real_table import Table
from tests.simulators.sim_chip import CONFIGFS, Lines
from tests.simulators.waiting import until

ROOT = Path(__file__).resolve().parents[2]
MACHINE = Path("/machine")
TREE = Path("/mnt/tree")  # the host's files, seen from the machine
CHIP = CONFIGFS / "table"  # there since before the machine's first program
HANDS = Path(os.environ.get("APPLIANCE", "/run"))  # what goes back and forth between host and guest
WHEELS = HANDS / "wheels"
LONG = "APPLIANCE_LONG" in os.environ  # every update that fails
LEDS = 60
BUZZER = 13  # the line of the Table kit's
UNIT = "luckypaw.service"
KIT = MACHINE / "etc/luckypaw/kit.toml"  # its description
STATE = MACHINE / "var/lib/luckypaw"
JOURNAL = STATE / "journal.db"
PLENTY_S = 60.0  # for a service to start or end on a busy machine
PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
SOURCES = (
    *("engine", "firmware", "hardware", "systemd", "scripts", "pyproject.toml", "README.md", "LICENSE"),
    *("requirements.txt", "requirements-build.txt"),
)


def machine(*command: str | Path, **environ: str) -> subprocess.CompletedProcess[str]:
    """Run a command on the machine as root, whatever comes of it."""
    return subprocess.run(
        ["chroot", MACHINE, *command],
        env={"PATH": PATH, "LANG": "C.UTF-8", "HOME": "/root", **environ},
        cwd="/",
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )


def script(name: str, source: Path = ROOT) -> subprocess.CompletedProcess[str]:
    """Run one of the project's scripts on the machine, from a source that lies among the host's files."""
    folder = TREE / source.relative_to("/")
    return machine(folder / "scripts" / name, PIP_NO_INDEX="1", PIP_FIND_LINKS=f"{TREE}{WHEELS.resolve()}")


def show(*names: str, unit: str = UNIT) -> tuple[str, ...]:
    """Properties of a unit, in this order."""
    told = machine("systemctl", "show", unit, *(f"--property={name}" for name in names)).stdout
    found = dict(line.split("=", 1) for line in told.splitlines())
    return tuple(found[name] for name in names)


def main_pid() -> int:
    """The process of the kit's program."""
    return int(show("MainPID")[0])


def until_ready(seconds: float = PLENTY_S) -> None:
    """Wait until the service says that it is ready."""
    until(
        lambda: show("ActiveState") == ("active",), lambda: f"{UNIT} is ready: {show('ActiveState', 'Result')}", seconds
    )


def forget_games() -> None:
    """The kit starts again, and knows no game."""
    machine("systemctl", "stop", UNIT)
    for file in STATE.glob("journal.db*"):
        file.unlink()
    machine("systemctl", "start", UNIT)


def nobody_is_greeted() -> None:
    """From its next start on the kit begins at the menu."""
    (STATE / GREETED).touch()
    machine("chown", "luckypaw:", f"/var/lib/luckypaw/{GREETED}")


def release() -> str:
    """The name of the release that is switched on."""
    return (MACHINE / "opt/luckypaw/current").readlink().name


def copy_of_source(name: str) -> Path:
    """The project's source, to be changed by a test."""
    to = Path("/run/home") / name
    to.mkdir()
    for source in SOURCES:
        if (ROOT / source).is_dir():
            shutil.copytree(ROOT / source, to / source, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(ROOT / source, to / source)
    (to / "docs").mkdir()
    for page in (ROOT / "docs").glob("*.md"):
        shutil.copy(page, to / "docs")
    return to


def lamps() -> Pixels:
    """What the strip's lamps settle at; the host runs the controller."""
    try:
        return pixels_of((HANDS / "strip").read_text())
    except FileNotFoundError:
        return (OFF,) * LEDS


@contextmanager
def table() -> Iterator[Table]:
    """The people at the machine's table; the kit is at work."""
    config = load(ROOT / "hardware" / "kits" / "table.toml")
    lines = Lines(CHIP)
    people = Table(JOURNAL, lines, config, lamps)
    try:
        yield people
    finally:
        people.close()
        lines.close()


def files(*parts: str) -> dict[str, str]:
    """All that lies on the machine's disk, or in these parts of it: by path its kind, owner, rights and content."""
    found: dict[str, str] = {}
    disk = (MACHINE / "etc").stat().st_dev
    for folder, folders, names in chain.from_iterable(os.walk(MACHINE / part) for part in parts or (".",)):
        here = Path(folder)
        folders[:] = [name for name in folders if (here / name).lstat().st_dev == disk]
        for name in (*folders, *names):
            path = here / name
            status = path.lstat()
            if path.is_symlink():
                content = str(path.readlink())
            elif path.is_file():
                content = hashlib.sha256(path.read_bytes()).hexdigest()
            else:
                content = ""
            key = "/" + str(path.relative_to(MACHINE))
            found[key] = f"{status.st_mode:o} {status.st_uid}:{status.st_gid} {content}"
    return found
