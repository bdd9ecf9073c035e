"""On two processors edges of two lines overtake each other on their way. The referee goes by stamps, and is right."""

import time
from collections.abc import Callable, Iterator
from random import Random
from typing import NamedTuple

import gpiod
import pytest
from gpiod.line import Bias, Direction, Edge

from engine import race
from engine.race import Race
from engine.rules import Press
from hardware.parts.gpio.gpiod_factory import GpiodFactory
from tests.kernel.ear import Ear
from tests.simulators.sim_chip import SimChip

LINES = (5, 6)  # of seat 0 and seat 1
PAIRS, MOST = 300, 30_000  # at least; at most, until one has come out in the wrong order
APART_NS = 50_000  # at least


class Arrived(NamedTuple):
    """A press, as it came out."""

    at_ns: int
    seat: int


class Counted(NamedTuple):
    """What came of all pairs."""

    pairs: int
    overtaken: int  # pairs that came out with the second press first
    wrong: int  # pairs in which the referee named another than who was first


def count(chip: SimChip, take_pair: Callable[[], list[Arrived]], least: int = 0) -> Counted:
    """Press two buttons one shortly after the other, many times, now this one first and now that one.

    `least`: it goes on until so many pairs have come out in the wrong order.
    """
    pairs = overtaken = wrong = 0
    chance = Random(1)
    while pairs < PAIRS or (overtaken < least and pairs < MOST):
        pairs += 1
        first, second = chance.sample((0, 1), 2)
        for up in (False, True):  # press both, release both
            begin_ns = time.monotonic_ns()
            chip.pull(LINES[first], up)
            while time.monotonic_ns() < begin_ns + APART_NS:
                pass
            chip.pull(LINES[second], up)
            pair = take_pair()
            if not up:
                run = Race((0, 1), None)
                for at_ns, seat in pair:
                    run = race.add(run, Press(seat, at_ns, 0))
                overtaken += pair[0].seat == second
                wrong += race.first(run) != (first,)
    return Counted(pairs, overtaken, wrong)


@pytest.fixture
def one_request(chip: SimChip) -> Iterator[gpiod.LineRequest]:
    """Both lines as one, straight from the kernel."""
    settings = gpiod.LineSettings(direction=Direction.INPUT, bias=Bias.PULL_UP, edge_detection=Edge.BOTH)
    with gpiod.request_lines(str(chip.path), {LINES: settings}) as request:
        yield request


def test_the_referee_is_right_though_edges_leave_the_kernel_in_the_wrong_order(
    chip: SimChip, one_request: gpiod.LineRequest
) -> None:
    def take_pair() -> list[Arrived]:
        events: list[gpiod.EdgeEvent] = []
        while len(events) < 2:
            events += one_request.read_edge_events()
        return [Arrived(event.timestamp_ns, LINES.index(event.line_offset)) for event in events]

    counted = count(chip, take_pair, least=1)
    print(f"{counted.overtaken} of {counted.pairs} pairs came out of the kernel with the second press first")
    assert counted.overtaken > 0
    assert counted.wrong == 0


def test_the_referee_is_right_with_our_pin_factory(chip: SimChip) -> None:
    ear = Ear()
    with GpiodFactory() as factory:
        ear.listen(factory, *LINES)
        counted = count(
            chip, lambda: [Arrived(round(heard.ticks * 1e9), LINES.index(heard.pin)) for heard in ear.take(2)]
        )
    print(f"{counted.overtaken} of {counted.pairs} pairs were told with the second press first")
    assert counted.wrong == 0
