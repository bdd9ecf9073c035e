"""The command `luckypaw`, run as people run it."""

import os
import subprocess
import sys
from pathlib import Path
from typing import IO

from tests.simulators.resource_leaks import LEFT_OPEN
from tests.simulators.waiting import PATIENCE_S

ROOT = Path(__file__).parents[2]
CHECKED = ("-W", "error::ResourceWarning", "-m", "tests.simulators.resource_leaks", "firmware")


class Ran:
    """A command that has run. Nothing that it had opened may be left open."""

    def __init__(
        self,
        arguments: tuple[str | Path, ...],
        state: Path,
        stdout: int | IO[str] = subprocess.PIPE,
        program: tuple[str | Path, ...] = CHECKED,
    ) -> None:
        environ = {**os.environ, "XDG_STATE_HOME": str(state), "COLUMNS": "100"}
        environ.pop("STATE_DIRECTORY", None)
        done = subprocess.run(
            [sys.executable, *program, *arguments],
            cwd=ROOT,
            env=environ,
            stdin=subprocess.DEVNULL,
            stdout=stdout,
            stderr=subprocess.PIPE,
            text=True,
            timeout=PATIENCE_S,
            check=False,
        )
        assert done.returncode != LEFT_OPEN and "ResourceWarning" not in done.stderr, done.stderr
        self.status, self.out, self.err = done.returncode, done.stdout or "", done.stderr
        self.lines = self.out.splitlines()
