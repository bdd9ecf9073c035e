"""The installed service at work: a game on driven lines, a bite of the watchdog, last words."""

import signal
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from random import Random
from typing import NamedTuple

import pytest

from firmware.output import screens, strip_picture
from firmware.output.strip_picture import Light
from firmware.table.question import EMPTY
from hardware.parts.strip import Pixels
from tests.appliance.machine import (
    JOURNAL,
    LEDS,
    MACHINE,
    PLENTY_S,
    TREE,
    UNIT,
    forget_games,
    machine,
    main_pid,
    show,
    table,
    until_ready,
)
from tests.appliance.people import People
from tests.kernel.test_whole_games import Told, play_pack_and_stack, verdicts
from tests.simulators.reading import text
from tests.simulators.real_table import Glass, Table
from tests.simulators.waiting import comes, unstalled, until

WATCHDOG_S = 5
BITE_S = 15.0  # from a hang to the game on the display
START_S = 2.0  # of these are for the start of the program, on a machine that is not busy
# for Python to find in the service: a loop that hangs on command
HANG = """
import signal

def hang(*_):
    while True:
        pass

signal.signal(signal.SIGUSR2, hang)
"""


def test_it_has_started_with_the_machine() -> None:
    until_ready()
    assert show("SubState", "UnitFileState", "NRestarts") == ("running", "enabled", "0")


def test_no_unit_of_the_machine_has_failed() -> None:
    assert machine("systemctl", "list-units", "--failed", "--plain", "--no-legend").stdout == ""


class Game(NamedTuple):
    """A game that has been played on driven lines, and what could be seen at its end."""

    told: Told
    found: Told
    glass: bytes
    expected: bytes
    strip: Pixels
    light: Pixels


@pytest.fixture(scope="module")
def game() -> Game:
    return unstalled(play)


def play() -> Game:
    """Play one game on a kit that knows none yet. Raises `Stalled`."""
    forget_games()
    with table() as people:
        told = play_pack_and_stack(people)
        play = people.play()
        assert play is not None
        found = Told(verdicts(people.facts()), play.scores, told.words)
        expected = screens.draw(play, EMPTY, knob=True).tobytes()
        light = strip_picture.pixels(Light(play.board), LEDS)
        comes(lambda: people.glass().tobytes() == expected)
        comes(lambda: people.strip() == light)
        return Game(told, found, people.glass().tobytes(), expected, people.strip(), light)


def test_a_game_on_driven_lines_ends_as_it_was_played(game: Game) -> None:
    assert game.found == game.told


def test_its_end_is_on_the_display(game: Game) -> None:
    assert game.glass == game.expected


def test_its_end_is_on_the_strip(game: Game) -> None:
    assert game.strip == game.light


@pytest.fixture(scope="module")
def stopped(game: Game) -> str:
    """What the display says while the service is stopped."""
    glass = Glass()
    machine("systemctl", "stop", "--no-block", UNIT)
    comes(lambda: "BYE!" in text(glass.picture()), PLENTY_S)
    words = text(glass.picture())
    until(lambda: show("ActiveState") == ("inactive",), lambda: f"{UNIT} ends")
    glass.close()
    return words


def test_a_service_that_is_stopped_says_that_all_is_saved(stopped: str) -> None:
    assert "all games are saved" in stopped


@pytest.mark.usefixtures("stopped")
def test_a_service_that_is_stopped_ends_well() -> None:
    assert show("Result", "ExecMainStatus") == ("success", "0")


@pytest.mark.usefixtures("stopped")
def test_its_journal_is_closed() -> None:
    assert [file.name for file in JOURNAL.parent.glob("journal.db*")] == ["journal.db"]


class Bite(NamedTuple):
    """What has come of a hang."""

    seconds: float  # until the service was ready again
    same: bool  # the game is the one that was on, with all its facts


@pytest.fixture(scope="module")
def start_s(stopped: str) -> Iterator[float]:
    """How long the kit takes to start on this machine, with a watchdog that waits for 5 s."""
    hang = Path("/run/home/hang/sitecustomize.py")
    hang.parent.mkdir()
    hang.write_text(HANG)
    drop_in = MACHINE / f"run/systemd/system/{UNIT}.d/watched.conf"
    lines = ("[Service]", f"WatchdogSec={WATCHDOG_S}", f"Environment=PYTHONPATH={TREE}{hang.parent}")
    drop_in.write_text("\n".join(lines))
    machine("systemctl", "daemon-reload")
    began = time.monotonic()
    machine("systemctl", "start", UNIT)
    yield time.monotonic() - began
    drop_in.unlink()
    machine("systemctl", "daemon-reload")


@pytest.fixture(scope="module")
def watched(start_s: float) -> Iterator[Table]:
    """A game that is on."""
    with table() as people:
        People(people, Random(1)).begin("kitty_paw")
        people.until("hands")
        yield people


@pytest.fixture(scope="module", params=[signal.SIGSTOP, signal.SIGUSR2], ids=["stopped", "in a loop"])
def bite(request: pytest.FixtureRequest, watched: Table) -> Bite:
    if "GO ON?" in text(watched.glass()):  # the second one in a row
        watched.ok().until("hands")
    before, pid = watched.facts(), main_pid()
    began = time.monotonic()
    machine("kill", f"-{int(request.param)}", str(pid))
    until(lambda: main_pid() not in (0, pid), lambda: "the watchdog bites")
    until_ready()
    seconds = time.monotonic() - began
    glass = comes(partial(shows, watched))
    return Bite(seconds, glass and watched.facts()[: len(before)] == before)


def shows(people: Table) -> bool:
    """Whether the game of the journal is on the display, or offered there."""
    play = people.play()
    assert play is not None
    glass = people.glass()
    return "GO ON?" in text(glass) or glass.tobytes() == screens.draw(play, EMPTY, knob=True).tobytes()


def test_what_hangs_is_back_with_the_game_in_time(bite: Bite, start_s: float) -> None:
    assert bite.seconds < BITE_S + max(0, start_s - START_S)


def test_nothing_of_the_game_is_lost_by_a_hang(bite: Bite) -> None:
    assert bite.same
