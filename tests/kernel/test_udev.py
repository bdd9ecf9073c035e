"""The rules for the parts' devices by a real udev, which reads them among its own. The devices are umockdev's."""

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
(RULES,) = (ROOT / "systemd").glob("*-luckypaw.rules")
USB = "/devices/pci0000:00/0000:00:14.0/usb1/1-2"
# a board's serial port as the kernel describes it, by its USB numbers, name and interface, and its driver
BOARD = """
P: {usb}/1-2:1.0/{below}tty/{port}
N: {port}
E: DEVNAME=/dev/{port}
E: MAJOR=188
E: MINOR=0
E: SUBSYSTEM=tty
{serial}
P: {usb}/1-2:1.0
E: DEVTYPE=usb_interface
E: SUBSYSTEM=usb
E: DRIVER={driver}
A: bInterfaceNumber=00\\n
A: bInterfaceClass=ff\\n

P: {usb}
E: DEVTYPE=usb_device
E: SUBSYSTEM=usb
A: idVendor={vendor}\\n
A: idProduct={product}\\n
A: bcdDevice=0264\\n
A: product={name}\\n
"""
SERIAL = """
P: {usb}/1-2:1.0/{port}
E: SUBSYSTEM=usb-serial
E: DRIVER={driver}-uart
A: port_number=0\\n
"""
BOARDS = {
    "CH340": ("1a86", "7523", "USB Serial", "ch341", "ttyUSB0"),
    "CP2105": ("10c4", "ea70", "CP2105 Dual USB to UART Bridge Controller", "cp210x", "ttyUSB0"),
    "CH343": ("1a86", "55d3", "USB Single Serial", "cdc_acm", "ttyACM0"),
    "Pico": ("2e8a", "0005", "Board in FS mode", "cdc_acm", "ttyACM0"),
}
ON_BOARD = """
P: /devices/platform/soc/fe201000.serial/tty/ttyAMA0
N: ttyAMA0
E: DEVNAME=/dev/ttyAMA0
E: MAJOR=204
E: MINOR=64
E: SUBSYSTEM=tty
"""

Properties = dict[str, str]


def described(board: str) -> str:
    vendor, product, name, driver, port = BOARDS[board]
    of_the_driver = driver != "cdc_acm"  # it has a device between the interface and the port
    serial = SERIAL.format(usb=USB, driver=driver, port=port) if of_the_driver else ""
    below = f"{port}/" if of_the_driver else ""
    return BOARD.format(
        usb=USB, below=below, port=port, serial=serial, driver=driver, vendor=vendor, product=product, name=name
    )


@pytest.fixture
def asked(tmp_path: Path) -> Callable[[str, str], Properties]:
    """What udev says of the first device that is described, with our rules under this name among its own."""
    beside = Path("/run/udev/rules.d")  # the guest's own
    beside.mkdir(parents=True, exist_ok=True)

    def ask(devices: str, rules: str) -> Properties:
        described, ours = tmp_path / "devices", beside / rules
        described.write_text(devices.lstrip())
        ours.write_text(RULES.read_text())
        place = devices.split(maxsplit=2)[1]
        command = ["umockdev-run", "--device", str(described), "--", "udevadm", "test", f"/sys{place}"]
        done = subprocess.run(command, check=True, capture_output=True, text=True)
        ours.unlink()
        return dict(row.split("=", 1) for row in done.stdout.splitlines() if "=" in row)

    return ask


@pytest.mark.parametrize("board", BOARDS)
def test_no_board_for_a_strip_is_a_modem(board: str, asked: Callable[[str, str], Properties]) -> None:
    vendor, product, *_ = BOARDS[board]
    said = asked(described(board), RULES.name)
    assert (said["ID_VENDOR_ID"], said["ID_MODEL_ID"]) == (vendor, product)
    assert said.get("ID_MM_DEVICE_IGNORE") == "1"


def test_the_rules_come_after_those_that_find_out_about_usb(asked: Callable[[str, str], Properties]) -> None:
    said = asked(described("CH340"), "59-luckypaw.rules")
    assert (said["ID_BUS"], said.get("ID_MM_DEVICE_IGNORE")) == ("usb", None)


def test_a_port_of_the_machine_itself_stays_what_it_is(asked: Callable[[str, str], Properties]) -> None:
    assert "ID_MM_DEVICE_IGNORE" not in asked(ON_BOARD, RULES.name)
