"""Play random evenings on a whole emulated kit, and undo and redo after every act.

Picture, strip, lamps, evidence, score sheet, races and the data for later games must be the same as before, byte for
byte; exceptions that depend on the clock are listed in tests/simulators/undoing.py. `scripts/random play` does the same
for the rules alone.
"""

import argparse
import json
import tempfile
import time
from pathlib import Path

from tests.simulators.every_game import add_game, names
from tests.simulators.undoing import Found, undone_evening

HEAD = ("evenings", "undone", "redone", "seen", "clock", "s")


def of_game(name: str, first: int, many: int) -> dict[str, int]:
    """Evenings of one game."""
    began_s = time.monotonic()
    total = Found()
    for seed in range(first, first + many):
        with tempfile.TemporaryDirectory() as folder:
            found = undone_evening(Path(folder), name, seed)
        total = Found(*(a + b for a, b in zip(total, found, strict=True)))
    assert total.redone and total.seen, f"{name}: in {many} evenings from seed {first} on nothing was looked at"
    return {"evenings": many, **total._asdict(), "s": round(time.monotonic() - began_s)}


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="scripts/random undo", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--evenings", type=int, default=5, metavar="N", help="number of evenings of each game (default 5)"
    )
    add_game(parser)
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="seed of the first evening (default 0)")
    parser.add_argument("--json", action="store_true", help="print one JSON object instead of a table")
    asked = parser.parse_args()
    if asked.evenings < 1:
        parser.error(f"--evenings {asked.evenings}: must be a whole number of 1 or more")
    found = {}
    if not asked.json:
        print(f"{'game':<22}" + "".join(f"{head:>10}" for head in HEAD))
    for name in names() if asked.game is None else (asked.game,):
        found[name] = of_game(name, asked.seed, asked.evenings)
        if not asked.json:
            print(f"{name:<22}" + "".join(f"{found[name][head]:>10,}" for head in HEAD), flush=True)
    if asked.json:
        print(json.dumps(found))


if __name__ == "__main__":
    main()
