"""The kernel lab's PWM: which line of the header it is on, whether its driver is there, and what it was told."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

SOC = Path("/sys/devices/platform/soc")
DEVICE = SOC / "fe20c000.pwm"
OTHER = SOC / "fe20c800.pwm"  # of no line of the header
NODE = "pwm@7e20c000"  # the device in the tree
DRIVER = Path("/sys/bus/platform/drivers/bcm2835-pwm")
PIN = Path("/sys/module/pwm_labsink/parameters/pin")
LOG = Path("/sys/kernel/debug/pwm-labsink/log")
NONE = -1


class Setting(NamedTuple):
    """What a channel was told, and when."""

    node: str
    at_ns: int
    channel: int
    enabled: bool
    period_ns: int
    duty_ns: int


@contextmanager
def overlay(pin: int) -> Iterator[None]:
    """The machine as it is with `dtoverlay=pwm` for this line; what was heard before is forgotten."""
    LOG.write_text("\n")
    PIN.write_text(f"{pin}")
    try:
        yield
    finally:
        PIN.write_text(f"{NONE}")


def settings() -> list[Setting]:
    """All that the channels were told."""
    rows = (line.split() for line in LOG.read_text().splitlines())
    return [
        Setting(node, int(at_ns), int(channel), enabled == "1", int(period_ns), int(duty_ns))
        for node, at_ns, channel, enabled, period_ns, duty_ns in rows
    ]


class Heard(NamedTuple):
    """The begin of a tone or of silence."""

    at_ns: int
    period_ns: int  # 0: silence


def heard(told: list[Setting]) -> list[Heard]:
    """What sounded one after the other: each tone once its duty is half its period."""
    steps: list[Heard] = []
    for now in told:
        sounds = now.period_ns if now.enabled else 0
        settled = not now.enabled or now.duty_ns == now.period_ns // 2
        if settled and (not steps or steps[-1].period_ns != sounds):
            steps.append(Heard(now.at_ns, sounds))
    return steps


def unbind() -> None:
    """Take the driver away, and with it the chip."""
    (DRIVER / "unbind").write_text(DEVICE.name)


def bind() -> None:
    """Give it back."""
    (DRIVER / "bind").write_text(DEVICE.name)
