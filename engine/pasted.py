"""Texts as they were meant that people have copied from a page, a chat or a word processor."""

import re

HIDDEN = re.compile("[\u200b\u2060\ufeff]")  # signs without width, but joiners
SPACES = re.compile("[\u00a0\u2000-\u200a\u202f\u205f]")
FENCE = re.compile(r"^[ \t]*(?:```|~~~)[^\n]*$", re.MULTILINE)


def as_meant(text: str) -> str:
    """A text whose spaces are plain ones, without signs that have no width, and without the fences of a chat: ```toml.

    The wide space of East Asia stays: it may be part of a name.
    """
    plain = SPACES.sub(" ", HIDDEN.sub("", text.replace("\r\n", "\n")))
    first, last = FENCE.search(plain), None
    if first is not None and not plain[: first.start()].strip():
        *_, last = FENCE.finditer(plain)
        plain = f"{plain[: last.start()]}{plain[last.end() :]}" if last.start() > first.start() else plain
        plain = f"{plain[: first.start()]}{plain[first.end() :]}"
    return plain


def toml_as_meant(text: str) -> str:
    """The same of a TOML text, in which the wide space is one, too."""
    return as_meant(text).replace("\u3000", " ")
