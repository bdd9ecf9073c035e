"""A copy of the journal, and a copy put back."""

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from stat import S_ISREG
from typing import NamedTuple

from engine.rules import Refused
from engine.words import N_
from firmware import new_file, state_folder
from firmware.journal import forgetting, forgotten
from firmware.journal.file import code, damaged, in_words, make_folder, mixed, of_storage, open_to_read
from firmware.journal.forgotten import Unforgotten
from firmware.journal.reader import History
from firmware.journal.restored_rows import RowsTaken, take
from firmware.journal.set_aside import alone, put_in_place, remove_unfinished
from firmware.state_folder import log, state, sync, with_its_own

MAX_BYTES = 1 << 30  # of a file: an evening of five games every day for a hundred years
CHUNK = 1 << 20


class UnusableFile(Exception):
    """A file or a folder cannot be used: which, and why, in words."""

    def __init__(self, place: Path, why: str) -> None:
        super().__init__(f"{place}: {why}")
        self.place, self.why = place, why


class Restored(NamedTuple):
    """What came of a copy that was put back."""

    kept: str | None  # the name under which the journal that stood there is kept
    taken: RowsTaken
    unreadable: tuple[int, ...]  # games that this version cannot read; they are kept as they are stored
    open: bool  # another program has the journal open: a kit goes on in the new one
    without_log: bool  # the log beside the copy does not fit it


def backup(journal: Path, to: Path) -> None:
    """Copy the journal, also while the kit writes to it; the copy has its name once it is whole and synced.

    Raises `FileExistsError` where there is such a file, `FileNotFoundError` where there is no journal, `UnusableFile`,
    and `sqlite3.Error` where the journal cannot be read.
    """
    with closing(open_to_read(journal, first=True)) as db:
        try:
            with (
                new_file.made(to, new_file.OWNER) as fresh,
                closing(sqlite3.connect(fresh, isolation_level=None)) as copy,
            ):
                db.backup(copy)
                copy.execute("pragma journal_mode = delete")
        except FileExistsError:
            raise
        except (OSError, sqlite3.Error) as error:
            if not of_storage(error):
                raise
            raise UnusableFile(to, in_words(error)) from None


def restore(copy: Path, journal: Path) -> Restored:
    """Put what is in a copy in the journal's place; those who were forgotten since are forgotten in it.

    A kit that runs meanwhile goes on with its game in it. Raises `UnusableFile`, and `sqlite3.Error` for what is no
    sound journal; then nothing has been changed.
    """
    given, taken = journal.with_name(state_folder.GIVEN), journal.with_name(state_folder.TAKEN)
    with _blaming(journal.parent):
        make_folder(journal.parent)
        with alone(journal.parent):
            put_in_place(journal)  # what a cut has left
            try:
                left = _fetch(copy, given)
                found, bad = _made_alone(given, taken)
                unreadable = _unreadable(taken)
                opened = _folded(journal)
                taken.replace(journal.with_name(state_folder.RESTORED))
                sync(journal.parent)  # from here on it is the journal
                return Restored(put_in_place(journal), found, unreadable, opened, left or bad)
            finally:
                with suppress(OSError):  # it is done again by whoever writes next
                    remove_unfinished(journal.parent)


@contextmanager
def _blaming(place: Path) -> Iterator[None]:
    """Where storage fails meanwhile it is said to be this file's or folder's fault."""
    try:
        yield
    except (OSError, sqlite3.Error) as error:
        if not of_storage(error):
            raise
        raise UnusableFile(place, in_words(error)) from None


def _fetch(copy: Path, given: Path) -> bool:
    """Copy a file and its log, byte by byte, to where nobody else writes; beside the original nothing is made.

    Returns whether there is a log that is not its own, which is left out.
    """
    with _blaming(copy):
        before = [state(path) for path in with_its_own(copy)]
        *_, unfinished, _ = with_its_own(copy)
        if state(unfinished) is not None:
            raise UnusableFile(copy, N_("a change of it was not finished: {name} is beside it", name=unfinished.name))
    _copy(copy, copy, given)
    if not (of_two := mixed(copy)) and state(log(copy)) is not None:
        _copy(log(copy), copy, log(given))
    if before != [state(path) for path in with_its_own(copy)]:
        raise UnusableFile(copy, N_("it is being written to: copy it by `luckypaw backup`"))
    return of_two


def _copy(path: Path, blamed: Path, to: Path) -> None:
    """Copy a file. `blamed`: the one that is at fault where it cannot be read."""
    with _blaming(blamed):
        if not S_ISREG(path.stat().st_mode):  # to open a device may do something
            raise UnusableFile(blamed, N_("it is no file"))
        source = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    try:
        with os.fdopen(os.open(to, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as target:
            size = 0
            while True:
                with _blaming(blamed):
                    chunk = os.read(source, CHUNK)
                    size += len(chunk)
                    if max(size, os.fstat(source).st_size) > MAX_BYTES:
                        raise UnusableFile(blamed, N_("it is too large: must be at most 1 GB"))
                if not chunk:
                    return
                target.write(chunk)
    finally:
        os.close(source)


def _made_alone(given: Path, taken: Path) -> tuple[RowsTaken, bool]:
    """A journal of what can be taken over, and whether only the file without its log is sound."""
    try:
        return _made(given, taken), False
    except sqlite3.DatabaseError as error:
        if not damaged(error) or state(log(given)) is None:
            raise
    *beside, _ = with_its_own(given)
    for path in (*beside, *with_its_own(taken)):
        path.unlink(missing_ok=True)
    return _made(given, taken), True


def _made(given: Path, taken: Path) -> RowsTaken:
    """A journal of what can be taken over from a file, synced; without those who were forgotten."""
    taken.touch(mode=0o600)
    with closing(sqlite3.connect(taken, isolation_level=None)) as db:
        db.execute("pragma journal_mode = off")  # after a cut it is made again
        db.execute("pragma synchronous = off")
        found = take(given, db)
        if gone := forgotten.listed(taken.parent):
            forgetting.forget(db, gone)
            db.execute("vacuum")
        db.execute("pragma journal_mode = wal")
    sync(taken)
    return found


def _unreadable(journal: Path) -> tuple[int, ...]:
    """The games of a journal that this version cannot read, the oldest first."""
    found: list[int] = []
    with closing(History(journal)) as history:
        for row in reversed(history.games()):
            try:
                history.play(row.game, history.rules(row))
            except (Refused, sqlite3.Error):
                found.append(row.game)
    return tuple(found)


def _folded(journal: Path) -> bool:
    """Write the log of a sound journal into its file, so that it is kept whole. Whether another program has it open."""
    try:
        open_to_read(journal).close()
    except Unforgotten:  # it is sound
        pass
    except (OSError, sqlite3.Error):  # it is kept as it is
        return False
    with suppress(sqlite3.Error), closing(sqlite3.connect(journal, isolation_level=None, timeout=0)) as db:
        db.execute("pragma locking_mode = exclusive")
        try:
            db.execute("begin exclusive")
        except sqlite3.OperationalError as error:
            if code(error) != sqlite3.SQLITE_BUSY:
                raise
            _empty_log(journal)
            return True
        db.execute("rollback")  # the log goes when this is closed
    return False


def _empty_log(journal: Path) -> None:
    """The same while another program has it open, as far as that is possible."""
    with suppress(sqlite3.Error), closing(sqlite3.connect(journal, isolation_level=None)) as db:
        db.execute("pragma wal_checkpoint(truncate)")
