"""The rule by which the kit took presses until it knew what a kernel says of a contact, for comparison.

The first edge after a quiet line that tells another level is the press, at once; what comes within the lock is bounce.
"""

from msgspec import Struct

from hardware.parts.buttons import Edge

LOCK_NS = 30_000_000  # contacts bounce for 5 to 20 ms; a finger does not come back sooner
LATE_NS = 50_000_000  # the largest delay of an edge: until then an earlier one may follow


class Contact(Struct):
    """One line. Its standing level is the last raw one; during a lock the reported level may lag behind."""

    standing: Edge  # the edge that brought the standing level
    last_ns: int  # stamp of the last edge, of either level
    lock_end_ns: int
    down: bool = False  # as reported

    def settle(self, now_ns: int) -> tuple[Edge, ...]:
        """The change to the standing level, once the lock has ended; it locks the line again."""
        if self.standing.down == self.down or now_ns < self.lock_end_ns:
            return ()
        self.down = self.standing.down
        self.lock_end_ns = self.standing.at_ns + LOCK_NS
        return (self.standing,)


class FirstEdge:
    """All lines of a kit, independent of each other. A line without edges is up."""

    def __init__(self) -> None:
        self._lines: dict[str, Contact] = {}

    def edge(self, edge: Edge) -> tuple[Edge, ...]:
        """The changes that a raw edge means, oldest first: none, one, or a settled one and its own.

        The first edge after a quiet line counts, with its own stamp; edges within the lock are only remembered.
        """
        line = self._lines.get(edge.button)
        if line is None:
            # a line whose first edge is a release was held before: its bounce is no press
            lock_end_ns = edge.at_ns if edge.down else edge.at_ns + LOCK_NS
            line = self._lines[edge.button] = Contact(edge._replace(down=False), edge.at_ns, lock_end_ns)
        if edge.at_ns < line.last_ns:  # delivered late: a newer edge gave the level
            return ()
        settled = line.settle(edge.at_ns)  # a lock that ends with this edge ends before it
        line.last_ns = edge.at_ns
        if edge.down != line.standing.down:  # else an edge in between was lost
            line.standing = edge
        return (*settled, *line.settle(edge.at_ns))

    def forget(self, button: str) -> None:
        """A line is lost: drop its state."""
        self._lines.pop(button, None)

    @property
    def due_ns(self) -> int | None:
        """When `settle` has its next change; None while all lines stand as reported."""
        ends = (line.lock_end_ns + LATE_NS for line in self._lines.values() if line.standing.down != line.down)
        return min(ends, default=None)

    def settle(self, now_ns: int) -> tuple[Edge, ...]:
        """The changes of all locks that have ended, by stamp: each has the stamp of the edge that brought it.

        Waits `LATE_NS` for late edges: a level in the middle of a bounce is no release.
        """
        changes = [change for line in self._lines.values() for change in line.settle(now_ns - LATE_NS)]
        return tuple(sorted(changes, key=lambda change: change.at_ns))

    def down(self, button: str) -> bool:
        """Whether the button counts as pressed."""
        line = self._lines.get(button)
        return line is not None and line.down
