"""How phones reach this machine: its addresses, or a Wi-Fi of its own. Linux; elsewhere the address that leads out."""

import math
import socket
import struct
import sys
from collections.abc import Mapping
from contextlib import suppress
from ipaddress import ip_address, ip_network
from pathlib import Path

from engine.words import N_
from firmware import service
from firmware.phones.link import OwnWifi, Way
from firmware.translation import _
from firmware.web.serving import listen
from hardware.config import PanelConfig

SIOCGIFFLAGS, SIOCGIFADDR = 0x8913, 0x8915  # linux/sockios.h
UP, LOOPBACK, RUNNING = 0x1, 0x8, 0x40  # linux/if.h
ROUTES = Path("/proc/net/route")
INTERFACES = Path("/sys/class/net")
OPENED = Path("/etc/systemd/system/luckypaw.service.d/phones.conf")  # opens the service's own firewall
HOTSPOT = Path("/etc/luckypaw/hotspot")  # written by systemd/phones
LET_IN = tuple(map(ip_network, ("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "169.254.0.0/16")))
OPEN = "sudo luckypaw phones on"  # the command that lets phones in
ELSEWHERE = ("192.0.2.1", 9)  # reserved for documentation: nothing is sent there


class Shut(OSError):
    """Phones are not let in: the reason, and the command that mends it."""

    def __init__(self, why: str, command: str) -> None:
        super().__init__(f"{why}: {command}")
        self.closed = why, command


def listener(panel: PanelConfig) -> socket.socket:
    """The socket for phones. Raises `Shut`; `OSError`, whose text says what is missing."""
    hotspot = panel.network == "hotspot"
    if hotspot and not service.here():
        raise Shut(_("a hotspot needs an installed kit"), "sudo scripts/install")
    opened = not service.here() or OPENED.resolve().name == f"luckypaw-{panel.network}.conf"
    given = service.given_listener() if hotspot else None  # port 80 is systemd's to open
    if not opened or (hotspot and given is None):
        raise Shut(_("the service is closed"), OPEN)
    return given or listen("0.0.0.0", panel.phones_port, "panel.phones_port")


def way(listener: socket.socket) -> Way:
    """How phones reach what listens here, at this moment."""
    address, port = listener.getsockname()[:2]
    own = tuple(one for one in addresses() if address in ("0.0.0.0", one) and (not service.here() or _is_let_in(one)))
    return Way(tuple(one if port == 80 else f"{one}:{port}" for one in own), closed=() if own else (N_("no network"),))


def _is_let_in(address: str) -> bool:
    """Whether `luckypaw-lan.conf` lets phones of this network in; a tunnel's 100.64.0.0/10 is no home network."""
    return any(ip_address(address) in network for network in LET_IN)


def hotspot(listener: socket.socket) -> Way:
    """How phones reach what listens in the kit's own Wi-Fi, at this moment."""
    found = way(listener)
    try:
        name, password = HOTSPOT.read_text().splitlines()[:2]
    except (OSError, ValueError):
        return found._replace(closed=(N_("the Wi-Fi has no name"), OPEN))
    if found.addresses:
        return found._replace(wifi=OwnWifi(name, password))
    if not any((INTERFACES / name / "phy80211").exists() for name in _interfaces()):
        return found._replace(closed=(N_("this machine has no Wi-Fi"),))
    return found._replace(closed=(N_("the Wi-Fi is not up"), OPEN))


def _interfaces() -> tuple[str, ...]:
    """The names of the network's parts. `socket.if_nameindex` would need a socket that the service may not open."""
    with suppress(OSError):
        return tuple(interface.name for interface in INTERFACES.iterdir())
    return ()


def addresses() -> tuple[str, ...]:
    """The IPv4 addresses of this machine besides loopback; the one that phones reach most likely in front."""
    if sys.platform != "linux":
        return _of_the_way_out()
    found: dict[str, str] = {}  # by interface
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as line:
        for name in _interfaces():
            with suppress(OSError):  # it has no address
                flags = struct.unpack_from("=H", _asked(line, name, SIOCGIFFLAGS), 16)[0]
                if flags & UP and flags & RUNNING and not flags & LOOPBACK:
                    found[name] = socket.inet_ntoa(_asked(line, name, SIOCGIFADDR)[20:24])
    return in_order(found)


def in_order(found: Mapping[str, str]) -> tuple[str, ...]:
    """Addresses by interface, those of cable and Wi-Fi in front: no phone is in a VPN, or in a network of Docker's.

    Of these one that a router has given, then the one of the way out.
    """
    out = _ways_out()

    def key(name: str) -> tuple[bool, bool, float, str]:
        return not _is_real(name), ip_address(found[name]).is_link_local, out.get(name, math.inf), name

    return tuple(found[name] for name in sorted(found, key=key))


def _is_real(name: str) -> bool:
    """Whether an interface is a device, or stands on one, as a bridge, a VLAN or a bond does."""
    here = INTERFACES / name
    below = (lower.name.removeprefix("lower_") for lower in here.glob("lower_*"))
    return (here / "device").exists() or any(map(_is_real, below))


def _asked(line: socket.socket, name: str, question: int) -> bytes:
    """The kernel's answer about an interface, as `struct ifreq`. Raises `OSError`."""
    import fcntl

    return fcntl.ioctl(line.fileno(), question, struct.pack("=16s24x", name.encode()))


def _ways_out() -> dict[str, int]:
    """The interfaces of default routes, each with its metric; the smallest is taken.

    A VPN often has two halves instead, 0.0.0.0/1 and 128.0.0.0/1: these are none.
    """
    found: dict[str, int] = {}
    with suppress(OSError):
        for row in ROUTES.read_text().splitlines()[1:]:
            name, destination, _gateway, _flags, _references, _used, metric, mask, *_ = row.split()
            if int(destination, 16) == int(mask, 16) == 0:
                found[name] = min(int(metric), found.get(name, int(metric)))
    return found


def _of_the_way_out() -> tuple[str, ...]:
    with suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as line:
        line.connect(ELSEWHERE)
        return (str(line.getsockname()[0]),)
    return ()
