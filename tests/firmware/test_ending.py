"""Programs that people end, in whichever way: games are whole, a strip is dark; without a terminal a kit plays on."""

import signal
import socket
import sqlite3
import sys
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from pathlib import Path
from threading import Condition, Lock
from types import FrameType
from typing import Any

import pytest
from PIL import Image

from firmware import ending
from firmware.cli import check
from firmware.setup import inbox as inboxes
from hardware.config import KitConfig
from hardware.doctor import bench
from hardware.parts.display.emulated import EmulatedDisplay
from hardware.parts.strip import OFF
from tests.firmware.test_strip_test import LEDS, described
from tests.simulators.machine_for_doctor import KIT
from tests.simulators.plugged_wled import PluggedWled
from tests.simulators.program import game_begun, played_before
from tests.simulators.terminal import WAYS, Terminal, Way
from tests.simulators.waiting import PATIENCE_S, comes

PLAY = (sys.executable, "-m", "firmware", "play", "--emulated", "--port", "0")

each_way = pytest.mark.parametrize("way", WAYS.values(), ids=WAYS)


def begun(state: Path) -> Path:
    """A folder with a game that goes on."""
    game_begun(played_before(state))
    return state


def closed(state: Path) -> tuple[str, bool]:
    """What SQLite says of the journal, and whether a log was left beside it."""
    log = (state / "journal.db-wal").exists()
    with closing(sqlite3.connect(state / "journal.db")) as db:
        return db.execute("pragma integrity_check").fetchone()[0], log


@each_way
def test_a_kit_that_is_ended_closes_its_journal(way: Way, tmp_path: Path) -> None:
    with Terminal(*PLAY, STATE_DIRECTORY=str(begun(tmp_path))) as terminal:
        terminal.says("Ctrl-C ends it")
        assert terminal.end(way.end) == way.done
    assert closed(tmp_path) == ("ok", False)


@each_way
def test_a_strip_is_dark_after_its_test(way: Way, tmp_path: Path) -> None:
    controller = PluggedWled(tmp_path, LEDS)
    controller.plug()
    words = ("--config", described(tmp_path, controller.port), "strip", "test", "--seconds", "3600")
    with Terminal(sys.executable, "-m", "firmware", *words) as terminal:
        terminal.says("all red")
        lit = comes(lambda: OFF not in controller.lamps)
        ended = terminal.end(way.end)
    dark = comes(lambda: controller.lamps == (OFF,) * LEDS)
    controller.unplug()
    assert (lit, ended, dark) == (True, way.broken_off, True)


def test_nohup_leaves_the_kit_running(tmp_path: Path) -> None:
    state = begun(tmp_path / "state")
    with Terminal("nohup", *PLAY, folder=tmp_path, STATE_DIRECTORY=str(state)) as terminal:
        said = tmp_path / "nohup.out"
        assert comes(lambda: said.exists() and "ready" in said.read_text())
        terminal.close()
        terminal.program.send_signal(signal.SIGHUP)
        assert terminal.program.poll() is None
        assert terminal.end(lambda at: at.program.terminate()) == 0
    assert closed(state) == ("ok", False)


def test_a_kit_whose_terminal_went_away_without_a_word_plays_on(tmp_path: Path) -> None:
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as ear:
        ear.bind(str(tmp_path / "notify"))
        ear.settimeout(PATIENCE_S)
        notify = str(tmp_path / "notify")
        with Terminal(*PLAY, own=False, STATE_DIRECTORY=str(begun(tmp_path)), NOTIFY_SOCKET=notify) as terminal:
            terminal.close()  # so that what it prints fails
            assert ear.recv(100) == b"READY=1"
            terminal.end(lambda at: at.program.terminate())
            assert ear.recv(100) == b"STOPPING=1"
    assert closed(tmp_path) == ("ok", False)


# --- in the middle of a part -----------------------------------------------------------------------------------------


@pytest.fixture
def handlers() -> Iterator[None]:
    """Puts back what the signals do."""
    kept = {number: signal.getsignal(number) for number in ending.SIGNALS}
    yield
    for number, handler in kept.items():
        signal.signal(number, handler)


def ended_at(step: int, work: Callable[[], object]) -> bool:
    """Do the work, and end the program at this step of Python; whether there are so many."""
    left = step

    def traced(frame: FrameType, event: str, _: object) -> Any:
        nonlocal left
        frame.f_trace_opcodes = True
        if event == "opcode":
            left -= 1
            if not left:
                sys.settrace(None)
                signal.raise_signal(signal.SIGTERM)
        return traced

    sys.settrace(traced)
    try:
        work()
    finally:
        sys.settrace(None)
    return left <= 0


def test_a_lock_is_let_go_of_wherever_the_program_is_ended(handlers: None) -> None:
    lock = Lock()
    changed = Condition(lock)

    def play() -> None:
        with changed:
            changed.notify()

    steps, told, reached = 0, list[ending.ProgramEnded](), True
    while reached:
        steps += 1
        with suppress(ending.ProgramEnded), ending.deferred(told.append):
            reached = ended_at(steps, play)
        assert not lock.locked()
    assert len(told) == steps - 1 > 20


def test_the_guided_check_is_ended_where_it_waits_not_where_it_draws(
    handlers: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown: list[Image.Image] = []

    class Shown(EmulatedDisplay):
        def show(self, picture: Image.Image, on_shown: Callable[[int], None] | None = None) -> None:
            for _ in range(2):  # the terminal and its shell
                signal.raise_signal(signal.SIGHUP)
            shown.append(picture)

    def opened(config: KitConfig, report: Callable[[str, str | None], None]) -> bench.Bench:
        return bench.emulated_bench(config, report, threaded=False)._replace(display=Shown())

    monkeypatch.setattr(bench, "open_bench", opened)
    monkeypatch.setattr(inboxes, "listen_to_keys", lambda inbox: inbox.put("y"))
    with pytest.raises(ending.ProgramEnded) as ended:
        check.guide(KIT, [], lambda finding: None)
    assert (len(shown), ended.value.status) == (1, 129)
