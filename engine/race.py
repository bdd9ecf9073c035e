"""The referee: stamped presses in, verdict out. Pure, and the same for any order of arrival.

Order is by stamp, never by arrival. Presses closer than the kit's timing error are a dead heat, and a dead heat goes
to the table: nobody is favoured, least of all a low seat number. So does what a seat without a working button did.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Literal, NamedTuple

from engine.rules import BENCH, Offer, Press, Seat, against_clock, replacer

SETTLE_NS = 50_000_000  # a verdict waits so long for an earlier press that was delivered late
JUMP_NS = 100_000_000  # nobody reacts sooner: a press up to then was not a reaction to the go-signal
DEAD_NS = 250_000_000  # so long a button stays dead after a jumped start
MS = 1_000_000


class Race(NamedTuple):
    """Who runs, since when, and who has pressed: folded press by press, in any order of arrival."""

    seats: tuple[Seat, ...]
    go_ns: int | None  # the go-signal, where the game has one
    presses: tuple[Press, ...] = ()
    jumps: tuple[Press, ...] = ()  # presses too early to count
    benched: tuple[Seat, ...] = ()  # their button failed before they had pressed: when they did, nobody can say


with_presses = replacer(Race, "presses")
with_jumps = replacer(Race, "jumps")


@dataclass(frozen=True, slots=True)
class TakenBack:
    """A press did not count; its seat runs again."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class Benched:
    """The button of a seat that has not pressed does not work."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class LastNamed:
    """Who was last."""

    seats: tuple[Seat, ...]  # one as a rule; nobody or several only by the table's ruling


def close(a: Press, b: Press, widen_ns: int = 0) -> bool:
    """Whether two presses are too close to call: strictly inside the coarser one's error, or the widened band."""
    return abs(a.at_ns - b.at_ns) < max(a.error_ns, b.error_ns, widen_ns)


def widened(tie_band: int | str) -> int:
    """The option `tie_band` as ns: `kit` leaves the presses' own errors, a number of ms widens them."""
    return 0 if isinstance(tie_band, str) else tie_band * MS


def order(race: Race) -> tuple[Press, ...]:
    """The presses by stamp."""
    return tuple(sorted(race.presses, key=lambda press: (press.at_ns, press.seat)))


def missing(race: Race) -> tuple[Seat, ...]:
    """Who can press and has not yet."""
    if not race.presses and not race.benched:
        return race.seats
    there = [*race.benched, *[press.seat for press in race.presses]]
    return tuple([seat for seat in race.seats if seat not in there])


def first(race: Race, widen_ns: int = 0) -> tuple[Seat, ...]:
    """Every seat close to the earliest press, and every benched one; several go to the table."""
    if not race.presses:
        return race.benched
    return _with_benched(race, level(race, min(press.at_ns for press in race.presses), widen_ns))


def last(race: Race, widen_ns: int = 0) -> tuple[Seat, ...]:
    """The missing seats, else every seat close to the latest press; and every benched one. Several go to the table."""
    out = missing(race)
    if out or not race.presses:
        return _with_benched(race, out)
    return _with_benched(race, level(race, max(press.at_ns for press in race.presses), widen_ns))


def _with_benched(race: Race, seats: tuple[Seat, ...]) -> tuple[Seat, ...]:
    return tuple(sorted({*seats, *race.benched})) if race.benched else seats


def level(race: Race, at_ns: int, widen_ns: int) -> tuple[Seat, ...]:
    """Every seat close to the press of this stamp; presses of one stamp are level, whatever their error."""
    errors = [press.error_ns for press in race.presses if press.at_ns == at_ns]
    coarsest = Press(-1, at_ns, max(errors))
    return tuple(sorted([p.seat for p in race.presses if p.at_ns == at_ns or close(p, coarsest, widen_ns)]))


def without(race: Race, seat: Seat) -> Race:
    """The race as if this seat did not run."""
    return Race(
        tuple([s for s in race.seats if s != seat]),
        race.go_ns,
        tuple([press for press in race.presses if press.seat != seat]),
        race.jumps,
        tuple([s for s in race.benched if s != seat]),
    )


@lru_cache(maxsize=64)  # asked twice in a row: to decide, and to fold what was decided
def last_of_others(race: Race, seat: Seat, widen_ns: int) -> tuple[Seat, ...]:
    """The last of the race as if this seat did not run."""
    return last(without(race, seat), widen_ns)


def again(race: Race) -> Race:
    """The race as if nobody had pressed yet. A button that failed has failed."""
    return Race(race.seats, race.go_ns, benched=race.benched)


def judge(race: Race, press: Press) -> Literal["good", "jumped", "dead"]:
    """What a press in a race with a go-signal is worth.

    `jumped`: before the signal, or so soon after it that it was no reaction. `dead`: within 250 ms of the same seat's
    jumped start. A race without a signal takes every press.
    """
    for early in race.jumps:
        if early.seat == press.seat and early.at_ns <= press.at_ns < early.at_ns + DEAD_NS:
            return "dead"
    if race.go_ns is not None and press.at_ns < race.go_ns + JUMP_NS:
        return "jumped"
    return "good"


def add(race: Race, press: Press) -> Race:
    """The race with one more press that counts."""
    return with_presses(race, (*race.presses, press))


def jump(race: Race, press: Press) -> Race:
    """The race with one more jumped start."""
    return with_jumps(race, (*race.jumps, press))


def take_back(race: Race, seat: Seat) -> Race:
    """The race with a seat's press taken back: it runs again."""
    return with_presses(race, tuple([press for press in race.presses if press.seat != seat]))


def bench(race: Race, seat: Seat) -> Race:
    """The race with a seat that cannot press: the others run on, and the table rules for this one."""
    return race._replace(benched=tuple(sorted({*race.benched, seat})))


def first_due_ns(race: Race, widen_ns: int = 0) -> int | None:
    """When the first can be named: the settling time after the earliest press and what may still tie with it.

    The kit's own error, far below the settling time, lies within it; a widened band comes on top.
    """
    return min(press.at_ns for press in race.presses) + SETTLE_NS + widen_ns if race.presses else None


def last_due_ns(race: Race, widen_ns: int = 0) -> int | None:
    """When the last can be named: as `first_due_ns`, after the press that left only one seat out.

    Benched seats are not waited for. Where they leave one runner alone, that one's press decides.
    """
    if len(race.seats) == 1:
        return None
    deciding = max(1, len(race.seats) - len(race.benched) - 1)
    if deciding > len(race.presses):
        return None
    return sorted([press.at_ns for press in race.presses])[deciding - 1] + SETTLE_NS + widen_ns


def offers(race: Race, press: str, settle: str, due_ns: int | None, *, joins: bool = True) -> tuple[Offer, ...]:
    """What a race asks: a press of each seat that is still out and, once the outcome can be known, the settling.

    For a seat that is still out the kit may also say that its button failed.
    """
    out = _presses(missing(race), press, joins)
    return against_clock(out, settle, due_ns, joins=True)


@cache
def _presses(seats: tuple[Seat, ...], press: str, joins: bool) -> tuple[Offer, ...]:
    if not seats:
        return ()
    asked = [Offer(seat, press, race=True, joins=joins) for seat in seats]
    return (*asked, Offer(None, BENCH, options=seats, joins=True, menu=True))


def taking_back(race: Race, take_back: str) -> tuple[Offer, ...]:
    """Who has pressed may take that back, by holding the button."""
    return _taking_back(tuple([press.seat for press in race.presses]), take_back)


@cache
def _taking_back(seats: tuple[Seat, ...], take_back: str) -> tuple[Offer, ...]:
    return tuple([Offer(seat, take_back, joins=True, hold=True) for seat in seats])


def rulings(tied: Iterable[Seat], *others: str) -> tuple[Seat | str, ...]:
    """The options of the table after a dead heat: each of the seats, then what else may be."""
    return (*tied, *others)
