"""Names and signs that a terminal cannot show are replaced: no command ends with a traceback."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.firmware.command import ROOT
from tests.simulators.rig import Rig
from tests.simulators.waiting import PATIENCE_S

TERMINALS = {
    "ascii": {"PYTHONIOENCODING": "ascii"},
    "latin-1": {"PYTHONIOENCODING": "latin-1"},
    "LANG=C": {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
}
COMMANDS = ("people", "stats", "evening", "export", "history list", "history show 1", "history evidence 1")


@pytest.fixture(scope="module")
def state(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A game with a race, of people whose names are in two scripts."""
    folder = tmp_path_factory.mktemp("state")
    rig = Rig(folder)
    for name in ("Юлия", "Zoë"):
        rig.app.table.people.add(name)
    rig.do("[Kitty Paw] P1*2 P2*2 ok*2 +P1,P2 3100 -P1,P2 P2 300 P1 300 6s ok menu[End the game] 2500").close()
    return folder


def run(words: str, terminal: str, state: Path) -> subprocess.CompletedProcess[bytes]:
    """A command in such a terminal."""
    return subprocess.run(
        [sys.executable, "-m", "firmware", *words.split()],
        cwd=ROOT,
        env={**os.environ, **TERMINALS[terminal], "STATE_DIRECTORY": str(state)},
        capture_output=True,
        timeout=PATIENCE_S,
        check=False,
    )


@pytest.mark.parametrize("terminal", TERMINALS)
@pytest.mark.parametrize("words", COMMANDS)
def test_what_cannot_be_shown_is_replaced(words: str, terminal: str, state: Path) -> None:
    ran = run(words, terminal, state)
    assert (ran.returncode, ran.stderr, ran.stdout != b"") == (0, b"", True)


def test_signs_that_can_be_shown_stay(state: Path) -> None:
    said = run("people", "latin-1", state).stdout.decode("latin-1")
    assert {line.split()[0] for line in said.splitlines()} == {"????", "Zoë"}


def test_as_json_no_name_is_lost(state: Path) -> None:
    said = json.loads(run("people --json", "ascii", state).stdout)
    assert {one["name"] for one in said} == {"Юлия", "Zoë"}
