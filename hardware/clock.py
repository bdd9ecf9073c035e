"""Whether the wall clock of this machine is right: one rule for the kit, which says *day unknown*, and its doctor.

A Raspberry Pi has no clock that runs while it is off: without network its time is that of the last evening, or of the
system's making. Other computers know theirs.
"""

import ctypes
from pathlib import Path

SYNCHRONIZED = Path("/run/systemd/timesync/synchronized")  # systemd-timesyncd makes it
RTC_SECONDS = "sys/class/rtc/rtc*/since_epoch"
NO_BATTERY_S = 1_735_689_600  # a clock of the board that is before 2025 has lost its time
TIME_ERROR = 5  # adjtimex(2): the clock is not synchronized
TIMEX_BYTES = 512  # more than a struct timex; all zero: only ask


def known(root: Path = Path("/")) -> bool:
    """Whether the wall clock is right: by the network, or by a clock on the board that runs on a battery."""
    from hardware.kit import on_a_pi  # not needed by who only reads the journal

    if not on_a_pi(root):
        return True
    if (root / SYNCHRONIZED.relative_to("/")).exists():
        return True
    for clock in root.glob(RTC_SECONDS):
        try:
            if int(clock.read_text()) > NO_BATTERY_S:
                return True
        except (OSError, ValueError):
            continue
    return synchronized()


def synchronized() -> bool:
    """Whether the kernel's clock is disciplined; False also where a service may not ask."""
    try:
        return ctypes.CDLL(None).adjtimex(ctypes.create_string_buffer(TIMEX_BYTES)) in range(TIME_ERROR)
    except (OSError, AttributeError):
        return False
