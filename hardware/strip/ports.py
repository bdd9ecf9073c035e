"""The serial ports on USB where a strip's controller may be, and what is plugged in instead."""

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from serial.tools import list_ports

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
    names = {link.resolve(): str(link) for link in _links()}
    places = [port.device for port in list_ports.comports() if (port.vid, port.pid) == PICO]
    return tuple(names.get(Path(place).resolve(), place) for place in sorted(places))


def boot_drive(usb: Path | None = None) -> str | None:
    """The name of the drive as which a Pico without a program is plugged in; None: there is none."""
    for device in sorted((usb or USB).glob("*")):
        with suppress(OSError):
            if (device / "idVendor").read_text().strip() == f"{PICO[0]:04x}":
                drive = BOOT_DRIVES.get((device / "idProduct").read_text().strip())
                if drive is not None:
                    return drive
    return None


def portless(usb: Path | None = None) -> Device | None:
    """A device that may be a controller, but has no serial port: it lacks a driver, or another program has taken it."""
    for device in sorted((usb or USB).glob("*")):
        with suppress(OSError, ValueError):
            vendor, product, bus, number = (
                (device / name).read_text().strip() for name in ("idVendor", "idProduct", "busnum", "devnum")
            )
            known = _rank(int(vendor, 16), int(product, 16)) is not None and product not in BOOT_DRIVES
            if known and not [*device.glob("*/ttyUSB*"), *device.glob("*/tty/*")]:
                return Device(_called(device, vendor, product), f"/dev/bus/usb/{int(bus):03}/{int(number):03}")
    return None


def candidates() -> tuple[str, ...]:
    """The ports on USB, those where a strip is likeliest first, by their lasting names."""
    if NAMED.exists():
        return (str(NAMED),)
    names = {link.resolve(): str(link) for link in _links()}
    found = [port for port in list_ports.comports() if port.vid is not None]
    ranked = sorted(
        ((_rank(port.vid, port.pid), port.device) for port in found), key=lambda each: (each[0] is None, each)
    )
    return tuple(names.get(Path(device).resolve(), device) for _, device in ranked)


def usual(place: str) -> bool:
    """Whether a port is of a kind that is on boards for strips; another one may be anybody's."""
    if place == str(NAMED):
        return True
    device = Path(place).resolve()
    return any(_rank(port.vid, port.pid) is not None for port in list_ports.comports() if Path(port.device) == device)


def usb(place: str) -> str:
    """The vendor, product and name of the device at a port; empty where it is not on USB."""
    device = Path(place).resolve()
    for port in list_ports.comports():
        if port.vid is not None and Path(port.device) == device:
            return f"{port.vid:04x}:{port.pid:04x} {port.product or ''}".strip()
    return ""


def _called(device: Path, vendor: str, product: str) -> str:
    try:
        name = (device / "product").read_text(errors="replace").strip()
    except OSError:  # it does not say
        name = ""
    return f"{vendor}:{product} {name}".strip()


def _links() -> Iterator[Path]:
    with suppress(OSError):  # no such folder: no port has a link
        yield from BY_ID.iterdir()


def _rank(vid: int | None, pid: int | None) -> int | None:
    return next((n for n, (vendor, product) in enumerate(KNOWN) if vid == vendor and product in (None, pid)), None)
