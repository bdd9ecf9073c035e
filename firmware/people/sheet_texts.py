"""The texts of a sheet's file: titles, words, sentences, the source and comments. Nothing is reckoned by them."""

import json
import re
import tomllib
from collections.abc import Callable, Iterator
from typing import Any

from engine.pasted import toml_as_meant
from engine.sheets.limits import MOST_DOTS
from engine.toml_places import Path, Places, unquoted

SAID = ("title", "source", "words", "says")  # keys of a sheet, of its asks and of its checks
NAMING = ("keep", "let", "steps")  # their keys are names, of which one may be called like these
ASKS = ("ask", "final")
VALUE = re.compile(r"(\{[a-z][a-z0-9_]*\})")  # in a text; the sheet puts a number in its place
PIECE = re.compile(r"(?:\\u....|\\.|[^\\]){1,1000}(?![ \t])")  # of a long text in quotes, for a line of its own
LONG = 2000  # signs of a text; longer ones need more lines


def changed(text: str, change: Callable[[str], str]) -> str:
    """A file with its texts as `change` has them; ids, formulas and all else stay as they are.

    So the sheet means the same: its kind of game, and each game that was played with it. Different texts stay
    different, and none gets longer that `change` does not make longer, but for a short one that needs a number. Of a
    file that cannot be read everything is text.
    """
    plain = toml_as_meant(text)
    try:
        new = _changed(plain, change)
        return text if new == plain else new
    except (ValueError, RecursionError):  # no TOML, or brackets in brackets without end
        return change(text)


def _changed(text: str, change: Callable[[str], str]) -> str:
    _document(text)
    places = Places(text)
    said = [(place, places.value(place)) for place in places.texts if _is_said(place.path)]
    others: dict[tuple[int, int], str] = {}  # what stands in the place of something
    for begin, end in places.comments:
        others[begin, end] = f"#{change(text[begin + 1 : end])}"
    there, by = {value for _, value in said}, dict[str, str]()  # all texts; what stands for a text
    for place, value in said:
        if (new := _each(value, change)) == value:
            continue
        if value not in by:
            by[value] = _unlike(value, new, there)
            there.add(by[value])
        others[place.value, place.end] = _written(text[place.value : place.end], by[value], change)
    pieces, at = list[str](), 0
    for (begin, end), new in sorted(others.items()):
        pieces += text[at:begin], new
        at = end
    return "".join((*pieces, text[at:]))


def _is_said(path: Path) -> bool:
    """Whether people read what stands there."""
    return path[0] not in NAMING and next(name for name in reversed(path) if isinstance(name, str)) in SAID


def ids(text: str) -> Iterator[str]:
    """The short names in a file, as people read them where there is no title. None of a file that cannot be read."""
    try:
        document = _document(toml_as_meant(text))
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
        return unquoted(form) == value
    except ValueError:
        return False
