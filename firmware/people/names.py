"""People: what a name is, when two are the same, and what the display shows of it.

A name stands in one row of the journal's table `person`. Where else people may have written it: `journal/places.py`.
"""

import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

import msgspec

from engine.pasted import as_meant
from engine.words import JOINERS, N_, UNSEEN
from firmware import boot
from firmware.letters import LETTERS
from firmware.state_folder import choice
from firmware.translation import _

MAX_NAME = 12  # characters as people see them: a letter with its marks is one
MAX_CAPITALS = 8  # of a fancier of CAT Pageant
MAX_CODES = 60  # code points of a name; no script needs more for twelve characters, and marks can be piled up
UNTYPED = dict.fromkeys(map(ord, "\u00ad\u200e\u200f"))  # a soft hyphen, marks of direction
MAX_LIST = 100_000  # bytes of a list of people
# no control characters, no marks of direction, nothing invisible but joiners and the variants of emoji
SEEN = r"(?:[[\p{L}\p{M}\p{N}\p{P}\p{S} ]--[\p{Default_Ignorable_Code_Point}\u2800]]|[\u200c\u200d\ufe0e\ufe0f])+"
ALLOWED = N_("a name has 1 to 12 characters that can be seen")


class Person(msgspec.Struct, frozen=True):
    """Somebody who plays."""

    id: str  # for ever, also where the name changes
    name: str  # as `cleaned` returns it
    latin: str = ""  # what the display shows where it cannot draw the name
    counted: bool = True  # in statistics

    @property
    def drawn(self) -> str:
        """The name as the display draws it; empty where it cannot."""
        name = self.name.replace("\u2019", "'")  # the apostrophe of phones
        return name if drawable(name) else self.latin


class Listed(NamedTuple):
    """A line of a list of people."""

    name: str
    latin: str


class NewList(NamedTuple):
    """A list of people that has not been read before."""

    entries: list[Listed]
    faults: list[str]  # what is wrong with it
    mark: str = ""  # by which it is known from now on; empty: nothing was read


def as_typed(text: str) -> str:
    """What somebody has typed or pasted, without signs that nobody sees: they are no part of what was meant."""
    return as_meant(text).translate(UNTYPED)


def cleaned(text: str) -> str:
    """A name in its normal form: NFC, single spaces, none at the ends, and none of the signs without width of a chat.

    Raises `ValueError` for what is no name. It is measured as it is then.
    """
    import regex  # not needed at a table without names

    name = unicodedata.normalize("NFC", " ".join(as_typed(text).split()))
    if (
        len(name) > MAX_CODES
        or not regex.fullmatch(SEEN, name, regex.V1)
        or not regex.search(r"[\p{L}\p{N}\p{P}\p{S}]", name)
        or len(regex.findall(r"\X", name)) > MAX_NAME
    ):
        raise ValueError(ALLOWED)
    return name


def harmless(name: str) -> bool:
    """Whether a name from a file can be shown: no control characters, no marks of direction, not too long.

    `cleaned` is stricter, and knows only the characters of its Unicode: another version may know more.
    """
    return bool(name.strip()) and len(name) <= MAX_CODES and harmless_text(name)


def harmless_text(text: str) -> bool:
    """Whether a text from a file has no control characters and no marks of direction."""
    return not any(unicodedata.category(char) in UNSEEN for char in text if char not in JOINERS)


def cleaned_latin(text: str) -> str:
    """A short name that the display can draw; empty for none. Raises `ValueError`."""
    if not text.strip():
        return ""
    name = cleaned(text)
    if not drawable(name):
        name = cleaned(narrow(name))
    if not drawable(name):
        raise ValueError(N_("the name for the display has letters that it cannot draw"))
    return name


def key(name: str) -> str:
    """Names with the same key are the same name: spaces and case make no difference."""
    return unicodedata.normalize("NFC", "".join(name.split()).casefold())


def narrow(text: str) -> str:
    """A text as the display writes it: keyboards of East Asia have wide letters, other scripts digits of their own."""
    return "".join(str(unicodedata.decimal(char, char)) for char in unicodedata.normalize("NFKC", text))


def capitals(text: str) -> str:
    """A text as it is entered where there are capitals and digits only, without marks and spaces."""
    plain = unicodedata.normalize("NFKD", narrow(text)).upper()
    return "".join(char for char in plain if char.isascii() and char.isalnum())


def in_capitals(name: str) -> str:
    """A name as it is entered so for a fancier, which has room for some letters only."""
    return capitals(name)[:MAX_CAPITALS]


def isolated(name: str) -> str:
    """A name for the text of a page: one that is written from right to left does not turn what stands beside it."""
    plain = all(unicodedata.bidirectional(char) in ("L", "WS", "ON", "EN", "NSM", "CS", "ES", "ET") for char in name)
    return name if plain else f"\u2068{name}\u2069"


def drawable(name: str) -> bool:
    """Whether the display has all characters of a name."""
    return all(" " <= char <= "~" or char in LETTERS for char in name)


def beside(name: str, labels: Iterable[str]) -> str:
    """A name that stands beside buttons: one that is the label of a button says that it is a name."""
    return _("{name} (name)", name=name) if name and key(name) in map(key, labels) else name


def fitted(names: Sequence[str], labels: Sequence[str], most: int) -> tuple[str, ...]:
    """What stands for each seat where there is room for so many characters.

    The name, cut if need be; the button's label where there is no name, or where it would not be told from another.
    One that says that it is a name stands whole.
    """
    sign = beside("P1", ("P1",))[2:]
    cut = ["" if len(name) > most and name.endswith(sign) else name[:most].rstrip() for name in names]
    many = Counter(key(text) for text in (*cut, *labels))
    return tuple(text if text and many[key(text)] == 1 else label for text, label in zip(cut, labels, strict=True))


def at_table(labels: Sequence[str], people: Mapping[int, str]) -> tuple[str, ...]:
    """By seat the name, or the label where there is none, or where two would be the same. `people`: names by seat."""
    names = [beside(people.get(seat, ""), labels) for seat in range(len(labels))]
    return fitted(names, labels, MAX_CODES) if people else tuple(labels)


def read_list(data: bytes) -> tuple[list[Listed], list[str]]:
    """The people of a list, and what is wrong with it, without any name.

    A line has a name or, for a name that the display cannot draw, `name = short name`. "#" begins a comment.
    """
    try:
        lines = as_meant(boot.text(data[:MAX_LIST])).splitlines()
    except UnicodeDecodeError:
        return [], [N_("people.txt: the file is not text in UTF-8")]
    entries: list[Listed] = []
    faults = [] if len(data) <= MAX_LIST else [N_("people.txt: longer than 100 kB; the rest is not read")]
    for number, line in enumerate(lines, 1):
        name, _equals, latin = line.partition("#")[0].partition("=")
        if not line.partition("#")[0].strip():
            continue
        try:
            entries.append(Listed(cleaned(boot.unquoted(name.strip())), cleaned_latin(boot.unquoted(latin.strip()))))
        except ValueError as error:
            faults.append(N_("people.txt, line {number}: {why}", number=number, why=str(error)))
    return entries, faults


def newly_listed(path: Path, mark: Path) -> NewList:
    """The people of a list; nothing where there is none, or where it has been read before.

    The file `mark` remembers the list by its date and size: somebody who was renamed or forgotten since does not come
    back by it.
    """
    try:
        status = path.stat()
    except OSError:
        return NewList([], [])
    this = f"{status.st_mtime_ns} {status.st_size}"
    try:
        if _known_by(mark) == this:
            return NewList([], [])
        with boot.open_file(path) as file:
            return NewList(*read_list(file.read(MAX_LIST + 1)), this)
    except OSError as error:
        return NewList([], [N_("people.txt cannot be read: {reason}", reason=error.strerror or str(error))])


def _known_by(mark: Path) -> str:
    with suppress(FileNotFoundError, ValueError):  # older versions did not sync it
        return choice(mark)
    return ""


def missing(entries: Iterable[Listed], people: Iterable[Person]) -> list[Listed]:
    """The people of a list who are not known yet: a name that stands there twice is two people."""
    known = Counter(key(person.name) for person in people)
    new: list[Listed] = []
    for entry in entries:
        if known[key(entry.name)]:
            known[key(entry.name)] -= 1
        else:
            new.append(entry)
    return new
