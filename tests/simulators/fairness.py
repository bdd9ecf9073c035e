"""Races in numbers: simulated presses through the kit's own debounce and referee, and through four usual ways to time.

`scripts/bench fairness` runs it by the million; docs/fairness.md says what is simulated and what is not.
"""

from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from itertools import accumulate, pairwise
from math import ceil, erfc, exp, log, sqrt
from operator import add, itemgetter
from random import Random
from typing import Literal, NamedTuple, TypeAlias

from engine import race
from engine.race import JUMP_NS, SETTLE_NS, Race
from engine.rules import ERROR_NS, Press, Seat
from hardware.parts.buttons import Edge
from hardware.parts.debounce import Debounce
from tests.simulators.contact import MS, US, closing, lateness
from tests.simulators.first_edge import FirstEdge

NEVER_NS = 10**18

BAND_NS = ERROR_NS  # a kernel stamp's error without a certificate
METHODS = ("ours", "callback", "debounced", "poll_1ms", "poll_10ms")
BANDS_NS = (100 * US, 200 * US, 500 * US, 1 * MS, 2 * MS, 5 * MS)
MARGINS = (1.0, 1.5, 2.0)  # a certificate's band: so many times the largest lateness it saw
BLOCK = 1000  # rounds with a random stream, and a certificate, of their own

# a hand, in ms after the go-signal
REACTION_MS, SPREAD_MS, SLOW_MS = 250.0, 30.0, 60.0  # Normal(250, 30) + Exp(60)
# what comes after the kernel
JITTER_NS = 30 * MS  # stamp to Python
# the heavier tail
LATE_PART, LATE_NS = 1 / 100, 1 * MS  # one press in 100 is stamped Exp(1 ms) later still
PULSES = 2000  # of a certificate
GRAIN_NS = 10 * US  # its band is rounded up to these

STABLE_NS = 20 * MS  # what a debounced stamp waits for
NAMES = tuple(f"P{n}" for n in range(1, 7))
SEATS: dict[str, Seat] = {name: seat for seat, name in enumerate(NAMES)}

# how often: to whom (a method, a row of the second table, or "all"), and what (rounds, left_out_first, wrong_last ...)
Tally: TypeAlias = Counter[tuple[str, str]]
End: TypeAlias = Literal["first", "last"]


class Tap(NamedTuple):
    """A button going down in one round. In each list the first is the press, then the bounce opens and closes."""

    contacts: list[int]  # when the contact moved
    stamps: list[int]  # what the kernel says about it
    waits: list[int]  # from the stamp until Python could have it
    late_ns: int  # how much later the press is stamped under the heavier tail

    def arrivals(self) -> list[int]:
        """When Python has each edge: the queue of a line keeps its order."""
        return list(accumulate(map(add, self.stamps, self.waits), max))

    def with_tail(self) -> "Tap":
        """The same press with its stamp under the heavier tail."""
        late = self.stamps[0] + self.late_ns
        return self._replace(stamps=[max(late, stamp) for stamp in self.stamps])


def tail(dice: Random) -> int:
    """What the heavier tail adds, in ns: mostly nothing."""
    return int(-log(1 - dice.random()) * LATE_NS) if dice.random() < LATE_PART else 0


def hand_ns(dice: Random) -> int:
    """When a hand hits a button, after the go-signal."""
    at_ns = 0
    while at_ns < JUMP_NS:  # sooner is no reaction: one press in 40 million is drawn again
        at_ns = int((dice.gauss(REACTION_MS, SPREAD_MS) - log(1 - dice.random()) * SLOW_MS) * MS)
    return at_ns


def tap(dice: Random) -> Tap:
    """One hand hits one button."""
    chance, contacts = dice.random, closing(dice, hand_ns(dice))
    stamps = list(accumulate((contact + lateness(dice) for contact in contacts), max))  # they never run backwards
    return Tap(contacts, stamps, [int(chance() * JITTER_NS) for _ in contacts], tail(dice))


class Kit:
    """From delivered edges to the verdicts, by the kit's own referee, against a simulated clock."""

    def __init__(self, debounce: Debounce | FirstEdge, players: int, band_ns: int = BAND_NS, early_ns: int = 0) -> None:
        """`early_ns`: how much sooner a press may have been whose stamp may have replaced that of an earlier edge."""
        self.now_ns = 0
        self._debounce, self._band_ns, self._early_ns = debounce, band_ns, early_ns
        self._race = Race(tuple(range(players)), go_ns=0)
        self._due_ns = NEVER_NS  # the next verdict
        self.verdicts: list[Race] = []  # the race when its first was named, and when its last was
        self.pressed: list[tuple[int, int]] = []  # by stamp, and when it was known

    def edge(self, edge: Edge, at_ns: int) -> None:
        """An edge is delivered; what was due before has been done before."""
        self.wait(at_ns)
        self.now_ns = max(self.now_ns, at_ns)
        self._take(self._debounce.edge(edge))

    def wait(self, until_ns: int) -> None:
        """Let the clock run: changes that are confirmed, and verdicts, each at its time."""
        while len(self.verdicts) < 2:
            settles_ns = self._debounce.due_ns
            names_ns = NEVER_NS if self._unsure() else self._due_ns
            if settles_ns is not None and settles_ns < until_ns and settles_ns <= names_ns:
                self.now_ns = max(self.now_ns, settles_ns)
                self._take(self._debounce.settle(self.now_ns))
            elif names_ns < until_ns:
                self.now_ns = max(self.now_ns, names_ns)
                self.verdicts.append(self._race)
                self._set_clock()
            else:
                return

    def _unsure(self) -> bool:
        """Whether an earlier touch may still become a press: then the verdict waits."""
        if not isinstance(self._debounce, Debounce) or (touched_ns := self._debounce.touched_ns) is None:
            return False
        return touched_ns < self._due_ns - SETTLE_NS + self._band_ns

    def _take(self, changes: tuple[Edge, ...]) -> None:
        for change in changes:
            seat = SEATS[change.button]
            if change.down and seat in race.missing(self._race):
                press = Press(seat, change.at_ns, self._band_ns, self._early_ns if change.replaced else 0)
                if race.judge(self._race, press) == "good":
                    self._race = race.add(self._race, press)
                    self.pressed.append((change.at_ns, self.now_ns))
                    self._set_clock()

    def _set_clock(self) -> None:
        due = race.last_due_ns if self.verdicts else race.first_due_ns
        due_ns = due(self._race) if len(self.verdicts) < 2 else None
        self._due_ns = NEVER_NS if due_ns is None else due_ns


def reading(contacts: Sequence[Sequence[int]], band_ns: int = BAND_NS, early_ns: int = 0) -> Kit:
    """A kit with its own debounce, which reads these lines."""

    def reads(button: str) -> bool:
        return bisect_right(contacts[SEATS[button]], kit.now_ns) % 2 == 1

    debounce = Debounce(reads)
    kit = Kit(debounce, len(contacts), band_ns, early_ns)
    for name, _ in zip(NAMES, contacts, strict=False):
        debounce.listen(name, down=False)
    return kit


def deliver(kit: Kit, edges: Iterable[tuple[int, Edge]]) -> tuple[Race, Race]:
    """The race when its first was named and when its last was; edges come in order of delivery."""
    for now_ns, edge in sorted(edges, key=itemgetter(0)):  # stable: a line's queue keeps its order
        if len(kit.verdicts) == 2:
            break
        kit.edge(edge, now_ns)
    kit.wait(NEVER_NS)
    first, last = kit.verdicts  # every button was pressed
    return first, last


def raced(taps: Sequence[Tap], band_ns: int = BAND_NS) -> tuple[Race, Race]:
    """The verdicts of the kit on a kernel whose threads run at once."""
    edges = [
        (arrival, Edge(name, n % 2 == 0, stamp, "kernel"))
        for name, one in zip(NAMES, taps, strict=False)
        for n, (stamp, arrival) in enumerate(zip(one.stamps, one.arrivals(), strict=True))
    ]
    return deliver(reading([one.contacts for one in taps], band_ns), edges)


def callback(one: Tap) -> int:
    """The clock as the callback reads it."""
    return one.stamps[0] + one.waits[0]


def debounced(one: Tap) -> int:
    """The kernel's stamp of the change after which the line stood still and closed, plus the wait for that."""
    for n, (stamp, after) in enumerate(pairwise([*one.stamps, NEVER_NS])):
        if n % 2 == 0 and after - stamp >= STABLE_NS:
            return stamp + STABLE_NS
    raise AssertionError("the last change closes the contact for good")


def polled(one: Tap, period_ns: int, phase_ns: int) -> int:
    """The first look that finds the contact closed. The looks themselves are exactly on time."""
    look = ceil((one.contacts[0] - phase_ns) / period_ns) * period_ns + phase_ns
    while bisect_right(one.contacts, look) % 2 == 0:
        look += period_ns
    return look


def seat_of(times: Sequence[int], end: End) -> Seat:
    """Who a device with one time a button names. It looks through its lines from the lowest up: equal times go so."""
    ordered = sorted(range(len(times)), key=times.__getitem__)  # stable
    return ordered[0] if end == "first" else ordered[-1]


def truth(taps: Sequence[Tap], end: End) -> tuple[Seat, int]:
    """Who really was first or last, and by how many ns."""
    times = [one.contacts[0] for one in taps]
    ordered = sorted(times, reverse=end == "last")
    return times.index(ordered[0]), abs(ordered[1] - ordered[0])


def certificate(dice: Random) -> int:
    """The largest lateness of 2,000 calibration pulses on a kit with the heavier tail."""
    return max(lateness(dice) + tail(dice) for _ in range(PULSES))


def band_of(largest_ns: int, margin: float) -> int:
    """The band that a certificate asks for."""
    return ceil(largest_ns * margin / GRAIN_NS) * GRAIN_NS


def band_row(band_ns: int) -> str:
    """What the second table calls a band."""
    return f"{band_ns / MS:g} ms"


def margin_row(margin: float) -> str:
    """What the second table calls a certificate's band."""
    return f"certificate × {margin:g}"


def block(seed: int, players: int, number: int, rounds: int) -> tuple[Tally, int]:
    """One block of rounds, always the same for the same numbers; and the largest lateness its certificate saw."""
    dice = Random(f"{seed}:{players}:{number}")
    largest_ns = certificate(Random(f"{seed}:{players}:{number}:certificate"))
    bands = [(band_row(band_ns), band_ns) for band_ns in BANDS_NS]
    bands += [(margin_row(margin), band_of(largest_ns, margin)) for margin in MARGINS]
    widest_first = sorted(bands, key=itemgetter(1), reverse=True)
    tally: Tally = Counter()
    for _ in range(rounds):
        taps = [tap(dice) for _ in range(players)]
        phases = dice.random(), dice.random()
        kit = raced(taps)
        late = raced([one.with_tail() for one in taps]) if any(one.late_ns for one in taps) else kit
        count(tally, taps, kit, late, phases, widest_first)
    return tally, largest_ns


def count(
    tally: Tally,
    taps: Sequence[Tap],
    kit: tuple[Race, Race],
    late: tuple[Race, Race],
    phases: tuple[float, float],
    widest_first: Sequence[tuple[str, int]],
) -> None:
    """Add one round to the tally."""
    ways: dict[str, Callable[[Tap], int]] = {
        "callback": callback,
        "debounced": debounced,
        "poll_1ms": lambda one: polled(one, MS, int(phases[0] * MS)),
        "poll_10ms": lambda one: polled(one, 10 * MS, int(phases[1] * 10 * MS)),
    }
    told = {name: [way(one) for one in taps] for name, way in ways.items()}
    ends: tuple[tuple[End, Race, Race, Callable[[Race, int], tuple[Seat, ...]]], ...] = (
        ("first", kit[0], late[0], race.first),
        ("last", kit[1], late[1], race.last),
    )
    for end, run, late_run, verdict in ends:
        seat, gap_ns = truth(taps, end)
        outside = gap_ns >= BAND_NS
        if not outside:
            tally["all", f"left_out_{end}"] += 1
        named = verdict(run, 0)
        if len(named) > 1:
            tally["ours", f"dead_{end}"] += 1
        if outside and seat not in named:
            tally["ours", f"wrong_{end}"] += 1
        for name, times in told.items():
            if outside and seat_of(times, end) != seat:
                tally[name, f"wrong_{end}"] += 1
            nearest = sorted(times, reverse=end == "last")
            if nearest[0] == nearest[1]:
                tally[name, f"dead_{end}"] += 1
        # a narrower band names some of those a wider one names, so one name stays
        named = ()
        for name, band_ns in widest_first:
            if len(named) != 1:
                named = verdict(late_run, band_ns)
            if len(named) > 1:
                tally[name, f"dead_{end}"] += 1
            if seat not in named:
                tally[name, f"wrong_{end}" if gap_ns >= band_ns else f"inside_{end}"] += 1


def density(ms: float) -> float:
    """How likely a reaction takes this long, per ms."""
    rise = exp(SPREAD_MS**2 / (2 * SLOW_MS**2) - (ms - REACTION_MS) / SLOW_MS) / SLOW_MS
    return rise * normal((ms - REACTION_MS) / SPREAD_MS - SPREAD_MS / SLOW_MS)


def below(ms: float) -> float:
    """How likely a reaction takes no longer than this."""
    return normal((ms - REACTION_MS) / SPREAD_MS) - SLOW_MS * density(ms)


def normal(z: float) -> float:
    """The standard normal distribution, Φ."""
    return erfc(-z / sqrt(2)) / 2


@cache
def dead_heats(players: int, band_ns: int, end: End) -> float:
    """The chance that the first two, or the last two, of a race are less than the band apart."""
    band_ms, step_ms, longest_ms = band_ns / MS, 0.5, 1600
    total = 0.0
    for n in range(round(longest_ms / step_ms)):
        ms = n * step_ms
        # one presses now; of the others nobody is sooner (later), and somebody is inside the band
        if end == "first":
            others = (1 - below(ms)) ** (players - 1) - (1 - below(ms + band_ms)) ** (players - 1)
        else:
            others = below(ms) ** (players - 1) - below(ms - band_ms) ** (players - 1)
        total += density(ms) * others * step_ms
    return players * total


def wrong_with_tail(players: int, band_ns: int, end: End) -> float:
    """The chance that the heavier tail makes a wrong first (or last) outside the band; docs/fairness.md derives it."""
    meeting = dead_heats(players, BAND_NS, end) / BAND_NS  # the first two, or the last two, together, per ns
    return meeting * LATE_PART * LATE_NS * exp(-2 * band_ns / LATE_NS)
