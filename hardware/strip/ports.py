"""Where a strip's controller may be: serial ports by their USB identity."""

from pathlib import Path

from serial.tools import list_ports

NAMED = Path("/dev/luckypaw-strip")  # where a udev rule names the port, it is that one
BY_ID = Path("/dev/serial/by-id")  # names that a port keeps wherever it is plugged in
# makers and products; None: any of the maker's
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
    """The ports at which a strip may be, the likeliest first, by names that they keep."""
    if NAMED.exists():
        return (str(NAMED),)
    kept = {link.resolve(): str(link) for link in _links()}
    found = [(rank, port.device) for port in list_ports.comports() if (rank := _rank(port.vid, port.pid)) is not None]
    return tuple(kept.get(Path(device).resolve(), device) for _, device in sorted(found))


def _links() -> tuple[Path, ...]:
    try:
        return tuple(BY_ID.iterdir())
    except OSError:  # there is none, or the last one is just gone
        return ()


def _rank(vid: int | None, pid: int | None) -> int | None:
    return next((n for n, (maker, product) in enumerate(KNOWN) if vid == maker and product in (None, pid)), None)
