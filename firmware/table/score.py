"""The score sheet on the display: the totals, then a page for each round that has moved points."""

from PIL import Image

from engine.play import Play
from firmware.journal import sheet
from firmware.screens import score
from firmware.table.overlay import Overlay
from firmware.words import _


class Score(Overlay):
    """The score sheet of a game; the control turns its pages."""

    page = 0

    @property
    def play(self) -> Play:
        """The game."""
        raise NotImplementedError

    def opened(self) -> None:
        self.rounds = sheet.rounds(self.play)
        self.pages = [each for each in self.rounds if any(each.moved)]

    def ok(self) -> None:
        self.table.close()

    def ok_hold(self) -> None:
        self.table.close()

    def turn(self, steps: int, knob: bool) -> None:
        self.page = min(max(0, self.page + (steps if knob else -steps)), len(self.pages))

    def picture(self, now_ns: int) -> Image.Image:
        knob = self.table.knob
        if self.page == 0:
            return score.total(self.play, sheet.standing(self.play), more=bool(self.pages), knob=knob)
        number, moved, totals = self.pages[self.page - 1]
        return score.page(
            self.play,
            _("Round {number} of {all}", number=number, all=self.rounds[-1].round),
            moved,
            totals,
            knob=knob,
        )
