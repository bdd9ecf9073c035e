"""Hands on buttons before a start: one shared pure value, folded by every game that begins a race so.

All hold their button; then a countdown or a wait runs. Who lets go before the signal jumped: all wait for that hand.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache

from engine.rules import HANDS, RELEASE, Offer, Seat, each_seat, put


@dataclass(frozen=True, slots=True)
class Hands:
    """Everybody puts a hand on their button."""

    down: tuple[bool | None, ...]  # by seat; None until it is down
    jumped: Seat | None = None  # who let go before the signal


@dataclass(frozen=True, slots=True)
class HandDown:
    seat: Seat


@dataclass(frozen=True, slots=True)
class HandUp:
    seat: Seat
    jumped: bool  # after all hands were down


def nobody(players: int) -> Hands:
    """No hand is down yet."""
    return Hands((None,) * players)


def offers(hands: Hands, seats: Iterable[Seat]) -> tuple[Offer, ...]:
    """Who has no hand on the button may put one there; who has may let go."""
    return _offers(hands.down, tuple(seats))


@cache
def _offers(down: tuple[bool | None, ...], seats: tuple[Seat, ...]) -> tuple[Offer, ...]:
    return (*each_seat(down, HANDS, seats=seats), *letting_go([seat for seat in seats if down[seat]]))


def letting_go(seats: Iterable[Seat]) -> tuple[Offer, ...]:
    """Who holds a button may let it go: part of the step that holding it began."""
    return _letting_go(tuple(seats))


@cache
def _letting_go(seats: tuple[Seat, ...]) -> tuple[Offer, ...]:
    return tuple([Offer(seat, RELEASE, joins=True) for seat in seats])


def completes(hands: Hands, seats: Iterable[Seat], seat: Seat) -> bool:
    """Whether this seat's hand is the last that was missing."""
    return None not in [hands.down[other] for other in seats if other != seat]


def put_down(hands: Hands, seat: Seat) -> Hands:
    """One hand more."""
    return Hands(put(hands.down, seat, True), hands.jumped)


def lifted(ask: object, seat: Seat, seats: Iterable[Seat], players: int) -> Hands:
    """One hand less, while hands are put down or after all were down."""
    return let_go(ask, seat) if isinstance(ask, Hands) else jumped(seat, seats, players)


def let_go(hands: Hands, seat: Seat) -> Hands:
    """One hand less, before all were down."""
    return Hands(put(hands.down, seat, None), hands.jumped)


def jumped(seat: Seat, seats: Iterable[Seat], players: int) -> Hands:
    """All hands were down, and this one was lifted too early."""
    held = {other for other in seats if other != seat}
    return Hands(tuple([True if other in held else None for other in range(players)]), seat)
