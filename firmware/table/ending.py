"""After the end of a game: once more, another game, the score sheet."""

from collections.abc import Callable

from engine.play import Play
from firmware.screens.canvas import Text
from firmware.screens.common import brief
from firmware.table.back import InGame
from firmware.table.listing import Listing
from firmware.table.playing import Playing, again
from firmware.table.score import Score
from firmware.table.table import Mode, Table


class Ending(InGame, Listing):
    """What OK on the end picture leads to; a press or a long OK leads back to that."""

    title = "NEXT?"

    def rows(self) -> list[tuple[Text, Callable[[], None]]]:
        return [
            ("Again", lambda: again(self.playing)),
            ("Other game", self.playing.leave),
            ("Score", lambda: self.table.enter(EndScore(self.table, self.playing, self))),
        ]

    def right(self) -> Text:
        title = self.playing.play.rules.title
        return title, brief(title)


class EndScore(InGame, Score):
    """The score sheet of the game that is over."""

    def __init__(self, table: Table, playing: Playing, back: Mode) -> None:
        super().__init__(table, playing)
        self.back = back

    @property
    def play(self) -> Play:
        return self.playing.told

    def leave(self) -> None:
        self.table.enter(self.back)

    def ok_hold(self) -> None:
        self.leave()
