"""The history on a full disk: `python -m tests.simulators.faulty_disk.full FOLDER` prints what becomes of its pages."""

import json
import sqlite3
import sys
from contextlib import closing
from pathlib import Path
from unittest.mock import patch

from firmware.journal.writer import Journal
from firmware.state_folder import JOURNAL, SUMS
from firmware.statistics import game_totals
from firmware.statistics.pages import Pages
from tests.simulators.faulty_disk import Shim
from tests.simulators.random_evenings import Evenings

ADDRESSES = ("/history", "/games", "/games/1", "/games/1.png", "/people", "/evenings", "/records")


def pages(state: Path) -> tuple[list[str | bytes | None], int]:
    """All these pages, each of a site of its own, and how many games were summed for the first."""
    found, games = list[str | bytes | None](), 0
    with patch.object(game_totals, "_sum", wraps=game_totals._sum) as summed:  # noqa: SLF001
        for address in ADDRESSES:
            with closing(Pages(state)) as made:
                found.append(made.page(address))
            games = summed.call_count if address == ADDRESSES[0] else games
    return found, games


def main() -> None:
    folder = Path(sys.argv[1])
    shim = Shim(folder)
    evenings = Evenings(folder / "state", 8)
    evenings.play(2)
    game_totals.up_to_date(folder / "state").close()
    before = len(sums(folder / "state"))
    evenings.play(1)
    state = folder / "state"
    shim.room(0)
    switched_off, games = pages(state)
    shim.room(-1)
    with closing(Journal(state / JOURNAL, "boot", lambda n: None, lambda t: None, threaded=False)):
        shim.room(0)
        running, _games = pages(state)
        shim.room(-1)
    unchanged = len(sums(state)) == before
    wanted, _games = pages(state)
    seen = {
        "switched off": switched_off == wanted,
        "running": running == wanted,
        "all there": None not in wanted,
        "what was summed is used": 0 < games < before,
        "the file is as it was": unchanged,
    }
    (state / SUMS).unlink()
    shim.room(0)
    seen["without sums"] = pages(state)[0] == wanted
    print(json.dumps(seen))


def sums(state: Path) -> list[tuple[int]]:
    """The games that are summed."""
    with closing(sqlite3.connect(state / SUMS)) as db:
        return db.execute("select id from game").fetchall()


if __name__ == "__main__":
    main()
