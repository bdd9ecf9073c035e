"""Presses on true lines, from the contact's first edge to the press that counts; none lost, none twice."""

import threading
import time
from collections.abc import Iterator
from typing import NamedTuple

import pytest

from hardware.parts import Report
from hardware.parts.buttons import Edge
from hardware.parts.buttons.gpio import GpioButtons
from hardware.parts.debounce import LOCK_NS, Debounce
from hardware.parts.gpio.gpiod_factory import GpiodFactory
from tests.simulators.sim_chip import SimChip
from tests.simulators.waiting import comes

PINS = {"P1": 5, "P2": 6, "P3": 22, "P4": 23, "P5": 24, "P6": 25}
PRESSES = 10_000
BURST = 60  # presses, all buttons in turn; then the burst is over
APART_NS = 50_000  # between two edges of one line, at least: the simulator merges closer ones

# µs between the edges of a contact that closes or opens
BOUNCE = {
    "clean": (),
    "one bounce": (300, 200),
    "slowing down": (100, 150, 250, 400, 700, 1_100, 1_800, 2_600),
    "6 ms of rattle": (400, 200) * 10,
    "long pauses": (1_000, 4_000, 1_000, 6_000),
    "fast": (80, 80) * 20,
    "late echo": (200, 300, 12_000, 200),
}


class Taken(NamedTuple):
    """What the buttons have reported, and how to wait for it."""

    edges: list[Edge]
    buttons: GpioButtons


@pytest.fixture
def taken(chip: SimChip, report: Report) -> Iterator[Taken]:
    edges: list[Edge] = []
    with GpiodFactory() as factory:
        buttons = GpioButtons(PINS, factory, "kernel", report)
        buttons.listen(edges.append)
        yield Taken(edges, buttons)
        buttons.close()


def wait_for(edges: list[Edge], count: int) -> list[Edge]:
    """So many edges, or however many come."""
    comes(lambda: len(edges) >= count)
    time.sleep(0.02)  # for one too many
    return list(edges)


class Train(NamedTuple):
    """A contact that moved, with all its bounce."""

    before_ns: int  # its first edge lies between these
    after_ns: int
    edges: list[Edge]


def play(chip: SimChip, taken: Taken, name: str, gaps_us: tuple[int, ...], *, down: bool) -> Train:
    """Move a contact. On a machine too busy to do it in the time that bounce takes it is moved back, and again."""
    while True:
        taken.edges.clear()
        before_ns = time.monotonic_ns()
        chip.pull(PINS[name], not down)
        after_ns = at_ns = time.monotonic_ns()
        for n, gap_us in enumerate(gaps_us):
            at_ns += gap_us * 1000
            while time.monotonic_ns() < at_ns:
                pass
            chip.pull(PINS[name], down if n % 2 == 0 else not down)
        edges = wait_for(taken.edges, 1 + len(gaps_us))
        if edges[-1].at_ns - edges[0].at_ns < LOCK_NS:
            return Train(before_ns, after_ns, edges)
        chip.pull(PINS[name], down)
        wait_for(taken.edges, 2 + len(gaps_us))


def presses(edges: list[Edge]) -> list[Edge]:
    """What debouncing makes of the edges, once all is quiet."""
    debounce = Debounce()
    changes = [change for edge in edges for change in debounce.edge(edge)]
    while (due_ns := debounce.due_ns) is not None:
        changes += debounce.settle(due_ns)
    return [change for change in changes if change.down]


@pytest.mark.parametrize("gaps_us", BOUNCE.values(), ids=BOUNCE.keys())
def test_a_press_that_bounces_is_one_press_and_has_the_stamp_of_its_first_edge(
    chip: SimChip, taken: Taken, gaps_us: tuple[int, ...]
) -> None:
    train = play(chip, taken, "P3", gaps_us, down=True)
    [press] = presses(train.edges)
    assert press.button == "P3"
    assert train.before_ns <= press.at_ns <= train.after_ns


@pytest.mark.parametrize("gaps_us", BOUNCE.values(), ids=BOUNCE.keys())
def test_a_release_that_bounces_is_no_second_press(chip: SimChip, taken: Taken, gaps_us: tuple[int, ...]) -> None:
    press = play(chip, taken, "P3", gaps_us, down=True)
    time.sleep(LOCK_NS / 1e9)
    release = play(chip, taken, "P3", gaps_us, down=False)
    assert len(presses(press.edges + release.edges)) == 1


@pytest.mark.parametrize("tap_ms", [5, 10])
def test_a_short_tap_is_a_press(chip: SimChip, taken: Taken, tap_ms: int) -> None:
    tap = play(chip, taken, "P1", (tap_ms * 1000,), down=True)
    [press] = presses(tap.edges)
    assert tap.before_ns <= press.at_ns <= tap.after_ns


def test_every_edge_says_that_the_kernel_stamped_it(chip: SimChip, taken: Taken) -> None:
    assert [edge.source for edge in play(chip, taken, "P2", (), down=True).edges] == ["kernel"]


@pytest.fixture
def bursts(chip: SimChip, taken: Taken) -> tuple[list[Edge], list[tuple[str, int, int]]]:
    """Ten thousand presses and releases in bursts: the edges reported, and which were made when."""
    made: list[tuple[str, int, int]] = []
    names = list(PINS)
    last_ns = dict.fromkeys(PINS, 0)

    def burst(begin: int) -> None:
        for n in range(begin, min(begin + BURST, PRESSES)):
            name = names[n % len(names)]
            for up in (False, True):
                while time.monotonic_ns() < last_ns[name] + APART_NS:
                    pass
                before_ns = time.monotonic_ns()
                chip.pull(PINS[name], up)
                last_ns[name] = time.monotonic_ns()
                made.append((name, before_ns, last_ns[name]))

    for begin in range(0, PRESSES, BURST):
        burst(begin)
        if not comes(lambda: len(taken.edges) >= len(made)):  # the kernel keeps 1024 of a line
            break
    return wait_for(taken.edges, 2 * PRESSES), made


def test_ten_thousand_presses_in_bursts_are_neither_lost_nor_doubled(
    bursts: tuple[list[Edge], list[tuple[str, int, int]]], reports: list[tuple[str, str | None]]
) -> None:
    edges, made = bursts
    in_order = sorted(edges, key=lambda edge: edge.at_ns)
    assert reports == []
    assert [edge.button for edge in in_order] == [name for name, _, _ in made]
    assert all(before <= edge.at_ns <= after for edge, (_, before, after) in zip(in_order, made, strict=True))
    assert [edge.down for edge in in_order] == [True, False] * PRESSES


def test_six_hands_at_once_are_all_seen(chip: SimChip, taken: Taken) -> None:
    def tap(name: str) -> None:
        for up in (False, True) * 50:
            chip.pull(PINS[name], up)
            time.sleep(0.0005)

    hands = [threading.Thread(target=tap, args=(name,)) for name in PINS]
    for hand in hands:
        hand.start()
    for hand in hands:
        hand.join()
    edges = wait_for(taken.edges, 100 * len(PINS))
    assert {name: sum(edge.button == name for edge in edges) for name in PINS} == dict.fromkeys(PINS, 100)
