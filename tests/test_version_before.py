"""The version before plays on in a journal that has people, sums and evenings; and this one goes on after it."""

from contextlib import closing
from pathlib import Path

import pytest

from engine import games
from firmware.journal.reader import History
from firmware.statistics.game_totals import up_to_date
from tests.simulators.program import run
from tests.simulators.rig import Rig
from tests.simulators.version_before import version_before

PLAYS_ON = """
import sys
from pathlib import Path
from tests.simulators.rig import Rig
rig = Rig(Path(sys.argv[1]), boot="before")
rig.do("ok +P1,P2 3100 -P1,P2 P1 300 P2 300 6s ok").do("menu[End the game] 2500 ok [Other game]")
rig.do("[If It Fits] P1 P2 P3 ok*2").close()
"""


@pytest.fixture
def before(tmp_path: Path) -> Path:
    """The files of the version before."""
    folder = version_before(tmp_path / "before")
    (folder / "plays_on.py").write_text(PLAYS_ON)
    return folder


@pytest.mark.nightly
def test_the_version_before_plays_on_where_people_are_known(before: Path, tmp_path: Path) -> None:
    state = tmp_path / "state"
    rig = Rig(state).do("people[Anna Ben Cleo] [Kitty Paw] P1*2 P2*2 ok*2 +P1,P2 3100 -P1,P2 P2 300 P1 300 6s ok")
    rig.do("menu[Main menu]").close()
    up_to_date(state).close()
    old = run(before / "plays_on.py", state)
    assert not old.returncode, old.stderr

    with closing(History(state / "journal.db")) as history:
        assert history.play(1, games.rules("kitty_paw")).ended
        assert (history.names(1), history.names(2)) == ({0: "Anna", 1: "Ben"}, {})
    with closing(up_to_date(state)) as db:
        assert db.execute("select id, over from game").fetchall() == [(1, 1), (2, 0)]
    rig = Rig(state, boot="after").ok()
    assert sorted(rig.app.table.roster.names) == ["Anna", "Ben", "Cleo"]
    rig.close()
