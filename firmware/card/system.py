"""What the card's program needs of the system: commands that may be missing, files that outlive a power cut."""

import os
import subprocess
from contextlib import suppress
from pathlib import Path

COMMAND_S = 60.0


def quietly(*command: str) -> None:
    """Run a command that not every system has, for a minute at most; it may fail."""
    with suppress(OSError, subprocess.TimeoutExpired):
        subprocess.run(command, check=False, capture_output=True, timeout=COMMAND_S)


def replace(path: Path, text: str, mode: int = 0o644) -> None:
    """Write a file of the root partition, whole or not at all, also where the power is cut. Raises `OSError`."""
    new = path.with_name(f".{path.name}.new")
    with open(new, "w", opener=lambda name, flags: os.open(name, flags, mode)) as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    new.rename(path)
    os.sync()
