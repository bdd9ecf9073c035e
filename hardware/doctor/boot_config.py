"""What the boot loader was asked for in config.txt. Only Raspberry Pi's own reads that file."""

import re
from pathlib import Path

FILES = ("boot/firmware/config.txt", "boot/config.txt")  # the second one before Bookworm
I2C = re.compile(r"dtparam=(.*,)?i2c(_arm|1)?(=on)?(,.*)?")  # of bus 1
SPI = re.compile(r"dtparam=(.*,)?spi(=on)?(,.*)?")
PWM = re.compile(r"dtoverlay=pwm(,.*)?")
RTC = re.compile(r"dtoverlay=i2c-rtc(-gpio)?,.*")


def asked(root: Path, wanted: re.Pattern[str]) -> str | None:
    """The line that asks for this; None: there is none."""
    for name in FILES:
        try:
            lines = (root / name).read_text(errors="replace").splitlines()
        except OSError:
            continue
        return next((line for line in map(str.strip, lines) if wanted.fullmatch(line)), None)
    return None
