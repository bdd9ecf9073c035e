"""Let two independent scorers score random games, and count where they disagree.

One is the engine; the other (tests/engine/plain/) is plain sums from the rules page over the moves that count, those
undone left out. Options, players, undo, redo and corrected points are random, too. A seed gives the same games with any
number of processes. `scripts/random play` checks fewer games, but everything about each.
"""

import argparse
import json
import os
import sys
import time
from functools import partial
from multiprocessing import Pool
from typing import Any, NamedTuple

from engine import games
from tests.simulators.random_play import scored_game

CHUNK = 50  # games that a process takes at once


class Scored(NamedTuple):
    """One game: its length, and the difference of the scorers, if any."""

    moves: int
    complaint: str | None


def scored(name: str, seed: int) -> Scored:
    """One random game by its seed."""
    try:
        return Scored(scored_game(name, seed).moves, None)
    except AssertionError as wrong:
        return Scored(0, "; ".join(getattr(wrong, "__notes__", [])))


def of_game(name: str, many: int, first: int, processes: int) -> dict[str, Any]:
    """All games of one kind."""
    began = time.monotonic()
    moves, complaints = 0, list[str]()
    with Pool(processes) as pool:
        for one in pool.imap_unordered(partial(scored, name), range(first, first + many), CHUNK):
            moves += one.moves
            complaints += [] if one.complaint is None else [one.complaint]
    seconds = round(time.monotonic() - began)
    return {"games": many, "moves": moves, "disagree": len(complaints), "seconds": seconds, "which": complaints[:10]}


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="scripts/bench rules", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--games", type=int, default=100_000, metavar="N", help="number of games of each kind (default 100000)"
    )
    parser.add_argument("--game", choices=games.names(), help="play only this game")
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="seed of the first game (default 0)")
    parser.add_argument(
        "--processes", type=int, default=os.cpu_count(), metavar="N", help="number of processes (default: one per core)"
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object instead of a table")
    asked = parser.parse_args()
    for name in ("games", "processes"):
        if getattr(asked, name) < 1:
            parser.error(f"--{name} {getattr(asked, name)}: must be a whole number of 1 or more")
    names = games.names() if asked.game is None else (asked.game,)
    found = {name: of_game(name, asked.games, asked.seed, asked.processes) for name in names}
    if asked.json:
        print(json.dumps(found))
    else:
        print(f"{'game':<22}{'games':>10}{'moves':>14}{'disagree':>10}{'s':>8}")
        for name, row in found.items():
            print(f"{name:<22}{row['games']:>10,}{row['moves']:>14,}{row['disagree']:>10,}{row['seconds']:>8,}")
            print("".join(f"  {which}\n" for which in row["which"]), end="")
    sys.exit(any(row["disagree"] for row in found.values()))


if __name__ == "__main__":
    main()
