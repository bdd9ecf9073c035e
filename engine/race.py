"""The referee: stamped presses in, verdict out. Pure, and the same for any order of arrival.

Order is by stamp, never by arrival. Presses closer than the kit's timing error are a dead heat, and a dead heat goes
to the table: nobody is favoured, least of all a low seat number.
"""

from collections.abc import Iterable
from typing import Literal, NamedTuple

from engine.rules import Offer, Seat

SETTLE_NS = 50_000_000  # a verdict waits so long for an earlier press that was delivered late
JUMP_NS = 100_000_000  # nobody reacts sooner: a press up to then was not a reaction to the go-signal
DEAD_NS = 250_000_000  # so long a button stays dead after a jumped start
MS = 1_000_000


class Press(NamedTuple):
    """A debounced press. `at_ns` is CLOCK_MONOTONIC; `error_ns` is this kit's timing error for this press."""

    seat: Seat
    at_ns: int
    error_ns: int


class Race(NamedTuple):
    """Who runs, since when, and who has pressed: folded press by press, in any order of arrival."""

    seats: tuple[Seat, ...]
    go_ns: int | None  # the go-signal, where the game has one
    presses: tuple[Press, ...] = ()
    jumps: tuple[Press, ...] = ()  # presses too early to count


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
    """Who has not pressed yet."""
    if not race.presses:
        return race.seats
    pressed = [press.seat for press in race.presses]
    return tuple([seat for seat in race.seats if seat not in pressed])


def first(race: Race, widen_ns: int = 0) -> tuple[Seat, ...]:
    """Every seat close to the earliest press; several are a dead heat. Nobody pressed: nobody."""
    if not race.presses:
        return ()
    return level(race, min(press.at_ns for press in race.presses), widen_ns)


def last(race: Race, widen_ns: int = 0) -> tuple[Seat, ...]:
    """The missing seats; where none is missing, every seat close to the latest press. Several go to the table."""
    out = missing(race)
    if out or not race.presses:
        return out
    return level(race, max(press.at_ns for press in race.presses), widen_ns)


def level(race: Race, at_ns: int, widen_ns: int) -> tuple[Seat, ...]:
    """Every seat close to the press of this stamp; presses of one stamp are level, whatever their error."""
    there = [press for press in race.presses if press.at_ns == at_ns]
    return tuple(
        sorted(p.seat for p in race.presses if p.at_ns == at_ns or any(close(p, press, widen_ns) for press in there))
    )


def without(race: Race, seat: Seat) -> Race:
    """The race as if this seat did not run."""
    return Race(
        tuple(s for s in race.seats if s != seat),
        race.go_ns,
        tuple(p for p in race.presses if p.seat != seat),
        race.jumps,
    )


def judge(race: Race, press: Press) -> Literal["good", "jumped", "dead"]:
    """What a press in a race with a go-signal is worth.

    `jumped`: before the signal, or so soon after it that it was no reaction. `dead`: within 250 ms of the same seat's
    jumped start. A race without a signal takes every press.
    """
    if any(j.seat == press.seat and j.at_ns <= press.at_ns < j.at_ns + DEAD_NS for j in race.jumps):
        return "dead"
    if race.go_ns is not None and press.at_ns < race.go_ns + JUMP_NS:
        return "jumped"
    return "good"


def add(race: Race, press: Press) -> Race:
    """The race with one more press that counts."""
    return race._replace(presses=(*race.presses, press))


def jump(race: Race, press: Press) -> Race:
    """The race with one more jumped start."""
    return race._replace(jumps=(*race.jumps, press))


def take_back(race: Race, seat: Seat) -> Race:
    """The race with a seat's press taken back: it runs again."""
    return race._replace(presses=tuple(press for press in race.presses if press.seat != seat))


def first_due_ns(race: Race) -> int | None:
    """When the first can be named: the settling time after the earliest press."""
    return min(press.at_ns for press in race.presses) + SETTLE_NS if race.presses else None


def last_due_ns(race: Race) -> int | None:
    """When the last can be named: the settling time after the press that left only one seat out."""
    deciding = len(race.seats) - 1
    if not 0 < deciding <= len(race.presses):
        return None
    return order(race)[deciding - 1].at_ns + SETTLE_NS


def offers(race: Race, press: str, settle: str, due_ns: int | None, *, joins: bool = True) -> tuple[Offer, ...]:
    """What a race asks: a press of each seat that is still out and, once the outcome can be known, the settling."""
    out = tuple([Offer(seat, press, None, None, (), None, True, None, joins) for seat in missing(race)])
    return out if due_ns is None else (*out, Offer(None, settle, due_ns=due_ns, race=True, joins=True))


def rulings(tied: Iterable[Seat], *others: str) -> tuple[Seat | str, ...]:
    """The options of the table after a dead heat: each of the seats, then what else may be."""
    return (*tied, *others)
