"""Programs in processes of their own, run by the tests' Python in the project's folder, and not traced for coverage."""

import re
import signal
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from threading import Timer
from typing import Any, Self

from engine import games
from engine import play as plays
from firmware.journal.writer import Journal
from firmware.state_folder import GREETED
from tests.simulators.waiting import PATIENCE_S
from tests.simulators.without_coverage import untraced_environ

ROOT = Path(__file__).resolve().parents[2]


def played_before(state: Path) -> Path:
    """A state folder in which nobody is greeted any more."""
    state.mkdir(parents=True, exist_ok=True)
    (state / GREETED).touch()
    return state


def game_begun(
    state: Path,
    name: str = "kitty_paw",
    players: Sequence[str] = ("P1", "P2", "P3"),
    seed: int = 7,
    options: Any = None,
) -> None:
    """A game in the journal, just begun; without `options` with the usual ones."""
    rules = games.rules(name)
    journal = Journal(state / "journal.db", "yesterday", lambda ticket: None, lambda text: None)
    journal.write(journal.begin_game(name), (plays.start(rules, tuple(players), options or rules.options(), seed, 1),))
    journal.close()


def run(*command: str | Path, **environ: str) -> subprocess.CompletedProcess[str]:
    """Run a program of Python to its end, where nobody can answer it."""
    return subprocess.run(
        [sys.executable, *command],
        cwd=ROOT,
        env=untraced_environ() | environ,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )


class Program:
    """A program of Python that has written its first line; killed on leaving."""

    def __init__(self, *command: str | Path, **environ: str) -> None:
        """Start it. Raises `RuntimeError` with its errors if it ends without a line."""
        self._errors = tempfile.TemporaryFile("w+")  # noqa: SIM115
        self._process = subprocess.Popen(
            [sys.executable, *command],
            cwd=ROOT,
            env=untraced_environ() | environ,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._errors,
            text=True,
        )
        assert self._process.stdin is not None and self._process.stdout is not None
        self.input, self.output, self.pid = self._process.stdin, self._process.stdout, self._process.pid
        self.first = self.line()
        if not self.first:
            raise RuntimeError(self.end())

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if not self._errors.closed:
            self.end(signal.SIGKILL)

    @property
    def port(self) -> int:
        """The port of the page, of which the first line tells."""
        found = re.search(r"http://127\.0\.0\.1:(\d+)/", self.first)
        assert found is not None, self.first
        return int(found[1])

    @property
    def files(self) -> int:
        """How many it has open."""
        return len(list(Path(f"/proc/{self.pid}/fd").iterdir()))

    @property
    def memory_kib(self) -> int:
        """How much of it is in memory."""
        found = re.search(r"VmRSS:\s+(\d+)", Path(f"/proc/{self.pid}/status").read_text())
        assert found is not None
        return int(found[1])

    def line(self) -> str:
        """The next line that it writes; empty where it has ended."""
        return self.output.readline().strip()

    def tell(self, text: str) -> None:
        """Write to its input."""
        self.input.write(text)
        self.input.flush()

    def end(self, how: signal.Signals = signal.SIGTERM) -> tuple[int, str, str]:
        """End it, by force if it does not: its status, what it has written and nobody has read, and its errors."""
        force = Timer(PATIENCE_S, self._process.kill)
        force.start()
        with self._process:  # waits, and closes its pipes
            self._process.send_signal(how)
            output = self.output.read()
        force.cancel()
        with self._errors as errors:
            errors.seek(0)
            return self._process.returncode, output, errors.read()
