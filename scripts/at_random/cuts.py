"""Cut the power at every disk write of recorded evenings, and open what is left with the program.

Three runs of each game are recorded as the journal's SQLite writes them. Then the power fails after every write, sync,
new and removed file; unsynced data is kept, missing, torn or out of order. No acknowledged fact may be lost, every
journal must be readable, and a new run must be able to continue it. Then every call fails in turn (EIO, ENOSPC, EROFS;
alone or with all later ones), and disks fill up. With fewer than 100,000 cuts fewer calls fail. At the end it prints
the bytes and syncs of an evening, compared with a plain file and SQLite's default.
"""

import argparse
import json
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from engine import games
from tests.simulators import faulty_disk
from tests.simulators.faulty_disk import cuts

FULL = 100_000
WAYS = {"wal": "the journal", "lines": "a line and a sync", "delete": "SQLite's default"}


def cut(library: Path, folder: Path, name: str, many: int, seed: int) -> dict[str, Any]:
    """All cuts of one game."""
    began = time.monotonic()
    recording = cuts.record(library, folder / "recorded", name)
    found = cuts.cut(recording, folder, many, seed)
    return {
        "calls": cuts.steps(recording),
        "cuts": found.cuts,
        "facts_lost": len(found.lost),
        "unreadable": len(found.unreadable),
        "wrong": len(found.wrong) + len(found.stuck),
        "seconds": round(time.monotonic() - began),
        "kinds": found.kinds,
        "which": found.failures[:10],
    }


def written(library: Path, folder: Path, name: str) -> dict[str, Any]:
    """The bytes and syncs of one evening of a game, in three ways."""
    costs = {how: cuts.cost(library, folder / how, name, how) for how in WAYS}
    return {"commits": costs["wal"].commits, "facts": costs["wal"].facts} | {
        how: {"bytes": cost.bytes, "syncs": cost.syncs} for how, cost in costs.items()
    }


def failing(library: Path, folder: Path, every: int) -> dict[str, Any]:
    """Every n-th call fails in turn."""
    done = faulty_disk.start(library, "tests.simulators.faulty_disk.failing", folder, str(every), "0")
    if done.returncode != 0:
        sys.exit(done.stderr)
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="scripts/random cuts", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--cuts", type=int, default=FULL, metavar="N", help=f"number of cuts of all games (default {FULL})"
    )
    parser.add_argument("--game", choices=games.names(), help="cut only this game")
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="seed of the damage (default 0)")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    asked = parser.parse_args()
    if asked.cuts < 1:
        parser.error(f"--cuts {asked.cuts}: must be a whole number of 1 or more")
    if not faulty_disk.READY:
        sys.exit(faulty_disk.MISSING)
    names = games.names() if asked.game is None else (asked.game,)
    with TemporaryDirectory(dir=faulty_disk.MEMORY) as place:
        folder = Path(place)
        library = faulty_disk.build(folder)
        found: dict[str, Any] = {
            "cuts": {
                name: cut(library, folder / name, name, -(-asked.cuts // len(names)), asked.seed) for name in names
            },
            "failing": failing(library, folder, max(1, FULL // asked.cuts)),
            "written": {name: written(library, folder / "cost" / name, name) for name in names},
        }
    if asked.json:
        print(json.dumps(found))
    else:
        show(found)
    sys.exit(any(row["which"] for row in found["cuts"].values()) or bool(found["failing"]["wrong"]))


def show(found: dict[str, Any]) -> None:
    """The same as tables."""
    print(f"{'game':<22}{'calls':>8}{'cuts':>10}{'lost':>8}{'unreadable':>12}{'wrong':>8}{'s':>8}")
    for name, row in found["cuts"].items():
        numbers = (
            f"{row['calls']:>8,}{row['cuts']:>10,}{row['facts_lost']:>8,}{row['unreadable']:>12,}{row['wrong']:>8,}"
        )
        print(f"{name:<22}{numbers}{row['seconds']:>8,}")
        print("".join(f"  {which}\n" for which in row["which"]), end="")
    failed = found["failing"]
    trials = f"{failed['trials']:,} trials with a disk that fails, of {failed['calls']} calls"
    print(f"\n{trials}: {len(failed['wrong'])} wrong")
    print("".join(f"  {which}\n" for which in failed["wrong"][:10]), end="")
    print(f"\n{'an evening writes':<22}{'facts':>8}{'commits':>8}" + "".join(f"{way:>28}" for way in WAYS.values()))
    for name, row in found["written"].items():
        costs = "".join(f"{row[how]['bytes'] / 1000:>14,.0f} kB {row[how]['syncs']:>5,} syncs" for how in WAYS)
        print(f"{name:<22}{row['facts']:>8,}{row['commits']:>8,}{costs}")


if __name__ == "__main__":
    main()
