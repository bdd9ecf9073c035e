"""The installed service at work: a game on driven lines, last words, a bite of the watchdog and a restart in a race."""

import json
import re
import signal
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from random import Random
from typing import NamedTuple

import pytest

from firmware.output import screens, strip_picture
from firmware.output.strip_picture import Light
from firmware.service import MARK
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
from tests.kernel.test_whole_games import Told, Verdict, play_pack_and_stack, verdicts
from tests.simulators.reading import text
from tests.simulators.real_table import Glass, Table
from tests.simulators.waiting import Stalled, comes, unstalled, until

WATCHDOG_S = 5
OUTAGE = "not listening for"
THREE = ("P1", "P2", "P3")
CALLED: Verdict = ("Called", (0,))  # P1
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


def test_whether_a_new_version_gets_ready_is_asked_at_each_start_of_the_machine() -> None:
    asked = show("UnitFileState", "ConditionResult", "ConditionTimestampMonotonic", unit="luckypaw-trial.service")
    assert (asked[:2], int(asked[2]) > 0) == (("enabled", "no"), True)


def test_beside_the_service_the_check_says_that_the_kit_plays() -> None:
    until_ready()
    done = machine("luckypaw", "check", "--json")
    found = {each["code"]: each["remedy"] for each in json.loads(done.stdout)["findings"] if each["fault"]}
    assert found == {"kit-running": "end it first: sudo systemctl stop luckypaw"}


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


class Hang(NamedTuple):
    """A way in which the program does not go on, and what is known of that afterwards."""

    signal: signal.Signals
    where: str  # it was, says the log
    pressed: str  # who has pressed meanwhile, is said


HANGS = {
    "in a loop": Hang(signal.SIGUSR2, "in hang", ", P2 P3 pressed meanwhile"),
    "stopped": Hang(signal.SIGSTOP, "in run_forever", ""),  # with the thread that reads the buttons
}


class Bite(NamedTuple):
    """What has come of a hang in a race, in which P1 had called."""

    hang: Hang
    restarts: int  # by systemd
    same: bool  # the game is the one that was on, with all its facts
    stack: str  # what the program that hung has left in the log
    said: str  # in the log, by the new run
    shown: str  # on the display, from then on
    named: list[Verdict]  # by the new run
    phase: str


@pytest.fixture(scope="module")
def watched(stopped: str) -> Iterator[Table]:
    """A game that is on, of a program that can be hung, with a watchdog that waits for 5 s."""
    hang = Path("/run/home/hang/sitecustomize.py")
    hang.parent.mkdir()
    hang.write_text(HANG)
    drop_in = MACHINE / f"run/systemd/system/{UNIT}.d/watched.conf"
    lines = ("[Service]", f"WatchdogSec={WATCHDOG_S}", f"Environment=PYTHONPATH={TREE}{hang.parent}")
    drop_in.write_text("\n".join(lines))
    machine("systemctl", "daemon-reload")
    machine("systemctl", "start", UNIT)
    with table() as people:
        People(people, Random(1)).begin("kitty_paw")
        yield people
    drop_in.unlink()
    machine("systemctl", "daemon-reload")


def log(pid: int) -> str:
    """What a process has said in the log."""
    return machine("journalctl", f"_PID={pid}", "--output", "cat", "--no-pager").stdout


def begin_race(people: Table) -> None:
    """Three put their hands on, and the race is on."""
    people.until("hands").down(*THREE).until("build").up(*THREE)


def call(people: Table) -> None:
    """P1 calls in a race, and the program has listened for a while since. Raises `Stalled`."""
    begin_race(people)
    before = len(verdicts(people.facts()))
    people.tap("P1")
    until(lambda: verdicts(people.facts())[before:] == [CALLED], lambda: "P1 has called")
    mark = MACHINE / "run/luckypaw" / MARK
    until(lambda: mark.stat().st_mtime_ns > people.pulls[-1].after_ns, lambda: "the mark is told so")


def press_unheard(people: Table) -> None:
    """P3 and P2 press, whether or not anybody listens. Raises `Stalled`."""
    for name in ("P3", "P2"):
        for down in (True, False):
            people.move(name, down)
            people.after(40)


def bitten(people: Table, hang: Hang) -> Bite:
    """The program hangs in a race, others press, and the watchdog bites. Raises `Stalled`."""
    until_ready()
    if "GO ON?" in text(people.glass()):  # after a hang that came too early
        people.ok()
    call(people)
    before, pid, glass = people.facts(), main_pid(), Glass()
    glass.picture()
    restarts = int(show("NRestarts")[0])
    machine("kill", f"-{int(hang.signal)}", str(pid))
    press_unheard(people)
    if main_pid() != pid:
        raise Stalled("it was bitten before all had pressed")
    until(lambda: main_pid() not in (0, pid), lambda: "the watchdog bites")
    until_ready()
    restarts = int(show("NRestarts")[0]) - restarts
    same = comes(partial(shows, people)) and people.facts()[: len(before)] == before
    until(lambda: OUTAGE in log(main_pid()), lambda: f"the outage is told: {log(main_pid())}")
    shown = " ".join(text(picture) for _, picture in glass.pictures())
    glass.close()
    if "GO ON?" in text(people.glass()):  # after the second hang in a row
        people.ok()
    comes(lambda: people.phase == "hands")
    named, phase = verdicts(people.facts()[len(before) :]), people.phase
    return Bite(hang, restarts, same, log(pid), log(main_pid()), shown.replace(" | ", " "), named, phase)


@pytest.fixture(scope="module", params=HANGS.values(), ids=[*HANGS])
def bite(request: pytest.FixtureRequest, watched: Table) -> Bite:
    return unstalled(partial(bitten, watched, request.param))


def shows(people: Table) -> bool:
    """Whether the game of the journal is on the display, or offered there."""
    play = people.play()
    assert play is not None
    glass = people.glass()
    return "GO ON?" in text(glass) or glass.tobytes() == screens.draw(play, EMPTY, knob=True).tobytes()


def test_what_hangs_is_started_again_once_with_the_whole_game(bite: Bite) -> None:
    assert (bite.restarts, bite.same) == (1, True)


def test_a_hang_leaves_in_the_log_where_it_was(bite: Bite) -> None:
    assert bite.hang.where in bite.stack


def outage(hang: Hang) -> str:
    """What is told of it; the number is that of its seconds."""
    return rf"not listening for \d+ s{hang.pressed}, the race begins again"


def test_how_long_nobody_listened_and_who_pressed_meanwhile_is_in_the_log(bite: Bite) -> None:
    assert re.search(outage(bite.hang), bite.said)


def test_and_on_the_display(bite: Bite) -> None:
    assert re.search(outage(bite.hang), bite.shown)


def test_a_hang_names_nobody_and_the_race_begins_again(bite: Bite) -> None:
    assert (bite.named, bite.phase) == ([], "hands")


@pytest.fixture(scope="module")
def restarted(watched: Table) -> list[Verdict]:
    """Who is named once the service was restarted in a race, and once the race has begun again."""
    call(watched)
    before, pid = watched.facts(), main_pid()
    machine("systemctl", "restart", "--no-block", UNIT)
    comes(lambda: "BYE!" in text(watched.glass()), PLENTY_S)
    press_unheard(watched)
    until(lambda: main_pid() not in (0, pid), lambda: "it is restarted")
    until_ready()
    watched.until_reads("GO ON?").ok()
    begin_race(watched)
    watched.race("P2", "P1").until("check")
    return verdicts(watched.facts()[len(before) :])


def test_who_pressed_before_a_restart_or_meanwhile_counts_for_nothing(restarted: list[Verdict]) -> None:
    assert restarted == [("Called", (1,)), ("LastNamed", (2,))]
