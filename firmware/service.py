"""Notifications to systemd: ready, alive, ending; and a mark that shows whether the last run was cut short.

Outside a service nothing is sent, and there is no mark.
"""

import asyncio
import faulthandler
import os
import signal
import socket
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from time import monotonic_ns
from types import FrameType

LISTEN_FDS_START = 3  # sd_listen_fds(3)
MARK = "running"  # in the service's folder below /run: exists while it runs, and until the next boot
STATM = Path("/proc/self/statm")  # proc(5): the second number is what is in memory, in pages
BEAT_S = 1.0  # so often the mark is told that the run listens


def notify(state: str) -> None:
    """Send a state to systemd, such as `READY=1`. Never blocks and never raises."""
    address = os.environ.get("NOTIFY_SOCKET", "")
    if not address.startswith(("/", "@")):
        return
    if address[0] == "@":
        address = "\0" + address[1:]
    kind = socket.SOCK_DGRAM | socket.SOCK_NONBLOCK
    # an error is ignored: systemd notices a missing message by itself
    with suppress(OSError), socket.socket(socket.AF_UNIX, kind) as sender:
        sender.sendto(state.encode(), address)


def memory_mb() -> int:
    """How much of this program is in memory, MB; 0: the system does not tell."""
    try:
        return int(STATM.read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") >> 20
    except (OSError, ValueError):
        return 0


def here() -> bool:
    """Whether this program was started as a service that reports."""
    return "NOTIFY_SOCKET" in os.environ


def watchdog_s() -> float | None:
    """The time in s within which systemd wants a `WATCHDOG=1` from this process; None: no watchdog."""
    if os.environ.get("WATCHDOG_PID", str(os.getpid())) != str(os.getpid()):
        return None  # meant for the process that started this one
    given = os.environ.get("WATCHDOG_USEC", "")
    return int(given) / 1e6 if given.isdecimal() and int(given) > 0 else None


def leave_stacks() -> None:
    """Leave in the log where the program is when it crashes, or hangs and is aborted by systemd's watchdog.

    Call it in the main thread. A signal handler may read the stack of its own thread only: another thread may run
    meanwhile, and reading its stack would crash (cpython issue 131580). The others are read from Python; where the main
    thread hangs outside Python, they are not, and systemd ends the program (`TimeoutAbortSec`).
    """
    signal.signal(signal.SIGABRT, _leave_all_stacks)  # called after faulthandler's own handler
    faulthandler.enable(2, all_threads=False)


def _leave_all_stacks(number: int, _frame: FrameType | None) -> None:
    faulthandler.dump_traceback(2)
    signal.signal(number, signal.SIG_DFL)
    signal.raise_signal(number)


def given_listener() -> socket.socket | None:
    """A copy of the listening socket that systemd has opened for this process; None: it has opened none."""
    if os.environ.get("LISTEN_PID") != str(os.getpid()) or os.environ.get("LISTEN_FDS", "0") == "0":
        return None
    return socket.socket(fileno=os.dup(LISTEN_FDS_START))  # whoever serves closes theirs, and may come again


class RunMark:
    """A file that exists while the service runs, so that the next run knows how this one ended.

    systemd keeps its folder from a crash to the restart, and removes it when the service is stopped. The time of the
    file is CLOCK_MONOTONIC: until then the run has listened.
    """

    def __init__(self) -> None:
        """Read the last run's mark, and replace it by this one's. No method raises."""
        folder = os.environ.get("RUNTIME_DIRECTORY", "").split(":")[0]
        self._path = Path(folder) / MARK if folder else None
        self._last = self._read()
        # CLOCK_MONOTONIC until which a run that was cut short is known to have listened; None: there was none
        self.heard_ns = self._heard()
        # a game that makes the program crash would do so for ever: after two crashes in a row people are asked
        self.goes_on = self._last == "new"
        self._write("resumed" if self.goes_on else "new")

    async def beat(self, listens: Callable[[], bool]) -> None:
        """Note each second that the run listens, as long as it does and this task runs."""
        while self._path is not None and listens():
            self._touch(monotonic_ns())
            await asyncio.sleep(BEAT_S)

    def steady(self) -> None:
        """The run has lasted: if it is cut short from here on, the game goes on by itself again."""
        self._write("new")

    def restore(self) -> None:
        """The run could not begin, through no fault of the game: put back the last run's mark."""
        if self._last is None:
            self.remove()
        else:
            self._write(self._last, self.heard_ns)

    def remove(self) -> None:
        """The run has ended as it should."""
        if self._path is not None:
            with suppress(OSError):
                self._path.unlink(missing_ok=True)

    def _read(self) -> str | None:
        try:
            return None if self._path is None else self._path.read_text()
        except OSError:
            return None

    def _heard(self) -> int | None:
        if self._path is None:
            return None
        try:
            heard_ns = self._path.stat().st_mtime_ns
        except OSError:
            return None
        return heard_ns if heard_ns <= monotonic_ns() else None  # an older version left the time of day

    def _write(self, text: str, heard_ns: int | None = None) -> None:
        if self._path is not None:
            with suppress(OSError):
                self._path.write_text(text)
            self._touch(monotonic_ns() if heard_ns is None else heard_ns)

    def _touch(self, heard_ns: int) -> None:
        if self._path is not None:
            with suppress(OSError):
                os.utime(self._path, ns=(heard_ns, heard_ns))
