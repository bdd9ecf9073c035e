"""What the display makes of the texts of a sheet: letters that it has not, and answers that look alike there."""

from collections.abc import Iterator, Sequence

from engine.sheets.sheet import Check, Sheet, title_of
from engine.toml_places import Path
from engine.words import seen
from firmware.output.screens.font import ALIKE, DRAWN
from firmware.translation import _

UNKNOWN = "?"  # is drawn for a letter that the display has not


def not_drawn(sheet: Sheet) -> list[tuple[Path, str]]:
    """By key the letters that the display has not: what was meant there may be read on pages and phones."""
    found = list[tuple[Path, str]]()
    for path, texts in _texts(sheet):
        if letters := dict.fromkeys(char for text in texts for char in seen(text) if char not in DRAWN):
            found.append(
                (path, _("the display shows ? for {letters}; pages and phones show them", letters=" ".join(letters)))
            )
    return found


def look_alike(sheet: Sheet) -> list[tuple[Path, str]]:
    """By key the answers that nobody can tell apart on the display."""
    found = list[tuple[Path, str]]()
    boxes = [(("ask", n, "title"), title_of(ask)) for n, ask in enumerate(sheet.ask) if sheet.per == "box"]
    for key, asks in (("ask", sheet.ask), ("final", sheet.final)):
        for n, ask in enumerate(asks):
            found += _pairs([((key, n, "words"), word) for word in ask.words or ()])
    return [*_pairs(boxes), *found]


def _pairs(answers: Sequence[tuple[Path, str]]) -> Iterator[tuple[Path, str]]:
    """Each answer that looks like one before it."""
    before = dict[str, str]()
    for path, text in answers:
        shown = drawn(text)
        if shown in before:
            yield (
                path,
                _("{one} and {other} look alike on the display", one=f'"{before[shown]}"', other=f'"{seen(text)}"'),
            )
        before.setdefault(shown, seen(text))


def drawn(text: str) -> str:
    """A text as the display has it."""
    return "".join(ALIKE.get(char, char) if char in DRAWN else UNKNOWN for char in seen(text)).strip()


def _texts(sheet: Sheet) -> Iterator[tuple[Path, Sequence[str]]]:
    """All that people read, by key."""
    yield ("title",), (sheet.title,)
    for key, asks in (("ask", sheet.ask), ("final", sheet.final)):
        for n, ask in enumerate(asks):
            yield (key, n, "title"), (title_of(ask),)
            yield (key, n, "words"), ask.words or ()
    for n, check in enumerate(sheet.check if isinstance(sheet.check, tuple) else ()):
        if isinstance(check, Check):
            yield ("check", n, "says"), (check.says or "",)
