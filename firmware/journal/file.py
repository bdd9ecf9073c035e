"""The journal's file: begun whole or not at all, healed when it is opened, set aside where it is damaged.

SQLite keeps all that it has synced. Two cases are left for this module: a failed sync leaves bytes that are only in
memory, and a file may be no journal, or one of another format.

Within a format a later version may add tables, columns that have a default, and events. It never renames or drops
anything and never gives an old column or event a new meaning; a version that has to raises `FORMAT`, and a journal of
another format is set aside, and comes back once its version runs again. This version names the columns that it writes
and reads, and ignores unknown tables, columns and fields; a game with an unknown event cannot be read, all others can.
`tests/firmware/golden/journal-<FORMAT>.sql` has a journal of each format for the tests.
"""

import os
import shutil
import sqlite3
from contextlib import closing, suppress
from pathlib import Path
from stat import S_ISREG
from typing import NamedTuple

from engine.words import N_
from firmware import state_folder
from firmware.boot import open_file
from firmware.faults import in_a_line
from firmware.journal import forgotten, rows, schema
from firmware.journal.schema import Foreign
from firmware.journal.set_aside import PATIENCE_S, Busy, Tell, alone, identity, in_use, put_in_place, set_aside, tidy
from firmware.state_folder import log, sync, with_its_own

FORMAT = 2  # of the tables, and of the names and fields of all events
DAMAGED = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)  # SQLite's codes for a file that is no sound database
WORDS = {
    sqlite3.SQLITE_FULL: N_("the disk is full"),
    sqlite3.SQLITE_IOERR: N_("the disk fails"),
    sqlite3.SQLITE_READONLY: N_("the disk is read-only"),
    sqlite3.SQLITE_CANTOPEN: N_("the disk cannot be written to"),
    sqlite3.SQLITE_BUSY: N_("another program is writing"),
}
FOREIGN = N_("foreign")  # why a journal is set aside that another program has changed; `restore` takes its games
MIXED = N_("mixed")  # why a journal is set aside that lay beside the log of another one
READ_ONLY = "mode=ro"
ALONE = "mode=ro&immutable=1"  # the file alone, without a log
CHUNK = 1 << 16
VERSIONS = slice(18, 20)  # where SQLite's head of a file says whether it has a log: sqlite.org/fileformat.html
WITHOUT_LOG = b"\x01\x01"
SYNCHRONOUS = "full"  # what is committed is on the disk
_OPENED = set[Path]()  # files that this program writes to: its readers may have them open at any time


def open_to_read(path: Path, *, first: bool = False) -> sqlite3.Connection:
    """A connection that changes nothing, not even to play back a log.

    `first`: this program has it open nowhere, so it is checked first whether the log beside it is its own (`mixed`).
    Raises `FileNotFoundError` where there is no journal yet, `Unforgotten` where somebody has to be forgotten in it
    first, `sqlite3.Error` where it cannot be read, or where another program has made or changed it.
    """
    db = _checked(path, ALONE if first and mixed(in_use(path)) else READ_ONLY)
    try:
        forgotten.check(db, path.parent)
    except BaseException:
        db.close()
        raise
    return db


def _checked(path: Path, how: str = READ_ONLY) -> sqlite3.Connection:
    """As `open_to_read`, also if somebody has to be forgotten in it: for callers that keep nothing in memory."""
    path = in_use(path)
    if not _there(path):
        raise FileNotFoundError(f"no journal at {path}: no game has been played yet")
    db, version = look(path, how)
    try:
        if version not in (0, FORMAT):
            raise OtherFormat(version)
        if version == 0:
            if db.execute("select count(*) from sqlite_master").fetchone()[0]:
                raise Damaged("this is another program's database")
            raise FileNotFoundError(f"no journal at {path}: no game has been played yet")
        with schema.bounded(db, path):
            schema.check(db)
    except BaseException:
        db.close()
        raise
    return db


def attach_to_read(db: sqlite3.Connection, path: Path, name: str) -> None:
    """Attach a journal to a connection that knows URIs, as `open_to_read` opens it. Raises `sqlite3.Error`."""
    path = in_use(path)
    for how in (READ_ONLY, ALONE):
        try:
            db.execute(f"attach ? as {name}", (_uri(path, how),))
            db.execute(f"pragma {name}.user_version").fetchone()
            return
        except sqlite3.OperationalError:
            if how == ALONE or _there(log(path)):
                raise
            with suppress(sqlite3.OperationalError):  # it was not even attached
                db.execute(f"detach {name}")


class OpenJournal(NamedTuple):
    """A journal to write to."""

    db: sqlite3.Connection
    identity: tuple[int, int] | None  # of its file


def open_to_write(path: Path, tell: Tell, *, thorough: bool) -> OpenJournal:
    """A connection that syncs every commit. If there is no journal, one is begun.

    One that is damaged, of another format or another program's is set aside, and `tell` is called with a notice. If a
    version of another format has set aside a journal of this format, that one is put back and goes on.
    `thorough` reads the whole file first to find damage. Raises `sqlite3.Error` and `OSError`; then nothing has been
    lost.
    """
    make_folder(path.parent)
    tidy(path, tell)
    of_two = mixed(path)
    try:
        with closing(_checked(path, ALONE if of_two else READ_ONLY)) as db:
            if thorough or of_two:
                _examine(db)
    except FileNotFoundError:
        _begin(path, tell)
    except OtherFormat as error:
        why = N_("format {number}", number=error.number)
        if (own := _own(path)) is not None:
            kept = _take_back(own, path, why)
            tell(N_("journal ({why}) kept, this version's own goes on: {name}", why=why, name=kept))
            return open_to_write(path, tell, thorough=thorough)
        set_aside(path, why, tell)
        _begin(path, tell)
    except Foreign:
        set_aside(path, FOREIGN, tell)
        _begin(path, tell)
    except sqlite3.DatabaseError as error:
        if not damaged(error):
            raise
        if _sound_alone(path):
            return _without_log(path, tell)
        set_aside(path, tell=tell)
        _begin(path, tell)
    else:
        if of_two:
            return _without_log(path, tell)
    found = identity(path)
    db = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
    try:
        db.execute("pragma trusted_schema = off")
        db.execute("pragma journal_mode = wal")
        db.execute(f"pragma synchronous = {SYNCHRONOUS}")
        db.execute("pragma secure_delete = on")  # a name that is changed or forgotten leaves no bytes in a page
        db.execute("begin immediate")  # no other program writes from here on
        if identity(path) != found:
            raise Busy("the journal was restored just now")
        _heal(log(path))
        sync(path.parent)  # SQLite does so too when it makes a log, but ignores an error
        db.execute("rollback")
    except BaseException:
        db.close()
        raise
    _OPENED.add(path)
    return OpenJournal(db, found)


class OtherFormat(sqlite3.DatabaseError):
    """A journal that another version of the program has written."""

    def __init__(self, number: int) -> None:
        super().__init__(f"the journal is of format {number}, this version reads format {FORMAT}")
        self.number = number


class Damaged(sqlite3.DatabaseError):
    """The file is no journal, or no longer one."""

    sqlite_errorcode = sqlite3.SQLITE_CORRUPT


def code(error: Exception) -> int:
    """SQLite's primary code of an error; 0: there is none."""
    return int(getattr(error, "sqlite_errorcode", 0)) & 0xFF


def of_storage(error: Exception) -> bool:
    """Whether an error means that storage fails, and not that a file is wrong."""
    return isinstance(error, OSError) or code(error) in WORDS


def damaged(error: Exception) -> bool:
    """Whether an error means that the file is damaged, and not that storage fails."""
    return code(error) in DAMAGED


def in_words(error: Exception) -> str:
    """An error of storage in words for people; one of another kind in a line for whoever mends it."""
    if isinstance(error, OSError):
        return error.strerror or str(error)
    if isinstance(error, sqlite3.Error):
        return WORDS.get(code(error), str(error))
    return in_a_line(error)


def _own(path: Path) -> Path | None:
    """The latest journal of this format that a version of another one has set aside."""
    files = sorted(path.parent.glob(f"format-{FORMAT}-*{path.suffix}"), key=lambda file: file.lstat().st_mtime_ns)
    for file in reversed(files):
        with suppress(sqlite3.Error, OSError):
            _checked(file).close()
            return file
    return None


def _take_back(own: Path, path: Path, why: str) -> str | None:
    """Put a journal that was set aside in its place again; returns the name under which the one there is kept."""
    with alone(path.parent, PATIENCE_S):
        with closing(sqlite3.connect(own, isolation_level=None)) as db:
            db.execute("pragma trusted_schema = off")
            db.execute(f"pragma synchronous = {SYNCHRONOUS}")
            db.execute("pragma journal_mode = delete")  # all that its log has is in the file
        own.replace(path.with_name(state_folder.RESTORED))  # from here on it counts, also after a cut
        sync(path.parent)
        return put_in_place(path, why=why)


def mixed(path: Path) -> bool:
    """Whether the log beside a file certainly belongs to another file, which this one has replaced.

    The header of a file says that it has a log, from before SQLite makes the log until after the log is gone. A backup
    never says so. A journal that was copied as it is does, so in that case nobody can know.

    A program looks once, while it has the file open nowhere else: when a program closes a file, the system drops all
    its locks on that file, and without SQLite's own lock another program that ends would remove the log while this one
    writes to it (sqlite.org/howtocorrupt.html, 2.2).
    """
    if path in _OPENED:
        return False
    try:
        if log(path).stat().st_size == 0:
            return False
        with open_file(path) as file:
            return file.read(VERSIONS.stop)[VERSIONS] == WITHOUT_LOG
    except OSError:  # what is wrong, says whoever opens it
        return False


def _examine(db: sqlite3.Connection) -> None:
    """Raises `Damaged` where a page or a row is."""
    if (damage := db.execute("pragma quick_check(1)").fetchone()[0]) != "ok":
        raise Damaged(damage)
    rows.teach(db)
    schema.check_rows(db)


def _sound_alone(path: Path) -> bool:
    """Whether there is a log, and the file without it is a sound journal."""
    try:
        if not _there(log(path)):
            return False
        with closing(_checked(path, ALONE)) as db:
            _examine(db)
    except (OSError, sqlite3.Error):
        return False
    return True


def _without_log(path: Path, tell: Tell) -> OpenJournal:
    """Go on with a copy of the file alone; file and log are kept as they are."""
    with alone(path.parent, PATIENCE_S):
        new = path.with_name(state_folder.TAKEN)
        shutil.copyfile(path, new)
        sync(new)
        new.replace(path.with_name(state_folder.RESTORED))  # from here on it counts, also after a cut
        sync(path.parent)
        kept = put_in_place(path, why=MIXED)
    tell(N_("journal goes on without its log, which does not fit it; both kept: {name}", name=kept))
    return open_to_write(path, tell, thorough=True)


def _begin(path: Path, tell: Tell) -> None:
    """Begin a journal: made beside its place and moved there whole, so that there is never half a journal."""
    if any(map(_there, (log(path), path.with_name(f"{path.name}-journal")))):
        set_aside(path, tell=tell)  # a new journal must not use the log of another one
    new = path.with_name(state_folder.BEGUN)
    for old in with_its_own(new):
        old.unlink(missing_ok=True)
    with closing(sqlite3.connect(new, isolation_level=None)) as db:
        db.executescript(f"begin; {schema.BASE} pragma user_version = {FORMAT}; commit")
        db.execute("pragma journal_mode = wal")
    sync(new)
    new.replace(path)
    sync(path.parent)


def look(path: Path, how: str = READ_ONLY) -> tuple[sqlite3.Connection, int]:
    """A connection to read from, and the format of what is there. Nothing is written, not even files for sorting."""
    db = sqlite3.connect(_uri(path, how), uri=True, isolation_level=None)
    try:
        db.execute("pragma trusted_schema = off")
        db.execute("pragma temp_store = memory")
        return db, db.execute("pragma user_version").fetchone()[0]
    except sqlite3.OperationalError:
        db.close()
        if _there(log(path)) or how == ALONE:
            raise
        return look(path, ALONE)  # a folder that is read-only or full, also for SQLite's own files
    except BaseException:
        db.close()
        raise


def _uri(path: Path, how: str) -> str:
    return f"{path.absolute().as_uri()}?{how}"


def make_folder(place: Path) -> None:
    """Make a folder and sync it."""
    if not place.is_dir():
        make_folder(place.parent)
        place.mkdir(exist_ok=True)
        sync(place.parent)


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


def _there(path: Path) -> bool:
    """Whether a file exists and is not empty. Raises `Damaged` for what is no file."""
    try:
        status = path.stat()
    except FileNotFoundError:
        return False
    if not S_ISREG(status.st_mode):
        raise Damaged("it is no file")
    return status.st_size > 0
