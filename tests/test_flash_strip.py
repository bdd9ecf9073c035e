"""`luckypaw strip flash`, with a stand-in for mpremote that knows one board: a folder for its files."""

import io
import json
import os
import subprocess
import termios
from collections.abc import Iterable, Iterator
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from types import SimpleNamespace

import pytest
from serial import Serial
from serial.tools import list_ports

from firmware.__main__ import main
from firmware.setup import flashing
from hardware.parts.strip import ports
from hardware.parts.strip.serial import open_port
from tests.simulators.controller import PROGRAM, Board
from tests.simulators.hostile_folder import hostile
from tests.simulators.pico import Pico
from tests.simulators.ports import device
from tests.simulators.waiting import PATIENCE_S, comes

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parent.parent
SCRIPT = ROOT / "scripts" / "flash-strip"

MPREMOTE = """
import os, shutil, sys
from pathlib import Path
desk, words = Path(os.environ["DESK"]), sys.argv[1:]
with (desk / "log").open("a") as log:
    log.write(" ".join(words) + "\\n")
if "exec" in words:
    sys.exit((desk / "deaf").exists())
if "cat" in words:
    sys.stdout.write((desk / "files" / "strip.json").read_text())
if "cp" in words:
    failures = (desk / "failures").read_text().splitlines() if (desk / "failures").exists() else []
    if failures:
        (desk / "failures").write_text("\\n".join(failures[1:]))
        sys.exit(1)
    for at, word in enumerate(words):
        if word == "cp":
            print("cp", words[at + 1])
            shutil.copyfile(words[at + 1], desk / "files" / words[at + 2].lstrip(":"))
"""
KIT = """
control = { kind = "knob", a = 17, b = 27, push = 24 }
players = [{ name = "P1", button = 5 }, { name = "P2", button = 6 }]
strip.leds = 42
build = { title = "Own", board = "pi-4b", button = "dome-45", strip_ma = 1200 }
"""


class Desk:
    """A desk with the stand-in for mpremote."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.folder = folder
        self.port = folder / "luckypaw-strip"
        self.files = folder / "files"
        self.files.mkdir()
        self.log = folder / "log"
        self.log.touch()
        self._ports: list[SimpleNamespace] = []
        monkeypatch.setattr(list_ports, "comports", lambda: self._ports)
        monkeypatch.setattr(ports, "BY_ID", folder / "by-id")
        monkeypatch.setattr(ports, "USB", folder / "usb")
        monkeypatch.setattr(flashing, "COMES_S", PATIENCE_S)
        monkeypatch.setattr(flashing, "COMMAND_S", PATIENCE_S)
        monkeypatch.setenv("DESK", str(folder))
        monkeypatch.setenv("XDG_STATE_HOME", str(folder / "state"))

    def stand_in(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Let mpremote be the stand-in."""
        (self.folder / "mpremote.py").write_text(MPREMOTE)
        monkeypatch.setenv("PYTHONPATH", str(self.folder))

    def lists(self, *found: Path | str) -> None:
        """Let these ports be Picos; there is always another port."""
        self._ports = [SimpleNamespace(device=str(port), vid=0x2E8A, pid=0x0005) for port in found]
        self._ports.append(SimpleNamespace(device="/dev/ttyS0", vid=None, pid=None))

    def run(self, *arguments: str) -> tuple[int, str, str]:
        """Run the command; its exit status, output and errors."""
        output, errors = io.StringIO(), io.StringIO()
        with redirect_stdout(output), redirect_stderr(errors), pytest.raises(SystemExit) as ended:
            main(["strip", "flash", *arguments])
        assert isinstance(ended.value.code, int)
        return ended.value.code, output.getvalue(), errors.getvalue()

    def commands(self) -> list[str]:
        """What mpremote was asked to do, by its first words."""
        return [" ".join(line.split()[:5]) for line in self.log.read_text().splitlines()]

    def answer(self, heard: bytes) -> bytes:
        """What the board says: once it was told to start anew, our program runs."""
        return b"LuckyPaw 1\r\n" if heard.endswith(b"v") and "reset" in self.log.read_text() else b""


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Desk:
    """A desk with nothing on it."""
    desk = Desk(tmp_path, monkeypatch)
    desk.stand_in(monkeypatch)
    return desk


@pytest.fixture
def fresh(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> Iterator[Desk]:
    """A desk with a Pico on which only MicroPython is."""
    monkeypatch.setattr(flashing, "ANSWER_S", 0.1)
    with device(desk.port, desk.answer):
        desk.lists(desk.port)
        yield desk


EIGHT_TO_300 = "must be a whole number from 8 to 300"


def names(paths: Iterable[Path]) -> set[str]:
    """What files are called."""
    return {path.name for path in paths}


def contents(folder: Path) -> dict[str, str]:
    """The program in a folder."""
    return {path.name: path.read_text() for path in folder.glob("*.py")}


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        *((f"--leds {wrong}", f"--leds {wrong}: {EIGHT_TO_300}") for wrong in ("7", "301")),
        ("--pin 29", "--pin 29: must be a pin on the Pico's edge: 0 to 22, 26, 27 or 28"),
        ("--pin 24", "--pin 24: must be a pin on the Pico's edge: 0 to 22, 26, 27 or 28"),
        ("--max-ma 99", "--max-ma 99: must be a whole number from 100 to 20000"),
        ("--max-ma 200 --leds 300", "--max-ma 200: must be more than 300, which 300 lamps take when dark"),
    ],
)
def test_what_cannot_be_is_refused_before_anything_is_done(desk: Desk, arguments: str, sentence: str) -> None:
    assert desk.run(*arguments.split()) == (2, "", f"luckypaw: {sentence}\n")
    assert desk.commands() == []


NO_PICO = "no Pico with MicroPython is plugged in: by a USB cable that carries data?"
TWO_PICOS = "several Picos are plugged in: unplug all but one, or name its port: /dev/ttyACM0, /dev/ttyACM1"


@pytest.mark.parametrize(
    ("there", "arguments", "sentence"),
    [
        ([], [], NO_PICO),
        (["/dev/ttyACM0", "/dev/ttyACM1"], [], TWO_PICOS),
        ([], ["--port", "/dev/ttyACM9"], "/dev/ttyACM9 is not there: is the Pico plugged in?"),
    ],
)
def test_where_no_one_pico_is_it_says_so(desk: Desk, there: list[str], arguments: list[str], sentence: str) -> None:
    desk.lists(*there)
    assert desk.run(*arguments) == (1, "", f"luckypaw: {sentence}\n")


@pytest.mark.parametrize(("product", "drive"), [("0003", "RPI-RP2"), ("000f", "RP2350")])
def test_a_pico_without_micropython_is_told_with_the_drive_to_copy_it_to(desk: Desk, product: str, drive: str) -> None:
    for name, vendor, number in (("usb1", "1d6b", "0002"), ("1-1", "2e8a", product)):
        (desk.folder / "usb" / name).mkdir(parents=True)
        (desk.folder / "usb" / name / "idVendor").write_text(f"{vendor}\n")
        (desk.folder / "usb" / name / "idProduct").write_text(f"{number}\n")
    status, _, errors = desk.run()
    assert (status, f"onto the drive {drive}." in errors) == (1, True)


def test_a_port_at_which_no_pico_answers_is_named(fresh: Desk) -> None:
    (fresh.folder / "deaf").touch()
    status, _, errors = fresh.run()
    assert (status, errors.startswith(f"luckypaw: {fresh.port} does not answer as a Pico should")) == (1, True)


def test_a_new_board_is_flashed_and_started(fresh: Desk) -> None:
    status, output, errors = fresh.run("--leds", "30", "--max-ma", "900")
    runs = f"The strip's program runs on {fresh.port}: 30 lamps WS2812 on GP16, at most 900 mA."
    then = "Next: [strip] in the kit's description, then luckypaw strip test."
    assert (status, output.splitlines()[-2:], errors) == (0, [runs, then], "")


def test_it_checks_then_copies_all_files_then_starts_anew(fresh: Desk) -> None:
    fresh.run()
    steps = [f"connect {fresh.port} resume {step}" for step in ("exec import", "fs cat", "fs cp", "reset")]
    assert fresh.commands() == steps
    assert names(fresh.files.iterdir()) == {"strip.json", *names(PROGRAM.glob("*.py"))}


def test_it_tells_how_far_it_is(fresh: Desk) -> None:
    files = len(list(PROGRAM.glob("*.py"))) + 1
    _, output, _ = fresh.run()
    told = [line for line in output.splitlines() if "file" in line]
    assert [line.split("file ")[1] for line in told] == [f"{n} of {files} ..." for n in range(1, files + 1)]


def test_copying_that_is_cut_off_is_begun_anew(fresh: Desk) -> None:
    (fresh.folder / "failures").write_text("once\ntwice\n")
    assert fresh.run()[0] == 0


def test_copying_that_fails_three_times_is_given_up(fresh: Desk) -> None:
    (fresh.folder / "failures").write_text("once\ntwice\nthrice\n")
    reason = "luckypaw: copying has failed: plug the Pico in, and start again\n"
    assert fresh.run()[::2] == (1, reason)


def test_a_plug_that_is_pulled_during_the_copy_is_told(fresh: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(flashing, "COMES_S", 0.2)
    (fresh.folder / "failures").write_text("once\n")
    monkeypatch.setattr(os, "access", lambda *_: not fresh.commands()[2:])
    assert fresh.run()[2].startswith("luckypaw: copying has failed")


def test_a_port_that_goes_while_it_is_opened_is_looked_at_again(fresh: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    errors = [termios.error(5, "Input/output error")]

    def gone_once(port: str) -> Serial:
        if errors:
            raise errors.pop()
        return open_port(port)

    monkeypatch.setattr(flashing, "open_port", gone_once)
    assert (fresh.run()[0], errors) == (0, [])


def test_an_mpremote_that_hangs_is_ended(fresh: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(flashing, "COMMAND_S", 0.3)
    (fresh.folder / "mpremote.py").write_text("import time\ntime.sleep(60)\n")
    status, _, errors = fresh.run()
    assert (status, "does not answer as a Pico should" in errors) == (1, True)


def test_the_settings_are_those_of_the_options_and_the_controller_takes_them(fresh: Desk, tmp_path: Path) -> None:
    fresh.run("--leds", "144", "--pin", "2", "--kind", "SK6812", "--max-ma", "2500")
    written = (fresh.files / "strip.json").read_text()
    assert json.loads(written) == {"leds": 144, "pin": 2, "kind": "SK6812", "max_mA": 2500}
    folder = tmp_path / "another"
    folder.mkdir()
    with Board(folder, written) as board:
        assert (board.greeting, board.told[0]) == ([], "strip 2 144 4")


def written(desk: Desk, *arguments: str) -> tuple[int, int, int, str]:
    """The settings on the board after a flash: lamps, limit, pin and kind."""
    desk.run(*arguments)
    there = json.loads((desk.files / "strip.json").read_text())
    return there["leds"], there["max_mA"], there["pin"], there["kind"]


def test_without_a_description_the_usual_settings_are_written(fresh: Desk) -> None:
    assert written(fresh) == (60, 500, 16, "WS2812")


def test_lamps_and_limit_are_those_of_the_description(fresh: Desk) -> None:
    file = fresh.folder / "kit.toml"
    file.write_text(KIT)
    assert written(fresh, "--config", str(file)) == (42, 1200, 16, "WS2812")


def test_pin_and_kind_stay_as_they_are_on_the_board(fresh: Desk) -> None:
    (fresh.files / "strip.json").write_text('{"leds": 144, "pin": 2, "kind": "SK6812", "max_mA": 2500}')
    assert written(fresh) == (60, 500, 2, "SK6812")


@pytest.mark.parametrize("there", ["", "[]", '{"leds": 9}', '{"pin": 99, "kind": "neon"}'])
def test_damaged_settings_on_the_board_are_replaced_by_the_usual_ones(fresh: Desk, there: str) -> None:
    (fresh.files / "strip.json").write_text(there)
    assert written(fresh) == (60, 500, 16, "WS2812")


def test_the_script_runs_the_command(tmp_path: Path) -> None:
    programs = tmp_path / "bin"
    programs.mkdir()
    for name, text in (("python", ""), ("luckypaw", 'echo "$@"')):
        (programs / name).write_text(f"#!/bin/sh\n{text}\n")
        (programs / name).chmod(0o755)
    wanted = f"{ROOT}\n{(ROOT / 'pyproject.toml').read_text()}"
    (tmp_path / "luckypaw-flash").write_text(wanted)  # so nothing is installed
    ran = subprocess.run(
        [SCRIPT, "--leds", "30"],
        env={**os.environ, "LUCKYPAW_VENV": str(tmp_path)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert ran.stdout == "strip flash --leds 30\n"


@pytest.fixture
def pico(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Desk]:
    """A desk with the real mpremote and a board on which only MicroPython is."""
    desk = Desk(tmp_path, monkeypatch)
    board = Pico(desk.files, desk.port)
    assert comes(desk.port.exists)
    yield desk
    board.pull()


def test_no_file_of_the_folder_in_which_it_runs_is_executed(
    pico: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    marks = tmp_path / "marks"
    marks.mkdir()
    monkeypatch.chdir(hostile(tmp_path / "here", marks))
    assert pico.run("--port", str(pico.port))[::2] == (0, "")
    assert list(marks.iterdir()) == []


def test_a_real_board_gets_the_program_byte_for_byte_and_another_while_it_runs(
    pico: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    done = pico.run("--port", str(pico.port), "--leds", "30")
    assert (done[::2], contents(pico.files)) == ((0, ""), contents(PROGRAM))
    monkeypatch.setattr(flashing, "ANSWER_S", 10)  # a busy board
    status, output, errors = pico.run("--port", str(pico.port), "--leds", "31")
    assert (status, errors, "its program ends" in output) == (0, "", True)
    with Serial(str(pico.port), timeout=PATIENCE_S) as line:
        line.write(b'\n{"v":true}\n')
        assert b'"count":31' in line.readline()
