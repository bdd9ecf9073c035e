"""Texts for people, marked where they are defined: `scripts/make words` collects them, the firmware translates them.

The engine itself is in English only and has no catalogue.
"""

from collections.abc import Iterable, Mapping
from unicodedata import category

UNSEEN = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})  # control signs and formats, half characters, ends of lines
JOINERS = "\u200c\u200d"  # formats that letters of some languages need between them


class Name(str):
    """What somebody is called, among the values of a text: it is not looked up in a catalogue."""

    __slots__ = ()
    verbatim = True


class Filled(str):
    """A marked template, filled in. It keeps template and values, so that a screen can translate it."""

    __slots__ = ("many", "n", "template", "values")

    template: str
    many: str | None  # the template for other numbers than 1, where there are two
    n: int  # the number that chooses between them
    values: Mapping[str, object]


def N_(text: str, /, **values: object) -> str:
    """This text, marked for translation; with values a template, in which they stand in {braces}."""
    return _filled(text, text, None, 0, values) if values else text


def from_file(text: str, values: Mapping[str, object]) -> str:
    """A text that somebody wrote into a file, with its values: no catalogue has it."""
    return _filled(text, text, None, 0, values) if values else text


def seen(text: str) -> str:
    """What people see of a text from anywhere: on one line, without control signs, marks of direction, hidden signs."""
    if text.isprintable():
        return text
    kept = [char for char in text if char.isspace() or char in JOINERS or category(char) not in UNSEEN]
    return " ".join("".join(kept).split())


def either(words: Iterable[str]) -> str:
    """Words as a choice: 1, 2 or 4."""
    *most, last = words
    return N_("{most} or {last}", most=", ".join(most), last=last) if most else last


def N_many(one: str, many: str, n: int, /) -> str:
    """One of two templates, marked for translation: chosen by the number `n`, which stands as {n} in both."""
    return _filled(one if n == 1 else many, one, many, n, {"n": n})


def _filled(english: str, template: str, many: str | None, n: int, values: Mapping[str, object]) -> Filled:
    text = Filled(english.format_map(values))
    text.template, text.many, text.n, text.values = template, many, n, values
    return text
