"""Which Raspberry Pi this is, for gpiozero, also where kernel and boot loader leave the revision out."""

from gpiozero import PiBoardInfo
from gpiozero.pins.local import get_pi_revision

ANY = 0x902120  # a Zero 2 W: every board with 40 pins has the same lines on them


def board() -> PiBoardInfo:
    """This board; one with the same header where it is not known. Only its header counts here.

    Kernels other than Raspberry Pi's own have no revision in /proc/cpuinfo, or 0000; the device tree has one only where
    Raspberry Pi's own boot loader was the last one.
    """
    try:
        return PiBoardInfo.from_revision(get_pi_revision())
    except Exception:  # none, one that gpiozero does not know, or no right to read it
        return PiBoardInfo.from_revision(ANY)
