"""A note to a game and a day of its own: what each is, and a note without somebody's name."""

import re
import unicodedata
from collections.abc import Callable, Iterable
from datetime import date

from engine.words import N_
from firmware.people.names import SEEN, as_typed, harmless_text

MAX_NOTE = 200  # characters as people see them
MAX_NOTE_CODES = 400
SHORT = 3  # letters: a name so short also stands within other words
LETTER = re.compile("(?s:.)[\u0300-\u036f\u1160-\u11ff\u3099\u309a]*")  # with its marks, or the rest of a syllable
GONE = "…"  # stands for a name that was forgotten
ALLOWED = N_("a note is one line of at most 200 characters that can be seen")
DAY = re.compile(r"\d{4}-\d\d-\d\d", re.ASCII)
YEARS = range(1970, 9000)  # what can be counted on and back from


def cleaned_note(text: str) -> str:
    """A note in its normal form, as `names.cleaned` has a name; empty for none. Raises `ValueError`."""
    import regex  # not needed at a table without notes

    note = unicodedata.normalize("NFC", " ".join(as_typed(text).split()))
    if len(note) > MAX_NOTE_CODES or len(regex.findall(r"\X", note)) > MAX_NOTE:
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
    """A note without these names, also as a part of a word (Anna's, Annas).

    Capitals, how letters and their marks are stored, and which apostrophe it is make no difference. `by`: what stands
    there instead. A short name of letters that have capitals, and of digits, counts as a whole word only.
    """
    for name in sorted(filter(str.strip, names), key=len, reverse=True):
        pattern = r"\s*".join(re.escape(_folded(word)) for word in name.split())
        if len(name) <= SHORT and all(char.isdigit() or char.lower() != char.upper() for char in name):
            pattern = rf"(?<!\w){pattern}(?!\w)"
        if re.search(pattern, _folded(note)):
            note = _replaced(note, pattern, by)
    return note


def _replaced(note: str, pattern: str, by: Callable[[str], str]) -> str:
    """A note with something else for what is found in its folded form."""
    letters = LETTER.findall(note)
    folded = [*map(_folded, letters)]
    of = [n for n, one in enumerate(folded) for _ in one]  # the letter that a sign of the folded form is of
    pieces, at = list[str](), 0
    for found in re.finditer(pattern, "".join(folded)):
        start, end = of[found.start()], of[found.end() - 1] + 1
        if start >= at:
            pieces += *letters[at:start], by("".join(letters[start:end]))
            at = end
    return "".join((*pieces, *letters[at:]))


def _folded(text: str) -> str:
    """A text as names are compared in it."""
    return unicodedata.normalize("NFC", text).replace("\u2019", "'").casefold()


def dotted(text: bytes, names: Iterable[str]) -> bytes:
    """Bytes of a file with dots for these names, as many as there were."""

    def dots(found: str) -> str:
        return "." * len(found.encode(errors="surrogateescape"))

    kept = without_names(text.decode(errors="surrogateescape"), names, dots)
    return kept.encode(errors="surrogateescape")
