"""Whatever the kit does with its own journal, another program that ends takes no log away from under it.

When a program closes a file, the system takes all of its locks on it (fcntl(2)), those of SQLite included.
"""

import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from unittest.mock import patch

import pytest

from firmware.journal.reader import History
from firmware.statistics import game_totals
from tests.simulators.rig import Rig

PLAYED = "[Kitty Paw] P1*2 P2*2 ok*2 menu[End the game] 2500 ok [Other game]"
# as sqlite3 or a program to browse databases does; who ends as the last one writes the log into the file and removes it
OTHER = (
    "import sqlite3, sys; db = sqlite3.connect(sys.argv[1]); db.execute('select * from game').fetchall(); db.close()"
)


def read(rig: Rig, journal: Path) -> None:
    with closing(History(journal)) as history:
        history.games()


def summed(rig: Rig, journal: Path) -> None:
    game_totals.up_to_date(journal.parent).close()


def looked_up(rig: Rig, journal: Path) -> None:
    rig.do("[History] [Kitty Paw]")
    assert "Ben" in rig.reads()
    rig.do("ok! ok! ok!")


def forgotten(rig: Rig, journal: Path) -> None:
    rig.do("[People] [Ben] [Forget] ok*2")
    assert "forgotten" in rig.reads()
    rig.do("6s ok!")


def saved_at_the_second_try(rig: Rig, journal: Path) -> None:
    with closing(History(journal)) as somebody_looks:
        somebody_looks.games()
        with patch("firmware.journal.writer.people.write", side_effect=sqlite3.OperationalError("disk I/O error")):
            rig.app.table.people.add("Eve")
            assert "NOT SAVED" in rig.after(0).reads()
        rig.do("10s ok!")


ROADS: dict[str, Callable[[Rig, Path], None]] = {
    "it was read": read,
    "it was summed": summed,
    "a game was looked up": looked_up,
    "somebody was forgotten": forgotten,
    "it was opened again": saved_at_the_second_try,
}


@pytest.mark.parametrize("road", ROADS.values(), ids=ROADS)
def test_a_program_that_ends_takes_no_game_from_a_kit_that_plays(
    road: Callable[[Rig, Path], None], rig: Rig, tmp_path: Path
) -> None:
    journal = tmp_path / "journal.db"
    rig.app.table.people.add("Ben")
    rig.app.table.people.add("Ann")
    rig.do(PLAYED)
    road(rig, journal)
    subprocess.run([sys.executable, "-c", OTHER, journal], check=True)
    rig.do("[Kitty Paw] P1 P2 ok*2")
    with closing(History(journal)) as history:
        assert len(history.games()) == 2
