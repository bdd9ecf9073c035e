"""The card on the processor that only a Pi has: an arm64 machine of the kernel lab, and the folder as it is released.

Debian 13 reads the folder by cloud-init, and is played at, cut off, updated; on Debian 12 its command installs the kit.
All of it again: scripts/test -m "alone and nightly" tests/test_arm64.py
"""

import json
import time
from pathlib import Path

import pytest

from scripts.generators.card import make
from tests.simulators.lab import needs
from tests.test_appliance import Machine, another, evenings
from tests.test_card import FIRST_START, card

TWO_GAMES = ("-m", "tests.appliance.two_games")
ON_THE_CARD = (  # of tests/appliance/on_a_card.py; all faults and cuts are tried in user-mode Linux
    "own_pictures or waited_for or says_that or nothing_of or next_look or newer_folder or never_ready"
)

pytestmark = [pytest.mark.alone, pytest.mark.lab, pytest.mark.nightly, needs("arm64")]


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder as people get it."""
    out = tmp_path_factory.mktemp("card") / "card"
    make(out)
    return out


def run(machine: Machine, *command: str) -> None:
    done = machine.run(*command)
    assert done.returncode == 0, f"{done.stdout}\n{done.stderr}"


@pytest.fixture(scope="session")
def installed(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Machine:
    """A card that has become a kit; from then on only copies of it are switched on."""
    machine = card(folder, tmp_path_factory.mktemp("trixie"), "trixie")
    run(machine, *FIRST_START)
    return machine


def came_out_right(machine: Machine) -> None:
    """Assert that its two games came out as they were played, by the kernel's stamps, on the display, to be heard."""
    played = json.loads((machine.hands / "games").read_text())
    assert [game["found"] for game in played] == [game["told"] for game in played]
    assert [(game["sources"], game["shown"], game["tones"] > 10) for game in played] == 2 * [(["kernel"], True, True)]


def test_a_new_card_becomes_a_kit(installed: Machine) -> None:
    found = json.loads((installed.hands / "found").read_text())
    assert (found["kit"], found["left over"]) == ("active", []), found


@pytest.fixture(scope="session")
def played_at(installed: Machine, tmp_path_factory: pytest.TempPathFactory) -> Machine:
    """One of them, with two games on it."""
    machine = another(installed, tmp_path_factory.mktemp("played"))
    run(machine, *TWO_GAMES)
    return machine


def test_two_games_are_played_on_its_lines(played_at: Machine) -> None:
    came_out_right(played_at)


def test_cut_in_a_game_nothing_is_lost_that_was_told(played_at: Machine, tmp_path: Path) -> None:
    found = evenings(played_at._replace(hands=tmp_path), 1, seed=int(time.time()), least=5)[-1]
    assert (found["lost"], found["told"] >= 5, found["game"] != "changed") == (0, True, True), found


def test_it_is_updated_and_a_version_that_does_not_start_is_taken_back(installed: Machine, tmp_path: Path) -> None:
    command = ("-m", "pytest", "--no-skips", "-p", "no:cacheprovider", "tests/appliance/on_a_card.py", "-k")
    run(another(installed, tmp_path), *command, f"'{ON_THE_CARD}'")


def test_on_debian_12_the_folder_is_installed_by_its_command(folder: Path, tmp_path: Path) -> None:
    machine = card(folder, tmp_path, "bookworm")
    run(machine, *TWO_GAMES)
    came_out_right(machine)
