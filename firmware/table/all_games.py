"""All games by letter: those of the program, and the score sheets; a sheet is read once it is chosen."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any, TypeAlias

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
from firmware.table.listing import Lettered, Rows
from firmware.table.overlay import Sure
from firmware.table.table import Table
from firmware.translation import _, translated

Chosen: TypeAlias = Callable[[Rules[Any, Any]], None]  # what follows once a game is chosen


class AllGames(Lettered):
    """Every game by letter."""

    title = N_("ALL GAMES")

    def __init__(self, table: Table, chosen: Chosen) -> None:
        super().__init__(table)
        self.chosen = chosen

    def opened(self) -> None:
        self.table.look_at_shelf()

    def titles(self) -> list[tuple[str, Callable[[], None], Shelved | None]]:
        """By title: what OK does, and the sheet where it is one."""
        found: list[tuple[str, Callable[[], None], Shelved | None]] = [
            (translated(rules.title), partial(self.chosen, rules), None) for rules in map(games.rules, games.names())
        ]
        found += [
            (sheet.title, partial(choose, self.table, sheet, self.chosen), sheet) for sheet in self.table.shelf.sheets
        ]
        return sorted(found, key=lambda one: (folders.letter(one[0]), one[0].casefold()))

    def rows(self) -> Rows:
        return [(shorter(title), do) for title, do, _sheet in self.titles()]

    def right(self) -> Text:
        """Where the sheet comes from, and what it hides; else the letter."""
        titles = self.titles()
        title, _do, sheet = titles[min(self.at, len(titles) - 1)]
        letter = folders.letter(title)
        if sheet is None or (sheet.place == folders.KIT and not sheet.hides):
            return letter
        place = translated(sheet.place)
        if sheet.hides:
            return _("{place}, hides {n}", place=place, n=len(sheet.hides)), place
        return _("{place} {letter}", place=place, letter=letter), place

    def letters(self) -> list[str]:
        return [folders.letter(title) for title, _do, _sheet in self.titles()]


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
