"""The power goes, or the disk fails, at every call in turn: the short form. The long one: scripts/random cuts."""

import json
import shutil
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

import pytest

from firmware.state_folder import SUMS
from firmware.statistics.game_totals import TABLES, up_to_date
from tests.simulators import faulty_disk
from tests.simulators.faulty_disk import cuts
from tests.simulators.faulty_disk.cuts import Recording
from tests.simulators.faulty_disk.disk import KINDS, Disk
from tests.simulators.program import run

SCRIPT = ("-m", "scripts.at_random.cuts")

pytestmark = [pytest.mark.slow, pytest.mark.skipif(not faulty_disk.READY, reason=faulty_disk.MISSING)]


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return faulty_disk.build(tmp_path_factory.mktemp("shim"))


@pytest.fixture(scope="module")
def memory() -> Iterator[Path]:
    """A folder in memory, if there is any such."""
    with TemporaryDirectory(dir=faulty_disk.MEMORY) as folder:
        yield Path(folder)


@pytest.fixture
def disk(memory: Path) -> Iterator[Path]:
    """A new folder in memory."""
    with TemporaryDirectory(dir=memory) as folder:
        yield Path(folder)


@pytest.fixture(scope="module")
def recording(library: Path, memory: Path) -> Recording:
    """Three runs of Pack & Stack."""
    return cuts.record(library, memory / "pack_and_stack", "pack_and_stack")


def test_the_recording_holds_all_that_was_written(recording: Recording, disk: Path) -> None:
    model = Disk(disk / "model", recording.root)
    for event in recording.events:
        model.take(event)
    live = model.live()
    assert live == {name: (Path(recording.root) / name).read_bytes() for name in live}
    assert live.keys() >= {"state/journal.db", "state/forgotten"}


@pytest.mark.parametrize("many", [500, pytest.param(3000, marks=pytest.mark.nightly)])
def test_a_power_cut_at_any_call_loses_nothing_that_was_acknowledged(
    many: int, recording: Recording, disk: Path
) -> None:
    found = cuts.cut(recording, disk, many, seed=1)
    assert (found.failures, found.cuts > 0.8 * many) == ([], True)


def sums(state: Path) -> dict[str, list[Any]]:
    """All rows of the sums, up to date."""
    with closing(up_to_date(state)) as db:
        return {table: db.execute(f"select * from {table} order by 1, 2, 3").fetchall() for table in ("game", *TABLES)}


def test_after_a_power_cut_at_any_call_the_sums_are_as_if_made_anew(library: Path, disk: Path) -> None:
    """Two evenings, each summed when it ended."""
    for run_, module in enumerate(("evening", "summing", "evening", "summing")):
        arguments = ("kitty_paw", str(run_ // 2), "wal") if module == "evening" else ()
        (disk / "disk").mkdir(exist_ok=True)
        done = faulty_disk.start(
            library, f"tests.simulators.faulty_disk.{module}", disk / "disk", disk / "log", *arguments
        )
        assert done.returncode == 0, done.stderr
    model, dice, cuts_, ours = Disk(disk / "model", str(disk / "disk")), Random(17), 0, set[int]()
    for event in faulty_disk.events(disk / "log"):
        if event.kind == "c" and SUMS in event.names[0]:
            ours.add(event.inode)
        if not model.take(event) or event.inode not in ours:
            continue
        with model.cut(dice.choice(KINDS), dice) as image:
            if (image / "state" / "journal.db").exists():
                shutil.copytree(image / "state", disk / "copy")
                after = sums(disk / "copy")
                (disk / "copy" / SUMS).unlink()
                assert after == sums(disk / "copy")
                shutil.rmtree(disk / "copy")
                cuts_ += 1
    assert cuts_ > 30


def test_on_a_full_disk_the_history_is_read_as_ever(library: Path, disk: Path) -> None:
    done = faulty_disk.start(library, "tests.simulators.faulty_disk.full", disk)
    assert done.returncode == 0, done.stderr
    assert [what for what, right in json.loads(done.stdout).items() if not right] == []


@pytest.mark.nightly
def test_a_journal_that_is_not_synced_is_found_out(library: Path, disk: Path) -> None:
    recording = cuts.record(library, disk / "recorded", "kitty_paw", "unsynced")
    assert len(cuts.cut(recording, disk, 300, seed=1).lost) > 50


@pytest.mark.nightly
def test_whichever_call_fails_nothing_is_lost_or_raised_and_it_is_said(library: Path, disk: Path) -> None:
    done = faulty_disk.start(library, "tests.simulators.faulty_disk.failing", disk, "29", "3")
    found = json.loads(done.stdout)
    assert (found["wrong"], found["trials"] > 100) == ([], True)


@pytest.mark.nightly
def test_the_command_counts_cuts_and_what_an_evening_writes() -> None:
    done = run(*SCRIPT, "--cuts", "40", "--game", "pack_and_stack", "--json")
    found = json.loads(done.stdout)
    cut, written = found["cuts"]["pack_and_stack"], found["written"]["pack_and_stack"]
    assert (done.returncode, cut["cuts"] >= 40, cut["facts_lost"], cut["unreadable"]) == (0, True, 0, 0)
    assert written["lines"]["syncs"] < written["wal"]["syncs"] < written["delete"]["syncs"]


@pytest.mark.parametrize("arguments", [("--cuts", "0"), ("--game", "chess")])
def test_wrong_usage_is_refused(arguments: tuple[str, str]) -> None:
    assert run(*SCRIPT, *arguments).returncode == 2


SAVES = """
import sys
from pathlib import Path
from firmware.journal.writer import Journal
journal = Journal(Path(sys.argv[1]), "boot", lambda ticket: None, print, threaded=False)
journal.begin_game("kitty_paw")
journal.close()
"""


def test_a_file_system_without_locks_is_told_as_that_and_not_as_another_program(memory: Path, disk: Path) -> None:
    library = faulty_disk.build(memory, faulty_disk.NO_LOCKS)
    done = run("-c", SAVES, disk / "journal.db", LD_PRELOAD=str(library))
    said = "cannot save: this folder has no locks, keep the games on another disk"
    assert (done.stdout.splitlines(), done.stderr) == ([said], "")
