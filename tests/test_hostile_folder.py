"""Every command, run in a folder whose files bear the names of modules: none of these files is executed."""

import argparse
import os
import re
import shutil
import subprocess
import sysconfig
from collections.abc import Iterator
from contextlib import closing
from http.client import HTTPConnection
from pathlib import Path

import pytest

from firmware.cli.arguments import parser
from tests.simulators.hostile_folder import hostile
from tests.simulators.program import Program, played_before, run
from tests.simulators.random_evenings import Evenings
from tests.simulators.waiting import PATIENCE_S

ROOT = Path(__file__).resolve().parent.parent
LUCKYPAW = Path(sysconfig.get_path("scripts"), "luckypaw")  # as it is installed
IN = "import os, sys; os.chdir(sys.argv[1]); os.execv(sys.argv[2], sys.argv[2:])"
KIT = """
control = { kind = "knob", a = 17, b = 27, push = 24 }
players = [{ name = "P1", button = 5 }, { name = "P2", button = 6 }]
buttons = { driver = "emulated" }
display = { driver = "emulated" }
"""
NEEDED = {"N": "1", "GAME": "kitty_paw", "GPIO": "18", "WHAT": "on"}  # by its name in the usage; FILE is not the same
MORE = {  # so that it runs on any machine, and soon
    "play": ("--emulated", "--port", "0"),
    "strip test": ("--emulated", "--seconds", "0.01"),
    "strip flash": ("--port", "nowhere"),
}
PAGES = ("/people", "/games/1.png")  # made by a process of their own


def commands(command: argparse.ArgumentParser, *words: str) -> Iterator[tuple[str, ...]]:
    """The commands below this one, each with what it cannot be without."""
    actions = command._actions  # noqa: SLF001  argparse tells nobody else
    for action in actions:
        if isinstance(action, argparse._SubParsersAction):  # noqa: SLF001
            for name, below in action.choices.items():
                yield from commands(below, *words, name)
            return
    given = [*words]
    for action in actions:
        if action.required:
            given += [*action.option_strings[:1], NEEDED.get(str(action.metavar), f"{words[0]}.db")]
    yield *given, *MORE.get(" ".join(words), ())


class Bench:
    """A kit with a game, a folder that is empty or hostile, and what is known of both."""

    def __init__(self, folder: Path) -> None:
        self.kit, self._known = folder / "kit.toml", folder / "known"
        self.here, self.state, self.marks = folder / "here", folder / "state", folder / "marks"
        self.kit.write_text(KIT)
        self.marks.mkdir()
        Evenings(played_before(self._known), 8).play(1)

    def put(self, *, bad: bool) -> None:
        """As at the beginning."""
        for folder in (self.here, self.state):
            shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(self._known, self.state)
        self.here.mkdir()
        shutil.copy(self._known / "journal.db", self.here / "restore.db")
        if bad:
            hostile(self.here, self.marks)

    def ran(self, command: tuple[str, ...], *, bad: bool) -> tuple[object, ...]:
        """A command that has ended: its status, what it has written. The room on the disk is left out: it changes."""
        self.put(bad=bad)
        words: tuple[str | Path, ...] = ("-c", IN, self.here, LUCKYPAW, "--config", self.kit, *command)
        state = str(self.state)
        if command[0] != "play":
            done = run(*words, STATE_DIRECTORY=state)
            return done.returncode, re.sub(r"[\d,]+ MB", "", done.stdout), done.stderr
        with Program(*words, STATE_DIRECTORY=state) as program:
            pages = [fetched(program.port, page) for page in PAGES]
            return *program.end(), pages


def fetched(port: int, path: str) -> tuple[int, bytes]:
    """A page, asked for again as long as it is being made."""
    with closing(HTTPConnection("127.0.0.1", port, timeout=PATIENCE_S)) as line:
        line.request("GET", path)
        answer = line.getresponse()
        status, again, body = answer.status, answer.headers["Refresh"], answer.read()
    return fetched(port, path) if again else (status, body)


@pytest.fixture(scope="module")
def bench(tmp_path_factory: pytest.TempPathFactory) -> Bench:
    return Bench(tmp_path_factory.mktemp("bench"))


# `play` starts others, which run Python; what is not named here is tried at night
WHEN = {"play": [], "people": [pytest.mark.slow], "restore": [pytest.mark.slow]}
TRIED = [
    pytest.param(words, id=" ".join(words), marks=WHEN.get(words[0], [pytest.mark.nightly]))
    for words in commands(parser())
]


@pytest.mark.parametrize("command", TRIED)
def test_a_command_executes_no_file_of_the_folder_in_which_it_runs(command: tuple[str, ...], bench: Bench) -> None:
    assert bench.ran(command, bad=True) == bench.ran(command, bad=False)
    assert list(bench.marks.iterdir()) == []


def test_the_program_and_its_scripts_start_no_module_of_the_current_folder() -> None:
    files = [file for top in ("firmware", "hardware", "scripts/generators") for file in (ROOT / top).rglob("*.py")]
    bare = re.compile(r'(executable|python), "-m"')  # without -P
    assert [str(file) for file in files if bare.search(file.read_text())] == []


def test_scripts_set_themselves_up_without_running_a_file_of_the_current_folder(tmp_path: Path) -> None:
    python, log = tmp_path / "python3", tmp_path / "log"
    python.write_text(
        f"""#!/bin/sh
        echo "$1" >>{log}
        if [ "$3" = venv ]; then
          for folder; do :; done
          mkdir -p "$folder/bin"
          ln -s "$0" "$folder/bin/python"
          ln -s /bin/true "$folder/bin/luckypaw"
        fi
        """
    )
    python.chmod(0o755)
    environ = {**os.environ, "PATH": f"{tmp_path}:{os.environ['PATH']}", "LUCKYPAW_VENV": str(tmp_path / "venv")}
    subprocess.run([ROOT / "scripts" / "play"], env=environ, cwd=tmp_path, check=True, capture_output=True)
    assert set(log.read_text().splitlines()) == {"-I", "-P"}  # isolated, the program itself without that folder
