"""Tries what an installed kit has no business with, and what it needs; prints what it was let do."""

import ctypes
import json
import mmap
import os
import socket
import subprocess
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

LIBC = ctypes.CDLL(None, use_errno=True)
CLONE_NEWUSER = 0x10000000
SYS_PERSONALITY, ADDR_NO_RANDOMIZE = 135, 0x0040000  # x86_64
STATE = Path(os.environ.get("STATE_DIRECTORY", "/run"))
SOC = Path("/sys/devices/platform/soc")
HEADER, OTHER = SOC / "fe20c000.pwm", SOC / "fe20c800.pwm"  # whose PWM each is; the lab has both
FOREIGN = ("203.0.113.1", 9)  # the lab gives this machine a second address


def done(result: int) -> None:
    """Raise what a C function has failed with."""
    if result == -1:
        raise OSError(ctypes.get_errno(), "refused")


def make(path: Path, mode: int = 0o644) -> None:
    """Make a file for a moment."""
    path.touch()
    try:
        path.chmod(mode)
    finally:
        path.unlink()


def run_memory() -> None:
    """Have memory that can be written to and run."""
    mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC).close()


def send() -> None:
    """Say something to another machine."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as line:
        line.sendto(b"paw", FOREIGN)


def open_device(name: str, mode: str = "r+b") -> None:
    """Open a device."""
    with Path("/dev", name).open(mode, buffering=0):
        pass


@contextmanager
def exported(device: Path) -> Iterator[Path]:
    """A channel of a PWM controller, for a moment."""
    (chip,) = device.glob("pwm/pwmchip*")
    (chip / "export").write_text("0")
    try:
        yield chip / "pwm0"
    finally:
        (chip / "unexport").write_text("0")


def have_channel(device: Path) -> None:
    """Ask for a channel."""
    with exported(device):
        pass


def set_channel(device: Path) -> None:
    """Ask for a channel, and set it once udev has given the rights."""
    with exported(device) as channel:
        end = time.monotonic() + 1
        while not os.access(channel / "period", os.W_OK) and time.monotonic() < end:
            time.sleep(0.01)
        (channel / "period").write_text("1000000")


FORBIDDEN: Mapping[str, Callable[[], object]] = {
    "write to /etc": lambda: make(Path("/etc/probe")),
    "write to /usr": lambda: make(Path("/usr/probe")),
    "write to the disk's root": lambda: make(Path("/probe")),
    "look into /home": lambda: list(Path("/home").iterdir()),
    "see the processes of others": lambda: Path("/proc/1/status").read_text(),
    "change the kernel's settings": lambda: Path("/proc/sys/vm/swappiness").write_text("60"),
    "use a PWM that is not the header's": lambda: have_channel(OTHER),
    "open a device that is none of the kit's": lambda: open_device("probe", "wb"),
    "talk to another machine": send,
    "open a socket of another kind": lambda: socket.socket(socket.AF_NETLINK, socket.SOCK_RAW).close(),
    "make a name space": lambda: done(LIBC.unshare(CLONE_NEWUSER)),
    "mount": lambda: done(LIBC.mount(b"tmpfs", b"/media", b"tmpfs", 0, None)),
    "rename the machine": lambda: done(LIBC.sethostname(b"table", 5)),
    "run at real-time priority": lambda: os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1)),
    "make a file setuid": lambda: make(STATE / "probe", 0o4755),
    "run memory that it writes": run_memory,
    "become another kind of process": lambda: done(LIBC.syscall(SYS_PERSONALITY, ADDR_NO_RANDOMIZE)),
    "become root": lambda: os.setuid(0),
}
MPREMOTE = ("/opt/luckypaw/current/bin/python", "-m", "mpremote", "version")
NEEDED: Mapping[str, Callable[[], object]] = {
    "keep its state": lambda: make(STATE / "journal.db"),
    "open the lines": lambda: open_device("gpiochip0"),
    "open the display's bus": lambda: open_device("i2c-1"),
    "open the bus of a display by SPI": lambda: open_device("spidev0.0"),
    "open the strip's port": lambda: open_device("luckypaw-strip"),
    "use the header's PWM": lambda: set_channel(HEADER),
    "make lgpio's pipe": lambda: make(Path(os.environ.get("LG_WD", "/run"), "pipe")),
    "start a program that comes after all others": lambda: subprocess.run(["nice", "-n", "19", "true"], check=True),
    "see which Raspberry Pi this is": lambda: Path("/proc/device-tree/model").read_bytes(),
    "start what flashes the strip": lambda: subprocess.run(MPREMOTE, check=True, capture_output=True),
}


def let(tries: Mapping[str, Callable[[], object]]) -> list[str]:
    """Those that go through; each in a process of its own, since some change the one that does it."""
    through: list[str] = []
    for name, do in tries.items():
        if (child := os.fork()) == 0:
            status = 1
            try:
                do()
                status = 0
            finally:
                os._exit(status)
        if os.waitpid(child, 0)[1] == 0:
            through.append(name)
    return through


if __name__ == "__main__":
    print(json.dumps(let({**FORBIDDEN, **NEEDED})), flush=True)
