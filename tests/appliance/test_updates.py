"""Updates on an installed kit in mid-game: those that fail, one that is good, and what is left after uninstall."""

import json
from pathlib import Path
from typing import NamedTuple

import pytest

from engine.play import Fact
from tests.appliance.machine import (
    HANDS,
    LONG,
    MACHINE,
    UNIT,
    copy_of_source,
    files,
    machine,
    release,
    script,
    show,
    table,
    until_ready,
)
from tests.simulators.reading import text
from tests.simulators.waiting import comes

# what is wrong with it: where, what was added there, and what the installer says of it
BROKEN = {
    "fails its self check": ("engine/games/kitty_paw.py", "raise RuntimeError('half a file')\n", "is not sound"),
    "does not start": (
        "firmware/table/app.py",
        "def run(*_: object) -> None:\n    raise SystemExit(3)\n",
        "Gone back to",
    ),
    "is never ready": ("firmware/service.py", "def tell(state: str) -> None:\n    return\n", "Gone back to"),
}
TRIED = tuple(BROKEN) if LONG else ("is never ready",)
NEVER_S = 5  # a version that is not ready by then never is
# what a machine that runs changes by itself, and Debian's tools for themselves: logs, indexes, the last state but one
OWN = (
    "/var/log/",
    "/var/lib/systemd/",
    "/var/lib/NetworkManager/",
    "/var/tmp/",
    "/tmp/",
    "/var/cache/apt/",
    "/var/cache/ldconfig/",
)
BACKUPS = {"/etc/group-", "/etc/gshadow-", "/etc/passwd-", "/etc/shadow-"}
STATE = "/var/lib/luckypaw"


@pytest.fixture(scope="module")
def facts() -> tuple[Fact, ...]:
    """A game that is on."""
    machine("systemctl", "start", UNIT)
    until_ready()
    with table() as people:
        if "GO ON?" in text(people.glass()):
            people.ok()
        else:
            people.begin("pack_and_stack", "P1", "P2", options=lambda: None).until("setup").tap("P1").until("deal")
        return people.facts()


class Update(NamedTuple):
    """What has come of an update."""

    status: int
    said: str
    before: str  # the release that ran
    after: str
    runs: tuple[str, ...]
    facts: tuple[Fact, ...]


def update(source: Path) -> Update:
    """Install from a source that was changed."""
    before = release()
    done = script("install", source)
    with table() as people:
        comes(lambda: people.facts() != ())
        return Update(done.returncode, done.stderr, before, release(), show("ActiveState", "SubState"), people.facts())


@pytest.fixture(scope="module", params=TRIED)
def failed(request: pytest.FixtureRequest, facts: tuple[Fact, ...]) -> Update:
    where, what, said = BROKEN[request.param]
    source = copy_of_source(request.param.replace(" ", "-"))
    with (source / where).open("a") as file:
        file.write(f"\n\n{what}")
    unit = source / "systemd" / UNIT
    unit.write_text(unit.read_text().replace("TimeoutStartSec=30", f"TimeoutStartSec={NEVER_S}"))
    done = update(source)
    assert said in done.said, done.said
    return done


def test_a_failed_update_says_so(failed: Update) -> None:
    assert failed.status == 3


def test_after_a_failed_update_the_old_version_plays_on(failed: Update) -> None:
    assert (failed.after, failed.runs) == (failed.before, ("active", "running"))


def test_a_failed_update_loses_nothing_of_the_game(failed: Update, facts: tuple[Fact, ...]) -> None:
    assert failed.facts[: len(facts)] == facts


@pytest.fixture(scope="module")
def good(facts: tuple[Fact, ...]) -> Update:
    source = copy_of_source("good")
    with (source / "firmware/output/sounds.py").open("a") as file:
        file.write("# newer\n")
    return update(source)


def test_an_update_succeeds(good: Update) -> None:
    assert (good.status, good.said, good.runs) == (0, "", ("active", "running"))


def test_an_update_switches_to_the_new_version(good: Update) -> None:
    assert good.after != good.before


def test_an_update_loses_nothing_of_the_game(good: Update, facts: tuple[Fact, ...]) -> None:
    assert good.facts[: len(facts)] == facts


@pytest.fixture(scope="module")
def left(good: Update) -> dict[str, str]:
    """What differs, after uninstall, from the machine as it was before install."""
    done = script("uninstall")
    assert done.returncode == 0, done.stderr
    before, after = json.loads((HANDS / "before.json").read_text()), files()
    return {
        path: f"{before.get(path, 'nothing')} is now {after.get(path, 'nothing')}"
        for path in sorted({*before, *after})
        if before.get(path) != after.get(path) and not path.startswith((*OWN, f"{STATE}/"))
    }


def test_uninstall_leaves_nothing_but_the_state(left: dict[str, str]) -> None:
    assert set(left) - BACKUPS == {STATE}


@pytest.mark.usefixtures("left")
def test_uninstall_leaves_the_games() -> None:
    assert (MACHINE / STATE[1:] / "journal.db").exists()


@pytest.mark.usefixtures("left")
def test_after_uninstall_no_service_is_known() -> None:
    assert show("LoadState") == ("not-found",)


@pytest.mark.usefixtures("left")
def test_after_uninstall_there_is_no_user() -> None:
    assert machine("id", "luckypaw").returncode != 0
