"""The sums are made on the watched disk: `python -m tests.simulators.faulty_disk.summing FOLDER LOG`."""

import sys
from contextlib import closing
from pathlib import Path

from firmware.statistics.game_totals import up_to_date
from tests.simulators.faulty_disk import Shim


def main() -> None:
    folder, log = map(Path, sys.argv[1:])
    Shim(folder, log)
    with closing(up_to_date(folder / "state")):
        pass


if __name__ == "__main__":
    main()
