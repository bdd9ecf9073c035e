"""The command line: one file a command, and what they share.

Exit status: 0 fine, 1 a failure with one line on stderr, 2 wrong usage or config.
"""

import os
import sys
from pathlib import Path

from firmware.boot import BOOT

BOOT_PEOPLE = BOOT / "luckypaw" / "people.txt"
GAMES_LISTED = 20  # in the history; each is replayed


class Failure(Exception):
    """One line for stderr, and the exit status."""

    def __init__(self, text: str, status: int = 1) -> None:
        super().__init__(text)
        self.status = status

    def say(self) -> None:
        """Print the line, once."""
        if not self._printed:
            self._printed = True
            print(f"luckypaw: {self}", file=sys.stderr)

    _printed = False


def state_dir() -> Path:
    """The folder of the journal."""
    if given := os.environ.get("STATE_DIRECTORY"):
        return Path(given.split(":")[0])
    base = os.environ.get("XDG_STATE_HOME")
    return (Path(base) if base else Path.home() / ".local" / "state") / "luckypaw"
