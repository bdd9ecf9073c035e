"""Files below a folder that look like a Raspberry Pi's PWM: device tree, devices, chips. Nothing acts behind them."""

from pathlib import Path
from typing import NamedTuple

from hardware.parts.buzzer.pwm import FUNCTIONS

UNSET = 0xFFFF  # a phandle of nothing


class Controller(NamedTuple):
    """A PWM controller: its device in sysfs, its place in the device tree, its name there."""

    device: str
    node: str
    compatible: str


ZERO_2 = Controller("soc/3f20c000.pwm", "soc/pwm@7e20c000", "brcm,bcm2835-pwm")
PI_4 = Controller("soc/fe20c000.pwm", "soc/pwm@7e20c000", "brcm,bcm2835-pwm")
PI_4_SOUND = Controller("soc/fe20c800.pwm", "soc/pwm@7e20c800", "brcm,bcm2835-pwm")
RP1 = "axi/pcie@1000120000/rp1"
PI_5 = Controller("axi/1000120000.pcie/1f00098000.pwm", f"{RP1}/pwm@98000", "raspberrypi,rp1-pwm")
PI_5_FAN = Controller("axi/1000120000.pcie/1f0009c000.pwm", f"{RP1}/pwm@9c000", "raspberrypi,rp1-pwm")
PI_5_OTHER = Controller("soc@107c000000/107d517a80.pwm", "soc@107c000000/pwm@7d517a80", "brcm,bcm7038-pwm")


def put(path: Path, data: str | bytes = "") -> None:
    """A file, and the folders it is in."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data if isinstance(data, bytes) else data.encode())


def cells(*numbers: int) -> bytes:
    """Numbers as the device tree has them."""
    return b"".join(number.to_bytes(4) for number in numbers)


def put_pwm(
    root: Path, controller: Controller, pins: dict[int, int], *, number: int | None = 0, exported: int | None = None
) -> Path:
    """A controller with these lines and their functions; its chip has this number. Returns the device's folder."""
    tree = root / "sys/firmware/devicetree/base"
    node = tree / controller.node
    phandle = sum(controller.node.encode()) if pins else UNSET
    put(node / "compatible", f"{controller.compatible}\0")
    put(node / "pinctrl-0", cells(phandle))
    put(node.parent / "gpio@7e200000/spi0_pins/phandle", cells(7))
    if pins:
        group = node.parent / f"gpio@7e200000/{node.name}_pins"
        put(group / "phandle", cells(phandle))
        put(group / "brcm,pins", cells(*pins))
        put(group / "brcm,function", cells(*pins.values()))
    device = root / "sys/devices/platform" / controller.device
    device.mkdir(parents=True)
    (device / "of_node").symlink_to(node)
    bus = root / "sys/bus/platform/devices"
    bus.mkdir(parents=True, exist_ok=True)
    (bus / device.name).symlink_to(device)
    if number is not None:
        chip = device / f"pwm/pwmchip{number}"
        put(chip / "export")
        put(chip / "unexport")
        if exported is not None:
            put_channel(chip / f"pwm{exported}")
    return device


def put_channel(folder: Path, *, enable: int = 0, period: int = 0, duty_cycle: int = 0) -> None:
    """A channel that has been exported; its files are never seen empty."""
    for name, value in (("period", period), ("duty_cycle", duty_cycle), ("enable", enable)):
        put(folder / f".{name}", f"{value}\n")
        (folder / f".{name}").rename(folder / name)


def overlay(pin: int) -> dict[int, int]:
    """What `dtoverlay=pwm` gives, with the right `func`."""
    return {pin: FUNCTIONS[pin]}


def setting(channel: Path) -> tuple[int, int, int]:
    """What a channel has been told: enable, period, duty."""
    enable, period, duty = (int((channel / name).read_text().split()[0]) for name in ("enable", "period", "duty_cycle"))
    return enable, period, duty
