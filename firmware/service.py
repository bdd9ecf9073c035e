"""What the program and systemd say to each other: ready, alive, ending; and whether the run before was cut short.

Where nobody started it as a service, nothing is said, and there is no mark.
"""

import os
import socket
from contextlib import suppress
from pathlib import Path

MARK = "running"  # in the service's folder below /run: there while it runs, and gone with the boot


def tell(state: str) -> None:
    """Send a state to systemd, such as `READY=1`. Never blocks and never raises: nobody may be listening."""
    address = os.environ.get("NOTIFY_SOCKET", "")
    if not address.startswith(("/", "@")):
        return
    if address[0] == "@":
        address = "\0" + address[1:]
    kind = socket.SOCK_DGRAM | socket.SOCK_NONBLOCK
    # where it cannot be told, systemd will see by itself that nothing comes
    with suppress(OSError), socket.socket(socket.AF_UNIX, kind) as sender:
        sender.sendto(state.encode(), address)


def here() -> bool:
    """Whether this program was started as a service that reports."""
    return "NOTIFY_SOCKET" in os.environ


def watchdog_s() -> float | None:
    """How often systemd wants to hear `WATCHDOG=1` from this process, in s; None: never."""
    if os.environ.get("WATCHDOG_PID", str(os.getpid())) != str(os.getpid()):
        return None  # meant for the process that started this one
    given = os.environ.get("WATCHDOG_USEC", "")
    return int(given) / 1e6 if given.isdecimal() and int(given) > 0 else None


class RunMark:
    """A file that stands while the service runs, so that the next run knows how this one ended.

    systemd keeps its folder from a crash to the restart, and takes it away when the service is stopped.
    """

    def __init__(self) -> None:
        """Look for the last run's mark, and put this one's in its place. Nothing in here raises."""
        folder = os.environ.get("RUNTIME_DIRECTORY", "").split(":")[0]
        self._path = Path(folder) / MARK if folder else None
        self._found = self._read()
        # A game that makes the program crash would do so for ever: after two crashes in a row people are asked.
        self.goes_on = self._found == "new"
        self._write("resumed" if self.goes_on else "new")

    def steady(self) -> None:
        """The run has lasted: if it is cut short from here on, the game goes on by itself again."""
        self._write("new")

    def restore(self) -> None:
        """The run could not begin, which was not the game's doing: the next one finds what this one has found."""
        if self._found is None:
            self.remove()
        else:
            self._write(self._found)

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

    def _write(self, text: str) -> None:
        if self._path is not None:
            with suppress(OSError):
                self._path.write_text(text)
