"""The kinds of games that can be compared: each game of the program, and each score sheet by what it means."""

import contextlib
import sqlite3
from typing import Literal, NamedTuple

from engine import games
from engine.rules import Refused
from engine.sheets.reading import read
from engine.sheets.sheet import Sheet
from firmware.journal import sheets
from firmware.translation import translated


class GameKind(NamedTuple):
    """A kind of games."""

    name: str  # `Rules.kind`
    title: str  # for people; of a sheet as it was called last
    best: Literal[-1, 0, 1]  # whose total is a record: the highest, the lowest (-1), nobody's (0)
    sheet: Sheet | None = None
    together: bool = False  # all win or lose

    @property
    def base(self) -> str:
        """The name of the rules: of a sheet, whatever it means."""
        return self.name.partition("#")[0]


def played(db: sqlite3.Connection, *, counted: bool = True) -> dict[str, GameKind]:
    """The kinds of the games that count, or of all, by name; those of the program in front, sheets by their titles.

    `db`: as `game_totals.up_to_date` returns it.
    """
    found = list[GameKind]()
    rows = db.execute(
        "select sums.name, max(sums.id), game.name from main.game as sums join journal.game on game.id = sums.id "
        f"{'where counted ' if counted else ''}group by sums.name"
    )
    for name, game, base in rows.fetchall():
        text = sheets.text(db, game, "journal")
        with contextlib.suppress(Refused):
            rules = sheets.rules(base, text)
            found.append(
                GameKind(name, str(rules.title), rules.best, read(text, known=True) if text else None, rules.together)
            )
    program = games.names()
    return {kind.name: kind for kind in sorted(found, key=lambda one: _place(one, program))}


def _place(kind: GameKind, program: tuple[str, ...]) -> tuple[int, str, str]:
    at = program.index(kind.name) if kind.name in program else len(program)
    return at, translated(kind.title).casefold(), kind.name
