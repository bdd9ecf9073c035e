"""A file that a command makes where people want it: it has its name once it is whole, or there is none.

Until then it lies beside that place under a name of its own, locked by whoever makes it. What a killed command has left
there goes with the next file that is made in that folder.
"""

import errno
import fcntl
import os
import re
import secrets
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from firmware.state_folder import sync, with_its_own

NAMED = re.compile(r"\.luckypaw-[0-9a-f]{16}(\.\w{1,10})?")
ANYBODY, OWNER = 0o666, 0o600  # who may read it, as far as the user allows that


@contextmanager
def made(to: Path, mode: int = ANYBODY) -> Iterator[Path]:
    """Gives an empty file to be filled, which gets the name `to`, synced, when this ends without an error.

    Raises `FileExistsError` where there is such a file, and `OSError`, which names it.
    """
    _check(to)
    _tidy(to.parent)
    handle, fresh = _begun(to, mode)
    try:
        yield fresh
        sync(fresh)
        _check(to)
        fresh.rename(to)
        sync(to.parent)
    finally:
        _remove(fresh)
        os.close(handle)


def _check(to: Path) -> None:
    if os.path.lexists(to):
        raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), str(to))


def _begun(to: Path, mode: int) -> tuple[int, Path]:
    """The file and what holds its lock. Its ending is that of `to`: a copy of the journal is known by it."""
    end = to.suffix if re.fullmatch(r"\.\w{1,10}", to.suffix) else ""
    while True:
        fresh = to.with_name(f".luckypaw-{secrets.token_hex(8)}{end}")
        try:
            handle = os.open(fresh, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, mode)
        except OSError as error:
            raise OSError(error.errno, error.strerror, str(to)) from None
        with suppress(OSError):  # some file systems have no locks: then nobody takes it for left there
            fcntl.flock(handle, fcntl.LOCK_EX)
        if os.fstat(handle).st_nlink:
            return handle, fresh
        os.close(handle)  # another command has removed it before it was locked


def _tidy(folder: Path) -> None:
    """Remove what nobody makes any more."""
    with suppress(OSError):
        for left in [path for path in folder.iterdir() if NAMED.fullmatch(path.name)]:
            handle = os.open(left, os.O_RDWR | os.O_NONBLOCK | os.O_NOFOLLOW | os.O_CLOEXEC)
            try:
                with suppress(OSError):  # it is being made
                    fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
                    _remove(left)
            finally:
                os.close(handle)


def _remove(fresh: Path) -> None:
    """Remove it, and what SQLite may have put beside it."""
    for path in with_its_own(fresh):
        path.unlink(missing_ok=True)
