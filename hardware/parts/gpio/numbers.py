"""The numbers of a request's edges show which edge may have replaced the stamp of an earlier one.

The kernel stamps an edge in the hard interrupt, but reads the level, and queues the edge, in a thread. If the line has
another edge before that thread has run, this replaces the stamp, and the line's own numbers do not show it. A request
of several lines numbers its edges already in the interrupt: a number that never comes belongs to a replaced stamp.
"""

from collections.abc import Sequence

RECENT_NS = 25_000_000  # no thread of the kernel is kept waiting for longer


def shared(lines: Sequence[int]) -> tuple[tuple[int, ...], ...]:
    """The lines of each request: two; with an odd number of lines the first request has three.

    A missing number may belong to any line of the request. So neighbours never share one: where only some of the
    buttons are in play, they are neighbours.
    """
    half = max(1, len(lines) // 2)
    return tuple(tuple(lines[n::half]) for n in range(half))


class EdgeNumbers:
    """The numbers of a request's edges, as they are read: those of several lines may come in another order."""

    def __init__(self) -> None:
        self._last: dict[int, int] = {}  # by line
        self._highest = 0
        self._missing: dict[int, int] = {}  # numbers that have not come, and the stamp of the next one that has

    def replaced(self, line: int, number: int, at_ns: int) -> bool:
        """Whether this edge may have replaced the stamp of an earlier one of its line. Numbers count from 1."""
        missing = {n: min(next_ns, at_ns) if n < number else next_ns for n, next_ns in self._missing.items()}
        missing |= dict.fromkeys(range(self._highest + 1, number), at_ns)
        missing.pop(number, None)
        self._missing = {n: next_ns for n, next_ns in missing.items() if next_ns >= at_ns - RECENT_NS}
        self._highest = max(self._highest, number)
        last, self._last[line] = self._last.get(line, 0), number
        return any(last < n < number for n in self._missing)
