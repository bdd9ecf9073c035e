"""A GPIO chip that goes away in mid-game and comes back, under its old name or another one: said once, taken back."""

import re
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from engine.games.kitty_paw import Called
from hardware.config import KitConfig, lines
from tests.kernel.test_lost_lines import game_of_three
from tests.simulators.reading import text
from tests.simulators.real_table import RealTable, table_on
from tests.simulators.sim_chip import SimChip
from tests.simulators.waiting import unstalled, until

FIRST = Path("/dev/gpiochip0")


class Evening(NamedTuple):
    """What could be seen of it."""

    notes: tuple[str, str]  # on the display: of the loss, of the return
    states: tuple[Any, Any]  # of the game, before and after
    lit: tuple[frozenset[str], frozenset[str]]
    callers: list[tuple[int, ...]]
    scores: tuple[int, ...]
    said: list[str]
    config: KitConfig


@contextmanager
def second_chip(named: Path) -> Iterator[SimChip]:
    """A chip of the header in the place of the one that went: this kernel gives it a new number, udev may rename it."""
    with SimChip() as chip:
        if named == FIRST:
            chip.path.rename(FIRST)
        try:
            yield chip
        finally:
            if named == FIRST:
                FIRST.unlink()


def note(table: RealTable, words: str) -> str:
    """Wait for a note on the display until it is of all parts: it is drawn anew as each says the same."""
    whole = re.compile(rf"control up.*{words}.*And {len(parts(table.config)) - 1} more parts")

    def said() -> str:
        found = whole.search(" ".join(text(table.glass()).split(" | ")))
        return found[0] if found else ""

    until(lambda: bool(said()), lambda: f"the display says {words!r} of all parts; it says {text(table.glass())!r}")
    return said()


def play(table: RealTable, chip: SimChip, gone_s: float, named: Path) -> Evening:
    """A round before which the chip is gone for a while. Raises `Stalled`."""
    table.until_reads("GO ON?").ok().until("hands").after(200)
    before, lit = table.play(), table.lit()
    chip.close()
    time.sleep(gone_s)
    with second_chip(named) as second:
        table.rewire(second)
        lost = note(table, "its chip is gone")
        back = note(table, "is back")
        until(lambda: table.lit() == lit, lambda: f"{lit} are lit; it is {table.lit()}")
        after, lit_after = table.play(), table.lit()
        assert before is not None and after is not None
        table.down("P1", "P2", "P3").until("build").up("P1", "P2", "P3")
        table.race("P3", "P1").until("check").ok().until("points").turn(1).ok().until("clean_up")
        play = table.play()
        assert play is not None
        callers = [fact.event.seats for fact in table.facts() if isinstance(fact.event, Called)]
        status, complaints = table.stop()
        assert status == 0
        states, both = (before.state, after.state), (lit, lit_after)
        return Evening((lost, back), states, both, callers, play.scores, complaints.splitlines(), table.config)


@pytest.fixture(
    scope="module",
    params=[(gone_s, named) for gone_s in (0.2, 2.0, 5.0) for named in (FIRST, Path("/dev/gpiochip1"))],
    ids=lambda case: f"{case[0]} s, then {case[1].name}",
)
def evening(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Evening:
    def once() -> Evening:
        folder = tmp_path_factory.mktemp("lost")
        game_of_three(folder / "state")
        with SimChip() as chip, table_on(chip, folder, "gpiod", "buttons") as table:
            return play(table, chip, *request.param)

    return unstalled(once)


def parts(config: KitConfig) -> list[tuple[str, int]]:
    """All that is on the chip, and where."""
    parts = ("control", "button", "lamp", "buzzer")
    found = sorted((line for line in lines(config) if line.part in parts), key=lambda line: parts.index(line.part))
    return [(f"{line.part} {line.name}".rstrip(), line.pin) for line in found]


def test_the_display_says_loss_and_return_once_for_all_parts(evening: Evening) -> None:
    lost = "control up lost: GPIO 17: its chip is gone. And 15 more parts"
    assert evening.notes == (lost, "control up is back. And 15 more parts")


def test_the_log_has_each_loss_and_each_return_once(evening: Evening) -> None:
    lost = [f"{part} lost: GPIO {pin}: its chip is gone" for part, pin in parts(evening.config)]
    back = [f"{part} is back" for part, _ in parts(evening.config)]
    assert sorted(evening.said) == sorted(lost + back)


def test_the_game_stands_as_it_stood(evening: Evening) -> None:
    assert evening.states[1] == evening.states[0]


@pytest.mark.parametrize(
    ("what", "wanted"),
    [
        pytest.param("lit", (frozenset({"P1", "P2", "P3"}),) * 2, id="the lamps have their light"),
        pytest.param("callers", [(2,)], id="presses count again"),
        pytest.param("scores", (0, -1, 7), id="the control works again"),
    ],
)
def test_what_is_back_plays(evening: Evening, what: str, wanted: object) -> None:
    assert getattr(evening, what) == wanted
