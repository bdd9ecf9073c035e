"""Races of contacts as a kernel tells of them: by the kit's rule for a touch, and by the one it had before.

Edges are delivered late, lines are read, verdicts wait: all as in the program, against a simulated clock.
`scripts/bench fairness` prints the figures; docs/fairness.md says what they mean.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from itertools import accumulate
from operator import add
from random import Random
from typing import NamedTuple, TypeAlias

from engine import race
from engine.race import Race
from engine.rules import Seat
from firmware.setup.certificate import EARLY_NS
from hardware.parts.buttons import Edge
from tests.simulators.contact import HELD_UP_NS, MS, THREAD_CUT, US, Told, between, closing, spark, told
from tests.simulators.fairness import BAND_NS, JITTER_NS, NAMES, NEVER_NS, Kit, deliver, hand_ns, reading
from tests.simulators.first_edge import FirstEdge

RULES = ("before", "ours")
UNMEASURED_US = EARLY_NS // US
SPARKED_MS = (51, 200)  # so long before its press a line sparks


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


def raced(edges: Sequence[Sequence[Told]], waits: Sequence[Sequence[int]], kit: Kit) -> tuple[Race, Race]:
    """The verdicts where each edge is delivered so much after it was queued."""
    return deliver(
        kit,
        [
            (at_ns, Edge(name, each.down, each.at_ns, "kernel", each.replaced))
            for name, line, wait in zip(NAMES, edges, waits, strict=False)
            for each, at_ns in zip(line, delivered(line, wait), strict=True)
        ],
    )


def delivered(line: Sequence[Told], wait: Sequence[int]) -> list[int]:
    """When Python has each edge: the queue of a line keeps its order."""
    return list(accumulate(map(add, [each.queued_ns for each in line], wait), max))


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
        requests = max(2, players // 2)  # of two lines each: of two players the others are the control's
        edges = told(dice, lines, kind.thread_us * US, held_up=kind.held_up, requests=requests)
        waits = [[int(dice.random() * JITTER_NS) for _ in line] for line in edges]
        kits = (Kit(FirstEdge(), players), reading(lines, early_ns=kind.early_us * US))
        for rule, kit in zip(RULES, kits, strict=True):
            count(tally, rule, pressed_ns, raced(edges, waits, kit))
    return tally


def waited(kind: Kind, seed: int, presses: int) -> list[int]:
    """How long after its stamp each of some presses counts, in ns, where Python has its edges at once."""
    dice, found = Random(f"{seed}:{kind}:waited"), list[int]()
    for _ in range(presses):
        moves = closing(dice, hand_ns(dice), touched=kind.touched)
        kit = reading([moves])
        for edge in told(dice, [moves], kind.thread_us * US)[0]:
            kit.edge(Edge(NAMES[0], edge.down, edge.at_ns, "kernel"), edge.queued_ns)
        kit.wait(NEVER_NS)
        found += [known_ns - at_ns for at_ns, known_ns in kit.pressed]
    return sorted(found)
