"""A Pico with MicroPython alone at the end of the guest's serial line, $LAB_SERIAL. Its files are in a folder."""

import os
import sys
import time
from pathlib import Path

from tests.simulators import pico


def main(files: Path, lit: Path) -> None:
    """Be a board until the program is stopped."""
    files.mkdir()
    with Path(os.environ["LAB_SERIAL"]).open("r+b", buffering=0) as line, lit.open("wb") as told:
        while True:
            pico.board(files, line.fileno(), told.fileno()).wait()
            time.sleep(pico.RESTART_S)


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
