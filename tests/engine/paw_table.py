"""A table at which Kitty Paw is played from a line of words: `Table(3).do("go A B wait yes 6 next")`.

Its own words, beside those of every table:

    go            all who play put their hands down, and the clock runs until the flash
    +A -A         a hand down, a hand up
    A             a press: the Meow or an answer; ~A takes it back; !A has no working button
    II            the level read from a card
    tied          T12: after the last round A and B have 15 each and C has 9; now their extra round
"""

from collections.abc import Callable, Mapping
from typing import Any, ClassVar

from engine.games import kitty_paw
from engine.games.kitty_paw import LEVELS, RULES, Build, RoundStarted, WhoLast
from engine.play import Fact
from tests.engine import table
from tests.engine.table import MS, SEATS, SECOND, letters

__all__ = ["MS", "SECOND", "Table"]
VERBS = {"+": "hands", "-": "release", "~": "take_back"}


def caller(at: "Table") -> str:
    """As the race knows, or once it is over the round."""
    ask = at.state.ask
    return letters([ask.caller if isinstance(ask, Build) else at.state.round.caller])


def doubtful(at: "Table") -> str:
    assert isinstance(at.state.ask, WhoLast)
    return letters(kitty_paw.may_be_last(at.state))


class Table(table.Table):
    rules = RULES
    facts_of_game: ClassVar[Mapping[str, Callable[[Any], object]]] = {
        "called": lambda at: letters(at.state.ask.called),
        "caller": caller,
        "last": lambda at: None if at.state.round.last is None else letters(at.state.round.last),
        "doubtful": doubtful,
        "seats": lambda at: letters(at.state.round.seats),
        "removing": lambda at: kitty_paw.to_remove(at.state),
        "level": lambda at: kitty_paw.level(at.state),
        "pile": lambda at: kitty_paw.pile(at.state),
        "turned_up": lambda at: kitty_paw.turned_up(at.state),
    }

    def place(self, name: str, value: str) -> None:
        if name == "tied":
            self.deal(cards=((7, 7, 4), (7, 4, 4), (6, 6)), penalties=((3,), (), (3,)), removed=24)
            self.take([Fact(0, 0, RoundStarted(13, (0, 1), extra=True))])
        else:
            super().place(name, value)

    def say(self, word: str, at_ns: int) -> None:
        if word == "go":
            for seat in self.state.round.seats:
                self.act(seat, "hands")
            self.tick()
        elif word in LEVELS:
            self.act(None, "level", LEVELS.index(word) + 1)
        elif word[0] == "!":
            self.act(None, "bench", SEATS.index(word[1]))
        elif word[-1] in SEATS and "=" not in word:
            self.act(SEATS.index(word[-1]), VERBS.get(word[0], "meow"), at_ns=at_ns)
        else:
            super().say(word, at_ns)
