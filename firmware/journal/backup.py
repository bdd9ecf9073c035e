"""A copy of the journal, and a copy put back."""

import sqlite3
from contextlib import closing
from pathlib import Path

from firmware.journal import forgetting, people
from firmware.journal.file import identity, open_to_read, set_aside, sync

REPLACED = "replaced"  # the journal that stood there is kept under this name


def backup(journal: Path, to: Path) -> None:
    """Copy the journal, also while the kit writes to it. Raises `FileExistsError`, `OSError`, `sqlite3.Error`."""
    to.touch(mode=0o600, exist_ok=False)
    try:
        with closing(open_to_read(journal)) as db:
            _copy(db, to)
    except BaseException:
        to.unlink()
        raise


def restore(copy: Path, journal: Path) -> str | None:
    """Put a copy in the journal's place; those who were forgotten since are forgotten in it.

    Returns the name under which the journal that stood there is kept; None where there was none. Raises `OSError`, and
    `sqlite3.Error` for what is no sound journal; then nothing has been changed.
    """
    new = journal.with_name(f"{journal.name}.restored")
    for old in (new, *(new.with_name(f"{new.name}{end}") for end in ("-wal", "-shm", "-journal"))):
        old.unlink(missing_ok=True)
    try:
        with closing(open_to_read(copy)) as db:
            if (damage := db.execute("pragma quick_check(1)").fetchone()[0]) != "ok":
                raise sqlite3.DatabaseError(damage)
            journal.parent.mkdir(parents=True, exist_ok=True)
            _copy(db, new)
        gone = forgetting.forgotten(journal.parent)
        with closing(sqlite3.connect(new, isolation_level=None)) as db:
            if gone and people.there(db):
                forgetting.forget(db, gone)
            db.execute("vacuum")
        sync(new)
    except BaseException:
        new.unlink(missing_ok=True)
        raise
    kept = None if identity(journal) is None else set_aside(journal, REPLACED)
    new.replace(journal)
    sync(journal.parent)
    return kept


def _copy(db: sqlite3.Connection, to: Path) -> None:
    """SQLite's online backup, into one file without a log."""
    with closing(sqlite3.connect(to, isolation_level=None)) as copy:
        db.backup(copy)
        copy.execute("pragma journal_mode = delete")
    sync(to)
