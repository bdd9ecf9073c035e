"""Statistics in a short-lived process of its own, at the lowest priority: a replay would hold up the kit's loop."""

import json
import os
import sqlite3
import subprocess
import sys
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

# -P: nothing from the current folder
PROGRAM: tuple[str, ...] = (sys.executable, "-P", "-m", "firmware.statistics.helper")
LOWEST = 19  # priority
SUMMING_S = 600.0  # a first sum of thousands of games
NONE = 3  # exit status: there is no such page
LATEST = "/latest.json"  # the latest evening; all other paths are pages


def made(folder: Path, path: str) -> bytes | None:
    """Start a process that makes the page at this path; None where there is none. Blocks; any thread.

    Raises `OSError` and `subprocess.SubprocessError`.
    """
    arguments = (*PROGRAM, str(folder), path)
    done = subprocess.run(arguments, stdin=subprocess.DEVNULL, capture_output=True, check=False, timeout=SUMMING_S)
    if done.returncode == NONE:
        return None
    done.check_returncode()
    return done.stdout


def latest(folder: Path) -> dict[str, Any] | None:
    """The latest evening, made here. Raises `FileNotFoundError`, `sqlite3.Error`."""
    from firmware.statistics.data import Data
    from firmware.statistics.figures import Figures
    from firmware.statistics.sums import up_to_date

    with closing(up_to_date(folder)) as db:
        return Data(Figures(db)).latest()


def main(folder: str, path: str) -> None:
    """Make it here."""
    with suppress(OSError):  # where that is not allowed
        os.nice(LOWEST)
    page: str | bytes | None
    try:
        if path == LATEST:
            page = json.dumps(latest(Path(folder)))
        else:
            from firmware.statistics.pages import Pages

            with closing(Pages(Path(folder))) as pages:
                page = pages.page(path)
    except FileNotFoundError:
        page = None
    except sqlite3.Error as error:
        sys.exit(f"the journal cannot be read: {error}")
    if page is None:
        sys.exit(NONE)
    sys.stdout.buffer.write(page if isinstance(page, bytes) else page.encode())


if __name__ == "__main__":
    main(*sys.argv[1:])
