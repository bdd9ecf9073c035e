"""Forgetting somebody: the name goes from the state folder, files that were set aside included.

Games stay, with nobody known in the seat. Which texts may have a name, what stands there instead, and what is never
changed: `places.py`.
Nobody reads a journal before all who are in the list are forgotten in it (`forgotten.check`), so that nothing that was
in memory before is written back.
"""

import os
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

from engine.words import N_
from firmware.journal import forgotten, people, schema
from firmware.journal.file import code, open_to_write
from firmware.journal.forgotten import note_forgotten, number
from firmware.journal.places import KINDS, SHEETS, Forgotten
from firmware.journal.reader import Recorded
from firmware.journal.rows import MAX_ROW
from firmware.journal.set_aside import Busy, Tell, alone, remove_unfinished
from firmware.people.names import Person
from firmware.state_folder import SUMS, is_aside, log, names, sync, with_its_own, without_end

CHUNK, MARGIN = 1 << 20, 1 << 12  # bytes that are read at once, and of the next ones: a row may lie across


def finish(journal: Path, tell: Tell) -> None:
    """Forget all whom a cut, or a copy that was put there, has left. Raises `sqlite3.Error` and `OSError`."""
    with closing(open_to_write(journal, tell, thorough=True).db) as db:
        db.execute("begin immediate")
        schema.add(db)
        with carried_out(db, journal, forgotten.pending(db, journal.parent)):
            db.execute("commit")


@contextmanager
def carried_out(db: sqlite3.Connection, journal: Path, ids: Iterable[str]) -> Iterator[None]:
    """Forget people in the transaction under way, which is committed meanwhile; then nothing of them is left.

    Raises `sqlite3.Error` and `OSError`; then it is done again at the next start.
    """
    if not (ids := tuple(ids)):
        yield
        return
    note_forgotten(journal.parent, ids, done=False)
    clean_aside(journal, Forgotten(ids, forget(db, ids)))  # while the names can still be read
    yield
    clean(db, journal)
    note_forgotten(journal.parent, ids, done=True)


def forget(db: sqlite3.Connection, ids: Iterable[str]) -> tuple[Person, ...]:
    """Delete people: their seats are nobody's from now on. Returns who they were."""
    ids = tuple(ids)
    gone = tuple(person for person in people.known(db) if person.id in ids)
    for kind in KINDS:
        kind.forget(db, Forgotten(ids, gone))
    return gone


def leave_out(game: Recorded, gone: Forgotten) -> None:
    """The same of a game in memory."""
    for kind in KINDS:
        kind.leave_out(game, gone)


def tell_missed(db: sqlite3.Connection, folder: Path, tell: Tell) -> None:
    """Say once which texts of this journal an older version has not looked through when somebody was forgotten."""
    missed = {
        id_: [kind for kind in KINDS if number(kind.since) > max(number(noted.version), number(noted.told))]
        for id_, noted in forgotten.listed(folder).items()
        if noted.done
    }
    kinds = [kind for kind in KINDS if any(kind in each for each in missed.values()) and kind.any_of(db)]
    if kinds:
        there = ", ".join(kind.name for kind in kinds)
        tell(N_("an older version forgot somebody, but not in: {kinds}. Look there yourself", kinds=there))
    forgotten.note_told(folder, [id_ for id_, each in missed.items() if each])


def clean_aside(journal: Path, gone: Forgotten) -> None:
    """Leave no byte of these people in files that were set aside, and none that a cut has left. Raises `OSError`."""
    with suppress(Busy), alone(journal.parent):  # else it is being restored just now, which obeys the list
        remove_unfinished(journal.parent)
    aside = [journal.with_name(name) for name in sorted({*map(without_end, names(journal.parent))}) if is_aside(name)]
    files = [each for path in aside for each in with_its_own(path) if each.is_file()]
    # a journal may have been set aside with the only row that tells the name
    there = [one for each in files for _, data in _pieces(each) for one in people.found(data, gone.ids)]
    gone = gone._replace(persons=tuple(dict.fromkeys((*gone.persons, *there))))
    for path in aside:
        _clean_aside(path, gone)


def clean(db: sqlite3.Connection, journal: Path) -> None:
    """Leave no byte of what was deleted in free pages, in the log and in the sums.

    Raises `sqlite3.Error` where somebody reads the journal just now, and `OSError`.
    """
    db.execute("vacuum")
    if db.execute("pragma wal_checkpoint(truncate)").fetchone()[0]:
        raise Busy("the journal is being read")
    sync(log(journal))  # SQLite syncs the file, but not that the log is empty; to close the file would end its locks
    for path in with_its_own(journal.with_name(SUMS)):  # they are made again
        path.unlink(missing_ok=True)
    sync(journal.parent)


def _clean_aside(path: Path, gone: Forgotten) -> None:
    """Forget people in a file that was set aside; where it is too damaged for that, wipe their rows."""
    sound = False
    if path.is_file():
        try:
            _clean_rows(path, gone)
            sound = True
        except sqlite3.Error as error:
            if code(error) == sqlite3.SQLITE_IOERR:  # to be tried again
                raise
    for each in with_its_own(path):
        if each.is_file():
            _wipe(each, gone, sound=sound)


def _clean_rows(path: Path, gone: Forgotten) -> None:
    """Forget people by SQL. The file may be another program's: nothing that it brings along is run."""
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        db.execute("pragma trusted_schema = off")
        db.execute("pragma ignore_check_constraints = on")
        db.execute("pragma secure_delete = on")
        db.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, MAX_ROW)
        for (name,) in db.execute("select name from sqlite_master where type = 'trigger'").fetchall():
            db.execute('drop trigger "{}"'.format(name.replace('"', '""')))
        for kind in KINDS:
            kind.forget(db, gone)
        db.execute("vacuum")
        db.execute("pragma journal_mode = delete")
    sync(path.parent)


def _wipe(path: Path, gone: Forgotten, *, sound: bool) -> None:
    """Overwrite the names of people in the bytes of a file, of which the rows may not be read any more."""
    with path.open("r+b") as file:
        for at, before in _pieces(path):
            after = bytearray(before)
            for kind in KINDS:
                if kind is not SHEETS or not sound:  # lines of text are in a sound file's schema, too
                    kind.wipe(after, gone)
            if after != before:
                file.seek(at)
                file.write(after)
                file.flush()
        os.fsync(file.fileno())


def _pieces(path: Path) -> Iterator[tuple[int, bytes]]:
    """The bytes of a file, piece by piece, and where each begins."""
    with path.open("rb", buffering=0) as file:  # pieces overlap, and the one before may have been changed
        for at in range(0, path.stat().st_size, CHUNK):
            file.seek(at)
            yield at, file.read(CHUNK + MARGIN)
