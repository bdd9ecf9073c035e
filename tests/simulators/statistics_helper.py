"""The statistics' helper at the usual priority: at the lowest one it stands still while other tests run."""

import sys

from firmware.statistics import process

PROGRAM = (sys.executable, "-m", "tests.simulators.statistics_helper")

if __name__ == "__main__":
    process.LOWEST = 0
    process.main(*sys.argv[1:])
