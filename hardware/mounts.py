"""The file systems of this machine, as Linux lists them."""

import os
import re
from pathlib import Path

IN_MEMORY = frozenset({"tmpfs", "ramfs"})


def volatile(folder: Path, root: Path = Path("/")) -> str | None:
    """The kind of file system in memory that holds a folder, so that it is gone when the power is off; None: a disk's.

    Also where that is the upper layer of an overlay, as of a read-only system; a layer that is not seen is a disk's.
    """
    mounts: dict[Path, tuple[str, str]] = {}  # by the place: the kind, and the options; of several there the last one
    try:
        lines = (root / "proc/self/mountinfo").read_text(errors="surrogateescape").splitlines()
    except OSError:  # no Linux
        return None
    for line in lines:
        fields, _, source = line.partition(" - ")
        place, (kind, _, options) = fields.split(" ")[4], source.split(" ", 2)
        mounts[Path(_unescaped(place))] = kind, options
    path, seen = Path(os.path.realpath(folder)), set[Path]()
    while (mounted := next((each for each in (path, *path.parents) if each in mounts), None)) is not None:
        kind, options = mounts[mounted]
        if kind in IN_MEMORY:
            return kind
        upper = re.search(r"(?:^|,)upperdir=((?:\\.|[^,\\])+)", options)
        if kind != "overlay" or upper is None or mounted in seen:
            return None
        seen.add(mounted)
        path = Path(_unescaped(upper[1]))
    return None


def _unescaped(path: str) -> str:
    """A path of the kernel's list, whose blanks and backslashes are octal numbers."""
    return re.sub(r"\\([0-7]{3})", lambda octal: chr(int(octal[1], 8)), path)
