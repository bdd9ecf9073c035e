"""After the end of a game: once more, another game, the score sheet."""

from collections.abc import Callable

from engine.play import Play
from firmware.screens.canvas import Text
from firmware.screens.common import brief
from firmware.table.listing import Listing
from firmware.table.overlay import OverGame
from firmware.table.score import Score


class Ending(OverGame, Listing):
    """What OK on the end picture leads to; a press or a long OK leads back to that."""

    title = "NEXT?"

    def rows(self) -> list[tuple[Text, Callable[[], None]]]:
        return [
            ("Again", self.game.again),
            ("Other game", self.game.leave),
            ("Score", lambda: self.table.open(EndScore(self.game))),
        ]

    def right(self) -> Text:
        title = self.game.play.rules.title
        return title, brief(title)


class EndScore(OverGame, Score):
    """The score sheet of the game that is over."""

    @property
    def play(self) -> Play:
        return self.game.told
