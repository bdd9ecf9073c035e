"""The board and its system: kernel, supply, storage, clock, read from Linux's files below a root folder."""

import errno
import os
import pwd
import re
import subprocess
import tempfile
from collections.abc import Iterator
from datetime import datetime
from grp import getgrgid
from pathlib import Path

from hardware import clock
from hardware.doctor import boot_config
from hardware.doctor.findings import Finding, finding, fine
from hardware.kit import on_a_pi
from hardware.mounts import volatile
from hardware.words import N_

OLDEST_KERNEL = (5, 10)  # the first with version 2 of the GPIO interface, whose stamps are CLOCK_MONOTONIC
MADE = 2026  # the program's year: an earlier date is wrong
MIN_MB = 16
NOW, SINCE = 1 << 0, 1 << 16  # bits of the firmware's report: under-voltage now, and since it was switched on


def board(root: Path, now: datetime) -> Iterator[Finding]:
    """Kernel, supply, watchdog and clock."""
    yield _kernel(root)
    supply = _supply(root)
    if supply is not None:
        yield supply
    if on_a_pi(root) and not any((root / "sys/class/watchdog").glob("watchdog*")):
        yield finding("watchdog-missing", "board", "/dev/watchdog")
    yield _clock(root, now)


def _kernel(root: Path) -> Finding:
    release = _text(root / "proc/sys/kernel/osrelease")
    place = f"Linux {release}"
    if (version := re.match(r"(\d+)\.(\d+)", release)) and tuple(map(int, version.groups())) < OLDEST_KERNEL:
        return finding("kernel-old", "board", place, oldest=".".join(map(str, OLDEST_KERNEL)))
    return fine("board", place)


def _supply(root: Path) -> Finding | None:
    """None where the supply is not monitored."""
    bits = _throttled(root)
    alarms = [
        _text(folder / "in0_lcrit_alarm")
        for folder in (root / "sys/class/hwmon").glob("hwmon*")
        if _text(folder / "name") == "rpi_volt"
    ]
    if bits is None and not alarms:
        return None
    bits = bits or 0
    if bits & NOW or "1" in alarms:
        return finding("under-voltage", "power", "5 V", when=N_("now"))
    if bits & SINCE:
        return finding("under-voltage", "power", "5 V", when=N_("since it was switched on"))
    return fine("power", "5 V")


def _throttled(root: Path) -> int | None:
    # on a Pi 5 below soc@107c000000
    files = (root / "sys/devices/platform").glob("soc*/soc*:firmware/get_throttled")
    text = next(filter(None, map(_text, files)), "")
    if not text and root == Path("/"):
        try:
            asked = subprocess.run(
                ["vcgencmd", "get_throttled"], capture_output=True, text=True, timeout=5, check=False
            )
        except (OSError, subprocess.SubprocessError):
            return None
        text = asked.stdout.strip()  # throttled=0x50000
    try:
        return int(text.rpartition("=")[2], 16)
    except ValueError:
        return None


def _clock(root: Path, now: datetime) -> Finding:
    place = f"{now:%Y-%m-%d}"
    if now.year < MADE:
        return finding("clock-not-set", "clock", place, why=N_("it was before this program was made"))
    if not clock.known(root):
        why = N_("no time server has answered yet, and the board has no clock with a battery")
        if line := boot_config.asked(root, boot_config.RTC):
            why = N_("no time server has answered yet, and the kernel has not got the clock of {line}", line=line)
        return finding("clock-not-set", "clock", place, why=why)
    return fine("clock", place)


def storage(folder: Path, root: Path = Path("/")) -> Iterator[Finding]:
    """The folder of the journal: whether it can be written, and stays. Makes it if there is none."""
    yield _writable(folder)
    if (kind := volatile(folder, root)) is not None:
        yield finding("storage-in-memory", "storage", str(folder), kind=kind)


def _writable(folder: Path) -> Finding:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder) as file:
            file.write(bytes(4096))
            file.flush()
            os.fsync(file.fileno())
        free = os.statvfs(folder)
    except OSError as error:
        return storage_fault(folder, error, 0)
    return storage_fault(folder, None, free.f_bavail * free.f_frsize)


def storage_fault(folder: Path, error: OSError | None, free_bytes: int) -> Finding:
    """The finding after an attempt to write there."""
    place, free_mb = str(folder), free_bytes // 1_000_000
    match error.errno if error is not None else None:
        case None if free_mb >= MIN_MB:
            return fine("storage", place, N_("all right, {free_mb:,} MB free", free_mb=free_mb))
        case None | errno.ENOSPC | errno.EDQUOT:
            return finding("storage-full", "storage", place, free_mb=free_mb)
        case errno.EROFS:
            return finding("storage-read-only", "storage", place)
        case errno.EACCES | errno.EPERM:
            return finding("storage-no-rights", "storage", place, user=user(), folder=place)
        case number:
            return finding("storage-lost", "storage", place, reason=os.strerror(number or 0))


def user() -> str:
    """The name of the user who runs this."""
    try:
        return pwd.getpwuid(os.geteuid()).pw_name
    except KeyError:
        return N_("user {number}", number=os.geteuid())


def group(path: Path, usual: str) -> str:
    """The group of a device; the usual one where it still belongs to root."""
    try:
        name = getgrgid(path.stat().st_gid).gr_name
    except (OSError, KeyError):
        return usual
    return usual if name == "root" else name


def usable(path: Path) -> bool:
    """Whether this user may read and write a device."""
    return os.access(path, os.R_OK | os.W_OK)


def _text(path: Path) -> str:
    try:
        return path.read_text().strip()
    except OSError:
        return ""
