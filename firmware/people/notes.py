"""A note to a game and a day of its own: what each is, and a note without somebody's name."""

import re
import unicodedata
from collections.abc import Callable, Iterable
from datetime import date

from engine.words import N_
from firmware.people.names import SEEN, harmless_text

MAX_NOTE = 200  # characters as people see them
MAX_NOTE_CODES = 400
SHORT = 3  # letters: a name so short also stands within other words
GONE = "…"  # stands for a name that was forgotten
ALLOWED = N_("a note is one line of at most 200 characters that can be seen")
DAY = re.compile(r"\d{4}-\d\d-\d\d", re.ASCII)
YEARS = range(1970, 9000)  # what can be counted on and back from


def cleaned_note(text: str) -> str:
    """A note in its normal form, as `names.cleaned` has a name; empty for none. Raises `ValueError`."""
    import regex  # not needed at a table without notes

    note = unicodedata.normalize("NFC", " ".join(text.split()))
    if len(text) > MAX_NOTE_CODES or len(regex.findall(r"\X", note)) > MAX_NOTE:
        raise ValueError(ALLOWED)
    if note and not regex.fullmatch(SEEN, note, regex.V1):
        raise ValueError(ALLOWED)
    return note


def cleaned_day(text: str) -> str:
    """A day in its normal form, ISO 8601; empty for none. Raises `ValueError`."""
    text = text.strip()
    try:
        if not text or (DAY.fullmatch(text) and date.fromisoformat(text).year in YEARS):
            return text
    except ValueError:
        pass
    raise ValueError(N_("a date is year-month-day, like 2026-11-27"))


def harmless_note(note: str) -> bool:
    """Whether a note from a file can be shown."""
    return len(note) <= MAX_NOTE_CODES and harmless_text(note)


def without_names(note: str, names: Iterable[str], by: Callable[[str], str] = lambda found: GONE) -> str:
    """A note without these names, in small letters and capitals, also as a part of a word (Anna's, Annas).

    `by`: what stands there instead. A short name of letters that have capitals counts as a whole word only.
    """
    for name in sorted(filter(None, names), key=len, reverse=True):
        found = r"\s*".join(map(re.escape, name.split()))
        if len(name) <= SHORT and all(char.lower() != char.upper() for char in name):
            found = rf"(?<!\w){found}(?!\w)"
        note = re.sub(found, lambda match: by(match[0]), note, flags=re.IGNORECASE)
    return note


def dotted(text: bytes, names: Iterable[str]) -> bytes:
    """Bytes of a file with dots for these names, as many as there were."""

    def dots(found: str) -> str:
        return "." * len(found.encode(errors="surrogateescape"))

    kept = without_names(text.decode(errors="surrogateescape"), names, dots)
    return kept.encode(errors="surrogateescape")
