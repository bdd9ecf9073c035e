"""What people read, marked where it is defined: `scripts/make-words` collects it, the screens translate it when drawn.

The engine itself speaks English only and looks nothing up.
"""

from collections.abc import Mapping


class Filled(str):
    """A marked template, filled in. It remembers how, so that a screen can say it in another language."""

    __slots__ = ("many", "n", "template", "values")

    template: str
    many: str | None  # the template for other numbers than 1, where that makes a difference
    n: int  # the number that it depends on then
    values: Mapping[str, object]


def N_(text: str, /, **values: object) -> str:
    """This text, marked for translation; with values a template, in which they stand in {braces}."""
    return _filled(text, text, None, 0, values) if values else text


def N_many(one: str, many: str, n: int, /) -> str:
    """One of two templates, marked for translation: by how many `n` are, which stands as {n} in both."""
    return _filled(one if n == 1 else many, one, many, n, {"n": n})


def _filled(said: str, template: str, many: str | None, n: int, values: Mapping[str, object]) -> Filled:
    text = Filled(said.format_map(values))
    text.template, text.many, text.n, text.values = template, many, n, values
    return text
