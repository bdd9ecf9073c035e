"""Debounce: tables of (button, level, time) and the changes they mean, and what holds for any edges at all."""

from itertools import groupby, pairwise
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardware.buttons import Edge
from hardware.debounce import LATE_NS, LOCK_NS, Debounce

MS = 1_000_000
LONG_AFTER_NS = 10**15


def edges(moves: str) -> tuple[Edge, ...]:
    """Edges in short: `P1+0 P1-10` is P1 down at 0 ms and up at 10 ms."""
    return tuple(Edge(move[:2], move[2] == "+", round(float(move[3:]) * MS)) for move in moves.replace(",", "").split())


def changes(raw: tuple[Edge, ...]) -> tuple[Edge, ...]:
    """All that debounce gives for these edges, where locks are settled once they are due."""
    debounce = Debounce()
    told: list[Edge] = []
    for edge in raw:
        if debounce.due_ns is not None and debounce.due_ns <= edge.at_ns:
            told += debounce.settle(edge.at_ns)
        told += debounce.edge(edge)
    return (*told, *debounce.settle(LONG_AFTER_NS))


RATTLE = " ".join(f"P1{'-' if n % 2 else '+'}{n}" for n in range(50))  # 1 ms apart, up in the end
RATTLE_DOWN = RATTLE + " P1+50"


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        pytest.param("P1+0", "P1+0", id="a press"),
        pytest.param("P1-0 P1+1 P1-2", "", id="let go with bounce, held from before anybody listened"),
        pytest.param("P1-0 P1+1 P1-2 P1+90", "P1+90", id="let go with bounce, then a press"),
        pytest.param("P1+0 P1-100", "P1+0 P1-100", id="a press and its release"),
        pytest.param("P1+0 P1-1 P1+2 P1-3 P1+4", "P1+0", id="a press that bounces has the stamp of its first edge"),
        pytest.param("P1+0 P1-100 P1+101 P1-103", "P1+0 P1-100", id="a release that bounces too"),
        pytest.param("P1+0 P1-10", "P1+0 P1-10", id="a tap of 10 ms keeps its own release"),
        pytest.param("P1+0 P1-1 P1+2 P1-10", "P1+0 P1-10", id="a tap that bounces ends where it last opened"),
        pytest.param("P1+0 P1-10 P1+500", "P1+0 P1-10 P1+500", id="a press after a tap"),
        pytest.param("P1+0 P1-10 P1+35", "P1+0 P1-10 P1+35", id="a press within the lock of a settled release"),
        pytest.param("P1+0 P1-100 P1+115", "P1+0 P1-100 P1+115", id="a release and a press within its lock"),
        pytest.param("P1+0 P1-100 P1+115 P1-120", "P1+0 P1-100", id="a spike within the lock is bounce"),
        pytest.param("P1+0 P1-30", "P1+0 P1-30", id="an edge at the very end of a lock is free"),
        pytest.param("P1+0 P1-29.999999", "P1+0 P1-29.999999", id="an edge 1 ns before the end waits for it"),
        pytest.param("P1+0 P1-29.999999 P1+30", "P1+0 P1-29.999999 P1+30", id="a lock ends before the edge at its end"),
        pytest.param("P1+0 P1-10 P1+40", "P1+0 P1-10 P1+40", id="the lock of a settled change counts from its stamp"),
        pytest.param(RATTLE, "P1+0 P1-29", id="50 rattling edges that end open"),
        pytest.param(RATTLE_DOWN, "P1+0 P1-29 P1+50", id="51 rattling edges that end closed"),
        pytest.param("P1+0 P2+1 P1-2 P2-40", "P1+0 P2+1 P1-2 P2-40", id="two lines lock each for itself"),
        pytest.param("P1+0 P1+50", "P1+0", id="the same level twice"),
        pytest.param("P1-0", "", id="a release of what nobody pressed"),
        pytest.param("P1+0 P1-10 P1-20", "P1+0 P1-10", id="the level stands since the first of two equal edges"),
        pytest.param("P1+0 P1-0", "P1+0 P1-0", id="two edges of one stamp"),
        pytest.param("P1+0 P1-100 P1+50", "P1+0 P1-100", id="an edge delivered late"),
        pytest.param("P1+0 P1-20 P1+10", "P1+0 P1-20", id="an edge delivered late within the lock"),
    ],
)
def test_edges_mean_these_changes(raw: str, expected: str) -> None:
    assert sorted(changes(edges(raw))) == sorted(edges(expected))


def test_a_change_keeps_its_source() -> None:
    press = Edge("P1", True, 0, "kernel")
    assert Debounce().edge(press) == (press,)


def heard(raw: str) -> Debounce:
    """A debounce that has been told of these edges."""
    debounce = Debounce()
    for edge in edges(raw):
        debounce.edge(edge)
    return debounce


def test_a_press_is_reported_at_once_and_an_edge_within_its_lock_not_yet() -> None:
    debounce = Debounce()
    press, release = edges("P1+0 P1-10")
    assert (debounce.edge(press), debounce.edge(release)) == ((press,), ())


@pytest.mark.parametrize(
    ("raw", "due_ns"),
    [
        pytest.param("P1+0", None, id="the line stands as told"),
        pytest.param("P1+0 P1-10", LOCK_NS + LATE_NS, id="every edge of the lock has come by then"),
        pytest.param("P1+5 P2+7 P2-9 P1-10", 5 * MS + LOCK_NS + LATE_NS, id="the earliest lock"),
    ],
)
def test_a_level_that_differs_is_due(raw: str, due_ns: int | None) -> None:
    assert heard(raw).due_ns == due_ns


def test_a_level_that_differs_settles_once_and_not_before_it_is_due() -> None:
    debounce = heard("P1+0 P1-10")
    settled = [debounce.settle(at_ns) for at_ns in (LOCK_NS + LATE_NS - 1, LOCK_NS + LATE_NS, LONG_AFTER_NS)]
    assert settled == [(), edges("P1-10"), ()]


def test_a_bounce_whose_last_edge_is_delivered_late_is_no_release() -> None:
    debounce = Debounce()
    press, opened, closed = edges("P1+0 P1-4 P1+5")
    told = (*debounce.edge(press), *debounce.edge(opened), *debounce.settle(LOCK_NS + LATE_NS - 1))
    assert (*told, *debounce.edge(closed), *debounce.settle(LONG_AFTER_NS)) == (press,)


def test_several_locks_settle_by_stamp() -> None:
    assert heard("P1+0 P2+1 P2-9 P1-10").settle(LONG_AFTER_NS) == edges("P2-9 P1-10")


def test_an_edge_after_an_unsettled_lock_gives_both_changes() -> None:
    assert heard("P1+0 P1-10").edge(*edges("P1+500")) == edges("P1-10 P1+500")


def test_an_edge_within_a_lock_that_was_delivered_after_its_end_is_due_at_once() -> None:
    debounce = Debounce()
    press, release = edges("P1+0 P1-20")
    debounce.edge(press)
    debounce.settle(LOCK_NS + LATE_NS)
    debounce.edge(release)
    assert debounce.settle(LOCK_NS + LATE_NS) == (release,)


@pytest.mark.parametrize(("raw", "down"), [("", False), ("P1+0", True), ("P1+0 P1-10", True), ("P1+0 P1-40", False)])
def test_a_button_is_down_as_told(raw: str, down: bool) -> None:
    assert heard(raw).down("P1") is down


# gaps short and long, and now and then one that ends exactly with the lock
gaps = st.one_of(st.integers(0, 40), st.just(LOCK_NS // MS), st.integers(0, 500)).map(lambda ms: ms * MS)
moves = st.lists(st.tuples(st.sampled_from(("P1", "P2", "P3")), st.booleans(), gaps), max_size=60)


def in_time(drawn: list[tuple[str, bool, int]]) -> tuple[Edge, ...]:
    """Edges of several lines in the order of their stamps."""
    at_ns = 0
    raw = []
    for button, down, gap_ns in drawn:
        at_ns += gap_ns
        raw.append(Edge(button, down, at_ns))
    return tuple(raw)


def by_line(of: tuple[Edge, ...]) -> dict[str, tuple[Edge, ...]]:
    """The edges of each line, in their order."""
    ordered = sorted(of, key=lambda edge: edge.button)
    return {button: tuple(line) for button, line in groupby(ordered, key=lambda edge: edge.button)}


@given(moves)
def test_a_line_alternates_between_down_and_up_and_its_stamps_never_go_back(drawn: list[tuple[str, bool, int]]) -> None:
    for line in by_line(changes(in_time(drawn))).values():
        assert [change.down for change in line] == [n % 2 == 0 for n in range(len(line))]
        assert all(a.at_ns <= b.at_ns for a, b in pairwise(line))


@given(moves)
def test_the_last_raw_level_is_the_last_one_told(drawn: list[tuple[str, bool, int]]) -> None:
    raw = in_time(drawn)
    last_told = {button: line[-1].down for button, line in by_line(changes(raw)).items()}
    assert {button: line[-1].down for button, line in by_line(raw).items()} == {
        button: last_told.get(button, False) for button in by_line(raw)
    }


@given(moves)
def test_every_change_is_a_raw_edge(drawn: list[tuple[str, bool, int]]) -> None:
    raw = in_time(drawn)
    assert set(changes(raw)) <= set(raw)


@given(moves, st.randoms(use_true_random=False))
def test_the_interleaving_of_lines_does_not_matter(drawn: list[tuple[str, bool, int]], chance: Random) -> None:
    raw = in_time(drawn)
    queues = [list(line) for line in by_line(raw).values()]
    shuffled = []
    while queues := [queue for queue in queues if queue]:
        shuffled.append(chance.choice(queues).pop(0))
    debounce = Debounce()
    told = [change for edge in shuffled for change in debounce.edge(edge)]
    assert by_line((*told, *debounce.settle(LONG_AFTER_NS))) == by_line(changes(raw))


@given(moves, st.lists(st.integers(-500, 0), max_size=5))
def test_edges_delivered_late_change_nothing(drawn: list[tuple[str, bool, int]], late_ms: list[int]) -> None:
    raw = in_time([("P1", True, 0), *drawn])
    late = tuple(Edge("P1", n % 2 == 0, ms * MS - 1) for n, ms in enumerate(late_ms))
    assert changes((*raw, *late)) == changes(raw)
