"""scripts/flash-strip, with a stand-in for mpremote that knows one board: a folder for its files."""

import json
import os
import pty
import shutil
import subprocess
import sys
import time
import tty
from collections.abc import Iterable, Iterator
from pathlib import Path
from threading import Thread

import pytest
from serial import Serial

from tests.simulators.controller import PROGRAM, Board, Controller, environment, micropython
from tests.simulators.ports import plugged
from tests.simulators.waiting import comes

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parent.parent
SCRIPT = ROOT / "scripts" / "flash-strip"

MPREMOTE = """#!/usr/bin/env bash
echo "$*" >>"$DESK/log"
case "$*" in
  "connect list") cat "$DESK/list" ;;
  *" exec "*) [[ ! -e $DESK/deaf ]] ;;
  *" fs cp "*)
    if [[ -s $DESK/failures ]]; then
      sed -i 1d "$DESK/failures"
      exit 1
    fi
    shift 3
    while (($#)); do
      cp "$4" "$DESK/files/${5#:}"
      shift 5
    done
    ;;
esac
"""


class Desk:
    """A project's environment with the stand-in in it, and the board's port, at which nobody answers yet."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.controller = Controller(folder, 30)
        self.port = self.controller.port
        self.files = folder / "files"
        self.files.mkdir()
        self.log = folder / "log"
        self.log.touch()
        self.lists()
        programs = folder / "venv" / "bin"
        programs.mkdir(parents=True)
        (programs / "python").symlink_to(sys.executable)
        (programs / "mpremote").write_text(MPREMOTE)
        (programs / "mpremote").chmod(0o755)
        wanted = f"{ROOT}\n{(ROOT / 'pyproject.toml').read_text()}"
        (folder / "venv" / "luckypaw-flash").write_text(wanted)  # so nothing is installed

    def lists(self, *ports: Path | str) -> None:
        """Let these ports be Picos; there is always another port."""
        lines = [f"{port} e66164084373532b 2e8a:0005 MicroPython Board in FS mode" for port in ports]
        (self.folder / "list").write_text("\n".join(["/dev/ttyS0 None 0000:0000 None None", *lines, ""]))

    def start(self, *arguments: str) -> subprocess.Popen[str]:
        """Start the script."""
        return subprocess.Popen(
            [SCRIPT, *arguments],
            env={**os.environ, "LUCKYPAW_VENV": str(self.folder / "venv"), "DESK": str(self.folder)},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def run(self, *arguments: str) -> tuple[int, str, str]:
        """Run the script; its exit status, output and errors."""
        script = self.start(*arguments)
        output, errors = script.communicate()
        return script.returncode, output, errors

    def commands(self) -> list[str]:
        """What mpremote was asked to do, by its first words."""
        return [" ".join(line.split()[:5]) for line in self.log.read_text().splitlines()]

    def flash(self, *arguments: str) -> tuple[int, str, str]:
        """Run the script, and start the controller when it is told to start anew."""
        script = self.start(*arguments)
        assert comes(lambda: "reset" in self.log.read_text() or script.poll() is not None, 20)
        self.controller.unplug()
        self.port.unlink(missing_ok=True)
        self.controller.plug()
        output, errors = script.communicate()
        return script.returncode, output, errors


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    """A desk with nothing on it."""
    desk = Desk(tmp_path)
    yield desk
    desk.controller.unplug()


@pytest.fixture
def fresh(desk: Desk) -> Iterator[Desk]:
    """A desk with a Pico on which only MicroPython is."""
    with plugged(desk.port):
        desk.lists(desk.port)
        yield desk


EIGHT_TO_300 = "allowed is a whole number from 8 to 300"


def names(paths: Iterable[Path]) -> set[str]:
    """What files are called."""
    return {path.name for path in paths}


def contents(folder: Path) -> dict[str, str]:
    """The program in a folder."""
    return {path.name: path.read_text() for path in folder.glob("*.py")}


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        *((f"--leds {wrong}", f"--leds {wrong}: {EIGHT_TO_300}") for wrong in ("7", "301", "060", "many")),
        ("--leds", "--leds needs a value"),
        ("--pin 29", "--pin 29: allowed is a whole number from 0 to 28"),
        ("--pin 24", "--pin 24: that pin is not on the Pico's edge; allowed are 0 to 22, 26, 27 and 28"),
        ("--kind ws2812", "--kind ws2812: allowed is WS2812 or SK6812"),
        ("--max-ma 99", "--max-ma 99: allowed is a whole number from 100 to 20000"),
        ("--max-ma 200 --leds 300", "--max-ma 200: 300 lamps take that much while they are dark"),
        ("--lamps 9", "--lamps is unknown; see scripts/flash-strip --help"),
        ("60", "60 is unknown; see scripts/flash-strip --help"),
    ],
)
def test_what_cannot_be_is_refused_before_anything_is_done(desk: Desk, arguments: str, sentence: str) -> None:
    assert desk.run(*arguments.split()) == (2, "", f"scripts/flash-strip: {sentence}\n")
    assert desk.commands() == []


def test_help_names_every_option(desk: Desk) -> None:
    _, output, _ = desk.run("--help")
    assert all(f"--{name}" in output for name in ("port", "leds", "pin", "kind", "max-ma"))


NO_PICO = "No Pico with MicroPython is plugged in (new board? firmware/strip_controller/README.md, Flashing)."
TWO_PICOS = "Several Picos are plugged in (/dev/ttyACM0 /dev/ttyACM1); say which one: --port /dev/ttyACM0"


@pytest.mark.parametrize(
    ("ports", "arguments", "sentence"),
    [
        ([], [], NO_PICO),
        (["/dev/ttyACM0", "/dev/ttyACM1"], [], TWO_PICOS),
        ([], ["--port", "/dev/ttyACM9"], "/dev/ttyACM9 is not there."),
    ],
)
def test_where_no_one_pico_is_it_says_so(desk: Desk, ports: list[str], arguments: list[str], sentence: str) -> None:
    desk.lists(*ports)
    assert desk.run(*arguments) == (1, "", f"{sentence}\n")


def test_a_port_at_which_no_pico_answers_is_named(fresh: Desk) -> None:
    (fresh.folder / "deaf").touch()
    status, _, errors = fresh.run()
    assert (status, errors.startswith(f"{fresh.port} does not answer as a Pico should")) == (1, True)


def test_a_new_board_is_flashed_and_started(fresh: Desk) -> None:
    status, output, errors = fresh.flash("--leds", "30", "--max-ma", "900")
    runs = f"The strip's program runs on {fresh.port}: 30 lamps WS2812 on GP16, at most 900 mA."
    then = f'Next: [strip] in kit.toml (with port = "{fresh.port}" if there are several), then luckypaw strip test.'
    assert (status, output.splitlines()[-2:], errors) == (0, [runs, then], "")


def test_it_checks_then_copies_all_files_then_starts_anew(fresh: Desk) -> None:
    fresh.flash()
    steps = [f"connect {fresh.port} resume {step}" for step in ("exec import", "+ fs", "reset")]
    assert fresh.commands() == ["connect list", *steps]
    assert names(fresh.files.iterdir()) == {"strip.json", *names(PROGRAM.glob("*.py"))}


def test_copying_that_is_cut_off_is_begun_anew(fresh: Desk) -> None:
    (fresh.folder / "failures").write_text("once\ntwice\n")
    assert fresh.flash()[0] == 0


def test_copying_that_fails_three_times_is_given_up(fresh: Desk) -> None:
    (fresh.folder / "failures").write_text("once\ntwice\nthrice\n")
    status, _, errors = fresh.run()
    assert (status, errors.startswith("Copying failed; the reason stands above.")) == (1, True)


def test_the_settings_are_those_of_the_options_and_the_controller_takes_them(fresh: Desk, tmp_path: Path) -> None:
    fresh.flash("--leds", "144", "--pin", "2", "--kind", "SK6812", "--max-ma", "2500")
    written = (fresh.files / "strip.json").read_text()
    assert json.loads(written) == {"leds": 144, "pin": 2, "kind": "SK6812", "max_mA": 2500}
    folder = tmp_path / "another"
    folder.mkdir()
    with Board(folder, written) as board:
        assert (board.greeting, board.told[0]) == ([], "strip 2 144 4")


class Pico:
    """A board with a real MicroPython on it, which the real mpremote can talk to; it starts anew when it is reset."""

    def __init__(self, folder: Path, port: Path) -> None:
        self._folder = folder
        self._port = port
        self._pulled = False
        self._program: subprocess.Popen[bytes] | None = None
        self._thread = Thread(target=self._run)
        self._thread.start()

    def pull(self) -> None:
        """Pull the plug."""
        self._pulled = True
        if self._program is not None:
            self._program.kill()
        self._thread.join()

    def _run(self) -> None:
        while not self._pulled:
            board, line = pty.openpty()
            tty.setraw(line)
            main = ["main.py"] if (self._folder / "main.py").exists() else []
            self._program = subprocess.Popen(
                [micropython(), "-i", *main],
                cwd=self._folder,
                env=environment("live", program=self._folder),
                stdin=board,
                stdout=board,
                stderr=subprocess.DEVNULL,
            )
            os.close(board)
            self._port.symlink_to(os.ttyname(line))
            self._program.wait()
            self._port.unlink()
            os.close(line)
            time.sleep(0.3)  # a while until USB knows it again


@pytest.fixture
def pico(desk: Desk) -> Iterator[Desk]:
    """A desk with the real mpremote and a board on which only MicroPython is."""
    mpremote = shutil.which("mpremote", path=os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]]))
    assert mpremote is not None
    in_venv = desk.folder / "venv" / "bin" / "mpremote"
    in_venv.unlink()
    in_venv.symlink_to(mpremote)
    board = Pico(desk.files, desk.port)
    assert comes(desk.port.exists)
    yield desk
    board.pull()


def test_a_real_board_gets_the_program_byte_for_byte(pico: Desk) -> None:
    assert pico.run("--port", str(pico.port))[::2] == (0, "")
    assert contents(pico.files) == contents(PROGRAM)


def test_a_real_board_whose_program_runs_is_asked_to_leave_and_flashed(pico: Desk) -> None:
    pico.run("--port", str(pico.port), "--leds", "30")
    status, output, errors = pico.run("--port", str(pico.port), "--leds", "31")
    leave = f"The strip's program runs on {pico.port}; it is asked to end."
    assert (status, errors, output.splitlines()[0]) == (0, "", leave)
    with Serial(str(pico.port), timeout=2) as line:
        line.write(b'\n{"v":true}\n')
        assert b'"count":31' in line.readline()
