"""The marks of texts that people read: `scripts/make words` collects them, `firmware` translates them.

`hardware` itself is English only and looks nothing up.
"""

from collections.abc import Mapping


class Name(str):
    """What somebody is called, among the values of a text: it is not looked up in a catalogue."""

    __slots__ = ()
    verbatim = True


class Filled(str):
    """A marked template, filled in; it keeps template and values, so that it can be translated."""

    __slots__ = ("template", "values")

    template: str
    values: Mapping[str, object]


def N_(text: str, /, **values: object) -> str:
    """This text, marked for translation; with values a template, in which they stand in {braces}."""
    return filled(text, values) if values else text


def filled(template: str, values: Mapping[str, object]) -> Filled:
    """A template that is marked elsewhere, filled in."""
    text = Filled(template.format_map(values))
    text.template, text.values = template, values
    return text
