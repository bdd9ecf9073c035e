"""Measure two commits in turn, on what both can do: recorded games, the start, memory.

The bench is that of this tree; engine, firmware and hardware are taken from the commits. Each round also measures the
older commit a second time: two equal runs differ, too. A figure is worse where the median of its ratios, by round, is
2 % above what two equal runs differ; the exit status is then 1. Run it on a quiet machine.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from random import sample
from typing import Any

from tests.simulators.program import ROOT, played_before

ROUNDS = 9
MAY_COST = 0.02
PARTS = ("engine", "firmware", "hardware")


def commit(name: str) -> str:
    """The commit of this name. Ends the program where there is none."""
    found = subprocess.run(
        ["git", "rev-parse", "--verify", "--quiet", "--short", f"{name}^{{commit}}"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    if found.returncode:
        sys.exit(f"scripts/bench versions: {name}: no such commit")
    return found.stdout.strip()


def taken(commit: str, tree: Path) -> Path:
    """The program of a commit, in this new folder."""
    tree.mkdir()
    archive = subprocess.run(["git", "archive", commit, *PARTS], cwd=ROOT, capture_output=True, check=True)
    subprocess.run(["tar", "-x", "-C", tree], input=archive.stdout, check=True)
    return tree


def measured(tree: Path, what: str) -> dict[str, float]:
    """What one process finds out about this tree. Ends the program if it cannot."""
    with tempfile.TemporaryDirectory() as folder:
        played_before(Path(folder) / "luckypaw")
        env = {**os.environ, "PYTHONPATH": f"{tree}:{ROOT}", "PYTHONHASHSEED": "0", "XDG_STATE_HOME": folder}
        env.pop("PYTHONDONTWRITEBYTECODE", None)  # an installed kit is compiled
        env["BEGUN_NS"] = str(time.monotonic_ns())
        done = subprocess.run(
            [sys.executable, "-P", "-m", "tests.simulators.measured_version", tree, what],
            cwd=tree,
            env=env,
            capture_output=True,
            text=True,
            check=False,
        )
    try:
        found: dict[str, float] = json.loads(done.stdout)
    except ValueError:
        reason = (done.stderr.strip().splitlines() or ["no figures"])[-1]
        sys.exit(f"scripts/bench versions: {tree.name} cannot be measured: {reason}")
    return found


def compared(old: list[float], new: list[float], again: list[float]) -> dict[str, Any]:
    """The figures of one row, one a round: medians, the ratio of new to old and of old to itself, and the verdict."""
    ratio = statistics.median(b / a for a, b in zip(old, new, strict=True))
    control = statistics.median(b / a for a, b in zip(old, again, strict=True))
    limit = 1 + abs(control - 1) + MAY_COST
    row = {"old": statistics.median(old), "new": statistics.median(new), "ratio": ratio, "control": control}
    return {**{name: round(value, 3) for name, value in row.items()}, "worse": ratio > limit}


def versions(old: str, new: str, rounds: int) -> dict[str, dict[str, Any]]:
    """Every row of both commits, in turn."""
    with tempfile.TemporaryDirectory() as folder:
        trees = [taken(commit, Path(folder) / name) for commit, name in ((old, "old"), (new, "new"), (old, "again"))]
        found: dict[str, list[list[float]]] = {}
        for round_ in range(-1, rounds):  # the first compiles and warms up
            for tree in sample(trees, len(trees)):  # whichever comes second finds a processor that is warm
                for name, figure in (measured(tree, "rules") | measured(tree, "start")).items():
                    if round_ >= 0:
                        found.setdefault(name, [[], [], []])[trees.index(tree)].append(figure)
    return {name: compared(*figures) for name, figures in found.items()}


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="scripts/bench versions", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("old", help="the commit to compare with")
    parser.add_argument("new", nargs="?", default="HEAD", help="the commit that is compared (default HEAD)")
    parser.add_argument("--rounds", type=int, default=ROUNDS, metavar="N", help=f"pairs of runs (default {ROUNDS})")
    parser.add_argument("--json", action="store_true", help="print one JSON object instead of a table")
    args = parser.parse_args()
    if args.rounds < 1:
        parser.error(f"--rounds {args.rounds}: must be a whole number of 1 or more")
    old, new = commit(args.old), commit(args.new)
    rows = versions(old, new, args.rounds)
    if args.json:
        print(json.dumps({"old": old, "new": new, "rounds": args.rounds, "rows": rows}))
    else:
        print(f"{'':42}{old:>10}{new:>10}{'ratio':>8}{'control':>9}")
        for name, row in rows.items():
            verdict = "  worse" if row["worse"] else ""
            figures = f"{row['old']:10.2f}{row['new']:10.2f}{row['ratio']:8.3f}{row['control']:9.3f}"
            print(f"{name:42}{figures}{verdict}")
    sys.exit(any(row["worse"] for row in rows.values()))


if __name__ == "__main__":
    main()
