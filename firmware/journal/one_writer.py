"""One program at a time writes the games of a state folder; the kernel gives that back whenever the program ends."""

import fcntl
import os
from contextlib import suppress
from pathlib import Path

from engine.words import N_
from firmware import service
from firmware.state_folder import IN_USE


class InUse(Exception):
    """Another program writes in this folder. The text is for people, and says what to do."""


class Held:
    """A folder that is held, until `release` or the end of the process."""

    def __init__(self, handle: int | None) -> None:
        self._handle = handle

    def release(self) -> None:
        """Give it back."""
        if self._handle is not None:
            os.close(self._handle)
            self._handle = None


def hold(place: Path) -> Held:
    """Hold a folder. Raises `InUse`. A folder in which nobody can write needs nobody to hold it."""
    try:
        place.mkdir(exist_ok=True)
        handle = os.open(place / IN_USE, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o664)
    except OSError:
        return Held(None)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        who = _who(handle)
        os.close(handle)
        raise InUse(who) from None
    except OSError:  # a file system without locks
        return Held(handle)
    with suppress(OSError):
        os.ftruncate(handle, 0)
        os.write(handle, f"{os.getpid()} {'service' if service.here() else 'play'}\n".encode())
    return Held(handle)


def _who(handle: int) -> str:
    """Who holds it, in a sentence."""
    with suppress(OSError):
        process, _, kind = os.pread(handle, 64, 0).decode(errors="replace").strip().partition(" ")
        if kind == "service":
            return N_("the service plays with these games: stop it first, sudo systemctl stop luckypaw")
        if process.isdecimal():
            return N_("process {number} plays with these games: end that one first", number=process)
    return N_("another program plays with these games: end that one first")
