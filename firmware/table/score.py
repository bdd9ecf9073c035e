"""The score sheet on the display: the totals, then a page for each round that has moved points."""

from collections.abc import Mapping

from PIL import Image

from engine.play import Play
from engine.rules import Seat
from firmware.journal import sheet
from firmware.output.screens import score
from firmware.table.overlay import Overlay, downwards
from firmware.translation import _


class Score(Overlay):
    """The score sheet of a game; the control turns its pages."""

    page = 0
    one_back = True

    @property
    def play(self) -> Play:
        """The game."""
        raise NotImplementedError

    @property
    def people(self) -> Mapping[Seat, str]:
        """The ids of those who sit there."""
        raise NotImplementedError

    def opened(self) -> None:
        self.rounds = sheet.rounds(self.play)
        self.pages = [each for each in self.rounds if any(each.moved)]

    def ok(self) -> None:
        self.table.close()

    def turn(self, steps: int, knob: bool) -> None:
        self.page = min(max(0, self.page + downwards(steps, knob)), len(self.pages))

    def picture(self, now_ns: int) -> Image.Image:
        knob, play = self.table.knob, self.play
        names = self.table.roster.at_table(play.players, self.people)
        if self.page == 0:
            standing = tuple(sheet.standing(play, each) for each in dict.fromkeys((names, play.players)))
            return score.total(play, standing, names, more=bool(self.pages), knob=knob)
        number, moved, totals = self.pages[self.page - 1]
        return score.page(
            play,
            _("Round {number} of {all}", number=number, all=self.rounds[-1].round),
            names,
            moved,
            totals,
            knob=knob,
        )
