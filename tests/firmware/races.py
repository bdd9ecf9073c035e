"""Races of Pack & Stack with given stamps, from the flip to the verdict and beyond, as the kit would fold them."""

from functools import reduce
from typing import Any

from engine import games
from engine import play as plays
from engine.play import Fact, Play
from engine.rules import BENCH, GO, Action, Press

RULES = games.rules("pack_and_stack")
US, MS, S = 1_000, 1_000_000, 1_000_000_000
KERNEL_NS, VIRTUAL_NS = 100 * US, 10 * MS
GO_NS = 100 * S  # not before the countdown ends


def facts(
    names: tuple[str, ...],
    *presses: tuple[int, int, int],
    late: tuple[tuple[int, int, int], ...] = (),
    benched: tuple[int, ...] = (),
    **options: object,
) -> tuple[Fact, ...]:
    """A first round up to the verdict. A press: seat, µs after the flip, error in ns; a missing one is closed by OK."""
    found = [plays.start(RULES, names, RULES.options(**options), 7, 1 * S)]
    play = plays.opened(RULES, found[0])

    def take(caused: tuple[Fact, ...]) -> Play:
        found.extend(caused)
        return reduce(plays.fold, caused, play)

    play = take(plays.answer(play, Action(0, "starter", None, 2 * S)))
    play = take(plays.answer(play, Action(None, "deal", None, 3 * S)))
    play = take(plays.answer(play, Action(None, GO, None, GO_NS)))
    for seat in benched:
        play = take(plays.answer(play, Action(None, BENCH, seat, GO_NS + 1)))
    for seat, after_us, error_ns in presses:
        play = take(plays.answer(play, Action(seat, "grab", None, GO_NS + after_us * US, error_ns)))
    due_ns = play.due_ns
    close = Action(None, "close", None, GO_NS + 60 * S) if due_ns is None else Action(None, "settle", None, due_ns)
    play = take(plays.answer(play, close))
    for seat, after_us, error_ns in late:
        play = take(plays.late(play, Press(seat, GO_NS + after_us * US, error_ns), GO_NS + 61 * S))
    return tuple(found)


def raced(names: tuple[str, ...], *presses: tuple[int, int, int], **how: Any) -> Play:
    """The same as a game that stands after it."""
    return plays.replay(RULES, facts(names, *presses, **how))
