"""The programs that use a file, a port or the kit's parts: read from /proc, as far as this user may."""

import os
import re
from collections.abc import Iterator
from contextlib import suppress
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

from hardware.kit import on_a_pi
from hardware.words import N_

LINE = "anon_inode:gpio-line"  # a requested GPIO line in /proc
PART = re.compile(f"{LINE}|/dev/(gpiochip|i2c-|spidev|tty(ACM|USB|AMA|S))[0-9.]+")
SERVICE = "luckypaw.service"


class RunningKit(NamedTuple):
    """A kit that plays on real parts."""

    process: int
    service: bool  # systemd has started it


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


def running_kit(root: Path) -> RunningKit | None:
    """The process of a kit on real parts; None if there is none or it is emulated."""
    for process in _processes(root):
        words = _words(process)
        if "play" in words and "--emulated" not in words:
            before = words[: words.index("play")]
            module = any(pair == ("-m", "firmware") for pair in pairwise(before))
            named = module or any(Path(word).name == "luckypaw" for word in before)
            if named and _on_parts(process, root):
                return RunningKit(int(process.name), SERVICE in _text(process / "cgroup"))
    return None


def _on_parts(process: Path, root: Path) -> bool:
    """Whether a kit has real parts: by its open files or, where this user may not read them, by the machine."""
    if not os.access(process / "fd", os.R_OK):
        return on_a_pi(root)
    return any(PART.fullmatch(file) for file in _open(process))


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


def _words(process: Path) -> list[str]:
    return _text(process / "cmdline").rstrip("\0").split("\0")


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
