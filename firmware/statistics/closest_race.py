"""The closest race of some games, found by the sums: only its game has to be replayed to be drawn."""

from collections import defaultdict
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from firmware.statistics.person_figures import Figures


class Found(NamedTuple):
    """A race: its game, its round, and the smallest gap in it in ns."""

    game: int
    round: int
    gap_ns: int


def of(figures: Figures, games: Sequence[int]) -> Found | None:
    """The race with the smallest gap between two presses that follow each other; None where there was none."""
    by_race: dict[tuple[int, int, str], list[int]] = defaultdict(list)
    for game in games:
        for round_, kind, after_ns in figures.presses(game):
            by_race[game, round_, kind].append(after_ns)
    gaps = [
        Found(game, round_, min(late - early for early, late in pairwise(sorted(times))))
        for (game, round_, _kind), times in by_race.items()
        if len(times) > 1
    ]
    return min(gaps, key=lambda found: found.gap_ns, default=None)
