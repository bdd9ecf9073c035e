"""Play random races with real buttons, from the contact to the verdict. Contacts bounce, are brushed, and spark.

Contacts and kernel are simulated (tests/simulators/random_races.py); all else is the program, whose threads are late.
Nobody may be named first or last who was not, but for gaps inside the band. No press may be one that nobody made, and
none may be lost, unless the kit has reported that edges of its button were lost while the program stood still. A
failure names its kind and seed; the exit status is then 1.
"""

import argparse
import os
import sys
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor

from tests.simulators.random_races import GAMES, KINDS, or_fault, races

BLOCK = 50  # races of one table
CAUSES = ("band", "stamp replaced", "edges lost")


def block(kind: str, game: str, seed: int, many: int) -> Counter[str] | str:
    """The races of one table, or what must not happen."""
    return or_fault(races, seed, KINDS[kind], game, many)


def blocks(many: int, seed: int) -> Iterator[tuple[str, str, int, int]]:
    """All tables: each kind and game in turn."""
    n = 0
    while True:
        for kind in KINDS:
            for game in GAMES:
                if n * BLOCK >= many:
                    return
                yield kind, game, seed + n, min(BLOCK, many - n * BLOCK)
                n += 1


def share(found: Counter[str], end: str, cause: str) -> str:
    """How many of the races that named a first or a last named several for this cause."""
    return f"{found[f'{end} level: {cause}'] / found[end]:.2%}" if found[end] else "–"


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="scripts/random races", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--races", type=int, default=10_000, metavar="N", help="number of races (default 10000)")
    parser.add_argument("--seed", type=int, default=1000, metavar="N", help="seed of the first table (default 1000)")
    parser.add_argument(
        "--processes", type=int, default=os.cpu_count() or 1, metavar="N", help="processes (default: one a processor)"
    )
    asked = parser.parse_args()
    for name in ("races", "processes"):
        if getattr(asked, name) < 1:
            parser.error(f"--{name} {getattr(asked, name)}: must be a whole number of 1 or more")
    totals, faults = {kind: Counter[str]() for kind in KINDS}, list[str]()
    tables = tuple(blocks(asked.races, asked.seed))
    with ProcessPoolExecutor(asked.processes) as pool:
        for (kind, *_), found in zip(tables, pool.map(block, *zip(*tables, strict=True)), strict=True):
            if isinstance(found, str):
                faults.append(found)
                print(found, flush=True)
            else:
                totals[kind] += found
    heads = [f"{end} level: {cause}" for end in ("first", "last") for cause in CAUSES]
    print("| buttons and machine | races | " + " | ".join(heads) + " | drawn again |")
    print("|---|--:|" + "--:|" * (len(heads) + 1))
    for kind, found in totals.items():
        shares = [share(found, end, cause) for end in ("first", "last") for cause in CAUSES]
        print(f"| {kind} | {found['races']:,} | " + " | ".join(shares) + f" | {found['drawn again']:,} |")
    print(f"{sum(found['races'] for found in totals.values()):,} races, {len(faults)} with a fault")
    sys.exit(bool(faults))


if __name__ == "__main__":
    main()
