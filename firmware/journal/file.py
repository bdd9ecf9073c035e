"""The journal's file: begun whole or not at all, healed when it is opened, set aside where it is damaged.

SQLite keeps all that it has synced. Two cases are left for this module: a failed sync leaves bytes that are only in
memory, and a file may be no journal, or one of another format.

Within a format a later version may add tables, columns that have a default, and events. It never renames or drops
anything and never gives an old column or event a new meaning; a version that has to raises `FORMAT`, and a journal of
another format is set aside. This version names the columns that it writes and reads, and ignores unknown tables,
columns and fields; a game with an unknown event cannot be read, all others can.
`tests/firmware/golden/journal-<FORMAT>.sql` has a journal of each format for the tests.
"""

import os
import sqlite3
from collections.abc import Callable
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

from engine.words import N_

FORMAT = 2  # of the tables, and of the names and fields of all events
SCHEMA = """
create table run (id integer primary key, boot text not null, version text not null, started_at text not null);
create table game (id integer primary key, run integer not null, name text not null, started_at text not null);
create table event (id integer primary key, run integer not null, game integer not null, step integer not null,
    at_ns integer not null, name text not null, fields text not null);
create index event_by_game on event (game, id);
create table edge (id integer primary key, run integer not null, button text not null, down integer not null,
    at_ns integer not null, source text not null);
create index edge_by_run on edge (run);
"""
DAMAGED = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)  # SQLite's codes for a file that is no sound database
WORDS = {
    sqlite3.SQLITE_FULL: N_("the disk is full"),
    sqlite3.SQLITE_IOERR: N_("the disk fails"),
    sqlite3.SQLITE_READONLY: N_("the disk is read-only"),
    sqlite3.SQLITE_CANTOPEN: N_("the disk cannot be written to"),
    sqlite3.SQLITE_BUSY: N_("another program is writing"),
}
ALONE = "mode=ro&immutable=1"  # the file alone, without a log
CHUNK = 1 << 16
SYNCHRONOUS = "full"  # what is committed is on the disk


def open_to_read(path: Path) -> sqlite3.Connection:
    """A connection that changes nothing, not even to play back a log.

    Raises `FileNotFoundError` where there is no journal yet, `sqlite3.Error` where it cannot be read.
    """
    if not _there(path):
        raise FileNotFoundError(f"no journal at {path}: no game has been played yet")
    db, version = _look(path, "mode=ro")
    try:
        if version not in (0, FORMAT):
            raise OtherFormat(version)
        if version == 0:
            if db.execute("select count(*) from sqlite_master").fetchone()[0]:
                raise Damaged("this is another program's database")
            raise FileNotFoundError(f"no journal at {path}: no game has been played yet")
    except BaseException:
        db.close()
        raise
    return db


def open_to_write(path: Path, tell: Callable[[str], None], *, thorough: bool) -> sqlite3.Connection:
    """A connection whose every commit is synced. A journal is begun where there is none.

    One that is damaged or of another format is set aside, and `tell` is called with a notice. `thorough` reads the
    whole file first to find damage. Raises `sqlite3.Error` and `OSError`; then nothing has been lost.
    """
    _make_folder(path.parent)
    try:
        with closing(open_to_read(path)) as db:
            if thorough and (damage := db.execute("pragma quick_check(1)").fetchone()[0]) != "ok":
                raise Damaged(damage)
    except FileNotFoundError:
        _begin(path, tell)
    except OtherFormat as error:
        set_aside(path, N_("format {number}", number=error.number), tell)
        _begin(path, tell)
    except sqlite3.DatabaseError as error:
        if not damaged(error):
            raise
        set_aside(path, tell=tell)
        _begin(path, tell)
    db = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
    try:
        db.execute("pragma journal_mode = wal")
        db.execute(f"pragma synchronous = {SYNCHRONOUS}")
        db.execute("pragma secure_delete = on")  # a name that is changed or forgotten leaves no bytes in a page
        db.execute("begin immediate")  # no other program writes from here on
        _heal(_log(path))
        sync(path.parent)  # SQLite does so too when it makes a log, but ignores an error
        db.execute("rollback")
    except BaseException:
        db.close()
        raise
    return db


class OtherFormat(sqlite3.DatabaseError):
    """A journal that another version of the program has written."""

    def __init__(self, number: int) -> None:
        super().__init__(f"the journal is of format {number}, this version reads format {FORMAT}")
        self.number = number


class Damaged(sqlite3.DatabaseError):
    """The file is no journal, or no longer one."""

    sqlite_errorcode = sqlite3.SQLITE_CORRUPT


def damaged(error: Exception) -> bool:
    """Whether an error means that the file is damaged, and not that storage fails."""
    return getattr(error, "sqlite_errorcode", 0) & 0xFF in DAMAGED


def in_words(error: Exception) -> str:
    """An error of storage in words for people."""
    if isinstance(error, OSError):
        return error.strerror or str(error)
    return WORDS.get(getattr(error, "sqlite_errorcode", 0) & 0xFF, str(error))


def identity(path: Path) -> tuple[int, int] | None:
    """The file's device and inode, which another file in its place does not share; None where there is none."""
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_dev, status.st_ino


def set_aside(path: Path, why: str = N_("damaged"), tell: Callable[[str], None] = lambda text: None) -> str:
    """Rename a file, and its log, to a name with the reason and the day, which is returned. Raises `OSError`."""
    day = f"{why.replace(' ', '-')}-{datetime.now(UTC):%Y-%m-%d}"
    names = (f"{day}{count}{path.suffix}" for count in ("", *(f"-{n}" for n in range(2, 1000))))
    aside = next(place for place in map(path.with_name, names) if not place.exists() and not _log(place).exists())
    for old, new in ((_log(path), _log(aside)), (path, aside)):  # in this order: no log may meet a later journal
        if old.exists():
            old.rename(new)
    sync(path.parent)
    tell(N_("journal ({why}) kept, new one begun: {name}", why=why, name=aside.name))
    return aside.name


def _begin(path: Path, tell: Callable[[str], None]) -> None:
    """Begin a journal: made beside its place and moved there whole, so that there is never half a journal."""
    if _there(_log(path)):
        set_aside(path, tell=tell)  # a new journal must not use the log of another one
    new = path.with_name(f"{path.name}.new")
    for old in (new, new.with_name(f"{new.name}-journal"), _log(new)):
        old.unlink(missing_ok=True)
    with closing(sqlite3.connect(new, isolation_level=None)) as db:
        db.executescript(f"begin; {SCHEMA} pragma user_version = {FORMAT}; commit")
        db.execute("pragma journal_mode = wal")
    sync(new)
    new.replace(path)
    sync(path.parent)


def _look(path: Path, how: str) -> tuple[sqlite3.Connection, int]:
    """A connection to read from, and the journal's format."""
    uri = f"{path.absolute().as_uri()}?{how}"
    db = sqlite3.connect(uri, uri=True, isolation_level=None)
    try:
        return db, db.execute("pragma user_version").fetchone()[0]
    except sqlite3.OperationalError:
        db.close()
        if _there(_log(path)) or how == ALONE:
            raise
        return _look(path, ALONE)  # a folder that is read-only, also for SQLite's own files
    except BaseException:
        db.close()
        raise


def _make_folder(folder: Path) -> None:
    """Make a folder and sync it."""
    if not folder.is_dir():
        _make_folder(folder.parent)
        folder.mkdir(exist_ok=True)
        sync(folder.parent)


def _heal(log: Path) -> None:
    """Write the log's content once more, and sync it.

    A later sync does not repair one that failed: the system takes the bytes that it could not write for written, and
    shows them until the power goes.
    """
    try:
        handle = os.open(log, os.O_RDWR)
    except FileNotFoundError:
        return
    try:
        at = 0
        while chunk := os.pread(handle, CHUNK, at):
            at += os.pwrite(handle, chunk, at)
        os.fsync(handle)
    finally:
        os.close(handle)


def sync(path: Path) -> None:
    """Sync a file, or the names in a folder, to the disk."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _log(path: Path) -> Path:
    """SQLite's write-ahead log of a database."""
    return path.with_name(f"{path.name}-wal")


def _there(path: Path) -> bool:
    """Whether a file exists and is not empty."""
    try:
        return path.stat().st_size > 0
    except FileNotFoundError:
        return False
