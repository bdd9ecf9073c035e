"""Debounce: tables of (button, level, time) and the changes they mean, and what holds for any edges at all."""

from bisect import bisect_right
from itertools import groupby, pairwise
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardware.parts.buttons import Edge
from hardware.parts.debounce import CLOSED_NS, LATE_NS, LOCK_NS, Debounce, sparks
from tests.engine.table import rows
from tests.simulators.contact import US, closing, spark, told

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


# --- a contact, as a kernel tells it ----------------------------------------------------------------------------------


class Line:
    """Lines whose edges a kernel tells in time, and that can be read."""

    def __init__(self, raw: str) -> None:
        self.now_ns = 0
        self.raw = [edge._replace(source="kernel") for edge in edges(raw)]
        self.debounce = Debounce(self.reads)
        self.told: list[Edge] = []
        for name in {edge.button for edge in self.raw}:
            self.debounce.listen(name, down=False)

    def reads(self, button: str) -> bool:
        """Its level now."""
        levels = [edge.down for edge in self.raw if edge.button == button and edge.at_ns <= self.now_ns]
        return levels[-1] if levels else False

    def wait(self, until_ns: int) -> None:
        """Let the clock run."""
        while (due_ns := self.debounce.due_ns) is not None and due_ns <= until_ns:
            self.now_ns = max(self.now_ns, due_ns)
            self.told += self.debounce.settle(self.now_ns)

    def play(self, *, late_ns: int = 0) -> tuple[Edge, ...]:
        """All changes. `late_ns`: how much later the edges are delivered."""
        for edge in self.raw:
            self.wait(edge.at_ns + late_ns)
            self.now_ns = max(self.now_ns, edge.at_ns + late_ns)
            self.told += self.debounce.edge(edge)
        self.wait(LONG_AFTER_NS)
        return tuple(self.told)


CONTACT = [
    ("a press", "P1+1", "P1+1"),
    ("a press and its release", "P1+1 P1-100", "P1+1 P1-100"),
    ("a short first touch", "P1+1 P1-1.05 P1+1.4", "P1+1"),
    ("one that is told as an opening", "P1-1.02 P1+1.4", "P1+1.02"),
    ("two in a row", "P1-1.02 P1-1.3 P1+1.4", "P1+1.02"),
    ("bounce", "P1+1 P1-2 P1+3 P1-4 P1+6", "P1+1"),
    ("it opens for long before it closes", "P1+1 P1-1.5 P1+30", "P1+1"),
    ("a spark", "P1+1 P1-1.3", ""),
    ("one of which only the end was told", "P1-1", ""),
    ("a dip of 0.5 ms", "P1+1 P1-1.5", ""),
    ("closed for too short a time", "P1+1 P1-2.999", ""),
    ("a tap of 5 ms", "P1+1 P1-6", "P1+1 P1-6"),
    ("closed for 2 ms in sum", "P1+1 P1-2 P1+4 P1-5", "P1+1 P1-5"),
    ("closed for less in sum", "P1+1 P1-2 P1+4 P1-4.9", ""),
    ("a press long after a spark", "P1+1 P1-1.3 P1+60", "P1+60"),
    ("a press as the spark's time is over", "P1+1 P1-1.3 P1+96", "P1+96"),
    ("a release as the time of a dip is over", "P1+1 P1-100 P1+100.3 P1-195", "P1+1 P1-195"),
    ("a press in the time of a spark", "P1+1 P1-1.3 P1+20", "P1+1"),
    ("a held button that opens for 0.5 ms", "P1+1 P1-100 P1+100.5", "P1+1"),
    ("a held button of which only the closing was told", "P1+1 P1+100", "P1+1"),
    ("a release that begins with a short opening", "P1+1 P1-100 P1+100.1 P1-100.9", "P1+1 P1-100"),
    ("a release told as a closing", "P1+1 P1+100 P1-100.9", "P1+1 P1-100"),
    ("a release within the lock", "P1+1 P1-11", "P1+1 P1-11"),
    ("the lock ends in bounce", "P1+1 P1-20 P1+30.9 P1-31.1 P1+31.3", "P1+1"),
    ("a press within the lock of a release", "P1+1 P1-100 P1+110", "P1+1 P1-100 P1+110"),
    ("two lines", "P1+1 P2+1.5 P2-1.6", "P1+1"),
]


@pytest.mark.parametrize("late_ms", [0, 1, 30, 80])
@pytest.mark.parametrize(("raw", "expected"), rows(CONTACT))
def test_a_contact_means_these_changes_however_late_they_are_told(raw: str, expected: str, late_ms: int) -> None:
    told = Line(raw).play(late_ns=late_ms * MS)
    assert [edge[:3] for edge in told] == [edge[:3] for edge in edges(expected)]


SPARKS: list[tuple[str, str, dict[str, int]]] = [
    ("a press and its release", "P1+1 P1-100", {}),
    ("their bounce", "P1+1 P1-2 P1+3 P1-100 P1+101 P1-103", {}),
    ("a short first touch of a press", "P1+1 P1-1.05 P1+1.4 P1-100", {}),
    ("a spark", "P1+100 P1-100.3", {"P1": 1}),
    ("one of which only the end was told", "P1+1 P1-100 P1-200", {"P1": 1}),
    ("one that is the first of all, its end alone", "P1-100", {}),
    ("four", "P1+100 P1-100.3 P1+200 P1-200.01 P1+300 P1-300.5 P1+400 P1-400.2", {"P1": 4}),
    ("one that flickers", "P1+100 P1-100.3 P1+110 P1-110.3 P1+149 P1-149.3", {"P1": 1}),
    ("between two presses", "P1+1 P1-100 P1+300 P1-300.3 P1+500 P1-600", {"P1": 1}),
    ("in the time of a touch that becomes a press", "P1+100 P1-100.3 P1+120 P1-200", {}),
    ("a held button that opens for a moment", "P1+1 P1-200 P1+200.5 P1-400", {}),
    ("a press that bounces for longer than its lock", "P1+1 P1-36 P1+36.5 P1-400", {}),
    ("a release that does", "P1+1 P1-100 P1+136 P1-136.5", {}),
    ("soon after a release", "P1+1 P1-100 P1+179.9 P1-180.2", {}),
    ("80 ms after it", "P1+1 P1-100 P1+180 P1-180.3", {"P1": 1}),
    ("held since before the first edge", "P1-100 P1+300 P1-300.3", {"P1": 1}),
    ("two lines, the edges of one told much later", "P1+100 P2+300 P2-300.3 P1-100.3", {"P1": 1, "P2": 1}),
]


@pytest.mark.parametrize(("raw", "expected"), rows(SPARKS))
def test_these_raw_edges_have_so_many_sparks(raw: str, expected: dict[str, int]) -> None:
    assert sparks(edge._replace(source="kernel") for edge in edges(raw)) == expected


@pytest.mark.parametrize("thread_us", [20, 100])
@pytest.mark.parametrize("seed", range(5))
def test_as_many_sparks_are_counted_as_a_line_had_between_presses_that_bounce(seed: int, thread_us: int) -> None:
    dice, moves, had = Random(seed), list[int](), 0
    for n in range(1, 201):  # the first is a press
        at_ns = n * 500 * MS
        if n > 1 and dice.random() < 0.5:
            moves += spark(dice, at_ns)
            had += 1
        else:
            moves += closing(dice, at_ns, touched=dice.random() < 0.5)
            moves += closing(dice, at_ns + 200 * MS, touched=dice.random() < 0.5)  # likewise it opens
    (line,) = told(dice, [moves], thread_us * US, held_up=0.1)
    assert sparks(Edge("P1", each.down, each.at_ns, "kernel") for each in line) == {"P1": had}


def test_the_buttons_of_a_page_do_not_spark() -> None:
    assert sparks(edges("P1+100 P1-100.3")) == {}


def test_a_press_is_confirmed_2_ms_after_its_first_event() -> None:
    line = Line("P1+1")
    line.debounce.edge(line.raw[0])
    line.wait(MS + CLOSED_NS - 1)
    before = list(line.told)
    line.wait(MS + CLOSED_NS)
    assert (before, line.told) == ([], line.raw)


# each edge with when it is told, and whether it replaced others; the last word: when the contact really moved
TOLD_LATE = [
    ("two sparks, the end of the first told late", "+0 -0.1~10 +8.45~10 -8.55~10", "0 0.1 8.45 8.55", ""),
    ("the same, the second one's stamps replaced", "+0 -8.55!~10", "0 0.1 8.45 8.55", ""),
    ("a spark whose end replaced those of another", "+0 -8.1!~12", "0 0.1 8 8.1", ""),
    ("closed 1.2 ms, open 0.5, closed 1.2", "+0 -1.2~10 +1.7~10 -2.9~10", "0 1.2 1.7 2.9", "+0 -2.9"),
    ("the same, and then held", "+0 -1.2~10 +1.7~10", "0 1.2 1.7", "+0"),
    ("closed for so long by nothing but readings", "+0 -3!~60", "0 3", "+0 -3"),
    ("a press that opens, told late, and closes again", "+0 -0.8~20 +4~20", "0 0.8 4", "+0"),
    ("bounce in the lock, its end told late", "+0 -20~25 +21~40", "0 20 21", "+0"),
    ("a release in the lock, told late", "+0 -20~25", "0 20", "+0 -20"),
    ("a tap that ends in a replaced stamp", "+0 -40!~20", "0 40", "+0 -40"),
]


def told_late(told: str, moved: str, look_late_ns: int, *, held: bool) -> list[str]:
    """What is reported of a line where looks come late; `held`: the mirror image, of a button held since before."""
    moves = [round(float(ms) * MS) for ms in moved.split()]
    now_ns, changes = 0, list[Edge]()
    debounce = Debounce(lambda _: (bisect_right(moves, now_ns) % 2 == 1) is not held)
    debounce.listen("P1", down=held)
    queue = list[tuple[int, Edge]]()
    for word in told.split():
        stamp, _, late = word[1:].partition("~")
        at_ns = round(float(stamp.rstrip("!")) * MS)
        edge = Edge("P1", (word[0] == "+") is not held, at_ns, "kernel", stamp.endswith("!"))
        queue.append((at_ns + round(float(late or 0) * MS), edge))
    while queue or debounce.due_ns is not None:
        due_ns = LONG_AFTER_NS if debounce.due_ns is None else debounce.due_ns + look_late_ns
        if queue and queue[0][0] <= due_ns:
            told_ns, edge = queue.pop(0)
            now_ns = max(now_ns, told_ns)
            changes += debounce.edge(edge)
        else:
            now_ns = max(now_ns, due_ns)
            changes += debounce.settle(now_ns)
    return [f"{'+' if change.down is not held else '-'}{change.at_ns / MS:g}" for change in changes]


@pytest.mark.parametrize("held", [False, True], ids=["open", "held"])
@pytest.mark.parametrize("look_late_ns", range(0, MS, MS // 20))
@pytest.mark.parametrize(("told", "moved", "expected"), rows(TOLD_LATE))
def test_a_contact_counts_as_closed_only_while_edges_or_readings_show_it(
    told: str, moved: str, expected: str, look_late_ns: int, held: bool
) -> None:
    assert told_late(told, moved, look_late_ns, held=held) == expected.split()


def test_bounce_in_the_lock_of_a_release_that_is_told_late_is_no_touch() -> None:
    debounce = heard("P1+0 P1-100")
    for edge in edges("P1+120 P1-121"):
        debounce.settle(150 * MS)
        debounce.edge(edge._replace(source="kernel"))
    assert debounce.touched_ns is None


def test_an_opening_that_is_told_late_makes_no_press_of_a_spark() -> None:
    line = Line("P1+1 P1-1.1")
    line.debounce.edge(line.raw[0])
    line.wait(20 * MS)
    line.debounce.edge(line.raw[1])
    line.wait(LONG_AFTER_NS)
    assert line.told == []


def test_a_press_that_the_kit_hears_of_after_its_end_counts_though_its_end_is_told_later_still() -> None:
    line = Line("P1+1 P1-40")
    line.now_ns = 70 * MS
    for edge in line.raw:
        line.now_ns += 20 * MS
        line.told += line.debounce.edge(edge)
        line.wait(line.now_ns + 10 * MS)
    line.wait(LONG_AFTER_NS)
    assert line.told == line.raw


@pytest.mark.parametrize(
    ("press", "looks_ms"),
    [
        pytest.param("P1+0 P1-5", (0.5, 4.98), id="between the end of a tap and the stamp of that"),
        pytest.param("P1+1 P1-61", (1.5, 61.1), id="long after it was read held, before its end is told"),
    ],
)
def test_a_press_is_not_lost_whose_end_is_read_before_its_edge(press: str, looks_ms: tuple[float, float]) -> None:
    levels = iter([True, False])
    debounce = Debounce(lambda _: next(levels))
    debounce.listen("P1", down=False)
    down, up = (edge._replace(source="kernel") for edge in edges(press))
    debounce.edge(down)
    for ms in looks_ms:  # nobody looks in between
        assert debounce.settle(round(ms * MS)) == ()
    assert debounce.edge(up) == (down,)


def test_a_press_whose_end_was_held_up_and_replaced_counts_though_it_was_read_open_before_the_stamp_of_that() -> None:
    debounce = Debounce(lambda _: False)
    debounce.listen("P1", down=False)
    press = Edge("P1", True, 1 * MS, "kernel")
    debounce.edge(press)
    debounce.settle(62 * MS)  # it has opened after 61 ms
    assert debounce.edge(Edge("P1", False, 69 * MS, "kernel", replaced=True)) == (press,)


def test_a_line_that_is_read_open_after_a_loss_and_was_open_begins_nothing() -> None:
    debounce = Debounce(lambda _: True)
    debounce.listen("P1", down=False)
    debounce.edge(Edge("P1", False, 100 * MS, "kernel", True, 50 * MS, 100 * MS))
    assert debounce.touched_ns is None and debounce.due_ns is None
    debounce.edge(press := Edge("P1", True, 110 * MS, "kernel"))
    assert [told for ms in (110.5, 111, 111.5, 112.1) for told in debounce.settle(round(ms * MS))] == [press]


@pytest.mark.parametrize(("after_ms", "sooner_ms"), [(10, 60), (49, 99), (51, 0)])
def test_an_edge_that_tells_of_a_loss_before_the_reading_may_be_sooner_if_that_is_just_over(
    after_ms: int, sooner_ms: int
) -> None:
    debounce = Debounce(lambda _: True)
    debounce.listen("P1", down=False)
    at_ns, read_ns = (1000 + after_ms) * MS, 1000 * MS
    debounce.edge(Edge("P1", True, at_ns, "kernel", lost_ns=(after_ms + 50) * MS, read_ns=read_ns))
    assert debounce.touched_ns == at_ns - sooner_ms * MS
    [press] = [told for n in range(1, 6) for told in debounce.settle(at_ns + n * MS // 2)]
    assert press.lost_ns == sooner_ms * MS


def test_a_button_that_was_held_when_it_was_first_read_is_no_press() -> None:
    line = Line("P1-10 P1+200")
    line.debounce.listen("P1", down=True)
    assert line.play() == tuple(line.raw)


def test_a_touch_may_be_a_press_until_it_is_known() -> None:
    line = Line("P1+1 P1-1.1")
    seen = [line.debounce.touched_ns]
    for edge in line.raw:
        line.debounce.edge(edge)
        seen.append(line.debounce.touched_ns)
    line.wait(LONG_AFTER_NS)
    assert [*seen, line.debounce.touched_ns] == [None, MS, MS, None]


def test_a_change_keeps_the_source_of_its_first_event_and_what_that_replaced() -> None:
    line = Line("P1-1.02 P1+1.4")
    line.raw[0] = line.raw[0]._replace(replaced=True)
    assert line.play() == (Edge("P1", True, round(1.02 * MS), "kernel", True),)


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
