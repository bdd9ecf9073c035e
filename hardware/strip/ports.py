"""The serial ports where a strip's controller may be, by USB vendor and product."""

from contextlib import suppress
from pathlib import Path

from serial.tools import list_ports

NAMED = Path("/dev/luckypaw-strip")  # the port that a udev rule names
BY_ID = Path("/dev/serial/by-id")  # names that do not depend on the socket
# vendor and product; None: any product
KNOWN: tuple[tuple[int, int | None], ...] = (
    (0x2E8A, 0x0005),  # Raspberry Pi Pico, Pico W, Pico 2 with MicroPython
    (0x303A, None),  # Espressif: ESP32-S2, -S3, -C3 on their own USB
    (0x1A86, 0x7523),  # CH340, on most ESP8266 and ESP32 boards
    (0x1A86, 0x55D4),  # CH9102
    (0x10C4, 0xEA60),  # CP2102
    (0x0403, 0x6001),  # FT232R
    (0x0403, 0x6015),  # FT231X
)


PICO = KNOWN[0]
BOOT_DRIVES = {"0003": "RPI-RP2", "000f": "RP2350"}  # of a Pico without a program, by product
USB = Path("/sys/bus/usb/devices")


def picos() -> tuple[str, ...]:
    """The ports of Raspberry Pi Picos with MicroPython, by their lasting names."""
    names = {link.resolve(): str(link) for link in _links()}
    places = [port.device for port in list_ports.comports() if (port.vid, port.pid) == PICO]
    return tuple(names.get(Path(place).resolve(), place) for place in sorted(places))


def boot_drive() -> str | None:
    """The name of the drive as which a Pico without a program is plugged in; None: there is none."""
    for device in sorted(USB.glob("*")):
        with suppress(OSError):
            if (device / "idVendor").read_text().strip() == f"{PICO[0]:04x}":
                drive = BOOT_DRIVES.get((device / "idProduct").read_text().strip())
                if drive is not None:
                    return drive
    return None


def candidates() -> tuple[str, ...]:
    """The ports where a strip may be, likeliest first, by their lasting names."""
    if NAMED.exists():
        return (str(NAMED),)
    names = {link.resolve(): str(link) for link in _links()}
    ranked = [(rank, port.device) for port in list_ports.comports() if (rank := _rank(port.vid, port.pid)) is not None]
    return tuple(names.get(Path(device).resolve(), device) for _, device in sorted(ranked))


def _links() -> tuple[Path, ...]:
    try:
        return tuple(BY_ID.iterdir())
    except OSError:  # no such folder: no port has a link
        return ()


def _rank(vid: int | None, pid: int | None) -> int | None:
    return next((n for n, (vendor, product) in enumerate(KNOWN) if vid == vendor and product in (None, pid)), None)
