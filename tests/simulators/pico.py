"""A Raspberry Pi Pico: a real MicroPython at a serial port, which the real mpremote can talk to."""

import os
import pty
import subprocess
import time
import tty
from pathlib import Path
from threading import Thread

from tests.simulators.controller import environment, micropython


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
