"""The journal's file: begun whole or not at all, healed when it is opened, set aside where it is damaged.

SQLite keeps what it has synced. What is left to do here: a sync that failed leaves bytes that only the memory holds,
and a file may be no journal, or one of another format.

What a later version may do within a format: add tables, add columns that have a default, add events. It never renames
or drops anything and never gives an old column or event a new meaning; where that cannot be kept it raises `FORMAT`,
and a journal of another format is set aside. For its own part this version names the columns that it writes and reads,
and passes over tables, columns and fields that it does not know; a game with an event that it does not know cannot be
read here, all others can. `tests/firmware/golden/journal-<FORMAT>.sql` holds a journal of each format to this.
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
DAMAGED = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)  # what SQLite says of a file that it cannot make sense of
WORDS = {
    sqlite3.SQLITE_FULL: N_("the disk is full"),
    sqlite3.SQLITE_IOERR: N_("the disk fails"),
    sqlite3.SQLITE_READONLY: N_("the disk is read-only"),
    sqlite3.SQLITE_CANTOPEN: N_("the disk cannot be written to"),
    sqlite3.SQLITE_BUSY: N_("another program is writing"),
}
ALONE = "mode=ro&immutable=1"  # the file as it is, with no log beside it
CHUNK = 1 << 16


def open_to_read(path: Path) -> sqlite3.Connection:
    """A connection that changes nothing, not even a log that is to be played back.

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

    One that is damaged or of another format is set aside. `tell` hears in words what had to be done. `thorough` reads
    the whole file first to find damage. Raises `sqlite3.Error` and `OSError`; then nothing has been lost.
    """
    _make_folder(path.parent)
    try:
        with closing(open_to_read(path)) as db:
            if thorough and (found := db.execute("pragma quick_check(1)").fetchone()[0]) != "ok":
                raise Damaged(found)
    except FileNotFoundError:
        _begin(path, tell)
    except OtherFormat as error:
        set_aside(path, tell, f"format {error.found}")
        _begin(path, tell)
    except sqlite3.DatabaseError as error:
        if not damaged(error):
            raise
        set_aside(path, tell)
        _begin(path, tell)
    db = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
    try:
        db.execute("pragma journal_mode = wal")
        db.execute("pragma synchronous = full")
        db.execute("begin immediate")  # nobody else writes, and what follows reads what is really there
        _heal(_log(path))
        sync(path.parent)  # SQLite does so too when it makes a log, and does not mind if that fails
        db.execute("rollback")
    except BaseException:
        db.close()
        raise
    return db


class OtherFormat(sqlite3.DatabaseError):
    """A journal that another version of the program has written."""

    def __init__(self, found: int) -> None:
        super().__init__(f"the journal is of format {found}, this version reads format {FORMAT}")
        self.found = found


class Damaged(sqlite3.DatabaseError):
    """The file is no journal, or no longer one."""

    sqlite_errorcode = sqlite3.SQLITE_CORRUPT


def damaged(error: Exception) -> bool:
    """Whether it says that the file is damaged, and not that storage fails."""
    return getattr(error, "sqlite_errorcode", 0) & 0xFF in DAMAGED


def in_words(error: Exception) -> str:
    """What is wrong with storage, for people."""
    if isinstance(error, OSError):
        return error.strerror or str(error)
    return WORDS.get(getattr(error, "sqlite_errorcode", 0) & 0xFF, str(error))


def identity(path: Path) -> tuple[int, int] | None:
    """What tells this file from another one in its place; None where there is none."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino


def set_aside(path: Path, tell: Callable[[str], None], why: str = "damaged") -> None:
    """Keep a file, and its log, under a name that says why and on which day. Raises `OSError`."""
    day = f"{why.replace(' ', '-')}-{datetime.now(UTC):%Y-%m-%d}"
    names = (f"{day}{count}{path.suffix}" for count in ("", *(f"-{n}" for n in range(2, 1000))))
    kept = next(place for place in map(path.with_name, names) if not place.exists() and not _log(place).exists())
    for old, new in ((_log(path), _log(kept)), (path, kept)):  # in this order: no log may meet a journal of later
        if old.exists():
            old.rename(new)
    sync(path.parent)
    tell(f"journal ({why}) kept, new one begun: {kept.name}")


def _begin(path: Path, tell: Callable[[str], None]) -> None:
    """A new journal: made beside its place and moved there whole, so that there is no half of one at any moment."""
    if _there(_log(path)):
        set_aside(path, tell)  # a new journal must not take the log of another one for its own
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
    db = sqlite3.connect(uri, uri=True, isolation_level=None, check_same_thread=False)
    try:
        return db, db.execute("pragma user_version").fetchone()[0]
    except sqlite3.OperationalError:
        db.close()
        if _there(_log(path)) or how == ALONE:
            raise
        return _look(path, ALONE)  # a folder that nothing may be written to, not even SQLite's notes
    except BaseException:
        db.close()
        raise


def _make_folder(folder: Path) -> None:
    """Make a folder that outlasts a power cut."""
    if not folder.is_dir():
        _make_folder(folder.parent)
        folder.mkdir(exist_ok=True)
        sync(folder.parent)


def _heal(log: Path) -> None:
    """Write what the log holds once more, and sync it.

    A sync that failed is not made good by one that works: the system takes what it could not write for written, and
    shows it until the power goes.
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
    """Bring a file, or the names in a folder, to the disk."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _log(path: Path) -> Path:
    """SQLite's write-ahead log of a database."""
    return path.with_name(f"{path.name}-wal")


def _there(path: Path) -> bool:
    """Whether a file holds anything at all."""
    try:
        return path.stat().st_size > 0
    except FileNotFoundError:
        return False
