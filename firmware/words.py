"""What people read, in their language. Texts are marked where they are defined and translated here, when drawn.

English is the only language so far: it is the text itself.
"""

import gettext

from engine.words import Filled

translations = gettext.NullTranslations()


def _(text: str, /, **values: object) -> str:
    """A text, translated; with values a template, in which they stand in {braces}."""
    found = translations.gettext(text)
    return found.format_map(values) if values else found


def ngettext(one: str, many: str, n: int, /, **values: object) -> str:
    """One of two templates, translated: by how many `n` are, which stands as {n} in both."""
    return translations.ngettext(one, many, n).format(n=n, **values)


def translated(text: str) -> str:
    """A text that was marked where it is defined, like a label of the engine. Any other stays as it is."""
    if not isinstance(text, Filled):
        return text and translations.gettext(text)  # the empty text would be the catalogue's own head
    values = {name: translated(value) if isinstance(value, str) else value for name, value in text.values.items()}
    if text.many is None:
        found = translations.gettext(text.template)
    else:
        found = translations.ngettext(text.template, text.many, text.n)
    return found.format_map(values)
