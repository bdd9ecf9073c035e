"""The installed kit between people who mean harm: a description of any shape, a service's user who lays traps."""

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.appliance.machine import KIT, MACHINE, ROOT, STATE, UNIT, machine, script, show, until_ready
from tests.simulators.reading import text
from tests.simulators.real_table import Glass
from tests.simulators.waiting import comes

SHADOW = MACHINE / "etc/shadow"
BOOT = MACHINE / "boot/firmware/luckypaw.toml"
AS_USER = ("setpriv", "--reuid=luckypaw", "--regid=luckypaw", "--clear-groups")


class Trap(NamedTuple):
    """What has come of an install over a link to the passwords."""

    status: int
    before: tuple[int, bytes]
    after: tuple[int, bytes]
    kit: bytes


def secrets() -> tuple[int, bytes]:
    """The passwords, and who may read them."""
    return SHADOW.stat().st_mode, SHADOW.read_bytes()


@pytest.fixture(scope="module")
def trap() -> Trap:
    before = secrets()
    machine(*AS_USER, "ln", "-s", "/etc/shadow", "/var/lib/luckypaw/kit.toml")
    assert (STATE / "kit.toml").is_symlink()
    KIT.unlink()
    done = script("install")
    (STATE / "kit.toml").unlink()
    return Trap(done.returncode, before, secrets(), KIT.read_bytes())


def test_a_link_to_the_passwords_is_not_followed(trap: Trap) -> None:
    assert (trap.status, trap.after) == (0, trap.before)


def test_the_description_is_then_the_one_that_comes_with_the_kit(trap: Trap) -> None:
    assert trap.kit == (ROOT / "hardware/kits/table.toml").read_bytes()


def empty(path: Path) -> None:
    path.write_text("")


def wrong(path: Path) -> None:
    path.write_text('strip.reversed = "yes"\n')


def folder(path: Path) -> None:
    path.mkdir()


@pytest.fixture(params=[empty, wrong, folder])
def unusable(request: pytest.FixtureRequest) -> Iterator[str]:
    """What the display says where there is such a thing on the boot partition in the place of a description."""
    partition = BOOT.parent.is_dir()
    BOOT.parent.mkdir(parents=True, exist_ok=True)
    request.param(BOOT)
    glass = Glass()
    machine("systemctl", "restart", UNIT)
    comes(lambda: "cannot start" in text(glass.picture()))
    said = text(glass.picture())
    glass.close()
    yield said
    machine("systemctl", "stop", UNIT)
    if BOOT.is_dir():
        BOOT.rmdir()
    else:
        BOOT.unlink()
    if not partition:
        BOOT.parent.rmdir()  # the machine is held against what it was before the kit was installed
    machine("systemctl", "reset-failed", UNIT)
    machine("systemctl", "start", UNIT)
    until_ready()


def test_the_display_says_that_a_description_cannot_be_used_and_nothing_is_started_again(unusable: str) -> None:
    assert unusable.startswith("Lucky Paw cannot start | ")
    assert show("ActiveState", "NRestarts") == ("active", "0")
