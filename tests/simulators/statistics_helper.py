"""The statistics' helper at the usual priority: at the lowest one it stands still while other tests run."""

import sys

from firmware.statistics import helper

PROGRAM = (sys.executable, "-m", "tests.simulators.statistics_helper")

if __name__ == "__main__":
    helper.LOWEST = 0
    helper.main(*sys.argv[1:])
