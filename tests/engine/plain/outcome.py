"""Shared by all second scorers: the parts of a move that they use, and how a game ended."""

from collections.abc import Sequence
from typing import Any, NamedTuple, Protocol


class Moved(Protocol):
    """The parts of a move that a scorer uses; points fixed by hand are moves of the verb `fix`."""

    @property
    def verb(self) -> str: ...
    @property
    def seat(self) -> int | None: ...
    @property
    def value(self) -> Any: ...
    @property
    def at_ns(self) -> int: ...
    @property
    def error_ns(self) -> int: ...
    @property
    def facts(self) -> Sequence[Any]: ...


class Outcome(NamedTuple):
    """How a game ended."""

    totals: list[int]
    winners: list[int]
    rounds: int
    tokens: list[dict[str, int]]  # by seat: those of the board that are counted here
    removed: int | None = None  # cards out of the game


def best(totals: Sequence[int], among: Sequence[int]) -> list[int]:
    """The seats with most among these."""
    return [seat for seat in among if totals[seat] == max(totals[other] for other in among)]


def by_rounds(moves: Sequence[Moved]) -> list[list[Moved]]:
    """The moves of each round; `next` ends one. The last are those after the end: points that were fixed."""
    rounds: list[list[Moved]] = [[]]
    for move in moves:
        rounds[-1].append(move)
        if move.verb == "next":
            rounds.append([])
    return rounds
