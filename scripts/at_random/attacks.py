"""Let hostile phones that have joined attack an emulated kit, and print how far each of them gets.

It uses a virtual clock and no network. For the questions on the display it prints how long they were shown (% of the
time), how often they came, and the time from one's end to the next one (s).
"""

import argparse
import tempfile
from pathlib import Path

from tests.simulators.phone_attacks import ROWS, Up

if __name__ == "__main__":
    argparse.ArgumentParser(
        prog="scripts/random attacks", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    ).parse_args()
    for n, (what, row) in enumerate(ROWS.items()):
        with tempfile.TemporaryDirectory() as folder:
            found = row(Path(folder) / str(n))
        if isinstance(found, Up):
            found = f"{found.percent} %, {found.times} times, the soonest after {found.soonest_s} s"
        print(f"{what}: {found}", flush=True)
