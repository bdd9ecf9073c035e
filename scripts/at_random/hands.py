"""Play random evenings on a whole emulated kit with restless hands: slaps, holds, leaning on two buttons.

No press may answer a question that was not yet open, or that could not yet be seen after a verdict. No slap of a race
may answer anything, no hand that is held as asked may be reported as stuck, and no text may be cut. A failure names its
game and seed; the exit status is then 1.
"""

import argparse
import tempfile
import time
from pathlib import Path

from engine import games
from tests.simulators.random_hands import Found, restless_evening


def of_game(name: str, first: int, many: int) -> Found:
    """The counts of so many evenings of one game."""
    total = Found(0, 0, 0, 0, 0)
    for seed in range(first, first + many):
        with tempfile.TemporaryDirectory() as folder:
            found = restless_evening(Path(folder), games.rules(name), seed)
        total = Found(*(a + b for a, b in zip(total, found, strict=True)))
    return total


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="scripts/random hands", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--games", type=int, default=400, metavar="N", help="number of games of each kind (default 400)"
    )
    parser.add_argument("--game", choices=games.names(), help="play only this game")
    parser.add_argument("--seed", type=int, default=1000, metavar="N", help="seed of the first game (default 1000)")
    asked = parser.parse_args()
    if asked.games < 1:
        parser.error(f"--games {asked.games}: must be a whole number of 1 or more")
    print(f"{'game':<22}{'games':>10}" + "".join(f"{field:>10}" for field in Found._fields) + f"{'seeds':>22}{'s':>8}")
    for name in games.names() if asked.game is None else (asked.game,):
        began_s = time.monotonic()
        found = of_game(name, asked.seed, asked.games)
        seeds = f"{asked.seed}-{asked.seed + asked.games - 1}"
        figures = "".join(f"{figure:>10,}" for figure in found)
        print(f"{name:<22}{asked.games:>10,}{figures}{seeds:>22}{time.monotonic() - began_s:>8.0f}", flush=True)


if __name__ == "__main__":
    main()
