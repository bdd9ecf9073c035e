"""The numbers of a request's edges tell which stamps were replaced, as a kernel draws them."""

from random import Random

import pytest

from hardware.parts.gpio.numbers import RECENT_NS, EdgeNumbers, shared
from tests.engine.table import rows
from tests.simulators.contact import MS, US, closing, told

P1, P2 = 5, 6

READ: list[tuple[str, list[tuple[int, int, int]], list[bool]]] = [
    ("one after the other", [(P1, 1, 0), (P1, 2, 90), (P2, 3, 99)], [False, False, False]),
    ("one was replaced", [(P1, 1, 0), (P1, 3, 90)], [False, True]),
    ("the first", [(P1, 2, 0)], [True]),
    ("another line's stays its own", [(P1, 1, 0), (P1, 3, 50), (P1, 4, 90)], [False, True, False]),
    ("either may have lost it", [(P1, 1, 0), (P2, 2, 9), (P1, 4, 50), (P2, 5, 60)], [False, False, True, True]),
    ("in another order", [(P2, 2, 50), (P1, 1, 0), (P2, 3, 60)], [True, False, False]),
    ("long ago", [(P1, 1, 0), (P1, 3, 90), (P2, 4, RECENT_NS + 91)], [False, True, False]),
    ("not so long ago", [(P1, 1, 0), (P1, 3, 90), (P2, 4, RECENT_NS + 90)], [False, True, True]),
]


@pytest.mark.parametrize(("read", "replaced"), rows(READ))
def test_a_number_that_does_not_come(read: list[tuple[int, int, int]], replaced: list[bool]) -> None:
    numbers = EdgeNumbers()
    assert [numbers.replaced(*edge) for edge in read] == replaced


@pytest.mark.parametrize(("thread_us", "touched"), [(20, False), (100, False), (100, True)])
def test_no_first_stamp_is_replaced_without_being_told(thread_us: int, touched: bool) -> None:
    dice, told_apart = Random(thread_us), 0
    for _ in range(400):
        lines = [closing(dice, 9 * MS + int(dice.random() * MS), touched=touched) for _ in range(3)]
        for moves, edges in zip(lines, told(dice, lines, thread_us * US), strict=True):
            late = edges[0].at_ns - moves[0] > 100 * US
            assert edges[0].replaced or not late
            told_apart += late
    assert told_apart > 0


@pytest.mark.parametrize(
    ("lines", "requests"),
    [
        ([5], [(5,)]),
        ([5, 6], [(5, 6)]),
        ([5, 6, 7], [(5, 6, 7)]),
        ([5, 6, 13, 19], [(5, 13), (6, 19)]),
        ([5, 6, 13, 19, 26], [(5, 13, 26), (6, 19)]),
        ([5, 6, 13, 19, 26, 21, 20], [(5, 19, 20), (6, 26), (13, 21)]),
    ],
)
def test_no_line_is_alone_in_its_request_or_with_its_neighbour(
    lines: list[int], requests: list[tuple[int, ...]]
) -> None:
    assert list(shared(lines)) == requests
