"""What the page of the score sheets asks for: lists, texts, errors, tries, files. Requests and answers are JSON."""

import json
import keyword
import math
import re
import tomllib
import unicodedata
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from engine.pasted import toml_as_meant
from engine.sheets.expressions import FUNCTIONS
from engine.sheets.program import NAMES
from engine.sheets.reading import SheetError, SheetErrors, key_of, read
from engine.toml_places import Places
from firmware.boot import BOOT, open_file
from firmware.journal.sheets import PREFIX
from firmware.output import sheet_on_display as on_display
from firmware.shelf import folders, trial, writing
from firmware.shelf.folders import Shelved
from firmware.translation import _, translated

LARGEST = 16 * 1024  # of a text that the page changes
FILE = "sheet"  # the name of a text that has none yet

Answer = dict[str, Any]


class UnfitRequest(Exception):
    """A request that the page never sends."""


class Workshop:
    """The sheets of a state folder, and of what else the kit finds."""

    def __init__(self, state: Path, boot: Path = BOOT) -> None:
        self.state, self.places = state, folders.places(state, boot)
        self._read: dict[tuple[Path, int, int], tuple[SheetError, ...]] = {}  # by file, size and date: what is wrong

    def answer(self, request: object) -> Answer:
        """The answer to a request. Raises `UnfitRequest`."""
        match request:
            case {"do": "list", **rest} if not rest:
                return self.all()
            case {"do": "open", "name": str(name), **rest} if not rest:
                return self.open(name)
            case {"do": "read", "text": str(text), "changes": dict(changes), **rest} if not rest:
                return self.read(_fit(text), changes)
            case {"do": "try", "text": str(text), "players": int(players), "moves": moves, "now_ms": int(now_ms)}:
                return self.tried(_fit(text), players, moves, now_ms)
            case {"do": "name", "name": str(name), "title": str(title), **rest} if not rest:
                return self.named(name or proposed(title))
            case {"do": "save", "name": str(name), "text": str(text), "over": bool(over), **rest} if not rest:
                return self.save(name, _fit(text), over=over)
            case {"do": "remove", "name": str(name), **rest} if not rest:
                return self.remove(name)
        raise UnfitRequest("unknown request")

    def all(self) -> Answer:
        """All sheets, with what is wrong in them; and the names that no question can have."""
        taken = sorted({*NAMES, *FUNCTIONS, *keyword.kwlist})
        return {"sheets": [self._row(sheet) for sheet in folders.listed(self.places)], "taken": taken}

    def open(self, name: str) -> Answer:
        """The text of a sheet."""
        sheet = self._found(name)
        if sheet is None:
            return {"refused": _("There is no such sheet any more.")}
        try:
            with open_file(sheet.file) as opened:
                given = opened.read(LARGEST + 1)
            text = given.decode("utf-8-sig").replace("\r\n", "\n")
        except OSError as error:
            return {"refused": error.strerror or str(error)}
        except ValueError:
            return {"refused": _("This file is no text.")}
        if len(given) > LARGEST:
            return {"refused": _("This file is too long for the page.")}
        return {"text": text, "own": sheet.own}

    def read(self, text: str, changes: Mapping[str, Any]) -> Answer:
        """The text with these changes, as the form shows it, and what is wrong in it."""
        text = toml_as_meant(text)
        if changes:
            with suppress(ValueError):  # no TOML: it stays as it is
                text = _fit(writing.changed(text, changes))
        document: dict[str, Any] | None = None
        with suppress(ValueError, RecursionError):
            document = _plain(tomllib.loads(text))
        errors, remarks, players = tuple[SheetError, ...](), list[SheetError](), None
        try:
            sheet = read(text, FILE)
        except SheetErrors as wrong:
            errors = wrong.errors
        else:
            players, places = sheet.players, Places(text)
            found = [*on_display.not_drawn(sheet), *on_display.look_alike(sheet)]
            remarks = [SheetError(FILE, places.line_of(path), key_of(path), said) for path, said in found]
        told = {"errors": list(map(_told, errors)), "remarks": list(map(_told, remarks))}
        return {"text": text, "document": document, "players": players, **told}

    def tried(self, text: str, players: int, moves: object, now_ms: int) -> Answer:
        """A try of the text, after these moves."""
        try:
            return trial.shown(text, players, trial.moves_of(moves), now_ms)
        except SheetErrors as wrong:
            return {"errors": list(map(_told, wrong.errors))}
        except ValueError as error:
            return {"refused": str(error)}

    def named(self, name: str) -> Answer:
        """A file's name: whether it can be one, and what it hides or is hidden by."""
        try:
            file = folders.own_file(self.state, name)
        except ValueError as error:
            return {"name": name, "wrong": translated(str(error)), "there": False, "says": ""}
        says = ""
        if (other := self._found(name)) is not None and not other.own:
            says = _("{title} of the kit is hidden by it, and comes back once you remove yours.", title=other.title)
            if other.place == folders.CARD:
                says = _("A file of that name on the card hides it.")
        return {"name": name, "wrong": "", "there": file.exists(), "says": says}

    def save(self, name: str, text: str, *, over: bool) -> Answer:
        """Keep a text; one that is there only where that is meant."""
        before = self._found(name)
        with suppress(ValueError):
            if not over and folders.own_file(self.state, name).exists():
                return {"there": True}

        def save() -> None:
            file = folders.save(self.state, name, text)
            if before is not None and before.own and over and not before.file.samefile(file):
                folders.remove(before)  # WIZARD.toml.txt is the same sheet

        return _done(save)

    def remove(self, name: str) -> Answer:
        """Remove a sheet of your own."""
        sheet = self._found(name)
        if sheet is None or not sheet.own:
            return {"refused": _("There is no such sheet any more.")}
        return _done(lambda: folders.remove(sheet))

    def _found(self, name: str) -> Shelved | None:
        return next((one for one in folders.listed(self.places) if one.name == f"{PREFIX}{name}"), None)

    def _row(self, sheet: Shelved) -> Answer:
        errors, wrong = tuple[SheetError, ...](), ""
        try:
            errors = self._errors(sheet)
        except OSError as error:
            wrong = error.strerror or str(error)
        if not errors:
            wrong = translated(sheet.wrong) or wrong
        places = {place.folder: translated(place.name) for place in self.places}
        return {
            "name": sheet.name.removeprefix(PREFIX),
            "title": sheet.title,
            "file": sheet.file.name,
            "own": sheet.own,
            "from": translated(sheet.place),
            "place": sheet.place,
            "hides": [f"{places[file.parent]}: {file.name}" for file in sheet.hides],
            "errors": list(map(_told, errors)),
            "wrong": wrong,
        }

    def _errors(self, sheet: Shelved) -> tuple[SheetError, ...]:
        """What is wrong with a file, which is read once, until it is another one. Those of the kit are right."""
        if sheet.place == folders.KIT:
            return ()
        found = sheet.file.stat()
        key = sheet.file, found.st_size, found.st_mtime_ns
        if key not in self._read:
            self._read[key] = ()
            try:
                folders.opened(sheet)
            except SheetErrors as wrong:
                self._read[key] = wrong.errors
        return self._read[key]


def proposed(title: str) -> str:
    """A name for the file of a game with this title."""
    low = unicodedata.normalize("NFC", title).lower()
    return re.sub(r"_+", "_", re.sub(r"[^\w-]+", "_", low)).strip("_-")[: folders.LONGEST].rstrip("_-") or "game"


def _told(error: SheetError) -> Answer:
    return {"line": error.line, "key": error.key, "text": translated(error.text)}


def _fit(text: str) -> str:
    """A text that can be kept. Raises `UnfitRequest`."""
    try:
        if len(text.encode()) <= LARGEST:
            return text
    except UnicodeEncodeError:
        raise UnfitRequest("no text") from None
    raise UnfitRequest("too long")


def _done(do: Callable[[], object]) -> Answer:
    """What came of a change on the disk."""
    try:
        do()
    except ValueError as error:
        return {"refused": translated(str(error))}
    except OSError as error:
        return {"refused": error.strerror or str(error)}
    return {"done": True}


def _plain(value: Any) -> Any:
    """A document as JSON has it; what JSON has not as text."""
    match value:
        case dict():
            return {key: _plain(one) for key, one in value.items()}
        case list():
            return [_plain(one) for one in value]
        case float() if not math.isfinite(value):
            return str(value)
        case int() | float() | str():
            return value
    return str(value)


def answered(workshop: Workshop, request: bytes) -> bytes:
    """The answer to a request, in one line; empty for one that the page never sends."""
    try:
        return json.dumps(workshop.answer(json.loads(request)), separators=(",", ":")).encode()
    except MemoryError:
        return json.dumps({"refused": _("That is too large to try.")}).encode()
    except (UnfitRequest, ValueError, RecursionError):
        return b""
