"""What the numbers of a request's edges tell: which edge may have replaced an earlier stamp, and by how much.

The kernel stamps an edge in the hard interrupt, but reads the level, and queues the edge, in a thread. Another edge of
the line before that thread has run replaces the stamp, and the line's own numbers do not show it. A request of several
lines numbers its edges in the interrupt already: a number that never comes is a stamp that was replaced.
"""

from bisect import bisect_left, insort
from collections.abc import Iterator
from typing import NamedTuple

RECENT_NS = 25_000_000  # no thread of the kernel is kept waiting for longer
KEPT_NS = 200_000_000  # a press is asked about within this time
INTERRUPT_NS = 100_000  # an interrupt comes no later after its move: the band of kernel stamps


class Numbered(NamedTuple):
    """An edge as the kernel tells it."""

    number: int  # within the request, from 1
    line: int
    at_ns: int
    level: bool


class Numbers:
    """The edges of a request, as they are read: those of several lines may come in another order."""

    def __init__(self) -> None:
        self._heard = [Numbered(0, -1, -KEPT_NS, False)]  # by number: the recent ones, and the newest of the others

    def replaced(self, edge: Numbered) -> bool:
        """Add an edge. Whether it may have replaced the stamp of an earlier one of its line."""
        insort(self._heard, edge)
        while self._heard[1].at_ns < edge.at_ns - KEPT_NS:
            del self._heard[0]
        return any(self._lost(edge, RECENT_NS))

    def early_ns(self, line: int, at_ns: int, delay_ns: int, *, level: bool, known_ns: int) -> int:
        """How much sooner than the edge of this stamp its line may have moved, if threads take up to `delay_ns`.

        `level`: that of the line since then; before, it had the other one. `known_ns`: everything that was queued by
        then has been read.
        """
        own = [edge for edge in self._heard if edge.line == line]
        n = next((n for n, edge in enumerate(own) if edge.at_ns == at_ns), None)
        if n is None or own[n] is self._heard[0]:  # long ago
            return delay_ns
        lost = list(self._lost(own[n], delay_ns))
        if not lost:
            return 0
        if sum(count for count, _ in lost) == 1 and own[n].level == level:
            # a line that is told to have changed has moved an odd number of times, so it lost an even number of stamps
            standing = own[n - 1] if n > 0 else None
            changed = standing is None or (standing.level != level and self._sure(own, n - 1, delay_ns, known_ns))
            if changed and self._sure(own, n, delay_ns, known_ns):
                return 0
        _, before_ns = lost[-1]
        return min(delay_ns, at_ns - before_ns)

    def _lost(self, edge: Numbered, delay_ns: int) -> Iterator[tuple[int, int]]:
        """The numbers that never came and whose stamps this edge may have replaced, latest first.

        So many in a row, and the stamp before them: theirs lie between that and the next that has come.
        """
        after = edge
        for before in reversed(self._heard[: bisect_left(self._heard, edge)]):
            if after.at_ns < edge.at_ns - delay_ns:
                return
            if count := after.number - before.number - 1:
                yield count, before.at_ns
            if before.line == edge.line:
                return
            after = before

    def _sure(self, own: list[Numbered], n: int, delay_ns: int, known_ns: int) -> bool:
        """Whether the level that came with an edge is that after its move, and not after a later one.

        The thread may read the level after a move whose interrupt is still to come. That move is then the line's next
        edge, soon after, and tells the same level once more.
        """
        edge, latest_ns = own[n], own[n].at_ns + delay_ns + INTERRUPT_NS
        if n + 1 == len(own):
            return known_ns >= latest_ns + delay_ns
        after = own[n + 1]
        if after.at_ns > latest_ns:
            return True
        moved_once = after.level != edge.level and not any(self._lost(after, KEPT_NS))
        return moved_once and self._sure(own, n + 1, delay_ns, known_ns)
