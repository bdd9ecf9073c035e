"""Files that take each other's places: a journal is set aside, a restored one comes, what a cut has left is removed.

A restored journal counts from the moment when it has its name `RESTORED`, synced: whoever writes next moves it to its
place. So a cut leaves the old journal or the new one, and a kit that runs meanwhile begins none of its own.
"""

import fcntl
import os
import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

from engine.words import N_
from firmware import state_folder
from firmware.state_folder import sync, with_its_own

REPLACED = N_("replaced")  # the journal that stood there is kept under this name
PATIENCE_S = 5.0  # as SQLite waits
POLL_S = 0.05

Tell = Callable[[str], None]


class Busy(sqlite3.OperationalError):
    """Another program is at it: to be tried again."""

    sqlite_errorcode = sqlite3.SQLITE_BUSY


def in_use(journal: Path) -> Path:
    """The file that is the journal: a restored one that has not moved to its place yet, else that in the place."""
    new = journal.with_name(state_folder.RESTORED)
    return new if new.exists() else journal


def identity(path: Path) -> tuple[int, int] | None:
    """The file's device and inode, which another file in its place does not share; None where there is none."""
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_dev, status.st_ino


def set_aside(path: Path, why: str = N_("damaged"), tell: Tell = lambda text: None) -> str:
    """Rename a file, and SQLite's own beside it, to a name with the reason and the day, which is returned.

    Raises `OSError`.
    """
    day = f"{why.replace(' ', '-')}-{datetime.now(UTC):%Y-%m-%d}"
    names = (f"{day}{count}{path.suffix}" for count in ("", *(f"-{n}" for n in range(2, 1000))))
    aside = next(place for place in map(path.with_name, names) if not any(map(Path.exists, with_its_own(place))))
    for old, new in zip(with_its_own(path), with_its_own(aside), strict=True):  # no log may meet a later journal
        if os.path.lexists(old):
            old.rename(new)
    sync(path.parent)
    tell(N_("journal ({why}) kept, new one begun: {name}", why=why, name=aside.name))
    return aside.name


def tidy(journal: Path, tell: Tell) -> str | None:
    """Move a restored journal to its place, and remove what a cut has left half made.

    Returns the name under which the journal that stood there is kept, if there was one. Raises `OSError`, `Busy`.
    """
    if not state_folder.unfinished(journal.parent) and not journal.with_name(state_folder.RESTORED).exists():
        return None
    restored = in_use(journal) != journal
    try:
        with alone(journal.parent, PATIENCE_S if restored else 0):
            return put_in_place(journal, tell)
    except Busy:
        if restored:
            raise
        return None  # it is being made just now


def put_in_place(journal: Path, tell: Tell = lambda text: None, why: str = REPLACED) -> str | None:
    """The same by whoever is alone in the folder; `why` the journal that stood there is kept."""
    kept = None
    if (new := in_use(journal)) != journal:
        if any(map(Path.exists, with_its_own(journal))):
            kept = set_aside(journal, why, tell)
        new.replace(journal)
        sync(journal.parent)
    remove_unfinished(journal.parent)
    return kept


def remove_unfinished(place: Path) -> None:
    """Remove what is half made. Raises `OSError`."""
    unfinished = state_folder.unfinished(place)
    for path in unfinished:
        path.unlink(missing_ok=True)
    for folder in {place, *(path.parent for path in unfinished)}:
        sync(folder)


@contextmanager
def alone(place: Path, patience_s: float = 0) -> Iterator[None]:
    """While this lasts nobody else restores or tidies in this folder. Raises `Busy` where somebody does, `OSError`."""
    handle = os.open(place, os.O_RDONLY)
    try:
        end_s = time.monotonic() + patience_s
        while True:
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except BlockingIOError:
                if time.monotonic() >= end_s:
                    raise Busy("a journal is being restored") from None
                time.sleep(POLL_S)
        yield
    finally:
        os.close(handle)
