"""Stands in for the board: tells on standard error what is done to it."""

import os
import sys
import utime

fed = 0  # times


class Pin:
    """A pin that knows its number."""

    def __init__(self, number):
        self.number = number


class WDT:
    """A watchdog that counts its meals."""

    def __init__(self, timeout):
        sys.stderr.write("watchdog %d\n" % timeout)

    def feed(self):
        """One meal."""
        global fed
        fed += 1


def reset():
    """The board starts anew; here the program ends, as suddenly."""
    sys.stderr.write("reset\n")
    utime.sleep_ms(100)  # in which it is still heard
    os.system("kill -KILL $PPID")
