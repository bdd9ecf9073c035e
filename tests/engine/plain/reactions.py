"""Reaction times a second time: from the events of the moves that count, round by round, without the engine."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from tests.engine.plain.outcome import Moved


class Time(NamedTuple):
    """A seat in a race that stands; a Meow that did not win has no time."""

    round: int
    seat: int
    kind: str
    won: bool
    after_ns: int | None
    error_ns: int
    signal: str


class Round:
    """One round, from its events."""

    def __init__(self, number: int, seats: Sequence[int]) -> None:
        self.number, self.seats = number, tuple(seats)
        self.go_ns, self.signal = 0, ""
        self.presses: dict[int, tuple[int, int]] = {}
        self.jumped: set[int] = set()
        self.caller: int | None = None
        self.last = self.ruled = self.wrong = self.scrapped = False

    def fold(self, kind: str, event: Any, others: Sequence[str]) -> None:
        """One more event; `others` are those of the same move."""
        match kind:
            case "Flashed" | "Flipped":
                self.go_ns, self.signal, self.presses = event.at_ns, event.signal, {}
            case "CountdownStarted" | "Dealt":
                self.jumped = set()
            case "Pressed":
                self.presses[event.seat] = event.at_ns, event.error_ns
            case "Jumped":
                self.jumped.add(event.seat)
            case "TakenBack" | "Reopened":
                self.presses.pop(event.seat, None)
                self.last = self.ruled = False
                if event.seat == self.caller:
                    self.presses, self.caller = {}, None
            case "Called":
                self.caller = event.seats[0] if len(event.seats) == 1 else None
            case "CallerNamed":
                self.caller, self.ruled = event.seat, True
            case "PlayOn":
                self.presses, self.caller = {}, None
            case "Scrapped":
                self.scrapped = True
            case "Checked":
                self.wrong = not event.right
            case "LastNamed":
                self.last = True
                self.ruled = self.ruled or not {"AnswersClosed", "RaceClosed"} & set(others)

    def grabs(self) -> list[Time]:
        """The times after the go-signal."""
        if self.ruled or not self.last:
            return []
        return [
            Time(self.number, seat, "grab", False, at_ns - self.go_ns, error_ns, self.signal)
            for seat, (at_ns, error_ns) in self.presses.items()
            if seat not in self.jumped
        ]

    def meows(self, widen_ns: int) -> list[Time]:
        """The Meow after the flash, and the answers after the Meow."""
        if self.scrapped or not self.last or self.caller is None:
            return []
        plain = [
            Time(self.number, s, "meow", s == self.caller and not self.wrong, None, 100_000, "") for s in self.seats
        ]
        if self.ruled or self.caller not in self.presses:
            return plain
        call_ns, call_error_ns = self.presses[self.caller]
        first_ns, first_error_ns = min(self.presses.values())
        for seat, (at_ns, error_ns) in self.presses.items():
            near = at_ns - first_ns < max(error_ns, first_error_ns, widen_ns) or at_ns == first_ns
            if seat != self.caller and (near or at_ns < call_ns):
                return plain
        times = [
            one._replace(after_ns=call_ns - self.go_ns, error_ns=call_error_ns, signal=self.signal) if one.won else one
            for one in plain
        ]
        return times + [
            Time(self.number, seat, "answer", False, at_ns - call_ns, max(error_ns, call_error_ns), "meow")
            for seat, (at_ns, error_ns) in self.presses.items()
            if seat != self.caller
        ]


def reactions(name: str, players: int, options: dict[str, Any], moves: Sequence[Moved]) -> list[Time]:
    """All times of a game, in any order. `moves`: those that count."""
    if name not in ("kitty_paw", "pack_and_stack"):
        return []
    rounds = [Round(1, range(players))]
    for move in moves:
        kinds = [type(fact.event).__name__ for fact in move.facts]
        for kind, fact in zip(kinds, move.facts, strict=True):
            if kind == "RoundStarted":
                rounds.append(Round(len(rounds) + 1, getattr(fact.event, "seats", range(players))))
            else:
                rounds[-1].fold(kind, fact.event, kinds)
    if name == "pack_and_stack":
        return [time for each in rounds for time in each.grabs()]
    widen = options["tie_band"]
    widen_ns = 0 if isinstance(widen, str) else widen * 1_000_000
    return [time for each in rounds for time in each.meows(widen_ns)]
