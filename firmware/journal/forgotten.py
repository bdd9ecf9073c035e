"""The list of those who were forgotten, beside the journal: ids and no names. It stays for ever, and is only added to.

A line `ID` says that somebody is to be forgotten; `ID done` that it is done in every file of the folder, as all
versions write it; `ID done VERSION` by which one; `ID told VERSION` that people were told by this one what an older one
had not looked through. A journal with a person of this list is not read: see `check`.
"""

import os
import re
import sqlite3
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from engine.words import N_
from firmware import VERSION
from firmware.boot import open_file
from firmware.journal import people
from firmware.state_folder import FORGOTTEN, sync

OWN = re.compile(r"[0-9a-f]{16}")  # an id of the kit's own making
OTHER = re.compile(r"[0-9a-f]+(?= |$)")  # one of another program's
OLDEST = ""  # a version that did not note its own


class Unforgotten(sqlite3.OperationalError):
    """The journal has somebody who is to be forgotten: whoever reads it first would write the name back."""

    sqlite_errorcode = sqlite3.SQLITE_BUSY


class Noted(NamedTuple):
    """What the list has of somebody."""

    done: bool = False
    version: str = OLDEST  # the latest that has done it
    told: str = OLDEST  # the latest that has said what was not looked through


def listed(folder: Path) -> dict[str, Noted]:
    """All who are in the list, by id. Of a line without its end, which a pulled plug has cut, only the id counts.

    An editor, or a card that fails, may have put something before an id.
    """
    try:
        with open_file(folder / FORGOTTEN) as file:
            *lines, cut = file.read().decode(errors="replace").split("\n")
    except FileNotFoundError:
        return {}
    found: dict[str, Noted] = {}
    for line in (*lines, *OWN.findall(cut)[:1]):
        if (own := OWN.search(line) or OTHER.match(line)) is None:
            continue
        id_, _, rest = line[own.start() :].partition(" ")
        noted, (what, _, version) = found.get(id_, Noted()), rest.partition(" ")
        if what == "done":
            noted = noted._replace(done=True, version=max(noted.version, version, key=number))
        elif what == "told":
            noted = noted._replace(told=max(noted.told, version, key=number))
        found[id_] = noted
    return found


def number(version: str) -> tuple[int, ...]:
    """A version as numbers, to be compared; one that is not written so is older than all."""
    try:
        return tuple(map(int, version.split(".")))
    except ValueError:
        return ()


def note_forgotten(folder: Path, ids: Iterable[str], *, done: bool) -> None:
    """Note that people are to be forgotten, or that it is done, unless that is noted; synced. Raises `OSError`."""
    known, lines = listed(folder), list[str]()
    for id_ in ids:
        noted = known.get(id_)
        if done and (noted is None or number(noted.version) < number(VERSION)):
            lines.append(f"{id_} done {VERSION}")  # first: without it an older version is said to have done it
        if noted is None or (done and not noted.done):
            lines.append(f"{id_} done" if done else id_)
    _add(folder, lines)


def note_told(folder: Path, ids: Iterable[str]) -> None:
    """Note that people were told of what older versions had not looked through, synced. Raises `OSError`."""
    _add(folder, [f"{id_} told {VERSION}" for id_ in ids])


def _add(folder: Path, lines: list[str]) -> None:
    if lines:
        path = folder / FORGOTTEN
        before = path.read_bytes() if path.exists() else b""
        with path.open("a") as file:
            if before and not before.endswith(b"\n"):  # a line was cut
                file.write("\n")
            file.writelines(f"{line}\n" for line in lines)
            file.flush()
            os.fsync(file.fileno())
        sync(folder)


def there(db: sqlite3.Connection, folder: Path) -> tuple[str, ...]:
    """The ids of those of the list whom a journal still has."""
    if not (ids := listed(folder)) or not people.there(db):
        return ()
    return tuple(id_ for (id_,) in db.execute("select id from person") if id_ in ids)


def pending(db: sqlite3.Connection, folder: Path) -> tuple[str, ...]:
    """The ids of those who are still to be forgotten: a cut came before it was done, or the file was restored."""
    still = there(db, folder)
    return tuple(id_ for id_, noted in listed(folder).items() if not noted.done or id_ in still)


def check(db: sqlite3.Connection, folder: Path) -> None:
    """Raises `Unforgotten`, so that nobody has in memory what has to go from the file."""
    if there(db, folder):
        raise Unforgotten(N_("somebody has to be forgotten in it first: start the kit"))
