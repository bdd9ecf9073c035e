"""The serial ports where a strip's controller may be, by USB vendor and product."""

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
