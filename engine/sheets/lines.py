"""Where the keys of a TOML text stand. Python's own reader keeps no lines, and errors have to name them."""

import re
from contextlib import suppress

from engine.sheets.program import Path

BETWEEN = re.compile(r"(?:[ \t\n]|#[^\n]*)*")  # keys and values
TEXT = re.compile(r"\"\"\"(?:\\.|.)*?\"{3,5}|'''.*?'{3,5}|\"(?:\\.|[^\"\\\n])*\"|'[^'\n]*'", re.DOTALL)
NAME = re.compile(r"[A-Za-z0-9_-]+|\"(?:\\.|[^\"\\\n])*\"|'[^'\n]*'")
DOT = re.compile(r"[ \t]*\.[ \t]*")
PLAIN = re.compile(r"[^,\]}\n#]*")  # a number, a date, true or false


class KeyLines:
    """The keys of a text that is TOML, read once."""

    def __init__(self, text: str) -> None:
        self._text, self._at = text, 0
        self._found: dict[Path, int] = {(): 0}
        self._lists: dict[Path, int] = {}  # tables with double brackets: how many there are
        with suppress(IndexError, RecursionError):  # brackets in brackets without end: what they belong to is found
            self._document()

    def line_of(self, path: Path) -> int:
        """The line of a key, from 1; where it is missing that of what it belongs to, else the first."""
        while path not in self._found:
            path = path[:-1]
        return self._text.count("\n", 0, self._found[path]) + 1

    def _document(self) -> None:
        table: Path = ()
        while self._next():
            if self._text[self._at] == "[":
                table = self._head()
            else:
                self._entry(table)

    def _next(self) -> str:
        """The sign after all that is between two keys or values; empty at the end."""
        found = BETWEEN.match(self._text, self._at)
        self._at = self._at if found is None else found.end()
        return self._text[self._at : self._at + 1]

    def _head(self) -> Path:
        """`[table]` or `[[table]]`: what follows belongs to it."""
        several = self._text.startswith("[[", self._at)
        self._at += 1 + several
        begun = self._at
        path: Path = ()
        for name in self._names():
            if path in self._lists:
                path = (*path, self._lists[path] - 1)  # the latest of them
            path = (*path, name)
            self._found.setdefault(path, begun)
        if several:
            number = self._lists[path] = self._lists.get(path, 0) + 1
            path = (*path, number - 1)
            self._found.setdefault(path, begun)
        elif path in self._lists:
            path = (*path, self._lists[path] - 1)
        self._next()
        self._at += 1 + several
        return path

    def _names(self) -> list[str]:
        """The names of a key with dots between them."""
        names = list[str]()
        self._next()
        while (found := NAME.match(self._text, self._at)) is not None:
            names.append(found[0].strip("\"'"))
            dot = DOT.match(self._text, found.end())
            self._at = found.end() if dot is None else dot.end()
            if dot is None:
                return names
        raise IndexError

    def _entry(self, table: Path) -> None:
        """A key, and its value."""
        begun = self._at
        path = table
        for name in self._names():
            path = (*path, name)
            self._found.setdefault(path, begun)
        self._next()
        self._at += 1  # the =
        self._value(path)

    def _value(self, path: Path) -> None:
        sign = self._next()
        if sign in "[{" and sign:
            self._at += 1
            self._inside(path, "]" if sign == "[" else "}")
        elif (text := TEXT.match(self._text, self._at)) is not None:
            self._at = text.end()
        elif (plain := PLAIN.match(self._text, self._at)) is not None:
            self._at = plain.end()

    def _inside(self, path: Path, end: str) -> None:
        """The values of a list, or the entries of a table in braces."""
        number = 0
        while (sign := self._next()) != end:
            if sign == ",":
                self._at += 1
            elif not sign:
                raise IndexError
            elif end == "}":
                self._entry(path)
            else:
                self._found.setdefault((*path, number), self._at)
                self._value((*path, number))
                number += 1
        self._at += 1
