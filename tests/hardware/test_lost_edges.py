"""Edges that a full queue of the kernel has dropped: what buttons tell of their lines then. On a simulated kernel."""

from collections.abc import Iterator
from contextlib import closing

import pytest

from hardware.parts.buttons import Edge
from hardware.parts.buttons.gpio import GpioButtons
from hardware.parts.gpio.numbers import RECENT_NS
from tests.hardware.reports import Reports
from tests.simulators.kernel_lines import Chip, Factory, simulated

PINS = {"P1": 5, "P2": 6, "P3": 13, "P4": 19}  # P1 and P3 share a request, P2 and P4
SIZE, READ_NS = 4, 1_000_000


class Lines:
    """Buttons on a kernel whose queues are short."""

    def __init__(self, chip: Chip, factory: Factory, reports: Reports) -> None:
        self.chip, self.factory, self.edges = chip, factory, list[Edge]()
        self.held = set[int]()
        self.buttons = GpioButtons(PINS, factory, "kernel", lambda name, text: reports.append((name, text)))
        self.buttons.listen(self.edges.append)
        self._number = 0

    def move(self, line: str) -> None:
        """`P1+5 P1-6`: pressed, released; the number is the stamp."""
        for word in line.split():
            pin, down = PINS[word[:2]], word[2] == "+"
            (self.held.add if down else self.held.discard)(pin)
            self._number += 1
            self.chip.request_of(pin).queue(pin, int(word[3:]), self._number, high=not down)

    def read(self) -> list[str]:
        """What is told of what has been queued; `?` where edges before it were lost."""
        while self.factory.read(self.chip):
            pass
        told = [f"{e.button}{'+' if e.down else '-'}{e.at_ns}{'?' if e.lost_ns else ''}" for e in self.edges]
        self.edges.clear()
        return told


@pytest.fixture
def lines(reports: Reports) -> Iterator[Lines]:
    held = set[int]()
    with simulated(lambda line: line not in held, lambda: READ_NS if held else 0, SIZE) as (chip, factory):
        lines = Lines(chip, factory, reports)
        lines.held = held
        with closing(lines.buttons):
            yield lines


LOOSE, READ = "P3+20 P3-21 P3+22 P3-23", "1000000?"


@pytest.mark.parametrize(
    ("moved", "told"),
    [
        pytest.param("P1+1 P1-2 P1+3", "P1+1 P1-2 P1+3", id="a queue that is not full"),
        pytest.param(f"P1+1 {LOOSE}", f"{LOOSE} P1+{READ}", id="a press that is held is found by reading"),
        pytest.param(f"P1+1 P1-2 P1+9 {LOOSE}", f"{LOOSE} P1+{READ}", id="so is one of which all was lost"),
        pytest.param("P1+1 P1-2 P1+3 P1-4 P1+5", f"P1-2? P1+3 P1-4 P1+5 P3-{READ}", id="its own edges"),
        pytest.param(f"P2+1 {LOOSE} P3+24", f"P2+1 P3-21? P3+22 P3-23 P3+24 P1-{READ}", id="another request"),
    ],
)
def test_after_a_loss_each_line_is_read_of_which_the_queue_has_no_edge_left(
    lines: Lines, moved: str, told: str
) -> None:
    lines.move(moved)
    assert lines.read() == told.split()


def test_a_release_that_was_lost_is_found_by_reading(lines: Lines) -> None:
    lines.move("P1+1 P2+2")
    lines.read()
    lines.move(f"P1-5 {LOOSE}")
    assert f"P1-{READ}" in lines.read()


def test_a_line_that_chatters_without_end_is_caught_up_with(lines: Lines) -> None:
    behind = list[bool]()
    for n in range(6):
        lines.move(f"P3+{10 * n + 1} P3-{10 * n + 2}")
        behind.append(lines.factory.behind())
        lines.factory.read(lines.chip)
    assert behind == [True, True, True, False, True, True]


def after_a_loss(lines: Lines) -> tuple[Edge, Edge]:
    """The next two edges of P1, of which an edge was lost before it was read at `READ_NS`."""
    lines.move(f"P1+1 {LOOSE}")
    lines.read()
    lines.move("P1-2000000 P1+3000000")
    while lines.factory.read(lines.chip):
        pass
    first, second = lines.edges
    return first, second


def test_the_next_edge_of_a_line_tells_that_edges_were_lost_before_it_was_read(lines: Lines) -> None:
    first, second = after_a_loss(lines)
    assert (first.read_ns, first.lost_ns) == (READ_NS, 2 * READ_NS + RECENT_NS)
    assert (second.read_ns, second.lost_ns) == (0, 0)


def test_a_line_that_has_lost_nothing_counts_as_ever_after_the_reading(lines: Lines) -> None:
    lines.move(LOOSE)
    lines.read()
    lines.move("P1+2000000")
    assert lines.read() == ["P1+2000000"]


def test_a_queue_that_was_empty_later_than_it_was_read_has_lost_less(lines: Lines) -> None:
    lines.move(f"{LOOSE} P3+24")
    for waited_ns in (READ_NS // 2, 0):
        lines.factory.read(lines.chip, waited_ns)
    [reading] = [edge for edge in lines.edges if edge.at_ns == edge.read_ns]
    assert reading.lost_ns == READ_NS - READ_NS // 2 + RECENT_NS


def test_a_loss_is_reported_of_a_line_that_may_have_lost_edges(lines: Lines, reports: Reports) -> None:
    lines.move(f"P1+1 {LOOSE}")
    lines.read()
    assert reports == [("edges of button P1", "button P1: edges were lost")]
