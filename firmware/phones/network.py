"""The addresses at which phones reach this machine. Linux; elsewhere the one that leads out."""

import socket
import struct
import sys
from contextlib import suppress
from pathlib import Path

SIOCGIFFLAGS, SIOCGIFADDR = 0x8913, 0x8915  # linux/sockios.h
UP, LOOPBACK, RUNNING = 0x1, 0x8, 0x40  # linux/if.h
ROUTES = Path("/proc/net/route")
ELSEWHERE = ("192.0.2.1", 9)  # reserved for documentation: nothing is sent there


def addresses() -> tuple[str, ...]:
    """The IPv4 addresses of this machine besides loopback; the one of the way out in front."""
    if sys.platform != "linux":
        return _of_the_way_out()
    found: dict[str, str] = {}  # by interface
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as line:
        for _, name in socket.if_nameindex():
            with suppress(OSError):  # it has no address
                flags = struct.unpack_from("=H", _asked(line, name, SIOCGIFFLAGS), 16)[0]
                if flags & UP and flags & RUNNING and not flags & LOOPBACK:
                    found[name] = socket.inet_ntoa(_asked(line, name, SIOCGIFADDR)[20:24])
    out = _way_out()
    return tuple(found[name] for name in sorted(found, key=lambda name: (name != out, name)))


def _asked(line: socket.socket, name: str, question: int) -> bytes:
    """The kernel's answer about an interface, as `struct ifreq`. Raises `OSError`."""
    import fcntl

    return fcntl.ioctl(line.fileno(), question, struct.pack("=16s24x", name.encode()))


def _way_out() -> str | None:
    """The interface of the default route; None without one."""
    with suppress(OSError):
        for row in ROUTES.read_text().splitlines()[1:]:
            name, destination, *_ = row.split()
            if int(destination, 16) == 0:
                return name
    return None


def _of_the_way_out() -> tuple[str, ...]:
    with suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as line:
        line.connect(ELSEWHERE)
        return (str(line.getsockname()[0]),)
    return ()
