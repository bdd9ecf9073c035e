"""What install and uninstall do as root in a folder whose owner is hostile. In the lab one is root, and links are free.

There, any user may give another one's file a second name (fs.protected_hardlinks is 0), which most machines forbid.
"""

import os
import stat
import subprocess
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).resolve().parents[2]
USER = 65534  # nobody, in the place of the service's user
SECRET = "root:secret"
KIT = "# a kit\n"


class Machine(NamedTuple):
    """The places of an installed kit, elsewhere."""

    folder: Path

    @property
    def state(self) -> Path:
        return self.folder / "state"

    @property
    def kit(self) -> Path:
        return self.folder / "etc" / "kit.toml"

    @property
    def left(self) -> Path:
        """The description that uninstall leaves with the games."""
        return self.state / "kit.toml"

    @property
    def shadow(self) -> Path:
        """A file of root that nobody else may read."""
        return self.folder / "shadow"

    def run(self, command: str) -> subprocess.CompletedProcess[str]:
        """A command of the scripts, as root."""
        script = f"""source {ROOT}/scripts/appliance.sh
            left={self.left} shadow={self.shadow}
            user=nobody state={self.state} kit={self.kit}; {command}"""
        return subprocess.run(["bash", "-c", script], capture_output=True, text=True, timeout=20, check=False)


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    for parent in (tmp_path, *tmp_path.parents):
        parent.chmod(parent.stat().st_mode | 0o111)
    found = Machine(tmp_path)
    found.kit.parent.mkdir()
    found.state.mkdir()
    os.chown(found.state, USER, USER)
    found.shadow.write_text(SECRET)
    found.shadow.chmod(0o600)
    return found


def owned(path: Path) -> Path:
    """Something that the service's user has made."""
    os.chown(path, USER, USER, follow_symlinks=False)
    return path


def rights(path: Path) -> tuple[str, int]:
    """A file's mode and owner."""
    found = path.lstat()
    return stat.filemode(found.st_mode), found.st_uid


LINKS = {"a link": "ln -s $shadow $left", "a second name": "ln $shadow $left"}
TRAPS = {
    **LINKS,
    "a pipe": "mkfifo $left",
    "a folder": "mkdir $left",
    "an endless file": "ln -s /dev/zero $left",
    "a huge file": "truncate -s 1T $left",
    "an empty file": "touch $left",
}
links = pytest.mark.parametrize("trap", LINKS.values(), ids=LINKS)


@pytest.mark.parametrize("trap", TRAPS.values(), ids=TRAPS)
def test_what_is_no_plain_file_of_the_user_is_not_taken_for_a_description(machine: Machine, trap: str) -> None:
    done = machine.run(f"{trap}; take_kit")
    said = f"{machine.left} is no description that can be used; it stays where it is.\n"
    assert (done.returncode, done.stdout, list(machine.kit.parent.iterdir())) == (1, said, [])


@links
def test_a_secret_stays_one(machine: Machine, trap: str) -> None:
    machine.run(f"{trap}; give_state; take_kit")
    assert rights(machine.shadow) == ("-rw-------", 0)


def test_a_description_is_moved_with_its_content_and_nothing_else(machine: Machine) -> None:
    machine.left.write_text(KIT)
    machine.left.chmod(0o4777)
    owned(machine.left)
    done = machine.run("take_kit")
    assert (done.returncode, machine.kit.read_text(), *rights(machine.kit)) == (0, KIT, "-rw-r--r--", 0)
    assert list(machine.state.iterdir()) == []


def test_where_none_was_left_nothing_is_said(machine: Machine) -> None:
    done = machine.run("take_kit")
    assert (done.returncode, done.stdout + done.stderr) == (1, "")


def test_games_and_folders_go_to_the_service_s_user(machine: Machine) -> None:
    (machine.state / "deep").mkdir()
    (machine.state / "deep" / "journal.db").touch()
    machine.run("give_state")
    assert [rights(path)[1] for path in sorted(machine.state.rglob("*"))] == [USER, USER]


@links
def test_what_a_name_leads_to_stays_roots(machine: Machine, trap: str) -> None:
    machine.run(f"{trap}; give_state")
    assert rights(machine.shadow)[1] == 0


def test_what_lies_behind_a_linked_folder_stays_roots(machine: Machine) -> None:
    (machine.state / "deep").symlink_to(machine.kit.parent)
    machine.kit.write_text(KIT)
    machine.run("give_state")
    assert (rights(machine.kit.parent)[1], rights(machine.kit)[1]) == (0, 0)


@pytest.mark.parametrize("trap", [*TRAPS.values(), "ln -s $(dirname $kit) $left"])
def test_the_description_is_left_with_the_games_whatever_lies_in_its_place(machine: Machine, trap: str) -> None:
    machine.kit.write_text(KIT)
    machine.run(f"{trap}; keep_kit")
    assert (machine.left.is_symlink(), machine.left.read_text(), machine.shadow.read_text()) == (False, KIT, SECRET)
