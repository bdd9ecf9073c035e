"""The state folder: every file that the program ever writes there, or in a folder of it.

People's names can be in the journal, journals that were set aside, what a cut has left half made, score sheets, and in
sums, which have titles of such. `journal/forgetting.py` goes by this list; a test lets everything write, and finds no
file that the list lacks. What forgetting does about each stands in `journal/places.py`.
"""

import os
from contextlib import suppress
from fnmatch import fnmatchcase
from pathlib import Path

from firmware.boot import open_file

JOURNAL = "journal.db"
ASIDE = "*.db"  # a journal that was set aside, by why and when: damaged-2026-11-25.db
BEGUN = "journal.db.new"  # a new journal, until it is whole
GIVEN = "journal.db.given"  # the file that `restore` was given, byte by byte
TAKEN = "journal.db.taken"  # what it takes over from that
RESTORED = "journal.db.restored"  # the same, whole: it is the journal now, and moves to its place
UNFINISHED = (BEGUN, GIVEN, TAKEN)  # of no use after a cut

FORGOTTEN = "forgotten"  # the ids of those who were forgotten
LISTED = "people.read"  # the date and size of the list of people that was read
SUMS = "sums.sqlite"  # of the statistics: by seats. Not *.db: that would be a journal that was set aside
CERTIFICATE = "certificate.json"
CHOSEN = "kit.chosen"
ZONE = "zone.chosen"
GREETED = "greeted"
IN_USE = "in_use"  # empty; locked by the program that writes the journal
SHEETS = "games"  # a folder: score sheets that people have put there, or written on the page
SAVING = f"{SHEETS}/.*.new"  # one of them that is being saved; of no use after a cut

MAX_BYTES = 64  # of a choice
BESIDE = ("-wal", "-shm", "-journal")  # SQLite's own files beside a database


def greeted(place: Path) -> bool:
    """Whether somebody has been greeted in this state folder."""
    return (place / GREETED).exists()


def names(place: Path) -> list[str]:
    """The names in a folder. Raises `OSError`."""
    return sorted(path.name for path in place.iterdir())


def with_its_own(database: Path) -> tuple[Path, ...]:
    """SQLite's own files beside a database, and it itself, which comes last."""
    return (*(database.with_name(f"{database.name}{end}") for end in BESIDE), database)


def log(database: Path) -> Path:
    """SQLite's write-ahead log of a database."""
    return database.with_name(f"{database.name}-wal")


def state(path: Path) -> tuple[int, int, int] | None:
    """What changes when a file is written to; None where there is none. Raises `OSError`."""
    try:
        status = path.stat()
    except FileNotFoundError:
        return None
    return status.st_ino, status.st_size, status.st_mtime_ns


def without_end(name: str) -> str:
    """The database that one of SQLite's own files is of; any other name as it is."""
    return next((name.removesuffix(end) for end in BESIDE if name.endswith(end)), name)


def is_aside(name: str) -> bool:
    """Whether a file is a journal that was set aside, or one of SQLite's own beside it."""
    return fnmatchcase(without_end(name), ASIDE) and without_end(name) != JOURNAL


def unfinished(place: Path) -> list[Path]:
    """The files that are of no use after a cut. Raises `OSError`."""
    journals = [place / name for name in names(place) if without_end(name) in UNFINISHED]
    return [*journals, *(path for path in place.glob(SAVING) if path.is_symlink() or not path.is_dir())]


def choice(path: Path) -> str:
    """The word that a file keeps, as `choose` wrote it. Raises `OSError`, `ValueError`."""
    with open_file(path) as file:
        return file.read(MAX_BYTES).decode("ascii").strip()


def choose(path: Path, word: str | None) -> None:
    """Keep a word in a file, or no longer: synced and whole, or not at all. Raises `OSError`."""
    if word is None:
        path.unlink(missing_ok=True)
        sync(path.parent)
    else:
        replace(path, path.with_suffix(".new"), f"{word}\n".encode())


def replace(path: Path, fresh: Path, data: bytes) -> None:
    """Write a file: synced and whole, or not at all. `fresh`: where it is made. Raises `OSError`."""
    fresh.unlink(missing_ok=True)  # what a cut has left; a pipe would be waited for
    try:
        with fresh.open("xb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        fresh.replace(path)
    except OSError:
        with suppress(OSError):  # the next start removes it
            fresh.unlink()
        raise
    sync(path.parent)


def sync(path: Path) -> None:
    """Sync a file, or the names in a folder, to the disk. Raises `OSError`."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
