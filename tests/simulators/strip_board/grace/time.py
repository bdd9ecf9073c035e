"""Time for a board whose grace lasts until somebody interrupts it: it says how long that would be."""

import sys
from utime import *


def sleep_ms(ms):
    """An hour."""
    sys.stderr.write("sleeps %d\n" % ms)
    sleep(3600)
