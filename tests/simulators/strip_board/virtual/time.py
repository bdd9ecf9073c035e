"""A clock that stands still until it is told to go on. It runs over as a Pico's does each 12 days, but sooner."""

from utime import *

PERIOD = 1 << 20  # ms, 17 minutes
begun = PERIOD - 3000
passed = 0  # ms since the start


def ticks_ms():
    """Now."""
    return (begun + passed) % PERIOD


def ticks_add(ticks, ms):
    """So much later."""
    return (ticks + ms) % PERIOD


def ticks_diff(later, earlier):
    """From one to the other; right up to half a period."""
    return (later - earlier + PERIOD // 2) % PERIOD - PERIOD // 2


def sleep_ms(ms):
    """Let time pass."""
    global passed
    passed += ms
