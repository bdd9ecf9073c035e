"""Texts for people in their language: marked where they are defined, translated here when drawn or printed.

English is the only language so far: it is the text itself.
"""

import gettext
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import date
from functools import partial
from typing import Any, TypeAlias

from engine.words import N_

LANGUAGE = "en"  # of the pages
Language: TypeAlias = gettext.NullTranslations
translations = Language()  # of the kit
_read_in: ContextVar[Language | None] = ContextVar("read in", default=None)  # None: that of the kit

MONTHS = (
    *(N_("Jan"), N_("Feb"), N_("Mar"), N_("Apr"), N_("May"), N_("Jun")),
    *(N_("Jul"), N_("Aug"), N_("Sep"), N_("Oct"), N_("Nov"), N_("Dec")),
)


@contextmanager
def reading(language: Language | None) -> Iterator[None]:
    """Whatever is translated meanwhile, on this thread, is for somebody who reads this language; None: the kit's."""
    before = _read_in.set(language)
    try:
        yield
    finally:
        _read_in.reset(before)


def language() -> Language:
    """In which texts are translated now."""
    return _read_in.get() or translations


class LazyText:
    """A text that is stored or sent: its words are made once its reader, and so the language, is known.

    No `str`: so nobody takes it for words by mistake, in a longer text or on a picture.
    """

    __slots__ = ("words",)

    def __init__(self, words: Callable[[], str]) -> None:
        """`words`: makes them, in the language of `reading`."""
        self.words = words

    def __str__(self) -> str:
        raise TypeError("who reads this text is not known yet")


Words: TypeAlias = LazyText | tuple[LazyText, ...]  # of several the first that has room
NOTHING = LazyText(str)
Why: TypeAlias = LazyText | None  # something cannot be; None: it can


def in_words(text: Words) -> tuple[str, ...]:
    """A text for somebody who reads it now."""
    return tuple(one.words() for one in (text if isinstance(text, tuple) else (text,)))


def L_(text: str, /, **values: object) -> LazyText:
    """`_` for a text that is stored or sent. Among its values names stay as they are; other such texts become words."""
    return _later(partial(_, text), values)


def L_many(one: str, many: str, n: int, /, **values: object) -> LazyText:
    """`ngettext`, likewise."""
    return _later(partial(ngettext, one, many, n), values)


def lazy(text: str) -> LazyText:
    """`translated`, likewise."""
    return LazyText(partial(translated, text))


def joined(texts: Iterable[str | LazyText], sign: str = " ") -> LazyText:
    """Names and texts, with a sign between them."""
    some = tuple(texts)
    return LazyText(lambda: sign.join(one if isinstance(one, str) else one.words() for one in some))


def _later(translate: Callable[..., str], values: dict[str, Any]) -> LazyText:
    return LazyText(lambda: translate(**{k: v.words() if isinstance(v, LazyText) else v for k, v in values.items()}))


def _(text: str, /, **values: object) -> str:
    """A text, translated; with values a template, in which they stand in {braces}."""
    translation = language().gettext(text)
    return translation.format_map(values) if values else translation


def ngettext(one: str, many: str, n: int, /, **values: object) -> str:
    """One of two templates, translated: chosen by the number `n`, which stands as {n} in both."""
    return language().ngettext(one, many, n).format(n=n, **values)


def translated(text: str, value: Callable[[object], object] | None = None) -> str:
    """A text that was marked where it is defined, like a label of the engine. Any other stays as it is.

    `value`: what stands in a template for each of its values; else texts are translated.
    """
    if not hasattr(text, "template"):  # a `Name` stays; the empty text would be the catalogue's own head
        return text if not text or hasattr(text, "verbatim") else language().gettext(text)
    filled: Any = text  # a `Filled` of the engine or of the hardware
    values = {name: (value or _translated)(each) for name, each in filled.values.items()}
    if getattr(filled, "many", None) is None:
        template = language().gettext(filled.template)
    else:
        template = language().ngettext(filled.template, filled.many, filled.n)
    return template.format_map(values)


def _translated(value: object) -> object:
    return translated(value) if isinstance(value, str) else value


def dated(when: date) -> str:
    """A day for people: 05 Nov 2026."""
    return _("{day:02} {month} {year}", day=when.day, month=translated(MONTHS[when.month - 1]), year=when.year)


def grouped(number: float, sign: str = "", digits: int = 0) -> str:
    """A number for people, a whole one or with so many digits behind the point: 1,234,567."""
    return f"{number:{sign},.{digits}f}"
