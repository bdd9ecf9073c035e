"""The card on the processor that only a Pi has: an arm64 machine of the kernel lab, and the folder as it is released.

Debian 13 reads the folder by cloud-init, and is played at, cut off, updated; on Debian 12 its command installs the kit.
All of it again: scripts/test -m "alone and nightly" tests/test_arm64.py
"""

import json
import shutil
import subprocess
import time
from pathlib import Path
from typing import Any

import pytest

from scripts.generators.card import make
from tests.test_appliance import LAB, Machine, evenings
from tests.test_card import copy_onto

READY = subprocess.run([LAB, "ready", "arm64"], check=False, capture_output=True).returncode == 0
LIMIT_S = 1800
ON_THE_CARD = (  # of tests/appliance/on_a_card.py; all faults and cuts are tried in user-mode Linux
    "own_pictures or waited_for or says_that or nothing_of or next_look or newer_folder or never_ready"
)

pytestmark = [
    pytest.mark.alone,
    pytest.mark.lab,
    pytest.mark.nightly,
    pytest.mark.skipif(not READY, reason="The arm64 machine is not built: scripts/kernel-lab build arm64"),
]


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder as people get it."""
    out = tmp_path_factory.mktemp("card") / "card"
    make(out)
    return out


def card(folder: Path, to: Path, suite: str) -> Machine:
    """A card as Imager has written it, with the folder's content copied onto it."""
    to.mkdir(exist_ok=True)
    machine = Machine(to / "disk", to, "arm64", LIMIT_S)
    subprocess.run([LAB, "card", machine.disk, suite], check=True)
    copy_onto(machine, *folder.iterdir())
    return machine


def run(machine: Machine, *command: str) -> None:
    done = machine.run(*command)
    assert done.returncode == 0, f"{done.stdout}\n{done.stderr}"


@pytest.fixture(scope="session")
def installed(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Machine:
    """A card that has become a kit."""
    machine = card(folder, tmp_path_factory.mktemp("trixie"), "trixie")
    run(machine, "-m", "tests.appliance.first_start")
    return machine


def games(machine: Machine) -> list[dict[str, Any]]:
    """What has come of two games at this machine."""
    run(machine, "-m", "tests.appliance.two_games")
    found: list[dict[str, Any]] = json.loads((machine.hands / "games").read_text())
    return found


def right(played: dict[str, Any]) -> bool:
    """Whether a game has come out as it was played, by the kernel's stamps, is on the display, and could be heard."""
    seen = (played["sources"], played["shown"], played["tones"] > 10)
    return played["found"] == played["told"] and seen == (["kernel"], True, True)


def test_a_new_card_becomes_a_kit(installed: Machine) -> None:
    found = json.loads((installed.hands / "found").read_text())
    assert (found["kit"], found["left over"]) == ("active", []), found


@pytest.fixture(scope="session")
def played(installed: Machine) -> list[dict[str, Any]]:
    return games(installed)


def test_two_games_are_played_on_its_lines(played: list[dict[str, Any]]) -> None:
    assert [right(game) for game in played] == [True, True], played


@pytest.mark.usefixtures("played")
def test_cut_in_a_game_nothing_is_lost_that_was_told(installed: Machine, tmp_path: Path) -> None:
    found = evenings(installed._replace(hands=tmp_path), 1, seed=int(time.time()), least=5)[-1]
    assert (found["lost"], found["told"] >= 5, found["game"] != "changed") == (0, True, True), found


def test_it_is_updated_and_a_version_that_does_not_start_is_taken_back(folder: Path, tmp_path: Path) -> None:
    """From the first start on, as it is told."""
    command = ("-m", "pytest", "--no-skips", "-p", "no:cacheprovider", "tests/appliance/on_a_card.py", "-k")
    run(card(folder, tmp_path, "trixie"), *command, f"'{ON_THE_CARD}'")
    shutil.rmtree(tmp_path)


def test_on_debian_12_the_folder_is_installed_by_its_command(folder: Path, tmp_path: Path) -> None:
    played = games(card(folder, tmp_path, "bookworm"))
    assert [right(game) for game in played] == [True, True], played
