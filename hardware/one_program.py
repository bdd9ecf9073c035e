"""One program at a time uses the kit's parts, or writes games; the kernel gives them back whenever that program ends.

Each is a lock of flock(2): on a file beside the games; for the parts on the folder /dev, as that needs no right to
write. The kernel tells who has it (/proc/locks), also where that is another user's program.
"""

import fcntl
import os
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from hardware.words import N_

ROOT = Path("/")
DEVICES = "dev"  # the folder, below the root, that stands for all parts
SERVICE = "luckypaw.service"
PARTS, GAMES = N_("this kit's parts"), N_("these games")


class Holder(NamedTuple):
    """The program that has it."""

    process: int
    service: bool  # systemd has started it


class InUse(Exception):
    """Another program has it. The text is for people, and says what to do."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.text = text


class Held:
    """What is held, until `release` or the end of the process."""

    def __init__(self, handle: int | None, *, locks: bool = True) -> None:
        """`locks`: whether the file system has any."""
        self._handle, self.locks = handle, locks

    def release(self) -> None:
        """Give it back."""
        if self._handle is not None:
            os.close(self._handle)
            self._handle = None

    def __enter__(self) -> "Held":
        return self

    def __exit__(self, *_: object) -> None:
        self.release()


def hold_parts(root: Path = ROOT) -> Held:
    """Hold all parts of the kit. Raises `InUse`."""
    return _hold(root / DEVICES, PARTS, root)


def hold_games(file: Path) -> Held:
    """Hold the games beside this file; it and its folder are made. Raises `InUse`."""
    with suppress(OSError):  # a folder in which nobody can write needs nobody to hold it
        file.parent.mkdir(exist_ok=True)
        file.touch(0o664)
    return _hold(file, GAMES, ROOT)


def _hold(place: Path, what: str, root: Path) -> Held:
    try:
        handle = _opened(place)
    except OSError:
        return Held(None)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(handle)
        raise InUse(_said(_holder(place, root), what)) from None
    except OSError:  # as that of some shares
        return Held(handle, locks=False)
    return Held(handle)


def _opened(place: Path) -> int:
    """To be written to, where that can be: NFS locks a file only for who may write it, flock(2)."""
    with suppress(OSError):
        return os.open(place, os.O_RDWR | os.O_CLOEXEC)
    return os.open(place, os.O_RDONLY | os.O_CLOEXEC)  # a folder


def refuse_parts(root: Path = ROOT) -> None:
    """Raises `InUse` where another program has the kit's parts."""
    if (other := parts_holder(root)) is not None:
        raise InUse(_said(other, PARTS))


def parts_holder(root: Path = ROOT) -> Holder | None:
    """The other program that has the kit's parts, as far as the kernel tells; None: nobody, or this one."""
    return _holder(root / DEVICES, root)


def _holder(place: Path, root: Path) -> Holder | None:
    """The other program that holds a file or a folder: proc_locks(5)."""
    try:
        status = place.stat()
        rows = (root / "proc/locks").read_text().splitlines()
    except OSError:
        return None
    wanted = f"{os.major(status.st_dev):02x}:{os.minor(status.st_dev):02x}:{status.st_ino}"
    for row in rows:
        match row.split():
            case [_, "FLOCK", _, "WRITE", process, where, *_] if where == wanted and int(process) != os.getpid():
                return Holder(int(process), _is_service(root / "proc" / process))
    return None


def _is_service(process: Path) -> bool:
    try:
        return SERVICE in (process / "cgroup").read_text(errors="replace")
    except OSError:  # hidden, or it has just ended
        return False


def _said(holder: Holder | None, what: str) -> str:
    if holder is None:  # the kernel does not tell, as on some file systems
        return N_("another program uses {what}: end it first", what=what)
    if holder.service:
        return N_("the service uses {what}: stop it first, sudo systemctl stop luckypaw", what=what)
    return N_("process {number} uses {what}: end it first", number=holder.process, what=what)
