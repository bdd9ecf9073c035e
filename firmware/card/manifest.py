"""The list of the folder's files: lines as of sha256sum, and a last one that says how many there are.

So a list that was cut off is not believed. It tells what was damaged on the way; who can write the card can write the
list, too. `systemd/card` reads it by the same rules. Its form is that of 0.1.0 and stays, as versions read each other's
folders: docs/decisions/0009.
"""

import re
from itertools import accumulate

END = "files in all"
MAX_BYTES = 1 << 20  # far more than a list has
LINE = re.compile(r"([0-9a-f]{64})  ([0-9A-Za-z_.+/-]+)")
LEADS_ELSEWHERE = re.compile(r"(^|/)([.+/-]|$)|\.(/|$)")  # FAT and Windows drop a dot at the end


def listed(content: bytes) -> dict[str, str]:
    """SHA-256 by path. Raises `ValueError`: what the list is, "not whole" or "damaged"."""
    *lines, last = content.decode("ascii", errors="replace").removesuffix("\n").split("\n")
    if len(content) > MAX_BYTES or last != f"{len(lines)} {END}":
        raise ValueError("not whole")
    sums: dict[str, str] = {}
    for line in lines:
        found = LINE.fullmatch(line)
        if found is None or LEADS_ELSEWHERE.search(found[2]):
            raise ValueError("damaged")
        sums[found[2]] = found[1]
    folders = {folder for name in sums for folder in accumulate(name.split("/")[:-1], "{}/{}".format)}
    # on FAT upper and lower case are the same
    if len({path.lower() for path in (*sums, *folders)}) < len(lines) + len(folders):
        raise ValueError("damaged")
    return sums


def manifest(sums: dict[str, str]) -> bytes:
    """The list of these files. Raises `ValueError` where it would not be read."""
    lines = [f"{sum_}  {name}" for name, sum_ in sums.items()]
    content = "\n".join([*lines, f"{len(lines)} {END}", ""]).encode("ascii")
    listed(content)
    return content
