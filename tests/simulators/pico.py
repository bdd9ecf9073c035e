"""A Raspberry Pi Pico: a real MicroPython at a serial port, which the real mpremote can talk to."""

import os
import pty
import subprocess
import tty
from pathlib import Path
from threading import Event, Thread

from tests.simulators.controller import environment, micropython

RESTART_S = 0.3  # until USB knows it again


def board(files: Path, line: int, lit: int = subprocess.DEVNULL) -> subprocess.Popen[bytes]:
    """A board with these files, at this line, until it is reset. What its lamps are sent is written to `lit`."""
    main = ["main.py"] if (files / "main.py").exists() else []
    return subprocess.Popen(
        [micropython(), "-i", *main],
        cwd=files,
        env=environment("live", program=files),
        stdin=line,
        stdout=line,
        stderr=lit,
    )


class Pico:
    """A board with a real MicroPython on it, which the real mpremote can talk to; it starts anew when it is reset.

    It is plugged in: its port is there.
    """

    def __init__(self, folder: Path, port: Path) -> None:
        self._folder = folder
        self._port = port
        self._pulled = Event()
        self._start()
        self._thread = Thread(target=self._run)
        self._thread.start()

    def pull(self) -> None:
        """Pull the plug."""
        self._pulled.set()
        while self._thread.is_alive():  # it may just have started anew
            self._program.kill()
            self._thread.join(0.01)

    def _start(self) -> None:
        end, self._line = pty.openpty()
        tty.setraw(self._line)
        self._program = board(self._folder, end)
        os.close(end)
        self._port.symlink_to(os.ttyname(self._line))

    def _run(self) -> None:
        while True:
            self._program.wait()
            self._port.unlink()
            os.close(self._line)
            if self._pulled.wait(RESTART_S):
                return
            self._start()
