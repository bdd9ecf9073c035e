"""Statistics in a short-lived process of its own, at the lowest priority: a replay would hold up the kit's loop."""

import json
import os
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path
from typing import Any, ParamSpec

from firmware import local_time
from firmware.spreadsheet import form_of
from firmware.state_folder import JOURNAL, ZONE, log, state

P = ParamSpec("P")

# -P: nothing from the current folder
PROGRAM: tuple[str, ...] = (sys.executable, "-P", "-m", "firmware.statistics.process")
LOWEST = 19  # priority
SUMMING_S = 600.0  # a first sum of thousands of games
KEPT = 32  # pages
NONE = 3  # exit status: there is no such page
LATEST = "/latest.json"  # the latest evening; all other paths are pages
GUEST = "guest"  # last argument: the page is for a phone


def made(folder: Path, path: str, *, guest: bool = False) -> bytes | None:
    """Start a process that makes the page, picture or table at this path; None where there is none. Blocks; any thread.

    `guest`: for a phone. Raises `OSError` and `subprocess.SubprocessError`.
    """
    arguments = (*PROGRAM, str(folder), path, *((GUEST,) if guest else ()))
    done = subprocess.run(arguments, stdin=subprocess.DEVNULL, capture_output=True, check=False, timeout=SUMMING_S)
    if done.returncode == NONE:
        return None
    done.check_returncode()
    return done.stdout


class Made:
    """Pages of the journal in a folder, kept until that or the time zone changes: whoever may open them asks often.

    Any thread, one call at a time; blocks as `made` does, and raises the same.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._state: object = None
        self._pages: dict[tuple[str, bool], bytes | None] = {}
        self._table: tuple[object, bytes | None] = None, None  # the one made last: of which state and address

    def __call__(self, path: str, *, guest: bool = False) -> bytes | None:
        journal = self._folder / JOURNAL
        # one of the first two changes with every commit
        state_ = state(journal), state(log(journal)), state(self._folder / ZONE)
        if form_of(path.partition("?")[0]) is not None:
            return self._fetched((state_, path, guest))
        if state_ != self._state or len(self._pages) >= KEPT:
            self._state, self._pages = state_, {}
        pages = self._pages
        if (path, guest) not in pages:
            pages[path, guest] = made(self._folder, path, guest=guest)
        return pages[path, guest]

    def _fetched(self, wanted: tuple[object, str, bool]) -> bytes | None:
        """A table: it is large, and only who could not wait for it asks again, so the last one is kept until then."""
        last, table = self._table
        if last == wanted:
            self._table = None, None
            return table
        _, path, guest = wanted
        table = made(self._folder, path, guest=guest)
        self._table = wanted, table
        return table

    def after(self, change: Callable[P, None]) -> Callable[P, None]:
        """The same change, behind which no page is kept: whoever has made it looks before it is in the journal."""

        def changed(*args: P.args, **kwargs: P.kwargs) -> None:
            change(*args, **kwargs)
            self._pages, self._table = {}, (None, None)

        return changed


def latest(folder: Path) -> dict[str, Any] | None:
    """The latest evening, made here. Raises `FileNotFoundError`, `sqlite3.Error`."""
    from firmware.statistics.game_totals import up_to_date
    from firmware.statistics.person_figures import Figures
    from firmware.statistics.plain_values import Data

    local_time.use(folder)
    with closing(up_to_date(folder)) as db:
        return Data(Figures(db)).latest()


def main(folder: str, path: str, guest: str = "") -> None:
    """Make it here."""
    with suppress(OSError):  # where that is not allowed
        os.nice(LOWEST)
    page: str | bytes | None
    try:
        if path == LATEST:
            page = json.dumps(latest(Path(folder)))
        else:
            from firmware.statistics.pages import Pages

            local_time.use(Path(folder))
            with closing(Pages(Path(folder), guest=guest == GUEST)) as pages:
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
