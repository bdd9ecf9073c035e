"""The numbers of a request's edges tell which stamps were replaced, as a kernel draws them."""

from random import Random

import pytest

from hardware.gpio.numbers import INTERRUPT_NS, KEPT_NS, RECENT_NS, Numbered, Numbers
from tests.engine.table import rows
from tests.simulators.contact import MS, THREAD_CUT, US, closing, told

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
    numbers = Numbers()
    assert [numbers.replaced(Numbered(number, line, at_ns, level=True)) for line, number, at_ns in read] == replaced


# edges as number, line, µs, "closed" or "open"; asked about is that of P2 at 900 µs. Threads take 200 µs
OPEN, CLOSED = True, False
PAST, PRESSED = (1, P1, -1_000, OPEN), (4, P2, 900, CLOSED)
EARLY: list[tuple[str, list[tuple[int, int, int, bool]], int]] = [
    ("nothing is missing", [PAST, (2, P1, 850, CLOSED), (3, P1, 880, OPEN), PRESSED], 0),
    ("its own, told as an opening", [PAST, (3, P2, 900, OPEN)], 200),
    ("not sooner than the edge before", [PAST, (2, P1, 850, CLOSED), (4, P2, 900, OPEN)], 50),
    ("not sooner than the edge before the first of two", [PAST, (2, P1, 850, CLOSED), (5, P2, 900, CLOSED)], 50),
    ("two, and an edge in between", [PAST, (2, P1, 820, CLOSED), (4, P1, 840, CLOSED), (6, P2, 900, CLOSED)], 80),
    ("long before", [PAST, (3, P1, 699, CLOSED), (4, P2, 900, OPEN)], 0),
    ("just not too long before", [PAST, (3, P1, 700, CLOSED), (4, P2, 900, OPEN)], 200),
    ("one is the other line's: else this one would be told as open", [PAST, (2, P1, 850, CLOSED), PRESSED], 0),
    ("its level may be that after another move", [PAST, (2, P1, 850, CLOSED), PRESSED, (5, P2, 990, CLOSED)], 50),
    ("no: it went on from there", [PAST, (2, P1, 850, CLOSED), PRESSED, (5, P2, 990, OPEN)], 0),
    ("it went on unseen", [PAST, (2, P1, 850, CLOSED), PRESSED, (6, P2, 990, OPEN)], 50),
    ("a later edge is a move of its own", [PAST, (2, P1, 850, CLOSED), PRESSED, (5, P2, 1_201, CLOSED)], 0),
    ("the level before was sure", [(1, P2, 100, OPEN), (2, P1, 850, CLOSED), PRESSED], 0),
    ("the level before was not", [(1, P2, 840, OPEN), (2, P1, 850, CLOSED), PRESSED], 50),
]


def heard(edges: list[tuple[int, int, int, bool]]) -> Numbers:
    numbers = Numbers()
    for number, line, at_us, level in edges:
        numbers.replaced(Numbered(number, line, at_us * US, level))
    return numbers


@pytest.mark.parametrize(("edges", "early_us"), rows(EARLY))
def test_how_much_sooner_a_press_may_have_come(edges: list[tuple[int, int, int, bool]], early_us: int) -> None:
    assert heard(edges).early_ns(P2, 900 * US, 200 * US, level=CLOSED, known_ns=2 * MS) == early_us * US


def test_a_level_is_trusted_once_the_next_edge_would_have_been_read() -> None:
    numbers = heard([PAST, (2, P1, 850, CLOSED), PRESSED])
    sure_ns = (900 + 2 * 200) * US + INTERRUPT_NS
    assert [
        numbers.early_ns(P2, 900 * US, 200 * US, level=CLOSED, known_ns=known_ns) for known_ns in (sure_ns - 1, sure_ns)
    ] == [50 * US, 0]


def test_of_an_edge_that_is_forgotten_nothing_is_known() -> None:
    numbers = heard([PAST, (2, P1, 850, CLOSED), (3, P1, 880, OPEN), PRESSED])
    found = list[int]()
    for number, later_ns in ((5, KEPT_NS), (6, KEPT_NS + 1)):
        numbers.replaced(Numbered(number, P1, 900 * US + later_ns, OPEN))
        found.append(numbers.early_ns(P2, 900 * US, 200 * US, level=CLOSED, known_ns=0))
    assert found == [0, 200 * US]


@pytest.mark.parametrize(("thread_us", "touched"), [(20, False), (40, False), (100, False), (100, True)])
@pytest.mark.parametrize("lines", [2, 6])
def test_no_press_is_sooner_than_told(thread_us: int, touched: bool, lines: int) -> None:
    dice, delay_ns = Random(f"{thread_us} {lines}"), thread_us * US * THREAD_CUT
    late, less, spared = 0, 0, 0
    for _ in range(400):
        contacts = [closing(dice, 9 * MS + int(dice.random() * MS), touched=touched) for _ in range(lines)]
        numbers, first = Numbers(), dict[int, tuple[int, bool]]()
        edges = told(dice, contacts, thread_us * US)
        known_ns = 10 * MS + int(dice.random() * 8 * MS)
        for edge in edges:
            if edge.queued_ns <= known_ns:
                replaced = numbers.replaced(edge.numbered)
                first.setdefault(edge.line, (edge.at_ns, replaced))
        for line, (at_ns, replaced) in first.items():
            early_ns = numbers.early_ns(line, at_ns, delay_ns, level=CLOSED, known_ns=known_ns)
            assert at_ns - early_ns <= contacts[line][0] + INTERRUPT_NS
            assert replaced or early_ns == 0
            late += at_ns > contacts[line][0] + 60 * US  # no interrupt comes so late
            less += 0 < early_ns < delay_ns
            spared += replaced and early_ns == 0
    assert late > 0 and less > 0 and spared > 0  # the test sees all of it
