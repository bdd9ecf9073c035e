"""A disk that is watched and can be made to fail, under the very SQLite that the product uses.

A small library in C (`shim.c`) stands between a Python process and the C library; `Shim` is its remote control.
"""

import ctypes
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from struct import Struct
from typing import NamedTuple

from tests.simulators.program import run

SOURCE = Path(__file__).with_name("shim.c")
NO_LOCKS = SOURCE.with_name("no_locks.c")
READY = sys.platform == "linux" and shutil.which("gcc") is not None
MISSING = "gcc is missing, for the disk that fails: sudo apt install gcc libc6-dev (Linux only)"
MEMORY = "/dev/shm" if Path("/dev/shm").is_dir() else None  # no disk has to be waited for there
HEAD = Struct("=QQQQ")  # kind, inode, offset, size


class Event(NamedTuple):
    """One call that changed something, or a mark. What each kind means is said in the shim."""

    kind: str
    inode: int
    offset: int
    data: bytes

    @property
    def names(self) -> list[str]:
        """The paths that the call was about."""
        return self.data.decode().split("\0")


def build(folder: Path, source: Path = SOURCE) -> Path:
    """Compile the shim, or another one, into a folder."""
    library = folder / "shim.so"
    command = ["gcc", "-shared", "-fPIC", "-O1", "-Wall", "-Wextra", "-Werror"]
    subprocess.run([*command, "-o", library, source, "-ldl"], check=True)
    return library


def start(library: Path, module: str, *arguments: str | Path) -> subprocess.CompletedProcess[str]:
    """Run a module of the tests on the watched disk, to its end."""
    return run("-m", module, *arguments, LD_PRELOAD=str(library))


def events(log: Path, after: int = 0) -> Iterator[Event]:
    """What is in a log, in order, after so many bytes."""
    with log.open("rb") as file:
        file.seek(after)
        data, at = file.read(), 0
    while at < len(data):
        kind, inode, offset, size = HEAD.unpack_from(data, at)
        at += HEAD.size
        yield Event(chr(kind), inode, offset, data[at : at + size])
        at += size


class Shim:
    """The shim of this process. `folder` is the disk; what happens in it goes to the end of `log`, if there is one."""

    def __init__(self, folder: Path, log: Path | None = None) -> None:
        self._library = ctypes.CDLL(None)
        self._log = -1 if log is None else os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
        self._library.disk_watch(os.fsencode(folder), self._log)

    def close(self) -> None:
        """Watch no more."""
        self._library.disk_watch(b"", -1)
        if self._log >= 0:
            os.close(self._log)

    def mark(self, text: str) -> None:
        """Put a mark in the log."""
        self._library.disk_mark(text.encode())

    def fail(self, nth: int, error: int, *, lasting: bool) -> None:
        """Let the n-th call from now on fail (0: the next one), by itself or with all that follow.

        Error 0: the program ends there.
        """
        self._library.disk_fail(ctypes.c_long(nth), error, int(lasting))

    def fail_read(self, nth: int, error: int, *, lasting: bool) -> None:
        """The same of reads."""
        self._library.disk_fail_read(ctypes.c_long(nth), error, int(lasting))

    def heal(self) -> None:
        """Storage is back."""
        self._library.disk_fail_read(ctypes.c_long(-1), 0, 0)
        self._library.disk_fail(ctypes.c_long(-1), 0, 0)
        self.room(-1)

    @contextmanager
    def paused(self) -> Iterator[None]:
        """While this lasts nothing fails: a test looks at the disk."""
        self._library.disk_pause(1)
        try:
            yield
        finally:
            self._library.disk_pause(0)

    def room(self, size: int) -> None:
        """Room for so many bytes more, negative: for any number."""
        self._library.disk_room(ctypes.c_long(size))

    @property
    def calls(self) -> int:
        """Calls so far that could have failed."""
        found: int = self._library.disk_calls()
        return found

    @property
    def reads(self) -> int:
        """Reads so far."""
        found: int = self._library.disk_reads()
        return found

    @property
    def failed(self) -> int:
        """Calls that have failed since `fail`."""
        found: int = self._library.disk_failed()
        return found
