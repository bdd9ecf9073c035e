"""Debounce: raw edges in, presses and releases out. Pure: no clock, no threads; time comes with the edges.

The kernel (docs/decisions/0005) stamps each edge at once, but reads the level that comes with it a little later. If a
contact closes for less than this delay, an opening is reported; two moves within it are reported as one edge, with the
stamp of the second. So on a quiet line the first event of either kind is the moment of the change, if the line then
stays at the other level long enough; else it was a spark.

Only time that is known counts as time at the other level: between two edges, if the second has not replaced another
stamp, and between readings that follow each other closely. If a line still reads its old level, an edge is on its way:
that edge decides how much of the time up to the reading counts.
"""

from collections.abc import Callable, Iterable

from msgspec import Struct

from hardware.parts.buttons import Edge
from hardware.parts.gpio.numbers import RECENT_NS

LOCK_NS = 30_000_000  # contacts bounce for 5 to 20 ms; a finger does not come back sooner
LATE_NS = 50_000_000  # the largest delay of an edge: until then an earlier one may follow
CLOSED_NS = 2_000_000  # the total time at the new level that makes a change; sparks and dips are shorter
TOUCH_NS = 50_000_000  # the total is taken over this time: a contact that bounces may open for long in between
AGAIN_NS = 500_000  # from one reading to the next of a line that has moved
STAMP_NS = 100_000  # a stamp is later than the move of its contact by at most this
APART_NS = 1_000_000  # between two readings of one level at most this counts: each may have met another, shorter spark


class Contact(Struct):
    """One line. Its levels are the reported one and the other one, so a press and a release are the same."""

    standing: Edge  # the edge that brought the standing level, the last raw one
    last_ns: int  # stamp of the last edge, of either level
    lock_end_ns: int
    down: bool = False  # as reported
    touch: Edge | None = None  # the first event of a change that is not confirmed yet
    away_ns: int = 0  # how long the line is known to have stood at the other level since, up to its last edge
    readings: list[tuple[int, bool]] = []  # since its last edge: when, and whether it was at the other level
    look_ns: int = 0  # the line is not looked at before this time
    doubt_ns: int = 0  # since when the line waits for an edge on its way; 0: it does not
    sparks: int = 0  # counted so far

    @property
    def away(self) -> bool:
        """Whether the standing level is not the reported one."""
        return self.standing.down != self.down

    @property
    def exact(self) -> bool:
        """Whether each edge is a true change of the line, as those of a page: nothing bounces, nothing is lost."""
        return self.standing.source == "virtual"

    def read(self, until_ns: int) -> tuple[int, bool]:
        """By the readings up to a time: how long the line stood at the other level, and whether it ever left that."""
        known_ns, since_ns, left = 0, self.last_ns if self.away else None, False
        for at_ns, there in self.readings:
            if at_ns >= until_ns:
                break
            if there and since_ns is not None:
                known_ns += min(at_ns - since_ns, APART_NS)
            since_ns, left = at_ns if there else None, left or not there
        return known_ns, left

    def stood(self, edge: Edge) -> int:
        """How long the line is known to have stood at the other level between its last edge and this one."""
        known_ns, left = self.read(edge.at_ns - STAMP_NS)  # what is read later may be this edge's own level
        if not self.away or _unknown(edge):
            return known_ns
        whole_ns = edge.at_ns - self.last_ns
        return max(known_ns, whole_ns - RECENT_NS) if edge.replaced or left else whole_ns

    def begin(self) -> None:
        """If a lock has ended at the other level, a change began with the edge that brought that level."""
        if self.touch is None and self.away:
            self.touch = self.standing

    @property
    def due_ns(self) -> int | None:
        """When the change is to be looked at next; None where there is none."""
        if self.exact:
            return self.lock_end_ns + LATE_NS if self.away else None
        if self.away:
            return max(self.lock_end_ns, self.last_ns + AGAIN_NS, self.look_ns)
        return None if self.touch is None else max(self.touch.at_ns + TOUCH_NS, self.look_ns)

    def _settled(self) -> None:
        """Nothing is open any more."""
        self.touch, self.away_ns, self.readings = None, 0, []
        self.look_ns = self.doubt_ns = 0

    def give_up(self) -> None:
        """No change after all: a spark.

        It counts as a spark while the line is open and quiet: a finger may let a held contact open for a moment, and
        some contacts bounce for longer than the lock.
        """
        assert self.touch is not None
        if not self.down and self.touch.at_ns >= self.lock_end_ns + TOUCH_NS:
            self.sparks += 1
        self.standing = self.standing._replace(down=self.down)
        self._settled()

    def report(self) -> tuple[Edge, ...]:
        """The change is confirmed; it locks the line again."""
        assert self.touch is not None
        change = self.touch._replace(down=not self.down)
        self._settled()
        self.down = change.down
        self.lock_end_ns = change.at_ns + LOCK_NS
        return (change,)

    def before(self, edge: Edge) -> tuple[Edge, ...]:
        """The change that has been confirmed up to an edge; within the lock there is none."""
        self.away_ns += self.stood(edge)
        if edge.at_ns < self.lock_end_ns:
            return ()
        self.begin()
        if self.touch is None:
            return ()
        if self.away_ns >= CLOSED_NS or (self.exact and self.away):
            return self.report()
        # 50 ms after its first event the line is back, and was away for less than 2 ms in all: a spark
        if edge.at_ns - self.touch.at_ns >= TOUCH_NS and not self.away:
            self.give_up()
        return ()

    def _lost_ns(self, edge: Edge) -> int:
        """By how much sooner a change that begins with this edge may have begun, as edges were lost."""
        lost_ns = edge.lost_ns
        if not _unknown(edge) and edge.at_ns > edge.read_ns + TOUCH_NS:
            return 0  # what had begun by the reading is over
        if self.touch is not None:
            lost_ns = max(lost_ns, edge.at_ns - self.touch.at_ns)
        return min(lost_ns, edge.at_ns - (self.lock_end_ns - LOCK_NS))  # not before the last change

    def move(self, edge: Edge) -> None:
        """The line's newest edge."""
        moved, unknown = edge.down != self.standing.down, _unknown(edge)
        if edge.lost_ns:
            edge = edge._replace(lost_ns=self._lost_ns(edge))
        if unknown and self.touch is not None and edge.at_ns > self.touch.at_ns + TOUCH_NS:
            self.touch = None  # what has come of it nobody knows: this may be another one
        if moved or unknown:
            self.standing = edge
        self.last_ns, self.look_ns, self.doubt_ns = edge.at_ns, 0, 0
        if edge.at_ns < self.lock_end_ns:  # bounce: what counts is the level at the end of the lock, and since when
            self.touch = None
            if moved or not self.away:
                self.away_ns = 0
        elif self.touch is None and (moved or not self.exact) and not (edge.is_reading and not self.away):
            # also an edge to the reported level: it may be the trace of a touch too short for the kernel to read
            self.touch, self.away_ns = edge, 0
        self.readings = [reading for reading in self.readings if reading[0] >= edge.at_ns]


def _unknown(edge: Edge) -> bool:
    """Whether nobody knows what the line did just before: edges were lost, and it was not read after that."""
    return edge.lost_ns > 0 and (edge.is_reading or not edge.read_ns)


class Debounce:
    """All lines of a kit, independent of each other. A line without edges is up."""

    def __init__(self, read: Callable[[str], bool | None] = lambda button: None) -> None:
        """`read`: whether a line reads pressed now; None where it cannot be read."""
        self._lines: dict[str, Contact] = {}
        self._read = read

    def listen(self, button: str, *, down: bool) -> None:
        """Listen to a line that reads `down` now. If it is held, that is no press; its release is reported."""
        standing = Edge(button, down, 0, "kernel")
        self._lines[button] = Contact(standing, 0, 0, down=down)

    def edge(self, edge: Edge) -> tuple[Edge, ...]:
        """The changes that a raw edge means, oldest first, each with the stamp of its first event.

        Edges within the lock are only remembered.
        """
        line = self._lines.get(edge.button)
        if line is None:
            # a line whose first edge is a release was held before: its bounce is no press
            lock_end_ns = edge.at_ns if edge.down else edge.at_ns + LOCK_NS
            line = self._lines[edge.button] = Contact(edge._replace(down=False), edge.at_ns, lock_end_ns)
        if edge.at_ns < line.last_ns:  # delivered late: a newer edge gave the level
            return ()
        if edge.is_reading and edge.down == line.standing.down == line.down:
            return ()  # as it is known: whether anything was lost in between is told by the next edge
        changes = line.before(edge)
        line.move(edge)
        if line.exact and line.touch is edge and line.away:
            return (*changes, *line.report())
        return changes

    def touches(self, edge: Edge) -> bool:
        """Whether a touch began with this edge that may become a press."""
        line = self._lines.get(edge.button)
        return line is not None and line.touch is not None and line.touch.at_ns == edge.at_ns and not line.down

    @property
    def sparks(self) -> dict[str, int]:
        """The sparks of each line that had any."""
        return {button: line.sparks for button, line in self._lines.items() if line.sparks}

    def forget(self, button: str) -> None:
        """A line is lost: drop its state."""
        self._lines.pop(button, None)

    @property
    def due_ns(self) -> int | None:
        """When `settle` is to be called next; None while all lines stand as reported."""
        return min((due for line in self._lines.values() if (due := line.due_ns) is not None), default=None)

    @property
    def touched_ns(self) -> int | None:
        """The earliest time at which the oldest touch that may still become a press may have begun; None: no touch."""
        touches = [line.touch for line in self._lines.values() if line.touch is not None and not line.down]
        soonest = (edge.at_ns - max(edge.lost_ns, RECENT_NS if edge.replaced else 0) for edge in touches)
        return min(soonest, default=None)

    def settle(self, now_ns: int, *, behind: bool = False) -> tuple[Edge, ...]:
        """The changes that are confirmed by now, by stamp. `behind`: edges are still to be reported; no doubt ends."""
        changes = [one for name, line in self._lines.items() for one in self._confirmed(name, line, now_ns, behind)]
        return tuple(sorted(changes, key=lambda change: change.at_ns))

    def _confirmed(self, button: str, line: Contact, now_ns: int, behind: bool) -> tuple[Edge, ...]:
        """The change of a line that is beyond doubt.

        A line at its new level is read until it is known to have stood there long enough. If it cannot be read, or
        reads its old level, an edge may be on its way: a level that nothing has followed for 50 ms (`LATE_NS`) counts.
        """
        due_ns = line.due_ns
        if due_ns is None or now_ns < due_ns:
            return ()
        line.begin()
        if line.exact:
            return line.report()
        known_ns, left, there = line.away_ns, False, None
        if line.away and (reads := self._read(button)) is not None:
            there = reads is not line.down
            line.readings.append((now_ns, there))
            read_ns, left = line.read(now_ns + 1)
            known_ns += read_ns
        if there and known_ns >= CLOSED_NS:
            return line.report()
        line.doubt_ns = 0 if there else line.doubt_ns or now_ns
        end_ns = line.doubt_ns + LATE_NS
        if there or behind or now_ns < end_ns:
            again_ns = min(AGAIN_NS, CLOSED_NS - known_ns) if there else AGAIN_NS
            line.look_ns = end_ns if there is None and not behind else now_ns + again_ns
        elif line.away and not left:
            return line.report()
        else:
            line.give_up()
        return ()

    def down(self, button: str) -> bool:
        """Whether the button counts as pressed."""
        line = self._lines.get(button)
        return line is not None and line.down


def sparks(edges: Iterable[Edge]) -> dict[str, int]:
    """The sparks of each button that had any, by the raw edges of one run. Those of a page are left out.

    Only stamps count: no line is read, and it does not matter how late the kit heard of an edge.
    """
    return _replayed(edge for edge in edges if edge.source != "virtual")[0].sparks


def pressed(edges: Iterable[Edge]) -> frozenset[str]:
    """The buttons that were pressed, by the raw edges of one run or of a part of it; only stamps count."""
    return frozenset(change.button for change in _replayed(edges)[1] if change.down)


def _replayed(edges: Iterable[Edge]) -> tuple[Debounce, list[Edge]]:
    """All changes that these edges tell."""
    debounce, changes, heard = Debounce(), list[Edge](), set[str]()
    for edge in edges:
        if edge.button not in heard:
            heard.add(edge.button)
            debounce.listen(edge.button, down=not edge.down)
        changes += debounce.edge(edge)
    while (due_ns := debounce.due_ns) is not None:
        changes += debounce.settle(due_ns)
    return debounce, changes
