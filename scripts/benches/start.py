"""Measure the time from the service's start to its first picture, compared with bare imports, on both processors.

The kit is installed on machines of the kernel lab. QEMU emulates both processors, as system calls are too slow in
user-mode Linux for this measurement.
"""

import argparse
import json
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from scripts.generators.card import make
from tests.test_appliance import Machine, installed_machine
from tests.test_card import FIRST_START, card

ROOT = Path(__file__).resolve().parents[2]

GOAL = 2.0


def measured(machine: Machine, runs: int) -> dict[str, float]:
    """Medians, in ms, and their ratio; that of the pairs, as both were run in turn."""
    done = machine.run("-m", "tests.appliance.start_up", str(runs))
    if done.returncode:
        sys.exit(f"{done.stdout}\n{done.stderr}")
    found = json.loads((machine.hands / "start").read_text())
    ratios = [each["picture"] / each["bare"] for each in found]
    return {
        "bare_imports_ms": round(statistics.median(each["bare"] for each in found)),
        "first_picture_ms": round(statistics.median(each["picture"] for each in found)),
        "ratio": round(statistics.median(ratios), 2),
        "lowest": round(min(ratios), 2),
        "highest": round(max(ratios), 2),
        "process_ratio": round(statistics.median(each["process"] / each["bare"] for each in found), 2),
    }


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="scripts/bench start", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object instead of a table")
    parser.add_argument("--runs", type=int, default=7, metavar="N", help="number of starts of each (default 7)")
    args = parser.parse_args()
    found = {}
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        for name in ("x86-64", "arm64"):
            (folder / name).mkdir()
        found["x86-64"] = measured(installed_machine(folder / "x86-64")._replace(guest="qemu"), args.runs)
        make(folder / "card")
        arm64 = card(folder / "card", folder / "arm64", "trixie")
        subprocess.run(arm64.command(*FIRST_START), cwd=ROOT, check=True, capture_output=True)
        found["arm64"] = measured(arm64, args.runs)
    if args.json:
        print(json.dumps(found))
        return
    print(f"From the start of the service to its first picture; goal: {GOAL} times the bare imports at most.\n")
    print(f"  {'':8}bare imports   first picture   ratio, lowest to highest   of the process alone")
    for name, row in found.items():
        ratio = f"{row['ratio']:.2f}, {row['lowest']:.2f} to {row['highest']:.2f}"
        times = f"{row['bare_imports_ms']:9.0f} ms{row['first_picture_ms']:13.0f} ms"
        print(f"  {name:8}{times}   {ratio:24}   {row['process_ratio']:.2f}")


if __name__ == "__main__":
    main()
