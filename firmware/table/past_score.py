"""The score sheet of a game of the past, and who sat there."""

from __future__ import annotations

from collections.abc import Mapping

from PIL import Image

from engine.play import Play
from engine.rules import Seat
from firmware.output.screens.canvas import WIDTH_PX, fit, wrapped
from firmware.output.screens.font import SMALL
from firmware.output.screens.menus import message
from firmware.output.screens.view import titles, turn
from firmware.people.corrections import Sitting
from firmware.table.overlay import downwards
from firmware.table.past_games import Unfinished
from firmware.table.score import Score
from firmware.table.table import Table
from firmware.translation import _


class PastScore(Score):
    """The score sheet of a game of the past."""

    def __init__(self, table: Table, game: Unfinished) -> None:
        super().__init__(table)
        self._game = game

    @property
    def play(self) -> Play:
        return self._game.play

    @property
    def people(self) -> Mapping[Seat, str]:
        return self._game.people

    def put_right(self, people: Mapping[Seat, str]) -> None:
        """Other people sat there."""
        self._game = self._game._replace(people=people)

    def ok(self) -> None:
        if self.page == len(self.pages) + 1:
            people = {seat: one for seat, one in self.people.items() if self.table.roster.person(one) is not None}
            self.table.open(Sitting(self.table, self._game.game, self.play.players, people, self.put_right))
        else:
            super().ok()

    def turn(self, steps: int, knob: bool) -> None:
        last = len(self.pages) + bool(self.table.roster.known)
        self.page = min(max(0, self.page + downwards(steps, knob)), last)

    def picture(self, now_ns: int) -> Image.Image:
        if self.page <= len(self.pages):
            return super().picture(now_ns)
        names = self.table.roster.at_table(self.play.players, self.people)
        keys = (_("{turn}: rounds", turn=turn(self.table.knob)), _("OK: change"))
        who = fit((" ".join(names), " ".join(self.play.players)), WIDTH_PX, SMALL)
        return message(titles(self.play.rules), _("WHO SAT THERE?"), wrapped(who, 2), keys)
