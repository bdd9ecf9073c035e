"""A table at which a sheet is played: numbers in, totals out."""

from functools import reduce
from typing import Any, Self

from engine import play as plays
from engine.game import NoOptions, Rules
from engine.play import Fact, Play
from engine.rules import Action, Offer, Seat
from engine.sheets.reading import read
from engine.sheets.rules import rules

MS = 1_000_000


class Table:
    """One game of a sheet."""

    def __init__(self, text: str, players: int, seed: int = 1) -> None:
        self.rules: Rules[Any, Any] = rules("sheet:test", read(text))
        first = plays.start(self.rules, tuple(f"P{n + 1}" for n in range(players)), NoOptions(), seed)
        self.facts: list[Fact] = [first]
        self.play: Play = plays.opened(self.rules, first)
        self.now_ns = 0

    @property
    def state(self) -> Any:
        return self.play.state

    @property
    def verbs(self) -> str:
        """Who may do what now: `0 bid, 1 bid, * finish`."""
        shown = [o for o in self.play.offers if o.verb not in ("bench", "take_back") and o.due_ns is None]
        return ", ".join(f"{'*' if o.seat is None else o.seat} {o.verb}" for o in shown)

    def offer(self, verb: str, seat: Seat | None = None) -> Offer:
        return next(o for o in self.play.offers if o.verb == verb and seat in (None, o.seat))

    def take(self, facts: tuple[Fact, ...]) -> Self:
        self.facts += facts
        self.play = reduce(plays.fold, facts, self.play)
        return self

    def say(self, seat: Seat | None, verb: str, value: int | str | None = None, after_ms: float = 1000) -> Self:
        self.now_ns += round(after_ms * MS)
        return self.take(plays.answer(self.play, Action(seat, verb, value, self.now_ns)))

    def each(self, verb: str, *numbers: int) -> Self:
        """All who are asked answer, in the order of the seats."""
        seats = sorted(o.seat for o in self.play.offers if o.verb == verb and o.seat is not None)
        for seat, number in zip(seats, numbers, strict=True):
            self.say(seat, verb, number)
        return self

    def turns(self, verb: str, *numbers: int) -> Self:
        """Whoever is asked answers, turn by turn."""
        for number in numbers:
            self.say(self.offer(verb).seat, verb, number)
        return self

    def tick(self) -> Self:
        """The clock answers what is due next."""
        due = plays.next_due(self.play)
        assert due is not None and due.due_ns is not None
        self.now_ns = max(self.now_ns, due.due_ns)
        return self.take(plays.answer(self.play, Action(None, due.verb, None, due.due_ns)))

    def press(self, *seats: Seat, apart_ms: float = 200) -> Self:
        for seat in seats:
            self.say(seat, "press", None, apart_ms)
        return self

    def fix(self, seat: Seat, points: int) -> Self:
        return self.take(plays.fix(self.play, seat, points))

    def amend(self, round_: int, *numbers: tuple[Seat | None, str, int]) -> Self:
        return self.take(plays.amend(self.play, round_, numbers))

    def preview(self, numbers: dict[Seat | None, int], verb: str) -> tuple[int | None, ...]:
        """By seat the total with these numbers, as far as it is known."""
        assert self.rules.preview is not None
        return self.rules.preview(self.state, numbers, verb)

    def undo(self) -> Self:
        return self.take(plays.undo(self.play))

    def redo(self) -> Self:
        return self.take(plays.redo(self.play))
