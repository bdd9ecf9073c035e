"""A terminal with a program in it, as people see it: what they type and read, and its window, which they may close."""

import os
import pty
import signal
import subprocess
import termios
from collections.abc import Callable
from fcntl import ioctl
from pathlib import Path
from select import select
from typing import NamedTuple, Self

from tests.simulators.program import ROOT
from tests.simulators.waiting import PATIENCE_S, until
from tests.simulators.without_coverage import untraced_environ

TICK_S = 0.02


class Terminal:
    """Its program, which is killed on leaving. `own`: it is the one that hears of the terminal's keys and its end."""

    def __init__(self, *command: str | Path, folder: Path = ROOT, own: bool = True, **environ: str) -> None:
        self._window: int | None
        self._window, near = pty.openpty()
        self.written = ""
        self.program = subprocess.Popen(
            command,
            cwd=folder,
            env=untraced_environ() | {"PYTHONPATH": str(ROOT), "PYTHONUNBUFFERED": "1"} | environ,
            stdin=near,
            stdout=near,
            stderr=near,
            start_new_session=True,
            preexec_fn=_takes_it if own else None,  # noqa: PLW1509 (no thread runs yet)
        )
        os.close(near)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.program.kill()
        self.program.wait()
        self.close()

    def read(self) -> None:
        """What is written just now."""
        if self._window is not None and select([self._window], [], [], TICK_S)[0]:
            try:
                self.written += os.read(self._window, 4096).decode(errors="replace")
            except OSError:  # nobody writes any more
                self.close()

    def says(self, words: str) -> None:
        """Wait until these words were written."""
        until(lambda: words in self.written, lambda: f"{words!r}: {self.written}", meanwhile=self.read)

    def type(self, keys: str) -> None:
        """Press keys."""
        assert self._window is not None
        os.write(self._window, keys.encode())

    def close(self) -> None:
        """Close the window."""
        if self._window is not None:
            os.close(self._window)
            self._window = None

    def end(self, how: Callable[[Self], object]) -> int:
        """End the program in this way: its status."""
        how(self)
        until(lambda: self.program.poll() is not None, lambda: f"it ends: {self.written}", PATIENCE_S, self.read)
        return self.program.returncode


def _takes_it() -> None:
    for number in (signal.SIGINT, signal.SIGQUIT, signal.SIGHUP):  # whoever runs the tests may ignore them
        signal.signal(number, signal.SIG_DFL)
    ioctl(0, termios.TIOCSCTTY, 0)


class Way(NamedTuple):
    """How people end a program that has a terminal, and its status then."""

    end: Callable[[Terminal], object]
    broken_off: int  # where it is in the middle of something
    done: int = 0  # where it runs until it is ended; 1: it could not print its rest


def _told_twice(terminal: Terminal) -> None:
    terminal.close()
    terminal.program.send_signal(signal.SIGHUP)


WAYS = {
    "Ctrl-C": Way(lambda terminal: terminal.type("\x03"), 130),
    "Ctrl-backslash": Way(lambda terminal: terminal.type("\x1c"), 131),
    "kill": Way(lambda terminal: terminal.program.terminate(), 143),
    "its window is closed": Way(Terminal.close, 129, 1),  # the same where ssh loses its line
    "its window is closed, and the shell says so": Way(_told_twice, 129, 1),
}
