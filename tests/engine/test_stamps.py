"""Stamps in a state: all of them move onto another clock together."""

from collections.abc import Iterator
from typing import Any

from msgspec import Struct

from engine import game, games
from engine.game import Event
from engine.moved_stamps import LIMITS, STAMPS, moved
from engine.race import Race
from engine.rules import Press
from engine.sheets import state as sheets

DURATIONS = {"error_ns", "early_ns", "spent_ns"}


def structs(kind: type[Any]) -> Iterator[type[Any]]:
    """All records that states are made of; facts never move."""
    for each in kind.__subclasses__():
        if not issubclass(each, Event) and each.__module__.startswith("engine.") and each.__module__ != "engine.play":
            yield each
        yield from structs(each)


def test_every_time_in_a_state_is_a_stamp_or_a_duration() -> None:
    assert [games.rules(name) for name in games.names()]
    assert issubclass(sheets.State, game.Record)
    fields = {name for each in structs(game.Record) for name in each.__struct_fields__}
    times = {name for name in (*fields, *Press._fields) if name.endswith("_ns")}
    assert times == STAMPS | DURATIONS


def test_all_stamps_move_and_durations_do_not() -> None:
    race = Race((0, 1), 7, presses=(Press(0, 9, 5),), jumps=(Press(1, 6, 5),))
    assert moved(race, 100) == Race((0, 1), 107, presses=(Press(0, 109, 5),), jumps=(Press(1, 106, 5),))
    assert moved(race, 100, LIMITS) is race


def test_what_has_no_stamp_stays_the_same_object() -> None:
    class Plain(Struct, frozen=True):
        points: tuple[int, ...]

    plain = Plain((1, 2))
    assert moved(plain, 5) is plain and moved((plain, None), 5) == (plain, None)
