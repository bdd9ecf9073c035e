"""The buzzer's PWM: which line the device tree gives it, whether this program may use it, and who else does."""

import errno
import os
from collections.abc import Iterator
from pathlib import Path

from hardware.doctor import boot_config
from hardware.doctor.findings import Finding, finding, fine
from hardware.doctor.machine import group, user
from hardware.parts.buzzer.pwm import FUNCTIONS, PwmTone, channels
from hardware.words import N_

PART = N_("buzzer")
HEADPHONES = "bcm2835 Headphones"  # the sound that the board's own jack plays, as a card is called


def by_kernel(root: Path) -> bool:
    """Whether the header has PWM of the kernel: nobody may request its line, which would end that until a restart."""
    return bool(channels(root))


def pwm(pin: int, root: Path) -> Iterator[Finding]:
    """A buzzer on the kernel's PWM. It stays silent."""
    place, given = f"GPIO {pin}", channels(root)
    if pin not in given:
        others = ", ".join(f"GPIO {other}" for other in given)
        yield finding("buzzer-other-line", PART, place, others=others, pin=pin, function=FUNCTIONS[pin])
        return
    try:
        PwmTone(given[pin]).close()
    except OSError as error:
        match error.errno:
            case errno.ENODEV:
                yield finding("buzzer-no-chip", PART, place, device=given[pin].device.name)
            case errno.EACCES | errno.EPERM:
                owner = group(given[pin].chip / "export", usual="gpio")
                yield finding("buzzer-no-rights", PART, place, user=user(), group=owner)
            case errno.EBUSY:
                yield finding("line-busy", PART, place, holder=N_("another program, by PWM"))
            case number:
                yield finding("line-lost", PART, place, reason=os.strerror(number or 0))
        return
    if HEADPHONES in _cards(root):
        yield finding("buzzer-and-sound", PART, place)
    else:
        yield fine(PART, place)


def by_software(pin: int, root: Path) -> Iterator[Finding]:
    """A buzzer without the kernel's PWM, though the boot loader was asked for it."""
    if line := boot_config.asked(root, boot_config.PWM):
        yield finding("buzzer-by-software", PART, f"GPIO {pin}", line=line)


def _cards(root: Path) -> str:
    try:
        return (root / "proc/asound/cards").read_text(errors="replace")
    except OSError:  # no sound at all
        return ""
