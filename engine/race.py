"""The referee: stamped presses in, verdict out. Pure, and the same for any order of arrival.

Order is by stamp, never by arrival. Presses closer than the kit's timing error are a dead heat, and the table rules on
a dead heat: no seat number is favoured. It also rules for a seat without a working button.
"""

from collections.abc import Sequence
from functools import cache
from typing import Literal

from msgspec.structs import replace

from engine.game import Record
from engine.rules import BENCH, TAKE_BACK, Offer, Press, RaceBoard, Seat, against_clock
from engine.stamps import MS, Stamp

SETTLE_NS = 50_000_000  # how long a verdict waits for an earlier press that was delivered late
JUMP_NS = 100_000_000  # nobody reacts sooner: a press up to then was not a reaction to the go-signal
DEAD_NS = 250_000_000  # how long a button stays dead after a jumped start


class Race(Record):
    """The seats of a race, its start and its presses: folded press by press, in any order of arrival."""

    seats: tuple[Seat, ...]
    go_ns: Stamp | None  # the go-signal, where the game has one
    presses: tuple[Press, ...] = ()
    jumps: tuple[Press, ...] = ()  # presses too early to count
    benched: tuple[Seat, ...] = ()  # their button failed before they had pressed: their time is unknown
    signal: str = ""  # what gave the go-signal; empty: not known


def close(a: Press, b: Press, widen_ns: int = 0) -> bool:
    """Whether two presses are too close to call: strictly inside the coarser one's error, or the widened band.

    The later one may have been sooner by its `early_ns`. `level_first` and `level_last` ask the same of a whole race.
    """
    later = a if a.at_ns > b.at_ns else b
    return abs(a.at_ns - b.at_ns) - later.early_ns < max(a.error_ns, b.error_ns, widen_ns)


def doubt_ns(press: Press) -> int:
    """By how much the time of a press may be wrong at most."""
    return press.error_ns + press.early_ns


def widened(tie_band: int | str) -> int:
    """The option `tie_band` as ns: `kit` leaves the presses' own errors, a number of ms widens them."""
    return 0 if isinstance(tie_band, str) else tie_band * MS


def order(race: Race) -> tuple[Press, ...]:
    """The presses by stamp."""
    return tuple(sorted(race.presses, key=lambda press: (press.at_ns, press.seat)))


def missing(race: Race | RaceBoard) -> tuple[Seat, ...]:
    """The seats that can press and have not yet."""
    return others(race.seats, pressed(race) + race.benched)


@cache
def others(seats: tuple[Seat, ...], but: tuple[Seat, ...]) -> tuple[Seat, ...]:
    """These seats without those of `but`."""
    return tuple([seat for seat in seats if seat not in but])


def pressed(race: Race | RaceBoard) -> tuple[Seat, ...]:
    """The seats that have pressed, in the order of the presses."""
    return tuple([press.seat for press in race.presses])


def first(race: Race, widen_ns: int = 0) -> tuple[Seat, ...]:
    """Every seat close to the earliest press, and every benched one; among several the table rules."""
    if not race.presses:
        return race.benched
    return _with_benched(level_first(race.presses, widen_ns), race.benched)


def last(race: Race, widen_ns: int = 0, but: tuple[Seat, ...] = ()) -> tuple[Seat, ...]:
    """The seats that have not pressed, or else every seat close to the latest press; plus every benched seat.

    Among several the table rules. The seats of `but` count as not running.
    """
    out = others(race.seats, pressed(race) + race.benched + but)
    presses = [press for press in race.presses if press.seat not in but]
    if presses and not out:
        out = level_last(presses, widen_ns)
    return _with_benched(out, others(race.benched, but))


def _with_benched(seats: tuple[Seat, ...], benched: tuple[Seat, ...]) -> tuple[Seat, ...]:
    return tuple(sorted({*seats, *benched})) if benched else seats


def level_first(presses: Sequence[Press], widen_ns: int) -> tuple[Seat, ...]:
    """Every seat close to the earliest press; presses of one stamp are level, whatever their error."""
    at_ns = min([press.at_ns for press in presses])
    band_ns = max([widen_ns, *[press.error_ns for press in presses if press.at_ns == at_ns]])
    near = [p.seat for p in presses if p.at_ns == at_ns or p.at_ns - p.early_ns - at_ns < max(p.error_ns, band_ns)]
    return tuple(sorted(near))


def level_last(presses: Sequence[Press], widen_ns: int) -> tuple[Seat, ...]:
    """Every seat close to the latest press: the latest by the earliest time at which each may have been made."""
    at_ns = max([press.at_ns - press.early_ns for press in presses])
    band_ns = max([widen_ns, *[press.error_ns for press in presses if press.at_ns - press.early_ns == at_ns]])
    near = [p.seat for p in presses if p.at_ns >= at_ns or at_ns - p.at_ns < max(p.error_ns, band_ns)]
    return tuple(sorted(near))


def overtaken(race: Race, named: Seat, widen_ns: int = 0) -> tuple[Press, ...]:
    """Presses that would have made another the first, or a dead heat, if delivered before this seat was named."""
    front = first(race, widen_ns)
    press = next((press for press in race.presses if press.seat == named), None)
    if front == (named,) or press is None:
        return ()
    return tuple([one for one in order(race) if one != press and (one.seat in front or one.at_ns < press.at_ns)])


def again(race: Race) -> Race:
    """The race before any press. Benched seats stay benched."""
    return Race(race.seats, race.go_ns, benched=race.benched, signal=race.signal)


def judge(race: Race, press: Press) -> Literal["good", "jumped", "dead"]:
    """Whether a press in a race with a go-signal counts.

    `jumped`: before the signal, or less than 100 ms after it, which is no reaction. `dead`: within 250 ms of the same
    seat's jumped start. In a race without a signal every press is `good`.
    """
    for early in race.jumps:
        if early.seat == press.seat and early.at_ns <= press.at_ns < early.at_ns + DEAD_NS:
            return "dead"
    if race.go_ns is not None and press.at_ns < race.go_ns + JUMP_NS:
        return "jumped"
    return "good"


def add(race: Race, press: Press) -> Race:
    """The race with one more press that counts."""
    return replace(race, presses=(*race.presses, press))


def jump(race: Race, press: Press) -> Race:
    """The race with one more jumped start."""
    return replace(race, jumps=(*race.jumps, press))


def take_back(race: Race, seat: Seat) -> Race:
    """The race with a seat's press taken back: it runs again."""
    return replace(race, presses=tuple([press for press in race.presses if press.seat != seat]))


def bench(race: Race, seat: Seat) -> Race:
    """The race with a seat that cannot press: the others run on, and the table rules for this one."""
    return replace(race, benched=tuple(sorted({*race.benched, seat})))


def first_due_ns(race: Race, widen_ns: int = 0) -> int | None:
    """When the first can be named: the settling time after the earliest press and any that may still tie with it."""
    return settled_ns(race, 1, widen_ns) if race.presses else None


def last_due_ns(race: Race, widen_ns: int = 0) -> int | None:
    """When the last can be named: as `first_due_ns`, after the press that left only one seat out.

    Benched seats are not waited for. Where they leave one runner alone, that one's press decides.
    """
    if len(race.seats) == 1:
        return None
    deciding = max(1, len(race.seats) - len(race.benched) - 1)
    return settled_ns(race, deciding, widen_ns) if deciding <= len(race.presses) else None


def settled_ns(race: Race, deciding: int, widen_ns: int) -> int:
    """When no later press can tie any more with the press at place `deciding`, from 1, or with one before it.

    The settling time begins after the widened band, and after the error of each of these presses. An error that is
    shorter than the settling time needs no time of its own.
    """
    presses = sorted(race.presses, key=lambda press: (press.at_ns, -press.error_ns))[:deciding]
    due_ns = presses[-1].at_ns + SETTLE_NS + widen_ns
    for press in presses:
        if press.error_ns > SETTLE_NS:
            due_ns = max(due_ns, press.at_ns + press.error_ns + SETTLE_NS)
    return due_ns


def offers(
    race: Race, press: str, settle: str, due_ns: int | None, *, joins: bool = True, fresh: bool = False
) -> tuple[Offer, ...]:
    """The offers of a race: a press for each seat that has not pressed and, once `due_ns` is known, the verdict.

    The kit may bench a seat that has not pressed. A seat that has pressed takes the press back by holding its button.
    `fresh`: the race has not begun.
    """
    out = _offers(race.seats, pressed(race), race.benched, press, joins, fresh)
    return against_clock(out, settle, due_ns, joins=True)


@cache
def _offers(
    runners: tuple[Seat, ...], there: tuple[Seat, ...], benched: tuple[Seat, ...], press: str, joins: bool, fresh: bool
) -> tuple[Offer, ...]:
    seats = others(runners, there + benched)
    out = tuple([Offer(seat, press, race=True, joins=joins, fresh=fresh) for seat in seats])
    if seats:
        out = (*out, Offer(None, BENCH, options=seats, joins=True, menu=True))
    return (*out, *taking_back(there))


@cache
def taking_back(seats: tuple[Seat, ...], *, joins: bool = True) -> tuple[Offer, ...]:
    """These seats may take their presses back; once the race is judged, that opens it again: a step of its own."""
    return tuple([Offer(seat, TAKE_BACK, joins=joins, hold=True) for seat in seats])
