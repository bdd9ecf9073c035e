"""What the kit knows of the shelf: all sheets, those that were played last, those with the name of somebody."""

import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import closing, suppress
from pathlib import Path
from typing import NamedTuple

from engine.sheets.limits import LARGEST
from firmware.boot import open_file
from firmware.journal import sheets
from firmware.journal.reader import History
from firmware.journal.sheets import PREFIX
from firmware.shelf import folders
from firmware.shelf.folders import Shelved

RECENT = 3  # sheets on top of the menu
GAMES_READ = 50  # among so many of the latest games


class Shelf(NamedTuple):
    """All sheets by title, and the names of those that were played last, the latest first."""

    sheets: tuple[Shelved, ...] = ()
    recent: tuple[str, ...] = ()

    @property
    def on_top(self) -> tuple[Shelved, ...]:
        """The sheets that were played last, the latest first."""
        by_name = {sheet.name: sheet for sheet in self.sheets}
        return tuple([by_name[name] for name in self.recent if name in by_name][:RECENT])

    def played(self, name: str) -> "Shelf":
        """The shelf once a game has begun."""
        if not name.startswith(PREFIX):
            return self
        return self._replace(recent=tuple(dict.fromkeys((name, *self.recent))))


def look(journal: Path) -> Iterator[Shelf]:
    """The shelf, from the disk: a question to the reader. `journal`: the folders go by its place."""
    names: tuple[str, ...] = ()
    with suppress(OSError, sqlite3.Error), closing(History(journal)) as history:
        names = tuple([row.name for row in history.games()[:GAMES_READ] if row.name.startswith(PREFIX)])
    yield Shelf(folders.listed(folders.places(journal.parent)), tuple(dict.fromkeys(names)))


def naming(names: Iterable[str], journal: Path) -> Iterator[tuple[str, ...]]:
    """The files on the card and in the state folder that have one of these names: a question to the reader.

    Nobody but people may change them.
    """
    names = tuple(names)
    own = [place for place in folders.places(journal.parent) if place.folder != folders.SHIPPED]
    files = [file for place in own for file in folders.files(place.folder)]
    yield tuple([_called(file) for file in files if _has(file, names)])


def _called(file: Path) -> str:
    """The name of a file as far as it is text."""
    return "".join(char if char.isprintable() else "?" for char in file.name)


def _has(file: Path, names: tuple[str, ...]) -> bool:
    text = ""
    with suppress(OSError), open_file(file) as opened:
        text = opened.read(LARGEST).decode("utf-8-sig", errors="replace").replace("\r\n", "\n")
    return sheets.naming(text, names) or sheets.naming(f"# {_called(file).replace('_', ' ')}", names)
