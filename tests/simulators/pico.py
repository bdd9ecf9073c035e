"""A Raspberry Pi Pico: a real MicroPython at a serial port, which the real mpremote can talk to."""

import os
import pty
import subprocess
import time
import tty
from pathlib import Path
from threading import Thread

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
            end, line = pty.openpty()
            tty.setraw(line)
            self._program = board(self._folder, end)
            os.close(end)
            self._port.symlink_to(os.ttyname(line))
            self._program.wait()
            self._port.unlink()
            os.close(line)
            time.sleep(RESTART_S)
