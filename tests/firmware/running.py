"""The program in a process of its own: its files and memory, and its answers, byte by byte."""

import os
import re
import signal
import socket
import subprocess
import sys
from pathlib import Path

from tests.firmware.browser import SOON_S

ROOT = Path(__file__).parents[2]
END_S = 30.0  # far longer than it takes to end, even on a busy machine


class Program:
    """The program in a process of its own, with its state in a folder."""

    def __init__(self, state: Path, *command: str) -> None:
        self._stderr = state / "stderr"
        with self._stderr.open("w") as stderr:
            self._process = subprocess.Popen(
                [sys.executable, "-m", *command],
                cwd=ROOT,
                env={**os.environ, "STATE_DIRECTORY": str(state)},
                stdout=subprocess.PIPE,
                stderr=stderr,
                text=True,
            )
        assert self._process.stdout is not None
        found = re.search(r"http://127\.0\.0\.1:(\d+)/", self._process.stdout.readline())
        assert found is not None, self._stderr.read_text()
        self.port = int(found[1])

    def __enter__(self) -> "Program":
        return self

    def __exit__(self, *_: object) -> None:
        with self._process:  # waits, and closes its pipe
            self._process.kill()

    @property
    def files(self) -> int:
        """How many it has open."""
        return len(list(Path(f"/proc/{self._process.pid}/fd").iterdir()))

    @property
    def memory_kib(self) -> int:
        """How much of it is in memory."""
        found = re.search(r"VmRSS:\s+(\d+)", Path(f"/proc/{self._process.pid}/status").read_text())
        assert found is not None
        return int(found[1])

    def end(self) -> tuple[int, str]:
        """End it by SIGTERM: its status and its log."""
        self._process.send_signal(signal.SIGTERM)
        return self._process.wait(END_S), self._stderr.read_text()


def line_to(port: int) -> socket.socket:
    """A connection."""
    line = socket.create_connection(("127.0.0.1", port), SOON_S)
    line.settimeout(SOON_S)
    return line


def answer(port: int, words: bytes) -> bytes:
    """All that is answered until the connection ends; empty where it is cut off."""
    received = b""
    with line_to(port) as line:
        try:
            line.sendall(words)
            line.shutdown(socket.SHUT_WR)
            while more := line.recv(65536):
                received += more
        except TimeoutError:
            raise
        except OSError:
            return received
    return received


def status(answered: bytes) -> int:
    """The status of an answer; 0 where the connection was cut off without one."""
    return int(answered.split()[1]) if answered else 0


def get(path: str, host: str = "localhost", more: str = "", verb: str = "GET") -> bytes:
    """A request."""
    return f"{verb} {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n{more}\r\n".encode()
