"""The command line: one file a command, and what they share.

Exit status: 0 fine, 1 a failure with one line on stderr, 2 wrong usage or config.
"""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from firmware.boot import BOOT
from firmware.translation import translated

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


def in_words(error: OSError) -> str:
    """Which file it is about, and what is wrong with it."""
    file = error.filename2 or error.filename
    return f"{file}: {error.strerror}" if file and error.strerror else str(error)


@contextmanager
def alone() -> Iterator[None]:
    """The kit's parts are this program's, and no other's. Raises `Failure` where another one has them."""
    from hardware.one_program import InUse, hold_parts

    try:
        held = hold_parts()
    except InUse as taken:
        raise Failure(translated(taken.text)) from None
    with held:
        yield


def refuse_beside_another() -> None:
    """Raises `Failure` where another program has the kit's parts."""
    from hardware.one_program import InUse, refuse_parts

    try:
        refuse_parts()
    except InUse as taken:
        raise Failure(translated(taken.text)) from None


def state_dir() -> Path:
    """The folder of the journal."""
    if given := os.environ.get("STATE_DIRECTORY"):
        return Path(given.split(":")[0])
    base = os.environ.get("XDG_STATE_HOME")
    return (Path(base) if base else Path.home() / ".local" / "state") / "luckypaw"
