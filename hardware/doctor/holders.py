"""The programs that use a file or a port: read from /proc, as far as this user may."""

import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from hardware.words import N_

LINE = "anon_inode:gpio-line"  # a requested GPIO line in /proc


def holders(root: Path, target: str) -> list[str]:
    """The other programs that have this open, a path or a name in /proc: `minicom (process 812)`."""
    return [
        N_("{program} (process {process})", program=_name(process), process=process.name)
        for process in _processes(root)
        if target in _open(process)
    ]


def running(root: Path, *names: str) -> list[str]:
    """The running programs of these names, which are known to take ports: whose files only root may see."""
    return [
        N_("{program} (process {process})", program=_name(process), process=process.name)
        for process in _processes(root)
        if _name(process) in names
    ]


def listener(root: Path, port: int) -> str | None:
    """The program that listens on a TCP port of this machine."""
    for table in ("tcp", "tcp6"):
        try:
            rows = (root / "proc/net" / table).read_text().splitlines()[1:]
        except OSError:
            continue
        for row in rows:
            _, local, _, state, *rest = row.split()
            if state == "0A" and int(local.rpartition(":")[2], 16) == port:
                return next(iter(holders(root, f"socket:[{rest[5]}]")), None)
    return None


def _processes(root: Path) -> Iterator[Path]:
    """All processes except this one."""
    try:
        processes = sorted((root / "proc").iterdir())
    except OSError:
        return
    yield from (process for process in processes if process.name.isdigit() and int(process.name) != os.getpid())


def _name(process: Path) -> str:
    return _text(process / "comm").strip() or N_("a program")


def _text(path: Path) -> str:
    try:
        return path.read_text(errors="replace")
    except OSError:  # it has just ended
        return ""


def _open(process: Path) -> set[str]:
    targets: set[str] = set()
    try:
        files = list((process / "fd").iterdir())
    except OSError:  # of another user, or it has just ended
        return targets
    for file in files:
        with suppress(OSError):  # just closed
            targets.add(os.readlink(file))  # noqa: PTH115 - a Path would change names that are no paths
    return targets
