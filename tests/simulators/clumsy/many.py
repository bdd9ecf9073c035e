"""Many evenings, and a table of them. scripts/random clumsy."""

import argparse
import sys
import time
import traceback
from collections import Counter
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.simulators.at_the_page import launched
from tests.simulators.clumsy.evening import ACTS, WAYS, Evening


def main(arguments: Sequence[str] | None = None) -> None:
    """Play evenings, and print a table of them."""
    parser = argparse.ArgumentParser(
        prog="scripts/random clumsy",
        description="Play evenings clumsily in a real browser, with cuts in the middle of everything.",
    )
    parser.add_argument("--evenings", type=int, default=50, metavar="N", help="number of evenings (default 50)")
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="seed of the first evening (default 0)")
    parser.add_argument("--acts", type=int, default=ACTS, metavar="N", help=f"actions per evening (default {ACTS})")
    parser.add_argument(
        "--pictures", type=Path, metavar="FOLDER", help="keep pictures from before and after each cut in this folder"
    )
    asked = parser.parse_args(arguments)
    if asked.pictures is not None:
        asked.pictures.mkdir(parents=True, exist_ok=True)
    acts, cuts, begun_again, faults = Counter[str](), Counter[str](), 0, 0
    kinds = "".join(f"{way.name:>14}" for way in WAYS)
    print(f"{'seed':>6}  {'game':<20}{'players':>8}{'acts':>6}{kinds}{'facts':>7}{'s':>5}  result")
    with launched() as browser:
        for seed in range(asked.seed, asked.seed + asked.evenings):
            began_s = time.monotonic()
            with TemporaryDirectory() as folder, closing(Evening(browser, Path(folder), seed, asked.pictures)) as one:
                try:
                    one.play(asked.acts)
                    result = "all right"
                except Exception as failure:  # the next evening is played all the same
                    faults += 1
                    result = "**fault**"
                    traceback.print_exception(failure, file=sys.stderr)
            acts, cuts, begun_again = acts + one.acts, cuts + one.cuts, begun_again + one.begun_again
            many = "".join(f"{one.cuts[way.name]:14}" for way in WAYS)
            head = f"{seed:6}  {one.rules.name:<20}{len(one.players):8}{one.acts.total():6}{many}"
            took_s = time.monotonic() - began_s
            print(f"{head}{one.written:7}{took_s:5.0f}  {result}; {one.said_options()}", flush=True)
    print(f"{acts.total()} acts: {', '.join(f'{many} {name}' for name, many in acts.most_common())}")
    print(f"{cuts.total()} cuts, {begun_again} in what was in the air; {faults} of {asked.evenings} evenings failed")
    sys.exit(faults > 0)
