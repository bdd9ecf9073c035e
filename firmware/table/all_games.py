"""All games by letter: those of the program, and the score sheets; a sheet is read once it is chosen."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

from PIL import Image

from engine import games
from engine.game import Rules
from engine.words import N_
from firmware.output import sounds
from firmware.output.screens import notices
from firmware.output.screens.canvas import Text
from firmware.output.screens.view import shorter
from firmware.shelf import folders
from firmware.shelf.folders import Shelved
from firmware.table.listing import Lettered, Listing, Rows
from firmware.table.overlay import Sure
from firmware.table.table import Table
from firmware.translation import _, translated

Chosen: TypeAlias = Callable[[Rules[Any, Any]], None]  # what follows once a game is chosen


class Title(NamedTuple):
    """A game in the list."""

    title: str
    do: Callable[[], None]
    players: tuple[int, int] | None  # fewest and most, where that is known
    sheet: Shelved | None = None  # None: it is a game of the program


class AllGames(Lettered):
    """Every game by letter; what a page looks for, the games for those at the table first."""

    title = N_("ALL GAMES")
    sought = ""

    def __init__(self, table: Table, chosen: Chosen) -> None:
        super().__init__(table)
        self.chosen = chosen

    def opened(self) -> None:
        self.table.look_at_shelf()

    def titles(self) -> list[Title]:
        """The games that are found."""
        found = [
            Title(translated(rules.title), partial(self.chosen, rules), rules.seats)
            for rules in map(games.rules, games.names())
        ]
        found += [
            Title(sheet.title, partial(choose, self.table, sheet, self.chosen), sheet.players, sheet)
            for sheet in self.table.shelf.sheets
        ]
        found.sort(key=lambda one: (folders.letter(one.title), one.title.casefold()))
        if not self.sought:
            return found
        fits = [(one, well) for one in found if (well := matches(one.title, self.sought))]
        return [one for one, _well in sorted(fits, key=lambda each: (*self._order(each[0]), -each[1]))]

    def _order(self, one: Title) -> tuple[bool, int]:
        """Whether it is not for those at the table, and how many sheets were played since."""
        recent = self.table.shelf.recent
        played = recent.index(one.sheet.name) if one.sheet is not None and one.sheet.name in recent else len(recent)
        fewest, most = one.players or (1, len(self.table.names))
        before = self.table.unfinished
        if before is None:
            return fewest > len(self.table.names), played
        return not fewest <= len(before.play.players) <= most, played

    def seek(self, text: str) -> None:
        self.sought, self.at, self._stands = text, 0, None

    def heading(self) -> Text:
        return self.sought or super().heading()

    def rows(self) -> Rows:
        return [(shorter(one.title), one.do) for one in self.titles()] or [(_("no such game"), self._refuse)]

    def _refuse(self) -> None:
        self.table.sound(sounds.REFUSED)

    def right(self) -> Text:
        """How many are found; of all games where the sheet comes from, and what it hides, or else the letter."""
        titles = self.titles()
        if self.sought:
            return f"{self.at + 1}/{len(titles)}" if titles else ""
        one = titles[min(self.at, len(titles) - 1)]
        letter, sheet = folders.letter(one.title), one.sheet
        if sheet is None or (sheet.place == folders.KIT and not sheet.hides):
            return letter
        place = translated(sheet.place)
        if sheet.hides:
            return _("{place}, hides {n}", place=place, n=len(sheet.hides)), place
        return _("{place} {letter}", place=place, letter=letter), place

    def press(self, button: str, at_ns: int, error_ns: int) -> bool:
        """To the next letter; among those that are found, which are not in its order, to the next row."""
        if not self.sought:
            return super().press(button, at_ns, error_ns)
        self.table.sound(sounds.TURN)
        self.turn(1, knob=True)
        return True

    def foot(self) -> tuple[Text, Text]:
        return Listing.foot(self) if self.sought else super().foot()

    def letters(self) -> list[str]:
        return [folders.letter(one.title) for one in self.titles()] or [""]


def matches(title: str, sought: str) -> int:
    """How well a title has all words that are looked for: 3 as its beginning, 2 as that of a word, 1 within; 0: not."""
    plain, words = _plain(title), _plain(sought).split()
    if not all(word in plain for word in words):
        return 0
    if plain.startswith(" ".join(words)):
        return 3
    return 2 if all(re.search(rf"\b{re.escape(word)}", plain) for word in words) else 1


def _plain(text: str) -> str:
    """A text without capitals and marks."""
    return "".join(char for char in unicodedata.normalize("NFKD", text.casefold()) if not unicodedata.combining(char))


class DamagedSheet(Sure):
    """A sheet that cannot be played: what is wrong in it."""

    def __init__(self, table: Table, sheet: Shelved, why: str) -> None:
        super().__init__(table)
        self.sheet, self.why = sheet, why

    def ok(self) -> None:
        self.table.close()

    def press(self, button: str, at_ns: int, error_ns: int) -> bool:
        self.table.close()
        return True

    def picture(self, now_ns: int) -> Image.Image:
        return notices.reason(_("Cannot be played"), self.why)


def choose(table: Table, sheet: Shelved, chosen: Chosen) -> None:
    """Read a sheet, beside the loop; then go on with it, or say what is wrong in it."""
    top = table.top

    def read(_journal: Path) -> Iterator[Rules[Any, Any] | str]:
        from engine.sheets.reading import SheetErrors  # with the first sheet: a start need not wait for it

        try:
            yield folders.opened(sheet)
        except (SheetErrors, OSError) as error:
            yield folders.in_words(error)

    def then(found: Rules[Any, Any] | str) -> None:
        if table.top is not top:
            return  # somebody has gone elsewhere meanwhile
        if isinstance(found, str):
            table.sound(sounds.REFUSED)
            table.open(DamagedSheet(table, sheet, found))
        else:
            chosen(found)

    table.read(read, then, lambda: True)
