"""What a test opens: rigs close themselves, and a connection that is left open is found on every Python."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from tests.simulators.program import run
from tests.simulators.resource_leaks import LEFT_OPEN, End
from tests.simulators.rig import Rig


def test_a_connection_left_open_fails_the_test_and_is_named_by_its_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tests.simulators.resource_leaks.PATIENCE_S", 0)
    end = End()
    end.__enter__()
    with closing(sqlite3.connect(":memory:")), pytest.raises(AssertionError, match=r"test_resource_leaks\.py:\d+"):
        end.__exit__()


def test_a_connection_that_was_closed_or_that_somebody_else_has_opened_is_no_failure() -> None:
    with closing(sqlite3.connect(":memory:")), End():
        sqlite3.connect(":memory:").close()


def test_a_rig_closes_itself_at_the_end(tmp_path: Path) -> None:
    with End():
        rig = Rig(tmp_path)
        assert rig.app.journal.path.exists()
    assert not rig.app.journal.path.with_name("journal.db-wal").exists()  # it goes with the last connection


def test_a_rig_whose_plug_was_pulled_closes_what_it_was_before(tmp_path: Path) -> None:
    with End():
        Rig(tmp_path).do("game[kitty_paw 2] pulled[9h] reboot")


@pytest.mark.parametrize(("words", "status"), [((), LEFT_OPEN), (("closed",), 0)], ids=["left open", "closed"])
def test_a_program_that_leaves_a_connection_open_is_found_out(words: tuple[str, ...], status: int) -> None:
    done = run("-m", "tests.simulators.resource_leaks", "tests.simulators.leaking_program", *words)
    assert (done.returncode, "leaking_program.py:6" in done.stderr) == (status, status != 0)
