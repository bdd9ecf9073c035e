"""What the card's program needs of the system: commands that may be missing, files that outlive a power cut."""

import os
import shutil
import subprocess
import traceback
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

COMMAND_S = 60.0


def quietly(*command: str) -> None:
    """Run a command that not every system has, for a minute at most; it may fail."""
    output_of(*command)


def output_of(*command: str) -> str | None:
    """What a command prints, which not every system has, within a minute; None where it fails."""
    with suppress(OSError, subprocess.TimeoutExpired):
        run = subprocess.run(command, check=False, capture_output=True, timeout=COMMAND_S)
        if run.returncode == 0:
            return run.stdout.decode(errors="replace")
    return None


@contextmanager
def tried() -> Iterator[None]:
    """What fails within is logged, and what follows is done all the same."""
    try:
        yield
    except Exception:  # of whatever kind
        traceback.print_exc()


def remove(path: Path) -> None:
    """Remove what is there: a file, a folder, a link but not what it leads to. Raises `OSError`."""
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)


def replace(path: Path, text: str, mode: int = 0o644) -> None:
    """Write a file of the root partition, whole or not at all, also where the power is cut. Raises `OSError`."""
    new = path.with_name(f".{path.name}.new")
    remove(new)  # of a cut: it may have other rights, or be a link
    with open(new, "x", encoding="utf-8", opener=lambda name, flags: os.open(name, flags, mode)) as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    new.rename(path)
    os.sync()
