"""After the end of a game: once more, another game, the score sheet."""

from collections.abc import Mapping
from functools import partial

from engine.play import Play
from engine.rules import Seat
from engine.words import N_
from firmware.output.screens.canvas import Text
from firmware.output.screens.view import titles
from firmware.people.corrections import put_right
from firmware.table.evening import ThisEvening
from firmware.table.listing import Listing, Rows
from firmware.table.overlay import OverGame
from firmware.table.playing import again, leave
from firmware.table.score import Score
from firmware.translation import _


class OverEnd(OverGame):
    """An overlay about the game below that is over: it closes once the end is undone."""

    def stands(self) -> bool:
        return self.game.play.over


class EndMenu(OverEnd, Listing):
    """The menu that OK opens on the end picture; a press or a long OK leads back to that."""

    title = N_("NEXT?")
    rests = True

    def rows(self) -> Rows:
        rows: Rows = [
            (_("Again"), partial(again, self.game)),
            (_("Other game"), partial(leave, self.game)),
            (_("Score"), lambda: self.table.open(EndScore(self.game))),
        ]
        if not self.table.roster.known:
            return rows
        evening = partial(self.table.open, ThisEvening(self.table, self.game.end.evening))
        return [*rows, (_("Evening"), evening), (_("Who sat there"), partial(put_right, self.game))]

    def right(self) -> Text:
        return titles(self.game.play.rules)


class EndScore(OverEnd, Score):
    """The score sheet of the game that is over."""

    @property
    def play(self) -> Play:
        return self.game.committed

    @property
    def people(self) -> Mapping[Seat, str]:
        return self.game.people
