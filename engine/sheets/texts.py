"""The texts of a sheet's file: titles, words, sentences, the source and comments. Nothing is reckoned by them."""

import json
import re
import tomllib
from collections.abc import Callable, Iterator
from typing import Any

SAID = ("title", "source", "words", "says")  # keys of a sheet, of its asks and of its checks
NAMING = ("keep", "let", "steps")  # their keys are names, of which one may be called like these
ASKS = ("ask", "final")
TOKEN = re.compile(r"'''.*?'{3,5}|\"\"\"(?:\\.|.)*?\"{3,5}|\"(?:\\.|[^\"\\\n])*\"|'[^'\n]*'|#[^\n]*", re.DOTALL)
VALUE = re.compile(r"(\{[a-z][a-z0-9_]*\})")  # in a text; the sheet puts a number in its place
MARK = "\ue000"  # stands for one text of the file, to see which one it is


def changed(text: str, change: Callable[[str], str]) -> str:
    """A file with its texts as `change` has them; ids, formulas and all else stay as they are.

    So the sheet means the same: its kind of game, and each game that was played with it. Different texts stay
    different. Of a file that is no TOML everything is text.
    """
    try:
        said = set(_said(tomllib.loads(text)))
    except ValueError:
        return change(text)
    by: dict[str, str] = {}  # what stands for a text
    pieces, at = list[str](), 0
    for token in TOKEN.finditer(text):
        new = token[0]
        if new.startswith("#"):
            new = f"#{change(new[1:])}"
        elif (value := tomllib.loads(f"text = {new}")["text"]) in said and _is_said(text, token):
            if value not in by:
                by[value] = _other(value, change, said)
            if by[value] != value:
                said.add(by[value])
                new = json.dumps(by[value], ensure_ascii=False).replace("\x7f", r"\u007f")
        pieces += text[at : token.start()], new
        at = token.end()
    return "".join((*pieces, text[at:]))


def ids(text: str) -> Iterator[str]:
    """The short names in a file, as people read them where there is no title. None of a file that is no TOML."""
    try:
        document = tomllib.loads(text)
    except ValueError:
        return
    for key in ASKS:
        for ask in document.get(key, ()):
            yield str(ask.get("id", "")).replace("_", " ")
    for key in NAMING:
        yield from (name.replace("_", " ") for name in document.get(key, ()))


def _other(value: str, change: Callable[[str], str], said: set[str]) -> str:
    """A text as `change` has it, unlike all others."""
    parts = VALUE.split(value)
    new = other = "".join(part if VALUE.fullmatch(part) else change(part) for part in parts)
    number = 2
    while other != value and other in said:
        other, number = f"{new} {number}", number + 1
    return other


def _is_said(text: str, token: re.Match[str]) -> bool:
    """Whether a text in quotes is one for people: what the file says where a mark stands for it."""
    try:
        return MARK in _said(tomllib.loads(f'{text[: token.start()]}"{MARK}"{text[token.end() :]}'))
    except ValueError:  # a key in quotes, of a table
        return False


def _said(document: dict[str, Any]) -> Iterator[str]:
    """The texts of a document."""
    for key, value in document.items():
        if key not in NAMING:
            yield from _said_by(key, value)


def _said_by(key: str, value: object) -> Iterator[str]:
    match value:
        case str() if key in SAID:
            yield value
        case list():
            for one in value:
                yield from _said_by(key, one)
        case dict():
            for name, one in value.items():
                yield from _said_by(name, one)
