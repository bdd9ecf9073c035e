"""What is opened is closed: rigs by themselves, at the end of the test; a SQLite connection left open is a failure.

SQLite warns of one only since Python 3.13, and only once it is collected. This sees it on every Python, and at once. As
a program, `python -m tests.simulators.resource_leaks MODULE ARGUMENT...`, it runs a module whose connections must be
closed by the end; else the exit status is 70.
"""

import atexit
import os
import runpy
import sqlite3
import sys
import traceback
from functools import cache
from typing import Any, NamedTuple, Protocol, Self

from tests.simulators.waiting import PATIENCE_S, until

LEFT_OPEN = 70  # exit status
LINES = 4  # of the stack, to find what is to be mended


class Closes(Protocol):
    """What can be closed."""

    def close(self) -> object: ...


class Opened(NamedTuple):
    """A connection, and the lines that led to it, the innermost first."""

    connection: sqlite3.Connection
    by: str

    @property
    def left(self) -> bool:
        """Whether it is still open. Any thread may ask."""
        try:
            self.connection.total_changes  # noqa: B018
        except sqlite3.ProgrammingError:
            return False
        return True


class End:
    """Owns all that is opened while it is entered: on leaving it is closed, or `AssertionError` is raised."""

    def __init__(self) -> None:
        self.owned: list[Closes] = []
        self.connections: list[Opened] = []

    def __enter__(self) -> Self:
        ends.append(self)
        return self

    def __exit__(self, *_: object) -> None:
        for each in reversed(tuple(self.owned)):
            each.close()
        ends.remove(self)
        until(lambda: not self.left, lambda: f"closed: {self.left}", PATIENCE_S)  # a thread may still read

    @property
    def left(self) -> list[str]:
        """By which lines those were opened that are still open."""
        return [each.by for each in self.connections if each.left]


ends = [End()]  # those entered, the innermost last; the first is that of the process


def owned(opened: Closes) -> None:
    """In a test: have it closed at its end, or at the end of the module whose fixture it is."""
    if len(ends) > 1 and opened not in ends[-1].owned:
        ends[-1].owned.append(opened)


def let_go(opened: Closes) -> None:
    """It is closed."""
    for end in ends:
        if opened in end.owned:
            end.owned.remove(opened)


@cache  # pytest may run in pytest
def watch() -> None:
    """Note all connections of this process from now on; this cannot be undone."""
    sys.addaudithook(_audit)


def _audit(event: str, args: tuple[Any, ...]) -> None:
    if event == "sqlite3.connect/handle":
        stack = reversed(traceback.extract_stack(limit=LINES + 1)[:-1])
        found = Opened(args[0], " < ".join(f"{line.filename}:{line.lineno}" for line in stack))
        among = ends[-1].connections
        among[:] = [*(each for each in among if each.left), found]


def _judge() -> None:
    if found := ends[0].left:
        print(f"left open: {found}", file=sys.stderr, flush=True)
        os._exit(LEFT_OPEN)


if __name__ == "__main__":
    watch()
    atexit.register(_judge)
    del sys.argv[0]
    runpy.run_module(sys.argv[0], run_name="__main__", alter_sys=True)
