"""Where things stand in a TOML text: its keys, values and comments. Python's own reader keeps no places."""

import re
import tomllib
from contextlib import suppress
from typing import NamedTuple, TypeAlias

Path: TypeAlias = tuple[str | int, ...]  # of a key in a document: ("ask", 0, "high")

TEXT = re.compile(r"\"\"\"(?:\\.|.)*?\"{3,5}|'''.*?'{3,5}|\"(?:\\.|[^\"\\\n])*\"|'[^'\n]*'", re.DOTALL)
SPACE, COMMENT = re.compile(r"[ \t\n]*"), re.compile(r"#[^\n]*")
NAME = re.compile(r"[A-Za-z0-9_-]+|\"(?:\\.|[^\"\\\n])*\"|'[^'\n]*'")
DOT = re.compile(r"[ \t]*\.[ \t]*")
PLAIN = re.compile(r"[^,\]}\n#]*")  # a number, a date, true or false


class TomlPlace(NamedTuple):
    """Where a key stands, or an entry of a list."""

    path: Path
    begin: int  # of the key; of an entry of a list, or of a [table] in brackets, all of it
    value: int  # where its value begins
    end: int  # behind the value


class Places:
    """All of a text, read once. Of one that is no TOML what stands before the first thing that is not."""

    def __init__(self, text: str) -> None:
        self.text, self._at = text, 0
        self.statements = list[TomlPlace]()  # the keys with values that stand outside of others, and [tables]
        self.texts = list[TomlPlace]()  # in quotes, but for names
        self.comments = list[tuple[int, int]]()
        self._begin: dict[Path, int] = {(): 0}
        self._keys = list[tuple[int, Path]]()  # all in order, also those that stand twice
        self._lists: dict[Path, int] = {}  # tables in double brackets: how many there are
        with suppress(IndexError, RecursionError):  # brackets in brackets without end: what they belong to is found
            table: Path = ()
            while sign := self._next():
                table = self._head() if sign == "[" else self._entry(table, self.statements)

    def line_of(self, path: Path) -> int:
        """The line of a key, from 1; where it is missing that of what it belongs to, else the first."""
        while path not in self._begin:
            path = path[:-1]
        return self.text.count("\n", 0, self._begin[path]) + 1

    def key_at(self, line: int) -> str:
        """The key of the document to which a line belongs, counted from 1: the last one that begins before its end."""
        end = sum(map(len, self.text.split("\n")[:line])) + line
        return next((str(path[0]) for begin, path in reversed(self._keys) if begin < end), "")

    def value(self, place: TomlPlace) -> str:
        """What a text in quotes says. Raises `ValueError`."""
        return unquoted(self.text[place.value : place.end])

    def _next(self) -> str:
        """The sign after all that is between two keys or values; empty at the end."""
        while True:
            self._skip(SPACE)
            begin = self._at
            if not self._skip(COMMENT):
                return self.text[begin : begin + 1]
            self.comments.append((begin, self._at))

    def _noted(self, path: Path, begin: int) -> None:
        self._begin.setdefault(path, begin)
        self._keys.append((begin, path))

    def _skip(self, pattern: re.Pattern[str]) -> str:
        """Go behind this; what it was."""
        found = pattern.match(self.text, self._at)
        self._at = self._at if found is None else found.end()
        return "" if found is None else found[0]

    def _head(self) -> Path:
        """`[table]` or `[[table]]`: what follows belongs to it."""
        begin = self._at
        brackets = 2 if self.text.startswith("[[", begin) else 1
        self._at += brackets
        path: Path = ()
        for name in self._names():
            if path in self._lists:
                path = (*path, self._lists[path] - 1)  # the latest of them
            path = (*path, name)
            self._noted(path, begin)
        if brackets == 2:
            self._lists[path] = self._lists.get(path, 0) + 1
        if path in self._lists:
            path = (*path, self._lists[path] - 1)
            self._noted(path, begin)
        self._skip(SPACE)
        self._at += brackets
        self.statements.append(TomlPlace(path, begin, self._at, self._at))
        return path

    def _names(self) -> list[str]:
        """The names of a key with dots between them."""
        names = list[str]()
        self._skip(SPACE)
        while name := self._skip(NAME):
            names.append(unquoted(name) if name[0] in "\"'" else name)
            if not self._skip(DOT):
                return names
        raise IndexError

    def _entry(self, table: Path, into: list[TomlPlace]) -> Path:
        """A key, and its value, in a table, which is given back."""
        begin, path = self._at, table
        for name in self._names():
            path = (*path, name)
            self._noted(path, begin)
        self._skip(SPACE)
        self._at += 1  # the =
        self._next()
        into.append(self._value(path, begin))
        return table

    def _value(self, path: Path, begin: int) -> TomlPlace:
        value = self._at
        if (sign := self.text[value]) in "[{":
            self._at += 1
            self._inside(path, "]" if sign == "[" else "}")
            return TomlPlace(path, begin, value, self._at)
        if self._skip(TEXT):
            self.texts.append(TomlPlace(path, begin, value, self._at))
        elif not self._skip(PLAIN):
            raise IndexError  # there is no value
        return TomlPlace(path, begin, value, self._at)

    def _inside(self, path: Path, end: str) -> None:
        """The values of a list, or the entries of a table in braces."""
        number, inner = 0, list[TomlPlace]()
        while (sign := self._next()) != end:
            if sign == ",":
                self._at += 1
            elif not sign:
                raise IndexError
            elif end == "}":
                self._entry(path, inner)
            else:
                self._begin.setdefault((*path, number), self._at)
                self._value((*path, number), self._at)
                number += 1
        self._at += 1


def unquoted(text: str) -> str:
    """What a text in quotes says. Raises `ValueError`."""
    value: str = tomllib.loads(f"text = {text}")["text"]
    return value
