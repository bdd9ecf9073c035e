"""The whole program stands still for a while in a race, as on a busy machine: buttons move, and queues are full."""

from pathlib import Path
from random import Random

import pytest

from hardware.parts.buttons import Edge
from tests.engine.table import rows
from tests.simulators.real_buttons import Machine, RealRig
from tests.simulators.rig import MS, Rig
from tests.simulators.undoing import SIX

BUILDING = "game[kitty_paw {n}] +{names} 3100 -{names} 5000 300"

# P1 and P4 share a request. In the last 20 ms of the time in which the program stands still P4's contact is loose: the
# queue keeps edges of that alone.
SHARED = [  # when P1 closes and opens, when P2 does, when the program stands still; who may be first
    ("a press that is held is found by reading", (0, 300), (30, 200), (-1, 90), (0, 1)),
    ("one after a spark whose end was lost is not the spark", (-1.4, -1.3, 60, 300), (30, 200), (-1.37, 90), (0, 1)),
    ("so it is when the spark is heard of after its end", (-1.4, -1.3, 60, 300), (30, 200), (-1.25, 90), (0, 1)),
    ("bounce that was open when it was read hides no beginning", (0, 1.5, 6.1, 200), (1, 200), (-0.5, 6), (0, 1)),
    ("a press made after the loss counts as ever", (150, 300), (30, 200), (-1, 60), (1,)),
]


@pytest.mark.parametrize(("first", "second", "still", "may_be_first"), rows(SHARED))
def test_what_a_full_queue_has_dropped_names_nobody_wrongly(
    tmp_path: Path,
    first: tuple[float, ...],
    second: tuple[float, ...],
    still: tuple[float, float],
    may_be_first: tuple[int, ...],
) -> None:
    rig = RealRig(tmp_path, Random(3), Machine(thread_us=1, late=0, queue=64), SIX)
    rig.do(BUILDING.format(n=2, names="P1,P2"))
    begin_ns, end_ns = (rig.now_ns + 100 * MS + round(ms * MS) for ms in still)
    zero_ns = rig.now_ns + 100 * MS
    for name, moves in (("P1", first), ("P2", second)):
        rig.contact(name, *(zero_ns + round(ms * MS) for ms in moves))
    rig.contact("P4", *(end_ns - n * 50_000 for n in range(20, 400)))
    rig.lines.stand_still(begin_ns, end_ns)
    rig.after(1000)
    race = rig.playing.play.board.race
    assert race is not None
    assert (race.in_front or race.first) == may_be_first
    rig.close()


@pytest.mark.parametrize("found_ms", [40, 49, 60, 200])
def test_a_verdict_waits_for_a_press_that_may_have_been_sooner_than_it_was_found(tmp_path: Path, found_ms: int) -> None:
    rig = Rig(tmp_path)
    rig.do(BUILDING.format(n=3, names="P1,P2,P3"))
    zero_ns = rig.now_ns
    rig.kit.buttons.listen(lambda edge: None)  # what is told of them is said below
    for name in ("P1", "P3"):
        rig.edge(name, down=True)
    rig.now_ns += found_ms * MS
    rig.app.post(Edge("P3", True, zero_ns, "kernel"))
    rig.app.post(Edge("P1", True, rig.now_ns, "kernel", True, (found_ms + 25) * MS, rig.now_ns))
    rig.after(200)
    race = rig.playing.play.board.race
    assert race is not None and race.in_front == (0, 2)
    rig.close()


# Of two presses the earlier one may be told late, and the program stands still: when P3's contact moves, and when the
# program stands still, from P1's press on.
UNHEARD = [
    ("from before the earlier press is told, beyond the time for its verdict", (-1, 250), [(4, 104)]),
    ("so that the earlier one's end is found by reading, and is told only after another standstill",
     (-400, -300.05), [(-399.5, -299.9), (-299.8, -210)]),
]  # fmt: skip


@pytest.mark.parametrize(("moves", "stills"), rows(UNHEARD))
@pytest.mark.parametrize("seed", range(24))  # who of the threads runs first, and how late the kernel tells
def test_a_program_that_stood_still_judges_nothing_before_it_has_heard_all_edges(
    tmp_path: Path, moves: tuple[float, ...], stills: list[tuple[float, float]], seed: int
) -> None:
    rig = RealRig(tmp_path, Random(seed), Machine(late=0, held_up=0.5), SIX)
    rig.do("sheet[Quiz buzzer 3] 1000")
    zero_ns = rig.now_ns + 500 * MS
    for begin, end in stills:
        rig.lines.stand_still(zero_ns + round(begin * MS), zero_ns + round(end * MS))
    rig.contact("P3", *(zero_ns + round(ms * MS) for ms in moves))
    rig.contact("P1", zero_ns, zero_ns + 250 * MS)
    rig.after(1500)
    race = rig.playing.play.board.race
    assert race is not None and race.in_front == (2,)
    rig.close()


# P2 presses 190 ms before OK ends, and the loop reads both together: the round then, and who pressed in its race.
ORDERED = [
    ("a race that OK would end", "sheet[Quiz buzzer 3] 1000", 1, [1]),
    ("OK closes the stamps that the press has opened", "sheet[Quiz buzzer 3] 1000 P1 3000 turn+1", 1, [0]),
    ("the last of a race", "sheet[Spoons 3] 3000 P1 300", 2, [0, 1]),
]


@pytest.mark.parametrize(("line", "number", "pressed"), rows(ORDERED))
def test_ok_does_not_overtake_what_was_pressed_before(
    tmp_path: Path, line: str, number: int, pressed: list[int]
) -> None:
    rig = RealRig(tmp_path, Random(1), Machine(late=0), SIX)
    rig.do(line)
    rig.contact("P2", rig.now_ns + 10 * MS, rig.now_ns + 400 * MS)
    rig.stall("100")
    for down in (True, False):
        rig.control.push(down=down, at_ns=rig.now_ns)
        rig.stall("100")
    rig.after(300)
    race = rig.playing.play.board.race
    assert race is not None
    assert (rig.state.round.number, [press.seat for press in race.presses]) == (number, pressed)
    rig.close()
