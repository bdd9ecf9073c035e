"""The service's unit keeps what runs in it from all but its own."""

import json
import socket
import struct
from collections.abc import Iterator
from fcntl import ioctl

import pytest

from tests.appliance.machine import BUZZER, MACHINE, ROOT, TREE, UNIT, machine
from tests.appliance.probe import FORBIDDEN, FOREIGN, NEEDED
from tests.simulators import pwm_sink

PROBE = "probe.service"
PROGRAM = ("/usr/bin/python3", f"{TREE}{ROOT}/tests/appliance/probe.py")
AS_ROOT = ("--quiet", "--pipe", "--wait", "--property=PrivateMounts=yes")  # what it mounts is gone with it
SIOCSIFADDR = 0x8916
OWNERS = {
    "gpiochip0": "gpio",
    "i2c-1": "i2c",
    "spidev0.0": "spi",
    "ttyLED": "dialout",
}  # as udev sets them where the kit is installed
KMSG = ("c", "1", "11")


@pytest.fixture(scope="module")
def prepared() -> Iterator[None]:
    """The service's user, and things to find for whoever breaks out."""
    for group in ("gpio", "i2c", "spi", "dialout"):
        machine("groupadd", "--system", "--force", group)
    machine("useradd", "--system", "--user-group", "luckypaw")
    for device, group in OWNERS.items():
        machine("chgrp", group, f"/dev/{device}")
        machine("chmod", "660", f"/dev/{device}")
    machine("mknod", "-m", "666", "/dev/probe", *KMSG)
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as line:
        address = struct.pack("16sHH4s8x", b"lo:1", socket.AF_INET, 0, socket.inet_aton(FOREIGN[0]))
        ioctl(line, SIOCSIFADDR, address)
    others = list(pwm_sink.OTHER.glob("pwm/pwmchip*/*port"))
    with pwm_sink.overlay(BUZZER):
        machine("udevadm", "settle")
        for file in others:  # it is the unit that is to forbid it
            file.chmod(0o222)
        yield
    for file in others:
        file.chmod(0o200)


@pytest.fixture(scope="module")
def let(prepared: None) -> list[str]:
    """What a program was let do that tried everything in the service's unit."""
    unit = (ROOT / "systemd" / UNIT).read_text()
    for old, new in (
        ("/run/luckypaw", "/run/probe"),
        ("Directory=luckypaw", "Directory=probe"),
        ("Type=notify", "Type=oneshot\nDeviceAllow=char-ttyS rw"),  # the strip's port is no USB port here
        ("/opt/luckypaw/current/bin/luckypaw play", " ".join(PROGRAM)),
    ):
        assert old in unit
        unit = unit.replace(old, new)
    (MACHINE / "run/systemd/system" / PROBE).write_text(unit)
    machine("systemctl", "daemon-reload")
    machine("systemctl", "start", PROBE)
    machine("rm", "-r", "/var/lib/probe")
    said = machine("journalctl", "--unit", PROBE, "--output", "cat", "--no-pager").stdout
    return next((json.loads(line) for line in said.splitlines() if line.startswith("[")), [said])


@pytest.fixture(scope="module")
def let_as_root(prepared: None) -> list[str]:
    """What it was let do as root in no unit to speak of."""
    found: list[str] = json.loads(machine("systemd-run", *AS_ROOT, *PROGRAM).stdout)
    return found


def test_it_can_do_what_it_needs_and_nothing_else(let: list[str]) -> None:
    assert let == list(NEEDED)


@pytest.mark.parametrize("what", FORBIDDEN)
def test_it_is_the_unit_that_forbids(what: str, let_as_root: list[str]) -> None:
    assert what in let_as_root
