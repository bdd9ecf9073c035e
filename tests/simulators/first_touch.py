"""Races of contacts as a kernel tells of them: by the kit's rule for a touch, and by the one it had before.

Edges are delivered late, lines are read, verdicts wait: all as in the program, against a simulated clock.
`scripts/bench-fairness` prints the figures; docs/fairness.md says what they mean.
"""

from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Sequence
from operator import attrgetter
from random import Random
from typing import NamedTuple, TypeAlias

from engine import race
from engine.race import Race
from engine.rules import Seat
from firmware.certificate import EARLY_NS
from hardware.buttons import Edge
from hardware.gpio.numbers import Numbers
from tests.simulators.contact import HELD_UP_NS, MS, THREAD_CUT, US, Told, between, closing, spark, told
from tests.simulators.fairness import BAND_NS, JITTER_NS, NAMES, NEVER_NS, SEATS, Kit, deliver, hand_ns, reading
from tests.simulators.first_edge import FirstEdge

RULES = ("before", "ours")
UNMEASURED_US = EARLY_NS // US
SPARKED_MS = (50, 200)  # so long before its press a line sparks


class Kind(NamedTuple):
    """Contacts and a kernel."""

    thread_us: int = 40  # on average until a thread runs
    touched: bool = False  # each press begins with a short touch
    sparks: bool = False  # each line sparks once before its press
    held_up: float = 0.0  # the part of the edges whose thread is kept waiting for up to 20 ms
    early_us: int = 40 * THREAD_CUT  # the longest delay, as a certificate says


THREADS_US = (20, 40, 100)
CONTACTS = tuple(
    Kind(thread_us, touched, early_us=thread_us * THREAD_CUT) for touched in (False, True) for thread_us in THREADS_US
)
UNSURE = tuple(Kind(touched=touched, early_us=UNMEASURED_US) for touched in (False, True))
HELD_UP = tuple(Kind(held_up=0.01, early_us=early_us) for early_us in (HELD_UP_NS // US, UNMEASURED_US))
SPARKS = (Kind(sparks=True),)
KINDS = (*CONTACTS, *UNSURE, *HELD_UP, *SPARKS)


Verdict: TypeAlias = Callable[[Race], tuple[Seat, ...]]
Tally: TypeAlias = Counter[tuple[str, str]]  # how often, by rule and what


def before(edges: Sequence[Told], waits: Sequence[int], players: int) -> tuple[Race, Race]:
    """The verdicts by the rule of before: a request for each line, whose queue keeps its order; each edge is late."""
    free_ns, late = [0] * players, list[tuple[int, Edge]]()
    for told_, wait_ns in zip(edges, waits, strict=True):
        free_ns[told_.line] = at_ns = max(told_.queued_ns + wait_ns, free_ns[told_.line])
        late.append((at_ns, Edge(NAMES[told_.line], told_.down, told_.at_ns, "kernel")))
    return deliver(Kit(FirstEdge(), players), late)


class Reader:
    """Reads a request late, all that has been queued until then, and lets a kit take it."""

    def __init__(self, kit: Kit, edges: Sequence[Told], delay_ns: int) -> None:
        """`delay_ns`: what the kit knows of the kernel's threads."""
        self._kit, self._edges, self._delay_ns = kit, edges, delay_ns
        self._read, self._numbers = 0, Numbers()
        kit.early_ns = self._early_ns

    def _early_ns(self, change: Edge) -> int:
        unread = self._edges[self._read : self._read + 1]
        known_ns = 0 if unread and unread[0].queued_ns <= self._kit.now_ns else self._kit.now_ns
        line, level = SEATS[change.button], not change.down
        early = self._numbers.early_ns
        return early(line, change.at_ns, self._delay_ns, level=level, known_ns=known_ns) if change.replaced else 0

    def raced(self, waits: Sequence[int]) -> tuple[Race, Race]:
        """The verdicts, where a first unread edge waits so long."""
        while self._read < len(self._edges) and len(self._kit.verdicts) < 2:
            at_ns = self._edges[self._read].queued_ns + waits[self._read]
            self._kit.wait(at_ns)
            begin, self._read = self._read, bisect_right(self._edges, at_ns, key=attrgetter("queued_ns"))
            read = [(each, self._numbers.replaced(each.numbered)) for each in self._edges[begin : self._read]]
            for each, replaced in read:
                self._kit.edge(Edge(NAMES[each.line], each.down, each.at_ns, "kernel", replaced), at_ns)
        return self._kit.ended()


def count(tally: Tally, rule: str, pressed_ns: Sequence[int], runs: tuple[Race, Race]) -> None:
    """Add one race to the tally: who was named wrongly where the true gap is outside the band, and who was level."""
    order = sorted(range(len(pressed_ns)), key=pressed_ns.__getitem__)
    ends: tuple[tuple[str, Seat, Seat, Race, Verdict], ...] = (
        ("first", order[0], order[1], runs[0], race.first),
        ("last", order[-1], order[-2], runs[1], race.last),
    )
    for end, seat, next_seat, run, verdict in ends:
        named = verdict(run)
        if abs(pressed_ns[seat] - pressed_ns[next_seat]) >= BAND_NS and seat not in named:
            tally[rule, f"wrong_{end}"] += 1
        if len(named) > 1:
            tally[rule, f"dead_{end}"] += 1
    early = [press.seat for press in runs[1].presses if press.at_ns < pressed_ns[press.seat]]
    tally[rule, "sparks"] += len(early)


def block(kind: Kind, seed: int, players: int, number: int, rounds: int) -> Tally:
    """One block of races, always the same for the same numbers, by both rules."""
    dice, tally = Random(f"{seed}:{players}:{kind}:{number}"), Tally()
    for _ in range(rounds):
        pressed_ns = [hand_ns(dice) for _ in range(players)]
        lines = [closing(dice, at_ns, touched=kind.touched) for at_ns in pressed_ns]
        if kind.sparks:
            lines = [spark(dice, moves[0] - between(dice, SPARKED_MS, MS)) + moves for moves in lines]
        edges = told(dice, lines, kind.thread_us * US, held_up=kind.held_up)
        waits = [int(dice.random() * JITTER_NS) for _ in edges]
        today = Reader(reading(lines), edges, kind.early_us * US).raced(waits)
        for rule, runs in zip(RULES, (before(edges, waits, players), today), strict=True):
            count(tally, rule, pressed_ns, runs)
    return tally


def waited(kind: Kind, seed: int, presses: int) -> list[int]:
    """How long after its stamp each of some presses counts, in ns, where Python has its edges at once."""
    dice, found = Random(f"{seed}:{kind}:waited"), list[int]()
    for _ in range(presses):
        moves = closing(dice, hand_ns(dice), touched=kind.touched)
        kit = reading([moves])
        for edge in told(dice, [moves], kind.thread_us * US):
            kit.edge(Edge(NAMES[0], edge.down, edge.at_ns, "kernel"), edge.queued_ns)
        kit.wait(NEVER_NS)
        found += [known_ns - at_ns for at_ns, known_ns in kit.pressed]
    return sorted(found)
