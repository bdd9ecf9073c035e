"""The display's bus: whether it is switched on, which addresses answer, and which chip it is."""

import errno
import os
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from pathlib import Path
from typing import Any, Protocol

from hardware.config import ADDRESSES, DisplayConfig
from hardware.doctor import boot_config
from hardware.doctor.findings import Finding, finding, fine
from hardware.doctor.machine import group, usable, user
from hardware.words import N_

USUAL = (0x3C, 0x3D)
NOP = 0xE3
FAST_HZ = 350_000
UNUSED = (0x0F, 0x16, 0x2F, 0x6B)  # an answer at all of these is a line that is held low
SILENCE = frozenset({errno.EIO, errno.ENXIO, 121})  # 121: EREMOTEIO, a name that macOS lacks
TRIES = 4
# the likely controller by the lower half of its status byte, in no data sheet: an SH1106 may answer as an SSD1306 until
# it is reset, and some SSD1306 as an SH1106
STATUS = {0x3: "ssd1306", 0x4: "ssd1306", 0x6: "ssd1306", 0x7: "ssd1306", 0x8: "sh1106"}
WIRES = {0: ("GPIO 0", "GPIO 1"), 1: ("GPIO 2", "GPIO 3")}  # data and clock, by bus


class Bus(Protocol):
    """An I2C bus of smbus2."""

    def read_byte(self, address: int, /) -> int: ...

    def write_i2c_block_data(self, address: int, register: int, data: Any, /) -> None: ...

    def close(self) -> None: ...


def open_bus(port: int) -> Bus:
    """The bus `/dev/i2c-PORT`. Raises `OSError`."""
    from smbus2 import SMBus

    return SMBus(port)


def i2c(display: DisplayConfig, root: Path, opened: Callable[[int], Bus] = open_bus) -> Iterator[Finding]:
    """A display on I2C."""
    bus = f"I2C bus {display.port}"
    device = root / f"dev/i2c-{display.port}"
    if not device.exists():
        yield _no_device(display, device, root)
        return
    if not usable(device):
        yield finding("i2c-no-rights", "display", f"/dev/{device.name}", user=user(), group=group(device, usual="i2c"))
        return
    place = display.place
    try:
        with closing(opened(display.port)) as wires:
            yield _probed(display, wires, root, place)
    except OSError as error:
        yield finding("display-lost", "display", place, reason=os.strerror(error.errno or 0))
        return
    hz = _speed(root, display.port)
    if hz is not None and hz < FAST_HZ:
        yield finding("i2c-slow", "display", bus, khz=hz // 1000)


def _no_device(display: DisplayConfig, device: Path, root: Path) -> Finding:
    """Why there is no such bus."""
    bus, name = f"I2C bus {display.port}", f"/dev/{device.name}"
    if (root / "sys/bus/i2c/devices" / device.name).exists():
        return finding("i2c-no-driver", "display", bus, device=name)
    there = ", ".join(f"/dev/{path.name}" for path in sorted((root / "dev").glob("i2c-*")))
    others = N_("; there is {others}", others=there) if there else ""
    if display.port == 1 and (line := boot_config.asked(root, boot_config.I2C)):
        return finding("overlay-missing", "display", bus, line=line, device=name, others=others)
    return finding("i2c-off", "display", bus, device=name, others=others)


def _probed(display: DisplayConfig, bus: Bus, root: Path, place: str) -> Finding:
    data, clock = WIRES.get(display.port, ("SDA", "SCL"))
    try:
        bus.write_i2c_block_data(display.address, 0x00, [NOP])
    except OSError as error:
        if error.errno == errno.EBUSY:
            return finding("display-claimed", "display", place, driver=_driver(root, display))
        if error.errno == errno.ETIMEDOUT:
            return _stuck(display, data, clock)
        if error.errno not in SILENCE:
            raise
        answers = [address for address in ADDRESSES if _answers(bus, address)]
        if not answers:
            return finding("display-missing", "display", place, sda=data, scl=clock)
        first = next((address for address in USUAL if address in answers), answers[0])
        others = ", ".join(f"{address:#04x}" for address in answers)
        return finding("display-elsewhere", "display", place, others=others, first=f"{first:#04x}")
    if all(_answers(bus, address) for address in UNUSED):
        return _stuck(display, data, clock)
    chip = STATUS.get(_status(bus, display.address) & 0x0F)
    if chip is not None and display.driver in ("ssd1306", "sh1106") and chip != display.driver:
        return finding("display-other-chip", "display", place, driver=display.driver, chip=chip)
    return fine("display", place, N_("all right, it answers"))


def _stuck(display: DisplayConfig, data: str, clock: str) -> Finding:
    wires = N_("SDA ({data}) or SCL ({clock})", data=data, clock=clock) if data != "SDA" else N_("SDA or SCL")
    return finding("i2c-stuck", "display", f"I2C bus {display.port}", wires=wires)


def _answers(bus: Bus, address: int) -> bool:
    try:
        bus.read_byte(address)
    except OSError:
        return False
    return True


def _status(bus: Bus, address: int) -> int:
    """The status byte, once it is the same twice; 0, which means nothing, where there is none."""
    before = -1
    with suppress(OSError):
        for _ in range(TRIES):
            now = bus.read_byte(address)
            if now == before:
                return now
            before = now
    return 0


def _driver(root: Path, display: DisplayConfig) -> str:
    link = root / f"sys/bus/i2c/devices/{display.port}-{display.address:04x}/driver"
    try:
        return N_(": driver {name}", name=link.readlink().name)
    except OSError:
        return ""


def _speed(root: Path, port: int) -> int | None:
    """The bus clock in the board's device tree, in Hz."""
    try:
        number = (root / f"sys/class/i2c-adapter/i2c-{port}/of_node/clock-frequency").read_bytes()
    except OSError:
        return None
    return int.from_bytes(number) if len(number) == 4 else None


def spi(display: DisplayConfig, root: Path) -> Finding:
    """A display on SPI. It never answers: only its bus is checked; its picture needs the guided check."""
    device = root / f"dev/spidev{display.port}.0"
    place = display.place
    if not device.exists():
        name = f"/dev/{device.name}"
        if display.port == 0 and (line := boot_config.asked(root, boot_config.SPI)):
            return finding("overlay-missing", "display", place, line=line, device=name, others="")
        return finding("spi-off", "display", place, device=name)
    if not usable(device):
        return finding("spi-no-rights", "display", f"/dev/{device.name}", user=user(), group=group(device, usual="spi"))
    return fine("display", place, N_("its bus is there; its picture: --guided"))
