"""Under every game's race: no order of arrival, no clock and no line number changes a verdict."""

from collections.abc import Iterable
from functools import cache, reduce
from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import games, play, racing
from engine.play import Play
from engine.rules import GO, Action, Offer, Refused, Seat

MS = 1_000_000
PLAYERS = 4
SLOWEST_MS = 30  # a press is delivered so much later at most
REACTION_MS = 150  # after the go-signal, so that nobody has jumped


class Slap(NamedTuple):
    """A press as it happens: in ns after the race began, and how much later it is delivered."""

    seat: Seat
    after_ns: int
    error_ns: int
    delay_ns: int


class Verdict(NamedTuple):
    """The outcome of a race, by seat; stamps count from its beginning."""

    phase: str
    first: frozenset[Seat]
    last: frozenset[Seat]
    tie: frozenset[Seat]
    options: frozenset[Seat | str]
    scores: tuple[int, ...]
    penalties: tuple[object, ...]


@cache
def at_the_race(name: str) -> Play:
    """The game where its first race runs: the shortest way through what is offered."""
    rules = games.rules(name)
    going = play.opened(rules, play.start(rules, tuple("ABCDEF"[:PLAYERS]), rules.options(), 1))
    now_ns = 10**12
    for _ in range(1000):
        asked = [offer for offer in going.offers if offer.race and offer.seat is not None]
        if asked and not any(offer.verb == GO for offer in going.offers):
            return going
        now_ns = max(now_ns + MS, going.due_ns or 0)
        going = take(going, Action(*straight(going.offers), now_ns))
    raise AssertionError(f"{name}: no race within 1000 answers")


def straight(offers: Iterable[Offer]) -> tuple[Seat | None, str, int | str | None]:
    """An answer that leads on: the clock's where there is one, else the lowest."""
    usual = [offer for offer in offers if not offer.menu and not offer.hold and offer.verb != "release"]
    offer = next((offer for offer in usual if offer.due_ns is not None), usual[0])
    low = offer.low if offer.prefill is None else offer.prefill
    return offer.seat, offer.verb, low if offer.low is not None else offer.options[0] if offer.options else None


def take(going: Play, action: Action) -> Play:
    return reduce(play.fold, play.answer(going, action), going)


def run(name: str, slaps: Iterable[Slap], *, shift_ns: int = 0) -> Verdict:
    """Run the race: presses come in by their time of delivery, and the clock answers what falls due between them."""
    going = at_the_race(name)
    board = going.board
    assert board.race is not None and board.race.since_ns is not None
    verb = next(offer.verb for offer in going.offers if offer.race and offer.seat is not None)
    zero_ns = board.race.since_ns + REACTION_MS * MS + shift_ns
    for slap in sorted(slaps, key=lambda s: (s.after_ns + s.delay_ns, s.delay_ns)):
        going = until(going, zero_ns + slap.after_ns + slap.delay_ns)
        try:
            going = take(going, Action(slap.seat, verb, None, zero_ns + slap.after_ns, slap.error_ns))
        except Refused:  # the verdict stands already
            assert not any(offer.verb == verb and offer.seat == slap.seat for offer in going.offers)
    return verdict(until(going, zero_ns + 10**12))


def until(going: Play, now_ns: int) -> Play:
    """The clock answers what is due by then."""
    while (due := play.due_by(going, now_ns)) is not None:
        going = take(going, due)
    return going


def verdict(going: Play) -> Verdict:
    board = going.board
    marks = {mark: frozenset(seats) for mark, seats in board.highlight.items()}
    ruled = next((offer.options for offer in going.offers if offer.options), ())
    none: frozenset[Seat] = frozenset()
    named = (marks.get("first", none), marks.get("last", none), marks.get("tie", none))
    return Verdict(board.phase, *named, frozenset(ruled), board.scores, tuple(map(str, board.tokens)))


@st.composite
def slapping(draw: st.DrawFn) -> tuple[Slap, ...]:
    """Everybody presses, so close together that every kind of tie comes up; some stamps are coarse."""
    after = st.sampled_from((0, 1, 40_000, 99_999, 100_000, 160_000, 2 * MS, 11 * MS, 25 * MS, 60 * MS, 400 * MS))
    error = st.sampled_from((100_000, 100_000, 10 * MS))
    delay = st.integers(0, SLOWEST_MS * MS)
    return tuple(Slap(seat, draw(after), draw(error), draw(delay)) for seat in range(PLAYERS))


RACING = [name for name in games.names() if racing.Benched in games.rules(name).events]
every_game = pytest.mark.parametrize("name", RACING)


@every_game
@given(slaps=slapping(), delays=st.lists(st.integers(0, SLOWEST_MS * MS), min_size=PLAYERS, max_size=PLAYERS))
def test_any_order_of_arrival_gives_the_same_verdict(name: str, slaps: tuple[Slap, ...], delays: list[int]) -> None:
    otherwise = [slap._replace(delay_ns=delay) for slap, delay in zip(slaps, delays, strict=True)]
    assert run(name, slaps) == run(name, otherwise)


@every_game
@given(slaps=slapping(), shift_ns=st.integers(0, 10**15))
def test_shifting_all_stamps_changes_nothing(name: str, slaps: tuple[Slap, ...], shift_ns: int) -> None:
    assert run(name, slaps) == run(name, slaps, shift_ns=shift_ns)


@every_game
@given(slaps=slapping(), seats=st.permutations(range(PLAYERS)))
def test_swapping_line_numbers_swaps_only_their_names(name: str, slaps: tuple[Slap, ...], seats: list[Seat]) -> None:
    found = run(name, slaps)
    swapped = run(name, [slap._replace(seat=seats[slap.seat]) for slap in slaps])
    assert (swapped.first, swapped.last, swapped.tie, swapped.options) == tuple(
        frozenset(seats[one] if isinstance(one, int) else one for one in some)
        for some in (found.first, found.last, found.tie, found.options)
    )
    assert [swapped.penalties[seats[seat]] for seat in range(PLAYERS)] == list(found.penalties)


@every_game
def test_the_race_names_somebody_and_ties_when_it_must(name: str) -> None:
    apart = run(name, [Slap(seat, seat * 60 * MS, 100_000, 0) for seat in range(PLAYERS)])
    level = run(name, [Slap(seat, 0, 100_000, 0) for seat in range(PLAYERS)])
    assert (apart.last, apart.tie) == (frozenset({PLAYERS - 1}), frozenset())
    assert level.tie or len(level.options) > 1
