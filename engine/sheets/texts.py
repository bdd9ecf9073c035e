"""The texts of a sheet's file: titles, words, sentences, the source and comments. Nothing is reckoned by them."""

import json
import re
import tomllib
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from engine.sheets.limits import MOST_DOTS

SAID = ("title", "source", "words", "says")  # keys of a sheet, of its asks and of its checks
NAMING = ("keep", "let", "steps")  # their keys are names, of which one may be called like these
ASKS = ("ask", "final")
TOKEN = re.compile(r"'''.*?'{3,5}|\"\"\"(?:\\.|.)*?\"{3,5}|\"(?:\\.|[^\"\\\n])*\"|'[^'\n]*'|#[^\n]*", re.DOTALL)
VALUE = re.compile(r"(\{[a-z][a-z0-9_]*\})")  # in a text; the sheet puts a number in its place
KEY = re.compile(r"[ \t]*[=.]")  # behind a key in quotes
PIECE = re.compile(r"(?:\\u....|\\.|[^\\]){1,1000}(?![ \t])")  # of a long text in quotes, for a line of its own
LONG = 2000  # signs of a text; longer ones need more lines


def changed(text: str, change: Callable[[str], str]) -> str:
    """A file with its texts as `change` has them; ids, formulas and all else stay as they are.

    So the sheet means the same: its kind of game, and each game that was played with it. Different texts stay
    different, and none gets longer that `change` does not make longer, but for a short one that needs a number. Of a
    file that cannot be read everything is text.
    """
    try:
        return _changed(text, change)
    except (ValueError, RecursionError):  # no TOML, or brackets in brackets without end
        return change(text)


def _changed(text: str, change: Callable[[str], str]) -> str:
    said = set(_said(_document(text)))
    tokens = list(TOKEN.finditer(text))
    others: dict[int, str] = {}  # what stands for a token, by where it begins
    for token in tokens:
        if token[0].startswith("#"):
            others[token.start()] = f"#{change(token[0][1:])}"
            continue
        value = _value(token[0])
        if value in said and not KEY.match(text, token.end()) and (new := _each(value, change)) != value:
            others[token.start()] = new
    quoted = [token for token in tokens if token.start() in others and not token[0].startswith("#")]
    by: dict[str, str] = {}  # what stands for a text
    for token, is_said in zip(quoted, _are_said(text, quoted, said), strict=True):
        if not is_said:
            del others[token.start()]
            continue
        if (value := _value(token[0])) not in by:
            by[value] = _unlike(value, others[token.start()], said)
            said.add(by[value])
        others[token.start()] = _written(token[0], by[value], change)
    return _replaced(text, [(token, others[token.start()]) for token in tokens if token.start() in others])


def ids(text: str) -> Iterator[str]:
    """The short names in a file, as people read them where there is no title. None of a file that cannot be read."""
    try:
        document = _document(text)
    except (ValueError, RecursionError):
        return
    for key in ASKS:
        asks = document.get(key)
        for ask in asks if isinstance(asks, list) else ():
            if isinstance(ask, dict):
                yield str(ask.get("id", "")).replace("_", " ")
    for key in NAMING:
        if isinstance(names := document.get(key), dict):
            yield from (name.replace("_", " ") for name in names)


def _document(text: str) -> dict[str, Any]:
    """What a file has. Raises `ValueError` and `RecursionError` where it cannot be read."""
    if any(line.count(".") > MOST_DOTS for line in text.split("\n")):
        raise ValueError("too many dots")
    return tomllib.loads(text)


def _value(quoted: str) -> str:
    """The text of a token."""
    value: str = tomllib.loads(f"text = {quoted}")["text"]
    return value


def _each(value: str, change: Callable[[str], str]) -> str:
    """A text as `change` has it, with all its numbers."""
    return "".join(part if VALUE.fullmatch(part) else change(part) for part in VALUE.split(value))


def _unlike(value: str, new: str, said: set[str]) -> str:
    """What stands for a text, unlike all others."""
    other, number = new, 2
    while other in said:
        end, number = f" {number}", number + 1
        other = f"{new[: max(1, len(value) - len(end))]}{end}"
    return other


def _written(token: str, value: str, change: Callable[[str], str]) -> str:
    """Another text in quotes, like those of the token where that can be."""
    plain = json.dumps(value, ensure_ascii=False).replace("\x7f", r"\u007f")
    lines = "\\\n".join(PIECE.findall(plain[1:-1]))
    forms = change(token), *([f'"""{lines}"""'] if len(plain) > LONG else [])
    return next((form for form in forms if _reads(form, value)), plain)


def _reads(form: str, value: str) -> bool:
    """Whether something in quotes is this text."""
    try:
        return _value(form) == value
    except ValueError:
        return False


def _are_said(text: str, tokens: Sequence[re.Match[str]], said: set[str]) -> Iterator[bool]:
    """Whether texts in quotes are ones for people: what the file says where marks stand for them."""
    mark = "x" * (1 + max(map(len, said), default=0))  # no text of the file begins with it
    marked = _replaced(text, [(token, f'"{mark}{n}"') for n, token in enumerate(tokens)])
    found = set(_said(tomllib.loads(marked)))
    return (f"{mark}{n}" in found for n in range(len(tokens)))


def _replaced(text: str, tokens: Iterable[tuple[re.Match[str], str]]) -> str:
    """A file with others in the place of some tokens."""
    pieces, at = list[str](), 0
    for token, new in tokens:
        pieces += text[at : token.start()], new
        at = token.end()
    return "".join((*pieces, text[at:]))


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
