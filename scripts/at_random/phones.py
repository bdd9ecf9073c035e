"""Play random games with phones on a bad network, and count answers that were lost or counted twice: none may be.

Messages are lost, late, doubled, out of order or stale; phones sleep; the power fails.
"""

import argparse
import sys
import tempfile
from pathlib import Path

from tests.simulators.every_game import add_game
from tests.simulators.phone_cuts import evenings

if __name__ == "__main__":
    parser = argparse.ArgumentParser(
        prog="scripts/random phones", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--cuts", type=int, default=100_000, metavar="N", help="number of faults (default 100000)")
    parser.add_argument("--seed", type=int, default=1, metavar="N", help="seed of the first evening (default 1)")
    add_game(parser)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        found = evenings(Path(folder), args.cuts, args.seed, args.game)
    for what, n in sorted(found.happened.items()):
        print(f"{what:>13}: {n:,}")
    for line in (*found.lost, *found.twice)[:20]:
        print(line)
    print(f"{found.cuts:,} cuts: {len(found.lost)} lost, {len(found.twice)} counted twice")
    sys.exit(bool(found.lost or found.twice))
