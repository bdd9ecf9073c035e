"""Who has a file, a port or the kit's parts: read from /proc, as far as this user may."""

import os
from collections.abc import Iterator
from contextlib import suppress
from itertools import pairwise
from pathlib import Path

LINE = "anon_inode:gpio-line"  # what /proc calls a GPIO line that a program holds


def holders(root: Path, target: str) -> list[str]:
    """The other programs that have this open, a path or what /proc calls it: `minicom (process 812)`."""
    return [f"{_name(process)} (process {process.name})" for process in _processes(root) if target in _open(process)]


def running_kit(root: Path) -> int | None:
    """The process in which the kit plays on real parts; None if there is none."""
    for process in _processes(root):
        words = _words(process)
        if "play" in words and "--emulated" not in words:
            before = words[: words.index("play")]
            module = any(pair == ("-m", "firmware") for pair in pairwise(before))
            if module or any(Path(word).name == "luckypaw" for word in before):
                return int(process.name)
    return None


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
    """All but this one."""
    try:
        found = sorted((root / "proc").iterdir())
    except OSError:
        return
    yield from (process for process in found if process.name.isdigit() and int(process.name) != os.getpid())


def _name(process: Path) -> str:
    try:
        return (process / "comm").read_text().strip()
    except OSError:
        return "a program"


def _words(process: Path) -> list[str]:
    try:
        return (process / "cmdline").read_text(errors="replace").rstrip("\0").split("\0")
    except OSError:  # it has just ended
        return []


def _open(process: Path) -> set[str]:
    found: set[str] = set()
    try:
        files = list((process / "fd").iterdir())
    except OSError:  # of another user, or it has just ended
        return found
    for file in files:
        with suppress(OSError):  # just closed
            found.add(os.readlink(file))  # noqa: PTH115 - a Path would tidy up what is no path
    return found
