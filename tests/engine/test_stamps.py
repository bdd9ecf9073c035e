"""Stamps in a state: by their types all of them move onto another clock together, and nothing else does."""

from collections.abc import Iterator
from functools import reduce
from random import Random
from typing import Any, NamedTuple

import pytest
from msgspec import Struct

from engine import games
from engine import play as plays
from engine.play import Play
from engine.race import Race
from engine.rules import Press
from engine.stamps import DUE, LIMITS, Due, Since, Stamp, fields_of, moved
from firmware.random_play.strangers import Stranger, answered
from tests.simulators.every_game import TEN, rules_of
from tests.simulators.players import random_options

LATE_NS = 10**15  # the clock of these games: no number of points, no duration, no seed is so large
GAMES, ANSWERS = 10, 150


class Found(NamedTuple):
    """A number in a state that is no number of a game."""

    kind: type[Any]
    field: str
    ns: int


def times(part: Any, kind: type[Any] = object, field: str = "") -> Iterator[Found]:
    """Every int of a state that is a time on the clock, whatever its field is called."""
    if isinstance(part, int) and abs(part) >= LATE_NS:
        yield Found(kind, field, part)
    elif isinstance(part, Struct):
        for name in part.__struct_fields__:
            if name == "before":  # what was counted before was looked at in an earlier state
                continue
            yield from times(getattr(part, name), type(part), name)
    elif isinstance(part, tuple):
        names = getattr(part, "_fields", ())
        for at, one in enumerate(part):
            yield from times(one, type(part), names[at]) if names else times(one, kind, field)


def played(name: str, seed: int) -> Iterator[Play]:
    """A game at random, with any options; every play of it."""
    rules, dice = rules_of(name), Random(f"{name} {seed}")
    players = tuple([f"P{n + 1}" for n in range(min(4, rules.seats[1]))])
    first = plays.start(rules, players, random_options(rules, dice), seed, LATE_NS)
    play, now_ns, stranger = plays.opened(rules, first), LATE_NS, Stranger(rules, dice)
    for _ in range(ANSWERS):
        yield play
        if play.over:
            return
        action, facts = answered(play, stranger.pick(play.offers, now_ns, now_ns))
        now_ns = max(now_ns, action.at_ns)
        stranger.heard(play, action.verb, action.value, facts)
        play = reduce(plays.fold, facts, play)


@pytest.mark.parametrize("name", [*games.names(), *TEN.values()])
def test_every_int_of_a_state_that_holds_a_time_is_a_stamp_by_its_type(name: str) -> None:
    seen = 0
    for seed in range(GAMES):
        for play in played(name, seed):
            found = [*times(play.state)]
            assert {(one.kind, one.field) for one in found} <= {
                (one.kind, field.name) for one in found for field in fields_of(one.kind) if field.kind is not None
            }
            after = moved(play.state, LATE_NS)
            assert [one.ns for one in times(after)] == [one.ns + LATE_NS for one in found]
            assert moved(after, -LATE_NS) == play.state
            seen += len(found)
    assert seen or name in TIMELESS


TIMELESS = {one for key, one in TEN.items() if not key.startswith(("race", "chess"))}


def test_stamps_of_a_kind_move_with_those_of_the_kinds_before_it() -> None:
    class All(Struct, frozen=True):
        due_ns: Due
        since_ns: Since | None
        at_ns: Stamp
        spent_ns: int

    one = All(1, 2, 3, 4)
    assert moved(one, 100, DUE) == All(101, 2, 3, 4)
    assert moved(one, 100, LIMITS) == All(101, 102, 3, 4)
    assert moved(one, 100) == All(101, 102, 103, 4)
    assert moved(All(1, None, 3, 4), 100) == All(101, None, 103, 4)


def test_all_stamps_of_a_race_move_and_its_errors_do_not() -> None:
    race = Race((0, 1), 7, presses=(Press(0, 9, 5),), jumps=(Press(1, 6, 5),))
    assert moved(race, 100) == Race((0, 1), 107, presses=(Press(0, 109, 5),), jumps=(Press(1, 106, 5),))
    assert moved(race, 100, LIMITS) is race


def test_what_has_no_stamp_stays_the_same_object() -> None:
    class Plain(Struct, frozen=True):
        points: tuple[int, ...]

    plain = Plain((1, 2))
    assert moved(plain, 5) is plain and moved((plain, None), 5) == (plain, None)


def test_stamps_that_could_not_be_moved_are_refused() -> None:
    class Loose(Struct, frozen=True):
        stamps: tuple[Stamp, ...]

    class Kept(Struct, frozen=True):
        by_seat: dict[int, Stamp]

    with pytest.raises(TypeError, match=r"stamps in a tuple; each must be a field of its own$"):
        moved(Loose((1, 2)), 5)
    with pytest.raises(TypeError, match=r"stamps in a dict; each must be a field of a record$"):
        moved(Kept({1: 2}), 5)
