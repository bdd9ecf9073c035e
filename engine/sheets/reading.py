"""Text to sheet: every rule of the format, and errors that name file, line and key."""

import keyword
import re
import tomllib
from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import Any, Literal, NamedTuple, get_args, get_origin, get_type_hints

import msgspec
from msgspec import Meta, Struct

from engine.pasted import toml_as_meant
from engine.sheets.expressions import FUNCTIONS
from engine.sheets.limits import LARGEST, LONGEST_LINE, MOST_DOTS, MOST_NAMED
from engine.sheets.program import NAMES, Errors, program
from engine.sheets.sheet import NAME, NUMBER, Ask, RaceOf, Sheet, kind_of, per_of
from engine.toml_places import Path, Places
from engine.words import seen

SHOWN = 3  # errors at once

TOML: Mapping[str, str] = {  # how what Python's reader says begins: what must be there, in a sheet's words
    "invalid value": "must be a number, or a text in straight quotes",
    "illegal character": "must have a quote at the end of a text, on the same line",
    "unclosed array": "must have a comma after each entry of a list, and ] behind the last",
    "unclosed inline table": "must have a comma after each key, and } behind the last, all on one line",
    "invalid initial character for a key": "must be a key; { ... } stands on one line, with a comma between its keys",
    "expected newline or end of document": "must be one key a line, lists in [ ]",
    "cannot overwrite a value": "must stand once",
}
KEYS = Sheet.__struct_fields__
LIMITS = ("ge", "le", "min_length", "max_length")  # of a type


class SheetError(NamedTuple):
    """One thing that is wrong in a file."""

    file: str
    line: int  # from 1
    key: str
    text: str  # what was wrong: must be ...

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.key}: {self.text}"


class SheetErrors(Exception):
    """A file that is no score sheet: at most three errors at once, in the order of the lines."""

    def __init__(self, errors: tuple[SheetError, ...]) -> None:
        super().__init__("\n".join(map(str, errors)))
        self.errors = errors


def read(text: str | bytes, file: str = "sheet", *, known: bool = False) -> Sheet:
    """The sheet of a file's text, or of its bytes. Raises `SheetErrors`.

    `known`: of a text that a journal has. It is read as it was, also where a file would be refused today.
    """
    return _Reader(file, known=known).sheet(text)


class _Reader:
    """One file, and what is wrong in it."""

    def __init__(self, file: str, *, known: bool) -> None:
        self.file, self.known, self.text, self.errors = file, known, "", list[SheetError]()

    def sheet(self, given: str | bytes) -> Sheet:
        document = self.document(given)
        try:
            sheet = msgspec.convert(document, Sheet)
        except (msgspec.ValidationError, RecursionError):
            self.table((), document, Sheet)
            self.stop()
            raise
        self.whole(sheet)
        if not self.known:
            self.few(sheet)
            self.shown(sheet)
        self.stop()
        try:
            program(sheet, limited=not self.known)
        except Errors as errors:
            for path, text in errors.errors:
                self.wrong(path, text)
        self.stop()
        return sheet

    def wrong(self, path: Path, text: str) -> None:
        self.errors.append(SheetError(self.file, self.places.line_of(path), key_of(path), " ".join(text.split())))

    def at(self, line: int, key: str, text: str) -> None:
        self.errors.append(SheetError(self.file, line, key, " ".join(text.split())))
        self.stop()

    @cached_property
    def places(self) -> Places:
        """Where the keys of the text stand."""
        return Places(self.text)

    def stop(self) -> None:
        if self.errors:
            first = sorted(dict.fromkeys(self.errors), key=lambda error: error.line)
            raise SheetErrors(tuple(first[:SHOWN]))

    def document(self, given: str | bytes) -> dict[str, Any]:
        """The file as TOML has it."""
        if len(given) > LARGEST:
            self.at(1, "file", f"has {len(given)} bytes: must be at most {LARGEST}")
        try:
            text = given.decode("utf-8-sig") if isinstance(given, bytes) else given.removeprefix("\ufeff")
        except UnicodeDecodeError as error:
            line = given[: error.start].count(b"\n") + 1 if isinstance(given, bytes) else 1
            self.at(line, "file", "is no text in UTF-8: must be TOML")
            raise
        self.text = text = toml_as_meant(text)
        if found := re.search(r"[\x00-\x08\x0b-\x1f\x7f]", text):
            self.at(text.count("\n", 0, found.start()) + 1, "file", "has a sign that is no text: must be TOML")
        for number, row in enumerate(text.split("\n"), 1):
            if len(row) > LONGEST_LINE or row.count(".") > MOST_DOTS:
                limits = f"must have at most {LONGEST_LINE} signs and {MOST_DOTS} dots"
                self.at(number, "file", f"a line is too long: {limits}")
        try:
            return tomllib.loads(text)
        except RecursionError:
            self.at(1, "file", "has brackets in brackets without end: must be TOML")
        except ValueError as error:
            where = re.search(r" \(at (?:line (\d+), column \d+|end of document)\)", str(error))
            line = int(where[1]) if where and where[1] else text.rstrip("\n").count("\n") + 1
            what = str(error)[: where.start()] if where else str(error).splitlines()[0][:80]
            what = f"{what[:1].lower()}{what[1:]}"
            needed = next((text for begins, text in TOML.items() if what.startswith(begins)), "must be TOML")
            self.at(line, self.places.key_at(line) or "file", f"{what}: {needed}")
        raise AssertionError

    def table(self, path: Path, table: dict[str, Any], part: type[Struct]) -> None:
        """Note what is wrong with the keys of a table, and with their values."""
        keys = keys_of(part)
        for key in table:
            if key not in keys:
                self.wrong((*path, key), f"is unknown: must be one of {', '.join(keys)}")
        for key, hint in keys.items():
            if key in table:
                self.value((*path, key), table[key], hint)
            elif key in needed(part):
                self.wrong((*path, key), f"is missing: must be {must_be(hint)}")

    def value(self, path: Path, value: Any, hint: Any) -> None:
        """Note what is wrong with a value: of another type than its key has, or out of its limits."""
        if _fits(value, hint):
            return
        part, of_list = _part(hint), _part(hint, inside=True)
        if part is not None and isinstance(value, dict):
            self.table(path, value, part)
        elif of_list and isinstance(value, list) and all(isinstance(one, dict) or _fits([one], hint) for one in value):
            for n, one in enumerate(value):
                if isinstance(one, dict):
                    self.table((*path, n), one, of_list)
        elif isinstance(value, dict) and _fits({}, hint):
            for name, one in value.items():
                if not re.fullmatch(NAME, name):
                    self.wrong((*path, name), f"{name!r} is no name: must be of a to z, 0 to 9 and _, a letter first")
                if not _fits({"a": one}, hint):
                    inner = get_args(get_args(hint)[0])[1]
                    self.wrong((*path, name), f"{_short(one)} does not fit: must be {must_be(inner)}")
        else:
            self.wrong(path, f"{_short(value)} does not fit: must be {must_be(hint)}")

    def whole(self, sheet: Sheet) -> None:
        """Note what does not go together."""
        low, high = sheet.players
        if low > high:
            self.wrong(
                ("players",),
                f"[{low}, {high}] is the wrong way round: must be {must_be(keys_of(Sheet)['players'])}",
            )
        if not sheet.ask and sheet.race is None and sheet.clock is None:
            self.wrong(("ask",), "is missing: must have an ask, a race or a clock")
        self.ids(sheet)
        for key, asks in (("ask", sheet.ask), ("final", sheet.final)):
            for n, ask in enumerate(asks):
                self.ask(sheet, (key, n), ask)
        self.per(sheet)
        self.race(sheet)
        self.clock(sheet)

    def few(self, sheet: Sheet) -> None:
        """Note that there is more than can be played quickly."""
        checks = sheet.check if isinstance(sheet.check, tuple) else ()
        many = {"ask": sheet.ask, "final": sheet.final, "keep": sheet.keep, "let": sheet.let, "check": checks}
        if (number := sum(map(len, many.values()))) > MOST_NAMED:
            key = max(many, key=lambda key: len(many[key]))
            self.wrong((key,), f"with all others there are {number}: must be at most {MOST_NAMED}, all together")
            self.stop()

    def shown(self, sheet: Sheet) -> None:
        """Note texts of which nothing can be seen."""
        texts: list[tuple[Path, str]] = [(("title",), sheet.title)]
        for key, asks in (("ask", sheet.ask), ("final", sheet.final)):
            for n, ask in enumerate(asks):
                texts += [((key, n, "title"), ask.title)] if ask.title is not None else []
                texts += [((key, n, "words", at), word) for at, word in enumerate(ask.words or ())]
        for path, text in texts:
            if not seen(text).strip():
                self.wrong(path, "has nothing that can be seen: must be a text")

    def ids(self, sheet: Sheet) -> None:
        used = dict[str, Path]()
        for path, name in _names(sheet):
            if name in used:
                before = used[name]
                where = f"the {before[0]} in line {self.places.line_of(before)}"
                self.wrong(path, f"{name} is the name of {where} already: must be another")
            elif name in NAMES or name in FUNCTIONS or keyword.iskeyword(name):
                what = "a name" if name in NAMES else "a function" if name in FUNCTIONS else "a word"
                self.wrong(path, f"{name} is {what} of every expression: must be another")
            elif path[0] in ("keep", "let") and name in KEYS:
                here = f"a line below [{path[0]}] belongs to it" if f"[{path[0]}]" in self.text else "it is taken"
                self.wrong(path, f"{name} is a key of the sheet, and {here}: must be another name, or stand above")
            used.setdefault(name, path)

    def ask(self, sheet: Sheet, path: Path, ask: Ask) -> None:
        kind = kind_of(ask)
        if ask.words is not None and kind != "words":
            self.wrong((*path, "kind"), f"{kind} has no words: must be words, or left out")
        if kind == "words" and ask.words is None:
            self.wrong((*path, "kind"), "words is empty: must have words = [...] beside it")
        limits = ("low", "high", "step")
        for key in {"number": (), "yes": limits, "words": limits, "seat": limits[1:]}[kind]:
            if getattr(ask, key) != (1 if key == "step" else None):
                self.wrong((*path, key), f"is not for {kind}: must be left out")
        if kind == "seat":
            if ask.low not in (None, 0, -1):
                self.wrong(
                    (*path, "low"), f"{ask.low} does not fit a seat: must be 0 (nobody is forbidden) or left out"
                )
            if per_of(ask) != "table":
                self.wrong((*path, "per"), f"{ask.per} does not fit a seat: must be table or left out")
        if ask.per == "team" and sheet.teams is None:
            self.wrong((*path, "per"), "team is only for a sheet with teams: must have teams = 2, or another per")
        if path[0] == "final" and per_of(ask) not in ("each", "team", "table"):
            self.wrong((*path, "per"), f"{ask.per} is not for the end: must be each, team or table")

    def per(self, sheet: Sheet) -> None:
        """Who answers: mixed at will, or one way for all."""
        ways = [per_of(ask) for ask in sheet.ask]
        alone = next((way for way in ways if way not in ("each", "team", "table")), None)
        if sheet.race is not None:
            alone = "race"
        if alone is not None:
            for n, way in enumerate(ways):
                if way != alone:
                    self.wrong(("ask", n, "per"), f"{way} stands beside {alone}: must be {alone} in all asks")
        if alone == "race" and sheet.race is None:
            self.wrong(("ask", ways.index("race"), "per"), "race is only for a race: must have race = { kind = ... }")
        if alone in ("any", "box") and sheet.rounds != "open":
            self.wrong(("rounds",), f"is not for per {alone}: must be left out")
        if sheet.last is not None and alone not in ("turn", "box"):
            self.wrong(("last",), "is only for per turn and box: must be left out")
        if sheet.last is not None and sheet.end is None:
            self.wrong(("last",), "is only for an end: must have end = ... beside it")

    def race(self, sheet: Sheet) -> None:
        race = sheet.race
        if race is None:
            return
        if race.lock_out and race.kind != "first":
            self.wrong(("race", "lock_out"), f"is not for {race.kind}: must be left out")
        if race.lock_out and not any(kind_of(ask) == "yes" for ask in sheet.ask):
            self.wrong(("race", "lock_out"), "needs a question: must have an ask of the kind yes")
        for key in ("delay", "jump"):
            if getattr(race, key) is not None and race.kind != "signal":
                self.wrong(("race", key), f"is not for {race.kind}: must be left out, or the kind signal")
        if race.delay is not None and race.delay[0] > race.delay[1]:
            self.wrong(("race", "delay"), f"is the wrong way round: must be {must_be(keys_of(RaceOf)['delay'])}")

    def clock(self, sheet: Sheet) -> None:
        clock = sheet.clock
        if clock is None:
            return
        takes = {"turn": ("seconds",), "chess": ("minutes", "plus"), "sand": ("seconds", "minutes")}[clock.kind]
        for key in ("seconds", "minutes", "plus"):
            if getattr(clock, key) is not None and key not in takes:
                self.wrong(("clock", key), f"is not for {clock.kind}: must be left out")
        given = [key for key in takes[:2] if key != "plus" and getattr(clock, key) is not None]
        if len(given) != 1:
            needs = " or ".join(key for key in takes if key != "plus")
            self.wrong(("clock", "kind"), f"{clock.kind} needs {needs}: must have one of them beside it")


def keys_of(part: type[Struct]) -> dict[str, Any]:
    """The keys of a part of the format, with their types."""
    return get_type_hints(part, include_extras=True)


def needed(part: type[Struct]) -> tuple[str, ...]:
    """The keys that have to be there."""
    return part.__struct_fields__[: len(part.__struct_fields__) - len(part.__struct_defaults__)]


def must_be(hint: Any) -> str:
    """What a value of this type has to be, in words."""
    notes = [note for note in getattr(hint, "__metadata__", ()) if isinstance(note, Meta)]
    for note in reversed(notes):  # of a type that says it more closely than the one it is made of, the last
        if note.extra is not None:
            return str(note.extra["must"])
    if notes:
        bare = get_args(hint)[0]
        said = {key: getattr(note, key) for note in notes for key in LIMITS if getattr(note, key) is not None}
        low, high = said.get("ge", said.get("min_length")), said.get("le", said.get("max_length"))
        if bare is int:
            return f"a whole number from {low}" if high == NUMBER else f"a whole number from {low} to {high}"
        return must_be(bare) if high is None else f"a text of {low} to {high} signs"
    values = get_args(hint)
    if get_origin(hint) is Literal:
        listed = " or ".join(filter(None, (", ".join(map(str, values[:-1])), str(values[-1]))))
        return f"{listed}, in quotes" if isinstance(values[0], str) else listed
    if hint is bool:
        return "true or false"
    if get_origin(hint) is tuple:
        return "a list of texts"
    return must_be(values[0]) if values else "a text"


def _part(hint: Any, *, inside: bool = False) -> type[Struct] | None:
    """The part of the format of which a value is made. `inside`: which one is in a list of them."""
    if isinstance(hint, type) and issubclass(hint, Struct):
        return hint
    if get_origin(hint) is tuple and not inside:
        return None
    return next(filter(None, [_part(one, inside=inside) for one in get_args(hint)]), None)


def _fits(value: object, hint: Any) -> bool:
    try:
        msgspec.convert(value, hint)
    except (msgspec.ValidationError, RecursionError):
        return False
    return True


def _short(value: object) -> str:
    shown = "true" if value is True else "false" if value is False else repr(value)
    return shown if len(shown) <= 40 else f"{shown[:37]}..."


def _names(sheet: Sheet) -> Iterator[tuple[Path, str]]:
    for key, asks in (("ask", sheet.ask), ("final", sheet.final)):
        for n, ask in enumerate(asks):
            yield (key, n, "id"), ask.id
    for key, table in (("keep", sheet.keep), ("let", sheet.let)):
        for name in table:
            yield (key, name), name


def key_of(path: Path) -> str:
    """A path as people write it: ask[0].high is `ask 1 high`."""
    return " ".join(str(part + 1) if isinstance(part, int) else part for part in path)
