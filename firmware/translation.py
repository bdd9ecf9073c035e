"""Texts for people in their language: marked where they are defined, translated here when drawn or printed.

English is the only language so far: it is the text itself.
"""

import gettext
from collections.abc import Callable
from datetime import date
from typing import Any

from engine.words import N_

LANGUAGE = "en"  # of the pages
translations = gettext.NullTranslations()

MONTHS = (
    *(N_("Jan"), N_("Feb"), N_("Mar"), N_("Apr"), N_("May"), N_("Jun")),
    *(N_("Jul"), N_("Aug"), N_("Sep"), N_("Oct"), N_("Nov"), N_("Dec")),
)


def _(text: str, /, **values: object) -> str:
    """A text, translated; with values a template, in which they stand in {braces}."""
    translation = translations.gettext(text)
    return translation.format_map(values) if values else translation


def ngettext(one: str, many: str, n: int, /, **values: object) -> str:
    """One of two templates, translated: chosen by the number `n`, which stands as {n} in both."""
    return translations.ngettext(one, many, n).format(n=n, **values)


def translated(text: str, value: Callable[[object], object] | None = None) -> str:
    """A text that was marked where it is defined, like a label of the engine. Any other stays as it is.

    `value`: what stands in a template for each of its values; else texts are translated.
    """
    if not hasattr(text, "template"):
        return text and translations.gettext(text)  # the empty text would be the catalogue's own head
    filled: Any = text  # a `Filled` of the engine or of the hardware
    values = {name: (value or _translated)(each) for name, each in filled.values.items()}
    if getattr(filled, "many", None) is None:
        template = translations.gettext(filled.template)
    else:
        template = translations.ngettext(filled.template, filled.many, filled.n)
    return template.format_map(values)


def _translated(value: object) -> object:
    return translated(value) if isinstance(value, str) else value


def dated(when: date) -> str:
    """A day for people: 05 Nov 2026."""
    return _("{day:02} {month} {year}", day=when.day, month=translated(MONTHS[when.month - 1]), year=when.year)


def grouped(number: float, sign: str = "", digits: int = 0) -> str:
    """A number for people, a whole one or with so many digits behind the point: 1,234,567."""
    return f"{number:{sign},.{digits}f}"
