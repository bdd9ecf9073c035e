"""TOML written: a whole sheet, or single keys of a file, of which all else stays as it is, comments included."""

import json
import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from datetime import date, datetime, time
from typing import Any, NamedTuple

from engine.sheets.sheet import Sheet
from engine.toml_places import Places

KEYS = Sheet.__struct_fields__
DOTTED = ("keep", "let", "steps")  # a line for each name
BARE = re.compile(r"[A-Za-z0-9_-]+")


def written(document: Mapping[str, Any]) -> str:
    """A document as TOML, in the order of the format; what the format does not know comes last."""
    order = [key for key in KEYS if key in document] + [key for key in document if key not in KEYS]
    return "".join(statement(key, document[key]) for key in order)


def changed(text: str, changes: Mapping[str, Any]) -> str:
    """The text with other values of these keys; None removes one. Raises `ValueError` where it is no TOML."""
    document = tomllib.loads(text)
    for key, new in changes.items():
        document.pop(key, None)
        if new is not None:
            document[key] = new
    for key, new in changes.items():
        text = _with(text, key, "" if new is None else statement(key, new))
    try:
        if tomllib.loads(text) == document:
            return text
    except ValueError:  # a way of writing that is not known here
        pass
    return written(document)


def statement(key: str, value: object) -> str:
    """A key of the document with its value."""
    if key in DOTTED and isinstance(value, dict) and value:
        return "".join(f"{key}.{_key(name)} = {_value(each)}\n" for name, each in value.items())
    if isinstance(value, list | tuple) and any(isinstance(one, dict) for one in value):
        rows = "".join(f"  {_value(one)},\n" for one in value)
        return f"{_key(key)} = [\n{rows}]\n"
    return f"{_key(key)} = {_value(value)}\n"


def _value(value: object) -> str:
    match value:
        case bool():
            return "true" if value else "false"
        case int() | float():
            return repr(value)
        case str() if "\n" in value and "'''" not in value and not re.search(r"[\x00-\x09\x0b-\x1f\x7f]|'$", value):
            return f"'''\n{value}'''"
        case str():
            return json.dumps(value, ensure_ascii=False).replace("\x7f", r"\u007f")
        case datetime() | date() | time():
            return value.isoformat()
        case list() | tuple():
            return f"[{', '.join(map(_value, value))}]"
        case dict():
            inside = ", ".join(f"{_key(key)} = {_value(one)}" for key, one in value.items())
            return f"{{ {inside} }}" if inside else "{}"
    raise ValueError(f"{value!r} has no place in TOML")


def _key(key: str) -> str:
    return key if BARE.fullmatch(key) else json.dumps(key, ensure_ascii=False).replace("\x7f", r"\u007f")


class _Part(NamedTuple):
    """A statement with all its lines, a header, or a line that says nothing."""

    text: str
    key: str  # of the document, to which it belongs; empty: to none
    header: bool
    comments: tuple[str, ...]


def _parts(text: str) -> Iterator[_Part]:
    """The text in pieces."""
    places, at = Places(text), 0
    for place in places.statements:
        begin = text.rfind("\n", 0, place.begin) + 1
        yield from [_Part(line, "", False, ()) for line in text[at:begin].splitlines(keepends=True)]
        at = text.find("\n", place.end) + 1 or len(text)
        comments = tuple([text[one:end] for one, end in places.comments if begin <= one < at])
        yield _Part(text[begin:at], str(place.path[0]), text[place.begin] == "[", comments)
    yield from [_Part(line, "", False, ()) for line in text[at:].splitlines(keepends=True)]


def _put(old: Sequence[_Part], new: str) -> str:
    """The new lines below all comments of the old ones, or beside the only one."""
    comments = [comment for part in old for comment in part.comments]
    if len(comments) == 1 and "\n" not in (old[0].text.rstrip("\n") + new.rstrip("\n")):
        new, comments = f"{new.rstrip()}  {comments[0]}\n", []
    return "".join(one if one.endswith("\n") else f"{one}\n" for one in (*comments, new))


def _with(text: str, key: str, new: str) -> str:
    """The text with this in place of all that it says of a key. Comments in it stay, above it."""
    parts = list(_parts(text if text.endswith("\n") or not text else f"{text}\n"))
    root = next((n for n, part in enumerate(parts) if part.header), len(parts))  # what follows belongs to tables
    there = [n for n, part in enumerate(parts) if part.key == key]
    before = KEYS[: KEYS.index(key)] if key in KEYS else KEYS
    at = 1 + max((n for n, part in enumerate(parts[:root]) if part.key in before), default=-1)
    if there:
        at = min(there[0], root)
        at -= at == root > 0 and not parts[at - 1].key  # before what is said of the first table
    put = _put([parts[n] for n in there], new) if new else ""
    kept = [("" if n in there else part.text) for n, part in enumerate(parts)]
    return "".join([*kept[:at], put, *kept[at:]])
