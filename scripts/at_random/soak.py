"""Play 1,000 evenings in one process on an emulated kit, with faults of all kinds, as an endurance test.

Parts are unplugged and plugged in, buttons stick, storage fails, the wall clock is wrong by ten years; every 50
evenings the kit is switched off and on. The last evenings repeat the first ones, so that their costs can be compared.
The exit status is 1 if memory or the cost of a step has grown by more than 5 %. Files go to a temporary folder.
"""

import argparse
import json
import sys
import tempfile
import time
from pathlib import Path

from tests.simulators.soak import life

GROWTH = 1.05


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="scripts/random soak", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--evenings", type=int, default=1000, metavar="N", help="number of evenings, 20 or more (default 1000)"
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object instead of a table")
    asked = parser.parse_args()
    if asked.evenings < 20:
        parser.error(f"--evenings {asked.evenings}: must be a whole number of 20 or more")
    began_s = time.monotonic()

    def progress(number: int) -> None:
        if not asked.json and number % 50 == 49:
            print(f"{number + 1:6,} evenings, {time.monotonic() - began_s:,.0f} s", file=sys.stderr, flush=True)

    with tempfile.TemporaryDirectory() as folder:
        found = life(Path(folder), asked.evenings, max(2, min(50, asked.evenings // 10)), progress)
    if asked.json:
        print(json.dumps(found))
    else:
        for what, value in found.items():
            print(f"{what:<24}" + ("" if isinstance(value, dict) else f"{value}"))
            if isinstance(value, dict):
                print("".join(f"    {name:<28}{one}\n" for name, one in value.items()), end="")
    grown = ("objects", "blocks", "step in calls")
    sys.exit(any(found[what]["ratio"] > GROWTH for what in grown))


if __name__ == "__main__":
    main()
