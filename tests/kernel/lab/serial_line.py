"""A serial line without a wire: two pseudo-terminals, joined, with the names that are given as arguments."""

import os
import select
import sys
import tty
from pathlib import Path


def join(here: str, there: str) -> None:
    """Carry what is written at each end to the other, until stopped."""
    wires: list[int] = []
    for name in (here, there):
        wire, end = os.openpty()  # the end stays open here too: a line does not break when nobody listens
        tty.setraw(end)
        Path(name).symlink_to(os.ttyname(end))
        wires.append(wire)
    other = dict(zip(wires, reversed(wires), strict=True))
    while True:
        for wire in select.select(wires, [], [])[0]:
            os.write(other[wire], os.read(wire, 4096))


if __name__ == "__main__":
    join(sys.argv[1], sys.argv[2])
