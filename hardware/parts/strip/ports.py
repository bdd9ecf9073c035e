"""The serial ports on USB where a strip's controller may be, and what is plugged in instead."""

from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from serial.tools import list_ports
from serial.tools.list_ports_common import ListPortInfo

NAMED = Path("/dev/luckypaw-strip")  # the port that a udev rule names
BY_ID = Path("/dev/serial/by-id")  # names that do not depend on the socket
# vendor and product, likeliest first; None: any product. Boards sold as the same have any of these; a port that is not
# listed is tried last
KNOWN: tuple[tuple[int, int | None], ...] = (
    (0x2E8A, 0x0005),  # Raspberry Pi Pico, Pico W, Pico 2 with MicroPython
    (0x303A, None),  # Espressif: ESP32-S2, -S3, -C3 on their own USB
    (0x1A86, 0x7523),  # CH340, on most ESP8266 and ESP32 boards
    (0x1A86, 0x7522),  # CH340K
    (0x1A86, 0x55D2),  # CH342
    (0x1A86, 0x55D3),  # CH343
    (0x1A86, 0x55D4),  # CH9102
    (0x10C4, 0xEA60),  # CP2102
    (0x10C4, 0xEA70),  # CP2105
    (0x0403, None),  # FTDI: FT232R 6001, FT2232 6010, FT4232 6011, FT232H 6014, FT231X 6015
    (0x067B, None),  # Prolific: PL2303 2303, PL2303GC 23a3 and its kin
)


PICO = KNOWN[0]
BOOT_DRIVES = {"0003": "RPI-RP2", "000f": "RP2350"}  # of a Pico without a program, by product
USB = Path("/sys/bus/usb/devices")


class Device(NamedTuple):
    """A USB device of a kind that may be a strip's controller."""

    usb: str  # vendor, product and name: "1a86:7523 USB Serial"
    node: str  # its file, which a program opens that has taken it: "/dev/bus/usb/001/004"


def picos() -> tuple[str, ...]:
    """The ports of Raspberry Pi Picos with MicroPython, by their lasting names."""
    return _lasting(sorted(port.device for port in list_ports.comports() if (port.vid, port.pid) == PICO))


def boot_drive(usb: Path | None = None) -> str | None:
    """The name of the drive as which a Pico without a program is plugged in; None: there is none."""
    for _device, vendor, product in _plugged(usb):
        if vendor == f"{PICO[0]:04x}" and product in BOOT_DRIVES:
            return BOOT_DRIVES[product]
    return None


def portless(usb: Path | None = None) -> Device | None:
    """A device that may be a controller, but has no serial port: it lacks a driver, or another program has taken it."""
    for device, vendor, product in _plugged(usb):
        with suppress(OSError, ValueError):
            known = _rank(int(vendor, 16), int(product, 16)) is not None
            if known and not [*device.glob("*/ttyUSB*"), *device.glob("*/tty/*")]:
                bus, number = (int(_text(device / name)) for name in ("busnum", "devnum"))
                return Device(_called(vendor, product, _name(device)), f"/dev/bus/usb/{bus:03}/{number:03}")
    return None


def candidates() -> tuple[str, ...]:
    """The ports on USB, those where a strip is likeliest first, by their lasting names."""
    if NAMED.exists():
        return (str(NAMED),)
    found = [port for port in list_ports.comports() if port.vid is not None]
    ranked = sorted(((_rank(port.vid, port.pid), port.device) for port in found), key=lambda one: (one[0] is None, one))
    return _lasting(device for _, device in ranked)


def usual(place: str) -> bool:
    """Whether a port is of a kind that is on boards for strips; another one may be anybody's."""
    if place == str(NAMED):
        return True
    port = _port(place)
    return port is not None and _rank(port.vid, port.pid) is not None


def usb(place: str) -> str:
    """The vendor, product and name of the device at a port; empty where it is not on USB."""
    port = _port(place)
    return "" if port is None else _called(f"{port.vid:04x}", f"{port.pid:04x}", port.product or "")


def _port(place: str) -> ListPortInfo | None:
    """The port on USB at this place."""
    device = Path(place).resolve()
    ports = (port for port in list_ports.comports() if port.vid is not None and Path(port.device) == device)
    return next(ports, None)


def _plugged(usb: Path | None) -> Iterator[tuple[Path, str, str]]:
    """The devices on USB, each with its vendor and product."""
    for device in sorted((usb or USB).glob("*")):
        with suppress(OSError):  # a hub's port, or it has just gone
            yield device, _text(device / "idVendor"), _text(device / "idProduct")


def _text(path: Path) -> str:
    return path.read_text(errors="replace").strip()


def _name(device: Path) -> str:
    """What a device calls itself."""
    with suppress(OSError):
        return _text(device / "product")
    return ""  # it does not say


def _called(vendor: str, product: str, name: str) -> str:
    return f"{vendor}:{product} {name}".strip()


def _lasting(devices: Iterable[str]) -> tuple[str, ...]:
    """Ports by their lasting names, where they have one."""
    names: dict[Path, str] = {}
    with suppress(OSError):  # no such folder: no port has a link
        names = {link.resolve(): str(link) for link in BY_ID.iterdir()}
    return tuple(names.get(Path(device).resolve(), device) for device in devices)


def _rank(vid: int | None, pid: int | None) -> int | None:
    return next((n for n, (vendor, product) in enumerate(KNOWN) if vid == vendor and product in (None, pid)), None)
