"""A copy that people put where the log of another journal lay: it counts, and all that lay there is kept."""

import shutil
from argparse import Namespace
from collections.abc import Callable
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple
from unittest.mock import Mock

import pytest

from engine import games
from engine import play as plays
from firmware.cli import backup as command
from firmware.journal import backup
from firmware.journal.file import open_to_write
from firmware.journal.reader import History
from firmware.journal.writer import Journal

KEPT = f"mixed-{datetime.now(UTC):%Y-%m-%d}.db"
SAID = f"journal goes on without its log, which does not fit it; both kept: {KEPT}"
LEFT_OUT = "left out: journal.db-wal, a log that does not fit it"
COPIED = 5  # games that the copy has

Copy = Callable[[Path, Path], object]


def played(state: Path, many: int, said: list[str] | None = None, *, killed: Path | None = None) -> None:
    """An evening of so many games; the folder as it is where the kit is `killed` at its end."""
    rules = games.rules("kitty_paw")
    troubles, notices = list[str | None](), [] if said is None else said
    path = state / "journal.db"
    journal = Journal(path, "boot", lambda _: None, troubles.append, on_notice=notices.append, threaded=False)
    with closing(journal):
        for seed in range(many):
            facts = (plays.start(rules, ("P1", "P2", "P3"), rules.options(), seed, 1),)
            journal.write(journal.begin_game("kitty_paw"), facts)
        if killed is not None:
            shutil.copytree(state, killed)
    assert troubles == []


def counted(path: Path) -> int:
    """The games of a journal."""
    with closing(History(path, first=True)) as history:
        return len(history.games())


class Mixed(NamedTuple):
    """How a copy was made, how many games have been played since it, and how many there are then."""

    copy: Copy
    since: int
    found: int


def by_backup(journal: Path, to: Path) -> None:
    backup.backup(journal, to)


MIXED = {
    "a backup, a small log": Mixed(by_backup, 3, COPIED),
    "a backup, a large log": Mixed(by_backup, 300, COPIED),
    # of a pair that is damaged the latest game goes on, where it can be read
    "the file itself, a large log": Mixed(shutil.copyfile, 300, COPIED + 1),
    # the small log fits: nothing tells it from the journal's own, and what it has comes back
    "the file itself, a small log": Mixed(shutil.copyfile, 3, COPIED + 3 + 3),
}
ALL = pytest.mark.parametrize("mixed", MIXED.values(), ids=MIXED)
TOLD = pytest.mark.parametrize("mixed", [*MIXED.values()][:3], ids=[*MIXED][:3])


def mixed_in(folder: Path, mixed: Mixed) -> Path:
    """The state folder of a kit that was switched off, where people have put the copy in the journal's place."""
    played(folder / "first", COPIED)
    mixed.copy(folder / "first" / "journal.db", folder / "copy.db")
    played(folder / "first", mixed.since)
    played(folder / "first", mixed.since, killed=folder / "state")
    shutil.copyfile(folder / "copy.db", folder / "state" / "journal.db")
    return folder / "state"


def contents(path: Path) -> list[bytes]:
    """A journal and its log, byte by byte."""
    return [Path(f"{path}{end}").read_bytes() for end in ("", "-wal")]


@ALL
def test_a_kit_goes_on_with_the_copy(mixed: Mixed, tmp_path: Path) -> None:
    state = mixed_in(tmp_path, mixed)
    played(state, 1)
    assert counted(state / "journal.db") == mixed.found + 1


@TOLD
def test_file_and_log_are_kept_as_they_are_and_that_is_said(mixed: Mixed, tmp_path: Path) -> None:
    state, said = mixed_in(tmp_path, mixed), list[str]()
    before = contents(state / "journal.db")
    played(state, 1, said)
    assert (contents(state / KEPT), said) == (before, [SAID])


@TOLD
def test_restore_takes_the_file_without_the_log(
    mixed: Mixed, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    given = mixed_in(tmp_path, mixed) / "journal.db"
    monkeypatch.setenv("STATE_DIRECTORY", str(tmp_path / "other"))
    command.restore(Namespace(file=given))
    told = capsys.readouterr().out.splitlines()[1:]
    assert (counted(tmp_path / "other" / "journal.db"), told) == (COPIED, [LEFT_OUT])


@pytest.mark.parametrize("at", ["shutil.copyfile", "sync", "put_in_place"])
@TOLD
def test_a_cut_meanwhile_costs_no_game_of_the_copy(
    mixed: Mixed, at: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    state = mixed_in(tmp_path, mixed)
    with monkeypatch.context() as cut:
        cut.setattr(f"firmware.journal.file.{at}", Mock(side_effect=KeyboardInterrupt))
        with pytest.raises(KeyboardInterrupt):
            open_to_write(state / "journal.db", lambda _: None, thorough=True)
    played(state, 1)
    assert counted(state / "journal.db") in {COPIED + 1, mixed.found + 1}


@pytest.mark.parametrize("name", ["a backup, a small log", "a backup, a large log"])
def test_who_only_reads_sees_the_backup(name: str, tmp_path: Path) -> None:
    assert counted(mixed_in(tmp_path, MIXED[name]) / "journal.db") == COPIED


def test_a_copy_that_is_damaged_itself_is_set_aside_with_the_log(tmp_path: Path) -> None:
    state, said = mixed_in(tmp_path, MIXED["a backup, a large log"]), list[str]()
    with (state / "journal.db").open("r+b") as file:
        file.seek(8192)
        file.write(b"\xff" * 8192)
    played(state, 1, said)
    aside = KEPT.replace("mixed", "damaged")
    assert (len(contents(state / aside)), said) == (2, [f"journal (damaged) kept, new one begun: {aside}"])
    assert counted(state / "journal.db") == 1
