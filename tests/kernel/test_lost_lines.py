"""Lines that others have when the kit starts and let go in mid-game, or whose chip comes later: then they play."""

import time
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

import pytest

from engine import games
from engine import play as plays
from engine.games.kitty_paw import Called
from firmware.journal.writer import Journal
from hardware.parts import Report
from hardware.parts.buttons import Edge
from hardware.parts.buttons.gpio import GpioButtons
from hardware.parts.gpio import Driver
from hardware.parts.gpio.late import open_late
from tests.simulators.program import Program
from tests.simulators.real_table import EdgeRow, Pull, RealTable, table_on
from tests.simulators.sim_chip import SimChip
from tests.simulators.waiting import unstalled, until

BUTTON, LAMP, ARROW = 22, 20, 17  # P3's, and ▲
# another program, which has lines until it is ended
OTHER = """
import sys, gpiod
path, *lines = sys.argv[1:]
with gpiod.request_lines(path, consumer="fan control", config={tuple(map(int, lines)): None}):
    print("mine", flush=True)
    sys.stdin.read()
"""


def game_of_three(state: Path) -> None:
    """A game in the journal, just begun: people could not join with a button that is lost."""
    rules = games.rules("kitty_paw")
    journal = Journal(state / "journal.db", "yesterday", lambda ticket: None, lambda text: None)
    journal.write(journal.begin_game("kitty_paw"), (plays.start(rules, ("P1", "P2", "P3"), rules.options(), 7, 1),))
    journal.close()


class Evening(NamedTuple):
    """What could be seen of it."""

    lit: list[bool]  # P3's lamp while it was lost, and when it was back
    phases: list[str]  # after all have put a hand on, P3 on a line that is lost; when it is back; with P3's hand on it
    callers: list[tuple[int, ...]]
    scores: tuple[int, ...]
    pulls: list[Pull]  # of P3's contact since it was back
    edges: list[EdgeRow]  # of P3's
    end: tuple[int, str]


def play(table: RealTable, other: Program) -> Evening:
    """A round in which P3's lines come back while hands are put on; then P3 calls. Raises `Stalled`."""
    table.until_reads("GO ON?").ok().until("hands")
    lit = ["P3" in table.lit()]
    for down in (True, False):
        table.move("P3", down)
    table.down("P1", "P2").after(300)
    phases = [table.phase]
    other.end()
    until(lambda: "P3" in table.lit(), lambda: "the lamp of P3 is lit")
    lit.append(True)
    table.after(300)
    phases.append(table.phase)
    since = len(table.pulls)
    table.down("P3").until("build")
    phases.append(table.phase)
    table.up("P1", "P2", "P3").race("P3", "P1").until("check").ok().until("points").turn(1).ok().until("clean_up")
    play = table.play()
    assert play is not None
    return Evening(
        lit,
        phases,
        [fact.event.seats for fact in table.facts() if isinstance(fact.event, Called)],
        play.scores,
        [pull for pull in table.pulls[since:] if pull.name == "P3"],
        [edge for edge in table.edges() if edge.name == "P3"],
        table.stop(),
    )


@pytest.fixture(scope="module", params=["gpiod", "lgpio"])
def evening(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Evening:
    def once() -> Evening:
        folder = tmp_path_factory.mktemp("lost")
        game_of_three(folder / "state")
        with (
            SimChip() as chip,
            Program("-c", OTHER, chip.path, *map(str, (BUTTON, LAMP, ARROW))) as other,
            table_on(chip, folder, request.param, "buttons") as table,
        ):
            return play(table, other)

    return unstalled(once)


def test_each_loss_is_said_once_by_name_and_pin_and_so_is_its_end(evening: Evening) -> None:
    status, said = evening.end
    lines = {"control up": ARROW, "button P3": BUTTON, "lamp P3": LAMP}
    wanted = [
        words for part, line in lines.items() for words in (f"{part} lost: GPIO {line} is busy", f"{part} is back")
    ]
    assert (status, sorted(said.splitlines())) == (0, sorted(wanted))


@pytest.mark.parametrize(
    ("what", "wanted"),
    [
        pytest.param("lit", [False, True], id="the lamp comes back with its light"),
        pytest.param("phases", ["hands", "hands", "build"], id="only what is pressed once it is back counts"),
        pytest.param("callers", [(2,)], id="the button that is back wins the race"),
        pytest.param("scores", (0, -1, 7), id="the arrow that is back changes the points"),
    ],
)
def test_what_is_back_plays(evening: Evening, what: str, wanted: object) -> None:
    assert getattr(evening, what) == wanted


def test_every_edge_since_then_has_the_kernels_stamp(evening: Evening) -> None:
    wrong = [
        (pull, edge)
        for pull, edge in zip(evening.pulls, evening.edges, strict=True)
        if pull.down != edge.down or edge.source != "kernel" or not pull.before_ns <= edge.at_ns <= pull.after_ns
    ]
    assert wrong == []


@pytest.mark.parametrize("driver", ["gpiod", "lgpio"])
def test_a_button_plays_whose_chip_comes_after_the_kit(
    report: Report, reports: list[tuple[str, str | None]], driver: Driver
) -> None:
    edges: list[Edge] = []
    factories = open_late(driver)
    with closing(GpioButtons({"P3": BUTTON}, factories.inputs, factories.source, report)) as buttons:
        buttons.listen(edges.append)
        with SimChip() as chip, closing(factories.inputs):
            until(lambda: ("button P3", None) in reports, lambda: f"P3 is back; reports: {reports}")
            before_ns = time.monotonic_ns()
            chip.pull(BUTTON, False)
            after_ns = time.monotonic_ns()
            until(lambda: bool(edges), lambda: "an edge comes")
            buttons.close()
    assert [edge.down and before_ns <= edge.at_ns <= after_ns for edge in edges] == [True]
