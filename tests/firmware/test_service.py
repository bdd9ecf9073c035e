"""The program as a service: ready, alive, ending, and going on by itself after a run that was cut short."""

import asyncio
import os
import re
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple, NoReturn

import pytest
from msgspec.structs import replace

from firmware import __main__ as program
from firmware import service
from firmware.table.app import App
from hardware import kit, one_program
from hardware.config import TABLE
from hardware.kit import Kit, open_emulated
from hardware.parts import PartLost
from hardware.parts.display.emulated import EmulatedDisplay
from tests.firmware.command import ROOT
from tests.simulators.program import Program, played_before, run
from tests.simulators.reading import text
from tests.simulators.rig import THREE, Rig
from tests.simulators.waiting import PATIENCE_S, comes
from tests.simulators.without_coverage import untraced_environ


class Systemd:
    """A service manager: its socket, and the folder that it keeps from crash to restart."""

    def __init__(self, folder: Path, address: str) -> None:
        self._folder, self._address = folder, address
        self._runtime = folder / "run"
        self._runtime.mkdir()
        self._ear = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._ear.bind(address.replace("@", "\0", 1))
        self.program: subprocess.Popen[str] | None = None

    def start(self, *words: str, **environment: str) -> None:
        """Start the kit as the unit does, not for the first time; or Python with other `words`."""
        played_before(self._folder / "state")
        self.program = subprocess.Popen(
            [sys.executable, *(words or ("-m", "firmware", "play", "--emulated", "--port", "0"))],
            cwd=ROOT,
            env=untraced_environ()
            | {"NOTIFY_SOCKET": self._address, "RUNTIME_DIRECTORY": str(self._runtime)}
            | {"STATE_DIRECTORY": str(self._folder / "state"), **environment},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def receives(self, seconds: float = PATIENCE_S) -> str | None:
        """The next message; None: nothing in time."""
        self._ear.settimeout(seconds)
        try:
            return self._ear.recv(4096).decode()
        except TimeoutError:
            return None

    def end(self, number: signal.Signals) -> int:
        """End the program this way; its exit status."""
        assert self.program is not None
        self.program.send_signal(number)
        self.program.communicate(timeout=PATIENCE_S)
        return self.program.returncode

    @property
    def mark(self) -> Path:
        return self._runtime / service.MARK

    def close(self) -> None:
        if self.program is not None:
            self.end(signal.SIGKILL)
        self._ear.close()


@pytest.fixture(params=["path", "abstract"])
def systemd(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Systemd]:
    address = str(tmp_path / "notify") if request.param == "path" else f"@luckypaw-{os.getpid()}-{time.monotonic_ns()}"
    found = Systemd(tmp_path, address)
    yield found
    found.close()


def test_it_feeds_the_watchdog_until_it_hangs(systemd: Systemd) -> None:
    systemd.start(WATCHDOG_USEC="600000")
    notified: set[str | None] = set()
    while not notified >= {"READY=1", "WATCHDOG=1"} and None not in notified:
        notified.add(systemd.receives())
    assert systemd.program is not None
    systemd.program.send_signal(signal.SIGSTOP)
    while systemd.receives(1.0) is not None:  # what was on its way
        pass
    assert systemd.receives(1.0) is None


LEAKS = """
from firmware import __main__ as program
from firmware.cli import play
ready, kept = play._ready, []

def leaking(address):
    kept.append(b"x" * (200 << 20))
    return ready(address)

play._ready = leaking
program.main(["play", "--emulated", "--port", "0"])
"""


def test_with_far_too_much_memory_it_is_started_anew(systemd: Systemd) -> None:
    systemd.start("-c", LEAKS, WATCHDOG_USEC="600000")
    assert systemd.program is not None and systemd.program.stderr is not None
    log = iter(systemd.program.stderr.readline, "")
    assert any(re.fullmatch(r"2\d\d MB of memory are taken; a new start is needed\n", line) for line in log)
    while systemd.receives(1.0) is not None:  # those before
        pass
    assert systemd.program.poll() is None
    systemd.program.kill()


def test_a_watchdog_meant_for_another_process_is_not_fed(systemd: Systemd) -> None:
    systemd.start(WATCHDOG_USEC="600000", WATCHDOG_PID="1")
    assert (systemd.receives(), systemd.receives(1.0)) == ("READY=1", None)


def test_it_says_when_it_is_ready_and_when_it_ends_and_leaves_no_mark(systemd: Systemd) -> None:
    systemd.start()
    assert (systemd.receives(), systemd.mark.exists()) == ("READY=1", True)
    status = systemd.end(signal.SIGTERM)
    assert (systemd.receives(), status, systemd.mark.exists()) == ("STOPPING=1", 0, False)


def test_a_run_that_is_cut_short_leaves_its_mark(systemd: Systemd) -> None:
    systemd.start()
    systemd.receives()
    systemd.end(signal.SIGKILL)
    assert systemd.mark.read_text() == "new"


@pytest.mark.parametrize(
    ("pid", "fds", "given"), [("", "1", False), ("1", "1", False), ("own", "0", False), ("own", "1", True)]
)
def test_a_socket_that_systemd_has_opened_is_used(
    monkeypatch: pytest.MonkeyPatch, pid: str, fds: str, given: bool
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as opened:
        monkeypatch.setenv("LISTEN_PID", str(os.getpid()) if pid == "own" else pid)
        monkeypatch.setenv("LISTEN_FDS", fds)
        monkeypatch.setattr(service, "LISTEN_FDS_START", os.dup(opened.fileno()))
        listener = service.given_listener()
        found = None if listener is None else listener.getsockname()
        if listener is not None:
            listener.close()
            again = service.given_listener()  # for a kit that is tried
            assert again is not None and again.getsockname() == found
            again.close()
        os.close(service.LISTEN_FDS_START)
        assert found == (opened.getsockname() if given else None)


def test_a_systemd_that_is_missing_or_gone_does_no_harm(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("NOTIFY_SOCKET", raising=False)
    monkeypatch.delenv("WATCHDOG_USEC", raising=False)
    service.notify("READY=1")
    assert service.watchdog_s() is None
    monkeypatch.setenv("NOTIFY_SOCKET", str(tmp_path / "nobody"))
    service.notify("READY=1")


class Stood(NamedTuple):
    """The outcome of a start that failed."""

    status: object
    log: str  # to the log
    shown: list[list[str]]  # on the display, line by line
    notified: list[str]  # to systemd
    seconds: float


STANDS_S = 0.5


@pytest.fixture
def start(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> Iterator[Callable[..., Stood]]:
    """Starts the service, which fails with an error, or for its description; the latter is ended by SIGTERM."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as ear:
        ear.bind(str(tmp_path / "notify"))
        ear.settimeout(PATIENCE_S)
        monkeypatch.setenv("NOTIFY_SOCKET", str(tmp_path / "notify"))
        monkeypatch.setenv("STATE_DIRECTORY", str(tmp_path / "state"))
        monkeypatch.setattr("firmware.cli.play.STAND_S", STANDS_S)
        monkeypatch.setattr(kit, "on_a_pi", lambda *model: True)

        def start(error: Exception | None = None, *words: str) -> Stood:
            display, shown = EmulatedDisplay("ssd1309", lambda *_: None, threaded=False), []
            notified: list[str] = []

            def end() -> None:
                """Once it is alive."""
                while "WATCHDOG=1" not in notified:
                    notified.append(ear.recv(100).decode())
                os.kill(os.getpid(), signal.SIGTERM)

            def open_display(*_: object) -> EmulatedDisplay:
                if error is None:
                    threading.Thread(target=end).start()
                return display

            def open_real(*_: object) -> NoReturn:
                assert error is not None
                raise error

            monkeypatch.setattr(display, "close", lambda: shown.append(text(display.picture()).split(" | ")))
            monkeypatch.setattr(kit, "open_real", open_real)
            monkeypatch.setattr(one_program, "hold_parts", partial(one_program.hold_parts, tmp_path))
            monkeypatch.setattr(kit, "open_display", open_display)
            began_s = time.monotonic()
            with pytest.raises(SystemExit) as ended:
                program.main(["play", *(words or ("--kit", "table"))])
            seconds = time.monotonic() - began_s
            ear.setblocking(False)
            with suppress(BlockingIOError):
                while True:
                    notified.append(ear.recv(100).decode())
            return Stood(ended.value.code, capfd.readouterr().err, shown, notified, seconds)

        yield start


def test_a_description_that_cannot_be_used_stands_on_the_display_and_is_not_tried_again(
    start: Callable[..., Stood], tmp_path: Path
) -> None:
    wrong = tmp_path / "luckypaw.toml"
    wrong.write_text("players = 3\n")
    stood = start(None, "--config", str(wrong))
    assert [lines[:2] for lines in stood.shown] == [["Lucky Paw cannot start", "luckypaw.toml: players ="]]
    assert (stood.status, stood.notified[:2]) == (2, ["READY=1", "WATCHDOG=1"])


def test_an_unforeseen_error_is_one_line_in_the_log_and_on_the_display_and_it_is_tried_again_later(
    start: Callable[..., Stood],
) -> None:
    stood = start(ValueError("nobody has\nthought of it"))
    line = r"luckypaw: cannot start: ValueError: nobody has thought of it \(test_service\.py:\d+\)\n"
    assert re.fullmatch(line, stood.log)
    assert [lines[:2] for lines in stood.shown] == [["Lucky Paw cannot start", "ValueError: nobody has"]]
    assert (stood.status, stood.notified, stood.seconds >= STANDS_S) == (1, [], True)


def test_what_is_known_to_go_wrong_stands_on_the_display(start: Callable[..., Stood]) -> None:
    stood = start(PartLost("gpio", "gpio lost: No module named 'gpiod': pip install luckypaw[pi]"))
    assert stood.shown[0][1:3] == ["gpio lost: No module", "named 'gpiod': pip"]


def test_where_no_display_can_be_opened_it_waits_all_the_same(
    start: Callable[..., Stood], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("firmware.output.screens.notices.stands", None)
    assert start(ValueError()).seconds >= STANDS_S


@pytest.mark.usefixtures("start")
def test_what_fails_in_mid_game_is_started_again_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    async def run(app: App, stop: object, ready: Callable[[], None]) -> NoReturn:
        ready()
        raise ZeroDivisionError

    monkeypatch.setattr("firmware.table.app.run", run)
    with pytest.raises(ZeroDivisionError):
        program.main(["play", "--kit", "table", "--emulated", "--port", "0"])


@pytest.fixture
def runtime(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The service's folder below /run."""
    monkeypatch.setenv("RUNTIME_DIRECTORY", str(tmp_path))
    return tmp_path


RUNS = {  # what became of each run before, and whether this one goes on by itself
    "cut": True,
    "cut cut": False,  # a second crash in a row: people are asked
    "cut cut cut": True,
    "cut steady": True,  # a run that lasted counts as a new one
    "remove": False,  # it ended as it should
    "restore": False,  # it could not begin, and leaves the mark as it was
    "restore cut restore": True,
}


@pytest.mark.usefixtures("runtime")
@pytest.mark.parametrize(("runs", "goes_on"), RUNS.items())
def test_a_run_goes_on_by_itself_after_one_that_was_cut_short(runs: str, goes_on: bool) -> None:
    for end in runs.split():
        mark = service.RunMark()
        if end != "cut":
            getattr(mark, end)()
    assert service.RunMark().goes_on is goes_on


@pytest.mark.usefixtures("runtime")
@pytest.mark.parametrize(("ends", "heard_ns"), [("cut", 99), ("restore", 77), ("remove", None)])
def test_a_mark_says_until_when_its_run_has_listened(
    monkeypatch: pytest.MonkeyPatch, ends: str, heard_ns: int | None
) -> None:
    monkeypatch.setattr(service, "monotonic_ns", lambda: 77)
    monkeypatch.setattr(service, "BEAT_S", 0)
    asyncio.run(service.RunMark().beat(iter((True, True, False)).__next__))
    monkeypatch.setattr(service, "monotonic_ns", lambda: 99)
    mark = service.RunMark()
    assert mark.heard_ns == 77
    if ends != "cut":
        getattr(mark, ends)()
    assert service.RunMark().heard_ns == heard_ns


def test_a_mark_of_an_older_version_says_nothing_of_that(runtime: Path) -> None:
    (runtime / service.MARK).write_text("new")
    assert service.RunMark().heard_ns is None


def test_after_a_run_that_was_killed_the_log_says_how_long_nobody_listened(systemd: Systemd) -> None:
    for end in (signal.SIGKILL, signal.SIGTERM):
        systemd.start()
        systemd.receives()
        assert systemd.program is not None
        systemd.program.send_signal(end)
        log = systemd.program.communicate(timeout=PATIENCE_S)[1]
    assert re.search(r"^not listening for \d+ s$", log, re.MULTILINE)


HANGS = """
import re, resource, threading
from firmware import __main__ as program
from firmware.table.app import App

busy = threading.Lock()

def hangs_here(app, now_ns):
    print("hangs", flush=True)
    while True: {what}

App.step = hangs_here
resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
program.main(["play", "--emulated", "--port", "0"])
"""


@pytest.fixture
def hanging(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[subprocess.Popen[str]]:
    """The program, which hangs in a loop of these words; it is killed after `PATIENCE_S`."""
    played_before(tmp_path)
    with subprocess.Popen(
        [sys.executable, "-c", HANGS.format(what=request.param)],
        cwd=ROOT,
        env=untraced_environ() | {"STATE_DIRECTORY": str(tmp_path)},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as program:
        limit = threading.Timer(PATIENCE_S, program.kill)
        limit.start()
        assert program.stdout is not None and program.stdout.readline() == "hangs\n"
        yield program
        limit.cancel()
        program.kill()


@pytest.mark.parametrize("hanging", ["pass", "busy.acquire(); busy.acquire()"], indirect=True, ids=["a loop", "a lock"])
def test_the_watchdogs_signal_leaves_in_the_log_where_all_threads_are(hanging: subprocess.Popen[str]) -> None:
    hanging.send_signal(signal.SIGABRT)
    log = hanging.communicate(timeout=PATIENCE_S)[1]
    assert hanging.returncode == -signal.SIGABRT
    assert "in hangs_here" in log and "journal/writer.py" in log, log


@pytest.mark.parametrize("hanging", ["re.match('(a|a)+b', 'a' * 99)"], indirect=True)
def test_outside_python_it_leaves_where_the_main_thread_is(hanging: subprocess.Popen[str]) -> None:
    hanging.send_signal(signal.SIGABRT)
    assert hanging.stderr is not None
    assert any("in hangs_here" in line for line in hanging.stderr)


def test_a_page_that_cannot_be_served_costs_nobody_the_game(runtime: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    service.RunMark()  # of a run that was cut short
    monkeypatch.setenv("STATE_DIRECTORY", str(runtime))
    with closing(socket.create_server(("127.0.0.1", 0))) as taken, pytest.raises(SystemExit):
        program.main(["play", "--kit", "table", "--emulated", "--port", str(taken.getsockname()[1])])
    assert service.RunMark().goes_on


def test_a_folder_that_cannot_be_written_does_no_harm(runtime: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RUNTIME_DIRECTORY", str(runtime / "missing"))
    mark = service.RunMark()
    mark.steady()
    mark.remove()
    assert not mark.goes_on


def test_after_a_crash_the_game_is_back_without_a_question(tmp_path: Path) -> None:
    first = Rig(tmp_path)
    first.begin("Kitty Paw", *THREE)
    wanted = first.playing.play.state
    first.app.journal.held.release()  # the kernel gives it back; it was never closed
    rig = Rig(tmp_path)
    rig.app.go_on()
    assert rig.playing.play.state == wanted


def test_a_second_program_on_the_same_games_says_who_has_them_and_changes_nothing(tmp_path: Path) -> None:
    played_before(tmp_path)
    command = ("-m", "firmware", "play", "--emulated", "--port", "0")
    with Program(*command, STATE_DIRECTORY=str(tmp_path)) as kit:
        second = run(*command, STATE_DIRECTORY=str(tmp_path))
        said = f"process {kit.pid} uses these games: end it first\n"
        assert (second.returncode, second.stdout, second.stderr.endswith(said)) == (1, "", True)
        assert second.stderr.count("\n") == 1
    with Program(*command, STATE_DIRECTORY=str(tmp_path)):  # whatever has ended it, the kernel has given them back
        pass


def test_where_no_game_was_on_there_is_nothing_to_go_on_with(tmp_path: Path) -> None:
    rig = Rig(tmp_path)
    rig.app.go_on()
    assert "which game?" in rig.after(0).reads()


@pytest.fixture
def emulated() -> Kit:
    return open_emulated(TABLE, lambda *_: None, threaded=False)


def begun(folder: Path, kit: Kit, *, threaded: bool = False) -> closing[App]:
    return closing(App(kit, folder, now_ns=0, threaded=threaded))


def test_a_thread_of_journal_or_buttons_that_has_died_is_noticed(tmp_path: Path, emulated: Kit) -> None:
    with begun(tmp_path, open_emulated(TABLE, lambda *_: None), threaded=True) as app:
        assert app.hangs() is None
        app.journal.close()
        assert app.hangs() == "the journal's thread"
    with begun(tmp_path, replace(emulated, alive=lambda: False)) as app:
        assert app.hangs() == "the buttons' thread"


def test_it_is_ready_once_the_first_picture_is_out(tmp_path: Path, emulated: Kit) -> None:
    display, drawn = emulated.display, list[bool]()
    assert isinstance(display, EmulatedDisplay)
    with begun(tmp_path, emulated) as app:
        app.on_ready = lambda: drawn.append(display.picture().getbbox() is not None)
        for _ in range(3):
            app.step(0)
    assert drawn == [True]


def test_it_is_ready_without_a_display_once_that_is_known(tmp_path: Path, emulated: Kit) -> None:
    assert isinstance(emulated.display, EmulatedDisplay)
    emulated.display.unplug()
    ready: list[bool] = []
    with begun(tmp_path, emulated) as app:
        app.on_ready = lambda: ready.append(True)
        app.step(0)
        assert ready == []
        app.report("display", "display lost: nothing answers")
        app.step(0)
    assert ready == [True]


def test_the_last_picture_says_that_all_is_saved(tmp_path: Path) -> None:
    rig = Rig(tmp_path)
    rig.app.goodbye()
    assert "the plug may be pulled" in rig.reads()


def test_the_last_picture_does_not_claim_what_a_folder_in_memory_cannot_hold(tmp_path: Path) -> None:
    rig = Rig(tmp_path)
    rig.app._volatile = True  # noqa: SLF001 (as the program finds it at the start)
    rig.app.goodbye()
    assert "GONE without power" in rig.reads()


def test_games_in_memory_are_told_at_the_start() -> None:
    with TemporaryDirectory(dir="/dev/shm") as folder:
        played_before(Path(folder) / "luckypaw")
        with Program("-m", "firmware", "play", "--emulated", "--port", "0", XDG_STATE_HOME=folder) as started:
            _, _, log = started.end()
    assert log == "games are kept in memory only (tmpfs): gone without power\n"


def test_the_last_picture_says_what_is_not_saved(tmp_path: Path) -> None:
    (tmp_path / "state").mkdir()
    rig = Rig(tmp_path / "state")
    rig.begin("Kitty Paw", *THREE)
    rig.app.journal.path = tmp_path / "a file" / "journal.db"
    (tmp_path / "a file").touch()
    rig.app.journal._forget()  # noqa: SLF001 (the disk is another one now)
    rig.tap("P1").after(3000).ok()
    rig.app.goodbye()
    assert "NOT SAVED" in rig.reads()


def test_a_journal_whose_thread_has_died_is_written_at_the_end(tmp_path: Path, emulated: Kit) -> None:
    with begun(tmp_path, emulated, threaded=True) as app:
        app.journal._queue.put(None)  # noqa: SLF001 (what ends the thread)
        assert comes(lambda: not app.journal.alive())
        app.journal.begin_game("kitty_paw")
        assert app.journal.close()
