"""Where score sheets come from: the card's first partition, the state folder, and the program itself.

A sheet is known by its file's name: `wizard.toml` is `sheet:wizard`. Where two folders have one, the first of them
counts and hides the other. A file that is no sheet keeps its row in every list, with what is wrong in it.
"""

import re
import tomllib
import unicodedata
from collections.abc import Iterator
from contextlib import suppress
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from engine import games
from engine.game import Rules
from engine.sheets.limits import LARGEST, LONGEST_TITLE
from engine.words import N_
from firmware.boot import BOOT, open_file
from firmware.journal import sheets
from firmware.journal.sheets import PREFIX
from firmware.misnamed import as_plain_text, without_rich_end
from firmware.state_folder import SHEETS, replace, sync

if TYPE_CHECKING:  # what reads a sheet is imported with the first one: a start need not wait for it
    from engine.sheets.reading import SheetErrors

SHIPPED = Path(__file__).parent
ENDS = (".toml", ".toml.txt")  # the second is what Windows makes of it
MOST = 500  # files of a folder; a folder of photos is no shelf
LONGEST = 40  # signs of a name
TITLE, PLAYERS = (re.compile(rf"^[ \t]*{key}[ \t]*=.*$", re.MULTILINE) for key in ("title", "players"))


class SheetFolder(NamedTuple):
    """A folder with sheets."""

    name: str  # for people
    folder: Path


class Shelved(NamedTuple):
    """A sheet in a folder."""

    name: str  # of its rules
    title: str  # for people; where it cannot be read, the name of its file
    file: Path
    place: str  # for people
    hides: tuple[Path, ...] = ()  # files of the same name that do not count
    wrong: str = ""  # what can be seen at once; most is seen only by reading it whole
    players: tuple[int, int] | None = None  # fewest and most; None: that is seen only by reading it whole

    @property
    def own(self) -> bool:
        """Whether it lies in the state folder: the kit may change and remove it."""
        return self.place == OWN


CARD, OWN, KIT = N_("card"), N_("own"), N_("kit")


def places(state: Path, boot: Path = BOOT) -> tuple[SheetFolder, ...]:
    """The folders, the one that counts first in front. `state`: the state folder."""
    return SheetFolder(CARD, boot / "luckypaw" / "games"), SheetFolder(OWN, state / SHEETS), SheetFolder(KIT, SHIPPED)


def listed(of: tuple[SheetFolder, ...]) -> tuple[Shelved, ...]:
    """All sheets by title. Of each only title and players are read: that is quick with a hundred. Never raises."""
    found: dict[str, Shelved] = {}
    for place in of:
        for file in files(place.folder):
            name = name_of(file)
            if name in found:
                found[name] = found[name]._replace(hides=(*found[name].hides, file))
            else:
                title, wrong, players = _title(file)
                found[name] = Shelved(name, title, file, place.name, wrong=wrong, players=players)
    return tuple(sorted(found.values(), key=lambda one: (letter(one.title), one.title.casefold(), one.name)))


def opened(sheet: Shelved) -> Rules[Any, Any]:
    """The rules of a sheet, read and compiled. Raises `SheetErrors` and `OSError`."""
    return from_file(sheet.file, sheet.name)


def from_file(file: Path, name: str = "") -> Rules[Any, Any]:
    """The rules of a sheet's file. Raises `SheetErrors` and `OSError`."""
    from engine.sheets.reading import read

    with open_file(file) as opened_:
        given = opened_.read(LARGEST + 1)
    read(given, file.name)  # names all errors
    return sheets.rules(name or name_of(file), given.decode("utf-8-sig").replace("\r\n", "\n"))


def in_words(error: "SheetErrors | OSError") -> str:
    """What is wrong with a file, in one line for people."""
    return error.strerror or str(error) if isinstance(error, OSError) else str(error.errors[0])


def name_of(file: Path) -> str:
    """The name of a sheet's rules by its file."""
    return f"{PREFIX}{_stem(file.name)}"


def letter(title: str) -> str:
    """The letter under which a title stands: a capital without marks, or # for all else."""
    first = unicodedata.normalize("NFKD", title.strip()[:1]).upper()[:1]
    return first if first.isalpha() else "#"


def save(state: Path, stem: str, text: str) -> Path:
    """Keep a sheet in the state folder, whole or not at all. Raises `ValueError` for a bad name, `OSError`."""
    file = own_file(state, stem)
    file.parent.mkdir(parents=True, exist_ok=True)
    replace(file, file.with_name(f".{file.name}.new"), text.encode())
    return file


def remove(sheet: Shelved) -> None:
    """Remove a sheet from the state folder. Raises `OSError`; games played with it keep its text."""
    sheet.file.unlink()
    sync(sheet.file.parent)


def own_file(state: Path, stem: str) -> Path:
    """The file of a sheet in the state folder. Raises `ValueError` for a name that cannot be one."""
    if wrong := _wrong_name(stem):
        raise ValueError(wrong)
    return state / SHEETS / f"{stem}.toml"


def files(folder: Path) -> Iterator[Path]:
    """The files of a folder that may be sheets, by name."""
    names = list[str]()
    with suppress(OSError):
        names = [file.name for file in islice(folder.iterdir(), 4 * MOST)]
    found = [name for name in names if not name.startswith(".") and without_rich_end(name).lower().endswith(ENDS)]
    for name in sorted(found, key=str.lower)[:MOST]:
        yield folder / name


def _stem(name: str) -> str:
    """The name without its ending, as upper and lower case are the same on a card."""
    low = unicodedata.normalize("NFC", name).lower()
    return next((low.removesuffix(end) for end in reversed(ENDS) if low.endswith(end)), low)


def _wrong_name(stem: str) -> str:
    """Why this cannot be the name of a sheet; empty where it can."""
    if stem in games.names():
        return N_("{name} is a game of the kit: give the file another name", name=stem)
    if not re.fullmatch(r"[^\W_][\w -]*", stem) or len(stem) > LONGEST or stem != _stem(f"{stem}.toml"):
        return N_("{name!r}: must be 1 to 40 small letters, digits, spaces, - and _", name=stem)
    return ""


def _title(file: Path) -> tuple[str, str, tuple[int, int] | None]:
    """The title of a sheet, what is wrong that can be seen by it, and its players."""
    stem = _stem(file.name)
    if (wanted := without_rich_end(file.name)) != file.name:
        return stem, as_plain_text(file.name, wanted), None
    if wrong := _wrong_name(stem):
        return stem, wrong, None
    try:
        with open_file(file) as opened_:
            given = opened_.read(LARGEST + 1)
    except OSError as error:
        return stem, error.strerror or str(error), None
    title, players = (_value(given, line) for line in (TITLE, PLAYERS))
    if len(given) > LARGEST or not isinstance(title, str) or not 0 < len(title.strip()) <= LONGEST_TITLE:
        return stem, _first_error(given, file.name), None
    match players:
        case [int(fewest), int(most)]:
            return title, "", (fewest, most)
    return title, "", None


def _value(given: bytes, line: re.Pattern[str]) -> object:
    """The value of the first line of a file that is like this; None where there is none."""
    with suppress(ValueError):
        if (found := line.search(given.decode("utf-8-sig"))) is not None:
            return next(iter(tomllib.loads(found[0].strip()).values()))
    return None


def _first_error(given: bytes, name: str) -> str:
    """What is wrong with a file that has no title."""
    from engine.sheets.reading import SheetErrors, read

    try:
        read(given, name)
    except SheetErrors as errors:
        return str(errors.errors[0])
    return ""
