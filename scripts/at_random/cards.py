"""Damage cards at random, and let the script of cloud-init and then the card's program look at each.

What is used must be listed with its checksum, all else must be reported in a sentence; no exception may be raised, and
nothing of a damaged folder may run. A failure names its seed; the exit status is then 1.
"""

import argparse
import contextlib
import io
import sys
import tempfile
from collections import Counter
from pathlib import Path

from tests.simulators.cards import damaged_card, hooked, looked_at, wrong

if __name__ == "__main__":
    parser = argparse.ArgumentParser(
        prog="scripts/random cards", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--cards", type=int, default=500, metavar="N", help="number of cards (default 500)")
    parser.add_argument("--seed", type=int, default=1000, metavar="N", help="seed of the first card (default 1000)")
    asked = parser.parse_args()
    found = {way: Counter[str]() for way in (hooked, looked_at)}
    for seed in range(asked.seed, asked.seed + asked.cards):
        for way, counts in found.items():
            with tempfile.TemporaryDirectory() as root, contextlib.redirect_stderr(io.StringIO()):
                folder, happened = damaged_card(Path(root), seed)
                outcome = way(Path(root, "card"))
                fault = wrong(folder, outcome)
            counts[fault.split(":")[0] or ("used" if outcome.used is not None else "told")] += 1
            if fault:
                print(f"seed {seed}, {way.__name__} ({', '.join(happened)}): {fault}", flush=True)
    for way, counts in found.items():
        print(f"{way.__name__:>10}: " + ", ".join(f"{n:,} {what}" for what, n in sorted(counts.items())))
    sys.exit(any(what not in ("used", "told") for counts in found.values() for what in counts))
