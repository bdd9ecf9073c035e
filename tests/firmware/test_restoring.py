"""Files from elsewhere: what `restore` takes over, and what a kit, the doctor and forgetting make of them."""

import shutil
import sqlite3
from argparse import Namespace
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

import pytest

from engine import games
from firmware import state_folder
from firmware.cli import Failure
from firmware.cli import backup as command
from firmware.cli import check as doctor
from firmware.journal import backup, set_aside
from firmware.journal.reader import History
from firmware.table.playing import begin
from hardware.config import TABLE
from tests.simulators import hostile_journals
from tests.simulators.hostile_journals import HOSTILE, LATER, SCHEMA, VALUES, games_of
from tests.simulators.rig import Rig

pytestmark = pytest.mark.slow

FORGOTTEN = "Amalie"
TODAY = f"{datetime.now(UTC):%Y-%m-%d}"
OURS = "left out, as no version of this program makes them:"
GAME = "left out, as a row of theirs is damaged:"
ROWS = "left out, as they are damaged:"
KEPT = "kept as stored, though this version cannot read them:"


class Came(NamedTuple):
    """What came of a file."""

    restored: str  # the exceptions that `restore` tells, or the refusal
    games: int  # of the three, those that can be read then
    aside: str  # why it is set aside where it is the journal; empty: it is the journal
    found: int  # of the three, those that can be read then


def refused(why: str, aside: str = "damaged", found: int = 0) -> Came:
    return Came(f"copy.db is no journal: {why}", 0, aside, found)


def unread(why: str, aside: str = "damaged", found: int = 0) -> Came:
    return Came(f"cannot read copy.db: {why}", 0, aside, found)


def foreign(restored: str = "", games: int = 3, found: int = 0) -> Came:
    """`found`: the latest game goes on in the new journal where it is sound."""
    return Came(restored, games, "foreign", found)


CAME = {
    "nothing is wrong": Came("", 3, "", 3),
    "of an older version, without people": Came("", 3, "", 3),
    "with the last game in its log": Came("", 3, "", 3),
    "of a later version: a column, a table, an index": Came("", 3, "", 3),
    "another program's, with our number": refused("it has no table game of ours", "foreign"),
    "another program's table `game`": refused("it has no table game of ours", "foreign"),
    "a trigger that deletes": foreign(f"{OURS} trigger t"),
    "a trigger that refuses": foreign(f"{OURS} trigger t"),
    "a trigger without end": foreign(f"{OURS} trigger t"),
    "a view instead of people": foreign(f"{OURS} view person"),
    "a view beside it": foreign(f"{OURS} view v"),
    "a view whose name is no text": foreign(f"{OURS} view v\ufffd"),
    "a virtual table instead of kits": foreign(f"{OURS} virtual table kit"),
    "a virtual table beside it": foreign(f"{OURS} virtual table v"),
    "a generated column": foreign(),
    "a generated column of ours": foreign(f"{OURS} table edge"),
    "a check that refuses": foreign(),
    "a foreign key": foreign(),
    "an index that refuses": foreign(),
    "an index of an expression": foreign(),
    "without rowids": foreign(),
    "strict": foreign(),
    "no key": foreign(f"{OURS} table person"),
    "people without ids": foreign(f"{OURS} table person"),
    "a column is missing": refused("it has no table event of ours", "foreign"),
    "a column that must be filled": foreign(),
    "a default that is an expression": foreign(),
    "a game of number 2^63 - 1": foreign(f"{GAME} game {2**63 - 1}"),
    "a game of number 2^53 + 1": foreign(f"{GAME} game {2**53 + 1}"),
    "a game of number -1": foreign(f"{GAME} game -1"),
    "an event of number 2^63 - 1": foreign(f"{GAME} game 3", games=2, found=1),
    "a run of number 2^63 - 1": foreign(f"{GAME} games 1, 2, 3; {ROWS} 1 row of run", games=0),
    "a word instead of a stamp": Came(f"{GAME} game 1", 2, "", 2),
    "bytes instead of a name": foreign(f"{ROWS} 2 rows of person"),
    "bytes instead of fields": Came(f"{GAME} game 1", 2, "", 2),
    "bytes instead of a phone's places": foreign(f"{ROWS} 1 row of phone"),
    "nothing instead of a game's name": foreign(f"{GAME} game 1", games=2),
    "text that is no UTF-8": Came(f"{GAME} game 1", 2, "", 2),
    "text with a NUL": foreign(f"{ROWS} 1 row of person", found=1),
    "a text of 5 MB": Came(f"{GAME} game 1", 2, "", 2),
    "infinity instead of a seat": foreign(f"{ROWS} 1 row of seat", found=1),
    "a seat that no table has": foreign(f"{ROWS} 2 rows of seat", found=1),
    "a name of marks": foreign(f"{ROWS} 1 row of person", found=1),
    "an id of two lines": foreign(f"{ROWS} 1 row of person", found=1),
    "a note of marks": foreign(f"{ROWS} 1 row of remark", found=1),
    "a day of another calendar": foreign(f"{ROWS} 1 row of remark", found=1),
    "a run that began yesterday": foreign(f"{ROWS} 1 row of run", found=1),
    "a run of the year 1": foreign(f"{ROWS} 1 row of run", found=1),
    "a game that began at 9": foreign(f"{GAME} game 4"),
    "a word instead of a run's bits": foreign(f"{ROWS} 1 row of run_bits", found=1),
    "a clock of the year 9999": foreign(f"{ROWS} 4 rows of clock", found=1),
    "an event of a later version": Came(f"{KEPT} game 1", 2, "", 2),
    "an event that cannot be": Came(f"{KEPT} game 1", 2, "", 2),
    "fields of 100,000 brackets": Came(f"{GAME} game 3", 2, "", 2),
    "of format 1": refused("the journal is of format 1, this version reads format 2", "format-1"),
    "of format 3": refused("the journal is of format 3, this version reads format 2", "format-3"),
    "empty": refused("it is empty", ""),
    "a text": refused("file is not a database"),
    "a folder": unread("it is no file"),
    "a pipe": unread("it is no file"),
    "a device without end": unread("it is no file"),
    "cut": refused("its pages are damaged"),
    "with a worn page": refused("its pages are damaged"),
    "of 2 TB": unread("it is too large: must be at most 1 GB", "", 3),
    "with a change that was not finished": unread(
        "a change of it was not finished: copy.db-journal is beside it", "", 3
    ),
    "a maze": refused("its pages lead in circles", "foreign"),
}


every_file = pytest.mark.parametrize("name", CAME)


def test_every_hostile_file_is_in_the_table() -> None:
    assert list(CAME) == list(HOSTILE)


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A journal of three games."""
    return hostile_journals.sound(tmp_path_factory.mktemp("sound"))


@pytest.fixture
def copy(sound: Path, tmp_path: Path) -> Path:
    """A backup of it."""
    return Path(shutil.copy(sound, tmp_path / "copy.db"))


@pytest.fixture
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The state folder."""
    monkeypatch.setenv("STATE_DIRECTORY", str(tmp_path / "state"))
    return tmp_path / "state"


def restore(copy: Path) -> str:
    """What the command is refused by; empty where it is done."""
    try:
        command.restore(Namespace(file=copy))
    except Failure as failure:
        return str(failure).replace(f"{copy.parent}/", "")
    return ""


class Kit(Rig):
    """A kit that is switched on, at which a game is begun."""

    def __init__(self, state: Path) -> None:
        super().__init__(state, boot=LATER)
        rules = games.rules("kitty_paw")
        begin(self.app.table, rules, ("P1", "P2"), rules.options())
        self.after(100)

    @property
    def saves(self) -> bool:
        """Whether all of it is on the disk."""
        return self.app.journal._committed == self.app.journal._ticket  # noqa: SLF001


def aside_in(state: Path) -> dict[str, Path]:
    """What was set aside, by why."""
    return {path.name.removesuffix(f"-{TODAY}.db"): path for path in state.glob(f"*-{TODAY}.db")}


@every_file
def test_what_this_program_can_have_written_is_taken_over_and_all_else_is_told(
    name: str, copy: Path, state: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    HOSTILE[name](copy)
    refused = restore(copy)
    told = "; ".join(capsys.readouterr().out.splitlines()[1:])
    assert (refused or told, games_of(state)) == CAME[name][:2]


@every_file
def test_a_kit_saves_its_games_behind_whatever_was_restored(
    name: str, copy: Path, state: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    HOSTILE[name](copy)
    restore(copy)
    capfd.readouterr()
    with closing(Kit(state)) as kit:
        assert (kit.saves, capfd.readouterr().err) == (True, "")


@every_file
def test_a_kit_that_finds_it_in_its_journals_place_saves_and_says_what_it_has_set_aside(
    name: str, copy: Path, state: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    state.mkdir()
    copy.rename(state / state_folder.JOURNAL)
    HOSTILE[name](state / state_folder.JOURNAL)
    with closing(Kit(state)) as kit:
        saves = kit.saves
    why = CAME[name].aside
    said = f"journal ({why.replace('-', ' ')}) kept, new one begun: {why}-{TODAY}.db\n" if why else ""
    assert (saves, capfd.readouterr().err, list(aside_in(state))) == (True, said, [why] if why else [])
    assert games_of(state) == CAME[name].found


@pytest.mark.parametrize("name", [name for name, came in CAME.items() if came.aside == "foreign"])
def test_the_games_of_a_journal_that_was_set_aside_come_back_by_restore(name: str, copy: Path, state: Path) -> None:
    state.mkdir()
    copy.rename(state / state_folder.JOURNAL)
    HOSTILE[name](state / state_folder.JOURNAL)
    Kit(state).close()
    restore(aside_in(state)["foreign"])
    assert games_of(state) == (CAME[name].games or CAME[name].found)


@every_file
def test_the_doctor_notes_nothing_of_it(name: str, copy: Path, state: Path) -> None:
    state.mkdir()
    copy.rename(state / state_folder.JOURNAL)
    HOSTILE[name](state / state_folder.JOURNAL)
    assert [*doctor.latest_evening(TABLE, state)] == []


NAMES_OF_ITS_OWN = "people without ids"  # nobody can tell whose they are


@pytest.mark.parametrize("name", [name for name in SCHEMA | VALUES if name != NAMES_OF_ITS_OWN])
def test_beside_a_journal_it_forgets_too_and_nothing_that_it_brings_is_run(name: str, rig: Rig) -> None:
    for known in ("Ben", FORGOTTEN):
        rig.app.table.people.add(known)
    rig.do("[Kitty Paw] P1*2 P2*2 ok*2 menu[End the game] 2500 ok [Other game]")
    folder = rig.app.journal.path.parent
    aside = folder / "foreign-2026-01-01.db"
    backup.backup(folder / state_folder.JOURNAL, aside)
    HOSTILE[name](aside)
    rig.do(f"[People] [{FORGOTTEN}] [Forget] ok*2")
    named = [path.name for path in folder.rglob("*") if path.is_file() and FORGOTTEN.encode() in path.read_bytes()]
    assert ("forgotten" in rig.reads(), named) == (True, [])


def rows(path: Path, statement: str) -> list[tuple[object, ...]]:
    """The rows that a second connection reads."""
    with closing(sqlite3.connect(path)) as db:
        return db.execute(statement).fetchall()


LATER_ROWS = {
    "select mood from game order by id": [("fine",), ("great",), ("fine",)],
    "select * from cat": [(7, "Minka", 4.5, b"\xff\x00")],
}


@pytest.mark.parametrize(("statement", "stored"), LATER_ROWS.items())
def test_columns_and_tables_of_a_later_version_are_kept_and_written_beside(
    statement: str, stored: list[tuple[object, ...]], copy: Path, state: Path
) -> None:
    HOSTILE["of a later version: a column, a table, an index"](copy)
    restore(copy)
    Kit(state).close()
    assert rows(state / state_folder.JOURNAL, statement)[: len(stored)] == stored


def test_what_is_restored_is_row_for_row_what_was_copied(sound: Path, copy: Path, state: Path) -> None:
    restore(copy)
    for (table,) in rows(sound, "select name from sqlite_master where type = 'table'"):
        assert rows(state / state_folder.JOURNAL, f"select * from {table}") == rows(sound, f"select * from {table}")


def test_a_run_whose_row_is_damaged_keeps_its_number(copy: Path, state: Path) -> None:
    """Else the next run got it, and what was pressed then would seem to be of its boot."""
    HOSTILE["a run that began yesterday"](copy)
    restore(copy)
    Kit(state).close()
    assert rows(state / state_folder.JOURNAL, "select id, boot from run") == [(1, ""), (2, LATER)]


@pytest.mark.parametrize("name", ["nothing is wrong", "with the last game in its log", "a trigger that deletes"])
def test_the_file_and_its_folder_stay_as_they_are(name: str, copy: Path, state: Path) -> None:
    HOSTILE[name](copy)
    before = {path.name: path.read_bytes() for path in copy.parent.iterdir()}
    restore(copy)
    assert {path.name: path.read_bytes() for path in copy.parent.iterdir() if path != state} == before


def test_a_restored_journal_and_a_backup_are_for_their_owner_only(copy: Path, state: Path) -> None:
    restore(copy)
    backup.backup(state / state_folder.JOURNAL, copy.parent / "again.db")
    modes = [path.stat().st_mode & 0o777 for path in (state / state_folder.JOURNAL, copy.parent / "again.db")]
    assert modes == [0o600, 0o600]


# --- whose fault it is -----------------------------------------------------------------------------------------------


def test_a_folder_that_cannot_be_written_to_is_named_and_not_the_file(copy: Path, state: Path) -> None:
    state.touch()
    assert restore(copy) == "cannot write in state: File exists"


def test_a_file_that_is_not_there_is_named(copy: Path, state: Path) -> None:
    copy.unlink()
    assert restore(copy) == "cannot read copy.db: No such file or directory"


def test_a_file_that_is_written_to_meanwhile_is_refused(
    copy: Path, state: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    copied = backup._copy  # noqa: SLF001

    def slowly(path: Path, *others: Path) -> None:
        copied(path, *others)
        with path.open("ab") as file:
            file.write(b"more")

    monkeypatch.setattr(backup, "_copy", slowly)
    assert restore(copy) == "cannot read copy.db: it is being written to: copy it by `luckypaw backup`"


def test_two_at_once_do_not_mix(copy: Path, state: Path) -> None:
    state.mkdir()
    with set_aside.alone(state):
        assert restore(copy) == "cannot write in state: another program is writing"


def test_a_backup_into_a_folder_that_is_not_there_names_it(copy: Path, state: Path, tmp_path: Path) -> None:
    restore(copy)
    with pytest.raises(Failure, match=r"^cannot write .*/nowhere/x\.db: No such file or directory$"):
        command.backup(Namespace(file=tmp_path / "nowhere" / "x.db"))


# --- over what is there ----------------------------------------------------------------------------------------------


@pytest.fixture
def running(state: Path) -> Iterator[Kit]:
    """A kit in mid-game."""
    with closing(Kit(state)) as kit:
        yield kit


OPEN = "a kit has the journal open: its game goes on in this one; people are read when it starts again"


def test_over_a_running_kit_it_says_what_becomes_of_the_game(
    running: Kit, copy: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    restore(copy)
    assert capsys.readouterr().out.splitlines()[-1] == OPEN


def test_without_a_kit_it_does_not_say_so(running: Kit, copy: Path, capsys: pytest.CaptureFixture[str]) -> None:
    running.close()
    restore(copy)
    assert OPEN not in capsys.readouterr().out


def test_the_game_goes_on_in_the_restored_journal_and_the_kit_says_so(running: Kit, copy: Path, state: Path) -> None:
    restore(copy)
    running.do("+P1,P2 3100")
    assert "another journal is there | now: the game goes on in | it" in running.reads()
    assert (running.saves, games_of(state)) == (True, 3)
    with closing(History(state / state_folder.JOURNAL)) as history:
        game = history.games()[0].game
        assert history.play(game, games.rules("kitty_paw")) == running.playing.play


def test_the_journal_that_stood_there_is_kept_whole_in_one_file(running: Kit, copy: Path, state: Path) -> None:
    restore(copy)
    (kept,) = state.glob("replaced-*.db")
    alone = Path(shutil.copy(kept, copy.parent / "alone.db"))
    with closing(History(alone)) as history:
        assert history.play(1, games.rules("kitty_paw")) == running.playing.play


def decided(copy: Path, state: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A restore is cut when all of it is written, and nothing has moved to its place."""

    def cut(journal: Path) -> None:
        if set_aside.in_use(journal) != journal:
            raise KeyboardInterrupt

    monkeypatch.setattr(backup, "put_in_place", cut)
    with pytest.raises(KeyboardInterrupt):
        restore(copy)
    monkeypatch.undo()
    monkeypatch.setenv("STATE_DIRECTORY", str(state))


def test_a_restored_journal_counts_before_it_has_moved_to_its_place(
    running: Kit, copy: Path, state: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    decided(copy, state, monkeypatch)
    with closing(History(state / state_folder.JOURNAL)) as history:
        assert [row.game for row in history.games()] == [3, 2, 1]


def test_a_running_kit_moves_it_to_its_place(
    running: Kit, copy: Path, state: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    decided(copy, state, monkeypatch)
    running.do("+P1,P2 3100")
    assert (running.saves, games_of(state), (state / state_folder.RESTORED).exists()) == (True, 3, False)


def test_a_kit_that_is_switched_on_moves_it_to_its_place(
    copy: Path, state: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    decided(copy, state, monkeypatch)
    with closing(Kit(state)) as kit:
        assert (kit.saves, games_of(state), (state / state_folder.RESTORED).exists()) == (True, 3, False)


def test_while_another_program_moves_it_there_a_kit_begins_no_journal_of_its_own(
    copy: Path, state: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    decided(copy, state, monkeypatch)
    monkeypatch.setattr(set_aside, "PATIENCE_S", 0)
    with set_aside.alone(state), closing(Kit(state)) as kit:
        assert "another program is | writing" in kit.reads()
        assert (kit.saves, (state / state_folder.JOURNAL).exists()) == (False, False)


@pytest.mark.parametrize("name", [state_folder.BEGUN, state_folder.GIVEN, state_folder.TAKEN])
def test_what_a_cut_has_left_half_made_goes_at_the_next_start(name: str, copy: Path, state: Path) -> None:
    state.mkdir()
    for end in ("", "-wal", "-shm"):
        shutil.copy(copy, state / f"{name}{end}")
    Kit(state).close()
    assert {path.name for path in state.iterdir()} == {state_folder.JOURNAL, state_folder.IN_USE}
