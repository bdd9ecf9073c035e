"""A game goes on unharmed in the middle of storms of unknown clients.

The program runs in a process of its own, and so does each storm. A page that was open before plays Kitty Paw, one round
in each storm, while a hand in the program measures how late presses are folded.
"""

import json
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import closing, suppress
from functools import partial
from pathlib import Path
from statistics import median
from threading import Event, Thread
from typing import Any, NamedTuple

import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection

from engine import games
from engine.games import kitty_paw
from engine.games.kitty_paw import LastNamed
from engine.play import Fact, Play
from engine.rules import Seat
from firmware.journal.reader import History
from firmware.web.limits import MAX_CONNECTIONS
from firmware.web.serving import NEWCOMERS
from tests.firmware.browser import line_of_page
from tests.firmware.clients import SOME, STORMS
from tests.firmware.running import answer, get, status
from tests.simulators.program import ROOT, Program, game_begun
from tests.simulators.waiting import comes, nap, until

pytestmark = pytest.mark.slow

NAMES = ("P1", "P2", "P3")
OWN_FILES = 24  # of the program itself: journal, listener, pipes
MAX_KIB = 16 * 1024
AGAIN_S = 5.0
SLOWER = 300  # times; by the median, and on a calm evening that is 0.2 ms


class PlayedPage:
    """A page at which people play; how the game stands is read from the journal."""

    def __init__(self, line: ClientConnection, folder: Path) -> None:
        self._line, self._folder = line, folder
        self._listening = Thread(target=self._listen)
        self._listening.start()

    def _listen(self) -> None:
        with suppress(ConnectionClosed):
            for _ in self._line:
                pass

    @property
    def stands(self) -> bool:
        """Whether it was never thrown out."""
        return self._listening.is_alive()

    def until(self, phase: str, meanwhile: Callable[[], object] = nap) -> "PlayedPage":
        """Wait for a phase of the game, or of its race."""
        until(lambda: phase in self._phases(), lambda: f"{phase!r}; it is {self._phases()}", meanwhile=meanwhile)
        return self

    def _phases(self) -> tuple[str, str | None]:
        time.sleep(0.02)
        board = played(self._folder)[0].board
        return board.phase, board.race and board.race.phase

    def say(self, **message: Any) -> "PlayedPage":
        """One thing that a hand does, and the time it takes."""
        self._line.send(json.dumps(message))
        time.sleep(0.06)
        return self

    def move(self, down: bool, *names: str) -> "PlayedPage":
        for name in names:
            self.say(button=name, down=down)
        return self

    def tap(self, name: str) -> "PlayedPage":
        return self.move(True, name).move(False, name)

    def tap_until(self, name: str, phase: str) -> "PlayedPage":
        """Tap, and wait for a phase. What a hand did is done again where a stalled machine took it for a bounce."""
        return self._until(phase, lambda: self.tap(name))

    def ok_until(self, phase: str) -> "PlayedPage":
        """The same by OK."""
        return self._until(phase, lambda: self.say(ok=True).say(ok=False))

    def _until(self, phase: str, do: Callable[[], object]) -> "PlayedPage":
        def again() -> None:
            do()
            comes(lambda: phase in self._phases(), AGAIN_S)

        return self.until(phase, again)

    def round(self, caller: Seat) -> None:
        """A round that this seat calls, rightly, and the next one answers."""
        self.until("hands").move(True, *NAMES).until("build").move(False, *NAMES)
        self.tap_until(NAMES[caller], "answers").tap_until(NAMES[(caller + 1) % 3], "check")
        self.ok_until("points").ok_until("clean_up").ok_until("hands")


def is_served(port: int) -> bool:
    """Whether somebody who comes now is given the page."""
    try:
        return status(answer(port, get("/"))) == 200
    except TimeoutError:
        return False


class Storm:
    """Unknown clients in a process of their own."""

    def __init__(self, program: Program, name: str) -> None:
        self._command = [sys.executable, "-m", "tests.firmware.clients", str(program.port), name]
        self.made = 0  # afterwards: how many connections

    def __enter__(self) -> "Storm":
        self._process = subprocess.Popen(
            self._command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        return self

    def __exit__(self, *_: object) -> None:
        self.made = int(self._process.communicate()[0])


class Look:
    """The most files and memory that the program uses, sampled all the while."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self.files = self.memory_kib = 0
        self._over = Event()
        self._thread = Thread(target=self._run)

    def __enter__(self) -> "Look":
        self.begun_ns = time.monotonic_ns()
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.ended_ns = time.monotonic_ns()
        self._over.set()
        self._thread.join()

    def _run(self) -> None:
        while not self._over.wait(0.02):
            self.files = max(self.files, self._program.files)
            self.memory_kib = max(self.memory_kib, self._program.memory_kib)


class Evening(NamedTuple):
    """A game that was played through all storms."""

    calm: Look
    storms: dict[str, tuple[Look, Storm]]
    served: dict[str, bool]  # whether somebody could open the page in a storm
    lateness: list[tuple[int, int]]  # of the hand's edges: stamp, and ns until it was folded
    stood: bool  # the page at which they played
    end: tuple[int, str]  # status and words of the program, ended in the middle of the last storm
    verdicts: list[tuple[str, Seat]]

    def late_ms(self, round_: Look) -> float:
        """How late presses were folded, by the median."""
        return median(late for at, late in self.lateness if round_.begun_ns <= at <= round_.ended_ns) / 1e6


@pytest.fixture(scope="module")
def evening(tmp_path_factory: pytest.TempPathFactory) -> Evening:
    folder = tmp_path_factory.mktemp("evening")
    storms: dict[str, tuple[Look, Storm]] = {}
    served: dict[str, bool] = {}
    game_begun(folder)
    command = ("-m", "tests.firmware.timed_play", folder)
    with Program(*command, STATE_DIRECTORY=str(folder)) as program, line_of_page(program.port) as line:
        page = PlayedPage(line, folder).say(ok=True).say(ok=False)  # GO ON?
        with Look(program) as calm:
            page.round(0)
        for number, name in enumerate(STORMS, 1):
            with Storm(program, name) as storm, Look(program) as look:
                page.round(number % 3)
                served[name] = comes(partial(is_served, program.port))
            storms[name] = look, storm
        stood = page.stands
        with Storm(program, "a thousand who do not read"):
            time.sleep(0.5)
            end, _, errors = program.end()
    verdicts: list[tuple[str, Seat]] = []
    for fact in played(folder)[1]:
        match fact.event:
            case kitty_paw.Called((seat,)):
                verdicts.append(("called", seat))
            case LastNamed((seat,)):
                verdicts.append(("last", seat))
    lateness = json.loads((folder / "lateness.json").read_text())
    return Evening(calm, storms, served, lateness, stood, (end, errors), verdicts)


def played(folder: Path) -> tuple[Play, tuple[Fact, ...]]:
    """The game as the journal has it."""
    with closing(History(folder / "journal.db")) as history:
        (row,) = history.games()
        rules = games.rules(row.name)
        return history.play(row.game, rules), history.facts(row.game, rules)


def test_every_verdict_is_as_it_was_played_at_a_page_that_stays_and_the_program_ends_without_a_word(
    evening: Evening,
) -> None:
    rounds = [number % 3 for number in range(1 + len(STORMS))]
    verdicts = [verdict for caller in rounds for verdict in (("called", caller), ("last", (caller + 2) % 3))]
    assert (evening.verdicts, evening.stood, evening.end) == (verdicts, True, (0, ""))


@pytest.mark.parametrize("storm", STORMS)
def test_a_storm_costs_little_time_memory_and_few_files_and_the_page_can_be_opened(
    evening: Evening, storm: str
) -> None:
    look, clients = evening.storms[storm]
    assert clients.made > SOME  # it has blown
    assert evening.late_ms(look) / evening.late_ms(evening.calm) < SLOWER
    assert look.files <= OWN_FILES + MAX_CONNECTIONS + 4 * NEWCOMERS
    assert look.memory_kib - evening.calm.memory_kib < MAX_KIB
    assert evening.served[storm]
